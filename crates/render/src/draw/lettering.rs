//! Plain letters as strokes, so that drawings look alike in every format and on every machine.

use freiraum_geometry::Vec2;

/// Between two letters, in sixths of the height of a capital.
const GAP: f64 = 1.7;
/// Width of a blank, in the same unit.
const BLANK: f64 = 2.0;
/// Width of the pen, as a share of the height of a capital.
pub(super) const PEN: f64 = 0.11;

/// Strokes of a text: base line at `at`, capitals of this height, y down.
pub(super) fn strokes(text: &str, at: Vec2, height: f64, is_right: bool) -> Vec<Vec<Vec2>> {
    let mut x = if is_right { at.x - width(text, height) } else { at.x };
    let mut out = Vec::new();
    for letter in text.chars() {
        let [left, right] = extent(letter);
        for stroke in glyph(letter).split_ascii_whitespace() {
            let point = |p: Vec2| Vec2::new(x, at.y) + Vec2::new(p.x - left, -p.y) * height / 6.0;
            out.push(points(stroke).map(point).collect());
        }
        x += (right - left + GAP) * height / 6.0;
    }
    out
}

/// How long a text is, with capitals of this height.
pub(super) fn width(text: &str, height: f64) -> f64 {
    let letters: f64 = text.chars().map(extent).map(|[left, right]| right - left + GAP).sum();
    (letters - GAP).max(0.0) * height / 6.0
}

/// As much of a text as has room, with dots for what is left out.
pub(super) fn fitted(text: &str, height: f64, room: f64) -> String {
    if width(text, height) <= room {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() && width(&format!("{short}…"), height) > room {}
    format!("{}…", short.trim_end())
}

/// True if all letters can be drawn.
pub(super) fn is_known(text: &str) -> bool {
    text.chars().all(|letter| glyph(letter) != UNKNOWN)
}

fn points(stroke: &str) -> impl Iterator<Item = Vec2> {
    let number = |digit: u8| match digit {
        b'a' => -1.0,
        b'b' => -2.0,
        _ => f64::from(digit - b'0'),
    };
    stroke.as_bytes().chunks_exact(2).map(move |pair| Vec2::new(number(pair[0]), number(pair[1])))
}

/// The left and the right end of a letter.
fn extent(letter: char) -> [f64; 2] {
    let empty = [f64::INFINITY, f64::NEG_INFINITY];
    let all = glyph(letter).split_ascii_whitespace().flat_map(points);
    let [left, right] = all.fold(empty, |[left, right], p| [left.min(p.x), right.max(p.x)]);
    if left <= right { [left, right] } else { [0.0, BLANK] }
}

/// A box in place of a letter that has no strokes.
const UNKNOWN: &str = "0006464000";

/// Strokes as pairs of digits: x from 0 to 4, y from 0 to 6 upward; `a` and `b` are one and two below the line.
fn glyph(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'A' => "002640 1333",
        'Ä' => "002540 1232 0506 4546",
        'B' => "00063645443303 3342413000",
        'C' => "4536160501103041",
        'D' => "00062644422000",
        'E' => "46060040 0333",
        'F' => "460600 0333",
        'G' => "45361605011030414323",
        'H' => "0006 4046 0343",
        'I' => "1636 2620 1030",
        'J' => "4641301001",
        'K' => "0006 4602 1340",
        'L' => "060040",
        'M' => "0006234640",
        'N' => "00064046",
        'O' | '0' => "103041453616050110",
        'Ö' => "103041443515040110 0506 4546",
        'P' => "00063645443303",
        'Q' => "103041453616050110 2240",
        'R' => "00063645443303 2340",
        'S' => "453616050413334241301001",
        'T' => "0646 2620",
        'U' => "060110304146",
        'Ü' => "040110304144 0506 4546",
        'V' => "062046",
        'W' => "0610243046",
        'X' | '×' => "0046 0640",
        'Y' => "062346 2320",
        'Z' => "06460040",
        '1' => "152620 1030",
        '2' => "05163645440040",
        '3' => "0516364544334241301001 1333",
        '4' => "30360242",
        '5' => "4606033342413000",
        '6' => "36160501103041423303",
        '7' => "064610",
        '8' => "13040516364544331302011030414233",
        '9' => "10304145361605041343",
        'a' => "3430 3324140301102031",
        'b' => "0600 0314243331201001",
        'c' => "3324140301102031",
        'd' => "3630 3324140301102031",
        'e' => "02323324140301102031",
        'f' => "36261510 0424",
        'g' => "343a2b1b0a 3324140301102031",
        'h' => "0600 0314243330",
        'i' => "1410 1516",
        'j' => "241a0b 2526",
        'k' => "0600 3401 1230",
        'l' => "161020",
        'm' => "0400 03142320 23344340",
        'n' => "0400 0314243330",
        'o' => "102031332414030110",
        'p' => "040b 0314243331201001",
        'q' => "343b 3324140301102031",
        'r' => "0400 031424",
        's' => "33241403122231201001",
        't' => "16112030 0424",
        'u' => "0401102031 3430",
        'v' => "042044",
        'w' => "0410233044",
        'x' => "0034 0430",
        'y' => "0420 441b",
        'z' => "04340030",
        'ä' => "3430 3324140301102031 0506 3536",
        'ö' => "102031332414030110 0506 3536",
        'ü' => "0401102031 3430 0506 3536",
        '.' => "2021",
        ',' => "2110",
        ':' => "2020 2323",
        '-' => "1333",
        '–' => "0343",
        '_' => "0040",
        '+' => "0343 2521",
        '=' => "0242 0444",
        '/' => "0046",
        '(' => "36252130",
        ')' => "16252110",
        '·' => "2323",
        '\'' => "2624",
        '!' => "2622 2020",
        '"' => "1614 3634",
        '#' => "1016 3036 0242 0444",
        '$' => "453616050413334241301001 2620",
        '%' => "0046 0616150506 3141403031",
        '&' => "4005162635340201102042",
        '*' => "2521 0442 0244",
        ';' => "2110 2424",
        '<' => "450341",
        '>' => "054301",
        '?' => "05163645442322 2020",
        '@' => "3414123234 324245361605011040",
        '[' => "36161030",
        ']' => "16363010",
        '\\' => "0640",
        '^' => "042644",
        '`' => "1625",
        '{' => "36252413222130",
        '|' => "2620",
        '}' => "16252433222110",
        '~' => "03143243",
        '°' => "1626251516",
        'ß' => "0005162635342332312010",
        'µ' => "040b 01102031 3430",
        'Ø' => "103041453616050110 0046",
        'ø' => "102031332414030110 0034",
        '—' => "0343",
        '→' => "0343 254321",
        '…' => "0000 2020 4040",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_on_the_line_and_end_where_they_should() {
        let lines = strokes("Ab 7", Vec2::new(10.0, 20.0), 3.0, true);
        assert_eq!(lines.len(), 2 + 2 + 1);
        let points: Vec<Vec2> = lines.concat();
        assert!(points.iter().all(|p| p.y >= 17.0 - 1e-12 && p.y <= 20.0 && p.x < 10.0 + 1e-12));
        let left = points.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
        assert!((10.0 - left - width("Ab 7", 3.0)).abs() < 1e-12);
        assert_eq!(fitted("Ab 7", 3.0, 100.0), "Ab 7");
        let short = fitted("lower the lid onto the housing", 3.0, 30.0);
        assert!(short.starts_with("lower") && short.ends_with('…') && width(&short, 3.0) <= 30.0, "{short}");
        assert_eq!(fitted("lid", 3.0, 0.0), "…");
        assert!(is_known("gearbox: 3/21 \"lid\" [mm] 50 %") && !is_known("齿"));
    }

    #[test]
    fn all_glyphs_are_pairs_of_digits() {
        for letter in (' '..='ÿ').chain(['–', '—', '→', '…', '€']) {
            let ok = |stroke: &str| {
                stroke.len() >= 4
                    && stroke.len().is_multiple_of(2)
                    && stroke.bytes().all(|b| b.is_ascii_digit() || b"ab".contains(&b))
            };
            assert!(glyph(letter).split_ascii_whitespace().all(ok), "{letter}");
        }
    }
}
