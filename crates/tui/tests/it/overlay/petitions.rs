//! Decisions: of the Arbiter's own question, and of agents' petitions.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use mind::actor::{Actor, Door};
use mind::event::HumanAction;
use mind::mission_petition::MissionPetition;
use mind::petition::{
    AnswerChoice, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, PetitionSubject,
    SeenAnswer, SeenQuestion, subject,
};
use mind::talk::DecisionOption;
use mind::{MessageId, SessionId, Timestamp};
use tui::overlay::{Overlay, PageResponse, decisions};
use tui::ui_command::UiCommand;
use tui::view_model::Attachment;

use super::{Scene, find};
use crate::plays;

pub(super) fn docket(lines: &str) -> Scene {
    let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Scene::new(Overlay::Docket(decisions::DecisionsPage::default()), &lines)
}

/// The Arbiter's question, opened.
pub(super) fn deciding() -> Scene {
    let mut scene = docket(plays::DECISIONS);
    scene.enter();
    scene
}

/// Agents' petitions, the second of which is opened: one of its three decisions is made.
pub(super) fn petitioned() -> Scene {
    let mut scene = docket("at work");
    scene.petitions = plays::petitions();
    scene.keys("j");
    scene.enter();
    scene
}

pub(super) fn option(key: &str, label: &str) -> DecisionOption {
    DecisionOption { key: key.to_owned(), label: label.to_owned() }
}

/// One decision as an agent's petition.
pub(super) fn one(decision: DraftDecision) -> Petition {
    let draft = PetitionDraft {
        agent: Arc::from("swe"),
        title: Arc::from("A thing"),
        decisions: vec![decision],
        ..PetitionDraft::default()
    };
    draft.petition(PetitionId::from("xyz789"), Timestamp(0))
}

pub(super) fn wished(
    petition: &Petition,
    decision: &str,
    choice: AnswerChoice,
    answer: SeenAnswer,
) -> PageResponse {
    let question = petition.decision(decision).map(|decision| petition.digest(decision));
    let (petition, seen) =
        (petition.id.clone(), SeenQuestion { question, answer, ..SeenQuestion::default() });
    PageResponse::Wish(UiCommand::Decide { petition, decision: Arc::from(decision), choice, seen })
}

pub(super) fn said(text: &str) -> AnswerChoice {
    AnswerChoice::Answer(Arc::from(text))
}

fn answer(petition: &mut Petition, decision: &str, choice: AnswerChoice) {
    let digest = Arc::from("");
    let change = PetitionChange::Answered { decision: Arc::from(decision), choice, digest, instead_of: None };
    petition.apply(&change, &Actor::human(Door::Web, "ada"), Timestamp(5));
}

impl Scene {
    pub(super) fn enter(&mut self) -> PageResponse {
        self.draw();
        self.waited_ms += 1000;
        self.press(KeyCode::Enter)
    }

    pub(super) fn shows(&mut self, what: &str) -> bool {
        let (columns, rows) = self.size;
        self.frame(columns, rows).contains(what)
    }
}

#[test]
fn the_decisions_of_a_question_are_sent_together_in_the_dockets_words() {
    let mut scene = deciding();
    assert_eq!(scene.keys("bs"), vec![], "nothing is sent before the review");
    assert!(scene.shows("Review (1 answered, 1 skipped)"));
    let state = &scene.stage.state;
    let message = state.question.and_then(|id| state.message(id)).expect("a question");
    let charter = state.charter.as_ref().expect("a charter");
    let draft = subject::question(&charter.mission.0, &charter.scroll.name, message);
    let choices = [(Arc::from("auth"), said("session")), (Arc::from("logs"), AnswerChoice::Skipped)];
    let words = subject::words(&draft, &choices);
    assert_eq!(
        words,
        "How shall people sign in?: session (Server sessions (more control, needs a store))\n\
         May addresses be logged?: I leave this to you."
    );
    assert_eq!(scene.keys("y"), vec![PageResponse::Wish(UiCommand::Do(HumanAction::Say(Arc::from(words))))]);
    assert!(scene.shows("sent"));
    assert_eq!(scene.keys("y"), vec![], "it is sent once");
    scene.enter();
    assert!(scene.shows("Your answer is on its way."));
}

#[test]
fn what_could_not_be_sent_still_stands_there() {
    let mut scene = deciding();
    scene.keys("asy");
    scene.with(|page, _| page.refused());
    scene.enter();
    assert!(scene.shows("1. How shall people sign in? → jwt"));
    assert_eq!(scene.keys("y").len(), 1);
}

#[test]
fn nothing_is_sent_while_something_is_open() {
    let mut scene = deciding();
    scene.keys("a>");
    assert!(scene.shows("Review (1 answered, 1 open)"));
    assert_eq!(scene.keys("y"), vec![]);
    assert!(scene.shows("Something is still open."));
}

#[test]
fn an_answer_can_be_changed_until_it_is_sent() {
    let mut scene = deciding();
    scene.keys("as");
    scene.enter();
    scene.keys("3");
    assert!(scene.shows("1. How shall people sign in? → oauth"));
}

#[test]
fn a_text_of_ones_own_is_an_answer_where_it_is_wanted() {
    let mut scene = deciding();
    scene.keys("i");
    assert_eq!(scene.enter(), PageResponse::Stay);
    assert!(scene.shows("There are no words yet."));
    scene.keys("passkeys, qjk");
    scene.with(|page, _| page.paste("\nonly"));
    scene.enter();
    assert!(scene.shows("2/2"), "the next one comes");
    scene.keys("i");
    assert!(!scene.shows("your words"), "only the options are answers to it");
    scene.keys("s");
    assert!(scene.shows("→ \"passkeys, qjk only\""));
    scene.keys("1i");
    assert!(scene.shows("your words: passkeys, qjk only"), "what was said can be mended");
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Stay);
    assert!(scene.shows("✓  i. in your own words: \"passkeys, qjk only\""));
}

#[test]
fn a_held_key_makes_one_decision() {
    let mut scene = deciding();
    for _ in 0..20 {
        scene.draw();
        assert_eq!(scene.press(KeyCode::Char('a')), PageResponse::Stay);
        scene.waited_ms += 33;
    }
    assert!(scene.shows("2/2 (1 answered, 1 open)"));
    scene.waited_ms += 10_000;
    scene.draw();
    let repeat = KeyEvent::new_with_kind(KeyCode::Char('a'), KeyModifiers::NONE, KeyEventKind::Repeat);
    scene.with(|page, model| page.key(repeat, model));
    assert!(scene.shows("2/2 (1 answered, 1 open)"));
}

#[test]
fn a_plain_yes_to_a_request_with_decisions_stays_one() {
    let lines = plays::DECISIONS.replace("\"decisions\"", "\"asks\":\"alignment\",\"decisions\"");
    let mut scene = docket(&lines);
    assert!(scene.shows("[Enter] decide one by one [y] yes, begin [n] no, in words"));
    assert_eq!(scene.keys("y"), vec![PageResponse::Wish(UiCommand::Do(HumanAction::Say(Arc::from("yes"))))]);
    let mut scene = docket(&lines);
    scene.enter();
    assert!(scene.shows("1/3 (3 open) The Arbiter asks for your yes"));
    let words = "yes\nHow shall people sign in?: jwt (JWT tokens (stateless, scalable))\n\
                 May addresses be logged?: no (No)";
    assert_eq!(
        scene.keys("aaby"),
        vec![PageResponse::Wish(UiCommand::Do(HumanAction::Say(Arc::from(words))))]
    );
}

#[test]
fn an_answer_to_a_petition_is_bound_to_what_was_drawn() {
    let mut scene = petitioned();
    let petition = scene.petitions[1].clone();
    assert!(scene.shows("2/3"), "it opens where something is open");
    assert_eq!(scene.keys("a"), vec![], "where several can be chosen, one is only marked");
    assert_eq!(scene.keys("bbc"), vec![]);
    assert_eq!(scene.enter(), wished(&petition, "regions", said("eu, ap"), SeenAnswer::None));
    assert!(scene.shows("3/3"), "the next one comes");
    scene.keys("ithe panel");
    assert_eq!(scene.enter(), wished(&petition, "name", said("the panel"), SeenAnswer::None));
    assert!(scene.shows("2. Regions → on its way"));
    assert_eq!(scene.keys("1b"), vec![], "somebody else answered it");
    assert!(scene.shows("Another person answered it"));
    scene.waited_ms += 1000;
    assert_eq!(
        scene.keys("b"),
        vec![wished(&petition, "auth-strategy", said("session"), SeenAnswer::This(said("jwt")),)]
    );
}

#[test]
fn a_petition_is_submitted_when_it_shows_what_was_answered() {
    let mut scene = petitioned();
    scene.keys("s");
    scene.keys("s");
    assert_eq!(scene.keys("y"), vec![], "the answers are on their way");
    assert!(scene.shows("Your answer is on its way."));
    answer(&mut scene.petitions[1], "regions", AnswerChoice::Skipped);
    answer(&mut scene.petitions[1], "name", AnswerChoice::Skipped);
    assert!(scene.shows("Review (1 answered, 2 skipped)"));
    assert_eq!(
        scene.keys("y"),
        vec![PageResponse::Wish(UiCommand::Submit { petition: PetitionId::from("abc123") })]
    );
    assert!(scene.shows("sent"));
    scene.with(|page, _| page.refused());
    scene.keys("j");
    scene.enter();
    assert_eq!(scene.keys("y").len(), 1, "it can be submitted again");
}

#[test]
fn an_answer_that_was_refused_can_be_given_again() {
    let mut scene = petitioned();
    assert_eq!(scene.keys("s").len(), 1);
    assert_eq!(scene.keys("<s"), vec![], "it is on its way");
    scene.with(|page, _| page.refused());
    assert_eq!(scene.keys("s").len(), 1);
}

#[test]
fn what_changed_after_it_was_drawn_is_not_answered() {
    let mut scene = petitioned();
    scene.draw();
    scene.petitions[1].decisions[1].options[0].label = "Everywhere".to_owned();
    assert_eq!(scene.press(KeyCode::Char('s')), PageResponse::Stay);
    assert!(scene.shows("It was changed: read it again."));
    answer(&mut scene.petitions[1], "regions", said("us"));
    assert_eq!(scene.press(KeyCode::Char('s')), PageResponse::Stay);
    assert!(scene.shows("It was answered meanwhile: look again."));
    assert!(scene.shows("[x] b. us: America") && scene.shows("answered by ada, in the browser"));
    scene.keys(">s");
    answer(&mut scene.petitions[1], "name", AnswerChoice::Skipped);
    scene.draw();
    answer(&mut scene.petitions[1], "name", said("another"));
    assert_eq!(scene.press(KeyCode::Char('y')), PageResponse::Stay, "the review showed something else");
    assert!(scene.shows("It was answered meanwhile: look again."));
}

#[test]
fn nothing_slips_under_the_cursor_when_a_petition_vanishes() {
    let mut scene = petitioned();
    scene.draw();
    scene.petitions.remove(1);
    assert_eq!(scene.press(KeyCode::Char('a')), PageResponse::Stay);
    assert!(scene.shows("It is no longer there."));
    scene.enter();
    assert_eq!(scene.keys("a"), vec![], "nothing is chosen");
    let mut scene = petitioned();
    scene.petitions[1].decisions.remove(1);
    assert!(scene.shows("Review"), "a decision that is gone is not looked at");
}

#[test]
fn an_option_that_was_never_drawn_cannot_be_chosen() {
    let options = (0..12).map(|at| option(&format!("key{at}"), &"long words ".repeat(8))).collect();
    let decision =
        DraftDecision { id: Arc::from("d"), title: Arc::from("Which?"), options, ..Default::default() };
    let petition = one(decision);
    let mut scene = docket("at work");
    scene.petitions = vec![petition.clone()];
    scene.size = (40, 12);
    scene.enter();
    for sign in "cdz9".chars() {
        assert_eq!(scene.keys(&sign.to_string()), vec![], "{sign}");
    }
    assert!(scene.shows("That was not shown yet: PgDn."));
    for _ in 0..20 {
        scene.draw();
        scene.press(KeyCode::Char('J'));
    }
    assert_eq!(scene.keys("d"), vec![wished(&petition, "d", said("key3"), SeenAnswer::None)]);
    let mut scene = docket("at work");
    scene.petitions = vec![petition.clone()];
    scene.size = (40, 12);
    scene.enter();
    for _ in 0..40 {
        scene.keys("j");
    }
    scene.keys("kk");
    assert_eq!(scene.enter(), wished(&petition, "d", said("key11"), SeenAnswer::None), "j reaches every way");
}

#[test]
fn nothing_that_nobody_can_read_is_answered() {
    for size in [(3, 3), (17, 12), (40, 3)] {
        let mut scene = petitioned();
        scene.size = size;
        assert_eq!(scene.keys("as"), vec![], "{size:?}");
        assert_eq!(scene.enter(), PageResponse::Stay, "{size:?}");
    }
    let mut scene = docket("at work");
    scene.petitions = plays::petitions();
    scene.press(KeyCode::Enter);
    assert_eq!(scene.press(KeyCode::Char('s')), PageResponse::Stay, "it was not drawn");
}

#[test]
fn an_approval_is_read_to_its_end_and_hides_nothing() {
    let command: Vec<String> = (0..40).map(|line| format!("    echo line{line}\u{202e}")).collect();
    let petition = one(DraftDecision {
        id: Arc::from("allow"),
        title: Arc::from("May it run?"),
        context: Arc::from(command.join("\n")),
        options: vec![option("yes", "Yes, this once"), option("no", "No")],
        digest: Some(Arc::from("sha256:1")),
        requires_human: true,
        ..DraftDecision::default()
    });
    let mut scene = docket("at work");
    scene.petitions = vec![petition.clone()];
    scene.enter();
    assert!(scene.shows("echo line0\\u{202e}"));
    assert_eq!(scene.keys("a"), vec![]);
    for _ in 0..10 {
        scene.draw();
        scene.press(KeyCode::PageDown);
    }
    assert!(scene.shows("echo line39\\u{202e}"));
    assert_eq!(scene.keys("a"), vec![wished(&petition, "allow", said("yes"), SeenAnswer::None)]);
}

#[test]
fn one_decision_may_have_to_come_after_another() {
    let mut petition = plays::petitions().remove(1);
    petition.decisions[2].depends_on = vec![Arc::from("regions")];
    let mut scene = docket("at work");
    scene.petitions = vec![petition];
    scene.enter();
    scene.keys(">");
    assert!(scene.shows("comes after Regions"));
    assert_eq!(scene.keys("s"), vec![]);
    assert!(scene.shows("Another decision comes first."));
}

#[test]
fn a_click_answers_marks_turns_and_submits() {
    for (columns, rows) in [(80, 24), (160, 50), (40, 14)] {
        let mut scene = petitioned();
        let petition = scene.petitions[1].clone();
        let point = |scene: &mut Scene, what: &str| {
            let (x, y) = find(&scene.frame(columns, rows), what);
            scene.waited_ms += 1000;
            scene.click(x, y)
        };
        assert_eq!(point(&mut scene, "b. us"), PageResponse::Stay);
        assert_eq!(scene.press(KeyCode::Enter), wished(&petition, "regions", said("us"), SeenAnswer::None));
        assert_eq!(point(&mut scene, "[<]"), PageResponse::Stay);
        assert_eq!(point(&mut scene, "[<]"), PageResponse::Stay);
        let changed = wished(&petition, "auth-strategy", said("oauth"), SeenAnswer::This(said("jwt")));
        assert_eq!(point(&mut scene, "c. oauth"), PageResponse::Stay, "somebody else answered it");
        assert_eq!(point(&mut scene, "c. oauth"), changed);
        answer(&mut scene.petitions[1], "regions", said("us"));
        answer(&mut scene.petitions[1], "auth-strategy", said("oauth"));
        answer(&mut scene.petitions[1], "name", said("x"));
        assert_eq!(point(&mut scene, "[>]"), PageResponse::Stay);
        let submitted = PageResponse::Wish(UiCommand::Submit { petition: petition.id.clone() });
        assert_eq!(point(&mut scene, "[y]"), submitted);
    }
}

#[test]
fn a_missions_own_questions_stand_there_once() {
    let mut scene = docket("at work");
    scene.petitions = plays::petitions();
    let draft = Arc::new(PetitionDraft::default());
    for (petition, subject) in plays::petitions()
        .iter()
        .zip([PetitionSubject::Question(MessageId(1)), PetitionSubject::Session(SessionId(2))])
    {
        let raised = MissionPetition {
            subject,
            draft: Arc::clone(&draft),
            at: Timestamp(0),
            outcome: None,
            run: 0,
            late: Vec::new(),
        };
        scene.stage.state.petitions.insert(petition.id.clone(), Arc::new(raised));
    }
    assert!(!scene.shows("swe2") && scene.shows("ceo 1/3") && scene.shows("1 waiting"));
}

#[test]
fn petitions_have_no_past() {
    for (seat, is_past) in [(Attachment::Replay, false), (Attachment::House, true)] {
        let mut scene = docket("at work");
        scene.petitions = plays::petitions();
        (scene.seat, scene.is_past) = (seat, is_past);
        assert!(scene.shows("Nothing waits for you."));
        assert_eq!(scene.enter(), PageResponse::Stay);
    }
}

#[test]
fn a_question_of_the_past_is_looked_at_and_not_answered() {
    let mut scene = deciding();
    scene.is_past = true;
    assert!(scene.shows("a. jwt: JWT tokens") && scene.shows("This is the past"));
    assert_eq!(scene.keys("asi"), vec![]);
    assert!(scene.shows("1/2 (2 open)"));
}

#[test]
fn a_hundred_thousand_petitions_are_drawn_in_a_moment() {
    let mut scene = docket("at work");
    let petition = plays::petitions().remove(0);
    scene.petitions = (0..100_000)
        .map(|at| Petition { id: PetitionId(Arc::from(format!("p{at}"))), ..petition.clone() })
        .collect();
    let started = std::time::Instant::now();
    for _ in 0..10 {
        scene.draw();
        scene.keys("j");
    }
    let each = started.elapsed() / 20;
    assert!(each < std::time::Duration::from_millis(500), "{each:?} for a frame and a key");
}
