//! Points, segments, lines, rays, triangles, rectangles and arcs as JSON: what has no volume, for the question `distance`.

use super::QuestionError;
use freiraum_formats::notation::json::{Fault, array, describe, member, object, shown_list, vector};
use freiraum_formats::notation::{Dialect, degrees_of_json, point_of_json, turn_axis_of_json};
use freiraum_geometry::tolerance::SQUARE_COSINE;
use freiraum_geometry::{Unit, Vec3};
use freiraum_query::Piece;
use freiraum_query::elementary::{Arc, Line, Ray, Rectangle};
use serde_json::Value;

/// The kinds of pieces, by the names they have in questions.
pub(super) const KINDS: [&str; 7] = ["point", "segment", "line", "ray", "triangle", "rectangle", "arc"];

/// The kind and the body of what is written as a piece; `None` for all that is written as a shape, or wrong.
pub(super) fn kind_of(value: &Value) -> Option<(&str, &Value)> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    let (kind, body) = map.iter().next()?;
    KINDS.contains(&kind.as_str()).then_some((kind.as_str(), body))
}

/// Why a piece is no shape here.
pub(super) fn refused(kind: &str, path: &str) -> QuestionError {
    let article = if kind == "arc" { "an" } else { "a" };
    let all = KINDS.join(", ");
    let message = format!(
        "{path}: found {article} {kind}; {all} have no volume and are for `distance` alone, expected a shape"
    );
    QuestionError::new("shape", message)
}

/// A piece with lengths in `units`; `path` is where it stands.
pub(super) fn piece_of_json(
    kind: &str,
    body: &Value,
    path: &str,
    units: Unit,
) -> Result<Piece, QuestionError> {
    let reader = Reader { dialect: Dialect::question(units), at: member(path, kind) };
    reader.piece(kind, body).map_err(|fault| QuestionError::new("shape", fault))
}

struct Reader {
    dialect: Dialect,
    /// Where the piece stands.
    at: String,
}

impl Reader {
    fn piece(&self, kind: &str, body: &Value) -> Result<Piece, Fault> {
        Ok(match kind {
            "point" => Piece::Point(point_of_json(body, &self.at, &self.dialect)?),
            "segment" => Piece::Segment(self.points(body)?),
            "triangle" => Piece::Triangle(self.points(body)?),
            "line" => {
                let map = object(body, &self.at, &["point", "direction"], &[])?;
                let (point, direction) =
                    (self.point(&map["point"], "point")?, self.direction(&map["direction"])?);
                Piece::Line(Line { point, direction })
            }
            "ray" => {
                let map = object(body, &self.at, &["origin", "direction"], &[])?;
                let (origin, direction) =
                    (self.point(&map["origin"], "origin")?, self.direction(&map["direction"])?);
                Piece::Ray(Ray { origin, direction })
            }
            "rectangle" => Piece::Rectangle(self.rectangle(body)?),
            _ => Piece::Arc(self.arc(body)?),
        })
    }

    fn point(&self, value: &Value, key: &str) -> Result<Vec3, Fault> {
        point_of_json(value, &member(&self.at, key), &self.dialect)
    }

    fn points<const N: usize>(&self, body: &Value) -> Result<[Vec3; N], Fault> {
        let expected = format!("an array of {N} points [x,y,z]");
        let items = array(body, &self.at, &expected)?;
        if items.len() != N {
            let message = format!("found {}, expected {expected}", describe(body));
            return Err(Fault::new(&self.at, message));
        }
        let mut points = [Vec3::ZERO; N];
        for (i, item) in items.iter().enumerate() {
            points[i] = point_of_json(item, &format!("{}[{i}]", self.at), &self.dialect)?;
        }
        Ok(points)
    }

    /// Of any length but zero; of unit length then.
    fn direction(&self, value: &Value) -> Result<Vec3, Fault> {
        let at = member(&self.at, "direction");
        let written = vector(value, &at)?;
        freiraum_geometry::math::unit(written).ok_or_else(|| {
            let found = shown_list(&written.to_array());
            Fault::new(&at, format!("found {found}, expected a direction that is not zero"))
        })
    }

    fn rectangle(&self, body: &Value) -> Result<Rectangle, Fault> {
        let map = object(body, &self.at, &["center", "u", "v"], &[])?;
        let center = self.point(&map["center"], "center")?;
        let (u, v) = (self.point(&map["u"], "u")?, self.point(&map["v"], "v")?);
        let across = u.dot(v);
        if across.abs() > SQUARE_COSINE * u.length() * v.length() {
            let degrees = u.angle_between(v).to_degrees();
            let message = format!(
                "found half edges u and v at an angle of {degrees:.4}°, expected 90°: from the middle to the middles of two edges"
            );
            return Err(Fault::new(&self.at, message));
        }
        let square = u.length_squared();
        let v = if square > 0.0 { v - (across / square) * u } else { v };
        Ok(Rectangle { center, half: [u, v] })
    }

    fn arc(&self, body: &Value) -> Result<Arc, Fault> {
        let map = object(body, &self.at, &["center", "axis", "start", "degrees"], &[])?;
        let center = self.point(&map["center"], "center")?;
        let start = self.point(&map["start"], "start")?;
        let axis = turn_axis_of_json(&map["center"], &map["axis"], &self.at, &self.dialect)?;
        let degrees = degrees_of_json(&map["degrees"], &member(&self.at, "degrees"))?;
        let arc = Arc::of_rotation(start, center, axis.direction, degrees.to_radians());
        arc.ok_or_else(|| {
            Fault::new(&self.at, "found no arc, expected finite numbers and an axis that is not zero")
        })
    }
}
