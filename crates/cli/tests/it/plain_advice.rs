//! What a first user could not use: commands that did not parse, keys with two meanings, warnings that were
//! untrue or missing.

use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::fmt::Write;
use std::process::Command;

/// Exit code, standard output, standard error.
fn freiraum(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(folder: &Folder, arguments: &[&str]) -> (i32, Value) {
    let (code, out, err) = freiraum(folder, &[arguments, &["--json"]].concat());
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}")))
}

type Triangle = [[f64; 3]; 3];

/// A box around a place, faces outward; faces 2 and 3 are its top.
fn block(size: f64, at: [f64; 3]) -> Vec<Triangle> {
    let corner = |n: usize| {
        let sides = [n & 1, n >> 1 & 1, n >> 2 & 1];
        std::array::from_fn(|k| at[k] + size * (sides[k] as f64 - 0.5))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cut = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|face| face.map(corner));
    quads.into_iter().flat_map(cut).collect()
}

fn stl(faces: &[Triangle]) -> String {
    let mut out = "solid\n".to_owned();
    for face in faces {
        out.push_str("facet normal 0 0 0\nouter loop\n");
        for [x, y, z] in face {
            writeln!(out, "vertex {x} {y} {z}").unwrap();
        }
        out.push_str("endloop\nendfacet\n");
    }
    out + "endsolid\n"
}

/// A scene in mm: a fixed body with this mesh, and a ball at z that moves by 1 mm.
fn with_ball(mesh: &str, z: f64) -> String {
    format!(
        "units = \"mm\"\n[[body]]\nname = \"part\"\nmesh = \"{mesh}\"\nfixed = true\n\
         [[body]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 3 }} }}\npose = {{ position = [0, 0, {z}] }}\n\
         [[step]]\nmove = \"ball\"\ntranslate = [1, 0, 0]\n"
    )
}

fn messages(found: &Value, code: &str) -> Vec<String> {
    let all = found["warnings"].as_array().unwrap().iter().filter(|one| one["code"] == code);
    all.map(|one| one["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn remedies_for_open_meshes_can_be_copied() {
    let folder = Folder::new("advice-open");
    let mut open = block(40.0, [0.0; 3]);
    open.drain(2..4);
    folder.file("box open.stl", stl(&open));
    folder.file("scene.toml", with_ball("box open.stl", 0.0));
    let (code, found) = json(&folder, &["check", "scene.toml", "--no-cache", "--report", "report"]);
    assert_eq!(code, 3);
    let [said] = &messages(&found, "no_solid")[..] else { panic!("{found}") };
    assert!(said.contains("4 open edges") && said.contains("close the hole in the CAD program"), "{said}");
    assert!(said.contains("`solid = false` under `[[body]] name = \"part\"`"), "{said}");
    let finding = found["start"][0]["message"].as_str().unwrap();
    assert!(finding.contains("faulty near (") && finding.contains("20) mm"), "{finding}");
    // The command of the finding works as it stands.
    let command = finding.split('`').nth(1).unwrap();
    let rest = command.strip_prefix("freiraum mesh repair \"").unwrap();
    let (file, rest) = rest.split_once('"').unwrap();
    let arguments: Vec<&str> = ["mesh", "repair", file].into_iter().chain(rest.split_whitespace()).collect();
    let (code, _, err) = freiraum(&folder, &arguments);
    assert_eq!(code, 1, "a hole stays: {err}");
    assert!(folder.path().join("OUT.stl").exists());
    // The places stand in the report, and the start is counted by kind.
    let page = std::fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("1 pair may be one inside the other before anything has moved"), "{page}");
    assert!(page.contains("faulty near (") && !page.contains("is too close before"), "{page}");
    let (code, _, err) =
        freiraum(&folder, &["query", "intersect", "box open.stl", "{\"sphere\":{\"radius\":3}}"]);
    assert_eq!(code, 3, "{err}");
    let (_, out, _) =
        freiraum(&folder, &["query", "intersect", "box open.stl", "{\"sphere\":{\"radius\":3}}"]);
    assert!(out.contains("`freiraum mesh repair FILE OUT`") && !out.contains("-o OUT"), "{out}");
}

/// Reports are passed on: their messages name files as the scene does, however the scene was named.
#[test]
fn messages_name_no_folder_of_this_machine() {
    let folder = Folder::new("advice-folder");
    let mut open = block(40.0, [0.0; 3]);
    open.drain(2..4);
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    folder.file("parts/open.stl", stl(&open));
    let scene = folder.file("scene.toml", with_ball("parts/open.stl", 0.0));
    let scene = std::path::absolute(scene).unwrap();
    let home = folder.path().to_str().unwrap();
    let said = |found: &Value| {
        let all =
            ["warnings", "start"].map(|key| found[key].as_array().cloned().unwrap_or_default()).concat();
        all.iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
    };
    let (_, found) = json(&folder, &["check", scene.to_str().unwrap(), "--no-cache"]);
    let (_, simulated) = json(&folder, &["sim", scene.to_str().unwrap(), "--duration", "0.01"]);
    for text in [said(&found), said(&simulated)] {
        assert!(text.contains("mesh repair parts/open.stl") && !text.contains(home), "{text}");
    }
}

/// Before, `verify` was taken for `query`.
#[test]
fn commands_are_suggested_only_where_they_may_be_meant() {
    let folder = Folder::new("advice-commands");
    for (arguments, meant) in [
        (&["chek", "a.toml"][..], Some("'check'")),
        (&["check", "a.toml", "--reprot", "x"], Some("'--report'")),
        (&["query", "dist", "a", "b"], Some("'distance'")),
        (&["verify", "a"], None),
        (&["init", "a"], None),
    ] {
        let (code, _, said) = freiraum(&folder, arguments);
        let tip = said.lines().find(|line| line.contains("tip:")).map(str::to_owned);
        assert_eq!(code, 2, "{said}");
        assert_eq!(meant.is_some(), tip.is_some(), "{said}");
        assert!(meant.is_none_or(|meant| tip.unwrap().contains(meant)), "{said}");
    }
}

#[test]
fn a_closed_shell_beside_loose_faces_counts_as_a_solid() {
    let folder = Folder::new("advice-loose");
    let mut loose = block(40.0, [0.0; 3]);
    loose.push([[60.0, 0.0, 0.0], [70.0, 0.0, 0.0], [60.0, 10.0, 5.0]]);
    folder.file("part.stl", stl(&loose));
    folder.file("scene.toml", with_ball("part.stl", 0.0));
    let (code, found) = json(&folder, &["check", "scene.toml", "--no-cache"]);
    assert_eq!((code, &found["verdict"]), (1, &"collision".into()));
    let [said] = &messages(&found, "no_solid")[..] else { panic!("{found}") };
    assert!(said.contains("1 closed shell") && said.contains("a surface with 3 open edges"), "{said}");
    assert!(!said.contains("bounds no solid"), "{said}");
}

#[test]
fn faces_that_are_written_twice_are_told() {
    let folder = Folder::new("advice-twice");
    let twice = [block(40.0, [0.0; 3]), block(40.0, [0.0; 3])].concat();
    folder.file("part.stl", stl(&twice));
    folder.file("scene.toml", with_ball("part.stl", 50.0));
    let (code, found) = json(&folder, &["check", "scene.toml", "--no-cache"]);
    assert_eq!(code, 0);
    let [said] = &messages(&found, "mended")[..] else { panic!("{found}") };
    assert!(said.contains("12 faces repeat others; each counts once"), "{said}");
    let (_, out, _) = freiraum(&folder, &["mesh", "info", "part.stl"]);
    assert!(out.contains("try: freiraum mesh repair part.stl"), "{out}");
}

#[test]
fn mesh_info_offers_a_repair_only_where_one_helps() {
    let folder = Folder::new("advice-info");
    let cases = [
        ("touch.stl", [40.0, 10.0, 0.0], 40.0, "cannot mend this"),
        ("cross.stl", [20.0, 10.0, 7.0], 40.0, "cannot mend this"),
        ("nested.stl", [0.0; 3], 20.0, "1 shell that faces outward lies inside of another solid"),
    ];
    for (name, at, size, expected) in cases {
        folder.file(name, stl(&[block(40.0, [0.0; 3]), block(size, at)].concat()));
        let (_, out, _) = freiraum(&folder, &["mesh", "info", name]);
        assert!(out.contains(expected) && !out.contains("try: freiraum mesh repair"), "{name}: {out}");
    }
}

/// `until` is null if the contact lasts to the end, and every contact has one; `until_known` says whether it
/// is the end or a lower bound.
#[test]
fn until_has_one_meaning() {
    let folder = Folder::new("advice-until");
    let mut scene = "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.1 } }\npose = { position = [-1, 0, 0] }\n".to_owned();
    for k in 0..6 {
        writeln!(
            scene,
            "[[body]]\nname = \"wall {k}\"\nfixed = true\nshape = {{ box = {{ size = [0.1, 1, 1] }} }}\npose = {{ position = [{k}, 0, 0] }}"
        )
        .unwrap();
    }
    scene.push_str("[[step]]\nmove = \"ball\"\ntranslate = [6, 0, 0]\n");
    folder.file("scene.toml", scene);
    let (_, found) = json(&folder, &["check", "scene.toml", "--no-cache"]);
    let findings = found["steps"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 6);
    // The last wall is where the ball ends.
    for (k, finding) in findings.iter().enumerate() {
        assert_eq!(finding["until_known"], true, "{finding}");
        assert_eq!(finding["until"].is_null(), k == 5, "{finding}");
        assert!(k == 5 || finding["until"].as_f64() > finding["t"].as_f64(), "{finding}");
    }
    let last = "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.1 } }\npose = { position = [-1, 0, 0] }\n\
        [[body]]\nname = \"wall\"\nshape = { box = { size = [1, 1, 1] } }\n[[step]]\nmove = \"ball\"\ntranslate = [1, 0, 0]\n";
    folder.file("last.toml", last);
    let (_, found) = json(&folder, &["check", "last.toml", "--no-cache"]);
    let finding = &found["steps"][0]["findings"][0];
    assert_eq!(
        (finding.get("until"), &finding["until_known"]),
        (Some(&Value::Null), &true.into()),
        "{found}"
    );
}

#[test]
fn a_shape_without_a_mesh_is_no_sheet() {
    let folder = Folder::new("advice-sheet");
    let scene = "[[body]]\nname = \"b\"\nshape = { box = { size = [1, 2, 3] } }\nsolid = false\n";
    folder.file("scene.toml", scene);
    let (code, _, err) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("\"b\" has no mesh and is always a solid") && err.contains("scene.toml:4:9"),
        "{err}"
    );
    let [ball, both] =
        ["{\"sphere\":{\"radius\":1}}", "{\"compound\":[{\"shape\":{\"sphere\":{\"radius\":1}}}]}"];
    for a in [ball, both] {
        let (code, _, err) = freiraum(&folder, &["query", "distance", a, ball, "--sheet", "a"]);
        assert_eq!(code, 2);
        assert!(err.contains("has no mesh"), "{err}");
    }
}

#[test]
fn sizes_that_are_hardly_meant_are_told() {
    let folder = Folder::new("advice-units");
    folder.file("part.stl", stl(&block(40.0, [0.0; 3])));
    let of_size = |size: &str, name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nfixed = true\nshape = {{ box = {{ size = {size} }} }}\n\
             [[body]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.003 }} }}\npose = {{ position = [0, 0, 9000] }}\n\
             [[step]]\nmove = \"ball\"\ntranslate = [1, 0, 0]\n"
        )
    };
    let in_metres =
        with_ball("part.stl", 30000.0).replace("fixed = true", "fixed = true\nmesh_units = \"m\"");
    let cases = [
        (of_size("[120, 80, 60]", "housing"), 1),
        (of_size("[10000, 10000, 10000]", "box"), 1),
        (of_size("[1000, 1000, 0.1]", "floor"), 0),
        (in_metres, 1),
        (with_ball("part.stl", 50.0), 0),
    ];
    for (scene, expected) in cases {
        folder.file("scene.toml", &scene);
        let (_, found) = json(&folder, &["check", "scene.toml", "--no-cache"]);
        let said = messages(&found, "unit");
        assert_eq!(said.len(), expected, "{scene}\n{said:?}");
    }
}

#[test]
fn a_name_with_a_control_character_says_which() {
    let folder = Folder::new("advice-name");
    folder.file("scene.toml", "[[body]]\nname = \"a\\u001b[31m\"\nshape = { sphere = { radius = 1 } }\n");
    let (code, _, err) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!(code, 2);
    assert!(err.contains("control character U+001B"), "{err}");
}

/// The floor and the wall of a channel are one body: the slider touches it all the way, so that the wall
/// needs no clearance, which is said.
#[test]
fn a_fit_that_is_in_contact_all_the_way_is_not_covered() {
    let folder = Folder::new("advice-channel");
    let wall = "shape = { box = { size = [200, 10, 20] } }";
    let floor = "shape = { box = { size = [200, 60, 10] } }";
    let slider = "[[body]]\nname = \"slider\"\nshape = { box = { size = [20, 20, 10] } }\npose = { position = [-60, 9.99, 5] }\n";
    let step = "[[step]]\nmove = \"slider\"\ntranslate = [100, 0, 0]\n";
    let head = "units = \"mm\"\n[check]\nclearance = 0.3\n";
    let one = format!(
        "{head}[[body]]\nname = \"channel\"\nfixed = true\n\
         shape = {{ compound = [ {{ {floor}, pose = [0, 0, -5] }}, {{ {wall}, pose = [0, 25, 10] }} ] }}\n{slider}{step}"
    );
    folder.file("one.toml", one);
    let (code, found) = json(&folder, &["check", "one.toml", "--no-cache"]);
    assert_eq!(code, 0);
    let said = "the slider and the channel are in contact or on their approach during all of step 1: no clearance was required of them there";
    assert!(found["not_covered"].as_array().unwrap().contains(&said.into()), "{found}");
    let two = format!(
        "{head}[[body]]\nname = \"floor\"\nfixed = true\n{floor}\npose = {{ position = [0, 0, -5] }}\n\
         [[body]]\nname = \"wall\"\nfixed = true\n{wall}\npose = {{ position = [0, 25, 10] }}\n{slider}{step}"
    );
    folder.file("two.toml", two);
    let (code, found) = json(&folder, &["check", "two.toml", "--no-cache"]);
    assert_eq!((code, &found["verdict"]), (1, &"too_close".into()), "{found}");
}
