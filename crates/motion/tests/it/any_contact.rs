//! Any contact is there exactly if a first one is, and never earlier.

use freiraum_geometry::path::Axis;
use freiraum_geometry::{Mesh, Pose};
use freiraum_motion::MotionWorkspace;
use freiraum_motion::sweep::{RotatingPair, SurfaceContact, TranslatingPair};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_testkit::scale::cases;
use freiraum_testkit::{bumpy, random::Random};

fn check(any: Option<SurfaceContact>, first: Option<SurfaceContact>) -> bool {
    assert_eq!(any.is_some(), first.is_some(), "{any:?} {first:?}");
    let (Some(any), Some(first)) = (any, first) else { return false };
    assert!(any.time >= first.time && any.time <= 1.0, "{any:?} {first:?}");
    true
}

#[test]
fn any_contact_is_found_where_there_is_one() {
    let tree = |(vertices, faces)| MeshTree::build(Mesh::new(vertices, faces).unwrap());
    let (a, b) = (tree(bumpy::torus(24, 12)), tree(bumpy::sphere(5)));
    let mut random = Random::new(8);
    let mut memory = MotionWorkspace::default();
    let mut met = 0;
    for _ in 0..cases(100) {
        let start = Pose::new(random.rotation(), 2.6 * random.direction()).unwrap();
        let by = -start.translation() + random.in_cube(2.0);
        let pair = TranslatingPair::new(&a, &b, &start, 0.0, by);
        met += usize::from(check(pair.any_contact(1.0, &mut memory), pair.first_contact(1.0, &mut memory)));
        let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
        let pair = RotatingPair::new(&a, &b, &start, 0.0, &axis, 3.0);
        met += usize::from(check(pair.any_contact(1.0, &mut memory), pair.first_contact(1.0, &mut memory)));
    }
    assert!(met > 20, "{met}");
}
