//! The law of effects: one may be performed twice, but then under the same ids and with the same content.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::conductor::move_record::ModelCall;
use mind::effect::{ConductorEffect, MissionEffect, SessionCommand, SessionSpawn, WorkspaceEffect};
use mind::{Address, Effect, SessionId, State, TurnId};

/// What effects were performed under which ids.
#[derive(Debug, Default)]
pub(super) struct Performed {
    texts: BTreeMap<TurnId, (SessionId, String, Arc<str>)>,
    lives: BTreeSet<Address>,
    checks: BTreeMap<(u32, u32), (Vec<String>, Arc<str>)>,
    brought: BTreeMap<u32, Arc<str>>,
    questions: BTreeMap<(u32, u32), Arc<ModelCall>>,
}

impl Performed {
    /// Holds an effect that is about to be performed against what was performed before.
    pub(super) fn performing(&mut self, effect: &Effect, state: &State) {
        match effect {
            Effect::Spawn(SessionSpawn { address, .. }) => {
                assert!(self.lives.insert(*address), "{address} is started twice");
            }
            Effect::Session(address, SessionCommand::Deliver { turn, key, text, .. })
            | Effect::Session(address, SessionCommand::Steer { turn, key, text }) => {
                let now = (address.session, key.clone(), text.clone());
                let first = self.texts.entry(*turn).or_insert_with(|| now.clone());
                assert_eq!(first, &now, "{turn} means two things");
            }
            Effect::Workspace(WorkspaceEffect::Check { gate, index, argv, commit, .. }) => {
                let now = (argv.clone(), commit.clone());
                let first = self.checks.entry((gate.0, *index)).or_insert_with(|| now.clone());
                assert_eq!(first, &now, "check {index} of {gate} means two things");
            }
            Effect::Workspace(WorkspaceEffect::Bring { gate, commit }) => {
                let first = self.brought.entry(gate.0).or_insert_with(|| commit.clone());
                assert_eq!(first, commit, "{gate} brings two commits");
            }
            Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id }) => {
                assert!(state.received.contains(inbox_id), "{inbox_id} goes before it is a fact");
            }
            Effect::Conductor(ConductorEffect::CallModel { number, attempt, question }) => {
                let first = self.questions.entry((*number, *attempt)).or_insert_with(|| question.clone());
                assert_eq!(first, question, "d{number}.{attempt} means two things");
            }
            Effect::Session(
                _,
                SessionCommand::Warn { .. }
                | SessionCommand::Interrupt { .. }
                | SessionCommand::Permit { .. }
                | SessionCommand::Reply { .. }
                | SessionCommand::End,
            )
            | Effect::Workspace(
                WorkspaceEffect::PrepareClone
                | WorkspaceEffect::Survey { .. }
                | WorkspaceEffect::FetchBack
                | WorkspaceEffect::Abandon { .. },
            )
            | Effect::Docket(..)
            | Effect::Conductor(
                ConductorEffect::DropCall { .. }
                | ConductorEffect::PrepareRun { .. }
                | ConductorEffect::InspectRun { .. }
                | ConductorEffect::Remember { .. },
            )
            | Effect::Mission(MissionEffect::Note { .. } | MissionEffect::Leave(_)) => {}
        }
    }
}
