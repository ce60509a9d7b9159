//! Texts of others in the messages of ours.

use std::borrow::Cow;

/// A text in one line, whoever wrote it: what would move a cursor, change colours, turn the direction of writing or cannot be seen is written as its
/// code, as in `\u{202e}`. Everything that shows a name to people sends it through here: terminal, HTML, SVG, errors; the page of the studio
/// has the same rule (`page/src/ui/plain.ts`).
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_odd(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// The same for a text of several lines: ends of lines and tabs stay.
#[must_use]
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let is_wrong = |c: char| is_odd(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_wrong) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_wrong(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A text that stands for itself in XML, HTML and SVG, in elements and in quoted attributes. Characters that cannot be seen stay: what
/// shows the text to people goes through [`plain`] before.
#[must_use]
pub fn markup(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A JSON document in which characters that cannot be seen, or that would steer what shows them, are written
/// by their codes: they stand in texts only, and the document says the same. All JSON that is printed or
/// written to a file goes through here.
#[must_use]
pub fn plain_json(document: &str) -> Cow<'_, str> {
    let is_wrong = |c: char| is_odd(c) && !matches!(c, '\n' | '\r' | '\t');
    if !document.contains(is_wrong) {
        return Cow::Borrowed(document);
    }
    let mut out = String::with_capacity(document.len() + 16);
    for c in document.chars() {
        if is_wrong(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character is not what it seems: control and formatting characters of Unicode, line and paragraph ends, and letters without a shape.
#[must_use]
pub fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_means_nothing_to_what_reads_it() {
        assert!(matches!(markup("gear 2\u{200b}"), Cow::Borrowed(_)));
        assert_eq!(markup("<a href=\"b\">&'"), "&lt;a href=&quot;b&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn what_turns_moves_or_hides_is_written_as_its_code() {
        assert!(matches!(plain("Zahnrad 2, größer → 軸"), Cow::Borrowed(_)));
        let odd = "a\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}\u{200b}\u{feff}\u{1b}[31m\u{9b}\n\u{0}\u{7f}z";
        let said = plain(odd);
        assert!(!said.chars().any(is_odd), "{said}");
        assert!(
            said.starts_with("a\\u{202a}\\u{202b}") && said.ends_with("\\u{1b}[31m\\u{9b}\\n\\u{0}\\u{7f}z"),
            "{said}"
        );
    }
}
