//! Facts and effects as one line of text each, for tests (plays) and for `arbiter show` and `replay`.
//! Nothing reads these lines back; the stored form is JSON.

use std::fmt;

use crate::effect::{
    ConductorEffect, DocketEffect, Effect, Leave, MissionEffect, SessionCommand, SessionSpawn,
    WorkspaceEffect,
};
use crate::envelope::title;
use crate::fact::{
    ContextFact, DocketFact, Fact, GateFact, HaltCause, LifeFact, MissionFact, PermissionFact, SessionFact,
    TalkFact, ToolFact, TurnFact, WorkFact,
};
use crate::id::{Address, GateId, SessionId, roman};
use crate::limits;
use crate::mission_limits::Limits;
use crate::petition::{Answered, PetitionId, PetitionSubject};
use crate::policy::{GrantScope, PermissionRequest, Risk};
use crate::session::{CloneTree, Gauge, Interjection, Profile, QueuedMessage, Role, Task, WaitKind};
use crate::talk::{Asks, DecisionAsked, Listener, MessageKind, Proof, Receipt, Verdict};

/// How much of a text one line shows, in characters.
const TEXT_CHARS_MAX: usize = 100;

/// A text on one line: its lines joined by ` / `, cut.
pub fn line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    limits::cut(&lines.join(" / "), TEXT_CHARS_MAX)
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Mission(fact) => write!(f, "{fact}"),
            Fact::Talk(fact) => write!(f, "{fact}"),
            Fact::Session(session, fact) => session_line(f, *session, fact),
            Fact::Gate(gate, fact) => gate_line(f, *gate, fact),
            Fact::Docket(petition, fact) => docket_line(f, petition, fact),
            Fact::Conductor(fact) => write!(f, "{fact}"),
        }
    }
}

impl fmt::Display for MissionFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissionFact::Opened(charter) => {
                write!(f, "Opened {} with {}", charter.mission, charter.scroll.name)
            }
            MissionFact::Restarted { run } => write!(f, "Restarted run {run}"),
            MissionFact::CloneRebuilt { commit } => write!(f, "CloneRebuilt at {commit}"),
            MissionFact::CloneReady { folder, base, branch } => {
                write!(f, "CloneReady {folder} at {base} on {branch}")
            }
            MissionFact::Attended(true) => f.write_str("Attended by a person"),
            MissionFact::Attended(false) => f.write_str("Attended by no person"),
            MissionFact::Consented { by, .. } => write!(f, "Consented by {by}"),
            MissionFact::Paused { by } => write!(f, "Paused by {by}"),
            MissionFact::Resumed { by } => write!(f, "Resumed by {by}"),
            MissionFact::TurnedBack { why } => write!(f, "TurnedBack {}", line(why)),
            MissionFact::AskedOnceMore { who } => write!(f, "AskedOnceMore for {who}"),
            MissionFact::Halted { why, cause } => {
                let cause = match cause {
                    HaltCause::Provider => "provider",
                    HaltCause::Workspace => "workshop",
                };
                write!(f, "Halted {cause}: {}", line(why))
            }
            MissionFact::Completed { proof } => f.write_str(match proof {
                Proof::Proven => "Completed proven",
                Proof::VerifiedByAgent => "Completed verified by agent",
            }),
            MissionFact::Cancelled { by } => write!(f, "Cancelled by {by}"),
            MissionFact::Failed { why } => write!(f, "Failed {}", line(why)),
            MissionFact::LimitReached { limit, why, .. } => write!(f, "LimitReached {limit}: {}", line(why)),
            MissionFact::HandoffAtLimit { .. } => f.write_str("HandoffAtLimit"),
            MissionFact::LimitsSet { limits } => {
                let Limits { max_iterations, max_failures, deadline_ms, budget_microusd, budget_tokens } =
                    limits;
                write!(f, "LimitsSet iterations {max_iterations} failures {max_failures}")?;
                deadline_ms.map_or(Ok(()), |ms| write!(f, " deadline {ms} ms"))?;
                budget_microusd.map_or(Ok(()), |micro| write!(f, " money {micro}"))?;
                budget_tokens.map_or(Ok(()), |tokens| write!(f, " tokens {tokens}"))
            }
            MissionFact::Exhausted { why } => write!(f, "Exhausted {}", line(why)),
            MissionFact::PlanOnly { confident: true } => f.write_str("PlanOnly with confidence"),
            MissionFact::PlanOnly { confident: false } => f.write_str("PlanOnly without confidence"),
        }
    }
}

impl fmt::Display for TalkFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TalkFact::Said { message, from, to, kind, text, asks, decisions } => {
                write!(f, "Said {message} {from} -> {to}")?;
                f.write_str(mark(*kind))?;
                if let Some(Asks::Alignment) = asks {
                    f.write_str(" (asks alignment)")?;
                }
                if !decisions.is_empty() {
                    write!(f, " (decisions {})", titles(decisions))?;
                }
                write!(f, ": {}", line(text))
            }
            TalkFact::Received { inbox_id } => write!(f, "Received {inbox_id}"),
            TalkFact::Queued { to, message } => write!(f, "Queued {to} {message}"),
        }
    }
}

fn session_line(f: &mut fmt::Formatter<'_>, id: SessionId, fact: &SessionFact) -> fmt::Result {
    match fact {
        SessionFact::Life(LifeFact::Summoned(profile)) => write!(f, "Summoned {id} {profile}"),
        SessionFact::Turn(TurnFact::Prompted { turn, text, words, log_of, .. }) => {
            write!(f, "Prompted {id} {turn}")?;
            listed(f, "words", words)?;
            listed(f, "log of", log_of)?;
            write!(f, ": {}", line(text))
        }
        SessionFact::Turn(TurnFact::Interjected(Interjection { id: turn, text, words, .. })) => {
            write!(f, "Interjected {id} {turn}")?;
            listed(f, "words", words)?;
            write!(f, ": {}", line(text))
        }
        SessionFact::Life(LifeFact::SignOfLife) => write!(f, "SignOfLife {id}"),
        SessionFact::Life(LifeFact::AwaitsHuman(true)) => write!(f, "AwaitsHuman {id}"),
        SessionFact::Life(LifeFact::AwaitsHuman(false)) => write!(f, "AwaitsHuman {id} no longer"),
        SessionFact::Life(LifeFact::Sandboxed(level)) => write!(f, "Sandboxed {id} {level}"),
        SessionFact::Life(LifeFact::ProgramVersion(version)) => {
            write!(f, "ProgramVersion {id} {}", line(version))
        }
        SessionFact::Permission(PermissionFact::Asked { permission, request, .. }) => {
            write!(f, "Asked {id} {permission} {request}")
        }
        SessionFact::Tool(ToolFact::Denied { tool, what, why }) => {
            write!(f, "Denied {id} {tool} {}: {}", line(what), line(why))
        }
        SessionFact::Permission(PermissionFact::AskedAgain { permission, .. }) => {
            write!(f, "AskedAgain {id} {permission}")
        }
        SessionFact::Permission(PermissionFact::Answered { permission, allowed, by, scope, why, .. }) => {
            let word = if *allowed { "yes" } else { "no" };
            let lasts = match scope {
                GrantScope::Once => "",
                GrantScope::Hour => " for an hour",
                GrantScope::Mission => " for the mission",
            };
            write!(f, "Answered {id} {permission} {word}{lasts} by {by}")?;
            if why.is_empty() { Ok(()) } else { write!(f, ": {}", line(why)) }
        }
        SessionFact::Permission(PermissionFact::AnswerGiven { permission }) => {
            write!(f, "AnswerGiven {id} {permission}")
        }
        SessionFact::Permission(PermissionFact::Covered { permission, request }) => {
            write!(f, "Covered {id} by {permission} {request}")
        }
        SessionFact::Permission(PermissionFact::Unasked { permission }) => {
            write!(f, "Unasked {id} {permission}")
        }
        SessionFact::Life(LifeFact::WaitsForPetition { petition }) => {
            write!(f, "WaitsForPetition {id} {petition}")
        }
        SessionFact::Life(LifeFact::Waits(wait)) => {
            let kind = match wait.kind {
                WaitKind::Backoff => "backoff",
                WaitKind::Limit => "limit",
                WaitKind::Login => "login",
                WaitKind::Revival => "revival",
            };
            write!(f, "Waits {id} {kind} until {}: {}", wait.until.0, line(&wait.why))
        }
        SessionFact::Turn(TurnFact::Retried { turn }) => write!(f, "Retried {id} as {turn}"),
        SessionFact::Life(LifeFact::Revived) => write!(f, "Revived {id}"),
        SessionFact::Life(LifeFact::SilenceWatched { stage, .. }) => {
            write!(f, "SilenceWatched {id} stage {stage}")
        }
        SessionFact::Context(ContextFact::Overflowed) => write!(f, "Overflowed {id}"),
        SessionFact::Context(ContextFact::HandoffAsked) => write!(f, "HandoffAsked {id}"),
        SessionFact::Context(ContextFact::TestamentAsked) => write!(f, "TestamentAsked {id}"),
        SessionFact::Turn(TurnFact::InterjectionBecameTurn { turn }) => {
            write!(f, "InterjectionBecameTurn {id} {turn}")
        }
        SessionFact::Turn(TurnFact::Heard { turn }) => write!(f, "Heard {id} {turn}"),
        SessionFact::Tool(ToolFact::Started { name, detail, .. }) => {
            write!(f, "ToolStarted {id} {name} {}", line(detail))
        }
        SessionFact::Tool(ToolFact::Ended { ok, .. }) => {
            write!(f, "ToolEnded {id} {}", if *ok { "ok" } else { "failed" })
        }
        SessionFact::Context(ContextFact::Gauged(gauge)) => write!(f, "Gauged {id} {gauge}"),
        SessionFact::Context(ContextFact::WarningSet { percent }) => write!(f, "WarningSet {id} {percent}%"),
        SessionFact::Context(ContextFact::Warned { percent }) => write!(f, "Warned {id} {percent}%"),
        SessionFact::Work(WorkFact::Tasks(tasks)) => {
            let tasks: Vec<String> = tasks.iter().map(Task::to_string).collect();
            write!(f, "Tasks {id} {}", line(&tasks.join(" | ")))
        }
        SessionFact::Work(WorkFact::Spent { input, output, cost_microusd, .. }) => {
            write!(f, "Spent {id} {input} in {output} out")?;
            if *cost_microusd > 0 {
                write!(f, " for ${:.4}", *cost_microusd as f64 / 1e6)?;
            }
            Ok(())
        }
        SessionFact::Turn(TurnFact::Interrupting { by }) => write!(f, "Interrupting {id} by {by}"),
        SessionFact::Turn(TurnFact::Rested { turn, interrupted, tree }) => {
            write!(f, "Rested {id} {turn}")?;
            if let Some(tree) = tree {
                write!(f, " at {tree}")?;
            }
            f.write_str(if *interrupted { " (interrupted)" } else { "" })
        }
        SessionFact::Turn(TurnFact::Malformed { faults }) => {
            write!(f, "Malformed {id}: {}", line(&faults.join("; ")))
        }
        SessionFact::Work(WorkFact::Logged { text, quiet }) => {
            let quiet = if *quiet { " (quiet)" } else { "" };
            write!(f, "Logged {id}{quiet}: {}", line(text))
        }
        SessionFact::Work(WorkFact::AwaitsReply) => write!(f, "AwaitsReply {id}"),
        SessionFact::Work(WorkFact::Judged { verdict, findings, commit }) => {
            let verdict = match verdict {
                Verdict::Pass => "pass",
                Verdict::Fail => "fail",
            };
            let commit = commit.as_deref().unwrap_or("an unknown commit");
            write!(f, "Judged {id} {verdict} on {commit}: {}", line(&findings.join(" | ")))
        }
        SessionFact::Life(LifeFact::Released) => write!(f, "Released {id}"),
    }
}

fn gate_line(f: &mut fmt::Formatter<'_>, id: GateId, fact: &GateFact) -> fmt::Result {
    match fact {
        GateFact::Claimed { report } => write!(f, "Claimed {id}: {}", line(report)),
        GateFact::Surveyed(tree) => write!(f, "Surveyed {id} {tree}"),
        GateFact::Brought { commit } => write!(f, "Brought {id} {commit}"),
        GateFact::Receipt { index, receipt } => write!(f, "Receipt {id} #{index} {receipt}"),
        GateFact::Refused { why } => write!(f, "Refused {id}: {}", line(why)),
    }
}

fn docket_line(f: &mut fmt::Formatter<'_>, id: &PetitionId, fact: &DocketFact) -> fmt::Result {
    match fact {
        DocketFact::Asked { subject, draft } => {
            write!(f, "DocketAsked {id} about {subject}: {}", line(&draft.title))
        }
        DocketFact::Decided { answers } => {
            write!(f, "Decided {id}")?;
            answers.iter().try_for_each(|answer| write!(f, " {answer}"))
        }
        DocketFact::Void { why } => write!(f, "Void {id}: {}", line(why)),
        DocketFact::Withdrawn { why } => write!(f, "Withdrawn {id}: {}", line(why)),
        DocketFact::Closed { why } => write!(f, "Closed {id}: {}", line(why)),
        DocketFact::Late(answer) => write!(f, "Late {id} {answer}"),
    }
}

impl fmt::Display for PetitionSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PetitionSubject::Question(message) => write!(f, "{message}"),
            PetitionSubject::Permission(ask) => write!(f, "{ask}"),
            PetitionSubject::Session(session) => write!(f, "a petition of {session}"),
        }
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={} by {}", self.decision, line(self.choice.text()), self.by)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Spawn(SessionSpawn { address, profile, resume, gauge, .. }) => {
                let resume = if *resume { " (resume)" } else { "" };
                let full = gauge.as_ref().map(|gauge| format!(" at {gauge}")).unwrap_or_default();
                write!(f, "Spawn {address} {profile}{resume}{full}")
            }
            Effect::Session(address, command) => command_line(f, *address, command),
            Effect::Workspace(effect) => write!(f, "{effect}"),
            Effect::Docket(petition, DocketEffect::Push { draft }) => {
                write!(f, "Petition {petition}: {}", line(&draft.title))
            }
            Effect::Docket(petition, DocketEffect::Withdraw { why }) => {
                write!(f, "Withdraw {petition}: {}", line(why))
            }
            Effect::Conductor(effect) => write!(f, "{effect}"),
            Effect::Mission(effect) => write!(f, "{effect}"),
        }
    }
}

fn command_line(f: &mut fmt::Formatter<'_>, address: Address, command: &SessionCommand) -> fmt::Result {
    match command {
        SessionCommand::Deliver { turn, text, again, .. } => {
            let held = again.as_ref().filter(|again| again.held);
            let text = held.map_or(text, |again| &again.words);
            let mark = if held.is_some() { " again" } else { "" };
            write!(f, "Deliver{mark} {address} {turn}: {}", line(text))
        }
        SessionCommand::Steer { turn, text, .. } => write!(f, "Steer {address} {turn}: {}", line(text)),
        SessionCommand::Warn { percent, text } => write!(f, "Warn {address} {percent}%: {}", line(text)),
        SessionCommand::Interrupt { turn } => write!(f, "Interrupt {address} {turn}"),
        SessionCommand::Permit { call, allowed, why } => {
            let word = if *allowed { "yes" } else { "no" };
            write!(f, "Permit {address} {call} {word}")?;
            if why.is_empty() { Ok(()) } else { write!(f, ": {}", line(why)) }
        }
        SessionCommand::Reply { call, told, refused } => {
            let mark = if *refused { " refused" } else { "" };
            write!(f, "Reply {address} {call}{mark}: {}", line(&told.to_string()))
        }
        SessionCommand::End => write!(f, "End {address}"),
    }
}

impl fmt::Display for WorkspaceEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkspaceEffect::PrepareClone => f.write_str("PrepareClone"),
            WorkspaceEffect::Survey { gate } => write!(f, "Survey {gate}"),
            WorkspaceEffect::Check { gate, index, argv, commit, .. } => {
                write!(f, "Check {gate} #{index} {} at {commit}", argv.join(" "))
            }
            WorkspaceEffect::FetchBack => f.write_str("FetchBack"),
            WorkspaceEffect::Bring { gate, commit } => write!(f, "Bring {gate} {commit}"),
            WorkspaceEffect::Abandon { gate } => write!(f, "Abandon {gate}"),
        }
    }
}

impl fmt::Display for ConductorEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConductorEffect::CallModel { number, attempt, question } => {
                write!(f, "CallModel d{number}.{attempt} by {}", question.provider)
            }
            ConductorEffect::DropCall { number } => write!(f, "DropCall d{number}"),
            ConductorEffect::PrepareRun { run } => write!(f, "PrepareRun r{run}"),
            ConductorEffect::InspectRun { run, .. } => write!(f, "InspectRun r{run}"),
            ConductorEffect::Remember { note } => write!(f, "Remember {}", line(&note.title)),
        }
    }
}

impl fmt::Display for MissionEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissionEffect::RemoveFromInbox { inbox_id } => write!(f, "RemoveFromInbox {inbox_id}"),
            MissionEffect::Note { text } => write!(f, "Note {}", line(text)),
            MissionEffect::Leave(leave) => f.write_str(match leave {
                Leave::Completed => "Leave completed",
                Leave::Cancelled => "Leave cancelled",
                Leave::ProviderFailed => "Leave provider failed",
                Leave::WorkshopFailed => "Leave workshop failed",
                Leave::Failed => "Leave failed",
                Leave::Exhausted => "Leave exhausted",
                Leave::PlanOnly { .. } => "Leave plan-only",
            }),
        }
    }
}

impl fmt::Display for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listener::Human => f.write_str("human"),
            Listener::Arbiter => f.write_str("Arbiter"),
            Listener::Orchestrator(number) => write!(f, "Orchestrator {}", roman(*number)),
            Listener::Agent => f.write_str("agent"),
            Listener::Nobody => f.write_str("nobody"),
        }
    }
}

impl fmt::Display for QueuedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueuedMessage::Words(message) => write!(f, "words {message}"),
            QueuedMessage::Aside(text) => write!(f, "aside: {}", line(text)),
            QueuedMessage::Again { text, .. } => write!(f, "again: {}", line(text)),
            QueuedMessage::Notice(text) => write!(f, "notice: {}", line(text)),
            QueuedMessage::Report { section, number, text } => {
                write!(f, "report of {}, {}: {}", roman(*number), title(*section), line(text))
            }
            QueuedMessage::Address(text) => write!(f, "address: {}", line(text)),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role {
            Role::Arbiter => f.write_str("Arbiter")?,
            Role::Orchestrator => write!(f, "Orchestrator {}", roman(self.number))?,
            Role::Verifier => write!(f, "Orchestrator {}, verifier", roman(self.number))?,
            Role::Agent => write!(f, "agent {}", self.agent())?,
        }
        write!(f, ", {}", self.provider)?;
        match &self.model {
            Some(model) => write!(f, " {model}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PermissionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}) {}: {}", self.risk, self.tool, line(&self.what))
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Risk::Unknown => "unknown",
            Risk::Network => "network",
            Risk::Grave => "grave",
        })
    }
}

impl fmt::Display for CloneTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.commit, if self.dirty { " dirty" } else { "" })
    }
}

impl fmt::Display for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = if self.is_guess() { "~" } else { "" };
        write!(f, "{about}{}% ({} of {about}{}, {})", self.percent(), self.used, self.window, self.source)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.status.mark(), self.title)
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.argv.join(" "), self.commit, self.status)
    }
}

fn mark(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Plain => "",
        MessageKind::Musing => " (musing)",
        MessageKind::Notice => " (notice)",
        MessageKind::Claim => " (claim)",
        MessageKind::Unformed => " (unformed)",
    }
}

fn titles(decisions: &[DecisionAsked]) -> String {
    let ids: Vec<&str> = decisions.iter().map(|decision| decision.id.as_str()).collect();
    ids.join(", ")
}

fn listed<T: fmt::Display>(f: &mut fmt::Formatter<'_>, what: &str, items: &[T]) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    write!(f, " ({what} {})", items.join(", "))
}
