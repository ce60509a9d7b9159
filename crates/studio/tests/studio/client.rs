//! A page without a browser: plain HTTP and the WebSocket, over TCP.

use freiraum_studio::{Options, Studio};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Everything in these tests takes far less.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A block that is pushed towards a wall, 85 mm of air left.
pub(crate) const SCENE: &str = r#"# A block and a wall; this comment stays.
units = "mm"

[check]
clearance = 1

[[body]]
name = "wall"      # it stands
shape = { box = { size = [10, 100, 100] } }
pose = [200, 0, 0]
fixed = true

[[body]]
name = "block"
shape = { box = { size = [20, 20, 20] } }
pose = [0, 0, 0]

# And so does this one.
[[step]]
name = "push"
move = "block"
translate = [100, 0, 0]
"#;

/// A folder that is removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("freiraum-studio-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("scenes")).unwrap();
        std::fs::write(path.join("scenes/scene.toml"), SCENE).unwrap();
        Folder(path)
    }

    pub(crate) fn scene(&self) -> PathBuf {
        self.0.join("scenes/scene.toml")
    }

    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(self.scene()).unwrap()
    }

    pub(crate) fn options(&self) -> Options {
        Options { scene: Some(self.scene()), cache: Some(self.0.join("cache")), ..Options::default() }
    }

    /// With the programs that the scene names.
    pub(crate) fn trusting(&self) -> Studio {
        let file = freiraum_formats::scene::SceneFile::read(self.scene()).unwrap();
        let programs = freiraum_world::control::Programs::of(file.scene());
        Studio::start(Options { programs, ..self.options() }).unwrap()
    }

    pub(crate) fn studio(&self) -> Studio {
        Studio::start(self.options()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where a studio is.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) token: String,
}

impl Address {
    pub(crate) fn of(address: &str) -> Address {
        let rest = address.trim().strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once("/?token=").unwrap();
        Address { host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends a request as it is; status and everything after it.
    pub(crate) fn raw(&self, request: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // A server that refuses early may close before all is written.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(20)]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, bytes)
    }

    /// A request with the token, our own host and these headers.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let and = if path.contains('?') { '&' } else { '?' };
        let head = format!(
            "{method} {path}{and}token={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.token,
            self.host,
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.request("GET", path, "", b"")
    }
}

/// What follows the empty line.
pub(crate) fn body(response: &[u8]) -> &[u8] {
    let end = response.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    &response[end + 4..]
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// A page.
pub(crate) struct Client {
    pub(crate) socket: Socket,
    /// Events that came while something else was waited for.
    events: Vec<Value>,
    last: u64,
    pub(crate) hello: Value,
}

impl Client {
    pub(crate) async fn connect(address: &Address) -> Client {
        let origin = format!("http://{}", address.host);
        let socket =
            Client::try_connect(address, &address.token, Some(&origin), &address.host).await.unwrap();
        let mut client = Client { socket, events: Vec::new(), last: 0, hello: Value::Null };
        client.hello = client.event("hello").await;
        client
    }

    /// With all that can be wrong about it.
    pub(crate) async fn try_connect(
        address: &Address,
        token: &str,
        origin: Option<&str>,
        host: &str,
    ) -> Result<Socket, u16> {
        let url = format!("ws://{}/api/live?token={token}", address.host);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((socket, _)) => Ok(socket),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    /// The next text. Pings are no answer: they do not make it wait longer.
    async fn next(&mut self) -> Option<Value> {
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            let Ok(message) = tokio::time::timeout_at(end, self.socket.next()).await else {
                panic!("nothing comes; there were {:?}", self.events);
            };
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    }

    /// Asks, and does not wait.
    pub(crate) async fn start(&mut self, command: &str, mut rest: Value) {
        self.last += 1;
        rest["id"] = json!(self.last);
        rest["do"] = json!(command);
        self.socket.send(Message::Text(rest.to_string().into())).await.unwrap();
    }

    /// Asks and waits for the answer.
    pub(crate) async fn ask(&mut self, command: &str, rest: Value) -> Value {
        self.start(command, rest).await;
        loop {
            let message = self.next().await.expect("the connection stays");
            if message["id"] == self.last {
                return message;
            }
            assert!(message["event"].is_string(), "{message}");
            self.events.push(message);
        }
    }

    /// Asks for something that is done.
    pub(crate) async fn done(&mut self, command: &str, rest: Value) -> Value {
        let answer = self.ask(command, rest).await;
        assert_eq!(answer["ok"], true, "{command}: {answer}");
        answer
    }

    /// Asks for something that is refused; the code.
    pub(crate) async fn refused(&mut self, command: &str, rest: Value) -> String {
        let answer = self.ask(command, rest).await;
        answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{command}: {answer}")).to_owned()
    }

    /// The next event that is as wanted, of those that came and those that come.
    pub(crate) async fn event_where(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        if let Some(found) = self.events.iter().position(&is_it) {
            return self.events.remove(found);
        }
        loop {
            assert!(start.elapsed() < PATIENCE, "it never comes; there were {:?}", self.events);
            let message = self.next().await.expect("the connection stays");
            if is_it(&message) {
                return message;
            }
            self.events.push(message);
        }
    }

    /// Events that came and were not asked for.
    pub(crate) fn came(&self) -> &[Value] {
        &self.events
    }

    pub(crate) async fn event(&mut self, name: &str) -> Value {
        self.event_where(|event| event["event"] == name).await
    }

    /// The scene with this number, or a later one.
    pub(crate) async fn scene(&mut self, revision: &Value) -> Value {
        let revision = revision.as_u64().unwrap();
        self.event_where(|event| event["event"] == "scene" && event["revision"].as_u64() >= Some(revision))
            .await
    }

    /// The verdict on the scene with this number, when it is known.
    pub(crate) async fn verdict(&mut self, revision: &Value) -> Value {
        let is_it = |event: &Value| {
            event["event"] == "verdict" && event["revision"] == *revision && event["running"] == false
        };
        if is_it(&self.hello["verdict"]) {
            return self.hello["verdict"].clone();
        }
        self.event_where(is_it).await
    }
}

/// A pose without a turn, in metres.
pub(crate) fn at(x: f64, y: f64, z: f64) -> Value {
    json!([x, y, z, 0.0, 0.0, 0.0, 1.0])
}

/// Whether a file is there and says this.
pub(crate) fn says(path: &Path, text: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|found| found.contains(text))
}
