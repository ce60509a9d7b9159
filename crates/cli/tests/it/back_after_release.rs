//! A gripper released a part, left it, and came back into it within the same line of the plan: up to the depth of the grasp that was free. The depth of a
//! grasp ends where the gripper leaves what it has released.

use crate::doors::checked;

/// An arm whose third joint lowers a gripper: at 370 mm it stands on the gear.
fn scene(actions: &[&str]) -> String {
    format!(
        r#"units = "mm"
[check]
clearance = 0.5
[[robot]]
name = "left"
start_deg = [0, 0, 100]
shape = {{ box = {{ size = [100, 100, 400] }} }}
shape_pose = [0, 0, 200]
dh = [
    {{ d = 430, limits_deg = [-170, 170], shape = {{ box = {{ size = [300, 60, 60] }} }}, shape_pose = [150, 0, 0] }},
    {{ l = 300, limits_deg = [-150, 150], shape = {{ box = {{ size = [250, 60, 60] }} }}, shape_pose = [125, 0, 0] }},
    {{ alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 420], shape = {{ box = {{ size = [30, 30, 400] }} }}, shape_pose = [0, 0, -200] }},
]
tool = {{ pose = [0, 0, 20], bodies = ["gripper"] }}
[[body]]
name = "gripper"
shape = {{ box = {{ size = [40, 40, 20] }} }}
pose = [0, 0, 10]
[[body]]
name = "table"
shape = {{ box = {{ size = [4000, 4000, 20] }} }}
pose = [0, 0, -10]
fixed = true
[[body]]
name = "gear"
shape = {{ cylinder = {{ radius = 20, height = 40 }} }}
pose = [550, 0, 20]
[[step]]
robot = "left"
do = [{}]
"#,
        actions.join(", ")
    )
}

const GRASP: &str = r#"{ grasp = { body = "gear", depth = 0.1 } }"#;
const RELEASE: &str = r#"{ release = "gear" }"#;

fn lower(to: &str) -> String {
    format!(r#"{{ joint = {{ name = "joint3", to = {to} }} }}"#)
}

#[test]
fn the_depth_of_a_grasp_ends_where_the_gripper_leaves() {
    let [up, on, deep, deeper] = ["300.0", "370.0", "370.08", "370.2"].map(lower);
    // Out of what it has released it may go, from as deep as the grasp allows.
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &up])), "free");
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &on, &up])), "free");
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &deeper, &up])), "collision");
    // Back to the surface it may come, and not into the part.
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &up, &on])), "free");
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &up, &deep, &up])), "collision");
    assert_eq!(checked(&scene(&[&deep, GRASP, RELEASE, &up, &deep])), "collision");
}
