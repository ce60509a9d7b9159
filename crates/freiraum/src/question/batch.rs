//! Many lines one after the other: shapes that are defined once, pairs that are followed, and what is made for one line and used
//! by others.
//!
//! Lines are read in order by one thread and answered by any. Reading looks at little: a line that holds neither of the words `define`
//! and `track` is not even parsed. A line sees the definitions that were read before it, however late it is answered.

use super::line::{Shared, ask, own_units, parsed};
use super::shape::Source;
use super::{Answer, Figure, Line, MeshFiles, QuestionError};
use freiraum_formats::notation::json::{Fault, describe, object};
use freiraum_geometry::Unit;
use freiraum_motion::fit::ErosionCache;
use freiraum_query::PairCache;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// So many bodies that were made smaller are kept between groups of lines.
const MOST_ERODED: usize = 256;

/// The questions of a batch, and what its lines share.
pub struct Batch<'f> {
    units: Unit,
    files: &'f dyn MeshFiles,
    /// Of each name the definitions that lines may still ask for, the last one last.
    definitions: HashMap<String, Vec<Arc<Definition>>>,
    /// How many there were.
    defined: usize,
    tracks: HashMap<String, Arc<Mutex<PairCache>>>,
    erosion: ErosionCache,
}

/// A line that was read, and is to be answered.
pub struct Reading {
    /// If it had to be looked at.
    value: Option<Value>,
    /// How many definitions came before it.
    before: usize,
    what: What,
}

enum What {
    Question { track: Option<(String, Arc<Mutex<PairCache>>)> },
    Defines(Arc<Definition>),
    Faulty(QuestionError),
}

/// A named shape, prepared by the first line that asks for it.
struct Definition {
    name: String,
    /// Its number among all.
    number: usize,
    line: u64,
    /// What is written, and its unit.
    written: Result<(Value, Unit), QuestionError>,
    figure: OnceLock<Result<Figure, QuestionError>>,
}

impl Reading {
    /// The track of the line: lines of one track are to be answered in order, one after the other.
    pub fn track(&self) -> Option<&str> {
        match &self.what {
            What::Question { track: Some((name, _)) } => Some(name),
            _ => None,
        }
    }
}

impl<'f> Batch<'f> {
    /// Without definitions; lengths are in `units` where a line does not say otherwise.
    pub fn new(units: Unit, files: &'f dyn MeshFiles) -> Batch<'f> {
        let (definitions, tracks) = (HashMap::new(), HashMap::new());
        Batch { units, files, definitions, defined: 0, tracks, erosion: ErosionCache::default() }
    }

    /// Takes notice of the next line, whose number is `number`: what it defines is known to all that are read after it.
    pub fn read(&mut self, line: &[u8], number: u64) -> Reading {
        let question = |value| Reading { value, before: self.defined, what: What::Question { track: None } };
        if !may_have_key(line, b"define") && !may_have_key(line, b"track") {
            return question(None);
        }
        // What is no JSON is told when it is answered.
        let Ok(value) = parsed(line) else { return question(None) };
        let before = self.defined;
        let what = if let Some(name) = value.get("define") {
            self.define(name, &value, number)
        } else {
            self.track(value.get("track").filter(|track| !track.is_null()))
        };
        Reading { value: Some(value), before, what }
    }

    /// Answers a line that was read; from any thread.
    pub fn answer(&self, line: &[u8], reading: &Reading) -> Line {
        let owned;
        let value = match &reading.value {
            Some(value) => value,
            None => match parsed(line) {
                Ok(value) => {
                    owned = value;
                    &owned
                }
                Err(e) => return Line { id: Value::Null, answer: Err(e), units: self.units },
            },
        };
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        let units = match own_units(value) {
            Ok(own) => own.unwrap_or(self.units),
            Err(fault) => {
                return Line { id, answer: Err(QuestionError::new("line", fault)), units: self.units };
            }
        };
        let answer = match &reading.what {
            What::Faulty(e) => Err(e.clone()),
            What::Defines(definition) => {
                self.figure(definition).map(|_| Answer::Defined(definition.name.clone()))
            }
            What::Question { track } => {
                let source = Source { units, files: self.files, defined: Some((self, reading.before)) };
                let track = track.as_ref().map(|(_, cache)| &**cache);
                ask(value, &Shared { source, track, erosion: &self.erosion })
            }
        };
        Line { id, answer, units }
    }

    /// Drops what only lines that are answered could ask for; to be called when all that were read are.
    pub fn tidy(&mut self) {
        for versions in self.definitions.values_mut().filter(|versions| versions.len() > 1) {
            versions.drain(..versions.len() - 1);
        }
        self.erosion.keep_at_most(MOST_ERODED);
    }

    /// The figure of that name that was defined last by the first `before` definitions; `None` if it was not.
    pub(super) fn defined(&self, name: &str, before: usize) -> Option<Result<Figure, QuestionError>> {
        let versions = self.definitions.get(name)?;
        let definition = versions.iter().rev().find(|definition| definition.number < before)?;
        Some(self.figure(definition).map_err(|e| {
            let message = format!("{} (line {})", e.message, definition.line);
            QuestionError { message, ..e }
        }))
    }

    fn figure(&self, definition: &Definition) -> Result<Figure, QuestionError> {
        let read = || {
            let (written, units) = definition.written.as_ref().map_err(QuestionError::clone)?;
            let defined = Some((self, definition.number));
            Source { units: *units, files: self.files, defined }.figure(written, "shape")
        };
        definition.figure.get_or_init(read).clone()
    }

    fn define(&mut self, name: &Value, line: &Value, number: u64) -> What {
        let fault = |fault: Fault| QuestionError::new("line", fault);
        let Some(name) = name.as_str().filter(|name| !name.is_empty()) else {
            let message = format!("found {}, expected a name that is not empty", describe(name));
            return What::Faulty(fault(Fault::new("define", message)));
        };
        let written = object(line, "", &["define", "shape"], &["id", "units"]).and_then(|map| {
            let units = own_units(line)?.unwrap_or(self.units);
            Ok((map["shape"].clone(), units))
        });
        let definition = Definition {
            name: name.to_owned(),
            number: self.defined,
            line: number,
            written: written.map_err(fault),
            figure: OnceLock::new(),
        };
        let definition = Arc::new(definition);
        // What is made of others is made at once, so that chains of them never get long.
        let is_made_of_others =
            definition.written.as_ref().is_ok_and(|(shape, _)| names_one_of(shape, &self.definitions));
        if is_made_of_others {
            let _ = self.figure(&definition);
        }
        self.definitions.entry(name.to_owned()).or_default().push(definition.clone());
        self.defined += 1;
        What::Defines(definition)
    }

    fn track(&mut self, name: Option<&Value>) -> What {
        let Some(name) = name else { return What::Question { track: None } };
        let Some(name) = name.as_str() else {
            let message = format!("found {}, expected a name", describe(name));
            return What::Faulty(QuestionError::new("line", Fault::new("track", message)));
        };
        let cache = self.tracks.entry(name.to_owned()).or_default().clone();
        What::Question { track: Some((name.to_owned(), cache)) }
    }
}

/// Whether the text may hold this key: it is there, or something is written with escapes.
fn may_have_key(line: &[u8], key: &[u8]) -> bool {
    let has = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
    has(key) || has(b"\\u")
}

/// Whether a text in it is a defined name.
fn names_one_of(value: &Value, definitions: &HashMap<String, Vec<Arc<Definition>>>) -> bool {
    match value {
        Value::String(text) => definitions.contains_key(text),
        Value::Array(items) => {
            // Lists of numbers are long and name nothing.
            !items.first().is_some_and(|first| first.is_number())
                && items.iter().any(|item| names_one_of(item, definitions))
        }
        Value::Object(map) => map.values().any(|item| names_one_of(item, definitions)),
        _ => false,
    }
}
