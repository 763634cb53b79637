//! How the screen behaves: nothing that was typed is lost, nothing is done without a second word that cannot be undone,
//! nothing is answered that waits no more.

use crossterm::event::Event;
use mind::event::HumanAction;
use tui::overlay::Overlay;
use tui::screen::{Confirmation, KeyMode};
use tui::theme::Theme;
use tui::ui_command::UiCommand;
use tui::view_model::Attachment;

use crate::booth::Booth;
use crate::{canvas, plays};

fn frame(booth: &mut Booth) -> String {
    canvas::plain(&booth.frame(&Theme::PLAIN).0)
}

fn say(words: &str) -> Vec<UiCommand> {
    vec![UiCommand::Do(HumanAction::Say(words.into()))]
}

#[test]
fn a_path_is_something_to_say() {
    let mut booth = Booth::play(plays::ALIGNMENT);
    booth.types("/usr/bin/env is wrong");
    assert_eq!(booth.press("Enter"), say("/usr/bin/env is wrong"));
    booth.input(Event::Paste("/var/log\nsays no".to_owned()));
    assert_eq!(booth.press("Enter"), say("/var/log\nsays no"));
}

#[test]
fn what_is_not_understood_stays_where_it_was_typed() {
    let mut booth = Booth::play(plays::ALIGNMENT);
    booth.types("/puase");
    booth.press("Enter");
    assert_eq!(booth.screen.draft.text(), "/puase");
    assert!(frame(&mut booth).contains("did you mean /pause?"), "{}", frame(&mut booth));
}

#[test]
fn a_mission_is_not_ended_without_a_second_word() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("/cancel");
    assert_eq!(booth.press("Enter"), []);
    assert_eq!(booth.screen.asked, Some(Confirmation::Cancel));
    assert_eq!(booth.press("n"), []);
    booth.types("/cancel");
    booth.press("Enter");
    assert_eq!(booth.press("y"), [UiCommand::Do(HumanAction::Cancel)]);
}

#[test]
fn whoever_leaves_is_told_what_was_not_sent() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("half a thought");
    booth.press("Ctrl+c");
    assert!(frame(&mut booth).contains("was not sent"), "{}", frame(&mut booth));
    booth.press("n");
    assert_eq!(booth.screen.draft.text(), "half a thought");
    assert_eq!(booth.press("Ctrl+c Ctrl+c"), [UiCommand::Leave]);
}

#[test]
fn a_no_in_words_lets_one_type_them() {
    let mut booth = Booth::play(plays::ALIGNMENT);
    booth.press("Esc d");
    frame(&mut booth);
    booth.press("n");
    assert_eq!((booth.screen.overlay.is_none(), &booth.screen.mode), (true, &KeyMode::Insert));
    booth.types("No, wait");
    assert_eq!(booth.press("Enter"), say("No, wait"));
}

#[test]
fn a_page_says_too_that_something_waits() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.press("Esc o");
    assert!(!frame(&mut booth).contains("decision waits"));
    booth.happens(plays::QUESTION);
    assert!(frame(&mut booth).contains("1 decision waits"), "{}", frame(&mut booth));
}

#[test]
fn the_past_says_what_waits_now() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens(plays::QUESTION);
    booth.press("Esc { { {");
    assert!(frame(&mut booth).contains("1 decision waits now"), "{}", frame(&mut booth));
    booth.press("d");
    assert!(frame(&mut booth).contains("Nothing waited then; 1 now"), "{}", frame(&mut booth));
}

#[test]
fn what_is_over_can_be_answered_no_more() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens(plays::QUESTION);
    booth.happens("human cancel");
    let shown = frame(&mut booth);
    assert!(
        !shown.contains("decision waits") && shown.contains("Cancelled by ada, in the terminal."),
        "{shown}"
    );
    booth.press("Esc d");
    frame(&mut booth);
    assert_eq!(booth.press("y"), []);
}

#[test]
fn the_session_that_has_the_turn_is_named() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens("orchestrator tool ok\norchestrator question: Shall GitHub come first?");
    let shown = frame(&mut booth);
    assert!(shown.contains("◈ Arbiter at work"), "{shown}");
}

#[test]
fn a_mission_that_nobody_runs_does_not_seem_alive() {
    let mut booth = Booth::play(plays::AT_WORK).seated(Attachment::Beside);
    let alive = frame(&mut booth);
    assert!(alive.contains("ATTACHED") && !alive.contains("not running"), "{alive}");
    booth.runs = false;
    assert!(frame(&mut booth).contains("not running"));
}

#[test]
fn a_search_is_seen_in_the_past_too() {
    let mut booth = Booth::play(plays::AT_WORK).seated(Attachment::Replay);
    booth.press("End /");
    booth.types("google");
    let shown = frame(&mut booth);
    assert!(shown.contains("/google") && shown.contains("SEARCH"), "{shown}");
    booth.press("Enter");
    assert_eq!(booth.screen.mode, KeyMode::Normal);
}

#[test]
fn a_long_command_is_read_before_it_is_allowed() {
    let mut booth = Booth::play(plays::AT_WORK);
    let long = "echo one; ".repeat(300);
    booth.happens(&format!("orchestrator asks {long}"));
    booth.press("Esc d");
    booth.sized(80, 24);
    frame(&mut booth);
    assert_eq!(booth.press("y"), [], "its end was not seen");
    assert!(frame(&mut booth).contains("Read it to its end first"), "{}", frame(&mut booth));
    for _ in 0..20 {
        booth.press("PageDown");
        frame(&mut booth);
    }
    assert!(matches!(
        booth.press("y").as_slice(),
        [UiCommand::Do(HumanAction::Answer { allowed: true, .. })]
    ));
}

#[test]
fn an_answer_that_was_not_taken_can_be_given_again() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens(plays::QUESTION);
    booth.press("Esc d");
    frame(&mut booth);
    assert_eq!(booth.press("y").len(), 1);
    assert_eq!(booth.press("y").len(), 0, "it is on its way");
    booth.screen.overlay.as_mut().expect("a page").refused();
    frame(&mut booth);
    assert_eq!(booth.press("y").len(), 1);
    assert!(matches!(booth.screen.overlay, Some(Overlay::Docket(_))));
}

#[test]
fn each_use_of_a_lasting_yes_is_seen() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens("orchestrator tool ok\norchestrator asks curl a [curl]\nhuman yes q1 mission\norchestrator asks curl b [curl]");
    let shown = frame(&mut booth);
    assert!(shown.contains("curl b (covered by your yes to q1)"), "{shown}");
}

#[test]
fn a_typed_yes_to_what_is_folded_away_is_none() {
    let mut booth = Booth::play(plays::AT_WORK);
    let long = "echo one; ".repeat(400);
    booth.happens(&format!("orchestrator asks {long}"));
    booth.types("/yes q1");
    assert_eq!(booth.press("Enter"), []);
    assert!(frame(&mut booth).contains("read the whole command first"), "{}", frame(&mut booth));
    assert_eq!(booth.screen.draft.text(), "/yes q1");
    booth.press("Esc z i");
    assert!(matches!(
        booth.press("Enter").as_slice(),
        [UiCommand::Do(HumanAction::Answer { allowed: true, .. })]
    ));
}

#[test]
fn the_end_does_not_turn_words_into_commands() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("a quick");
    booth.happens("human cancel");
    booth.types(" question");
    assert_eq!(booth.screen.draft.text(), "a quick question");
    assert!(frame(&mut booth).contains("> a quick question"), "{}", frame(&mut booth));
    assert_eq!(booth.press("Enter"), []);
    assert_eq!(booth.screen.draft.text(), "a quick question", "nobody hears it, and it stays");
    assert_eq!(booth.press("Ctrl+c"), [], "what was not sent is worth a question");
    assert_eq!(booth.press("Ctrl+c"), [UiCommand::Leave]);
}

#[test]
fn whoever_sends_an_earlier_message_again_keeps_what_they_were_at() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("precious");
    booth.press("Up");
    assert_eq!(booth.press("Enter"), say("yes"));
    assert_eq!(booth.screen.draft.text(), "precious");
}

#[test]
fn enter_sends_what_was_typed_and_not_what_was_offered() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.files = vec!["src/lib.rs".into()];
    booth.types("look into @src");
    assert_eq!(booth.press("Enter"), say("look into @src"));
    booth.types("look into @src");
    booth.press("Down Enter");
    assert_eq!(booth.screen.draft.text(), "look into @src/lib.rs ");
}

#[test]
fn what_was_chosen_outlives_the_page() {
    let mut booth = Booth::play(plays::DECISIONS);
    booth.reads("Esc d Enter b q");
    assert!(booth.screen.overlay.is_none());
    booth.reads("d Enter <");
    let (buffer, _) = booth.frame(&Theme::PLAIN);
    let frame = canvas::plain(&buffer);
    assert!(frame.contains("\u{2713}  b. session"), "{frame}");
    booth.happens("human: sessions, and log nothing\narbiter address_human: Then so.");
    booth.reads("Esc Esc");
    let (buffer, _) = booth.frame(&Theme::PLAIN);
    assert!(!canvas::plain(&buffer).contains("session:"), "what was answered in words asks no more");
}

#[test]
fn petitions_count_among_what_waits_now() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.petitions = plays::petitions();
    let shown = |booth: &mut Booth| canvas::plain(&booth.frame(&Theme::PLAIN).0);
    assert!(shown(&mut booth).contains("2 decisions wait"));
    booth.press("Esc <");
    let past = shown(&mut booth);
    assert!(past.contains("2 decisions wait now"), "{past}");
    booth.press("d");
    assert!(shown(&mut booth).contains("Nothing waited then; 2 now"));
}

#[test]
fn what_agents_ask_can_be_answered_when_the_mission_is_over() {
    let mut booth = Booth::play("claimed\nsurveyed c2\ncheck pass\nbrought");
    booth.petitions = plays::petitions();
    assert_eq!(booth.reads("d Enter a").len(), 1);
}
