//! What differs between two texts, for people: the first lines that do.

use std::fmt::Write;

/// So many differing lines are shown.
const SHOWN: usize = 6;

/// So many lines are looked ahead for the place where both texts go on alike.
const AHEAD: usize = 200;

/// So many characters of a line.
const WIDTH: usize = 160;

/// The first differing lines: `-` is expected, `+` was found, the number is that of the line in the file.
pub(super) fn first_differences(expected: &str, found: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let (mut i, mut j, mut shown, mut count) = (0, 0, 0, 0);
    let mut out = String::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let (gone, new) = next_common(&a[i..], &b[j..]);
        for k in 0..gone.max(new) {
            let (old, now) = ((k < gone).then(|| a[i + k]), (k < new).then(|| b[j + k]));
            count += 1;
            if shown < SHOWN {
                shown += 1;
                let from = old.zip(now).map_or(0, |(old, now)| common(old, now));
                for (sign, number, line) in [('-', i + k, old), ('+', j + k, now)] {
                    if let Some(line) = line {
                        let _ = writeln!(out, "  {sign} {:>4}  {}", number + 1, window(line, from));
                    }
                }
            }
        }
        (i, j) = (i + gone, j + new);
    }
    if count > shown {
        let _ = writeln!(out, "  … {} more lines differ", count - shown);
    }
    out
}

/// After how many lines of each both are alike again.
fn next_common(a: &[&str], b: &[&str]) -> (usize, usize) {
    let both = (1..AHEAD).flat_map(|sum| (0..=sum).map(move |gone| (gone, sum - gone)));
    // As many of each first: a line that was changed is more likely than one that came.
    let same = (1..AHEAD).map(|n| (n, n)).find(|&(n, m)| n < a.len() && m < b.len() && a[n] == b[m]);
    let other = both.into_iter().find(|&(n, m)| n < a.len() && m < b.len() && a[n] == b[m]);
    match (same, other) {
        (Some(same), Some(other)) if same.0 <= other.0 + other.1 => same,
        (_, Some(other)) => other,
        (Some(same), None) => same,
        (None, None) => (a.len(), b.len()),
    }
}

/// How many characters two lines have in common at the beginning.
fn common(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The part of a line around a character.
fn window(line: &str, at: usize) -> String {
    let from = if at < WIDTH * 3 / 4 { 0 } else { at - WIDTH / 4 };
    let part: String = line.chars().skip(from).take(WIDTH).collect();
    let is_cut = line.chars().nth(from + WIDTH).is_some();
    format!("{}{part}{}", if from > 0 { "…" } else { "" }, if is_cut { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_and_new_lines_are_told() {
        assert_eq!(first_differences("a\nb\nc\n", "a\nb\nc\n"), "");
        assert_eq!(first_differences("a\nb\nc\n", "a\nx\nc\n"), "  -    2  b\n  +    2  x\n");
        assert_eq!(first_differences("a\nc\n", "a\nb\nc\n"), "  +    2  b\n");
        assert_eq!(first_differences("a\nb\nc\n", "a\nc\n"), "  -    2  b\n");
        assert_eq!(first_differences("a\n", "a\nb\n"), "  +    2  b\n");
    }

    #[test]
    fn much_is_cut() {
        let many = |c: &str| format!("{c}\n").repeat(20);
        assert!(first_differences(&many("a"), &many("b")).ends_with("  … 14 more lines differ\n"));
        let (a, b) = (format!("{}1", "a".repeat(1000)), format!("{}2", "a".repeat(1000)));
        let told = first_differences(&a, &b);
        assert!(told.contains("a1\n") && told.contains("a2\n") && told.len() < 200, "{told}");
    }
}
