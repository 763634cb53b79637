//! The docket's tests, in one binary.

#![expect(clippy::duplicate_mod, reason = "the same suite runs over files and over memory")]

/// The text of a fixture.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../fixtures/", $name, ".petition"))
    };
}

mod dialects;
mod exact;
mod house;
mod in_files;
mod in_memory;
mod text;
mod text_faults;
mod text_hostile;
mod text_laws;
