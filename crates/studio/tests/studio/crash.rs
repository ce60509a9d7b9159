//! Work that was not saved when the server was killed.

use crate::client::{Address, Client, Folder, at};
use freiraum_studio::{Options, Studio};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Serves a scene if it is started for that by the test below.
#[test]
fn server_to_be_killed() {
    let Some(folder) = std::env::var_os("FREIRAUM_TEST_SERVE").map(std::path::PathBuf::from) else { return };
    let options = Options {
        scene: Some(folder.join("scenes/scene.toml")),
        cache: Some(folder.join("cache")),
        ..Options::default()
    };
    let studio = Studio::start(options).unwrap();
    studio.wait(|studio| eprintln!("address {}", studio.address())).unwrap();
}

/// A server in a process of its own.
pub(crate) struct Killed {
    server: std::process::Child,
    pub(crate) address: Address,
}

impl Killed {
    pub(crate) fn start(folder: &Folder) -> Killed {
        let mut server = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::server_to_be_killed", "--nocapture"])
            .env("FREIRAUM_TEST_SERVE", &folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(server.stderr.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("address ").map(Address::of))
            .unwrap();
        Killed { server, address }
    }

    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Waits until it has ended.
    pub(crate) fn ends(&mut self) -> std::process::ExitStatus {
        self.server.wait().unwrap()
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[tokio::test]
async fn work_of_a_killed_server_is_offered_again() {
    let folder = Folder::new();
    let mut server = Killed::start(&folder);
    let mut page = Client::connect(&server.address).await;
    assert!(page.hello["unsaved"].is_null());
    page.done("set_pose", json!({ "body": 1, "pose": at(0.03, 0.0, 0.0) })).await;
    server.kill();
    assert!(!folder.text().contains("30"), "nothing was saved");

    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    assert_eq!(page.hello["scene"]["bodies"][1]["pose"], at(0.0, 0.0, 0.0));
    assert!(page.hello["unsaved"]["when"].as_u64().unwrap() > 1_700_000_000);
    // Not lost by changing something first.
    page.done("set_goal", json!({ "body": 1, "pose": at(0.1, 0.0, 0.0) })).await;
    let recovered = page.done("recover", json!({ "yes": true })).await;
    assert_eq!(page.scene(&recovered["revision"]).await["bodies"][1]["pose"], at(0.03, 0.0, 0.0));
    page.done("save", json!({})).await;
    drop(studio);

    // Saved work is not offered.
    let studio = folder.studio();
    let page = Client::connect(&Address::of(studio.address())).await;
    assert!(page.hello["unsaved"].is_null(), "{}", page.hello["unsaved"]);
    assert_eq!(page.hello["scene"]["bodies"][1]["pose"], at(0.03, 0.0, 0.0));
}
