//! Opening, changing, undoing, checking, measuring, planning.

use crate::client::{Address, Client, Folder, at};
use serde_json::json;

#[tokio::test]
async fn a_scene_is_opened_changed_undone_and_checked() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let scene = page.hello["scene"].clone();
    assert_eq!(scene["units"], "mm");
    assert_eq!(scene["bodies"][1]["name"], "block");
    assert_eq!(scene["bodies"][0]["pose"], at(0.2, 0.0, 0.0));
    assert_eq!(scene["steps"][0]["moves"][0]["kind"], "translate");
    assert_eq!(scene["steps"][0]["line"], 19);
    assert_eq!(scene["stages"][0]["tracks"][0]["body"], 1);
    assert_eq!(scene["end"][1], at(0.1, 0.0, 0.0));
    assert_eq!((&scene["dirty"], &scene["undo"]), (&json!(false), &json!(null)));
    let free = page.verdict(&scene["revision"]).await;
    assert_eq!(free["verdict"], "free");
    let clearance = free["steps"][0]["clearance"].as_f64().unwrap();
    assert!((clearance - 0.085).abs() < 1e-12, "{clearance}");

    let moved = page.done("set_pose", json!({ "body": 1, "pose": at(0.09, 0.0, 0.0) })).await;
    let scene = page.scene(&moved["revision"]).await;
    assert_eq!((&scene["dirty"], &scene["undo"]), (&json!(true), &json!("move block")));
    let hit = page.verdict(&moved["revision"]).await;
    assert_eq!(hit["verdict"], "collision");
    assert_eq!(hit["steps"][0]["findings"][0]["kind"], "contact");
    // 95 of 100 mm: the block reaches the wall.
    assert!((hit["steps"][0]["t"].as_f64().unwrap() - 0.95).abs() < 1e-12, "{hit}");
    assert!(hit["steps"][0]["findings"][0]["message"].as_str().unwrap().contains("mm"), "{hit}");

    let undone = page.done("undo", json!({})).await;
    assert_eq!(page.verdict(&undone["revision"]).await["verdict"], "free");
    let scene = page.scene(&undone["revision"]).await;
    assert_eq!((&scene["dirty"], &scene["redo"]), (&json!(false), &json!("move block")));
    let redone = page.done("redo", json!({})).await;
    assert_eq!(page.verdict(&redone["revision"]).await["verdict"], "collision");
    assert_eq!(page.refused("redo", json!({})).await, "nothing");
}

#[tokio::test]
async fn drags_are_one_change() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    for k in 1..=20 {
        page.done(
            "set_pose",
            json!({ "body": 1, "pose": at(0.001 * f64::from(k), 0.0, 0.0), "merge": true }),
        )
        .await;
    }
    let undone = page.done("undo", json!({})).await;
    let scene = page.scene(&undone["revision"]).await;
    assert_eq!(scene["bodies"][1]["pose"], at(0.0, 0.0, 0.0));
    assert_eq!(scene["undo"], json!(null));
    // A drag begins with a change that is not merged; the next drag is another one.
    for (x, merge) in [(0.001, false), (0.002, true), (0.003, true), (0.004, false), (0.005, true)] {
        page.done("set_pose", json!({ "body": 1, "pose": at(x, 0.0, 0.0), "merge": merge })).await;
    }
    let mut last = undone;
    for x in [0.003, 0.0] {
        last = page.done("undo", json!({})).await;
        assert_eq!(page.scene(&last["revision"]).await["bodies"][1]["pose"], at(x, 0.0, 0.0));
    }
    // Of many changes the last one is checked; earlier ones need not be.
    assert_eq!(page.verdict(&last["revision"]).await["verdict"], "free");
}

#[tokio::test]
async fn slides_and_turns_stop_at_the_exact_value() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let slide = |max: f64| json!({ "bodies": [1], "direction": [2.0, 0.0, 0.0], "max": max, "at": null });
    let stopped = page.done("slide", slide(1.0)).await;
    let distance = stopped["distance"].as_f64().unwrap();
    assert!((distance - 0.185).abs() < 1e-14, "{distance}");
    assert_eq!(stopped["contact"]["pair"], json!([1, 0]));
    assert_eq!(stopped["contact"]["normal"], json!([1.0, 0.0, 0.0]));
    assert!((stopped["poses"][1][0].as_f64().unwrap() - 0.185).abs() < 1e-14);
    let free = page.done("slide", slide(0.1)).await;
    assert_eq!((&free["distance"], &free["contact"]), (&json!(0.1), &json!(null)));
    // Touching bodies slide along each other, and away.
    let touching = json!([[1, at(0.185, 0.0, 0.0)]]);
    for direction in [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]] {
        let along =
            json!({ "bodies": [1], "direction": direction, "max": 0.05, "at": null, "poses": touching });
        assert_eq!(page.done("slide", along).await["distance"], 0.05);
    }
    let into =
        json!({ "bodies": [1], "direction": [1.0, 0.0, 0.0], "max": 0.05, "at": null, "poses": touching });
    assert!(page.done("slide", into).await["distance"].as_f64().unwrap() < 1e-8);
    // From the end of the step: 85 mm are left.
    let later =
        json!({ "bodies": [1], "direction": [1.0, 0.0, 0.0], "max": 1.0, "at": { "step": 0, "t": 1.0 } });
    assert!((page.done("slide", later).await["distance"].as_f64().unwrap() - 0.085).abs() < 1e-14);
    // About z, at 0.18: the corner (0.01, 0.01) passes until it is 15 mm from the axis, which it never is: √2·10 < 15.
    let turn = |x: f64| {
        let axis = json!({ "point": [x, 0.0, 0.0], "direction": [0.0, 0.0, 1.0] });
        json!({ "bodies": [1], "axis": axis, "max": 3.0, "at": null, "poses": [[1, at(x, 0.0, 0.0)]] })
    };
    assert_eq!(page.done("turn", turn(0.18)).await["angle"], 3.0);
    // At 12 mm the corner touches when √2·10·cos(π/4 − α) = 12.
    let angle = page.done("turn", turn(0.183)).await["angle"].as_f64().unwrap();
    let expected = std::f64::consts::FRAC_PI_4 - (12.0 / 200f64.sqrt()).acos();
    assert!((angle - expected).abs() < 1e-9, "{angle} {expected}");
    let probe = page.done("probe", json!({ "at": null, "poses": [[1, at(0.19, 0.0, 0.0)]] })).await;
    assert_eq!(probe["findings"][0]["kind"], "overlap");
    for bad in [
        json!({ "bodies": [], "direction": [1, 0, 0], "max": 1.0 }),
        json!({ "bodies": [7], "direction": [1, 0, 0], "max": 1.0 }),
    ] {
        assert_eq!(page.refused("slide", bad).await, "request");
    }
}

#[tokio::test]
async fn steps_are_added_changed_moved_and_removed() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let added =
        page.done("add_step", json!({ "moves": [{ "bodies": [1], "translate": [0.0, 0.0, 0.05] }] })).await;
    assert_eq!(added["step"], 1);
    let scene = page.scene(&added["revision"]).await;
    assert_eq!(scene["steps"][1]["name"], "lift the block");
    let turn =
        json!({ "point": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0], "angle": std::f64::consts::FRAC_PI_2 });
    let moves = json!([{ "bodies": [1], "rotate": turn }]);
    page.done("update_step", json!({ "step": 1, "moves": moves, "seconds": 2.5, "name": "spin" })).await;
    page.done("duplicate_step", json!({ "step": 1 })).await;
    page.done("move_step", json!({ "from": 0, "to": 2 })).await;
    let text = page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned();
    assert!(
        text.contains("deg = 90")
            && text.contains("seconds = 2.5")
            && text.contains("# And so does this one."),
        "{text}"
    );
    let last = page.done("remove_step", json!({ "step": 0 })).await;
    let scene = page.scene(&last["revision"]).await;
    let names: Vec<&str> =
        scene["steps"].as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["spin again", "push"]);
    let poses = page.done("poses", json!({ "step": 0, "t": 0.5 })).await;
    assert!((poses["poses"][1][6].as_f64().unwrap() - std::f64::consts::FRAC_PI_8.cos()).abs() < 1e-15);
    let curve = page.done("curve", json!({ "step": 1, "pair": [1, 0] })).await;
    assert_eq!(curve["required"], 0.001);
    for bad in [json!({ "step": 9 }), json!({ "step": -1 })] {
        assert_eq!(page.refused("remove_step", bad).await, "request");
    }
    assert_eq!(
        page.refused("set_pose", json!({ "body": 1, "pose": [0, 0, 0, 0, 0, 0, 0] })).await,
        "request"
    );
    assert_eq!(
        page.refused("set_pose", json!({ "body": 1, "pose": [1e300, 0, 0, 0, 0, 0, 1] })).await,
        "request"
    );
}

#[tokio::test]
async fn a_way_is_planned_and_accepted() {
    let folder = Folder::new();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    // From 100 mm before the wall to 300 mm behind it.
    page.done("plan", json!({ "bodies": [1], "to": at(0.4, 0.0, 0.0), "planner": "detours" })).await;
    let planned = page.event("planned").await;
    assert_eq!(planned["verdict"], "free", "{planned}");
    assert!(planned["clearance"].as_f64().unwrap() >= 0.000999, "{planned}");
    assert_eq!(planned["preview"]["tracks"][0]["body"], 1);
    let accepted = page.done("accept_plan", json!({ "name": "around" })).await;
    let scene = page.scene(&accepted["revision"]).await;
    assert_eq!(scene["steps"][1]["name"], "around");
    assert_eq!(page.verdict(&accepted["revision"]).await["verdict"], "free");
    assert_eq!(page.refused("accept_plan", json!({})).await, "nothing");
}

#[tokio::test]
async fn two_pages_see_the_same() {
    let folder = Folder::new();
    let studio = folder.studio();
    let address = Address::of(studio.address());
    let mut first = Client::connect(&address).await;
    let mut second = Client::connect(&address).await;
    let moved = first.done("set_pose", json!({ "body": 1, "pose": at(0.05, 0.0, 0.0) })).await;
    assert_eq!(second.scene(&moved["revision"]).await["bodies"][1]["pose"], at(0.05, 0.0, 0.0));
    let undone = second.done("undo", json!({})).await;
    assert_eq!(first.scene(&undone["revision"]).await["bodies"][1]["pose"], at(0.0, 0.0, 0.0));
    // One that leaves in the middle of a question troubles nobody.
    let question = json!({ "id": 1, "do": "slide", "bodies": [1], "direction": [1, 0, 0], "max": 1.0 });
    futures_util::SinkExt::send(&mut first.socket, question.to_string().into()).await.unwrap();
    drop(first);
    second.done("get_text", json!({})).await;
}
