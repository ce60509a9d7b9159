//! `freiraum layers`: does a surface that was twisted, bent or blown up run into itself, or into others?

mod body;
mod document;
mod picture;
mod print;
mod scene;
mod solve;

use super::mesh_file::one_of;
use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure, in_pool};
use body::Body;
use freiraum::deform::deformation::Deformation;
use freiraum::deform::thin::{Directions, Look, Rays};
use freiraum::deform::{Axis, Verdict};
use freiraum::mesh_io::Unit;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

pub(super) const EXAMPLES: &str = "\
Every mesh is closed, with its normals outwards. It is seen along an axis, in all its layers: where a ray enters \
more often than it leaves, the surface runs into itself. Several meshes are looked at each for itself and in pairs.
Deformations are made in the order inflate, twist, bend, wobble, each about the middle of the mesh's own box and \
along its longest edge (see --along). Lengths are in the unit of the files; --units says which one that is.

What is found is there. \"None found\" holds for overlaps wider than a width that is told, no more: a single axis \
may miss any thin plate that it sees edge-on. --conservative looks along all axes, so finely that no overlap is \
missed that holds a flat plate of diameter WIDTH. `volume_error` is an estimate.

Exit codes: 0 no overlap found; 1 a surface runs into itself or into another; 2 bad input, as a mesh that is open \
or inside out somewhere (the answer then says where, and tells no volume).

Examples:
  freiraum layers spring.stl --units mm
  freiraum layers bar.stl --twist 720 --wobble 150,2 --png bar.png
  freiraum layers tube.ply --bend 400 --resolution 512 --axis all --json | jq .volume
  freiraum layers left.stl right.stl --conservative 0.5 --units mm";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Mesh files (STL, OBJ, OFF, PLY, glTF/GLB); each format is recognised by its content, then by its extension
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,
    /// Unit of the numbers in the files [default: m]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(Unit::ALL.map(Unit::symbol)))]
    units: Option<Unit>,
    /// Turn the ends against each other by so many degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = finite, help_heading = "Deformations")]
    twist: Option<f64>,
    /// Bend the mesh to an arc of so many degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = finite, help_heading = "Deformations")]
    bend: Option<f64>,
    /// Let it meander by so many degrees, in so many waves [1] from end to end, shifted by a phase [0] in degrees
    #[arg(long, value_name = "DEG[,WAVES[,PHASE]]", allow_hyphen_values = true, value_parser = wobble, help_heading = "Deformations")]
    wobble: Option<[f64; 3]>,
    /// Move every vertex outwards along its normal; negative shrinks
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, value_parser = finite, help_heading = "Deformations")]
    inflate: Option<f64>,
    /// Axis of the deformations
    #[arg(long, value_enum, default_value_t = Along::Auto, value_name = "AXIS", help_heading = "Deformations")]
    along: Along,
    /// Rays across the box of each mesh: N each way, or columns and rows as 256x128
    #[arg(long, value_name = "N", default_value = "128", allow_negative_numbers = true, value_parser = resolution)]
    resolution: [u32; 2],
    /// Direction of the rays; auto is the longest edge of the box, all is the three one after the other
    #[arg(long, value_enum, default_value_t = Direction::Auto, value_name = "AXIS")]
    axis: Direction,
    /// Choose the resolution so that no overlap can be missed that holds a flat plate of this diameter; with one --axis, a ball
    #[arg(long, value_name = "WIDTH", allow_hyphen_values = true, conflicts_with = "resolution", value_parser = width)]
    conservative: Option<f64>,
    /// Who renders; auto takes a graphics processor where there is a real one. The answer is the same
    #[arg(long, value_enum, default_value_t = Device::Auto, value_name = "DEVICE")]
    device: Device,
    /// Write a picture: the meshes as glass, the collision volume in red, open edges in magenta
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

// No documentation on the variants: clap would turn the help page into its long form for it.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Along {
    Auto,
    X,
    Y,
    Z,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Direction {
    Auto,
    X,
    Y,
    Z,
    All,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Device {
    Auto,
    Cpu,
    Gpu,
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    if let Some(file) = &arguments.png {
        picture::check_name(file)?;
    }
    let mut times = solve::Times::default();
    let progress = Progress::new("reading");
    let start = Instant::now();
    let bodies: Result<Vec<Body>, Failure> =
        arguments.meshes.iter().map(|file| Body::read(file, arguments.units)).collect();
    let mut bodies = bodies?;
    times.0.push(("read", milliseconds(start)));
    progress.now("deforming");
    let start = Instant::now();
    let steps = arguments.deformations();
    for body in &mut bodies {
        body.deform(&steps, arguments.along.index())?;
    }
    times.0.push(("deform", milliseconds(start)));
    progress.now("looking");
    let mut found = in_pool(threads, || solve::solve(&bodies, arguments, times))?;
    if let Some(file) = &arguments.png {
        progress.now("drawing");
        let start = Instant::now();
        in_pool(threads, || picture::write(file, &bodies, &found))?;
        found.times.0.push(("picture", milliseconds(start)));
    }
    drop(progress);
    if let Some(note) = &found.note {
        console.warning(note);
    }
    if console.json() {
        console.document(&document::document(arguments, &bodies, &found));
    } else {
        print::print(arguments, &bodies, &found, console);
    }
    Ok(match found.examination.findings.verdict() {
        Verdict::Free => Answer::Good,
        Verdict::Collision => Answer::Bad,
        Verdict::Unsound => Answer::PartlyBadInput,
    })
}

impl Arguments {
    fn unit(&self) -> Unit {
        self.units.unwrap_or_default()
    }

    /// From where, and how finely.
    fn look(&self) -> Look {
        let directions = match self.axis {
            // Plates may lie in any direction.
            Direction::Auto if self.conservative.is_some() => Directions::All,
            Direction::Auto => Directions::Longest,
            Direction::X => Directions::One(Axis::X),
            Direction::Y => Directions::One(Axis::Y),
            Direction::Z => Directions::One(Axis::Z),
            Direction::All => Directions::All,
        };
        let rays = self.conservative.map_or(Rays::Count(self.resolution), Rays::Width);
        Look { directions, rays, threaded: true }
    }

    /// In the order in which they are made.
    fn deformations(&self) -> Vec<Deformation> {
        let inflate = self.inflate.map(|distance| Deformation::Inflate { distance });
        let twist = self.twist.map(|degrees| Deformation::Twist { angle: degrees.to_radians() });
        let bend = self.bend.map(|degrees| Deformation::Bend { angle: degrees.to_radians() });
        let wobble = self.wobble.map(|[degrees, waves, phase]| Deformation::Wobble {
            angle: degrees.to_radians(),
            waves,
            phase: phase.to_radians(),
        });
        [inflate, twist, bend, wobble].into_iter().flatten().collect()
    }
}

impl Along {
    fn index(self) -> Option<usize> {
        match self {
            Along::Auto => None,
            Along::X => Some(0),
            Along::Y => Some(1),
            Along::Z => Some(2),
        }
    }
}

impl From<Device> for freiraum::deform::device::Device {
    fn from(device: Device) -> Self {
        match device {
            Device::Auto => Self::Auto,
            Device::Cpu => Self::Cpu,
            Device::Gpu => Self::Gpu,
        }
    }
}

fn milliseconds(since: Instant) -> f64 {
    1000.0 * since.elapsed().as_secs_f64()
}

fn finite(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    value.ok_or_else(|| "expected a number".to_owned())
}

fn width(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|&x| x > 0.0)
        .ok_or_else(|| "expected a length above 0, in the unit of the files".to_owned())
}

fn wobble(text: &str) -> Result<[f64; 3], String> {
    let mut values = [0.0, 1.0, 0.0];
    let parts: Vec<&str> = text.split(',').collect();
    let is_read = parts.len() <= 3
        && parts.iter().zip(&mut values).all(|(part, value)| finite(part).map(|x| *value = x).is_ok());
    if is_read {
        Ok(values)
    } else {
        Err("expected degrees, or degrees, waves and phase as in 120,2,45".to_owned())
    }
}

fn resolution(text: &str) -> Result<[u32; 2], String> {
    let (columns, rows) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    let most = freiraum::deform::grid::MAX_SIZE;
    let count = |part: &str| part.trim().parse::<u32>().ok().filter(|n| (1..=most).contains(n));
    match (count(columns), count(rows)) {
        (Some(columns), Some(rows)) => Ok([columns, rows]),
        _ => Err(format!("expected 1 to {most}, or two of them as in 256x128")),
    }
}
