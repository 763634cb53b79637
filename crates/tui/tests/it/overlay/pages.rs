//! Help, quest log and sessions.

use crossterm::event::KeyCode;
use insta::assert_snapshot;
use mind::{Event, SessionId};
use tui::overlay::{Overlay, PageResponse, help, quest, sessions};
use tui::theme::Theme;

use super::Scene;

const TASKS: &[&str] =
    &["at work", "orchestrator tasks [x] Dig | [x] Lay the stones | [~] Raise the arch | [ ] Walk over it"];

fn sessions(lines: &[&str]) -> Scene {
    Scene::new(Overlay::Sessions(sessions::SessionsPage::default()), lines)
}

#[test]
fn help_names_every_key_and_scrolls_to_its_end() {
    let mut scene = Scene::new(Overlay::Help(help::HelpPage::default()), &[]);
    assert_snapshot!(scene.frame(40, 12), @"
    ┌─ Help ───────────────────────────────┐
    │ INSERT: you type                     █
    │  Enter  send                         │
    │  Alt+Enter  a new line               │
    │  Up Down  what you said before       │
    │  Tab  complete a name after @        │
    │  Esc  to NORMAL                      │
    │                                      │
    │ NORMAL: you look                     │
    │  i Enter  to INSERT                  │
    │  j k  scroll by a line               │
    └─ j/k scroll  q close ────────────────┘
    ");
    assert_snapshot!(scene.frame(80, 24), @"
    ┌─ Help ───────────────────────────────────────────────────────────────────────┐
    │ INSERT: you type                                                             █
    │  Enter                   send                                                █
    │  Alt+Enter               a new line                                          █
    │  Up Down                 what you said before                                █
    │  Tab                     complete a name after @                             █
    │  Esc                     to NORMAL                                           █
    │                                                                              █
    │ NORMAL: you look                                                             │
    │  i Enter                 to INSERT                                           │
    │  j k                     scroll by a line                                    │
    │  Ctrl+d Ctrl+u           scroll by half a screen                             │
    │  g G                     to the top, to the bottom                           │
    │  / n N                   search upwards; older, newer                        │
    │  z Z                     fold or unfold the lowest long piece; all           │
    │  <                       look at the past                                    │
    │  d                       docket: answer what waits for you                   │
    │  s                       sessions: gauges, cost, how to open each            │
    │  t                       quest log: tasks, or plan and decisions             │
    │  o                       logbook: every raw message of every session         │
    │  v                       scene: who is on the stage                          │
    │  m                       sound on, sound off                                 │
    │  ?                       this page                                           │
    └─ j/k scroll  q close  g/G top, bottom ───────────────────────────────────────┘
    ");
    let end = {
        scene.keys("G");
        scene.frame(80, 24)
    };
    assert!(end.contains("/quit"), "{end}");
    let mut seen = String::new();
    scene.keys("g");
    for _ in 0..80 {
        seen.push_str(&scene.frame(80, 24));
        scene.keys("j");
    }
    for (_, keys) in help::KEYS {
        for (key, what) in *keys {
            assert!(seen.contains(key) && seen.contains(what), "{key}: {what}");
        }
    }
    assert_eq!(scene.press(KeyCode::Char('?')), PageResponse::Close);
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Close);
}

#[test]
fn the_quest_log_shows_how_far_each_task_is() {
    let mut scene = Scene::new(Overlay::Quest(quest::QuestPage::default()), TASKS);
    assert_snapshot!(scene.frame(40, 12), @r"
    ┌─ Quest log ──────────── 2 of 4 done ─┐
    │  █████████████████░░░░░░░░░░░░░░░░░  │
    │                                      │
    │  Orchestrator I  2 of 4 done         │
    │    [✓] Dig                           │
    │    [✓] Lay the stones                │
    │    [▸] Raise the arch                │
    │    [ ] Walk over it                  │
    │                                      │
    │                                      │
    │                                      │
    └─ j/k scroll  q close ────────────────┘
    ");
    scene.theme = Theme::ASCII;
    assert_snapshot!(scene.frame(80, 24), @"
    +- Quest log ---------------------------------------------------- 2 of 4 done -+
    |  ##############################..............................                |
    |                                                                              |
    |  Orchestrator I  2 of 4 done                                                 |
    |    [x] Dig                                                                   |
    |    [x] Lay the stones                                                        |
    |    [~] Raise the arch                                                        |
    |    [ ] Walk over it                                                          |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    |                                                                              |
    +- j/k scroll  q close  g/G top, bottom ---------------------------------------+
    ");
    assert_eq!(scene.press(KeyCode::Char('t')), PageResponse::Close);
}

#[test]
fn before_there_is_a_quest_the_log_says_so() {
    let mut scene = Scene::new(Overlay::Quest(quest::QuestPage::default()), &["opened"]);
    assert_snapshot!(scene.frame(40, 5), @r"
    ┌─ Quest log ──────────────────────────┐
    │                                      │
    │  No quest is written yet.            │
    │                                      │
    └─ j/k scroll  q close ────────────────┘
    ");
}

#[test]
fn the_newest_orchestrators_tasks_come_first() {
    let mut scene = Scene::new(Overlay::Quest(quest::QuestPage::default()), TASKS);
    for line in ["handed off", "arbiter summon_orchestrator: Another.", "orchestrator introduction: I am II."]
    {
        scene.stage.set_up(line);
    }
    scene.stage.set_up("arbiter address_orchestrator: Go on.");
    scene.stage.set_up("orchestrator tasks [ ] Paint it");
    let frame = scene.frame(80, 24);
    let (first, second) = (frame.find("Orchestrator II "), frame.find("Orchestrator I "));
    assert!(first.is_some() && first < second, "{frame}");
}

#[test]
fn sessions_show_how_full_and_what_they_do() {
    let mut scene =
        sessions(&["at work", "orchestrator gauge 142000/200000", "orchestrator tool Edit src/a.rs"]);
    scene.stage.set_up("orchestrator housed bubblewrap");
    assert_snapshot!(scene.frame(40, 12), @r"
    ┌─ Sessions ───────────── 2 live of 2 ─┐
    │ Orchestrator I  at work on Edit  71% │
    │ Arbiter         at rest              │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │ in all 4 turns, 1 tool call, $0.00   │
    └─ j/k choose  q close  Enter details ─┘
    ");
    assert_snapshot!(scene.frame(80, 24), @"
    ┌─ Sessions ───────────────────────────────────────────────────── 2 live of 2 ─┐
    │ Orchestrator I  rehearsal          at work on Edit           ████████░░  71% │
    │ Arbiter         rehearsal          at rest                                   │
    │ in all 4 turns, 1 tool call, $0.00                                           │
    │──────────────────────────────────────────────────────────────────────────────│
    │ who        Orchestrator I, a worker, s2                                      │
    │ state      at work on Edit                                                   │
    │ tool       Edit src/a.rs                                                     │
    │ made of    rehearsal                                                         │
    │ context    ████████░░ 71% full                                               │
    │ tokens     142.0k of 200.0k (usage)                                          │
    │ work       1 turn, 1 tool call                                               │
    │ cost       $0.00                                                             │
    │ last sign  0s ago, process 1                                                 │
    │ sandbox    bubblewrap                                                        │
    │ id         cd30a928-e976-8c1f-b973-e9a37b06c8d0                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    └─ j/k choose  q close  Enter details  o logbook  J/K scroll ──────────────────┘
    ");
    scene.frame(40, 12);
    scene.press(KeyCode::Enter);
    assert_snapshot!(scene.frame(40, 12), @"
    ┌─ Sessions ───────────── 2 live of 2 ─┐
    │ who        Orchestrator I, a worker, █
    │            s2                        █
    │ state      at work on Edit           █
    │ tool       Edit src/a.rs             █
    │ made of    rehearsal                 █
    │ context    ████████░░ 71% full       █
    │ tokens     142.0k of 200.0k (usage)  █
    │ work       1 turn, 1 tool call       │
    │ cost       $0.00                     │
    │ last sign  0s ago, process 1         │
    └─ j/k choose  q close  Enter details ─┘
    ");
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Stay);
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Close);
}

#[test]
fn a_session_says_what_holds_it_up() {
    let mut scene = sessions(&["at work", "orchestrator asks rm -rf build"]);
    assert!(scene.frame(80, 24).contains("waits for you"));
    let mut scene = sessions(&["at work", "orchestrator fails: overloaded"]);
    let frame = scene.frame(80, 24);
    assert!(frame.contains("retrying in") && frame.contains("overloaded"), "{frame}");
    let mut scene = sessions(&["at work", "human release"]);
    assert!(scene.frame(80, 24).contains("released"));
}

#[test]
fn the_logbook_of_the_chosen_session_is_wished_for() {
    let mut scene = sessions(&["at work"]);
    let logbook = |session| vec![PageResponse::Logbook(Some(SessionId(session)))];
    assert_eq!(scene.keys("o"), logbook(2));
    assert_eq!(scene.keys("jo"), logbook(1));
    assert_eq!(scene.keys("ko"), logbook(2));
    assert_eq!(scene.keys("s"), vec![PageResponse::Close]);
}

#[test]
fn only_claude_can_be_taken_up_by_hand() {
    let mut scene = sessions(&["opened"]);
    assert!(!scene.frame(80, 24).contains("--resume"));
    let mut scene = sessions(&[]);
    let mut charter = mind::play::charter::charter("open");
    charter.seats.arbiter.provider = "claude".to_owned();
    let can = charter.providers["rehearsal"];
    charter.providers.insert("claude".to_owned(), can);
    scene.stage.happen(Event::Opened(Box::new(charter)));
    scene.stage.set_up("settled");
    let key = scene.stage.state.arbiter().unwrap().profile.key.clone();
    let frame = scene.frame(80, 24);
    assert!(frame.contains(&format!("claude --resume {key}")), "{frame}");
    assert!(frame.contains("/clone"), "{frame}");
}
