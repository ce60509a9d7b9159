//! The part of the JSON of a glTF file that is needed for triangles.

use super::entry_error;
use crate::error::{MeshFileErrorKind as Kind, Result};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) asset: Asset<'a>,
    #[serde(borrow, default)]
    pub(super) extensions_required: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(borrow, default)]
    pub(super) accessors: Vec<Accessor<'a>>,
    #[serde(default)]
    pub(super) meshes: Vec<MeshEntry>,
    /// Parsed when they are visited: kept as text they take less memory than three characters `{},` would make them.
    #[serde(borrow, default)]
    pub(super) nodes: Vec<&'a RawValue>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
}

#[derive(Deserialize)]
pub(super) struct Asset<'a> {
    #[serde(borrow)]
    pub(super) version: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer<'a> {
    pub(super) byte_length: u64,
    #[serde(borrow)]
    pub(super) uri: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    #[serde(default)]
    pub(super) byte_stride: u64,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor<'a> {
    pub(super) buffer_view: Option<u32>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(borrow, rename = "type")]
    pub(super) shape: Cow<'a, str>,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    /// Present for the indices.
    #[serde(default)]
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
pub(super) struct MeshEntry {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<u32>,
    /// Triangles unless told otherwise.
    pub(super) mode: Option<u32>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<u32>,
}

#[derive(Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<u32>,
    pub(super) mesh: Option<u32>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<IgnoredAny>,
}

/// Extensions that may be required because they leave the triangles as they are, or because they are read.
const HARMLESS: [&str; 7] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_animation_",
];

impl Document<'_> {
    /// Refuses files that cannot be understood without an extension that is not read.
    pub(super) fn check_extensions(&self) -> Result<()> {
        let unknown = |name: &&Cow<'_, str>| !HARMLESS.iter().any(|h| name.starts_with(h));
        match self.extensions_required.iter().find(unknown) {
            None => Ok(()),
            Some(name) => {
                let name = crate::text::quote(name.as_bytes());
                let found = format!("the file requires the extension {name}, which is not read");
                Err(entry_error(Kind::Unsupported, "extensionsRequired", found, "")
                    .help("export it without compression and extensions"))
            }
        }
    }
}
