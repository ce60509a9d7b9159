//! Long texts in short: their beginning, and the hashes of the rest piece by piece, which say where they differ.

use std::fmt::Write;

/// Texts up to so many bytes are kept in full.
pub(super) const LONGEST: usize = 64 * 1024;

/// Of longer ones so many bytes are.
const HEAD: usize = 8 * 1024;

/// The rest in so many pieces at most.
const PIECES: usize = 40;

/// Lines beyond this many bytes are shown by their beginning.
const LONGEST_LINE: usize = 4096;

/// Of which so many bytes are shown.
const SHOWN: usize = 160;

/// The 128-bit hash FNV-1a: nobody wants to deceive it.
pub(super) fn hash(bytes: &[u8]) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let step = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    format!("{:032x}", bytes.iter().fold(START, step))
}

/// A document of JSON in one long line, in many lines: broken before keys, objects and points. Other texts stay.
pub(super) fn broken(text: &str) -> String {
    let is_document =
        text.starts_with('{') && text.len() > LONGEST_LINE && text.trim_end().lines().count() == 1;
    if !is_document {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let (mut in_string, mut is_escaped, mut before) = (false, false, [' ', ' ']);
    for c in text.chars() {
        let is_new = match before {
            ['}' | ']', ','] => "{[\"".contains(c),
            [_, ','] => c == '"',
            _ => false,
        };
        if is_new && !in_string {
            out.push('\n');
        }
        out.push(c);
        if c == '"' && !is_escaped {
            in_string = !in_string;
        }
        is_escaped = in_string && c == '\\' && !is_escaped;
        before = [before[1], c];
    }
    out
}

/// A text, or its beginning and hashes of its rest if it is longer than `longest` bytes. Ends with a line break.
pub(super) fn short(text: &str, longest: usize) -> String {
    let mut out = String::new();
    if text.len() <= longest {
        for line in text.lines() {
            out.push_str(&short_line(line));
            out.push('\n');
        }
        if !text.is_empty() && !text.ends_with('\n') {
            out.push_str("(no line break at the end)\n");
        }
        return out;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = 0;
    while out.len() < HEAD && shown < lines.len() {
        out.push_str(&short_line(lines[shown]));
        out.push('\n');
        shown += 1;
    }
    let piece = (lines.len() - shown).div_ceil(PIECES).max(1);
    for (k, part) in lines[shown..].chunks(piece).enumerate() {
        let first = shown + k * piece + 1;
        let _ = writeln!(
            out,
            "… lines {first} to {}: {}",
            first + part.len() - 1,
            hash(part.join("\n").as_bytes())
        );
    }
    let _ = writeln!(out, "… all {} lines, {} bytes: {}", lines.len(), text.len(), hash(text.as_bytes()));
    out
}

fn short_line(line: &str) -> String {
    if line.len() <= LONGEST_LINE {
        return line.to_owned();
    }
    let head: String = line.chars().take(SHOWN).collect();
    format!("{head}… {} bytes: {}", line.len(), hash(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv() {
        assert_eq!(hash(b""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash(b"a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(hash(b"foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }

    #[test]
    fn short_texts_stay() {
        assert_eq!(short("a\nb\n", 10), "a\nb\n");
        assert_eq!(short("", 10), "");
        assert_eq!(short("a\nb", 10), "a\nb\n(no line break at the end)\n");
    }

    #[test]
    fn documents_in_one_line_are_broken() {
        let long = "x".repeat(LONGEST_LINE);
        let text = format!("{{\"a\":\"{long},\\\",\\\"\",\"b\":[[1,2],[3,4]],\"c\":[{{}},{{}}]}}");
        let wanted = format!("{{\"a\":\"{long},\\\",\\\"\",\n\"b\":[[1,2],\n[3,4]],\n\"c\":[{{}},\n{{}}]}}");
        assert_eq!(broken(&text), wanted);
        for text in ["{\"a\":1,\"b\":2}".to_owned(), format!("{text}\n{text}\n")] {
            assert_eq!(broken(&text), text);
        }
    }

    #[test]
    fn long_texts_are_shortened_and_every_change_shows() {
        let line = |k: usize| format!("line {k} of a long text\n");
        let text: String = (0..10_000).map(line).collect();
        let told = short(&text, 1000);
        assert!(told.starts_with("line 0 of") && told.len() < 16_000, "{}", told.len());
        for k in [0, 5000, 9999] {
            let changed = text.replace(&line(k), &line(1_000_000 + k));
            assert_ne!(short(&changed, 1000), told);
        }
        let long = format!("<img src=\"{}\">\n", "ab".repeat(5000));
        assert!(short(&long, 100_000).len() < 300);
        assert_ne!(short(&long, 100_000), short(&long.replace("abab\"", "abac\""), 100_000));
    }
}
