//! What is told about a mesh: the facts, as JSON and as lines for people.

use super::output::{BAD, Console, GOOD, WARN, counted, grouped, number, number_at_scale, point};
use freiraum::geometry::Mesh;
use freiraum::geometry::mesh::solidity::{OpenPiece, Solidity, SoundSurface};
use freiraum::geometry::mesh::{Defect, MeshReport, Place, SolidityFault, Topology};
use freiraum::mesh_io::Unit;
use freiraum::query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, locate, some_self_intersections};
use serde::Serialize;
use std::collections::BTreeSet;

/// How many places of a defect are listed for people; JSON lists `JSON_PLACES`.
const SHOWN_PLACES: usize = 3;
/// How many places of a defect the JSON document lists; `count` always tells all of them.
const JSON_PLACES: usize = 100;

/// The facts of one mesh, all lengths in the unit named by `units`. Keys are public API.
#[derive(Serialize)]
pub(super) struct Facts {
    pub(super) units: &'static str,
    pub(super) triangles: usize,
    pub(super) vertices: usize,
    pub(super) edges: usize,
    pub(super) feature_edges: usize,
    pub(super) components: usize,
    pub(super) watertight: bool,
    /// Null if nothing is wrong but crossing faces were not looked for.
    pub(super) valid: Option<bool>,
    /// Pairs of faces that cross, fold onto each other, or touch where they share no corner; null if they were not looked for.
    pub(super) self_intersections: Option<usize>,
    /// The first of them.
    pub(super) crossing_faces: Option<Vec<CrossingFacts>>,
    pub(super) hole_count: usize,
    /// The largest ones, largest first.
    pub(super) holes: Vec<Hole>,
    /// Null unless the mesh is watertight: an open surface has no volume.
    pub(super) volume: Option<f64>,
    pub(super) area: f64,
    /// Centre of volume; null where there is no volume.
    pub(super) centroid: Option<[f64; 3]>,
    /// Centre of the surface.
    pub(super) surface_centroid: [f64; 3],
    /// Rows of the inertia tensor about the centroid at density one; null where there is no volume.
    pub(super) inertia: Option<[[f64; 3]; 3]>,
    #[serde(rename = "box")]
    pub(super) axis_box: Aabb,
    pub(super) unused_vertices: usize,
    pub(super) repeated_vertices: usize,
    pub(super) defects: Vec<DefectFacts>,
    /// Connected pieces of surface of which it cannot be told what is inside, as all questions and checks
    /// judge it; the first of them.
    pub(super) open_pieces: Vec<PieceFacts>,
    /// Shells that face outward inside of another solid; looked for in sound meshes of a few shells.
    #[serde(skip)]
    pub(super) nested_shells: usize,
    #[serde(skip)]
    crossings_in_words: Option<String>,
}

/// Two faces that have more in common than the corners and the edge they share.
#[derive(Serialize)]
pub(super) struct CrossingFacts {
    pub(super) faces: [u32; 2],
    /// The middle of the first face.
    pub(super) point: [f64; 3],
}

/// The faces of a mesh that cross, fold onto each other, or touch where they share no corner.
pub(super) struct Crossings {
    pairs: Vec<[u32; 2]>,
    is_complete: bool,
}

/// How many pairs of crossing faces are looked for: of n faces in one place there are n² / 2.
const MOST_CROSSINGS: usize = 1_000_000;

impl Crossings {
    pub(super) fn of(mesh: &Mesh) -> Crossings {
        let mut pairs = Vec::new();
        let (tree, memory) = (MeshTree::build(mesh.clone()), &mut MeshWorkspace::default());
        let is_complete = some_self_intersections(&tree, MOST_CROSSINGS, memory, &mut pairs);
        Crossings { pairs, is_complete }
    }

    pub(super) fn count(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn in_words(&self) -> String {
        let at_least = if self.is_complete { "" } else { "at least " };
        let pairs = counted(self.count(), "pair");
        format!("{at_least}{pairs} of faces that cross, fold onto each other or touch")
    }

    /// The first ones, their places (coordinates of the mesh) converted by `to_unit`.
    pub(super) fn listed(&self, mesh: &Mesh, to_unit: impl Fn(f64) -> f64) -> Vec<CrossingFacts> {
        let one = |faces: &[u32; 2]| CrossingFacts {
            faces: *faces,
            point: Place::Face(faces[0]).position(mesh).to_array().map(&to_unit),
        };
        self.pairs.iter().take(JSON_PLACES).map(one).collect()
    }
}

/// What keeps a mesh from bounding solids just as it is written, as all questions and checks judge it: they
/// warn of that.
pub(super) struct Doubts {
    solidity: Solidity,
}

/// A connected piece of surface that bounds no solid.
#[derive(Serialize)]
pub(super) struct PieceFacts {
    fault: &'static str,
    /// How many edges are at fault.
    count: usize,
    #[serde(skip)]
    in_words: String,
    /// The middle of the first of them.
    point: Option<[f64; 3]>,
}

impl Doubts {
    pub(super) fn of(mesh: &Mesh) -> Doubts {
        Doubts { solidity: Solidity::of(mesh) }
    }

    /// Whether there are none.
    pub(super) fn is_none(&self) -> bool {
        let solidity = &self.solidity;
        solidity.is_sound()
            && solidity.closed_gap() == 0.0
            && solidity.turned_shells() + solidity.turned_faces() == 0
    }

    /// What is wrong with the pieces of surface that bound no solid, each fault once.
    pub(super) fn in_words(&self) -> BTreeSet<String> {
        self.listed(|x| x).into_iter().map(|piece| piece.in_words).collect()
    }

    /// The first of them, places converted by `to_unit`.
    fn listed(&self, to_unit: impl Fn(f64) -> f64) -> Vec<PieceFacts> {
        let one = |piece: &OpenPiece| PieceFacts {
            fault: piece.fault.name(),
            count: piece.place_count,
            in_words: match piece.fault {
                SolidityFault::Doubled => format!(
                    "a piece of the surface {}, or is a wall that is thinner than a crack",
                    piece.fault.words()
                ),
                fault => format!("a piece of the surface {}", fault.words()),
            },
            point: piece.places.first().map(|[a, b]| (0.5 * *a + 0.5 * *b).to_array().map(&to_unit)),
        };
        self.solidity.pieces().iter().take(JSON_PLACES).map(one).collect()
    }
}

/// Meshes of more shells are not asked which of them lie in others.
const MOST_SHELLS: u32 = 32;

/// How many shells of a sound mesh face outward inside of another solid.
fn nested_shells(mesh: &Mesh) -> usize {
    let tree = MeshTree::build(mesh.clone());
    let solidity = tree.solidity();
    let shells = solidity.shell_count() as u32;
    if !(2..=MOST_SHELLS).contains(&shells) || *solidity.surface() != SoundSurface::Whole {
        return 0;
    }
    let is_nested = |shell: &u32| {
        let (own, others): (Vec<_>, Vec<_>) =
            mesh.faces().iter().zip(0..).partition(|(_, face)| solidity.shell(*face) == Some(*shell));
        let faces = others.into_iter().map(|(face, _)| *face).collect();
        let (Some((face, _)), Ok(others)) = (own.first(), Mesh::new(mesh.vertices().to_vec(), faces)) else {
            return false;
        };
        let corner = mesh.vertices()[face[0] as usize];
        locate(&MeshTree::build(others), corner, &mut MeshWorkspace::default()) == PointPlace::Inside
    };
    (0..shells).filter(|shell| !solidity.is_cavity(*shell)).filter(is_nested).count()
}

#[derive(Serialize)]
pub(super) struct Aabb {
    pub(super) min: [f64; 3],
    pub(super) max: [f64; 3],
    pub(super) size: [f64; 3],
}

impl Aabb {
    fn reach(&self) -> f64 {
        self.min.iter().chain(&self.max).fold(0.0, |reach, x| reach.max(x.abs()))
    }
}

#[derive(Serialize)]
pub(super) struct Hole {
    edges: usize,
    length: f64,
    center: [f64; 3],
}

#[derive(Serialize)]
pub(super) struct DefectFacts {
    pub(super) kind: &'static str,
    pub(super) count: usize,
    #[serde(skip)]
    in_words: String,
    pub(super) places: Vec<PlaceFacts>,
}

#[derive(Serialize)]
pub(super) struct PlaceFacts {
    at: String,
    #[serde(flatten)]
    index: Index,
    point: [f64; 3],
}

/// What is there, by the numbers of the mesh that was read: from 0, vertices after welding, polygons as triangles.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Index {
    Edge([u32; 2]),
    Vertex(u32),
    Face(u32),
    Shell { first_face: u32, faces: u32 },
}

impl Index {
    fn of(place: &Place) -> Index {
        match *place {
            Place::Edge(vertices) => Index::Edge(vertices),
            Place::Vertex(vertex) => Index::Vertex(vertex),
            Place::Face(face) => Index::Face(face),
            Place::Shell { first_face, faces } => Index::Shell { first_face, faces },
        }
    }
}

impl Facts {
    /// Inspects a mesh whose coordinates are numbers of `unit`; `crossings`: those of the mesh, if they were looked for.
    pub(super) fn of(mesh: &Mesh, unit: Unit, crossings: Option<&Crossings>) -> Facts {
        let topology = Topology::of(mesh);
        let report = MeshReport::with_topology(mesh, &topology);
        let doubts = Doubts::of(mesh);
        let is_whole = report.is_sound() && doubts.is_none();
        let is_sound = is_whole && crossings.is_some_and(|crossings| crossings.count() == 0);
        let nested_shells = if is_sound && report.components > 1 { nested_shells(mesh) } else { 0 };
        let mass = report.is_watertight().then(|| mesh.mass_properties()).flatten();
        let bounds = mesh.aabb();
        Facts {
            units: unit.symbol(),
            triangles: mesh.faces().len(),
            vertices: mesh.vertices().len(),
            edges: report.edges,
            feature_edges: topology.feature_edges().count(),
            components: report.components,
            watertight: report.is_watertight(),
            valid: match crossings {
                _ if !is_whole => Some(false),
                None => None,
                Some(crossings) => Some(crossings.count() == 0),
            },
            self_intersections: crossings.map(Crossings::count),
            crossing_faces: crossings.map(|crossings| crossings.listed(mesh, |x| x)),
            nested_shells,
            crossings_in_words: crossings.filter(|c| c.count() > 0).map(Crossings::in_words),
            hole_count: report.holes.len(),
            holes: report
                .holes
                .iter()
                .take(JSON_PLACES)
                .map(|h| Hole { edges: h.edges, length: h.length, center: h.center.into() })
                .collect(),
            volume: report.is_watertight().then(|| mass.map_or(0.0, |m| m.volume)),
            area: mesh.area(),
            centroid: mass.map(|m| m.centroid.into()),
            surface_centroid: mesh.surface_centroid().into(),
            // The tensor is symmetric: its columns are its rows.
            // Adding zero turns -0.0 into 0.0.
            inertia: mass.map(|m| m.inertia.to_cols_array_2d().map(|row| row.map(|x| x + 0.0))),
            axis_box: Aabb { min: bounds.min.into(), max: bounds.max.into(), size: bounds.size().into() },
            unused_vertices: report.unused_vertices,
            repeated_vertices: report.repeated_vertices,
            defects: report.defects().iter().map(|d| DefectFacts::of(d, mesh, |x| x)).collect(),
            open_pieces: doubts.listed(|x| x),
        }
    }

    /// Prints the facts for people, defects last.
    pub(super) fn print(&self, console: &mut Console) {
        let unit = self.units;
        let reach = self.axis_box.reach();
        console.fact("triangles", grouped(self.triangles));
        console.fact("vertices", grouped(self.vertices));
        console
            .fact("edges", format!("{}, {} of them sharp", grouped(self.edges), grouped(self.feature_edges)));
        console.fact("components", grouped(self.components));
        let watertight = match (self.watertight, self.holes.first()) {
            (true, _) => console.styled(GOOD, "yes"),
            (false, None) => console.styled(BAD, "no"),
            (false, Some(largest)) => format!(
                "{}, {}{} of {} around {}",
                console.styled(BAD, "no"),
                counted(self.hole_count, "hole"),
                if self.hole_count == 1 { "" } else { ", the largest" },
                counted(largest.edges, "edge"),
                point(largest.center, reach)
            ),
        };
        console.fact("watertight", watertight);
        match self.volume {
            Some(volume) => console.fact("volume", format!("{} {unit}³", number(volume))),
            None => console.fact("volume", "none: not watertight"),
        }
        console.fact("area", format!("{} {unit}²", number(self.area)));
        if let Some(centroid) = self.centroid {
            console.fact("centroid", point(centroid, reach));
        }
        console.fact("surface centroid", point(self.surface_centroid, reach));
        if let Some(rows) = self.inertia {
            let largest = rows.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
            let labels = ["inertia", "  about centroid,", "  density 1"];
            for (row, (label, unit)) in rows.iter().zip(labels.iter().zip([&format!(" {unit}⁵"), "", ""])) {
                let [x, y, z] = row.map(|x| number_at_scale(x, largest));
                console.fact(label, format!("{x:>12} {y:>12} {z:>12}{unit}"));
            }
        }
        let Aabb { min, max, size } = &self.axis_box;
        console.fact("box", format!("{} to {} {unit}", point(*min, reach), point(*max, reach)));
        console.fact("size", size.map(number).join(" x ") + " " + unit);
        if self.unused_vertices > 0 {
            console.fact("unused vertices", grouped(self.unused_vertices));
        }
        if self.repeated_vertices > 0 {
            console.fact("repeated vertices", grouped(self.repeated_vertices));
        }
        self.print_verdict(console);
    }

    fn print_verdict(&self, console: &mut Console) {
        console.gap();
        if self.valid != Some(false) {
            let word = match self.valid {
                None => format!(
                    "{}: a closed solid, all normals outward, if no faces cross",
                    console.styled(WARN, "perhaps sound")
                ),
                _ => format!(
                    "{}: a closed solid, all normals outward, no faces cross",
                    console.styled(GOOD, "sound")
                ),
            };
            console.text(&format!("{word}\n"));
            if self.valid.is_none() {
                console.text("  crossing faces were not looked for: leave --fast out\n");
            }
            return;
        }
        // What is known by another name is not said twice.
        let pieces = if self.defects.is_empty() { &self.open_pieces[..] } else { &[] };
        let kinds = self.defects.len()
            + usize::from(self.crossings_in_words.is_some())
            + usize::from(!pieces.is_empty());
        let line = format!("{}: {} of defect\n", console.styled(BAD, "broken"), counted(kinds, "kind"));
        console.text(&line);
        if let Some(words) = &self.crossings_in_words {
            console.text(&format!("  {words}\n"));
            let listed = self.crossing_faces.iter().flatten();
            for CrossingFacts { faces: [f, g], point: at } in listed.take(SHOWN_PLACES) {
                console.text(&format!("    faces {f} and {g} near {}\n", point(*at, self.axis_box.reach())));
            }
            let more = self.self_intersections.unwrap_or(0).saturating_sub(SHOWN_PLACES);
            if more > 0 {
                console.text(&format!("    … and {} more\n", grouped(more)));
            }
        }
        for piece in pieces.iter().take(SHOWN_PLACES) {
            let near =
                piece.point.map_or(String::new(), |at| format!(" near {}", point(at, self.axis_box.reach())));
            console.text(&format!("  {}{near}: it bounds no solid\n", piece.in_words));
        }
        for defect in &self.defects {
            console.text(&format!("  {}\n", defect.in_words));
            for place in defect.places.iter().take(SHOWN_PLACES) {
                console.text(&format!(
                    "    {} near {}\n",
                    place.at,
                    point(place.point, self.axis_box.reach())
                ));
            }
            if defect.count > SHOWN_PLACES {
                console.text(&format!("    … and {} more\n", grouped(defect.count - SHOWN_PLACES)));
            }
        }
    }
}

impl DefectFacts {
    /// A defect with its first places, their coordinates (those of the mesh) converted by `to_unit`.
    pub(super) fn of(defect: &Defect, mesh: &Mesh, to_unit: impl Fn(f64) -> f64) -> DefectFacts {
        let place = |p: &Place| {
            let point = p.position(mesh).to_array().map(&to_unit);
            PlaceFacts { at: p.to_string(), index: Index::of(p), point }
        };
        DefectFacts {
            kind: defect.kind.name(),
            count: defect.places.len(),
            in_words: defect.kind.describe(defect.places.len()),
            places: defect.places.iter().take(JSON_PLACES).map(place).collect(),
        }
    }
}
