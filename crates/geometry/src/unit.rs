//! Units of length in files.

use std::fmt;
use std::str::FromStr;

/// The unit of the lengths in a file. Inside Freiraum every length is in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Metre, the default.
    #[default]
    Metre,
    /// Decimetre.
    Decimetre,
    /// Centimetre.
    Centimetre,
    /// Millimetre.
    Millimetre,
    /// Micrometre.
    Micrometre,
    /// International inch, exactly 25.4 mm.
    Inch,
    /// International foot, exactly 304.8 mm.
    Foot,
}

impl Unit {
    /// All units, in the order of their declaration.
    pub const ALL: [Unit; 7] = [
        Unit::Metre,
        Unit::Decimetre,
        Unit::Centimetre,
        Unit::Millimetre,
        Unit::Micrometre,
        Unit::Inch,
        Unit::Foot,
    ];

    /// The unit as a fraction of a metre: numerator and denominator, both exact.
    fn ratio(self) -> (f64, f64) {
        match self {
            Unit::Metre => (1.0, 1.0),
            Unit::Decimetre => (1.0, 10.0),
            Unit::Centimetre => (1.0, 100.0),
            Unit::Millimetre => (1.0, 1000.0),
            Unit::Micrometre => (1.0, 1_000_000.0),
            Unit::Inch => (254.0, 10_000.0),
            Unit::Foot => (3048.0, 10_000.0),
        }
    }

    /// A length in this unit, in metres.
    ///
    /// **Guarantee.** Correctly rounded for the metric units (20 mm is the f64 nearest to 0.02 m); for inch and foot at
    /// most two roundings.
    pub fn to_metres(self, length: f64) -> f64 {
        let (up, down) = self.ratio();
        length * up / down
    }

    /// A length in metres, in this unit; the inverse of [`Unit::to_metres`] up to rounding.
    pub fn from_metres(self, metres: f64) -> f64 {
        let (up, down) = self.ratio();
        metres * down / up
    }

    /// A length in this unit, in the unit `to`: exactly the same where the units are, else by way of metres.
    pub fn convert(self, length: f64, to: Unit) -> f64 {
        if self == to { length } else { to.from_metres(self.to_metres(length)) }
    }

    /// The usual symbol: `m`, `dm`, `cm`, `mm`, `um`, `in`, `ft`. Understood by `from_str`.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Metre => "m",
            Unit::Decimetre => "dm",
            Unit::Centimetre => "cm",
            Unit::Millimetre => "mm",
            Unit::Micrometre => "um",
            Unit::Inch => "in",
            Unit::Foot => "ft",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// The text names no unit of length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no unit of length; expected one of m, dm, cm, mm, um, in, ft")]
pub struct ParseUnitError(String);

impl FromStr for Unit {
    type Err = ParseUnitError;

    /// Symbols and English names in either spelling, singular or plural, in any case.
    fn from_str(text: &str) -> Result<Unit, ParseUnitError> {
        let unit = match text.trim().to_lowercase().as_str() {
            "m" | "metre" | "metres" | "meter" | "meters" => Unit::Metre,
            "dm" | "decimetre" | "decimetres" | "decimeter" | "decimeters" => Unit::Decimetre,
            "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => Unit::Centimetre,
            "mm" | "millimetre" | "millimetres" | "millimeter" | "millimeters" => Unit::Millimetre,
            "um" | "µm" | "μm" | "micrometre" | "micrometres" | "micrometer" | "micrometers" | "micron"
            | "microns" => Unit::Micrometre,
            "in" | "inch" | "inches" | "\"" => Unit::Inch,
            "ft" | "foot" | "feet" | "'" => Unit::Foot,
            _ => return Err(ParseUnitError(text.to_owned())),
        };
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_metres() {
        let check = |unit: Unit, length: f64, metres: f64| {
            assert_eq!(unit.to_metres(length), metres, "{length} {unit}");
            assert_eq!(unit.from_metres(metres), length, "{metres} m in {unit}");
        };
        check(Unit::Metre, 0.1, 0.1);
        check(Unit::Decimetre, 24.0, 2.4);
        check(Unit::Centimetre, 250.0, 2.5);
        check(Unit::Millimetre, 20.0, 0.02);
        check(Unit::Micrometre, 7.0, 0.000_007);
        check(Unit::Inch, 1.0, 0.0254);
        check(Unit::Foot, 1.0, 0.3048);
        // By way of metres the first would become 62.671000000000006.
        assert_eq!(Unit::Millimetre.convert(62.671, Unit::Millimetre), 62.671);
        assert_eq!(Unit::Inch.convert(2.0, Unit::Millimetre), 50.8);
    }

    #[test]
    fn names() {
        for unit in Unit::ALL {
            assert_eq!(unit.symbol().parse(), Ok(unit));
        }
        assert_eq!("Inches".parse(), Ok(Unit::Inch));
        assert_eq!(" Millimeter ".parse(), Ok(Unit::Millimetre));
        let error = "parsec".parse::<Unit>().unwrap_err().to_string();
        assert_eq!(error, "`parsec` is no unit of length; expected one of m, dm, cm, mm, um, in, ft");
    }
}
