//! Whatever is read as a petition can be edited, and each edit is what was meant.
//!
//! `cargo +nightly fuzz run edit fuzz/corpus/edit tests/fixtures` in `crates/docket`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    docket::text::trial::edit(bytes);
});
