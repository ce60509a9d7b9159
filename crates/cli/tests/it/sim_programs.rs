//! Programs that drive in `freiraum sim`: what they say stays in its line, their end is told, and they end with the simulation. Needs `python3`:
//! without it the tests say so, or fail where it is required.
#![cfg(unix)]

use freiraum_testkit::folder::Folder;
use freiraum_testkit::skip::has_python;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A robot that a program in Python drives.
fn world(name: &str, program: &str, timeout: f64) -> Folder {
    let folder = Folder::new(name);
    folder.file("drive.py", program);
    folder.file(
        "world.toml",
        format!(
            "[world]\nstep = 0.01\n\
             [[body]]\nname = \"ground\"\nshape = {{ plane = {{ normal = [0, 0, 1], offset = 0 }} }}\nfixed = true\n\
             [[vehicle]]\nname = \"robot\"\nmodel = \"khepera\"\ndrive = \"kinematic\"\n\
             controller = {{ program = [\"python3\", \"drive.py\"], timeout = {timeout} }}\n"
        ),
    );
    folder
}

fn sim(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.args(["sim", "world.toml", "--trust"]).args(arguments).current_dir(folder);
    command
}

/// The same for somebody who has said nothing yet, with a cache of his own.
fn untrusted(folder: &Path, command: &str) -> Command {
    let mut run = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    run.args(command.split(' ')).current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    run.stdin(Stdio::null());
    run
}

/// Answers the question on a terminal, by the terminals of Python: what was said, and the exit code.
fn on_terminal(folder: &Path, answer: &str) -> (String, i32) {
    let script = "import os, pty, sys\n\
        pid, fd = pty.fork()\n\
        if pid == 0: os.execv(sys.argv[2], [sys.argv[2], 'sim', 'world.toml', '--duration', '0.02', '--color', 'never'])\n\
        said = b''\n\
        while True:\n    \
            try: got = os.read(fd, 4096)\n    \
            except OSError: break\n    \
            if not got: break\n    \
            said += got\n    \
            if b'[y/N] ' in got: os.write(fd, sys.argv[1].encode() + b'\\n')\n\
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])\n\
        sys.stdout.buffer.write(said); sys.stdout.flush(); sys.exit(code)\n";
    let mut command = Command::new("python3");
    command.args(["-c", script, answer, env!("CARGO_BIN_EXE_freiraum")]);
    command.current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    let output = command.output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_scene_runs_nothing_on_its_own() {
    if !has_python() {
        return;
    }
    let program = "open('ran', 'w')\nimport sys\nsys.stdin.readline()\nfor line in sys.stdin: print('{}', flush=True)\n";
    let folder = world("sim-trust", program, 5.0);
    let ran = || {
        let ran = folder.path().join("ran");
        let found = ran.exists();
        let _ = std::fs::remove_file(ran);
        found
    };
    // Nobody to ask.
    for command in ["sim world.toml --duration 0.02", "studio world.toml --no-open"] {
        let output = untrusted(folder.path(), command).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("python3 drive.py") && said.contains("--trust") && !ran(), "{said}");
    }
    let output = untrusted(folder.path(), "sim world.toml --duration 0.02 --json").output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["error"]["code"], "trust", "{found}");
    assert_eq!(found["error"]["programs"], serde_json::json!([["python3", "drive.py"]]));
    // For this once.
    let output = untrusted(folder.path(), "sim world.toml --duration 0.02 --trust").output().unwrap();
    assert!(output.status.success() && ran());
    let again = || untrusted(folder.path(), "sim world.toml --duration 0.02").output().unwrap().status.code();
    assert_eq!(again(), Some(2));
    // Anything but a yes is a no, and is not remembered.
    for answer in ["", "n", "yesterday"] {
        let (said, code) = on_terminal(folder.path(), answer);
        assert!(
            said.contains("wants to run:") && said.contains("python3 drive.py (drives \"robot\")"),
            "{said}"
        );
        assert_eq!((code, ran()), (2, false), "{answer:?}: {said}");
    }
    let (said, code) = on_terminal(folder.path(), "y");
    assert_eq!((code, ran()), (0, true), "{said}");
    assert_eq!((again(), ran()), (Some(0), true), "it was remembered");
    let (said, code) = on_terminal(folder.path(), "n");
    assert!(code == 0 && ran() && !said.contains("wants to run"), "{said}");
    // Another content of the program or of the scene is another question; the old one is still answered.
    folder.file("drive.py", format!("{program}# changed\n"));
    assert_eq!((again(), ran()), (Some(2), false));
    folder.file("drive.py", program);
    assert_eq!((again(), ran()), (Some(0), true));
    let text = std::fs::read_to_string(folder.path().join("world.toml")).unwrap();
    folder.file("world.toml", text.replace("drive.py\"]", "drive.py\", \"fast\"]"));
    assert_eq!((again(), ran()), (Some(2), false));
    folder.file("world.toml", format!("# a comment\n{text}"));
    assert_eq!((again(), ran()), (Some(2), false));
    // Everything that the command names decides what runs, also in folders and behind `=`.
    for (name, write) in [
        ("package", ["package/__main__.py", "package/sub/part.py"]),
        ("--model=net.bin", ["net.bin", "net.bin"]),
        ("-Iparts", ["parts/a.py", "parts/b.py"]),
        ("not-yet.txt", ["not-yet.txt", "not-yet.txt"]),
    ] {
        folder.file("world.toml", text.replace("drive.py\"]", &format!("drive.py\", \"{name}\"]")));
        std::fs::create_dir_all(folder.path().join("package/sub")).unwrap();
        std::fs::create_dir_all(folder.path().join("parts")).unwrap();
        let (said, code) = on_terminal(folder.path(), "y");
        assert_eq!((code, ran(), again(), ran()), (0, true, Some(0), true), "{name}: {said}");
        for (k, file) in write.iter().enumerate() {
            folder.file(file, format!("# {k}\n"));
            assert_eq!((again(), ran()), (Some(2), false), "{name}: {file} has changed");
            assert_eq!((on_terminal(folder.path(), "y").1, ran()), (0, true), "{name}");
            assert_eq!((again(), ran()), (Some(0), true), "{name}");
        }
    }
    folder.file("world.toml", &text);
    // And so is another folder.
    let other = world("sim-trust-elsewhere", program, 5.0);
    let output =
        untrusted(other.path(), "sim world.toml").env("XDG_CACHE_HOME", folder.path().join("cache")).output();
    assert_eq!(output.unwrap().status.code(), Some(2));
}

const HELLO: &str = "import sys, os, json, time, signal\nsys.stdin.readline()\n";

#[test]
fn what_programs_say_stays_in_its_line() {
    if !has_python() {
        return;
    }
    let program = format!(
        "{HELLO}for k, line in enumerate(sys.stdin):\n    \
         if k == 2:\n        sys.stderr.write('\\x1b[2Jgone\\x9b31m\\n'); sys.exit(3)\n    \
         print(json.dumps({{'log': '\\x1b[31m\\0red\\n  1.000 s  goal 1\\r\\u202e'}}), flush=True)\n"
    );
    let folder = world("sim-program-says", &program, 5.0);
    let output = sim(folder.path(), &["--duration", "0.1", "--color", "never"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.chars().all(|c| c == '\n' || !c.is_control()), "{said:?}");
    let log = "robot: its program says: \\u{1b}[31m\\u{0}red\\n  1.000 s  goal 1\\r\\u{202e}\n";
    assert!(said.contains(log), "{said}");
    assert!(said.contains("has ended with exit code 3: \\u{1b}[2Jgone\\u{9b}31m\n"), "{said}");
}

#[test]
fn an_end_is_told_though_a_child_holds_the_output() {
    if !has_python() {
        return;
    }
    let program = format!(
        "{HELLO}if os.fork() == 0:\n    time.sleep(60)\nelse:\n    sys.stderr.write('bye\\n'); os._exit(3)\n"
    );
    let folder = world("sim-program-fork", &program, 0.2);
    let output = sim(folder.path(), &["--duration", "0.1", "--json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<&str> =
        found["events"].as_array().unwrap().iter().filter_map(|event| event["message"].as_str()).collect();
    assert_eq!(told, ["stops for good: its program has ended with exit code 3: bye"]);
}

/// A program that ignores everything that it may ignore, and tells its number and that of its child.
fn stubborn(folder: &str) -> String {
    format!(
        "{HELLO}for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):\n    signal.signal(s, signal.SIG_IGN)\n\
         child = os.fork()\nif child:\n    open('{folder}', 'w').write(f'{{os.getpid()}} {{child}}')\n\
         while True:\n    time.sleep(1)\n"
    )
}

/// The numbers that [`stubborn`] tells.
fn numbers(file: &Path, within: Duration) -> Vec<String> {
    let start = Instant::now();
    loop {
        let said = std::fs::read_to_string(file).unwrap_or_default();
        let numbers: Vec<String> = said.split_whitespace().map(str::to_owned).collect();
        if numbers.len() == 2 {
            return numbers;
        }
        assert!(start.elapsed() < within, "the program has not started");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn lives(number: &str) -> bool {
    // Who is dead and not yet waited for does not count.
    std::fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| {
        stat.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with(['Z', 'X']))
    })
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_behind() {
    if !has_python() {
        return;
    }
    for name in ["INT", "TERM", "KILL"] {
        let folder = world(&format!("sim-program-{name}"), &stubborn("numbers"), 60.0);
        let mut command = sim(folder.path(), &["--duration", "60", "--realtime"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let numbers = numbers(&folder.path().join("numbers"), Duration::from_secs(60));
        assert!(numbers.iter().all(|number| lives(number)));
        signal(&child, name);
        child.wait().unwrap();
        let start = Instant::now();
        while numbers.iter().any(|number| lives(number)) {
            assert!(start.elapsed() < Duration::from_secs(20), "after SIG{name} the program lives on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
