//! Writes the seeds of every target into `fuzz/corpus/<target>`, from which `cargo fuzz` starts.

use freiraum_fuzz::seeds;
use std::path::Path;

fn main() -> std::io::Result<()> {
    for target in seeds::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in seeds::of(target)?.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
