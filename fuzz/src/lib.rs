//! What every target does with the bytes it gets, and how its program comes to them: from libFuzzer, or from a driver of
//! its own without the feature `libfuzzer`.

pub mod driver;
pub mod seeds;

#[doc(hidden)]
pub use libfuzzer_sys;

use freiraum_mesh_io::{MeshFormat, ReadOptions, Weld, WriteOptions, read_bytes, write_bytes};

/// Reads the bytes as one format (or as whatever they look like). What is read has to survive being written and read again.
pub fn read_as(format: Option<MeshFormat>, bytes: &[u8]) {
    let options = ReadOptions { weld: Weld::Off, format, ..ReadOptions::default() };
    let plain = read_bytes(bytes, "input", &options);
    let welded = read_bytes(bytes, "input", &ReadOptions { weld: Weld::Exact, ..options });
    assert_eq!(plain.as_ref().err(), welded.as_ref().err());
    let (Ok(plain), Ok(welded)) = (plain, welded) else { return };
    assert!(plain.triangles().eq(welded.triangles()));
    let written =
        write_bytes(&plain, MeshFormat::PlyLittleEndian, &WriteOptions::default()).expect("a writable mesh");
    let options = ReadOptions { weld: Weld::Off, ..ReadOptions::default() };
    assert_eq!(read_bytes(&written, "written", &options).as_ref(), Ok(&plain));
}

/// The program of a target, as in `target!(|bytes: &[u8]| …)` or `target!(|text: &str| …)`; a text is what of the bytes is UTF-8.
#[cfg(feature = "for_libfuzzer")]
#[macro_export]
macro_rules! target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        $crate::libfuzzer_sys::fuzz_target!(|$bytes: &[u8]| $body);
    };
    (|$text:ident: &str| $body:expr) => {
        $crate::target!(|bytes: &[u8]| {
            let $text = $crate::text(bytes);
            $body
        });
    };
}

/// The program of a target, as in `target!(|bytes: &[u8]| …)` or `target!(|text: &str| …)`; a text is what of the bytes is UTF-8.
#[cfg(not(feature = "for_libfuzzer"))]
#[macro_export]
macro_rules! target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        fn main() -> std::process::ExitCode {
            $crate::driver::run(env!("CARGO_BIN_NAME"), |$bytes: &[u8]| $body)
        }
    };
    (|$text:ident: &str| $body:expr) => {
        $crate::target!(|bytes: &[u8]| {
            let $text = $crate::text(bytes);
            $body
        });
    };
}

/// The bytes up to the first that is no UTF-8.
pub fn text(bytes: &[u8]) -> &str {
    let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&bytes[..end]).unwrap_or_default()
}
