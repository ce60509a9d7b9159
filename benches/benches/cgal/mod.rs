//! The CGAL peer: compiled into `target/peers`, started once, asked through a pipe; it measures its own time.

use freiraum_geometry::Vec3;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running CGAL process.
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
        let (source, program) = (root.join("peers/cgal/enclose.cpp"), folder.join("cgal-enclose"));
        std::fs::create_dir_all(&folder).ok()?;
        let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        if modified(&program) < modified(&source) {
            let compiled = Command::new("g++")
                .args(["-O3", "-DNDEBUG", "-DCGAL_EIGEN3_ENABLED", "-I/usr/include/eigen3"])
                .arg(&source)
                .arg("-o")
                .arg(&program)
                .args(["-lgmp", "-lmpfr"])
                .stderr(Stdio::null())
                .status();
            if !compiled.is_ok_and(|status| status.success()) {
                eprintln!("CGAL is left out: peers/cgal/enclose.cpp does not compile here.");
                eprintln!("On Debian: apt install g++ libcgal-dev libeigen3-dev");
                return None;
            }
        }
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let requests = child.stdin.take()?;
        let answers = BufReader::new(child.stdout.take()?);
        Some(Peer { child, requests, answers, folder })
    }

    /// Gives the peer its points.
    pub(crate) fn load(&mut self, points: &[Vec3]) {
        let file = self.folder.join("cloud.f64");
        let bytes: Vec<u8> = points.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
        std::fs::write(&file, bytes).expect("target/peers is writable");
        let answer = self.line(&format!("load {}", file.display()));
        assert_eq!(answer, format!("ok {}", points.len()), "CGAL has read all points");
    }

    /// Asks "sphere" or "box": the time it took and the radius or volume.
    pub(crate) fn ask(&mut self, question: &str) -> (Duration, f64) {
        let answer = self.line(question);
        let mut numbers = answer.split(' ').map(|x| x.parse::<f64>().expect("a number"));
        let mut next = || numbers.next().expect("two numbers");
        (Duration::from_secs_f64(next()), next())
    }

    fn line(&mut self, request: &str) -> String {
        writeln!(self.requests, "{request}").expect("CGAL is running");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("CGAL answers");
        answer.trim_end().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
