//! `freiraum robot`: what a robot is, where its links are, how it reaches a pose, which of its links can touch, and what robots are told to do.

mod audit;
mod audit_print;
mod fk;
mod ik;
mod info;
mod model;
mod program;
mod table;
mod values;

use super::output::Console;
use super::{Answer, Failure};
use clap::Subcommand;
use std::num::NonZeroUsize;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Links, joints, limits, shapes, reach, and which inverse kinematics applies
    #[command(after_help = info::EXAMPLES)]
    Info(info::Arguments),
    /// Where the links are at given joint values; exit code 1 if these are outside of the limits
    #[command(after_help = fk::EXAMPLES)]
    Fk(fk::Arguments),
    /// Joint values that hold the tool at a pose, all of them where there is a closed form; exit code 1 if there are none
    #[command(after_help = ik::EXAMPLES)]
    Ik(Box<ik::Arguments>),
    /// Which links can touch each other at all, proven over the whole range of the joints
    #[command(after_help = audit::EXAMPLES)]
    Audit(audit::Arguments),
    /// What the robots of a scene do: a listing, as JSON, or added from JSON
    #[command(after_help = program::EXAMPLES)]
    Program(program::Arguments),
}

pub(super) fn run(
    command: &Command,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    match command {
        Command::Info(arguments) => info::run(arguments, console),
        Command::Fk(arguments) => fk::run(arguments, console),
        Command::Ik(arguments) => ik::run(arguments, console),
        Command::Audit(arguments) => audit::run(arguments, threads, console),
        Command::Program(arguments) => program::run(arguments, console),
    }
}
