//! What waits for the human, and answers to it.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use insta::assert_snapshot;
use mind::PermissionId;
use mind::event::HumanAction;
use mind::policy::GrantScope;
use tui::overlay::{Overlay, PageResponse, decisions};
use tui::ui_command::UiCommand;
use tui::view_model::Attachment;

use super::{Scene, find};

fn docket(lines: &[&str]) -> Scene {
    Scene::new(Overlay::Docket(decisions::DecisionsPage::default()), lines)
}

fn asking() -> Scene {
    docket(&["at work", "orchestrator asks rm -rf build", "orchestrator asks curl a [curl]"])
}

fn answer(ask: u32, command: &str, allowed: bool, scope: GrantScope, why: &str) -> PageResponse {
    let digest = Arc::from(format!("sha256:{command}"));
    PageResponse::Wish(UiCommand::Do(HumanAction::Answer {
        permission: PermissionId(ask),
        digest,
        allowed,
        scope,
        why: Arc::from(why),
    }))
}

fn yes(ask: u32, command: &str, scope: GrantScope) -> PageResponse {
    answer(ask, command, true, scope, "")
}

#[test]
fn the_docket_shows_exactly_what_would_run() {
    let mut scene = asking();
    assert_snapshot!(scene.frame(40, 12), @"
    ┌─ Docket ───────────────── 2 waiting ─┐
    │ q1 Orchestrator I  rm -rf build   0s │
    │ q2 Orchestrator I  curl a         0s │
    │──────────────────────────────────────│
    │ q1 Orchestrator I asks: may Bash run?│
    │    rm -rf build                      │
    │  in      /clone                      │
    │  because the command is not known    │
    │  risk    unknown: in the clone only  │
    │  lasting no lasting yes can cover it │
    │ [y] yes, once [n] no                 │
    └─ j/k choose  q close  i speak ───────┘
    ");
    assert_snapshot!(scene.frame(80, 24), @"
    ┌─ Docket ───────────────────────────────────────────────────────── 2 waiting ─┐
    │ q1 Orchestrator I  rm -rf build                                           0s │
    │ q2 Orchestrator I  curl a                                                 0s │
    │──────────────────────────────────────────────────────────────────────────────│
    │ q1 Orchestrator I asks: may Bash run? (0s ago)                               │
    │    rm -rf build                                                              │
    │  in      /clone                                                              │
    │  because the command is not known                                            │
    │  risk    unknown: in the clone only                                          │
    │  lasting no lasting yes can cover it                                         │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │ [y] yes, once [n] no                                                         │
    └─ j/k choose  q close  i speak  J/K scroll ───────────────────────────────────┘
    ");
    scene.keys("j");
    assert_snapshot!(scene.frame(120, 14), @"
    ┌─ Docket ───────────────────────────────────────────────────────────────────────────────────────────────── 2 waiting ─┐
    │ q1 Orchestrator I  rm -rf build    1s │ q2 Orchestrator I asks: may Bash run? (1s ago)                               │
    │ q2 Orchestrator I  curl a          1s │    curl a                                                                    │
    │                                       │  in      /clone                                                              │
    │                                       │  because the command is not known                                            │
    │                                       │  risk    unknown: in the clone only                                          │
    │                                       │  lasting covers curl                                                         │
    │                                       │                                                                              │
    │                                       │                                                                              │
    │                                       │                                                                              │
    │                                       │                                                                              │
    │                                       │──────────────────────────────────────────────────────────────────────────────│
    │                                       │ [y] yes, once [h] for an hour [m] for the mission [n] no                     │
    └─ j/k choose  q close  i speak  J/K scroll ───────────────────────────────────────────────────────────────────────────┘
    ");
}

#[test]
fn nothing_waits() {
    let mut scene = docket(&["at work"]);
    assert_snapshot!(scene.frame(40, 4), @"
    ┌─ Docket ─────────────────────────────┐
    │  Nothing waits for you.              │
    │                                      │
    └─ j/k choose  q close  i speak ───────┘
    ");
    assert_eq!(scene.keys("yd"), vec![PageResponse::Close]);
}

#[test]
fn a_yes_reaches_as_far_as_its_key_says() {
    assert_eq!(asking().keys("y"), vec![yes(1, "rm -rf build", GrantScope::Once)]);
    assert_eq!(asking().keys("jh"), vec![yes(2, "curl a", GrantScope::Hour)]);
    assert_eq!(asking().keys("jm"), vec![yes(2, "curl a", GrantScope::Mission)]);
    let mut scene = asking();
    assert_eq!(scene.keys("mh"), vec![], "it has no shape that a lasting yes could cover");
    let frame = scene.frame(80, 24);
    assert!(frame.contains("no lasting yes can cover it"), "{frame}");
    assert_eq!(
        asking().keys("yy"),
        vec![yes(1, "rm -rf build", GrantScope::Once), yes(2, "curl a", GrantScope::Once)]
    );
}

#[test]
fn a_held_key_answers_one_question() {
    let mut scene = asking();
    let mut replies = Vec::new();
    for _ in 0..20 {
        scene.draw();
        replies.push(scene.press(KeyCode::Char('y')));
        scene.waited_ms += 33;
    }
    replies.retain(|reply| *reply != PageResponse::Stay);
    assert_eq!(replies, vec![yes(1, "rm -rf build", GrantScope::Once)]);
    let repeat = KeyEvent::new_with_kind(KeyCode::Char('y'), KeyModifiers::NONE, KeyEventKind::Repeat);
    scene.waited_ms += 10_000;
    scene.draw();
    assert_eq!(scene.with(|page, model| page.key(repeat, model)), PageResponse::Stay);
}

#[test]
fn one_question_is_answered_once() {
    let mut scene = docket(&["at work", "orchestrator asks rm -rf build"]);
    assert_eq!(scene.keys("yyhn").len(), 1);
    assert!(scene.frame(80, 24).contains("sent"));
    scene.stage.set_up("human yes q1");
    assert!(scene.frame(80, 24).contains("Nothing waits for you."));
}

#[test]
fn no_question_slips_under_the_cursor() {
    let mut scene = asking();
    scene.draw();
    scene.stage.set_up("orchestrator unasks rm -rf build");
    assert_eq!(scene.press(KeyCode::Char('y')), PageResponse::Stay, "what was read is gone");
    assert_eq!(scene.keys("y"), vec![], "nothing is chosen");
    assert!(scene.frame(80, 24).contains("Choose first"));
    assert_eq!(scene.keys("jy"), vec![yes(2, "curl a", GrantScope::Once)]);
}

#[test]
fn a_question_that_was_not_drawn_is_not_answered() {
    let mut scene = asking();
    assert_eq!(scene.press(KeyCode::Char('y')), PageResponse::Stay);
    for size in [(3, 3), (17, 12), (40, 3)] {
        scene.size = size;
        assert_eq!(scene.keys("y"), vec![], "{size:?}");
    }
}

#[test]
fn a_no_may_have_a_reason() {
    let mut scene = asking();
    scene.keys("nyes, keep it");
    assert!(scene.frame(80, 24).contains("no to q1, because: yes, keep it"));
    assert_eq!(
        scene.press(KeyCode::Enter),
        answer(1, "rm -rf build", false, GrantScope::Once, "yes, keep it")
    );
    scene.keys("n");
    scene.with(|page, _| page.paste("use\nthe mirror"));
    assert_eq!(scene.press(KeyCode::Enter), answer(2, "curl a", false, GrantScope::Once, "use the mirror"));
    let mut scene = asking();
    scene.keys("n");
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Stay);
    assert_eq!(scene.keys("ny"), vec![]);
    scene.stage.set_up("orchestrator unasks rm -rf build");
    assert_eq!(scene.press(KeyCode::Enter), PageResponse::Stay, "nobody waits for it any more");
    assert!(scene.frame(80, 24).contains("It needs no answer any more."));
}

#[test]
fn the_arbiters_request_is_answered_with_a_yes_or_in_words() {
    let lines = ["opened", "arbiter address_human asks alignment: Scope. Shall it begin?"];
    let mut scene = docket(&lines);
    assert_snapshot!(scene.frame(80, 24), @"
    ┌─ Docket ───────────────────────────────────────────────────────── 1 waiting ─┐
    │ Arbiter wants your yes  Scope. Shall it begin?                            0s │
    │──────────────────────────────────────────────────────────────────────────────│
    │ Arbiter asks: shall it begin? (0s ago)                                       │
    │  Scope. Shall it begin?                                                      │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │ [y] yes, begin [n] no, in words                                              │
    └─ j/k choose  q close  i speak  J/K scroll ───────────────────────────────────┘
    ");
    assert_eq!(docket(&lines).keys("n"), vec![PageResponse::Speak]);
    assert_eq!(scene.keys("yy"), vec![PageResponse::Wish(UiCommand::Do(HumanAction::Say(Arc::from("yes"))))]);
}

#[test]
fn a_plain_question_is_answered_in_words() {
    let mut scene = docket(&["opened", "arbiter address_human: Which river?"]);
    assert_eq!(scene.keys("yhm"), vec![]);
    assert_snapshot!(scene.frame(40, 12), @"
    ┌─ Docket ─────────────────────────────┐
    │ Arbiter awaits wo…  Which river?  3s │
    │──────────────────────────────────────│
    │ Arbiter asks (3s ago)                │
    │  Which river?                        │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │ [i] answer in words                  │
    └─ j/k choose  q close  i speak ───────┘
    ");
}

#[test]
fn neither_the_past_nor_a_replay_is_answered() {
    let mut scene = asking();
    scene.is_past = true;
    assert_eq!(scene.keys("yhmn"), vec![]);
    assert!(scene.frame(80, 24).contains("This is the past"));
    let mut scene = asking();
    scene.seat = Attachment::Replay;
    assert_eq!(scene.keys("yjhmn"), vec![]);
    assert!(scene.frame(80, 24).contains("A replay answers nothing."));
}

#[test]
fn a_click_chooses_and_answers() {
    for (columns, rows) in [(80, 24), (160, 50), (40, 12)] {
        let mut scene = asking();
        let frame = scene.frame(columns, rows);
        let (x, y) = find(&frame, "curl a");
        assert_eq!(scene.click(x, y), PageResponse::Stay);
        let frame = scene.frame(columns, rows);
        let (x, y) = find(&frame, "[m]");
        assert_eq!(scene.click(x, y), yes(2, "curl a", GrantScope::Mission), "{frame}");
    }
}

#[test]
fn more_than_fits_is_said_and_can_be_read() {
    let mut scene = docket(&["at work"]);
    let command: Vec<String> = (0..40).map(|line| format!("echo line{line}")).collect();
    scene.stage.set_up(&format!("orchestrator asks {}", command.join("\n")));
    assert!(scene.frame(80, 24).contains("more lines: PgDn"));
    for _ in 0..10 {
        scene.press(KeyCode::PageDown);
        scene.draw();
    }
    let frame = scene.frame(80, 24);
    assert!(frame.contains("echo line39") && frame.contains("because"), "{frame}");
}
