mod oracle;
use freiraum_testkit::random::Random;
use oracle::cases::*;
#[test]
fn debug() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let way = WAYS[std::env::var("WAY").unwrap().parse::<usize>().unwrap()];
    let c = case(way, std::env::var("TURN").is_ok(), &mut Random::new(seed));
    let v = c.ask();
    println!("{v:?} rounding {:e}", c.rounding());
    if let freiraum_motion::Verdict::Contact(f) = v {
        for d in [-1e-6, -1e-7, -1e-8, -1e-9, -1e-10, -1e-11,-1e-12, -1e-13, 0.0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8] {
            println!("{d:e} {:e} {}", c.distance(f.time + d), c.intersects(f.time + d));
        }
    }
}
