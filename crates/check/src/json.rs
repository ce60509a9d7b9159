//! A report as JSON.

use crate::checker::lexicon::{JointValue, Joints, Said, StageWords};
use crate::checker::{
    Allowance, ApproachRule, Approached, Closest, Exempt, ExemptRule, Finding, FindingKind, FitGap,
    PlanVerdict, Report, StepResult, Until,
};
use crate::curve::Curve;
use freiraum_geometry::{Unit, Vec3};
use freiraum_motion::Feature;
use serde_json::{Map, Value, json};

/// A report as JSON, with the lengths in this unit; what is not there is null.
pub(crate) fn document(report: &Report, units: Unit) -> Value {
    let writer = Writer { report, units };
    let steps: Vec<Value> =
        report.steps.iter().enumerate().map(|(number, step)| writer.step(number, step)).collect();
    let start: Vec<Value> = report
        .start
        .iter()
        .zip(&report.lexicon.start)
        .map(|(finding, said)| writer.finding(None, finding, said))
        .collect();
    let warning = |warning: &crate::checker::Warning| {
        json!({
            "code": warning.code.name(),
            "bodies": writer.names(&warning.bodies),
            "message": warning.message,
        })
    };
    json!({
        "verdict": report.verdict.name(),
        "units": units.symbol(),
        "start": start,
        "steps": steps,
        "missed_goals": writer.names(&report.missed),
        "open_surfaces": writer.names(&report.open),
        "warnings": report.warnings.iter().map(warning).collect::<Vec<_>>(),
        "not_covered": report.not_covered,
        "exempt": report.exempt.iter().map(|rule| writer.rule(rule)).collect::<Vec<_>>(),
        "allowances": report.allowances.iter().map(|one| writer.allowance(one)).collect::<Vec<_>>(),
        "approach": report.approach.iter().map(|one| writer.approach(one)).collect::<Vec<_>>(),
        "planned": report.planned,
        "notes": report.notes,
        "scene": report.scene_path(),
        "title": report.lexicon.title,
        "inputs": report.inputs,
        "version": report.version(),
        "date": report.date,
        "seconds": report.seconds.map(number),
        "pairs_tested": report.pairs_tested,
        "pairs_remembered": report.pairs_remembered,
        "pairs_apart": report.pairs_apart,
        "pairs_measured": report.pairs_measured,
    })
}

/// Adds the curves of the steps: pairs with lists of `[t, distance]`.
pub fn add_curves(document: &mut Value, report: &Report, curves: &[Vec<Curve>]) {
    let writer = Writer { report, units: report.units() };
    let Some(steps) = document.get_mut("steps").and_then(Value::as_array_mut) else { return };
    for (step, curves) in steps.iter_mut().zip(curves) {
        let curve = |curve: &Curve| {
            let points: Vec<Value> =
                curve.points.iter().map(|p| json!([number(p[0]), writer.length(p[1])])).collect();
            let required = writer.length(curve.required);
            json!({ "pair": writer.names(&curve.pair), "required": required, "points": points })
        };
        step["curves"] = curves.iter().map(curve).collect();
    }
}

struct Writer<'w> {
    report: &'w Report,
    units: Unit,
}

impl Writer<'_> {
    fn step(&self, index: usize, step: &StepResult) -> Value {
        let stage = &self.report.lexicon.stages[index];
        let mut answer = json!({
            "index": index + 1,
            "name": stage.name,
            "verdict": step.verdict.name(),
            "moving": self.names(&step.moving),
            "clearance": null,
            "required": null,
            "pair": null,
            "t": null,
            "point": null,
        });
        // The first finding says where to look; without one, the closest pair.
        if let Some((first, said)) = step.findings.first().zip(stage.findings.first()) {
            if first.kind != FindingKind::NoPath {
                answer["pair"] = json!(self.names(&first.pair));
                answer["t"] = number(first.time);
            }
            match first.kind {
                FindingKind::Overlap { point, .. } | FindingKind::Contact { point, .. } => {
                    answer["point"] = self.point(point);
                    answer["required"] = self.length(said.required);
                    answer["clearance"] = number(0.0);
                }
                FindingKind::TooClose { distance, required, points, .. } => {
                    answer["point"] = self.point(points[0]);
                    answer["clearance"] = self.length(distance);
                    answer["required"] = self.length(required);
                }
                FindingKind::InsideUnknown { places, .. } => {
                    answer["point"] = places[0].map_or(Value::Null, |place| self.point(place));
                }
                FindingKind::Undecided { .. } | FindingKind::NoPath => {}
            }
        } else if let Some(closest) = &step.closest {
            answer["clearance"] = self.length(closest.distance);
            answer["clearance_error"] = self.length(closest.error);
            answer["required"] = self.length(closest.required);
            answer["pair"] = json!(self.names(&closest.pair));
            answer["t"] = number(closest.time);
            answer["point"] = self.point(closest.points[0]);
        }
        answer["step"] = json!(stage.step[0]);
        answer["part"] = json!(stage.step[1]);
        answer["seconds_shown"] = number(stage.seconds);
        answer["action"] = json!(stage.action);
        answer["file"] = json!(self.report.scene_path());
        answer["line"] = json!(stage.at.map(|at| at[0]));
        answer["column"] = json!(stage.at.map(|at| at[1]));
        let findings = step.findings.iter().zip(&stage.findings);
        answer["findings"] =
            findings.map(|(one, said)| self.finding(Some((stage, step.verdict)), one, said)).collect();
        answer["closest"] = step.closest.as_ref().map_or(Value::Null, |closest| self.closest(stage, closest));
        answer["fits"] = step.fits.iter().map(|pair| json!(self.names(pair))).collect();
        answer["fit_gaps"] = step.fit_gaps.iter().map(|fit| self.fit(fit)).collect();
        answer["smallest_gap"] = step.smallest_gap().map_or(Value::Null, |least| {
            json!({
                "pair": self.names(&least.pair),
                "gap": self.length(least.gap),
                "gap_error": self.length(least.error),
                "fit": least.is_fit,
            })
        });
        let approaches = step.approaches.iter().zip(&stage.approaches);
        answer["approaches"] = approaches.map(|(one, said)| self.approached(one, said)).collect();
        answer["exempt"] = step.exempt.iter().map(|one| self.exempt(one)).collect();
        answer["exempt_unlisted"] = json!(step.exempt_unlisted);
        answer
    }

    fn closest(&self, stage: &StageWords, closest: &Closest) -> Value {
        let mut told = json!({
            "pair": self.names(&closest.pair),
            "distance": self.length(closest.distance),
            "error": self.length(closest.error),
            "required": self.length(closest.required),
            "t": number(closest.time),
            "point_a": self.point(closest.points[0]),
            "point_b": self.point(closest.points[1]),
        });
        if stage.is_timed {
            told["seconds"] = number(closest.time * stage.seconds);
            told["joints_deg"] = self.joints(&stage.closest);
        }
        told
    }

    fn fit(&self, fit: &FitGap) -> Value {
        json!({
            "pair": self.names(&fit.pair),
            "gap": self.length(fit.gap),
            "gap_error": self.length(fit.gap_error),
            "allowance": self.length(fit.allowance),
            "resting_allowance": self.length(fit.resting),
            "separating_shift": fit.separating_shift.map_or(Value::Null, |shift| self.length(shift)),
            "reason": fit.reason.name(),
        })
    }

    fn approached(&self, one: &Approached, said: &str) -> Value {
        json!({
            "pair": self.names(&one.pair),
            "t": one.times.iter().map(|time| time.map(number)).collect::<Vec<_>>(),
            "required": self.length(one.required),
            "message": said,
        })
    }

    fn exempt(&self, one: &Exempt) -> Value {
        let rule = &self.report.exempt[one.rule];
        json!({
            "pair": self.names(&one.pair),
            "rule": rule.kind.name(),
            "reason": rule.reason,
            "line": rule.at.map(|at| at[0]),
            "column": rule.at.map(|at| at[1]),
        })
    }

    fn rule(&self, rule: &ExemptRule) -> Value {
        json!({
            "rule": rule.kind.name(),
            "reason": rule.reason,
            "bodies": rule.bodies.each_ref().map(|bodies| self.names(bodies)),
            "pairs": rule.count,
            "file": self.report.scene_path(),
            "line": rule.at.map(|at| at[0]),
            "column": rule.at.map(|at| at[1]),
        })
    }

    /// Two lists; null for all pairs.
    fn lists(&self, bodies: &[Vec<usize>; 2]) -> Option<[Vec<&str>; 2]> {
        let is_for_all = bodies.iter().all(Vec::is_empty);
        (!is_for_all).then(|| bodies.each_ref().map(|bodies| self.names(bodies)))
    }

    fn approach(&self, one: &ApproachRule) -> Value {
        json!({
            "by": one.by.name(),
            "bodies": self.lists(&one.bodies),
            "approach": self.length(one.travel),
            "line": one.at.map(|at| at[0]),
            "column": one.at.map(|at| at[1]),
        })
    }

    fn allowance(&self, one: &Allowance) -> Value {
        json!({
            "by": one.by.name(),
            "bodies": self.lists(&one.bodies),
            "allowance": self.length(one.depth),
            "line": one.at.map(|at| at[0]),
            "column": one.at.map(|at| at[1]),
        })
    }

    /// Degrees, and lengths for joints that slide.
    fn joints(&self, robots: &[Joints]) -> Value {
        let value = |value: &JointValue| match value {
            JointValue::Degrees(degrees) => number(*degrees),
            JointValue::Metres(metres) => self.length(*metres),
        };
        let of = |one: &Joints| (one.robot.clone(), one.values.iter().map(value).collect());
        Value::Object(robots.iter().map(of).collect())
    }

    /// `stage`: that it is about, and its verdict; `None` for the start.
    fn finding(&self, stage: Option<(&StageWords, PlanVerdict)>, finding: &Finding, said: &Said) -> Value {
        // That there is no way is known of the whole step.
        let verdict = match stage {
            Some((_, verdict)) if finding.kind == FindingKind::NoPath => verdict,
            _ => finding.kind.verdict(),
        };
        let stage = stage.map(|(stage, _)| stage);
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        put("kind", json!(finding.kind.name()));
        put("verdict", json!(verdict.name()));
        put("pair", if said.subject.is_some() { Value::Null } else { json!(self.names(&finding.pair)) });
        put("t", number(finding.time));
        if let Some(stage) = stage.filter(|stage| stage.is_timed) {
            put("seconds", number(finding.time * stage.seconds));
            put("joints_deg", self.joints(&said.joints));
        }
        put("message", json!(said.message));
        put("file", json!(self.report.scene_path()));
        put("line", json!(said.at.map(|at| at[0])));
        put("column", json!(said.at.map(|at| at[1])));
        if let Some(subject) = &said.subject {
            put("subject", json!(subject));
        }
        match finding.kind {
            FindingKind::Overlap { point, depth, separating_shift, passing_allowance, allowance } => {
                put("point", self.point(point));
                put("depth", self.known(depth));
                put("separating_shift", self.known(separating_shift));
                put("passing_allowance", self.known(passing_allowance));
                put("allowance", self.length(allowance));
            }
            FindingKind::Contact {
                time_error,
                point,
                normal,
                features,
                until,
                depth,
                passing_allowance,
                allowance,
            } => {
                put("t_error", number(time_error));
                put("point", self.point(point));
                put("normal", direction(normal));
                put("feature_a", feature(features[0]));
                put("feature_b", feature(features[1]));
                let (end, is_known) = match until {
                    Some(Until::Time(time)) => (number(time), true),
                    Some(Until::End) => (Value::Null, true),
                    Some(Until::AtLeast(time)) => (number(time), false),
                    None => (number(finding.time), false),
                };
                put("until", end);
                put("until_known", json!(is_known));
                put("depth", self.known(depth));
                put("passing_allowance", self.known(passing_allowance));
                put("allowance", self.length(allowance));
            }
            FindingKind::TooClose { distance, error, required, points, give_way, is_fit } => {
                put("clearance", self.length(distance));
                put("clearance_error", self.length(error));
                put("required", self.length(required));
                put("missing", self.length(required - distance));
                put("point_a", self.point(points[0]));
                put("point_b", self.point(points[1]));
                put("give_way", direction(give_way));
                put("is_fit", json!(is_fit));
            }
            FindingKind::Undecided { open } => {
                put("open", json!(open.map(number)));
            }
            FindingKind::InsideUnknown { body, places } => {
                put("body", json!(self.name(finding.pair[body.min(1)])));
                put("places", places.iter().flatten().map(|place| self.point(*place)).collect());
            }
            FindingKind::NoPath => {}
        }
        Value::Object(map)
    }

    fn name(&self, body: usize) -> &str {
        self.report.lexicon.bodies.get(body).map_or("?", String::as_str)
    }

    fn names(&self, bodies: &[usize]) -> Vec<&str> {
        bodies.iter().map(|body| self.name(*body)).collect()
    }

    /// A length that may not be known.
    fn known(&self, metres: Option<f64>) -> Value {
        metres.map_or(Value::Null, |metres| self.length(metres))
    }

    fn length(&self, metres: f64) -> Value {
        number(self.units.from_metres(metres))
    }

    fn point(&self, point: Vec3) -> Value {
        point.to_array().map(|x| self.length(x)).to_vec().into()
    }
}

/// A number; null if it is none.
fn number(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

/// A unit vector; null if it is not known.
fn direction(v: Vec3) -> Value {
    if v == Vec3::ZERO { Value::Null } else { v.to_array().map(number).to_vec().into() }
}

fn feature(feature: Feature) -> Value {
    match feature {
        Feature::Vertex(index) => json!({ "kind": "vertex", "index": index }),
        Feature::Edge(vertices) => json!({ "kind": "edge", "vertices": vertices }),
        Feature::Rim(index) => json!({ "kind": "edge", "index": index }),
        Feature::Face(index) => json!({ "kind": "face", "index": index }),
    }
}
