//! What came of it, for people and for programs.

use super::{Arguments, Events, Outcome, surroundings};
use crate::commands::output::{Console, counted, grouped, number};
use freiraum::geometry::{Unit, Vec3};
use freiraum::scene::Kind;
use freiraum::world::event::{Event, EventKind};
use freiraum::world::record::hex;
use freiraum::world::{NoSolid, Simulation};
use serde_json::{Value, json};

/// So many events and bodies are shown to people.
const SHOWN: usize = 20;

pub(super) fn print(outcome: &Outcome, arguments: &Arguments, console: &mut Console) {
    if console.json() {
        console.document(&document(outcome, arguments));
        return;
    }
    let (simulation, scene) = (&outcome.simulation, outcome.simulation.scene());
    let moving: Vec<usize> = (0..scene.bodies.len()).filter(|body| simulation.can_move(*body)).collect();
    console.heading(&format!("{}: {}", outcome.world.title, contents(simulation, moving.len())));
    // Vehicles have lines of their own.
    let moving: Vec<usize> =
        moving.into_iter().filter(|body| simulation.vehicle_of(*body).is_none()).collect();
    console.gap();
    if !outcome.events.is_empty() && !arguments.realtime {
        // A warning is not lost among collisions.
        let is_warning = |event: &&Event| matches!(event.kind, EventKind::Warning { .. });
        for (is_wanted, noun) in [(false, "event"), (true, "warning")] {
            let wanted = outcome.events.iter().filter(|e| is_warning(e) == is_wanted);
            // What stands on the ground from the start is no news.
            let (started, wanted): (Vec<&Event>, Vec<&Event>) = wanted.partition(|e| is_start(e, simulation));
            if !started.is_empty() {
                console.text(&format!("  {} at the start\n", counted(started.len(), "contact")));
            }
            for event in wanted.iter().take(SHOWN) {
                console.text(&event_line(event, simulation));
            }
            more(wanted.len(), noun, "--json and --record tell all", console);
        }
        console.gap();
    }
    let width = moving.iter().take(SHOWN).map(|body| scene.bodies[*body].name.chars().count()).max();
    for body in moving.iter().take(SHOWN) {
        console.text(&body_line(*body, width.unwrap_or(0), simulation));
    }
    more(moving.len(), "body", "--json and --csv tell all", console);
    if !moving.is_empty() {
        console.gap();
    }
    surroundings::print(simulation, console);
    let vehicles = &scene.world.vehicles;
    if !arguments.wander && !vehicles.is_empty() && vehicles.iter().all(|v| v.controller.is_none()) {
        console.text("  nobody drives: give vehicles a controller in the scene, or say --wander\n");
    }
    facts(outcome, arguments, console);
}

/// True for a contact that is there in the very first step.
fn is_start(event: &Event, simulation: &Simulation) -> bool {
    matches!(event.kind, EventKind::Collision { .. }) && event.time <= simulation.scene().world.settings.step
}

/// What there is.
fn contents(simulation: &Simulation, moving: usize) -> String {
    let world = &simulation.scene().world;
    let all = counted(simulation.scene().bodies.len(), "body").replace("bodys", "bodies");
    let mut said = format!("{all}, {} can move", grouped(moving));
    for (count, noun) in [(world.vehicles.len(), "vehicle"), (world.sensors.len(), "sensor")] {
        if count > 0 {
            said.push_str(&format!(", {}", counted(count, noun)));
        }
    }
    said
}

fn more(count: usize, noun: &str, help: &str, console: &mut Console) {
    if count > SHOWN {
        let more = counted(count - SHOWN, &format!("more {noun}")).replace("bodys", "bodies");
        console.text(&format!("  … and {more}; {help}\n"));
    }
}

fn facts(outcome: &Outcome, arguments: &Arguments, console: &mut Console) {
    let (simulation, totals) = (&outcome.simulation, outcome.totals);
    let step = simulation.scene().world.settings.step;
    let steps = counted(totals.steps as usize, "step");
    let simulated = totals.steps as f64 * step;
    console.fact("simulated", format!("{} s in {steps} of {} s", number(simulated), number(step)));
    console.fact("time", format!("{} s", number(simulation.time())));
    if outcome.seconds > 0.0 && totals.steps > 0 {
        let factor = number((simulated / outcome.seconds * 10.0).round() / 10.0);
        let rate = grouped((totals.steps as f64 / outcome.seconds) as usize);
        console.fact("speed", format!("{rate} steps per second, {factor} times real time"));
        let per_step = |count: u64| number((count as f64 / totals.steps as f64 * 100.0).round() / 100.0);
        let (pairs, contacts) = (per_step(totals.pairs), per_step(totals.contacts));
        console.fact("per step", format!("{pairs} pairs tested, {contacts} in contact"));
        if totals.measurements > 0 {
            console.fact("measured", format!("{} times", grouped(totals.measurements as usize)));
        }
        if let Some(renderer) = simulation.renderer() {
            console.fact("pictures by", renderer);
        }
    }
    let (before, after) = (number(outcome.energy_at_start), number(simulation.energy()));
    console.fact("energy", format!("{before} J at the start, {after} J at the end"));
    for (goal, count) in simulation.scene().world.goals.iter().zip(simulation.scores()) {
        console.fact("goals", format!("{count} in {}", goal.name));
    }
    console.fact("state hash", format!("{:016x}", simulation.state_hash()));
    if let Some(path) = &arguments.record {
        console.fact("recording", path.display().to_string());
    }
    if let Some(path) = &arguments.save {
        console.fact("saved", path.display().to_string());
    }
    if let Some(path) = &arguments.sensors {
        console.fact("sensors", path.display().to_string());
    }
    if let Some(path) = &arguments.pictures {
        console.fact("pictures", path.display().to_string());
    }
}

/// A line for an event.
pub(super) fn event_line(event: &Event, simulation: &Simulation) -> String {
    let scene = simulation.scene();
    let said = event.describe(scene, |point| place(point, scene.units));
    let hard = match event.kind {
        EventKind::Collision { impulse, .. } => format!(", {} N s", number(impulse)),
        _ => String::new(),
    };
    format!("  {:>9.3} s  {said}{hard}\n", event.time)
}

fn body_line(body: usize, width: usize, simulation: &Simulation) -> String {
    let scene = simulation.scene();
    let name = &scene.bodies[body].name;
    let pad = " ".repeat(width.saturating_sub(name.chars().count()));
    let at = place(simulation.pose(body).translation(), scene.units);
    let speed = scene.units.from_metres(simulation.velocity(body)[0].length());
    format!("  {name}{pad}  at {at}, {} {}/s\n", number(rounded(speed)), scene.units)
}

pub(super) fn place(point: Vec3, unit: Unit) -> String {
    let [x, y, z] = point.to_array().map(|x| number(rounded(unit.from_metres(x))));
    format!("({x}, {y}, {z}) {unit}")
}

/// To a millionth: what is less is of no use to people.
pub(super) fn rounded(x: f64) -> f64 {
    (x * 1_000_000.0).round() / 1_000_000.0
}

fn document(outcome: &Outcome, arguments: &Arguments) -> Value {
    let (simulation, totals) = (&outcome.simulation, outcome.totals);
    let scene = simulation.scene();
    let step = scene.world.settings.step;
    let per_step = |count: u64| (totals.steps > 0).then(|| count as f64 / totals.steps as f64);
    let per_second = |x: f64| (outcome.seconds > 0.0).then(|| x / outcome.seconds);
    let goals = scene.world.goals.iter().zip(simulation.scores());
    let mut found = json!({
        "scene": arguments.scene.to_string_lossy(),
        "units": scene.units.symbol(),
        "scene_hash": hex(&simulation.scene_hash()),
        "step": step,
        "steps": totals.steps,
        "time": simulation.time(),
        "bodies": (0..scene.bodies.len()).map(|body| body_json(body, simulation)).collect::<Vec<_>>(),
        "goals": goals.map(|(goal, count)| json!({ "name": goal.name, "count": count })).collect::<Vec<_>>(),
        "statistics": {
            "seconds": outcome.seconds,
            "steps_per_second": per_second(totals.steps as f64),
            "real_time_factor": per_second(totals.steps as f64 * step),
            "tests_per_step": per_step(totals.pairs),
            "contacts_per_step": per_step(totals.contacts),
            "points_per_step": per_step(totals.points),
            "interruptions": totals.interruptions,
            "measurements": totals.measurements,
            "energy_at_start": outcome.energy_at_start,
            "energy": simulation.energy(),
        },
        "vehicles": surroundings::vehicles(simulation),
        "sensors": surroundings::sensors(simulation),
        "renderer": simulation.renderer(),
        "state_hash": format!("{:016x}", simulation.state_hash()),
        "warnings": warnings(simulation),
    });
    if arguments.events != Events::None {
        found["events"] = outcome.events.iter().map(|event| event.to_json(scene, scene.units)).collect();
    }
    if !outcome.world.notes.is_empty() {
        let notes: Vec<String> = outcome.world.notes.iter().map(ToString::to_string).collect();
        found["notes"] = json!(notes.iter().flat_map(|notes| notes.lines()).collect::<Vec<_>>());
    }
    let files = [
        ("recording", &arguments.record),
        ("saved", &arguments.save),
        ("measurements", &arguments.sensors),
        ("pictures", &arguments.pictures),
    ];
    for (key, path) in files {
        if let Some(path) = path {
            found[key] = json!(path.to_string_lossy());
        }
    }
    found
}

/// As in the answer of `check`.
fn warnings(simulation: &Simulation) -> Vec<Value> {
    let name = |body: &usize| simulation.scene().bodies[*body].name.as_str();
    let warning = |one: &NoSolid| json!({ "code": "no_solid", "bodies": one.bodies.iter().map(name).collect::<Vec<_>>(), "message": one.message });
    simulation.no_solid().iter().map(warning).collect()
}

fn in_unit(v: Vec3, unit: Unit) -> [f64; 3] {
    v.to_array().map(|x| unit.from_metres(x))
}

fn body_json(body: usize, simulation: &Simulation) -> Value {
    let scene = simulation.scene();
    let (pose, [linear, spin]) = (simulation.pose(body), simulation.velocity(body));
    let [x, y, z] = in_unit(pose.translation(), scene.units);
    let [qx, qy, qz, qw] = pose.rotation().to_array();
    let kind = match scene.physics(body).kind {
        _ if !simulation.can_move(body) => "fixed",
        Kind::Fixed => "fixed",
        Kind::Movable => "movable",
        Kind::Kinematic => "kinematic",
    };
    json!({
        "name": scene.bodies[body].name,
        "kind": kind,
        "pose": [x, y, z, qx, qy, qz, qw],
        "velocity": in_unit(linear, scene.units),
        "spin_deg": spin.to_array().map(f64::to_degrees),
    })
}
