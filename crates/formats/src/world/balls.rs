//! Balls that lie or fly about.

use super::{MILLIMETRE, numbers};
use crate::scene::SceneErrors;
use freiraum_scene::{Place, Problem};

/// Numbers per ball.
const PER_BALL: usize = 8;

/// The balls of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Balls {
    /// In the order of the file.
    pub balls: Vec<Ball>,
    /// What does not fit and was read as well as possible.
    pub notes: Vec<Problem>,
}

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Its middle, in metres.
    pub center: [f64; 3],
    /// Metres.
    pub radius: f64,
    /// Red, green and blue, from 0 to 1.
    pub color: [f64; 3],
    /// Kilograms.
    pub mass: f64,
}

impl Balls {
    /// Whether a text of numbers has as many balls as it says.
    pub(super) fn is_counted(text: &str) -> bool {
        let mut words = text.split_ascii_whitespace();
        let count = words.next().and_then(|word| word.parse::<usize>().ok());
        count.is_some_and(|count| count.checked_mul(PER_BALL) == Some(words.count()))
    }

    /// Whether after its first number a text has whole balls only, whatever that number is.
    pub(super) fn are_whole(text: &str) -> bool {
        text.split_ascii_whitespace().count() % PER_BALL == 1
    }

    /// Reads the text of a balls file: how many there are, then for each its middle and radius (millimetres), colour and mass.
    ///
    /// **Errors.** Words that are no numbers, a ball without size or mass. If the count is not that of the balls, all that are complete are
    /// taken, with a note.
    pub fn parse(name: &str, text: &str) -> Result<Balls, SceneErrors> {
        let found = numbers(name, text)?;
        let Some(((count, place), rest)) = found.split_first() else {
            let help = "the file begins with the number of balls";
            return Err(SceneErrors::new(
                name,
                text,
                vec![Problem::new(Place::default(), "no numbers").help(help)],
            ));
        };
        let (mut notes, mut problems) = (Vec::new(), Vec::new());
        if *count != (rest.len() / PER_BALL) as f64 {
            let message = format!("the file says {count} balls and describes {}", rest.len() / PER_BALL);
            notes.push(Problem::new(*place, message).help("all that are described are taken"));
        }
        let pieces = rest.chunks_exact(PER_BALL);
        if let Some((_, place)) = pieces.remainder().first() {
            let message =
                format!("the last ball has {} numbers, expected {PER_BALL}", pieces.remainder().len());
            notes.push(Problem::new(*place, message).help("it is left out"));
        }
        let mut balls = Vec::new();
        for ball in pieces {
            let [x, y, z, radius, red, green, blue, mass] = std::array::from_fn(|k| ball[k].0);
            for (number, place, what) in [(radius, ball[3].1, "radius"), (mass, ball[7].1, "mass")] {
                if number <= 0.0 {
                    let message = format!("a ball with a {what} of {number}");
                    problems.push(Problem::new(place, message).help("write a number above 0"));
                }
            }
            for (number, place) in &ball[4..7] {
                if !(0.0..=1.0).contains(number) {
                    let message = format!("found {number}, expected a colour from 0 to 1");
                    notes.push(Problem::new(*place, message).help("the nearest one is taken"));
                }
            }
            balls.push(Ball {
                center: [x, y, z].map(|c| c * MILLIMETRE),
                radius: radius * MILLIMETRE,
                color: [red, green, blue].map(|c| c.clamp(0.0, 1.0)),
                mass,
            });
        }
        if problems.is_empty() {
            Ok(Balls { balls, notes })
        } else {
            Err(SceneErrors::new(name, text, problems))
        }
    }
}
