//! Configurations of an arm by the names that robot programmers know.

use super::answer::{Configuration, Singularity, Solution};
use std::fmt;
use std::str::FromStr;

/// The words for the two sides of each singularity, `+` first; the first word of each is the one that is written.
const WORDS: [[&[&str]; 2]; 3] =
    [[&["front", "right"], &["back", "left"]], [&["up"], &["down"]], [&["noflip"], &["flip"]]];

const SINGULARITIES: [Singularity; 3] = [Singularity::Shoulder, Singularity::Elbow, Singularity::Wrist];

impl Configuration {
    fn sides(self) -> [bool; 3] {
        [self.shoulder, self.elbow, self.wrist]
    }

    /// By name: `front up noflip`.
    ///
    /// The words stand for the three signs: shoulder `front` (or `right`) is +, `back` (or `left`) is -; elbow `up` + and `down` -; wrist `noflip` + and `flip` -. For an arm whose first axis points up
    /// and whose second one points to its left (y, when it reaches along x) they say what is seen; with axes in other directions some are the other way round.
    pub fn words(self) -> String {
        Wanted::from(self).to_string()
    }
}

/// Which configurations will do: one or several sides, the others left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Shoulder, elbow, wrist: the side as in [`Configuration`]; `None` for either.
    sides: [Option<bool>; 3],
}

impl From<Configuration> for Wanted {
    fn from(configuration: Configuration) -> Wanted {
        Wanted { sides: configuration.sides().map(Some) }
    }
}

impl Wanted {
    /// True if a solution is on the wanted sides; at a singularity it is on both sides of that. Solutions without configuration are on none.
    pub fn admits(&self, solution: &Solution) -> bool {
        let Some(configuration) = solution.configuration else { return false };
        let mut sides = configuration.sides().into_iter().zip(self.sides).zip(SINGULARITIES);
        sides
            .all(|((is, wanted), at)| wanted.is_none_or(|side| side == is) || solution.singular.contains(&at))
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = self.sides.iter().zip(WORDS).filter_map(|(side, words)| {
            let side = (*side)?;
            Some(words[usize::from(!side)][0])
        });
        f.write_str(&said.collect::<Vec<_>>().join(" "))
    }
}

/// Why a text is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WantedError {
    /// Nothing is said.
    #[error("a configuration says one side or more, such as \"front up noflip\"")]
    Empty,
    /// A word that is none of them.
    #[error("{0:?} is no side of a configuration: front (right) or back (left), up or down, noflip or flip")]
    Word(String),
    /// Both sides of one singularity, or one twice.
    #[error("{0:?} after {1:?}: the arm cannot be on two sides")]
    Twice(String, String),
}

impl FromStr for Wanted {
    type Err = WantedError;

    /// `front up noflip`, some of these words (`elbow up`), or three signs as in [`Configuration`] (`+-+`, `*` for either).
    fn from_str(text: &str) -> Result<Wanted, WantedError> {
        let text = text.trim();
        if text.chars().count() == 3 && text.chars().all(|c| "+-*".contains(c)) {
            let mut signs = text.chars().map(|c| (c != '*').then_some(c == '+'));
            let sides = std::array::from_fn(|_| signs.next().flatten());
            return if sides == [None; 3] { Err(WantedError::Empty) } else { Ok(Wanted { sides }) };
        }
        let text = text.to_lowercase().replace("no flip", "noflip").replace("no-flip", "noflip");
        let mut said: [Option<(bool, &str)>; 3] = [None; 3];
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            if ["shoulder", "elbow", "wrist"].contains(&word) {
                continue;
            }
            let place = (0..3).flat_map(|k| [(k, true), (k, false)]);
            let mut place = place.filter(|(k, side)| WORDS[*k][usize::from(!side)].contains(&word));
            let Some((k, side)) = place.next() else { return Err(WantedError::Word(word.to_owned())) };
            if let Some((_, before)) = said[k].replace((side, word)) {
                return Err(WantedError::Twice(word.to_owned(), before.to_owned()));
            }
        }
        let sides = said.map(|one| one.map(|(side, _)| side));
        if sides == [None; 3] { Err(WantedError::Empty) } else { Ok(Wanted { sides }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inverse::Residual;

    fn solution(shoulder: bool, elbow: bool, wrist: bool, singular: Vec<Singularity>) -> Solution {
        let configuration = Some(Configuration { shoulder, elbow, wrist });
        let residual = Residual { position: 0.0, angle: 0.0 };
        let (values, notes) = (Vec::new(), Vec::new());
        Solution { values, residual, nearest: false, way: 0.0, configuration, singular, notes }
    }

    #[test]
    fn words_and_signs_are_the_same() {
        for k in 0..8 {
            let [shoulder, elbow, wrist] = [1, 2, 4].map(|bit| k & bit != 0);
            let configuration = Configuration { shoulder, elbow, wrist };
            let wanted = Wanted::from(configuration);
            assert_eq!(configuration.words().parse(), Ok(wanted));
            assert_eq!(configuration.to_string().parse(), Ok(wanted));
            for other in 0..8 {
                let [a, b, c] = [1, 2, 4].map(|bit| other & bit != 0);
                assert_eq!(wanted.admits(&solution(a, b, c, Vec::new())), other == k);
            }
        }
    }

    #[test]
    fn some_sides_may_be_left_open() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Wanted>().unwrap().to_string(), expected, "{text}");
        };
        check("elbow up", "up");
        check("Shoulder left, elbow down, wrist no flip", "back down noflip");
        check("flip right", "front flip");
        check("*-*", "down");
        let up: Wanted = "up".parse().unwrap();
        assert!(up.admits(&solution(false, true, false, Vec::new())));
        assert!(!up.admits(&solution(true, false, true, vec![Singularity::Wrist])));
        assert!(
            up.admits(&solution(true, false, true, vec![Singularity::Elbow])),
            "signs mean nothing there"
        );
        let numeric = Solution { configuration: None, ..solution(true, true, true, Vec::new()) };
        assert!(!up.admits(&numeric));
    }

    #[test]
    fn what_is_no_configuration() {
        let check = |text: &str, expected: &str| {
            let error = text.parse::<Wanted>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("", "one side or more");
        check("***", "one side or more");
        check("elbow", "one side or more");
        check("front upp", "\"upp\" is no side");
        check("up down", "\"down\" after \"up\"");
        check("front right", "\"right\" after \"front\"");
        check("++", "is no side");
    }
}
