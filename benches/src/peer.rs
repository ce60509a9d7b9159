//! C++ peers for meshes and convex bodies: compiled into `target/peers`, started once, asked through a pipe; they
//! measure their own time. `peers/serve.h` describes the requests.
//!
//! They are only looked for when the bench is given `--all-peers`. FCL comes from Debian's `libfcl-dev`. Coal comes as a Python
//! wheel with headers and library (`pip install coal`) and is looked for in the folder named by `FREIRAUM_COAL` (which
//! holds `include/coal`), in the active virtual environment, and in `target/peers/venv`.

use crate::Pass;
use freiraum_geometry::{Mesh, Pose};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Whether the bench was asked for the peers that are no Rust crates.
#[must_use]
pub fn all_wanted() -> bool {
    std::env::args().any(|argument| argument == "--all-peers")
}

/// A running C++ peer.
pub struct Peer {
    /// Its name in tables.
    pub name: &'static str,
    folder: PathBuf,
    // A question needs the pipe alone; tables hold several closures that share the peer.
    process: RefCell<Process>,
}

struct Process {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// How the peers on this machine are compiled.
struct Recipe {
    name: &'static str,
    /// The folder below `peers`, and the program in it.
    folder: &'static str,
    program: &'static str,
    arguments: Vec<String>,
    libraries: Vec<String>,
    packages: &'static str,
}

impl Peer {
    /// Coal, or `None` after saying why.
    #[must_use]
    pub fn coal() -> Option<Peer> {
        Peer::coal_program("queries")
    }

    /// Coal's distances with an advancement loop, or `None` if it is not wanted or after saying why.
    #[must_use]
    pub fn coal_motion() -> Option<Peer> {
        all_wanted().then(|| Peer::coal_program("motion")).flatten()
    }

    fn coal_program(program: &'static str) -> Option<Peer> {
        let Some(prefix) = coal_prefix(&peers_folder()) else {
            eprintln!("Coal is left out: it is not installed. To compare with it:");
            eprintln!("  python3 -m venv target/peers/venv && target/peers/venv/bin/pip install coal");
            return None;
        };
        let (include, lib) = (prefix.join("include"), prefix.join("lib"));
        let libraries = [
            format!("-L{}", lib.display()),
            "-lcoal".to_owned(),
            "-lboost_serialization".to_owned(),
            format!("-Wl,-rpath,{}", lib.display()),
        ];
        Peer::start(&Recipe {
            name: "Coal",
            folder: "coal",
            program,
            arguments: vec![format!("-I{}", include.display())],
            libraries: libraries.to_vec(),
            packages: "g++ libeigen3-dev",
        })
    }

    /// FCL, or `None` after saying why.
    #[must_use]
    pub fn fcl() -> Option<Peer> {
        let libraries = ["-lfcl", "-lccd", "-loctomap", "-loctomath"].map(str::to_owned);
        Peer::start(&Recipe {
            name: "FCL",
            folder: "fcl",
            program: "queries",
            arguments: Vec::new(),
            libraries: libraries.to_vec(),
            packages: "g++ libfcl-dev libccd-dev libeigen3-dev",
        })
    }

    /// Both, as far as wanted and there.
    #[must_use]
    pub fn all() -> Vec<Peer> {
        if !all_wanted() {
            return Vec::new();
        }
        [Peer::coal(), Peer::fcl()].into_iter().flatten().collect()
    }

    fn start(recipe: &Recipe) -> Option<Peer> {
        let folder = peers_folder();
        std::fs::create_dir_all(&folder).ok()?;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../peers");
        let source = sources.join(recipe.folder).join(format!("{}.cpp", recipe.program));
        let program = folder.join(format!("{}-{}", recipe.folder, recipe.program));
        let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        if modified(&program) < modified(&source).max(modified(&sources.join("serve.h"))) {
            // Not for this processor: that changes Eigen's alignment against the packaged libraries.
            let compiled = Command::new("g++")
                .args(["-std=c++17", "-O3", "-DNDEBUG", "-I/usr/include/eigen3"])
                .args(&recipe.arguments)
                .arg(&source)
                .arg("-o")
                .arg(&program)
                .args(&recipe.libraries)
                .stderr(Stdio::null())
                .status();
            if !compiled.is_ok_and(|status| status.success()) {
                eprintln!("{} is left out: {} does not compile here.", recipe.name, source.display());
                eprintln!("On Debian: apt install {}", recipe.packages);
                return None;
            }
        }
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let requests = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        let process = RefCell::new(Process { child, requests, answers });
        Some(Peer { name: recipe.name, folder, process })
    }

    /// Gives the peer two meshes; the time it takes to build both trees.
    pub fn load(&self, a: &Mesh, b: &Mesh) -> Duration {
        self.give("load", a, b)
    }

    /// Gives the peer two convex bodies by their surfaces.
    pub fn load_hulls(&self, a: &Mesh, b: &Mesh) -> Duration {
        self.give("hulls", a, b)
    }

    fn give(&self, request: &str, a: &Mesh, b: &Mesh) -> Duration {
        let paths = ["a", "b"].map(|name| self.folder.join(format!("{}-{name}.mesh", self.name)));
        for (path, mesh) in paths.iter().zip([a, b]) {
            let mut bytes: Vec<u8> = Vec::new();
            bytes.extend((mesh.vertices().len() as u64).to_le_bytes());
            bytes.extend((mesh.faces().len() as u64).to_le_bytes());
            bytes.extend(mesh.vertices().iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes));
            bytes.extend(mesh.faces().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
            std::fs::write(path, bytes).expect("target/peers is writable");
        }
        let numbers = self.request(&format!("{request} {} {}", paths[0].display(), paths[1].display()));
        Duration::from_secs_f64(numbers[0])
    }

    /// Writes poses of b for later questions.
    #[must_use]
    pub fn poses(&self, poses: &[Pose]) -> PathBuf {
        let row = |pose: &Pose| {
            let (q, t) = (pose.rotation(), pose.translation());
            [q.w, q.x, q.y, q.z, t.x, t.y, t.z]
        };
        let bytes: Vec<u8> = poses.iter().flat_map(row).flat_map(f64::to_le_bytes).collect();
        let path = self.folder.join(format!("{}.poses", self.name));
        std::fs::write(&path, bytes).expect("target/peers is writable");
        path
    }

    /// Writes rows of numbers, such as motions, for later questions.
    #[must_use]
    pub fn rows(&self, rows: &[[f64; 15]]) -> PathBuf {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let path = self.folder.join(format!("{}.rows", self.name));
        std::fs::write(&path, bytes).expect("target/peers is writable");
        path
    }

    /// The times of contact of all motions of a file, stopped at a gap in metres.
    #[must_use]
    pub fn advance(&self, motions: &Path, gap: f64) -> Pass {
        let numbers = self.request(&format!("advance {} {gap:e}", motions.display()));
        Pass { batches: vec![Duration::from_secs_f64(numbers[1])], answers: numbers[2..].to_vec() }
    }

    /// A question for all poses of a file.
    #[must_use]
    pub fn pass(&self, question: &str, poses: &Path, batch: usize) -> Pass {
        let numbers = self.request(&format!("{question} {} {batch}", poses.display()));
        let count = numbers[0] as usize;
        let (batches, answers) = numbers[1..].split_at(count);
        Pass {
            batches: batches.iter().map(|s| Duration::from_secs_f64(*s)).collect(),
            answers: answers.to_vec(),
        }
    }

    fn request(&self, request: &str) -> Vec<f64> {
        let mut process = self.process.borrow_mut();
        writeln!(process.requests, "{request}").expect("the peer is running");
        let mut answer = String::new();
        process.answers.read_line(&mut answer).expect("the peer answers");
        answer.split_whitespace().map(|x| x.parse().expect("a number")).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let child = &mut self.process.get_mut().child;
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn peers_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers")
}

/// The folder with Coal's headers and library.
fn coal_prefix(folder: &Path) -> Option<PathBuf> {
    let has_coal = |path: &PathBuf| path.join("include/coal").is_dir();
    if let Some(named) = std::env::var_os("FREIRAUM_COAL").map(PathBuf::from).filter(has_coal) {
        return Some(named);
    }
    let active = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    [active, Some(folder.join("venv"))].into_iter().flatten().find_map(|venv| {
        let versions = std::fs::read_dir(venv.join("lib")).ok()?;
        versions.flatten().map(|v| v.path().join("site-packages/cmeel.prefix")).find(has_coal)
    })
}
