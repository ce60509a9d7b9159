//! A whole report of a small plan: what is in it, and that it holds.

mod gearbox;

use freiraum_plan::check::{CheckMemory, CheckOptions, CheckResult, check};
use freiraum_plan::report::{self, ReportOptions};
use freiraum_plan::{Parts, Timeline};
use freiraum_scene::Scene;
use std::path::PathBuf;

fn checked(scene: &Scene) -> (Timeline, Parts, CheckResult) {
    let (timeline, parts) = (Timeline::of(scene).unwrap(), Parts::of(scene));
    let result = check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    (timeline, parts, result)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_page_that_asks_nothing_of_anybody() {
    let scene = gearbox::scene();
    let (timeline, parts, result) = checked(&scene);
    let options = ReportOptions { title: "Gearbox <&>".to_owned(), seconds: Some(0.1234) };
    let start = std::time::Instant::now();
    let files = report::write(&folder("report"), &scene, &timeline, &parts, &result, &options).unwrap();
    eprintln!("report: {:.3} s", start.elapsed().as_secs_f64());
    let page = std::fs::read_to_string(&files.html).unwrap();
    eprintln!("{} bytes, {}", page.len(), files.html.display());
    for step in &result.steps {
        eprintln!("{:?} {:?}", step.verdict, step.closest.map(|c| (c.pair, c.distance)));
    }
    assert!(!page.contains("<script"));
}
