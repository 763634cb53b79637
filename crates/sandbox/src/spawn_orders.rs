//! The orders from one step of the sandbox to the next: the step's name as a word on its command line, and
//! everything else in one variable, which the last step removes. The user's other processes can read it, so
//! there is no secret in it.

use mind::access::{AccessMap, SandboxLevel};
use serde::{Deserialize, Serialize};

/// The variable that holds the orders.
pub(super) const ORDERS: &str = "ARBITER_CAGE";

/// Which step it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SandboxStep {
    /// The outermost: started by Arbiter.
    Keep,
    /// Before bubblewrap: ties its life to the keeper's, and becomes it.
    Tie,
    /// The innermost: becomes the program.
    Inside,
    /// For a command of the program: a smaller sandbox inside the sandbox.
    Command,
}

/// Everything a step has to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SpawnOrders {
    /// The number of the process that wants the sandbox.
    pub(super) house: i32,
    /// The number of the keeper, once there is one.
    pub(super) keeper: i32,
    pub(super) level: SandboxLevel,
    pub(super) lay: AccessMap,
    pub(super) tmp: String,
    pub(super) own: Vec<String>,
    pub(super) bubblewrap: Option<String>,
    pub(super) canary: String,
    pub(super) closed: Vec<String>,
    pub(super) nonce: String,
    /// Where the program works. Only the last step goes there: a program may load files from the folder it is in.
    pub(super) folder: String,
    /// Variables that make a loader load something: for the program, and for no step before it.
    pub(super) loader: Vec<(String, String)>,
    /// The first line on stdout says where the program runs.
    pub(super) announce: bool,
    /// The first line on stdin is for the keeper.
    pub(super) secrets: bool,
}

impl SpawnOrders {
    pub(super) fn word(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What the variable says.
    pub(super) fn given() -> Result<SpawnOrders, String> {
        let orders = std::env::var(ORDERS).map_err(|_| "the sandbox has no orders".to_owned())?;
        SpawnOrders::read(&orders)
    }

    fn read(word: &str) -> Result<SpawnOrders, String> {
        serde_json::from_str(word).map_err(|error| format!("the sandbox's orders cannot be read: {error}"))
    }
}

impl SandboxStep {
    pub(super) fn word(self) -> &'static str {
        match self {
            SandboxStep::Keep => "keep",
            SandboxStep::Tie => "tie",
            SandboxStep::Inside => "inside",
            SandboxStep::Command => "command",
        }
    }

    pub(super) fn of(word: &str) -> Option<SandboxStep> {
        [SandboxStep::Keep, SandboxStep::Tie, SandboxStep::Inside, SandboxStep::Command]
            .into_iter()
            .find(|step| step.word() == word)
    }
}

/// The first line of an agent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Announcement {
    pub(super) caged: SandboxedProcess,
}

/// Where it runs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SandboxedProcess {
    pub(super) nonce: String,
    pub(super) level: SandboxLevel,
    /// No signal of a process inside reaches a process outside.
    pub(super) signals: bool,
}
