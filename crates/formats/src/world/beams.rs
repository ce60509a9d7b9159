//! Tables of the lasers of turning scanners: YAML as the drivers of Velodyne's scanners keep it.
//!
//! Of YAML this knows what such files use: comments, `key: value` lines, and under `lasers:` a list of maps, in blocks (`- key: value` and
//! indented lines) or braces (`- {key: value, key: value}`, over several lines). Anything else is a problem with its place.

use super::scene::text_of;
use crate::scene::SceneErrors;
use freiraum_scene::{Place, Problem};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// The lasers of a scanner, as they are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamTable {
    /// One for each laser.
    pub lasers: Vec<Laser>,
    /// Steps in which the scanner tells distances, in metres.
    pub distance_resolution: Option<f64>,
}

/// One laser. **Units.** Metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Laser {
    /// Its number in the scanner.
    pub id: u32,
    /// Angle above the horizon (`vert_correction`).
    pub elevation: f64,
    /// Angle to the left of where the head points (`rot_correction`).
    pub azimuth: f64,
    /// How far its beam starts above the middle, square to the beam (`vert_offset_correction`).
    pub up: f64,
    /// How far its beam starts to the left (`horiz_offset_correction`).
    pub left: f64,
    /// What has to be added to the distances that it tells (`dist_correction`).
    pub distance: f64,
}

impl BeamTable {
    /// Reads a file. **Errors.** A file that cannot be read, or all problems of its text.
    pub fn read(path: impl AsRef<Path>) -> Result<BeamTable, SceneErrors> {
        let (name, text) = text_of(path.as_ref())?;
        BeamTable::parse(&name, &text)
    }

    /// Reads a text; `name` is for messages.
    ///
    /// **Errors.** All problems: lines that are no table, unknown or missing keys, numbers that are none, lasers that occur twice, a
    /// `num_lasers` that does not fit.
    pub fn parse(name: &str, text: &str) -> Result<BeamTable, SceneErrors> {
        let mut reader = Reader { text, problems: Vec::new() };
        let table = reader.table();
        if reader.problems.is_empty() {
            Ok(table)
        } else {
            Err(SceneErrors::new(name, text, reader.problems))
        }
    }
}

/// What a laser may say about itself; those without a use here have to be numbers (or a yes or no) all the same.
const KEYS: [&str; 13] = [
    "dist_correction",
    "dist_correction_x",
    "dist_correction_y",
    "focal_distance",
    "focal_slope",
    "horiz_offset_correction",
    "laser_id",
    "max_intensity",
    "min_intensity",
    "rot_correction",
    "two_pt_correction_available",
    "vert_correction",
    "vert_offset_correction",
];

/// A key with its value, as written.
#[derive(Clone, Copy)]
struct Pair<'t> {
    key: &'t str,
    value: &'t str,
}

struct Reader<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    fn place(&self, part: &str) -> Place {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Place { start, end: start + part.len() }
    }

    fn problem(&mut self, part: &str, message: impl Into<String>) {
        let place = self.place(part);
        self.problems.push(Problem::new(place, message));
    }

    fn table(&mut self) -> BeamTable {
        let (mut lasers, mut resolution, mut count) = (Vec::new(), None, None);
        let mut is_list = false;
        let mut lines = self.text.lines().peekable();
        while let Some(line) = lines.next() {
            let content = uncommented(line);
            if content.trim().is_empty() || content.trim() == "---" {
                continue;
            }
            if is_list && content.trim_start().starts_with('-') {
                let item = content.trim_start()[1..].trim();
                let mut pieces = vec![item];
                let is_flow = item.starts_with('{');
                // The lines that belong to it: up to the brace, or indented.
                while let Some(next) = lines.peek().map(|l| uncommented(l)) {
                    let is_more = if is_flow {
                        !pieces.iter().any(|p| p.ends_with('}'))
                    } else {
                        next.is_empty()
                            || (next.starts_with([' ', '\t']) && !next.trim_start().starts_with('-'))
                    };
                    if !is_more {
                        break;
                    }
                    pieces.push(next.trim());
                    lines.next();
                }
                lasers.push(self.laser(item, &pieces, is_flow));
                continue;
            }
            let Some(pair) = self.pair(content.trim()) else { continue };
            if content.starts_with([' ', '\t']) {
                self.problem(content.trim(), "a line that belongs to nothing; lasers begin with `-`");
                continue;
            }
            is_list = false;
            match pair.key {
                "lasers" if pair.value.is_empty() => is_list = true,
                "num_lasers" => count = self.number(&pair).map(|n| (n, pair.value)),
                "distance_resolution" => match self.number(&pair) {
                    Some(n) if n > 0.0 => resolution = Some(n),
                    Some(n) => self.problem(pair.value, format!("a resolution must be above 0, found {n}")),
                    None => {}
                },
                _ => self.problem(
                    content.trim(),
                    "expected `lasers:` with a list below it, `num_lasers: …` or `distance_resolution: …`",
                ),
            }
        }
        self.check(&lasers, count);
        BeamTable { lasers, distance_resolution: resolution }
    }

    fn check(&mut self, lasers: &[Laser], count: Option<(f64, &str)>) {
        if lasers.is_empty() {
            self.problem(&self.text[..0], "no lasers");
        }
        let mut ids: Vec<u32> = lasers.iter().map(|l| l.id).collect();
        ids.sort_unstable();
        if self.problems.is_empty()
            && let Some(twice) = ids.windows(2).find(|w| w[0] == w[1])
        {
            self.problem(&self.text[..0], format!("laser {} is there twice", twice[0]));
        }
        if let Some((count, value)) = count.filter(|(n, _)| *n != lasers.len() as f64) {
            self.problem(value, format!("found {count}, but there are {} lasers", lasers.len()));
        }
    }

    fn laser(&mut self, item: &'t str, pieces: &[&'t str], is_flow: bool) -> Laser {
        let mut laser = Laser::default();
        let mut found: Vec<&str> = Vec::new();
        let last = pieces.len() - 1;
        for (i, piece) in pieces.iter().enumerate() {
            let mut rest = *piece;
            if is_flow {
                rest = if i == 0 { &rest[1..] } else { rest };
                match rest.strip_suffix('}') {
                    Some(inner) if i == last => rest = inner,
                    None if i == last => self.problem(item, "`{` without `}`"),
                    _ => {}
                }
            }
            let entries: Vec<&str> = if is_flow { rest.split(',').collect() } else { vec![rest] };
            for entry in entries.into_iter().map(str::trim).filter(|e| !e.is_empty()) {
                let Some(pair) = self.pair(entry) else { continue };
                if found.contains(&pair.key) {
                    self.problem(entry, format!("`{}` is there twice", pair.key));
                }
                found.push(pair.key);
                self.set(&mut laser, &pair);
            }
        }
        for key in ["laser_id", "vert_correction"] {
            if !found.contains(&key) {
                self.problem(item, format!("a laser without `{key}`"));
            }
        }
        laser
    }

    fn set(&mut self, laser: &mut Laser, pair: &Pair<'t>) {
        if !KEYS.contains(&pair.key) {
            self.problem(pair.key, format!("unknown key; lasers have {}", KEYS.join(", ")));
            return;
        }
        if pair.key == "two_pt_correction_available" {
            if !["true", "false"].contains(&pair.value) {
                self.problem(pair.value, "expected `true` or `false`");
            }
            return;
        }
        let Some(number) = self.number(pair) else { return };
        match pair.key {
            "laser_id" if number >= 0.0 && number.fract() == 0.0 && number < f64::from(u16::MAX) => {
                laser.id = number as u32;
            }
            "laser_id" => self.problem(pair.value, "the number of a laser is a whole number from 0 on"),
            "vert_correction" if number.abs() <= FRAC_PI_2 => laser.elevation = number,
            "vert_correction" => self.problem(pair.value, "beyond straight up or down (in radians)"),
            "rot_correction" => laser.azimuth = number,
            "vert_offset_correction" => laser.up = number,
            "horiz_offset_correction" => laser.left = number,
            "dist_correction" => laser.distance = number,
            _ => {}
        }
    }

    fn pair(&mut self, content: &'t str) -> Option<Pair<'t>> {
        let Some((key, value)) = content.split_once(':') else {
            self.problem(content, "expected `key: value`");
            return None;
        };
        Some(Pair { key: key.trim(), value: value.trim() })
    }

    fn number(&mut self, pair: &Pair<'t>) -> Option<f64> {
        let number = pair.value.parse::<f64>().ok().filter(|n| n.is_finite());
        if number.is_none() {
            let part = if pair.value.is_empty() { pair.key } else { pair.value };
            self.problem(part, format!("found {:?}, expected a number", pair.value));
        }
        number
    }
}

/// A line up to its comment; there are no texts in quotes in these files.
fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_braces_say_the_same() {
        let block = "lasers:\n- laser_id: 0\n  vert_correction: -0.1 # down\n  rot_correction: 0.02\n\n- laser_id: 1\n  \
            vert_correction: 0.2\n  vert_offset_correction: 0.21\n  two_pt_correction_available: true\nnum_lasers: 2\n";
        let braces = "# a table\nlasers:\n- {laser_id: 0, vert_correction: -0.1,\n  rot_correction: 0.02}\n\
            - {laser_id: 1, vert_correction: 0.2, vert_offset_correction: 0.21}\nnum_lasers: 2\n";
        let first = BeamTable::parse("a", block).unwrap();
        assert_eq!(first, BeamTable::parse("b", braces).unwrap());
        assert_eq!(first.lasers[0], Laser { elevation: -0.1, azimuth: 0.02, ..Laser::default() });
        assert_eq!(first.lasers[1], Laser { id: 1, elevation: 0.2, up: 0.21, ..Laser::default() });
        assert_eq!(first.distance_resolution, None);
        let fine = BeamTable::parse(
            "c",
            "distance_resolution: 0.002\nlasers:\n- {laser_id: 0, vert_correction: 0}\n",
        );
        assert_eq!(fine.unwrap().distance_resolution, Some(0.002));
    }

    #[test]
    fn problems_have_places() {
        let check = |text: &str, line: usize, message: &str| {
            let errors = BeamTable::parse("t.yaml", text).unwrap_err();
            let found = errors.located();
            let hit = found.iter().any(|l| l.line == line && l.message.contains(message));
            assert!(hit, "{text:?}: {found:?}");
        };
        check("", 1, "no lasers");
        check("lasers:\n- {laser_id: 0, vert_correction: x}\n", 2, "expected a number");
        check("lasers:\n- {laser_id: 0, vert_correction: 1e999}\n", 2, "expected a number");
        check("lasers:\n- {laser_id: 0, vert_correction: 2.0}\n", 2, "beyond");
        check("lasers:\n- {laser_id: 0.5, vert_correction: 0.0}\n", 2, "whole number");
        check("lasers:\n- {laser_id: 0}\n", 2, "without `vert_correction`");
        check("lasers:\n- {laser_id: 0, vert_correction: 0, color: 3}\n", 2, "unknown key");
        check("lasers:\n- {laser_id: 0, laser_id: 0, vert_correction: 0}\n", 2, "twice");
        check("lasers:\n- {laser_id: 0, vert_correction: 0\n", 2, "without `}`");
        check("lasers:\n- laser_id: 0\n  vert_correction: 0\nnum_lasers: 3\n", 4, "1 lasers");
        check(
            "lasers:\n- {laser_id: 1, vert_correction: 0}\n- {laser_id: 1, vert_correction: 0.1}\n",
            1,
            "twice",
        );
        check("lasers:\n- {laser_id: 1, vert_correction: 0}\nspeed: 3\n", 3, "expected `lasers:`");
        check("lasers:\n- {laser_id: 1, vert_correction: 0}\n  more: 3\n", 3, "belongs to nothing");
        check("hello\n", 1, "key: value");
        check("distance_resolution: 0\nlasers:\n- {laser_id: 0, vert_correction: 0}\n", 1, "above 0");
    }

    #[test]
    fn real_tables_have_the_lasers_that_their_names_say() {
        let Some(folder) = freiraum_testkit::data::folder("velodyne-beam-tables") else { return };
        for (file, count, lowest, highest) in [
            ("VLP16db.yaml", 16, -15.0, 15.0),
            ("VLP16_hires_db.yaml", 16, -10.0, 10.0),
            ("32db.yaml", 32, -30.67, 10.67),
            ("VeloView-VLP-32C.yaml", 32, -25.0, 15.0),
            ("64e_utexas.yaml", 64, -25.0, 3.0),
            ("64e_s2.1-sztaki.yaml", 64, -25.0, 3.0),
            ("64e_s3-xiesc.yaml", 64, -25.0, 3.0),
            ("VLS128.yaml", 128, -25.0, 15.0),
        ] {
            let table = BeamTable::read(folder.join(file)).unwrap();
            assert_eq!(table.lasers.len(), count, "{file}");
            let angles = || table.lasers.iter().map(|l| l.elevation.to_degrees());
            let (low, high) = (angles().fold(90.0, f64::min), angles().fold(-90.0, f64::max));
            // Makers state the field of view roughly, and some tables are of one scanner, as measured.
            assert!((low - lowest).abs() < 2.0 && (high - highest).abs() < 2.0, "{file}: {low} {high}");
            let mut ids: Vec<usize> = table.lasers.iter().map(|l| l.id as usize).collect();
            ids.sort_unstable();
            assert_eq!(ids, (0..count).collect::<Vec<_>>(), "{file}");
            assert!(table.distance_resolution.is_some_and(|r| (0.001..0.01).contains(&r)), "{file}");
        }
    }
}
