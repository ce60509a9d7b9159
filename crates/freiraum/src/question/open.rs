//! Which shapes of a question have no inside.

use freiraum_query::Prepared;

/// Which shapes are open surfaces, or have one: whether a body behind such a surface is inside of it is not known, or does not count
/// for what is declared a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenSurfaces {
    /// The first shape.
    pub a: bool,
    /// The second shape.
    pub b: bool,
}

impl OpenSurfaces {
    /// Looks at both shapes.
    pub fn of(a: &Prepared, b: &Prepared) -> OpenSurfaces {
        OpenSurfaces { a: a.has_open_surface(), b: b.has_open_surface() }
    }

    /// `a`, `b`, both or none.
    pub fn names(self) -> Vec<&'static str> {
        [("a", self.a), ("b", self.b)].into_iter().filter(|(_, open)| *open).map(|(name, _)| name).collect()
    }
}
