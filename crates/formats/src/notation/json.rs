//! Reading JSON values with errors that name the place, what was found and what is expected.

use freiraum_geometry::Vec3;
use serde_json::{Map, Value};
use std::fmt;

/// What is wrong with a JSON value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where the value stands, such as `shape.box.size[1]`; empty for the whole.
    pub path: String,
    /// What was found and what is expected.
    pub message: String,
    /// If a key is the matter: that key of the object at `path`, and those that could stand there.
    pub key: Option<(String, Vec<String>)>,
}

impl Fault {
    /// A fault of what stands at `path`.
    pub fn new(path: &str, message: impl ToString) -> Fault {
        Fault { path: path.to_owned(), message: message.to_string(), key: None }
    }

    /// The same fault, of this key, for which `known` are possible.
    #[must_use]
    pub fn of_key<'k>(self, key: &str, known: impl IntoIterator<Item = &'k str>) -> Fault {
        Fault { key: Some((key.to_owned(), known.into_iter().map(str::to_owned).collect())), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// A value in a few words.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => format!("the number {}", n.as_f64().map_or(n.to_string(), shown)),
        Value::String(s) if s.chars().count() > 40 => "a long string".to_owned(),
        Value::String(s) => format!("the string {s:?}"),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A number as a person would write it: `5`, `0.25`, `1e60`.
pub fn shown(x: f64) -> String {
    let (plain, short) = (x.to_string(), format!("{x:e}"));
    // Ten digits can be counted, twenty cannot.
    if plain.len() > 10 && short.len() < plain.len() { short } else { plain }
}

/// A list of them: `[0, 0, 1.5]`.
pub fn shown_list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| shown(*x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// The path of a member.
pub fn member(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A finite number.
pub fn number(value: &Value, path: &str) -> Result<f64, Fault> {
    let finite = value.as_f64().filter(|x| x.is_finite());
    finite.ok_or_else(|| Fault::new(path, format!("found {}, expected a finite number", describe(value))))
}

/// An array; `expected` says of what.
pub fn array<'v>(value: &'v Value, path: &str, expected: &str) -> Result<&'v [Value], Fault> {
    let items = value.as_array().map(Vec::as_slice);
    items.ok_or_else(|| Fault::new(path, format!("found {}, expected {expected}", describe(value))))
}

/// Exactly `N` numbers.
pub fn numbers<const N: usize>(value: &Value, path: &str) -> Result<[f64; N], Fault> {
    let expected = format!("an array of {N} numbers");
    let items = array(value, path, &expected)?;
    if items.len() != N {
        return Err(Fault::new(path, format!("found {}, expected {expected}", describe(value))));
    }
    let mut out = [0.0; N];
    for (i, item) in items.iter().enumerate() {
        out[i] = number(item, &format!("{path}[{i}]"))?;
    }
    Ok(out)
}

/// Three numbers.
pub fn vector(value: &Value, path: &str) -> Result<Vec3, Fault> {
    numbers::<3>(value, path).map(Vec3::from_array)
}

/// An object with the given keys: all of `required`, any of `optional`, no others.
pub fn object<'v>(
    value: &'v Value,
    path: &str,
    required: &[&str],
    optional: &[&str],
) -> Result<&'v Map<String, Value>, Fault> {
    let all = || required.iter().chain(optional).copied();
    let keys = || {
        let keys: Vec<String> = required.iter().chain(optional).map(|k| format!("\"{k}\"")).collect();
        if keys.is_empty() { "no keys: {}".to_owned() } else { keys.join(", ") }
    };
    let Some(map) = value.as_object() else {
        return Err(Fault::new(
            path,
            format!("found {}, expected an object with {}", describe(value), keys()),
        ));
    };
    let is_known = |key: &String| required.iter().chain(optional).any(|k| k == key);
    let unknown = map.keys().find(|k| !is_known(k));
    if let Some(missing) = required.iter().find(|k| !map.contains_key(**k)) {
        // Often the one is a misspelling of the other.
        let is_unknown = unknown.map_or(String::new(), |unknown| format!(", {unknown:?} is unknown"));
        let fault = Fault::new(path, format!("\"{missing}\" is missing{is_unknown}; expected {}", keys()));
        return Err(match unknown {
            Some(unknown) => fault.of_key(unknown, all()),
            None => fault,
        });
    }
    if let Some(unknown) = unknown {
        let fault = Fault::new(path, format!("unknown key {unknown:?}; expected {}", keys()));
        return Err(fault.of_key(unknown, all()));
    }
    Ok(map)
}
