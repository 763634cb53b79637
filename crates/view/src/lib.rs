//! What a mission and a petition mean to a person. Every door lays out what stands here: it says what things mean, and
//! nothing of how they look. It knows no terminal, no page, no files and no clock.

pub mod actor;
pub mod agents;
pub mod amount;
pub mod clean;
pub mod completion;
pub mod conducted;
pub mod decision;
pub mod ending;
pub mod history;
pub mod letters;
pub mod line;
pub mod login;
pub mod mission;
pub mod moves;
pub mod near;
pub mod owed;
pub mod permission_answers;
pub mod petition;
pub mod petition_json;
pub mod plan;
pub mod port;
pub mod provenance;
pub mod queue;
pub mod receipt;
pub mod refusal;
pub mod remark;
pub mod review;
pub mod session;
pub mod stage_event;
pub mod status;
pub mod story;
pub mod told;
pub mod tone;
pub mod typed;
pub mod when;

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::SessionId;

/// What sessions are saying, and is no fact yet: bounded tails.
pub type LiveText = BTreeMap<SessionId, Arc<str>>;
