//! `answer`, `skip`, `assign`, `submit` and `withdraw`. All but the last are a person's alone.

use std::io::Read as _;
use std::sync::Arc;

use docket::{DocketError, StoredPetition};
use mind::MissionId;
use mind::actor::Actor;
use mind::petition::{
    AnswerChoice, ClosedPetition, Decision, GivenAnswer, Petition, PetitionEnd, PetitionRefusal,
    PetitionStatus, SeenAnswer, SeenQuestion, tell as json,
};
use serde_json::Value;

use super::{Clerk, agent, by_person, look, now, person, refusal, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::AnswerArgs;
use crate::mission::port::{FolderPort, MissionPort as _};
use crate::project::home::{self, Project};
use crate::project::registry::Registry;
use crate::terminal::console::{self, LineInk};

/// What else was wished with an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerExtras<'a> {
    /// The person who is asked, in whose place the answer is given.
    pub instead_of: Option<&'a str>,
    /// It may replace an answer.
    pub change: bool,
    /// And submit, if nothing is open then.
    pub submit: bool,
    pub json: bool,
}

/// Answers a decision.
pub fn answer(clerk: &Clerk, args: &AnswerArgs) -> Result<ExitCode, CliError> {
    let by = person()?;
    let kept = clerk.docket.find(&args.id, now())?;
    let Some(id) = &args.decision else { return Err(refusal::which_decision(&kept.petition)) };
    let decision = kept.petition.decision(id).ok_or_else(|| refusal::no_decision(id, &kept.petition))?;
    let text = match args.custom.as_deref() {
        Some("-") => typed()?,
        Some(text) => text.to_owned(),
        None => keys(decision, &args.keys)?,
    };
    let instead_of = args.instead_of.as_deref();
    let wish = AnswerExtras { instead_of, change: args.change, submit: args.submit, json: args.json };
    decide(clerk, &kept, id, AnswerChoice::Answer(Arc::from(text)), &by, wish)
}

/// Leaves a decision to the asker.
pub fn skip(clerk: &Clerk, id: &str, decision: &str, wish: AnswerExtras<'_>) -> Result<ExitCode, CliError> {
    let by = person()?;
    let kept = clerk.docket.find(id, now())?;
    if kept.petition.decision(decision).is_none() {
        return Err(refusal::no_decision(decision, &kept.petition));
    }
    decide(clerk, &kept, decision, AnswerChoice::Skipped, &by, wish)
}

/// Hands a petition, or one decision of it, to another person.
pub fn assign(
    clerk: &Clerk,
    id: &str,
    decision: Option<&str>,
    to: &str,
    as_json: bool,
) -> Result<ExitCode, CliError> {
    let by = person()?;
    let found = clerk.docket.find(id, now())?;
    if let Some(decision) = decision.filter(|id| found.petition.decision(id).is_none()) {
        return Err(refusal::no_decision(decision, &found.petition));
    }
    let kept = match clerk.docket.assign(&found.petition.id, decision, to, &by, now()) {
        Ok(kept) => kept,
        // It is as it was wished.
        Err(DocketError::Refused { refusal: PetitionRefusal::AlreadyAssigned(_), .. }) => found.clone(),
        Err(error) => return Err(error.into()),
    };
    if as_json {
        say(&json::status(&kept.petition));
    } else {
        let title = match decision.and_then(|id| kept.petition.decision(id)) {
            Some(decision) => &decision.title,
            None => &kept.petition.title,
        };
        signs::line(format!("✓ {} → {}", tell::line(title), tell::line(to)));
    }
    note_repeated(&found, &kept);
    Ok(ExitCode::Done)
}

/// Makes the answers final.
pub fn submit(clerk: &Clerk, id: &str, as_json: bool) -> Result<ExitCode, CliError> {
    let by = person()?;
    let found = clerk.docket.find(id, now())?;
    let kept = clerk.docket.submit(&found.petition.id, &by, now())?;
    finish(clerk, &kept, as_json);
    note_repeated(&found, &kept);
    Ok(ExitCode::Done)
}

/// Takes a petition back: the agent that asked it, or a person.
pub fn withdraw(clerk: &Clerk, id: &str, why: &str, as_json: bool) -> Result<ExitCode, CliError> {
    let by = agent().map_or_else(by_person, |name| Actor::Agent(Arc::from(name)));
    let (id, found) = match clerk.docket.find(id, now()) {
        Ok(found) => (found.petition.id.clone(), Some(found)),
        // The ledger still knows it, and settles it.
        Err(DocketError::Gone { id }) => (id, None),
        Err(error) => return Err(error.into()),
    };
    let kept = clerk.docket.withdraw(&id, why, &by, now())?;
    if as_json {
        say(&json::status(&kept.petition));
    } else {
        signs::line(tell::ended(PetitionEnd::Withdrawn, &kept.petition));
    }
    if let Some(found) = found {
        note_repeated(&found, &kept);
    }
    Ok(ExitCode::Done)
}

/// Says that nothing new was recorded: the same command did it before, and could not finish.
fn note_repeated(found: &StoredPetition, kept: &StoredPetition) {
    if found.records.len() == kept.records.len() {
        console::remark("note: this was recorded before; it stands, and its file is in line");
    }
}

fn decide(
    clerk: &Clerk,
    kept: &StoredPetition,
    decision: &str,
    choice: AnswerChoice,
    by: &Actor,
    wish: AnswerExtras<'_>,
) -> Result<ExitCode, CliError> {
    let (found, petition) = (kept, &kept.petition);
    // What was read a moment ago is what is answered.
    let question = petition.decision(decision).map(|decision| petition.digest(decision));
    let answer = if wish.change { SeenAnswer::Any } else { SeenAnswer::None };
    let instead_of = wish.instead_of.map(Arc::from);
    let seen = SeenQuestion { question, answer, instead_of, ..SeenQuestion::default() };
    let answered = clerk.docket.answer(&petition.id, decision, choice.clone(), &seen, by, now());
    let (mut kept, behind) = match answered {
        Ok(kept) => (kept, None),
        Err(error @ DocketError::Recorded { .. }) => {
            let told = CliError::from_docket(&error);
            (error.recorded()?, Some(told))
        }
        // The same command ended in trouble before: the answer stands, and what is left of it is done now.
        Err(DocketError::Refused { refusal, petition })
            if wish.submit && is_given(&refusal, &petition, decision, &choice, by) =>
        {
            (clerk.docket.read(&petition.id, now())?, None)
        }
        Err(error) => return Err(error.into()),
    };
    let is_ready = kept.petition.status() == PetitionStatus::Ready;
    if wish.submit && is_ready {
        let submitted = clerk.docket.submit(&kept.petition.id, by, now());
        kept = submitted.map_err(|error| unsubmitted(error, &kept.petition))?;
    } else if let Some(behind) = behind {
        return Err(behind);
    } else if wish.submit && kept.petition.status() == PetitionStatus::Completed {
        // If the same command submitted it, and ended before it could say so, that is told now, too.
        match clerk.docket.submit(&kept.petition.id, by, now()) {
            Ok(submitted) => kept = submitted,
            Err(DocketError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    note_repeated(found, &kept);
    let ready = is_ready || kept.petition.status() == PetitionStatus::Completed;
    if wish.json {
        let mut told = json::status(&kept.petition);
        if wish.submit && ready {
            wake(clerk, &kept.petition, &mut told);
        }
        say(&told);
        return Ok(ExitCode::Done);
    }
    let petition = &kept.petition;
    let (done, total) = (petition.decided(), petition.decisions.len());
    if let Some(decision) = petition.decision(decision)
        && let Some(given) = &decision.answer
    {
        let title = tell::line(&decision.title);
        let chosen = tell::said(decision, &given.choice);
        if given.late {
            let end = petition.closed.as_ref().map(|closed| refusal::ended(&petition.id, closed));
            signs::line(format!("late: {title} → {chosen}"));
            console::remark(format!(
                "note: {}; the answer is kept and shown as late, and decides nothing",
                end.unwrap_or_default()
            ));
            return Ok(ExitCode::Done);
        }
        signs::line(format!("✓ {title} → {chosen}  ({done}/{total} decided)"));
    }
    if wish.submit && ready {
        finish(clerk, &kept, false);
    } else if wish.submit {
        let open = petition.decisions.iter().filter(|decision| !decision.is_decided());
        let open: Vec<String> = open.map(|decision| tell::line(&decision.id)).collect();
        console::remark(format!("note: not submitted, still open: {}", open.join(", ")));
    } else if let Some(next) = look::next(petition) {
        console::remark(format!("hint: {next}"));
    }
    Ok(ExitCode::Done)
}

/// Whether this person has given exactly this answer before, and it stands.
fn is_given(
    refusal: &PetitionRefusal,
    petition: &Petition,
    decision: &str,
    choice: &AnswerChoice,
    by: &Actor,
) -> bool {
    let is_over = |closed: &ClosedPetition| closed.end == PetitionEnd::Completed;
    let may_stand = match refusal {
        PetitionRefusal::AlreadyAnswered(_) => true,
        PetitionRefusal::Closed(closed) => is_over(closed),
        PetitionRefusal::NoSuchDecision { .. }
        | PetitionRefusal::NotAnOption { .. }
        | PetitionRefusal::Empty
        | PetitionRefusal::TooLong
        | PetitionRefusal::QuestionChanged
        | PetitionRefusal::RequiresHuman
        | PetitionRefusal::WaitsFor(_)
        | PetitionRefusal::NotReady { .. }
        | PetitionRefusal::AssignedTo(_)
        | PetitionRefusal::AlreadyAssigned(_)
        | PetitionRefusal::NotAName
        | PetitionRefusal::AgentAssigns => false,
    };
    let given = petition.decision(decision).and_then(|decision| decision.answer.as_ref());
    let is_same = |given: &GivenAnswer| {
        !given.late && given.choice == *choice && given.by.as_deref() == Some(by.to_string().as_str())
    };
    may_stand && given.is_some_and(is_same)
}

/// The answer stands, and was not submitted.
fn unsubmitted(error: DocketError, petition: &Petition) -> CliError {
    let told = CliError::from_docket(&error);
    if matches!(error, DocketError::Recorded { .. } | DocketError::Refused { .. }) {
        return told;
    }
    let cause = format!("your answer is recorded, and not submitted: {}", told.cause);
    let then = told.hint.map(|hint| format!("{hint}; ")).unwrap_or_default();
    CliError::new(told.code, cause).hint(format!("{then}`arbiter submit {}` submits it", petition.id))
}

/// The keys that were typed, as an answer names them. A slip of the finger is no text of one's own.
fn keys(decision: &Decision, typed: &[String]) -> Result<String, CliError> {
    let known: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
    if typed.is_empty() {
        return Err(refusal::which_option(decision, &known));
    }
    // A key may have spaces, and need not be quoted.
    let joined = typed.join(" ");
    if known.contains(&joined.as_str()) {
        return Ok(joined);
    }
    if !decision.multi && typed.len() > 1 {
        return Err(refusal::one_only(joined));
    }
    let mut keys: Vec<&str> = Vec::new();
    for word in typed
        .iter()
        .flat_map(|key| if decision.multi { key.split(',').collect() } else { vec![key.as_str()] })
    {
        let word = word.trim();
        if !known.contains(&word) {
            return Err(refusal::not_a_key(word, &known, decision.takes_custom()));
        }
        if !keys.contains(&word) {
            keys.push(word);
        }
    }
    Ok(keys.join(", "))
}

/// An answer from stdin: its last line end is the shell's.
fn typed() -> Result<String, CliError> {
    let max = mind::limits::CUSTOM_BYTES_MAX as u64;
    let mut bytes = Vec::new();
    let unreadable = |why: String| CliError::new(ExitCode::Usage, format!("cannot read stdin: {why}"));
    std::io::stdin()
        .lock()
        .take(max + 2)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

/// It is submitted: the summary, and who hears of it.
pub(super) fn finish(clerk: &Clerk, kept: &StoredPetition, as_json: bool) {
    let petition = &kept.petition;
    if as_json {
        let (Ok(mut told) | Err(mut told)) = json::answers(petition, true);
        wake(clerk, petition, &mut told);
        say(&told);
        return;
    }
    let mut lines = vec![(LineInk::Good, tell::ended(PetitionEnd::Completed, petition))];
    lines.extend(tell::summary(petition));
    if let Some(session) = &petition.notify_session {
        lines.push((LineInk::Dim, format!("  {} is notified", tell::line(session))));
    }
    let _ = signs::write(&lines);
    if let Some(mission) = asleep(clerk, petition) {
        signs::line(format!("mission {mission} is not running; it hears this when it goes on"));
        console::remark(format!("hint: arbiter resume {mission}"));
    }
}

/// Tells a program that the mission has to be resumed to hear the answers.
fn wake(clerk: &Clerk, petition: &Petition, told: &mut Value) {
    if let Some(mission) = asleep(clerk, petition) {
        told["hint"] = Value::from(format!(
            "mission {mission} is not running; it hears this when it goes on: `arbiter resume {mission}`"
        ));
    }
}

/// The mission that asked, if it is not over and no process runs it.
fn asleep(clerk: &Clerk, petition: &Petition) -> Option<MissionId> {
    let id = home::parse_mission_id(petition.mission.as_deref()?).ok()?;
    let entry = Registry::new(clerk.places.registry()).find(&id).ok()??.ok()?;
    let places = Project { root: entry.project }.mission(&id);
    let port = FolderPort::at(places, crate::mission::journal_key::journals(&clerk.places).ok()?);
    let rests = !port.is_running() && port.state().ok()?.ended.is_none();
    rests.then_some(id)
}
