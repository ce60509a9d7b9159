//! Contact times of moving vertices on foreign query sets with known answers: no contact may be missed.

use freiraum_geometry::Vec3;
use freiraum_motion::vertices::{VertexContact, edge_edge_time, vertex_face_time};
use freiraum_testkit::data;
use std::path::Path;
use std::time::Instant;

/// Eight points: four at the start, four at the end.
type Query = [Vec3; 8];

/// A coordinate given as a fraction, which must be a number of ours exactly.
fn fraction(numerator: &str, denominator: &str) -> f64 {
    let (n, d): (f64, f64) = (numerator.parse().expect("a number"), denominator.parse().expect("a number"));
    assert!(n.abs() < 2f64.powi(53) && d.log2().fract() == 0.0, "{numerator}/{denominator} is not exact");
    n / d
}

/// The queries of a file, with the answers where the file holds them.
fn read(path: &Path) -> (Vec<Query>, Vec<bool>) {
    let text = std::fs::read_to_string(path).expect("readable");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(',').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len() % 8, 0, "{}", path.display());
    let queries = rows.chunks(8).map(|rows| {
        std::array::from_fn(|i| {
            let row = &rows[i];
            Vec3::new(fraction(row[0], row[1]), fraction(row[2], row[3]), fraction(row[4], row[5]))
        })
    });
    let answers = rows.chunks(8).filter_map(|rows| rows[0].get(6).map(|answer| *answer == "1"));
    (queries.collect(), answers.collect())
}

fn ask(is_edges: bool, q: &Query) -> Option<VertexContact> {
    if is_edges {
        edge_edge_time([[q[0], q[1]], [q[4], q[5]]], [[q[2], q[3]], [q[6], q[7]]], 0.0)
    } else {
        vertex_face_time([q[0], q[4]], [[q[1], q[2], q[3]], [q[5], q[6], q[7]]], 0.0)
    }
}

fn check(name: &str, is_edges: bool, queries: &[Query], truth: &[bool]) {
    assert_eq!(queries.len(), truth.len(), "{name}");
    let (mut contacts, mut missed, mut alarms, mut open) = (0, 0, 0, 0);
    let mut widest: f64 = 0.0;
    for (i, (query, &touches)) in queries.iter().zip(truth).enumerate() {
        let answer = ask(is_edges, query);
        contacts += usize::from(touches);
        open += usize::from(answer.is_some_and(|contact| !contact.decided));
        if let Some(contact) = answer {
            widest = widest.max(contact.gap);
        }
        match (answer, touches) {
            (None, true) => missed += 1,
            (Some(contact), false) => {
                // Near misses below the rounding of coordinates only, which are of order one.
                assert!(contact.gap <= 1e-15, "{name} {i}: {contact:?}");
                alarms += 1;
            }
            _ => {}
        }
    }
    let start = Instant::now();
    let mut found = 0;
    let rounds = 20;
    for _ in 0..rounds {
        found += queries.iter().filter(|query| ask(is_edges, std::hint::black_box(query)).is_some()).count();
    }
    let each = start.elapsed().as_secs_f64() / (rounds * queries.len()) as f64;
    assert_eq!(found % rounds, 0);
    eprintln!(
        "{name}: {} queries, {contacts} contacts, {missed} missed, {alarms} false alarms, {open} over budget, largest gap {widest:.1e}, {:.0} ns each",
        queries.len(),
        each * 1e9
    );
    assert_eq!((missed, open), (0, 0), "{name}");
}

#[test]
fn sample_queries() {
    let Some(folder) = data::folder("ccd-sample-queries") else { return };
    for set in ["unit-tests", "erleben-cube-cliff-edges"] {
        for (kind, is_edges) in [("vertex-face", false), ("edge-edge", true)] {
            for file in ["data_0_0.csv", "data_0_1.csv"] {
                let (queries, truth) = read(&folder.join(set).join(kind).join(file));
                check(&format!("{set}/{kind}/{file}"), is_edges, &queries, &truth);
            }
        }
    }
}

#[test]
fn cloth_funnel() {
    let Some(folder) = data::folder("scalable-ccd-sample") else { return };
    let folder = folder.join("cloth-funnel");
    for (kind, is_edges) in [("vf", false), ("ee", true)] {
        let (queries, none) = read(&folder.join(format!("queries/227{kind}.csv")));
        assert!(none.is_empty());
        let truth = std::fs::read_to_string(folder.join(format!("mma_bool/227{kind}_mma_bool.json")));
        let truth: Vec<bool> = truth
            .expect("readable")
            .trim_matches(['[', ']', '\n', ' '])
            .split(',')
            .map(|word| word.trim().parse().expect("true or false"))
            .collect();
        check(&format!("cloth-funnel/{kind}"), is_edges, &queries, &truth);
    }
}
