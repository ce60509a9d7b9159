//! `cargo xtask bench`: the tables, one after the other on one core, and at the end which targets are reached.

use crate::needs;
use crate::steps::{root, run};
use std::path::Path;
use std::process::Command;

/// The tables of "where is it?".
const QUERIES: [&str; 4] = ["meshes", "convex", "rays", "sets"];

/// Freiraum and its peers side by side.
pub(crate) fn run_tables(arguments: &[&str]) -> Result<(), String> {
    let (flags, names): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|a| a.starts_with("--"));
    if let Some(unknown) = flags.iter().find(|f| !["--all-peers", "--quick"].contains(f)) {
        return Err(format!("bench knows --all-peers and --quick, not {unknown}"));
    }
    let all_peers = flags.contains(&"--all-peers");
    if names.is_empty() || names.contains(&"enclose") {
        look_for("CGAL", &[&needs::CPLUSPLUS, &needs::CGAL, &needs::EIGEN]);
    }
    if all_peers {
        look_for("Coal", &[&needs::CPLUSPLUS, &needs::EIGEN]);
        look_for("FCL", &[&needs::FCL]);
        look_for("Embree", &[&needs::EMBREE]);
    }
    let root = root();
    let names: Vec<&str> =
        names.into_iter().flat_map(|n| if n == "queries" { QUERIES.to_vec() } else { vec![n] }).collect();
    let mut command = vec!["cargo", "bench", "--quiet", "--package", "freiraum-benches"];
    for name in &names {
        command.extend(["--bench", name]);
    }
    if names.is_empty() {
        command.push("--benches");
    }
    run(&root, &[&command[..], &["--no-run"]].concat(), &[])?;

    let goals = root.join("target/bench-goals.tsv");
    let _ = std::fs::remove_file(&goals);
    let goals_text = goals.to_string_lossy().into_owned();
    let mut environment = vec![("FREIRAUM_BENCH_GOALS", goals_text.as_str())];
    if flags.contains(&"--quick") {
        environment.push(("FREIRAUM_BENCH_QUICK", "1"));
    }
    if all_peers {
        command.extend(["--", "--all-peers"]);
    }
    // Everybody on the same core, where that can be said.
    if Command::new("taskset").arg("--version").output().is_ok_and(|o| o.status.success()) {
        command.splice(0..0, ["taskset", "--cpu-list", "0"]);
    }
    let outcome = run(&root, &command, &environment);
    print_goals(&goals, all_peers);
    outcome
}

fn look_for(peer: &str, needs: &[&needs::Need]) {
    for need in needs {
        if let Err(message) = needs::ensure(need) {
            eprintln!("without the peer {peer}: {message}");
        }
    }
}

/// One line per goal: how many cases reach it, and the range of their numbers; then the cases that do not.
#[expect(clippy::print_stdout, reason = "the summary follows the tables, which go there")]
fn print_goals(path: &Path, all_peers: bool) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).filter(|row| row.len() == 6).collect();
    if rows.is_empty() {
        return;
    }
    println!("\nTargets (ratio to the fastest peer that answers right, in this run)");
    if !all_peers {
        println!("  only Rust peers were asked: with --all-peers also Coal, FCL and Embree");
    }
    println!("  {:<46} {:>8} {:>10}  numbers", "", "target", "reached");
    let mut names: Vec<&str> = Vec::new();
    for row in &rows {
        if !names.contains(&row[0]) {
            names.push(row[0]);
        }
    }
    let is_reached = |row: &[&str]| row[5] == "reached";
    for name in names {
        let cases: Vec<&[&str]> = rows.iter().copied().filter(|row| row[0] == name).collect();
        let mut numbers: Vec<f64> = cases.iter().filter_map(|row| row[3].parse().ok()).collect();
        numbers.sort_by(f64::total_cmp);
        let (least, most) = (numbers.first().copied(), numbers.last().copied());
        let reached = cases.iter().filter(|row| is_reached(row)).count();
        println!(
            "  {name:<46} {:>8} {:>10}  {:.2} to {:.2}",
            cases[0][4],
            format!("{reached} of {}", cases.len()),
            least.unwrap_or(f64::NAN),
            most.unwrap_or(f64::NAN)
        );
    }
    let missed: Vec<&[&str]> = rows.iter().copied().filter(|row| !is_reached(row)).collect();
    if !missed.is_empty() {
        println!("\nNot reached");
    }
    for row in missed {
        println!("  {}: {} ({}), {}; target {}", row[0], row[1], row[2], row[3], row[4]);
    }
}
