//! The report itself: sections in the order in which a person asks. The same journal gives the same report.

use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::Way;
use mind::policy::PolicyMode;
use mind::session::{Gauge, Role, Session};
use mind::talk::{Asks, Delivery, Listener, Message, MessageKind, Speaker};
use mind::{MessageId, MissionId, SessionId, Timestamp};
use view::actor::{actor_words, speaker_words};
use view::mission;
use view::session::{SessionView, percent_words};

use super::account::{Account, Judged, ReportQuestion, ReportRemark};
use super::course::course;
use super::markdown::{code, plain, quote, table};
use super::petitions::petitions;
use crate::clock;

const NONE: &str = "None.\n\n";

/// The whole report.
pub fn write(id: &MissionId, account: &Account, running: bool) -> String {
    let mut report = format!("# {}\n\n", plain(&mission::title(&account.state)));
    report.push_str(&summary(id, account, running));
    if let Some(course) = course(&account.state) {
        report.push_str(&course);
    }
    report.push_str("## Conversation\n\n");
    report.extend(account.state.talk.iter().map(|message| said(message)));
    report.push_str("## Sessions\n\n");
    report.extend(account.state.sessions.iter().map(|(id, session)| told(*id, session, account)));
    report.push_str("## Questions\n\n");
    report.push_str(&questions(account));
    if !account.permissions.is_empty() {
        report.push_str("## Permissions\n\n");
        report.push_str(&permissions(account));
    }
    if let Some(petitions) = petitions(&account.state) {
        report.push_str("## Petitions\n\n");
        report.push_str(&petitions);
    }
    report.push_str("## Receipts\n\n");
    report.push_str(&receipts(account));
    report.push_str("## Warnings\n\n");
    report.push_str(&remarks(&account.warnings));
    report.push_str("## Turned back\n\n");
    report.push_str(&remarks(&account.turned_back));
    report.push_str("## Cost\n\n");
    report.push_str(&costs(account));
    report.truncate(report.trim_end().len());
    report.push('\n');
    report
}

fn summary(id: &MissionId, account: &Account, running: bool) -> String {
    let state = &account.state;
    let mut rows = vec![
        ("mission", code(&id.0)),
        ("status", plain(&mission::standing(state, running, false))),
        ("opened", moment(state.opened_at)),
        ("last entry", format!("{} (entry {})", moment(state.now), account.entries)),
        ("elapsed", clock::span(state.now.0.saturating_sub(state.opened_at.0))),
        ("starts", state.run.to_string()),
        ("yes", yes(account)),
    ];
    if let Some(charter) = &state.charter {
        rows.push(("requirements", code(&charter.scroll.name)));
    }
    if state.charter.as_ref().is_some_and(|charter| charter.policy.mode == PolicyMode::Open) {
        rows.push(("policy", "open: nothing was asked".to_owned()));
    }
    if let Some(settled) = &state.clone_place {
        rows.push(("branch", format!("{} from commit {}", code(&settled.branch), code(&settled.base))));
    }
    rows.push(("cost", dollars(state.cost_microusd())));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    table(&["what", "value"], &rows)
}

fn yes(account: &Account) -> String {
    let Some(consent) = &account.consent else {
        let conducted = account.state.way() == Way::Conductor;
        return if conducted { "not asked for: the mission is conducted" } else { "no person yet" }
            .to_owned();
    };
    let mut yes = format!("by {}; {}", plain(&actor_words(&consent.by)), moment(consent.at));
    if let Some(question) = consent.question {
        yes.push_str(&format!(", to {question}"));
    }
    match consent.by {
        Actor::Human { .. } => {}
        Actor::Policy(_) | Actor::Agent(_) => yes.push_str("; no person said it"),
    }
    yes
}

fn said(message: &Message) -> String {
    let mut heading = format!("### {}: {}", message.id, speaker(&message.from));
    match message.to {
        Listener::Nobody => {}
        Listener::Human | Listener::Arbiter | Listener::Orchestrator(_) | Listener::Agent => {
            heading.push_str(&format!(" to {}", message.to));
        }
    }
    heading.push_str(match message.kind {
        MessageKind::Plain => "",
        MessageKind::Musing => " (musing)",
        MessageKind::Notice => " (notice)",
        MessageKind::Claim => " (claims completion)",
        MessageKind::Unformed => " (as it came: the output did not validate)",
    });
    let mut notes = vec![moment(message.at)];
    notes.extend(message.delivery.map(|delivery| way(delivery).to_owned()));
    notes.extend((message.asks == Some(Asks::Alignment)).then(|| "asks for the yes".to_owned()));
    notes.extend(message.decisions.iter().map(|decision| format!("asks {}", code(&decision.id))));
    let depth = if message.kind == MessageKind::Musing { 2 } else { 1 };
    format!("{heading}\n\n{}\n\n{}", notes.join("; "), quote(&message.text, depth))
}

fn speaker(speaker: &Speaker) -> String {
    match speaker {
        Speaker::Human(actor @ Actor::Human { .. }) => format!("Human ({})", plain(&actor_words(actor))),
        Speaker::Human(actor @ (Actor::Policy(_) | Actor::Agent(_))) => {
            format!("{}, in the human's place", plain(&actor_words(actor)))
        }
        Speaker::Agent(_) | Speaker::Arbiter | Speaker::Orchestrator(_) | Speaker::House => {
            plain(&speaker_words(speaker))
        }
    }
}

fn way(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Queued => "queued, not delivered",
        Delivery::Delivered => "delivered, not heard",
        Delivery::Heard => "heard",
    }
}

/// One session with what it left behind.
fn told(id: SessionId, session: &Session, account: &Account) -> String {
    let view = SessionView::of(session, &account.state, account.state.now);
    let audits = if view.role == Role::Verifier { ", verifier" } else { "" };
    let mut text = format!("### {id}: {}{audits}\n\n", plain(&view.who));
    let full = view.fullness.as_ref().map(|full| format!("{} (by {})", full.words, plain(&full.source)));
    let rows = [
        ("provider", plain(&view.made_of)),
        ("session key", code(&view.key)),
        ("now", plain(&view.doing.text)),
        ("tool calls", view.tool_calls.to_string()),
        ("context", full.unwrap_or_else(|| "not measured".to_owned())),
        ("cost", dollars(view.cost_microusd)),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    text.push_str(&table(&["what", "value"], &rows));
    if let Some(trace) = account.traces.get(&id) {
        let row = |(at, gauge): &(Timestamp, Gauge)| vec![moment(*at), percent_words(gauge)];
        let rows: Vec<Vec<String>> = trace.gauges.iter().map(row).collect();
        if !rows.is_empty() {
            text.push_str(&table(&["time", "context"], &rows));
        }
        text.extend(trace.verdicts.iter().map(judged));
    }
    // Numbers are given once: a handoff under it is this session's.
    for (at, handoff) in account.handoffs.get(&view.number).into_iter().flatten() {
        text.push_str(&format!("Handoff, {}:\n\n{}", moment(*at), quote(handoff, 1)));
    }
    text
}

fn judged(judged: &Judged) -> String {
    let word = mission::verdict_word(judged.verdict);
    let commit = judged.commit.as_deref().map_or("an unknown commit".to_owned(), code);
    let mut text = format!("Verdict {word} on {commit}, {}.\n\n", moment(judged.at));
    text.extend(judged.findings.iter().map(|finding| format!("- found: {}\n", plain(finding))));
    if !judged.findings.is_empty() {
        text.push('\n');
    }
    text
}

/// What the human was asked. What is only said, such as the report at the end, asks nothing.
fn questions(account: &Account) -> String {
    let open = account.state.question.filter(|_| account.state.ended.is_none());
    let message = |id: MessageId| account.state.message(id);
    let mut text = String::new();
    for question in &account.questions {
        let Some(asked) = message(question.asked) else { continue };
        let asks = asked.asks.is_some() || !asked.decisions.is_empty() || open == Some(asked.id);
        if asks || question.answer.is_some() {
            text.push_str(&answered(question, asked, question.answer.and_then(message), open));
        }
    }
    if text.is_empty() { NONE.to_owned() } else { text }
}

fn answered(
    question: &ReportQuestion,
    asked: &Message,
    answer: Option<&Message>,
    open: Option<MessageId>,
) -> String {
    let what = match asked.asks {
        Some(Asks::Alignment) => "the yes before the work",
        None if asked.decisions.is_empty() => "a question",
        None => "a choice",
    };
    let mut text = format!("### {}: {what}\n\nAsked {}:\n\n", question.asked, moment(asked.at));
    text.push_str(&quote(&asked.text, 1));
    for decision in &asked.decisions {
        text.push_str(&format!("Choice {}: {}\n\n", code(&decision.id), plain(&decision.title)));
        if !decision.context.trim().is_empty() {
            text.push_str(&quote(&decision.context, 1));
        }
        let option = |option: &mind::talk::DecisionOption| vec![code(&option.key), plain(&option.label)];
        let mut rows: Vec<Vec<String>> = decision.options.iter().map(option).collect();
        if decision.allow_custom {
            rows.push(vec![String::new(), "or an answer in your own words".to_owned()]);
        }
        text.push_str(&table(&["option", "meaning"], &rows));
    }
    match answer {
        Some(answer) => {
            let by = speaker(&answer.from);
            let way = answer.delivery.map(|delivery| format!(", {}", way(delivery))).unwrap_or_default();
            text.push_str(&format!("Answered by {by}, {} ({}{way}):\n\n", moment(answer.at), answer.id));
            text.push_str(&quote(&answer.text, 1));
        }
        None if open == Some(asked.id) => text.push_str("It waits for an answer.\n\n"),
        None => text.push_str("No words answered it.\n\n"),
    }
    text
}

/// Which tools asked for a permission, and who gave or refused it.
fn permissions(account: &Account) -> String {
    let rows: Vec<Vec<String>> = account
        .permissions
        .iter()
        .map(|permission| {
            let whose = account.state.sessions.get(&permission.session);
            let whose = whose.map(|session| speaker_words(&session.profile.speaker())).unwrap_or_default();
            vec![
                permission.ask.map(|ask| ask.to_string()).unwrap_or_default(),
                moment(permission.at),
                plain(&whose),
                code(&permission.what),
                plain(&permission.answer),
                code(permission.digest.get(..12).unwrap_or(&permission.digest)),
            ]
        })
        .collect();
    table(&["permission", "time", "session", "what", "answer", "sha256"], &rows)
}

fn receipts(account: &Account) -> String {
    if account.receipts.is_empty() {
        return NONE.to_owned();
    }
    let rows: Vec<Vec<String>> = account
        .receipts
        .iter()
        .map(|(at, gate, view)| {
            vec![
                gate.to_string(),
                moment(*at),
                code(&view.check),
                plain(&view.outcome),
                view.took.clone(),
                code(&view.receipt.commit),
                code(&view.receipt.output_digest),
            ]
        })
        .collect();
    table(&["claim", "time", "check", "result", "took", "commit", "output sha256"], &rows)
}

fn remarks(remarks: &[ReportRemark]) -> String {
    if remarks.is_empty() {
        return NONE.to_owned();
    }
    let row = |remark: &ReportRemark| vec![remark.seq.to_string(), moment(remark.at), plain(&remark.text)];
    table(&["entry", "time", "what"], &remarks.iter().map(row).collect::<Vec<_>>())
}

fn costs(account: &Account) -> String {
    let row = |(id, session): (&SessionId, &Arc<Session>)| {
        let who = format!("{id}: {}", plain(&speaker_words(&session.profile.speaker())));
        vec![who, dollars(session.usage.cost_microusd)]
    };
    let mut rows: Vec<Vec<String>> = account.state.sessions.iter().map(row).collect();
    if let Some(conductor) = &account.state.conductor {
        rows.push(vec!["moves".to_owned(), dollars(conductor.cost_microusd)]);
    }
    rows.push(vec!["total".to_owned(), dollars(account.state.cost_microusd())]);
    table(&["session", "cost"], &rows)
}

/// Every millionth is told, so that the rows add up to the total.
fn dollars(microusd: u64) -> String {
    format!("USD {}.{:06}", microusd / 1_000_000, microusd % 1_000_000)
}

pub(super) fn moment(at: Timestamp) -> String {
    clock::local(at).strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
}
