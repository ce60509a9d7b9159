//! Runs a target without libFuzzer: changes seeds at random, always the same way, for some seconds.
//!
//! It knows nothing of coverage, so it is no substitute for `cargo fuzz`; it finds what a few thousand changed files find, on
//! any machine, with the stable compiler.

use crate::seeds;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const HELP: &str = "usage: TARGET [SECONDS] [--keep], or TARGET FILE…";

/// One input may take this long: a guard against hanging, with much room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Inputs grow no longer than this.
const LONGEST: usize = 1 << 14;

/// Numbers and words that readers of texts stumble over.
const WORDS: [&[u8]; 24] = [
    b"0",
    b"-0",
    b"-1",
    b"1e999",
    b"1e-999",
    b"1e300",
    b"NaN",
    b"inf",
    b"null",
    b"4294967295",
    b"4294967296",
    b"18446744073709551615",
    b"0.1",
    b"\"",
    b"\\u0000",
    b"\n",
    b"\r\n",
    b"\0",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b"\xff\xfe",
];

/// What a program of a target does: with a number (default 3), changed seeds for so many seconds; with files, these inputs.
///
/// An input that makes the target panic or hang is saved in `fuzz/artifacts/<target>` and told. What ends the process
/// itself (a stack that overflows) leaves nothing: with `--keep` every input is saved before it is tried.
pub fn run(target: &str, test: impl Fn(&[u8])) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let keeps = arguments.iter().any(|argument| argument == "--keep");
    let rest: Vec<&String> = arguments.iter().filter(|argument| *argument != "--keep").collect();
    let seconds = match rest.as_slice() {
        [] => Ok(3.0),
        [one] => one.parse::<f64>().map_err(|_| ()),
        _ => Err(()),
    };
    let Ok(seconds) = seconds else { return replay(&rest, test) };
    let Ok(time) = Duration::try_from_secs_f64(seconds) else {
        eprintln!("{HELP}");
        return ExitCode::FAILURE;
    };
    let (seeds, words) = match (seeds::of(target), dictionary(target)) {
        (Ok(seeds), Ok(words)) if !seeds.is_empty() => (seeds, words),
        (Ok(_), Ok(_)) => return fail(&format!("{target} has no seeds")),
        (Err(error), _) | (_, Err(error)) => return fail(&format!("{target}: {error}")),
    };
    let watch = Watch::start(target);
    let mut random = Random(0x5eed_f00d);
    let (start, mut count) = (Instant::now(), 0_u64);
    // The seeds themselves first.
    let mut next = 0;
    while next < seeds.len() || start.elapsed() < time {
        let input = match seeds.get(next) {
            Some(seed) => seed.clone(),
            None => changed(&seeds, &words, &mut random),
        };
        next += 1;
        watch.begin(&input);
        if keeps && save(target, "last", &input).is_none() {
            return fail("the input cannot be saved");
        }
        if catch_unwind(AssertUnwindSafe(|| test(&input))).is_err() {
            return match save(target, &format!("panic-{count}"), &input) {
                Some(path) => fail(&format!("{target}: input {count} makes it panic: {}", path.display())),
                None => fail(&format!("{target}: input {count} makes it panic: {input:?}")),
            };
        }
        count += 1;
    }
    watch.end();
    eprintln!(
        "{target}: {count} inputs from {} seeds in {:.1} s",
        seeds.len(),
        start.elapsed().as_secs_f64()
    );
    ExitCode::SUCCESS
}

fn fail(words: &str) -> ExitCode {
    eprintln!("{words}");
    ExitCode::FAILURE
}

/// Tries these files; a panic ends the program.
fn replay(files: &[&String], test: impl Fn(&[u8])) -> ExitCode {
    for file in files {
        match std::fs::read(file) {
            Ok(input) => test(&input),
            Err(error) => return fail(&format!("{file}: {error}\n{HELP}")),
        }
        eprintln!("{file}: ok");
    }
    ExitCode::SUCCESS
}

/// Saves an input where libFuzzer saves those that fail.
fn save(target: &str, name: &str, input: &[u8]) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(target);
    std::fs::create_dir_all(&folder).ok()?;
    let path = folder.join(name);
    std::fs::write(&path, input).ok()?;
    Some(path)
}

/// Ends the process when one input takes too long.
struct Watch {
    /// Counts inputs; the largest number is the end.
    number: Arc<AtomicU64>,
    input: Arc<Mutex<Vec<u8>>>,
}

impl Watch {
    fn start(target: &str) -> Watch {
        let watch = Watch { number: Arc::default(), input: Arc::default() };
        let (number, input, target) = (watch.number.clone(), watch.input.clone(), target.to_owned());
        std::thread::spawn(move || {
            let mut last = (0, Instant::now());
            while last.0 != u64::MAX {
                std::thread::sleep(Duration::from_millis(100));
                let now = number.load(Ordering::SeqCst);
                if now != last.0 {
                    last = (now, Instant::now());
                } else if last.1.elapsed() > PATIENCE {
                    let input = input.lock().unwrap_or_else(PoisonError::into_inner);
                    let path = save(&target, "hang", &input).unwrap_or_default();
                    eprintln!("{target}: one input takes more than {PATIENCE:?}: {}", path.display());
                    std::process::exit(1);
                }
            }
        });
        watch
    }

    fn begin(&self, input: &[u8]) {
        let mut kept = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clear();
        kept.extend_from_slice(input);
        self.number.fetch_add(1, Ordering::SeqCst);
    }

    fn end(&self) {
        self.number.store(u64::MAX, Ordering::SeqCst);
    }
}

/// The words of a target: those of all, and those of its dictionary, as libFuzzer reads it.
fn dictionary(target: &str) -> std::io::Result<Vec<Vec<u8>>> {
    let mut words: Vec<Vec<u8>> = WORDS.iter().map(|word| word.to_vec()).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("dictionaries").join(target).with_extension("dict");
    if path.is_file() {
        let text = std::fs::read_to_string(path)?;
        let quoted = |line: &str| {
            let line = line.trim();
            let word = line.strip_suffix('"')?.split_once('"')?.1;
            (!line.starts_with('#')).then(|| word.replace("\\\"", "\"").replace("\\\\", "\\").into_bytes())
        };
        words.extend(text.lines().filter_map(quoted));
    }
    Ok(words)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`; 0 if that is 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A seed after one to eight changes.
fn changed(seeds: &[Vec<u8>], words: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.of(seeds).clone();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() + 1);
        let length = random.below((bytes.len() - at).min(64) + 1);
        match random.below(10) {
            0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => bytes[at] = random.next() as u8,
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..at + length)),
            5 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            6 | 7 => drop(bytes.splice(at..at, random.of(words).iter().copied())),
            8 => {
                // In the place of a number of a text.
                let is_of_number = |b: &u8| b.is_ascii_digit() || b".-+eE".contains(b);
                let from = bytes[at..].iter().position(u8::is_ascii_digit).map_or(bytes.len(), |k| at + k);
                let to =
                    bytes[from..].iter().position(|b| !is_of_number(b)).map_or(bytes.len(), |k| from + k);
                bytes.splice(from..to, random.of(words).iter().copied());
            }
            _ => {
                // The beginning of this and the end of another.
                let other = random.of(seeds);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
        }
        bytes.truncate(LONGEST);
    }
    bytes
}
