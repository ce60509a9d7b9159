//! What pictures show.

use super::{answer, ball, cube, put};
use freiraum::deform::shapes::Cuboid;
use freiraum::geometry::Vec3;
use freiraum_testkit::folder::Folder;
use std::path::PathBuf;

/// How many pixels of a picture are red, how many are not paper, and how many are magenta.
fn pixels(path: PathBuf) -> [usize; 3] {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let colors = bytes.chunks(3);
    let is_red = |c: &&[u8]| i32::from(c[0]) > 90 && i32::from(c[0]) > 2 * i32::from(c[1].max(c[2]));
    let is_magenta = |c: &&[u8]| c[0] > 150 && c[2] > 150 && c[1] < 60;
    let is_drawn = |c: &&[u8]| c.iter().any(|&x| x < 250);
    [
        colors.clone().filter(is_red).count(),
        colors.clone().filter(is_drawn).count(),
        colors.filter(is_magenta).count(),
    ]
}

#[test]
fn pictures_show_the_volume_of_the_collision() {
    let folder = Folder::new("layers-picture");
    put(&folder, "a.stl", &ball(0.0));
    put(&folder, "b.stl", &ball(1.2));
    assert_eq!(answer(&folder, "a.stl b.stl --png both.png").0, 1);
    let [red, drawn, _] = pixels(folder.path().join("both.png"));
    // The lens is a disc of radius 0.8 that is 0.8 thick at most, seen at an angle; both balls cover some 5 m².
    let share = red as f64 / drawn as f64;
    assert!((0.15..0.45).contains(&share), "{red} of {drawn}");
    assert_eq!(answer(&folder, "a.stl --png one.png").0, 0);
    let [red, drawn, magenta] = pixels(folder.path().join("one.png"));
    assert!(red == 0 && magenta == 0 && drawn > 100_000, "{red} of {drawn}");
}

#[test]
fn pictures_show_as_much_as_there_is() {
    let folder = Folder::new("layers-shadow");
    put(&folder, "a.off", &cube(Vec3::ZERO));
    put(&folder, "half.off", &Cuboid { size: Vec3::splat(0.5), cells: [1; 3] }.solid().unwrap());
    // A cube of half the size is all in both: a quarter of the shadow, whatever the resolution of the answer. In
    // one file they are the same.
    let mut nested = cube(Vec3::ZERO);
    nested.append(&Cuboid { size: Vec3::splat(0.5), cells: [1; 3] }.solid().unwrap(), Vec3::ZERO);
    put(&folder, "nested.off", &nested);
    for arguments in ["a.off half.off", "nested.off --resolution 7"] {
        assert_eq!(answer(&folder, &format!("{arguments} --png x.png")).0, 1);
        let [red, drawn, _] = pixels(folder.path().join("x.png"));
        let share = red as f64 / drawn as f64;
        assert!((share - 0.25).abs() < 0.01, "{arguments}: {red} of {drawn}");
    }
    // What touches is not red.
    put(&folder, "beside.off", &cube(Vec3::new(0.3, 1.0, 0.2)));
    assert_eq!(answer(&folder, "a.off beside.off --png x.png").0, 0);
    assert_eq!(pixels(folder.path().join("x.png"))[0], 0);
    // Open edges are drawn from end to end, 5 pixels wide: a triangle with two edges of the cube, some 400 pixels each.
    let mut open = cube(Vec3::ZERO);
    open.faces.pop();
    put(&folder, "open.off", &open);
    assert_eq!(answer(&folder, "open.off --png x.png").0, 2);
    let magenta = pixels(folder.path().join("x.png"))[2];
    assert!((3_000..12_000).contains(&magenta), "{magenta}");
}
