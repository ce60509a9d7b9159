//! One kind of motion of two bodies: times side by side, and who is wrong how often.

use crate::inputs::{self, Input, Kind};
use freiraum_benches::peer::Peer;
use freiraum_benches::{Goal, Pass, Role, Runner, Table, is_quick, pass, runner};
use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_query::mesh_tree::MeshTree;
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d_f64::shape::TriMesh;
use std::sync::Arc;

const EXACT: Goal = Goal::faster("motion: translation and rotation", 10.0);
const GENERAL: Goal = Goal::faster("motion: screws", 3.0);
/// Where Coal's advancement stops, in metres.
const GAP: f64 = 1e-6;
/// Times that differ by more than this share of the true one are wrong.
const MISTIMED: f64 = 1e-3;

/// All runners of one pair of bodies.
struct Field<'w> {
    bodies: [Movable; 2],
    meshes: [TriMesh; 2],
    coal: Option<&'w Peer>,
}

/// Prints the table of one kind of motion; `with_all`: the slow peers and the grazing motions too.
pub(crate) fn compare(title: &str, kind: Kind, a: &Mesh, b: &Mesh, coal: Option<&Peer>, with_all: bool) {
    let trees = [a, b].map(|mesh| MeshTree::build(mesh.clone()));
    let count = if is_quick() { 24 } else { 80 };
    let inputs = inputs::random(kind, &trees[0], &trees[1], count, 5);
    let field = Field {
        bodies: [a, b].map(|mesh| Movable::new(Shape::Mesh(Arc::new(mesh.clone())))),
        meshes: [a, b].map(parry_mesh),
        coal,
    };
    if let Some(coal) = coal {
        let _ = coal.load(a, b);
    }
    let runners = field.runners(kind, &inputs, with_all);
    // Bodies of a few faces are shown, the goals are about meshes.
    let goal = if kind == Kind::Screw { GENERAL } else { EXACT };
    let goal = Some(goal).filter(|_| !field.is_small());
    let rounds = if is_quick() { 2 } else { 4 };
    Table { title, rounds, tolerance: MISTIMED, goal }.run(runners);
    print_wrong("random", kind, &field, &inputs, with_all);
    if with_all {
        let inputs = inputs::grazing(kind, &trees[0], &trees[1], count / 2, 6);
        print_wrong("grazing", kind, &field, &inputs, true);
    }
}

impl<'w> Field<'w> {
    fn runners<'r>(&'r self, kind: Kind, inputs: &'r [Input], with_all: bool) -> Vec<Runner<'r>> {
        let mut memory = MotionWorkspace::default();
        let mut runners = vec![runner("freiraum", Role::Ours, move || {
            pass(inputs.len(), 10, |i| self.ours(&inputs[i], &mut memory))
        })];
        if let Some(coal) = self.coal {
            runners.push(runner("Coal distances, advanced", Role::Peer, move || {
                let rows: Vec<[f64; 15]> = inputs.iter().map(Input::row).collect();
                coal.advance(&coal.rows(&rows), GAP)
            }));
        }
        if kind == Kind::Translation {
            runners.push(runner("parry3d f64, cast", Role::Peer, move || self.linear(inputs)));
        }
        // Seconds each where there are more than a few faces: asked once, and then no more.
        let few = &inputs[..inputs.len().min(if self.is_small() { 4 } else { 1 })];
        if with_all && (self.is_small() || !is_quick()) {
            let mut known: Option<Pass> = None;
            runners.push(runner("parry3d f64, nonlinear cast", Role::Aside, move || {
                known.get_or_insert_with(|| self.nonlinear(few)).clone()
            }));
        }
        runners
    }

    fn is_small(&self) -> bool {
        self.meshes.iter().all(|mesh| mesh.indices().len() < 100)
    }

    fn ours(&self, input: &Input, memory: &mut MotionWorkspace) -> f64 {
        let still = UniformMotion::still(Pose::IDENTITY);
        let [a, b] = &self.bodies;
        match time_of_contact(a, &still, b, &input.motion(), &Limits::default(), memory) {
            Ok(Verdict::Contact(contact)) => contact.time,
            Ok(Verdict::Free) => 2.0,
            _ => f64::NAN,
        }
    }

    fn linear(&self, inputs: &[Input]) -> Pass {
        pass(inputs.len(), 10, |i| {
            let options = ShapeCastOptions { max_time_of_impact: 1.0, ..Default::default() };
            let by = vector(inputs[i].advance * inputs[i].axis.direction);
            let (here, rest) = (ParryPose::IDENTITY, Vector::ZERO);
            let [a, b] = &self.meshes;
            let hit = cast_shapes(&here, rest, a, &parry_pose(&inputs[i].start), by, b, options);
            hit.ok().flatten().map_or(2.0, |hit| hit.time_of_impact)
        })
    }

    fn nonlinear(&self, inputs: &[Input]) -> Pass {
        pass(inputs.len(), 1, |i| {
            let input = &inputs[i];
            let center = input.start.inverse().transform_point(input.axis.point);
            let moving = NonlinearRigidMotion::new(
                parry_pose(&input.start),
                vector(center),
                vector(input.advance * input.axis.direction),
                vector(input.angle * input.axis.direction),
            );
            let still = NonlinearRigidMotion::constant_position(ParryPose::IDENTITY);
            let hit =
                cast_shapes_nonlinear(&still, &self.meshes[0], &moving, &self.meshes[1], 0.0, 1.0, true);
            hit.ok().flatten().map_or(2.0, |hit| hit.time_of_impact)
        })
    }
}

/// Contacts that are missed, late, early or made up.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn print_wrong(name: &str, kind: Kind, field: &Field, inputs: &[Input], with_all: bool) {
    let hits = inputs.iter().filter(|input| input.truth <= 1.0).count();
    println!("  {name} motions: {hits} contacts, {} free", inputs.len() - hits);
    for mut runner in field.runners(kind, inputs, with_all && field.is_small()) {
        let answers = runner.ask().answers;
        let (mut missed, mut late, mut early, mut made_up, mut undecided) = (0, 0, 0, 0, 0);
        for (input, answer) in inputs.iter().zip(&answers) {
            match (input.truth, *answer) {
                (_, answer) if answer.is_nan() => undecided += 1,
                (truth, answer) if truth <= 1.0 && answer > 1.0 => missed += 1,
                (truth, answer) if truth > 1.0 && answer <= 1.0 => made_up += 1,
                (truth, answer) if truth <= 1.0 && answer > truth + MISTIMED * truth => late += 1,
                (truth, answer) if truth <= 1.0 && answer < truth - MISTIMED * truth => early += 1,
                _ => {}
            }
        }
        println!(
            "    {:<32} {missed} missed, {late} late, {early} early, {made_up} made up, {undecided} undecided of {}",
            runner.name(),
            answers.len()
        );
    }
}

fn parry_mesh(mesh: &Mesh) -> TriMesh {
    let vertices = mesh.vertices().iter().map(|p| vector(*p)).collect();
    TriMesh::new(vertices, mesh.faces().to_vec()).expect("a proper surface")
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let q = pose.rotation();
    ParryPose::from_parts(vector(pose.translation()), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}
