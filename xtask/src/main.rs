//! Tasks of this repository: `cargo xtask test`, `cargo xtask bench`, `cargo xtask ci`.

mod bench;
mod browser;
mod deny;
mod needs;
mod programs;
mod steps;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask TASK

  test          everything that CI runs: format, tidy, deny, clippy, tests, docs, fuzz targets, the studio in a browser
  bench [NAME] [--all-peers] [--quick]
                this engine and its peers side by side, as ratios (all tables, or one: mesh_files, hull, enclose, roots,
                elementary, convex, meshes, rays, sets, sensors, motion, check, plan, studio, panda, robot, world, deform;
                `queries` is meshes, convex, rays, sets), at the end which targets are reached; --all-peers: also Coal,
                FCL and Embree; --quick: no large meshes, few rounds
  browser [NAME]
                only the studio in a browser (all tests, or those in files whose names contain NAME: demo, editing, files,
                piano, latency); pictures are left in target/studio-pictures
  ci            `test` on a clean clone of HEAD, as CI does it
  deny          only advisories, licences and sources of what the workspace depends on
  tidy          only the repository's own rules (numbers, paths, links)

Environment:
  FREIRAUM_TEST_SCALE  size of the large property suites, 1 = default, 10 = ten times the cases
  FREIRAUM_DATA        folder of third-party models; default: ../shared/data; tests that need it skip without it
  FREIRAUM_REQUIRE_BROWSER  a machine without network, Node.js, Chromium or an adapter for graphics fails instead of skipping those tests (as with CI)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["test"] => steps::test(),
        ["bench", arguments @ ..] => bench::run_tables(arguments),
        ["browser", names @ ..] => browser::build_and_run(names),
        ["ci"] => steps::clean_clone(),
        ["tidy"] => tidy::check(&steps::root()),
        ["deny"] => deny::check(&steps::root()),
        ["help" | "--help" | "-h"] => {
            eprint!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("no such task: {arguments:?}\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}
