//! Whatever the size and the keys: no page falls over, and nothing is answered that was not read.

use std::sync::Arc;

use crossterm::event::KeyCode;
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::event::HumanAction;
use mind::petition::{
    AnswerChoice, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, SeenAnswer,
    SeenQuestion,
};
use mind::talk::DecisionOption;
use proptest::prelude::*;
use tui::overlay::{Overlay, PageResponse, decisions, help, logbook, quest, sessions};
use tui::theme::Theme;
use tui::ui_command::UiCommand;
use tui::view_model::RecordDirection;

use super::{Scene, text};
use crate::plays;

#[derive(Debug, Clone)]
enum Act {
    Key(KeyCode),
    Click(u16, u16),
    Size(u16, u16),
    Draw,
    Wait(u64),
    Happens(usize),
    /// Another door, or an agent, does something to a petition.
    Docket(usize),
}

/// What may happen meanwhile.
const HAPPENINGS: &[&str] = &[
    "orchestrator asks zap1 -rf build",
    "orchestrator asks zap2 a [zap2]",
    "orchestrator asks zap3 b [zap3, zap2]",
    "orchestrator unasks zap1",
    "orchestrator unasks zap2",
    "orchestrator tool Edit a.rs",
    "orchestrator gauge 190000/200000",
    "orchestrator tasks [x] One | [~] Two | [ ] Three",
];

fn act() -> impl Strategy<Value = Act> {
    let letters: Vec<KeyCode> = "yyyyhmnjkJKgGdfo123/ x?aaabbcefss<>>i".chars().map(KeyCode::Char).collect();
    let others = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::PageDown,
        KeyCode::PageUp,
        KeyCode::Up,
    ];
    let keys = letters.into_iter().chain(others).chain([KeyCode::Backspace, KeyCode::Left, KeyCode::End]);
    prop_oneof![
        8 => prop::sample::select(keys.collect::<Vec<_>>()).prop_map(Act::Key),
        2 => (0u16..60, 0u16..30).prop_map(|(x, y)| Act::Click(x, y)),
        1 => (0u16..60, 0u16..30).prop_map(|(columns, rows)| Act::Size(columns, rows)),
        6 => Just(Act::Draw),
        2 => (0u64..1500).prop_map(Act::Wait),
        2 => (0..HAPPENINGS.len()).prop_map(Act::Happens),
        1 => (0usize..20).prop_map(Act::Docket),
    ]
}

fn page(number: usize) -> Overlay {
    match number {
        0 => Overlay::Help(help::HelpPage::default()),
        1 => Overlay::Quest(quest::QuestPage::default()),
        2 => Overlay::Sessions(sessions::SessionsPage::default()),
        3 => Overlay::Logbook(logbook::LogbookPage::default()),
        _ => Overlay::Docket(decisions::DecisionsPage::default()),
    }
}

/// A petition of which every version has other keys, so that a frame tells which one it shows.
fn petition(number: usize, version: usize) -> Petition {
    let option = |decision: usize, at: usize| DecisionOption {
        key: format!("k{number}{version}{decision}{at}"),
        label: "some words that take a line or two ".repeat(at % 3),
    };
    let decision = |at: usize| DraftDecision {
        id: Arc::from(format!("d{at}")),
        title: Arc::from("Which way?"),
        context: Arc::from("There is more than one.\n\n".repeat(at * 4)),
        options: (0..6).map(|option_at| option(at, option_at)).collect(),
        multi: at == 1,
        digest: (at == 2).then(|| Arc::from("sha256:zap")),
        ..DraftDecision::default()
    };
    let draft = PetitionDraft {
        agent: Arc::from("zap"),
        title: Arc::from("Ways"),
        decisions: (0..3).map(decision).collect(),
        ..PetitionDraft::default()
    };
    draft.petition(PetitionId(Arc::from(format!("p{number}"))), Timestamp(0))
}

/// What others do in the docket meanwhile.
fn meanwhile(petitions: &mut Vec<Petition>, number: usize) {
    let (which, what) = (number % 2, number / 2);
    let Some(at) = petitions.iter().position(|known| *known.id.0 == *format!("p{which}")) else {
        return petitions.push(petition(which, what));
    };
    match what {
        0..3 => petitions[at] = petition(which, what),
        3..6 => {
            let (decision, digest) = (Arc::from(format!("d{}", what - 3)), Arc::from(""));
            let change = PetitionChange::Answered {
                decision,
                choice: AnswerChoice::Skipped,
                digest,
                instead_of: None,
            };
            petitions[at].apply(&change, &Actor::human(Door::Web, "ada"), Timestamp(1));
        }
        6 => drop(petitions.remove(at)),
        _ => {}
    }
}

/// What was on the screen.
#[derive(Default)]
struct Watched {
    /// The last frame.
    frame: String,
    /// Every frame.
    frames: Vec<String>,
    /// Petitions when the last one was drawn.
    petitions: Vec<Petition>,
}

impl Watched {
    /// What was answered must have stood on the screen: its question in the last frame, its words in some frame.
    fn judge(&self, wish: &UiCommand, scene: &Scene) {
        match wish {
            UiCommand::Do(HumanAction::Answer { permission, digest, .. }) => {
                // Its text may be scrolled away, its number never is.
                assert!(
                    self.frame.contains(&permission.to_string()),
                    "{permission} was not read:\n{}",
                    self.frame
                );
                let (_, asked) = scene.stage.state.permission(*permission).expect("it waits");
                assert_eq!(asked.request.digest, *digest);
            }
            UiCommand::Do(HumanAction::Say(words)) => {
                assert!(self.frame.contains("Review"), "{words} was not reviewed:\n{}", self.frame);
                for key in ["jwt (", "session (", "oauth (", "yes (", "no ("] {
                    let option = format!("{}:", key.trim_end_matches(" ("));
                    let met = self.frames.iter().any(|frame| frame.contains(&option));
                    assert!(met || !words.contains(key), "{option} was never shown: {words}");
                }
            }
            UiCommand::Decide { petition, decision, choice, seen } => {
                let drawn = self.petitions.iter().find(|drawn| drawn.id == *petition).expect("it was drawn");
                let asked = drawn.decision(decision).expect("it was drawn");
                let answer = asked.answer.as_ref().map(|given| given.choice.clone());
                let answer = answer.map_or(SeenAnswer::None, SeenAnswer::This);
                assert_eq!(
                    *seen,
                    SeenQuestion { question: Some(drawn.digest(asked)), answer, ..SeenQuestion::default() }
                );
                let place = format!("{}/3", 1 + drawn.decisions.iter().position(|d| d == asked).unwrap_or(9));
                assert!(self.frame.contains(&place), "{place} was not there:\n{}", self.frame);
                let AnswerChoice::Answer(text) = choice else { return };
                let chosen = asked.options.iter().filter(|option| text.contains(&option.key));
                for option in chosen {
                    let met = self.frames.iter().any(|frame| frame.contains(&option.key));
                    assert!(met, "{} was never shown:\n{}", option.key, self.frame);
                }
            }
            UiCommand::Submit { petition } => {
                assert!(self.frame.contains("Review"), "it was not reviewed:\n{}", self.frame);
                let drawn = self.petitions.iter().find(|drawn| drawn.id == *petition).expect("it was drawn");
                let now = scene.petitions.iter().find(|now| now.id == *petition).expect("it is there");
                assert_eq!(drawn, now, "what is submitted is what was reviewed");
                assert!(now.submit().is_ok());
            }
            UiCommand::Do(_)
            | UiCommand::Leave
            | UiCommand::Suspend
            | UiCommand::Redraw
            | UiCommand::Sound => {
                panic!("no page wishes {wish:?}")
            }
        }
    }
}

fn run(number: usize, size: (u16, u16), theme: Theme, acts: &[Act]) -> usize {
    let own: Vec<&str> = plays::DECISIONS.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let work = ["at work", HAPPENINGS[0], HAPPENINGS[1]];
    let mut scene = Scene::new(page(number), if number == 8 { &own } else { &work });
    if number >= 6 {
        scene.petitions = vec![petition(0, 0), petition(1, 0)];
    }
    scene.size = size;
    scene.theme = theme;
    scene.says(1, RecordDirection::Out, r#"{"type":"assistant","text":"hello"}"#);
    let mut watched = Watched::default();
    let mut answers = 0;
    for act in acts {
        let reply = match act {
            Act::Key(code) => scene.press(*code),
            Act::Click(x, y) => scene.click(*x, *y),
            Act::Size(columns, rows) => {
                scene.size = (*columns, *rows);
                PageResponse::Stay
            }
            Act::Draw => {
                watched.frame = text(&scene.draw());
                watched.frames.push(watched.frame.clone());
                watched.petitions.clone_from(&scene.petitions);
                PageResponse::Stay
            }
            Act::Wait(ms) => {
                scene.waited_ms += ms;
                PageResponse::Stay
            }
            Act::Happens(at) if number != 8 => {
                scene.stage.set_up(HAPPENINGS[*at]);
                scene.says(2, RecordDirection::Note, HAPPENINGS[*at]);
                PageResponse::Stay
            }
            Act::Docket(what) if number >= 6 => {
                meanwhile(&mut scene.petitions, *what);
                PageResponse::Stay
            }
            Act::Happens(_) | Act::Docket(_) => PageResponse::Stay,
        };
        if let PageResponse::Wish(wish) = reply {
            watched.judge(&wish, &scene);
            answers += 1;
        }
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_answered_that_was_not_read(
        number in 0usize..12,
        size in (0u16..60, 0u16..30),
        theme in prop::sample::select(vec![Theme::COLOURED, Theme::PLAIN, Theme::ASCII]),
        acts in prop::collection::vec(act(), 0..60),
    ) {
        // Most of it is about the docket.
        run(number.min(8), size, theme, &acts);
    }
}

#[test]
fn such_a_run_does_decide_too() {
    let key = |sign| [Act::Draw, Act::Wait(1000), Act::Key(sign)];
    let keys = |signs: &str| signs.chars().map(KeyCode::Char).flat_map(key).collect::<Vec<_>>();
    let opened = |rest: Vec<Act>| [keys("jj"), key(KeyCode::Enter).to_vec(), rest].concat();
    assert_eq!(run(6, (60, 24), Theme::PLAIN, &opened(keys("b"))), 1);
    let decided = opened([keys("s"), vec![Act::Docket(6), Act::Docket(8), Act::Docket(10)]].concat());
    assert_eq!(run(6, (60, 24), Theme::PLAIN, &[decided, keys(">>>y")].concat()), 2);
    let own = [key(KeyCode::Enter).to_vec(), keys("bsy")].concat();
    assert_eq!(run(8, (60, 24), Theme::PLAIN, &own), 1);
}

#[test]
fn such_a_run_does_answer() {
    let acts =
        [Act::Draw, Act::Key(KeyCode::Char('y')), Act::Wait(1000), Act::Draw, Act::Key(KeyCode::Char('m'))];
    assert_eq!(run(4, (60, 24), Theme::PLAIN, &acts), 2);
}
