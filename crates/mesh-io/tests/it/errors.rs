//! Every error of the text formats, of binary STL, PLY and GLB: message, position, advice. The messages stand in
//! `messages.txt`, each below the end of the file that it is about.

use crate::common;
use freiraum_mesh_io::{
    MeshFileErrorKind as Kind, MeshFormat, Place, ReadOptions, WriteOptions, read_bytes, write_bytes,
};

type Case = (&'static str, Vec<u8>);

fn case(name: &'static str, content: impl Into<Vec<u8>>) -> Case {
    (name, content.into())
}

#[test]
fn messages() {
    let groups = [
        ("unknown and empty", unknown_cases()),
        ("ASCII STL", ascii_stl_cases()),
        ("binary STL", binary_stl_cases()),
        ("OBJ", obj_cases()),
        ("OFF", off_cases()),
        ("PLY, head", ply_header_cases()),
        ("PLY, text", ply_text_cases()),
        ("PLY, binary", ply_binary_cases()),
        ("GLB", glb_cases()),
    ];
    let mut found = String::new();
    for (title, cases) in groups {
        found += &format!("== {title}\n\n");
        for (name, content) in cases {
            let tail = content[content.len().saturating_sub(60)..].escape_ascii();
            let message = match read_bytes(&content, name, &ReadOptions::default()) {
                Err(error) => error.to_string(),
                Ok(mesh) => format!("{} triangles", mesh.faces().len()),
            };
            found += &format!("{tail}\n{message}\n\n");
        }
    }
    let expected = include_str!("../messages.txt");
    for (found, expected) in found.split("\n\n").zip(expected.split("\n\n")) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}

fn solid(facet: &str) -> String {
    format!("solid a\n{facet}endsolid a\n")
}

/// An ASCII STL file with one place changed.
fn damaged(from: &str, to: &str) -> String {
    let facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let file = solid(facet);
    assert!(file.contains(from));
    file.replacen(from, to, 1)
}

/// A binary STL file of triangles without extent.
fn binary_stl(count: u32) -> Vec<u8> {
    let mut bytes = vec![0; 84 + 50 * count as usize];
    bytes[80..84].copy_from_slice(&count.to_le_bytes());
    bytes
}

/// The bytes with some of them replaced.
fn with(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn obj(faces: &str) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n{faces}")
}

/// More vertices, and a face over all of them that is not convex.
fn zigzag(count: usize) -> String {
    let vertices: String = (0..count).map(|i| format!("v {i} {} 0\n", i % 2)).collect();
    let corners: String = (0..count).map(|i| format!(" {}", i + 5)).collect();
    format!("{vertices}f{corners}\n")
}

fn off(counts: &str, faces: &str) -> String {
    format!("OFF\n{counts}\n0 0 0\n1 0 0\n0 1 0\n{faces}")
}

/// Three vertices and one face.
fn ply(encoding: &str, body: &str) -> String {
    format!(
        "ply\nformat {encoding} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n{body}"
    )
}

fn binary_ply(body: &[u8]) -> Vec<u8> {
    [ply("binary_little_endian", "").as_bytes(), body].concat()
}

/// A GLB file with a JSON chunk alone, its length wrong by `error`.
fn glb(version: u32, error: u32, json: &[u8]) -> Vec<u8> {
    let length = 20 + json.len() as u32;
    let numbers = [version, length + error, json.len() as u32].map(u32::to_le_bytes);
    [&b"glTF"[..], &numbers[0], &numbers[1], &numbers[2], b"JSON", json].concat()
}

fn unknown_cases() -> Vec<Case> {
    vec![
        case("a.stl", ""),
        case("a.txt", "hello"),
        case("a.STEP", "ISO-10303-21;\nHEADER;\n"),
        case("a.stl", "solid a\nendsolid a"),
        case("a.obj", "v 0 0 0\nv 1 0 0\nv 0 0 0\n"),
        case("a.stl", "ply\nformat"),
    ]
}

fn ascii_stl_cases() -> Vec<Case> {
    vec![
        case("a.stl", "facet"),
        case("a.stl", solid("hello\n")),
        case("a.stl", damaged("outer", "inner")),
        case("a.stl", damaged("loop", "hoop")),
        case("a.stl", damaged("vertex 1 0 0\n", "")),
        case("a.stl", damaged("1 0 0", "1 x 0")),
        case("a.stl", damaged("1 0 0", "1,5 0 0")),
        case("a.stl", damaged("1 0 0", "1 0 nan")),
        case("a.stl", damaged("1 0 0", "-inf 0 0")),
        case("a.stl", damaged("1 0 0", "1e999 0 0")),
        case("a.stl", damaged("1 0 0", "1e51 0 0")),
        case("a.stl", damaged("1 0 0", "-nan(ind) 0 0")),
        case("a.stl", damaged("endloop", "vertex 1 1 1\nendloop")),
        case("a.stl", damaged("endfacet", "endfact")),
        case("a.stl", damaged("vertex 0 1 0\nendloop\nendfacet\nendsolid a\n", "vert")),
        case("a.stl", damaged("vertex 0 1 0\nendloop\nendfacet\nendsolid a\n", "")),
        case("a.stl", damaged("1 0 0", "1 0\0 0")),
        case("a.stl", damaged("endsolid", "\0endsolid")),
    ]
}

fn binary_stl_cases() -> Vec<Case> {
    vec![
        case("a.stl", &binary_stl(2)[..60]),
        case("a.stl", &binary_stl(2)[..183]),
        case("a.stl", &binary_stl(2)[..84]),
        case("a.stl", with(binary_stl(2), 80, &1u32.to_le_bytes())),
        case("a.stl", with(binary_stl(2), 80, &u32::MAX.to_le_bytes())),
        case("a.stl", with(binary_stl(2), 80, &[0; 4])),
        case("a.stl", binary_stl(0)),
        case("a.stl", with(binary_stl(2), 84 + 50 + 12 + 16, &f32::NAN.to_le_bytes())),
        case("a.stl", with(binary_stl(100), 84 + 99 * 50 + 12 + 32, &f32::NEG_INFINITY.to_le_bytes())),
        case("a.stl", with(binary_stl(2), 0, b"solid")[..100].to_vec()),
    ]
}

fn obj_cases() -> Vec<Case> {
    vec![
        case("a.obj", "hello"),
        case("a.obj", obj("hello 1 2")),
        case("a.obj", "v 1 2\n"),
        case("a.obj", "v 1 2 x\n"),
        case("a.obj", "v 1 2 nan\n"),
        case("a.obj", "v 1 2 3x\n"),
        case("a.obj", "v 1 2"),
        case("a.obj", obj("f 1 2")),
        case("a.obj", obj("f")),
        case("a.obj", obj("f 1 2 5")),
        case("a.obj", obj("f 1 2 0")),
        case("a.obj", obj("f 1 2 -5")),
        case("a.obj", obj("f 1 2 -0")),
        case("a.obj", "f 1 2 3"),
        case("a.obj", obj("f 1 2 x")),
        case("a.obj", obj("f 1 2 3.5")),
        case("a.obj", obj("f 1 2 3/x")),
        case("a.obj", obj("f 1 2 99999999999999999999")),
        case("a.obj", obj("surf 0 1")),
        case("a.obj", obj("call other.obj")),
        case("a.obj", obj("f 1 2 3\0")),
        case("a.obj", obj("f 1 2 3\n# \0")),
        case("a.obj", obj("f 1 2 -1\nf 1 2 9\n")),
        case("a.obj", obj(&zigzag(5000))),
    ]
}

fn off_cases() -> Vec<Case> {
    vec![
        case("a.off", "hello"),
        case("a.off", "4OFF\n"),
        case("a.off", "nOFF 3\n"),
        case("a.off", "XOFF\n"),
        case("a.off", "OFF BINARY\n\0\0"),
        case("a.off", "OFF\n"),
        case("a.off", "OFF\n3\n"),
        case("a.off", "OFF\n-3 1 0\n"),
        case("a.off", "OFF\n99999999999 1 0\n"),
        case("a.off", off("3 1 0", "")),
        case("a.off", off("4 1 0", "3 0 1 2\n")),
        case("a.off", off("999999 1 0", "")),
        case("a.off", off("3 2 0", "3 0 1 2\n")),
        case("a.off", off("3 1 0", "3 0 1 2\n3 0 1 2\n")),
        case("a.off", off("3 1 0", "3 0 1 3\n")),
        case("a.off", off("3 1 0", "3 0 1 -1\n")),
        case("a.off", off("3 1 0", "3 0 1\n")),
        case("a.off", off("3 1 0", "2 0 1\n")),
        case("a.off", off("3 1 0", "99999999999 0 1\n")),
        case("a.off", "OFF\n1 0 0\n1 2 inf\n"),
        case("a.off", "OFF 0 1 0\n3 0 0 0\n"),
    ]
}

fn ply_header_cases() -> Vec<Case> {
    vec![
        case("a.ply", "play\n"),
        case("a.ply", "ply\nformat ascii 2.0\n"),
        case("a.ply", "ply\nformat utf8 1.0\n"),
        case("a.ply", "ply\nhello\n"),
        case("a.ply", "ply\nend_header\n"),
        case("a.ply", "ply\nformat ascii 1.0\nproperty float x\n"),
        case("a.ply", "ply\nformat ascii 1.0\nelement vertex many\n"),
        case("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n"),
        case("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n"),
        case("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n"),
        case("a.ply", "ply\nformat ascii 1.0\nelement a 1\nelement a 1\n"),
        case(
            "a.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n",
        ),
        case(
            "a.ply",
            "ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2\n",
        ),
        case(
            "a.ply",
            "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int corners\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n0\n",
        ),
        case("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\n"),
        case(
            "a.ply",
            format!(
                "ply\nformat ascii 1.0\n{}",
                (0..2000).map(|i| format!("element e{i} 0\n")).collect::<String>()
            ),
        ),
    ]
}

fn ply_text_cases() -> Vec<Case> {
    vec![
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0\n0 1 0\n3 0 1 2\n")),
        case("a.ply", ply("ascii", "0 0 0 7\n")),
        case("a.ply", ply("ascii", "0 0 x\n")),
        case("a.ply", ply("ascii", "0 0 nan\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n2 0 1\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n4000000000 0 1\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n-3 0 1\n")),
        case("a.ply", ply("ascii", "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n")),
    ]
}

fn ply_binary_cases() -> Vec<Case> {
    vec![
        case("a.ply", binary_ply(&[])),
        case("a.ply", binary_ply(&[0; 17])),
        case("a.ply", binary_ply(&[0; 36])),
        case("a.ply", binary_ply(&[&[0; 36][..], &[3, 0, 0]].concat())),
        case("a.ply", binary_ply(&[&[0; 36][..], &[3, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0]].concat())),
        case("a.ply", binary_ply(&[&[0; 36][..], &[200, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0]].concat())),
        case("a.ply", binary_ply(&[&[0; 36][..], &[3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7]].concat())),
        case("a.ply", binary_ply(&[&[0; 20][..], &f32::INFINITY.to_le_bytes(), &[0; 40]].concat())),
        case("a.ply", binary_ply(&[0; 37])),
    ]
}

fn glb_cases() -> Vec<Case> {
    vec![
        case("a.glb", "glTF"),
        case("a.glb", glb(1, 0, b"{}")),
        case("a.glb", glb(2, 1, b"{}")),
        case("a.glb", with(glb(2, 0, b"{} "), 12, &[99, 0, 0, 0])),
        case("a.glb", with(glb(2, 0, b"{} "), 16, b"BIN\0")),
        case("a.glb", glb(2, 0, b"{\"asset\": 1}")),
        case("a.glb", &with(glb(2, 0, b"{}"), 8, &[15, 0, 0, 0])[..15]),
        case("a.glb", glb(2, 0, br#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}"#)),
    ]
}

#[test]
fn errors_tell_their_parts() {
    let error = read_bytes(b"v 0 0 0\nf 1 1 2\n", "part.obj", &ReadOptions::default()).unwrap_err();
    assert_eq!((error.name(), error.kind()), ("part.obj", Kind::Index));
    assert_eq!(error.place(), &Place::Line { line: 2, column: 7 });
    assert_eq!((error.found(), error.expected()), ("the face refers to vertex 2", "1 to 1"));
    assert_eq!(error.advice(), "the file has 1 vertices; it is cut off or wrong, export it again");
}

#[test]
fn a_given_format_is_not_guessed() {
    let options = ReadOptions { format: Some(MeshFormat::Obj), ..ReadOptions::default() };
    let error = read_bytes(b"OFF 3 1 0\n", "a.off", &options).unwrap_err().to_string();
    assert!(error.starts_with("a.off:1:1: found `OFF`; expected a statement of OBJ"), "{error}");
    let bytes =
        write_bytes(&common::two_triangles(), MeshFormat::PlyBigEndian, &WriteOptions::default()).unwrap();
    // The head of a PLY file knows better which PLY it is.
    let options = ReadOptions { format: Some(MeshFormat::PlyAscii), ..ReadOptions::default() };
    assert_eq!(read_bytes(&bytes, "", &options).unwrap().faces().len(), 2);
}
