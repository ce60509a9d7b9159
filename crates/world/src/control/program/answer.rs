//! What a program answers: a line of JSON with commands.

use crate::vehicle::{Command, GripperCommand};
use serde_json::{Map, Value};

/// Longer lines are refused, in bytes.
pub const LONGEST_ANSWER: usize = 64 * 1024;
/// Commands of one answer.
const MOST_COMMANDS: usize = 256;
/// Speeds, angles and positions above this are refused, whatever their unit.
const LARGEST: f64 = 1e6;
/// Of texts, this many characters are kept.
const LONGEST_TEXT: usize = 500;

/// What a program answers in one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The number of the question, if it was repeated.
    pub number: Option<u64>,
    /// What the vehicle shall do, in order.
    pub commands: Vec<Command>,
    /// What people should know.
    pub log: Vec<String>,
}

/// The keys of an answer.
const KEYS: [&str; 7] = ["drive", "wheels", "steer", "joint", "gripper", "log", "n"];

const GRIPPER: [(&str, GripperCommand); 4] = [
    ("open", GripperCommand::Open),
    ("close", GripperCommand::Close),
    ("raise", GripperCommand::Raise),
    ("lower", GripperCommand::Lower),
];

/// Reads a line that a program answers: an object of commands, or a list of such objects.
///
/// **Guarantee.** All numbers of the commands are finite and at most a million. An answer is good as a whole or not at all.
/// **Errors.** What is wrong, in words, with a suggestion for words that are misspelled.
pub fn parse_answer(line: &[u8]) -> Result<Answer, String> {
    if line.len() > LONGEST_ANSWER {
        return Err(format!("a line of more than {LONGEST_ANSWER} bytes"));
    }
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        let text = String::from_utf8_lossy(line);
        let hint = ["NaN", "Infinity"].into_iter().find(|word| text.contains(word));
        let hint = hint.map_or_else(String::new, |word| format!(" (JSON has no {word})"));
        format!("{} is no JSON: {error}{hint}", quoted(text.trim()))
    })?;
    let mut answer = Answer::default();
    match &value {
        Value::Object(said) => read(said, &mut answer)?,
        Value::Array(all) => {
            for one in all {
                let Value::Object(said) = one else { return Err(format!("{} is no command", shown(one))) };
                read(said, &mut answer)?;
            }
        }
        _ => return Err(format!("{} is no object of commands, and no list of them", shown(&value))),
    }
    Ok(answer)
}

fn read(said: &Map<String, Value>, answer: &mut Answer) -> Result<(), String> {
    for (key, value) in said {
        let command = match key.as_str() {
            "drive" => {
                let [speed, turn] = numbers(key, value, ["speed", "turn"])?;
                Command::Drive { speed, turn }
            }
            "wheels" => {
                let [left, right] = numbers(key, value, ["left", "right"])?;
                Command::Wheels { left, right }
            }
            "steer" => {
                let [speed, angle] = numbers(key, value, ["speed", "angle_deg"])?;
                Command::Steer { speed, angle: angle.to_radians() }
            }
            "joint" => joint(value)?,
            "gripper" => {
                let found = GRIPPER.into_iter().find(|(word, _)| value == word);
                let Some((_, found)) = found else {
                    return Err(unknown(
                        "gripper",
                        &shown(value),
                        value.as_str(),
                        GRIPPER.map(|(word, _)| word),
                    ));
                };
                Command::Gripper(found)
            }
            "log" => {
                let text = value.as_str().map_or_else(|| shown(value), str::to_owned);
                answer.log.push(text.chars().take(LONGEST_TEXT).collect());
                continue;
            }
            "n" => {
                let Some(number) = value.as_u64() else {
                    return Err(format!("n is {}, not the number of a question", shown(value)));
                };
                answer.number = Some(number);
                continue;
            }
            _ => return Err(unknown("an answer", &quoted(key), Some(key), KEYS)),
        };
        answer.commands.push(command);
        if answer.commands.len() > MOST_COMMANDS {
            return Err(format!("more than {MOST_COMMANDS} commands"));
        }
    }
    Ok(())
}

fn joint(value: &Value) -> Result<Command, String> {
    let Value::Object(said) = value else {
        return Err(format!("joint is {}, not an object with name and position", shown(value)));
    };
    known("joint", said, &["name", "position"])?;
    let Some(name) = said.get("name").and_then(Value::as_str) else {
        return Err("joint needs a name, which is a text".to_owned());
    };
    let name = name.chars().take(LONGEST_TEXT).collect();
    Ok(Command::Joint { name, position: number("joint", said, "position")? })
}

/// Two numbers of an object, and nothing else in it.
fn numbers(of: &str, value: &Value, keys: [&str; 2]) -> Result<[f64; 2], String> {
    let Value::Object(said) = value else {
        return Err(format!("{of} is {}, not an object with {} and {}", shown(value), keys[0], keys[1]));
    };
    known(of, said, &keys)?;
    Ok([number(of, said, keys[0])?, number(of, said, keys[1])?])
}

fn number(of: &str, said: &Map<String, Value>, key: &str) -> Result<f64, String> {
    let Some(value) = said.get(key) else { return Err(format!("{of} has no {key}")) };
    let Some(number) = value.as_f64() else {
        return Err(format!("{of}.{key} is {}, not a number", shown(value)));
    };
    // What is not a number fails too.
    if !(number.abs() <= LARGEST) {
        return Err(format!("{of}.{key} is {}, more than {LARGEST}", shown(value)));
    }
    Ok(number)
}

fn known<const N: usize>(of: &str, said: &Map<String, Value>, keys: &[&str; N]) -> Result<(), String> {
    let other = said.keys().find(|key| !keys.contains(&key.as_str()));
    other.map_or(Ok(()), |key| Err(unknown(of, &quoted(key), Some(key), *keys)))
}

fn unknown<const N: usize>(of: &str, shown: &str, word: Option<&str>, candidates: [&str; N]) -> String {
    let nearest = word.and_then(|word| nearest(word, &candidates));
    let help = nearest.map_or_else(
        || format!("it may be {}", candidates.join(", ")),
        |near| format!("did you mean {near:?}?"),
    );
    format!("{of} has no {shown}; {help}")
}

/// The candidate that differs in the fewest letters, if those are at most two and less than half of the word.
fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let letters: Vec<char> = word.to_lowercase().chars().take(LONGEST_TEXT).collect();
    let distance = |candidate: &str| {
        let mut row: Vec<usize> = (0..=letters.len()).collect();
        for (i, c) in candidate.chars().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], i + 1);
            for (k, letter) in letters.iter().enumerate() {
                let replaced = corner + usize::from(*letter != c);
                corner = row[k + 1];
                row[k + 1] = replaced.min(row[k] + 1).min(corner + 1);
            }
        }
        row[letters.len()]
    };
    let best = candidates.iter().map(|candidate| (distance(candidate), *candidate)).min_by_key(|(d, _)| *d);
    best.filter(|(distance, _)| *distance <= 2 && 2 * distance < letters.len()).map(|(_, near)| near)
}

fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}

fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(line: &str) -> Answer {
        parse_answer(line.as_bytes()).unwrap_or_else(|words| panic!("{line}: {words}"))
    }

    fn bad(line: &str, expected: &str) {
        let words = parse_answer(line.as_bytes()).expect_err(line);
        assert!(words.contains(expected), "{line}: {words}");
    }

    #[test]
    fn reads_every_command() {
        assert_eq!(good("{}"), Answer::default());
        assert_eq!(good("[]"), Answer::default());
        assert_eq!(
            good(r#"{"drive":{"speed":0.3,"turn":-1}}"#).commands,
            [Command::Drive { speed: 0.3, turn: -1.0 }]
        );
        let wheels = Command::Wheels { left: 1.0, right: 2.5 };
        assert_eq!(good(r#"{"wheels":{"right":2.5,"left":1}}"#).commands, std::slice::from_ref(&wheels));
        let steer = Command::Steer { speed: 1.0, angle: std::f64::consts::FRAC_PI_2 };
        assert_eq!(good(r#"{"steer":{"speed":1,"angle_deg":90}}"#).commands, [steer]);
        let joint = Command::Joint { name: "neck".to_owned(), position: 0.5 };
        let all = good(
            r#"[{"n":7},{"joint":{"name":"neck","position":0.5},"log":"hm"},{"wheels":{"left":1,"right":2.5}}]"#,
        );
        assert_eq!(
            all,
            Answer { number: Some(7), commands: vec![joint, wheels], log: vec!["hm".to_owned()] }
        );
        for (word, command) in GRIPPER {
            assert_eq!(good(&format!("{{\"gripper\":\"{word}\"}} \r")).commands, [Command::Gripper(command)]);
        }
        assert_eq!(good(r#"{"log":{"x":1}}"#).log, [r#"{"x":1}"#]);
    }

    #[test]
    fn says_what_is_wrong() {
        bad("", "no JSON");
        bad("hello", "no JSON");
        bad("{} {}", "no JSON");
        bad("3", "no object");
        bad("[3]", "no command");
        bad("[[]]", "no command");
        bad(r#"{"drive":{"speed":NaN,"turn":0}}"#, "JSON has no NaN");
        bad(r#"{"drive":{"speed":1e300,"turn":0}}"#, "more than 1000000");
        bad(r#"{"drive":{"speed":-1000001,"turn":0}}"#, "more than 1000000");
        bad(r#"{"drive":{"speed":1e999,"turn":0}}"#, "no JSON");
        bad(r#"{"drive":{"speed":"fast","turn":0}}"#, "drive.speed is \"fast\", not a number");
        bad(r#"{"drive":{"speed":null,"turn":0}}"#, "drive.speed is null");
        bad(r#"{"drive":{"speed":1}}"#, "drive has no turn");
        bad(r#"{"drive":{"sped":1,"turn":0}}"#, "did you mean \"speed\"?");
        bad(r#"{"drive":[1,0]}"#, "not an object with speed and turn");
        bad(r#"{"steer":{"speed":1,"angle":5}}"#, "it may be speed, angle_deg");
        bad(r#"{"griper":"close"}"#, "did you mean \"gripper\"?");
        bad(r#"{"gripper":"closed"}"#, "did you mean \"close\"?");
        bad(r#"{"gripper":1}"#, "it may be open, close, raise, lower");
        bad(r#"{"joint":{"name":1,"position":0}}"#, "needs a name");
        bad(r#"{"joint":{"name":"a"}}"#, "joint has no position");
        bad(r#"{"joint":"a"}"#, "name and position");
        bad(r#"{"n":-1}"#, "not the number of a question");
        bad(r#"{"n":1.5}"#, "not the number of a question");
        bad(r#"{"xyzzy":1}"#, "it may be drive, wheels");
        bad(&format!("[{}]", vec![r#"{"gripper":"open"}"#; 257].join(",")), "more than 256 commands");
        bad(&"[".repeat(1000), "no JSON");
        bad(&" ".repeat(LONGEST_ANSWER + 1), "more than 65536 bytes");
        assert!(parse_answer(&[0xff, 0xfe]).is_err());
    }
}
