//! `freiraum completions`: scripts for the shells.

use super::{Answer, Failure, output::Console};
use clap_complete::{Shell, generate};

pub(super) const EXAMPLES: &str = "\
Examples:
  freiraum completions bash > ~/.local/share/bash-completion/completions/freiraum
  freiraum completions zsh > \"${fpath[1]}/_freiraum\"
  freiraum completions fish > ~/.config/fish/completions/freiraum.fish";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell to write for
    shell: Shell,
}

pub(super) fn run(
    arguments: &Arguments,
    console: &mut Console,
    command: &mut clap::Command,
) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, command, "freiraum", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    if console.json() {
        console.document(&serde_json::json!({ "shell": arguments.shell.to_string(), "script": script }));
    } else {
        console.text(&script);
    }
    Ok(Answer::Good)
}
