//! A whole report of a small plan: what is in it, and that it holds.

use crate::gearbox;
use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Report, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_mesh_io as mesh_io;
use freiraum_mesh_io::ReadOptions;
use freiraum_render::report::{self, ReportOptions};
use freiraum_scene::{Scene, Step, Travel};
use std::path::{Path, PathBuf};

fn checked(scene: &Scene) -> (Timeline, ShapeCache, Report) {
    let (timeline, parts) = (Timeline::of(scene).unwrap(), ShapeCache::of(scene));
    let result = check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    (timeline, parts, result)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn links_lead_somewhere(page: &str) {
    let links: Vec<&str> =
        page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!links.is_empty());
    for link in links {
        assert_eq!(page.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

#[test]
fn a_long_plan_is_small_and_has_links_to_all_its_steps() {
    let mut scene = gearbox::scene();
    let first = scene.steps[0].clone();
    let step = |number: usize| {
        let by = if number.is_multiple_of(2) { Vec3::Z } else { -Vec3::Z };
        let mut step = Step { name: format!("hop {number}"), ..first.clone() };
        step.moves[0].travel = Travel::Translate(0.01 * by);
        step
    };
    scene.steps = (0..64).map(step).collect();
    let (timeline, parts, result) = checked(&scene);
    let files = report::write(&folder("long"), &scene, &timeline, &parts, &result, &ReportOptions::default());
    let page = std::fs::read_to_string(files.unwrap().html).unwrap();
    links_lead_somewhere(&page);
    let strip = page.split("<nav").nth(1).unwrap().split("</nav>").next().unwrap();
    assert_eq!(strip.matches("href=\"#step-").count(), 64);
    assert!(page.len() < 64 * 120_000, "{}", page.len());
}

#[test]
fn a_page_that_asks_nothing_of_anybody() {
    let scene = gearbox::scene();
    let (timeline, parts, mut result) = checked(&scene);
    result.seconds = Some(0.1234);
    let title = "Gearbox <&> {{steps}}".to_owned();
    let options = ReportOptions { title };
    let write = |threads: usize, name: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| report::write(&folder(name), &scene, &timeline, &parts, &result, &options).unwrap())
    };
    let files = write(2, "report");
    let page = std::fs::read_to_string(&files.html).unwrap();
    // Names are text, the title too.
    assert!(!page.contains("<script") && page.contains("sensor &lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("<h1>Gearbox &lt;&amp;&gt; {{steps}}</h1>"));
    for outside in ["http://", "https://", "src=", "@import", "url(h"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<section class=\"card\" id=\"step-").count(), scene.steps.len());
    // A picture of the start and the end, of every step, and of what is wrong.
    let pictures = page.matches("data:image/png;base64,").count();
    assert!(pictures >= 2 + scene.steps.len() + 3, "{pictures}");
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 9);
    assert!(page.contains("The bracket can be lowered 64 mm of 100 mm, then"));
    assert!(page.contains("comes within 0.3 mm of the housing at"));
    assert!(page.contains("required 0.5 mm"));
    assert!(page.len() < 3_000_000, "{}", page.len());
    // What is wrong stands at the top; the picture of the end and the plot say that it is not reached.
    let top = &page[..page.find("<dl class=\"facts\"").unwrap()];
    assert!(
        top.contains(": the bracket collides with the ") && top.contains(" after 64 mm of 100 mm."),
        "{top}"
    );
    assert!(page.contains("The end is not reached: in step "));
    assert!(page.contains(">collision after 64 mm of 100 mm</text>"));
    links_lead_somewhere(&page);
    // Nothing is left behind, and a second report replaces the first.
    let folder = files.html.parent().unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
    report::write(folder, &scene, &timeline, &parts, &result, &options).unwrap();
    // The same on any number of threads.
    let again = write(1, "report-again");
    for (a, b) in
        [(&files.html, &again.html), (&files.json, &again.json), (&files.animation, &again.animation)]
    {
        assert!(std::fs::read(a).unwrap() == std::fs::read(b).unwrap(), "{}", a.display());
    }
}

#[test]
fn the_keys_of_the_contract() {
    let scene = gearbox::scene();
    let (_, _, mut result) = checked(&scene);
    result.seconds = Some(0.5);
    let json = serde_json::to_value(&result).unwrap();
    assert_eq!(json["verdict"], "collision");
    assert_eq!(json["units"], "mm");
    assert_eq!(json["seconds"], 0.5);
    assert!(json["pairs_tested"].as_u64().unwrap() > 0);
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.len(), scene.steps.len());
    for (number, step) in steps.iter().enumerate() {
        assert_eq!(step["index"], number + 1);
        for key in ["name", "verdict", "moving", "clearance", "required", "pair", "t", "point"] {
            assert!(step.get(key).is_some(), "{key} of step {}", number + 1);
        }
    }
    let close = &steps[7];
    assert_eq!(close["verdict"], "too_close");
    assert!((close["clearance"].as_f64().unwrap() - 0.3).abs() < 1e-6);
    assert_eq!(close["required"], 0.5);
    assert!((close["findings"][0]["missing"].as_f64().unwrap() - 0.2).abs() < 1e-6);
    let hit = &steps[8];
    assert_eq!(hit["verdict"], "collision");
    assert_eq!(hit["pair"], serde_json::json!(["bracket", "lid"]));
    // 64 mm of 100 mm, and the allowance of 0.02 mm.
    assert!((hit["t"].as_f64().unwrap() - 0.64).abs() < 0.001);
    assert_eq!(hit["point"].as_array().unwrap().len(), 3);
    assert_eq!(steps[5]["moving"], serde_json::json!(["lid", "screw"]));
    assert!(!json.to_string().contains("NaN"));
}

/// What a viewer shows at a time: keys of one channel, linear between them.
fn shown(times: &[f32], at: f32) -> (usize, usize, f64) {
    let next = times.partition_point(|time| *time <= at);
    if next == 0 || next == times.len() {
        let end = if next == 0 { 0 } else { next - 1 };
        return (end, end, 0.0);
    }
    let share = (at - times[next - 1]) / (times[next] - times[next - 1]);
    (next - 1, next, f64::from(share))
}

#[test]
fn the_animation_shows_the_motions() {
    let scene = gearbox::scene();
    let (timeline, parts, result) = checked(&scene);
    let bytes = report::animation(&scene, &timeline, &parts, &result).unwrap();
    // Read and validated by the crate of the field, and by our own reader.
    let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
    assert!(
        !mesh_io::read_bytes(&bytes, "animation.glb", &ReadOptions::default()).unwrap().faces().is_empty()
    );
    let blob = gltf.blob.as_deref().unwrap();
    let nodes: Vec<gltf::Node<'_>> = gltf.document.nodes().collect();
    assert_eq!(nodes.len(), scene.bodies.len() + 1);
    // z up becomes y up.
    let root = gltf.document.scenes().next().unwrap().nodes().next().unwrap();
    let up = Quat::from_array(root.transform().decomposed().1.map(f64::from)) * Vec3::Z;
    assert!(up.distance(Vec3::Y) < 1e-6);
    let animation = gltf.document.animations().next().unwrap();
    let channels: Vec<_> = animation.channels().collect();
    let mut moved = 0;
    for (number, body) in scene.bodies.iter().enumerate() {
        let node = nodes.iter().find(|node| node.name() == Some(&body.name)).unwrap();
        let own = || channels.iter().filter(|channel| channel.target().node().index() == node.index());
        let size = parts.movable(number).unwrap().prepared().bounds().unwrap().size().length();
        let center = parts.movable(number).unwrap().prepared().bounds().unwrap().center();
        let (mut times, mut translations, mut rotations) = (Vec::new(), Vec::new(), Vec::new());
        for channel in own() {
            let reader = channel.reader(|_| Some(blob));
            times = reader.read_inputs().unwrap().collect::<Vec<f32>>();
            match reader.read_outputs().unwrap() {
                gltf::animation::util::ReadOutputs::Translations(keys) => translations = keys.collect(),
                gltf::animation::util::ReadOutputs::Rotations(keys) => {
                    rotations = keys.into_f32().collect::<Vec<_>>()
                }
                _ => panic!("neither a translation nor a rotation"),
            }
        }
        if body.is_fixed {
            assert!(times.is_empty());
            continue;
        }
        moved += 1;
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((times.len(), times.len()), (translations.len(), rotations.len()));
        let mut start = 0.0;
        for stage in &timeline.stages {
            let motion = stage.motion(number);
            for i in 0..=97 {
                let t = f64::from(i) / 97.0;
                let (a, b, share) = shown(&times, (start + t * stage.seconds) as f32);
                let [p, q] = [a, b].map(|k| Vec3::from_array(translations[k].map(f64::from)));
                let [r, s] = [a, b].map(|k| Quat::from_array(rotations[k].map(f64::from)).normalize());
                let pose = Pose::new(r.slerp(s, share).normalize(), p.lerp(q, share)).unwrap();
                let truth = motion.pose(t);
                for corner in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                    let point = center + 0.5 * size * corner;
                    let error = pose.transform_point(point).distance(truth.transform_point(point));
                    assert!(error < 0.002 * size, "{} in {} at {t}: {error}", body.name, stage.name);
                }
            }
            start += stage.seconds;
        }
        assert!(times[times.len() - 1] <= start as f32 + 1e-4);
        // A straight motion needs two keys.
        if body.name == "gear" {
            assert!(times.iter().filter(|time| **time <= 1.5).count() <= 3, "{times:?}");
        }
    }
    assert_eq!(moved, 5);
    let extras = gltf.document.scenes().next().unwrap().extras().as_ref().unwrap().get().to_owned();
    assert!(extras.contains("\"lower gear\"") && extras.contains("\"too_close\""));
}

#[test]
fn a_plan_without_steps_has_a_report_too() {
    let scene = Scene { steps: Vec::new(), ..gearbox::scene() };
    let (timeline, parts, result) = checked(&scene);
    let files =
        report::write(&folder("no-steps"), &scene, &timeline, &parts, &result, &ReportOptions::default());
    let bytes = std::fs::read(files.unwrap().animation).unwrap();
    assert!(gltf::Gltf::from_slice(&bytes).unwrap().document.animations().next().is_none());
    let empty = Scene::default();
    let (timeline, parts, result) = checked(&empty);
    let files =
        report::write(&folder("empty"), &empty, &timeline, &parts, &result, &ReportOptions::default());
    assert!(gltf::Gltf::from_slice(&std::fs::read(files.unwrap().animation).unwrap()).is_ok());
}

/// What cannot be seen, or turns the direction of writing, stands in all files as its code.
#[test]
fn names_steer_nothing_in_any_file() {
    let odd = |c: char| c != '\n' && freiraum_scene::is_odd(c);
    let name = "a\u{202e}b\u{200b}c\u{2028}d";
    let mut scene = gearbox::scene();
    scene.steps.truncate(1);
    scene.bodies[1].name = name.to_owned();
    scene.steps[0].name = name.to_owned();
    scene.allowance = 0.000_01;
    let (timeline, parts, result) = checked(&scene);
    let options = ReportOptions { title: name.to_owned() };
    let files = report::write(&folder("odd"), &scene, &timeline, &parts, &result, &options).unwrap();
    let json = std::fs::read_to_string(files.json).unwrap();
    assert!(!json.contains(odd));
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["steps"][0]["name"], name);
    let page = std::fs::read_to_string(files.html).unwrap();
    assert!(
        !page.contains(odd) && page.contains("<details id=\"allowances\"><summary>1 allowance</summary>")
    );
    let glb = std::fs::read(files.animation).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    assert_eq!((glb.len() % 4, length % 4), (0, 0));
    let text = std::str::from_utf8(&glb[20..20 + length]).unwrap();
    assert!(!text.contains(odd) && text.contains("a\\u202eb\\u200bc\\u2028d"));
}

/// Tables of lasers are among the files that were read, with the digest of what was read.
#[test]
fn tables_of_lasers_are_inputs() {
    let folder = freiraum_testkit::folder::Folder::new("report-table");
    let table = "lasers:\n- {laser_id: 0, vert_correction: 0.25}\n";
    folder.file("table.yaml", table);
    let text = "[[body]]\nname = \"one\"\nshape = { sphere = { radius = 1 } }\n[[sensor]]\nname = \"laser\"\nkind = \"laser\"\n\
        range = 10\nrows = { table = \"table.yaml\", columns = 10 }\n";
    let file = freiraum_formats::scene::SceneFile::parse(text, folder.path(), "scene.toml").unwrap();
    folder.file("table.yaml", "written later");
    let (timeline, parts) = (Timeline::of(file.scene()).unwrap(), ShapeCache::of(file.scene()));
    let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options).unwrap();
    let [_, input] = &found.inputs[..] else { panic!("{:?}", found.inputs) };
    let digest = blake3::hash(table.as_bytes()).to_hex().to_string();
    assert_eq!((input.kind, &*input.path, &input.blake3), ("table", "table.yaml", &digest));
}

#[test]
fn rules_that_take_pairs_out_are_told_with_their_reasons() {
    let body = |name: &str, x: usize| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\npose = [{x}, 0, 0]\n"
        )
    };
    let rule =
        |a: &str, b: &str, why: &str| format!("[[pair]]\nbodies = [\"{a}\", \"{b}\"]\nignore = \"{why}\"\n");
    let text = [
        body("nut", 0),
        body("screw", 0),
        body("plate", 0),
        rule("nut", "screw", "a thread"),
        rule("nut", "plate", "welded"),
        rule("screw", "plate", "welded"),
    ];
    let file = SceneFile::parse(text.concat(), Path::new(""), "scene.toml").unwrap();
    let timeline = Timeline::of(file.scene()).unwrap();
    let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
    let parts = ShapeCache::of(file.scene());
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options).unwrap();
    assert_eq!(
        freiraum_check::words::exempt(file.scene(), &found),
        [
            "the nut with the screw ([[pair]] ignore, line 13): a thread",
            "the nut with the plate and 1 more pair ([[pair]] ignore): welded"
        ]
    );
}
