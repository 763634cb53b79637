//! The completion gate. "Done" is a claim; it becomes true only by a fresh verifier's pass and by receipts of checks
//! that the program itself ran on the committed tree. A refused claim goes back to the Arbiter with the reason.

use std::sync::Arc;

use crate::charter::Way;
use crate::effect::{Effect, Leave, MissionEffect, WorkspaceEffect};
use crate::fact::{GateFact, HaltCause, MissionFact};
use crate::id::GateId;
use crate::limits;
use crate::session::{CloneTree, Role, TaskStatus};
use crate::state::Gate;
use crate::talk::{Listener, MessageKind, Proof, Receipt, Speaker, Verdict};

use super::StepBuilder;
use crate::council::manager::Act;

impl StepBuilder {
    pub(crate) fn claim_completion(&mut self, report: &str) {
        let objection = self.objection();
        self.void_claim("the Arbiter claims anew");
        self.release_worker();
        if let Some(why) = objection {
            return self.turn_back(&Act::CLAIM, &why, report);
        }
        self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Claim, report);
        let gate = GateId(self.state.gates + 1);
        self.gate(gate, GateFact::Claimed { report: Arc::from(report) });
        self.effect(Effect::Workspace(WorkspaceEffect::Survey { gate }));
    }

    /// What speaks against the claim before anything is run.
    fn objection(&self) -> Option<String> {
        let state = &self.state;
        if !state.unheard.is_empty() {
            return Some("the human has said something that no session has heard yet".to_owned());
        }
        if state.orchestrators == 0 {
            return Some("no Orchestrator has worked".to_owned());
        }
        match state.judgement.as_ref().map(|judgement| judgement.verdict) {
            Some(Verdict::Pass) => {}
            Some(Verdict::Fail) => {
                return Some("the last verifier found faults: have them mended and verified anew".to_owned());
            }
            None => {
                return Some(
                    "no verifier has passed the work since the last Orchestrator: summon one with `agent: verifier`"
                        .to_owned(),
                );
            }
        }
        // A successor's checklist replaces its predecessor's; a verifier's is about its audit, not about the work.
        let workers = state.sessions.values().filter(|session| session.profile.role == Role::Orchestrator);
        let numbers: Vec<u32> = workers.map(|session| session.profile.number).collect();
        let owners = state.tasks.iter().map(|(owner, _)| *owner);
        let last = owners.filter(|owner| numbers.contains(owner)).max()?;
        let open = state.tasks.iter().filter(|(owner, _)| *owner == last);
        let open: Vec<&str> = open
            .filter(|(_, task)| task.status != TaskStatus::Done)
            .map(|(_, task)| task.title.as_ref())
            .collect();
        (!open.is_empty()).then(|| format!("open in the task list: {}", open.join("; ")))
    }

    pub(crate) fn claim_surveyed(&mut self, id: GateId, tree: CloneTree) {
        let Some(gate) = self.standing_claim(id).filter(|gate| gate.tree.is_none()) else {
            return self.note(format!("no claim {id} waits for a survey"));
        };
        self.gate(gate.id, GateFact::Surveyed(tree.clone()));
        if tree.dirty {
            return self
                .refuse(id, "the clone has changes that are not committed; only what is committed counts");
        }
        let judged = match &self.state.conductor {
            // Where checks are configured, they are the proof.
            Some(_) if self.charter().is_some_and(|charter| !charter.checks.is_empty()) => {
                Some(tree.commit.clone())
            }
            Some(conductor) => conductor.verified.clone(),
            None => self.state.judgement.as_ref().and_then(|judgement| judgement.commit.clone()),
        };
        if judged.as_ref() != Some(&tree.commit) {
            return self.refuse(id, "the verifier's pass is not for the commit that stands now");
        }
        // The checks run on what lies in the project, where no agent can reach it.
        self.effect(Effect::Workspace(WorkspaceEffect::Bring { gate: id, commit: tree.commit }));
    }

    /// The work lies in the project. Only the commit that was judged counts as the work.
    pub(crate) fn claim_brought(&mut self, id: GateId, commit: &str) {
        let waiting = self.standing_claim(id).filter(|gate| !gate.brought);
        let Some(tree) = waiting.and_then(|gate| gate.tree) else {
            return self.note(format!("no claim {id} waits for its work"));
        };
        if tree.commit.as_ref() != commit {
            return self.refuse(id, "the clone moved on to another commit meanwhile");
        }
        self.gate(id, GateFact::Brought { commit: tree.commit.clone() });
        self.next_check(id, &tree);
    }

    /// The clone is not in a state to be judged; the Arbiter hears why.
    pub(crate) fn claim_unfit(&mut self, id: GateId, why: &str) {
        if self.standing_claim(id).is_none() {
            return self.note(format!("no claim {id} stands: {why}"));
        }
        self.refuse(id, &format!("the work cannot be checked as it is: {why}"));
    }

    /// The machine failed, not the work: no session hears of it, and the claim stands. The next start does the same part
    /// of it again.
    pub(crate) fn claim_hindered(&mut self, id: GateId, why: Arc<str>) {
        if self.standing_claim(id).is_none() {
            return self.note(format!("no claim {id} stands: {why}"));
        }
        self.halt(HaltCause::Workspace, why);
    }

    pub(crate) fn claim_checked(&mut self, id: GateId, index: u32, receipt: Receipt) {
        let waiting = self.standing_claim(id).filter(|gate| gate.brought && gate.passed == index);
        let Some(gate) = waiting else {
            return self.note(format!("no claim {id} waits for check {index}"));
        };
        let Some(tree) = gate.tree else {
            return self.note(format!("claim {id} is not surveyed yet"));
        };
        let passed = receipt.passed();
        let argv = receipt.argv.join(" ");
        let (status, tail) = (receipt.status.to_string(), receipt.output_tail.clone());
        self.gate(id, GateFact::Receipt { index, receipt });
        if passed {
            return self.next_check(id, &tree);
        }
        let tail: Vec<char> = tail.chars().collect();
        let from = tail.len().saturating_sub(limits::CHECK_TAIL_CHARS_MAX);
        let tail: String = tail[from..].iter().collect();
        self.refuse(
            id,
            &format!("the check `{argv}` did not pass ({status}). The end of its output:\n{tail}"),
        );
    }

    fn next_check(&mut self, id: GateId, tree: &CloneTree) {
        let Some(charter) = self.charter() else { return };
        let Some(gate) = self.standing_claim(id) else { return };
        match charter.checks.get(gate.passed as usize) {
            Some(argv) => self.effect(Effect::Workspace(WorkspaceEffect::Check {
                gate: id,
                index: gate.passed,
                argv: argv.clone(),
                limit_ms: charter.check_limit_ms,
                commit: tree.commit.clone(),
            })),
            None => self.complete(gate),
        }
    }

    /// Every check has passed. The human may have spoken meanwhile: then the claim waits for another time.
    fn complete(&mut self, gate: Gate) {
        let answering = self.state.arbiter().is_some_and(|a| a.turns.current.is_some() || a.is_called());
        let asking = self.state.question > Some(gate.after);
        if answering || asking || !self.state.unheard.is_empty() {
            let why = "the mission went on while the checks ran; they passed. Claim again when nothing else is open";
            return self.refuse(gate.id, why);
        }
        let checked = self.charter().is_some_and(|charter| !charter.checks.is_empty());
        let proof = if checked { Proof::Proven } else { Proof::VerifiedByAgent };
        self.say(Speaker::Arbiter, Listener::Human, MessageKind::Plain, &gate.report);
        self.mission(MissionFact::Completed { proof });
        self.end_all();
        self.effect(Effect::Mission(MissionEffect::Leave(Leave::Completed)));
    }

    /// Drops the claim because something else began; the Arbiter is not told, since it or the human began that.
    pub(crate) fn void_claim(&mut self, why: &str) {
        if let Some(gate) = self.state.gate.clone() {
            self.gate(gate.id, GateFact::Refused { why: Arc::from(why) });
            self.effect(Effect::Workspace(WorkspaceEffect::Abandon { gate: gate.id }));
        }
    }

    fn refuse(&mut self, id: GateId, why: &str) {
        self.gate(id, GateFact::Refused { why: Arc::from(why) });
        if self.state.way() == Way::Conductor {
            return self.claim_turned_back(why);
        }
        self.post_turned_back(&Act::AT_THE_GATE, why);
    }

    fn standing_claim(&self, id: GateId) -> Option<Gate> {
        self.state.gate.clone().filter(|gate| gate.id == id)
    }
}
