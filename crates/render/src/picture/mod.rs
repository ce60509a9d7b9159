//! Shaded pictures of bodies: what stands around, what moves, where it came from, and where it touches.
//!
//! A small rasteriser of its own: depth and colour per sample, four samples per pixel, edges and outlines as thin lines. A picture is the
//! same on any number of threads. It needs neither a display nor a graphics card.

mod camera;
mod canvas;
mod figure;
mod layer;
mod light;
mod lines;
mod mark;
mod png;
mod shadow;

#[cfg(test)]
mod tests;

pub use camera::{Camera, View};
pub use figure::Figure;
pub use light::color_of;
pub use mark::Mark;

use canvas::{Canvas, FINE};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::Color;
use layer::{Layer, Placed};
use shadow::Shadow;
use std::collections::HashMap;

/// What is drawn.
pub struct Shot<'f> {
    /// Where it is seen from.
    pub camera: Camera,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// The bodies, drawn in their roles.
    pub bodies: Vec<Drawn<'f>>,
    /// On top of the bodies, the last one in front.
    pub marks: Vec<Mark>,
    /// A point: what is nearer to the eye than it is cut away, if the rays are parallel.
    pub section: Option<Vec3>,
    /// The height of the ground, in metres, if there is one for shadows to fall on.
    pub ground: Option<f64>,
}

/// A body in a picture.
pub struct Drawn<'f> {
    /// What it looks like.
    pub figure: &'f Figure,
    /// Where it is.
    pub pose: Pose,
    /// Its colour.
    pub color: Color,
    /// How it is drawn.
    pub role: Role,
}

/// How a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Pale, behind what matters.
    Around,
    /// In its colour, as one that stays.
    Plain,
    /// In its colour, shining through others: one that moves.
    Mover,
    /// Transparent: where a body was.
    Ghost,
}

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Red, green, blue of every pixel, from the upper left, row by row.
    pub pixels: Vec<u8>,
}

impl Shot<'_> {
    /// Draws it.
    ///
    /// **Cost.** Some 50 ns per triangle and 50 ns per pixel, shared by the threads of the pool that it is called in.
    pub fn draw(&self) -> Picture {
        let size = self.size.map(|n| FINE * n.clamp(1, 8192));
        let lens = self.camera.lens(size[0], size[1]);
        let section = self.section.and_then(|point| Some(lens.project_world(point)?[2]));
        let layer = |roles: &[Role]| {
            let bodies = self.bodies.iter().filter(|b| roles.contains(&b.role));
            // Two that fill the same place are seen where they are cut open.
            let most = if section.is_some() { 2 } else { 1 };
            let things: Vec<Placed<'_>> = distinct(bodies, most).into_iter().map(placed).collect();
            let (mut layer, seen) = Layer::draw(&things, &lens, size, section);
            lines::draw(&mut layer, &things, &seen, &lens, 0.9 * FINE as f64);
            if section.is_some() {
                lines::draw_cut(&mut layer);
            }
            (things, layer)
        };
        let (standing, around) = layer(&[Role::Around, Role::Plain]);
        let (moving, movers) = layer(&[Role::Mover]);
        let (_, ghosts) = layer(&[Role::Ghost]);
        let shadow = self.ground.and_then(|ground| Shadow::of(&[&standing, &moving], ground));
        let mut canvas = Canvas::compose(size, &lens, shadow.as_ref(), [&around, &movers, &ghosts]);
        for mark in &self.marks {
            mark.draw(&mut canvas, &lens);
        }
        Picture { size: size.map(|n| n / FINE), pixels: canvas.pixels() }
    }

    /// Where a point of the world is in the picture, in pixels from the upper left.
    pub fn place(&self, point: Vec3) -> Option<[f64; 2]> {
        let [x, y, _] = self.camera.lens(self.size[0], self.size[1]).project_world(point)?;
        Some([x, y])
    }
}

/// Without bodies that coincide with `most` earlier ones, behind which nothing of them is seen.
fn distinct<'b, 'f>(bodies: impl Iterator<Item = &'b Drawn<'f>>, most: usize) -> Vec<&'b Drawn<'f>>
where
    'f: 'b,
{
    let mut counts: HashMap<(*const Figure, [u64; 7]), usize> = HashMap::new();
    let is_seen = |drawn: &&Drawn<'f>| {
        let ([x, y, z, w], [px, py, pz]) =
            (drawn.pose.rotation().to_array(), drawn.pose.translation().to_array());
        let place = [x, y, z, w, px, py, pz].map(|number| (number + 0.0).to_bits());
        let count = counts.entry((std::ptr::from_ref(drawn.figure), place)).or_default();
        *count += 1;
        *count <= most
    };
    bodies.filter(is_seen).collect()
}

/// A body with the colours of its role.
fn placed<'f>(drawn: &Drawn<'f>) -> Placed<'f> {
    let own = light::channels(drawn.color);
    let (base, line) = match drawn.role {
        Role::Around => (light::mixed(own, [0.90, 0.92, 0.94], 0.72), [0.55, 0.59, 0.64]),
        Role::Plain => (
            light::mixed(own, [0.90, 0.92, 0.94], 0.25),
            light::mixed(own.map(|x| 0.3 * x), [0.1, 0.12, 0.16], 0.5),
        ),
        Role::Mover | Role::Ghost => (own, light::mixed(own.map(|x| 0.25 * x), [0.05, 0.07, 0.1], 0.5)),
    };
    Placed {
        figure: drawn.figure,
        world_from_body: drawn.pose,
        ramp: light::ramp(base),
        cut: light::packed(light::mixed(base, [1.0; 3], 0.45)),
        line: light::packed(line),
    }
}
