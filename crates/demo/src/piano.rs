//! A grand piano that has to get from the music room to the hall, on its three legs and without being turned.
//!
//! It goes round the sofa, between sofa and table, over the stool (its legs to the left and right of it), through the door with a hand's
//! breadth on both sides together, and round the wardrobe.

use freiraum_geometry::{Mesh, Pose, Shape, Unit, Vec2, Vec3};
use freiraum_scene::{Body, Color, Geometry, Group, Move, Place, PlannerChoice, Scene, Step, Travel};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The piano in its room; the one step of the plan is for the planner in the plane.
pub fn piano() -> Scene {
    let mut scene = Scene { units: Unit::Metre, ..Scene::default() };
    add_rooms(&mut scene);
    add_furniture(&mut scene);
    let start = Pose::from_translation(Vec3::new(0.6, 3.3, 0.0));
    let goal = Pose::from_translation(Vec3::new(10.0, 0.6, 0.0));
    let members = add_piano(&mut scene, start, goal);
    scene.groups.push(Group { name: "piano".into(), members: members.clone(), place: Place::default() });
    let to = scene.bodies[members[0]].goal.expect("all parts of the piano have one");
    let travel = Travel::Plan { to, planner: Some(PlannerChoice::Plane) };
    let shift = Move { subject: "piano".into(), bodies: members, travel, place: Place::default() };
    scene.steps.push(Step {
        name: "move the piano to the hall".into(),
        moves: vec![shift],
        tasks: Vec::new(),
        seconds: 12.0,
        place: Place::default(),
    });
    scene
}

const WALL: Color = Color([226, 221, 211]);
const PARQUET: Color = Color([181, 137, 92]);
const LACQUER: Color = Color([28, 27, 30]);
const BRASS: Color = Color([196, 160, 84]);
const IVORY: Color = Color([240, 234, 214]);
const VELVET: Color = Color([122, 41, 52]);
const WALNUT: Color = Color([102, 68, 44]);
const LEAF: Color = Color([74, 112, 66]);

fn add_rooms(scene: &mut Scene) {
    let mut wall = |name: &str, min: [f64; 3], max: [f64; 3], color: Color| {
        scene.bodies.push(fixed(name, brick(min, max), Vec3::ZERO, color));
    };
    wall("floor", [-0.2, -0.2, -0.1], [12.2, 5.2, 0.0], PARQUET);
    wall("south wall", [-0.2, -0.2, 0.0], [12.2, 0.0, 2.6], WALL);
    wall("north wall", [-0.2, 5.0, 0.0], [12.2, 5.2, 2.6], WALL);
    wall("west wall", [-0.2, 0.0, 0.0], [0.0, 5.0, 2.6], WALL);
    wall("east wall", [12.0, 0.0, 0.0], [12.2, 5.0, 2.6], WALL);
    wall("wall south of the door", [6.0, 0.0, 0.0], [6.2, 1.0, 2.6], WALL);
    wall("wall north of the door", [6.0, 2.7, 0.0], [6.2, 5.0, 2.6], WALL);
    wall("lintel", [6.0, 1.0, 2.1], [6.2, 2.7, 2.6], WALL);
}

fn add_furniture(scene: &mut Scene) {
    // Depth and height of a sofa seen from its end: the seat, then the back, which leans.
    let sofa = [[0.0, 0.36], [0.06, 0.42], [0.56, 0.4], [0.62, 0.44], [0.7, 0.82], [0.86, 0.8], [0.9, 0.1]];
    let sofa = upright(&ridge(&sofa, 1.9));
    let table =
        [[0.28, 0.0], [0.28, 0.03], [0.05, 0.08], [0.05, 0.66], [0.12, 0.7], [0.5, 0.71], [0.5, 0.74]];
    let stool =
        [[0.16, 0.0], [0.15, 0.02], [0.05, 0.05], [0.05, 0.38], [0.16, 0.41], [0.16, 0.46], [0.12, 0.48]];
    let lamp = [[0.15, 0.0], [0.15, 0.03], [0.015, 0.04], [0.015, 1.4], [0.2, 1.4], [0.12, 1.7]];
    let plant = [
        [0.13, 0.0],
        [0.18, 0.35],
        [0.04, 0.36],
        [0.04, 0.6],
        [0.25, 0.75],
        [0.34, 1.0],
        [0.25, 1.3],
        [0.05, 1.5],
    ];
    let mut put = |name: &str, mesh: Mesh, x: f64, y: f64, color: Color| {
        scene.bodies.push(fixed(name, mesh, Vec3::new(x, y, 0.0), color));
    };
    put("sofa", sofa, 2.9, 3.0, VELVET);
    put("table", lathe(&table, 32), 3.3, 0.7, WALNUT);
    put("stool", lathe(&stool, 20), 4.9, 2.25, VELVET);
    put("lamp", lathe(&lamp, 20), 5.6, 4.6, BRASS);
    put("shelf", brick([0.0; 3], [0.35, 2.0, 1.9]), 0.0, 0.3, WALNUT);
    put("wardrobe", brick([0.0; 3], [0.6, 2.2, 2.0]), 8.6, 0.0, WALNUT);
    put("plant", lathe(&plant, 20), 7.0, 4.5, LEAF);
}

/// The numbers of its bodies; the case leads.
fn add_piano(scene: &mut Scene, start: Pose, goal: Pose) -> Vec<usize> {
    let first = scene.bodies.len();
    let leg = [[0.035, 0.0], [0.07, 0.62]];
    let legs = [[0.12, 0.15], [0.12, 1.33], [1.55, 0.2]];
    let mut part = |name: &str, mesh: Mesh, at: Vec3, color: Color| {
        let [pose, goal] = [start, goal].map(|pose| pose * Pose::from_translation(at));
        scene.bodies.push(Body { goal: Some(goal), pose, is_fixed: false, ..fixed(name, mesh, at, color) });
    };
    // The keys run along x = 0, the long straight side along y = 0, the curved one opposite.
    let mut outline = vec![Vec2::new(0.0, 1.5)];
    outline.extend(curve([[0.5, 1.5], [1.05, 1.5], [0.95, 0.72], [1.4, 0.64]], 14));
    outline.extend(curve([[1.4, 0.64], [1.62, 0.6], [1.78, 0.55], [1.8, 0.3]], 8).skip(1));
    let outline: Vec<[f64; 2]> = outline.iter().map(|p| p.to_array()).collect();
    part("case", ridge(&outline, 0.36), Vec3::new(0.0, 0.0, 0.62), LACQUER);
    part("keys", brick([-0.22, 0.06, 0.64], [0.0, 1.44, 0.74]), Vec3::ZERO, IVORY);
    part("music desk", brick([0.1, 0.4, 0.98], [0.13, 1.1, 1.2]), Vec3::ZERO, LACQUER);
    part("lyre", brick([0.22, 0.67, 0.12], [0.3, 0.83, 0.62]), Vec3::ZERO, BRASS);
    for (name, [x, y]) in ["left leg", "right leg", "tail leg"].iter().zip(legs) {
        part(name, lathe(&leg, 16), Vec3::new(x, y, 0.0), LACQUER);
    }
    (first..scene.bodies.len()).collect()
}

fn fixed(name: &str, mesh: Mesh, at: Vec3, color: Color) -> Body {
    Body {
        name: name.into(),
        geometry: Geometry::Shape(Shape::Mesh(Arc::new(mesh))),
        is_fixed: true,
        color: Some(color),
        pose: Pose::from_translation(at),
        goal: None,
        place: Place::default(),
    }
}

/// Points on a cubic Bézier curve, its ends included.
fn curve(control: [[f64; 2]; 4], steps: usize) -> impl Iterator<Item = Vec2> {
    let [a, b, c, d] = control.map(Vec2::from);
    (0..=steps).map(move |k| {
        let t = k as f64 / steps as f64;
        let s = 1.0 - t;
        s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
    })
}

fn mesh(vertices: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, faces).expect("the numbers of the demo are fine")
}

/// A box from corner to corner.
fn brick(min: [f64; 3], max: [f64; 3]) -> Mesh {
    let [width, depth, height] = [0, 1, 2].map(|k| max[k] - min[k]);
    let (vertices, faces) = ridge(&[[0.0, depth], [width, depth]], height).into_parts();
    mesh(vertices.iter().map(|&p| p + Vec3::from(min)).collect(), faces)
}

/// What lies between the x axis and a line above it, x ascending, from z = 0 up to `height`.
fn ridge(line: &[[f64; 2]], height: f64) -> Mesh {
    // Four vertices for each place on the line: on the axis and on the line, below and above.
    let vertices = line
        .iter()
        .flat_map(|&[x, y]| [[x, 0.0, 0.0], [x, y, 0.0], [x, 0.0, height], [x, y, height]].map(Vec3::from));
    let mut faces = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
    let last = 4 * (line.len() as u32 - 1);
    for i in (0..last).step_by(4) {
        let [near, far] = [i, i + 4];
        quad([near, near + 1, far + 1, far]);
        quad([near + 2, far + 2, far + 3, near + 3]);
        quad([near, far, far + 2, near + 2]);
        quad([near + 1, near + 3, far + 3, far + 1]);
    }
    quad([0, 2, 3, 1]);
    quad([last, last + 1, last + 3, last + 2]);
    mesh(vertices.collect(), faces)
}

/// The same body with its second axis up and its third one along y.
fn upright(flat: &Mesh) -> Mesh {
    let faces = flat.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
    mesh(flat.vertices().iter().map(|p| Vec3::new(p.x, p.z, p.y)).collect(), faces)
}

/// A body of revolution about the z axis: radii and heights from bottom to top.
fn lathe(profile: &[[f64; 2]], segments: u32) -> Mesh {
    let mut vertices: Vec<Vec3> = Vec::new();
    for &[radius, z] in profile {
        vertices.extend((0..segments).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(segments)).sin_cos();
            Vec3::new(radius * cos, radius * sin, z)
        }));
    }
    let (bottom, top) = (vertices.len() as u32, vertices.len() as u32 + 1);
    let last = bottom - segments;
    vertices.extend([profile[0], profile[profile.len() - 1]].map(|[_, z]| Vec3::new(0.0, 0.0, z)));
    let mut faces = Vec::new();
    for k in 0..segments {
        let next = (k + 1) % segments;
        faces.extend([[bottom, next, k], [top, last + k, last + next]]);
        for ring in (0..last).step_by(segments as usize) {
            let (a, b) = (ring + k, ring + next);
            faces.extend([[a, b, b + segments], [a, b + segments, a + segments]]);
        }
    }
    mesh(vertices, faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::mesh::MeshReport;

    #[test]
    fn all_bodies_are_proper_solids() {
        for body in piano().bodies {
            let Geometry::Shape(Shape::Mesh(mesh)) = &body.geometry else { panic!("{}", body.name) };
            assert!(MeshReport::of(mesh).is_sound(), "{}: {:?}", body.name, MeshReport::of(mesh).defects());
            assert!(mesh.mass_properties().is_some_and(|mass| mass.volume > 0.0), "{}", body.name);
        }
    }
}
