//! The Coal peer: compiled into `target/peers`, started once, asked through a pipe; it measures its own time.
//!
//! Coal comes as a Python wheel with headers and library (`pip install coal`). It is looked for in the folder named by
//! `FREIRAUM_COAL` (which holds `include/coal`), in the active virtual environment, and in `target/peers/venv`.

use freiraum_geometry::{Mesh, Pose};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running Coal process.
pub(crate) struct Peer {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Peer {
    /// Compiles and starts the peer; `None`, after saying why on stderr, where that is impossible.
    pub(crate) fn start() -> Option<Peer> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = root.join("target/peers");
        std::fs::create_dir_all(&folder).ok()?;
        let Some(prefix) = prefix(&folder) else {
            eprintln!("Coal is left out: it is not installed. To compare with it:");
            eprintln!("  python3 -m venv target/peers/venv && target/peers/venv/bin/pip install coal");
            return None;
        };
        let (source, program) = (root.join("peers/coal/meshes.cpp"), folder.join("coal-meshes"));
        let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        if modified(&program) < modified(&source) {
            // Not for this processor: that changes Eigen's alignment against the library in the wheel.
            let compiled = Command::new("g++")
                .args(["-std=c++17", "-O3", "-DNDEBUG", "-I/usr/include/eigen3"])
                .arg(format!("-I{}", prefix.join("include").display()))
                .arg(&source)
                .arg("-o")
                .arg(&program)
                .arg(format!("-L{}", prefix.join("lib").display()))
                .args(["-lcoal", "-lboost_serialization"])
                .arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()))
                .stderr(Stdio::null())
                .status();
            if !compiled.is_ok_and(|status| status.success()) {
                eprintln!("Coal is left out: peers/coal/meshes.cpp does not compile here.");
                eprintln!("On Debian: apt install g++ libeigen3-dev");
                return None;
            }
        }
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let requests = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        Some(Peer { child, requests, answers, folder })
    }

    /// Gives the peer its meshes; the time it takes to build both trees.
    pub(crate) fn load(&mut self, a: &Mesh, b: &Mesh) -> Duration {
        let files = [a, b].map(|mesh| {
            let mut bytes: Vec<u8> = Vec::new();
            bytes.extend((mesh.vertices().len() as u64).to_le_bytes());
            bytes.extend((mesh.faces().len() as u64).to_le_bytes());
            bytes.extend(mesh.vertices().iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes));
            bytes.extend(mesh.faces().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
            bytes
        });
        let paths = ["a.mesh", "b.mesh"].map(|name| self.folder.join(name));
        for (path, bytes) in paths.iter().zip(files) {
            std::fs::write(path, bytes).expect("target/peers is writable");
        }
        let seconds = self.ask(&format!("load {} {}", paths[0].display(), paths[1].display()))[0];
        Duration::from_secs_f64(seconds)
    }

    /// Writes poses of b for later questions.
    pub(crate) fn poses(&self, name: &str, poses: &[Pose]) -> PathBuf {
        let row = |pose: &Pose| {
            let (q, t) = (pose.rotation(), pose.translation());
            [q.w, q.x, q.y, q.z, t.x, t.y, t.z]
        };
        let bytes: Vec<u8> = poses.iter().flat_map(row).flat_map(f64::to_le_bytes).collect();
        let path = self.folder.join(format!("{name}.poses"));
        std::fs::write(&path, bytes).expect("target/peers is writable");
        path
    }

    /// "distance" or "collide" for all poses of a file: the time of all together, and the answers.
    pub(crate) fn question(&mut self, question: &str, poses: &Path) -> (Duration, Vec<f64>) {
        let mut numbers = self.ask(&format!("{question} {}", poses.display()));
        let seconds = numbers.remove(0);
        (Duration::from_secs_f64(seconds), numbers)
    }

    fn ask(&mut self, request: &str) -> Vec<f64> {
        writeln!(self.requests, "{request}").expect("Coal is running");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("Coal answers");
        answer.split_whitespace().map(|x| x.parse().expect("a number")).collect()
    }
}

/// The folder with Coal's headers and library.
fn prefix(folder: &Path) -> Option<PathBuf> {
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

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
