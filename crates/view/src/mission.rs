//! One mission in words: its title, how it stands, whom it waits for and why, who works, what is proven, what is owed.
//! `show` prints it as text and as JSON; `missions`, `export` and the farewell take their words from the same functions.

use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::{Requirements, Way};
use mind::petition::{PetitionId, PetitionSubject};
use mind::policy::{PermissionRequest, PolicyMode};
use mind::session::{Task, TaskStatus, WaitKind};
use mind::state::Ended;
use mind::talk::{Proof, Speaker, Verdict};
use mind::waiting_on::{ProgramStep, WaitingOn};
use mind::{MissionId, PermissionId, SessionId, State, Timestamp};
use serde::Serialize;

use crate::actor::actor_words;
use crate::amount::money;
use crate::clean::clean;
use crate::conducted::{ConductorView, phase_word};
use crate::owed::{OwedView, open_petitions, owed};
use crate::receipt::ReceiptView;
use crate::session::SessionView;
use crate::status::{self, StatusLine};
use crate::told::{self, FactView, MessageView, PermissionView};
use crate::when;

/// The longest title that is shown, in characters.
const TITLE_CHARS_MAX: usize = 60;

/// A mission, and what only its folder and the clock know of it.
#[derive(Debug, Clone, Copy)]
pub struct MissionMoment<'a> {
    pub id: &'a MissionId,
    pub state: &'a State,
    /// The process that runs it.
    pub process: Option<u32>,
    /// Its clone was removed on a person's word.
    pub discarded: bool,
    pub now: Timestamp,
}

/// A mission; programs get the fields above `over`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MissionView {
    pub id: MissionId,
    pub title: String,
    /// Its status as programs know it: a person who cancelled it is written as a token.
    pub status: String,
    pub process: Option<u32>,
    pub consent: Option<Actor>,
    pub messages: usize,
    pub orchestrators: u32,
    pub sessions: Vec<SessionView>,
    pub tasks: Vec<TaskView>,
    pub conductor: Option<ConductorView>,
    pub owed: Vec<OwedView>,
    pub receipts: Vec<ReceiptView>,
    /// What it asks its person now.
    pub question: Option<Arc<str>>,
    pub permissions: Vec<OpenPermissionView>,
    pub petitions: Vec<OpenPetitionView>,
    /// The folder of the clone.
    pub clone: Option<Arc<str>>,
    #[serde(skip)]
    pub over: bool,
    /// The status in words.
    #[serde(skip)]
    pub standing: String,
    /// What it does now, whom it waits for and why, or how it ended.
    #[serde(skip)]
    pub now: StatusLine,
    /// Where the work is: "FOLDER (branch NAME)", or the reference that keeps what was discarded.
    #[serde(skip)]
    pub work: Option<WorkView>,
    /// Agents run every command unasked.
    #[serde(skip)]
    pub open_policy: bool,
    /// Who said yes before the work; nothing where a mission needs no yes.
    #[serde(skip)]
    pub yes: Option<String>,
    #[serde(skip)]
    pub cost: Option<String>,
    /// "12m": since it was opened.
    #[serde(skip)]
    pub took: String,
    /// No further turn begins.
    #[serde(skip)]
    pub paused: bool,
    /// What was said last, and not by the person.
    #[serde(skip)]
    pub last_words: Option<MessageView>,
    /// "pass on commit 3f0a...".
    #[serde(skip)]
    pub verdict: Option<String>,
    /// How tools that needed a permission fared.
    #[serde(skip)]
    pub tools: Option<String>,
    #[serde(skip)]
    pub grants: Vec<GrantView>,
}

/// Where a mission's work is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkView {
    /// In the clone.
    Clone { folder: Arc<str>, branch: Arc<str> },
    /// The clone was discarded; this reference keeps what it held.
    Kept { reference: String },
}

/// A task of an Orchestrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskView {
    pub orchestrator: u32,
    pub task: Task,
    #[serde(skip)]
    pub owner: String,
    #[serde(skip)]
    pub title: String,
}

/// A tool that waits for a permission.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenPermissionView {
    pub permission: PermissionId,
    pub session: SessionId,
    pub request: Arc<PermissionRequest>,
    #[serde(skip)]
    pub view: PermissionView,
}

/// A petition of the mission that waits for its answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenPetitionView {
    pub id: PetitionId,
    pub title: Arc<str>,
    pub agent: Arc<str>,
    pub subject: PetitionSubject,
    pub at: Timestamp,
    pub deadline: Option<Timestamp>,
}

/// A permission that lasts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GrantView {
    /// What it covers.
    pub pattern: String,
    pub by: String,
    pub permission: PermissionId,
    /// The end of the mission if none.
    pub until: Option<Timestamp>,
}

/// A mission in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissionRowView {
    pub id: MissionId,
    /// Its status as programs know it.
    pub status: String,
    pub title: String,
    /// When its newest fact became one, in milliseconds; 0 if its journal cannot be read.
    pub at: u64,
    pub running: bool,
    pub project: Option<String>,
    /// The status in words.
    #[serde(skip)]
    pub standing: String,
    /// Until when a limit of a provider keeps it waiting, if one does.
    #[serde(skip)]
    pub parked_until: Option<Timestamp>,
}

impl MissionView {
    #[must_use]
    pub fn of(moment: MissionMoment<'_>) -> MissionView {
        let MissionMoment { id, state, process, discarded, now } = moment;
        let runs = process.is_some();
        // Times of a mission that no process runs stand still.
        let now_counted = if runs && state.ended.is_none() { now } else { state.now };
        MissionView {
            id: id.clone(),
            title: title(state),
            status: status_token(state, runs, discarded),
            process,
            consent: state.consent.clone(),
            messages: state.talk.len(),
            orchestrators: state.orchestrators,
            sessions: state
                .sessions
                .values()
                .map(|session| match runs {
                    true => SessionView::of(session, state, now_counted),
                    false => SessionView::without_process(session, state, now_counted),
                })
                .collect(),
            tasks: tasks(state),
            conductor: ConductorView::of(state, now_counted),
            owed: owed(state),
            receipts: state.receipts.iter().map(ReceiptView::of).collect(),
            question: state
                .question
                .and_then(|question| state.message(question))
                .map(|message| message.text.clone()),
            permissions: permissions(state),
            petitions: petitions(state),
            clone: state.clone_place.as_ref().map(|settled| settled.folder.clone()),
            over: state.ended.is_some(),
            standing: standing(state, runs, discarded),
            now: now_line(moment),
            work: work(moment),
            open_policy: state
                .charter
                .as_ref()
                .is_some_and(|charter| charter.policy.mode == PolicyMode::Open),
            yes: (state.way() == Way::Council).then(|| yes(state)),
            cost: Some(state.cost_microusd()).filter(|cost| *cost > 0).map(money),
            took: when::span(now_counted.0.saturating_sub(state.opened_at.0)),
            paused: state.paused,
            last_words: last_words(state),
            verdict: verdict(state),
            tools: told::tally(state),
            grants: grants(state),
        }
    }
}

/// What a person calls a mission: the first heading or first words of its requirements, else their name.
#[must_use]
pub fn title(state: &State) -> String {
    state.charter.as_ref().map(|charter| title_of(&charter.scroll)).unwrap_or_default()
}

/// What a person calls these requirements.
#[must_use]
pub fn title_of(scroll: &Requirements) -> String {
    let first = scroll.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let words = first.trim_start_matches('#').trim();
    if words.is_empty() { scroll.name.clone() } else { mind::limits::cut(words, TITLE_CHARS_MAX) }
}

/// How a mission stands, in a few words for people.
#[must_use]
pub fn standing(state: &State, runs: bool, discarded: bool) -> String {
    stand(state, runs, discarded, actor_words)
}

/// Until when a limit of a provider keeps a mission's session waiting, if one does.
#[must_use]
pub fn parked_until(state: &State) -> Option<Timestamp> {
    let waits = state.live_sessions().filter_map(|session| session.health.wait.as_ref());
    let parked = waits.filter(|wait| wait.kind == WaitKind::Limit).map(|wait| wait.until).max();
    parked.filter(|_| state.ended.is_none() && !state.paused && state.closing.is_none())
}

/// How it stands, as programs know it.
#[must_use]
pub fn status_token(state: &State, runs: bool, discarded: bool) -> String {
    stand(state, runs, discarded, ToString::to_string)
}

fn stand(state: &State, runs: bool, discarded: bool, named: impl Fn(&Actor) -> String) -> String {
    match &state.ended {
        _ if discarded => return "discarded".to_owned(),
        Some(Ended::Completed(Proof::Proven)) => return "complete, proven".to_owned(),
        Some(Ended::Completed(Proof::VerifiedByAgent)) => return "complete, verified by agent".to_owned(),
        Some(Ended::Cancelled(by)) => return format!("cancelled by {}", named(by)),
        Some(Ended::Failed(_)) => return "failed".to_owned(),
        Some(Ended::Exhausted(_)) => return "ended at a limit".to_owned(),
        Some(Ended::PlanOnly { .. }) => return "a plan only".to_owned(),
        None => {}
    }
    let next = match state.waiting_on() {
        WaitingOn::Program(_) | WaitingOn::Session(_) | WaitingOn::Human if state.paused => {
            "paused".to_owned()
        }
        WaitingOn::Program(_) | WaitingOn::Session(_) | WaitingOn::Human if state.way() == Way::Conductor => {
            conducted(state)
        }
        WaitingOn::Program(step) => format!("next: {}", program_step(step)),
        WaitingOn::Session(session) => {
            let who = state.sessions.get(&session).map(|session| session.profile.speaker().to_string());
            format!("next: {}", who.unwrap_or_default())
        }
        WaitingOn::Human => "waits for you".to_owned(),
        WaitingOn::Over => "over".to_owned(),
    };
    if runs { next } else { format!("at rest ({next})") }
}

/// Where a conducted mission is, and with which agent.
fn conducted(state: &State) -> String {
    let word = phase_word(state).unwrap_or("idle");
    let run = state.conductor.as_ref().and_then(|conductor| conductor.run.as_ref());
    match run {
        _ if word == "awaiting you" => "waits for you".to_owned(),
        Some(run) => format!("{word}: {}", run.agent),
        None => word.to_owned(),
    }
}

fn now_line(moment: MissionMoment<'_>) -> StatusLine {
    let MissionMoment { id, state, process, now, .. } = moment;
    if state.ended.is_some() {
        return status::ending(state);
    }
    match process {
        Some(_) => status::status(state, now),
        None => status::not_running(id, state),
    }
}

fn work(moment: MissionMoment<'_>) -> Option<WorkView> {
    if moment.discarded {
        return Some(WorkView::Kept { reference: format!("refs/arbiter/salvage/{}", moment.id) });
    }
    let settled = moment.state.clone_place.as_ref()?;
    Some(WorkView::Clone { folder: settled.folder.clone(), branch: settled.branch.clone() })
}

/// What was said last to be heard by others, and not by the person.
fn last_words(state: &State) -> Option<MessageView> {
    let others = state.talk.iter().rev().filter(|message| !matches!(message.from, Speaker::Human(_)));
    let mut said = others.filter_map(|message| match told::message(message) {
        FactView::Message(view) => Some(view).filter(|view| !view.musing),
        FactView::Permission(_) | FactView::Remark(_) => None,
    });
    said.next()
}

fn yes(state: &State) -> String {
    state.consent.as_ref().map_or("no person yet".to_owned(), actor_words)
}

/// Every task with its owner.
#[must_use]
pub fn tasks(state: &State) -> Vec<TaskView> {
    let view = |(owner, task): &(u32, Task)| TaskView {
        orchestrator: *owner,
        owner: mind::talk::Speaker::Orchestrator(*owner).to_string(),
        title: clean(&task.title.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned(),
        task: task.clone(),
    };
    state.tasks.iter().map(view).collect()
}

/// How many of these tasks are done, of how many: "2 of 5 done".
#[must_use]
pub fn tasks_done(tasks: &[TaskView]) -> String {
    let done = tasks.iter().filter(|view| view.task.status == TaskStatus::Done).count();
    crate::plan::done_of(done, tasks.len())
}

fn permissions(state: &State) -> Vec<OpenPermissionView> {
    let open = state.permissions().filter(|(_, ask)| ask.answer.is_none());
    open.map(|(session, ask)| OpenPermissionView {
        permission: ask.id,
        session: session.profile.session,
        request: Arc::clone(&ask.request),
        view: told::permission(ask.id, &ask.request, &session.profile.speaker(), state.unattended),
    })
    .collect()
}

fn petitions(state: &State) -> Vec<OpenPetitionView> {
    let view = |(id, raised): (&PetitionId, &mind::mission_petition::MissionPetition)| OpenPetitionView {
        id: id.clone(),
        title: raised.draft.title.clone(),
        agent: raised.draft.agent.clone(),
        subject: raised.subject,
        at: raised.at,
        deadline: raised.draft.deadline,
    };
    open_petitions(state).into_iter().map(view).collect()
}

fn verdict(state: &State) -> Option<String> {
    let judgement = state.judgement.as_ref()?;
    let commit = judgement.commit.as_deref().unwrap_or("unknown");
    Some(format!("{} on commit {commit}", verdict_word(judgement.verdict)))
}

/// A verifier's word.
#[must_use]
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
    }
}

fn grants(state: &State) -> Vec<GrantView> {
    let view = |grant: &mind::state::Grant| GrantView {
        pattern: clean(&grant.shape).into_owned(),
        by: actor_words(&grant.by),
        permission: grant.permission,
        until: grant.until,
    };
    state.grants.iter().map(view).collect()
}

/// What the program owes the mission; also a value of `--json`.
fn program_step(step: ProgramStep) -> &'static str {
    match step {
        ProgramStep::Restart => "to be started again",
        ProgramStep::Opening => "to be opened",
        ProgramStep::Clone => "the clone",
        ProgramStep::Checks => "the checks",
        ProgramStep::Move => "a decision",
        ProgramStep::Run => "a run",
        ProgramStep::ModelRetry => "its next try",
        ProgramStep::Inspection => "what the run changed",
    }
}
