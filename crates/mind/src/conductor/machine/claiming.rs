//! Claims of completion in a conducted mission. Before the gate: no step is open, no agent objects, the notes are written,
//! and where no check is configured a verifier has passed the work.

use std::sync::Arc;

use super::super::agent::{Agent, AgentDuty, verdict_in_words};
use super::super::answer::AgentAnswer;
use super::super::execution::RunStatus;
use super::super::fact::ConductorFact;
use super::super::plan::{StepStatus, shown};
use super::super::state::{Run, RunEnding, RunKind};
use super::super::texts::quoted;
use super::super::{NoteKeeping, limits};
use crate::decide::StepBuilder;
use crate::effect::{Effect, WorkspaceEffect};
use crate::fact::GateFact;
use crate::id::GateId;
use crate::limits::cut;
use crate::session::CloneTree;
use crate::talk::{Listener, MessageKind, Speaker};

impl StepBuilder {
    /// A move claims that the mission is done.
    pub(super) fn claim(&mut self, summary: &str) {
        if self.conducting().is_some_and(|conducting| conducting.dry_run) {
            return self.claim_turned_back("a dry run ends with a plan and cannot be complete");
        }
        match self.open_matter() {
            Some(why) => self.claim_turned_back(&why),
            None => {
                let summary = Arc::from(cut(summary, limits::WORDS_CHARS_MAX));
                self.conductor_fact(ConductorFact::Claimed { summary });
            }
        }
    }

    /// What speaks against the claim before anything is run.
    fn open_matter(&self) -> Option<String> {
        let conductor = self.conductor();
        if !self.state.unheard.is_empty() {
            return Some("the human has said something that no agent has heard yet".to_owned());
        }
        if conductor.history.is_empty() {
            return Some("no agent has worked yet".to_owned());
        }
        if let Some(why) = &conductor.turned_back {
            return Some(why.to_string());
        }
        if let Some((name, objection)) = conductor.objections.iter().next() {
            let issues: String = objection.issues.iter().map(|issue| format!("\n- {issue}")).collect();
            let verdict = verdict_in_words(&objection.verdict);
            return Some(format!("{name} objects ({verdict}){issues}"));
        }
        let open: Vec<String> = conductor
            .plan
            .iter()
            .flat_map(|plan| &plan.steps)
            .filter_map(|step| {
                let word = match step.status {
                    StepStatus::Complete | StepStatus::Skipped => return None,
                    StepStatus::Failed => "failed",
                    StepStatus::Pending | StepStatus::InProgress => "open",
                };
                Some(format!("step {} ({}) is {word}", shown(step.index), step.description))
            })
            .collect();
        (!open.is_empty()).then(|| open.join("; "))
    }

    /// The claim goes on: notes, a verifier, the gate.
    pub(super) fn further_claim(&mut self) {
        let conductor = self.conductor();
        let Some(summary) = conductor.claim.clone() else {
            return self.conductor_fact(ConductorFact::Selecting);
        };
        // What was said meanwhile counts.
        if let Some(why) = self.open_matter() {
            return self.claim_turned_back(&why);
        }
        if self.keeper_is_due() {
            return self.begin_keeping();
        }
        let unchecked = self.charter().is_some_and(|charter| charter.checks.is_empty());
        if unchecked && conductor.verified.is_none() {
            return match conductor.with_part(AgentDuty::Verifier).cloned() {
                Some(verifier) => self.prepare_aside(RunKind::Verify, &verifier),
                None => self.claim_turned_back(
                    "no check is configured, and no agent verifies: configure a check, or add a verifier",
                ),
            };
        }
        self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Claim, &summary);
        let gate = GateId(self.state.gates + 1);
        self.gate(gate, GateFact::Claimed { report: summary });
        self.effect(Effect::Workspace(WorkspaceEffect::Survey { gate }));
    }

    /// The claim does not stand: the mission goes on with the reason.
    pub(crate) fn claim_turned_back(&mut self, why: &str) {
        let why = cut(why, limits::WORDS_CHARS_MAX);
        self.conductor_fact(ConductorFact::TurnedBack { why: Arc::from(why.as_str()) });
        // Checks and agents said most of it.
        self.guide(&format!("It was said to be complete, and that was turned back:\n{}", quoted(&why)));
    }

    pub(super) fn keeper_is_due_after_a_run(&self) -> bool {
        self.conducting().is_some_and(|conducting| conducting.keeping == NoteKeeping::Each)
            && self.keeper_is_due()
    }

    fn keeper_is_due(&self) -> bool {
        let conductor = self.conductor();
        let keeps = self.conducting().is_some_and(|conducting| conducting.keeping != NoteKeeping::Off);
        // Once is enough for a claim that is made again, and again.
        let once = self.conducting().is_some_and(|conducting| conducting.keeping == NoteKeeping::End);
        let kept = conductor.kept_after.is_some_and(|after| once || after == conductor.iterations);
        keeps && !kept && conductor.iterations > 0 && conductor.with_part(AgentDuty::Keeper).is_some()
    }

    pub(super) fn begin_keeping(&mut self) {
        let keeper: Option<Agent> = self.conductor().with_part(AgentDuty::Keeper).cloned();
        match keeper {
            Some(keeper) => self.prepare_aside(RunKind::Keep, &keeper),
            None => self.conductor_fact(ConductorFact::Selecting),
        }
    }

    /// A verifier has looked at what is said to be done.
    pub(super) fn verified(
        &mut self,
        run: &Run,
        ending: &RunEnding,
        answer: &AgentAnswer,
        tree: Option<&CloneTree>,
    ) {
        self.conductor_fact(ConductorFact::RunEnded { execution: None, error: None, objection: None });
        if ending.status == RunStatus::Cancelled {
            // A human stopped the verifier: there is no verdict, and nothing needs mending.
            self.conductor_fact(ConductorFact::Selecting);
            return self.wait_for_the_human(&run.agent);
        }
        let passed = ending.status == RunStatus::Success && answer.verdict.as_deref() == Some("pass");
        let clean = tree.filter(|tree| !tree.dirty);
        match (passed, clean) {
            (true, Some(tree)) => {
                self.conductor_fact(ConductorFact::Verified { commit: Some(tree.commit.clone()) });
            }
            (true, None) => self.claim_turned_back(
                "the clone has changes that are not committed; only what is committed counts",
            ),
            (false, _) => {
                let issues: String = answer.issues.iter().map(|issue| format!("\n- {issue}")).collect();
                let why = format!("the verifier did not pass it: {}{issues}", ending.summary);
                self.claim_turned_back(&why);
            }
        }
    }
}
