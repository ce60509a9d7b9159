//! Any format: the content decides.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| freiraum_fuzz::read_as(None, bytes));
