//! Large triangles, many layers, nothing at all.

use super::{agree, expected, with_renderer};
use crate::common::{ball, cuboid, together};
use freiraum_deform::gpu::Found;
use freiraum_deform::shapes::PlaneStack;
use freiraum_deform::{Axis, Grid, Layers, Surface, snap};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

#[test]
fn triangles_over_many_tiles() {
    with_renderer(|gpu| {
        let mut random = Random::new(20);
        for case in 0..cases(6) {
            let boxes: Vec<_> = (0..5).map(|_| cuboid(random.in_cube(1.0), random.in_cube(1.0))).collect();
            let mut surface = together(&boxes);
            let turn = random.rotation();
            surface.0.iter_mut().for_each(|v| *v = turn * *v);
            // Needles across the whole image.
            let first = surface.0.len() as u32;
            surface.0.extend([random.in_cube(1.0), random.in_cube(1.0), random.in_cube(0.01)]);
            surface.1.push([first, first + 1, first + 2]);
            let bounds = Aabb::of_points(&surface.0);
            let size = [[200, 150], [130, 9], [64, 64]][case % 3];
            let grid = Grid::around(&bounds, Axis::longest(&bounds), size).unwrap();
            agree(gpu, &surface, &grid, 2);
        }
    });
}

#[test]
fn two_hundred_planes() {
    with_renderer(|gpu| {
        let solid = PlaneStack { planes: 200, cells: 3, side: 1.0, height: 1.5 }.solid().unwrap();
        let surface = (solid.vertices, solid.faces);
        let grid = Grid::around(&Aabb::of_points(&surface.0), Axis::Z, [11, 9]).unwrap();
        let found = agree(gpu, &surface, &grid, 2);
        assert_eq!((found.layers_max, found.largest, found.sums.intervals), (200, 100, 99));
    });
}

/// Faces of one size over one another: `depths` of them at each depth, entered and left in turn.
fn heap(random: &mut Random, number: usize, depths: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for k in 0..number {
        let z = random.below(depths) as f64;
        let first = vertices.len() as u32;
        vertices.extend([Vec3::new(-3.0, -1.0, z), Vec3::new(3.0, -1.0, z), Vec3::new(0.0, 3.0, z)]);
        faces.push(if k % 2 == 0 { [first, first + 1, first + 2] } else { [first + 1, first, first + 2] });
    }
    (vertices, faces)
}

/// Every length of a list, around those at which another way of sorting begins, and longer than a workgroup can hold at once.
#[test]
fn all_triangles_in_one_pixel() {
    with_renderer(|gpu| {
        let mut random = Random::new(21);
        let bounds = Aabb { min: Vec3::new(-0.5, -0.5, 0.0), max: Vec3::new(0.5, 0.5, 1.0) };
        for (number, depths) in [
            (1, 1),
            (2, 1),
            (19, 40),
            (20, 5),
            (21, 40),
            (24, 5),
            (24, 400),
            (25, 400),
            (32, 9),
            (33, 9),
            (64, 9),
            (65, 90),
            (127, 1),
            (1023, 700),
            (1024, 20),
            (1025, 5000),
            (3001, 4000),
            (4096, 3),
        ] {
            let surface = heap(&mut random, number, depths);
            let reach = bounds.union(&Aabb::of_points(&surface.0));
            let grid = Grid::region(&bounds, &reach, Axis::Z, [1, 1]).unwrap();
            let found = agree(gpu, &surface, &grid, 2);
            assert_eq!(found.layers_max as usize, number);
        }
        // And over more than one pixel.
        let surface = heap(&mut random, 300, 200);
        let reach = bounds.union(&Aabb::of_points(&surface.0));
        let grid = Grid::region(&bounds, &reach, Axis::Z, [9, 10]).unwrap();
        assert_eq!(agree(gpu, &surface, &grid, 2).layers_max, 300);
    });
}

/// Layers at one depth are told apart by their faces: which of them are involved depends on nothing else.
#[test]
fn bodies_that_coincide() {
    with_renderer(|gpu| {
        for copies in [2, 3, 5] {
            let mut bodies = vec![ball(Vec3::ZERO, 1.0, 6); copies];
            // Faces in another order.
            bodies[1].1.reverse();
            let surface = together(&bodies);
            let grid = Grid::around(&Aabb::of_points(&surface.0), Axis::Y, [20, 17]).unwrap();
            for level in [2, 3] {
                let found = agree(gpu, &surface, &grid, level);
                assert_eq!((found.layers_max, found.largest as usize), (2 * copies as u32, copies));
                assert!(level as usize > copies || found.involved_count() > 20);
            }
        }
    });
}

/// Faces in a tile around the number for which there is room.
#[test]
fn many_faces_in_a_tile() {
    with_renderer(|gpu| {
        for cells in 1..12 {
            for planes in [2, 4, 8] {
                let solid = PlaneStack { planes, cells, side: 1.0, height: 1.5 }.solid().unwrap();
                let surface = (solid.vertices, solid.faces);
                let grid = Grid::around(&Aabb::of_points(&surface.0), Axis::Z, [8, 8]).unwrap();
                let found = agree(gpu, &surface, &grid, 2);
                assert_eq!((found.layers_max, found.largest), (planes, planes / 2));
            }
        }
    });
}

#[test]
fn nothing() {
    with_renderer(|gpu| {
        let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let grid = Grid::around(&unit, Axis::X, [19, 3]).unwrap();
        let found = agree(gpu, &(Vec::new(), Vec::new()), &grid, 2);
        assert_eq!((found.layers_max, found.sums.intervals), (0, 0));
        // Vertices without faces, and a face without area.
        agree(gpu, &(vec![Vec3::ONE], Vec::new()), &grid, 1);
        agree(gpu, &(vec![Vec3::ONE], vec![[0, 0, 0]]), &grid, 1);
    });
}

/// Deep images for which there is no room at once are done in rounds, to the same answer.
#[test]
fn deep_images_are_done_in_rounds() {
    with_renderer(|gpu| {
        let solid = PlaneStack { planes: 60, cells: 3, side: 1.0, height: 1.5 }.solid().unwrap();
        let (mut vertices, faces) = (solid.vertices, solid.faces);
        // At an angle, so that tiles are not all alike, and open somewhere.
        vertices.iter_mut().for_each(|v| *v = Vec3::new(v.x + 0.1 * v.z, v.y, v.z + 0.2 * v.x));
        let grid = Grid::around(&Aabb::of_points(&vertices), Axis::Z, [45, 52]).unwrap();
        let (mut layers, mut snapped, mut found) = (Layers::default(), Vec::new(), Found::default());
        snap(&grid, &vertices, &mut snapped).unwrap();
        for holes in [0, 5] {
            let faces = &faces[holes..];
            let expected = expected(&mut layers, Surface { vertices: &vertices, faces }, &grid, 2);
            assert_eq!(expected.faults.is_empty(), holes == 0);
            gpu.set_faces(faces).unwrap();
            // Of some 100 000: two rounds, and one for each tile.
            for most in [70_000, 64 * 60] {
                gpu.keep_at_most(most);
                gpu.look(&grid, &snapped, 2, &mut found).unwrap();
                assert!(found == expected, "{most}");
            }
            gpu.keep_at_most(1000);
            let error = gpu.look(&grid, &snapped, 2, &mut found).unwrap_err();
            assert!(error.to_string().contains("fragments of a tile needs"), "{error}");
            gpu.keep_at_most(1 << 27);
            gpu.look(&grid, &snapped, 2, &mut found).unwrap();
            assert!(found == expected);
        }
    });
}
