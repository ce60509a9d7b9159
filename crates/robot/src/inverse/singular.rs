//! Which singularities an arm is at, and on which sides of them.

use super::answer::{Configuration, Method, Singularity};
use super::arm::Axis;
use super::form::Form;
use freiraum_geometry::tolerance::{SINGULAR_SINE, UNDETERMINED};
use freiraum_geometry::{Pose, Vec3};

/// What can be said of joint values in the order and units of a form.
pub(super) struct Sides {
    pub(super) singular: Vec<Singularity>,
    pub(super) configuration: Configuration,
}

/// The axes where the joints have put them, and where the last motion puts the centre of the wrist.
pub(super) fn placed(form: &Form, values: &[f64; 6]) -> (Vec<Axis>, Vec3) {
    let mut at = Pose::IDENTITY;
    let mut axes = Vec::with_capacity(form.axes.len());
    for (number, axis) in form.axes.iter().enumerate() {
        axes.push(Axis { direction: at.rotate(axis.direction), point: at.transform_point(axis.point) });
        let motion = if form.method == Method::Scara && number == form.slide {
            Pose::from_translation(values[number] * axis.direction)
        } else {
            axis.turn(values[number])
        };
        at = at * motion;
    }
    (axes, at.transform_point(form.centre))
}

pub(super) fn sides(form: &Form, values: &[f64; 6]) -> Sides {
    let (axes, centre) = placed(form, values);
    let sine = |sides: f64, of: f64| if of > UNDETERMINED { sides / of } else { 0.0 };
    let moved = |axis: &Axis| axis.direction.cross(centre - axis.point);
    // Signed sines of shoulder, elbow and wrist.
    let [shoulder, elbow, wrist] = match form.method {
        Method::SphericalWrist | Method::SphericalShoulder => {
            let by = [0, 1, 2].map(|k| moved(&axes[k]));
            let normal = by[1].cross(by[2]);
            let side = if normal.dot(axes[1].direction) < 0.0 { -1.0 } else { 1.0 };
            let wrist = axes[3].direction.cross(axes[5].direction);
            let elbow = side * sine(normal.length(), by[1].length() * by[2].length());
            // A stretched arm moves the wrist centre along a line: the first axis helps unless it does not move it at all.
            let is_stretched = elbow.abs() < SINGULAR_SINE;
            let normal = if is_stretched { by[0] } else { side * normal };
            [sine(by[0].dot(normal), by[0].length() * normal.length()), elbow, wrist.dot(axes[4].direction)]
        }
        Method::ThreeParallel | Method::ThreeParallelReversed => {
            let by_first = moved(&axes[0]);
            let wrist = axes[1].direction.cross(axes[5].direction);
            [
                sine(by_first.dot(axes[1].direction), by_first.length()),
                bend(&axes[1], &axes[2], &axes[3]),
                wrist.dot(axes[4].direction),
            ]
        }
        Method::Scara | Method::Numeric => {
            let turning: Vec<&Axis> = (0..4).filter(|k| *k != form.slide).map(|k| &axes[k]).collect();
            [1.0, bend(turning[0], turning[1], turning[2]), 1.0]
        }
    };
    let named = [(Singularity::Shoulder, shoulder), (Singularity::Elbow, elbow), (Singularity::Wrist, wrist)];
    let at = named.iter().filter(|(_, sine)| sine.abs() < SINGULAR_SINE).map(|(kind, _)| *kind);
    Sides {
        singular: at.collect(),
        configuration: Configuration { shoulder: shoulder >= 0.0, elbow: elbow >= 0.0, wrist: wrist >= 0.0 },
    }
}

/// The sine of the angle at the middle one of three parallel axes.
fn bend(a: &Axis, b: &Axis, c: &Axis) -> f64 {
    let plane = |v: Vec3| v - a.direction * a.direction.dot(v);
    let (upper, fore) = (plane(b.point - a.point), plane(c.point - b.point));
    let of = upper.length() * fore.length();
    if of > UNDETERMINED * UNDETERMINED { a.direction.dot(upper.cross(fore)) / of } else { 0.0 }
}
