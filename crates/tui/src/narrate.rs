//! What a fact looks like as lines of text: the conversation, and who works at what. Live output and a replay of the
//! journal go through the same words.

mod conductor;

use mind::actor::Actor;
use mind::fact::{
    ContextFact, DocketFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact,
    ToolFact, TurnFact, WorkFact,
};
use mind::lay::Level;
use mind::petition::{PetitionId, PetitionSubject};
use mind::policy::{GrantScope, PermissionRequest};
use mind::session::{Role, Session, TaskStatus, WaitKind};
use mind::state::Ended;
use mind::talk::{Listener, Message, MessageKind, Proof, Speaker};
use mind::{Entry, Fact, MessageId, PermissionId, SessionId, State};

use view::when;

/// How a line is meant; the console gives it a colour, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// A speaker's name.
    Name,
    /// What is said.
    Words,
    /// Thought aloud, or not yet true.
    Dim,
    /// Somebody works.
    Work,
    /// The house remarks something.
    House,
    /// Something good happened.
    Good,
    /// Something needs attention.
    Bad,
}

/// How many lines of a failed check's output are printed.
const TAIL_LINES_MAX: usize = 12;

/// A line of text and how it is meant.
pub type Line = (Ink, String);

/// The lines of one entry, between the state `before` it and the `state` that holds it.
pub fn narrate(entry: &Entry, before: &State, state: &State) -> Vec<Line> {
    match &entry.fact {
        Fact::Mission(fact) => mission(fact, state),
        Fact::Talk(TalkFact::Said { message, .. }) => state.message(*message).map(said).unwrap_or_default(),
        Fact::Talk(TalkFact::Received { .. } | TalkFact::Queued { .. }) => Vec::new(),
        Fact::Session(id, fact) => {
            let mut lines = session(*id, fact, state);
            lines.extend(heard(*id, before, state));
            if let SessionFact::Turn(TurnFact::Rested { .. }) | SessionFact::Life(LifeFact::Released) = fact {
                lines.extend(withdrawn(*id, before));
            }
            lines
        }
        Fact::Gate(_, fact) => gate(fact, state),
        Fact::Docket(id, fact) => docket(id, fact, before),
        Fact::Conductor(fact) => conductor::lines(fact, before, state),
    }
}

/// The lines of one message.
pub fn said(message: &Message) -> Vec<Line> {
    if message.kind == MessageKind::Notice {
        return vec![(Ink::House, format!("  = {}", message.text))];
    }
    if message.kind == MessageKind::Claim {
        // Its words are the report: they are shown when the gate lets them through.
        return vec![(Ink::House, "  = the Arbiter claims completion; the gate decides".to_owned())];
    }
    let mut name = message.from.to_string();
    match (message.to, &message.from) {
        (Listener::Orchestrator(number), _) => {
            name.push_str(&format!(" -> {}", Speaker::Orchestrator(number)));
        }
        (Listener::Arbiter, Speaker::Orchestrator(_)) => name.push_str(" -> Arbiter"),
        (Listener::Arbiter | Listener::Human | Listener::Agent | Listener::Nobody, _) => {}
    }
    let (note, ink) = match message.kind {
        MessageKind::Plain | MessageKind::Notice | MessageKind::Claim => ("", Ink::Words),
        MessageKind::Musing => (" (musing)", Ink::Dim),
        MessageKind::Unformed => (" (as it came: the output did not validate)", Ink::Words),
    };
    name.push_str(note);
    let mut lines = vec![(Ink::Words, String::new()), (Ink::Name, name)];
    lines.extend(message.text.trim_end().lines().map(|line| (ink, format!("  {line}"))));
    for decision in &message.decisions {
        lines.push((Ink::Words, format!("  [{}] {}", decision.id, decision.title)));
        for option in &decision.options {
            lines.push((Ink::Words, format!("    - {}: {}", option.key, option.label)));
        }
    }
    lines
}

fn mission(fact: &MissionFact, state: &State) -> Vec<Line> {
    let house = |text: String| vec![(Ink::House, format!("  = {text}"))];
    match fact {
        MissionFact::Opened(_) => Vec::new(),
        MissionFact::Restarted { run } if *run <= 1 => Vec::new(),
        MissionFact::Restarted { run } => house(format!("the house woke again (start {run})")),
        MissionFact::Attended(_) => Vec::new(),
        MissionFact::CloneReady { folder, .. } => house(format!("clone {folder}")),
        MissionFact::Consented { by: by @ Actor::Human { .. }, .. } => {
            house(format!("the yes was given by {by}"))
        }
        MissionFact::Consented { by: by @ (Actor::Policy(_) | Actor::Agent(_)), .. } => {
            house(format!("the yes was given by {by}; no person said it"))
        }
        MissionFact::Paused { by } => house(format!("paused by {by}: no further turn begins")),
        MissionFact::Resumed { by } => house(format!("resumed by {by}")),
        MissionFact::AskedOnceMore { who } => house(format!("{who} waits; the Arbiter is asked once more")),
        MissionFact::TurnedBack { why } => vec![(Ink::Bad, format!("  = turned back: {why}"))],
        MissionFact::Halted { why, .. } => vec![(Ink::Bad, format!("  ! halted: {why}"))],
        MissionFact::Completed { proof: Proof::Proven } => {
            let mut lines = vec![(Ink::Words, String::new())];
            lines.push((Ink::Good, "Done, and proven by receipts.".to_owned()));
            lines.extend(
                tally(state).map(|text| (Ink::House, format!("  = tools that needed a word: {text}"))),
            );
            lines
        }
        MissionFact::Completed { proof: Proof::VerifiedByAgent } => {
            let done = "Done; verified by an agent, not proven: no checks are configured.";
            let mut lines = vec![(Ink::Words, String::new()), (Ink::Good, done.to_owned())];
            lines.extend(
                tally(state).map(|text| (Ink::House, format!("  = tools that needed a word: {text}"))),
            );
            lines
        }
        MissionFact::Cancelled { by } => vec![(Ink::Bad, format!("  = cancelled by {by}"))],
        MissionFact::Failed { why } => vec![(Ink::Bad, format!("  ! failed: {why}"))],
        MissionFact::Exhausted { why } => vec![(Ink::Bad, format!("  ! a limit was reached: {why}"))],
        MissionFact::PlanOnly { confident: true } => {
            vec![(Ink::Good, "  = the plan stands; nothing else was wanted".to_owned())]
        }
        MissionFact::PlanOnly { confident: false } => {
            vec![(Ink::Bad, "  ! the plan stands, but its maker is not sure of it".to_owned())]
        }
    }
}

/// How a mission ended, if it did.
pub fn ending(state: &State) -> Vec<Line> {
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

fn session(id: SessionId, fact: &SessionFact, state: &State) -> Vec<Line> {
    let Some(session) = state.sessions.get(&id) else { return Vec::new() };
    let name = session.profile.speaker();
    let house = |text: String| vec![(Ink::House, format!("  = {text}"))];
    let work = |text: String| vec![(Ink::Work, format!("  · {text}"))];
    let bad = |text: String| vec![(Ink::Bad, format!("  ! {text}"))];
    match fact {
        SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
            Role::Arbiter | Role::Agent => Vec::new(),
            Role::Orchestrator => house(format!("{name} awakens")),
            Role::Verifier => house(format!("{name} awakens, a verifier")),
        },
        SessionFact::Tool(ToolFact::Started { name: tool, detail, .. }) => {
            work(format!("{name}{} {tool} {detail}", fullness(session)))
        }
        SessionFact::Tool(ToolFact::Ended { ok: false, .. }) => bad(format!("{name}: the tool failed")),
        SessionFact::Context(ContextFact::Warned { percent }) => {
            bad(format!("{name} was warned: its context is past {percent}%"))
        }
        SessionFact::Work(WorkFact::Tasks(tasks)) => {
            let done = tasks.iter().filter(|task| task.status == TaskStatus::Done).count();
            work(format!("{name}: {done} of {} tasks done", tasks.len()))
        }
        SessionFact::Turn(TurnFact::Interrupting { by }) => {
            house(format!("{name} is being interrupted by {by}"))
        }
        SessionFact::Turn(TurnFact::Malformed { faults }) => {
            bad(format!("{name}: the output did not validate ({}); asked again", faults.join("; ")))
        }
        // Each run of an agent has a session of its own: that one comes and goes is no news.
        SessionFact::Life(LifeFact::Released) if session.profile.role == Role::Agent => Vec::new(),
        SessionFact::Life(LifeFact::Released) => house(format!("{name} is released")),
        SessionFact::Life(LifeFact::Sandboxed(Level::Off)) => bad(format!("{name} runs without a sandbox")),
        SessionFact::Life(LifeFact::Sandboxed(level)) if session.profile.role == Role::Agent => {
            work(format!("{name} runs in a sandbox ({level})"))
        }
        SessionFact::Life(LifeFact::Sandboxed(level)) => house(format!("{name} runs in a sandbox ({level})")),
        SessionFact::Permission(PermissionFact::Asked { permission, request, .. }) => {
            asked(*permission, request, &name, state.unattended)
        }
        SessionFact::Permission(PermissionFact::AskedAgain { permission, .. }) => {
            match session.asks.iter().find(|found| found.id == *permission) {
                // Whoever comes back has to see what a yes would allow.
                Some(found) if found.answer.is_none() => {
                    asked(*permission, &found.request, &name, state.unattended)
                }
                Some(_) | None => house(format!("{name} asks {permission} again: it has your answer")),
            }
        }
        SessionFact::Tool(ToolFact::Denied { tool, what, why }) => {
            bad(format!("{name}: {tool} {} was refused by policy: {}", visible(what), visible(why)))
        }
        SessionFact::Permission(PermissionFact::Answered { permission, allowed, by, scope, why, .. }) => {
            let word = answer(*allowed, *scope);
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            house(format!("{permission}: {word}, by {by}{why}"))
        }
        SessionFact::Permission(PermissionFact::Covered { permission, request }) => {
            work(format!("{name}: {} (covered by your yes to {permission})", mind::show::line(&request.what)))
        }
        SessionFact::Life(LifeFact::WaitsForPetition { petition }) => {
            house(format!("{name} waits for the answers of petition {petition}"))
        }
        SessionFact::Permission(PermissionFact::Unasked { permission }) => {
            house(format!("{permission} needs no answer any more"))
        }
        SessionFact::Turn(TurnFact::Prompted { words, .. }) if by_person(words, state) => {
            work(format!("your words were given to {}", called(&name)))
        }
        SessionFact::Turn(TurnFact::Interjected(steer)) if by_person(&steer.words, state) => {
            work(format!("your words were given to {}", called(&name)))
        }
        SessionFact::Life(LifeFact::Waits(wait)) if wait.kind == WaitKind::Backoff => {
            let left = when::span(wait.until.0.saturating_sub(state.now.0));
            bad(format!("{name}: {}; tried again in {left}", wait.why))
        }
        SessionFact::Life(LifeFact::Waits(wait)) => {
            let left = when::span(wait.until.0.saturating_sub(state.now.0));
            house(format!("{name} is tried again in {left}"))
        }
        SessionFact::Turn(TurnFact::Retried { .. }) => work(format!("{name} tries again")),
        SessionFact::Life(LifeFact::Revived) => house(format!("{name} is taken up again")),
        SessionFact::Context(ContextFact::Overflowed) => {
            bad(format!("{name} is stopped: its context is nearly full"))
        }
        SessionFact::Context(ContextFact::TestamentAsked) => {
            house("the Arbiter is asked for its testament".to_owned())
        }
        SessionFact::Life(LifeFact::AwaitsHuman(true)) => house(format!("{name} waits for a person")),
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

/// Signs that a terminal would swallow or turn around, as they are written in code.
fn visible(text: &str) -> String {
    let hidden = |sign: char| {
        sign.is_control() && sign != '\t'
            || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars()
        .map(|sign| if hidden(sign) { sign.escape_default().to_string() } else { sign.to_string() })
        .collect()
}

/// Questions that ended with the turn or the session that asked them.
fn withdrawn(id: SessionId, before: &State) -> Vec<Line> {
    let asks = before.sessions.get(&id).map(|session| session.asks.clone()).unwrap_or_default();
    let ended = asks.iter().map(|ask| match ask.answer {
        None => format!("  = {} needs no answer any more: whoever asked went on without it", ask.id),
        Some(_) => format!("  = the answer to {} was not needed any more", ask.id),
    });
    ended.map(|text| (Ink::House, text)).collect()
}

/// How tools that needed a word fared, if any did.
pub fn tally(state: &State) -> Option<String> {
    let tally = &state.tally;
    let parts = [
        (tally.allowed, "allowed by you"),
        (tally.covered, "covered by a yes of yours"),
        (tally.refused, "refused by you"),
        (tally.unattended, "refused because nobody was there"),
        (tally.denied, "refused by policy"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// An answer to whether a tool may run.
pub fn answer(allowed: bool, lasts: GrantScope) -> &'static str {
    match (allowed, lasts) {
        (false, _) => "no",
        (true, GrantScope::Once) => "yes, once",
        (true, GrantScope::Hour) => "yes, for an hour",
        (true, GrantScope::Mission) => "yes, for this mission",
    }
}

/// What a person is asked: exactly what would run, where, why, and how to answer.
pub fn asked(ask: PermissionId, question: &PermissionRequest, name: &Speaker, unattended: bool) -> Vec<Line> {
    let mut lines = vec![
        (Ink::Words, String::new()),
        (Ink::Name, format!("? {ask}  {name} asks: may this run? ({} risk)", question.risk)),
    ];
    lines.extend(question.what.split('\n').map(|line| (Ink::Words, format!("      {}", visible(line)))));
    lines.push((Ink::Dim, format!("    in {}", question.folder)));
    lines.push((Ink::Dim, format!("    because {}", visible(&question.why))));
    if unattended {
        return lines;
    }
    lines.push((Ink::House, format!("    /yes {ask}   once      /no {ask} WHY")));
    if !question.shapes.is_empty() {
        let shapes = question.shapes.join(", ");
        lines.push((
            Ink::House,
            format!("    /yes {ask} mission   or   /yes {ask} hour   everything like: {shapes}"),
        ));
    }
    lines
}

/// A session that has heard a person's words since `before`.
fn heard(id: SessionId, before: &State, state: &State) -> Option<Line> {
    let session = state.sessions.get(&id)?;
    let newly: Vec<MessageId> =
        before.unheard.iter().copied().filter(|word| !state.unheard.contains(word)).collect();
    let who = called(&session.profile.speaker());
    by_person(&newly, state).then(|| (Ink::Work, format!("  · {who} has heard you")))
}

/// Some of these words are a person's. A policy waits for nobody's ear.
fn by_person(words: &[MessageId], state: &State) -> bool {
    let mut messages = words.iter().filter_map(|word| state.message(*word));
    messages.any(|message| matches!(message.from, Speaker::Human(Actor::Human { .. })))
}

/// A speaker in the middle of a sentence.
fn called(speaker: &Speaker) -> String {
    if *speaker == Speaker::Arbiter { "the Arbiter".to_owned() } else { speaker.to_string() }
}

fn fullness(session: &Session) -> String {
    session.context.gauge.as_ref().map(|gauge| format!(" [{}%]", gauge.percent())).unwrap_or_default()
}

fn gate(fact: &GateFact, state: &State) -> Vec<Line> {
    match fact {
        GateFact::Claimed { .. } | GateFact::Surveyed(_) => Vec::new(),
        GateFact::Brought { .. } => next_check(state),
        GateFact::Receipt { receipt, .. } => {
            let ink = if receipt.passed() { Ink::Good } else { Ink::Bad };
            let mut lines = vec![(
                ink,
                format!(
                    "  = receipt: `{}` {} in {} ms on commit {}",
                    receipt.argv.join(" "),
                    receipt.status,
                    receipt.duration_ms,
                    receipt.commit.get(..12).unwrap_or(&receipt.commit)
                ),
            )];
            if receipt.passed() {
                lines.extend(next_check(state));
            }
            lines
        }
        GateFact::Refused { why } => {
            let mut why = why.lines();
            let first = why.next().unwrap_or_default();
            let mut lines = vec![(Ink::Bad, format!("  = the claim is turned back: {first}"))];
            // The end of a check's output says what matters; the journal has more of it.
            let rest: Vec<&str> = why.filter(|line| !line.trim().is_empty()).collect();
            let from = rest.len().saturating_sub(TAIL_LINES_MAX);
            lines.extend(
                rest[from..].iter().map(|line| (Ink::Dim, format!("    {}", mind::limits::cut(line, 200)))),
            );
            lines
        }
    }
}

/// The check that runs now.
fn next_check(state: &State) -> Vec<Line> {
    let (Some(charter), Some(gate)) = (&state.charter, &state.gate) else { return Vec::new() };
    let Some(argv) = charter.checks.get(gate.passed as usize) else { return Vec::new() };
    let (number, count) = (gate.passed + 1, charter.checks.len());
    let limit = when::span(charter.check_limit_ms);
    vec![(Ink::Work, format!("  · check {number} of {count}: `{}` (limit {limit})", argv.join(" ")))]
}

/// What became of petitions. Answers to questions are told as words, and answers to tools as such.
fn docket(id: &PetitionId, fact: &DocketFact, before: &State) -> Vec<Line> {
    let title = before.petitions.get(id).map(|raised| raised.draft.title.to_string()).unwrap_or_default();
    let text = match fact {
        DocketFact::Asked { subject: PetitionSubject::Session(_), .. } | DocketFact::Decided { .. } => {
            return Vec::new();
        }
        DocketFact::Asked { draft, .. } => format!("in the docket: {} (`arbiter inbox {id}`)", draft.title),
        DocketFact::Withdrawn { why } => format!("taken out of the docket: {title} ({why})"),
        // The house remarks these itself.
        DocketFact::Void { .. } | DocketFact::Closed { .. } | DocketFact::Late(_) => return Vec::new(),
    };
    vec![(Ink::House, format!("  = {text}"))]
}
