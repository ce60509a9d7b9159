//! `freiraum sim --device`: cameras and depth buffers drawn in software and on a graphics processor.

use freiraum_testkit::folder::Folder;
use freiraum_testkit::skip::{Need, skipped};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const WORLD: &str = "[world]\nstep = 0.01\n\
    [[body]]\nname = \"ground\"\nshape = { plane = { normal = [0, 0, 1], offset = 0 } }\nfixed = true\n\
    [[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.5 } }\npose = [3, 0.1, 2]\n\
    [[body]]\nname = \"wall\"\nshape = { box = { size = [0.2, 8, 3] } }\npose = [6, 0, 1.5]\nfixed = true\n\
    [[sensor]]\nname = \"scanner\"\npose = [0, 0, 1]\nkind = \"laser\"\nrate = 20\nrange = 20\nmethod = \"depth buffer\"\n\
    grid = { size = [60, 40], field_deg = [60, 40] }\n\
    [[sensor]]\nname = \"turning\"\npose = [0, 0, 1]\nkind = \"laser\"\nrate = 5\nrange = 20\nmethod = \"depth buffer\"\n\
    rows = { elevations_deg = [-5, 5], columns = 90 }\n\
    [[sensor]]\nname = \"eye\"\npose = [0, 0, 1]\nkind = \"camera\"\nrate = 10\nrange = 20\nsize = [64, 48]\n";

/// What JSON, standard error, measurements and the head of the recording say.
struct Run {
    json: Value,
    error: String,
    scans: Vec<Value>,
    head: Value,
}

fn run(folder: &Path, device: &str) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .args(["sim", "world.toml", "--duration", "1", "--json", "--device", device])
        .args(["--sensors", "scans.jsonl", "--record", "world.jsonl"])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    let lines = |name: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let json = serde_json::from_slice(&output.stdout).unwrap();
    Run { json, error, scans: lines("scans.jsonl"), head: lines("world.jsonl").remove(0) }
}

#[test]
fn pictures_come_from_where_they_shall() {
    let folder = Folder::new("sim-device");
    folder.file("world.toml", WORLD);
    let software = run(folder.path(), "cpu");
    assert_eq!(
        (&software.json["renderer"], &software.head["renderer"]),
        (&"software".into(), &"software".into())
    );
    let other = run(folder.path(), "gpu");
    assert_eq!(other.json["renderer"], other.head["renderer"]);
    // Nobody drives by what is measured: the states are the same.
    assert_eq!(other.json["state_hash"], software.json["state_hash"]);
    if other.json["renderer"] == "software" {
        assert!(other.error.contains("pictures are drawn in software"), "{}", other.error);
        skipped(Need::Gpu, "there is no graphics processor here, not even in software");
        return;
    }
    assert_eq!(software.scans.len(), other.scans.len());
    let (mut beams, mut far) = (0, 0);
    for (a, b) in software.scans.iter().zip(&other.scans) {
        assert_eq!((&a["t"], &a["sensor"]), (&b["t"], &b["sensor"]));
        let (Some(a), Some(b)) = (a["value"].as_array(), b["value"].as_array()) else { continue };
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            beams += 1;
            // The ground, seen flatly, takes most; at edges either surface may be returned.
            far += usize::from(a.is_null() != b.is_null());
            far += usize::from(a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() > 0.01));
        }
    }
    assert!(beams > 40_000 && far * 1000 < beams, "{far} of {beams} differ");
}

#[test]
fn without_pictures_nothing_is_opened() {
    let folder = Folder::new("sim-no-device");
    let without = WORLD.split("[[sensor]]").next().unwrap();
    folder.file(
        "world.toml",
        format!("{without}[[sensor]]\nname = \"beam\"\nkind = \"infrared\"\nrange = 1\n"),
    );
    let found = run(folder.path(), "gpu");
    assert!(found.json["renderer"].is_null() && found.head["renderer"].is_null() && found.error.is_empty());
}
