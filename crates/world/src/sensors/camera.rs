//! Pictures in colour, with depth.

use super::depth::{DepthPicture, DepthRenderer, Models, NOTHING, View};
use super::{BeamError, BeamSet, Mask, Surroundings};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::ray::RayError;

/// A camera. Its picture is that of a pinhole: straight lines stay straight, pixels are square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    size: [u32; 2],
    first: [f64; 2],
    pitch: [f64; 2],
    range: f64,
}

/// Colours and light of a picture; colours are red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Where the light comes from, in the frame of the world; any length.
    pub from: Vec3,
    /// The share of its colour that a surface has without light, between 0 and 1.
    pub ambient: f64,
    /// What is seen where nothing is.
    pub background: [u8; 3],
}

impl Default for Light {
    /// From above, a little from the front left; a pale sky.
    fn default() -> Light {
        Light { from: Vec3::new(0.3, 0.4, 0.85), ambient: 0.35, background: [205, 222, 240] }
    }
}

/// A picture, row after row from the top, each from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Red, green, blue.
    pub colors: Vec<[u8; 3]>,
    /// Metres along the axis of the camera; infinity where nothing is within its range.
    pub depth: Vec<f32>,
    /// The body that is seen.
    pub bodies: Vec<Option<u32>>,
}

impl Camera {
    /// A camera with `size` pixels that sees `field` radians over its width, and as far as `range` metres along its axis.
    ///
    /// **Errors.** No pixels or too many, a field that is not between 0 and half a turn, a range that is not above 0.
    pub fn new(size: [u32; 2], field: f64, range: f64) -> Result<Camera, BeamError> {
        // A grid with square pixels; its counts and angles are checked there.
        let tall = 2.0 * ((0.5 * field).tan() * f64::from(size[1]) / f64::from(size[0].max(1))).atan();
        let grid = BeamSet::grid(size, [field, tall])?.pixels();
        let Some(grid) = grid.filter(|_| range > 0.0) else { return Err(BeamError::BadRange(range)) };
        Ok(Camera { size, first: grid.first, pitch: grid.pitch, range })
    }

    /// The view of the camera in its place.
    pub fn view(&self, world_from_camera: &Pose) -> View {
        View {
            world_from_eye: *world_from_camera,
            size: self.size,
            first: self.first,
            pitch: self.pitch,
            near: 0.0,
            far: self.range,
        }
    }

    /// Takes a picture; `color` says what color a body has. `models` are those of the surroundings.
    ///
    /// **Guarantee.** Depth as in [`Bound`](super::depth::Bound) with pixels that are beams. Inside of a solid that it sees, the picture is
    /// black, with depth 0. **Errors.** A pose beyond the largest coordinate. **Panics** if there are more or fewer models than things.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is there, what is seen of it, from where, and in which light"
    )]
    pub fn take(
        &self,
        renderer: &mut impl DepthRenderer,
        surroundings: &Surroundings,
        models: &Models,
        mask: &Mask,
        world_from_camera: &Pose,
        light: &Light,
        color: impl Fn(u32) -> [u8; 3],
    ) -> Result<Picture, RayError> {
        let count = self.size[0] as usize * self.size[1] as usize;
        if let Some(body) = surroundings.body_at(world_from_camera.translation(), mask)? {
            let (colors, depth, bodies) = (vec![[0; 3]; count], vec![0.0; count], vec![Some(body); count]);
            return Ok(Picture { size: self.size, colors, depth, bodies });
        }
        let mut seen = DepthPicture { wants_normals: true, ..DepthPicture::default() };
        renderer.render(
            &self.view(world_from_camera),
            &super::depth::drawn(surroundings, models, mask),
            &mut seen,
        );
        let bodies: Vec<Option<u32>> =
            seen.marks.iter().map(|m| (*m != NOTHING).then(|| surroundings.body(*m))).collect();
        let from = freiraum_geometry::math::unit(light.from).unwrap_or(Vec3::Z);
        let colors = bodies.iter().zip(&seen.normals).map(|(body, normal)| {
            let Some(body) = body else { return light.background };
            let lit = Vec3::from(normal.map(f64::from)).dot(from).max(0.0);
            let share = light.ambient + (1.0 - light.ambient) * lit;
            // Casts saturate.
            color(*body).map(|channel| (f64::from(channel) * share).round() as u8)
        });
        Ok(Picture { size: self.size, colors: colors.collect(), depth: seen.depth, bodies })
    }
}
