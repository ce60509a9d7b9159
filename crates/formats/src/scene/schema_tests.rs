//! That docs/scene.schema.json and docs/scene-file.md agree with the reader.

use super::keys::{self, Keys};
use super::{SceneFile, read::color_names, robot_keys, world_keys};
use crate::notation::SHAPE_KINDS;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/scene.schema.json")).unwrap()
}

fn names<'v>(keys: impl IntoIterator<Item = &'v str>) -> BTreeSet<&'v str> {
    keys.into_iter().collect()
}

#[test]
fn keys_of_the_schema_are_those_of_the_reader() {
    let schema = schema();
    let check = |table: &Value, known: &[&str]| {
        let found = names(table["properties"].as_object().unwrap().keys().map(String::as_str));
        assert_eq!(found, names(known.iter().copied()));
        assert_eq!(table["additionalProperties"], false, "{known:?}");
    };
    check(&schema, keys::TOP.known);
    let tables: [(&str, &Keys); 23] = [
        ("check", &keys::CHECK_TABLE),
        ("body", &keys::BODY),
        ("physics", &world_keys::PHYSICS),
        ("world", &world_keys::WORLD),
        ("vehicle", &world_keys::VEHICLE),
        ("controller_table", &world_keys::CONTROLLER),
        ("sensor", &world_keys::SENSOR),
        ("grid", &world_keys::GRID),
        ("rows", &world_keys::ROWS),
        ("noise", &world_keys::NOISE),
        ("goal", &world_keys::GOAL),
        ("group", &keys::GROUP),
        ("pair", &keys::PAIR),
        ("state", &keys::STATE),
        ("step", &keys::STEP),
        ("move", &keys::MOVE),
        ("piece", &keys::PIECE),
        ("rotate", &keys::ROTATE),
        ("screw", &keys::SCREW),
        ("task", &keys::TASK),
        ("robot", &robot_keys::ROBOT),
        ("dh_row", &robot_keys::ROW),
        ("action", &robot_keys::ACTION),
    ];
    for (name, table) in tables {
        check(&schema["definitions"][name], table.known);
    }
    let actions = &schema["definitions"]["action"]["properties"];
    check(&actions["ptp"], robot_keys::PTP.known);
    check(&actions["lin"], robot_keys::LIN.known);
    check(&actions["joint"], robot_keys::JOINT.known);
    check(&actions["to"], robot_keys::TARGET.known);
    check(&actions["grasp"]["anyOf"][1], robot_keys::GRASP.known);
    check(&schema["definitions"]["robot"]["properties"]["tool"], robot_keys::TOOL_TABLE.known);
    check(&schema["definitions"]["shape"], &SHAPE_KINDS);
    check(&schema["definitions"]["pose_table"], &["position", "rpy_deg", "quaternion"]);
}

#[test]
fn nothing_is_known_and_unknown() {
    let bodies =
        [&keys::TOP, &keys::BODY, &keys::STEP, &keys::MOVE, &keys::PIECE, &keys::ROTATE, &keys::SCREW];
    let robots =
        [&keys::TASK, &robot_keys::ROBOT, &robot_keys::ROW, &robot_keys::TOOL_TABLE, &robot_keys::PTP];
    let actions =
        [&robot_keys::TARGET, &robot_keys::LIN, &robot_keys::JOINT, &robot_keys::GRASP, &robot_keys::ACTION];
    let worlds = [
        &world_keys::WORLD,
        &world_keys::PHYSICS,
        &world_keys::VEHICLE,
        &world_keys::CONTROLLER,
        &world_keys::SOCCER,
        &world_keys::SENSOR,
        &world_keys::GRID,
        &world_keys::ROWS,
        &world_keys::NOISE,
        &world_keys::GOAL,
    ];
    for table in bodies.into_iter().chain(robots).chain(actions).chain(worlds) {
        for (key, _) in table.instead {
            assert!(!table.known.contains(key), "{key} in {}", table.what);
        }
    }
}

/// The part of JSON Schema that the schema uses.
fn validate(value: &Value, rule: &Value, root: &Value, at: &str) -> Result<(), String> {
    let rule = match rule["$ref"].as_str() {
        Some(path) => root.pointer(path.strip_prefix('#').unwrap()).expect(path),
        None => rule,
    };
    let fail = |what: &str| Err(format!("{at}: {what}: {value}"));
    let known = [
        "$schema",
        "title",
        "description",
        "type",
        "additionalProperties",
        "required",
        "properties",
        "definitions",
        "items",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "anyOf",
        "oneOf",
        "const",
        "enum",
        "examples",
        "$ref",
    ];
    for key in rule.as_object().unwrap().keys() {
        assert!(known.contains(&key.as_str()), "{key}");
    }
    let is_type = match rule["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64(),
        Some("boolean") => value.is_boolean(),
        Some(other) => panic!("{other}"),
        None => true,
    };
    if !is_type {
        return fail("wrong type");
    }
    let fits = |rules: &Vec<Value>| rules.iter().any(|rule| validate(value, rule, root, at).is_ok());
    if rule["anyOf"].as_array().is_some_and(|rules| !fits(rules)) {
        return fail("none of the forms");
    }
    let fitting =
        |rules: &Vec<Value>| rules.iter().filter(|rule| validate(value, rule, root, at).is_ok()).count();
    if rule["oneOf"].as_array().is_some_and(|rules| fitting(rules) != 1) {
        return fail("not exactly one of the forms");
    }
    if rule.get("const").is_some_and(|one| one != value) {
        return fail("not the value");
    }
    if rule["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return fail("none of the values");
    }
    let count = value.as_array().map(Vec::len).or_else(|| value.as_object().map(|map| map.len()));
    let count = count.or_else(|| value.as_str().map(|text| text.chars().count())).unwrap_or(0) as u64;
    let within = |least: &str, most: &str| {
        rule[least].as_u64().is_none_or(|least| count >= least)
            && rule[most].as_u64().is_none_or(|most| count <= most)
    };
    if !(within("minItems", "maxItems")
        && within("minProperties", "maxProperties")
        && within("minLength", "maxLength"))
    {
        return fail("wrong size");
    }
    if let Some(number) = value.as_f64() {
        let is_low = rule["minimum"].as_f64().is_some_and(|least| number < least)
            || rule["exclusiveMinimum"].as_f64().is_some_and(|least| number <= least);
        if is_low || rule["maximum"].as_f64().is_some_and(|most| number > most) {
            return fail("out of range");
        }
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(rule) = rule.get("items") {
            validate(item, rule, root, &format!("{at}[{i}]"))?;
        }
    }
    if let Some(map) = value.as_object() {
        for key in rule["required"].as_array().into_iter().flatten() {
            if !map.contains_key(key.as_str().unwrap()) {
                return fail(&format!("{key} is missing"));
            }
        }
        for (key, inner) in map {
            let at = format!("{at}.{key}");
            match (rule["properties"].get(key), &rule["additionalProperties"]) {
                (Some(rule), _) => validate(inner, rule, root, &at)?,
                (None, Value::Bool(false)) => return fail(&format!("unknown key {key}")),
                (None, rule) if rule.is_object() => validate(inner, rule, root, &at)?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// The examples of the page, those in TOML.
fn examples() -> Vec<&'static str> {
    let page = include_str!("../../../../docs/scene-file.md");
    page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn examples_are_scenes_and_validate() {
    let schema = schema();
    assert!(examples().len() >= 4);
    for example in examples() {
        let errors = SceneFile::parse(example, Path::new(""), "example").map(drop);
        errors.unwrap_or_else(|e| panic!("{}", e.render(false)));
        validate(&super::read::json_of(example), &schema, &schema, "").unwrap();
    }
}

/// What the reader says of spelling and kinds, the schema says as well.
#[test]
fn broken_scenes_do_not_validate() {
    let schema = schema();
    for (name, is_structural) in [
        ("unknown_keys", true),
        ("angles", true),
        ("wrong_kinds", true),
        ("robot_table", true),
        ("robot_no_model", true),
        ("program_targets", true),
        ("program_lines", true),
        ("program_waits", true),
        ("negative_clearance", true),
        ("poses", true),
        ("no_bodies", true),
        // Names are beyond a schema.
        ("misspelt_names", false),
        ("cyclic_groups", false),
        ("robot_start", true),
        ("robot_broken_urdf", false),
        ("program_unknown_robot", false),
        ("world", true),
        ("vehicles", true),
        ("sensors", true),
    ] {
        let path = format!("{}/tests/broken_scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let found = validate(&super::read::json_of(&text), &schema, &schema, "");
        assert_eq!(found.is_err(), is_structural, "{name}: {found:?}");
    }
}

#[test]
fn the_page_names_all_colors() {
    let page = include_str!("../../../../docs/scene-file.md");
    for name in color_names() {
        // Second spellings.
        if !["grey", "aqua", "fuchsia"].contains(&name) {
            assert!(page.contains(name), "{name}");
        }
    }
}
