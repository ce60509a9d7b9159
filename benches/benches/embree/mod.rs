//! The Embree peer: compiled into `target/peers`, started once, asked through a pipe; it measures its own time.

use freiraum_geometry::Mesh;
use freiraum_query::ray::Ray;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running Embree process.
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
        let (source, program) = (root.join("peers/embree/rays.cpp"), folder.join("embree-rays"));
        std::fs::create_dir_all(&folder).ok()?;
        let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        if modified(&program) < modified(&source) {
            let compiled = Command::new("g++")
                .args(["-std=c++17", "-O3", "-DNDEBUG"])
                .arg(&source)
                .arg("-o")
                .arg(&program)
                .arg("-lembree3")
                .stderr(Stdio::null())
                .status();
            if !compiled.is_ok_and(|status| status.success()) {
                eprintln!("Embree is left out: peers/embree/rays.cpp does not compile here.");
                eprintln!("On Debian: apt install g++ libembree-dev");
                return None;
            }
        }
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let requests = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        Some(Peer { child, requests, answers, folder })
    }

    /// Gives the peer a mesh and the rays that all later questions are about.
    pub(crate) fn load(&mut self, mesh: &Mesh, rays: &[Ray]) {
        let mut bytes: Vec<u8> = Vec::new();
        bytes.extend((mesh.vertices().len() as u64).to_le_bytes());
        bytes.extend((mesh.faces().len() as u64).to_le_bytes());
        bytes.extend(mesh.vertices().iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes));
        bytes.extend(mesh.faces().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
        let [mesh_file, ray_file, out] =
            ["rays.mesh", "rays.rays", "rays.ranges"].map(|name| self.folder.join(name));
        std::fs::write(&mesh_file, bytes).expect("target/peers is writable");
        let row = |r: &Ray| [r.origin().to_array(), r.direction().to_array()];
        let numbers = rays.iter().flat_map(|r| row(r).as_flattened().to_vec().into_iter().chain([r.max()]));
        let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
        std::fs::write(&ray_file, bytes).expect("target/peers is writable");
        let answer =
            self.line(&format!("load {} {} {}", mesh_file.display(), ray_file.display(), out.display()));
        assert_eq!(answer, format!("ok {} {}", mesh.faces().len(), rays.len()), "Embree has read everything");
    }

    /// "closest", "robust" (closest with the flag of that name) or "any" for all rays: the time of all together, the
    /// number of hits and, except for "any", the mean range.
    pub(crate) fn cast(&mut self, question: &str) -> (Duration, Vec<f64>) {
        let answer = self.line(question);
        let mut numbers: Vec<f64> = answer.split_whitespace().map(|x| x.parse().expect("a number")).collect();
        (Duration::from_secs_f64(numbers.remove(0)), numbers)
    }

    /// The ranges that the last "closest" or "robust" found, infinite where a ray hits nothing.
    pub(crate) fn ranges(&self) -> Vec<f32> {
        let bytes = std::fs::read(self.folder.join("rays.ranges")).expect("Embree has written it");
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    fn line(&mut self, request: &str) -> String {
        writeln!(self.requests, "{request}").expect("Embree is running");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("Embree answers");
        answer.trim_end().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
