//! Answers, and the keys under which programs find them.

use super::{ClosestApproach, ContactTime, NamedFeature, OpenSurfaces};
use freiraum_geometry::Vec3;
use freiraum_motion::Verdict;
use freiraum_motion::turn::TurnAnswer;
use freiraum_query::Closest;
use freiraum_query::contact::Contact;
use freiraum_query::intersect::{Intersection, Relation};
use freiraum_query::ray::RayHit;
use serde_json::{Map, Value, json};

/// The answer of a question. **Frames.** World.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// How the shapes stand to each other.
    Intersect(Intersection),
    /// How far apart they are.
    Distance {
        /// The nearest points.
        closest: Closest,
        /// True if they touch or overlap: the distance is 0 then, and there is no normal.
        intersects: bool,
    },
    /// How deep they are in each other.
    Contact(Contact),
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
    },
}

/// Whether an answer is what people hope for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They are apart, or nothing was hoped for.
    Good,
    /// They touch, overlap, or come too close.
    Bad,
    /// It is not known: the budget ended.
    Undecided,
}

impl Answer {
    /// Bad if two shapes touch or overlap; a ray collides with nothing.
    pub fn outcome(&self) -> Outcome {
        let collision = |is_bad: bool| if is_bad { Outcome::Bad } else { Outcome::Good };
        match self {
            Answer::Intersect(found) => collision(found.intersects()),
            Answer::Distance { intersects, .. } => collision(*intersects),
            Answer::Contact(found) => collision(found.intersects),
            Answer::Ray(_) => Outcome::Good,
            Answer::ContactTime(found) => match found.verdict {
                Verdict::Free => Outcome::Good,
                Verdict::Contact(_) | Verdict::OverlapAtStart => Outcome::Bad,
                Verdict::Undecided { .. } => Outcome::Undecided,
            },
            Answer::Clearance(found) => match found.is_kept() {
                Some(is_kept) => collision(!is_kept),
                None => Outcome::Undecided,
            },
            Answer::Turn { found, .. } => match found.contact {
                Some(contact) if !contact.decided => Outcome::Undecided,
                _ => collision(!found.free),
            },
        }
    }

    /// The keys of the command line, which are public API. Values that are not there, and infinite ones, are null.
    pub fn keys(&self) -> Map<String, Value> {
        let keys = match self {
            Answer::Intersect(found) => intersect(found),
            Answer::Distance { closest, intersects } => distance(closest, *intersects),
            Answer::Contact(found) => contact(found),
            Answer::Ray(hit) => ray(hit.as_ref()),
            Answer::ContactTime(found) => contact_time(found),
            Answer::Clearance(found) => clearance(found),
            Answer::Turn { found, open } => turn(found, *open),
        };
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
        Relation::Separate | Relation::Touching | Relation::Overlapping => Value::Null,
    };
    let open = OpenSurfaces { a: found.a_is_open, b: found.b_is_open };
    json!({
        "intersects": found.intersects(), "contained": contained, "relation": found.relation.name(),
        "open_surfaces": open.names(),
    })
}

fn distance(closest: &Closest, intersects: bool) -> Value {
    json!({
        "distance": if intersects { 0.0 } else { closest.distance }, "intersects": intersects,
        "point_a": vector(closest.point_on_a), "point_b": vector(closest.point_on_b),
        "normal": if intersects { Value::Null } else { vector(closest.normal) },
    })
}

fn contact(found: &Contact) -> Value {
    let contacts = found.points.iter().map(|c| {
        json!({ "point": vector(c.point), "normal": vector(c.normal), "depth": c.depth, "region": c.region })
    });
    json!({
        "intersects": found.intersects, "depth": found.depth, "mtd": found.translation.map_or(Value::Null, vector),
        "depth_is_exact": found.is_exact, "contacts": contacts.collect::<Vec<_>>(), "regions": found.regions,
    })
}

fn ray(hit: Option<&RayHit>) -> Value {
    match hit {
        Some(hit) => json!({
            "hit": true, "distance": hit.distance, "point": vector(hit.point), "normal": vector(hit.normal),
            "face": hit.face, "from_inside": hit.from_inside,
        }),
        None => json!({
            "hit": false, "distance": null, "point": null, "normal": null, "face": null, "from_inside": null,
        }),
    }
}

fn contact_time(found: &ContactTime) -> Value {
    let (verdict, contact, open) = match &found.verdict {
        Verdict::Free => ("free", None, None),
        Verdict::Contact(contact) => ("contact", Some(contact), None),
        Verdict::OverlapAtStart => ("overlap_at_start", None, None),
        Verdict::Undecided { open } => ("undecided", None, Some(open)),
    };
    let named = |k: usize| found.features.as_ref().map(|features| feature(&features[k]));
    let mut keys = json!({
        "verdict": verdict,
        "t": contact.map(|c| c.time), "t_error": contact.map(|c| c.time_error),
        "point": contact.map(|c| vector(c.point)), "normal": contact.map(|c| vector(c.normal)),
        "feature_a": named(0), "feature_b": named(1),
        "clearance_lower": found.clearance_lower, "open": open, "open_surfaces": found.open.names(),
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

fn clearance(found: &ClosestApproach) -> Value {
    let closest = &found.clearance;
    let mut keys = json!({
        "clearance": closest.distance, "clearance_error": closest.error, "t": closest.time,
        "point_a": vector(closest.point_on_a), "point_b": vector(closest.point_on_b),
        "open_surfaces": found.open.names(),
    });
    if let Some(at_least) = found.at_least {
        keys["at_least"] = json!(at_least);
        keys["kept"] = json!(found.is_kept());
    }
    if let Some(curve) = &found.curve {
        keys["curve"] = json!(curve);
    }
    keys
}

fn turn(found: &TurnAnswer, open: OpenSurfaces) -> Value {
    let is_open = found.contact.is_some_and(|contact| !contact.decided);
    let contact = found.contact.map(|contact| {
        json!({
            "distance": contact.distance, "height": contact.height,
            "face_a": contact.faces.map(|[a, _]| a), "face_b": contact.faces.map(|[_, b]| b),
        })
    });
    json!({
        "free": (!is_open).then_some(found.free),
        "clearance_lower": found.free.then_some(found.clearance_lower), "contact": contact,
        "open_surfaces": open.names(),
    })
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
