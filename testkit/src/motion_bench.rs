//! Planning problems of MotionBenchMaker for the Panda arm: obstacles, start and goal, as plain numbers.

use crate::data;
use crate::folder::Folder;
use crate::skip::{Need, skipped};
use crate::yaml::Yaml;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of a set and its problems.
pub type Set = (String, Vec<MotionProblem>);

/// One problem.
#[derive(Clone, Debug)]
pub struct MotionProblem {
    /// The number in its set.
    pub number: usize,
    /// Joint names and values at the start, fingers included.
    pub start: Vec<(String, f64)>,
    /// Joint names and values at the goal, without fingers.
    pub goal: Vec<(String, f64)>,
    /// What stands in the way.
    pub obstacles: Vec<Solid>,
    /// Links that may touch each other, by name.
    pub allowed: Vec<[String; 2]>,
}

/// A box or a cylinder about the z axis.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name.
    pub name: String,
    /// What it is.
    pub form: Form,
    /// Position of its middle, in metres.
    pub position: [f64; 3],
    /// Quaternion x, y, z, w.
    pub orientation: [f64; 4],
}

/// What a solid is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Edges, in metres.
    Box([f64; 3]),
    /// In metres.
    Cylinder {
        /// Along z.
        height: f64,
        /// Across.
        radius: f64,
    },
}

/// The robot file and the problems by set, the sets by name; `None` where the data is not there or cannot be unpacked (said on stderr).
pub fn motion_bench() -> Option<(PathBuf, Vec<Set>)> {
    let folder = data::folder("motion-bench-panda")?;
    let unpacked = Folder::new("motion-bench");
    let status = Command::new("tar")
        .arg("-xjf")
        .arg(folder.join("problems.tar.bz2"))
        .arg("-C")
        .arg(unpacked.path())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        skipped(Need::Data, "problems.tar.bz2 cannot be unpacked; it takes tar and bzip2");
        return None;
    }
    let mut sets = Vec::new();
    for set in sorted(&unpacked.path().join("problems")) {
        let name = set.file_name()?.to_string_lossy().trim_end_matches("_panda").to_owned();
        let mut problems = Vec::new();
        for path in sorted(&set) {
            let file = path.file_name()?.to_string_lossy().into_owned();
            let Some(number) = file.strip_prefix("request").and_then(|rest| rest.strip_suffix(".yaml"))
            else {
                continue;
            };
            let text = |path: &Path| std::fs::read_to_string(path).expect("a file that was just unpacked");
            let request = Yaml::parse(&text(&path));
            let scene = Yaml::parse(&text(&set.join(format!("scene{number}.yaml"))));
            problems.push(problem(number.parse().ok()?, &request, &scene));
        }
        sets.push((name, problems));
    }
    Some((folder.join("panda_spherized.urdf"), sets))
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder that was just unpacked");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    paths
}

fn problem(number: usize, request: &Yaml, scene: &Yaml) -> MotionProblem {
    let state = request.get("start_state").get("joint_state");
    let names = state.get("name").items().iter().map(|name| name.text().to_owned());
    let start = names.zip(state.get("position").numbers()).collect();
    let goal = request.get("goal_constraints").items()[0].get("joint_constraints").items();
    let goal = goal.iter().map(|one| (one.get("joint_name").text().to_owned(), one.get("position").number()));
    let mut obstacles = Vec::new();
    for object in scene.get("world").get("collision_objects").items() {
        let poses = object.get("primitive_poses").items();
        for (solid, pose) in object.get("primitives").items().iter().zip(poses) {
            let size = solid.get("dimensions").numbers();
            let form = match solid.get("type").text() {
                "box" => Form::Box(size.try_into().expect("three edges")),
                "cylinder" => Form::Cylinder { height: size[0], radius: size[1] },
                other => panic!("a {other} is not known"),
            };
            obstacles.push(Solid {
                name: object.get("id").text().to_owned(),
                form,
                position: pose.get("position").numbers().try_into().expect("three coordinates"),
                orientation: pose.get("orientation").numbers().try_into().expect("a quaternion"),
            });
        }
    }
    let matrix = scene.get("allowed_collision_matrix");
    let names: Vec<&str> = matrix.get("entry_names").items().iter().map(Yaml::text).collect();
    let mut allowed = Vec::new();
    for (row, name) in matrix.get("entry_values").items().iter().zip(&names) {
        let others = row.items().iter().zip(&names).filter(|(flag, _)| flag.text() == "true");
        allowed.extend(others.map(|(_, other)| [(*name).to_owned(), (*other).to_owned()]));
    }
    MotionProblem { number, start, goal: goal.collect(), obstacles, allowed }
}
