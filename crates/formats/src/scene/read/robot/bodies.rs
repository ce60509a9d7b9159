//! Links as bodies of the scene, and which of them need not be looked at.

use super::super::node::Node;
use super::super::reader::Reader;
use freiraum_geometry::Pose;
use freiraum_geometry::shape::{Compound, Part, Shape, ShapeError};
use freiraum_robot::{Link, Robot};
use freiraum_scene::{Body, Color, Geometry, PairRule, PlacedRobot};

/// Colours of robots that state none, in their order.
const COLORS: [Color; 4] = [
    Color([0xe8, 0x7a, 0x1d]),
    Color([0x3a, 0x7c, 0xa5]),
    Color([0x6a, 0x99, 0x4e]),
    Color([0x8d, 0x5a, 0x97]),
];

/// The link that a text names.
pub(super) fn link(node: &Node, model: &Robot, reader: &mut Reader<'_>) -> Option<usize> {
    let name = reader.text(node, "the name of a link")?;
    let found = model.link(name);
    if found.is_none() {
        let names = || model.links().iter().map(|link| link.name.as_str());
        let help = reader.suggestion(name, names()).unwrap_or_else(|| {
            let more = if model.links().len() > 12 { ", …" } else { "" };
            format!("there are {}{more}", names().take(12).collect::<Vec<_>>().join(", "))
        });
        reader.problem_with_help(node.place, format!("this robot has no link {name:?}"), help);
    }
    found
}

/// The link that carries tools unless the file says otherwise: the end of the longest chain, or the link there that carries several fingers.
pub(super) fn end(model: &Robot) -> usize {
    let moves = |joint: usize| model.rate(joint).is_some();
    // Moving joints and all joints from the root to every link; parents come first.
    let mut lengths = vec![(0, 0); model.links().len()];
    for (number, joint) in model.joints().iter().enumerate() {
        let (moving, all) = lengths[joint.parent];
        lengths[joint.child] = (moving + usize::from(moves(number)), all + 1);
    }
    // Of several the first: `max_by_key` would take the last.
    let mut end = (0..lengths.len()).rev().max_by_key(|link| lengths[*link]).unwrap_or(0);
    while let Some(joint) = model.carrier(end) {
        let parent = model.joints()[joint].parent;
        let fingers =
            model.joints().iter().enumerate().filter(|(k, other)| other.parent == parent && moves(*k));
        if !moves(joint) || fingers.count() < 2 || parent == 0 {
            break;
        }
        end = parent;
    }
    end
}

/// Adds the links with a shape to the bodies, where they are at the start.
///
/// **Errors.** Shapes that make no body together: a link without its shape would be proven free of everything.
pub(super) fn add(
    robot: &mut PlacedRobot,
    index: usize,
    color: Option<Color>,
    all: &mut Vec<Body>,
) -> Result<(), String> {
    let poses = robot.model.place(&robot.base, &robot.start).links;
    let color = color.unwrap_or(COLORS[index % COLORS.len()]);
    let mut links = Vec::with_capacity(poses.len());
    let mut count = 0;
    for (link, pose) in robot.model.links().iter().zip(poses) {
        let shape = shape(link).map_err(|error| format!("the shape of link {:?}: {error}", link.name))?;
        let Some(shape) = shape else {
            links.push(None);
            continue;
        };
        links.push(Some(all.len()));
        all.push(Body {
            name: format!("{}/{}", robot.name, link.name),
            geometry: Geometry::Shape(shape),
            is_fixed: true,
            color: Some(if count % 2 == 0 { color } else { lighter(color) }),
            pose,
            goal: None,
            place: robot.place,
        });
        count += 1;
    }
    robot.links = links;
    Ok(())
}

/// The shapes of a link as one, in its frame.
fn shape(link: &Link) -> Result<Option<Shape>, ShapeError> {
    match link.collision.as_slice() {
        [] => return Ok(None),
        [one] if one.link_from_shape == Pose::IDENTITY => return Ok(Some(one.shape.clone())),
        _ => {}
    }
    let parts = link
        .collision
        .iter()
        .map(|one| Part { compound_from_part: one.link_from_shape, shape: one.shape.clone() });
    Compound::new(parts.collect()).map(|all| Some(Shape::Compound(all)))
}

/// So that neighbours can be told apart.
fn lighter(Color(parts): Color) -> Color {
    Color(parts.map(|part| part + (u8::MAX - part) / 3))
}

/// Pairs that need not be looked at: links and tools that are fixed to each other, and the two links that a moving joint connects.
///
/// Other links that are fixed to one of the two are looked at: a wall that is fixed to the base is no neighbour of the arm.
pub(super) fn rules(robot: &PlacedRobot) -> Vec<PairRule> {
    let model = &robot.model;
    let moves = |joint: usize| model.rate(joint).is_some_and(|(_, factor)| factor != 0.0);
    // For every link the first that it is fixed to.
    let mut rigid = vec![0; model.links().len()];
    for (number, joint) in model.joints().iter().enumerate() {
        rigid[joint.child] = if moves(number) { joint.child } else { rigid[joint.parent] };
    }
    let mut bodies = vec![Vec::new(); rigid.len()];
    for (link, first) in rigid.iter().enumerate() {
        bodies[*first].extend(robot.links[link]);
    }
    let rule = |bodies: [Vec<usize>; 2], reason: String| {
        let ignore = Some(reason);
        PairRule { bodies, clearance: None, allowance: None, approach: None, ignore, place: robot.place }
    };
    let tools: Vec<usize> = robot.tools.iter().map(|(body, _)| *body).collect();
    let mut found = Vec::new();
    for first in (0..rigid.len()).filter(|link| rigid[*link] == *link) {
        let mut one = bodies[first].clone();
        if rigid[robot.flange] == first {
            one.extend(&tools);
        }
        if one.len() > 1 {
            found.push(rule([one.clone(), one], format!("fixed to each other on {:?}", robot.name)));
        }
    }
    let below = below(robot, &moves);
    for (number, joint) in model.joints().iter().enumerate().filter(|(number, _)| moves(*number)) {
        if let (Some(a), Some(b)) = (above(robot, joint.parent, &moves), below[joint.child].only()) {
            let reason = format!("neighbours at {:?} of {:?}", model.joints()[number].name, robot.name);
            found.push(rule([vec![a], vec![b]], reason));
        }
    }
    found
}

/// The body of a link; of one without shape that of the link that it is fixed to, on towards the root.
fn above(robot: &PlacedRobot, mut link: usize, moves: &impl Fn(usize) -> bool) -> Option<usize> {
    loop {
        if robot.links[link].is_some() {
            return robot.links[link];
        }
        let joint = robot.model.carrier(link).filter(|joint| !moves(*joint))?;
        link = robot.model.joints()[joint].parent;
    }
}

/// The bodies that are seen from the joint of a link.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    One(usize),
    Several,
}

impl Seen {
    fn only(self) -> Option<usize> {
        match self {
            Seen::One(body) => Some(body),
            Seen::Nothing | Seen::Several => None,
        }
    }
}

/// For every link what its joint carries: its body, or without a shape what is fixed to it, a tool on the flange too.
fn below(robot: &PlacedRobot, moves: &impl Fn(usize) -> bool) -> Vec<Seen> {
    let mut seen: Vec<Seen> = robot.links.iter().map(|body| body.map_or(Seen::Nothing, Seen::One)).collect();
    if robot.links[robot.flange].is_none() {
        seen[robot.flange] = match robot.tools[..] {
            [] => Seen::Nothing,
            [(tool, _)] => Seen::One(tool),
            _ => Seen::Several,
        };
    }
    // Parents come first in the joints, so children are done first here.
    for (number, joint) in robot.model.joints().iter().enumerate().rev() {
        if moves(number) || robot.links[joint.parent].is_some() {
            continue;
        }
        seen[joint.parent] = match (seen[joint.parent], seen[joint.child]) {
            (Seen::Nothing, other) | (other, Seen::Nothing) => other,
            _ => Seen::Several,
        };
    }
    seen
}

/// Takes the pairs out of rules that follow from robots which a `[[pair]]` speaks of without `ignore`: those are looked at.
///
/// A `[[pair]]` of something with itself, such as a robot with itself, only says what holds for pairs that are looked at anyway.
pub(in crate::scene::read) fn look_again(rules: Vec<PairRule>, stated: &[PairRule]) -> Vec<PairRule> {
    let wanted: Vec<&PairRule> = stated.iter().filter(|rule| rule.ignore.is_none()).collect();
    let is_wanted = |a: usize, b: usize| {
        wanted.iter().any(|rule| {
            let is_within = |bodies: &[usize]| bodies.contains(&a) && bodies.contains(&b);
            rule.covers(a, b) && !rule.bodies.iter().all(|bodies| is_within(bodies))
        })
    };
    if wanted.is_empty() {
        return rules;
    }
    let mut left = Vec::with_capacity(rules.len());
    for rule in rules {
        let [first, second] = &rule.bodies;
        let mut pairs: Vec<[usize; 2]> =
            first.iter().flat_map(|a| second.iter().map(move |b| [*a.min(b), *a.max(b)])).collect();
        pairs.retain(|[a, b]| a != b);
        pairs.sort_unstable();
        pairs.dedup();
        let all = pairs.len();
        pairs.retain(|[a, b]| !is_wanted(*a, *b));
        if pairs.len() == all {
            left.push(rule);
        } else {
            left.extend(pairs.iter().map(|[a, b]| PairRule { bodies: [vec![*a], vec![*b]], ..rule.clone() }));
        }
    }
    left
}
