//! What somebody may have meant.

/// Longer words are not compared: nobody misspells them, and it would take long.
const LONGEST: usize = 64;

/// The candidate that is nearest to a word, if it is near enough to be meant: a third of the letters may be
/// wrong, one in short words, none in
/// words of one letter; in one of two letters a third one may be missing. The same ending of two file names
/// does not count, and what differs in digits alone is another thing.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let whole: Vec<char> = word.to_lowercase().chars().take(LONGEST + 1).collect();
    if whole.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().take(LONGEST + 1).collect();
        let ending = same_ending(&whole, &letters);
        let (word, letters) = (&whole[..whole.len() - ending], &letters[..letters.len() - ending]);
        if differ_in_digits(word, letters) {
            continue;
        }
        // The word in another order or with more to it: `shaft_1` for `shaft`.
        let is_part =
            word.len() >= 3 && letters.starts_with(word) || letters.len() >= 3 && word.starts_with(letters);
        let own = match word.len() {
            0 | 1 => 0,
            2 => usize::from(letters.len() == 3),
            letters => letters / 3,
        };
        let limit = best.map_or(own, |(distance, _)| distance.min(own));
        let length = word.len().abs_diff(letters.len());
        let distance = if length > limit { usize::MAX } else { distance(word, letters) };
        let distance = if is_part { distance.min(limit) } else { distance };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How long the ending of file names is that both have, with its dot.
fn same_ending(a: &[char], b: &[char]) -> usize {
    let ending = |word: &[char]| word.iter().rposition(|c| *c == '.').map(|dot| word[dot..].to_vec());
    ending(a).filter(|ending_of_a| ending(b).as_ref() == Some(ending_of_a)).map_or(0, |ending| ending.len())
}

fn differ_in_digits(a: &[char], b: &[char]) -> bool {
    let is_same = |(x, y): (&char, &char)| x == y || x.is_ascii_digit() && y.is_ascii_digit();
    a.len() == b.len() && a != b && a.iter().zip(b).all(is_same)
}

/// How many letters have to be inserted, deleted, replaced or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (k, y) in b.iter().enumerate() {
            let mut least = (last[k] + usize::from(x != y)).min(last[k + 1] + 1).min(row[k] + 1);
            if i > 0 && k > 0 && *x == b[k - 1] && a[i - 1] == *y {
                least = least.min(before[k - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected: usize| {
            let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<char>>());
            assert_eq!(distance(&a, &b), expected);
            assert_eq!(distance(&b, &a), expected);
        };
        check("", "", 0);
        check("abc", "", 3);
        check("shaft", "shaft", 0);
        check("shaft", "sahft", 1);
        check("shaft", "shfat", 1);
        check("kitten", "sitting", 3);
    }

    #[test]
    fn what_was_meant() {
        let names = ["housing", "shaft", "gear", "gear_2"];
        assert_eq!(nearest("husing", names), Some("housing"));
        assert_eq!(nearest("Shaft", names), Some("shaft"));
        assert_eq!(nearest("gaer", names), Some("gear"));
        assert_eq!(nearest("gear2", names), Some("gear"));
        assert_eq!(nearest("hous", names), Some("housing"));
        assert_eq!(nearest("lid", names), None);
        // Others, and not slips of the hand.
        assert_eq!(nearest("b", ["a", "c", "B"]), Some("B"));
        assert_eq!(nearest("at", ["to", "a", "it"]), None);
        assert_eq!(nearest("bx", ["to", "ax", "box"]), Some("box"));
        assert_eq!(nearest("pin 3", ["pin 1", "pin 2"]), None);
        assert_eq!(nearest("pin 3", ["pin 1", "pim 3"]), Some("pim 3"));
        assert_eq!(nearest("nut.stl", ["pin.stl", "lid.stl"]), None);
        assert_eq!(nearest("b.stl", ["a.stl"]), None);
        assert_eq!(nearest("housng.stl", ["lid.stl", "housing.stl"]), Some("housing.stl"));
        assert_eq!(nearest("", names), None);
    }
}
