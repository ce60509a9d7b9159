//! Configurations of an arm by the names that robot programmers know.

use super::Posture;
use super::answer::{Configuration, Singularity, Solution};
use std::fmt;
use std::str::FromStr;

/// The words for the two sides of each thing that a posture says, the one that is true first.
const WORDS: [[&str; 2]; 4] = [["front", "back"], ["up", "down"], ["noflip", "flip"], ["right", "left"]];

const SINGULARITIES: [Singularity; 3] = [Singularity::Shoulder, Singularity::Elbow, Singularity::Wrist];

impl Configuration {
    fn sides(self) -> [bool; 3] {
        [self.shoulder, self.elbow, self.wrist]
    }
}

/// Which configurations will do: one or several sides, the others left open.
///
/// Words mean what is seen ([`Posture`](super::Posture)), signs the sides of the singularities ([`Configuration`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted(Sides);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sides {
    /// Shoulder, elbow, wrist; `None` for either.
    Signs([Option<bool>; 3]),
    /// In the order of [`WORDS`].
    Words([Option<bool>; 4]),
}

impl From<Configuration> for Wanted {
    fn from(configuration: Configuration) -> Wanted {
        Wanted(Sides::Signs(configuration.sides().map(Some)))
    }
}

fn said(posture: &Posture) -> [Option<bool>; 4] {
    [posture.front, posture.up, posture.noflip, posture.right]
}

impl Wanted {
    /// True if a solution is on the wanted sides; at a singularity it is on both sides of that. Solutions without configuration are on none, and words that make no sense for an arm are never right.
    pub fn admits(&self, solution: &Solution) -> bool {
        let Some(configuration) = solution.configuration else { return false };
        match self.0 {
            Sides::Signs(signs) => {
                let mut sides = configuration.sides().into_iter().zip(signs).zip(SINGULARITIES);
                sides.all(|((is, wanted), at)| {
                    wanted.is_none_or(|side| side == is) || solution.singular.contains(&at)
                })
            }
            Sides::Words(words) => {
                let fits = |is: &Posture| {
                    words.iter().zip(said(is)).all(|(wanted, is)| wanted.is_none() || *wanted == is)
                };
                solution.posture.readings(&solution.singular).any(|is| fits(&is))
            }
        }
    }

    /// The first word that makes no sense for an arm with this solution.
    pub fn unknown_word(&self, solution: &Solution) -> Option<&'static str> {
        let Sides::Words(words) = self.0 else { return None };
        let both = words.into_iter().zip(said(&solution.posture)).zip(WORDS);
        let mut unknown = both.filter_map(|((wanted, is), words)| match (wanted, is) {
            (Some(wanted), None) => Some(words[usize::from(!wanted)]),
            _ => None,
        });
        unknown.next()
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Sides::Signs(signs) => signs.iter().try_for_each(|sign| {
                f.write_str(match sign {
                    Some(true) => "+",
                    Some(false) => "-",
                    None => "*",
                })
            }),
            Sides::Words(words) => {
                // Right and left are about the shoulder, which comes first.
                let order = [0, 3, 1, 2];
                let said = order.iter().filter_map(|k| words[*k].map(|side| WORDS[*k][usize::from(!side)]));
                f.write_str(&said.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// Why a text is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WantedError {
    /// Nothing is said.
    #[error("a configuration says one side or more, such as \"front up noflip\"")]
    Empty,
    /// A word that is none of them.
    #[error(
        "{0:?} is no side of a configuration: front or back (or right or left), up or down, noflip or flip"
    )]
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
            return if sides == [None; 3] {
                Err(WantedError::Empty)
            } else {
                Ok(Wanted(Sides::Signs(sides)))
            };
        }
        let text = text.to_lowercase().replace("no flip", "noflip").replace("no-flip", "noflip");
        let mut said: [Option<(bool, &str)>; 4] = [None; 4];
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            if ["shoulder", "elbow", "wrist"].contains(&word) {
                continue;
            }
            let mut place = (0..4).flat_map(|k| [(k, true), (k, false)]);
            let place = place.find(|(k, side)| WORDS[*k][usize::from(!side)] == word);
            let Some((k, side)) = place else { return Err(WantedError::Word(word.to_owned())) };
            // Both pairs of words for the shoulder say the same of an arm.
            let before = if k % 3 == 0 { said[0].or(said[3]) } else { said[k] };
            if let Some((_, before)) = before {
                return Err(WantedError::Twice(word.to_owned(), before.to_owned()));
            }
            said[k] = Some((side, word));
        }
        let sides = said.map(|one| one.map(|(side, _)| side));
        if sides == [None; 4] { Err(WantedError::Empty) } else { Ok(Wanted(Sides::Words(sides))) }
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
        let posture =
            Posture { front: Some(shoulder), up: Some(elbow), noflip: Some(wrist), right: Some(!shoulder) };
        Solution { values, residual, nearest: false, way: 0.0, configuration, posture, singular, notes }
    }

    #[test]
    fn words_and_signs_choose() {
        for k in 0..8 {
            let [shoulder, elbow, wrist] = [1, 2, 4].map(|bit| k & bit != 0);
            let here = solution(shoulder, elbow, wrist, Vec::new());
            let signs = here.configuration.unwrap().to_string();
            let (by_sign, by_word): (Wanted, Wanted) =
                (signs.parse().unwrap(), here.posture.to_string().parse().unwrap());
            assert_eq!((by_sign.to_string(), by_sign), (signs, Wanted::from(here.configuration.unwrap())));
            assert_eq!(by_word.to_string(), here.name().unwrap());
            for other in 0..8 {
                let [a, b, c] = [1, 2, 4].map(|bit| other & bit != 0);
                let there = solution(a, b, c, Vec::new());
                assert_eq!([by_sign.admits(&there), by_word.admits(&there)], [other == k; 2]);
            }
        }
    }

    #[test]
    fn words_without_sense_are_never_right() {
        let mut ur = solution(true, false, true, Vec::new());
        ur.posture = Posture { up: Some(true), ..Posture::default() };
        let check = |text: &str, admits: bool, unknown: Option<&str>| {
            let wanted: Wanted = text.parse().unwrap();
            assert_eq!((wanted.admits(&ur), wanted.unknown_word(&ur)), (admits, unknown), "{text}");
        };
        check("up", true, None);
        check("down", false, None);
        check("back up", false, Some("back"));
        check("left up", false, Some("left"));
        check("+-+", true, None);
        check("*+*", false, None);
        assert_eq!(ur.name().unwrap(), "+-+ (up)");
        ur.posture = Posture::default();
        assert_eq!(ur.name().unwrap(), "+-+");
    }

    #[test]
    fn over_the_first_axis_above_is_also_below() {
        let over = solution(true, true, true, vec![Singularity::Shoulder]);
        let check = |text: &str, admits: bool| {
            assert_eq!(text.parse::<Wanted>().unwrap().admits(&over), admits, "{text}");
        };
        check("front up", true);
        check("back down", true);
        check("front down", false);
        check("back up", false);
        check("left up", true);
        check("right down noflip", true);
        check("down flip", false);
    }

    #[test]
    fn some_sides_may_be_left_open() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Wanted>().unwrap().to_string(), expected, "{text}");
        };
        check("elbow up", "up");
        check("Shoulder left, elbow down, wrist no flip", "left down noflip");
        check("flip right", "right flip");
        check("*-*", "*-*");
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
