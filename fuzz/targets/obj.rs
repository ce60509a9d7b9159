//! OBJ.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| freiraum_fuzz::read_as(
    Some(freiraum_formats::mesh::MeshFormat::Obj),
    bytes
));
