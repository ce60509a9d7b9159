//! The clearance of fits: it holds outside of contact and approach, across the borders of steps.

use freiraum_assets::ShapeCache;
use freiraum_check::{
    CheckMemory, CheckOptions, Finding, FindingKind, FitReason, PlanVerdict, Report, Until, check,
};
use freiraum_check::{Timeline, words};
use freiraum_formats::scene::SceneFile;
use freiraum_scene::Scene;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::path::Path;

fn scene(text: &str) -> Scene {
    let file = SceneFile::parse(text, Path::new(""), "scene.toml");
    file.unwrap_or_else(|e| panic!("{}", e.render(false))).scene().clone()
}

fn result(text: &str) -> (Scene, Timeline, Report) {
    let scene = scene(text);
    let timeline = Timeline::of(&scene).unwrap();
    let memory = CheckMemory::default();
    let options = CheckOptions::default();
    let found = check(&scene, &timeline, &ShapeCache::of(&scene), &memory, &options).unwrap();
    // From memory, and with one thread, the same comes out.
    let written = CheckMemory::from_bytes(&memory.to_bytes());
    let again = check(&scene, &timeline, &ShapeCache::of(&scene), &written, &options).unwrap();
    assert_eq!((&again.steps, &again.start), (&found.steps, &found.start));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| {
        check(&scene, &timeline, &ShapeCache::of(&scene), &CheckMemory::default(), &options).unwrap()
    });
    assert_eq!(alone.steps, found.steps);
    (scene, timeline, found)
}

fn verdict(text: &str) -> PlanVerdict {
    result(text).2.verdict
}

fn too_close(found: &Report) -> Vec<&Finding> {
    let all = found.steps.iter().flat_map(|step| &step.findings);
    all.filter(|finding| matches!(finding.kind, FindingKind::TooClose { .. })).collect()
}

const LID: &str = r#"
units = "mm"
[check]
clearance = 0.3
[[body]]
name = "box"
shape = { box = { size = [100, 100, 50] } }
[[body]]
name = "lid"
shape = { box = { size = [100, 100, 5] } }
pose = [0, 0, 60]
"#;

#[test]
fn a_lid_is_put_down() {
    let down = "[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -32.5]\n";
    let (_, _, found) = result(&format!("{LID}{down}"));
    assert_eq!(found.verdict, PlanVerdict::Free);
    let fit = found.steps[0].fit_gaps[0];
    assert_eq!((fit.pair, fit.reason, fit.allowance), ([1, 0], FitReason::TouchesAtEnd, 0.0));
    assert!(fit.gap.abs() < 1e-9 && fit.gap_error < 1e-7, "{fit:?}");
    let closest = found.steps[0].closest.unwrap();
    assert!(closest.pair == [1, 0] && closest.distance < 1e-9);
    // 0.1 mm above the box it is no fit, and must keep its distance.
    let above = "[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -32.4]\n";
    assert_eq!(verdict(&format!("{LID}{above}")), PlanVerdict::TooClose);
    // Put down in several steps, with steps in between that move something else, and it together with the box.
    let other = "[[body]]\nname = \"other\"\nshape = { sphere = { radius = 1 } }\npose = [500, 0, 0]\n[[group]]\nname = \"both\"\nmembers = [\"box\", \"lid\"]\n";
    let steps = "[[step]]\nmove = \"other\"\ntranslate = [9, 0, 0]\n[[step]]\nmove = \"both\"\ntranslate = [0, 300, 0]\n[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -0.05]\n[[step]]\nmove = \"both\"\ntranslate = [0, 0, 40]\n[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -0.05]\n";
    assert_eq!(verdict(&format!("{LID}{other}{above}{steps}")), PlanVerdict::Free);
    // An approach that is shorter than the way from where it first is too near.
    let short = LID.replace("clearance = 0.3", "clearance = 0.3\napproach = 0.08");
    let (_, _, found) = result(&format!("{short}{other}{above}{steps}"));
    let close = too_close(&found);
    assert_eq!(close.len(), 2, "{close:?}");
    let FindingKind::TooClose { distance, is_fit, .. } = close[1].kind else { unreachable!() };
    assert!(is_fit && (distance - 83e-6).abs() < 1e-9, "{close:?}");
}

/// What starts too near to what it is put on is on the approach, too.
#[test]
fn a_plan_may_start_on_the_approach() {
    let near = LID.replace("[0, 0, 60]", "[0, 0, 27.6]");
    assert_eq!(
        verdict(&format!("{near}[[step]]\nmove = \"lid\"\ntranslate = [0, 0, 9]\n")),
        PlanVerdict::TooClose
    );
    assert_eq!(
        verdict(&format!("{near}[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -0.1]\n")),
        PlanVerdict::Free
    );
}

#[test]
fn a_block_slides_on_its_table() {
    let text = r#"
units = "mm"
[check]
clearance = 0.3
[[body]]
name = "table"
shape = { box = { size = [1000, 1000, 50] } }
[[body]]
name = "block"
shape = { box = { size = [100, 100, 50] } }
pose = [-300, 0, 50]
[[step]]
move = "block"
translate = [600, 100, 0]
[[step]]
move = "block"
rotate = { point = [300, 100, 0], axis = [0, 0, 1], deg = 90 }
[[step]]
move = "block"
translate = [0, 0, 100]
"#;
    let (_, _, found) = result(text);
    assert_eq!(found.verdict, PlanVerdict::Free, "{found:?}");
    assert!(found.steps.iter().all(|step| step.fit_gaps[0].reason == FitReason::TouchesAtStart));
}

/// The head of the bolt ends on the plate; its shank is 0.1 mm from the bore all the way.
#[test]
fn a_bolt_is_too_close_to_its_bore() {
    let bore = |gap: f64| {
        // Four jaws around the shank, and the plate is one body.
        let half = 5.0 + gap;
        format!(
            r#"
units = "mm"
[check]
clearance = 0.3
[[body]]
name = "plate"
shape = {{ compound = [
  {{ shape = {{ box = {{ size = [40, 40, 20] }} }}, pose = [{x}, 0, 0] }}, {{ shape = {{ box = {{ size = [40, 40, 20] }} }}, pose = [-{x}, 0, 0] }},
  {{ shape = {{ box = {{ size = [{w}, 15, 20] }} }}, pose = [0, {y}, 0] }}, {{ shape = {{ box = {{ size = [{w}, 15, 20] }} }}, pose = [0, -{y}, 0] }} ] }}
[[body]]
name = "bolt"
shape = {{ compound = [ {{ shape = {{ cylinder = {{ radius = 5, height = 30 }} }} }}, {{ shape = {{ cylinder = {{ radius = 9, height = 5 }} }}, pose = [0, 0, 17.5] }} ] }}
pose = [0, 0, 40]
"#,
            x = half + 20.0,
            y = half + 7.5,
            w = 2.0 * half
        )
    };
    let down = "[[step]]\nname = \"in\"\nmove = \"bolt\"\ntranslate = [0, 0, -45]\n";
    let (scene, timeline, found) = result(&format!("{}{down}", bore(0.1)));
    assert_eq!(found.verdict, PlanVerdict::TooClose, "{found:?}");
    let close = too_close(&found);
    let FindingKind::TooClose { distance, required, is_fit, .. } = close[0].kind else { unreachable!() };
    assert!(is_fit && required == 0.0003 && (distance - 0.0001).abs() < 1e-9, "{close:?}");
    let said = words::sentence(&scene, &timeline, 0, close[0]);
    assert!(said.contains("[[pair]] clearance") && said.contains("[[pair]] approach"), "{said}");
    // What is meant can be said.
    let rule = |key: &str| format!("[[pair]]\nbodies = [\"bolt\", \"plate\"]\n{key}\n");
    for (key, expected) in [
        ("clearance = 0.09", PlanVerdict::Free),
        ("clearance = 0.2", PlanVerdict::TooClose),
        ("approach = 45", PlanVerdict::Free),
        ("approach = 15", PlanVerdict::TooClose),
    ] {
        assert_eq!(verdict(&format!("{}{}{down}", bore(0.1), rule(key))), expected, "{key}");
    }
    // And turned in.
    let screw = "[[step]]\nmove = \"bolt\"\nscrew = { point = [0, 0, 0], axis = [0, 0, -1], deg = 720, advance = 45 }\n";
    assert_eq!(verdict(&format!("{}{screw}", bore(0.1))), PlanVerdict::TooClose);
    assert_eq!(verdict(&format!("{}{down}", bore(0.4))), PlanVerdict::Free);
}

#[test]
fn a_drawer_is_too_close_to_its_rails() {
    let text = |gap: f64, more: &str| {
        format!(
            r#"
units = "mm"
[check]
clearance = 0.3
[[body]]
name = "frame"
shape = {{ compound = [ {{ shape = {{ box = {{ size = [20, 400, 50] }} }}, pose = [{x}, 0, 0] }}, {{ shape = {{ box = {{ size = [20, 400, 50] }} }}, pose = [-{x}, 0, 0] }}, {{ shape = {{ box = {{ size = [400, 20, 50] }} }}, pose = [0, 210, 0] }} ] }}
[[body]]
name = "drawer"
shape = {{ box = {{ size = [200, 300, 40] }} }}
pose = [0, -250, 0]
{more}
[[step]]
move = "drawer"
translate = [0, 300, 0]
"#,
            x = 110.0 + gap
        )
    };
    let (_, _, found) = result(&text(0.01, ""));
    assert_eq!(found.verdict, PlanVerdict::TooClose);
    let FindingKind::TooClose { distance, is_fit, .. } = too_close(&found)[0].kind else { unreachable!() };
    assert!(is_fit && (distance - 1e-5).abs() < 1e-9);
    assert_eq!(found.steps[0].fit_gaps[0].reason, FitReason::TouchesAtEnd);
    assert_eq!(verdict(&text(0.31, "")), PlanVerdict::Free);
    let rule = "[[pair]]\nbodies = [\"drawer\", \"frame\"]\nallowance = 0.02";
    // A gap within the allowance is contact.
    assert_eq!(verdict(&text(0.01, rule)), PlanVerdict::Free);
}

/// A plug of 1:20 on both sides together: 40 clearances away it is a clearance from its seat.
#[test]
fn a_taper_needs_forty_clearances() {
    let text = |approach: &str| {
        format!(
            r#"
units = "mm"
[check]
clearance = 0.3
[[body]]
name = "seat"
shape = {{ box = {{ size = [20, 400, 400] }} }}
pose = {{ position = [{x}, 0, 0], rpy_deg = [0, {lean}, 0] }}
[[body]]
name = "plug"
shape = {{ cone = {{ radius = 10, height = 400 }} }}
{approach}
[[step]]
move = "plug"
translate = [0, 0, -100]
"#,
            x = (10.0 + 5.0 * slope().cos()) * slope().cos(),
            lean = -slope().to_degrees(),
        )
        .replace("position = [", "position = [")
    };
    fn slope() -> f64 {
        (1.0f64 / 40.0).atan()
    }
    // The seat leans about its own middle: moved along its normal.
    let place = |text: String| {
        let far = 10.0 + 5.0 * slope().cos();
        text.replace(
            &format!("position = [{}, 0, 0]", far * slope().cos()),
            &format!("position = [{}, 0, {}]", far * slope().cos(), far * slope().sin()),
        )
    };
    assert_eq!(verdict(&place(text(""))), PlanVerdict::TooClose);
    let rule = |approach: f64| format!("[[pair]]\nbodies = [\"plug\", \"seat\"]\napproach = {approach}");
    assert_eq!(verdict(&place(text(&rule(12.0)))), PlanVerdict::Free);
    assert_eq!(verdict(&place(text(&rule(11.0)))), PlanVerdict::TooClose);
}

/// A finger of two links opens: what holds for bodies holds for links of robots.
#[test]
fn a_lid_turns_about_its_hinge() {
    let text = |approach: f64| {
        format!(
            r#"
units = "mm"
[check]
clearance = 1
approach = {approach}
[[body]]
name = "box"
shape = {{ box = {{ size = [100, 100, 50] }} }}
[[body]]
name = "lid"
shape = {{ box = {{ size = [100, 100, 5] }} }}
pose = [0, 0, 27.5]
[[step]]
move = "lid"
rotate = {{ point = [-50, 0, 25], axis = [0, 1, 0], deg = -60 }}
"#
        )
    };
    // It stays in contact at its hinge edge: nothing is ever asked of it.
    assert_eq!(verdict(&text(0.0)), PlanVerdict::Free);
    // With the axis 0.5 above and outside the gap stays below 1 for ever after the lid has left the box.
    let loose = |approach: f64| text(approach).replace("[-50, 0, 25]", "[-50, 0, 25.5]");
    let (_, _, found) = result(&loose(10.0));
    assert!(matches!(found.verdict, PlanVerdict::TooClose | PlanVerdict::Collision), "{found:?}");
}

/// Numbers that a user can act on: a pin that ends 0.3 mm deep, and a sharp needle.
#[test]
fn depths_that_help() {
    let text = |shape: &str, pose: &str, allowance: f64, move_by: f64| {
        format!(
            "units = \"mm\"\n[check]\nallowance = {allowance}\n[[body]]\nname = \"block\"\nshape = {{ box = {{ size = [100, 100, 50] }} }}\n[[body]]\nname = \"pin\"\nshape = {shape}\npose = {pose}\n[[step]]\nmove = \"pin\"\ntranslate = [0, 0, {move_by}]\n"
        )
    };
    let cube = "{ box = { size = [10, 10, 10] } }";
    // Ends 0.3 mm deep: where it first touches, until the end, and which allowance would do.
    let (_, _, found) = result(&text(cube, "[0, 0, 40]", 0.0, -10.3));
    let finding = found.steps[0].findings[0];
    let FindingKind::Contact { until, passing_allowance, .. } = finding.kind else { panic!("{finding:?}") };
    assert_eq!(until, Some(Until::End));
    let passing = passing_allowance.unwrap();
    assert!((0.0003..0.000_304).contains(&passing), "{passing}");
    // Overlaps before it moves: 5 mm to the nearest side, 0.2 mm deep.
    let (_, _, found) = result(&text(cube, "[0, 0, 29.8]", 0.0, 10.0));
    let FindingKind::Overlap { separating_shift, passing_allowance, .. } = found.start[0].kind else {
        panic!("{found:?}")
    };
    assert!((separating_shift.unwrap() - 0.0002).abs() < 1e-9);
    assert!((0.0002..0.000_203).contains(&passing_allowance.unwrap()), "{passing_allowance:?}");
    // Through the block and out again.
    let (_, _, found) = result(&text(cube, "[0, 0, 40]", 0.0, -100.0));
    let FindingKind::Contact { until, passing_allowance, .. } = found.steps[0].findings[0].kind else {
        panic!()
    };
    let Some(Until::Time(until)) = until else { panic!("{until:?}") };
    assert!((until - 0.7).abs() < 1e-9, "{until:?}");
    assert_eq!(passing_allowance, None);
    // A needle of 2 degrees: 0.1 mm of allowance lets it in by far more, which is told.
    let half = 1f64.to_radians();
    let needle = format!("{{ cone = {{ radius = {}, height = 40 }} }}", 40.0 * half.tan());
    let pose = "{ position = [0, 0, 55], rpy_deg = [180, 0, 0] }";
    let (_, _, found) = result(&text(&needle, pose, 0.1, -30.0));
    let FindingKind::Contact { depth, .. } = found.steps[0].findings[0].kind else { panic!("{found:?}") };
    let travelled = 0.03 * found.steps[0].findings[0].time - 0.01;
    let depth = depth.unwrap();
    assert!(depth > 0.0014 && (depth - travelled).abs() < 1e-6, "{depth} {travelled}");
    // It touches, and is then 1.4 mm deep within the allowance, which erosion hardly sees: the shift tells
    // it.
    let steps = text(&needle, pose, 0.1, -10.0) + "[[step]]\nmove = \"pin\"\ntranslate = [0, 0, -1.4]\n";
    let (_, _, found) = result(&steps);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let shift = found.steps[1].fit_gaps[0].separating_shift.unwrap();
    assert!((shift - 0.0014).abs() < 1e-6, "{shift}");
}

/// A car that drives along a rail, 0.4 mm deep, and is apart before and after: no fit, and its gap is not
/// known to be 0.
#[test]
fn what_passes_within_its_allowance_may_overlap() {
    let text = "units = \"mm\"\n[check]\nallowance = 0.5\n[[body]]\nname = \"rail\"\nshape = { box = { size = [100, 10, 10] } }\n[[body]]\nname = \"car\"\nshape = { box = { size = [10, 10, 10] } }\npose = [-80, 9.6, 0]\n[[step]]\nmove = \"car\"\ntranslate = [160, 0, 0]\n";
    let (_, _, found) = result(text);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let gap = found.steps[0].smallest_gap().unwrap();
    assert!(!gap.is_fit && gap.gap - gap.error <= -0.0004, "{gap:?}");
}

/// A lid that is lifted by exactly a hundredth of the clearance is in contact, in whatever unit the file is
/// written.
#[test]
fn bounds_are_the_same_in_every_unit() {
    for (unit, per_mm) in [("mm", "e0"), ("m", "e-3"), ("um", "e3"), ("cm", "e-1"), ("dm", "e-2")] {
        for (clearance, lift) in [("0.3", "0.003"), ("0.7", "0.007")] {
            let length = |mm: &str| format!("{:?}", format!("{mm}{per_mm}").parse::<f64>().unwrap());
            let [size, high, up, along] = ["100", "5", "52.5", "7"].map(length);
            let [clearance, lift] = [clearance, lift].map(length);
            let text = format!(
                "units = \"{unit}\"\n[check]\nclearance = {clearance}\n[[body]]\nname = \"box\"\nshape = {{ box = {{ size = [{size}, {size}, {size}] }} }}\n[[body]]\nname = \"lid\"\nshape = {{ box = {{ size = [{size}, {size}, {high}] }} }}\npose = [0, 0, {up}]\n[[step]]\nmove = \"lid\"\ntranslate = [0, 0, {lift}]\n[[step]]\nmove = \"lid\"\ntranslate = [{along}, 0, 0]\n[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -{lift}]\n"
            );
            assert_eq!(verdict(&text), PlanVerdict::Free, "{text}");
        }
    }
}

/// A press fit: how deep it is.
#[test]
fn fits_tell_their_gaps() {
    let text = "units = \"mm\"\n[check]\nallowance = 0.1\n[[body]]\nname = \"block\"\nshape = { box = { size = [100, 100, 50] } }\n[[body]]\nname = \"pin\"\nshape = { box = { size = [10, 10, 10] } }\npose = [0, 0, 29.96]\n[[step]]\nmove = \"pin\"\ntranslate = [0, 0, 10]\n";
    let (_, _, found) = result(text);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let fit = found.steps[0].fit_gaps[0];
    assert_eq!((fit.reason, fit.allowance), (FitReason::TouchesAtStart, 0.0001));
    // 0.04 mm deep: between what was found and what is proven, a factor of the root of two.
    assert!(fit.gap >= -0.000_04 && fit.gap <= -0.000_028, "{fit:?}");
    assert!(fit.deepest() >= 0.000_04 && fit.deepest() <= 0.000_057, "{fit:?}");
    assert!((fit.separating_shift.unwrap() - 0.000_04).abs() < 1e-9, "{fit:?}");
    // The diagonal of the pin is 17 mm: a nanometre without being told.
    assert!(fit.resting > 0.5e-9 && fit.resting < 2e-9, "{fit:?}");
}

/// What is deepest on the way, and nowhere near the ends, is found.
#[test]
fn a_fit_that_is_deepest_on_the_way_says_so() {
    // A slider of 10 mm is drawn over a bump of 0.8 mm in the middle.
    let text = |allowance: f64| {
        format!(
            "units = \"mm\"\n[[body]]\nname = \"track\"\nfixed = true\nshape = {{ compound = [ {{ shape = {{ box = {{ size = [300, 50, 10] }} }} }}, {{ shape = {{ box = {{ size = [5, 50, 3] }} }}, pose = [13, 0, 4.3] }} ] }}\n\
             [[body]]\nname = \"slider\"\nshape = {{ box = {{ size = [10, 10, 10] }} }}\npose = [-80, 0, 10]\n\
             [[pair]]\nbodies = [\"slider\", \"track\"]\nallowance = {allowance}\n[[step]]\nmove = \"slider\"\ntranslate = [160, 0, 0]\n"
        )
    };
    let (_, _, found) = result(&text(1.0));
    assert_eq!(found.verdict, PlanVerdict::Free, "{found:?}");
    let fit = found.steps[0].fit_gaps[0];
    assert!(fit.gap < -0.0004 && fit.gap >= -0.0008, "{fit:?}");
    assert!(fit.deepest() >= 0.0008 && fit.deepest() <= 0.001 && !fit.only_touches(), "{fit:?}");
    let (_, _, found) = result(&text(0.7));
    assert_eq!(found.verdict, PlanVerdict::Collision, "{found:?}");
}

/// Before, what stood too close at the start had no remedy, where the step that leaves from there had one.
#[test]
fn what_is_too_close_at_the_start_and_a_fit_in_the_first_step_names_the_remedies() {
    let text = format!("{LID}[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -27.7]\n")
        .replace("clearance = 0.3", "clearance = 0.3\napproach = 0.1")
        .replace("pose = [0, 0, 60]", "pose = [0, 0, 27.7]");
    let text = text.replace("translate = [0, 0, -27.7]", "translate = [0, 0, -0.2]");
    let (scene, timeline, found) = result(&text);
    let is_fit = |finding: &Finding| matches!(finding.kind, FindingKind::TooClose { is_fit: true, .. });
    assert!(is_fit(&found.start[0]) && is_fit(too_close(&found)[0]), "{:?}", found.start);
    let remedy = "state [[pair]] clearance or a longer [[pair]] approach";
    let of_step = words::sentence(&scene, &timeline, 0, too_close(&found)[0]);
    let of_start = words::start_sentence(&scene, &found.start[0]);
    assert!(of_step.contains(remedy) && of_start.contains(remedy), "{of_step}; {of_start}");
    // With the remedy both are gone.
    let longer = text.replace("approach = 0.1", "approach = 0.3");
    assert_eq!(verdict(&longer), PlanVerdict::Free);
    // What never touches has none.
    let text = text.replace("translate = [0, 0, -0.2]", "translate = [0, 0, 1]");
    let (scene, _, found) = result(&text);
    assert!(!is_fit(&found.start[0]) && !words::start_sentence(&scene, &found.start[0]).contains(remedy));
}

/// The report says what it went by.
#[test]
fn approaches_stand_in_the_report() {
    let rules = "[[pair]]\nbodies = [\"box\", \"lid\"]\napproach = 7\n";
    let of = |text: &str| {
        let file = SceneFile::parse(text, Path::new(""), "scene.toml").unwrap();
        let timeline = Timeline::of(file.scene()).unwrap();
        let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
        let parts = ShapeCache::of(file.scene());
        let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options).unwrap();
        let said = words::stated(&words::approaches(file.scene(), &found));
        (serde_json::to_value(found).unwrap()["approach"].clone(), said)
    };
    let is = |one: &serde_json::Value, by: &str, approach: f64| {
        one["by"] == by && (one["approach"].as_f64().unwrap() - approach).abs() < 1e-12
    };
    let (found, said) = of(LID);
    assert!(is(&found[0], "default", 3.0) && found[0]["bodies"].is_null() && found[1].is_null(), "{found}");
    assert_eq!(said, "3 mm for all pairs (ten times the clearance)");
    let (found, said) =
        of(&format!("{LID}{rules}").replace("clearance = 0.3", "clearance = 0.3\napproach = 4"));
    assert!(is(&found[0], "check", 4.0) && is(&found[1], "pair", 7.0) && found[2].is_null(), "{found}");
    assert_eq!(found[1]["bodies"], serde_json::json!([["box"], ["lid"]]));
    assert!(said.contains("; 7 mm for the box with the lid ([[pair]], line "), "{said}");
    let (found, _) = of(&LID.replace("clearance = 0.3", "allowance = 0"));
    assert_eq!(found, serde_json::json!([]));
}

/// Where a step ends changes no verdict: what is in contact at a border is so on both sides of it.
#[test]
fn a_contact_lasts_over_the_borders_of_steps() {
    let on = LID.replace("[0, 0, 60]", "[0, 0, 27.5]");
    let [up, along, down] = ["[0, 0, 0.0029]", "[30, 0, 0]", "[0, 0, -0.0029]"];
    let path = |parts: &[&str]| {
        let parts: Vec<String> = parts.iter().map(|part| format!("{{ translate = {part} }}")).collect();
        format!("[[step]]\nmove = \"lid\"\npath = [{}]\n", parts.join(", "))
    };
    let steps = |parts: &[&str]| -> String {
        parts.iter().map(|part| format!("[[step]]\nmove = \"lid\"\ntranslate = {part}\n")).collect()
    };
    let above = LID.replace("[0, 0, 60]", "[0, 0, 27.5029]");
    for (scene, parts) in [
        (&on, &[up, along][..]),
        (&on, &[up, along, along]),
        (&on, &[up, along, down]),
        (&above, &[along, down]),
        (&above, &[along, along, down]),
    ] {
        assert_eq!(verdict(&format!("{scene}{}", path(parts))), PlanVerdict::Free, "{parts:?}");
        assert_eq!(verdict(&format!("{scene}{}", steps(parts))), PlanVerdict::Free, "{parts:?}");
    }
    // More than a hundredth of the clearance is no contact, and what never touches has none.
    for (scene, parts) in
        [(&on, &["[0, 0, 0.0031]", along][..]), (&above, &[along]), (&above, &[along, along])]
    {
        assert_eq!(verdict(&format!("{scene}{}", path(parts))), PlanVerdict::TooClose, "{parts:?}");
        assert_eq!(verdict(&format!("{scene}{}", steps(parts))), PlanVerdict::TooClose, "{parts:?}");
    }
}

/// A check as JSON, as the command line prints it.
fn document(text: &str) -> serde_json::Value {
    let file = SceneFile::parse(text, Path::new(""), "scene.toml").unwrap();
    let timeline = Timeline::of(file.scene()).unwrap();
    let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
    let parts = ShapeCache::of(file.scene());
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &options).unwrap();
    serde_json::to_value(found).unwrap()
}

#[test]
fn a_step_says_when_no_clearance_was_required() {
    let down = "[[step]]\nmove = \"lid\"\ntranslate = [0, 0, -32.5]\n";
    let found = document(&format!("{LID}{down}"));
    let told = &found["steps"][0]["approaches"];
    // The last 3 mm of 32.5, ten clearances.
    let [from, to] = [0, 1].map(|k| told[0]["t"][0][k].as_f64().unwrap());
    assert!((from - 29.5 / 32.5).abs() < 1e-3 && to == 1.0 && told[1].is_null(), "{told}");
    assert_eq!((&told[0]["pair"], &told[0]["required"]), (&serde_json::json!(["lid", "box"]), &0.3.into()));
    assert_eq!(
        told[0]["message"],
        "the lid and the box need not keep 0.3 mm from 90 % of the motion on: they are in contact or on their approach"
    );
    // A contact that goes on from another step is reported too, and that nothing was required in all of this
    // one.
    let on = LID.replace("[0, 0, 60]", "[0, 0, 27.5]");
    let steps = "[[step]]\nmove = \"lid\"\ntranslate = [0, 0, 0.0029]\n[[step]]\nmove = \"lid\"\ntranslate = [30, 0, 0]\n";
    let found = document(&format!("{on}{steps}"));
    let step = &found["steps"][1];
    assert_eq!(step["approaches"][0]["t"], serde_json::json!([[0.0, 1.0]]));
    assert_eq!((&step["verdict"], &step["required"]), (&"free".into(), &0.0.into()), "{step}");
    assert!(found["not_covered"].to_string().contains("during all of steps 1, 2"), "{found}");
}

#[test]
fn every_contact_says_until_when() {
    // Seven posts, one behind the other, all run into.
    let posts: String = (1..8)
        .map(|k| {
            format!("[[body]]\nname = \"post {k}\"\nshape = {{ box = {{ size = [10, 10, 10] }} }}\npose = [{}, 0, 0]\n", 100 * k)
        })
        .collect();
    let bar = "[[body]]\nname = \"bar\"\nshape = { box = { size = [10, 10, 10] } }\n[[step]]\nmove = \"bar\"\ntranslate = [700, 0, 0]\n";
    let found = document(&format!("units = \"mm\"\n{posts}{bar}"));
    let findings = found["steps"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 7);
    for (k, finding) in findings.iter().enumerate() {
        assert_eq!((&finding["verdict"], &finding["until_known"]), (&"collision".into(), &true.into()));
        let message = finding["message"].as_str().unwrap();
        if k < 6 {
            let until = finding["until"].as_f64().unwrap();
            assert!((until - (100.0 * (k + 1) as f64 + 10.0) / 700.0).abs() < 1e-9, "{finding}");
            assert!(message.contains("; they are in contact until "), "{message}");
        } else {
            assert!(finding["until"].is_null() && message.ends_with("; they are in contact to the end"));
        }
    }
    // The smallest gap is that of the collision, not that of what is farther or merely touches.
    let step = &found["steps"][0];
    assert_eq!(
        (&step["smallest_gap"]["pair"], &step["smallest_gap"]["gap"]),
        (&serde_json::json!(["bar", "post 1"]), &0.0.into())
    );
    assert!(step["smallest_gap"]["gap_error"].is_null());
    // Of very many contacts the end is not searched, and the findings say so.
    let posts: String = (1..260)
        .map(|k| format!("[[body]]\nname = \"post {k}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\npose = [{}, 0, 0]\n", 20 * k))
        .collect();
    let found = document(&format!("units = \"mm\"\n{posts}{}", bar.replace("700", "5500")));
    let findings = found["steps"][0]["findings"].as_array().unwrap();
    assert!(findings.len() == 259 && findings[255]["until_known"] == true);
    let finding = &findings[256];
    assert_eq!((&finding["until_known"], &finding["until"]), (&false.into(), &finding["t"]), "{finding}");
    assert!(finding["message"].as_str().unwrap().contains("in contact until at least "), "{finding}");
}

/// Random ways in contact with a box, some of which leave it and stay near it, as one path and cut into its
/// parts: the same verdict.
#[test]
fn a_path_cut_into_steps_has_its_verdict() {
    let mut random = Random::new(18);
    let mut counts = [0; 2];
    for round in 0..cases(100) {
        let mut height = [0.0, 0.0029][random.below(2)];
        let scene = LID.replace("[0, 0, 60]", &format!("[0, 0, {}]", 27.5 + height));
        let mut parts = Vec::new();
        let mut to = |z: f64, parts: &mut Vec<[f64; 3]>| {
            parts.push([0.0, 0.0, z - height]);
            height = z;
        };
        for _ in 0..1 + random.below(4) {
            match random.below(2) {
                0 => parts.push([random.range(-9.0, 9.0), 0.0, 0.0]),
                _ => to([0.0, 0.0029, 0.002][random.below(3)], &mut parts),
            }
        }
        match random.below(3) {
            // Beyond the approach of 3 mm, too near.
            0 => {
                to(0.05, &mut parts);
                parts.push([9.0, 0.0, 0.0]);
            }
            1 => to(2.0, &mut parts),
            _ => to(0.0, &mut parts),
        }
        let piece = |by: &[f64; 3]| format!("{{ translate = {by:?} }}");
        let all: Vec<String> = parts.iter().map(piece).collect();
        let path = format!("{scene}[[step]]\nmove = \"lid\"\npath = [{}]\n", all.join(", "));
        let step = |by: &[f64; 3]| format!("[[step]]\nmove = \"lid\"\ntranslate = {by:?}\n");
        let steps = format!("{scene}{}", parts.iter().map(step).collect::<String>());
        // A path that touches on the way only is no fit; its parts may be.
        let is_fit = scene.contains("27.5]") || height == 0.0;
        if is_fit {
            let [whole, cut] = [path, steps].map(|text| verdict(&text));
            counts[usize::from(whole == PlanVerdict::Free)] += 1;
            assert_eq!(whole, cut, "{round}: {parts:?}");
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}
