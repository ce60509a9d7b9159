//! The table of commands.
//!
//! A line without indentation names a group; every indented line below it is one run of the program, with the words of
//! a shell: blanks part them, `'…'` and `"…"` hold them together, `< FILE` at the end is what the program reads. The
//! runs of a group follow each other in one folder, so one can read what another wrote. `#` begins a comment.
//! `NAME needs PROGRAM` is a group that is passed over where the system has no such program.

use std::collections::BTreeSet;
use std::path::Path;

/// Runs of the program that belong together.
#[derive(Debug, PartialEq)]
pub(super) struct Case {
    pub(super) name: String,
    /// A program of the system without which nothing is run.
    pub(super) needs: Option<String>,
    pub(super) runs: Vec<Run>,
}

/// One run of the program.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    /// The line of the table.
    pub(super) line: String,
    pub(super) arguments: Vec<String>,
    /// The file that standard input comes from.
    pub(super) input: Option<String>,
}

pub(super) fn read(file: &Path) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    parse(&text).map_err(|e| format!("{}:{e}", file.display()))
}

fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut names = BTreeSet::new();
    for (k, line) in text.lines().enumerate() {
        let fault = |what: &str| format!("{}: {what}: {line}", k + 1);
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        if line.starts_with(' ') {
            let case = cases.last_mut().ok_or_else(|| fault("a command without a name above it"))?;
            case.runs.push(run(line.trim()).map_err(|e| fault(&e))?);
            continue;
        }
        let (name, needs) =
            line.split_once(" needs ").map_or((line, None), |(name, needs)| (name, Some(needs)));
        if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            return Err(fault("a name consists of a-z, 0-9 and -"));
        }
        if !names.insert(name.to_owned()) {
            return Err(fault("this name is used twice"));
        }
        cases.push(Case { name: name.to_owned(), needs: needs.map(str::to_owned), runs: Vec::new() });
    }
    match cases.iter().find(|case| case.runs.is_empty()) {
        Some(case) => Err(format!(" {} has no command", case.name)),
        None => Ok(cases),
    }
}

fn run(line: &str) -> Result<Run, String> {
    let mut arguments = words(line)?;
    let input = match arguments.iter().position(|word| word == "<") {
        None => None,
        Some(at) if at + 2 == arguments.len() => {
            let input = arguments.pop();
            arguments.pop();
            input
        }
        Some(_) => return Err("expected one file after <".to_owned()),
    };
    Ok(Run { line: line.to_owned(), arguments, input })
}

fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quotation mark is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let found = words(r#"query ray '{"sphere":{"radius":1}}'  "" a"b c"d"#).unwrap();
        assert_eq!(found, ["query", "ray", r#"{"sphere":{"radius":1}}"#, "", "ab cd"]);
        assert!(words("a 'b").is_err());
    }

    #[test]
    fn groups_have_names_and_runs() {
        let found = parse(
            "# all\none\n    check a.toml\n    query --batch - < b.jsonl\n\ntwo needs python3\n    demo\n",
        )
        .unwrap();
        assert_eq!(
            found.iter().map(|case| (&*case.name, case.runs.len())).collect::<Vec<_>>(),
            [("one", 2), ("two", 1)]
        );
        assert_eq!(found[0].runs[1].arguments, ["query", "--batch", "-"]);
        assert_eq!(found[0].runs[1].input.as_deref(), Some("b.jsonl"));
        assert_eq!((found[0].needs.as_deref(), found[1].needs.as_deref()), (None, Some("python3")));
        for wrong in ["  check\n", "A\n  check\n", "a\n  b\na\n  b\n", "a\n", "a\n  b < c d\n", "a\n  'b\n"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
