//! A program that runs beside the world: started, asked, heard with patience, and ended with all that it started.
//!
//! Pipes of the standard library wait without end, so each has a thread of its own. Memory is bounded: lines and waiting lines have a
//! largest number and length, and a program that writes more waits until somebody hears it.

use super::LONGEST_ANSWER;
use super::guard::Guard;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait to be heard.
const WAITING: usize = 16;
/// How long a program may take to end after its input was closed.
const FAREWELL: Duration = Duration::from_millis(200);
/// How long to wait for the status and the last words of a program whose output has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Of the last line of its standard error, this many characters are told.
const LONGEST_WORDS: usize = 300;

/// What a program says.
pub(super) enum Heard {
    Line(Vec<u8>),
    /// A line without end; nothing is heard after it.
    TooLong,
}

/// Why nothing is heard.
pub(super) enum Silence {
    TooLate,
    Ended,
}

pub(super) struct Process {
    child: Child,
    guard: Guard,
    /// `None` once its standard input shall be closed.
    questions: Option<SyncSender<Vec<u8>>>,
    lines: Receiver<Heard>,
    /// The last line of its standard error, as far as it was read.
    error: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once its standard error has ended.
    error_end: Receiver<()>,
    patience: Duration,
}

impl Process {
    /// Starts a program in a folder; else why that cannot be, in words that follow "its program".
    pub(super) fn start(command: &[String], folder: &Path) -> Result<Process, String> {
        let [program, arguments @ ..] = command else { return Err("has no name".to_owned()) };
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // The folder itself must be whole: what a relative program is relative to differs between systems.
        let folder = here
            .canonicalize()
            .map_err(|error| format!("cannot run in the folder {}: {error}", here.display()))?;
        let is_path = Path::new(program).components().count() > 1;
        let path = if is_path { folder.join(program) } else { program.into() };
        let mut command = Command::new(path);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("{program:?} was not found"),
            _ => format!("{program:?} cannot be started: {error}"),
        })?;
        let mut guard = Guard::of_group(child.id());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(error_output)) = pipes else {
            end(&mut child, &mut guard, Duration::ZERO);
            return Err("has no input and output".to_owned());
        };
        let (questions, to_write) = sync_channel(WAITING);
        let (heard, lines) = sync_channel(WAITING);
        let (error_ends, error_end) = sync_channel(1);
        let error = Arc::default();
        let shared = Arc::clone(&error);
        thread::spawn(move || write_questions(input, &to_write));
        thread::spawn(move || read_lines(output, &heard));
        thread::spawn(move || read_error(error_output, &shared, error_ends));
        let questions = Some(questions);
        Ok(Process { child, guard, questions, lines, error, error_end, patience: FAREWELL })
    }

    /// Sends lines; if it does not read, they wait, and no more than a few of them.
    pub(super) fn ask(&self, lines: Vec<u8>) {
        if let Some(questions) = &self.questions {
            // A program that does not read will not answer either: that is found there.
            let _ = questions.try_send(lines);
        }
    }

    /// What was said already.
    pub(super) fn heard(&self) -> Option<Heard> {
        self.lines.try_recv().ok()
    }

    /// What is said within this time.
    pub(super) fn hear(&self, patience: Duration) -> Result<Heard, Silence> {
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::TooLate,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// True if it is gone; what it started may still hold its output.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Ends it: how it ended and what it wrote last to its standard error.
    pub(super) fn last_words(&mut self) -> String {
        self.questions = None;
        let status = end(&mut self.child, &mut self.guard, LAST_WORDS);
        self.patience = Duration::ZERO;
        let _ = self.error_end.recv_timeout(LAST_WORDS);
        let how = match status {
            Some(status) if status.success() => "has ended".to_owned(),
            Some(status) => format!("has ended with {}", words(status)),
            None => "has closed its output".to_owned(),
        };
        let last = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        let last: String = String::from_utf8_lossy(&last).trim().chars().take(LONGEST_WORDS).collect();
        if last.is_empty() { how } else { format!("{how}: {last}") }
    }

    /// No farewell: it did not behave.
    pub(super) fn give_up(&mut self) {
        self.patience = Duration::ZERO;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.questions = None;
        end(&mut self.child, &mut self.guard, self.patience);
    }
}

/// Waits this long for a program, then kills it and its group, and waits until it is gone. How it ended, if by itself.
fn end(child: &mut Child, guard: &mut Guard, patience: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if start.elapsed() < patience => thread::sleep(Duration::from_millis(1)),
            _ => break None,
        }
    };
    guard.kill();
    let _ = child.kill();
    let _ = child.wait();
    status
}

fn words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| "an error".to_owned(), |code| format!("exit code {code}"))
}

fn write_questions(mut input: ChildStdin, questions: &Receiver<Vec<u8>>) {
    while let Ok(lines) = questions.recv() {
        if input.write_all(&lines).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(LONGEST_ANSWER as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_whole = line.pop_if(|last| *last == b'\n').is_some() || line.len() <= LONGEST_ANSWER;
        let said = if is_whole { Heard::Line(line) } else { Heard::TooLong };
        if heard.send(said).is_err() || !is_whole {
            return;
        }
    }
}

fn read_error(output: ChildStderr, last: &Mutex<Vec<u8>>, _end: SyncSender<()>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(LONGEST_ANSWER as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !line.trim_ascii().is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
        }
    }
}
