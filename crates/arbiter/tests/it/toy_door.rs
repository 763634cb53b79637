//! The toy door of `sim` leads a real mission: it answers what the mission asks in the docket, is refused with the words
//! that every door uses, speaks to the mission, and tells what happens until it ends.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use arbiter::clock;
use arbiter::mission::port::{FolderPort, MissionPort as _};
use arbiter::project::home::MissionPlaces;
use docket::Docket;
use journal::FileStore;
use mind::actor::{Actor, Door};
use mind::petition::PetitionId;
use sim::toy_door::ToyDoor;
use sim::{BridgeScript, Theatre};
use view::refusal::{RefusalReader, refusal};

use crate::{BINARY, wait_until};

/// The Arbiter asks for a yes and which stone; then a tool of Orchestrator I asks for a yes.
const ASKS: &str = r#"says: {intent: address_human, asks: alignment, message: "Shall it begin?", decisions: [
  {id: stone, title: "Which stone?", options: [{key: granite, label: Hard}, {key: slate, label: Flat}]}]}"#;

fn port(theatre: &Theatre) -> FolderPort {
    let places = MissionPlaces { folder: theatre.mission() };
    FolderPort::at(places, Arc::new(FileStore::new(theatre.journal_key()))).through(Door::Web)
}

fn door(theatre: &Theatre) -> ToyDoor {
    ToyDoor {
        docket: Docket::at(theatre.home().join("queue")).through(Door::Web),
        mission: Arc::new(port(theatre)),
        person: Actor::human(Door::Web, "ada"),
        now: clock::now,
    }
}

/// What is told of the mission, line by line, on a thread of its own.
fn follows(theatre: &Theatre) -> Receiver<String> {
    let (door, (tell, told)) = (door(theatre), channel());
    std::thread::spawn(move || {
        let end = door.follow(|line| drop(tell.send(line)));
        drop(tell.send(end.expect("it can be read")));
    });
    told
}

/// The id of the petition whose title has these words, once it waits.
fn waits(door: &ToyDoor, words: &str) -> PetitionId {
    let mut id = None;
    wait_until(words, || {
        let queue = door.queue().expect("it can be read");
        let row = queue.iter().skip(1).find(|row| row.contains(words));
        id = row.and_then(|row| row.split(':').next()).map(PetitionId::from);
        id.is_some()
    });
    id.expect("it was found")
}

#[test]
fn a_door_of_a_hundred_lines_answers_a_petition_and_follows_a_mission() {
    let script = BridgeScript::new().opens_with(&[ASKS]).does("{ask: [touch, asked]}");
    let theatre = Theatre::rehearsing(BINARY, script);
    let mut house = theatre.start_rehearsal(&["--headless"]);
    wait_until("a mission", || !theatre.missions().is_empty());
    let (door, told) = (door(&theatre), follows(&theatre));

    let yes = waits(&door, "asks for your yes");
    assert_eq!(door.queue().unwrap()[0], "1 petition waits: 1 high");
    let shown = door.petition(&yes, None).unwrap();
    assert_eq!(shown[0], "Shall the mission begin so?");
    assert_eq!(door.petition(&yes, Some("yes")).unwrap(), ["Which stone?", "a) Hard", "b) Flat"]);
    let refused = door.petition(&yes, Some("")).unwrap_err();
    let refused = refusal(&refused, RefusalReader::Person);
    assert_eq!(refused.to_string(), "there is no answer in it: `arbiter skip` leaves it to the asker");
    assert_eq!(door.petition(&yes, Some("b")).unwrap(), ["2 answered"]);

    let tool = waits(&door, "touch asked");
    assert_eq!(door.say("Mind the river.").unwrap(), [""; 0], "a process runs it: it is heard");
    door.petition(&tool, Some("yes")).unwrap();
    assert!(house.wait().expect("it ends").success());

    let told: Vec<String> = told.iter().collect();
    let has = |words: &str| told.iter().any(|line| line.contains(words));
    assert!(has("Shall it begin?") && has("slate (Flat)") && has("Mind the river."), "{told:#?}");
    assert_eq!(told.last().map(String::as_str), Some("Done, and proven by receipts."), "{told:#?}");
    assert_eq!(theatre.lines_of(&["Consented"]), ["Consented by human:web:ada"]);
    assert_eq!(door.queue().unwrap(), ["nothing waits for you"]);
    assert!(!port(&theatre).is_running());
    theatre.assert_nobody_left();
}

/// It is an example to be read as a whole.
#[test]
fn the_toy_door_stays_short() {
    let lines = include_str!("../../../sim/src/toy_door.rs").lines().count();
    assert!(lines <= 100, "{lines} lines");
}
