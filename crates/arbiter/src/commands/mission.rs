//! `mission say|pause|...`: puts a message into the mission's inbox, and waits a moment to see whether the mission took
//! it. Only the journal tells whether a session heard it.

use std::sync::Arc;

use mind::actor::Door;
use mind::conductor::ConductorState;
use mind::event::HumanAction;
use mind::policy::GrantScope;
use mind::{MissionId, PermissionId, State};
use view::refusal::{MissionTrouble, RefusalCause};
use view::{agents, permission_answers};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{GrantScopeArg, MissionAction};
use crate::mission::port::{FolderPort, MissionPort, SayReceipt};
use crate::terminal::console;

use super::context::refuse_agents;
use super::{CommandContext, discard, ownership};

pub fn steer(context: &CommandContext, action: MissionAction) -> Result<ExitCode, CliError> {
    refuse_agents()?;
    let (typed, plea) = read(action)?;
    let (id, places) = context.named(&typed)?;
    discard::refuse_discarded(&id, &places)?;
    ownership::refuse_copy(context, &id, &places)?;
    let port = context.port(&places)?.through(Door::Cli);
    let state = port.state()?;
    if state.ended.is_some() {
        return Err(RefusalCause::Mission(id, MissionTrouble::Over).into());
    }
    for action in plea.actions(&id, &state)? {
        send(action, &port)?;
    }
    Ok(ExitCode::Done)
}

fn send(action: HumanAction, port: &FolderPort) -> Result<(), CliError> {
    let id = port.mission();
    match port.say(action).and_then(|receipt| port.await_taken(receipt)) {
        Ok(SayReceipt::Taken(_)) => console::line(format!("taken by mission {id}")),
        Ok(SayReceipt::Waits(_)) => {
            console::line(format!("queued: mission {id} is not running; it takes this when it is resumed"));
            console::remark(format!("hint: arbiter resume {id}"));
        }
        Ok(SayReceipt::Written(_)) => {
            console::line(format!("queued: mission {id} is busy and takes this soon"));
        }
        Err(error) => return Err(RefusalCause::Say(error).into()),
    }
    Ok(())
}

/// What was typed, before the mission is read: a permission's answer and an agent's name are checked against its state.
enum Plea {
    HumanAction(HumanAction),
    /// For conducted missions only.
    Conducted(HumanAction),
    /// The agent's name as typed.
    Force(String),
    Answer {
        questions: Vec<String>,
        allowed: bool,
        lasts: GrantScope,
        why: String,
    },
}

impl Plea {
    fn actions(self, mission: &MissionId, state: &State) -> Result<Vec<HumanAction>, CliError> {
        let (questions, allowed, lasts, why) = match self {
            Plea::HumanAction(action) => return Ok(vec![action]),
            Plea::Conducted(action) => {
                conductor_of(mission, state)?;
                return Ok(vec![action]);
            }
            Plea::Force(typed) => {
                let agent = agents::named(&typed, conductor_of(mission, state)?).map_err(|cause| {
                    CliError::new(ExitCode::Usage, cause).hint("arbiter mission force ID AGENT")
                })?;
                return Ok(vec![HumanAction::Force(agent)]);
            }
            Plea::Answer { questions, allowed, lasts, why } => (questions, allowed, lasts, why),
        };
        let unclear = |cause: String| {
            CliError::new(ExitCode::Usage, cause)
                .hint("`arbiter show ID` lists the permissions that wait, such as q1")
        };
        let asks = questions.iter().map(|word| {
            permission_answers::permission_of(word)
                .ok_or_else(|| unclear(format!("{word:?} is not the number of a permission")))
        });
        let asks: Vec<PermissionId> = asks.collect::<Result<_, CliError>>()?;
        permission_answers::bind(&asks, state, allowed, lasts, &why).map_err(unclear)
    }
}

fn conductor_of<'a>(mission: &MissionId, state: &'a State) -> Result<&'a ConductorState, CliError> {
    let refused = || RefusalCause::Mission(mission.clone(), MissionTrouble::NotConducted).into();
    state.conductor.as_ref().ok_or_else(refused)
}

fn read(action: MissionAction) -> Result<(String, Plea), CliError> {
    let (id, action) = match action {
        MissionAction::Allow { id, questions, lasts } => {
            let lasts = match lasts {
                None => GrantScope::Once,
                Some(GrantScopeArg::Hour) => GrantScope::Hour,
                Some(GrantScopeArg::Mission) => GrantScope::Mission,
            };
            return Ok((id, Plea::Answer { questions, allowed: true, lasts, why: String::new() }));
        }
        MissionAction::Deny { id, questions, why } => {
            return Ok((id, Plea::Answer { questions, allowed: false, lasts: GrantScope::Once, why }));
        }
        MissionAction::Say { id, text, orchestrator } => {
            let text = text.join(" ");
            if text.trim().is_empty() {
                return Err(CliError::new(ExitCode::Usage, "the message is empty")
                    .hint("arbiter mission say ID WORDS"));
            }
            if text.len() > mind::limits::WORDS_BYTES_MAX {
                return Err(CliError::new(
                    ExitCode::Usage,
                    format!(
                        "the message has {} bytes, more than the {} that fit",
                        text.len(),
                        mind::limits::WORDS_BYTES_MAX
                    ),
                )
                .hint("put the text into a file of the project and name that file"));
            }
            let text: Arc<str> = text.into();
            (id, if orchestrator { HumanAction::SayToOrchestrator(text) } else { HumanAction::Say(text) })
        }
        MissionAction::Force { id, agent } => return Ok((id, Plea::Force(agent))),
        MissionAction::Skip { id } => return Ok((id, Plea::Conducted(HumanAction::Skip))),
        MissionAction::Retry { id } => return Ok((id, Plea::Conducted(HumanAction::Retry))),
        MissionAction::Pause { id } => (id, HumanAction::Pause),
        MissionAction::Resume { id } => (id, HumanAction::Resume),
        MissionAction::Interrupt { id } => (id, HumanAction::Interrupt),
        MissionAction::Release { id } => (id, HumanAction::Release),
        MissionAction::Cancel { id } => (id, HumanAction::Cancel),
    };
    Ok((id, Plea::HumanAction(action)))
}
