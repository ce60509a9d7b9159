//! Answers, and the keys under which programs find them.

use super::{ClosestApproach, ContactTime, NamedFeature, OpenSurfaces, Remarks};
use freiraum_geometry::{Unit, Vec3};
use freiraum_motion::Verdict;
use freiraum_motion::fit::FitReason;
use freiraum_motion::turn::TurnAnswer;
use freiraum_query::Closest;
use freiraum_query::contact::Contact;
use freiraum_query::intersect::{Intersection, Relation};
use freiraum_query::ray::RayHit;
use serde_json::{Map, Value, json};

/// The answer of a question. **Frames.** World.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A shape got this name, for the lines of a batch that follow.
    Defined(String),
    /// How the shapes stand to each other.
    Intersect {
        /// The answer.
        found: Intersection,
        /// What is unknown about inside and outside.
        remarks: Remarks,
    },
    /// How far apart they are.
    Distance {
        /// The nearest points.
        closest: Closest,
        /// True if they touch or overlap: the distance is 0 then, and there is no normal. `None` if it is unknown whether one is inside the
        /// other: the distance is that of the surfaces then.
        intersects: Option<bool>,
        /// What is unknown about inside and outside.
        remarks: Remarks,
    },
    /// How deep they are in each other.
    Contact {
        /// The answer.
        found: Contact,
        /// What is unknown about inside and outside.
        remarks: Remarks,
    },
    /// What a ray hit, if anything.
    Ray(Option<RayHit>),
    /// When they touch.
    ContactTime(ContactTime),
    /// How close they come.
    Clearance(ClosestApproach),
    /// Whether a can turn completely.
    Turn {
        /// The answer.
        found: TurnAnswer,
        /// Which of the bodies have no inside.
        open: OpenSurfaces,
        /// What is unknown about inside and outside.
        remarks: Remarks,
    },
}

/// Whether an answer is what people hope for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They are apart, or nothing was hoped for.
    Good,
    /// They touch, overlap, or come too close.
    Bad,
    /// It is not known: the budget ended, or a surface that bounds no solid does not tell what is inside.
    Undecided,
}

impl Answer {
    /// Bad if two shapes touch or overlap; a ray collides with nothing.
    pub fn outcome(&self) -> Outcome {
        let collision = |is_bad: bool| if is_bad { Outcome::Bad } else { Outcome::Good };
        match self {
            Answer::Intersect { found, .. } => found.decided().map_or(Outcome::Undecided, collision),
            Answer::Distance { intersects, .. } => intersects.map_or(Outcome::Undecided, collision),
            Answer::Contact { found, .. } if found.is_unknown => Outcome::Undecided,
            Answer::Contact { found, .. } => collision(found.intersects),
            Answer::Ray(_) | Answer::Defined(_) => Outcome::Good,
            Answer::ContactTime(found) => match found.verdict {
                Verdict::Free => Outcome::Good,
                Verdict::Contact(_) | Verdict::OverlapAtStart => Outcome::Bad,
                Verdict::Undecided { .. } | Verdict::InsideUnknown { .. } => Outcome::Undecided,
            },
            Answer::Clearance(found) => match found.is_kept() {
                Some(is_kept) => collision(!is_kept),
                None => Outcome::Undecided,
            },
            Answer::Turn { found, .. } => match found.contact {
                Some(contact) if !contact.decided => Outcome::Undecided,
                _ if found.inside_unknown => Outcome::Undecided,
                _ => collision(!found.free),
            },
        }
    }

    /// What is unknown about inside and outside, and what was done to the surfaces to tell; `None` for a ray and a definition.
    pub fn remarks(&self) -> Option<&Remarks> {
        match self {
            Answer::Intersect { remarks, .. }
            | Answer::Distance { remarks, .. }
            | Answer::Contact { remarks, .. }
            | Answer::Turn { remarks, .. } => Some(remarks),
            Answer::ContactTime(found) => Some(&found.remarks),
            Answer::Clearance(found) => Some(&found.remarks),
            Answer::Ray(_) | Answer::Defined(_) => None,
        }
    }

    /// Which of the shapes have no inside, of the answers that say so.
    pub fn open_surfaces(&self) -> OpenSurfaces {
        match self {
            Answer::Intersect { found, .. } => OpenSurfaces { a: found.a_is_open, b: found.b_is_open },
            Answer::ContactTime(found) => found.open,
            Answer::Clearance(found) => found.open,
            Answer::Turn { open, .. } => *open,
            Answer::Distance { .. } | Answer::Contact { .. } | Answer::Ray(_) | Answer::Defined(_) => {
                OpenSurfaces::default()
            }
        }
    }

    /// The keys of the command line, which are public API, with all lengths in `units`; those other than metres are named under `units`.
    /// Values that are not there, and infinite ones, are null.
    pub fn keys(&self, units: Unit) -> Map<String, Value> {
        let lengths = Lengths(units);
        let mut keys = match self {
            Answer::Defined(name) => return Map::from_iter([("defined".to_owned(), json!(name))]),
            Answer::Intersect { found, .. } => intersect(found),
            Answer::Distance { closest, intersects, .. } => lengths.distance(closest, *intersects),
            Answer::Contact { found, .. } => lengths.contact(found),
            Answer::Ray(hit) => lengths.ray(hit.as_ref()),
            Answer::ContactTime(found) => lengths.contact_time(found),
            Answer::Clearance(found) => lengths.clearance(found),
            Answer::Turn { found, open, .. } => lengths.turn(found, *open),
        };
        if let Some(remarks) = self.remarks() {
            remarks.write(&mut keys, units);
        }
        if units != Unit::Metre {
            keys["units"] = json!(units.symbol());
        }
        match keys {
            Value::Object(map) => map,
            // Every one of them is an object.
            _ => Map::new(),
        }
    }
}

fn intersect(found: &Intersection) -> Value {
    let contained = match found.relation {
        // Each is inside the other: the contract has no word for it, and this one is true.
        Relation::AInsideB | Relation::Same => json!("a_in_b"),
        Relation::BInsideA => json!("b_in_a"),
        Relation::Separate | Relation::Touching | Relation::Overlapping | Relation::Unknown => Value::Null,
    };
    let open = OpenSurfaces { a: found.a_is_open, b: found.b_is_open };
    json!({
        "intersects": found.decided(), "contained": contained, "relation": found.relation.name(),
        "open_surfaces": open.names(),
    })
}

/// The unit in which lengths are told.
#[derive(Clone, Copy)]
struct Lengths(Unit);

impl Lengths {
    fn of(self, metres: f64) -> f64 {
        self.0.from_metres(metres)
    }

    fn point(self, v: Vec3) -> Value {
        vector(v.map(|x| self.of(x)))
    }

    fn distance(self, closest: &Closest, decided: Option<bool>) -> Value {
        let intersects = decided == Some(true);
        json!({
            "distance": if intersects { 0.0 } else { self.of(closest.distance) }, "intersects": decided,
            "point_a": self.point(closest.point_on_a), "point_b": self.point(closest.point_on_b),
            "normal": if intersects { Value::Null } else { vector(closest.normal) },
        })
    }

    fn contact(self, found: &Contact) -> Value {
        let contacts = found.points.iter().map(|c| {
            json!({
                "point": self.point(c.point), "normal": vector(c.normal),
                "depth": self.of(c.depth), "region": c.region,
            })
        });
        json!({
            "intersects": (!found.is_unknown).then_some(found.intersects),
            "depth": (!found.is_unknown).then_some(self.of(found.depth)),
            "mtd": found.translation.map_or(Value::Null, |by| self.point(by)),
            "depth_is_exact": found.is_exact, "contacts": contacts.collect::<Vec<_>>(), "regions": found.regions,
        })
    }

    fn ray(self, hit: Option<&RayHit>) -> Value {
        match hit {
            Some(hit) => json!({
                "hit": true, "distance": self.of(hit.distance), "point": self.point(hit.point),
                "normal": vector(hit.normal), "face": hit.face, "from_inside": hit.from_inside,
            }),
            None => json!({
                "hit": false, "distance": null, "point": null, "normal": null, "face": null, "from_inside": null,
            }),
        }
    }

    fn contact_time(self, found: &ContactTime) -> Value {
        let (verdict, contact, open) = match &found.verdict {
            Verdict::Free => ("free", None, None),
            Verdict::Contact(contact) => ("contact", Some(contact), None),
            Verdict::OverlapAtStart => ("overlap_at_start", None, None),
            Verdict::Undecided { open } => ("undecided", None, Some(open)),
            Verdict::InsideUnknown { .. } => ("undecided", None, Some(&[0.0, 1.0])),
        };
        let named = |k: usize| found.features.as_ref().map(|features| feature(&features[k]));
        let mut keys = json!({
            "verdict": verdict,
            "t": contact.map(|c| c.time), "t_error": contact.map(|c| c.time_error),
            "point": contact.map(|c| self.point(c.point)), "normal": contact.map(|c| vector(c.normal)),
            "feature_a": named(0), "feature_b": named(1),
            "clearance_lower": found.clearance_lower.map(|x| self.of(x)),
            "open": open, "open_surfaces": found.open.names(),
            "fit": found.fit.map(|fit| fit_name(fit.reason)),
            "resting_allowance": found.fit.map(|fit| self.of(fit.resting)),
        });
        if let Some(intervals) = &found.intervals {
            let times = |is_decided: bool| -> Vec<[f64; 2]> {
                intervals.iter().filter(|one| one.is_decided == is_decided).map(|one| one.time).collect()
            };
            let errors: Vec<[f64; 2]> =
                intervals.iter().filter(|one| one.is_decided).map(|one| one.error).collect();
            keys["intervals"] = json!(times(true));
            keys["intervals_error"] = json!(errors);
            keys["intervals_undecided"] = json!(times(false));
        }
        keys
    }

    fn clearance(self, found: &ClosestApproach) -> Value {
        let closest = &found.clearance;
        let mut keys = json!({
            "clearance": self.of(closest.distance), "clearance_error": self.of(closest.error), "t": closest.time,
            "point_a": self.point(closest.point_on_a), "point_b": self.point(closest.point_on_b),
            "open_surfaces": found.open.names(),
        });
        if let Some(at_least) = found.at_least {
            keys["at_least"] = json!(self.of(at_least));
            keys["kept"] = json!(found.is_kept());
        }
        if let Some(curve) = &found.curve {
            let curve: Vec<[f64; 2]> = curve.iter().map(|[t, distance]| [*t, self.of(*distance)]).collect();
            keys["curve"] = json!(curve);
        }
        keys
    }

    fn turn(self, found: &TurnAnswer, open: OpenSurfaces) -> Value {
        let is_open = found.inside_unknown || found.contact.is_some_and(|contact| !contact.decided);
        let contact = found.contact.map(|contact| {
            json!({
                "distance": self.of(contact.distance), "height": self.of(contact.height),
                "face_a": contact.faces.map(|[a, _]| a), "face_b": contact.faces.map(|[_, b]| b),
            })
        });
        json!({
            "free": (!is_open).then_some(found.free),
            "clearance_lower": found.free.then_some(self.of(found.clearance_lower)), "contact": contact,
            "open_surfaces": open.names(),
        })
    }
}

/// Why a pair is a fit, as programs read it.
fn fit_name(reason: FitReason) -> &'static str {
    match reason {
        FitReason::TouchesAtStart => "touches_at_start",
        FitReason::TouchesAtEnd => "touches_at_end",
    }
}

fn feature(found: &NamedFeature) -> Value {
    let mut keys = json!({ "kind": found.kind, "index": found.index });
    if let Some(vertices) = found.vertices {
        keys["vertices"] = json!(vertices);
    }
    if let Some(part) = found.part {
        keys["part"] = json!(part);
    }
    keys
}

fn vector(v: Vec3) -> Value {
    // Minus zero is a zero that makes people wonder.
    json!(v.to_array().map(|x| x + 0.0))
}
