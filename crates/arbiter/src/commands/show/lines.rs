//! The lines of `show`: a word at the left says what each line is about.

use std::path::Path;

use mind::Timestamp;
use mind::session::Role;
use view::amount::counted;
use view::line::line;
use view::mission::{MissionView, WorkView};
use view::session::SessionView;

use super::conducted;
use crate::clock;

/// All of it, in the order of a reader's questions: what it is, who works, what is proven, what waits for a person.
pub(super) fn describe(view: &MissionView, journal: &Path) -> Vec<String> {
    let mut lines = heading(view, journal);
    // A mission that is over, or that no process runs, tries nothing again.
    let over = view.over || view.process.is_none();
    lines.extend(view.conductor.iter().flat_map(|conductor| conducted::describe(conductor, over)));
    lines.extend(
        view.cost.iter().filter(|_| view.conductor.is_none()).map(|cost| format!("cost      {cost}")),
    );
    lines.extend(view.sessions.iter().map(at_work));
    lines.extend(done(view));
    lines.extend(asked(view));
    lines.extend(view.tools.iter().map(|text| format!("tools     {text}")));
    lines.extend(promised(view));
    lines.extend(question(view));
    lines
}

fn heading(view: &MissionView, journal: &Path) -> Vec<String> {
    let mut lines = vec![format!("mission   {}: {}", view.id, view.title)];
    lines.push(format!("status    {}", view.standing));
    lines.push(format!("now       {}", view.now.text));
    lines.extend(view.process.map(|process| format!("process   {process}")));
    lines.push(format!("journal   {}", journal.display()));
    match &view.work {
        Some(WorkView::Kept { reference }) => lines.push(format!("work      {reference}")),
        Some(WorkView::Clone { folder, branch }) => {
            lines.push(format!("clone     {folder} (branch {branch})"));
        }
        None => {}
    }
    if view.open_policy {
        lines.push("policy    open: agents run every command unasked".to_owned());
    }
    lines.extend(view.yes.iter().map(|yes| format!("yes by    {yes}")));
    lines.push(format!("messages  {}", view.messages));
    lines
}

fn at_work(session: &SessionView) -> String {
    let full = session.fullness.as_ref().map(|full| format!("  {} (by {})", full.words, full.source));
    let full = full.unwrap_or_default();
    let role = if session.role == Role::Verifier { " (verifier)" } else { "" };
    let (who, doing) = (format!("{}{role}", session.who), &session.doing.text);
    let calls = counted(session.tool_calls, "tool call");
    let sandbox = session.sandbox.level.map(|level| format!("  sandbox {level}")).unwrap_or_default();
    let version = session.program_version.as_ref();
    let version = version.map(|version| format!("  {} {version}", session.provider)).unwrap_or_default();
    format!("session   {who:<27} {doing:<9}  {calls:>13}{full}{sandbox}{version}  {}", session.key)
}

/// Tasks, the verdict, the receipts of checks.
fn done(view: &MissionView) -> Vec<String> {
    let tasks = view.tasks.iter().map(|view| {
        let mark = view.task.status.mark();
        format!("task      [{mark}] {} ({})", view.title, view.owner)
    });
    let verdict = view.verdict.iter().map(|verdict| format!("verdict   {verdict}"));
    let receipts = view.receipts.iter().map(|view| {
        let (commit, digest) = (&view.receipt.commit, &view.receipt.output_digest);
        let (check, outcome, took) = (&view.check, &view.outcome, &view.took);
        format!("receipt   `{check}` {outcome} after {took} on commit {commit}, output sha256 {digest}")
    });
    tasks.chain(verdict).chain(receipts).collect()
}

/// Permissions and petitions that wait for an answer, each with the command that gives it.
fn asked(view: &MissionView) -> Vec<String> {
    let mut lines = Vec::new();
    let id = &view.id;
    for asked in view.permissions.iter().map(|permission| &permission.view) {
        let (permission, by, risk, why) = (asked.id, &asked.by, &asked.risk, &asked.why);
        lines.push(format!("asks      {permission} by {by} ({risk} risk): {why}"));
        lines.extend(asked.what.lines().map(|line| format!("            {line}")));
        lines.push(format!(
            "          answer with: arbiter mission allow {id} {permission}, or deny {id} {permission}"
        ));
    }
    for petition in &view.petitions {
        lines.push(format!(
            "petition  {} by {}: {}",
            petition.id,
            line(&petition.agent),
            line(&petition.title)
        ));
        lines.push(format!("          answer with: arbiter inbox {}", petition.id));
    }
    lines
}

/// Permissions that last, and what is owed.
fn promised(view: &MissionView) -> Vec<String> {
    let allowed = view.grants.iter().map(|grant| {
        let until = until(grant.until, "to the end");
        format!("allowed   {} {until}, by {} ({})", grant.pattern, grant.by, grant.permission)
    });
    let owed = view.owed.iter().map(|owed| {
        format!("owed      by {}: {}, {}", owed.by, line(&owed.what), until(owed.until, "without a limit"))
    });
    allowed.chain(owed).collect()
}

fn until(limit: Option<Timestamp>, never: &str) -> String {
    limit.map_or(never.to_owned(), |limit| format!("until {}", clock::local(limit).strftime("%H:%M:%S")))
}

fn question(view: &MissionView) -> Vec<String> {
    let Some(question) = view.question.as_ref().filter(|_| !view.over) else { return Vec::new() };
    vec![
        format!("question  {}", question.trim().replace('\n', "\n          ")),
        format!("          answer with: arbiter mission say {} WORDS", view.id),
    ]
}
