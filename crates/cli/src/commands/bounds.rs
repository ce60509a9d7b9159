//! `freiraum bounds`: the smallest volumes around a mesh, and the largest sphere inside its hull.

use super::mesh_file::Input;
use super::output::{Console, DIM, number, number_at_scale, point};
use super::progress::Progress;
use super::{Answer, Failure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use freiraum::geometry::enclose::{
    self, EnclosingCapsule, EnclosingCylinder, EnclosingSphere, InscribedSphere, KDop, KDopKind, OrientedBox,
    RectangleSweptSphere,
};
use freiraum::geometry::hull::{Hull, convex_hull};
use freiraum::geometry::tolerance::MIN_SIZE;
use freiraum::geometry::{Aabb, Mesh, Vec3};
use serde_json::{Value, json};

pub(super) const EXAMPLES: &str = "\
All volumes hold every vertex of the mesh. Only the smallest sphere is proven to be the smallest;
box and cylinder are found by a global search. The inscribed sphere is the largest one inside the
convex hull, not inside the mesh itself.
Lengths are told in the file's own unit; --units says which one that is.

Examples:
  freiraum bounds bracket.stl --units mm
  freiraum bounds bracket.stl --kdop 26 --json | jq .box";

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// How many planes the k-DOP has, an axis box with bevelled edges (18), corners (14) or both (26)
    #[arg(long, value_name = "K", default_value = "18", value_parser = kdop_parser())]
    kdop: KDopKind,
}

fn kdop_parser() -> impl TypedValueParser<Value = KDopKind> {
    PossibleValuesParser::new(["6", "14", "18", "26"]).try_map(|text| {
        let kind = KDopKind::ALL.into_iter().find(|k| k.planes().to_string() == text);
        kind.ok_or("no such k-DOP")
    })
}

/// Everything that `bounds` tells of one point set.
struct Bounds {
    axis_box: Aabb,
    sphere: EnclosingSphere,
    smallest_box: OrientedBox,
    cylinder: EnclosingCylinder,
    capsule: EnclosingCapsule,
    swept: RectangleSweptSphere,
    kdop: KDop,
    inscribed: Option<InscribedSphere>,
    hull_volume: f64,
}

impl Bounds {
    /// `None` only for no points.
    fn of(points: &[Vec3], kdop: KDopKind) -> Option<Bounds> {
        let hull_volume = match convex_hull(points) {
            Ok(Hull::Solid(hull)) => hull.mesh(points).mass_properties().map_or(0.0, |m| m.volume),
            _ => 0.0,
        };
        Some(Bounds {
            axis_box: Aabb::of_points(points),
            sphere: enclose::smallest_sphere(points)?,
            smallest_box: enclose::smallest_box(points)?,
            cylinder: enclose::smallest_cylinder(points)?,
            capsule: enclose::enclosing_capsule(points)?,
            swept: enclose::enclosing_swept_rectangle(points)?,
            kdop: KDop::of_points(kdop, points),
            inscribed: enclose::largest_sphere_in_hull(points),
            hull_volume,
        })
    }

    fn document(&self, file: String, format: &str, unit: &str) -> Value {
        let (size, obb, cylinder) = (self.axis_box.size(), &self.smallest_box, &self.cylinder);
        let directions: Vec<_> = self.kdop.slabs().map(|(d, _, _)| d.to_array()).collect();
        let (min, max): (Vec<f64>, Vec<f64>) = self.kdop.slabs().map(|(_, lo, hi)| (lo, hi)).unzip();
        json!({
            "file": file, "format": format, "units": unit, "hull_volume": self.hull_volume,
            "axis_box": {
                "min": self.axis_box.min.to_array(), "max": self.axis_box.max.to_array(), "size": size.to_array(),
                "volume": size.element_product(),
            },
            "sphere": {
                "center": self.sphere.center.to_array(), "radius": self.sphere.radius, "volume": self.sphere.volume(),
                "support": self.sphere.support.len(),
            },
            "box": {
                "center": obb.pose.translation().to_array(), "size": (2.0 * obb.half).to_array(),
                "axes": obb.pose.rotation_matrix().to_cols_array_2d(), "volume": obb.volume(),
            },
            "cylinder": {
                "center": cylinder.pose.translation().to_array(), "axis": cylinder.pose.rotate(Vec3::Z).to_array(),
                "radius": cylinder.radius, "height": cylinder.height, "volume": cylinder.volume(),
            },
            "capsule": {
                "ends": [self.capsule.a.to_array(), self.capsule.b.to_array()], "radius": self.capsule.radius,
                "volume": self.capsule.volume(),
            },
            "swept_rectangle": {
                "center": self.swept.pose.translation().to_array(),
                "axes": self.swept.pose.rotation_matrix().to_cols_array_2d(),
                "size": (2.0 * self.swept.half).to_array(), "radius": self.swept.radius, "volume": self.swept.volume(),
            },
            "inscribed_sphere": self.inscribed.as_ref().map(|s| json!({
                "center": s.center.to_array(), "radius": s.radius, "of": "convex_hull",
            })),
            "kdop": {
                "k": self.kdop.kind().planes(), "directions": directions, "min": min, "max": max,
            },
        })
    }

    fn print(&self, console: &mut Console, unit: &str) {
        let reach = self.axis_box.reach();
        let at = |p: Vec3| point(p.to_array(), reach);
        let length = |x: f64| number_at_scale(x, reach);
        let direction = |d: Vec3| point(d.to_array(), 1.0);
        let size = |v: Vec3| v.to_array().map(length).join(" x ");
        let mut volume_line = |label: &str, volume: f64, measures: String| {
            let times = volume / self.hull_volume;
            let ratio = if times.is_finite() { format!("{times:.3} x hull") } else { String::new() };
            let dimmed = console.styled(DIM, &format!("{ratio:<13}"));
            console.fact(label, format!("{:>11} {unit}³  {dimmed}  {measures}", number(volume)));
        };
        let s = &self.sphere;
        volume_line("convex hull", self.hull_volume, String::new());
        volume_line(
            "axis box",
            self.axis_box.size().element_product(),
            format!("{} from {}", size(self.axis_box.size()), at(self.axis_box.min)),
        );
        volume_line(
            "smallest sphere",
            s.volume(),
            format!("radius {} around {}", length(s.radius), at(s.center)),
        );
        let b = &self.smallest_box;
        volume_line(
            "smallest box",
            b.volume(),
            format!("{} around {}", size(2.0 * b.half), at(b.pose.translation())),
        );
        let c = &self.cylinder;
        volume_line(
            "smallest cylinder",
            c.volume(),
            format!(
                "radius {}, height {}, axis {} through {}",
                length(c.radius),
                length(c.height),
                direction(c.pose.rotate(Vec3::Z)),
                at(c.pose.translation())
            ),
        );
        let [from, to] = [self.capsule.a, self.capsule.b].map(at);
        volume_line(
            "capsule",
            self.capsule.volume(),
            format!("radius {} from {from} to {to}", length(self.capsule.radius)),
        );
        let swept = 2.0 * self.swept.half;
        volume_line(
            "swept rectangle",
            self.swept.volume(),
            format!("{} x {}, radius {}", length(swept.x), length(swept.y), length(self.swept.radius)),
        );
        match &self.inscribed {
            Some(s) if s.radius > 0.0 => console.fact(
                "inscribed sphere",
                format!("radius {} around {}, the largest inside the hull", length(s.radius), at(s.center)),
            ),
            _ => console.fact("inscribed sphere", "none: the hull is flat"),
        }
        console.fact(&format!("{}-DOP", self.kdop.kind().planes()), "");
        for (d, lo, hi) in self.kdop.slabs() {
            console.fact("", format!("along {:<12}  {} to {}", direction(d), length(lo), length(hi)));
        }
    }
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let progress = Progress::new("reading");
    let (mesh, format) = arguments.input.read()?;
    progress.now("enclosing");
    let size = mesh.aabb().size().max_element();
    if size > 0.0 && size < MIN_SIZE {
        let message = format!(
            "{}: the whole part is {size:e} across; expected at least {MIN_SIZE:e}; are the numbers right?",
            arguments.input.file.display()
        );
        return Err(Failure::new("too_small", message));
    }
    let bounds = Bounds::of(&used_vertices(&mesh), arguments.kdop)
        .ok_or_else(|| Failure::new("internal", "a mesh without vertices"))?;
    drop(progress);
    let (file, unit) = (arguments.input.file.display().to_string(), arguments.input.unit().symbol());
    if console.json() {
        console.document(&bounds.document(file, format.name(), unit));
    } else {
        console.heading(&format!("{file}  ({})", arguments.input.unit_in_words(format)));
        bounds.print(console, unit);
    }
    Ok(Answer::Good)
}

/// The vertices that belong to a face; a stray point in the file must not enlarge the part.
fn used_vertices(mesh: &Mesh) -> Vec<Vec3> {
    let mut is_used = vec![false; mesh.vertices().len()];
    mesh.faces().iter().flatten().for_each(|&v| is_used[v as usize] = true);
    mesh.vertices().iter().zip(is_used).filter(|(_, used)| *used).map(|(p, _)| *p).collect()
}
