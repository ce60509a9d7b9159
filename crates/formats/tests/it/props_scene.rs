//! Scene files with anything in them: an answer, never a panic; and what is a scene stays one when it is changed.

use freiraum_formats::scene::SceneFile;
use freiraum_testkit::random::Random;
use std::path::Path;

/// The examples of the documentation and the broken files.
fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/scene-file.md")).unwrap();
    let mut seeds: Vec<String> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    // Those that are right, more often.
    seeds = vec![seeds; 6].concat();
    let mut files: Vec<_> = std::fs::read_dir(root.join("tests/broken_scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    seeds.extend(files.iter().map(|path| std::fs::read_to_string(path).unwrap()));
    seeds
}

/// Pieces that files are made of, to be put anywhere.
const PIECES: [&str; 24] = [
    "[[step]]\n",
    "[[body]]\n",
    "[step.path]\n",
    "[[step.parallel]]\n",
    "move = ",
    "path = \"plan\"\n",
    "to = [0,0,1]\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'''",
    "\n",
    "#",
    "=",
    ".",
    "1e400",
    "-0.0",
    "nan",
    "ä",
    "\u{0}",
    "\r\n",
];

fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(lines.len().max(1));
        match random.below(6) {
            0 => drop(lines.drain(at..(at + 1).min(lines.len()))),
            // Another digit, which may well be right.
            1 | 2 if !lines.is_empty() => {
                let digit = ["0", "7", "-3", "0.25", "1e-9"][random.below(5)];
                if let Some(found) = lines[at].rfind(|c: char| c.is_ascii_digit()) {
                    lines[at].replace_range(found..=found, digit);
                }
            }
            3 if !lines.is_empty() => {
                let other = lines[random.below(lines.len())].clone();
                lines.insert(at, other);
            }
            _ if !lines.is_empty() => {
                let line = &mut lines[at];
                let places: Vec<usize> = line.char_indices().map(|(i, _)| i).chain([line.len()]).collect();
                let from = random.below(places.len());
                let to = (from + random.below(4)).min(places.len() - 1);
                line.replace_range(places[from]..places[to], PIECES[random.below(PIECES.len())]);
            }
            _ => {}
        }
    }
    lines.join("\n")
}

#[test]
fn any_text_gets_an_answer() {
    let (seeds, mut random) = (seeds(), Random::new(17));
    let folder = Path::new("tests/broken_scenes");
    let (mut scenes, mut broken) = (0, 0);
    for _ in 0..freiraum_testkit::scale::cases(6000) {
        let text = mutated(&seeds[random.below(seeds.len())], &mut random);
        match SceneFile::parse(text.as_str(), folder, "x.toml") {
            Ok(mut file) => {
                scenes += 1;
                let step = file.scene().steps.first().cloned();
                if let Some(step) = step {
                    for (k, one) in step.moves.iter().enumerate() {
                        file.set_travel(0, k, &one.travel).unwrap_or_else(|e| panic!("{text}\n{e}"));
                    }
                    file.push_step(&step).unwrap_or_else(|e| panic!("{text}\n{e}"));
                    file.move_step(file.scene().steps.len() - 1, 0).unwrap();
                    file.remove_step(0).unwrap();
                }
                let pose = file.scene().bodies[0].pose;
                file.set_pose(0, &pose).unwrap_or_else(|e| panic!("{text}\n{e}"));
                let again = SceneFile::parse(file.text(), folder, "x.toml").unwrap();
                assert_eq!(format!("{:?}", again.scene()), format!("{:?}", file.scene()), "{text}");
            }
            Err(errors) => {
                broken += 1;
                assert!(!errors.render(false).is_empty());
                for (problem, at) in errors.problems().iter().zip(errors.located()) {
                    let place = problem.place;
                    assert!(place.start <= place.end && place.end <= text.len(), "{text}\n{problem:?}");
                    assert!(at.line >= 1 && at.column >= 1);
                }
            }
        }
    }
    assert!(scenes > 100 && broken > 100, "{scenes} {broken}");
}
