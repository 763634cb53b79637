//! A mission as `show` tells it to people: a word at the left says what each line is about.

use mind::charter::Way;
use mind::policy::Mode;
use mind::session::{Role, Session};
use mind::talk::Verdict;
use mind::{MissionId, State, Timestamp};
use view::told;

use super::{conducted, open_petitions, owed};
use crate::clock;
use crate::commands::missions::{standing, title};
use crate::project::home::MissionPlaces;

/// All of it, in the order of a reader's questions: what it is, who works, what is proven, what waits for somebody.
pub(super) fn describe(
    id: &MissionId,
    state: &State,
    holder: Option<u32>,
    places: &MissionPlaces,
) -> Vec<String> {
    let mut lines = heading(id, state, holder, places);
    let runs = holder.is_some() && state.ended.is_none();
    lines.extend(conducted::describe(state, runs.then(clock::now)));
    let cost = state.cost_microusd();
    if cost > 0 && state.way() == Way::Council {
        lines.push(format!("cost      ${:.2}", cost as f64 / 1e6));
    }
    lines.extend(state.sessions.values().map(|session| at_work(session, state)));
    lines.extend(done(state));
    lines.extend(asked(id, state));
    lines.extend(told::tally(state).map(|text| format!("tools     {text}")));
    lines.extend(promised(state));
    lines.extend(question(id, state));
    lines
}

fn heading(id: &MissionId, state: &State, holder: Option<u32>, places: &MissionPlaces) -> Vec<String> {
    let mut lines = vec![format!("mission   {id}: {}", title(state))];
    lines.push(format!("status    {}", standing(state, holder.is_some(), places)));
    if let Some(pid) = holder {
        lines.push(format!("process   {pid}"));
    }
    lines.push(format!("journal   {}", places.journal().display()));
    if places.discarded().exists() {
        lines.push(format!("work      refs/arbiter/salvage/{id}"));
    } else if let Some(settled) = &state.settled {
        lines.push(format!("clone     {} (branch {})", settled.folder, settled.branch));
    }
    if state.charter.as_ref().is_some_and(|charter| charter.policy.mode == Mode::Open) {
        lines.push("policy    open: agents run every command unasked".to_owned());
    }
    // A mission that is conducted begins without a yes.
    if state.way() == Way::Council {
        let yes = state.consent.as_ref().map_or("nobody yet".to_owned(), ToString::to_string);
        lines.push(format!("yes by    {yes}"));
    }
    lines.push(format!("messages  {}", state.talk.len()));
    lines
}

fn at_work(session: &Session, state: &State) -> String {
    let gauge = session.context.gauge.as_ref();
    let gauge = gauge.map(|gauge| format!("  {}% full (by {})", gauge.percent(), gauge.source));
    let gauge = gauge.unwrap_or_default();
    let role = if session.profile.role == Role::Verifier { " (verifier)" } else { "" };
    let waits = session.waits_for_petition.as_ref().is_some_and(|petition| state.is_open(petition));
    let now = match (session.live, &session.turns.current) {
        (false, _) => "released",
        (true, Some(_)) => "at work",
        (true, None) if waits => "waits",
        (true, None) => "at rest",
    };
    let who = format!("{}{role}", session.profile.speaker());
    let calls = session.tool_use.calls;
    let level = session.sandbox.map(|level| format!("  sandbox {level}")).unwrap_or_default();
    format!("session   {who:<26} {now:<9} {calls:>4} tool calls{gauge}{level}  {}", session.profile.key)
}

/// Tasks, the verdict, the receipts of checks.
fn done(state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for (owner, task) in &state.tasks {
        let mark = task.status.mark();
        lines.push(format!("task      [{mark}] {} (Orchestrator {})", task.title, mind::id::roman(*owner)));
    }
    if let Some(judgement) = &state.judgement {
        let word = match judgement.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
        };
        let commit = judgement.commit.as_deref().unwrap_or("unknown");
        lines.push(format!("verdict   {word} on commit {commit}"));
    }
    for receipt in &state.receipts {
        lines.push(format!(
            "receipt   `{}` {} in {} ms on commit {}, output sha256 {}",
            receipt.argv.join(" "),
            receipt.status,
            receipt.duration_ms,
            receipt.commit,
            receipt.output_digest
        ));
    }
    lines
}

/// Permissions and petitions that wait for an answer, each with the command that gives it.
fn asked(id: &MissionId, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for (session, ask) in state.asks().filter(|(_, ask)| ask.answer.is_none()) {
        let (name, request) = (session.profile.speaker(), &ask.request);
        lines.push(format!("asks      {} by {name} ({} risk): {}", ask.id, request.risk, request.why));
        lines.extend(request.what.lines().map(|line| format!("            {line}")));
        lines
            .push(format!("          answer with: arbiter mission allow {id} {0}, or deny {id} {0}", ask.id));
    }
    for (petition, raised) in open_petitions(state) {
        lines.push(format!("petition  {petition} by {}: {}", raised.draft.agent, raised.draft.title));
        lines.push(format!("          answer with: arbiter inbox {petition}"));
    }
    lines
}

/// What was allowed for longer than once, and what is owed.
fn promised(state: &State) -> Vec<String> {
    let allowed = state.grants.iter().map(|grant| {
        let until = until(grant.until, "to the end");
        format!("allowed   {} {until}, by {} ({})", grant.shape, grant.by, grant.permission)
    });
    let owed = owed(state)
        .into_iter()
        .map(|(who, what, limit)| format!("owed      by {who}: {what}, {}", until(limit, "without a limit")));
    allowed.chain(owed).collect()
}

fn until(limit: Option<Timestamp>, never: &str) -> String {
    limit.map_or(never.to_owned(), |limit| format!("until {}", clock::local(limit).strftime("%H:%M:%S")))
}

fn question(id: &MissionId, state: &State) -> Vec<String> {
    let question = state.question.and_then(|question| state.message(question));
    let Some(question) = question.filter(|_| state.ended.is_none()) else { return Vec::new() };
    vec![
        format!("question  {}", question.text.trim().replace('\n', "\n          ")),
        format!("          answer with: arbiter mission say {id} WORDS"),
    ]
}
