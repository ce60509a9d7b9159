//! Another program drives, in any language: one line of JSON per step on its standard input and output.
//!
//! `docs/controllers.md` has the lines. Nothing that a program does stops the world: see [`Program`].

mod answer;
mod guard;
mod permitted;
mod process;
mod question;

pub use answer::{Answer, LONGEST_ANSWER, parse_answer};
pub use permitted::Programs;

use super::{Controller, Seen};
use crate::vehicle::Command;
use process::{Heard, Process, Silence};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Failed answers in a row after which a program is ended.
const MOST_FAILURES: u32 = 3;
/// Lines of one step, and lines that nobody asked for in all, after which a program is ended.
const MOST_LINES: u32 = 64;
/// Texts that a program may log; further ones are not told.
const MOST_LOGGED: u32 = 1000;
/// What the first answer may take, however short the timeout is: interpreters take their time to start.
const START: Duration = Duration::from_secs(5);

/// How long the answer to a question is waited for, in real time, given the number of the question and the time that the answer may take.
type Patience = Box<dyn Fn(u64, Duration) -> Duration + Send>;

/// Another program as a controller.
///
/// It is started at the first step, in the folder of the scene file, and gets one line per step; the line that it answers must come
/// within its timeout, in real time (the first one within 5 s at least).
///
/// **Failures.** An answer that comes too late or makes no sense stops the vehicle; the program is asked again at the next step, and is
/// ended after three such answers in a row. A program that ends, cannot be started, writes lines of more than 64 KiB or speaks all the
/// time without being asked is given up at once. Each kind of failure is told once. Late answers are thrown away: answers are counted,
/// and those with the number of their question say where they belong.
///
/// **End.** With the controller its standard input is closed; a fifth of a second later the program is killed with all that it
/// started (on Unix: its process group), also when this process is interrupted or killed itself.
///
/// **Determinism.** Same lines in, same commands out, as long as the program keeps to that and to its timeout.
///
/// **Saved worlds.** The number of the last question and whether it was given up are kept; the program itself starts anew.
pub struct Program {
    command: Vec<String>,
    folder: PathBuf,
    timeout: Duration,
    /// `None`: as long as the answer may take.
    patience: Option<Patience>,
    state: State,
    /// The number of the last question.
    number: u64,
    failures: u32,
    /// Questions that got no answer in time: so many lines are late.
    owed: u32,
    unasked: u32,
    logged: u32,
    /// Kinds of failures that were told.
    told: Vec<Trouble>,
}

enum State {
    NotStarted,
    Runs(Process),
    GivenUp,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// Too late; it is asked again.
    Late,
    /// It is asked again.
    Nonsense,
    /// It is never asked again.
    Hopeless,
}

impl Program {
    /// A program with its arguments, to be run in this folder; `timeout` in seconds of real time for every answer.
    pub fn new(command: &[String], timeout: f64, folder: &Path) -> Program {
        Program {
            command: command.to_vec(),
            folder: folder.to_owned(),
            // What is no time at all becomes 0, what is more than there is becomes a year.
            timeout: Duration::from_secs_f64(if timeout > 0.0 { timeout.min(365.0 * 86_400.0) } else { 0.0 }),
            patience: None,
            state: State::NotStarted,
            number: 0,
            failures: 0,
            owed: 0,
            unasked: 0,
            logged: 0,
            told: Vec::new(),
        }
    }

    /// Waits for the answer to a question as long as `patience` says, given the number of the question (the first is 1) and the time
    /// that the answer may take. What is told stays as it is. So a test decides which answers are late, however busy the machine is.
    #[must_use]
    pub fn with_patience(self, patience: impl Fn(u64, Duration) -> Duration + Send + 'static) -> Program {
        Program { patience: Some(Box::new(patience)), ..self }
    }

    /// False as long as it has not been started, and after it was given up.
    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Runs(_))
    }

    /// Asks for this step; else why there is no answer, in words that follow "its program".
    fn answer(&mut self, seen: &Seen) -> Result<Answer, (Trouble, String)> {
        let hopeless = |words| (Trouble::Hopeless, words);
        let is_first = matches!(self.state, State::NotStarted);
        if is_first {
            self.state = State::Runs(Process::start(&self.command, &self.folder).map_err(hopeless)?);
        }
        let State::Runs(process) = &mut self.state else { return Err(hopeless("is gone".to_owned())) };
        // What came since the last step was not asked for, but for answers that are late.
        while let Some(heard) = process.heard() {
            if self.owed > 0 && matches!(heard, Heard::Line(_)) {
                self.owed -= 1;
                continue;
            }
            self.unasked += 1;
            too_much(&heard, self.unasked).map_err(hopeless)?;
        }
        self.number += 1;
        let mut lines = if is_first { question::hello(seen) } else { Vec::new() };
        lines.extend(question::step(seen, self.number));
        process.ask(lines);
        let timeout = if is_first { START.max(self.timeout) } else { self.timeout };
        let patience = self.patience.as_ref().map_or(timeout, |patience| patience(self.number, timeout));
        let asked = Instant::now();
        let mut count = 0;
        loop {
            let heard = match process.hear(patience.saturating_sub(asked.elapsed())) {
                Ok(heard) => heard,
                // What it started may hold its output, and then its end is not heard.
                Err(Silence::TooLate) if process.has_ended() => return Err(hopeless(process.last_words())),
                Err(Silence::TooLate) => {
                    self.owed += 1;
                    return Err((
                        Trouble::Late,
                        format!("does not answer within {} s", timeout.as_secs_f64()),
                    ));
                }
                Err(Silence::Ended) => return Err(hopeless(process.last_words())),
            };
            count += 1;
            too_much(&heard, count).map_err(hopeless)?;
            let Heard::Line(line) = heard else { continue };
            let answer = parse_answer(&line);
            match answer.as_ref().map_or(None, |answer| answer.number) {
                Some(number) if number > self.number => {
                    let words = format!("answers question {number}, but the last one was {}", self.number);
                    return Err((Trouble::Nonsense, words));
                }
                Some(number) if number < self.number => self.owed = self.owed.saturating_sub(1),
                None if self.owed > 0 => self.owed -= 1,
                said => {
                    if said.is_some() {
                        self.owed = 0;
                    }
                    return answer.map_err(|words| (Trouble::Nonsense, format!("answers nonsense: {words}")));
                }
            }
        }
    }

    fn log(&mut self, answer: &Answer, notes: &mut Vec<String>) {
        for text in &answer.log {
            self.logged += 1;
            if self.logged <= MOST_LOGGED {
                notes.push(format!("its program says: {text}"));
            }
            if self.logged == MOST_LOGGED {
                notes.push(format!("its program has said {MOST_LOGGED} things; more are not told"));
            }
        }
    }
}

/// In words, if something is more than a program may say.
fn too_much(heard: &Heard, count: u32) -> Result<(), String> {
    match heard {
        Heard::TooLong => Err(format!("writes a line of more than {LONGEST_ANSWER} bytes")),
        Heard::Line(_) if count > MOST_LINES => Err("writes lines without being asked".to_owned()),
        Heard::Line(_) => Ok(()),
    }
}

impl Controller for Program {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, notes: &mut Vec<String>) {
        if matches!(self.state, State::GivenUp) {
            return;
        }
        let (trouble, words) = match self.answer(seen) {
            Ok(answer) => {
                self.failures = 0;
                self.log(&answer, notes);
                commands.extend(answer.commands);
                return;
            }
            Err(failure) => failure,
        };
        commands.push(Command::Drive { speed: 0.0, turn: 0.0 });
        self.failures += 1;
        if trouble == Trouble::Hopeless || self.failures == MOST_FAILURES {
            if let State::Runs(process) = &mut self.state {
                process.give_up();
            }
            self.state = State::GivenUp;
            let how_often = if trouble == Trouble::Hopeless { "" } else { ", the third failure in a row" };
            notes.push(format!("stops for good: its program {words}{how_often}"));
        } else if !self.told.contains(&trouble) {
            self.told.push(trouble);
            notes.push(format!("stops: its program {words}; it is asked again, and this is not told again"));
        }
    }

    fn save(&self) -> Vec<u8> {
        let is_given_up = u8::from(matches!(self.state, State::GivenUp));
        [&self.number.to_le_bytes()[..], &[is_given_up]].concat()
    }

    fn resume(&mut self, state: &[u8]) -> bool {
        let Some((number, [is_given_up @ (0 | 1)])) = state.split_first_chunk() else { return false };
        let fresh = Program::new(&self.command, self.timeout.as_secs_f64(), &self.folder);
        let state = if *is_given_up == 1 { State::GivenUp } else { State::NotStarted };
        let patience = self.patience.take();
        *self = Program { number: u64::from_le_bytes(*number), state, patience, ..fresh };
        true
    }
}
