//! A sheet as SVG: millimetres, nothing from outside, numbers to a hundredth.

use super::lettering::{self, PEN};
use super::sheet::{Group, GroupKind, Mark, Sheet};
use freiraum_geometry::Vec2;
use freiraum_scene::{Color, markup, plain};
use std::collections::HashSet;
use std::fmt::Write;

impl Sheet {
    /// The drawing as an SVG document. Faces of a body carry its name as title, its edges also as id.
    pub fn to_svg(&self) -> String {
        let [width, height] = self.size.map(number);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
            escaped(&self.title)
        );
        let mut taken = HashSet::new();
        for group in &self.groups {
            write_group(group, &mut taken, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }
}

fn write_group(group: &Group, taken: &mut HashSet<String>, out: &mut String) {
    match &group.kind {
        GroupKind::Faces(name) => {
            let _ = writeln!(out, "<g><title>{}</title>", escaped(name));
        }
        GroupKind::Edges(name) => {
            let id = identifier(name, taken);
            let _ = writeln!(out, "<g id=\"{id}\" fill=\"none\"><title>{}</title>", escaped(name));
        }
        GroupKind::Other(name) => {
            let _ = writeln!(out, "<g id=\"{}\">", identifier(name, taken));
        }
    }
    group.marks.iter().for_each(|mark| write_mark(mark, out));
    out.push_str("</g>\n");
}

fn write_mark(mark: &Mark, out: &mut String) {
    match mark {
        Mark::Area { color, hairline, polygons } => {
            let _ = write!(out, "<path fill=\"{}\"", hex(*color));
            if *hairline > 0.0 {
                let _ = write!(out, " stroke=\"{}\" stroke-width=\"{}\"", hex(*color), number(*hairline));
            }
            out.push_str(" d=\"");
            polygons.iter().for_each(|corners| write_path(corners, true, out));
            out.push_str("\"/>\n");
        }
        Mark::Line { color, width, dashes, lines } => {
            let _ = write!(
                out,
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
                hex(*color),
                number(*width)
            );
            if !dashes.is_empty() {
                let list: Vec<String> = dashes.iter().map(|x| number(*x)).collect();
                let _ = write!(out, " stroke-dasharray=\"{}\" stroke-linecap=\"butt\"", list.join(" "));
            }
            out.push_str(" d=\"");
            lines.iter().for_each(|line| write_path(line, false, out));
            out.push_str("\"/>\n");
        }
        Mark::Text { at, height, is_right, color, text } => {
            // The strokes are seen; the text is there for searching and copying, and in place of strokes that are not known.
            let is_known = lettering::is_known(text);
            if is_known {
                let lines = lettering::strokes(text, *at, *height, *is_right);
                write_mark(&Mark::Line { color: *color, width: PEN * height, dashes: &[], lines }, out);
            }
            // A capital letter of common fonts without serifs is 0.72 of the size of the font.
            let size = number(height / 0.72);
            let anchor = if *is_right { " text-anchor=\"end\"" } else { "" };
            let ink = match is_known {
                true => {
                    let length = number(lettering::width(text, *height));
                    format!("fill=\"none\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\"")
                }
                false => format!("fill=\"{}\"", hex(*color)),
            };
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{size}\" {ink}{anchor}>{}</text>",
                number(at.x),
                number(at.y),
                escaped(text)
            );
        }
    }
}

/// Moves and lines, the lines relative: shorter, and from rounded point to rounded point, so that nothing adds up.
fn write_path(points: &[Vec2], is_area: bool, out: &mut String) {
    let hundredths = |p: Vec2| [(p.x * 100.0).round() as i64, (p.y * 100.0).round() as i64];
    let Some(first) = points.first() else { return };
    let is_closed = is_area || (points.len() > 3 && points.last() == Some(first));
    let mut at = hundredths(*first);
    let _ = write!(out, "M{} {}", number(at[0] as f64 / 100.0), number(at[1] as f64 / 100.0));
    let mut is_first = true;
    let rest = if is_closed && !is_area { &points[1..points.len() - 1] } else { &points[1..] };
    for p in rest {
        let next = hundredths(*p);
        if next == at {
            continue;
        }
        let [dx, dy] = [0, 1].map(|k| number((next[k] - at[k]) as f64 / 100.0));
        let gap = if dy.starts_with('-') { "" } else { " " };
        let lead = if is_first {
            "l"
        } else if dx.starts_with('-') {
            ""
        } else {
            " "
        };
        let _ = write!(out, "{lead}{dx}{gap}{dy}");
        (at, is_first) = (next, false);
    }
    if is_closed {
        out.push('z');
    }
}

/// To a hundredth, without what can be left out: `.5`, `-3`, `12.25`.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match (text, text.strip_prefix("0."), text.strip_prefix("-0.")) {
        ("-0" | "0", ..) => "0".to_owned(),
        (_, Some(rest), _) => format!(".{rest}"),
        (_, _, Some(rest)) => format!("-.{rest}"),
        _ => text.to_owned(),
    }
}

fn hex(Color([r, g, b]): Color) -> String {
    if [r, g, b].iter().all(|x| x % 17 == 0) {
        return format!("#{:x}{:x}{:x}", r / 17, g / 17, b / 17);
    }
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// For text and attributes; ends of lines and tabs become spaces, characters that XML does not allow a question mark, those that cannot be
/// seen or turn the writing their code.
fn escaped(text: &str) -> String {
    let line = text.replace(['\t', '\n', '\r'], " ").replace(['\u{fffe}', '\u{ffff}'], "?");
    markup(&plain(&line)).into_owned()
}

/// A name that may stand as id, and stands nowhere else.
fn identifier(name: &str, taken: &mut HashSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let mut id: String = name.chars().map(plain).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic()) {
        id.insert_str(0, "body_");
    }
    let mut unique = id.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{id}_{number}");
        number += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (0.0, "0"),
            (-0.001, "0"),
            (0.5, ".5"),
            (-0.25, "-.25"),
            (10.0, "10"),
            (1.006, "1.01"),
            (-3.1, "-3.1"),
            (100.0, "100"),
        ] {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn a_small_sheet() {
        let square = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.5), (1.0, 2.5)].map(Vec2::from).to_vec();
        let ink = Color([0x22, 0x33, 0x44]);
        let area = Mark::Area { color: Color([1, 2, 3]), hairline: 0.1, polygons: vec![square.clone()] };
        let line = Mark::Line { color: ink, width: 0.5, dashes: &[2.0, 1.0], lines: vec![square] };
        let text = Mark::Text { at: Vec2::ONE, height: 2.5, is_right: true, color: ink, text: "a<b".into() };
        let group = |kind, marks| Group { kind, marks };
        let sheet = Sheet {
            size: [20.0, 10.0],
            title: "\"A\" & B".into(),
            groups: vec![
                group(GroupKind::Faces("nut & bolt".into()), vec![area]),
                group(GroupKind::Edges("nut & bolt".into()), vec![line.clone()]),
                group(GroupKind::Edges("nut_&_bolt".into()), vec![line]),
                group(GroupKind::Other("title"), vec![text]),
            ],
            scale: None,
        };
        let svg = sheet.to_svg();
        for part in [
            "viewBox=\"0 0 20 10\"",
            "<title>&quot;A&quot; &amp; B</title>",
            "<path fill=\"#010203\" stroke=\"#010203\" stroke-width=\".1\" d=\"M1 1l1 0 0 1.5-1 0z\"/>",
            "id=\"nut___bolt\"",
            "id=\"nut___bolt_2\"",
            "stroke-dasharray=\"2 1\"",
            "stroke=\"#234\"",
            "text-anchor=\"end\">a&lt;b</text>",
        ] {
            assert!(svg.contains(part), "{part} in\n{svg}");
        }
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }
}
