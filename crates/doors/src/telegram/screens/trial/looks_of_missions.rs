//! How missions look, and what is told of the bot.

use insta::assert_snapshot;
use mind::play::Stage;
use mind::{MissionId, Timestamp};
use view::mission::{MissionMoment, MissionRowView, MissionView};
use view::queue::QueueCounts;

use super::strict::takes;
use super::{after, buttons, looks, shown};
use crate::telegram::screens::{StatusMoment, help, mission, mission_cancel, missions, status};
use crate::telegram::settings::{DoorHealth, PersonRole};

const AT_WORK: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter housed bubblewrap
    arbiter gauge 9000/200000
    arbiter raw {"intent":"address_human","message":"Shall I begin?","asks":"alignment"}
    human: yes
    arbiter heard
    arbiter summon_orchestrator: So it shall be.
    orchestrator heard
    orchestrator housed bubblewrap
    orchestrator gauge 150000/~200000
    orchestrator introduction: Shared <session> store or stateless?
    arbiter address_orchestrator: Stateless.
    orchestrator tasks [x] Read the scroll | [~] Google sign-in | [ ] Tests
    orchestrator heard
    orchestrator asks curl https://api.github.com/meta [curl]
"##;

fn at_work(process: Option<u32>) -> MissionView {
    let mut stage = Stage::new();
    AT_WORK.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| stage.set_up(line));
    let (id, now) = (MissionId("2026-11-18-k3f9".into()), Timestamp(stage.state.now.0 + 5_000));
    MissionView::of(MissionMoment { id: &id, state: &stage.state, process, discarded: false, now })
}

#[test]
fn a_mission_shows_who_works_and_what_waits() {
    let to = |role, view: &MissionView| looks(role, |viewer| mission(viewer, view));
    takes(&to(PersonRole::Steer, &at_work(Some(77))));
    assert_snapshot!(shown(&to(PersonRole::Steer, &at_work(Some(77)))), @r"
    🎯 <b>Sign in</b>
    🟢 waits for you
    <i>Orchestrator I waits for your answer to q1.</i>
    ⏱️ 5s

    <b>Arbiter</b>: at rest
    ░░░░░░░░░░ 4%
    <b>Orchestrator I</b>: waits for you
    ▓▓▓▓▓▓▓░░░ ~75%

    <b>Arbiter</b>
    <blockquote>Stateless.</blockquote>

    <b>Tasks</b>: 1 of 3 done
    🔸 Google sign-in
    ▫️ Tests

    ❗ <b>Waits for you</b>
    q1: Orchestrator I wants to run <code>curl https://api.github.com/meta</code>
    [⏸️ Pause] [⏹️ Cancel]
    [🔄 Refresh] [↩️ Back]
    ");
    assert_snapshot!(buttons(&to(PersonRole::Answer, &at_work(None))), @"[🔄 Refresh] [↩️ Back]");
    let paused = MissionView { paused: true, ..at_work(Some(77)) };
    assert_snapshot!(buttons(&to(PersonRole::Steer, &paused)), @r"
    [▶️ Resume] [⏹️ Cancel]
    [🔄 Refresh] [↩️ Back]
    ");
    assert_snapshot!(shown(&looks(PersonRole::Steer, |viewer| mission_cancel(viewer, &paused))), @r"
    ⏹️ <b>Cancel this mission?</b>

    Sign in
    <i>waits for you</i>

    It ends now and is not continued. The work so far is kept.
    [⏹️ Cancel it]
    [↩️ Back]
    ");
    assert_snapshot!(buttons(&looks(PersonRole::Watch, |viewer| mission_cancel(viewer, &paused))), @"[↩️ Back]");
}

/// Everything that can be long is, all at once.
#[test]
fn the_longest_mission_fits() {
    let long = "<W>".repeat(2_000);
    let mut view = at_work(Some(77));
    (view.title, view.standing, view.now.text) = (long.clone(), long.clone(), long.clone());
    view.question = Some(long.as_str().into());
    let words = view.last_words.as_mut().expect("words");
    (words.from, words.text) = (long.clone(), long.as_str().into());
    for session in &mut view.sessions {
        (session.who, session.doing.text) = (long.clone(), long.clone());
    }
    view.permissions[0].view.by = long.clone();
    view.permissions[0].view.what = long.clone();
    view.tasks.iter_mut().for_each(|task| task.title = long.clone());
    view.sessions = view.sessions.iter().cycle().take(20).cloned().collect();
    view.permissions = view.permissions.iter().cycle().take(20).cloned().collect();
    view.tasks = view.tasks.iter().cycle().take(100).cloned().collect();
    takes(&looks(PersonRole::Steer, |viewer| mission(viewer, &view)));
    takes(&looks(PersonRole::Steer, |viewer| mission_cancel(viewer, &view)));
}

#[test]
fn missions_are_listed_in_pages() {
    let row = |number: u64| MissionRowView {
        id: MissionId(format!("2026-11-18-{number}").into()),
        status: "next: Arbiter".to_owned(),
        title: format!("Sign in <{number}>"),
        at: after(number.min(10)).0,
        running: number < 2,
        project: None,
        standing: "next: Arbiter".to_owned(),
        parked_until: None,
    };
    let rows: Vec<MissionRowView> = (0..12).map(row).collect();
    let page =
        |rows: &[MissionRowView], page| looks(PersonRole::Answer, |viewer| missions(viewer, rows, page));
    takes(&page(&rows, 0));
    assert_snapshot!(shown(&page(&rows[..2], 0)), @r"
    🎯 <b>Missions</b>

    1. 🟢 <b>Sign in &lt;0&gt;</b> — next: Arbiter · <i>10m ago</i>
    2. 🟢 <b>Sign in &lt;1&gt;</b> — next: Arbiter · <i>9m ago</i>
    [1] [2]
    [🔄 Refresh]
    ");
    assert_snapshot!(buttons(&page(&rows, 9)), @r"
    [11] [12]
    [◀️] [page 2/2]
    [🔄 Refresh]
    ");
    assert_snapshot!(shown(&page(&[], 0)), @r"
    🎯 <b>Missions</b>

    There is no mission yet.
    [🔄 Refresh]
    ");
}

#[test]
fn the_bot_tells_how_it_is() {
    let health = |trouble: Option<&str>| DoorHealth {
        polled_at: Some(after(9)),
        trouble: trouble.map(str::to_owned),
        bot: Some("arbiter_bot".to_owned()),
    };
    let counts = QueueCounts { urgent: 1, normal: 2, ..QueueCounts::default() };
    let to = |health: &DoorHealth| {
        let moment = StatusMoment { health, counts, unreadable: 1, running: 1 };
        looks(PersonRole::Answer, |viewer| status(viewer, &moment))
    };
    assert_snapshot!(shown(&to(&health(None))), @r"
    📊 <b>Status</b>

    ✅ Telegram is reached
    Last good poll: 1m ago

    📋 3 petitions wait: 1 urgent, 2 normal
    ⚠️ 1 file cannot be read
    🎯 1 mission runs
    [📋 Queue] [🎯 Missions]
    ");
    takes(&to(&health(Some("another program polls with this token"))));
    assert_snapshot!(shown(&looks(PersonRole::Steer, help)), @r"
    ⚖️ <b>Arbiter</b>

    Agents ask, you decide with a tap. Nothing is final until you submit.

    /queue — what waits for a decision
    /missions — missions, those that run first
    /status — how this bot and the queue are
    /cancel — leaves a custom answer, or the mission you write to
    /help — this text

    You can answer. Open a mission, and what you write is said to it.
    [📋 Queue] [🎯 Missions]
    ");
}
