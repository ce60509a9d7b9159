//! Arrays of numbers in the buffers of a glTF file.

use super::buffers::Buffers;
use super::document::{Accessor, Document};
use super::entry_error;
use crate::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::MAX_COORDINATE;

/// Type of one number.
#[derive(Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32, entry: &str) -> Result<Component> {
        Ok(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => {
                let found = format!("the component type {code} does not exist");
                return Err(entry_error(Kind::Syntax, entry, found, "5120 to 5126"));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// The number at the beginning of `bytes`, which has to be long enough.
    #[inline]
    fn whole(self, bytes: &[u8]) -> u32 {
        match self {
            Component::U16 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
            Component::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            _ => bytes[0].into(),
        }
    }

    /// The same as a coordinate; normalized whole numbers mean 0 to 1 or -1 to 1.
    #[inline]
    fn real(self, bytes: &[u8], normalized: bool) -> f64 {
        let (value, largest) = match self {
            Component::I8 => (f64::from(bytes[0] as i8), f64::from(i8::MAX)),
            Component::U8 => (f64::from(bytes[0]), f64::from(u8::MAX)),
            Component::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), f64::from(i16::MAX)),
            Component::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), f64::from(u16::MAX)),
            Component::U32 => (f64::from(self.whole(bytes)), f64::from(u32::MAX)),
            Component::F32 => return f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into(),
        };
        if normalized { (value / largest).max(-1.0) } else { value }
    }
}

/// Equally spaced elements in the bytes of a buffer view.
struct View<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
}

impl View<'_> {
    /// The bytes from each element on.
    fn elements(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|i| &self.bytes[i * self.stride..])
    }
}

/// Reads accessors of one document.
pub(super) struct Accessors<'d, 'a> {
    pub(super) document: &'d Document<'a>,
    pub(super) buffers: Buffers<'d>,
}

impl<'d, 'a> Accessors<'d, 'a> {
    /// An accessor, whose count is at most `most`.
    fn get(&self, index: u32, most: usize, parent: &str) -> Result<(&'d Accessor<'a>, usize)> {
        let accessor = self
            .document
            .accessors
            .get(index as usize)
            .ok_or_else(|| no_such(parent, "accessor", index, self.document.accessors.len()))?;
        match usize::try_from(accessor.count) {
            Ok(count) if count <= most => Ok((accessor, count)),
            _ => {
                let found = format!("{} elements are more than the size of the file allows", accessor.count);
                let entry = format!("accessors[{index}].count");
                Err(entry_error(Kind::TooLarge, &entry, found, format!("at most {most}"))
                    .help("the file is damaged, or it repeats its meshes very often; export it in parts"))
            }
        }
    }

    /// The points of an accessor, at most `most`.
    pub(super) fn positions(&mut self, index: u32, most: usize, parent: &str) -> Result<Vec<Vec3>> {
        let (accessor, count) = self.get(index, most, parent)?;
        let entry = format!("accessors[{index}]");
        if accessor.shape != "VEC3" {
            let found = format!("positions of type {}", crate::text::quote(accessor.shape.as_bytes()));
            return Err(entry_error(Kind::Syntax, &entry, found, "`VEC3`"));
        }
        let component = Component::of(accessor.component_type, &entry)?;
        let size = component.size();
        let point = |bytes: &[u8]| {
            let axis = |i: usize| component.real(&bytes[i * size..], accessor.normalized);
            Vec3::new(axis(0), axis(1), axis(2))
        };
        let mut points = match accessor.buffer_view {
            Some(view) => self
                .view(view, accessor.byte_offset, count, 3 * size, &entry)?
                .elements()
                .map(point)
                .collect(),
            None if accessor.sparse.is_some() => vec![Vec3::ZERO; count],
            None => return Err(without_data(&entry)),
        };
        if let Some(sparse) = &accessor.sparse {
            let (places, values) = self.sparse(sparse, count, &entry)?;
            let view = self.view(values, sparse.values.byte_offset, places.len(), 3 * size, &entry)?;
            for (&place, bytes) in places.iter().zip(view.elements()) {
                points[place as usize] = point(bytes);
            }
        }
        let bad = |p: &Vec3| p.to_array().into_iter().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE);
        if let Some((i, value)) = points.iter().enumerate().find_map(|(i, p)| Some((i, bad(p)?))) {
            let found = format!("position {i} has the coordinate {value:?}");
            return Err(entry_error(Kind::Coordinate, &entry, found, "finite numbers")
                .help("the program that wrote the file computed nonsense here; export it again"));
        }
        Ok(points)
    }

    /// The whole numbers of an accessor, at most `most`, each below `limit`.
    pub(super) fn indices(
        &mut self,
        index: u32,
        most: usize,
        limit: usize,
        parent: &str,
    ) -> Result<Vec<u32>> {
        let (accessor, count) = self.get(index, most, parent)?;
        let entry = format!("accessors[{index}]");
        let component = Component::of(accessor.component_type, &entry)?;
        if accessor.shape != "SCALAR" || !matches!(component, Component::U8 | Component::U16 | Component::U32)
        {
            let shape = crate::text::quote(accessor.shape.as_bytes());
            let found = format!("indices of type {shape} and component type {}", accessor.component_type);
            return Err(entry_error(Kind::Syntax, &entry, found, "`SCALAR` and 5121, 5123 or 5125"));
        }
        let mut indices: Vec<u32> = match accessor.buffer_view {
            Some(view) => {
                let view = self.view(view, accessor.byte_offset, count, component.size(), &entry)?;
                view.elements().map(|bytes| component.whole(bytes)).collect()
            }
            None if accessor.sparse.is_some() => vec![0; count],
            None => return Err(without_data(&entry)),
        };
        if let Some(sparse) = &accessor.sparse {
            let (places, values) = self.sparse(sparse, count, &entry)?;
            let view =
                self.view(values, sparse.values.byte_offset, places.len(), component.size(), &entry)?;
            for (&place, bytes) in places.iter().zip(view.elements()) {
                indices[place as usize] = component.whole(bytes);
            }
        }
        match indices.iter().position(|&i| i as usize >= limit) {
            None => Ok(indices),
            Some(at) => {
                let found = format!("index {at} refers to vertex {}", indices[at]);
                Err(entry_error(
                    Kind::Index,
                    &entry,
                    found,
                    format!("below {limit}, the number of positions"),
                ))
            }
        }
    }

    /// The places that a sparse accessor replaces, all below `count`, and the view of its values.
    fn sparse(
        &mut self,
        sparse: &super::document::Sparse,
        count: usize,
        entry: &str,
    ) -> Result<(Vec<u32>, u32)> {
        let entry = format!("{entry}.sparse");
        let component = Component::of(sparse.indices.component_type, &entry)?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            let found = format!("indices of component type {}", sparse.indices.component_type);
            return Err(entry_error(Kind::Syntax, &entry, found, "5121, 5123 or 5125"));
        }
        let replaced = usize::try_from(sparse.count).ok().filter(|&n| n <= count).ok_or_else(|| {
            let found = format!("{} replaced elements", sparse.count);
            entry_error(Kind::Count, &entry, found, format!("at most {count}, the number of elements"))
        })?;
        let part = &sparse.indices;
        let view = self.view(part.buffer_view, part.byte_offset, replaced, component.size(), &entry)?;
        let places: Vec<u32> = view.elements().map(|bytes| component.whole(bytes)).collect();
        match places.iter().find(|&&place| place as usize >= count) {
            None => Ok((places, sparse.values.buffer_view)),
            Some(place) => {
                let found = format!("element {place} is replaced");
                Err(entry_error(Kind::Index, &entry, found, format!("below {count}, the number of elements")))
            }
        }
    }

    /// `count` elements of `size` bytes each; all of them lie inside their buffer.
    fn view(&mut self, index: u32, offset: u64, count: usize, size: usize, entry: &str) -> Result<View<'_>> {
        let document = self.document;
        let view = document
            .buffer_views
            .get(index as usize)
            .ok_or_else(|| no_such(entry, "buffer view", index, document.buffer_views.len()))?;
        let name = format!("bufferViews[{index}]");
        if view.extensions.meshopt.is_some() {
            let found = "the data is compressed with meshopt, which is not read";
            return Err(
                entry_error(Kind::Unsupported, &name, found, "").help("export it without compression")
            );
        }
        let buffer = document
            .buffers
            .get(view.buffer as usize)
            .ok_or_else(|| no_such(&name, "buffer", view.buffer, document.buffers.len()))?;
        let bytes = self.buffers.get(view.buffer, buffer)?;
        let slice = |bytes: &'_ [u8], start: u64, length: u64| -> Option<std::ops::Range<usize>> {
            let end = start.checked_add(length)?;
            (end <= bytes.len() as u64).then_some(start as usize..end as usize)
        };
        let Some(range) = slice(bytes, view.byte_offset, view.byte_length) else {
            let found = format!("{} bytes from {} on", view.byte_length, view.byte_offset);
            let expected = format!("a part of the buffer, which has {} bytes", bytes.len());
            return Err(entry_error(Kind::Truncated, &name, found, expected));
        };
        let bytes = &bytes[range];
        let stride = if view.byte_stride == 0 { size as u64 } else { view.byte_stride };
        let last =
            (count as u64).saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size as u64));
        let needed = if count == 0 { Some(0) } else { last };
        let range = needed.and_then(|needed| slice(bytes, offset, needed)).filter(|_| stride >= size as u64);
        let Some(range) = range else {
            let found = format!("{count} elements of {size} bytes, {stride} bytes apart, from {offset} on");
            let expected = format!("what fits buffer view {index}, which has {} bytes", bytes.len());
            return Err(entry_error(Kind::Truncated, entry, found, expected)
                .help("the file is cut off or damaged; copy or export it again"));
        };
        Ok(View { bytes: &bytes[range], stride: stride as usize, count })
    }
}

pub(super) fn no_such(entry: &str, what: &str, index: u32, count: usize) -> MeshFileError {
    entry_error(Kind::Index, entry, format!("it refers to {what} {index}"), format!("below {count}"))
}

fn without_data(entry: &str) -> MeshFileError {
    entry_error(Kind::Unsupported, entry, "the accessor has no data of its own", "a `bufferView`")
        .help("the data may be compressed; export it without compression")
}
