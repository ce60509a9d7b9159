//! `freiraum sim`: lets time pass in a scene.

mod load;
mod measurements;
mod print;
mod recorder;
mod surroundings;

use super::output::{Console, number};
use super::progress::Progress;
use super::{Answer, Failure, in_pool, leftovers};
use freiraum::files;
use freiraum::files::LARGEST_SAVED;
use freiraum::scene::limits;
use freiraum::world::event::{Event, EventFilter};
use freiraum::world::sensors::depth::{self, Renderer};
use freiraum::world::{Simulation, Totals};
use load::World;
use measurements::Measurements;
use recorder::Recorder;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(super) const EXAMPLES: &str = "\
Bodies fall, slide, bounce and rest as their `physics` says; vehicles drive as their controllers say, sensors measure.
docs/world.md describes what is simulated, docs/scene-file.md the file.
Worlds of the older simulator (.cfg with the city and balls files beside it, or one of those alone) are read as well; what is odd in them is said.
Lengths are in the units of the scene file, recordings in metres. The same scene gives the same result on every run.

A scene that names programs as drivers runs them only if you allow it: on the terminal, once for each content, or by --trust.

Exit codes: 0 the world ran to the end; 2 bad input, programs that were not allowed, or a world that came to a stop.

Examples:
  freiraum sim ramp.toml --duration 3
  freiraum sim ramp.toml --csv --rate 100 > ramp.csv
  freiraum sim bowling.toml --record bowling.jsonl
  freiraum sim bowling.toml --events all --of ball --least-impulse 0.1
  freiraum sim city/MonsterTruck.cfg --wander --sensors scans.jsonl --pictures pictures
  freiraum sim bowling.toml --duration 60 --save later.world
  freiraum sim bowling.toml --resume later.world --json | jq .statistics";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Scene file (TOML), or a world of the older simulator (.cfg; a city or balls file)
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// So many seconds of the world, to the next whole step
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = duration, allow_negative_numbers = true)]
    duration: f64,
    /// Length of a step in seconds [default: that of the scene, else 0.001]
    #[arg(long, value_name = "S", value_parser = step, allow_negative_numbers = true)]
    step: Option<f64>,
    /// Vehicles that nobody drives wander about
    #[arg(long)]
    wander: bool,
    /// No faster than real time; events are shown as they happen
    #[arg(long)]
    realtime: bool,
    /// Write a recording (JSON Lines) to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Measurements of sensors (without pictures) go into the recording, too
    #[arg(long, requires = "record")]
    record_sensors: bool,
    /// Write all measurements of sensors to this file (JSON Lines)
    #[arg(long, value_name = "FILE")]
    sensors: Option<PathBuf>,
    /// Write the pictures of cameras into this folder (PNG)
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Where cameras and depth buffers are drawn; auto is a real graphics processor or, without one, software
    #[arg(long, value_enum, default_value_t = Device::Auto, value_name = "WHERE")]
    device: Device,
    /// Print the states of all moving bodies over time as CSV; everything else goes to stderr
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// States per second in recordings and CSV, to the next whole number of steps
    #[arg(long, value_name = "HZ", default_value_t = 30.0, value_parser = rate, allow_negative_numbers = true)]
    rate: f64,
    /// Which events are told
    #[arg(long, value_enum, default_value_t = Events::Begins, value_name = "WHICH")]
    events: Events,
    /// Only events of this body or vehicle; may be said several times
    #[arg(long, value_name = "NAME")]
    of: Vec<String>,
    /// Only collisions at least so hard, in newton seconds, and separations after such
    #[arg(long, value_name = "NS", default_value_t = 0.0, value_parser = impulse, allow_negative_numbers = true)]
    least_impulse: f64,
    /// The programs that the scene names as drivers may run; else you are asked
    #[arg(long)]
    trust: bool,
    /// Write the state at the end to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on from a state that was written by --save, bit for bit
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

// The variants carry no documentation: clap would turn every help page into its long form for it.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Events {
    None,
    Begins,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Device {
    Auto,
    Cpu,
    Gpu,
}

/// What came of it.
struct Outcome {
    world: World,
    simulation: Simulation,
    /// Those that passed the filter.
    events: Vec<Event>,
    totals: Totals,
    energy_at_start: f64,
    /// Of real time, for the steps alone.
    seconds: f64,
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let written = [&arguments.record, &arguments.sensors, &arguments.save].into_iter().flatten();
    leftovers::sweep(written.chain([&arguments.scene]).map(PathBuf::as_path));
    leftovers::sweep_folders(arguments.pictures.as_deref());
    in_pool(threads, || {
        let world = load::read(arguments, console)?;
        for notes in &world.notes {
            console.warning(&format!("{notes}"));
        }
        let outcome = simulated(world, arguments, console)?;
        if let Some(path) = &arguments.save {
            write(path, &outcome.simulation.save())?;
        }
        print::print(&outcome, arguments, console);
        Ok(Answer::Good)
    })
}

fn simulated(world: World, arguments: &Arguments, console: &mut Console) -> Result<Outcome, Failure> {
    let progress = Progress::new("reading shapes");
    let mut simulation = world.simulation(&renderer(&world, arguments, console))?;
    if let Some(path) = &arguments.resume {
        resume(&mut simulation, path)?;
    }
    let filter = filter(arguments, &simulation)?;
    let step = simulation.scene().world.settings.step;
    let (steps, is_exact) = steps(arguments.duration, step);
    if !is_exact {
        let [duration, step, simulated] = [arguments.duration, step, steps as f64 * step].map(number);
        console.warning(&format!(
            "{duration} s are no whole number of steps of {step} s: {simulated} s are simulated"
        ));
    }
    let every = (1.0 / (arguments.rate * step)).round().max(1.0) as u64;
    let mut recorder = Recorder::new(arguments, &simulation, 1.0 / (step * every as f64), console)?;
    let mut measurements = Measurements::new(arguments, &simulation)?;
    let mut events = Vec::new();
    let energy_at_start = simulation.energy();
    let start = Instant::now();
    let mut told = start;
    for number in 0..steps {
        if number % every == 0 {
            recorder.frame(&simulation, console)?;
        }
        simulation.step();
        recorder.readings(&simulation)?;
        measurements.write(&simulation)?;
        for event in simulation.take_events() {
            if filter.passes(&event, simulation.scene()) {
                recorder.event(&event, &simulation)?;
                if arguments.realtime && !console.json() && !arguments.csv {
                    console.text(&print::event_line(&event, &simulation));
                }
                events.push(event);
            }
        }
        if told.elapsed() >= TOLD_EVERY {
            told = Instant::now();
            let share = 100 * (number + 1) / steps;
            progress.now(&format!("{:.1} s of the world, {share} %", simulation.time()));
        }
        if arguments.realtime {
            let due = Duration::try_from_secs_f64((number + 1) as f64 * step).unwrap_or_default();
            std::thread::sleep(due.saturating_sub(start.elapsed()));
        }
        if console.is_closed() || simulation.failure().is_some() {
            break;
        }
    }
    recorder.frame(&simulation, console)?;
    recorder.end(&simulation)?;
    measurements.end()?;
    if let Some(failure) = simulation.failure() {
        return Err(Failure::new("simulation", failure));
    }
    let seconds = start.elapsed().as_secs_f64();
    let totals = simulation.totals();
    Ok(Outcome { world, simulation, events, totals, energy_at_start, seconds })
}

/// What draws pictures. Drivers take their time, so they are looked for only if something is drawn.
fn renderer(world: &World, arguments: &Arguments, console: &mut Console) -> Renderer {
    if !world.scene.world.sensors.iter().any(|sensor| sensor.kind.is_drawn()) {
        return Renderer::default();
    }
    let (renderer, trouble) = Renderer::open(match arguments.device {
        Device::Auto => depth::Device::Auto,
        Device::Cpu => depth::Device::Cpu,
        Device::Gpu => depth::Device::Gpu,
    });
    if let Some(trouble) = trouble {
        console.warning(&format!("--device gpu: {trouble}; pictures are drawn in software"));
    }
    renderer
}

/// The first whole number of steps that is no shorter than a duration, up to rounding, and whether it is just as long.
fn steps(duration: f64, step: f64) -> (u64, bool) {
    let (count, rounding) = (duration / step, 4.0 * f64::EPSILON);
    let whole = count.round();
    let is_exact = (count - whole).abs() <= rounding * count;
    (if is_exact { whole } else { count.ceil() } as u64, is_exact)
}

/// How often the progress changes.
const TOLD_EVERY: Duration = Duration::from_millis(200);

fn filter(arguments: &Arguments, simulation: &Simulation) -> Result<EventFilter, Failure> {
    let scene = simulation.scene();
    let (mut of, mut of_vehicles) = (Vec::with_capacity(arguments.of.len()), Vec::new());
    for name in &arguments.of {
        if let Some(vehicle) = scene.world.vehicles.iter().position(|vehicle| vehicle.name == *name) {
            of_vehicles.push(vehicle);
            of.extend(simulation.vehicle_bodies(vehicle));
            continue;
        }
        let body = scene.body(name).ok_or_else(|| {
            let vehicles = scene.world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
            let names = vehicles.chain(scene.bodies.iter().map(|body| body.name.as_str()));
            let names: Vec<&str> = names.take(12).collect();
            let count = scene.bodies.len() + scene.world.vehicles.len();
            let more = if count > names.len() { ", …" } else { "" };
            let all = names.join(", ");
            Failure::new(
                "name",
                format!("--of {name}: there is no such body or vehicle; there are {all}{more}"),
            )
        })?;
        of.push(body);
    }
    let without = match arguments.events {
        Events::None => vec!["collision", "separation", "goal", "gripper"],
        Events::Begins => vec!["separation"],
        Events::All => Vec::new(),
    };
    Ok(EventFilter { without, of, of_vehicles, least_impulse: arguments.least_impulse })
}

fn resume(simulation: &mut Simulation, path: &Path) -> Result<(), Failure> {
    let name = path.display();
    let saved = files::read(path, LARGEST_SAVED)
        .map_err(|e| Failure::new("resume", format!("{name}: cannot read the saved world: {e}")))?;
    simulation.resume(&saved).map_err(|e| Failure::new("resume", format!("{name}: {e}")))
}

/// Writes a file that appears complete or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    files::write(path, bytes)
        .map_err(|e| Failure::new("output", format!("{}: cannot write the file: {e}", path.display())))
}

/// A world cannot be asked for more than this, in seconds: a century.
const LONGEST: f64 = 3.2e9;

fn duration(text: &str) -> Result<f64, String> {
    within(text, |x| (0.0..=LONGEST).contains(&x), &format!("a number of seconds from 0 to {LONGEST:e}"))
}

fn step(text: &str) -> Result<f64, String> {
    let expected = "a number of seconds from a nanosecond to 1";
    within(text, |x| (limits::SHORTEST_STEP..=limits::LONGEST_STEP).contains(&x), expected)
}

fn rate(text: &str) -> Result<f64, String> {
    within(text, |x| x > 0.0 && x.is_finite(), "a number of states per second above 0")
}

fn impulse(text: &str) -> Result<f64, String> {
    within(text, |x| x >= 0.0 && x.is_finite(), "newton seconds, 0 or more")
}

fn within(text: &str, is_ok: fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse::<f64>().ok().filter(|x| is_ok(*x)).ok_or_else(|| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn a_duration_is_filled_with_whole_steps() {
        for (duration, step, expected) in [
            (1.0, 0.001, (1000, true)),
            (0.7, 0.1, (7, true)),
            (0.3, 0.1, (3, true)),
            (1.0, 0.3, (4, false)),
            (0.1, 0.3, (1, false)),
            (0.0, 0.3, (0, true)),
            (0.9, 0.3, (3, true)),
            (3.2e9, 1e-9, (3_200_000_000_000_000_000, true)),
        ] {
            assert_eq!(steps(duration, step), expected, "{duration} / {step}");
        }
    }
}
