//! OBJ.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

freiraum_fuzz::target!(|bytes: &[u8]| freiraum_fuzz::read_as(Some(freiraum_mesh_io::MeshFormat::Obj), bytes));
