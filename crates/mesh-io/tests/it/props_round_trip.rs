//! What is written comes back: to the bit from formats that store all digits, rounded to f32 from the others.

use crate::common;
use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFormat, ReadOptions, Unit, Weld, WriteOptions, read_bytes, write_bytes};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn back(mesh: &Mesh, format: MeshFormat, weld: Weld, units: Unit) -> Mesh {
    let bytes = write_bytes(mesh, format, &WriteOptions { units, ..WriteOptions::default() }).unwrap();
    // The name says nothing: the content has to tell the format.
    read_bytes(&bytes, "written", &ReadOptions { weld, units, ..ReadOptions::default() }).unwrap()
}

/// The corners of all triangles, bit by bit.
fn corners(mesh: &Mesh) -> Vec<[u64; 3]> {
    mesh.triangles().flatten().map(|p| (p + Vec3::ZERO).to_array().map(f64::to_bits)).collect()
}

fn is_stl(format: MeshFormat) -> bool {
    format.extension() == "stl"
}

#[test]
fn every_format_brings_back_what_it_can_hold() {
    let mut random = Random::new(7);
    for round in 0..cases(300) {
        for format in MeshFormat::ALL {
            let mesh = common::random_mesh(&mut random, format.stores_f32());
            let plain = back(&mesh, format, Weld::Off, Unit::Metre);
            assert_eq!(corners(&plain), corners(&mesh), "{format}, round {round}");
            if !is_stl(format) {
                assert_eq!(plain, mesh, "{format}, round {round}");
            }
        }
    }
}

#[test]
fn welding_joins_exactly_the_equal_vertices() {
    let mut random = Random::new(8);
    for round in 0..cases(100) {
        for format in MeshFormat::ALL {
            let mesh = common::random_mesh(&mut random, format.stores_f32());
            let welded = back(&mesh, format, Weld::Exact, Unit::Metre);
            assert_eq!(corners(&welded), corners(&mesh), "{format}, round {round}");
            // The vertices in the order of first appearance: in the file, or in the faces where it has no vertices.
            let in_file: Vec<Vec3> =
                if is_stl(format) { mesh.triangles().flatten().collect() } else { mesh.vertices().to_vec() };
            let mut expected: Vec<Vec3> = Vec::new();
            for p in in_file {
                if !expected.contains(&p) {
                    expected.push(p);
                }
            }
            assert_eq!(welded.vertices(), expected, "{format}, round {round}");
        }
    }
}

#[test]
fn f32_formats_round_to_nearest() {
    let mut random = Random::new(9);
    for format in MeshFormat::ALL.into_iter().filter(|f| f.stores_f32()) {
        for _ in 0..cases(50) {
            let mesh = common::random_mesh(&mut random, false);
            let expected = mesh.vertices().iter().map(|p| p.map(|x| f64::from(x as f32))).collect();
            let expected = Mesh::new(expected, mesh.faces().to_vec()).unwrap();
            assert_eq!(corners(&back(&mesh, format, Weld::Off, Unit::Metre)), corners(&expected), "{format}");
        }
    }
}

#[test]
fn units_are_converted_both_ways() {
    let mesh = common::two_triangles();
    for units in Unit::ALL {
        for format in MeshFormat::ALL {
            let found = back(&mesh, format, Weld::Exact, units);
            let slack = if format.stores_f32() { f64::from(f32::EPSILON) } else { 4.0 * f64::EPSILON };
            for (p, q) in found.triangles().flatten().zip(mesh.triangles().flatten()) {
                assert!(p.distance(q) <= 4.0 * slack, "{format} in {units}: {p} instead of {q}");
            }
        }
    }
    // Read as metres, the numbers in the file show.
    let inches = WriteOptions { units: Unit::Inch, ..WriteOptions::default() };
    for format in MeshFormat::ALL {
        let bytes = write_bytes(&mesh, format, &inches).unwrap();
        let found = read_bytes(&bytes, "", &ReadOptions::default()).unwrap();
        // glTF is in metres whatever the options say.
        let factor = if format.extension().starts_with("gl") { 1.0 } else { 1.0 / 0.0254 };
        let size = found.aabb().size() - mesh.aabb().size() * factor;
        assert!(size.length() < 1e-4, "{format}");
    }
}

#[test]
fn too_large_for_f32_is_refused() {
    let far = Mesh::new(vec![Vec3::X * 1e39, Vec3::Y, Vec3::Z], vec![[0, 1, 2]]).unwrap();
    for format in MeshFormat::ALL {
        let written = write_bytes(&far, format, &WriteOptions::default());
        assert_eq!(written.is_err(), format.stores_f32(), "{format}");
    }
    // A vertex that no face uses is written too, except to STL.
    let stray = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::X * 1e39];
    let stray = Mesh::new(stray, vec![[0, 1, 2]]).unwrap();
    for format in MeshFormat::ALL {
        let written = write_bytes(&stray, format, &WriteOptions::default());
        assert_eq!(written.is_err(), format.extension().starts_with("gl"), "{format}");
    }
}

#[test]
fn gltf_bounds_are_those_of_all_positions() {
    let vertices = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::splat(7.0)];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).unwrap();
    let text =
        String::from_utf8(write_bytes(&mesh, MeshFormat::Gltf, &WriteOptions::default()).unwrap()).unwrap();
    assert!(text.contains(r#""min":[0.0,0.0,0.0],"max":[7.0,7.0,7.0]"#), "{text}");
}

#[test]
fn numbers_of_one_unit_are_not_touched() {
    // Of a thousand numbers some change when they are divided by 1000 and multiplied again.
    let corner = |i: u32| Vec3::new(f64::from(i) * 0.001, f64::from(i % 7), f64::from(i % 5));
    let mesh =
        Mesh::new((60_000..61_002).map(corner).collect(), (0..1000).map(|i| [i, i + 1, i + 2]).collect());
    let mesh = mesh.unwrap();
    for units in Unit::ALL {
        for format in MeshFormat::ALL {
            let options = WriteOptions { mesh_units: units, units, ..WriteOptions::default() };
            let bytes = write_bytes(&mesh, format, &options).unwrap();
            let found = read_bytes(&bytes, "", &ReadOptions::default()).unwrap();
            let is_gltf = format.extension().starts_with("gl");
            for (p, q) in found.triangles().flatten().zip(mesh.triangles().flatten()) {
                if is_gltf {
                    let metres = q.to_array().map(|x| units.to_metres(x));
                    assert!(p.distance(metres.into()) <= 1e-6 * p.length(), "{format} in {units}: {p}");
                } else if format.stores_f32() {
                    assert_eq!(p.as_vec3(), q.as_vec3(), "{format} in {units}");
                } else {
                    assert_eq!(p, q, "{format} in {units}");
                }
            }
        }
    }
}
