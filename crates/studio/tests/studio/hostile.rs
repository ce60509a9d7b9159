//! Clients that mean harm, or do not know better; after each of them the server still serves.

use crate::client::{Address, Client, Folder, SCENE, at, body};
use crate::crash::Killed;
use freiraum_testkit::within::Limit;
use futures_util::SinkExt;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

const MESH: &[u8] = b"OFF\n4 4 0\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

#[tokio::test]
async fn names_that_were_made_to_lead_here_are_refused() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let port = address.host.rsplit(':').next().unwrap().to_owned();
    let get = |headers: &str| {
        let request = format!(
            "GET /api/export/scene.toml?token={} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n",
            address.token
        );
        address.raw(request.as_bytes()).0
    };
    for name in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.localhost",
        "localhost.",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "[::]",
        "192.168.1.1",
        "2130706433",
        "0x7f000001",
        "127.1",
        "127.0.0.1:80",
        "user@127.0.0.1",
        "127.0.0.1 ",
        "127.0.0.1/",
        "%31%32%37.0.0.1",
        "",
    ] {
        assert!([400, 403].contains(&get(&format!("Host: {name}:{port}\r\n"))), "{name:?}");
    }
    for host in ["127.0.0.1", "localhost", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999999", "127.0.0.1:+1"]
    {
        assert!([400, 403].contains(&get(&format!("Host: {host}\r\n"))), "{host:?}");
    }
    let ours = format!("Host: {}\r\n", address.host);
    assert!([400, 403].contains(&get("")), "no name");
    assert!([400, 403].contains(&get(&format!("{ours}Host: evil.example:{port}\r\n"))), "two names");
    assert!([400, 403].contains(&get(&format!("Host: evil.example:{port}\r\n{ours}"))), "two names");
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        String::new(),
        format!("https://{}", address.host),
        format!("http://{}/", address.host),
        format!("http://evil.example@{}", address.host),
        format!("http://{}.evil.example", address.host),
        format!("http://localhost:{}", 1),
        "http://127.0.0.1".to_owned(),
        "file://".to_owned(),
        format!("http://{0} http://{0}", address.host),
    ] {
        assert_eq!(get(&format!("{ours}Origin: {origin}\r\n")), 403, "{origin:?}");
    }
    let own = format!("Origin: http://{}\r\n", address.host);
    assert_eq!(get(&format!("{ours}{own}Origin: http://evil.example\r\n")), 403, "two origins");
    assert_eq!(get(&format!("{ours}{own}")), 200);
    // The token must be the whole one, and in its place.
    let with = |query: &str, headers: &str| {
        let request = format!("GET /{query} HTTP/1.1\r\nConnection: close\r\n{ours}{headers}\r\n");
        address.raw(request.as_bytes()).0
    };
    let token = &address.token;
    for query in [
        String::new(),
        "?".to_owned(),
        "?token".to_owned(),
        "?token=".to_owned(),
        format!("?token={}", &token[1..]),
        format!("?token={token}0"),
        format!("?token={}", token.to_uppercase()).replace(token.as_str(), "x"),
        format!("?Token={token}"),
        format!("?token=x&token={token}"),
        format!("?x={token}"),
        format!("?token=%20{token}"),
    ] {
        assert_eq!(with(&query, ""), 401, "{query}");
    }
    for cookie in [
        format!("freiraum_token={token}"),
        format!("freiraum_token_{port}={}", &token[..20]),
        format!("x_freiraum_token_{port}={token}"),
        format!("freiraum_token_{port}"),
    ] {
        assert_eq!(with("", &format!("Cookie: {cookie}\r\n")), 401, "{cookie}");
    }
    for header in ["Authorization: Bearer ", "X-Token: "] {
        assert_eq!(with("", &format!("{header}{token}\r\n")), 401);
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "X"] {
        let status = address.request(method, "/api/export/scene.toml", "", b"").0;
        assert!([400, 403, 404, 405].contains(&status), "{method}: {status}");
    }
    Client::connect(&address).await;
}

/// A WebSocket by hand.
fn by_hand(address: &Address) -> TcpStream {
    let mut stream = TcpStream::connect(&address.host).unwrap();
    let head = format!(
        "GET /api/live?token={} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        address.token,
        host = address.host
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// A frame with a mask of zeros.
fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match content.len() {
        length @ 0..126 => bytes.push(0x80 | length as u8),
        length @ 126..0x10000 => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(content);
    bytes
}

/// Everything until the server closes the connection, which it does.
fn until_end(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Err(e) = stream.read_to_end(&mut bytes) {
        assert_ne!(e.kind(), std::io::ErrorKind::WouldBlock, "it is not given up");
    }
    bytes
}

#[tokio::test]
async fn frames_that_are_wrong_end_the_connection() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let piece = vec![b'x'; 300_000];
    // Five pieces of 300 kB are too large together.
    let mut pieces = frame(0x01, &piece);
    for _ in 0..4 {
        pieces.extend(frame(0x00, &piece));
    }
    pieces.extend(frame(0x80, b""));
    let split = [frame(0x01, b"{\"id\":1,\"do\":\"\xc3"), frame(0x80, b"\x28\"}")].concat();
    let wrong: Vec<Vec<u8>> = vec![
        pieces,
        split,
        frame(0x80, b"a continuation of nothing"),
        [frame(0x01, b"a"), frame(0x81, b"b")].concat(),
        frame(0x09, b"a ping in pieces"),
        frame(0x89, &[0; 126]),
        frame(0xc1, b"reserved bit"),
        frame(0x84, b"reserved code"),
        frame(0x8b, b"reserved control"),
        frame(0x88, b"\x03"),
        frame(0x88, b"\x00\x00"),
        frame(0x88, b"\x03\xe8\xff\xfe"),
        frame(0x81, b"\xed\xa0\x80"),
        frame(0x81, b"\xf8\x88\x80\x80\x80"),
        b"\x81\xfe\x00\x01\0\0\0\0x".to_vec(),
        b"\x81\xff\x80\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
    ];
    for (number, bytes) in wrong.into_iter().enumerate() {
        let mut stream = by_hand(&address);
        // The server may close in the middle of it.
        let _ = stream.write_all(&bytes);
        // Some are only found wrong when more comes, or when the page leaves.
        let _ = stream.shutdown(Shutdown::Write);
        let said = tokio::task::spawn_blocking(move || until_end(stream)).await.unwrap();
        let said = String::from_utf8_lossy(&said);
        assert!(!said.contains("\"ok\":true"), "{number}: {said}");
    }
    // One byte at a time is slow, but right; so is a message in many pieces with pings between them.
    let mut stream = by_hand(&address);
    let mut message = frame(0x01, b"{\"id\":5,");
    for byte in b"\"do\":\"get_text\"" {
        message.extend(frame(0x00, &[*byte]));
        message.extend(frame(0x89, b"ping"));
    }
    message.extend(frame(0x80, b"}"));
    for byte in message {
        stream.write_all(&[byte]).unwrap();
    }
    stream.write_all(&frame(0x88, b"\x03\xe8")).unwrap();
    let said = tokio::task::spawn_blocking(move || until_end(stream)).await.unwrap();
    assert!(!said.is_empty());
    page.done("get_text", json!({})).await;
}

#[tokio::test]
async fn messages_that_make_no_sense_are_refused_readably() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let deep_object = format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let deep_path = format!(
        "{{\"id\":1,\"do\":\"add_step\",\"moves\":[{{\"bodies\":[1],\"path\":{}1{}}}]}}",
        "[{\"path\":".repeat(60),
        "}]".repeat(60)
    );
    for text in [
        deep_object.as_str(),
        deep_path.as_str(),
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[1e999,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[NaN,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[-Infinity,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[null,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[\"1\",0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1,\"pose\":[0,0,0]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":1.5,\"pose\":[0,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":99999999999999999999999,\"pose\":[0,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\",\"body\":\"block\",\"pose\":[0,0,0,0,0,0,1]}",
        "{\"id\":1,\"do\":\"set_pose\"}",
        "{\"id\":1,\"do\":\"open\"}",
        "{\"id\":1,\"do\":\"\\ud800\"}",
        "{\"id\":1,\"do\":\"__proto__\"}",
        "{\"id\":1,\"do\":\"Save\"}",
        "{\"id\":1,\"id\":2,\"do\":[]}",
        "{\"id\":{},\"do\":\"no such\"}",
        "null",
        "\u{feff}{}",
        "{\"id\":1,\"do\":\"save\"} trailing",
    ] {
        page.socket.send(Message::Text(text.into())).await.unwrap();
        let answer = page.event_where(|message| message["error"].is_object()).await;
        let error = &answer["error"];
        assert_eq!(error["code"], "request", "{}: {answer}", &text[..text.len().min(80)]);
        let message = error["message"].as_str().unwrap();
        assert!(!message.is_empty() && message.len() < 1000, "{message}");
    }
    // Numbers as large and as small as they come, in every question: an answer or a refusal, and soon.
    let huge = [1e300, -1e300, 1e18, 1e9, 1e-300, 5e-324, f64::MAX];
    for x in huge {
        let poses = json!([[1, at(x, -x, x)]]);
        let axis = json!({ "point": [x, x, x], "direction": [x, 0.0, 0.0] });
        let turned = json!([x, 0.0, 0.0, x, x, x, x]);
        let questions = [
            ("slide", json!({ "bodies": [1], "direction": [x, x, x], "max": x, "at": null })),
            (
                "slide",
                json!({ "bodies": [1], "direction": [1, 0, 0], "max": 1.0, "at": null, "poses": poses }),
            ),
            ("turn", json!({ "bodies": [1], "axis": axis, "max": x, "at": null })),
            ("turn", json!({ "bodies": [1], "axis": axis, "max": 1.0, "at": null, "poses": poses })),
            ("probe", json!({ "at": null, "poses": poses })),
            ("probe", json!({ "at": { "step": 0, "t": x }, "poses": [] })),
            ("poses", json!({ "step": 0, "t": x })),
            ("curve", json!({ "step": 0, "pair": [1, 0] })),
            ("set_pose", json!({ "body": 1, "pose": turned })),
            ("set_goal", json!({ "body": 1, "pose": at(x, x, x) })),
            ("set_color", json!({ "body": 1, "color": [x, -x, 0.0] })),
            ("add_step", json!({ "moves": [{ "bodies": [1], "translate": [x, 0.0, 0.0] }], "seconds": x })),
            (
                "add_step",
                json!({ "moves": [{ "bodies": [1], "screw": { "point": [x, 0, 0], "axis": [0, x, 0], "angle": x, "advance": x } }] }),
            ),
            (
                "add_step",
                json!({ "moves": [{ "bodies": [1], "path": [at(x, 0.0, 0.0), { "translate": [1, 0, 0], "share": x }] }] }),
            ),
        ];
        for (name, keys) in questions {
            let limit = Limit::new(Duration::from_secs(20));
            let answer = page.ask(name, keys.clone()).await;
            assert!(answer["ok"] == true || answer["error"]["code"] != "internal", "{name} {keys}: {answer}");
            limit.check();
        }
        while page.ask("undo", json!({})).await["ok"] == true {}
    }
    // Bodies and steps that are not there.
    let none = [
        ("set_pose", json!({ "body": 2, "pose": at(0.0, 0.0, 0.0) })),
        ("set_goal", json!({ "body": 9, "pose": null })),
        ("set_color", json!({ "body": 9, "color": [0, 0, 0] })),
        ("set_fixed", json!({ "body": 9, "fixed": true })),
        ("rename_body", json!({ "body": 9, "name": "x" })),
        ("curve", json!({ "step": 0, "pair": [1, 9] })),
        ("curve", json!({ "step": 0, "pair": [1, 1] })),
        ("curve", json!({ "step": 9, "pair": [1, 0] })),
        ("slide", json!({ "bodies": [1, 1], "direction": [1, 0, 0], "max": 1.0 })),
        ("slide", json!({ "bodies": [1], "direction": [0, 0, 0], "max": 1.0 })),
        ("slide", json!({ "bodies": [1], "direction": [1, 0, 0], "max": 1.0, "at": { "step": 7, "t": 0 } })),
        ("probe", json!({ "at": null, "poses": [[9, at(0.0, 0.0, 0.0)]] })),
        ("plan", json!({ "bodies": [9], "to": at(0.0, 0.0, 0.0) })),
        ("plan", json!({ "bodies": [1, 1], "to": at(0.0, 0.0, 0.0) })),
        ("plan", json!({ "bodies": [0], "to": at(0.0, 0.0, 0.0) })),
        ("plan", json!({ "bodies": [1], "to": at(0.0, 0.0, 0.0), "planner": "guess" })),
        ("plan", json!({ "bodies": [1], "to": at(0.0, 0.0, 0.0), "at": { "step": 12, "t": 0.0 } })),
        ("plan", json!({ "step": 9 })),
        ("plan", json!({})),
        ("add_step", json!({ "moves": [{ "bodies": [], "translate": [0, 0, 0] }] })),
        ("move_step", json!({ "from": 0, "to": 9 })),
        ("duplicate_step", json!({ "step": 9 })),
    ];
    for (name, keys) in none {
        let code = page.refused(name, keys.clone()).await;
        assert!(["request", "scene"].contains(&code.as_str()), "{name} {keys}: {code}");
    }
    // As many texts as there are ways to say nothing.
    for text in
        ["", "\0", "body = 1", "[[body]]", "units = 7", &"[".repeat(10_000), &"a.".repeat(5000), "# only\n"]
    {
        assert_eq!(page.refused("set_text", json!({ "text": text })).await, "scene", "{text:.20}");
        assert_eq!(page.refused("open", json!({ "text": text })).await, "scene", "{text:.20}");
    }
    assert_eq!(page.done("get_text", json!({})).await["text"], SCENE);
}

#[tokio::test]
async fn half_closed_and_forgotten_connections_hold_up_nobody() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    // One that says no more still gets its answer.
    let mut stream = TcpStream::connect(&address.host).unwrap();
    write!(
        stream,
        "GET /api/export/scene.toml?token={} HTTP/1.1\r\nHost: {}\r\n\r\n",
        address.token, address.host
    )
    .unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let said = tokio::task::spawn_blocking(move || until_end(stream)).await.unwrap();
    assert_eq!(body(&said), SCENE.as_bytes());
    // A page that has closed its side is gone.
    let stream = by_hand(&address);
    stream.shutdown(Shutdown::Write).unwrap();
    tokio::task::spawn_blocking(move || until_end(stream)).await.unwrap();
    // Connections that ask for nothing, and requests that never end.
    let mut idle: Vec<TcpStream> = Vec::new();
    for k in 0..60 {
        let mut stream = TcpStream::connect(&address.host).unwrap();
        if k % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        }
        idle.push(stream);
    }
    page.done("get_text", json!({})).await;
    assert_eq!(address.get("/").0, 200);
    // Headers without end are refused before they fill the memory.
    let endless = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", address.host, "x".repeat(2_000_000));
    assert!([0, 400, 431].contains(&address.raw(endless.as_bytes()).0));
    let many: String = (0..1000).map(|k| format!("X{k}: y\r\n")).collect();
    assert!([0, 400, 431].contains(&address.raw(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()).0));
    let long = format!("/{}", "x".repeat(100_000));
    assert!([0, 400, 404, 414, 431].contains(&address.get(&long).0));
    // They are given up after a while, in which others are served.
    let limit = Limit::new(Duration::from_secs(50));
    for stream in idle {
        stream.set_read_timeout(Some(Duration::from_secs(50))).unwrap();
        tokio::task::spawn_blocking(move || until_end(stream)).await.unwrap();
    }
    limit.check();
    page.done("get_text", json!({})).await;
}

#[tokio::test]
async fn fifty_tabs_see_the_same() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut pages = Vec::new();
    for _ in 0..50 {
        pages.push(Client::connect(&address).await);
    }
    let mut last = Value::Null;
    for (k, page) in pages.iter_mut().enumerate() {
        let pose = at(0.001 * k as f64, 0.0, 0.0);
        last = page.done("set_pose", json!({ "body": 1, "pose": pose })).await["revision"].clone();
    }
    for page in &mut pages {
        assert_eq!(page.scene(&last).await["bodies"][1]["pose"], at(0.049, 0.0, 0.0));
    }
    // All leave at once; there is room for others.
    drop(pages);
    tokio::time::sleep(Duration::from_millis(300)).await;
    for _ in 0..50 {
        Client::connect(&address).await;
    }
}

#[tokio::test]
async fn uploads_that_break_off_leave_nothing() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let there = folder.0.join("scenes/part.off");
    let head = |length: usize| {
        format!(
            "POST /api/upload?name=part.off&token={} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\r\n",
            address.token,
            host = address.host
        )
    };
    let gone = || {
        let limit = Limit::new(Duration::from_secs(20));
        while there.exists() {
            limit.check();
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    for part in [0, 1, 40] {
        let mut stream = TcpStream::connect(&address.host).unwrap();
        stream.write_all(head(MESH.len()).as_bytes()).unwrap();
        stream.write_all(&MESH[..part]).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        drop(stream);
        gone();
    }
    // Too large: said before it comes.
    let mut stream = TcpStream::connect(&address.host).unwrap();
    stream.write_all(head(1 << 29).as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
    drop(stream);
    gone();
    // Chunks that are none.
    let bad = format!(
        "POST /api/upload?name=part.off&token={} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        address.token,
        host = address.host
    );
    assert_eq!(address.raw(bad.as_bytes()).0, 400);
    gone();
    // Several of the same name at once: one of them wins, and the file is whole.
    let origin = format!("Origin: http://{}\r\n", address.host);
    let results: Vec<u16> = std::thread::scope(|scope| {
        let one = || address.request("POST", "/api/upload?name=part.off", &origin, MESH).0;
        let all: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results.iter().filter(|status| **status == 201).count(), 1, "{results:?}");
    assert_eq!(results.iter().filter(|status| **status == 409).count(), 7, "{results:?}");
    assert_eq!(std::fs::read(&there).unwrap(), MESH);
    let text = page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned();
    assert_eq!(text.matches("part.off").count(), 1);
}

/// Resident memory of a process, in bytes.
fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.trim().trim_end_matches(" kB").parse::<u64>().ok()?)
}

#[tokio::test]
async fn those_who_never_read_fill_no_memory() {
    let folder = Folder::new();
    let server = Killed::start(&folder);
    let mut page = Client::connect(&server.address).await;
    let large = format!("{SCENE}{}", format!("# {}\n", "x".repeat(97)).repeat(9000));
    page.done("set_text", json!({ "text": large })).await;
    page.done("get_text", json!({})).await;
    let Some(before) = memory(server.id()) else { return };
    let mut silent = Vec::new();
    for _ in 0..40 {
        let mut stream = by_hand(&server.address);
        stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
        for k in 0..200 {
            let question = frame(0x81, format!("{{\"id\":{k},\"do\":\"get_text\"}}").as_bytes());
            if stream.write_all(&question).is_err() {
                break;
            }
        }
        silent.push(stream);
    }
    for _ in 0..60 {
        let mut stream = TcpStream::connect(&server.address.host).unwrap();
        let Address { host, token } = &server.address;
        write!(stream, "GET /api/export/scene.toml?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        silent.push(stream);
    }
    for k in 0..150 {
        page.done("set_pose", json!({ "body": 1, "pose": at(1e-5 * k as f64, 0.0, 0.0), "merge": true }))
            .await;
    }
    let after = memory(server.id()).unwrap();
    let grown = after.saturating_sub(before) >> 20;
    // 8000 texts of 0.9 MB, and 60 files, were asked for.
    assert!(grown < 300, "{} MiB before, {grown} MiB more", before >> 20);
    drop(silent);
    page.done("undo", json!({})).await;
}
