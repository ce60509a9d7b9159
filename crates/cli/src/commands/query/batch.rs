//! Many questions as JSON Lines: one answer line each, in the same order; a bad line never stops the others.

use super::super::output::{Console, grouped};
use super::super::progress::Progress;
use super::super::{Answer, Failure};
use super::files::FileCache;
use freiraum::geometry::Unit;
use freiraum::question::{Batch, Line, QuestionError, Reading};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much is read at once; the lines in it are answered together.
const READ_AT_ONCE: usize = 1 << 18;
/// A longer line is no question but a wrong file; its answer says so, and memory stays free.
const MAX_LINE: usize = 1 << 28;
/// Some editors and shells begin a file with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How many lines a thread takes at a time.
const LINES_AT_A_TIME: usize = 8;

/// One line of the input and its number, counted from 1.
struct Question {
    number: u64,
    text: Vec<u8>,
    is_too_long: bool,
}

/// Answers every line of a file, or of stdin for `-`. Empty lines are passed over.
///
/// Whoever writes the questions one by one and waits for each answer gets it: all lines that are there are answered
/// before more are waited for. Lengths are in `units` where a line does not say otherwise.
pub(super) fn run(
    file: &Path,
    units: Unit,
    files: &FileCache,
    threads: usize,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let name = file.display();
    let failure =
        |e| Failure::new("batch_file", format!("{name}: {e}; expected a file of JSON lines, or - for stdin"));
    let source: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(freiraum::files::open(file).map_err(failure)?)
    };
    let mut input = Questions { input: BufReader::with_capacity(READ_AT_ONCE, source), number: 0 };
    // Answers on a terminal are sign of life enough.
    let progress = (!std::io::stdout().is_terminal()).then(|| Progress::new("answering"));
    let mut batch = Batch::new(units, files);
    let (mut bad, mut total) = (0, 0);
    loop {
        let questions = input.next().map_err(failure)?;
        if questions.is_empty() {
            break;
        }
        let read: Vec<Reading> = questions.iter().map(|q| batch.read(&q.text, q.number)).collect();
        let lines = Lines { batch: &batch, questions: &questions, read: &read, units };
        for (text, is_bad) in lines.answers(threads) {
            console.json_text(&text);
            bad += usize::from(is_bad);
        }
        batch.tidy();
        total += questions.len();
        if console.is_closed() {
            break;
        }
        if let Some(progress) = &progress {
            progress.now(&format!("{} lines answered", grouped(total)));
        }
    }
    drop(progress);
    if bad == 0 || console.is_closed() {
        return Ok(Answer::Good);
    }
    // Stdout is for the answers alone, of which the bad lines have theirs.
    let said =
        format!("{} of {} lines could not be answered; see their \"error\"", grouped(bad), grouped(total));
    let _ = writeln!(std::io::stderr().lock(), "{said}");
    Ok(Answer::PartlyBadInput)
}

/// Lines that were read and are to be answered.
struct Lines<'l> {
    batch: &'l Batch<'l>,
    questions: &'l [Question],
    read: &'l [Reading],
    units: Unit,
}

impl Lines<'_> {
    /// The answer lines in order, and which of them are bad.
    fn answers(&self, threads: usize) -> Vec<(String, bool)> {
        let pieces = self.pieces();
        let threads = threads.min(pieces.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(i) else { return done };
                done.extend(piece.iter().map(|&line| (line, self.answer(line))));
            }
        };
        let mut done: Vec<(usize, (String, bool))> = if threads <= 1 {
            work()
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
                let own = work();
                let others = workers.into_iter().flat_map(|worker| match worker.join() {
                    Ok(done) => done,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
                others.chain(own).collect()
            })
        };
        done.sort_by_key(|(line, _)| *line);
        done.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Which lines a thread answers in one go: all of a track, in order, or a few others.
    fn pieces(&self) -> Vec<Vec<usize>> {
        let mut tracks: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut others = Vec::new();
        for (line, reading) in self.read.iter().enumerate() {
            match reading.track() {
                Some(track) => tracks.entry(track).or_default().push(line),
                None => others.push(line),
            }
        }
        // The long ones first, so that nobody waits for them in the end.
        let mut pieces: Vec<Vec<usize>> = tracks.into_values().collect();
        pieces.sort_by_key(|lines| (std::cmp::Reverse(lines.len()), lines.first().copied()));
        pieces.extend(others.chunks(LINES_AT_A_TIME).map(<[usize]>::to_vec));
        pieces
    }

    fn answer(&self, line: usize) -> (String, bool) {
        let question = &self.questions[line];
        let answered = if question.is_too_long {
            let message =
                format!("the line is longer than {} bytes; expected a file of JSON lines", grouped(MAX_LINE));
            Line { id: Value::Null, answer: Err(QuestionError::new("line", message)), units: self.units }
        } else {
            self.batch.answer(&question.text, &self.read[line])
        };
        let is_bad = answered.answer.is_err();
        (answered.document(question.number).to_string() + "\n", is_bad)
    }
}

/// The questions of a file.
struct Questions<R> {
    input: BufReader<R>,
    number: u64,
}

impl<R: Read> Questions<R> {
    /// The next question and all others that have been read with it; none at the end of the input.
    fn next(&mut self) -> std::io::Result<Vec<Question>> {
        let mut questions = Vec::new();
        while questions.is_empty() || self.input.buffer().contains(&b'\n') {
            let Some(question) = self.line()? else { break };
            if !question.text.trim_ascii().is_empty() {
                questions.push(question);
            }
        }
        Ok(questions)
    }

    fn line(&mut self) -> std::io::Result<Option<Question>> {
        let mut text = Vec::new();
        if self.input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut text)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.number == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        let is_too_long = text.len() == MAX_LINE && !text.ends_with(b"\n");
        if is_too_long {
            text.truncate(1);
            self.input.skip_until(b'\n')?;
        }
        Ok(Some(Question { number: self.number, text, is_too_long }))
    }
}
