//! The docket's tests, in one binary.

/// The text of a fixture.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../fixtures/", $name, ".petition"))
    };
}

mod acts;
mod audit;
mod changed_questions;
mod damage;
mod dialects;
mod exact;
mod hostile;
mod house;
mod queue;
mod recovery;
mod strangers;
mod text;
mod text_faults;
mod text_hostile;
mod text_laws;
mod withdrawing;
