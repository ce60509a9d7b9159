//! Binary STL: 80 bytes of anything, a count, then 50 bytes per triangle; f32, least significant byte first.
//!
//! Only the corners are read. The stored normals and the two attribute bytes are not used, and the winding decides
//! which side is outside.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::format::{STL_HEADER, STL_TRIANGLE};
use super::options::Weld;
use super::options::WriteOptions;
use super::points::{BATCH, Points};
use super::text;
use freiraum_geometry::{Mesh, Vec3};
use std::io::{Read, Write};

/// Where the corners of a triangle begin, behind its normal.
const CORNERS: usize = 12;

/// Triangles that are read from a file at once (200 kB).
const TRIANGLES_PER_CHUNK: usize = 4096;

/// Triangles whose corners are numbered at once.
const TRIANGLES_PER_BATCH: usize = BATCH / 3;

/// Vertices and faces.
pub(crate) type Parts = (Vec<Vec3>, Vec<[u32; 3]>);

/// Reads a whole file in memory.
pub(crate) fn read_slice(bytes: &[u8], weld: Weld) -> Result<Parts> {
    read_stream(&mut &bytes[..], bytes.len() as u64, weld)
}

/// Reads a file piece by piece; `length` is its size in bytes.
pub(crate) fn read_stream(file: &mut impl Read, length: u64, weld: Weld) -> Result<Parts> {
    let mut header = [0; STL_HEADER];
    let present = length.min(STL_HEADER as u64) as usize;
    let io = |e: std::io::Error| MeshFileError::io(&e, "read the file");
    file.read_exact(&mut header[..present]).map_err(io)?;
    let count = check_header(&header[..present], length)?;
    let mut triangles = Triangles::new(count, weld);
    let mut buffer = vec![0; count.min(TRIANGLES_PER_CHUNK) * STL_TRIANGLE];
    let mut left = count;
    while left > 0 {
        let chunk = &mut buffer[..left.min(TRIANGLES_PER_CHUNK) * STL_TRIANGLE];
        file.read_exact(chunk).map_err(io)?;
        triangles.add(chunk)?;
        left -= chunk.len() / STL_TRIANGLE;
    }
    Ok(triangles.finish())
}

/// The number of triangles, if it agrees with the length of the file. Less than one triangle of padding at the end
/// is let pass; more could be triangles that the count does not know of.
fn check_header(head: &[u8], length: u64) -> Result<usize> {
    if head.len() < STL_HEADER {
        let found = format!("the file ends after {length} bytes");
        return Err(MeshFileError::at(
            Kind::Truncated,
            head.len(),
            found,
            "a header of 84 bytes (binary STL)",
        )
        .help("the file is cut off or no STL file; copy or export it again"));
    }
    let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]);
    let claimed = STL_HEADER as u64 + STL_TRIANGLE as u64 * u64::from(count);
    let present = (length - STL_HEADER as u64) / STL_TRIANGLE as u64;
    if length < claimed || present > u64::from(count) {
        let kind = if length < claimed { Kind::Truncated } else { Kind::Count };
        let found = format!(
            "the header of this binary STL claims {count} triangles ({claimed} bytes), but the file has {length} bytes"
        );
        let help = if length < claimed { "the file is cut off or no STL file" } else { "the count is wrong" };
        return Err(MeshFileError::at(kind, 80, found, format!("a count of {present}"))
            .help(format!("{help}; copy or export it again")));
    }
    usize::try_from(count).map_err(|_| MeshFileError::at(Kind::TooLarge, 80, "too many triangles", ""))
}

/// Triangles collected so far.
struct Triangles {
    points: Points,
    faces: Vec<[u32; 3]>,
}

impl Triangles {
    /// Room for `count` triangles, which the caller has seen to be there.
    fn new(count: usize, weld: Weld) -> Triangles {
        // A closed surface has half as many vertices as triangles.
        let vertices = if weld == Weld::Off { count.saturating_mul(3) } else { count / 2 + 2 };
        Triangles { points: Points::new(weld, vertices), faces: Vec::with_capacity(count) }
    }

    /// Adds the triangles of a chunk that holds nothing else.
    fn add(&mut self, chunk: &[u8]) -> Result<()> {
        for batch in chunk.chunks(TRIANGLES_PER_BATCH * STL_TRIANGLE) {
            let mut points = [Vec3::ZERO; BATCH];
            let mut is_finite = true;
            for (corners, triangle) in points.chunks_exact_mut(3).zip(batch.chunks_exact(STL_TRIANGLE)) {
                for (corner, bytes) in corners.iter_mut().zip(triangle[CORNERS..].chunks_exact(12)) {
                    let [x, y, z] = coordinates(bytes);
                    is_finite &= x.is_finite() & y.is_finite() & z.is_finite();
                    *corner = Vec3::new(x.into(), y.into(), z.into());
                }
            }
            if !is_finite {
                return Err(self.bad_coordinate(batch));
            }
            let count = batch.len() / STL_TRIANGLE;
            let mut numbers = [0; BATCH];
            self.points.add(&points[..3 * count], &mut numbers[..3 * count])?;
            self.faces.extend(numbers[..3 * count].chunks_exact(3).map(|n| [n[0], n[1], n[2]]));
        }
        Ok(())
    }

    /// The error about the first coordinate of a batch that is not finite.
    #[cold]
    fn bad_coordinate(&self, batch: &[u8]) -> MeshFileError {
        let start = STL_HEADER + self.faces.len() * STL_TRIANGLE;
        let triangles = batch.chunks_exact(STL_TRIANGLE);
        let values = triangles.flat_map(|t| t[CORNERS..].chunks_exact(12).flat_map(coordinates));
        let (i, value) = values.enumerate().find(|(_, x)| !x.is_finite()).unwrap_or_default();
        text::bad_coordinate(start + i / 9 * STL_TRIANGLE + CORNERS + i % 9 * 4, value.into())
    }

    fn finish(self) -> Parts {
        (self.points.vertices, self.faces)
    }
}

/// Three f32 from 12 bytes.
#[inline]
fn coordinates(bytes: &[u8]) -> [f32; 3] {
    std::array::from_fn(|i| {
        f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
    })
}

/// Writes a mesh; the caller has checked that the coordinates fit f32 and the count u32.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, options: &WriteOptions) -> std::io::Result<()> {
    let mut header = [0; 80];
    let title = b"binary STL by Freiraum, unit ";
    header[..title.len()].copy_from_slice(title);
    let symbol = options.units.symbol().as_bytes();
    header[title.len()..][..symbol.len()].copy_from_slice(symbol);
    out.write_all(&header)?;
    out.write_all(&(mesh.faces().len() as u32).to_le_bytes())?;
    for corners in mesh.triangles() {
        let mut record = [0; STL_TRIANGLE];
        let points = corners.map(|p| p.to_array().map(|x| options.number(x) as f32));
        let normal = normal(corners).to_array().map(|x| x as f32);
        for (bytes, x) in
            record.chunks_exact_mut(4).zip(normal.into_iter().chain(points.into_iter().flatten()))
        {
            bytes.copy_from_slice(&x.to_le_bytes());
        }
        out.write_all(&record)?;
    }
    Ok(())
}

/// The unit normal of a triangle, zero if it has no area.
pub(crate) fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::ZERO)
}
