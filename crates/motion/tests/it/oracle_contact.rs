//! Times of contact against the judge: proven steps and samples of static questions.

use crate::oracle::Tally;
use crate::oracle::cases::{WAYS, case};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn run(is_turn: bool, seed: u64) {
    for (k, way) in WAYS.into_iter().enumerate() {
        let mut tally = Tally::default();
        for i in 0..cases(40) {
            let case_seed = seed + (k as u64) * 1_000_000 + i as u64;
            let mut case = case(way, is_turn, &mut Random::new(case_seed));
            case.label = format!("{}, seed {case_seed}", case.label);
            case.check(&mut tally);
        }
        eprintln!("{way:?}, turn {is_turn}: {tally:?}");
        assert!(tally.contacts + tally.at_start > 0 && tally.cases >= tally.contacts);
    }
}

#[test]
fn translations_agree_with_the_judge() {
    run(false, 10_000_000);
}

#[test]
fn rotations_agree_with_the_judge() {
    run(true, 20_000_000);
}
