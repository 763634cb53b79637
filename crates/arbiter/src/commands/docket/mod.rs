//! The docket from the command line. This file routes, and holds what all of its commands need: the docket, who types, and
//! the time. No project is needed, and a broken one does not matter: only the user's own file is read.

mod act;
mod ask;
mod audit;
mod draft;
mod editor;
mod inbox;
mod look;
mod refusal;
mod sitting;
mod stats;
mod tally;
mod tell;
mod typed;
mod wait;

use docket::{Docket, HeldLock};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use serde_json::{Value, json};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{AuditCommand, DocketCommand};
use crate::project::bot_token;
use crate::project::config::Config;
use crate::project::home::UserFolders;
use crate::serving::standing;
use crate::terminal::console;
use crate::terminal::plain_signs as signs;
use crate::{clock, terminal};

pub(super) use draft::when;

use super::context::{is_agent, refuse_agents};
use super::own_config::OwnConfig;

/// What says that an agent types, and who it is.
pub(super) const AGENT_VARIABLES: [&str; 2] = ["ARBITER_AGENT", "CLAWDBOT_AGENT"];
const SESSION_VARIABLES: [&str; 2] = ["ARBITER_SESSION", "CLAWDBOT_SESSION"];

/// Runs a command of the docket.
pub fn run(command: DocketCommand) -> Result<ExitCode, CliError> {
    match command {
        DocketCommand::Ask(args) => told(args.json, || ask::ask(&Clerk::find()?, &args)),
        DocketCommand::Status { id, tag, json } => {
            told(json, || look::status(&Clerk::find()?, id.as_deref(), tag.as_deref(), json))
        }
        DocketCommand::Get { id, partial, json } => {
            told(json, || look::get(&Clerk::find()?, &id, partial, json))
        }
        DocketCommand::Await { id, timeout, json } => {
            told(json, || wait::wait(&Clerk::find()?, &id, timeout, json))
        }
        DocketCommand::Inbox { id, list, json } => {
            told(json, || inbox::inbox(&Clerk::find()?, id.as_deref(), list, json))
        }
        DocketCommand::Answer(args) => told(args.json, || act::answer(&Clerk::find()?, &args)),
        DocketCommand::Skip { id, decision, instead_of, change, submit, json } => {
            let instead_of = instead_of.as_deref();
            let wish = act::AnswerExtras { instead_of, change, submit, json };
            told(json, || act::skip(&Clerk::find()?, &id, &decision, wish))
        }
        DocketCommand::Assign { id, decision, name, json } => {
            told(json, || act::assign(&Clerk::find()?, &id, decision.as_deref(), &name, json))
        }
        DocketCommand::Submit { id, json } => told(json, || act::submit(&Clerk::find()?, &id, json)),
        DocketCommand::Withdraw { id, why, json } => {
            told(json, || act::withdraw(&Clerk::find()?, &id, &why, json))
        }
        DocketCommand::Audit { command: None, petition, json } => {
            told(json, || audit::print(&Clerk::find()?, petition.as_deref(), json))
        }
        DocketCommand::Audit { command: Some(AuditCommand::Verify { json: too }), json, .. } => {
            told(json || too, || audit::verify(&Clerk::find()?, json || too))
        }
        DocketCommand::Audit { command: Some(AuditCommand::Mend { yes, json: too }), json, .. } => {
            told(json || too, || audit::mend(&Clerk::find()?, yes, json || too))
        }
        DocketCommand::Stats { json } => told(json, || tally::print(&Clerk::find()?, json)),
    }
}

/// A program reads stdout: what went wrong stands there too, as JSON. A person reads it on stderr as always.
fn told(json: bool, action: impl FnOnce() -> Result<ExitCode, CliError>) -> Result<ExitCode, CliError> {
    action().map_err(CliError::or_limit).inspect_err(|cli_error| {
        if json {
            say(&json!({"error": cli_error.cause, "hint": cli_error.hint}));
        }
    })
}

/// One JSON value on one line, for programs: nothing of a text is left out, and what a terminal would obey or hide is
/// escaped. Outside of texts JSON has no such signs.
fn say(value: &Value) {
    let mut line = String::new();
    for sign in value.to_string().chars() {
        if sign == ' ' || sign.is_ascii_graphic() || (sign.is_alphanumeric() && !sign.is_ascii()) {
            line.push(sign);
        } else {
            let mut units = [0; 2];
            sign.encode_utf16(&mut units).iter().for_each(|unit| line.push_str(&format!("\\u{unit:04x}")));
        }
    }
    console::line(line);
}

/// What every command of the docket needs.
struct Clerk {
    places: UserFolders,
    config: Config,
    docket: Docket,
}

impl Clerk {
    fn find() -> Result<Clerk, CliError> {
        let OwnConfig { places, config } = OwnConfig::read()?;
        let docket = Docket::at(config.docket_dir.value.clone()).telling_of_locks(held);
        Ok(Clerk { docket, config, places })
    }
}

impl Clerk {
    /// How the doors are that a person could answer through, said beside what was asked for. Without a configured one
    /// nothing is said.
    fn remark_doors(&self) {
        if bot_token::is_configured(&self.config, &self.places.home) {
            let (said, hint) = standing::in_words(&self.places.home, now());
            console::remark(said);
            if let Some(hint) = hint {
                console::remark(format!("hint: {hint}"));
            }
        }
    }
}

/// Another process holds the docket's lock for more than a moment: a person at a terminal has to know why nothing happens.
fn held(lock: &HeldLock) {
    let patience = clock::span(docket::limits::LOCK_WAIT_MAX.as_millis() as u64);
    console::remark(format!("waiting: {lock}; this ends after {patience}"));
}

/// The docket where the user wants it.
pub(super) fn open() -> Result<Docket, CliError> {
    Ok(Clerk::find()?.docket)
}

fn now() -> Timestamp {
    clock::now()
}

/// The person at the command line. An agent is refused: it never speaks for one.
fn person() -> Result<Actor, CliError> {
    refuse_agents()?;
    if let Some((name, _)) = variable(AGENT_VARIABLES) {
        return Err(CliError::new(
            ExitCode::Usage,
            format!("{name} is set: an agent cannot speak for a human"),
        )
        .hint(format!("a person types this in a terminal of their own, without {name}")));
    }
    Ok(by_person())
}

fn by_person() -> Actor {
    terminal::person(Door::Cli)
}

/// The agent that types, if one does.
fn agent() -> Option<String> {
    variable(AGENT_VARIABLES).map(|(_, name)| name).or_else(|| is_agent().then(|| "agent".to_owned()))
}

/// The session that types, if it says so.
pub(super) fn session() -> Option<String> {
    variable(SESSION_VARIABLES).map(|(_, name)| name)
}

pub(super) fn variable(names: [&'static str; 2]) -> Option<(&'static str, String)> {
    let set = |name: &'static str| std::env::var(name).ok().map(|value| (name, value));
    names.into_iter().filter_map(set).find(|(_, value)| !value.trim().is_empty())
}
