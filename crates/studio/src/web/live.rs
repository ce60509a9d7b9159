//! The WebSocket of a page: commands in, answers and events out.
//!
//! Every page has bounded queues: so many commands under way, so many events behind. A page that takes nothing for a while is given up.

use super::Web;
use super::reply::busy;
use super::world;
use crate::document::{Told, answer};
use crate::protocol::{Answer, Command, HelloEvent, REPLIES, Refusal, Reply, WorldCommand};
use crate::world::{Feed, Page};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, mpsc};

/// The largest message, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// Commands of one page that are under way at once.
const UNDER_WAY: usize = 16;

/// A page that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// So often a page is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);

/// A page that says nothing for so long is gone; browsers answer by themselves.
const SILENCE: Duration = Duration::from_secs(75);

pub(super) async fn get(State(web): State<Arc<Web>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = web.places.clone().try_acquire_owned() else { return busy() };
    upgrade.max_message_size(MAX_SIZE).max_frame_size(MAX_SIZE).on_upgrade(async move |socket| {
        serve(web, socket).await;
        drop(place);
    })
}

async fn serve(web: Arc<Web>, socket: WebSocket) {
    let (sink, stream) = socket.split();
    // Answers wait in the commands that are under way.
    let (answers, queue) = mpsc::channel(1);
    // Whichever ends first, the page or the connection, ends the other.
    let feed = web.shared().world.feed();
    let page = feed.page();
    tokio::select! {
        () = write(&web, sink, queue, feed) => {}
        () = read(&web, stream, answers, &page) => {}
    }
}

/// Sends answers and events as the page takes them.
async fn write(
    web: &Web,
    mut sink: SplitSink<WebSocket, Message>,
    mut answers: mpsc::Receiver<Message>,
    mut feed: Feed,
) {
    let told = &web.shared().told;
    let mut events = told.listen();
    let mut next = vec![hello(web, told)];
    next.extend(told.latest().trouble.map(Message::Text));
    let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
    loop {
        for message in next.drain(..) {
            let is_last = matches!(message, Message::Close(_));
            let sent = tokio::time::timeout(PATIENCE, sink.send(message)).await;
            if is_last || !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
        tokio::select! {
            biased;
            event = events.recv() => match event {
                Ok(event) => next.push(Message::Text(event)),
                // Too slow for all of it: how things are now is enough.
                Err(RecvError::Lagged(_)) => {
                    let latest = told.latest();
                    next.extend([latest.scene, latest.verdict].into_iter().flatten().map(Message::Text));
                }
                Err(RecvError::Closed) => return,
            },
            answer = answers.recv() => match answer {
                Some(answer) => next.push(answer),
                None => return,
            },
            // Frames last: the other messages are waited for. With a ping, that tells when it has arrived.
            (number, text) = feed.next() => {
                next.push(Message::Text(text.into()));
                next.push(Message::Ping(number.to_le_bytes().to_vec().into()));
            }
            _ = ping.tick() => next.push(Message::Ping(axum::body::Bytes::new())),
        }
    }
}

fn hello(web: &Web, told: &Told) -> Message {
    let latest = told.latest();
    // They are JSON already.
    let raw = |text: &'_ Option<Utf8Bytes>| {
        text.as_ref().and_then(|text| RawValue::from_string(text.to_string()).ok())
    };
    let (scene, verdict) = (raw(&latest.scene), raw(&latest.verdict));
    let event = HelloEvent {
        event: "hello",
        version: env!("CARGO_PKG_VERSION"),
        examples: &web.examples,
        unsaved: latest.unsaved,
        scene: scene.as_deref(),
        verdict: verdict.as_deref(),
    };
    Message::Text(serde_json::to_string(&event).unwrap_or_default().into())
}

/// Takes commands until the page leaves.
async fn read(
    web: &Arc<Web>,
    mut stream: SplitStream<WebSocket>,
    answers: mpsc::Sender<Message>,
    page: &Arc<Page>,
) {
    let places = Arc::new(Semaphore::new(UNDER_WAY));
    while let Ok(Some(message)) = tokio::time::timeout(SILENCE, stream.next()).await {
        let text = match message {
            Ok(Message::Text(text)) => text,
            Ok(Message::Binary(_)) => {
                let frame = CloseFrame { code: close_code::UNSUPPORTED, reason: "text is expected".into() };
                let _ = answers.send(Message::Close(Some(frame))).await;
                continue;
            }
            Ok(Message::Pong(bytes)) => {
                if let Ok(number) = <[u8; 8]>::try_from(bytes.as_ref()) {
                    page.arrived(u64::from_le_bytes(number));
                }
                continue;
            }
            Ok(Message::Ping(_)) => continue,
            // Too large, malformed, or gone.
            Ok(Message::Close(_)) | Err(_) => return,
        };
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let size = (text.len() >> 10) as u32 + 1;
        let Ok(room) = web.room.clone().acquire_many_owned(size).await else { return };
        let (asked, command) = parse(&text);
        let answers = answers.clone();
        let command = match command {
            Ok(command) => command,
            Err(refusal) => {
                drop(room);
                if answers.send(reply(web, &asked, Err(refusal))).await.is_err() {
                    return;
                }
                continue;
            }
        };
        let command = match command {
            Wanted::Scene(command) => command,
            Wanted::World(command) => {
                let Some(pending) = world::begin(web, page, command) else { continue };
                let web = web.clone();
                tokio::spawn(async move {
                    let done = world::finish(&web, pending).await;
                    drop(room);
                    // The page may be gone.
                    let _ = answers.send(reply(&web, &asked, done)).await;
                    drop(place);
                });
                continue;
            }
        };
        // Changes keep their order: they are handed over before the next message is read.
        let later = if is_question(&command) { None } else { Some(web.session.send(command.clone())) };
        let web = web.clone();
        tokio::spawn(async move {
            if matches!(command, Command::GetText) {
                // Large: not made before there is room for it.
                let Ok(slot) = answers.reserve().await else { return };
                slot.send(reply(&web, &asked, ask(&web, command).await));
                return;
            }
            let done = match later {
                Some(later) => later.await.unwrap_or_else(|_| Err(Refusal::internal())),
                None => ask(&web, command).await,
            };
            drop(room);
            // The page may be gone.
            let _ = answers.send(reply(&web, &asked, done)).await;
            drop(place);
        });
    }
}

/// What a page wants.
enum Wanted {
    Scene(Command),
    World(WorldCommand),
}

/// Whether it is answered from a snapshot, beside everything else.
fn is_question(command: &Command) -> bool {
    matches!(
        command,
        Command::GetText
            | Command::Poses { .. }
            | Command::Curve { .. }
            | Command::Slide { .. }
            | Command::Turn { .. }
            | Command::Probe { .. }
            | Command::RobotAt { .. }
            | Command::RobotIk { .. }
            | Command::RobotWorkspace { .. }
            | Command::RobotTrail { .. }
            | Command::RobotTry { .. }
    )
}

async fn ask(web: &Web, command: Command) -> Result<Reply, Refusal> {
    let snapshot = web.shared().snapshot().ok_or_else(Refusal::no_scene)?;
    // Short ones do not wait for long ones.
    let is_long = !matches!(command, Command::GetText | Command::Poses { .. });
    let place = if is_long { web.workers.clone().acquire_owned().await.ok() } else { None };
    let done = tokio::task::spawn_blocking(move || answer(&snapshot, &command)).await;
    drop(place);
    done.ok().flatten().unwrap_or_else(|| Err(Refusal::internal()))
}

/// A message of a page, to be answered.
struct Asked {
    id: Value,
    /// The command.
    name: String,
}

/// A message, and what it wants.
fn parse(text: &str) -> (Asked, Result<Wanted, Refusal>) {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) => {
            let asked = Asked { id: Value::Null, name: String::new() };
            return (asked, Err(Refusal::new("request", format!("this is no JSON: {e}"))));
        }
    };
    let id = value.get("id").cloned().filter(|id| id.is_number() || id.is_string()).unwrap_or(Value::Null);
    let name = value["do"].as_str().unwrap_or_default().to_owned();
    let command = if name.starts_with("world_") {
        serde_json::from_value(value).map(Wanted::World)
    } else {
        serde_json::from_value(value).map(Wanted::Scene)
    };
    let command = command.map_err(|e| Refusal::new("request", e.to_string()));
    (Asked { id, name }, command)
}

fn reply(web: &Web, Asked { id, name }: &Asked, done: Result<Reply, Refusal>) -> Message {
    let answer = match &done {
        Ok(reply) => {
            debug_assert!(
                REPLIES.contains(&(name, reply.kind())),
                "{name} is answered with {}",
                reply.kind()
            );
            Answer::Done { reply, id, ok: true }
        }
        Err(refusal) => {
            let refusal = refusal.clone().without_folders(&web.shared().files());
            Answer::Refused { id, error: refusal.error() }
        }
    };
    Message::Text(serde_json::to_string(&answer).unwrap_or_default().into())
}
