//! What waits: its order, and a board that is kept.

use std::sync::Arc;

use mind::petition::{PetitionDraft, PetitionId, PetitionStatus, Priority};

use super::house::{House, NOON, ada, agent, draft, fs, later};

#[test]
fn missions_come_first_then_what_matters_then_what_waits_longest() {
    let house = House::new();
    let push = |id: &str, priority: Priority, blocks: Option<&str>, ms: u64| {
        let draft = PetitionDraft { priority, blocks: blocks.map(Arc::from), ..draft(id) };
        house.docket.push(&draft, PetitionId::from(id), &agent(), later(ms)).unwrap();
    };
    push("low", Priority::Low, None, 0);
    push("young", Priority::Normal, None, 30);
    push("old", Priority::Normal, None, 10);
    push("urgent", Priority::Urgent, None, 40);
    push("mission", Priority::Low, Some("the build"), 50);
    push("high", Priority::High, None, 20);
    let queue = house.docket.queue(later(60)).unwrap();
    let order: Vec<&str> = queue.petitions.iter().map(|summary| &*summary.id.0).collect();
    assert_eq!(order, ["mission", "urgent", "high", "old", "young", "low"]);
    assert!(queue.petitions.iter().all(|summary| fs::exists(&summary.file).unwrap()));
    let board = house.docket.board(later(60)).unwrap();
    assert_eq!(board.page(2, 2), queue.petitions[2..4]);
    assert_eq!(board.page(5, 9), queue.petitions[5..]);
    assert_eq!(board.page(6, 1), []);
    let counts = board.counts();
    assert_eq!((counts.total, counts.urgent, counts.high, counts.normal, counts.low), (6, 1, 1, 2, 2));
}

#[test]
fn a_board_follows_one_change_by_its_name() {
    let house = House::new();
    let kept = house.ask("a1");
    house.ask("b2");
    let mut board = house.docket.board(NOON).unwrap();
    assert_eq!(board.queue().petitions.len(), 2);
    // Somebody else changes it.
    let other = house.another();
    super::house::answer(&other, "a1", "auth", "yes").unwrap();
    let name = kept.file.file_name().unwrap().to_str().unwrap().to_owned();
    board.touch(&house.docket, [name.clone()], later(10)).unwrap();
    let of = |board: &docket::QueueIndex| {
        let queue = board.queue();
        queue.petitions.iter().find(|summary| &*summary.id.0 == "a1").map(|summary| summary.status)
    };
    assert_eq!(of(&board), Some(PetitionStatus::InProgress));
    super::house::answer(&other, "a1", "cache", "yes").unwrap();
    other.submit(&PetitionId::from("a1"), &ada(), later(20)).unwrap();
    board.touch(&house.docket, [name], later(30)).unwrap();
    assert_eq!(of(&board), None);
    house.ask("c3");
    board.refresh(&house.docket, later(40)).unwrap();
    assert_eq!(board.queue(), house.docket.queue(later(40)).unwrap());
}

#[test]
fn a_board_notices_what_is_due() {
    let house = House::new();
    let due = PetitionDraft { deadline: Some(later(1_000)), ..draft("Due") };
    house.docket.push(&due, PetitionId::from("a1"), &agent(), NOON).unwrap();
    let mut board = house.docket.board(NOON).unwrap();
    assert_eq!(board.queue().petitions[0].due_at, Some(later(1_000)));
    board.refresh(&house.docket, later(1_001)).unwrap();
    assert_eq!(board.queue().petitions, []);
    assert_eq!(house.find("a1").petition.status(), PetitionStatus::Expired);
}

#[test]
fn what_the_system_did_not_tell_is_found_by_the_sweep() {
    let house = House::new();
    let kept = house.ask("a1");
    let gone = house.ask("b2");
    let mut board = house.docket.board(NOON).unwrap();
    // All of it happens without a word to anybody: an answer by hand, a new file, a file that goes.
    let text = fs::read_to_string(&kept.file).unwrap();
    fs::write(&kept.file, text.replacen("answer: null", "answer: yes", 1)).unwrap();
    fs::remove_file(&gone.file).unwrap();
    let stranger = text.replace("id: a1", "id: c3").replace("answer: yes", "answer: null");
    fs::write(kept.file.with_file_name("stranger.md"), stranger).unwrap();
    board.refresh(&house.docket, later(10)).unwrap();
    let found: Vec<(String, usize)> =
        board.queue().petitions.iter().map(|summary| (summary.id.to_string(), summary.decided)).collect();
    assert_eq!(found, [("a1".to_owned(), 1), ("c3".to_owned(), 0)]);
}

#[test]
fn an_open_petition_whose_file_is_no_petition_is_named_as_the_ledger_knows_it() {
    let house = House::new();
    let kept = house.ask("a1");
    house.ask("b2");
    let text = fs::read_to_string(&kept.file).unwrap();
    let foreign = kept.file.with_file_name("broken.md");
    fs::write(&kept.file, "no petition at all\n").unwrap();
    fs::write(&foreign, "nor is this\n").unwrap();
    let queue = house.docket.queue(later(10)).unwrap();
    assert_eq!(queue.petitions.iter().map(|summary| &*summary.id.0).collect::<Vec<_>>(), ["b2"]);
    let told = |queue: &docket::Queue| -> Vec<(String, bool)> {
        let tell = |fault: &docket::Fault| {
            let id = fault.petition.as_ref().map(ToString::to_string);
            (id.unwrap_or_else(|| "no petition".to_owned()), fault.may_hide())
        };
        queue.faults.iter().map(tell).collect()
    };
    let expected = [("a1".to_owned(), true), ("no petition".to_owned(), false)];
    let mut found = told(&queue);
    found.sort();
    assert_eq!(found, expected);
    let of_a1 = queue.faults.iter().find(|fault| fault.petition.is_some()).unwrap();
    assert!(of_a1.why.starts_with("a1, \"Plan a1\", is open in the ledger, and its file"), "{}", of_a1.why);
    fs::write(&kept.file, &text).unwrap();
    let mut board = house.docket.board(later(20)).unwrap();
    assert_eq!(told(&board.queue()), [("no petition".to_owned(), false)]);
    // It is over: what lies in its old place now is of no petition.
    house.docket.withdraw(&PetitionId::from("a1"), "", &ada(), later(30)).unwrap();
    fs::write(&kept.file, "no petition at all\n").unwrap();
    board.refresh(&house.docket, later(40)).unwrap();
    assert!(told(&board.queue()).iter().all(|(_, may_hide)| !may_hide), "{:?}", board.queue().faults);
}
