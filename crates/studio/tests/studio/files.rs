//! Saving, reloading, meshes, uploads, exports.

use crate::client::{Address, Client, Folder, SCENE, at, body, says};
use serde_json::{Value, json};

/// A tetrahedron.
const MESH: &[u8] = b"OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

#[tokio::test]
async fn saving_keeps_comments_and_others_are_noticed() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    assert_eq!(folder.text(), SCENE);
    let saved = page.done("save", json!({})).await;
    assert_eq!(page.scene(&saved["revision"]).await["dirty"], false);
    assert_eq!(folder.text(), SCENE.replace("pose = [0, 0, 0]", "pose = [10, 0, 0]"));
    page.done("save_as", json!({ "path": "copy.toml" })).await;
    assert!(says(&folder.0.join("scenes/copy.toml"), "# it stands"));
    let files = page.done("list", json!({})).await;
    assert_eq!(files["files"], json!([{ "path": "copy.toml" }, { "path": "scene.toml" }]));

    std::fs::write(folder.0.join("scenes/copy.toml"), SCENE.replace("[100, 0, 0]", "[50, 0, 0]")).unwrap();
    assert_eq!(page.event("disk").await["changed"], true);
    let reloaded = page.done("reload", json!({})).await;
    assert_eq!(page.scene(&reloaded["revision"]).await["end"][1], at(0.05, 0.0, 0.0));
    page.done("undo", json!({})).await;
    let opened = page.done("open", json!({ "path": "scene.toml" })).await;
    assert_eq!(page.scene(&opened["revision"]).await["name"], "scene");
    let answer = page.ask("set_text", json!({ "text": SCENE.replace("\"push\"", "push") })).await;
    assert_eq!((&answer["error"]["code"], &answer["error"]["line"]), (&json!("scene"), &json!(20)));
}

#[tokio::test]
async fn meshes_come_in_and_go_out() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let origin = format!("Origin: http://{}\r\n", address.host);
    let upload = |name: &str, bytes: &[u8]| {
        address.request("POST", &format!("/api/upload?name={name}"), &origin, bytes)
    };
    let (status, answer) = upload("part.off", MESH);
    assert_eq!(status, 201, "{}", String::from_utf8_lossy(&answer));
    let answer: Value = serde_json::from_slice(body(&answer)).unwrap();
    assert_eq!((&answer["file"], &answer["body"]), (&json!("part.off"), &json!(2)));
    let scene = page.event("scene").await;
    assert_eq!((&scene["bodies"][2]["name"], &scene["bodies"][2]["triangles"]), (&json!("part"), &json!(4)));
    // Never over another file; what is no mesh is removed again.
    assert_eq!(upload("part.off", MESH).0, 409);
    assert_eq!(upload("bad.stl", b"nonsense").0, 400);
    assert!(!folder.0.join("scenes/bad.stl").exists());

    let path = format!("/api/mesh/{}", scene["bodies"][2]["mesh"].as_str().unwrap());
    let (status, plain) = address.get(&path);
    assert_eq!(status, 200);
    let mesh = body(&plain);
    assert_eq!(&mesh[..4], b"FRM1");
    let word = |at: usize| u32::from_le_bytes(mesh[at..at + 4].try_into().unwrap());
    assert_eq!([word(4), word(8), word(12)], [4, 4, 6]);
    assert_eq!(mesh.len(), 16 + 24 + 12 * 4 + 12 * 4 + 8 * 6);
    let center = f64::from_le_bytes(mesh[16..24].try_into().unwrap());
    assert!((center - 0.005).abs() < 1e-15);
    let (_, zipped) = address.request("GET", &path, "Accept-Encoding: gzip\r\n", b"");
    assert_eq!(&body(&zipped)[..2], [0x1f, 0x8b]);
    assert_eq!(address.get("/api/mesh/00000000").0, 404);

    for (name, head) in
        [("report.html", "<!"), ("animation.glb", "glTF"), ("drawing.svg", "<"), ("scene.toml", "# A block")]
    {
        let (status, answer) = address.get(&format!("/api/export/{name}"));
        assert_eq!(status, 200, "{name}: {}", String::from_utf8_lossy(&answer));
        assert!(body(&answer).starts_with(head.as_bytes()), "{name}");
    }
    assert_eq!(address.get("/api/export/other").0, 404);
    assert_eq!(address.get("/").0, 200);
}

/// Before, the thread of the scene waited for a reader for good, and the studio with it: only `kill -9` ended
/// it.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_the_place_of_a_scene_is_refused_and_nothing_waits() {
    let folder = Folder::new();
    let scenes = folder.0.join("scenes");
    let make = |name: &str| std::process::Command::new("mkfifo").arg(scenes.join(name)).status().unwrap();
    assert!(make("pipe").success() && make("direct.toml").success());
    std::os::unix::fs::symlink("pipe", scenes.join("pipe.toml")).unwrap();
    let mut server = crate::crash::Killed::start(&folder);
    let mut page = Client::connect(&server.address).await;
    for name in ["pipe.toml", "direct.toml"] {
        let answer = page.ask("save_as", json!({ "path": name, "overwrite": true })).await;
        assert_eq!(answer["error"]["code"], "path", "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("a pipe"), "{answer}");
    }
    page.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    std::fs::remove_file(folder.scene()).unwrap();
    assert!(make("scene.toml").success());
    for _ in 0..3 {
        let code = page.refused("save", json!({})).await;
        assert!(code == "path" || code == "changed", "{code}");
    }
    std::fs::remove_file(folder.scene()).unwrap();
    page.done("save", json!({})).await;
    assert!(folder.text().contains("pose = [10, 0, 0]"));
    drop(page);
    assert!(std::process::Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    assert!(server.ends().success());
}

#[tokio::test]
async fn names_of_files_have_no_characters_that_are_not_shown() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    for name in ["a\u{7}b", "a\u{202e}lmot", "a\u{200b}.toml", "a\nb", "a\u{1b}[31m"] {
        assert_eq!(page.refused("save_as", json!({ "path": name })).await, "path", "{name:?}");
    }
    page.done("save_as", json!({ "path": "größer 軸" })).await;
    assert_eq!(folder.0.join("scenes").read_dir().unwrap().count(), 2);
}
