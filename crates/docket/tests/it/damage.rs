//! A ledger that somebody changed: what waits is still seen, and a person can begin a new one.

use std::sync::Arc;

use docket::{Docket, DocketError, Mended};
use mind::petition::{DraftDecision, PetitionDraft, PetitionId};

use super::house::{House, NOON, ada, agent, decision, draft, fs, hand, later, stands};

/// `a1` is answered in part, `b2` has an answer that only a person can give, `c3` is over; and a line is changed.
fn damaged() -> (House, String) {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").expect("it works here");
    let human = DraftDecision { requires_human: true, ..decision("deploy") };
    let strict = PetitionDraft { decisions: vec![human, decision("cache")], ..draft("Plan b2") };
    house.docket.push(&strict, PetitionId::from("b2"), &agent(), NOON).expect("it works here");
    house.answer("b2", "deploy", "yes").expect("it works here");
    house.answer("b2", "cache", "no").expect("it works here");
    house.ask("c3");
    house.docket.withdraw(&PetitionId::from("c3"), "", &ada(), later(2_000)).expect("it works here");
    let text = fs::read_to_string(house.docket.ledger_file()).expect("it works here");
    let (before, last) = text.trim_end().rsplit_once('\n').expect("it works here");
    let text = format!("{before}\n{}\n", last.replace("ada", "mallory"));
    fs::write(house.docket.ledger_file(), &text).expect("it works here");
    (house, text)
}

fn mended(docket: &Docket) -> Mended {
    docket.mend(later(9_000)).expect("it works here").expect("something is wrong")
}

#[test]
fn what_waits_is_seen_although_the_ledger_is_damaged() {
    let (house, _) = damaged();
    let refused = house.answer("a1", "cache", "no");
    assert!(matches!(refused, Err(DocketError::Damaged { .. })), "{refused:?}");
    fs::write(house.queue().join("pending/broken.md"), "---\nno end").unwrap();
    let queue = house.docket.queue(later(9_000)).unwrap();
    let waits: Vec<&str> = queue.petitions.iter().map(|summary| &*summary.id.0).collect();
    assert_eq!(waits, ["a1", "b2"]);
    assert_eq!((queue.petitions[0].decided, queue.petitions[1].decided), (1, 2));
    assert_eq!(queue.faults[0].file, house.docket.ledger_file());
    assert!(queue.faults[0].why.contains("damaged at line 7: it was changed"), "{}", queue.faults[0].why);
    assert_eq!(queue.faults[1].file, house.queue().join("pending/broken.md"));
    assert_eq!(queue.faults.len(), 2);
}

#[test]
fn a_new_ledger_begins_with_the_files_as_they_stand() {
    let (house, text) = damaged();
    let damage = house.docket.damage().unwrap();
    assert_eq!(damage.as_deref(), Some("line 7 of the ledger: it was changed"));
    let mended = mended(&house.docket);
    assert_eq!(Some(mended.what), damage);
    let kept = mended.kept.unwrap();
    assert_eq!(kept, house.home().join("ledger.damaged-20270115T080009Z.jsonl"));
    assert_eq!(fs::read_to_string(kept).unwrap(), text);
    assert_eq!(mended.petitions, 2);
    assert_eq!(mended.again, [(PetitionId::from("b2"), Arc::from("deploy"))]);
    let hand = hand();
    let mut ledger = house.ledger();
    ledger.sort();
    assert_eq!(
        ledger,
        [
            format!("a1 answered auth yes {hand} file"),
            "a1 asked agent:ceo file".to_owned(),
            "b2 answered cache no {hand} file".replace("{hand}", &hand),
            "b2 asked agent:ceo file".to_owned(),
        ]
    );
    // What only a person can answer has to be answered again, at a door.
    assert_eq!(stands(&house.find("b2"), "deploy"), None);
    house.assert_clean();
    house.answer("b2", "deploy", "no").unwrap();
    house.docket.submit(&PetitionId::from("b2"), &ada(), later(10_000)).unwrap();
    house.answer("a1", "cache", "no").unwrap();
    house.assert_clean();
    assert_eq!(house.docket.damage().unwrap(), None);
    assert_eq!(house.docket.mend(later(11_000)).unwrap(), None);
}

#[test]
fn a_ledger_that_is_whole_or_torn_off_is_not_put_aside() {
    let house = House::new();
    assert_eq!(house.docket.mend(NOON).unwrap(), None);
    house.ask("a1");
    let text = fs::read_to_string(house.docket.ledger_file()).unwrap();
    fs::write(house.docket.ledger_file(), format!("{text}{{\"seq\":2,")).unwrap();
    assert_eq!(house.docket.mend(later(1_000)).unwrap(), None);
    assert_eq!(house.ledger(), ["a1 asked agent:ceo cli"]);
}

#[test]
fn a_ledger_that_is_gone_or_another_one_is_mended() {
    let (house, _) = damaged();
    fs::remove_file(house.docket.ledger_file()).unwrap();
    assert_eq!(mended(&house.docket).kept, None);
    house.assert_clean();
    let other = House::new();
    for id in ["x1", "x2", "x3", "x4", "x5"] {
        other.ask(id);
    }
    fs::copy(other.docket.ledger_file(), house.docket.ledger_file()).unwrap();
    assert!(matches!(house.answer("a1", "cache", "no"), Err(DocketError::Damaged { .. })));
    assert!(mended(&house.docket).kept.is_some());
    house.assert_clean();
}

#[test]
fn whoever_dies_while_mending_leaves_something_that_can_be_mended() {
    'falls: for fall in House::falls() {
        for steps in 0..200 {
            let (house, text) = damaged();
            house.settle();
            let told = house.faltering(steps).mend(later(9_000)).is_ok();
            house.fall(*fall);
            house.docket.mend(later(9_000)).unwrap();
            house.docket.queue(later(9_000)).unwrap();
            house.assert_clean();
            house.answer("a1", "cache", "no").unwrap();
            assert_eq!(stands(&house.find("b2"), "deploy"), None, "{steps}");
            let kept = house.names_in(house.home()).into_iter().filter(|name| name.contains("damaged"));
            let texts: Vec<String> =
                kept.map(|name| fs::read_to_string(house.home().join(name)).unwrap()).collect();
            assert!(texts.contains(&text), "{steps}");
            if told {
                continue 'falls;
            }
        }
        panic!("it never ends");
    }
}

#[test]
fn a_last_line_that_was_changed_is_damage_after_every_fall_too() {
    for fall in House::falls() {
        let (house, text) = damaged();
        house.settle();
        house.fall(*fall);
        let refused = house.answer("a1", "cache", "no");
        assert!(matches!(refused, Err(DocketError::Damaged { line: 7, .. })), "{fall:?}: {refused:?}");
        assert_eq!(fs::read_to_string(house.docket.ledger_file()).unwrap(), text, "nothing of it is cut off");
    }
}
