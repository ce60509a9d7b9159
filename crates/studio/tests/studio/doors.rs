//! The studio gives the verdicts of `check`, of every example and of random scenes that touch, nearly touch or overlap a little, with good and with bad meshes.
//!
//! `FREIRAUM_TEST_SCALE=20` sends it 2 000 random scenes.

use crate::client::{Address, Client, Folder};
use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_studio::{Options, Studio};
use freiraum_testkit::meetings::{bad_meeting, contact_meeting, grid_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use serde_json::{Value, json};
use std::path::Path;

/// The verdict of the whole and of every line, as a check says that knows nothing from before.
fn checked(text: &str, folder: &Path) -> Vec<String> {
    let file = SceneFile::parse(text, folder, "scene.toml").unwrap();
    let timeline = Timeline::of(file.scene()).unwrap();
    let parts = ShapeCache::of(file.scene());
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &CheckOptions::default());
    let found = found.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let steps = found.steps.iter().map(|step| step.verdict.name().to_owned());
    std::iter::once(found.verdict.name().to_owned()).chain(steps).collect()
}

/// The same as the page is told.
fn told(event: &Value) -> Vec<String> {
    let of = |value: &Value| value.as_str().unwrap_or("nothing").to_owned();
    let steps = event["steps"].as_array().unwrap().iter().map(|step| of(&step["verdict"]));
    std::iter::once(of(&event["verdict"])).chain(steps).collect()
}

#[tokio::test]
async fn random_scenes_have_the_verdict_of_check() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let mut wrong = Vec::new();
    let count = cases(100);
    for case in 0..count as u64 {
        let mut random = Random::new(7_000_000 + case);
        let meeting = match case % 3 {
            0 => grid_meeting(&mut random),
            1 => contact_meeting(&mut random),
            _ => bad_meeting(&mut random),
        };
        // Screws that turn often next to a face take long.
        if meeting.encounter.ways[1].degrees() > 3600.0 {
            continue;
        }
        let text = meeting.encounter.scene("m", 1.0);
        let answer = page.done("set_text", json!({ "text": text })).await;
        let event = page.verdict(&answer["revision"]).await;
        let (found, expected) = (told(&event), checked(&text, &folder.0.join("scenes")));
        if found != expected {
            wrong.push(format!("case {case}, {}: {found:?}, check says {expected:?}", meeting.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn examples_have_the_verdict_of_check() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let temporary = Folder::new();
    for name in
        ["gearbox/gearbox.toml", "gearbox/gearbox-faulty.toml", "cell/cell.toml", "cell/cell-faulty.toml"]
    {
        let path = examples.join(name).canonicalize().unwrap();
        let cache = Some(temporary.0.join("cache"));
        let options = Options { scene: Some(path.clone()), cache, ..Options::default() };
        let studio = Studio::start(options).unwrap();
        let mut page = Client::connect(&Address::of(studio.address())).await;
        let revision = page.done("get_text", json!({})).await["revision"].clone();
        let event = page.verdict(&revision).await;
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(told(&event), checked(&text, path.parent().unwrap()), "{name}");
    }
}
