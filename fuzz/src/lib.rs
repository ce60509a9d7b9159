//! What every target does with the bytes it gets.

use freiraum_formats::mesh::{MeshFormat, ReadOptions, Weld, WriteOptions, read_bytes, write_bytes};

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
