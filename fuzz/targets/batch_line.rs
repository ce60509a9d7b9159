//! Lines of a batch of questions: shapes, poses, motions and rays as JSON, definitions and tracks, and the answers to them.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum::geometry::Unit;
use freiraum::question::{Batch, Line, NoFiles, Reading};
use serde_json::Value;

freiraum_fuzz::target!(|bytes: &[u8]| {
    let mut batch = Batch::new(Unit::Metre, &NoFiles);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(8).collect();
    let read: Vec<Reading> = lines.iter().zip(1..).map(|(line, number)| batch.read(line, number)).collect();
    // From the last one on: what a line sees does not depend on when it is answered.
    for (line, reading) in lines.iter().zip(&read).rev() {
        check(batch.answer(line, reading));
    }
    batch.tidy();
});

fn check(line: Line) {
    let keys = line.answer.as_ref().ok().map(|answer| answer.keys(line.units));
    let document = line.document(1).to_string();
    assert!(!document.contains('\n'));
    let again: Value = serde_json::from_str(&document).expect("a JSON document");
    let Some(keys) = keys else {
        let message = again["error"]["message"].as_str().expect("a message");
        assert!(!message.is_empty());
        return;
    };
    if keys.contains_key("defined") {
        assert!(again["defined"].as_str().is_some_and(|name| !name.is_empty()), "{document}");
    }
    // Numbers that are not finite become null; only an overlap without end and a ray without hit have none.
    let has = |key: &str| !again[key].is_null();
    if let Some(intersects) = keys.get("intersects") {
        assert_eq!(&again["intersects"], intersects);
    }
    if let Some(verdict) = keys.get("verdict") {
        for key in ["t", "t_error", "point", "normal", "feature_a", "feature_b"] {
            assert_eq!(has(key), verdict == "contact", "{document}");
        }
        assert_eq!(has("clearance_lower"), verdict == "free", "{document}");
        assert_eq!(has("open"), verdict == "undecided", "{document}");
    } else if keys.contains_key("clearance") {
        for key in ["clearance", "clearance_error", "t"] {
            assert!(again[key].as_f64().is_some_and(|x| x >= 0.0), "{document}");
        }
    } else if keys.contains_key("free") {
        assert_eq!(has("clearance_lower"), again["free"] == true, "{document}");
    } else if keys.contains_key("point_a") {
        let numbers = [&again["point_a"], &again["point_b"]].map(|p| p.as_array().expect("a point"));
        assert!(numbers.iter().all(|p| p.iter().all(Value::is_number)), "{document}");
        let distance = again["distance"].as_f64().expect("a distance");
        assert_eq!(distance == 0.0, again["intersects"] == true, "{document}");
        assert_eq!(has("normal"), distance > 0.0, "{document}");
    } else if keys.contains_key("mtd") {
        assert_eq!(has("depth"), has("mtd"), "{document}");
        for contact in again["contacts"].as_array().expect("contacts") {
            assert!(contact["depth"].as_f64().is_some_and(|depth| depth >= 0.0), "{document}");
            for key in ["point", "normal"] {
                assert!(
                    contact[key].as_array().is_some_and(|v| v.iter().all(Value::is_number)),
                    "{document}"
                );
            }
        }
    } else if keys.contains_key("hit") {
        for key in ["distance", "point", "normal"] {
            assert_eq!(has(key), again["hit"] == true, "{document}");
        }
    }
}
