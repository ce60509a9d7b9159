//! Who and what is refused; after all of it the server still serves.

use crate::client::{Address, Client, Folder, SCENE};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::io::{Read, Write};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn strangers_are_refused() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let Address { host, token } = address.clone();
    let get = |path: &str, headers: &str| {
        address.raw(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").as_bytes()).0
    };
    let ours = format!("Host: {host}\r\n");
    // One digit off.
    let wrong = format!("{}{}", if token.starts_with('0') { '1' } else { '0' }, &token[1..]);
    for path in ["/", "/assets/x.js", "/api/mesh/0", "/api/export/scene.toml", "/api/live"] {
        assert_eq!(get(path, &format!("{ours}Origin: http://{host}\r\n")), 401, "{path} without a token");
        assert_eq!(
            get(&format!("{path}?token={wrong}"), &format!("{ours}Origin: http://{host}\r\nCookie: a=b\r\n")),
            401,
            "{path}"
        );
        assert_eq!(
            get(&format!("{path}?token={token}"), "Host: evil.example\r\n"),
            403,
            "{path} by another name"
        );
        let foreign = format!("{ours}Origin: http://evil.example\r\n");
        assert_eq!(get(&format!("{path}?token={token}"), &foreign), 403, "{path} from another page");
    }
    // The cookie is as good as the token.
    let port = host.rsplit(':').next().unwrap();
    assert_eq!(get("/", &format!("{ours}Cookie: x=1; freiraum_token_{port}={token}\r\n")), 200);
    let post = |headers: &str| address.request("POST", "/api/upload?name=a.stl", headers, b"solid").0;
    assert_eq!(post(""), 403);
    assert_eq!(post("Origin: http://evil.example\r\n"), 403);
    assert_eq!(post("Origin: null\r\n"), 403);

    let origin = format!("http://{host}");
    assert_eq!(Client::try_connect(&address, "wrong", Some(&origin), &host).await.unwrap_err(), 401);
    assert_eq!(
        Client::try_connect(&address, &token, Some("http://evil.example"), &host).await.unwrap_err(),
        403
    );
    assert_eq!(Client::try_connect(&address, &token, None, &host).await.unwrap_err(), 403);
    assert_eq!(
        Client::try_connect(&address, &token, Some(&origin), &format!("evil.example:{port}"))
            .await
            .unwrap_err(),
        403
    );
    Client::connect(&address).await;
}

#[tokio::test]
async fn files_outside_are_refused() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("secret.toml"), SCENE).unwrap();
    std::fs::write(folder.0.join("secret.off"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n").unwrap();
    #[cfg(unix)]
    {
        let inside = folder.0.join("scenes");
        std::os::unix::fs::symlink(folder.0.join("secret.toml"), inside.join("link.toml")).unwrap();
        std::os::unix::fs::symlink(folder.0.join("nowhere.toml"), inside.join("dangling.toml")).unwrap();
        std::os::unix::fs::symlink(&folder.0, inside.join("up")).unwrap();
        std::os::unix::fs::symlink(folder.0.join("made.stl"), inside.join("made.stl")).unwrap();
    }
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let secret = folder.0.join("secret.toml");
    let secret = secret.to_str().unwrap();
    for path in [
        "../secret.toml",
        "./../secret.toml",
        "a/../../secret.toml",
        secret,
        "link.toml",
        "up/secret.toml",
        "",
        "/",
        "..\\secret.toml",
        "a\0b",
    ] {
        assert_eq!(page.refused("open", json!({ "path": path })).await, "path", "open {path:?}");
    }
    for path in [
        "../new.toml",
        "/tmp/new.toml",
        "link.toml",
        "dangling.toml",
        "up/new.toml",
        "missing/new.toml",
        "",
        "..",
    ] {
        assert_eq!(page.refused("save_as", json!({ "path": path })).await, "path", "save as {path:?}");
    }
    assert_eq!(std::fs::read_to_string(secret).unwrap(), SCENE);
    assert!(!folder.0.join("nowhere.toml").exists() && !folder.0.join("new.toml").exists());
    // A scene may not name files outside either.
    for mesh in ["../secret.off", "up/secret.off", folder.0.join("secret.off").to_str().unwrap()] {
        let text = SCENE.replace("shape = { box = { size = [20, 20, 20] } }", &format!("mesh = {mesh:?}"));
        assert_eq!(page.refused("set_text", json!({ "text": text })).await, "path", "{mesh}");
        assert_eq!(page.refused("open", json!({ "text": text })).await, "path", "{mesh}");
    }
    let origin = format!("Origin: http://{}\r\n", address.host);
    let names =
        ["..%2Fx.stl", "%2Ftmp%2Fx.stl", "x.toml", ".x.stl", "a%00.stl", "x", "scene.toml", "a%5Cb.stl"];
    for name in names {
        let status = address.request("POST", &format!("/api/upload?name={name}"), &origin, b"x").0;
        assert_eq!(status, 400, "{name}");
    }
    assert_eq!(address.request("POST", "/api/upload?name=made.stl", &origin, b"x").0, 409, "through a link");
    assert!(!folder.0.join("made.stl").exists());
    for path in [
        "/../secret.toml",
        "/..%2fsecret.toml",
        "/assets/..%2f..%2fsecret.toml",
        "//etc/passwd",
        "/%2e%2e/secret.toml",
    ] {
        assert_ne!(address.get(path).0, 200, "{path}");
    }
    page.done("get_text", json!({})).await;
}

#[tokio::test]
async fn nonsense_is_refused_and_the_server_keeps_running() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    for text in [
        "",
        "{",
        "[]",
        "7",
        "{\"id\":1}",
        "{\"id\":1,\"do\":7}",
        "{\"do\":\"set_pose\",\"body\":-1,\"pose\":[]}",
    ] {
        page.socket.send(Message::Text(text.into())).await.unwrap();
        let answer = page
            .event_where(|message| {
                message.get("error").is_some_and(|error| !error.is_null()) && message["event"].is_null()
            })
            .await;
        assert_eq!(answer["error"]["code"], "request", "{text}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    page.socket.send(Message::Text(deep.into())).await.unwrap();
    page.event_where(|message| message["error"]["code"] == "request").await;
    page.done("get_text", json!({})).await;

    // Too large: this page is given up, the others are not.
    let mut large = Client::connect(&address).await;
    let _ = large.socket.send(Message::Text("x".repeat((1 << 20) + 1).into())).await;
    assert!(ends(&mut large).await);
    let mut binary = Client::connect(&address).await;
    binary.socket.send(Message::Binary(vec![0; 10].into())).await.unwrap();
    assert!(ends(&mut binary).await);
    // Frames that are none: not masked, a reserved code, text that is no text, a length without content.
    for frame in [
        &b"\x81\x05hello"[..],
        b"\x83\x80\0\0\0\0",
        b"\x81\x82\0\0\0\0\xff\xfe",
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
        &[0xff; 16],
    ] {
        let mut stream = std::net::TcpStream::connect(&address.host).unwrap();
        let head = format!(
            "GET /api/live?token={} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
            address.token,
            host = address.host
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(frame).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
        // Greeted, then given up.
        let end = tokio::task::spawn_blocking(move || stream.read_to_end(&mut Vec::new())).await.unwrap();
        assert!(end.is_ok() || end.unwrap_err().kind() != std::io::ErrorKind::WouldBlock, "{frame:?}");
    }
    // Requests that are none.
    for request in [&b"nonsense\r\n\r\n"[..], b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01"] {
        let stream = std::net::TcpStream::connect(&address.host).unwrap();
        (&stream).write_all(request).unwrap();
    }
    // A page that takes nothing holds up nobody.
    let silent = Client::connect(&address).await;
    for k in 0..200 {
        page.done("set_pose", json!({ "body": 1, "pose": [1e-5 * f64::from(k), 0, 0, 0, 0, 0, 1] })).await;
    }
    drop(silent);
    // Many pages; too many are turned away.
    let mut pages = Vec::new();
    let origin = format!("http://{}", address.host);
    let refused = loop {
        match Client::try_connect(&address, &address.token, Some(&origin), &address.host).await {
            Ok(page) => pages.push(page),
            Err(status) => break status,
        }
        assert!(pages.len() < 100);
    };
    assert_eq!(refused, 503);
    drop(pages);
    page.done("undo", json!({})).await;
}

/// Whether the server closes the connection.
async fn ends(page: &mut Client) -> bool {
    let until_end = async {
        while let Some(Ok(message)) = page.socket.next().await {
            if message.is_close() {
                break;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), until_end).await.is_ok()
}
