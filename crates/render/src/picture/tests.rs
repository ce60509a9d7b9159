use super::*;
use freiraum_geometry::shape::{Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Aabb, Mesh};

const RED: Color = Color([220, 40, 30]);
const BLUE: Color = Color([30, 60, 220]);

fn cuboid(size: f64) -> Figure {
    figure(&Shape::Cuboid(Cuboid::new(Vec3::splat(size)).unwrap()))
}

fn figure(shape: &Shape) -> Figure {
    Figure::of_shape(shape, Vec3::ZERO, 10.0).unwrap()
}

fn at(figure: &Figure, position: Vec3, color: Color, role: Role) -> Drawn<'_> {
    Drawn { figure, pose: Pose::from_translation(position), color, role }
}

fn shot(camera: Camera, bodies: Vec<Drawn<'_>>) -> Shot<'_> {
    Shot { camera, size: [120, 80], bodies, marks: Vec::new(), section: None, ground: None }
}

fn pixel(picture: &Picture, x: usize, y: usize) -> [i32; 3] {
    let at = 3 * (y * picture.size[0] + x);
    [0, 1, 2].map(|i| i32::from(picture.pixels[at + i]))
}

fn is_blue([r, _, b]: [i32; 3]) -> bool {
    b > r + 40
}

fn is_red([r, _, b]: [i32; 3]) -> bool {
    r > b + 40
}

fn is_background([r, _, b]: [i32; 3]) -> bool {
    r > 225 && (b - r).abs() < 16
}

fn front(height: f64) -> Camera {
    Camera::parallel(View::Front, Vec3::ZERO, height)
}

#[test]
fn a_box_covers_as_much_as_it_should() {
    // A metre of four in 80 pixels: 20 pixels wide and high, in the middle.
    let figure = cuboid(1.0);
    let picture = shot(front(4.0), vec![at(&figure, Vec3::ZERO, BLUE, Role::Mover)]).draw();
    for (x, y, inside) in [
        (60, 40, true),
        (52, 32, true),
        (67, 47, true),
        (48, 40, false),
        (72, 40, false),
        (60, 28, false),
        (60, 52, false),
    ] {
        assert_eq!(is_blue(pixel(&picture, x, y)), inside, "{x}, {y}");
        assert_eq!(is_background(pixel(&picture, x, y)), !inside, "{x}, {y}");
    }
}

#[test]
fn what_is_nearer_hides_what_is_behind_it() {
    let figure = cuboid(1.0);
    let two = |red: f64, blue: f64| {
        let bodies = vec![
            at(&figure, red * Vec3::Y, RED, Role::Plain),
            at(&figure, blue * Vec3::Y, BLUE, Role::Plain),
        ];
        pixel(&shot(front(4.0), bodies).draw(), 60, 40)
    };
    assert!(is_red(two(-2.0, 2.0)));
    assert!(is_blue(two(2.0, -2.0)));
}

#[test]
fn movers_shine_through_and_ghosts_are_pale() {
    let figure = cuboid(1.0);
    let behind = |role: Role| {
        let bodies = vec![at(&figure, -2.0 * Vec3::Y, RED, Role::Plain), at(&figure, Vec3::ZERO, BLUE, role)];
        pixel(&shot(front(4.0), bodies).draw(), 60, 40)
    };
    let [hidden, through, ghost] = [Role::Plain, Role::Mover, Role::Ghost].map(|role| behind(role)[2]);
    assert!(through > ghost && ghost > hidden, "{hidden} {ghost} {through}");
}

#[test]
fn a_camera_fits_what_it_is_told() {
    let bounds = Aabb { min: Vec3::new(3.0, -1.0, 5.0), max: Vec3::new(5.0, 1.0, 6.0) };
    for camera in [
        Camera::parallel(View::Isometric, Vec3::ZERO, 1.0),
        Camera::central(View::Standard, Vec3::ZERO, 1.0, 0.7),
        Camera::parallel(View::Top, Vec3::ZERO, 1.0),
    ] {
        let fitted = shot(camera.fitted(&[bounds], 1.5), Vec::new());
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in bounds.corners() {
            let place = fitted.place(corner).unwrap();
            for i in 0..2 {
                (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
            }
        }
        assert!(low[0] >= 0.0 && low[1] >= 0.0 && high[0] <= 120.0 && high[1] <= 80.0, "{low:?} {high:?}");
        assert!(high[0] - low[0] > 60.0 || high[1] - low[1] > 40.0, "{low:?} {high:?}");
    }
}

#[test]
fn in_central_projection_near_things_are_larger() {
    let figure = cuboid(1.0);
    let wide = |y: f64| {
        let camera = Camera::central(View::Front, Vec3::ZERO, 4.0, 0.8);
        let picture = shot(camera, vec![at(&figure, y * Vec3::Y, BLUE, Role::Plain)]).draw();
        (0..120).filter(|x| !is_background(pixel(&picture, *x, 40))).count()
    };
    assert!(wide(-2.0) > wide(0.0) + 3 && wide(0.0) > wide(2.0) + 3);
    // Behind the eye there is nothing.
    assert_eq!(wide(-50.0), 0);
}

#[test]
fn a_section_shows_the_inside_as_solid_and_overlap_in_red() {
    let (large, small) = (cuboid(2.0), cuboid(1.0));
    let bodies =
        vec![at(&large, Vec3::ZERO, BLUE, Role::Plain), at(&small, 1.0 * Vec3::X, BLUE, Role::Plain)];
    let cut = Shot { section: Some(Vec3::ZERO), ..shot(front(4.0), bodies) };
    let picture = cut.draw();
    // The large one reaches from x = 40 to 80, the small one from 70 to 90.
    let overlap = pixel(&picture, 75, 40);
    assert!(is_red(overlap), "{overlap:?}");
    for x in [45, 60, 85] {
        assert!(is_blue(pixel(&picture, x, 40)) || pixel(&picture, x, 40)[2] > 100, "{x}");
        assert!(!is_red(pixel(&picture, x, 40)), "{x}");
    }
    // Beside the overlap there is none.
    assert!(!is_red(pixel(&picture, 75, 25)));
}

#[test]
fn planes_are_drawn_but_not_fitted() {
    let plane = figure(&Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    assert!(plane.is_endless && plane.is_open);
    let camera = Camera::parallel(View::Top, Vec3::ZERO, 4.0);
    let picture = shot(camera, vec![at(&plane, Vec3::ZERO, BLUE, Role::Plain)]).draw();
    assert!(is_blue(pixel(&picture, 5, 5)) && is_blue(pixel(&picture, 115, 75)));
}

#[test]
fn round_bodies_have_outlines_and_creases_only_where_people_see_them() {
    let sphere = figure(&Shape::Sphere(Sphere::new(1.0).unwrap()));
    assert_eq!(sphere.edges.iter().filter(|edge| edge.is_crease).count(), 0);
    let cylinder = figure(&Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()));
    let rims = cylinder.edges.iter().filter(|edge| edge.is_crease).count();
    let sides = cylinder.faces.len() / 4;
    assert!(rims >= 2 * sides - 2 && rims <= 2 * sides + 2, "{rims} of {sides}");
    assert_eq!(cuboid(1.0).edges.len(), 12);
}

#[test]
fn surfaces_inside_out_are_turned() {
    let (vertices, faces) =
        Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()).tessellate(1.0).unwrap().into_parts();
    let turned = Mesh::new(vertices, faces.into_iter().map(|[a, b, c]| [a, c, b]).collect()).unwrap();
    let (right, turned) = (cuboid(1.0), Figure::of_mesh(&turned));
    let draw = |figure: &Figure| shot(front(2.0), vec![at(figure, Vec3::ZERO, RED, Role::Plain)]).draw();
    assert_eq!(draw(&right), draw(&turned));
}

#[test]
fn the_same_on_any_number_of_threads_and_far_from_the_origin() {
    let (vertices, faces) = freiraum_testkit::bumpy::torus(60, 40);
    let torus = Figure::of_mesh(&Mesh::new(vertices, faces).unwrap());
    let draw = |threads: usize, offset: Vec3| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bounds = Aabb { min: offset - Vec3::splat(2.0), max: offset + Vec3::splat(2.0) };
        let camera = Camera::parallel(View::Isometric, Vec3::ZERO, 1.0).fitted(&[bounds], 1.5);
        let mut shot = shot(
            camera,
            vec![at(&torus, offset, BLUE, Role::Mover), at(&torus, offset + Vec3::X, RED, Role::Ghost)],
        );
        shot.ground = Some(offset.z - 2.0);
        shot.marks.push(Mark::Way { points: vec![offset, offset + Vec3::X], blocked_from: Some(1) });
        shot.marks.push(Mark::Contact(offset));
        shot.marks.push(Mark::Gap([offset, offset + Vec3::Z]));
        pool.install(|| shot.draw())
    };
    let one = draw(1, Vec3::ZERO);
    assert_eq!(one, draw(3, Vec3::ZERO));
    let far = draw(2, Vec3::new(1e6, -2e6, 3e6));
    let differ = one.pixels.iter().zip(&far.pixels).filter(|(a, b)| a.abs_diff(**b) > 40).count();
    assert!(differ < one.pixels.len() / 50, "{differ}");
}

#[test]
fn files_hold_the_pixels() {
    let figure = cuboid(1.0);
    let picture = shot(front(2.0), vec![at(&figure, Vec3::ZERO, RED, Role::Plain)]).draw();
    let bytes = picture.png();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!([info.width as usize, info.height as usize], picture.size);
    assert_eq!(pixels, picture.pixels);
}

#[test]
fn degenerate_pictures_do_not_panic() {
    let flat =
        Figure::of_mesh(&Mesh::new(vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2]]).unwrap());
    for height in [0.0, f64::MIN_POSITIVE, f64::MAX] {
        let bodies = vec![at(&flat, Vec3::ZERO, RED, Role::Mover)];
        let mut one = Shot { ground: Some(0.0), section: Some(Vec3::ZERO), ..shot(front(height), bodies) };
        one.marks.push(Mark::Way { points: Vec::new(), blocked_from: None });
        one.size = [0, 1];
        one.draw();
    }
}
