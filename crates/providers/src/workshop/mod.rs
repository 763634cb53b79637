//! The workshop: the mission's own clone, and the checks that we run ourselves, beside it.
//!
//! It owns git on both sides and every process it starts, to the last descendant. What a check's outcome means for
//! the mission is decided elsewhere. Invariant: the user's HEAD, index and files are never touched from here.

mod aside;
mod capture;
mod check;
mod clone;
mod error;
mod gate;
mod git;
mod hint;
pub(crate) mod kin;
mod leash;
mod leftovers;
mod limits;
mod look;
mod preflight;
mod process;
mod proof;
mod receipt;
mod scratch;
mod scroll;

pub use check::{Check, Written};
pub use clone::{MissionClone, fetch_back, prepare};
pub use error::WorkshopError;
pub use leftovers::{MISSION, strike_leftovers};
pub use look::{Tree, look};
pub use preflight::{Base, preflight};
pub use process::{Exit, Finished, Job, run};
pub use proof::{Stand, proof_folder, stand_at};
pub use receipt::{Receipt, run_check};
pub use scratch::scratch;
pub use scroll::put_scroll;
