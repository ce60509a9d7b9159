//! What a text that somebody sends may not do: run programs, reach files elsewhere, name numbers beyond all limits; and who only stands at the door.

use crate::client::{Address, Client, Folder, SCENE, body};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn with_program(command: &str) -> String {
    format!(
        "{SCENE}\n[[vehicle]]\nname = \"robot\"\nmodel = \"khepera\"\ncontroller = {{ program = {command} }}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_names_no_program_that_was_not_trusted_at_the_start() {
    let folder = Folder::new();
    let known = r#"["no-such-program-anywhere", "drive.txt"]"#;
    let ran = folder.0.join("ran");
    let other = format!("[\"touch\", {:?}]", ran.to_str().unwrap());
    std::fs::write(folder.scene(), with_program(known)).unwrap();
    std::fs::write(folder.0.join("scenes/other.toml"), with_program(&other)).unwrap();
    std::fs::create_dir(folder.0.join("scenes/sub")).unwrap();
    std::fs::write(folder.0.join("scenes/sub/same.toml"), with_program(known)).unwrap();
    std::fs::write(folder.0.join("scenes/drive.txt"), "a program").unwrap();
    // Not trusted: the scene is not even opened.
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    assert_eq!(page.hello["scene"], Value::Null);
    assert_eq!(page.refused("open", json!({ "path": "scene.toml" })).await, "trust");
    assert_eq!(page.refused("open", json!({ "text": with_program(known) })).await, "trust");
    page.done("open", json!({ "text": SCENE })).await;
    assert_eq!(page.refused("set_text", json!({ "text": with_program(&other) })).await, "trust");
    drop((page, studio));
    // Trusted: this program, in this folder, and no other, by whatever way it comes.
    let studio = folder.trusting();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("world_open", json!({})).await;
    for text in [
        with_program(&other),
        with_program("[\"sh\", \"-c\", \"true\"]"),
        with_program(r#"["no-such-program-anywhere"]"#),
    ] {
        assert_eq!(page.refused("set_text", json!({ "text": text })).await, "trust");
        assert_eq!(page.refused("open", json!({ "text": text })).await, "trust");
    }
    assert_eq!(page.refused("open", json!({ "path": "other.toml" })).await, "trust");
    assert_eq!(page.refused("open", json!({ "path": "sub/same.toml" })).await, "trust", "in another folder");
    assert_eq!(page.refused("save_as", json!({ "path": "sub/new.toml" })).await, "trust");
    assert!(!folder.0.join("scenes/sub/new.toml").exists());
    // Somebody else changes the file on the disk.
    std::fs::write(folder.scene(), with_program(&other)).unwrap();
    assert_eq!(page.refused("reload", json!({})).await, "trust");
    // Without a program and back again; undo goes through the same door.
    page.done("set_text", json!({ "text": SCENE })).await;
    page.done("undo", json!({})).await;
    page.done("redo", json!({})).await;
    page.done("set_text", json!({ "text": with_program(known) })).await;
    page.done("save_as", json!({ "path": "copy.toml" })).await;
    // What belongs to a program is not written over.
    std::fs::write(folder.0.join("scenes/drive.toml"), "").unwrap();
    let own = with_program(r#"["no-such-program-anywhere", "drive.toml"]"#);
    std::fs::write(folder.scene(), own).unwrap();
    drop((page, studio));
    let studio = folder.trusting();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    assert_eq!(page.refused("save_as", json!({ "path": "drive.toml", "overwrite": true })).await, "path");
    assert!(!ran.exists());
}

/// Before, tables were opened wherever they were, and pipes were waited for.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_is_opened_whoever_names_it() {
    let folder = Folder::new();
    let pipe = folder.0.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(folder.0.join("table.yaml"), "lasers:\n- {laser_id: 0, vert_correction: 0.25}\n").unwrap();
    std::fs::write(folder.0.join("arm.urdf"), "<robot name='a'><link name='b'/></robot>").unwrap();
    let inside = folder.0.join("scenes");
    std::os::unix::fs::symlink(&folder.0, inside.join("up")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(inside.join("own-pipe")).status().unwrap().success());
    let laser = |file: &str| {
        format!(
            "{SCENE}\n[[sensor]]\nname = \"laser\"\nkind = \"laser\"\nrange = 1000\nrows = {{ table = {file:?}, columns = 10 }}\n"
        )
    };
    let robot = |file: &str| format!("{SCENE}\n[[robot]]\nname = \"arm\"\nmodel = {file:?}\n");
    let srdf =
        |file: &str| format!("{SCENE}\n[[robot]]\nname = \"arm\"\nmodel = \"own.urdf\"\nsrdf = {file:?}\n");
    let mesh =
        |file: &str| SCENE.replace("shape = { box = { size = [20, 20, 20] } }", &format!("mesh = {file:?}"));
    let urdf = "<robot name='a'><link name='b'><collision><geometry><mesh filename='FILE'/></geometry></collision></link></robot>";
    std::fs::write(inside.join("own.urdf"), "<robot name='a'><link name='b'/></robot>").unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let absolute = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    for name in ["table.yaml", "arm.urdf", "pipe", "not-there"] {
        for file in [
            format!("../{name}"),
            format!("up/{name}"),
            absolute(name),
            "/dev/zero".to_owned(),
            "/dev/stdin".to_owned(),
        ] {
            std::fs::write(inside.join("far.urdf"), urdf.replace("FILE", &file)).unwrap();
            for text in [laser(&file), robot(&file), srdf(&file), mesh(&file), robot("far.urdf")] {
                for command in ["set_text", "open"] {
                    // The same whether something is there or not.
                    assert_eq!(
                        page.refused(command, json!({ "text": text })).await,
                        "path",
                        "{command} {text}"
                    );
                }
            }
        }
    }
    // What is inside and no file is refused, too, and nobody waits for it.
    for text in [laser("own-pipe"), robot("own-pipe"), srdf("own-pipe"), mesh("own-pipe")] {
        assert_eq!(page.refused("set_text", json!({ "text": text })).await, "scene", "{text}");
    }
    assert_eq!(page.refused("open", json!({ "path": "own-pipe" })).await, "path");
    std::fs::copy(folder.0.join("table.yaml"), inside.join("table.yaml")).unwrap();
    page.done("set_text", json!({ "text": laser("table.yaml") })).await;
    drop((page, studio));
    // A table that the user's own scene names is his to name.
    std::fs::write(folder.scene(), laser("../table.yaml")).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let text = format!("# still\n{}", laser("../table.yaml"));
    page.done("set_text", json!({ "text": text })).await;
    assert_eq!(page.refused("set_text", json!({ "text": laser("../arm.urdf") })).await, "path");
}

/// Whatever is wrong, no page learns where the folder is, nor what is outside of it.
#[tokio::test(flavor = "multi_thread")]
async fn messages_tell_nothing_of_folders() {
    let folder = Folder::new();
    let inside = folder.0.join("scenes");
    let tetrahedron = "OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    std::fs::create_dir_all(inside.join("arm")).unwrap();
    std::fs::create_dir(folder.0.join("there")).unwrap();
    std::fs::write(inside.join("part.off"), tetrahedron).unwrap();
    std::fs::write(inside.join("junk.off"), "OFF\nnonsense").unwrap();
    std::fs::write(inside.join("junk.gltf"), r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"no.bin"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":9}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let root = folder.0.canonicalize().unwrap();
    let own = root.file_name().unwrap().to_str().unwrap().to_owned();
    let secrets = [folder.0.to_str().unwrap().to_owned(), root.to_str().unwrap().to_owned()];
    let is_secret = |text: &str| secrets.iter().any(|secret| text.contains(secret));
    let revision = page.hello["scene"]["revision"].clone();
    let verdict = page.verdict(&revision).await;
    assert!(!is_secret(&page.hello.to_string()) && !is_secret(&verdict.to_string()), "{verdict}");
    let mesh =
        |file: &str| SCENE.replace("shape = { box = { size = [20, 20, 20] } }", &format!("mesh = {file:?}"));
    let robot = |file: &str| {
        let urdf = format!(
            "<robot name='a'><link name='b'><collision><geometry><mesh filename='{file}'/></geometry></collision></link></robot>"
        );
        std::fs::write(inside.join("arm/arm.urdf"), urdf).unwrap();
        format!("{SCENE}\n[[robot]]\nname = \"arm\"\nmodel = \"arm/arm.urdf\"\n")
    };
    let at_home = |name: &str| inside.join(name).to_str().unwrap().to_owned();
    for file in
        ["base.stl", "arm", "junk.off", "junk.gltf", "../junk.off", "arm/arm.urdf", &at_home("no.stl")]
    {
        for text in [mesh(file), robot(file)] {
            for command in ["open", "set_text"] {
                let answer = page.ask(command, json!({ "text": text })).await;
                assert!(answer["error"].is_object(), "{file}: {answer}");
                assert!(!is_secret(&answer.to_string()), "{command} {file}: {answer}");
            }
        }
    }
    // The same answer whether something outside is there or not.
    for (known, unknown, file) in [
        (own.as_str(), "no-such-folder", "package://NAME/scenes/part.off"),
        (&own, "no-such-folder", "package://NAME/scenes/none.off"),
        (&own, "no-such-folder", "package://NAME/there"),
        ("there", "not-there", "../../NAME/../scenes/part.off"),
        ("there", "not-there", "../../NAME/part.off"),
    ] {
        let mut answers = Vec::new();
        for name in [known, unknown] {
            let text = robot(&file.replace("NAME", name));
            let answer = page.ask("open", json!({ "text": text })).await;
            assert!(answer["error"].is_object(), "{file}: {answer}");
            answers.push(answer["error"].to_string().replace(name, "NAME"));
        }
        assert_eq!(answers[0], answers[1], "{file}");
    }
    page.done("open", json!({ "text": robot("package://arm/../part.off") })).await;
    page.done("open", json!({ "text": robot("package://scenes/part.off") })).await;
    // A file that is read again, and what is wrong with it then.
    page.done("open", json!({ "text": mesh("part.off") })).await;
    std::fs::write(inside.join("part.off"), "OFF\nnonsense, and longer than before").unwrap();
    let told = page.event("error").await;
    assert!(!is_secret(&told.to_string()), "{told}");
    let address = Address::of(studio.address());
    for name in ["report.html", "scene.toml"] {
        let (_, found) = address.get(&format!("/api/export/{name}"));
        assert!(!is_secret(&String::from_utf8_lossy(&found)), "{name}");
    }
}

/// Before, "cannot open" and "not in the folder" revealed whether the target of a link exists.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn links_do_not_tell_what_is_outside() {
    let folder = Folder::new();
    let inside = folder.0.join("scenes");
    std::fs::create_dir(folder.0.join("there")).unwrap();
    std::fs::write(folder.0.join("there/scene.toml"), SCENE).unwrap();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let mesh =
        |file: &str| SCENE.replace("shape = { box = { size = [20, 20, 20] } }", &format!("mesh = {file:?}"));
    let robot = |file: &str| format!("{SCENE}\n[[robot]]\nname = \"arm\"\nmodel = {file:?}\n");
    let gltf = |uri: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":36,"uri":"{uri}"}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],"scene":0}}"#
        )
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    // Files, a folder, and nothing: the links have the same names.
    for target in ["there/scene.toml", "there", "not-there", "not-there/scene.toml"] {
        for link in ["l.toml", "l.stl", "l.urdf", "l.bin", "l"] {
            let _ = std::fs::remove_file(inside.join(link));
            std::os::unix::fs::symlink(folder.0.join(target), inside.join(link)).unwrap();
        }
        std::fs::write(inside.join("far.gltf"), gltf("l.bin")).unwrap();
        let mut said = Vec::new();
        for name in ["l.toml", "l/scene.toml", "l/none.toml"] {
            said.push(page.ask("open", json!({ "path": name })).await["error"].to_string());
            for overwrite in [false, true] {
                let asked = json!({ "path": name, "overwrite": overwrite });
                said.push(page.ask("save_as", asked).await["error"].to_string());
            }
        }
        for text in [
            mesh("l.stl"),
            mesh("l/a.stl"),
            mesh("k.stl"),
            robot("l.urdf"),
            robot("l/a.urdf"),
            robot("k.urdf"),
            mesh("far.gltf"),
        ] {
            said.push(page.ask("open", json!({ "text": text })).await["error"].to_string());
        }
        assert!(said.iter().all(|one| one.contains("code")), "{said:?}");
        all.push(said);
    }
    for other in &all[1..] {
        assert_eq!(*other, all[0]);
    }
    assert_eq!(std::fs::read_to_string(folder.0.join("there/scene.toml")).unwrap(), SCENE);
    assert!(!folder.0.join("not-there").exists());
}

/// Before, a block went through the wall if it was to go far enough.
#[tokio::test]
async fn limits_are_those_of_the_command_line() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let slide = |max: f64| json!({ "bodies": [1], "direction": [1, 0, 0], "max": max });
    for max in [1.0, 1e3, 1e9, 1e15] {
        let found = page.done("slide", slide(max)).await;
        assert!(found["contact"].is_object(), "{max}: {found}");
        // Rounded to what a distance of that length can be told to.
        let distance = found["distance"].as_f64().unwrap();
        assert!((distance - 0.185).abs() < 1e-9 + 1e-12 * max, "{max}: {distance}");
    }
    for max in [1e51, 1e300, -1e300, 1.7e308] {
        assert_eq!(page.refused("slide", slide(max)).await, "request", "{max}");
    }
    // The sum of two numbers within the limits may be beyond them.
    let far = json!([[1, [0.9e50, 0, 0, 0, 0, 0, 1]]]);
    let code = page
        .refused("slide", json!({ "bodies": [1], "direction": [1, 0, 0], "max": 0.9e50, "poses": far }))
        .await;
    assert!(["request", "scene"].contains(&code.as_str()), "{code}");
    let turn = |max: f64, x: f64| json!({ "bodies": [1], "axis": { "point": [x, 0, 0], "direction": [0, 0, 1] }, "max": max });
    page.done("turn", turn(1.0, 0.0)).await;
    for (max, x) in [(1e300, 0.0), (6.4e6, 0.0), (1.0, 1e51), (1.0, -1e300)] {
        assert_eq!(page.refused("turn", turn(max, x)).await, "request", "{max} {x}");
    }
    for x in [1e51, 1e300] {
        let pose = json!([x, 0, 0, 0, 0, 0, 1]);
        assert_eq!(page.refused("probe", json!({ "poses": [[1, pose]] })).await, "request");
        assert_eq!(page.refused("set_pose", json!({ "body": 1, "pose": pose })).await, "request");
    }
}

#[tokio::test]
async fn refused_uploads_tell_nothing_of_folders() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let origin = format!("Origin: http://{}\r\n", address.host);
    let gltf = br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"no.bin"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":9}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#;
    for (name, bytes) in [
        ("a.stl", &b"solid a\nfacet"[..]),
        ("a.obj", b"v 1 2"),
        ("a.glb", b"glTF"),
        ("a.off", b""),
        ("a.gltf", gltf),
    ] {
        let (status, response) = address.request("POST", &format!("/api/upload?name={name}"), &origin, bytes);
        let said: Value = serde_json::from_slice(body(&response)).unwrap();
        assert_eq!(status, 400, "{said}");
        let said = said.to_string();
        let is_secret = |part: &str| said.contains(part);
        assert!(
            !is_secret(folder.0.to_str().unwrap()) && !is_secret(".part") && !is_secret("/scenes"),
            "{said}"
        );
        assert!(said.contains(name), "{said}");
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.0.join("scenes")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["scene.toml"]);
}

/// Before, 256 connections that said nothing kept everybody out until they were given up after half a minute.
#[tokio::test(flavor = "multi_thread")]
async fn who_only_stands_at_the_door_keeps_nobody_out() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    // Somebody who was let in stays.
    let mut page = Client::connect(&address).await;
    let mut silent: Vec<TcpStream> = Vec::new();
    for k in 0..400 {
        let mut stream = TcpStream::connect(&address.host).unwrap();
        match k % 3 {
            0 => {}
            1 => stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap(),
            _ => {
                // One without a token, and then nothing.
                let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", address.host);
                stream.write_all(request.as_bytes()).unwrap();
            }
        }
        silent.push(stream);
    }
    // Far less than what they may stay.
    let start = Instant::now();
    assert_eq!(address.get("/").0, 200);
    let mut second = Client::connect(&address).await;
    second.done("get_text", json!({})).await;
    page.done("get_text", json!({})).await;
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    // All of them are gone after a while, and pages are not.
    for mut stream in silent {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut rest = Vec::new();
        // Closed, or reset because what it said was not read.
        let ended = stream.read_to_end(&mut rest);
        let is_waiting = |e: &std::io::Error| {
            matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        };
        assert!(!ended.is_err_and(|e| is_waiting(&e)));
    }
    page.done("get_text", json!({})).await;
    second.done("get_text", json!({})).await;
}
