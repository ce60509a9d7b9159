//! A tile of rays from one point against one body, several at a time.
//!
//! Boxes and half spaces take part in loops that the compiler turns into vector instructions, with AVX2 where the processor has it; the
//! operations are those of single rays, and so are the bits.

#![allow(unsafe_code)] // AVX2 behind run-time detection; nothing else here is unsafe.

use super::Ray;
use super::scene::Body;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Mat3, Vec3};

/// Columns and rows of a tile.
pub(super) const TILE: usize = 8;

/// Rays in a tile.
pub(super) const LANES: usize = TILE * TILE;

/// Directions of the rays of a tile; unit vectors.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    x: [f64; LANES],
    y: [f64; LANES],
    z: [f64; LANES],
}

impl Lanes {
    /// Lanes without rays go anywhere: nobody asks for what they hit.
    pub(super) const NONE: Lanes = Lanes { x: [1.0; LANES], y: [1.0; LANES], z: [1.0; LANES] };

    /// Takes over other rays, turned by a rotation: each is what [`Ray::along`] makes of the product of the matrix and the direction.
    pub(super) fn take_turned(&mut self, from: &Lanes, turn: &Mat3) {
        if !self.turn_quickly(from, turn) {
            self.correct();
        }
    }

    fn turn_quickly(&mut self, from: &Lanes, turn: &Mat3) -> bool {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.turn_avx2(from, turn) };
        }
        self.turn(from, turn)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn turn_avx2(&mut self, from: &Lanes, turn: &Mat3) -> bool {
        self.turn(from, turn)
    }

    /// All directions turned; whether all are units.
    #[inline(always)]
    fn turn(&mut self, from: &Lanes, turn: &Mat3) -> bool {
        let mut off = [0.0; TILE];
        for row in 0..TILE {
            for (column, off) in off.iter_mut().enumerate() {
                let lane = row * TILE + column;
                let (u, v, w) = from.product(lane, turn);
                (self.x[lane], self.y[lane], self.z[lane]) = (u, v, w);
                *off = larger(*off, (u * u + v * v + w * w - 1.0).abs());
            }
        }
        off.into_iter().all(Ray::is_about_unit)
    }

    /// A direction turned: the operations of a product of a matrix and a vector.
    #[inline(always)]
    fn product(&self, lane: usize, turn: &Mat3) -> (f64, f64, f64) {
        let (a, b, c) = (turn.x_axis, turn.y_axis, turn.z_axis);
        let (x, y, z) = (self.x[lane], self.y[lane], self.z[lane]);
        (a.x * x + b.x * y + c.x * z, a.y * x + b.y * y + c.y * z, a.z * x + b.z * y + c.z * z)
    }

    /// Makes units of those that are none.
    #[cold]
    fn correct(&mut self) {
        for lane in 0..LANES {
            let direction = self.get(lane);
            if !Ray::is_unit(direction) {
                self.set(lane, unit(direction).unwrap_or(direction));
            }
        }
    }

    pub(super) fn set(&mut self, lane: usize, direction: Vec3) {
        [self.x[lane], self.y[lane], self.z[lane]] = direction.to_array();
    }

    pub(super) fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }
}

/// As one instruction of a processor, unlike `f64::max`.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// What the rays of a tile hit so far.
pub(super) struct Nearest {
    distance: [f64; LANES],
    /// [`NOBODY`] where nothing was hit.
    item: [u32; LANES],
}

/// After every item, so that at the same distance any item is before it.
const NOBODY: u32 = u32::MAX;

impl Nearest {
    #[inline(always)]
    pub(super) fn none(max: f64) -> Nearest {
        Nearest { distance: [max; LANES], item: [NOBODY; LANES] }
    }

    /// No ray goes farther than this.
    pub(super) fn farthest(&self) -> f64 {
        // Column by column: one after the other each would wait for the one before.
        let mut most = [0.0; TILE];
        for row in self.distance.chunks_exact(TILE) {
            most.iter_mut().zip(row).for_each(|(most, d)| *most = larger(*d, *most));
        }
        most.into_iter().fold(0.0, larger)
    }

    /// Distances and items of all lanes in the end: where nothing was hit, infinity and `u32::MAX`.
    pub(super) fn found(&mut self) -> (&[f64; LANES], &[u32; LANES]) {
        for (distance, item) in self.distance.iter_mut().zip(&self.item) {
            *distance = if *item == NOBODY { f64::INFINITY } else { *distance };
        }
        (&self.distance, &self.item)
    }

    /// Holds a body against all rays of a tile that start in `origin`; `lanes` are those that hold any.
    pub(super) fn offer(
        &mut self,
        body: &Body,
        origin: Vec3,
        rays: &Lanes,
        lanes: impl Iterator<Item = (usize, usize)>,
    ) {
        let is_done = match body.shape() {
            Some(Shape::Cuboid(cuboid)) => {
                let seen = body.turn * (origin - body.scene_from_shape.translation());
                self.offer_cuboid(cuboid.half(), seen, &body.turn, rays, body.item)
            }
            Some(Shape::HalfSpace(solid)) => {
                let seen = body.turn * (origin - body.scene_from_shape.translation());
                let above = solid.normal().dot(seen) - solid.offset();
                self.offer_half_space(solid.normal(), above, &body.turn, rays, body.item);
                true
            }
            _ => false,
        };
        if is_done {
            return;
        }
        for (lane, _) in lanes {
            let ray = Ray { origin, direction: rays.get(lane), max: self.distance[lane] };
            if let Some(distance) = body.distance(&ray) {
                self.take(lane, distance, body.item);
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, distance: f64, item: u32) {
        if distance < self.distance[lane] || item < self.item[lane] {
            (self.distance[lane], self.item[lane]) = (distance, item);
        }
    }

    /// False, and nothing done, if some ray runs along a face.
    fn offer_cuboid(&mut self, half: Vec3, origin: Vec3, turn: &Mat3, rays: &Lanes, item: u32) -> bool {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.cuboid_avx2(half, origin, turn, rays, item) };
        }
        self.cuboid(half, origin, turn, rays, item)
    }

    fn offer_half_space(&mut self, normal: Vec3, above: f64, turn: &Mat3, rays: &Lanes, item: u32) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.half_space_avx2(normal, above, turn, rays, item) };
        }
        self.half_space(normal, above, turn, rays, item);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn half_space_avx2(&mut self, normal: Vec3, above: f64, turn: &Mat3, rays: &Lanes, item: u32) {
        self.half_space(normal, above, turn, rays, item);
    }

    /// The operations of `solid::half_space`, lane by lane; `above` is how high the rays start.
    #[inline(always)]
    fn half_space(&mut self, normal: Vec3, above: f64, turn: &Mat3, rays: &Lanes, item: u32) {
        for lane in 0..LANES {
            let (u, v, w) = rays.product(lane, turn);
            let slope = normal.x * u + normal.y * v + normal.z * w;
            // Where the surface is, as a division by -slope or of -above says it: all signs are exact.
            let surface = -above / slope;
            let (is_down, is_up) = (slope < 0.0, slope > 0.0);
            let enter = if is_down { surface } else { f64::NEG_INFINITY };
            let is_there = is_down | (is_up & (surface >= 0.0)) | (!is_down & !is_up & (above <= 0.0));
            let is_hit = is_there & (enter <= self.distance[lane]);
            let distance = if enter > 0.0 { enter } else { 0.0 };
            let is_first = is_hit & ((distance < self.distance[lane]) | (item < self.item[lane]));
            self.distance[lane] = if is_first { distance } else { self.distance[lane] };
            self.item[lane] = if is_first { item } else { self.item[lane] };
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn cuboid_avx2(&mut self, half: Vec3, origin: Vec3, turn: &Mat3, rays: &Lanes, item: u32) -> bool {
        self.cuboid(half, origin, turn, rays, item)
    }

    /// The operations of `solid::cuboid`, lane by lane.
    #[inline(always)]
    fn cuboid(&mut self, half: Vec3, p: Vec3, turn: &Mat3, rays: &Lanes, item: u32) -> bool {
        // One for each column: a single one would keep the compiler from using vectors.
        let mut steepest = [f64::INFINITY; TILE];
        let (mut enter, mut leave) = ([0.0; LANES], [0.0; LANES]);
        for row in 0..TILE {
            for (column, steepest) in steepest.iter_mut().enumerate() {
                let lane = row * TILE + column;
                let (u, v, w) = rays.product(lane, turn);
                let flattest = smaller(u.abs(), smaller(v.abs(), w.abs()));
                *steepest = smaller(*steepest, flattest);
                let slab = |half: f64, p: f64, d: f64| {
                    let ahead = half.copysign(d);
                    let inverse = 1.0 / d;
                    ((-ahead - p) * inverse, (ahead - p) * inverse)
                };
                let (x, y, z) = (slab(half.x, p.x, u), slab(half.y, p.y, v), slab(half.z, p.z, w));
                enter[lane] = larger(larger(x.0, y.0), z.0);
                leave[lane] = -larger(larger(-x.1, -y.1), -z.1);
            }
        }
        if !steepest.iter().all(|d| *d >= f64::MIN_POSITIVE) {
            return false;
        }
        for lane in 0..LANES {
            let is_hit =
                (enter[lane] <= leave[lane]) & (leave[lane] >= 0.0) & (enter[lane] <= self.distance[lane]);
            let distance = larger(enter[lane], 0.0);
            let is_first = is_hit & ((distance < self.distance[lane]) | (item < self.item[lane]));
            self.distance[lane] = if is_first { distance } else { self.distance[lane] };
            self.item[lane] = if is_first { item } else { self.item[lane] };
        }
        true
    }
}
