//! Small files that use every part of the formats that is read.

use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{ReadOptions, Weld, read_bytes};

fn load(name: &str, content: impl AsRef<[u8]>) -> Mesh {
    let options = ReadOptions { weld: Weld::Off, ..ReadOptions::default() };
    read_bytes(content.as_ref(), name, &options).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn check(name: &str, content: impl AsRef<[u8]>, vertices: usize, faces: &[[u32; 3]]) {
    let mesh = load(name, content);
    assert_eq!((mesh.vertices().len(), mesh.faces()), (vertices, faces));
}

const FACET: &str = "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n";

#[test]
fn ascii_stl() {
    let one = [[0, 1, 2]];
    let two = [[0, 1, 2], [3, 4, 5]];
    check("a.stl", format!("solid a name with facet and normal in it\n{FACET}endsolid a"), 3, &one);
    check("upper case", format!("SOLID A\n{}ENDSOLID A\n", FACET.to_uppercase()), 3, &one);
    check("no name", format!("solid\n{FACET}endsolid"), 3, &one);
    check("no end", format!("solid\n{FACET}"), 3, &one);
    check("no last line end", format!("solid\n{}", FACET.trim_end()), 3, &one);
    check("two solids", format!("solid a\n{FACET}endsolid a\nsolid b\n{FACET}endsolid b\n"), 6, &two);
    check("second without end", format!("solid a\n{FACET}\nsolid b\n{FACET}"), 6, &two);
    check("blank lines", format!("\n\n  solid a\n\n{FACET}\n\n{FACET}\nendsolid a\n\n"), 6, &two);
    check("carriage returns", format!("solid a\n{FACET}endsolid a\n").replace('\n', "\r\n"), 3, &one);
    check("tabs", format!("solid a\n{}", FACET.replace(' ', "\t")), 3, &one);
    check(
        "no numbers in the normal",
        format!("solid\n{}", FACET.replace("0 0 1 outer", "-nan(ind) nan x outer")),
        3,
        &one,
    );
    check("no normal", format!("solid\n{}", FACET.replace("normal 0 0 1 ", "")), 3, &one);
    check("byte order mark", format!("\u{feff}solid\n{FACET}"), 3, &one);
    check("end of file sign", format!("solid\n{FACET}endsolid\n\u{1a}"), 3, &one);
    let exponents = FACET.replace("vertex 1 0 0", "vertex +1.5E+002 -2.5e-1 .5");
    assert_eq!(load("", format!("solid\n{exponents}")).vertices()[1], Vec3::new(150.0, -0.25, 0.5));
}

/// A binary STL file; the attribute bytes are not zero.
fn binary_stl(header: &str, corners: &[[f32; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..header.len()].copy_from_slice(header.as_bytes());
    bytes.extend((corners.len() as u32 / 3).to_le_bytes());
    for triangle in corners.chunks(3) {
        bytes.extend([f32::NAN; 3].iter().chain(triangle.iter().flatten()).flat_map(|x| x.to_le_bytes()));
        bytes.extend([0xAB, 0xCD]);
    }
    bytes
}

#[test]
fn binary_stl_files() {
    let corners = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 1.0, -0.0]];
    let mesh = load("a.stl", binary_stl("solid and yet binary", &corners));
    assert_eq!(mesh.vertices()[1], Vec3::new(1.5, 0.0, 0.0));
    check("wrong.obj", binary_stl("", &corners), 3, &[[0, 1, 2]]);
    // Less than a triangle behind the end is let pass.
    for rest in [&b"\n"[..], &[0; 49]] {
        let mut bytes = binary_stl("", &corners);
        bytes.extend(rest);
        check("a.stl", bytes, 3, &[[0, 1, 2]]);
    }
    let twice =
        read_bytes(&binary_stl("", &[corners, corners].concat()), "", &ReadOptions::default()).unwrap();
    assert_eq!((twice.vertices().len(), twice.faces()), (3, &[[0, 1, 2], [0, 1, 2]][..]));
}

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn obj() {
    let obj = |faces: &str| format!("{CORNERS}{faces}\n");
    let two = [[0, 1, 2], [0, 2, 3]];
    check("a.obj", obj("f 1 2 3\nf 1 3 4"), 4, &two);
    check("a.obj", obj("f 1 2 3 4"), 4, &two);
    check("textures", obj("vt 0 0\nf 1/1 2/1 3/1 4/1"), 4, &two);
    check("normals", obj("vn 0 0 1\nf 1//1 2//1 3//1 4//1"), 4, &two);
    check("both", obj("vt 0 0\nvn 0 0 1\nf 1/1/1 2/1/-1 3/-1/1 4/1/1"), 4, &two);
    check("empty parts", obj("f 1// 2// 3// 4/"), 4, &two);
    check("negative", obj("f -4 -3 -2 -1"), 4, &two);
    check("mixed", obj("f 1 -3/2 -2 -1//"), 4, &two);
    check("continued", obj("f 1 2 \\\n 3 \\\r\n4"), 4, &two);
    check("continued at once", obj("f 1 2 3\\\n 4"), 4, &two);
    check("comments", obj("# f 9 9 9\nf 1 2 3 4 # and f 9 9 9"), 4, &two);
    check("carriage returns", obj("f 1 2 3 4").replace('\n', "\r\n"), 4, &two);
    check("blanks", obj("  f\t1  2\t3 4  "), 4, &two);
    check("no last line end", obj("f 1 2 3 4").trim_end(), 4, &two);
    check("byte order mark", format!("\u{feff}{}", obj("f 1 2 3 4")), 4, &two);
    check("obsolete statement", obj("fo 1 2 3 4"), 4, &two);
    check("weights and colours", obj("f 1 2 3 4").replace(" 0\n", " 0 1.0 nan x\n"), 4, &two);
    let rest = "o name\ng a b\ns off\ns 1\nusemtl m\nmtllib m.mtl\nl 1 2\np 1\nvp 0\nlod 1\nvn 0 0 1\n";
    check("what else there is", obj(&format!("{rest}f 1 2 3 4\n{rest}")), 4, &two);
    check("joined lines that are passed over", obj("g a \\\nf 9 9 9\nf 1 2 3 4"), 4, &two);
    check("two objects", obj("o a\nf 1 2 3\no b\nv 5 5 5\nf 5 -2 -3"), 5, &[[0, 1, 2], [4, 3, 2]]);
    // Faces may come before their vertices, and even negative references then count from where they stand.
    check(
        "forward",
        format!("f 1 2 3 4\nv 0 1 0\nf 1 -1 2\n{CORNERS}"),
        5,
        &[[0, 1, 2], [0, 2, 3], [0, 0, 1]],
    );
}

#[test]
fn concave_faces() {
    // A fan from the first corner would cover the notch.
    check("arrow.obj", "v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\n", 4, &[[0, 1, 2], [2, 3, 0]]);
    let area =
        |mesh: &Mesh| mesh.triangles().map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum::<f64>();
    let comb = "OFF 8 1 0\n0 0 0\n5 0 0\n5 3 0\n4 3 0\n4 1 0\n1 1 0\n1 3 0\n0 3 0\n8 0 1 2 3 4 5 6 7\n";
    let mesh = load("comb.off", comb);
    assert_eq!((mesh.faces().len(), area(&mesh)), (6, 9.0));
}

#[test]
fn off() {
    let body = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    let two = [[0, 1, 2], [0, 2, 3]];
    check("a.off", format!("OFF\n4 1 0\n{body}"), 4, &two);
    check("counts in the first line", format!("OFF 4 1 4\n{body}"), 4, &two);
    check("counts without a blank", format!(" \t OFF4 1 4 # so\n{body}"), 4, &two);
    check("no edges", format!("OFF\n4 1\n{body}"), 4, &two);
    check("comments", format!("# a\nOFF\n# b\n\n4 1 0\n#c\n{}", body.replace('\n', " # d\n\n")), 4, &two);
    check("carriage returns", format!("OFF\n4 1 0\n{body}").replace('\n', "\r\n"), 4, &two);
    check("face colours", format!("OFF\n4 1 0\n{}", body.replace("2 3\n", "2 3 1.0 0.5 0 1\n")), 4, &two);
    check("no last line end", format!("OFF\n4 1 0\n{}", body.trim_end()), 4, &two);
    for head in ["COFF", "NOFF", "STOFF", "CNOFF", "STCNOFF"] {
        check(head, format!("{head}\n4 1 0\n{}", body.replace(" 0\n", " 0 1 2 3 4\n")), 4, &two);
    }
}

#[test]
fn ply_text() {
    let head = "ply\nformat ascii 1.0\ncomment c\nobj_info o\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
    let face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let body = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    let two = [[0, 1, 2], [0, 2, 3]];
    check("a.ply", format!("{head}{face}{body}"), 4, &two);
    check("a.ply", format!("{head}{face}{body}").replace('\n', "\r\n"), 4, &two);
    check("a.ply", format!("{head}{face}{body}").replace("vertex_indices", "vertex_index"), 4, &two);
    check("blank lines", format!("{head}{face}{}\n\n", body.replace('\n', "\n\n")), 4, &two);
    let order = "ply\nformat ascii 1.0\nelement empty 99999999\nelement vertex 4\nproperty uchar red\nproperty double z\n\
        property list char float extra\nproperty short x\nproperty int8 y\nelement edge 1\nproperty int a\nproperty list uint8 int b\n\
        element face 1\nproperty float64 quality\nproperty list uint uint32 vertex_index\nproperty list uchar float texcoord\nend_header\n\
        9 0 2 .5 .5 0 0\n9 0 0 1 0\n9 0 0 1 1\n9 0 1 7 0 1\n-5 2 1 1\n0.5 4 0 1 2 3 2 0.1 0.2\n";
    check("properties in any order", order, 4, &two);
    assert_eq!(load("", order).vertices()[2], Vec3::new(1.0, 1.0, 0.0));
    let faces_first = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 4\n\
        property float x\nproperty float y\nproperty float z\nend_header\n4 0 1 2 3\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    check("faces first", faces_first, 4, &two);
    let strips = "element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
        0 0 0\n1 0 0\n1 1 0\n0 1 0\n9 0 1 3 2 -1 0 1 1 2\n";
    check("strips", format!("{head}{strips}"), 4, &[[0, 1, 3], [3, 1, 2]]);
}

#[test]
fn ply_binary() {
    for is_little in [true, false] {
        let name = if is_little { "little" } else { "big" };
        let head = format!(
            "ply\nformat binary_{name}_endian 1.0\nelement vertex 3\nproperty uchar red\nproperty short x\nproperty list uchar ushort s\n\
             property float y\nproperty double z\nelement face 1\nproperty list ushort uchar vertex_indices\nproperty int flags\n\
             element tail 1\nproperty list char double d\nend_header\n"
        );
        let mut bytes = head.into_bytes();
        let mut put = |mut number: Vec<u8>| {
            if !is_little {
                number.reverse();
            }
            bytes.extend(number);
        };
        for [x, y, z] in [[0i16, 0, 0], [300, 0, 0], [-2, 1, 7]] {
            put(vec![255]);
            put(x.to_le_bytes().into());
            put(vec![1]);
            put(0xABCDu16.to_le_bytes().into());
            put(f32::from(y).to_le_bytes().into());
            put(f64::from(z).to_le_bytes().into());
        }
        put(3u16.to_le_bytes().into());
        [2, 1, 0].into_iter().for_each(|i| put(vec![i]));
        put((-7i32).to_le_bytes().into());
        put(vec![1]);
        put(1.5f64.to_le_bytes().into());
        check("a.ply", &bytes, 3, &[[2, 1, 0]]);
        let vertices = load("a.ply", &bytes).vertices().to_vec();
        assert_eq!(vertices[1..], [Vec3::new(300.0, 0.0, 0.0), Vec3::new(-2.0, 1.0, 7.0)]);
        bytes.extend(b"\r\n");
        check("a.ply", &bytes, 3, &[[2, 1, 0]]);
    }
}
