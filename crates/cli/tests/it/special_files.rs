//! What is no regular file is refused by everything that reads files: pipes nobody writes to, devices without end, folders, sockets. Nothing waits,
//! nothing fills the memory. Standard input stays allowed where `-` stands for it.
#![cfg(unix)]

use freiraum_testkit::folder::Folder;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Everything here takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs it, with an end: exit code and what it said.
fn freiraum(folder: &Path, arguments: &[String]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

const BODY: &str = "[[body]]\nname = \"a\"\nshape = { box = { size = [1, 1, 1] } }\n";

#[test]
fn every_reader_refuses_what_is_no_file() {
    let folder = Folder::new("special-files");
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let _listener = UnixListener::bind(at("socket")).unwrap();
    std::fs::create_dir(at("dir")).unwrap();
    for ending in [
        "stl", "obj", "ply", "off", "glb", "gltf", "toml", "urdf", "srdf", "yaml", "cfg", "json", "world",
        "jsonl",
    ] {
        for kind in ["pipe", "zero", "socket", "dir"] {
            let to = if kind == "zero" { "/dev/zero".to_owned() } else { at(kind) };
            symlink(to, at(&format!("{kind}.{ending}"))).unwrap();
        }
    }
    folder.file("scene.toml", BODY);
    folder.file("own.urdf", "<robot name='a'><link name='b'/></robot>");
    folder.file("city.cfg", "[field]\ncity = \"pipe\"\n");
    for kind in ["pipe", "zero", "socket", "dir"] {
        folder.file(&format!("mesh-{kind}.toml"), format!("[[body]]\nname = \"a\"\nmesh = \"{kind}.stl\"\n"));
        folder.file(&format!("gltf-{kind}.gltf"), format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":36,"uri":"{kind}.glb"}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],"scene":0}}"#
        ));
        folder.file(
            &format!("urdf-{kind}.toml"),
            format!("[[robot]]\nname = \"a\"\nmodel = \"{kind}.urdf\"\n"),
        );
        folder.file(
            &format!("srdf-{kind}.toml"),
            format!("[[robot]]\nname = \"a\"\nmodel = \"own.urdf\"\nsrdf = \"{kind}.srdf\"\n"),
        );
        folder.file(&format!("link-{kind}.urdf"), format!("<robot name='a'><link name='b'><collision><geometry><mesh filename='{kind}.stl'/></geometry></collision></link></robot>"));
        folder.file(&format!("table-{kind}.toml"), format!("{BODY}[[sensor]]\nname = \"l\"\nkind = \"laser\"\nrange = 1\nrows = {{ table = \"{kind}.yaml\", columns = 4 }}\n"));
        let doors = [
            format!("mesh info {kind}.stl"),
            format!("mesh info {kind}.glb"),
            format!("mesh info gltf-{kind}.gltf"),
            format!("mesh convert {kind}.obj out.stl"),
            format!("mesh repair {kind}.ply out.stl"),
            format!("bounds {kind}.off"),
            format!("layers {kind}.stl"),
            format!("check {kind}.toml"),
            format!("check mesh-{kind}.toml"),
            format!("check urdf-{kind}.toml"),
            format!("check srdf-{kind}.toml"),
            format!("check table-{kind}.toml"),
            format!("draw {kind}.toml -o out.svg"),
            format!("plan {kind}.toml"),
            format!("sim {kind}.toml"),
            format!("sim {kind}.cfg"),
            format!("sim {kind}"),
            format!("sim scene.toml --duration 0.01 --resume {kind}.world"),
            format!("studio {kind}.toml --no-open"),
            format!("robot info {kind}.urdf"),
            format!("robot info link-{kind}.urdf"),
            format!("robot audit own.urdf --srdf {kind}.srdf"),
            format!("robot program scene.toml --import {kind}.json -o out.toml"),
            format!("query --batch {kind}.jsonl"),
            format!("query intersect {kind}.stl {kind}.stl"),
        ];
        for door in doors {
            // /dev/zero has no name without an ending here.
            let door = door.replace("sim zero", "sim /dev/zero");
            let arguments: Vec<String> = door.split(' ').map(str::to_owned).collect();
            let (code, said) = freiraum(folder.path(), &arguments);
            assert_eq!(code, Some(2), "{door}: {said}");
            // Refused for what it is, not for how it was asked.
            assert!(!said.is_empty() && !said.contains("Usage:"), "{door}: {said}");
            // It says what is there, and offers nothing of the kind instead.
            let what = match kind {
                "pipe" => "a pipe",
                "zero" => "a device",
                "socket" => "a socket",
                _ => "a folder",
            };
            let is_named = ["mesh-", "gltf-", "urdf-", "srdf-", "link-", "table-", "studio"];
            // A link of a glTF file to a device is refused because it leads out of the folder.
            let is_link = door.contains("gltf-") && kind == "zero";
            if !is_link && is_named.iter().any(|name| door.contains(name)) {
                assert!(said.contains(what), "{door}: {said}");
            }
            assert!(!said.contains("there is no file") && !said.contains("did you mean"), "{door}: {said}");
        }
    }
    let (code, said) = freiraum(folder.path(), &["sim".to_owned(), "city.cfg".to_owned()]);
    assert_eq!(code, Some(2), "{said}");
    assert!(!Path::new(&at("out.stl")).exists() && !Path::new(&at("out.svg")).exists());
}

/// Before, a recording into a pipe waited for a reader without end.
#[test]
fn no_writer_waits_for_a_reader_that_does_not_come() {
    let folder = Folder::new("special-outputs");
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for ending in ["stl", "svg", "png", "srdf"] {
        symlink("pipe", folder.path().join(format!("pipe.{ending}"))).unwrap();
    }
    folder.file("own.urdf", "<robot name='a'><link name='b'/></robot>");
    let sensor = "[[sensor]]\nname = \"l\"\nkind = \"laser\"\nrange = 1\nrows = { elevations_deg = [0], columns = 4 }\n";
    folder.file(
        "scene.toml",
        format!("{BODY}{sensor}[[step]]\nname = \"go\"\nmove = \"a\"\ntranslate = [3, 0, 0]\n"),
    );
    folder.file("a.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    let doors = [
        "sim scene.toml --duration 0.1 --record pipe",
        "sim scene.toml --duration 0.1 --sensors pipe",
        "sim scene.toml --duration 0.1 --save pipe",
        "mesh convert a.off pipe.stl",
        "mesh repair a.off pipe.stl",
        "draw scene.toml -o pipe.svg",
        "plan scene.toml -o pipe",
        "layers a.off --png pipe.png",
        "robot audit own.urdf --srdf-out pipe.srdf",
    ];
    // Each waits for a moment.
    let run = |door: &str| {
        let arguments: Vec<String> = door.split(' ').map(str::to_owned).collect();
        let (code, said) = freiraum(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{door}: {said}");
        assert!(said.contains("no program reads from this pipe"), "{door}: {said}");
    };
    std::thread::scope(|scope| {
        for door in doors {
            scope.spawn(move || run(door));
        }
    });
}

#[test]
fn standard_input_stays_allowed() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["query", "--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let question =
        b"{\"query\":\"intersect\",\"a\":{\"sphere\":{\"radius\":1}},\"b\":{\"sphere\":{\"radius\":1}}}\n";
    child.stdin.take().unwrap().write_all(question).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn is_odd_line(c: char) -> bool {
    c != '\n' && freiraum::scene::is_odd(c)
}

/// Names that turn the direction of writing or colour the terminal are shown as codes.
#[test]
fn names_steer_no_terminal() {
    let folder = Folder::new("odd-names");
    let name = "gear\u{202e}\u{2066}x";
    let boxes = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\npose = [{x}, 0, 0]\n"
        )
    };
    let text = format!(
        "{}{}[[step]]\nname = \"go\u{200f}\"\nmove = \"{name}\"\ntranslate = [3, 0, 0]\n",
        boxes(name, 0.0),
        boxes("wall", 3.0)
    );
    folder.file("scene.toml", text);
    for arguments in [
        &["check", "scene.toml"][..],
        &["check", "scene.toml", "--json"],
        &["sim", "scene.toml", "--duration", "0.1"],
        &["draw", "scene.toml", "-o", "a.svg"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        let output = command
            .args(arguments)
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.contains(is_odd_line), "{arguments:?}: {said:?}");
        if arguments.contains(&"--json") {
            let found: serde_json::Value = serde_json::from_str(&said).unwrap();
            assert!(found.to_string().contains(name), "the value is the name itself");
        }
    }
    // Nor do wrong arguments, which are repeated in the message.
    for arguments in [
        &["check", "--\u{202e}x"][..],
        &["\u{1b}[31mcheck"],
        &["query", "\u{2066}toc"],
        &["check", "a.toml", "--budget", "\u{202e}7"],
        &["check", "a.toml", "--color", "\u{9b}31m"],
        &["check", "--json", "--\u{202e}x"],
        &["mesh", "info", "a.stl", "b\u{200f}.stl"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_freiraum")).args(arguments).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said:?}");
        assert!(said.contains("\\u") && !said.contains(is_odd_line), "{arguments:?}: {said:?}");
    }
    let drawing = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(!drawing.contains(|c: char| c != '\n' && freiraum::scene::is_odd(c)));
}
