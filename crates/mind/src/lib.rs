//! The mind decides. It is pure: no clock, no disk, no network, no task; it cannot fail.
//!
//! What happened outside comes in as an [`Event`]; [`State::decide`] answers with a [`Step`] of [`Fact`]s
//! (what we now hold true) and [`Effect`]s (what should be done). State changes only in [`State::apply`]. A whole batch
//! of events goes through [`State::round`].

pub mod access;
pub mod actor;
mod apply_session;
pub mod canonical;
pub mod charter;
pub mod conductor;
mod council;
pub mod decide;
pub mod digest;
pub mod effect;
pub mod envelope;
pub mod event;
pub mod fact;
pub mod id;
pub mod limits;
pub mod mission_limits;
pub mod mission_petition;
pub mod on_start;
pub mod output;
pub mod petition;
#[cfg(feature = "play")]
pub mod play;
pub mod policy;
pub mod progress;
pub mod prompt;
pub mod round;
pub mod sandbox_needs;
pub mod session;
pub mod show;
pub mod state;
pub mod talk;
pub mod waiting_on;

pub use charter::Charter;
pub use effect::Effect;
pub use event::{AgentEvent, Event, HumanEvent, WorkspaceEvent};
pub use fact::{Entry, Fact};
pub use id::{Address, GateId, MessageId, MissionId, PermissionId, SessionId, Timestamp, TurnId};
pub use round::{LoopMode, Round, Witness};
pub use state::{State, Step};
pub use waiting_on::WaitingOn;
