//! Any format: the content decides.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

freiraum_fuzz::target!(|bytes: &[u8]| freiraum_fuzz::read_as(None, bytes));
