//! Effects of a new start, computed from the state alone: whatever was in flight when the loop stopped is done again,
//! under the same ids.

use std::sync::Arc;

use crate::decide::warning_text;
use crate::effect::{
    DocketEffect, Effect, Leave, MissionEffect, RetriedTurn, SessionCommand, SessionSpawn, WorkspaceEffect,
};
use crate::id::SessionId;
use crate::mission_petition::Outcome;
use crate::prompt::{self, PromptContext};
use crate::session::WaitKind;
use crate::state::{Ended, State};

impl State {
    /// The effects that do again what the facts say is in flight.
    pub fn on_start(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        match &self.ended {
            Some(Ended::Completed(_)) => return self.leave_again(Leave::Completed),
            Some(Ended::Cancelled(_)) => return self.leave_again(Leave::Cancelled),
            Some(Ended::Failed(_)) => return self.leave_again(Leave::Failed),
            Some(Ended::Exhausted(_)) => return self.leave_again(Leave::Exhausted),
            Some(Ended::PlanOnly { confident }) => {
                return self.leave_again(Leave::PlanOnly { confident: *confident });
            }
            None => {}
        }
        effects.extend(self.wake_docket());
        let Some(charter) = &self.charter else { return effects };
        if self.clone_place.is_none() {
            effects.push(Effect::Workspace(WorkspaceEffect::PrepareClone));
        }
        for session in self.live_sessions() {
            effects.extend(self.wake_session(session.profile.session));
        }
        effects.extend(self.wake_conductor());
        if let Some(gate) = &self.gate {
            match (&gate.tree, charter.checks.get(gate.passed as usize)) {
                (Some(tree), _) if !gate.brought => {
                    effects.push(Effect::Workspace(WorkspaceEffect::Bring {
                        gate: gate.id,
                        commit: Arc::clone(&tree.commit),
                    }));
                }
                (Some(tree), Some(argv)) => effects.push(Effect::Workspace(WorkspaceEffect::Check {
                    gate: gate.id,
                    index: gate.passed,
                    argv: argv.clone(),
                    limit_ms: charter.check_limit_ms,
                    commit: Arc::clone(&tree.commit),
                })),
                // Every check has passed: the claim was decided in the same step.
                (Some(_), None) => {}
                (None, _) => effects.push(Effect::Workspace(WorkspaceEffect::Survey { gate: gate.id })),
            }
        }
        effects
    }

    /// What the docket may not have been told yet: petitions asked and petitions withdrawn.
    fn wake_docket(&self) -> Vec<Effect> {
        let effects = self.petitions.iter().filter_map(|(id, raised)| match &raised.outcome {
            None => Some(Effect::Docket(id.clone(), DocketEffect::Push { draft: Arc::clone(&raised.draft) })),
            // What is closed already is looked at for answers that came late.
            Some(Outcome::Withdrawn(why) | Outcome::Closed(why)) => {
                Some(Effect::Docket(id.clone(), DocketEffect::Withdraw { why: Arc::clone(why) }))
            }
            Some(Outcome::Decided { .. } | Outcome::Void) => None,
        });
        effects.collect()
    }

    /// The mission is over: what its last moment asked for, which may not have been done.
    fn leave_again(&self, leave: Leave) -> Vec<Effect> {
        let mut effects = self.wake_docket();
        effects.extend(self.wake_notes());
        effects.push(Effect::Mission(MissionEffect::Leave(leave)));
        effects
    }

    /// What brings one session back: its process, its turn, and whatever was on its way to it.
    pub(crate) fn wake_session(&self, id: SessionId) -> Vec<Effect> {
        let mut effects = Vec::new();
        let (Some(charter), Some(session)) = (&self.charter, self.sessions.get(&id)) else { return effects };
        let address = session.address();
        let profile = session.profile.clone();
        // A session that never had a prompt has nothing to take up.
        let resume = session.turns.current.is_some() || session.turns.prompted;
        let spoke = session.turns.completed > 0;
        let (gauge, budgeted) = (session.context.gauge.clone(), self.is_budgeted());
        effects.push(Effect::Spawn(SessionSpawn { address, profile, resume, spoke, gauge, budgeted }));
        // A turn that waits for its next try is not given before that.
        let parked = session.health.wait.as_ref().is_some_and(|wait| wait.kind != WaitKind::Revival);
        if let Some(turn) = session.turns.current.as_ref().filter(|_| !parked) {
            effects.extend(self.deliver_again(id, "the process that carried you ended"));
            for steer in &session.turns.steered {
                let key = self.turn_key(steer.id);
                effects.push(Effect::Session(
                    address,
                    SessionCommand::Steer { turn: steer.id, key, text: steer.text.clone() },
                ));
            }
            if turn.interrupted_by.is_some() {
                effects.push(Effect::Session(address, SessionCommand::Interrupt { turn: turn.id }));
            }
        }
        let percent = session.known_percent();
        if let Some(percent) = percent.filter(|_| session.context.warning_set > session.context.warned) {
            let text = warning_text(charter, session, session.context.warning_set, percent);
            effects.push(Effect::Session(
                address,
                SessionCommand::Warn { percent: session.context.warning_set, text },
            ));
        }
        effects
    }

    /// Gives the turn in flight once more. A conversation that holds it already is told to go on instead, and which
    /// tools may have run.
    pub(crate) fn deliver_again(&self, id: SessionId, cause: &str) -> Option<Effect> {
        let (charter, session) = (self.charter.as_ref()?, self.sessions.get(&id)?);
        let turn = session.turns.current.as_ref()?;
        let tools: Vec<String> = session
            .tool_use
            .maybe_ran
            .iter()
            .map(|tool| format!("- {} {}", tool.name, tool.detail))
            .collect();
        let file = if tools.is_empty() { "taken-up.md" } else { "may-have-run.md" };
        let values = [("cause", cause), ("tools", &tools.join("\n"))];
        let words = prompt::render_with(charter, file, &PromptContext::default(), &values);
        Some(Effect::Session(
            session.address(),
            SessionCommand::Deliver {
                turn: turn.id,
                key: self.turn_key(turn.id),
                text: turn.text.clone(),
                again: Some(RetriedTurn { words, held: turn.heard || turn.known }),
            },
        ))
    }
}
