//! Changes of scene files: what is not changed stays as it is, and text and scene agree.

use freiraum_formats::scene::SceneFile;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_scene::{Move, Piece, PlannerChoice, Step, Travel};
use freiraum_testkit::random::Random;
use std::path::Path;

const TEXT: &str = r#"# A shaft in its housing.
units   =   "mm"   # as drawn

[check]
clearance = 0.5    # at least

[[body]]           # stays
name = "housing"
shape = { box = { size = [ 100, 100, 20 ] } }
fixed = true

[[body]]
name = "shaft"     # moves
shape.cylinder = { radius = 5, height = 80 }
pose = [0, 0, 120] # above
color = "steelblue"

# First it goes down.
[[step]]
name = "down"      # slowly
move = "shaft"
translate = [0, 0, -50.0]  # not all the way
seconds = 3

# Then it turns.
[[step]]
name = "turn"
move = "shaft"
[step.rotate]
point = [0, 0, 0]
axis = [0, 0, 1]
deg = 90

[[body]]           # late
name = "lid"
shape.sphere.radius = 4
pose = [0, 0, 500]

# Both.
[[step]]
parallel = [
    { move = "shaft", path = "plan", to = [0, 0, 70], planner = "plane" }, # first
    { move = "lid", translate = [1, 2, 3] }, # second
]
# The end.
"#;

#[track_caller]
fn parse(text: &str) -> SceneFile {
    SceneFile::parse(text, Path::new(""), "test.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// That the text says what the file thinks.
#[track_caller]
fn agree(file: &SceneFile) {
    let again = parse(file.text());
    assert_eq!(format!("{:?}", again.scene()), format!("{:?}", file.scene()), "{}", file.text());
}

/// Changes the text; `expected` are the lines that go (-) and come (+).
#[track_caller]
fn check(text: &str, change: impl FnOnce(&mut SceneFile), expected: &[&str]) {
    let mut file = parse(text);
    change(&mut file);
    agree(&file);
    let mut found = Vec::new();
    let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), file.text().lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let ends = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let same_end = ends.min(old.len() - same_start).min(new.len() - same_start);
    found.extend(old[same_start..old.len() - same_end].iter().map(|line| format!("-{line}")));
    found.extend(new[same_start..new.len() - same_end].iter().map(|line| format!("+{line}")));
    assert_eq!(found, expected, "\n{}", file.text());
}

fn step(name: &str, subject: &str, travel: Travel) -> Step {
    let one = Move { subject: subject.to_owned(), bodies: Vec::new(), travel, place: Default::default() };
    Step {
        name: name.to_owned(),
        moves: vec![one],
        tasks: Vec::new(),
        seconds: 1.0,
        place: Default::default(),
    }
}

fn down() -> Travel {
    Travel::Translate(Vec3::new(0.0, 0.0, -0.0125))
}

#[test]
fn nothing_changed_is_nothing_changed() {
    check(TEXT, |file| file.rename_step(0, "down").unwrap(), &[]);
    check(TEXT, |file| file.move_step(1, 1).unwrap(), &[]);
}

#[test]
fn travel() {
    check(
        TEXT,
        |file| file.set_travel(0, 0, &down()).unwrap(),
        &["-translate = [0, 0, -50.0]  # not all the way", "+translate = [0, 0, -12.5]  # not all the way"],
    );
    let axis = Axis::new(Vec3::new(0.001, 0.0, 0.0), Vec3::Z).unwrap();
    let turn = Travel::Turn { axis, angle: 30f64.to_radians(), advance: 0.0 };
    check(
        TEXT,
        |file| file.set_travel(0, 0, &turn).unwrap(),
        &[
            "-translate = [0, 0, -50.0]  # not all the way",
            "+rotate = { point = [1, 0, 0], axis = [0, 0, 1], deg = 30 }  # not all the way",
        ],
    );
    let screw = Travel::Turn { axis, angle: 4.0 * std::f64::consts::PI, advance: 0.002 };
    check(
        TEXT,
        |file| file.set_travel(1, 0, &screw).unwrap(),
        &[
            "-[step.rotate]",
            "-point = [0, 0, 0]",
            "-axis = [0, 0, 1]",
            "-deg = 90",
            "+screw = { point = [1, 0, 0], axis = [0, 0, 1], deg = 720, advance = 2 }",
        ],
    );
    let path = Travel::Path(vec![
        Piece { travel: down(), share: 0.25 },
        Piece { travel: Travel::To(Pose::from_translation(Vec3::new(0.0, 0.0, 0.07))), share: 0.75 },
    ]);
    check(
        TEXT,
        |file| file.set_travel(2, 0, &path).unwrap(),
        &[
            "-    { move = \"shaft\", path = \"plan\", to = [0, 0, 70], planner = \"plane\" }, # first",
            "+    { move = \"shaft\", path = [",
            "+        { translate = [0, 0, -12.5], share = 0.25 },",
            "+        { to = [0, 0, 70], share = 0.75 },",
            "+    ] }, # first",
        ],
    );
    let plan = Travel::Plan { to: Pose::IDENTITY, planner: Some(PlannerChoice::Sampling) };
    check(
        TEXT,
        |file| file.set_travel(2, 1, &plan).unwrap(),
        &[
            "-    { move = \"lid\", translate = [1, 2, 3] }, # second",
            "+    { move = \"lid\", path = \"plan\", to = [0, 0, 0], planner = \"sampling\" }, # second",
        ],
    );
}

#[test]
fn steps_come_and_go() {
    let new = ["+", "+[[step]]", "+name = \"new\"", "+move = \"lid\"", "+translate = [0, 0, -12.5]"];
    check(TEXT, |file| file.push_step(&step("new", "lid", down())).unwrap(), &new);
    // The same lines, told as if the empty one came last.
    let before = [&new[1..], &new[..1]].concat();
    check(TEXT, |file| file.insert_step(1, &step("new", "lid", down())).unwrap(), &before);
    check(TEXT, |file| file.insert_step(2, &step("new", "lid", down())).unwrap(), &before);
    let mut file = parse(TEXT);
    file.insert_step(0, &step("new", "lid", down())).unwrap();
    assert_eq!(file.scene().steps[0].name, "new");
    assert_eq!(file.scene().steps[1].name, "down");
    let removed = TEXT.lines().position(|line| line == "# Then it turns.").unwrap();
    let gone: Vec<String> = TEXT.lines().skip(removed).take(9).map(|line| format!("-{line}")).collect();
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    check(TEXT, |file| file.remove_step(1).unwrap(), &gone);
    check(
        TEXT,
        |file| file.rename_step(0, "Grüße \"1\"").unwrap(),
        &["-name = \"down\"      # slowly", "+name = 'Grüße \"1\"'      # slowly"],
    );
    check(TEXT, |file| file.rename_step(2, "both").unwrap(), &["+name = \"both\""]);
    let mut file = parse(TEXT);
    for _ in 0..3 {
        file.remove_step(0).unwrap();
        agree(&file);
    }
    assert!(file.scene().steps.is_empty() && file.text().ends_with("# The end.\n"));
    file.push_step(&step("only", "lid", down())).unwrap();
    agree(&file);
    assert!(file.text().contains("# late"));
    // Behind all bodies.
    assert!(file.text().find("[[step]]") > file.text().find("# late"));
}

#[test]
fn steps_move_with_their_comments() {
    let mut file = parse(TEXT);
    file.move_step(0, 2).unwrap();
    agree(&file);
    let names: Vec<&str> = file.scene().steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["turn", "step 2", "down"]);
    assert!(file.text().contains("# First it goes down.\n[[step]]\nname = \"down\""), "{}", file.text());
    file.move_step(2, 0).unwrap();
    assert_eq!(file.text(), TEXT);
    file.move_step(2, 0).unwrap();
    file.move_step(1, 2).unwrap();
    agree(&file);
    let names: Vec<&str> = file.scene().steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["step 1", "turn", "down"]);
}

#[test]
fn poses_and_goals() {
    let quarter =
        Pose::new(Quat::from_rotation_z(std::f64::consts::FRAC_PI_2), Vec3::new(0.0, 0.0, 0.1)).unwrap();
    check(
        TEXT,
        |file| file.set_pose(1, &quarter).unwrap(),
        &["-pose = [0, 0, 120] # above", "+pose = { position = [0, 0, 100], rpy_deg = [0, 0, 90] } # above"],
    );
    check(TEXT, |file| file.set_goal(1, Some(&Pose::IDENTITY)).unwrap(), &["+goal = [0, 0, 0]"]);
    check(
        TEXT,
        |file| {
            file.set_goal(2, Some(&quarter)).unwrap();
            file.set_goal(2, None).unwrap();
        },
        &[],
    );
}

#[test]
fn what_would_be_wrong_is_refused() {
    let mut file = parse(TEXT);
    assert!(file.set_goal(0, Some(&Pose::IDENTITY)).unwrap_err().to_string().contains("fixed"));
    assert!(file.push_step(&step("", "lid", down())).is_err());
    assert!(file.push_step(&step("x", "nobody", down())).is_err());
    assert!(file.set_travel(0, 0, &Travel::Translate(Vec3::new(f64::NAN, 0.0, 0.0))).is_err());
    assert!(file.set_travel(9, 0, &down()).is_err());
    assert!(file.set_travel(0, 1, &down()).is_err());
    assert!(file.remove_step(3).is_err());
    assert!(file.move_step(0, 3).is_err());
    assert!(file.insert_step(4, &step("x", "lid", down())).is_err());
    assert!(file.set_pose(7, &Pose::IDENTITY).is_err());
    assert!(file.set_travel(0, 0, &Travel::Path(Vec::new())).is_err());
    assert_eq!(file.text(), TEXT);
    agree(&file);
}

#[test]
fn arrays_in_one_line_and_other_line_breaks() {
    let inline = r#"body = [ { name = "a", shape = { sphere = { radius = 1 } } } ] # all
step = [ { move = "a", translate = [1, 0, 0] }, {move="a",translate=[2,0,0]} ]
"#;
    let mut file = parse(inline);
    file.move_step(1, 0).unwrap();
    agree(&file);
    assert!(file.text().contains("{move=\"a\",translate=[2,0,0]}"), "{}", file.text());
    file.push_step(&step("x", "a", down())).unwrap();
    file.set_travel(0, 0, &down()).unwrap();
    file.set_pose(0, &Pose::from_translation(Vec3::X)).unwrap();
    agree(&file);
    assert_eq!(file.scene().steps.len(), 3);
    for _ in 0..3 {
        file.remove_step(0).unwrap();
    }
    agree(&file);
    let windows = format!("\u{feff}{}", TEXT.replace('\n', "\r\n"));
    let mut file = parse(&windows);
    file.rename_step(0, "down").unwrap();
    assert_eq!(file.text(), windows);
    file.push_step(&step("x", "lid", down())).unwrap();
    assert_eq!(file.text().matches('\n').count(), file.text().matches("\r\n").count());
}

/// Any changes, one after the other; comments stay with what they belong to.
#[test]
fn many_changes() {
    let mut random = Random::new(5);
    for round in 0..freiraum_testkit::scale::cases(60) {
        let mut file = parse(TEXT);
        for change in 0..8 {
            let count = file.scene().steps.len();
            let (at, to) = (random.below(count + 1), random.below(count + 1));
            let name = format!("{round}.{change}");
            let number = |random: &mut Random| random.in_cube(1.0);
            let rotation = Quat::from_xyzw(random.in_cube(1.0).x, random.in_cube(1.0).x, 0.3, 0.5);
            let pose = Pose::new(rotation, number(&mut random)).unwrap();
            let result = match random.below(7) {
                0 => file.insert_step(at, &step(&name, "shaft", Travel::Translate(number(&mut random)))),
                1 => file.remove_step(at),
                2 => file.move_step(at, to),
                3 => file.rename_step(at, &name),
                4 => file.set_pose(1 + random.below(2), &pose),
                5 => file.set_goal(1 + random.below(2), Some(&pose)),
                _ => file.set_travel(at, 0, &Travel::To(pose)),
            };
            let before = count;
            agree(&file);
            if result.is_err() {
                assert_eq!(file.scene().steps.len(), before);
            }
            for comment in [
                "# A shaft in its housing.\n",
                "# as drawn",
                "# at least",
                "# stays",
                "# moves",
                "# late",
                "# The end.\n",
            ] {
                assert_eq!(file.text().matches(comment).count(), 1, "{comment}\n{}", file.text());
            }
        }
    }
}

/// What is set is what is read back: in metres to the last bit, in other units to the next number that they can express.
#[test]
fn numbers_survive() {
    let mut random = Random::new(11);
    for units in ["m", "mm", "um"] {
        let text = TEXT.replace("\"mm\"", &format!("{units:?}"));
        let mut file = parse(&text);
        for _ in 0..freiraum_testkit::scale::cases(100) {
            let power = random.below(12) as i32 - 8;
            let by = random.in_cube(10f64.powi(power));
            file.set_travel(0, 0, &Travel::Translate(by)).unwrap();
            let Travel::Translate(found) = file.scene().steps[0].moves[0].travel else { panic!() };
            let is_near = |found: Vec3| {
                let ulps = if units == "m" { 0.0 } else { f64::EPSILON };
                (found - by).abs().cmple(ulps * by.abs()).all()
            };
            assert!(is_near(found), "{found} {by} {units}");
            let p = random.in_cube(1.0);
            let pose = Pose::new(Quat::from_xyzw(p.x, p.y, p.z, 0.3), by).unwrap();
            file.set_pose(1, &pose).unwrap();
            let found = file.scene().bodies[1].pose;
            assert!(is_near(found.translation()));
            assert!((found.rotation() - pose.rotation()).length() < 4.0 * f64::EPSILON);
            // Written again it is the same.
            let text = file.text().to_owned();
            file.set_travel(0, 0, &Travel::Translate(by)).unwrap();
            assert_eq!(file.text(), text);
        }
    }
}

#[test]
fn a_pose_keeps_the_form_in_which_it_was_written() {
    let text =
        |pose: &str| format!("[[body]]\nname = \"a\"\nshape = {{ sphere = {{ radius = 1 }} }}\n{pose}\n");
    let check = |pose: &str, new: &Pose, expected: &str| {
        let mut file = parse(&text(pose));
        file.set_pose(0, new).unwrap();
        assert_eq!(file.text(), text(expected));
        agree(&file);
        assert!((file.scene().bodies[0].pose.rotation() - new.rotation()).length() < 1e-15);
        let mut file = parse(&text(&pose.replace("pose", "goal")));
        file.set_goal(0, Some(new)).unwrap();
        assert_eq!(file.text(), text(&expected.replace("pose", "goal")));
    };
    let shift = Pose::from_translation(Vec3::new(1.0, 2.5, 3.0));
    let turn = Pose::from_zyx_euler(0.0, 0.0, 90f64.to_radians(), Vec3::new(1.0, 2.5, 3.0)).unwrap();
    let odd = Pose::new(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5), Vec3::ZERO).unwrap();
    check(
        "pose = { position = [ 1.0, 2, 3 ] } # here",
        &shift,
        "pose = { position = [ 1.0, 2.5, 3 ] } # here",
    );
    check(
        "pose = { rpy_deg = [0.0, 0, 90], position = [1, 2, 3] }",
        &turn,
        "pose = { rpy_deg = [0.0, 0, 90], position = [1, 2.5, 3] }",
    );
    check(
        "pose = { rpy_deg = [10, 0, 90], position = [1, 2, 3] }",
        &shift,
        "pose = { rpy_deg = [0, 0, 0], position = [1, 2.5, 3] }",
    );
    check(
        "pose = { position = [1, 2.5, 3] }",
        &turn,
        "pose = { position = [1, 2.5, 3], rpy_deg = [0, 0, 90] }",
    );
    let steep = Pose::new(Quat::from_xyzw(0.6, 0.0, 0.8, 0.0), Vec3::ZERO).unwrap();
    check(
        "pose = { rpy_deg = [0, 0, 90], position = [0, 0, 0] }",
        &steep,
        "pose = { quaternion = [0.6, 0, 0.8, 0], position = [0, 0, 0] }",
    );
    check("pose = { quaternion = [0, 0, 0, 1] }", &odd, "pose = { quaternion = [0.5, 0.5, 0.5, 0.5] }");
    check("pose = [1, 2, 3, 0, 0, 0]", &turn, "pose = [1, 2.5, 3, 0, 0, 90]");
    check("pose = [1, 2, 3, 0, 0, 0, 1]", &shift, "pose = [1, 2.5, 3, 0, 0, 0, 1]");
    check("pose = [1, 2, 3]", &turn, "pose = { position = [1, 2.5, 3], rpy_deg = [0, 0, 90] }");
    check("pose.position = [1, 2, 3]", &shift, "pose.position = [1, 2.5, 3]");
    check("[body.pose]\nposition = [1, 2, 3] # p", &shift, "[body.pose]\nposition = [1, 2.5, 3] # p");
}

#[test]
fn a_new_name_is_used_everywhere() {
    let text = r#"[[body]]
name = "a" # first
shape = { sphere = { radius = 1 } }
[[body]]
name = "b"
shape = { sphere = { radius = 1 } }
[[group]]
name = "both"
members = ["a", # this one
  "b"]
[[pair]]
bodies = ["b",  "a"] # these
clearance = 0
"#;
    let steps = r#"
[[step]]
name = "a" # not this
move = "a" # but this
translate = [1, 0, 0]
[[step]]
parallel = [ { move = "b", translate = [1, 0, 0] }, { move = "a", translate = [1, 0, 0] } ]
[[step]]
move = "both"
translate = [1, 0, 0]
"#;
    let states = r#"
[[state]]
poses = { b = [0, 0, 0], a = [0, 0, 1], "both" = [0, 0, 0] }
[[state]]
[state.poses]
# here
a = { position = [0, 0, 2] } # there
b = [1, 0, 0]
[[state]]
poses.a.position = [0, 0, 2]
"#
    .replace(", \"both\" = [0, 0, 0]", "");
    let check = |text: &str, name: &str, expected: &str| {
        let mut file = parse(text);
        file.rename_body(0, name).unwrap();
        assert_eq!(file.text(), expected);
        agree(&file);
        file.rename_body(0, "a").unwrap();
        assert_eq!(file.text(), text, "there and back");
    };
    let new = |text: &str, name: &str| {
        text.replace("name = \"a\" # first", &format!("name = {name:?} # first"))
            .replace("[\"a\", #", &format!("[{name:?}, #"))
            .replace(" \"a\"] # these", &format!(" {name:?}] # these"))
            .replace("move = \"a\"", &format!("move = {name:?}"))
    };
    check(&format!("{text}{steps}"), "the new one", &new(&format!("{text}{steps}"), "the new one"));
    let renamed = new(&format!("{text}{states}"), "c")
        .replace(" a = [0, 0, 1]", " c = [0, 0, 1]")
        .replace("\na = {", "\nc = {")
        .replace("poses.a.", "poses.c.");
    check(&format!("{text}{states}"), "c", &renamed);
    let mut file = parse(&format!("{text}{steps}"));
    assert!(file.rename_body(0, "b").is_err() && file.rename_body(0, "both").is_err());
    assert!(file.rename_body(0, "").is_err() && file.rename_body(9, "x").is_err());
    assert_eq!(file.text(), format!("{text}{steps}"));
    file.rename_body(1, "quoted \"ü\" \n name").unwrap_or_default();
    agree(&file);
}

#[test]
fn sheets_stay_sheets() {
    let text =
        TEXT.replacen("pose = [0, 0, 120] # above", "pose = [0, 0, 120] # above\nsolid = false # a cloth", 1);
    let cloth = "shape.heightfield = { size = [10, 10], heights = [[0, 0], [0, 1]] }";
    let text = text.replacen("shape.cylinder = { radius = 5, height = 80 }", cloth, 1);
    let mut file = parse(&text);
    assert_eq!(file.scene().sheets, [1]);
    file.set_pose(1, &Pose::IDENTITY).unwrap();
    file.set_goal(2, Some(&Pose::IDENTITY)).unwrap();
    file.remove_step(0).unwrap();
    assert_eq!(file.scene().sheets, [1]);
    assert!(file.text().contains("solid = false # a cloth"), "{}", file.text());
    agree(&file);
}
