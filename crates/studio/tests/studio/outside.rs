//! Files that are not in the folder of the scene, by all ways that lead there.

use crate::client::{Address, Client, Folder, SCENE, at};
use serde_json::json;

const MESH: &[u8] = b"OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

#[cfg(unix)]
#[tokio::test]
async fn links_that_appear_later_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let (inside, outside) = (folder.0.join("scenes"), folder.0.join("outside"));
    std::fs::create_dir_all(inside.join("sub")).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(inside.join("sub/scene.toml"), SCENE).unwrap();
    std::fs::write(inside.join("part.off"), MESH).unwrap();
    std::fs::write(outside.join("scene.toml"), SCENE).unwrap();
    std::fs::write(outside.join("secret.off"), MESH).unwrap();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let origin = format!("Origin: http://{}\r\n", address.host);
    // Links to files and folders.
    symlink(outside.join("scene.toml"), inside.join("late.toml")).unwrap();
    symlink(&outside, inside.join("late")).unwrap();
    for path in ["late.toml", "late/scene.toml", "./late/scene.toml"] {
        assert_eq!(page.refused("open", json!({ "path": path })).await, "path", "{path}");
        assert_eq!(
            page.refused("save_as", json!({ "path": path, "overwrite": true })).await,
            "path",
            "{path}"
        );
    }
    assert_eq!(page.refused("save_as", json!({ "path": "late/new" })).await, "path");
    assert_eq!(page.refused("add_body", json!({ "mesh": "late/secret.off" })).await, "path");
    let listed = page.done("list", json!({})).await;
    assert!(!listed["files"].to_string().contains("late"), "{listed}");
    // A folder of a scene that is open becomes a link.
    page.done("open", json!({ "path": "sub/scene.toml" })).await;
    page.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    std::fs::rename(inside.join("sub"), inside.join("was")).unwrap();
    symlink(&outside, inside.join("sub")).unwrap();
    assert!(["path", "changed"].contains(&page.refused("save", json!({})).await.as_str()));
    assert_eq!(page.refused("save", json!({})).await, "path");
    assert_eq!(page.refused("save_as", json!({ "path": "sub/scene.toml", "overwrite": true })).await, "path");
    assert_eq!(address.request("POST", "/api/upload?name=up.off", &origin, MESH).0, 400);
    assert_eq!(std::fs::read_to_string(outside.join("scene.toml")).unwrap(), SCENE);
    assert!(!outside.join("up.off").exists());
    // So does a file.
    page.done("open", json!({ "path": "scene.toml" })).await;
    page.done("add_body", json!({ "mesh": "part.off" })).await;
    page.done("save", json!({})).await;
    std::fs::remove_file(inside.join("part.off")).unwrap();
    std::fs::write(outside.join("secret.off"), [MESH, b"# other\n"].concat()).unwrap();
    symlink(outside.join("secret.off"), inside.join("part.off")).unwrap();
    let told = page.event("error").await;
    assert_eq!(told["code"], "path", "{told}");
    page.done("get_text", json!({})).await;
}

#[tokio::test]
async fn paths_in_every_place_are_refused() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("secret.toml"), SCENE).unwrap();
    std::fs::write(folder.0.join("secret.off"), MESH).unwrap();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let absolute = folder.0.join("secret").to_str().unwrap().to_owned();
    for path in [
        "../secret",
        "..%2fsecret",
        "%2e%2e/secret",
        "%2e%2e%2fsecret",
        "..%252fsecret",
        "./../secret",
        "x/../../secret",
        "scenes/../../secret",
        "....//secret",
        "..\\secret",
        "..%5csecret",
        "file:///etc/passwd",
        "//etc/passwd",
        "~/secret",
        "C:\\secret",
        "\\\\host\\share\\secret",
        "../secret.toml\0.toml",
        "..\u{2215}secret",
        "．．/secret",
        &absolute,
        &format!("x/{absolute}"),
    ] {
        for ending in ["", ".toml", "/", "/."] {
            let path = format!("{path}{ending}");
            assert_eq!(page.refused("open", json!({ "path": path })).await, "path", "open {path:?}");
        }
        // No harm: a folder of that name is not there.
        if path.contains(['/', '\\', '\0']) {
            assert_eq!(page.refused("save_as", json!({ "path": path })).await, "path", "save as {path:?}");
        }
        for ending in ["", ".off"] {
            let mesh = format!("{path}{ending}");
            let code = page.refused("add_body", json!({ "mesh": mesh })).await;
            assert!(["path", "scene"].contains(&code.as_str()), "add {mesh:?}: {code}");
        }
    }
    assert_eq!(page.refused("open", json!({ "path": "x".repeat(100_000) })).await, "path");
    assert_eq!(page.refused("save_as", json!({ "path": "x/".repeat(10_000) })).await, "path");
    assert_eq!(page.refused("save_as", json!({ "path": ".hidden" })).await, "path");
    assert_eq!(page.refused("open", json!({ "example": "../secret" })).await, "request");
    let origin = format!("Origin: http://{}\r\n", address.host);
    for name in [
        "..%2fx.off",
        "%2e%2e%2fx.off",
        "%252e%252e%252fx.off",
        "/tmp/x.off",
        "a/b.off",
        "x.off%00",
        "%ff.off",
        "..off",
        "",
        "%",
    ] {
        let status = address.request("POST", &format!("/api/upload?name={name}"), &origin, MESH).0;
        assert_eq!(status, 400, "{name:?}");
    }
    assert_eq!(address.request("POST", "/api/upload", &origin, MESH).0, 400);
    assert_eq!(address.request("POST", "/api/upload?name=a.off&name=../b.off", &origin, MESH).0, 400);
    for place in ["/api/mesh/", "/api/export/", "/", "/assets/"] {
        for path in [
            "..%2f..%2fsecret.toml",
            "%2e%2e/secret.toml",
            "..%5c..%5csecret.toml",
            "%00",
            "%ff%fe",
            "/etc/passwd",
            "..;/secret.toml",
        ] {
            let (status, answer) = address.get(&format!("{place}{path}"));
            assert!([400, 404].contains(&status), "{place}{path}: {status}");
            assert!(!answer.windows(11).any(|part| part == b"A block and"), "{place}{path}");
        }
    }
    // Nothing was made.
    let mut names: Vec<_> =
        std::fs::read_dir(folder.0.join("scenes")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["scene.toml"]);
    assert_eq!(std::fs::read_to_string(folder.0.join("secret.toml")).unwrap(), SCENE);
    page.done("get_text", json!({})).await;
}
