//! Takes out of a text what differs from run to run: folders, dates, versions, and how long something took.
//!
//! Times of programs and of worlds are answers and stay.

/// Lines of JSON with these keys tell how long something took, wherever they stand.
const SPEEDS: [&str; 2] = ["steps_per_second", "real_time_factor"];

/// The text without what differs from run to run; `folder` is where the program ran.
pub(super) fn mask(text: &str, folder: &str) -> String {
    let text = text.replace(folder, "<folder>");
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    // Between `"milliseconds": {` and its end.
    let mut in_times = false;
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        if in_times && content.trim_start().starts_with('}') {
            in_times = false;
        }
        let masked = if in_times { value(content) } else { duration(content, before) };
        let masked = dates(&masked.unwrap_or_else(|| content.to_owned()));
        out.push_str(&versions(&after_date(&masked)));
        out.push_str(end);
        in_times |= content == "  \"milliseconds\": {";
        before = content;
    }
    out
}

/// A line that tells how long something took, without that; `before` is the line before it.
fn duration(line: &str, before: &str) -> Option<String> {
    if let Some((indent, key)) = key(line) {
        // Deeper ones are times of programs.
        let is_top = indent == 2 || before == "  \"statistics\": {";
        return (SPEEDS.contains(&key) || key == "seconds" && is_top).then(|| value(line)).flatten();
    }
    let words = line.trim_start();
    if words.starts_with("checked ") {
        return between(line, " in ", " s: ");
    }
    // Beside `simulated` it is the time of the world.
    if words.starts_with("time ") && !before.trim_start().starts_with("simulated ") {
        return between(line, "  ", " s");
    }
    if words.starts_with("speed ") && line.contains(" times real time") {
        return Some(line[..line.len() - words.len()].to_owned() + "speed <time>");
    }
    if words.starts_with("milliseconds ") {
        return Some(numbers(line));
    }
    if line.ends_with(" s") && line.contains(" undecided; ") {
        return between(line, " undecided; ", " s");
    }
    if line.contains("checked in") {
        return Some(after_checked_in(line));
    }
    None
}

/// A document in one line: how long it took stands behind its date.
fn after_date(line: &str) -> String {
    const BEFORE: &str = "\"date\":\"<date>\",\"seconds\":";
    let Some(at) = line.find(BEFORE) else { return line.to_owned() };
    let (head, tail) = line.split_at(at + BEFORE.len());
    let end = tail.find(|c| !in_number(c)).unwrap_or(tail.len());
    format!("{head}<time>{}", &tail[end..])
}

/// How far a line of JSON is indented, and its key.
fn key(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start();
    let (key, _) = rest.strip_prefix('"')?.split_once("\": ")?;
    Some((line.len() - rest.len(), key))
}

/// A line of JSON without its value.
fn value(line: &str) -> Option<String> {
    let (key, value) = line.split_once("\": ")?;
    let comma = if value.ends_with(',') { "," } else { "" };
    Some(format!("{key}\": <time>{comma}"))
}

/// The line without the number between the last `from` that has one behind it and the next `to`.
fn between(line: &str, from: &str, to: &str) -> Option<String> {
    line.rmatch_indices(from).find_map(|(at, _)| {
        let start = at + from.len();
        let length = line[start..].find(to)?;
        let is_number = length > 0 && line[start..start + length].chars().all(in_number);
        is_number.then(|| format!("{}<time>{}", &line[..start], &line[start + length..]))
    })
}

fn in_number(c: char) -> bool {
    c.is_ascii_digit() || "+-.e".contains(c)
}

/// The line with every decimal number masked.
fn numbers(line: &str) -> String {
    let word = |word: &str| {
        let number = word.trim_end_matches(',');
        match number.parse::<f64>() {
            Ok(_) => format!("<time>{}", &word[number.len()..]),
            Err(_) => word.to_owned(),
        }
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The page of a report: the first number behind the words.
fn after_checked_in(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("checked in") {
        let (head, tail) = rest.split_at(at + "checked in".len());
        out.push_str(head);
        rest = tail;
        let Some(start) = tail.find(|c: char| c.is_ascii_digit()) else { continue };
        let length = tail[start..].find(|c: char| !(c.is_ascii_digit() || ".,".contains(c))).unwrap_or(0);
        if start < 40 && length > 0 {
            out.push_str(&tail[..start]);
            out.push_str("<time>");
            rest = &tail[start + length..];
        }
    }
    out + rest
}

/// Dates as `2026-01-31`, with a time as `T12:34:56.789Z` or without.
fn dates(line: &str) -> String {
    if !line.contains('-') {
        return line.to_owned();
    }
    let bytes = line.as_bytes();
    let mut out = String::new();
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let stands_alone = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let Some(length) = stands_alone.then(|| date(&bytes[at..])).flatten() else {
            at += 1;
            continue;
        };
        out.push_str(&line[copied..at]);
        out.push_str("<date>");
        at += length;
        copied = at;
    }
    out + &line[copied..]
}

/// The length of the date that a text begins with.
fn date(text: &[u8]) -> Option<usize> {
    let shaped = |text: &[u8], shape: &str| {
        text.len() >= shape.len()
            && text
                .iter()
                .zip(shape.bytes())
                .all(|(&c, s)| if s == b'0' { c.is_ascii_digit() } else { c == s })
    };
    if !shaped(text, "0000-00-00") || text.get(10).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let rest = &text[10..];
    let time = ["T00:00:00", " 00:00:00", "T00:00", " 00:00"].iter().find(|shape| shaped(rest, shape));
    let mut length = 10 + time.map_or(0, |shape| shape.len());
    if time.is_some() {
        if text.get(length) == Some(&b'.') && text.get(length + 1).is_some_and(u8::is_ascii_digit) {
            length += 1 + text[length + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        }
        length += usize::from(text.get(length) == Some(&b'Z'));
    }
    Some(length)
}

/// Versions as in `freiraum 0.1.0` and `"version": "0.1.0"`.
fn versions(line: &str) -> String {
    let mut out = line.to_owned();
    for before in ["freiraum ", "Freiraum ", "\"version\": \"", "\"version\":\""] {
        let mut from = 0;
        while let Some(at) = out[from..].find(before) {
            let start = from + at + before.len();
            let rest = &out[start..];
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
            let length = rest[..length].trim_end_matches('.').len();
            from = start;
            if rest[..length].matches('.').count() == 2 {
                out.replace_range(start..start + length, "<version>");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        assert_eq!(mask(text, "/no/such/folder"), wanted);
    }

    #[test]
    fn folders_are_masked() {
        assert_eq!(mask("in /a/b/c.toml\n", "/a/b"), "in <folder>/c.toml\n");
    }

    #[test]
    fn how_long_a_check_took_is_masked() {
        check(
            "  checked             592 pairs in 4.672 s: 516 apart\n",
            "  checked             592 pairs in <time> s: 516 apart\n",
        );
        check("  time                1.014 s\n", "  time                <time> s\n");
        check(
            "  all decided: 3 never, 0 undecided; 0.1 s\n",
            "  all decided: 3 never, 0 undecided; <time> s\n",
        );
        check("<dt>checked in</dt><dd>4.7 s</dd><p>1 s\n", "<dt>checked in</dt><dd><time> s</dd><p>1 s\n");
        check("{\n  \"seconds\": 0.25,\n", "{\n  \"seconds\": <time>,\n");
        check(
            "  milliseconds  read 1.0, total 2.5  (cpu)\n",
            "  milliseconds  read <time>, total <time>  (cpu)\n",
        );
        check(
            "  \"milliseconds\": {\n    \"read\": 1.5,\n    \"total\": 2.0\n  },\n  \"volume\": 2.0\n",
            "  \"milliseconds\": {\n    \"read\": <time>,\n    \"total\": <time>\n  },\n  \"volume\": 2.0\n",
        );
    }

    #[test]
    fn how_fast_a_world_ran_is_masked() {
        check(
            "  \"statistics\": {\n    \"seconds\": 1.5,\n    \"steps_per_second\": 7,\n    \"energy\": 1\n",
            "  \"statistics\": {\n    \"seconds\": <time>,\n    \"steps_per_second\": <time>,\n    \"energy\": 1\n",
        );
        check("  speed  1 234 steps per second, 1.2 times real time\n", "  speed <time>\n");
    }

    #[test]
    fn times_of_programs_and_worlds_stay() {
        for text in [
            "      \"seconds\": 0.25,\n",
            "  simulated  2 s in 2 000 steps of 0.001 s\n  time       2 s\n",
            "  found at 1.25 s of 3 s\n",
            "  \"time\": 2.0,\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn dates_and_versions_are_masked() {
        check("Freiraum 0.1.0, 2026-11-19T20:58:07Z\n", "Freiraum <version>, <date>\n");
        check("freiraum 12.0.33", "freiraum <version>");
        check("  \"version\": \"0.1.0\",\n", "  \"version\": \"<version>\",\n");
        check("on 2026-11-19 20:58.", "on <date>.");
        check("on 2026-11-19T20:58:07.123Z.", "on <date>.");
        for text in
            ["freiraum 3.5 mm", "a2026-11-19", "12026-11-19", "1e-9 2026-1-19", "2026-11-190", "ä-2026"]
        {
            check(text, text);
        }
    }
}
