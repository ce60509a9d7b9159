//! Where it is seen from.

use freiraum_geometry::{Aabb, Mat3, Vec3};

/// A view: a direction to look in, and what is in the middle of the picture.
///
/// **Frames.** World in, picture out: x to the right, y down, in shares of the height of the picture from its middle; depth grows away from the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Rows: to the right, up, and away from the eye.
    camera_from_world: Mat3,
    /// In the middle of the picture.
    target: Vec3,
    /// How many metres the height of the picture shows, at the target.
    height: f64,
    /// Distance of the eye from the target, in metres; `None` for parallel rays.
    distance: Option<f64>,
}

/// Usual directions to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// From the front left above, all three axes alike.
    Isometric,
    /// From the front, a little from the left and above: good for most assemblies.
    Standard,
    /// From the front: along y.
    Front,
    /// From the left: along x.
    Left,
    /// From above: along -z.
    Top,
    /// From this direction: a vector from the target to the eye, not zero.
    From(Vec3),
}

impl View {
    /// From the target to the eye, not of unit length.
    fn direction(self) -> Vec3 {
        match self {
            View::Isometric => Vec3::new(-1.0, -1.0, 1.0),
            View::Standard => Vec3::new(-0.62, -1.0, 0.66),
            View::Front => -Vec3::Y,
            View::Left => -Vec3::X,
            View::Top => Vec3::Z,
            View::From(direction) => direction,
        }
    }
}

impl Camera {
    /// Parallel rays on a target; `height` metres fill the height of the picture.
    pub fn parallel(view: View, target: Vec3, height: f64) -> Camera {
        let away = -freiraum_geometry::math::unit(view.direction()).unwrap_or(Vec3::NEG_Y);
        // Seen from above, y is up.
        let up = if away.z.abs() > 0.999 { Vec3::Y } else { Vec3::Z };
        let right = freiraum_geometry::math::unit(away.cross(up)).unwrap_or(Vec3::X);
        let camera_from_world = Mat3::from_cols(right, right.cross(away), away).transpose();
        Camera { camera_from_world, target, height: height.max(f64::MIN_POSITIVE), distance: None }
    }

    /// Rays that meet in an eye, with this opening angle from the lower to the upper border in radians, below pi.
    pub fn central(view: View, target: Vec3, height: f64, opening: f64) -> Camera {
        let parallel = Camera::parallel(view, target, height);
        Camera { distance: Some(0.5 * parallel.height / (0.5 * opening).tan()), ..parallel }
    }

    /// The same, moved and sized so that these boxes fill a picture `aspect` times as wide as high, with a border.
    #[must_use]
    pub fn fitted(&self, boxes: &[Aabb], aspect: f64) -> Camera {
        let mut seen = Aabb::of_points(&[]);
        for corner in boxes.iter().filter(|b| !b.is_empty()).flat_map(|b| b.corners()) {
            seen = seen.grown(self.camera_from_world * corner);
        }
        if seen.is_empty() {
            return *self;
        }
        let size = seen.size();
        let height = (size.y.max(size.x / aspect) * 1.12).max(f64::MIN_POSITIVE);
        let target = self.camera_from_world.transpose() * seen.center();
        let distance = self.distance.map(|d| d * height / self.height);
        let mut camera = Camera { target, height, distance, ..*self };
        if let Some(distance) = &mut camera.distance {
            // What is in front of the target looks larger: its nearest plane has to fit.
            *distance += 0.5 * size.z;
            camera.height *= *distance / (*distance - 0.5 * size.z);
        }
        camera
    }

    /// Unit vector away from the eye, in the frame of the world.
    pub fn away(&self) -> Vec3 {
        self.camera_from_world.row(2)
    }

    /// Unit vectors to the right and up, in the frame of the world.
    pub fn right_and_up(&self) -> [Vec3; 2] {
        [self.camera_from_world.row(0), self.camera_from_world.row(1)]
    }

    /// How many metres the height of the picture shows, at the target.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Its place for a picture of this many samples.
    pub(crate) fn lens(&self, width: usize, height: usize) -> Lens {
        let scale = height as f64 / self.height;
        Lens {
            camera_from_world: self.camera_from_world,
            target: self.target,
            middle: [0.5 * width as f64, 0.5 * height as f64],
            scale,
            distance: self.distance,
        }
    }
}

/// A camera with a picture of a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub(crate) camera_from_world: Mat3,
    pub(crate) target: Vec3,
    middle: [f64; 2],
    /// Samples per metre at the target.
    pub(crate) scale: f64,
    pub(crate) distance: Option<f64>,
}

impl Lens {
    /// Column and row in samples, and a depth that is linear on the picture and grows away from the eye. `p` is relative to the target, in
    /// camera axes. `None` behind the eye.
    #[inline]
    pub(crate) fn project(&self, p: Vec3) -> Option<[f64; 3]> {
        let (scale, depth) = match self.distance {
            None => (self.scale, p.z),
            Some(distance) => {
                let away = distance + p.z;
                // A hundredth of the distance before the eye everything ends.
                if away < 0.01 * distance {
                    return None;
                }
                // 0 at the target, with the slope of z there.
                (self.scale * distance / away, distance - distance * distance / away)
            }
        };
        Some([self.middle[0] + scale * p.x, self.middle[1] - scale * p.y, depth])
    }

    /// The same for a point of the world.
    pub(crate) fn project_world(&self, point: Vec3) -> Option<[f64; 3]> {
        self.project(self.camera_from_world * (point - self.target))
    }

    /// The point of a horizontal plane under a sample; `None` if the ray does not go down to it.
    pub(crate) fn on_ground(&self, x: f64, y: f64, ground: f64) -> Option<Vec3> {
        let world_from_camera = self.camera_from_world.transpose();
        let p = Vec3::new((x - self.middle[0]) / self.scale, (self.middle[1] - y) / self.scale, 0.0);
        let through = self.target + world_from_camera * p;
        let direction = match self.distance {
            None => world_from_camera * Vec3::Z,
            Some(distance) => through - (self.target - world_from_camera * (distance * Vec3::Z)),
        };
        (direction.z < 0.0).then(|| through + direction * ((ground - through.z) / direction.z))
    }
}
