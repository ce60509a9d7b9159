//! PLY: as text and in both binary forms. Elements and properties in any order; what is neither a vertex position nor
//! the corners of a face is passed over.

mod body;
mod header;
mod write;

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::points::too_many_vertices;
use super::polygon;
use super::stl::Parts;
use super::text::Cursor;
use body::{Binary, Body, Text};
use freiraum_geometry::Vec3;
use header::{Element, Encoding, Header, Layout};

pub(crate) use write::write;

/// Reads a whole file in memory.
pub(crate) fn read(bytes: &[u8]) -> Result<Parts> {
    let mut cursor = Cursor::new(bytes);
    let header = Header::read(&mut cursor).map_err(|e| e.in_text(bytes))?;
    match header.encoding {
        Encoding::Text => read_body(&mut Text { cursor }, &header).map_err(|e| e.in_text(bytes)),
        Encoding::LittleEndian => read_body(&mut Binary::<true> { bytes, at: cursor.at }, &header),
        Encoding::BigEndian => read_body(&mut Binary::<false> { bytes, at: cursor.at }, &header),
    }
}

fn read_body(body: &mut impl Body, header: &Header) -> Result<Parts> {
    let mut vertices = None;
    let mut faces = Vec::new();
    // Faces that come before the vertices are passed over first and read in the end.
    let mut postponed = Vec::new();
    for element in &header.elements {
        match (element.name.as_str(), &vertices) {
            ("vertex", None) => vertices = Some(read_vertices(body, element)?),
            ("face" | "tristrips", Some(vertices)) => read_faces(body, element, vertices, &mut faces)?,
            ("face" | "tristrips", None) => {
                postponed.push((element, body.offset()));
                skip(body, element)?;
            }
            _ => skip(body, element)?,
        }
    }
    body.finish()?;
    let vertices = vertices.unwrap_or_default();
    for (element, start) in postponed {
        body.go_to(start);
        read_faces(body, element, &vertices, &mut faces)?;
    }
    Ok((vertices, faces))
}

fn skip(body: &mut impl Body, element: &Element) -> Result<()> {
    // Elements without properties take no bytes, whatever their count says.
    if element.properties.is_empty() {
        return Ok(());
    }
    for i in 0..element.count {
        body.begin(element, i)?;
        for property in &element.properties {
            let n = property.layout.values(body)?;
            body.skip(property.layout.kind(), n)?;
        }
        body.end()?;
    }
    Ok(())
}

fn read_vertices(body: &mut impl Body, element: &Element) -> Result<Vec<Vec3>> {
    let axis = |name: &str| {
        let found = element.properties.iter().position(|p| p.name == name);
        found.filter(|&i| matches!(element.properties[i].layout, Layout::Scalar(_))).ok_or_else(|| {
            let found = format!("the vertices have no property `{name}`");
            MeshFileError::at(Kind::Syntax, element.offset, found, "the properties x, y and z")
        })
    };
    let axes = [axis("x")?, axis("y")?, axis("z")?];
    if element.count >= u32::MAX as usize {
        return Err(too_many_vertices());
    }
    let mut vertices = Vec::with_capacity(element.count.min(body.most_elements(element)));
    let mut row = vec![0.0; element.properties.len()];
    for i in 0..element.count {
        body.begin(element, i)?;
        for (slot, property) in row.iter_mut().zip(&element.properties) {
            match property.layout {
                Layout::Scalar(kind) if property.is_coordinate => *slot = body.coordinate(kind)?,
                _ => {
                    let n = property.layout.values(body)?;
                    body.skip(property.layout.kind(), n)?;
                }
            }
        }
        body.end()?;
        vertices.push(Vec3::from_array(axes.map(|a| row[a])));
    }
    Ok(vertices)
}

fn read_faces(
    body: &mut impl Body,
    element: &Element,
    vertices: &[Vec3],
    faces: &mut Vec<[u32; 3]>,
) -> Result<()> {
    let is_strip = element.name == "tristrips";
    let is_corners = |name: &str| name == "vertex_indices" || name == "vertex_index";
    let corners_at = element.properties.iter().position(|p| is_corners(&p.name));
    let corners_at = corners_at.filter(|&i| matches!(element.properties[i].layout, Layout::List { .. }));
    let Some(corners_at) = corners_at.or_else(|| (element.count == 0).then_some(0)) else {
        let found = "the faces have no list `vertex_indices`";
        return Err(MeshFileError::at(
            Kind::Syntax,
            element.offset,
            found,
            "`property list uchar int vertex_indices`",
        ));
    };
    faces.reserve(element.count.min(body.most_elements(element)));
    let mut corners = Vec::new();
    for i in 0..element.count {
        body.begin(element, i)?;
        let start = body.offset();
        for (j, property) in element.properties.iter().enumerate() {
            let n = property.layout.values(body)?;
            if j == corners_at {
                corners.clear();
                for _ in 0..n {
                    corners.push(corner(body, property.layout.kind(), vertices.len(), is_strip)?);
                }
            } else {
                body.skip(property.layout.kind(), n)?;
            }
        }
        body.end()?;
        if is_strip {
            add_strips(&corners, faces);
        } else {
            polygon::add_face(&corners, vertices, faces, start)?;
        }
    }
    Ok(())
}

/// Stands between two strips of one list; in the file it is -1.
const RESTART: u32 = u32::MAX;

fn corner(body: &mut impl Body, kind: header::Kind, vertices: usize, is_strip: bool) -> Result<u32> {
    let at = body.offset();
    let value = body.scalar(kind)?;
    if value >= 0.0 && value < vertices as f64 && value.fract() == 0.0 {
        return Ok(value as u32);
    }
    if is_strip && value == -1.0 {
        return Ok(RESTART);
    }
    let expected = match vertices {
        0 => "vertices".to_owned(),
        n => format!("0 to {}", n - 1),
    };
    Err(MeshFileError::at(Kind::Index, at, format!("the face refers to vertex {value}"), expected)
        .help(format!("the file has {vertices} vertices, counted from 0")))
}

/// Triangles of strips: every further vertex makes one with the two before, every second one turned over.
fn add_strips(corners: &[u32], faces: &mut Vec<[u32; 3]>) {
    for strip in corners.split(|&c| c == RESTART) {
        for (i, w) in strip.windows(3).enumerate() {
            // Repeated vertices only connect the parts of a strip.
            if w[0] != w[1] && w[1] != w[2] && w[2] != w[0] {
                faces.push(if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] });
            }
        }
    }
}
