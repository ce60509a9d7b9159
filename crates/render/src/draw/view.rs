//! Where the eye is, and what a point becomes on the picture plane.
//!
//! Everything is done in one frame, the **picture space**: x to the right, y up, z towards the eye, the centre of the scene at the
//! origin. For a central projection the frame is distorted by the projective map (x, y, z) R/(R−z), which keeps lines straight and planes flat
//! and makes the rays through the eye parallel to z: whoever works in picture space sees a parallel projection and nothing else.

use freiraum_geometry::{Pose, Vec2, Vec3};
use std::f64::consts::FRAC_PI_2;
use std::str::FromStr;

/// Direction to the eye in polar angles, and the kind of projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle from the z axis, 0 to pi: 0 looks down from above.
    pub theta: f64,
    /// Angle in the xy plane from the x axis.
    pub phi: f64,
    /// How points get onto the picture plane.
    pub projection: Projection,
}

/// How points get onto the picture plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Along parallel rays.
    Parallel,
    /// Along rays through the eye, which is this far from the centre of the scene, in metres; `None`: three times the radius of
    /// the scene. What is behind the eye or close before it is cut off.
    Central(Option<f64>),
}

impl View {
    /// A parallel view from the direction with these polar angles.
    pub fn from_angles(theta: f64, phi: f64) -> View {
        View { theta, phi, projection: Projection::Parallel }
    }

    /// Axes in the ratio 1 : 1 : 1, from the front right above (45° and 54.7356°).
    pub fn isometric() -> View {
        View::axonometric(1.0, -FRAC_PI_2)
    }

    /// Width and height in full, depth (y) halved: x : z : y = 1 : 1 : ½ (20.7048° and 70.5288°), from the front right above.
    pub fn dimetric() -> View {
        View::axonometric(0.5, -FRAC_PI_2)
    }

    /// From above, x to the right and y up.
    pub fn top() -> View {
        View::from_angles(0.0, -FRAC_PI_2)
    }

    /// Along y, x to the right and z up.
    pub fn front() -> View {
        View::from_angles(FRAC_PI_2, -FRAC_PI_2)
    }

    /// From the right: against x, y to the right and z up.
    pub fn side() -> View {
        View::from_angles(FRAC_PI_2, 0.0)
    }

    /// One axis shortened to the share `a` of the other two; the eye is turned away from `front` to the right.
    fn axonometric(a: f64, front: f64) -> View {
        let phi = front + (a / 2f64.sqrt()).asin();
        View::from_angles((2.0 / (2.0 + a * a)).sqrt().asin(), phi)
    }

    /// True if lengths across the view are drawn in full, whatever their direction in a plane of two axes: from above, from the front, and so on, by
    /// parallel rays.
    pub fn is_straight(&self) -> bool {
        let is_quarter = |angle: f64| {
            let turns = angle / FRAC_PI_2;
            (turns - turns.round()).abs() <= 8.0 * f64::EPSILON * turns.abs().max(1.0)
        };
        let is_from_a_pole = (self.theta / FRAC_PI_2).round() != 1.0;
        self.projection == Projection::Parallel
            && is_quarter(self.theta)
            && (is_from_a_pole || is_quarter(self.phi))
    }

    /// What draughtsmen call it.
    pub fn name(&self) -> &'static str {
        let parallel = self.with(Projection::Parallel);
        match self.projection {
            Projection::Central(_) => "central projection",
            Projection::Parallel if parallel == View::isometric() => "isometric",
            Projection::Parallel if parallel == View::dimetric() => "dimetric",
            Projection::Parallel => "parallel projection",
        }
    }

    /// The same from a near eye.
    #[must_use]
    pub fn with(self, projection: Projection) -> View {
        View { projection, ..self }
    }
}

/// The text names no view.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "no view {0:?}: iso, dimetric, top, front, side, or two angles in degrees \"theta,phi\" (theta from the z axis, 0 to 180; phi from the x axis)"
)]
pub struct UnknownView(String);

impl FromStr for View {
    type Err = UnknownView;

    fn from_str(text: &str) -> Result<View, UnknownView> {
        let angles = || {
            let (theta, phi) = text.split_once(',')?;
            let [theta, phi] = [theta, phi].map(|x| x.trim().parse::<f64>().ok().filter(|x| x.is_finite()));
            let theta = theta.filter(|theta| (0.0..=180.0).contains(theta))?;
            Some(View::from_angles(theta.to_radians(), phi?.to_radians()))
        };
        match text {
            "iso" | "isometric" => Ok(View::isometric()),
            "dimetric" => Ok(View::dimetric()),
            "top" => Ok(View::top()),
            "front" => Ok(View::front()),
            "side" => Ok(View::side()),
            _ => angles().ok_or_else(|| UnknownView(text.to_owned())),
        }
    }
}

/// The eye does not come closer to what is drawn than this share of its distance.
const NEAR: f64 = 0.02;
/// Distance of the eye unless told otherwise, in radii of the scene.
const EYE_DISTANCE: f64 = 3.0;

/// A view onto a scene: from the world into picture space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    right: Vec3,
    up: Vec3,
    to_eye: Vec3,
    center: Vec3,
    /// Of the eye from the centre; `None` for a parallel projection.
    distance: Option<f64>,
}

/// n·x = offset, in picture space; the front is where n·x is larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) normal: Vec3,
    pub(crate) offset: f64,
}

impl Plane {
    /// Positive in front.
    pub(crate) fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// The same plane with the other side in front.
    pub(crate) fn flipped(&self) -> Plane {
        Plane { normal: -self.normal, offset: -self.offset }
    }
}

impl Camera {
    /// Onto a scene with this centre and radius.
    pub(crate) fn new(view: &View, center: Vec3, radius: f64) -> Camera {
        let (sin_t, cos_t) = view.theta.sin_cos();
        let (sin_p, cos_p) = view.phi.sin_cos();
        Camera {
            right: Vec3::new(-sin_p, cos_p, 0.0),
            up: Vec3::new(-cos_t * cos_p, -cos_t * sin_p, sin_t),
            to_eye: Vec3::new(sin_t * cos_p, sin_t * sin_p, cos_t),
            center,
            distance: match view.projection {
                Projection::Parallel => None,
                Projection::Central(distance) => Some(distance.unwrap_or(EYE_DISTANCE * radius)),
            },
        }
    }

    /// The ray of sight through a point of the picture plane, from `far` metres before it or from the eye.
    #[cfg(test)]
    pub(crate) fn ray(&self, p: Vec2, far: f64) -> (Vec3, Vec3) {
        let on_plane = self.center + p.x * self.right + p.y * self.up;
        match self.distance {
            None => (on_plane + far * self.to_eye, -self.to_eye),
            Some(r) => {
                let eye = self.center + r * self.to_eye;
                (eye, on_plane - eye)
            }
        }
    }

    /// The direction to the eye from a point of the world; not of unit length.
    pub(crate) fn direction_to_eye(&self, p: Vec3) -> Vec3 {
        self.distance.map_or(self.to_eye, |r| self.center + r * self.to_eye - p)
    }

    /// A direction of the world in the frame of the eye, before the projective map.
    pub(crate) fn turned(&self, direction: Vec3) -> Vec3 {
        Vec3::new(direction.dot(self.right), direction.dot(self.up), direction.dot(self.to_eye))
    }

    /// The map of picture space for points before the eye.
    fn map(&self, seen: Vec3) -> Vec3 {
        self.distance.map_or(seen, |r| seen * (r / (r - seen.z)))
    }

    /// The largest z before the map that is drawn.
    fn near(&self) -> f64 {
        self.distance.map_or(f64::INFINITY, |r| r * (1.0 - NEAR))
    }

    /// A point of the world in picture space; `None` behind the eye or close before it.
    pub(crate) fn picture(&self, p: Vec3) -> Option<Vec3> {
        let seen = self.turned(p - self.center);
        (seen.z <= self.near()).then(|| self.map(seen))
    }

    /// A point on the picture plane, in metres of the scene.
    pub(crate) fn project(&self, p: Vec3) -> Option<Vec2> {
        self.picture(p).map(Vec3::truncate)
    }

    /// A convex polygon of the world in picture space, cut off before the eye; its corners go to `out`, none if nothing is left.
    pub(crate) fn polygon(&self, corners: impl Iterator<Item = Vec3> + Clone, out: &mut Vec<Vec3>) {
        let near = self.near();
        let seen = corners.map(|p| self.turned(p - self.center));
        let next = seen.clone().skip(1).chain(seen.clone().take(1));
        for (a, b) in seen.zip(next) {
            if a.z <= near {
                out.push(self.map(a));
            }
            if (a.z <= near) != (b.z <= near) {
                let t = (near - a.z) / (b.z - a.z);
                out.push(self.map(Vec3::new(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), near)));
            }
        }
    }

    /// A segment of the world in picture space, cut off before the eye.
    pub(crate) fn segment(&self, ends: [Vec3; 2]) -> Option<[Vec3; 2]> {
        let near = self.near();
        let [a, b] = ends.map(|p| self.turned(p - self.center));
        let cut = |inside: Vec3, outside: Vec3| {
            if outside.z <= near {
                return outside;
            }
            let t = (near - inside.z) / (outside.z - inside.z);
            (inside + t * (outside - inside)).with_z(near)
        };
        (a.z.min(b.z) <= near).then(|| {
            let (a, b) = if a.z <= near { (a, cut(a, b)) } else { (cut(b, a), b) };
            [self.map(a), self.map(b)]
        })
    }

    /// The plane normal·x = offset of a body at `world_from_body` in picture space; the front stays the front. `None` if the eye lies
    /// in it, as nearly as it can be computed.
    pub(crate) fn plane(&self, normal: Vec3, offset: f64, world_from_body: &Pose) -> Option<Plane> {
        let in_world = world_from_body.rotate(normal);
        let offset = offset + in_world.dot(world_from_body.translation() - self.center);
        let n = self.turned(in_world);
        let Some(r) = self.distance else { return Some(Plane { normal: n, offset }) };
        // With x = R x″/(R + z″), n·x = offset becomes (R n − offset e₃)·x″ = R offset. The eye is in front where n·eye > offset.
        let normal = n - Vec3::new(0.0, 0.0, offset / r);
        let length = normal.length();
        (length > 0.0).then(|| Plane { normal: normal / length, offset: offset / length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths on paper of the unit vectors.
    fn axes(view: View) -> [f64; 3] {
        let camera = Camera::new(&view, Vec3::ZERO, 1.0);
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| camera.project(axis).unwrap().length())
    }

    #[test]
    fn presets_shorten_the_axes_as_the_standard_says() {
        let [x, y, z] = axes(View::isometric());
        assert!((x - y).abs() < 1e-15 && (x - z).abs() < 1e-15, "{x} {y} {z}");
        let [x, y, z] = axes(View::dimetric());
        assert!((x - z).abs() < 1e-15 && (y / x - 0.5).abs() < 1e-15, "{x} {y} {z}");
        let degrees = |view: View| [view.theta.to_degrees(), view.phi.to_degrees()];
        assert!((degrees(View::isometric())[0] - 54.7356).abs() < 1e-4);
        assert!((degrees(View::dimetric())[0] - 70.5288).abs() < 1e-4);
        assert!((degrees(View::dimetric())[1] + 90.0 - 20.7048).abs() < 1e-4);
    }

    #[test]
    fn straight_views_put_the_axes_where_drafters_expect_them() {
        let seen = |view: View, axis: Vec3| {
            let p = Camera::new(&view, Vec3::ZERO, 1.0).project(axis).unwrap();
            [p.x.round() as i32, p.y.round() as i32]
        };
        assert_eq!([seen(View::top(), Vec3::X), seen(View::top(), Vec3::Y)], [[1, 0], [0, 1]]);
        assert_eq!([seen(View::front(), Vec3::X), seen(View::front(), Vec3::Z)], [[1, 0], [0, 1]]);
        assert_eq!([seen(View::side(), Vec3::Y), seen(View::side(), Vec3::Z)], [[1, 0], [0, 1]]);
    }

    #[test]
    fn central_projection_by_similar_triangles_and_nothing_from_behind_the_eye() {
        let view = View::front().with(Projection::Central(Some(4.0)));
        let camera = Camera::new(&view, Vec3::ZERO, 1.0);
        // Two metres before the picture plane, two from the eye: twice as large.
        let p = camera.project(Vec3::new(0.5, -2.0, 0.25)).unwrap();
        assert!((p - Vec2::new(1.0, 0.5)).length() < 1e-14, "{p}");
        assert_eq!(camera.project(Vec3::new(0.5, -4.5, 0.25)), None);
        let mut polygon = Vec::new();
        let corners = [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, -9.0, 0.5)];
        camera.polygon(corners.into_iter(), &mut polygon);
        assert_eq!(polygon.len(), 4);
        assert!(polygon.iter().all(|p| p.is_finite() && p.y >= -1e-12), "{polygon:?}");
        let [a, b] = camera.segment([corners[2], corners[0]]).unwrap();
        assert!(a.is_finite() && (b - camera.picture(corners[0]).unwrap()).length() < 1e-15);
        assert_eq!(camera.segment([corners[2], corners[2]]), None);
    }

    #[test]
    fn planes_and_points_go_the_same_way() {
        let view = View::from_angles(1.0, 0.3).with(Projection::Central(Some(5.0)));
        let camera = Camera::new(&view, Vec3::new(0.1, 0.2, 0.3), 1.0);
        let pose = Pose::from_zyx_euler(0.3, 0.4, 0.5, Vec3::new(0.2, -0.1, 0.7)).unwrap();
        let normal = Vec3::new(2.0, -1.0, 0.5).try_normalize().unwrap();
        let plane = camera.plane(normal, 0.4, &pose).unwrap();
        let across = normal.any_orthonormal_vector();
        for k in 0..9 {
            let p = 0.4 * normal + 0.3 * f64::from(k) * across;
            let on = camera.picture(pose.transform_point(p)).unwrap();
            let above = camera.picture(pose.transform_point(p + 0.1 * normal)).unwrap();
            assert!(plane.height(on).abs() < 1e-12 && plane.height(above) > 0.0);
        }
    }

    #[test]
    fn views_from_text() {
        assert_eq!("iso".parse(), Ok(View::isometric()));
        assert_eq!("90, -90".parse(), Ok(View::front()));
        for text in ["", "isso", "90", "-1,0", "181,0", "nan,0", "1,inf", "1,2,3"] {
            assert!(text.parse::<View>().is_err(), "{text}");
        }
    }
}
