//! Distances over a step as a drawing.

use super::Source;
use super::text::escaped;
use freiraum_check::{Curve, PlanVerdict, words};
use freiraum_geometry::Unit;
use freiraum_scene::Travel;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 230.0;
/// The field in it: left, right, top, bottom.
const FIELD: [f64; 4] = [58.0, 704.0, 16.0, 188.0];
/// How many lines across, about.
const TICKS: f64 = 4.0;

/// The curves of a step as SVG; empty if there are none.
pub(crate) fn plot(source: &Source<'_>, step: usize, curves: &[Curve]) -> String {
    if curves.is_empty() {
        return String::new();
    }
    let blocked = blocked(source, step);
    let field = Field::new(source.scene.units, step, curves, blocked.is_some());
    let mut svg = field.frame();
    svg.push_str(&field.distance_grid());
    let (length, name) = axis(source, step);
    svg.push_str(&field.motion_grid(length, &name));
    svg.push_str(&field.axis_titles(&name));
    svg.push_str(&field.requirements(curves));
    if let Some((time, after)) = &blocked {
        svg.push_str(&field.stop(*time, after));
    }
    let end = blocked.map_or(1.0, |(time, _)| time);
    for (number, curve) in curves.iter().enumerate() {
        svg.push_str(&field.curve(number, curve, end));
    }
    svg.push_str("</svg>");
    svg + &key(source, curves)
}

/// The field of a plot: times from left to right, distances from the bottom up.
struct Field {
    unit: Unit,
    step: usize,
    /// Between two lines across, and where the field ends, in the unit of the scene.
    tick: f64,
    top: f64,
    /// The largest distance of all curves, in metres.
    highest: f64,
}

impl Field {
    fn new(unit: Unit, step: usize, curves: &[Curve], is_blocked: bool) -> Field {
        let highest = curves.iter().flat_map(|c| &c.points).map(|p| p[1]).fold(0.0, f64::max);
        let lowest = curves.iter().flat_map(|c| &c.points).map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let required = curves.iter().map(|c| c.required).fold(0.0, f64::max);
        // The field ends where the near part of the curves can be read.
        let interesting = if is_blocked {
            // How it gets there matters.
            highest
        } else if required > 0.0 {
            (8.0 * required).max(4.0 * lowest)
        } else {
            // Without a requirement the course matters, not only the nearest moment.
            (4.0 * lowest).max(highest / 8.0)
        };
        let top = if interesting > 0.0 { highest.min(interesting) } else { highest };
        let top = unit.from_metres(top.max(1.6 * required));
        let (tick, top) = ticks(if top > 0.0 { top } else { 1.0 });
        Field { unit, step, tick, top, highest }
    }

    /// Where a time in [0, 1] is.
    fn x(&self, t: f64) -> f64 {
        let [left, right, ..] = FIELD;
        left + t * (right - left)
    }

    /// Where a distance in the unit of the scene is.
    fn y(&self, value: f64) -> f64 {
        let [.., upper, lower] = FIELD;
        lower - value / self.top * (lower - upper)
    }

    fn frame(&self) -> String {
        let ([left, right, upper, lower], step) = (FIELD, self.step);
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"distance over the step\">\
             <clipPath id=\"field{step}\"><rect x=\"{left}\" y=\"{upper}\" width=\"{}\" height=\"{}\"/></clipPath>",
            right - left,
            lower - upper
        )
    }

    /// Lines across, with their distances.
    fn distance_grid(&self) -> String {
        let [left, right, ..] = FIELD;
        let (mut svg, mut value) = (String::new(), 0.0);
        while value <= self.top * 1.0001 {
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
                 <text class=\"tick\" x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>",
                self.y(value),
                left - 8.0,
                self.y(value) + 4.0,
                words::decimals(value, 9)
            );
            value += self.tick;
        }
        svg
    }

    /// Marks along the motion, which is this long in the unit of its name.
    fn motion_grid(&self, length: f64, name: &str) -> String {
        let lower = FIELD[3];
        let tick = if name.ends_with('°') { turn_tick(length) } else { ticks(length).0 };
        let (mut svg, mut along) = (String::new(), 0.0);
        while along <= length * 1.0001 {
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{lower}\" y2=\"{1:.1}\"/>\
                 <text class=\"tick\" x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
                self.x(along / length),
                lower + 4.0,
                lower + 18.0,
                words::decimals(along, 9)
            );
            along += tick;
        }
        svg
    }

    fn axis_titles(&self, name: &str) -> String {
        let [left, right, _, lower] = FIELD;
        // A curve that leaves the field does not end there.
        let is_cut = self.unit.from_metres(self.highest) > self.top;
        format!(
            "<text class=\"axis\" x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <text class=\"axis\" x=\"{left}\" y=\"11\">distance, {}{}</text>",
            lower + 36.0,
            escaped(name),
            words::symbol(self.unit),
            if is_cut { "; what is farther away is not shown" } else { "" }
        )
    }

    /// Each required distance once.
    fn requirements(&self, curves: &[Curve]) -> String {
        let [left, right, _, lower] = FIELD;
        let (mut svg, mut drawn) = (String::new(), Vec::new());
        for curve in curves.iter().filter(|c| c.required > 0.0) {
            if drawn.contains(&curve.required) {
                continue;
            }
            drawn.push(curve.required);
            let at = self.y(self.unit.from_metres(curve.required));
            let _ = write!(
                svg,
                "<rect class=\"below\" x=\"{left}\" y=\"{at:.1}\" width=\"{}\" height=\"{:.1}\"/>\
                 <line class=\"required\" x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"limit\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">required {}</text>",
                right - left,
                lower - at,
                right - 6.0,
                if lower - at > 20.0 { at + 15.0 } else { at - 6.0 },
                words::length(curve.required, self.unit)
            );
        }
        svg
    }

    /// The first collision: what is behind it does not happen.
    fn stop(&self, time: f64, after: &str) -> String {
        let [_, right, upper, lower] = FIELD;
        let (at, is_early) = (self.x(time), time < 0.6);
        format!(
            "<rect class=\"behind\" x=\"{at:.1}\" y=\"{upper}\" width=\"{:.1}\" height=\"{}\"/>\
             <line class=\"stop\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{upper}\" y2=\"{lower}\"/>\
             <text class=\"limit\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
            right - at,
            lower - upper,
            if is_early { at + 8.0 } else { at - 8.0 },
            upper + 15.0,
            if is_early { "start" } else { "end" },
            escaped(after)
        )
    }

    /// A curve: in full up to the time `end`, then thin: what would be, could it go on. A dot marks its least distance.
    fn curve(&self, number: usize, curve: &Curve, end: f64) -> String {
        let (mut svg, step) = (String::new(), self.step);
        for (is_shown, class) in [(true, ""), (false, " later")] {
            let mut path = String::new();
            let is_in = |t: f64| if is_shown { t <= end } else { t >= end };
            let mut count = 0;
            for [t, distance] in curve.points.iter().filter(|point| is_in(point[0])) {
                // Far outside the field numbers only make the file longer.
                let distance = self.unit.from_metres(*distance).min(4.0 * self.top);
                let _ = write!(path, "{:.1},{:.1} ", self.x(*t), self.y(distance));
                count += 1;
            }
            if count > 1 {
                let _ = write!(
                    svg,
                    "<g clip-path=\"url(#field{step})\"><polyline class=\"curve c{number}{class}\" points=\"{}\"/></g>",
                    path.trim_end()
                );
            }
        }
        let [t, distance] = curve.least;
        let kind = if curve.is_finding { "dot wrong" } else { "dot" };
        let (x, y) = (self.x(t), self.y(self.unit.from_metres(distance)));
        let _ = write!(svg, "<circle class=\"{kind}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>");
        svg
    }
}

/// Which curve is which pair.
fn key(source: &Source<'_>, curves: &[Curve]) -> String {
    let mut html = String::from("<p class=\"key\">");
    for (number, curve) in curves.iter().enumerate() {
        let [a, b] = curve.pair.map(|body| escaped(&source.scene.bodies[body].name));
        let _ = write!(html, "<span><i class=\"swatch c{number}\"></i>{a} – {b}</span>");
    }
    html + "</p>"
}

/// When the first collision of a step is, and in words.
fn blocked(source: &Source<'_>, step: usize) -> Option<(f64, String)> {
    let stage = &source.timeline.stages[step];
    let findings = source.result.steps[step].findings.iter();
    let hits = findings.filter(|finding| finding.kind.verdict() == PlanVerdict::Collision);
    let first = hits.min_by(|a, b| a.time.total_cmp(&b.time))?;
    if first.time <= 0.0 {
        return Some((0.0, "collision at once".to_owned()));
    }
    let mover = stage.mover_of(first.pair[0]).map(|mover| &stage.movers[mover]);
    let after = mover.map_or(words::percent(first.time), |mover| {
        words::amount(mover, Some(stage), first.time, source.scene.units)
    });
    Some((first.time, format!("collision after {after}")))
}

/// How long the horizontal axis is, and what it shows.
fn axis(source: &Source<'_>, step: usize) -> (f64, String) {
    let stage = &source.timeline.stages[step];
    let unit = source.scene.units;
    if stage.is_timed() && stage.seconds > 0.0 {
        return (stage.seconds, "time, s".to_owned());
    }
    if let [mover] = stage.movers.as_slice() {
        match mover.travel() {
            Some(Travel::Translate(by)) if by.length() > 0.0 => {
                return (
                    unit.from_metres(by.length()),
                    format!("way of {}, {}", mover.subject, words::symbol(unit)),
                );
            }
            Some(Travel::Turn { angle, .. }) if *angle != 0.0 => {
                return (angle.abs().to_degrees(), format!("turn of {}, °", mover.subject));
            }
            _ => {}
        }
    }
    (100.0, "share of the motion, %".to_owned())
}

/// A step for angles in degrees that divides turns well.
fn turn_tick(length: f64) -> f64 {
    let round = [1.0, 5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0];
    round.into_iter().find(|tick| length / tick <= 2.0 * TICKS).unwrap_or_else(|| ticks(length).0)
}

/// A round step that divides a length into a few parts, and the length rounded up to whole steps.
fn ticks(length: f64) -> (f64, f64) {
    let rough = length / (1.25 * TICKS);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough);
    let step = step.unwrap_or(10.0 * power);
    (step, (length / step - 0.001).ceil().max(1.0) * step)
}
