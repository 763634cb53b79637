//! Live text: it grows while a turn speaks, it is gone when the turn or the process is, and it is never news.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::{SessionId, TurnId};
use providers::live::LiveTails;
use providers::rehearsal::{self, Pace};
use sim::api::{Block, Step};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::cast::{Cast, Provider, Real, Rehearsal, output, turn};
use crate::house::{House, PATIENCE, world};
use crate::processes;

const SAYS: &str =
    "It is «built», and it holds. I have looked at every part of it.\nNothing was left out. Nothing at all.";
const SESSION: SessionId = SessionId(1);

/// Looks whenever something changes, as a screen does that is never late.
struct Screen {
    frames: Arc<Mutex<Vec<String>>>,
    looking: JoinHandle<()>,
}

impl Screen {
    fn look_at(live: &LiveTails) -> Screen {
        let (frames, live, mut changes) = (Arc::default(), live.clone(), live.watch());
        let seen: Arc<Mutex<Vec<String>>> = Arc::clone(&frames);
        let looking = tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                seen.lock().unwrap().push(shown(&live));
            }
        });
        Screen { frames, looking }
    }

    fn frames(self) -> Vec<String> {
        self.looking.abort();
        self.frames.lock().unwrap().clone()
    }
}

fn shown(live: &LiveTails) -> String {
    live.snapshot().get(&SESSION).map(|text| text.to_string()).unwrap_or_default()
}

async fn until_shown(house: &House, what: impl Fn(&str) -> bool) {
    let until = Instant::now() + PATIENCE;
    while !what(&shown(&house.live)) {
        assert!(Instant::now() < until, "never shown; now: {:?}\n{}", shown(&house.live), house.logbook());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// One turn is watched to its end, the next is interrupted in the middle of its words, and in the last the process dies.
async fn keeps_it(world: TempDir, cast: Box<dyn Cast>) {
    let mut house = House::with(world, cast, false);
    let screen = Screen::look_at(&house.live);
    house.deliver(1, "the first one");
    house.spoke(1, SAYS).await;
    until_shown(&house, str::is_empty).await;
    let frames = screen.frames();
    let growing: Vec<&String> = frames.iter().filter(|frame| SAYS.starts_with(*frame)).collect();
    assert!(growing.iter().filter(|frame| !frame.is_empty()).count() > 4, "{frames:#?}");
    assert!(frames.iter().any(|frame| frame == SAYS), "{frames:#?}");

    let mid = |text: &str| text.len() > 8 && text.len() < SAYS.len() && SAYS.starts_with(text);
    house.deliver(2, "the second one");
    until_shown(&house, mid).await;
    house.order(SessionCommand::Interrupt { turn: TurnId(2) });
    assert_eq!(house.rested(2).await, TurnEnd::Interrupted);
    until_shown(&house, str::is_empty).await;

    house.deliver(3, "the third one");
    until_shown(&house, mid).await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    assert_eq!(shown(&house.live), "", "the dead say nothing");
    house.handle.ended().await;
    house.live_again(true);
    let screen = Screen::look_at(&house.live);
    house.deliver_again(3, "the third one", false);
    house.spoke(3, SAYS).await;
    let frames = screen.frames();
    assert!(frames.iter().any(|frame| frame == SAYS), "{frames:#?}");
    until_shown(&house, str::is_empty).await;
    house.deliver(4, "the fourth one");
    until_shown(&house, mid).await;
    let live = house.live.clone();
    house.close().await;
    assert_eq!(shown(&live), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_actor_in_human_pace_is_seen_speaking() {
    let world = world();
    // An interrupted turn's words are the next turn's, so there are more turns than prompts need.
    let play: Vec<_> = (0..5).map(|_| turn("one", [], SAYS)).collect();
    let Some(_) = Rehearsal.open(world.path(), &play) else { return };
    let cast = rehearsal::RehearsalOptions {
        argv: vec![env!("CARGO_BIN_EXE_contract-actor").into()],
        script: world.path().join("script.yaml"),
        store: world.path().join("store"),
        pace: Pace::Human,
    };
    keeps_it(world, Box::new(cast)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_real_one_is_seen_writing_its_typed_output() {
    let world = world();
    let words = Block::Text("Here is what I found, in my own words.".to_owned());
    let typed = Block::Tool { name: "StructuredOutput".to_owned(), input: output(SAYS) };
    let step = Step::message([words, typed]).chunks(20, 15).forever();
    let Some(cast) = Real::answering(world.path(), vec![step]) else { return };
    keeps_it(world, cast).await;
}
