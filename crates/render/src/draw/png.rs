//! A sheet as pixels.

use super::DrawError;
use super::lettering::{PEN, strokes};
use super::sheet::{Mark, Sheet};
use freiraum_geometry::Vec2;
use freiraum_scene::Color;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// Pixels of a picture at most: 400 MB.
const MAX_PIXELS: f64 = 100_000_000.0;
/// Millimetres in an inch.
const INCH: f64 = 25.4;

impl Sheet {
    /// The drawing as a PNG file with this many dots per inch.
    pub fn to_png(&self, dpi: f64) -> Result<Vec<u8>, DrawError> {
        let scale = dpi / INCH;
        let [width, height] = self.size.map(|x| (x * scale).round().max(1.0));
        if !(width * height <= MAX_PIXELS) {
            return Err(DrawError::TooManyPixels { width, height });
        }
        let mut pixels =
            Pixmap::new(width as u32, height as u32).ok_or(DrawError::TooManyPixels { width, height })?;
        pixels.fill(tiny_skia::Color::WHITE);
        let to_pixels = Transform::from_scale(scale as f32, scale as f32);
        for mark in self.groups.iter().flat_map(|group| &group.marks) {
            paint(mark, &mut pixels, to_pixels);
        }
        pixels.encode_png().map_err(|e| DrawError::Png(e.to_string()))
    }
}

fn paint(mark: &Mark, pixels: &mut Pixmap, to_pixels: Transform) {
    match mark {
        Mark::Area { color, hairline, polygons } => {
            let Some(path) = path(polygons, true) else { return };
            let ink = ink(*color);
            pixels.fill_path(&path, &ink, FillRule::Winding, to_pixels, None);
            if *hairline > 0.0 {
                pixels.stroke_path(&path, &ink, &stroke(*hairline, &[]), to_pixels, None);
            }
        }
        Mark::Line { color, width, dashes, lines } => {
            let Some(path) = path(lines, false) else { return };
            pixels.stroke_path(&path, &ink(*color), &stroke(*width, dashes), to_pixels, None);
        }
        Mark::Text { at, height, is_right, color, text } => {
            let Some(path) = path(&strokes(text, *at, *height, *is_right), false) else { return };
            pixels.stroke_path(&path, &ink(*color), &stroke(PEN * height, &[]), to_pixels, None);
        }
    }
}

fn ink(Color([r, g, b]): Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

fn stroke(width: f64, dashes: &[f64]) -> Stroke {
    Stroke {
        width: width as f32,
        line_cap: if dashes.is_empty() { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Round,
        dash: StrokeDash::new(dashes.iter().map(|x| *x as f32).collect(), 0.0),
        ..Stroke::default()
    }
}

fn path(lines: &[Vec<Vec2>], is_area: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for line in lines {
        let is_closed = is_area || (line.len() > 3 && line.first() == line.last());
        for (p, number) in line.iter().zip(0..) {
            let (x, y) = (p.x as f32, p.y as f32);
            if number == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
        if is_closed {
            builder.close();
        }
    }
    builder.finish()
}
