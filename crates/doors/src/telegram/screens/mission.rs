//! One mission: how it stands, who works with how full a context, what was said last, its tasks, and what waits for a person.
//! Who may steer it can pause it, let it go on, or cancel it.

use mind::session::TaskStatus;
use view::mission::{MissionView, tasks_done};
use view::session::SessionView;

use super::Viewer;
use super::layout::{bar, button, named_button, screen};
use crate::limits::{LAST_WORDS_SIGNS_MAX, SESSIONS_MAX, TASKS_MAX};
use crate::telegram::html::{Html, cut_loudly, inline};
use crate::telegram::screen::{ChatButton, ChatScreen};
use crate::telegram::tap::{PetitionRef, Tap};

/// Petitions and permissions that wait and are named; the others are counted.
const WAITING_MAX: usize = 3;
/// How long a sentence is here, and how long a name or a title among others: all of them fit into one message.
const SENTENCE_SIGNS_MAX: usize = 200;
const ROW_SIGNS_MAX: usize = 80;

/// `🎯 Title`
#[must_use]
pub fn mission(viewer: &Viewer<'_>, mission: &MissionView) -> ChatScreen {
    let mut html = Html::new();
    put_head(&mut html, mission);
    let working: Vec<&SessionView> = mission.sessions.iter().filter(|session| session.live).collect();
    if !mission.over && !working.is_empty() {
        html.gap();
        working.iter().take(SESSIONS_MAX).for_each(|session| put_session(&mut html, session));
        put_more(&mut html, working.len(), SESSIONS_MAX);
    }
    if let Some(words) = &mission.last_words {
        html.gap().bold(&inline(&words.from, 40)).end_line();
        html.quote(&cut_loudly(&view::clean::clean(&words.text), LAST_WORDS_SIGNS_MAX)).end_line();
    }
    put_tasks(&mut html, mission);
    put_waiting(&mut html, mission);
    let id = || mission.id.clone();
    let mut buttons: Vec<Vec<ChatButton>> = Vec::new();
    for petition in mission.petitions.iter().take(WAITING_MAX) {
        let tap = Tap::Petition { petition: PetitionRef::of(&petition.id), page: 0 };
        buttons.push(vec![named_button("📄 ", &petition.title, tap)]);
    }
    if viewer.may_steer() && !mission.over {
        let hold = match mission.paused {
            true => button("▶️ Resume", Tap::Resume { mission: id() }),
            false => button("⏸️ Pause", Tap::Pause { mission: id() }),
        };
        buttons.push(vec![hold, button("⏹️ Cancel", Tap::AskCancel { mission: id() })]);
    }
    let back = button("↩️ Back", Tap::Missions { page: 0 });
    buttons.push(vec![button("🔄 Refresh", Tap::Mission { mission: id() }), back]);
    screen(html, buttons)
}

/// Whether it is to be cancelled.
#[must_use]
pub fn mission_cancel(viewer: &Viewer<'_>, mission: &MissionView) -> ChatScreen {
    let mut html = Html::new();
    html.text("⏹️ ").bold("Cancel this mission?").gap();
    html.text(&inline(&mission.title, SENTENCE_SIGNS_MAX)).end_line();
    html.italic(&inline(&mission.standing, ROW_SIGNS_MAX)).gap();
    html.text("It ends now and is not continued. The work so far is kept.");
    let back = button("↩️ Back", Tap::Mission { mission: mission.id.clone() });
    let cancel = button("⏹️ Cancel it", Tap::Cancel { mission: mission.id.clone() });
    let offered = Some(cancel).filter(|_| viewer.may_steer() && !mission.over);
    screen(html, vec![offered.into_iter().collect(), vec![back]])
}

fn put_head(html: &mut Html, mission: &MissionView) {
    let icon = match (mission.over, mission.process.is_some()) {
        (true, _) => "🏁",
        (false, true) => "🟢",
        (false, false) => "⚪",
    };
    html.text("🎯 ").bold(&inline(&mission.title, SENTENCE_SIGNS_MAX)).end_line();
    html.text(&format!("{icon} ")).text(&inline(&mission.standing, ROW_SIGNS_MAX)).end_line();
    html.italic(&inline(&mission.now.text, SENTENCE_SIGNS_MAX)).end_line();
    html.text(&format!("⏱️ {}", mission.took));
    if let Some(cost) = &mission.cost {
        html.text(&format!(" · 💰 {cost}"));
    }
    html.end_line();
}

/// `Arbiter: at work` and `▓▓▓░░░░░░░ 38%`
fn put_session(html: &mut Html, session: &SessionView) {
    html.bold(&inline(&session.who, 40)).text(": ").text(&inline(&session.doing.text, 60)).end_line();
    if let Some(full) = &session.fullness {
        let percent = usize::try_from(full.percent).unwrap_or(100);
        html.text(&format!("{} {}", bar(percent, 100), full.percent_words)).end_line();
    }
}

fn put_tasks(html: &mut Html, mission: &MissionView) {
    let steps = mission.conductor.as_ref().and_then(|conductor| conductor.plan.as_ref());
    if let Some(plan) = steps {
        html.gap().bold("Plan").text(&format!(": {}", inline(&plan.progress, 80))).end_line();
        let current = plan.steps.iter().filter(|step| step.current);
        for step in current.take(1) {
            let description = inline(&step.description, ROW_SIGNS_MAX);
            html.text(&format!("▫️ {}. {description}", step.number)).end_line();
        }
    }
    if mission.tasks.is_empty() {
        return;
    }
    html.gap().bold("Tasks").text(&format!(": {}", tasks_done(&mission.tasks))).end_line();
    // What is done is counted above: what is left tells more.
    let left = || mission.tasks.iter().filter(|task| task.task.status != TaskStatus::Done);
    for task in left().take(TASKS_MAX) {
        let icon = if task.task.status == TaskStatus::InProgress { "🔸" } else { "▫️" };
        html.text(&format!("{icon} ")).text(&inline(&task.title, ROW_SIGNS_MAX)).end_line();
    }
    put_more(html, left().count(), TASKS_MAX);
}

fn put_waiting(html: &mut Html, mission: &MissionView) {
    let petitions = mission.petitions.len();
    if mission.over || (mission.question.is_none() && mission.permissions.is_empty() && petitions == 0) {
        return;
    }
    html.gap().text("❗ ").bold("Waits for you").end_line();
    if let Some(question) = &mission.question {
        html.quote(&inline(question, SENTENCE_SIGNS_MAX)).end_line();
    }
    for permission in mission.permissions.iter().take(WAITING_MAX) {
        let (by, what) = (inline(&permission.view.by, 40), inline(&permission.view.what, ROW_SIGNS_MAX));
        html.text(&format!("{}: {by} wants to run ", permission.permission)).code(&what).end_line();
    }
    put_more(html, mission.permissions.len(), WAITING_MAX);
    if petitions > 0 {
        html.text(&view::amount::counted(petitions, "petition")).text(" in the queue").end_line();
    }
}

fn put_more(html: &mut Html, all: usize, shown: usize) {
    if all > shown {
        html.italic(&format!("and {} more", all - shown)).end_line();
    }
}
