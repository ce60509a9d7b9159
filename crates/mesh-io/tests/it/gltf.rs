//! glTF: everything that is read, with buffers written by hand.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFileError, ReadOptions, Weld, read_bytes};

/// Positions of a unit square as f32 (48 bytes), then the indices 0 1 2 0 2 3 as u8 (6 bytes), u16 (from 56) and u32 (from 68).
fn square() -> Vec<u8> {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let indices = [0u8, 1, 2, 0, 2, 3];
    bytes.extend(indices);
    bytes.resize(56, 0);
    bytes.extend(indices.iter().flat_map(|&i| u16::from(i).to_le_bytes()));
    bytes.extend(indices.iter().flat_map(|&i| u32::from(i).to_le_bytes()));
    bytes
}

fn base64(bytes: &[u8]) -> String {
    STANDARD_NO_PAD.encode(bytes)
}

/// A file over the bytes of [`square`]; accessor 0 has the positions, 1 to 3 the indices in u8, u16, u32.
fn file(rest: &str) -> String {
    let bytes = square();
    format!(
        r#"{{"asset":{{"version":"2.0"}},{rest},
        "accessors":[
          {{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
          {{"bufferView":0,"byteOffset":48,"componentType":5121,"count":6,"type":"SCALAR"}},
          {{"bufferView":0,"byteOffset":56,"componentType":5123,"count":6,"type":"SCALAR"}},
          {{"bufferView":0,"byteOffset":68,"componentType":5125,"count":6,"type":"SCALAR"}},
          {{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{0}}}],
        "buffers":[{{"byteLength":{0},"uri":"data:application/octet-stream;base64,{1}"}}]}}"#,
        bytes.len(),
        base64(&bytes),
    )
}

fn try_load(json: &str) -> Result<Mesh, MeshFileError> {
    read_bytes(json.as_bytes(), "a.gltf", &ReadOptions { weld: Weld::Off, ..ReadOptions::default() })
}

fn load(json: &str) -> Mesh {
    try_load(json).unwrap_or_else(|e| panic!("{e}"))
}

const MESH: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":2}]}]"#;

fn primitive(json: &str) -> String {
    file(&format!(r#""meshes":[{{"primitives":[{json}]}}]"#))
}

#[test]
fn indices_of_every_type() {
    for accessor in 1..=3 {
        let mesh = load(&primitive(&format!(r#"{{"attributes":{{"POSITION":0}},"indices":{accessor}}}"#)));
        assert_eq!((mesh.vertices().len(), mesh.faces()), (4, &[[0, 1, 2], [0, 2, 3]][..]));
        assert_eq!(mesh.vertices()[2], Vec3::new(1.0, 1.0, 0.0));
    }
    let mesh = load(&primitive(r#"{"attributes":{"NORMAL":0,"POSITION":4}}"#));
    assert_eq!((mesh.vertices().len(), mesh.faces()), (3, &[[0, 1, 2]][..]));
}

#[test]
fn strips_and_fans() {
    let faces = |json: &str| load(&primitive(json)).faces().to_vec();
    assert_eq!(faces(r#"{"attributes":{"POSITION":0},"mode":5}"#), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(faces(r#"{"attributes":{"POSITION":0},"mode":6}"#), [[0, 1, 2], [0, 2, 3]]);
    // 0 1 2 0 2 3 as a strip; the triangle 2 0 2 has no area and only connects.
    let strip = faces(r#"{"attributes":{"POSITION":0},"indices":1,"mode":5}"#);
    assert_eq!(strip, [[0, 1, 2], [2, 1, 0], [2, 0, 3]]);
}

#[test]
fn lines_and_points_are_passed_over() {
    let mixed = primitive(
        r#"{"attributes":{"POSITION":0},"mode":1},{"attributes":{"POSITION":0},"indices":1},{"attributes":{}}"#,
    );
    assert_eq!(load(&mixed).faces().len(), 2);
    let error = try_load(&primitive(r#"{"attributes":{"POSITION":0},"mode":0}"#)).unwrap_err();
    assert_eq!(error.to_string(), "a.gltf: meshes: the file holds only points and lines; expected triangles");
}

#[test]
fn primitives_share_their_positions() {
    let json = r#"{"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"indices":2}"#;
    let mesh = load(&primitive(json));
    assert_eq!((mesh.vertices().len(), mesh.faces().len()), (4, 4));
}

#[test]
fn nodes_place_their_meshes() {
    let nodes = r#""scenes":[{"nodes":[0]},{"nodes":[0,3]}],"nodes":[
        {"children":[1,2],"translation":[10,0,0]},
        {"mesh":0,"scale":[2,3,1],"rotation":[0,0,0.70710677,0.70710677]},
        {"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]},
        {"mesh":0},
        {"mesh":0,"translation":[99,99,99]}]"#;
    let mesh = load(&file(&format!("{nodes},{MESH}")));
    // Three squares; the node that no scene shows is not there.
    assert_eq!((mesh.vertices().len(), mesh.faces().len()), (12, 6));
    let near = |p: Vec3, q: Vec3| assert!(p.distance(q) < 1e-9, "{p} instead of {q}");
    // Scaled, then turned by 90 degrees about z, then moved with the parent.
    near(mesh.vertices()[1], Vec3::new(10.0, 2.0, 0.0));
    near(mesh.vertices()[3], Vec3::new(7.0, 0.0, 0.0));
    // Mirrored, so the winding is turned: the normal still points up.
    near(mesh.vertices()[5], Vec3::new(9.0, 0.0, 5.0));
    for [a, b, c] in mesh.triangles() {
        assert!((b - a).cross(c - a).z > 0.0);
    }
}

#[test]
fn without_scenes_the_roots_count() {
    let nodes = r#""nodes":[{"mesh":0},{"children":[0],"scale":[2,2,2]},{"mesh":0}]"#;
    let mesh = load(&file(&format!("{nodes},{MESH}")));
    assert_eq!(mesh.faces().len(), 4);
    assert_eq!(mesh.aabb().max, Vec3::new(2.0, 2.0, 0.0));
}

#[test]
fn strides_normalized_and_sparse() {
    // i16 positions, normalized, 8 bytes apart; elements 1 and 2 of them replaced.
    let mut bytes: Vec<u8> = Vec::new();
    for p in [[0i16, 0, 0, 9], [32767, 0, 0, 9], [-32768, 32767, 0, 9]] {
        bytes.extend(p.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend([1, 2]);
    for p in [[16384i16, 0, 0], [0, 0, 32767]] {
        bytes.extend(p.iter().flat_map(|x| x.to_le_bytes()));
    }
    let json = |sparse: &str, extra: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{{extra}"componentType":5122,"count":3,"type":"VEC3"{sparse}}}],
            "bufferViews":[{{"buffer":0,"byteLength":24,"byteStride":8}},{{"buffer":0,"byteOffset":24,"byteLength":2}},
              {{"buffer":0,"byteOffset":26,"byteLength":12}}],
            "buffers":[{{"byteLength":38,"uri":"data:;base64,{}"}}]}}"#,
            base64(&bytes)
        )
    };
    let dense = r#""bufferView":0,"normalized":true,"#;
    let sparse =
        r#","sparse":{"count":2,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}"#;
    let vertices = |json: String| load(&json).vertices().to_vec();
    assert_eq!(vertices(json("", dense)), [Vec3::ZERO, Vec3::X, Vec3::new(-1.0, 1.0, 0.0)]);
    assert_eq!(vertices(json(sparse, dense)), [Vec3::ZERO, Vec3::X * 16384.0 / 32767.0, Vec3::Z]);
    // Without data of its own the rest is zero.
    assert_eq!(
        vertices(json(sparse, r#""normalized":true,"#)),
        [Vec3::ZERO, Vec3::X * 16384.0 / 32767.0, Vec3::Z]
    );
    assert_eq!(vertices(json("", r#""bufferView":0,"#))[2], Vec3::new(-32768.0, 32767.0, 0.0));
}

#[track_caller]
fn refuse(json: &str, expected: &str) {
    let message = try_load(json).unwrap_err().to_string();
    assert_eq!(message.strip_prefix("a.gltf: ").unwrap_or(&message), expected);
}

#[test]
fn what_is_not_read_is_named() {
    let required = |name: &str| file(&format!(r#""extensionsRequired":["{name}"],{MESH}"#));
    refuse(
        &required("KHR_draco_mesh_compression"),
        "extensionsRequired: the file requires the extension `KHR_draco_mesh_compression`, which is not read\n  \
         help: export it without compression and extensions",
    );
    assert_eq!(load(&required("KHR_materials_unlit")).faces().len(), 2);
    refuse(
        &primitive(
            r#"{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{"bufferView":0}}}"#,
        ),
        "meshes[0].primitives[0]: the mesh is compressed with Draco, which is not read\n  help: export it without compression",
    );
    refuse(
        &file(MESH).replace(r#""buffer":0,"#, r#""buffer":0,"extensions":{"EXT_meshopt_compression":{}},"#),
        "bufferViews[0]: the data is compressed with meshopt, which is not read\n  help: export it without compression",
    );
    refuse(
        &file(&format!(r#"{MESH},"nodes":[{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{}}}}}}]"#)),
        "nodes[0]: the node uses the extension `EXT_mesh_gpu_instancing`, which is not read\n  help: export it without instancing",
    );
    refuse(
        &file(MESH).replace("2.0", "1.0"),
        "asset.version: the file has glTF version `1.0`; expected version 2.0",
    );
    refuse(
        &file(MESH).replace("\"bufferView\":0,\"componentType\":5126", "\"componentType\":5126"),
        "accessors[0]: the accessor has no data of its own; expected a `bufferView`\n  \
         help: the data may be compressed; export it without compression",
    );
}

#[test]
fn buffers_elsewhere_are_refused() {
    for uri in [
        "http://x/y.bin",
        "/etc/passwd",
        "../up.bin",
        "a/../../b.bin",
        "a\\\\b.bin",
        "C:/x.bin",
        "%2e%2e/up.bin",
        "file:x",
        "",
    ] {
        let json = file(MESH);
        let start = json.find("data:").unwrap();
        let end = start + json[start..].find('"').unwrap();
        let error = try_load(&format!("{}{uri}{}", &json[..start], &json[end..])).unwrap_err().to_string();
        assert!(error.starts_with("a.gltf: buffers[0].uri: the buffer lies at"), "{error}");
    }
}

#[test]
fn damage_is_found() {
    let damaged = |from: &str, to: &str| file(MESH).replacen(from, to, 1);
    let cut = "the file is cut off or damaged; copy or export it again";
    refuse(
        &damaged(r#""count":4"#, r#""count":9"#),
        &format!(
            "accessors[0]: 9 elements of 12 bytes, 12 bytes apart, from 0 on; expected what fits buffer view 0, which has 92 bytes\n  help: {cut}"
        ),
    );
    refuse(
        &damaged(r#""count":4"#, r#""count":4000000000000"#),
        "accessors[0].count: 4000000000000 elements are more than the size of the file allows; expected at most 2796202\n  \
         help: the file is damaged, or it repeats its meshes very often; export it in parts",
    );
    refuse(
        &damaged(r#""count":4"#, r#""count":3"#),
        "accessors[2]: index 5 refers to vertex 3; expected below 3, the number of positions",
    );
    refuse(
        &damaged(r#""indices":2"#, r#""indices":7"#),
        "meshes[0].primitives[0].indices: it refers to accessor 7; expected below 5",
    );
    refuse(
        &damaged(r#""indices":2"#, r#""indices":0"#),
        "accessors[0]: indices of type `VEC3` and component type 5126; expected `SCALAR` and 5121, 5123 or 5125",
    );
    refuse(&damaged(r#""VEC3""#, r#""VEC2""#), "accessors[0]: positions of type `VEC2`; expected `VEC3`");
    refuse(
        &damaged("5126", "5130"),
        "accessors[0]: the component type 5130 does not exist; expected 5120 to 5126",
    );
    refuse(
        &damaged(r#""indices":2"#, r#""mode":9"#),
        "meshes[0].primitives[0]: the draw mode 9 does not exist; expected 0 to 6",
    );
    refuse(
        &damaged(r#","indices":2"#, ""),
        "meshes[0].primitives[0]: 4 corners; expected a multiple of 3, for triangles",
    );
    refuse(
        &damaged(r#""buffer":0"#, r#""buffer":1"#),
        "bufferViews[0]: it refers to buffer 1; expected below 1",
    );
    refuse(
        &damaged(r#""buffer":0"#, r#""byteOffset":18446744073709551615,"buffer":0"#),
        "bufferViews[0]: 92 bytes from 18446744073709551615 on; expected a part of the buffer, which has 92 bytes",
    );
    refuse(
        &damaged(r#""buffers":[{"byteLength":92"#, r#""buffers":[{"byteLength":99"#),
        &format!(
            "buffers[0].byteLength: the buffer claims 99 bytes, but its data has 92; expected as many bytes as claimed\n  help: {cut}"
        ),
    );
    refuse(
        &damaged("base64,AAAA", "base64,AA*A"),
        "buffers[0].uri: character 3 of the base64 text is wrong; expected `data:application/octet-stream;base64,` and base64 text",
    );
    refuse(
        &damaged(";base64,", ","),
        "buffers[0].uri: the `data:` address is not in base64; expected `data:application/octet-stream;base64,` and base64 text",
    );
    let nodes = |json: &str| file(&format!(r#"{MESH},{json}"#));
    let tree = "the node is its own ancestor or has two parents; expected a tree of nodes";
    refuse(
        &nodes(r#""scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"children":[0]}]"#),
        &format!("nodes[0]: {tree}"),
    );
    refuse(
        &nodes(r#""scenes":[{"nodes":[0]}],"nodes":[{"children":[1,1]},{"mesh":0}]"#),
        &format!("nodes[1]: {tree}"),
    );
    refuse(&nodes(r#""nodes":[{"mesh":3}]"#), "nodes[0]: it refers to mesh 3; expected below 1");
    refuse(
        &nodes(r#""nodes":[{"children":[3]}]"#),
        "nodes[0].children: it refers to node 3; expected below 1",
    );
    refuse(
        &nodes(r#""nodes":[{}],"scenes":[{"nodes":[3]}]"#),
        "scenes[0].nodes: it refers to node 3; expected below 1",
    );
    refuse(
        &nodes(r#""nodes":[{"mesh":0,"scale":[1e60,1,1]}]"#),
        "meshes[0].primitives[0]: the transforms of the nodes take positions out of range; expected coordinates of magnitude at most 1e50",
    );
    refuse(
        &nodes(r#""nodes":[{"mesh":0,"rotation":[0,0,0,0]}]"#),
        "nodes[0]: the rotation has no length; expected a unit quaternion",
    );
    refuse(
        &nodes(r#""nodes":[{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]"#),
        "nodes[0]: the matrix does not end in the row 0 0 0 1; expected an affine transform",
    );
    refuse(
        &nodes(r#""nodes":[{"mesh":-1}]"#),
        "nodes[0]: invalid value: integer `-1`, expected u32; expected a node of glTF 2.0",
    );
    // All nodes in a circle: no root, nothing to see.
    refuse(
        &nodes(r#""nodes":[{"children":[1]},{"children":[0]}]"#),
        "the file holds no triangles; expected at least one triangle",
    );
}

#[test]
fn nonsense_numbers_are_found() {
    let json = file(MESH);
    let not_a_number = base64(&f32::NAN.to_le_bytes());
    let json = json.replacen("base64,AAAAAA", &format!("base64,{not_a_number}"), 1);
    let error = try_load(&json).unwrap_err().to_string();
    assert!(error.starts_with("a.gltf: accessors[0]: position 0 has the coordinate NaN"), "{error}");
}

#[test]
fn repetition_is_limited() {
    // 100 000 nodes that show a mesh of 20 000 positions: 80 GB from a file of 2 MB.
    let bytes = vec![0; 12 * 20_000];
    let nodes = vec![r#"{"mesh":0}"#; 100_000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":6}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":20000,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":240000}}],"buffers":[{{"byteLength":240000,"uri":"data:;base64,{}"}}]}}"#,
        base64(&bytes)
    );
    let error = try_load(&json).unwrap_err().to_string();
    assert!(error.contains("elements are more than the size of the file allows"), "{error}");
}

#[test]
fn repetition_without_result_is_limited() {
    // A strip of 10 000 equal indices has no triangles; shown 100 000 times it would still take minutes.
    let nodes = vec![r#"{"mesh":0}"#; 100_000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":5}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}},{{"bufferView":0,"componentType":5121,"count":10000,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":10000}}],"buffers":[{{"byteLength":10000,"uri":"data:;base64,{}"}}]}}"#,
        base64(&[0; 10_000])
    );
    let error = try_load(&json).unwrap_err().to_string();
    assert!(error.contains("elements are more than the size of the file allows"), "{error}");
}

#[test]
fn json_errors_have_positions() {
    let error = |json: &str| try_load(json).unwrap_err().to_string();
    assert_eq!(
        error("{\"asset\":{\"version\":\"2.0\"},\n \"nodes\":[1,]}"),
        "a.gltf:2:13: this is not the JSON of a glTF 2.0 file: trailing comma"
    );
    assert_eq!(
        error("{\"asset\":{}}"),
        "a.gltf:1:11: this is not the JSON of a glTF 2.0 file: missing field `version`"
    );
    assert_eq!(
        error("{\"asset\":{\"version\":\"2.0"),
        "a.gltf:1:24: the JSON of this glTF file ends too early; expected its closing brackets\n  \
         help: the file is cut off; copy or export it again"
    );
    let deep = format!("{{\"asset\":{}", "[".repeat(100_000));
    assert!(
        error(&deep).starts_with("a.gltf:1:10: this is not the JSON of a glTF 2.0 file: "),
        "{}",
        error(&deep)
    );
    // What is passed over may be as deep as it likes.
    let deep = file(&format!(r#""extras":{}1{},{MESH}"#, "[".repeat(100_000), "]".repeat(100_000)));
    assert_eq!(load(&deep).faces().len(), 2);
    let deep = file(&format!(r#""nodes":[{}1{}],{MESH}"#, "[".repeat(100_000), "]".repeat(100_000)));
    assert!(error(&deep).starts_with("a.gltf: nodes[0]: "), "{}", error(&deep));
}
