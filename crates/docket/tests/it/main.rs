//! The docket's tests, in one binary.

mod acts;
mod audit;
mod house;
mod queue;
mod recovery;
mod strangers;
/// The text of a fixture.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../fixtures/", $name, ".petition"))
    };
}

mod dialects;
mod text;
mod text_faults;
mod text_hostile;
mod text_laws;
