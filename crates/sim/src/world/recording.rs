//! The events of a world, and when each came: enough to replay them to a bare mind. The stored form of an event is
//! written here, since events are never stored elsewhere; a field that comes later has a default, so that old plays can
//! still be read.

use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::Charter;
use mind::conductor::ConductorEvent;
use mind::event::{DocketCall, DocketEvent, Failure, HumanAction, TurnEnd};
use mind::mission_limits::Limits;
use mind::petition::{Answered, PetitionDraft, PetitionId};
use mind::session::{CloneTree, Gauge, Task};
use mind::talk::Receipt;
use mind::{Address, AgentEvent, Event, GateId, HumanEvent, Timestamp, TurnId, WorkspaceEvent};
use serde::{Deserialize, Serialize};

/// One event, and when the mind was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// When, in milliseconds since 1970.
    pub at: u64,
    #[serde(with = "EventForm")]
    pub event: Event,
}

/// Everything the mind was told so far, without what a fall made undone.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// Each with the number of facts that there were after it.
    told: Vec<(Told, usize)>,
}

impl Recording {
    pub(super) fn add(&mut self, at: Timestamp, event: &Event, facts: usize) {
        let before = self.told.last().map_or(0, |(_, facts)| *facts);
        self.told.push((Told { at: at.0, event: event.clone() }, before + facts));
    }

    /// The journal was opened again with so many facts: what led to others did not happen.
    pub(super) fn drop_after(&mut self, facts: usize) {
        while self.told.pop_if(|(_, after)| *after > facts).is_some() {}
    }

    pub(super) fn told(&self) -> Vec<Told> {
        self.told.iter().map(|(told, _)| told.clone()).collect()
    }
}

/// One line for each event.
pub(super) fn write(told: &[Told]) -> String {
    let line = |told| serde_json::to_string(told).unwrap_or_else(|error| panic!("{told:?}: {error}"));
    told.iter().map(|told| line(told) + "\n").collect()
}

/// Reads such lines.
pub(super) fn read(play: &str) -> Vec<Told> {
    let lines = play.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("no event: {error}: {line}")))
        .collect()
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Event")]
enum EventForm {
    Opened(Box<Charter>),
    Started,
    LimitsSet(Limits),
    Human(#[serde(with = "HumanForm")] HumanEvent),
    Agent(Address, #[serde(with = "AgentForm")] AgentEvent),
    Workshop(#[serde(with = "WorkshopForm")] WorkspaceEvent),
    Alarm,
    Attended(bool),
    Docket(PetitionId, #[serde(with = "DocketForm")] DocketEvent),
    Conductor(ConductorEvent),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DocketEvent")]
enum DocketForm {
    Decided { answers: Vec<Answered> },
    Closed { why: Arc<str> },
    Late(Answered),
    Unasked { why: Arc<str> },
    Delayed { why: Arc<str> },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DocketCall")]
enum PleaForm {
    Push(Arc<PetitionDraft>),
    Status(PetitionId),
    Get { id: PetitionId, partial: bool },
    Await(PetitionId),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HumanEvent")]
struct HumanForm {
    inbox_id: Arc<str>,
    actor: Actor,
    written: Timestamp,
    action: HumanAction,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AgentEvent")]
enum AgentForm {
    Heard(TurnId),
    ToolStarted {
        #[serde(default)]
        call: Arc<str>,
        name: Arc<str>,
        detail: Arc<str>,
    },
    ToolEnded {
        #[serde(default)]
        call: Arc<str>,
        ok: bool,
    },
    Gauged(Gauge),
    Warned {
        percent: u8,
    },
    Tasks(Vec<Task>),
    Spent {
        #[serde(default)]
        report: Arc<str>,
        input: u64,
        output: u64,
        #[serde(default)]
        cost_microusd: u64,
    },
    Rested {
        turn: TurnId,
        #[serde(with = "EndForm")]
        end: TurnEnd,
        tree: Option<CloneTree>,
    },
    Stirred,
    Housed(mind::access::SandboxLevel),
    Remarked(Arc<str>),
    ProgramVersion(Arc<str>),
    Asks {
        call: Arc<str>,
        request: Arc<mind::policy::PermissionRequest>,
    },
    Denied {
        tool: Arc<str>,
        what: Arc<str>,
        why: Arc<str>,
    },
    Unasks {
        call: Arc<str>,
    },
    Pleads {
        call: Arc<str>,
        #[serde(with = "PleaForm")]
        plea: DocketCall,
    },
    AwaitsHuman(bool),
    Failed {
        turn: TurnId,
        #[serde(with = "FailureForm")]
        failure: Failure,
    },
    Lost {
        why: Arc<str>,
    },
    Unstarted {
        why: Arc<str>,
    },
    LoggedOut {
        why: Arc<str>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Failure")]
enum FailureForm {
    Transient(Arc<str>),
    Limited { why: Arc<str>, until: Option<Timestamp> },
    Unauthorised(Arc<str>),
    Refused(Arc<str>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TurnEnd")]
enum EndForm {
    Spoke { output: Option<serde_json::Value>, text: Arc<str> },
    Interrupted,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WorkspaceEvent")]
enum WorkshopForm {
    Settled { folder: Arc<str>, base: Arc<str>, branch: Arc<str> },
    Rebuilt { commit: Arc<str> },
    Surveyed { gate: GateId, tree: CloneTree },
    Checked { gate: GateId, index: u32, receipt: Receipt },
    Brought { gate: GateId, commit: Arc<str> },
    Unfit { gate: GateId, why: Arc<str> },
    Hindered { gate: GateId, why: Arc<str> },
    Broken { why: Arc<str> },
}
