//! The studio as a page feels it: from an edit to the verdict, and a frame of scrubbing, over the WebSocket.
//!
//! The gearbox without its four screws is opened, a pose is changed, and the time until the verdict on that change arrives is taken; likewise poses at a
//! moment of the plan. Wall time, because a person waits; beside it the processor time of studio and page together, which other work on the machine disturbs less.

use freiraum_benches::clock::process_time;
use freiraum_demo::{GEARBOX, write_gearbox};
use freiraum_studio::{Options, Studio};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Edits and frames that are measured.
const ROUNDS: usize = 30;

/// From an edit to the verdict, in milliseconds.
const EDIT_TARGET: f64 = 100.0;

/// A frame, in milliseconds.
const FRAME_TARGET: f64 = 16.0;

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    let folder = std::env::temp_dir().join(format!("freiraum-bench-studio-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let scene =
        write_gearbox(&folder, (GEARBOX.0, &without_screws(GEARBOX.1))).expect("the folder can be written");
    let options = Options { scene: Some(scene), cache: Some(folder.join("cache")), ..Options::default() };
    let studio = Studio::start(options).expect("a free port");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let [mut edits, mut busy, mut frames] = runtime.block_on(measure(studio.address()));
    drop(studio);
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "studio: the gearbox without its screws, {} threads",
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    line("edit of a pose to verdict", &mut edits, EDIT_TARGET);
    line("  processor time of that", &mut busy, EDIT_TARGET);
    line("poses at a moment", &mut frames, FRAME_TARGET);
}

/// The plan up to the first screw.
fn without_screws(text: &str) -> String {
    let steps: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut block = String::new();
    let mut keep = |block: &mut String| {
        if !block.contains("screw = {") {
            out.push_str(block);
        }
        block.clear();
    };
    for line in steps {
        if line.starts_with("[[") {
            keep(&mut block);
        }
        block.push_str(line);
    }
    keep(&mut block);
    out
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn line(what: &str, times: &mut [f64], target: f64) {
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let word = if median <= target { "reached" } else { "missed" };
    println!("{what:<28} median {median:8.2} ms   worst {worst:8.2} ms   target {target:5.0} ms   {word}");
}

/// Milliseconds from edits to verdicts, the processor time of that, and milliseconds per frame.
async fn measure(address: &str) -> [Vec<f64>; 3] {
    let (base, token) =
        address.trim_start_matches("http://").split_once("/?token=").expect("an address with a token");
    let mut request =
        format!("ws://{base}/api/live?token={token}").into_client_request().expect("an address");
    request.headers_mut().insert("origin", format!("http://{base}").parse().expect("a plain text"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("the studio answers");
    let hello = wait(&mut socket, |message| message["event"] == "hello").await;
    let mut pose = hello["scene"]["bodies"][1]["pose"].clone();
    let height = pose[2].as_f64().expect("a number");
    if hello["verdict"]["running"] != false {
        wait(&mut socket, |message| message["event"] == "verdict" && message["running"] == false).await;
    }
    let [mut edits, mut busy, mut frames] = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        // Never the same pose twice: nothing is remembered of it.
        pose[2] = json!(height + 0.0001 * (round + 1) as f64);
        let (start, busy_before) = (Instant::now(), process_time());
        send(&mut socket, json!({ "id": round, "do": "set_pose", "body": 1, "pose": pose })).await;
        let revision = wait(&mut socket, |message| message["event"] == "scene").await["revision"].clone();
        let is_it = |message: &Value| {
            message["event"] == "verdict" && message["running"] == false && message["revision"] == revision
        };
        wait(&mut socket, is_it).await;
        edits.push(milliseconds(start.elapsed()));
        busy.push(milliseconds(process_time() - busy_before));
    }
    for round in 0..ROUNDS {
        let id = ROUNDS + round;
        let start = Instant::now();
        send(&mut socket, json!({ "id": id, "do": "poses", "step": round % 10, "t": 0.37 })).await;
        wait(&mut socket, |message| message["id"] == id).await;
        frames.push(milliseconds(start.elapsed()));
    }
    [edits, busy, frames]
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

async fn send(socket: &mut Socket, message: Value) {
    socket.send(Message::Text(message.to_string().into())).await.expect("the studio listens");
}

async fn wait(socket: &mut Socket, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let Some(Ok(message)) = socket.next().await else { panic!("the studio has gone") };
        let Message::Text(text) = message else { continue };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if is_it(&message) {
            return message;
        }
    }
}
