//! The views of Telegram: pure functions from what `view` says to a message with its buttons. They lay out; what a petition
//! or a mission means is `view`'s. No message is longer than Telegram takes, whatever an agent wrote.

mod completion;
mod decision;
mod decision_pages;
mod gone;
mod hand_over;
mod help;
mod layout;
mod mission;
mod missions;
mod own_words;
mod petition;
mod queue;
mod review;
mod status;
mod viewer;

#[cfg(test)]
mod trial;

pub use completion::completion;
pub use decision::{DecisionMoment, decision};
pub use gone::{decision_not_found, plan_not_found, unreadable, word};
pub use hand_over::hand_over;
pub use help::help;
pub use mission::{mission, mission_cancel};
pub use missions::missions;
pub use own_words::own_words;
pub use petition::petition;
pub use queue::{QueueMoment, queue, queue_rows};
pub use review::review;
pub use status::{StatusMoment, status};
pub use viewer::Viewer;
