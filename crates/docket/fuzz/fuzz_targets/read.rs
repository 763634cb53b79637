//! Any bytes are read within bounds, and what comes of them keeps its promises.
//!
//! `cargo +nightly fuzz run read fuzz/corpus/read tests/fixtures` in `crates/docket`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    docket::text::trial::read(bytes);
});
