//! The distance of two shapes of any kinds by slow means, exact to a billionth: spheres and capsules are points and
//! segments, everything else is triangles but for cylinders and cones, whose closed-form distance from a point is a convex function that
//! is searched for its least value.

use super::{contains, triangle_distance};
use freiraum_geometry::shape::{Cone, Cylinder, Shape};
use freiraum_geometry::{Pose, Vec3};

/// A convex piece of a shape in the frame of a.
enum Piece {
    /// A triangle, perhaps flat, grown by a radius.
    Triangle([Vec3; 3], f64),
    Cylinder(Cylinder, Pose),
    Cone(Cone, Pose),
}

/// The distance; 0 where the shapes have a point in common. No half space may be among them but one of the two themselves.
pub fn exact_distance(a: &Shape, b: &Shape, a_from_b: &Pose) -> f64 {
    let half_space = |plane: &freiraum_geometry::shape::HalfSpace, other: &Shape, plane_from_other: &Pose| {
        let mut list = Vec::new();
        pieces(other, plane_from_other, &mut list);
        let heights = list.iter().map(|p| p.lowest(plane.normal()) - plane.offset());
        heights.fold(f64::INFINITY, f64::min).max(0.0)
    };
    match (a, b) {
        (Shape::HalfSpace(plane), _) => return half_space(plane, b, a_from_b),
        (_, Shape::HalfSpace(plane)) => return half_space(plane, a, &a_from_b.inverse()),
        _ => {}
    }
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    pieces(a, &Pose::IDENTITY, &mut of_a);
    pieces(b, a_from_b, &mut of_b);
    // Clear of each other's surface, one may still be inside the other.
    let b_from_a = a_from_b.inverse();
    if of_a.iter().any(|p| contains(b, b_from_a.transform_point(p.point())))
        || of_b.iter().any(|p| contains(a, p.point()))
    {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for p in &of_a {
        for q in &of_b {
            best = best.min(p.distance(q, best));
        }
    }
    best
}

fn pieces(shape: &Shape, a_from_shape: &Pose, list: &mut Vec<Piece>) {
    let at = |x: f64, y: f64, z: f64| a_from_shape.transform_point(Vec3::new(x, y, z));
    match shape {
        Shape::Sphere(s) => list.push(Piece::Triangle([at(0.0, 0.0, 0.0); 3], s.radius())),
        Shape::Capsule(s) => {
            let half = 0.5 * s.height();
            let ends = [at(0.0, 0.0, -half), at(0.0, 0.0, half)];
            list.push(Piece::Triangle([ends[0], ends[1], ends[1]], s.radius()));
        }
        Shape::Cylinder(s) => list.push(Piece::Cylinder(*s, *a_from_shape)),
        Shape::Cone(s) => list.push(Piece::Cone(*s, *a_from_shape)),
        Shape::Compound(s) => {
            s.parts().iter().for_each(|p| pieces(&p.shape, &(*a_from_shape * p.compound_from_part), list));
        }
        other => {
            let mesh = other.tessellate(1.0).unwrap();
            let placed = mesh.triangles().map(|t| t.map(|p| a_from_shape.transform_point(p)));
            list.extend(placed.map(|t| Piece::Triangle(t, 0.0)));
        }
    }
}

/// The least value of a convex function on an interval.
fn least(low: f64, high: f64, f: &mut dyn FnMut(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (low, high);
    let (mut p, mut q) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut fp, mut fq) = (f(p), f(q));
    let mut best = f(low).min(f(high)).min(fp).min(fq);
    for _ in 0..48 {
        if fp <= fq {
            (high, q, fq) = (q, p, fp);
            p = high - GOLDEN * (high - low);
            fp = f(p);
        } else {
            (low, p, fp) = (p, q, fq);
            q = low + GOLDEN * (high - low);
            fq = f(q);
        }
        best = best.min(fp).min(fq);
    }
    best
}

impl Piece {
    /// A point of the piece, well inside if it is solid.
    fn point(&self) -> Vec3 {
        match self {
            Piece::Triangle(t, _) => t[0],
            Piece::Cylinder(_, pose) | Piece::Cone(_, pose) => pose.translation(),
        }
    }

    fn middle(&self) -> Vec3 {
        match self {
            Piece::Triangle(t, _) => (t[0] + t[1] + t[2]) / 3.0,
            Piece::Cylinder(_, pose) | Piece::Cone(_, pose) => pose.translation(),
        }
    }

    /// No point of the piece is farther from its middle.
    fn reach(&self) -> f64 {
        match self {
            Piece::Triangle(t, radius) => {
                radius + t.iter().map(|p| p.distance(self.middle())).fold(0.0, f64::max)
            }
            Piece::Cylinder(s, _) => s.radius().hypot(0.5 * s.height()),
            Piece::Cone(s, _) => s.radius().hypot(0.5 * s.height()),
        }
    }

    /// The least product of its points with a unit vector.
    fn lowest(&self, up: Vec3) -> f64 {
        let round = |pose: &Pose, ends: [(f64, f64); 2]| {
            let axis = pose.rotate(Vec3::Z);
            let across = (1.0 - axis.dot(up).powi(2)).max(0.0).sqrt();
            let of_end = |(z, r): (f64, f64)| (pose.translation() + z * axis).dot(up) - r * across;
            of_end(ends[0]).min(of_end(ends[1]))
        };
        match self {
            Piece::Triangle(t, r) => t.iter().map(|p| p.dot(up)).fold(f64::INFINITY, f64::min) - r,
            Piece::Cylinder(s, pose) => {
                round(pose, [(0.5 * s.height(), s.radius()), (-0.5 * s.height(), s.radius())])
            }
            Piece::Cone(s, pose) => round(pose, [(0.5 * s.height(), 0.0), (-0.5 * s.height(), s.radius())]),
        }
    }

    /// The distance of a point from a round piece; 0 inside.
    fn to_point(&self, p: Vec3) -> f64 {
        match self {
            Piece::Triangle(..) => unreachable!("only round pieces are asked"),
            Piece::Cylinder(s, pose) => {
                let q = pose.inverse().transform_point(p);
                let (out, up) = (q.x.hypot(q.y) - s.radius(), q.z.abs() - 0.5 * s.height());
                out.max(0.0).hypot(up.max(0.0))
            }
            Piece::Cone(s, pose) => {
                let q = pose.inverse().transform_point(p);
                let (x, z, half) = (q.x.hypot(q.y), q.z, 0.5 * s.height());
                // The profile is a triangle: base from the axis to the rim, side from the rim to the tip.
                let to_segment = |(ax, az): (f64, f64), (bx, bz): (f64, f64)| {
                    let (dx, dz) = (bx - ax, bz - az);
                    let t = (((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
                    (ax + t * dx - x).hypot(az + t * dz - z)
                };
                let is_below_side = (half - z) * s.radius() >= x * s.height();
                if z >= -half && is_below_side {
                    return 0.0;
                }
                let (rim, tip) = ((s.radius(), -half), (0.0, half));
                to_segment((0.0, -half), rim).min(to_segment(rim, tip))
            }
        }
    }

    /// The distance, or something above `enough`.
    fn distance(&self, other: &Piece, enough: f64) -> f64 {
        if self.middle().distance(other.middle()) - self.reach() - other.reach() > enough {
            return f64::INFINITY;
        }
        match (self, other) {
            (Piece::Triangle(s, r), Piece::Triangle(t, q)) => {
                (triangle_distance(s, t, f64::INFINITY) - r - q).max(0.0)
            }
            (Piece::Triangle(t, r), round) | (round, Piece::Triangle(t, r)) => {
                (round.to_triangle(t) - r).max(0.0)
            }
            (round, Piece::Cylinder(s, pose)) => round.to_stack(pose, 0.5 * s.height(), &|_| s.radius()),
            (round, Piece::Cone(s, pose)) => {
                let half = 0.5 * s.height();
                round.to_stack(pose, half, &|z| s.radius() * (half - z) / (2.0 * half))
            }
        }
    }

    fn to_triangle(&self, t: &[Vec3; 3]) -> f64 {
        least(0.0, 1.0, &mut |u| {
            let (p, q) = (t[0].lerp(t[1], u), t[0].lerp(t[2], u));
            least(0.0, 1.0, &mut |v| self.to_point(p.lerp(q, v)))
        })
    }

    /// From a stack of discs about z, of radius `radius(z)`.
    fn to_stack(&self, pose: &Pose, half: f64, radius: &dyn Fn(f64) -> f64) -> f64 {
        least(-half, half, &mut |z| {
            let r = radius(z).max(0.0);
            least(-r, r, &mut |x| {
                let side = (r * r - x * x).max(0.0).sqrt();
                least(-side, side, &mut |y| self.to_point(pose.transform_point(Vec3::new(x, y, z))))
            })
        })
    }
}
