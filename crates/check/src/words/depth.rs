//! How deep bodies are in each other, and what would let them pass.

use super::length;
use freiraum_geometry::Unit;
use freiraum_motion::fit::ShrinkError;

/// How deep two bodies overlap, by the measures that are known, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Depths {
    /// The shortest shift that takes them apart.
    pub shift: Option<f64>,
    /// How deep they are in each other at the deepest place; stated where the shift is not known.
    pub deepest: Option<f64>,
    /// The smallest allowance with which they would pass: their deepest common point is half as deep below the surfaces of both.
    pub passes: Option<f64>,
}

impl Depths {
    /// The measures by name, what is not known left out: `; a shift of 2 mm takes them apart; an allowance of 0.1 mm would let them pass: no point is
    /// deeper than half of it below both surfaces`.
    pub fn said(&self, units: Unit) -> String {
        self.said_of("", "let them pass", units)
    }

    /// The same of an overlap before anything has moved: what comes later is not known from that.
    pub fn said_of_start(&self, units: Unit) -> String {
        self.said_of("", "let the start pass", units)
    }

    /// The same of a contact on the way, when the allowance is used up: the shift is that of this moment, the allowance that of the whole motion.
    pub fn said_of_contact(&self, units: Unit) -> String {
        self.said_of(" at that moment", "let them pass to the end of the step", units)
    }

    fn said_of(&self, when: &str, pass: &str, units: Unit) -> String {
        let shift = match (self.shift, self.deepest) {
            (Some(shift), _) => Some(format!("; a shift of {} takes them apart{when}", length(shift, units))),
            (None, deepest) => deepest
                .filter(|deepest| *deepest > 0.0)
                .map(|deepest| format!(", {} deep at the deepest place", length(deepest, units))),
        };
        let passes = self.passes.map(|allowance| {
            let allowance = rounded_up(allowance, units);
            format!("; an allowance of {allowance} would {pass}: no point is deeper than half of it below both surfaces")
        });
        [shift, passes].into_iter().flatten().collect()
    }
}

/// A length with three digits, rounded up: who allows this much has allowed enough.
pub fn rounded_up(metres: f64, units: Unit) -> String {
    let value = units.from_metres(metres);
    let places = super::places(value, 3);
    let scale = 10f64.powi(places as i32);
    let up = (value * scale * (1.0 - 4.0 * f64::EPSILON)).ceil() / scale;
    format!("{} {}", super::decimals(up, places), super::symbol(units))
}

/// Why an allowance cannot be used, with lengths in this unit.
pub fn not_smaller(why: &ShrinkError, units: Unit) -> String {
    match why {
        ShrinkError::Thin { allowance, lost } => format!(
            "an allowance of {} is too large: a part of a body is thinner than {}, what it would lose",
            length(*allowance, units),
            length(*lost, units)
        ),
        ShrinkError::Joints { allowance, joint, other } => {
            let other = match other {
                Some(other) => {
                    format!(", and {} {} and {} of the other", other.kind, other.parts[0], other.parts[1])
                }
                None => ", and the other has no inside".to_owned(),
            };
            format!(
                "an allowance of {} needs a body without joints: {} {} and {} of one body touch{other}",
                length(*allowance, units),
                joint.kind,
                joint.parts[0],
                joint.parts[1]
            )
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_named_and_unknown_ones_left_out() {
        let unit = Unit::Centimetre;
        assert_eq!(Depths::default().said(unit), "");
        let shift = Depths { shift: Some(0.00627), ..Depths::default() };
        assert_eq!(shift.said(unit), "; a shift of 0.627 cm takes them apart");
        let deepest = Depths { deepest: Some(0.00627), ..Depths::default() };
        assert_eq!(deepest.said(unit), ", 0.627 cm deep at the deepest place");
        let all = Depths { passes: Some(0.000_000_998_1), deepest: Some(0.001), ..shift };
        assert_eq!(
            all.said(unit),
            "; a shift of 0.627 cm takes them apart; an allowance of 0.0000999 cm would let them pass: \
             no point is deeper than half of it below both surfaces"
        );
        let exact = Depths { passes: Some(0.001), ..Depths::default() };
        assert_eq!(
            exact.said(Unit::Millimetre),
            "; an allowance of 1 mm would let them pass: no point is deeper than half of it below both surfaces"
        );
    }
}
