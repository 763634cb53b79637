//! The provider `scripted`, for tests, in this process: its sessions say one line after another, and the worker commits
//! a file. It shows what a new provider takes: this folder, and its row of the registry.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use mind::charter::Capabilities;
use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::sandbox_needs::SandboxNeeds;
use mind::session::Role;
use mind::{AgentEvent, TurnId};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::handle::SessionControls;
use crate::provider::{Answering, refused};
use crate::registry::ProviderEntry;
use crate::{Handle, ModelRequest, ProviderOptions, SessionProvider, SessionStart};

/// This provider's row of the registry.
pub const ENTRY: ProviderEntry = ProviderEntry {
    name: "scripted",
    capabilities: Capabilities { steers: false, typed: true },
    works: true,
    plays_script: false,
    answers_by_process: false,
    is_real: false,
    resumes_by_hand: None,
    leavings: &[],
    open,
};

#[derive(Debug)]
pub struct ScriptedProvider;

fn open(_: &ProviderOptions) -> Result<Arc<dyn SessionProvider>, String> {
    Ok(Arc::new(ScriptedProvider))
}

impl SessionProvider for ScriptedProvider {
    fn sandbox_needs(&self, _: &Path, _: &Path, _: &str) -> Result<Option<SandboxNeeds>, String> {
        Ok(None)
    }

    fn start(&self, start: SessionStart, events: mpsc::Sender<AgentEvent>) -> Handle {
        Handle::spawn(|controls| speak(start, events, controls))
    }

    fn answer(&self, _: ModelRequest) -> Answering {
        refused("the scripted provider decides nothing")
    }
}

/// Answers every text with the next line of its role, until its end is ordered.
async fn speak(start: SessionStart, events: mpsc::Sender<AgentEvent>, mut controls: SessionControls) {
    let mut lines = lines(start.profile.role).into_iter();
    loop {
        let order = tokio::select! {
            () = controls.end.notified() => return,
            order = controls.orders.recv() => order,
        };
        let Some(order) = order else { return };
        let SessionCommand::Deliver { turn, .. } = order else { continue };
        let Some(line) = lines.next() else { return };
        if line["kind"] == "handoff" && start.profile.role == Role::Orchestrator {
            commit(&start.folder);
        }
        if send(&events, turn, line).await.is_err() {
            return;
        }
    }
}

async fn send(
    events: &mpsc::Sender<AgentEvent>,
    turn: TurnId,
    line: Value,
) -> Result<(), mpsc::error::SendError<AgentEvent>> {
    events.send(AgentEvent::Heard(turn)).await?;
    let end = TurnEnd::Spoke { output: Some(line), text: Arc::from("") };
    events.send(AgentEvent::Rested { turn, end, tree: None }).await
}

fn lines(role: Role) -> Vec<Value> {
    match role {
        Role::Arbiter => vec![
            json!({"intent": "address_human", "asks": "alignment", "message": "Shall it begin?"}),
            json!({"intent": "summon_orchestrator", "message": "Let one come."}),
            json!({"intent": "address_orchestrator", "message": "Do it."}),
            json!({"intent": "summon_orchestrator", "agent": "verifier", "message": "Let another look."}),
            json!({"intent": "address_orchestrator", "message": "Audit it."}),
            json!({"intent": "release_orchestrators", "claim": "complete", "message": "It is done."}),
        ],
        Role::Orchestrator => vec![
            json!({"kind": "introduction", "expects_response": true, "message": "I am here."}),
            json!({"kind": "handoff", "expects_response": true, "message": "It is done."}),
        ],
        Role::Verifier => vec![
            json!({"kind": "introduction", "expects_response": true, "message": "I am here."}),
            json!({"kind": "handoff", "expects_response": true, "verdict": "pass", "findings": [], "message": "It stands."}),
        ],
        Role::Agent => Vec::new(),
    }
}

/// The worker's work.
fn commit(clone: &Path) {
    let _ = std::fs::write(clone.join("work.txt"), "done\n");
    for words in [&["add", "work.txt"][..], &["commit", "--quiet", "-m", "Do the work"]] {
        let identity = ["-c", "user.name=Scripted", "-c", "user.email=scripted@localhost"];
        let _ = Command::new("git").args(identity).args(words).current_dir(clone).status();
    }
}
