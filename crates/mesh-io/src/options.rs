//! What the caller may choose when reading and writing.

use super::{MeshFormat, Unit};

/// Which vertices of a file become one vertex of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Vertices with exactly the same coordinates are one (-0.0 counts as 0.0). The default, for all formats: STL
    /// has no shared vertices at all, and glTF and PLY repeat a vertex wherever its normal or texture changes.
    /// The order of first appearance is kept, so a file without repeated vertices is read as it was numbered.
    #[default]
    Exact,
    /// As `Exact`, and then vertices at most this distance in metres apart are one as well. Taken in order, each joins the
    /// nearest earlier vertex that stays, so none moves further than this. Triangles may lose their area; they stay.
    Within(f64),
    /// Vertices stay as the file has them: for STL three of their own for every triangle.
    Off,
}

/// How to read a mesh file. `ReadOptions::default()` suits a file in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Unit of the numbers in the file. Not used for glTF, which is in metres by definition.
    pub units: Unit,
    /// Which vertices become one.
    pub weld: Weld,
    /// The format; `None` finds it by the content and then by the extension.
    pub format: Option<MeshFormat>,
}

/// How to write a mesh file. `WriteOptions::default()` takes the format from the extension and writes metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Unit of the numbers in the mesh: metres, unless it was read without conversion. Where it is that of the file
    /// too, the numbers are written as they are, to the last bit.
    pub mesh_units: Unit,
    /// Unit of the numbers in the file. Not used for glTF, which is in metres by definition.
    pub units: Unit,
    /// The format; `None` takes it from the extension.
    pub format: Option<MeshFormat>,
}

impl WriteOptions {
    /// A number of the mesh as it stands in the file.
    pub(crate) fn number(&self, x: f64) -> f64 {
        self.mesh_units.convert(x, self.units)
    }
}
