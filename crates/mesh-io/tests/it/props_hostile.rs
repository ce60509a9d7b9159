//! Damaged files: no panic, and no mesh that is not what the file says, where that can be seen.

use crate::common;
use freiraum_mesh_io::{MeshFormat, ReadOptions, Weld, read_bytes};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn faces(bytes: &[u8], name: &str) -> Option<usize> {
    let welded = read_bytes(bytes, name, &ReadOptions::default());
    // Whatever happens, it happens with and without welding, and messages are never empty.
    let plain = read_bytes(bytes, name, &ReadOptions { weld: Weld::Off, ..ReadOptions::default() });
    assert_eq!(welded.as_ref().err(), plain.as_ref().err(), "{}", bytes.escape_ascii());
    match welded {
        Ok(mesh) => Some(mesh.faces().len()),
        Err(error) => {
            assert!(error.to_string().len() > name.len() + 10, "{error}");
            None
        }
    }
}

#[test]
fn truncated_anywhere() {
    for (name, bytes) in common::small_files() {
        let whole = faces(&bytes, &name).unwrap();
        for length in 0..bytes.len() {
            let Some(found) = faces(&bytes[..length], &name) else { continue };
            // Text formats without counts cannot know that a face or a digit is missing at the end.
            let counts = !(name.ends_with(".obj") || name.starts_with("stl-ascii"));
            // Where there are counts only the last line end, or the last digit of the last index, may be missing.
            let is_end = bytes[length..].len() <= 2;
            assert!(!counts || is_end, "{name} cut to {length} of {} bytes", bytes.len());
            assert!(found <= whole, "{name} cut to {length} bytes");
        }
    }
}

#[test]
fn every_byte_replaced() {
    for (name, bytes) in common::small_files() {
        let mut bytes = bytes;
        for at in 0..bytes.len() {
            let old = bytes[at];
            for new in [0, 1, 0x7f, 0x80, 0xff, b'0', b'9', b'-', b' ', b'\n', b'"', old ^ 1] {
                bytes[at] = new;
                faces(&bytes, &name);
            }
            bytes[at] = old;
        }
    }
}

/// Flips, inserts, deletes, doubles and swaps pieces of a file.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.insert(at, random.bits() as u8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            4 => {
                let words: [&[u8]; 10] = [
                    b"-1",
                    b"1e309",
                    b"nan",
                    b"4294967295",
                    b"99999999999999999999",
                    b"\0",
                    b"\\\n",
                    b"//",
                    b"{[",
                    b"facet",
                ];
                bytes.splice(at..end, words[random.below(words.len())].iter().copied());
            }
            _ if at + 4 <= bytes.len() => {
                let number = [0, 1, u32::MAX, 1 << 31, 0x7f80_0000, 0x0fff_ffff][random.below(6)];
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            _ => bytes.truncate(at),
        }
    }
}

#[test]
fn mutated_files() {
    let mut random = Random::new(11);
    let files = common::small_files();
    for _ in 0..cases(6000) {
        for (name, bytes) in &files {
            let mut bytes = bytes.clone();
            mutate(&mut random, &mut bytes);
            faces(&bytes, name);
        }
    }
}

#[test]
fn mutated_files_as_every_format() {
    let mut random = Random::new(12);
    let files = common::small_files();
    for _ in 0..cases(300) {
        for (_, bytes) in &files {
            let mut bytes = bytes.clone();
            mutate(&mut random, &mut bytes);
            for format in MeshFormat::ALL {
                let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
                let _ = read_bytes(&bytes, "x", &options);
            }
        }
    }
}

#[test]
fn noise() {
    let mut random = Random::new(13);
    for _ in 0..cases(2000) {
        let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.bits() as u8).collect();
        for format in MeshFormat::ALL {
            let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
            let _ = read_bytes(&bytes, "x", &options);
        }
    }
}
