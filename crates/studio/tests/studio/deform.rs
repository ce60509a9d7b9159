//! The deform workspace over HTTP: frames with known answers, arrays where they are said to be, what is refused.

use crate::client::{Address, Folder, body};
use serde_json::{Value, json};

/// A cube of side 1, without its last side if it is open.
fn cube(is_open: bool) -> String {
    let quads = ["4 0 2 3 1", "4 4 5 7 6", "4 0 1 5 4", "4 2 6 7 3", "4 0 4 6 2", "4 1 3 7 5"];
    let quads = &quads[..6 - usize::from(is_open)];
    let corners: Vec<String> = (0..8).map(|i| format!("{} {} {}", i & 1, i >> 1 & 1, i >> 2)).collect();
    format!("OFF\n8 {} 0\n{}\n{}\n", quads.len(), corners.join("\n"), quads.join("\n"))
}

struct Frame {
    told: Value,
    arrays: Vec<u8>,
}

impl Frame {
    fn words(&self, place: &Value) -> Vec<u32> {
        let [offset, count] = [0, 1].map(|k| place[k].as_u64().unwrap() as usize);
        let bytes = &self.arrays[offset..offset + 4 * count];
        bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }
}

fn post(address: &Address, path: &str, text: &str) -> (u16, Vec<u8>) {
    let origin = format!("Origin: http://{}\r\n", address.host);
    let (status, answer) = address.request("POST", path, &origin, text.as_bytes());
    (status, body(&answer).to_vec())
}

fn frame(address: &Address, wanted: &Value) -> Frame {
    let (status, bytes) = post(address, "/api/deform/frame", &wanted.to_string());
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(&bytes[..4], b"FRD1");
    let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    Frame {
        told: serde_json::from_slice(&bytes[8..8 + length]).unwrap(),
        arrays: bytes[8 + length..].to_vec(),
    }
}

#[test]
fn frames_say_what_is_known() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    // A stack of eight planes: four in each other, and the second doll is the volume.
    let found =
        frame(&address, &json!({ "bodies": [{ "mesh": "stack-2000" }], "resolution": 64, "layers": true }));
    let stack = &found.told["bodies"][0];
    assert_eq!((&stack["max_overlap"], &stack["layers_max"]), (&json!(4), &json!(8)));
    let (volume, error) = (stack["volume"].as_f64().unwrap(), stack["volume_error"].as_f64().unwrap());
    assert!((volume - 1.25 * 5.0 / 7.0).abs() <= error, "{volume} ± {error}");
    // Intervals add up to the volume; depths are in order on every ray.
    let grid = &stack["grid"];
    let area = grid["pixel"][0].as_f64().unwrap() * grid["pixel"][1].as_f64().unwrap();
    let steps: f64 = found.words(&stack["intervals"]).chunks(4).map(|one| f64::from(one[2] - one[1])).sum();
    assert!((steps * grid["step"].as_f64().unwrap() * area - volume).abs() <= 1e-9 * volume);
    let (starts, depths) = (found.words(&stack["layers"]["starts"]), found.words(&stack["layers"]["depths"]));
    assert_eq!((starts.len(), starts[64 * 64] as usize), (64 * 64 + 1, depths.len()));
    assert_eq!(depths.len() as u64, stack["depths"].as_u64().unwrap());
    assert!(starts.windows(2).all(|s| depths[s[0] as usize..s[1] as usize].is_sorted()));
    // Positions are those of the box about its middle.
    let positions: Vec<f32> = found.words(&stack["positions"]).into_iter().map(f32::from_bits).collect();
    let height =
        positions.chunks(3).map(|p| p[2]).fold((f32::MAX, f32::MIN), |(a, b), z| (a.min(z), b.max(z)));
    assert!((height.0 + 0.625).abs() < 1e-6 && (height.1 - 0.625).abs() < 1e-6, "{height:?}");

    // The faces come once, by the name of the mesh.
    let (status, faces) = address.get("/api/deform/mesh/stack-2000/faces");
    assert_eq!((status, body(&faces).len() as u64), (200, 12 * stack["triangles"].as_u64().unwrap()));

    // A half swing is a deformation with its sign turned, a whole one none.
    let bent = |swing: Value| {
        let bar = json!({ "mesh": "bar-1000", "bend": 7.0, "swing": swing });
        frame(&address, &json!({ "bodies": [bar], "resolution": 64 })).told["bodies"][0].clone()
    };
    assert_eq!(bent(Value::Null)["self_collision"], true);
    assert_eq!(bent(json!(std::f64::consts::FRAC_PI_2))["volume"], bent(Value::Null)["volume"]);
    assert_eq!(bent(json!(0.0))["self_collision"], false);
}

#[test]
fn meshes_of_pages_and_what_two_share() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let (status, facts) = post(&address, "/api/deform/mesh?name=cube.off", &cube(false));
    assert_eq!(status, 201);
    let facts: Value = serde_json::from_slice(&facts).unwrap();
    assert_eq!((&facts["triangles"], &facts["open_edges"]), (&json!(12), &json!(0)));
    let (_, open) = post(&address, "/api/deform/mesh?name=open.off", &cube(true));
    let open: Value = serde_json::from_slice(&open).unwrap();
    assert_eq!(open["open_edges"], 4);
    // Nothing of it is on the disk.
    assert!(!folder.0.join("scenes/cube.off").exists());
    let at = |x: f64| json!({ "mesh": facts["mesh"], "at": [x, 0.5, 0.25] });
    let bodies = json!([{ "mesh": facts["mesh"] }, at(0.6), at(3.0)]);
    let found = frame(&address, &json!({ "bodies": bodies, "resolution": 128 }));
    let pairs = found.told["pairs"].as_array().unwrap();
    assert_eq!((pairs.len(), &pairs[0]["bodies"]), (1, &json!([0, 1])));
    let (volume, error) = (pairs[0]["volume"].as_f64().unwrap(), pairs[0]["volume_error"].as_f64().unwrap());
    assert!((volume - 0.4 * 0.5 * 0.75).abs() <= error && error < 0.02, "{volume} ± {error}");
    let found = frame(&address, &json!({ "bodies": [{ "mesh": open["mesh"] }], "resolution": 32 }));
    let open = &found.told["bodies"][0];
    assert_eq!((&open["sound"], &open["volume"]), (&json!(false), &Value::Null));
}

#[test]
fn a_body_that_is_ill_anywhere_makes_its_pairs_unknown() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    // A cube of side 1, and one of side 0.1 beside it, 3 along y. Shrunk by more than its half, that one is
    // inside out.
    let corners = |side: f64, y: f64| {
        (0..8).map(move |i| {
            format!(
                "{} {} {}",
                side * f64::from(i & 1),
                y + side * f64::from(i >> 1 & 1),
                side * f64::from(i >> 2)
            )
        })
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = [0, 8].into_iter().flat_map(|first| {
        quads.map(|q| format!("4 {} {} {} {}", q[0] + first, q[1] + first, q[2] + first, q[3] + first))
    });
    let lines: Vec<String> = corners(1.0, 0.0).chain(corners(0.1, 3.0)).chain(faces).collect();
    let text = format!("OFF\n16 12 0\n{}\n", lines.join("\n"));
    let (_, both) = post(&address, "/api/deform/mesh?name=both.off", &text);
    let (_, alone) = post(&address, "/api/deform/mesh?name=cube.off", &cube(false));
    let [both, alone] = [both, alone].map(|facts| serde_json::from_slice::<Value>(&facts).unwrap());
    assert_eq!(both["closed"], true);
    let found = |inflate: f64| {
        let bodies = json!([
            { "mesh": both["mesh"], "inflate": inflate },
            { "mesh": alone["mesh"], "at": [0.6, 0.0, 0.0] },
        ]);
        frame(&address, &json!({ "bodies": bodies, "resolution": 128 })).told
    };
    let well = found(0.0);
    assert_eq!((&well["bodies"][0]["sound"], &well["bodies"][1]["sound"]), (&json!(true), &json!(true)));
    let (pair, shared) = (&well["pairs"][0], 0.4);
    let (volume, error) = (pair["volume"].as_f64().unwrap(), pair["volume_error"].as_f64().unwrap());
    assert!((volume - shared).abs() <= error && error < 0.02, "{volume} ± {error}");
    // The rays of the pair do not meet the small cube: only those of the first body do.
    let ill = found(-0.2);
    assert_eq!((&ill["bodies"][0]["sound"], &ill["bodies"][1]["sound"]), (&json!(false), &json!(true)));
    assert!(ill["bodies"][0]["faults"].as_u64().unwrap() > 0 && ill["bodies"][0]["open_edges"] == 0);
    assert_eq!((&ill["pairs"][0]["volume"], &ill["bodies"][0]["volume"]), (&Value::Null, &Value::Null));
    assert_eq!(ill["bodies"][1]["volume"], 0.0);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let refused = |wanted: Value| {
        let (status, bytes) = post(&address, "/api/deform/frame", &wanted.to_string());
        let told: Value = serde_json::from_slice(&bytes).unwrap();
        (status, told["error"]["code"].as_str().unwrap().to_owned())
    };
    let bad = |code: &str| (400, code.to_owned());
    assert_eq!(refused(json!({ "bodies": [], "resolution": 64 })), bad("request"));
    assert_eq!(refused(json!({ "bodies": [{ "mesh": "ball-1000" }], "resolution": 0 })), bad("request"));
    assert_eq!(
        refused(json!({ "bodies": [{ "mesh": "ball-1000" }], "resolution": 100_000 })),
        bad("request")
    );
    assert_eq!(
        refused(json!({ "bodies": [{ "mesh": "ball-1000", "inflate": 1e308 }], "resolution": 8 })).0,
        400
    );
    assert_eq!(
        refused(json!({ "bodies": [{ "mesh": "ball-9000000" }], "resolution": 8 })),
        (404, "no_mesh".to_owned())
    );
    assert_eq!(
        refused(json!({ "bodies": [{ "mesh": "file-00" }], "resolution": 8 })),
        (404, "no_mesh".to_owned())
    );
    assert_eq!(refused(json!(7)), bad("request"));
    assert_eq!(post(&address, "/api/deform/mesh?name=bad.stl", "nonsense").0, 400);
    assert_eq!(post(&address, "/api/deform/mesh?name=../bad.stl", "nonsense").0, 400);
    // Others get nothing.
    let stranger = Address { host: address.host.clone(), token: "0".repeat(48) };
    assert_eq!(post(&stranger, "/api/deform/frame", "{}").0, 401);
    let elsewhere = address.request("POST", "/api/deform/frame", "Origin: http://example.org\r\n", b"{}");
    assert_eq!(elsewhere.0, 403);
}
