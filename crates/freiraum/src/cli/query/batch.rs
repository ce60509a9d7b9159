//! Many questions as JSON Lines: one answer line each, in the same order; a bad line never stops the others.

use super::super::output::{Console, grouped};
use super::super::progress::Progress;
use super::super::{Answer, Failure};
use super::files::FileCache;
use freiraum::geometry::Unit;
use freiraum::question::{Line, QuestionError, answer_line};
use serde_json::Value;
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
        Box::new(freiraum::formats::file::open(file).map_err(failure)?)
    };
    let mut input = Questions { input: BufReader::with_capacity(READ_AT_ONCE, source), number: 0 };
    // Answers on a terminal are sign of life enough.
    let progress = (!std::io::stdout().is_terminal()).then(|| Progress::new("answering"));
    let (mut bad, mut total) = (0, 0);
    loop {
        let questions = input.next().map_err(failure)?;
        if questions.is_empty() {
            break;
        }
        for (text, bad_lines) in answers(&questions, units, files, threads) {
            console.json_text(&text);
            bad += bad_lines;
        }
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

/// The answer lines of all questions in order, in pieces, each with its number of bad lines.
fn answers(questions: &[Question], units: Unit, files: &FileCache, threads: usize) -> Vec<(String, usize)> {
    let pieces: Vec<&[Question]> = questions.chunks(LINES_AT_A_TIME).collect();
    let threads = threads.min(pieces.len());
    if threads <= 1 {
        return pieces.iter().map(|piece| answer_piece(piece, units, files)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(i) else { return done };
            done.push((i, answer_piece(piece, units, files)));
        }
    };
    let mut done: Vec<(usize, (String, usize))> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = workers.into_iter().flat_map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        others.chain(own).collect()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, piece)| piece).collect()
}

fn answer_piece(questions: &[Question], units: Unit, files: &FileCache) -> (String, usize) {
    let (mut text, mut bad) = (String::new(), 0);
    for question in questions {
        let line = if question.is_too_long {
            let message =
                format!("the line is longer than {} bytes; expected a file of JSON lines", grouped(MAX_LINE));
            Line { id: Value::Null, answer: Err(QuestionError::new("line", message)), units }
        } else {
            answer_line(&question.text, units, files)
        };
        bad += usize::from(line.answer.is_err());
        text += &line.document(question.number).to_string();
        text.push('\n');
    }
    (text, bad)
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
