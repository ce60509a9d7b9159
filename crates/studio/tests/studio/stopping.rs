//! Changes wait for nobody, and what is stopped ends.

use crate::client::{Address, Client, Folder, at};
use freiraum_studio::{Options, Studio};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Keeps all threads of the pool of everybody busy while it is there, as long exports do, but not for ever.
struct Busy(Arc<(Mutex<bool>, Condvar)>);

/// So long at most.
const LONG: Duration = Duration::from_secs(20);

impl Busy {
    fn new() -> Busy {
        let end = Arc::new((Mutex::new(false), Condvar::new()));
        let started = Arc::new(AtomicUsize::new(0));
        let count = rayon::current_num_threads();
        for _ in 0..count {
            let (end, started) = (end.clone(), started.clone());
            rayon::spawn(move || {
                started.fetch_add(1, Ordering::SeqCst);
                let ended = end.0.lock().unwrap();
                drop(end.1.wait_timeout_while(ended, LONG, |ended| !*ended).unwrap());
            });
        }
        while started.load(Ordering::SeqCst) < count {
            std::thread::sleep(Duration::from_millis(1));
        }
        Busy(end)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

/// Before, a change waited until a search let go of the threads that both used.
#[tokio::test(flavor = "multi_thread")]
async fn changes_and_searches_need_no_thread_of_others() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let busy = tokio::task::spawn_blocking(Busy::new).await.unwrap();
    let start = Instant::now();
    page.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    page.done("undo", json!({})).await;
    page.done("disassemble", json!({})).await;
    assert_eq!(page.event("planned").await["verdict"], "free");
    assert!(start.elapsed() < LONG / 2, "{:?}", start.elapsed());
    drop(busy);
}

fn example(name: &str, folder: &Folder) -> Studio {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    Studio::start(Options { scene: Some(path), ..folder.options() }).unwrap()
}

/// Before, a change took two seconds while the gearbox was taken apart, and the search went on for up to 0.7 s after it was stopped.
#[tokio::test(flavor = "multi_thread")]
async fn changes_are_made_while_something_is_taken_apart_and_it_stops() {
    let folder = Folder::new();
    let studio = example("gearbox/gearbox.toml", &folder);
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let revision = page.hello["scene"]["revision"].clone();
    page.verdict(&revision).await;
    let bodies = page.hello["scene"]["bodies"].as_array().unwrap().clone();
    let body = bodies.iter().position(|body| body["fixed"] == false).unwrap();
    let mut longest = [Duration::ZERO; 2];
    for round in 0..3 {
        page.done("disassemble", json!({})).await;
        tokio::time::sleep(Duration::from_millis(300 + 200 * round)).await;
        let start = Instant::now();
        let pose = bodies[body]["pose"].clone();
        let mut moved = pose.clone();
        moved[0] = json!(pose[0].as_f64().unwrap() + 0.001 * (1 + round) as f64);
        page.done("set_pose", json!({ "body": body, "pose": moved })).await;
        longest[0] = longest[0].max(start.elapsed());
        let start = Instant::now();
        page.done("cancel", json!({})).await;
        let ended = page.event("planned").await;
        longest[1] = longest[1].max(start.elapsed());
        assert_eq!(ended["verdict"], Value::from("cancelled"), "it takes longer than that to take it apart");
    }
    // A guard against hanging only. How soon a search ends is measured in processor time in crates/planning/tests/it/stopping.rs.
    assert!(longest[0] < Duration::from_secs(10), "a change took {:?}", longest[0]);
    assert!(longest[1] < Duration::from_secs(10), "stopping took {:?}", longest[1]);
}
