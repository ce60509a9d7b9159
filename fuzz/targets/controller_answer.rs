//! A line that a program answers as a controller: commands with finite numbers, or what is wrong in words.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_world::control::{LONGEST_ANSWER, parse_answer};
use freiraum_world::vehicle::Command;

freiraum_fuzz::target!(|line: &[u8]| {
    let answer = match parse_answer(line) {
        Ok(answer) => answer,
        Err(words) => {
            // Told to people: short, whatever the line was.
            assert!(!words.is_empty() && words.chars().count() < 1000, "{words}");
            return;
        }
    };
    assert!(line.len() <= LONGEST_ANSWER && answer.commands.len() <= 256);
    assert!(answer.log.iter().all(|text| text.chars().count() <= 500));
    let is_good = |x: &f64| x.abs() <= 1e6;
    for command in &answer.commands {
        match command {
            Command::Drive { speed: a, turn: b }
            | Command::Wheels { left: a, right: b }
            | Command::Steer { speed: a, angle: b } => assert!(is_good(a) && is_good(b)),
            Command::Joint { name, position } => assert!(is_good(position) && name.chars().count() <= 500),
            Command::Gripper(_) => {}
        }
    }
});
