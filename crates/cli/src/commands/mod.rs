//! Arguments in, answer and exit code out; one module per command.

mod bounds;
mod check;
mod completions;
mod demo;
mod draw;
mod facts;
mod layers;
mod leftovers;
mod mesh_convert;
mod mesh_file;
mod mesh_info;
mod mesh_repair;
mod output;
mod picture;
mod plan;
mod progress;
mod query;
mod robot;
mod sim;
mod studio;
mod trust;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use freiraum::formats::scene::{SceneErrors, nearest};
use freiraum::scene::plain;
use output::{Color, Console};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;

/// Prove that it moves freely.
///
/// Freiraum answers, for anything that moves: does it touch, how far apart is it, when will it touch, how deep is it
/// in there, and can this motion be carried out at all? "Free" is said only when it is proven.
#[derive(Parser)]
#[command(name = "freiraum", version, propagate_version = false)]
#[command(styles = output::HELP_STYLES, after_help = "\
Run it without a command to see the demo.
Exit codes: 0 the answer is good, 1 the answer is bad (an invalid mesh, say), 2 bad input or usage, 3 undecided.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

/// Options of every command.
#[derive(clap::Args)]
struct Common {
    /// Print exactly one JSON document on stdout, numbers in full precision
    #[arg(long, global = true, help_heading = "Every command")]
    json: bool,
    /// When to use colours; NO_COLOR is honoured too
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Every command")]
    color: Color,
    /// Worker threads; the answer does not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", help_heading = "Every command")]
    threads: Option<NonZeroUsize>,
}

#[derive(Subcommand)]
enum Command {
    /// Check the built-in assembly, a small gearbox, and write its report
    #[command(after_help = demo::EXAMPLES)]
    Demo(demo::Arguments),
    /// Check every step of the plan in a scene file: free, with its clearance, or where it collides
    #[command(after_help = check::EXAMPLES)]
    Check(check::Arguments),
    /// Look at, convert and repair mesh files (STL, OBJ, OFF, PLY, glTF/GLB)
    #[command(subcommand)]
    Mesh(MeshCommand),
    /// Smallest sphere, box, cylinder and more around a mesh; largest sphere inside its hull
    #[command(after_help = bounds::EXAMPLES)]
    Bounds(bounds::Arguments),
    /// Touch, distance, contact, ray, time of contact, clearance, full turn; exit code 1 if shapes touch or overlap
    #[command(after_help = query::EXAMPLES)]
    Query(Box<query::Arguments>),
    /// Technical drawing (SVG or PNG) of a scene, of its steps, or of its parts shifted apart
    #[command(after_help = draw::EXAMPLES)]
    Draw(Box<draw::Arguments>),
    /// Find the motions that a scene leaves open, or an order in which it comes apart
    #[command(after_help = plan::EXAMPLES)]
    Plan(plan::Arguments),
    /// Robots: what they are, where their links are, how they reach a pose, which links can touch
    #[command(subcommand)]
    Robot(robot::Command),
    /// Let time pass: bodies fall, slide, bounce and rest; events, states, recordings
    #[command(after_help = sim::EXAMPLES)]
    Sim(Box<sim::Arguments>),
    /// Surfaces that change their form: do they run into themselves or each other, and how much?
    #[command(after_help = layers::EXAMPLES)]
    Layers(Box<layers::Arguments>),
    /// See it in the browser: play it, change it, plan it, with the checker watching
    #[command(after_help = studio::EXAMPLES)]
    Studio(studio::Arguments),
    /// Print a completion script for your shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::Arguments),
}

#[derive(Subcommand)]
enum MeshCommand {
    /// Count, measure and diagnose a mesh; exit code 1 if it is not a sound solid
    #[command(after_help = mesh_info::EXAMPLES)]
    Info(mesh_info::Arguments),
    /// Write a mesh in another format or unit
    #[command(after_help = mesh_convert::EXAMPLES)]
    Convert(mesh_convert::Arguments),
    /// Weld, drop degenerate and duplicate faces, orient outward; says what it changed
    #[command(after_help = mesh_repair::EXAMPLES)]
    Repair(mesh_repair::Arguments),
}

/// How a command ended, when it did end with an answer.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Good,
    Bad,
    /// The budget ended before it was known.
    Undecided,
    /// Some of the input was bad, and the answer says which.
    PartlyBadInput,
}

/// Bad input: a stable machine name and a message that says what was found, expected, and what to do.
struct Failure {
    code: &'static str,
    message: String,
    /// Where, for programs: keys and values beside the message in the JSON document.
    place: Vec<(&'static str, serde_json::Value)>,
    /// What is wrong with a scene file, shown instead of the message.
    scene: Option<Box<SceneErrors>>,
}

impl Failure {
    fn new(code: &'static str, message: impl ToString) -> Failure {
        Failure { code, message: message.to_string(), place: Vec::new(), scene: None }
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Failure {
        let problems = serde_json::json!(errors.located());
        let place = vec![("file", errors.name().into()), ("problems", problems)];
        Failure { code: "scene", message: errors.to_string(), place, scene: Some(Box::new(errors)) }
    }
}

impl From<freiraum::question::QuestionError> for Failure {
    fn from(error: freiraum::question::QuestionError) -> Failure {
        Failure::new(error.code, error.message)
    }
}

/// No machine gets faster by more threads, and starting a hundred thousand of them takes minutes.
const MAX_THREADS: usize = 512;

/// Runs something on so many threads.
fn in_pool<T: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let Some(threads) = threads else { return work() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get().min(MAX_THREADS)).build();
    pool.map_err(|e| Failure::new("threads", format!("cannot start {threads} threads: {e}")))?.install(work)
}

/// Runs the command line and returns the exit code of the contract.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match parse(arguments.into_iter().collect()) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let mut console = Console::new(cli.common.json, cli.common.color);
    let threads = cli.common.threads;
    let outcome = match cli.command.unwrap_or(Command::Demo(demo::Arguments::default())) {
        Command::Demo(arguments) => demo::run(&arguments, threads, &mut console),
        Command::Check(arguments) => check::run(&arguments, threads, &mut console),
        Command::Mesh(MeshCommand::Info(arguments)) => mesh_info::run(&arguments, &mut console),
        Command::Mesh(MeshCommand::Convert(arguments)) => mesh_convert::run(&arguments, &mut console),
        Command::Mesh(MeshCommand::Repair(arguments)) => mesh_repair::run(&arguments, &mut console),
        Command::Bounds(arguments) => bounds::run(&arguments, &mut console),
        Command::Query(arguments) => query::run(&arguments, threads, &mut console),
        Command::Draw(arguments) => draw::run(&arguments, &mut console),
        Command::Plan(arguments) => plan::run(&arguments, threads, &mut console),
        Command::Robot(command) => robot::run(&command, threads, &mut console),
        Command::Sim(arguments) => sim::run(&arguments, threads, &mut console),
        Command::Layers(arguments) => layers::run(&arguments, threads, &mut console),
        Command::Studio(arguments) => studio::run(&arguments, &mut console),
        Command::Completions(arguments) => completions::run(&arguments, &mut console, &mut Cli::command()),
    };
    if let (Ok(_), Some(error)) = (&outcome, console.lost()) {
        let message = format!("cannot write the answer to stdout: {error}");
        console.failure(&Failure::new("output", message));
        return ExitCode::from(2);
    }
    match outcome {
        Ok(Answer::Good) => ExitCode::from(0),
        Ok(Answer::Bad) => ExitCode::from(1),
        Ok(Answer::Undecided) => ExitCode::from(3),
        Ok(Answer::PartlyBadInput) => ExitCode::from(2),
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(2)
        }
    }
}

/// Parses; on help, version or wrong usage prints what belongs to it and returns the exit code.
///
/// With `--json` on a wrong command line stdout still gets its one JSON document.
fn parse(arguments: Vec<OsString>) -> Result<Cli, ExitCode> {
    let color = Color::wanted_by(&arguments);
    let command = Cli::command().color(color.for_clap());
    let parsed = command.try_get_matches_from(&arguments).and_then(|m| Cli::from_arg_matches(&m));
    parsed.map_err(|error| {
        let error = without_strangers(error);
        let is_wrong = error.use_stderr();
        if is_wrong && arguments.iter().any(|a| a == "--json") {
            let text = error.render().to_string();
            // The first paragraph says what is wrong, the rest is usage and advice.
            let said: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let message = said.join(" ");
            let failure = Failure::new("usage", message.trim_start_matches("error: "));
            Console::new(true, color).failure_document(&failure);
        }
        // A closed pipe while printing help is not worth a word.
        let _ = without_strangers(harmless(error, &arguments, color)).print();
        ExitCode::from(if is_wrong { 2 } else { 0 })
    })
}

/// An error of the command line without suggestions that are other words and not what was meant.
fn without_strangers(mut error: clap::Error) -> clap::Error {
    for (wrong, suggested) in [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let Some(ContextValue::String(word)) = error.get(wrong) else { continue };
        let is_meant = match error.get(suggested) {
            Some(ContextValue::String(one)) => nearest(word, [one.as_str()]).is_some(),
            Some(ContextValue::Strings(all)) => nearest(word, all.iter().map(String::as_str)).is_some(),
            _ => continue,
        };
        if !is_meant {
            error.remove(suggested);
        }
    }
    error
}

/// An error of the command line without characters in it that steer a terminal: that of the same arguments
/// with those characters as codes.
fn harmless(error: clap::Error, arguments: &[OsString], color: Color) -> clap::Error {
    let written: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let shown: Vec<String> = written.iter().map(|argument| plain(argument).into_owned()).collect();
    if shown == written {
        return error;
    }
    let again = Cli::command().color(color.for_clap()).try_get_matches_from(shown);
    let again = again.and_then(|matches| Cli::from_arg_matches(&matches));
    // With codes for values it may be a good command line: then only the kind of the error is known.
    again.err().unwrap_or_else(|| clap::Error::new(error.kind()).with_cmd(&Cli::command()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
