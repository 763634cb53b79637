//! Faults at every file-system call of the binary, under ptrace. It is handed the binary and knows nothing of its code: it
//! fails, shortens or kills at one call after the other, goes on as a user would, and holds laws against what is found.

mod docket;
mod injection;
mod key;
mod law;
mod limits;
mod memory;
mod mission;
mod mode;
mod person;
mod shadow;
mod story;
mod syscalls;
mod table;
mod telegram;
mod tracer;
mod walk;
mod world;

pub use docket::DOCKET_STORIES;
pub use law::{Breach, FaultLaw};
pub use mission::MISSION_STORIES;
pub use mode::FaultMode;
pub use story::FaultStory;
pub use table::{FaultTable, Told};
pub use telegram::TELEGRAM_STORIES;
pub use tracer::{CallOrder, CallWatcher, TracedCall, TracedEnd, TracedProcess, trace};
pub use walk::{WalkPlan, walk};

/// Every story there is.
pub fn stories() -> Vec<&'static dyn FaultStory> {
    let docket = DOCKET_STORIES.iter().map(|story| story as &dyn FaultStory);
    let doors = TELEGRAM_STORIES.iter().map(|story| story as &dyn FaultStory);
    docket.chain(doors).chain(MISSION_STORIES.iter().map(|story| story as &dyn FaultStory)).collect()
}
