//! `freiraum studio`: see it, grab it, try it, in the browser.

use super::output::Console;
use super::{Answer, Failure, trust};
use freiraum::files;
use freiraum::formats::scene::SceneFile;
use freiraum::studio::{Example, Options, Studio};
use freiraum::world::control::Programs;
use freiraum_demo::worlds::{self, write_world};
use freiraum_demo::{
    CELL, CELL_FAULTY, GEARBOX, GEARBOX_FAULTY, PIANO, write_cell, write_gearbox, write_piano,
};
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(super) const EXAMPLES: &str = "\
Opens the browser on a page where the scene can be seen, played, changed and checked; docs/studio.md describes it. Without a scene the page offers \
examples. The address carries a key: whoever does not know it is not let in. A scene that names programs as drivers is asked about first, once for each content. Serves until interrupted with Ctrl-C.

Examples:
  freiraum studio
  freiraum studio gearbox.toml
  freiraum studio gearbox.toml --no-open --port 8000";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The scene file (TOML)
    #[arg(value_name = "SCENE")]
    scene: Option<PathBuf>,
    /// The name or address to listen on
    #[arg(long, default_value = "127.0.0.1", value_name = "H")]
    host: String,
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 0, value_name = "N")]
    port: u16,
    /// The programs that the scene names as drivers may run; else you are asked
    #[arg(long)]
    trust: bool,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
}

/// An example world; examples are plain functions and cannot carry one.
macro_rules! world {
    ($world:ident) => {
        Example { name: worlds::$world.name, write: |folder| write_world(folder, &worlds::$world) }
    };
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    if let Some(scene) = arguments.scene.as_deref().filter(|scene| !scene.is_file()) {
        let what = match files::special(scene) {
            Some(what) => format!("this is {what}"),
            None => "there is no such file".to_owned(),
        };
        let message = format!("{}: {what}; name a scene file, or none to see the examples", scene.display());
        return Err(Failure::new("file", message));
    }
    let examples = vec![
        Example { name: "gearbox", write: |folder| write_gearbox(folder, GEARBOX) },
        Example { name: "gearbox-faulty", write: |folder| write_gearbox(folder, GEARBOX_FAULTY) },
        Example { name: "piano", write: |folder| write_piano(folder, PIANO) },
        Example { name: "cell", write: |folder| write_cell(folder, CELL) },
        Example { name: "cell-faulty", write: |folder| write_cell(folder, CELL_FAULTY) },
        world!(CITY),
        world!(MAZE),
        world!(ROBOT_BOWLING),
        world!(SOCCER),
        world!(COLLECTION),
        world!(RAMP),
        world!(SLOPES),
        world!(PRISM_COLLISIONS),
        world!(BOWLING),
        world!(TERRAIN),
        world!(COMPLEX),
    ];
    let programs = match &arguments.scene {
        // What is wrong with the scene is shown on the page; then it names nothing that could run.
        Some(scene) => match SceneFile::read(scene) {
            Ok(file) => trust::allowed(&file, arguments.trust, console)?,
            Err(_) => Programs::none(),
        },
        None => Programs::none(),
    };
    let (names_programs, has_examples) = (!programs.is_empty(), !examples.is_empty());
    let page =
        std::env::var_os("FREIRAUM_STUDIO_PAGE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let options = Options {
        scene: arguments.scene.clone(),
        host: arguments.host.clone(),
        port: arguments.port,
        examples,
        cache: None,
        programs,
        page,
        ..Options::default()
    };
    let studio = Studio::start(options).map_err(|e| Failure::new("studio", e))?;
    if !studio.is_loopback() {
        console.warning("others in the network can reach this studio; whoever has its address can read and write the folder of the scene");
        let whose = match (names_programs, has_examples) {
            (true, true) => Some("the scene and the built-in examples name"),
            (true, false) => Some("the scene names"),
            (false, true) => Some("the built-in examples name"),
            (false, false) => None,
        };
        if let Some(whose) = whose {
            console.warning(&format!(
                "whoever has its address can also start and stop the programs that {whose}, and no others"
            ));
        }
    }
    let tell = |studio: &Studio| {
        console.text(&format!("studio: {}\n", studio.address()));
        if !arguments.no_open && !open(studio.address()) {
            console.warning("no browser was found; open the address above in one");
        }
    };
    studio.wait(tell).map_err(|e| Failure::new("studio", e))?;
    Ok(Answer::Good)
}

/// Shows an address in the browser of the user; false if there is nothing to show it with.
fn open(address: &str) -> bool {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    let started =
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        Ok(mut child) => {
            // Waited for, so that it leaves no zombie.
            std::thread::spawn(move || child.wait());
            true
        }
        Err(_) => false,
    }
}
