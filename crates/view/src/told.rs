//! What a fact tells a person: a message, a permission that is asked for, or a remark. Live output, a replay of the
//! journal and every door tell it alike.

mod conductor;

use std::sync::Arc;

use mind::access::SandboxLevel;
use mind::actor::Actor;
use mind::fact::{
    ContextFact, DocketFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact,
    ToolFact, TurnFact, WorkFact,
};
use mind::mission_limits::Limits;
use mind::petition::{PetitionId, PetitionSubject};
use mind::policy::{GrantScope, PermissionRequest};
use mind::session::{Role, Session, TaskStatus, Wait, WaitKind};
use mind::state::Ended;
use mind::talk::{DecisionAsked, Listener, Message, MessageKind, Speaker};
use mind::{Entry, Fact, MessageId, PermissionId, SessionId, State};
use serde::Serialize;

use crate::actor::{actor_words, speaker_words};
use crate::amount::{money, tokens};
use crate::clean::{clean, visible};
use crate::login::login_hint;
use crate::receipt::{ReceiptView, command_line};
use crate::remark::{Remark, RemarkDetail, RemarkKind, RemarkSubject};
use crate::session::{percent_words, wait_words};
use crate::status::ended_words;
use crate::when;

/// How many lines of a failed check's output are told.
const TAIL_LINES_MAX: usize = 12;

/// What a fact tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactView {
    /// Something was said.
    Message(MessageView),
    /// A tool needs a permission.
    Permission(PermissionView),
    /// Anything else to know.
    Remark(Remark),
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MessageView {
    pub from: String,
    /// To whom, where that is not plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What is to be known of how it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// It is thought aloud, and addressed to no one.
    pub musing: bool,
    pub text: Arc<str>,
    /// What is to be decided, with the options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionAsked>,
}

/// A tool that needs a permission: exactly what would run, where and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PermissionView {
    pub id: PermissionId,
    /// The session that asks.
    pub by: String,
    pub risk: String,
    /// What would run. Nothing in it is hidden.
    pub what: String,
    pub folder: Arc<str>,
    /// Why it is asked.
    pub why: String,
    /// What a lasting yes would cover; nothing if only this once can be allowed.
    pub grant_patterns: Vec<String>,
    /// A person is there to answer.
    pub answerable: bool,
}

/// What one entry tells, between the state `before` it and the `state` that holds it.
#[must_use]
pub fn tell(entry: &Entry, before: &State, state: &State) -> Vec<FactView> {
    match &entry.fact {
        Fact::Mission(fact) => mission(fact, state),
        Fact::Talk(TalkFact::Said { message: id, .. }) => {
            state.message(*id).map(message).into_iter().collect()
        }
        Fact::Talk(TalkFact::Received { .. } | TalkFact::Queued { .. }) => Vec::new(),
        Fact::Session(id, fact) => {
            let mut told = session(*id, fact, state);
            told.extend(heard(*id, before, state));
            if let SessionFact::Turn(TurnFact::Rested { .. }) | SessionFact::Life(LifeFact::Released) = fact {
                told.extend(withdrawn(*id, before));
            }
            told
        }
        Fact::Gate(_, fact) => gate(fact, state),
        Fact::Docket(id, fact) => docket(id, fact, before),
        Fact::Conductor(fact) => conductor::tell(fact, before, state),
    }
}

#[must_use]
pub fn message(message: &Message) -> FactView {
    let subject = RemarkSubject::Message(message.id);
    let note = match message.kind {
        MessageKind::Notice => {
            return FactView::Remark(Remark::new(RemarkKind::Notice, subject, &*message.text));
        }
        MessageKind::Claim => {
            // Its words are the report: they are shown when the gate lets them through.
            let text = "the Arbiter claims completion; the gate decides";
            return FactView::Remark(Remark::new(RemarkKind::Notice, subject, text));
        }
        MessageKind::Plain => None,
        MessageKind::Musing => Some("musing"),
        MessageKind::Unformed => Some("as it came: the output did not validate"),
    };
    let to = match (message.to, &message.from) {
        (Listener::Orchestrator(number), _) => Some(Speaker::Orchestrator(number)),
        (Listener::Arbiter, Speaker::Orchestrator(_)) => Some(Speaker::Arbiter),
        (Listener::Arbiter | Listener::Human | Listener::Agent | Listener::Nobody, _) => None,
    };
    FactView::Message(MessageView {
        from: speaker_words(&message.from),
        to: to.as_ref().map(speaker_words),
        note,
        musing: message.kind == MessageKind::Musing,
        text: Arc::clone(&message.text),
        decisions: message.decisions.clone(),
    })
}

fn mission(fact: &MissionFact, state: &State) -> Vec<FactView> {
    let remark = |kind, text: String| vec![FactView::Remark(Remark::new(kind, RemarkSubject::Mission, text))];
    let notice = |text: String| remark(RemarkKind::Notice, text);
    let trouble = |text: String| remark(RemarkKind::Trouble, text);
    let ended = |kind, ended: Ended| remark(kind, ended_words(&ended));
    match fact {
        MissionFact::Opened(_) => Vec::new(),
        MissionFact::Restarted { run } if *run <= 1 => Vec::new(),
        MissionFact::Restarted { run } => notice(format!("restarted (start {run})")),
        MissionFact::Attended(_) => Vec::new(),
        MissionFact::CloneReady { folder, .. } => notice(format!("clone {folder}")),
        MissionFact::CloneRebuilt { commit } => {
            let short = commit.get(..12).unwrap_or(commit);
            let told = format!(
                "the clone was lost and is made again at commit {short}; what no commit held is gone"
            );
            remark(RemarkKind::Setback, told)
        }
        MissionFact::Consented { by: by @ Actor::Human { .. }, .. } => {
            notice(format!("the yes was given by {}", actor_words(by)))
        }
        MissionFact::Consented { by: by @ (Actor::Policy(_) | Actor::Agent(_)), .. } => {
            notice(format!("the yes was given by {}; no person said it", actor_words(by)))
        }
        MissionFact::Paused { by } => {
            notice(format!("paused by {}: no further turn begins", actor_words(by)))
        }
        MissionFact::Resumed { by } => notice(format!("resumed by {}", actor_words(by))),
        MissionFact::AskedOnceMore { who } => notice(format!("{who} waits; the Arbiter is asked once more")),
        MissionFact::TurnedBack { why } => remark(RemarkKind::Setback, format!("turned back: {why}")),
        MissionFact::Halted { why, .. } => trouble(format!("halted: {why}")),
        MissionFact::Completed { proof } => {
            let mut told = ended(RemarkKind::Done, Ended::Completed(*proof));
            let tools = tally(state).map(|text| format!("tools that needed permission: {text}"));
            told.extend(tools.into_iter().flat_map(notice));
            told
        }
        MissionFact::Cancelled { by } => ended(RemarkKind::Setback, Ended::Cancelled(by.clone())),
        MissionFact::Failed { why } => ended(RemarkKind::Trouble, Ended::Failed(why.clone())),
        MissionFact::LimitReached { why, .. } => {
            remark(RemarkKind::Setback, format!("a limit is reached: {}; nothing more begins", clean(why)))
        }
        MissionFact::HandoffAtLimit { .. } => {
            notice("the handoff is asked for, with what is left".to_owned())
        }
        MissionFact::LimitsSet { limits } => notice(limits_words(limits)),
        MissionFact::Exhausted { why } => ended(RemarkKind::Trouble, Ended::Exhausted(why.clone())),
        MissionFact::PlanOnly { confident } => {
            let kind = if *confident { RemarkKind::Good } else { RemarkKind::Trouble };
            ended(kind, Ended::PlanOnly { confident: *confident })
        }
    }
}

/// How a mission ended, if it did.
#[must_use]
pub fn ending(state: &State) -> Vec<FactView> {
    match &state.ended {
        Some(Ended::Completed(proof)) => mission(&MissionFact::Completed { proof: *proof }, state),
        Some(Ended::Cancelled(by)) => mission(&MissionFact::Cancelled { by: by.clone() }, state),
        Some(Ended::Failed(why)) => mission(&MissionFact::Failed { why: why.clone() }, state),
        Some(Ended::Exhausted(why)) => mission(&MissionFact::Exhausted { why: why.clone() }, state),
        Some(Ended::PlanOnly { confident }) => {
            mission(&MissionFact::PlanOnly { confident: *confident }, state)
        }
        None => Vec::new(),
    }
}

/// Why a session does not go on, and when or by what it will: the cause comes first.
fn waiting(session: &Session, wait: &Wait, state: &State) -> String {
    let name = session.profile.speaker();
    let (why, left) = (on_one_line(&wait.why), when::span(wait.until.0.saturating_sub(state.now.0)));
    let next = wait_words(wait.kind, &left);
    match wait.kind {
        WaitKind::Backoff => format!("{name}: {why}; {next}"),
        WaitKind::Limit => format!("{name} waits for a limit to end: {why}; {next}"),
        WaitKind::Revival => format!("{name}'s process ended: {why}; {next}"),
        WaitKind::Login => {
            let hint = login_hint(&session.profile.provider);
            let then = if state.is_deserted() { "" } else { ", then /resume" };
            format!("{name} cannot log in: {why}; {hint}{then}")
        }
    }
}

fn session(id: SessionId, fact: &SessionFact, state: &State) -> Vec<FactView> {
    let Some(session) = state.sessions.get(&id) else { return Vec::new() };
    let name = session.profile.speaker();
    let remark =
        |kind, text: String| vec![FactView::Remark(Remark::new(kind, RemarkSubject::Session(id), text))];
    let notice = |text: String| remark(RemarkKind::Notice, text);
    let work = |text: String| remark(RemarkKind::Work, text);
    let trouble = |text: String| remark(RemarkKind::Trouble, text);
    let of = |permission: &PermissionId, text: String| {
        let subject = RemarkSubject::Permission(*permission);
        vec![FactView::Remark(Remark::new(RemarkKind::Notice, subject, text))]
    };
    let asked = |id: PermissionId, request: &PermissionRequest| {
        vec![FactView::Permission(permission(id, request, &name, state.unattended))]
    };
    match fact {
        SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
            Role::Arbiter | Role::Agent => Vec::new(),
            Role::Orchestrator => notice(format!("{name} awakens")),
            Role::Verifier => notice(format!("{name} awakens, a verifier")),
        },
        SessionFact::Tool(ToolFact::Started { name: tool, detail, .. }) => {
            work(format!("{name}{} {tool} {detail}", fullness(session)))
        }
        SessionFact::Tool(ToolFact::Ended { ok: false, .. }) => trouble(format!("{name}: the tool failed")),
        SessionFact::Context(ContextFact::Warned { percent }) => {
            trouble(format!("{name} was warned: its context is past {percent}%"))
        }
        SessionFact::Work(WorkFact::Tasks(tasks)) => {
            let done = tasks.iter().filter(|task| task.status == TaskStatus::Done).count();
            work(format!("{name}: {done} of {} tasks done", tasks.len()))
        }
        SessionFact::Turn(TurnFact::Interrupting { by }) => {
            notice(format!("{name} is being interrupted by {}", actor_words(by)))
        }
        SessionFact::Turn(TurnFact::Malformed { faults }) => {
            trouble(format!("{name}: the output did not validate ({}); asked again", faults.join("; ")))
        }
        // Each run of an agent has a session of its own: that one comes and goes is no news.
        SessionFact::Life(LifeFact::Released) if session.profile.role == Role::Agent => Vec::new(),
        SessionFact::Life(LifeFact::Released) => notice(format!("{name} is released")),
        SessionFact::Life(LifeFact::Sandboxed(SandboxLevel::Off)) => {
            trouble(format!("{name} runs without a sandbox"))
        }
        SessionFact::Life(LifeFact::Sandboxed(level)) if session.profile.role == Role::Agent => {
            work(format!("{name} runs in a sandbox ({level})"))
        }
        SessionFact::Life(LifeFact::Sandboxed(level)) => {
            notice(format!("{name} runs in a sandbox ({level})"))
        }
        SessionFact::Life(LifeFact::ProgramVersion(_)) => Vec::new(),
        SessionFact::Permission(PermissionFact::Asked { permission, request, .. }) => {
            asked(*permission, request)
        }
        SessionFact::Permission(PermissionFact::AskedAgain { permission, .. }) => {
            match session.permissions.iter().find(|found| found.id == *permission) {
                // The person who comes back has to see what a yes would allow.
                Some(found) if found.answer.is_none() => asked(*permission, &found.request),
                Some(_) | None => {
                    of(permission, format!("{name} asks {permission} again: it has your answer"))
                }
            }
        }
        SessionFact::Tool(ToolFact::Denied { tool, what, why }) => trouble(format!(
            "{name}: {tool} {} was refused by policy: {}",
            on_one_line(what),
            on_one_line(why)
        )),
        SessionFact::Permission(PermissionFact::Answered { permission, allowed, by, scope, why, .. }) => {
            let word = answer(*allowed, *scope);
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            of(permission, format!("{permission}: {word}, by {}{why}", actor_words(by)))
        }
        SessionFact::Permission(PermissionFact::Covered { permission, request }) => {
            work(format!("{name}: {} (covered by your yes to {permission})", mind::show::line(&request.what)))
        }
        SessionFact::Life(LifeFact::WaitsForPetition { petition }) => {
            notice(format!("{name} waits for the answers of petition {petition}"))
        }
        SessionFact::Permission(PermissionFact::Unasked { permission }) => {
            of(permission, format!("{permission} needs no answer any more"))
        }
        SessionFact::Turn(TurnFact::Prompted { words, .. }) if by_person(words, state) => {
            work(format!("your words were given to {}", called(&name)))
        }
        SessionFact::Turn(TurnFact::Interjected(steer)) if by_person(&steer.words, state) => {
            work(format!("your words were given to {}", called(&name)))
        }
        SessionFact::Life(LifeFact::Waits(wait)) => {
            let text = waiting(session, wait, state);
            if wait.kind == WaitKind::Limit { notice(text) } else { trouble(text) }
        }
        SessionFact::Turn(TurnFact::Retried { .. }) => work(format!("{name} tries again")),
        SessionFact::Life(LifeFact::Revived) => notice(format!("{name} is resumed")),
        SessionFact::Context(ContextFact::Overflowed) => {
            trouble(format!("{name} is stopped: its context is nearly full"))
        }
        SessionFact::Context(ContextFact::TestamentAsked) => notice(
            "the Arbiter's context is nearly full: it is asked to hand over to a new session".to_owned(),
        ),
        SessionFact::Life(LifeFact::AwaitsHuman(true)) => notice(format!("{name} waits for a person")),
        SessionFact::Turn(TurnFact::Prompted { .. })
        | SessionFact::Turn(TurnFact::Interjected(_))
        | SessionFact::Work(WorkFact::Spent { .. })
        | SessionFact::Life(LifeFact::SignOfLife)
        | SessionFact::Permission(PermissionFact::AnswerGiven { .. })
        | SessionFact::Life(LifeFact::AwaitsHuman(false))
        | SessionFact::Life(LifeFact::SilenceWatched { .. })
        | SessionFact::Context(ContextFact::HandoffAsked)
        | SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. })
        | SessionFact::Turn(TurnFact::Heard { .. })
        | SessionFact::Tool(ToolFact::Ended { ok: true, .. })
        | SessionFact::Context(ContextFact::Gauged(_))
        | SessionFact::Context(ContextFact::WarningSet { .. })
        | SessionFact::Turn(TurnFact::Rested { .. })
        | SessionFact::Work(WorkFact::Logged { .. })
        | SessionFact::Work(WorkFact::AwaitsReply)
        | SessionFact::Work(WorkFact::Judged { .. }) => Vec::new(),
    }
}

/// A text of others in the middle of a sentence: nothing in it is hidden, and it ends no line.
fn on_one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}

/// Questions that ended with the turn or the session that asked them.
fn withdrawn(id: SessionId, before: &State) -> Vec<FactView> {
    let asks = before.sessions.get(&id).map(|session| session.permissions.clone()).unwrap_or_default();
    let ended = asks.iter().map(|ask| {
        let text = match ask.answer {
            None => format!("{} needs no answer any more: the session that asked went on without it", ask.id),
            Some(_) => format!("the answer to {} was not needed any more", ask.id),
        };
        FactView::Remark(Remark::new(RemarkKind::Notice, RemarkSubject::Permission(ask.id), text))
    });
    ended.collect()
}

/// How tools that needed a permission fared, if any did.
#[must_use]
pub fn tally(state: &State) -> Option<String> {
    let tally = &state.tally;
    let parts = [
        (tally.allowed, "allowed by you"),
        (tally.covered, "covered by a yes of yours"),
        (tally.refused, "refused by you"),
        (tally.unattended, "refused because no person was there"),
        (tally.denied, "refused by policy"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// An answer to whether a tool may run.
#[must_use]
pub fn answer(allowed: bool, lasts: GrantScope) -> &'static str {
    match (allowed, lasts) {
        (false, _) => "no",
        (true, GrantScope::Once) => "yes, once",
        (true, GrantScope::Hour) => "yes, for an hour",
        (true, GrantScope::Mission) => "yes, for this mission",
    }
}

/// What a person is asked.
#[must_use]
pub fn permission(
    id: PermissionId,
    request: &PermissionRequest,
    name: &Speaker,
    unattended: bool,
) -> PermissionView {
    PermissionView {
        id,
        by: name.to_string(),
        risk: request.risk.to_string(),
        what: visible(&request.what),
        folder: request.folder.clone(),
        why: on_one_line(&request.why),
        grant_patterns: request.shapes.iter().map(ToString::to_string).collect(),
        answerable: !unattended,
    }
}

/// A session that has heard a person's words since `before`.
fn heard(id: SessionId, before: &State, state: &State) -> Option<FactView> {
    let session = state.sessions.get(&id)?;
    let newly: Vec<MessageId> =
        before.unheard.iter().copied().filter(|word| !state.unheard.contains(word)).collect();
    let who = called(&session.profile.speaker());
    by_person(&newly, state).then(|| {
        let text = format!("{who} has heard you");
        FactView::Remark(Remark::new(RemarkKind::Work, RemarkSubject::Session(id), text))
    })
}

/// Some of these words are a person's. A policy is not told that it was heard.
fn by_person(words: &[MessageId], state: &State) -> bool {
    let mut messages = words.iter().filter_map(|word| state.message(*word));
    messages.any(|message| matches!(message.from, Speaker::Human(Actor::Human { .. })))
}

/// A speaker in the middle of a sentence.
fn called(speaker: &Speaker) -> String {
    if *speaker == Speaker::Arbiter { "the Arbiter".to_owned() } else { speaker.to_string() }
}

fn fullness(session: &Session) -> String {
    session.context.gauge.as_ref().map(|gauge| format!(" [{}]", percent_words(gauge))).unwrap_or_default()
}

fn gate(fact: &GateFact, state: &State) -> Vec<FactView> {
    match fact {
        GateFact::Claimed { .. } | GateFact::Surveyed(_) => Vec::new(),
        GateFact::Brought { .. } => next_check(state).into_iter().collect(),
        GateFact::Receipt { receipt, .. } => {
            let kind = if receipt.passed() { RemarkKind::Good } else { RemarkKind::Setback };
            let text = format!("receipt: {}", ReceiptView::of(&Arc::new(receipt.clone())).sentence());
            let mut told = vec![FactView::Remark(Remark::new(kind, RemarkSubject::Gate, text))];
            if receipt.passed() {
                told.extend(next_check(state));
            }
            told
        }
        GateFact::Refused { why } => {
            let mut why = why.lines();
            let first = why.next().unwrap_or_default();
            // The end of a check's output says what matters; the journal has more of it.
            let rest: Vec<&str> = why.filter(|line| !line.trim().is_empty()).collect();
            let tail = rest[rest.len().saturating_sub(TAIL_LINES_MAX)..].iter();
            let text = format!("the claim is turned back: {first}");
            vec![FactView::Remark(Remark {
                details: tail.map(|line| RemarkDetail::Aside(mind::limits::cut(line, 200))).collect(),
                ..Remark::new(RemarkKind::Setback, RemarkSubject::Gate, text)
            })]
        }
    }
}

/// The check that runs now.
fn next_check(state: &State) -> Option<FactView> {
    let (charter, gate) = (state.charter.as_ref()?, state.gate.as_ref()?);
    let argv = charter.checks.get(gate.passed as usize)?;
    let (number, count) = (gate.passed + 1, charter.checks.len());
    let limit = when::span(charter.check_limit_ms);
    let text = format!("check {number} of {count}: `{}` (limit {limit})", command_line(argv));
    Some(FactView::Remark(Remark::new(RemarkKind::Work, RemarkSubject::Gate, text)))
}

/// What became of petitions. Answers to questions are told as words, and answers to tools as such.
fn docket(id: &PetitionId, fact: &DocketFact, before: &State) -> Vec<FactView> {
    let title = before.petitions.get(id).map(|raised| raised.draft.title.to_string()).unwrap_or_default();
    let text = match fact {
        DocketFact::Asked { subject: PetitionSubject::Session(_), .. } | DocketFact::Decided { .. } => {
            return Vec::new();
        }
        DocketFact::Asked { draft, .. } => format!("in the docket: {} (`arbiter inbox {id}`)", draft.title),
        DocketFact::Withdrawn { why } => format!("taken out of the docket: {title} ({why})"),
        // A notice tells these.
        DocketFact::Void { .. } | DocketFact::Closed { .. } | DocketFact::Late(_) => return Vec::new(),
    };
    vec![FactView::Remark(Remark::new(RemarkKind::Notice, RemarkSubject::Petition(id.clone()), text))]
}

fn limits_words(limits: &Limits) -> String {
    let Limits { max_iterations, max_failures, deadline_ms, budget_microusd, budget_tokens } = *limits;
    let mut words =
        format!("the limits are now: {max_iterations} iterations, {max_failures} failures in a row");
    words.extend(deadline_ms.map(|ms| format!(", {}", when::took(ms))));
    words.extend(budget_microusd.map(|micro| format!(", {}", money(micro))));
    words.extend(budget_tokens.map(|budget| format!(", {} tokens", tokens(budget))));
    words
}
