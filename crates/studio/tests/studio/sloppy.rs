//! What happens to people: files that go away, disks that are full, the same scene opened twice, plans that are too late.

use crate::client::{Address, Client, Folder, SCENE, at, body};
use crate::crash::Killed;
use serde_json::{Value, json};
use std::time::Duration;

async fn changed(folder: &Folder) -> (freiraum_studio::Studio, Client) {
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    (studio, page)
}

/// The sentence that a page would show.
async fn sentence(page: &mut Client, command: &str, keys: Value) -> String {
    let answer = page.ask(command, keys).await;
    let error = &answer["error"];
    format!("{}: {} ({})", error["code"].as_str().unwrap(), error["message"].as_str().unwrap(), error["help"])
}

#[tokio::test]
async fn a_scene_file_that_goes_away() {
    let folder = Folder::new();
    let (_studio, mut page) = changed(&folder).await;
    // Deleted: saving makes it again.
    std::fs::remove_file(folder.scene()).unwrap();
    assert!(sentence(&mut page, "reload", json!({})).await.contains("cannot read"));
    page.done("save", json!({})).await;
    assert!(folder.text().contains("pose = [10, 0, 0]"));
    // A folder in its place: refused, and the work is still there.
    page.done("set_pose", json!({ "body": 1, "pose": at(0.02, 0.0, 0.0) })).await;
    std::fs::remove_file(folder.scene()).unwrap();
    std::fs::create_dir(folder.scene()).unwrap();
    for command in ["save", "save", "reload"] {
        let said = sentence(&mut page, command, json!({})).await;
        assert!(!said.contains("internal"), "{said}");
    }
    page.done("save_as", json!({ "path": "elsewhere" })).await;
    assert!(std::fs::read_to_string(folder.0.join("scenes/elsewhere.toml")).unwrap().contains("[20, 0, 0]"));
    // The whole folder moves: nothing is written into the void.
    std::fs::remove_dir(folder.scene()).unwrap();
    page.done("set_pose", json!({ "body": 1, "pose": at(0.03, 0.0, 0.0) })).await;
    let moved = folder.0.join("moved");
    std::fs::rename(folder.0.join("scenes"), &moved).unwrap();
    for (command, keys) in [
        ("save", json!({})),
        ("save_as", json!({ "path": "new" })),
        ("reload", json!({})),
        ("open", json!({ "path": "scene.toml" })),
    ] {
        let said = sentence(&mut page, command, keys).await;
        assert!(!said.contains("internal"), "{said}");
    }
    assert_eq!(page.done("list", json!({})).await["files"], json!([]));
    page.done("undo", json!({})).await;
    page.done("redo", json!({})).await;
    std::fs::rename(&moved, folder.0.join("scenes")).unwrap();
    page.done("save", json!({})).await;
    assert!(std::fs::read_to_string(folder.0.join("scenes/elsewhere.toml")).unwrap().contains("[30, 0, 0]"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_read_only_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (_studio, mut page) = changed(&folder).await;
    std::fs::set_permissions(folder.scene(), std::fs::Permissions::from_mode(0o444)).unwrap();
    let said = sentence(&mut page, "save", json!({})).await;
    assert!(said.contains("read-only"), "{said}");
    assert_eq!(folder.text(), SCENE);
    std::fs::set_permissions(folder.scene(), std::fs::Permissions::from_mode(0o644)).unwrap();
    page.done("save", json!({})).await;
    // What is there already is not written over by a slip.
    std::fs::write(folder.0.join("scenes/other.toml"), "# other\n").unwrap();
    assert!(sentence(&mut page, "save_as", json!({ "path": "other" })).await.starts_with("exists"));
    assert_eq!(std::fs::read_to_string(folder.0.join("scenes/other.toml")).unwrap(), "# other\n");
    page.done("save_as", json!({ "path": "scene.toml" })).await;
    page.done("save_as", json!({ "path": "other", "overwrite": true })).await;
}

#[tokio::test]
async fn without_a_journal_work_goes_on_and_is_told_once() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("cache")).unwrap();
    std::fs::write(folder.0.join("cache/journal"), "in the way").unwrap();
    let (_studio, mut page) = changed(&folder).await;
    let told = page.event("error").await;
    assert_eq!(told["code"], "journal", "{told}");
    assert!(told["message"].as_str().unwrap().contains("cannot be kept safe"));
    for k in 2..6 {
        page.done("set_pose", json!({ "body": 1, "pose": at(0.01 * k as f64, 0.0, 0.0) })).await;
    }
    page.done("save", json!({})).await;
    assert!(folder.text().contains("[50, 0, 0]"));
    // Once it works again, it is used again.
    std::fs::remove_file(folder.0.join("cache/journal")).unwrap();
    page.done("set_pose", json!({ "body": 1, "pose": at(0.07, 0.0, 0.0) })).await;
    assert!(std::fs::read_dir(folder.0.join("cache/journal")).unwrap().count() > 0);
    assert!(page.came().iter().all(|event| event["event"] != "error"), "once is enough");
}

#[tokio::test]
async fn two_studios_with_the_same_scene() {
    let folder = Folder::new();
    let (first, mut one) = changed(&folder).await;
    let second = folder.studio();
    let mut two = Client::connect(&Address::of(second.address())).await;
    // Work that somebody else is doing is not offered, nor lost.
    assert!(two.hello["unsaved"].is_null(), "{}", two.hello["unsaved"]);
    // What was written meanwhile is not written over without a word: all were told, or it is refused.
    let mut is_refused = false;
    for k in 1..100 {
        two.done("set_pose", json!({ "body": 1, "pose": at(0.0, 0.001 * k as f64, 0.0) })).await;
        if two.ask("save", json!({})).await["ok"] != true {
            two.done("save", json!({})).await;
        }
        one.done("set_pose", json!({ "body": 1, "pose": at(0.001 * k as f64, 0.0, 0.0) })).await;
        let answer = one.ask("save", json!({})).await;
        one.event("disk").await;
        is_refused = answer["error"]["code"] == "changed";
        if is_refused {
            assert!(folder.text().contains(&format!("[0, {k}, 0]")));
            break;
        }
        assert_eq!(answer["ok"], true, "{answer}");
    }
    assert!(is_refused);
    one.done("set_pose", json!({ "body": 1, "pose": at(0.01, 0.0, 0.0) })).await;
    let text = one.done("get_text", json!({})).await["text"].clone();
    one.done("reload", json!({})).await;
    one.done("undo", json!({})).await;
    assert_eq!(one.done("get_text", json!({})).await["text"], text);
    one.done("save", json!({})).await;
    assert!(folder.text().contains("[10, 0, 0]"));
    // The second one wants it all the same.
    two.done("set_pose", json!({ "body": 1, "pose": at(0.0, 0.2, 0.0) })).await;
    if two.ask("save", json!({})).await["ok"] != true {
        two.done("save", json!({})).await;
    }
    assert!(folder.text().contains("[0, 200, 0]"));
    drop(first);
}

#[cfg(unix)]
#[tokio::test]
async fn an_interrupt_ends_it_and_keeps_the_work() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let mut server = Killed::start(&folder);
        let mut page = Client::connect(&server.address).await;
        page.done("set_pose", json!({ "body": 1, "pose": at(0.04, 0.0, 0.0) })).await;
        page.start("plan", json!({ "bodies": [1], "to": at(0.4, 0.0, 0.0), "planner": "sampling" })).await;
        assert!(
            std::process::Command::new("kill")
                .args([signal, &server.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        assert!(server.ends().success());
        let studio = folder.studio();
        let mut page = Client::connect(&Address::of(studio.address())).await;
        let recovered = page.done("recover", json!({ "yes": true })).await;
        assert_eq!(page.scene(&recovered["revision"]).await["bodies"][1]["pose"], at(0.04, 0.0, 0.0));
    }
}

#[tokio::test]
async fn plans_go_where_they_were_made_for() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let lift = json!({ "name": "lift", "moves": [{ "bodies": [1], "translate": [0.0, 0.0, 0.2] }] });
    page.done("add_step", lift).await;
    let names = |scene: &Value| -> Vec<String> {
        scene["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["name"].as_str().unwrap().to_owned())
            .collect()
    };
    // After the first step, where the block is at 100 mm; the step behind it stays behind it.
    let to = at(0.1, 0.1, 0.0);
    page.done(
        "plan",
        json!({ "bodies": [1], "to": to, "planner": "detours", "at": { "step": 0, "t": 0.5 } }),
    )
    .await;
    let planned = page.event("planned").await;
    assert_eq!((&planned["verdict"], &planned["task"]), (&json!("free"), &json!("plan")), "{planned}");
    let start = &planned["preview"]["tracks"][0]["poses"][0];
    assert!((start[0].as_f64().unwrap() - 0.1).abs() < 1e-12, "{start}");
    // Something else is changed meanwhile.
    page.done("set_color", json!({ "body": 0, "color": [1, 0, 0] })).await;
    let accepted = page.done("accept_plan", json!({})).await;
    assert_eq!(accepted["step"], 1);
    let scene = page.scene(&accepted["revision"]).await;
    assert_eq!(names(&scene), ["push", "move the block", "lift"]);
    assert_eq!(scene["stages"][1]["tracks"][0]["poses"].as_array().unwrap().last().unwrap(), &to);
    assert_eq!(page.verdict(&accepted["revision"]).await["verdict"], "free");
    page.done("undo", json!({})).await;

    // Into the step that waits for it, wherever that is by then.
    let open = json!({ "index": 1, "name": "open", "moves": [{ "bodies": [1], "plan": { "to": to } }] });
    page.done("add_step", open).await;
    page.done("plan", json!({ "step": 1 })).await;
    assert_eq!(page.event("planned").await["step"], 1);
    page.done(
        "add_step",
        json!({ "index": 0, "name": "first", "moves": [{ "bodies": [1], "translate": [0.0, 0.0, 0.0] }] }),
    )
    .await;
    let accepted = page.done("accept_plan", json!({})).await;
    assert_eq!(accepted["step"], 2);
    let scene = page.scene(&accepted["revision"]).await;
    assert_eq!(names(&scene), ["first", "push", "open", "lift"]);
    assert_ne!(scene["steps"][2]["moves"][0]["kind"], "plan");

    // Too late: what it was made for is gone.
    page.done("plan", json!({ "bodies": [1], "to": at(0.1, 0.3, 0.2), "planner": "detours" })).await;
    assert_eq!(page.event("planned").await["verdict"], "free");
    page.done("remove_step", json!({ "step": 3 })).await;
    assert_eq!(page.refused("accept_plan", json!({})).await, "stale");
    page.done("undo", json!({})).await;
    assert_eq!(page.done("accept_plan", json!({ "name": "away" })).await["step"], 4);
    assert_eq!(page.refused("accept_plan", json!({})).await, "nothing");
    // From where it was put by hand.
    let by_hand = json!([[1, at(0.0, 0.1, 0.0)]]);
    page.done("plan", json!({ "bodies": [1], "to": at(0.0, 0.2, 0.0), "at": null, "poses": by_hand })).await;
    assert_eq!(page.event("planned").await["verdict"], "free");
    let accepted = page.done("accept_plan", json!({ "name": "by hand" })).await;
    assert_eq!(accepted["step"], 0);
    let scene = page.scene(&accepted["revision"]).await;
    assert_eq!(
        scene["stages"][0]["tracks"][0]["poses"].as_array().unwrap().last().unwrap(),
        &at(0.0, 0.2, 0.0)
    );
}

#[tokio::test]
async fn an_order_is_found_shown_accepted_and_undone() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    page.done("disassemble", json!({})).await;
    let planned = page.event("planned").await;
    assert_eq!((&planned["task"], &planned["verdict"]), (&json!("disassemble"), &json!("free")), "{planned}");
    assert_eq!(planned["blocked"], json!([]));
    let stages = planned["preview"]["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 1);
    assert_eq!(stages[0]["tracks"][0]["body"], 1);
    let accepted = page.done("accept_plan", json!({})).await;
    let scene = page.scene(&accepted["revision"]).await;
    assert_eq!(scene["steps"].as_array().unwrap().len(), 1);
    assert_eq!(scene["bodies"][1]["goal"], at(0.1, 0.0, 0.0));
    assert_eq!(page.verdict(&accepted["revision"]).await["verdict"], "free");
    page.done("undo", json!({})).await;
    assert_eq!(page.done("get_text", json!({})).await["text"], SCENE);
    page.done("redo", json!({})).await;
    // Discarded, cancelled.
    page.done("disassemble", json!({})).await;
    page.event("planned").await;
    page.done("discard_plan", json!({})).await;
    assert_eq!(page.refused("accept_plan", json!({})).await, "nothing");
    // A cage without a way out keeps the planner busy until it is told to stop.
    let wall = |k: usize, size: &str, pose: &str| {
        format!(
            "[[body]]\nname = \"wall {k}\"\nshape = {{ box = {{ size = {size} }} }}\npose = {pose}\nfixed = true\n"
        )
    };
    let mut cage =
        "units = \"mm\"\n[[body]]\nname = \"bird\"\nshape = { cylinder = { radius = 5, height = 60 } }\n"
            .to_owned();
    for (k, (size, pose)) in [
        ("[10, 220, 220]", "[100, 0, 0]"),
        ("[10, 220, 220]", "[-100, 0, 0]"),
        ("[220, 10, 220]", "[0, 100, 0]"),
        ("[220, 10, 220]", "[0, -100, 0]"),
        ("[220, 220, 10]", "[0, 0, 100]"),
        ("[220, 220, 10]", "[0, 0, -100]"),
    ]
    .into_iter()
    .enumerate()
    {
        cage.push_str(&wall(k, size, pose));
    }
    page.done("open", json!({ "text": cage })).await;
    page.done("disassemble", json!({})).await;
    assert_eq!(page.refused("disassemble", json!({})).await, "busy");
    assert_eq!(page.refused("plan", json!({ "bodies": [0], "to": at(1.0, 0.0, 0.0) })).await, "busy");
    let progress = page.event("progress").await;
    assert_eq!(progress["task"], "disassemble");
    // Exports, edits and questions go on meanwhile.
    page.done("set_pose", json!({ "body": 0, "pose": at(0.01, 0.0, 0.0) })).await;
    page.done("cancel", json!({})).await;
    let ended = page.event("planned").await;
    assert_eq!((&ended["verdict"], &ended["task"]), (&json!("cancelled"), &json!("disassemble")), "{ended}");
    page.done("plan", json!({ "bodies": [0], "to": at(0.02, 0.0, 0.0), "planner": "detours" })).await;
    assert_eq!(page.event("planned").await["verdict"], "free");
}

#[tokio::test]
async fn what_is_shown_and_what_is_close() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let ball = "\n[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 5 } }\npose = [0, 40, 0]\n";
    let floor = "\n[[body]]\nname = \"floor\"\nshape = { plane = { normal = [0, 0, 1], offset = -100 } }\nfixed = true\n";
    let text = SCENE.replacen("\n# And so", &format!("{ball}{floor}\n# And so"), 1);
    let set = page.done("set_text", json!({ "text": text })).await;
    let scene = page.scene(&set["revision"]).await;
    // As many triangles as are sent.
    for one in scene["bodies"].as_array().unwrap() {
        let (status, answer) = address.get(&format!("/api/mesh/{}", one["mesh"].as_str().unwrap()));
        assert_eq!(status, 200, "{one}");
        let count = u32::from_le_bytes(body(&answer)[8..12].try_into().unwrap());
        assert_eq!(one["triangles"], count, "{one}");
        assert!(count >= 2);
    }
    assert_eq!(scene["bodies"][0]["triangles"], 12);
    // The block of 20 mm, 30 mm below the middle of the ball: 30 - 10 - 5.
    let probe = page.done("probe", json!({ "at": null, "poses": [[1, at(0.0, 0.01, 0.0)]] })).await;
    let closest = &probe["closest"];
    assert_eq!(
        (&closest["pair"], &closest["bodies"]),
        (&json!(["block", "ball"]), &json!([1, 2])),
        "{probe}"
    );
    assert!((closest["distance"].as_f64().unwrap() - 0.015).abs() < 1e-12, "{probe}");
    assert_eq!(closest["required"], 0.001);
    let height = |key: &str| closest[key][1].as_f64().unwrap();
    assert!((height("point_a") - 0.02).abs() < 1e-12 && (height("point_b") - 0.035).abs() < 1e-12, "{probe}");
    // The plane has no end; without a moved body all that move count.
    let low = page.done("probe", json!({ "at": null, "poses": [[2, at(0.0, 0.04, -0.09)]] })).await;
    assert_eq!(low["closest"]["pair"], json!(["ball", "floor"]));
    assert!((low["closest"]["distance"].as_f64().unwrap() - 0.005).abs() < 1e-12, "{low}");
    let still = page.done("probe", json!({ "at": null, "poses": [] })).await;
    assert_eq!(still["closest"]["pair"], json!(["block", "ball"]));
    let overlap = page.done("probe", json!({ "at": null, "poses": [[1, at(0.2, 0.0, 0.0)]] })).await;
    assert_eq!(
        (&overlap["closest"]["distance"], &overlap["findings"][0]["kind"]),
        (&json!(0.0), &json!("overlap"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_while_a_check_runs() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut page = Client::connect(&address).await;
    let answers: Vec<(u16, usize)> = std::thread::scope(|scope| {
        let asked: Vec<_> = [
            "report.html",
            "report.html",
            "animation.glb",
            "drawing.svg?view=top",
            "scene.toml",
            "report.html",
        ]
        .map(|name| {
            let address = &address;
            scope.spawn(move || {
                let (status, answer) = address.get(&format!("/api/export/{name}"));
                (status, body(&answer).len())
            })
        })
        .into_iter()
        .collect();
        tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                for k in 0..40 {
                    page.done(
                        "set_pose",
                        json!({ "body": 1, "pose": at(1e-4 * k as f64, 0.0, 0.0), "merge": true }),
                    )
                    .await;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            });
        });
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (status, length) in answers {
        assert!(status == 200 && length > 100, "{status} {length}");
    }
    assert_eq!(address.get("/api/export/drawing.svg?view=upside-down").0, 422);
    // Without a scene there is nothing to export.
    let empty =
        freiraum_studio::Options { scene: None, cache: Some(folder.0.join("cache")), ..Default::default() };
    let studio = freiraum_studio::Studio::start(empty).unwrap();
    let address = Address::of(studio.address());
    for name in ["report.html", "animation.glb", "drawing.svg", "scene.toml"] {
        assert_eq!(address.get(&format!("/api/export/{name}")).0, 404, "{name}");
    }
    let mut page = Client::connect(&address).await;
    for (command, keys) in [
        ("save", json!({})),
        ("undo", json!({})),
        ("plan", json!({})),
        ("get_text", json!({})),
        ("probe", json!({ "at": null })),
    ] {
        assert_eq!(page.refused(command, keys).await, "no_scene", "{command}");
    }
    // An address that is taken is a clear error.
    let port = address.host.rsplit(':').next().unwrap().parse().unwrap();
    let Err(error) = freiraum_studio::Studio::start(freiraum_studio::Options { port, ..folder.options() })
    else {
        panic!("two on one port")
    };
    assert!(error.to_string().contains("another program uses this port"), "{error}");
}
