//! What a check found, for programs.

use super::curve::Curve;
use crate::check::{CheckResult, Finding, FindingKind, FitGap, StepResult};
use crate::words::OpenWay;
use crate::{Stage, Timeline, words};
use freiraum_geometry::Vec3;
use freiraum_motion::Feature;
use freiraum_scene::Scene;
use serde_json::{Map, Value, json};

/// What a check found: the keys of `freiraum check --json`, and more. Lengths are in the unit of the scene; what is not there is null.
pub fn json(scene: &Scene, timeline: &Timeline, result: &CheckResult, seconds: Option<f64>) -> Value {
    let writer = Writer { scene, timeline };
    let steps: Vec<Value> =
        result.steps.iter().enumerate().map(|(number, step)| writer.step(number, step)).collect();
    let start: Vec<Value> = result
        .start
        .iter()
        .map(|finding| writer.finding(None, finding, words::start_sentence(scene, finding)))
        .collect();
    json!({
        "verdict": result.verdict.name(),
        "units": scene.units.symbol(),
        "start": start,
        "steps": steps,
        "missed_goals": result.missed.iter().map(|body| writer.name(*body)).collect::<Vec<_>>(),
        "open_surfaces": result.open.iter().map(|body| writer.name(*body)).collect::<Vec<_>>(),
        "seconds": seconds.map(number),
        "pairs_tested": result.pairs_tested,
        "pairs_remembered": result.pairs_remembered,
        "pairs_apart": result.pairs_apart,
        "pairs_measured": result.pairs_measured,
    })
}

/// Puts what is known of ways that were not found into the findings about them: `message` with the reason, `subject` in place of a `pair`.
pub fn add_open_ways(report: &mut Value, ways: &[OpenWay]) {
    for way in ways {
        let step = &mut report["steps"][way.stage];
        let findings = step["findings"].as_array_mut().into_iter().flatten();
        for finding in findings.filter(|finding| finding["kind"] == "no_path") {
            finding["message"] = json!(way.said);
            finding["subject"] = json!(way.subject);
            finding["pair"] = Value::Null;
        }
        step["pair"] = Value::Null;
        step["t"] = Value::Null;
    }
}

/// Adds the curves of the steps: pairs with lists of `[t, distance]`.
pub(crate) fn add_curves(report: &mut Value, scene: &Scene, curves: &[Vec<Curve>]) {
    let Some(steps) = report.get_mut("steps").and_then(Value::as_array_mut) else { return };
    for (step, curves) in steps.iter_mut().zip(curves) {
        let curve = |curve: &Curve| {
            let length = |x: f64| number(scene.units.from_metres(x));
            let points: Vec<Value> =
                curve.points.iter().map(|p| json!([number(p[0]), length(p[1])])).collect();
            let pair = curve.pair.map(|body| scene.bodies[body].name.as_str());
            json!({ "pair": pair, "required": length(curve.required), "points": points })
        };
        step["curves"] = curves.iter().map(curve).collect();
    }
}

struct Writer<'w> {
    scene: &'w Scene,
    timeline: &'w Timeline,
}

impl Writer<'_> {
    fn step(&self, index: usize, step: &StepResult) -> Value {
        let stage = &self.timeline.stages[index];
        let names = |bodies: &[usize]| bodies.iter().map(|body| self.name(*body)).collect::<Vec<_>>();
        let sentence = |finding: &Finding| words::sentence(self.scene, self.timeline, index, finding);
        let findings: Vec<Value> =
            step.findings.iter().map(|f| self.finding(Some(stage), f, sentence(f))).collect();
        let mut answer = json!({
            "index": index + 1,
            "name": stage.name,
            "verdict": step.verdict.name(),
            "moving": names(&step.moving),
            "clearance": null,
            "required": null,
            "pair": null,
            "t": null,
            "point": null,
        });
        // The first finding says where to look; without one, the closest pair.
        if let Some(first) = step.findings.first() {
            answer["pair"] = json!(names(&first.pair));
            answer["t"] = number(first.time);
            match first.kind {
                FindingKind::Overlap { point, .. } | FindingKind::Contact { point, .. } => {
                    answer["point"] = self.point(point);
                    let [a, b] = first.pair;
                    answer["required"] = self.length(self.scene.requirement(a, b).clearance);
                    answer["clearance"] = number(0.0);
                }
                FindingKind::TooClose { distance, required, points, .. } => {
                    answer["point"] = self.point(points[0]);
                    answer["clearance"] = self.length(distance);
                    answer["required"] = self.length(required);
                }
                FindingKind::Undecided { .. } | FindingKind::NoPath => {}
            }
        } else if let Some(closest) = &step.closest {
            answer["clearance"] = self.length(closest.distance);
            answer["clearance_error"] = self.length(closest.error);
            answer["required"] = self.length(closest.required);
            answer["pair"] = json!(names(&closest.pair));
            answer["t"] = number(closest.time);
            answer["point"] = self.point(closest.points[0]);
        }
        answer["step"] = json!(stage.step + 1);
        answer["part"] = json!(words::step_part(self.timeline, index)[0] + 1);
        answer["seconds_shown"] = number(stage.seconds);
        answer["action"] = json!(words::action(self.scene, self.timeline, index));
        answer["findings"] = json!(findings);
        answer["closest"] = step.closest.as_ref().map_or(Value::Null, |closest| {
            json!({
                "pair": names(&closest.pair),
                "distance": self.length(closest.distance),
                "error": self.length(closest.error),
                "required": self.length(closest.required),
                "t": number(closest.time),
                "point_a": self.point(closest.points[0]),
                "point_b": self.point(closest.points[1]),
            })
        });
        if let Some(closest) = &step.closest
            && stage.is_timed()
        {
            answer["closest"]["seconds"] = number(closest.time * stage.seconds);
            answer["closest"]["joints_deg"] = self.joints(stage, closest.time);
        }
        answer["fits"] = step.fits.iter().map(|pair| json!(names(pair))).collect();
        let fit_gap = |fit: &FitGap| {
            json!({
                "pair": names(&fit.pair),
                "gap": self.length(fit.gap),
                "gap_error": self.length(fit.gap_error),
                "allowance": self.length(fit.allowance),
                "reason": fit.reason.name(),
            })
        };
        answer["fit_gaps"] = step.fit_gaps.iter().map(fit_gap).collect();
        answer
    }

    /// The joint values of the robots that move, as a scene file has them: degrees, and lengths for joints that slide.
    fn joints(&self, stage: &Stage, t: f64) -> Value {
        let mut map = Map::new();
        for course in stage.courses() {
            let values = course.path.values(t);
            let told = course.model.freedoms().iter().zip(values).map(|(joint, value)| {
                let turns = course.model.joints()[*joint].kind.turns();
                if turns { number(value.to_degrees()) } else { self.length(value) }
            });
            let name = self.scene.robots.get(course.robot).map_or("?", |robot| &robot.name);
            map.insert(name.to_owned(), told.collect());
        }
        Value::Object(map)
    }

    /// `stage`: that it is about; `None` for the start.
    fn finding(&self, stage: Option<&Stage>, finding: &Finding, message: String) -> Value {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        let kind = match finding.kind {
            FindingKind::Overlap { .. } => "overlap",
            FindingKind::Contact { .. } => "contact",
            FindingKind::TooClose { .. } => "too_close",
            FindingKind::Undecided { .. } => "undecided",
            FindingKind::NoPath => "no_path",
        };
        put("kind", json!(kind));
        put("pair", json!(finding.pair.map(|body| self.name(body))));
        put("t", number(finding.time));
        if let Some(stage) = stage.filter(|stage| stage.is_timed()) {
            put("seconds", number(finding.time * stage.seconds));
            put("joints_deg", self.joints(stage, finding.time));
        }
        put("message", json!(message));
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
                put("until", until.map_or(Value::Null, number));
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
            FindingKind::NoPath => {}
        }
        Value::Object(map)
    }

    fn name(&self, body: usize) -> &str {
        self.scene.bodies.get(body).map_or("?", |body| &body.name)
    }

    /// A length that may not be known.
    fn known(&self, metres: Option<f64>) -> Value {
        metres.map_or(Value::Null, |metres| self.length(metres))
    }

    fn length(&self, metres: f64) -> Value {
        number(self.scene.units.from_metres(metres))
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
