//! `physics` of a body.

use super::super::node::Node;
use super::super::reader::Reader;
use super::{number, numbers, velocity, wrong};
use crate::scene::world_keys::PHYSICS;
use freiraum_geometry::Vec3;
use freiraum_scene::limits::{
    DENSEST, FASTEST_SPIN_DEG, HEAVIEST, LIGHTEST, MOST_FRICTION, STIFFEST, THINNEST,
};
use freiraum_scene::{Body, Contacts, Kind, Mass, Physics};

/// Damping of springs that do not say it, in seconds times their stiffness.
const DAMPING_TIME: f64 = 0.01;

/// Per kilogram.
const GRAMS: f64 = 1000.0;

/// Of all bodies that say something of it.
pub(super) fn read(bodies: &[Body], nodes: &[Node], reader: &mut Reader<'_>) -> Vec<(usize, Physics)> {
    let said = nodes
        .iter()
        .zip(bodies)
        .enumerate()
        .filter_map(|(i, (node, body))| Some((i, node.entry("physics")?, body)));
    let said: Vec<_> = said.collect();
    said.into_iter().map(|(i, entry, body)| (i, one(&entry.value, body, reader))).collect()
}

fn one(node: &Node, body: &Body, reader: &mut Reader<'_>) -> Physics {
    let mut found = Physics::of_unsaid(body.is_fixed);
    if reader.table(node, &PHYSICS).is_none() {
        return found;
    }
    if let Some(kind) = node.get("kind").and_then(|node| kind(node, reader)) {
        found.kind = kind;
        if body.is_fixed && kind != Kind::Fixed {
            let place = node.entry("kind").map_or(node.place, |entry| entry.place());
            let message = format!("{:?} is fixed and cannot be moved by a simulation", body.name);
            reader.problem_with_help(place, message, "remove the kind, or fixed = true from the body");
        }
    }
    let mass = node.get("mass").and_then(|node| {
        let expected = format!("a mass in kilograms from {LIGHTEST:e} to {HEAVIEST:e}");
        number(node, &expected, |x| (LIGHTEST..=HEAVIEST).contains(&x), reader)
    });
    let grams = node.get("mass_g").and_then(|node| {
        let is_mass = |x: f64| (LIGHTEST..=HEAVIEST).contains(&(x / GRAMS));
        let expected = format!("a mass in grams from {:e} to {:e}", LIGHTEST * GRAMS, HEAVIEST * GRAMS);
        number(node, &expected, is_mass, reader)
    });
    let density = node.get("density").and_then(|node| {
        let expected = format!("a density in kg/m³ from {THINNEST:e} to {DENSEST:e}");
        number(node, &expected, |x| (THINNEST..=DENSEST).contains(&x), reader)
    });
    if let (Some(_), Some(grams)) = (node.get("mass"), node.entry("mass_g")) {
        reader.problem_with_help(
            grams.place(),
            "mass_g beside mass: which of them holds?",
            "remove one of them",
        );
    }
    let mass = mass.or(grams.map(|grams| grams / GRAMS));
    if let (true, Some(density)) = (mass.is_some(), node.entry("density")) {
        let help = "remove one of them; the other one follows from the volume";
        reader.problem_with_help(density.place(), "density beside mass: which of them holds?", help);
    }
    found.mass = density.map(Mass::Density).or(mass.map(Mass::Kilograms)).unwrap_or(found.mass);
    let friction = node.get("friction").and_then(|node| {
        number(node, "a coefficient from 0 to 1e6", |x| (0.0..=MOST_FRICTION).contains(&x), reader)
    });
    found.friction = friction.unwrap_or(found.friction);
    let restitution = node.get("restitution").and_then(|node| {
        number(
            node,
            "a share from 0 (stays) to 1 (bounces back as fast)",
            |x| (0.0..=1.0).contains(&x),
            reader,
        )
    });
    found.restitution = restitution.unwrap_or(found.restitution);
    found.contacts = contacts(node, reader);
    found.is_active = node.get("active").and_then(|node| reader.flag(node)).unwrap_or(true);
    let velocity = node.get("velocity").and_then(|node| velocity(node, reader));
    let spin = node.get("spin_deg").and_then(|node| {
        let found: [f64; 3] = numbers(node, "three numbers in degrees per second", reader)?;
        let is_fast = found.iter().any(|x| x.abs() > FASTEST_SPIN_DEG);
        if is_fast {
            wrong(node, "at most 3.6e8 degrees per second, a million turns, about each axis", reader);
        }
        (!is_fast).then_some(found)
    });
    found.velocity = velocity.unwrap_or(Vec3::ZERO);
    found.spin = spin.map_or(Vec3::ZERO, |spin| Vec3::from_array(spin.map(f64::to_radians)));
    let moves = found.velocity != Vec3::ZERO || found.spin != Vec3::ZERO;
    if let (Some(entry), true) =
        (node.entry("velocity").or(node.entry("spin_deg")), moves && found.kind == Kind::Fixed)
    {
        let message = format!("{:?} is fixed and has no velocity", body.name);
        reader.problem_with_help(entry.place(), message, "write `kind = \"movable\"`, or \"kinematic\"");
    }
    found
}

fn kind(node: &Node, reader: &mut Reader<'_>) -> Option<Kind> {
    let text = reader.text(node, "a text in quotes")?;
    let help = match text {
        "fixed" => return Some(Kind::Fixed),
        "movable" => return Some(Kind::Movable),
        "kinematic" => return Some(Kind::Kinematic),
        "robot" | "vehicle" => {
            "robots that drive are tables of their own: `[[vehicle]]` with name and model; \
             a body that only keeps its speed is \"kinematic\""
                .to_owned()
        }
        "static" => "write \"fixed\"".to_owned(),
        "dynamic" | "moving" | "free" | "moveable" => "write \"movable\"".to_owned(),
        "driven" => "write \"kinematic\"".to_owned(),
        _ => reader
            .suggestion(text, ["fixed", "movable", "kinematic"])
            .unwrap_or_else(|| "there are \"fixed\", \"movable\" and \"kinematic\"".to_owned()),
    };
    reader.problem_with_help(node.place, format!("{text:?} is no kind of body"), help);
    None
}

fn contacts(node: &Node, reader: &mut Reader<'_>) -> Contacts {
    let stiffness = node.get("stiffness").and_then(|node| {
        number(node, "newtons per metre above 0, up to 1e15", |x| x > 0.0 && x <= STIFFEST, reader)
    });
    let damping = node.get("damping").and_then(|damping| {
        if node.get("stiffness").is_none() {
            wrong(damping, "stiffness beside it: only springs are damped", reader);
        }
        let expected = "newtons per metre per second from 0 to 1e15";
        number(damping, expected, |x| (0.0..=STIFFEST).contains(&x), reader)
    });
    match stiffness {
        Some(stiffness) => {
            Contacts::Springs { stiffness, damping: damping.unwrap_or(DAMPING_TIME * stiffness) }
        }
        None => Contacts::Impulses,
    }
}
