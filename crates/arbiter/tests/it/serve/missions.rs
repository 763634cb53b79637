//! The missions as a door is given them.

use std::fs;

use arbiter::project::home::UserFolders;
use arbiter::serving::missions::RegisteredMissions;
use doors::telegram::settings::MissionDirectory as _;
use mind::MissionId;
use mind::actor::{Actor, Door};
use mind::event::HumanAction;
use mind::petition::PetitionId;
use sim::{BridgeScript, REHEARSAL, Theatre};

use crate::BINARY;

fn places(theatre: &Theatre) -> UserFolders {
    let home = theatre.path().join("home");
    UserFolders::find(|name| (name == "HOME").then(|| home.clone().into())).expect("places")
}

#[test]
fn missions_are_listed_and_reached_as_the_person_and_a_damaged_one_is_told() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let missions = RegisteredMissions::new(places(&theatre));
    assert!(missions.list().is_empty(), "no mission yet, and no key");
    let ran = theatre.run(&[&REHEARSAL[..], &["--headless", "--yes"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let missions = RegisteredMissions::new(places(&theatre));
    let rows = missions.list();
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(row.status.starts_with("complete") && !row.running && !row.title.is_empty(), "{row:?}");
    assert!(!missions.waits_for(&PetitionId::from("other")));

    let ada = Actor::human(Door::Telegram, "7");
    let port = missions.port(&row.id, &ada).expect("a port");
    assert_eq!(port.sign(HumanAction::Pause).actor, ada);
    assert!(port.state().is_ok());
    assert!(missions.port(&MissionId("2026-01-01-none".into()), &ada).is_none());

    let journal = theatre.mission().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let middle = text.len() / 2;
    fs::write(&journal, format!("{}damage{}", &text[..middle], &text[middle..])).expect("a journal");
    let rows = RegisteredMissions::new(places(&theatre)).list();
    assert!(matches!(rows.as_slice(), [row] if row.status.starts_with("unreadable: ")), "{rows:?}");
    fs::write(theatre.home().join("missions").join("broken.json"), "{").expect("a file");
    fs::remove_dir_all(theatre.mission()).expect("it is there");
    let missions = RegisteredMissions::new(places(&theatre));
    assert_eq!(missions.list()[0].standing, "the mission is gone");
    assert!(missions.port(&rows[0].id, &ada).is_none());
}
