//! Tasks of this repository: `cargo xtask test`, `cargo xtask bench`, `cargo xtask ci`.

mod arrows;
mod bench;
mod browser;
mod deny;
mod freeze;
mod fuzz;
mod needs;
mod package;
mod programs;
mod steps;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask TASK

  test          everything that CI runs: format, tidy, deny, clippy, tests, packages, docs, fuzz targets, freeze, the studio in a browser
  bench [NAME] [--all-peers] [--quick]
                this engine and its peers side by side, as ratios (all tables, or one: mesh_files, hull, enclose, roots,
                elementary, convex, meshes, rays, sets, sensors, motion, check, plan, studio, panda, robot, world, deform;
                `queries` is meshes, convex, rays, sets), at the end which targets are reached; --all-peers: also Coal,
                FCL and Embree; --quick: no large meshes, few rounds
  browser [NAME]
                only the studio in a browser (all tests, or those in files whose names contain NAME: demo, editing, files,
                piano, latency); pictures are left in target/studio-pictures
  freeze [NAME] [--accept] [--program PATH] [--threads N]
                what freiraum answers to the commands of freeze/commands.txt over examples/, compared with what it is
                expected to answer (freeze/expected/): exit codes, texts, JSON, files, pictures, states of worlds; times,
                dates and versions are masked. NAME: only commands whose names contain it; --accept records what was
                found, as an intended change; --program: this program instead of one built from the workspace;
                --threads: so many threads in each command
  fuzz [SECONDS] [TARGET]
                only the fuzz targets (all, or one), each on changed seeds for SECONDS (3 if none are given); an input that
                fails is left in fuzz/artifacts/TARGET
  ci            `test` on a clean clone of HEAD, as CI does it
  deny          only advisories, licences and sources of what the workspace depends on
  package       only whether every crate can be packaged for a registry
  windows       checks that the program compiles for Windows (installs the target)
  tidy          only the repository's own rules (arrows between crates and modules, packages of the library, numbers, paths, links)

Environment:
  FREIRAUM_TEST_SCALE  size of the large property suites, 1 = default, 10 = ten times the cases
  FREIRAUM_DATA        folder of third-party models; default: ../shared/data; tests that need it skip without it
Tests say SKIPPED where something they need is missing. Set to anything, as CI does, these make them fail instead:
  FREIRAUM_REQUIRE_BROWSER  without network, Node.js or Chromium (so does CI)
  FREIRAUM_REQUIRE_GPU      without an adapter for graphics; one in software will do
  FREIRAUM_REQUIRE_DATA     without third-party models
  FREIRAUM_REQUIRE_PYTHON   without python3
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["test"] => steps::test(),
        ["bench", arguments @ ..] => bench::run_tables(arguments),
        ["browser", names @ ..] => browser::build_and_run(names),
        ["freeze", arguments @ ..] => freeze::run(arguments),
        ["fuzz", arguments @ ..] => fuzz::run(arguments),
        ["ci"] => steps::clean_clone(),
        ["windows"] => steps::windows(),
        ["tidy"] => tidy::check(&steps::root()),
        ["package"] => package::check(&steps::root()),
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
