//! Asking, answering, submitting, withdrawing: what is told is on the disk.

use std::sync::Arc;

use docket::text::PetitionText;
use docket::{DocketError, PetitionPlace};
use mind::petition::{
    AnswerChoice, PetitionDraft, PetitionId, PetitionRefusal, PetitionStatus, SeenQuestion,
};

use super::house::{House, NOON, ada, agent, answer, decision, draft, fs, later, refusal, stands, words};

#[test]
fn what_is_asked_is_in_its_file_and_in_the_ledger() {
    let house = House::new();
    let kept = house.ask("abc23456");
    assert_eq!(kept.file, house.queue().join("pending/ceo-plan-abc23456-abc23456.md"));
    assert_eq!(kept.place, PetitionPlace::Pending);
    let sheet = PetitionText::read(house.text(&kept).as_bytes(), NOON).unwrap();
    assert_eq!(*sheet.petition(), draft("Plan abc23456").petition(PetitionId::from("abc23456"), NOON));
    assert_eq!(house.ledger(), ["abc23456 asked agent:ceo cli"]);
    assert_eq!(house.find("abc23456").records, kept.records);
    house.assert_clean();
}

#[test]
fn an_answer_is_in_the_file_and_in_the_ledger_when_it_is_told() {
    let house = House::new();
    house.ask("a1");
    let kept = house.answer("a1", "auth", "yes").unwrap();
    assert_eq!(stands(&kept, "auth"), Some("yes by human:cli:ada".to_owned()));
    let sheet = PetitionText::read(house.text(&kept).as_bytes(), NOON).unwrap();
    assert_eq!(*sheet.petition(), kept.petition);
    assert_eq!(house.ledger(), ["a1 asked agent:ceo cli", "a1 answered auth yes human:cli:ada cli"]);
    assert_eq!(house.find("a1"), kept);
    house.assert_clean();
}

#[test]
fn the_first_answer_stands_until_somebody_says_that_it_is_to_be_changed() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    let refused = refusal(house.answer("a1", "auth", "no"));
    assert!(matches!(refused, PetitionRefusal::AlreadyAnswered(given) if given.choice == words("yes")));
    let kept = house.change("a1", "auth", "no", later(2_000)).unwrap();
    assert_eq!(stands(&kept, "auth"), Some("no by human:cli:ada".to_owned()));
    assert_eq!(
        house.ledger()[1..],
        ["a1 answered auth yes human:cli:ada cli", "a1 changed auth no human:cli:ada cli"]
    );
    house.assert_clean();
}

#[test]
fn submitting_moves_the_file_and_tells_the_asker() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    assert!(matches!(
        refusal(house.docket.submit(&PetitionId::from("a1"), &ada(), NOON)),
        PetitionRefusal::NotReady { .. }
    ));
    let skip = house.docket.answer(
        &PetitionId::from("a1"),
        "cache",
        AnswerChoice::Skipped,
        &SeenQuestion::default(),
        &ada(),
        later(2_000),
    );
    assert_eq!(skip.unwrap().petition.status(), PetitionStatus::Ready);
    let kept = house.docket.submit(&PetitionId::from("a1"), &ada(), later(3_000)).unwrap();
    assert_eq!((kept.place, kept.petition.status()), (PetitionPlace::Completed, PetitionStatus::Completed));
    assert_eq!(house.names("pending"), Vec::<String>::new());
    assert_eq!(house.names("completed"), ["ceo-plan-a1-a1.md"]);
    assert_eq!(house.names("notify").len(), 1);
    assert!(house.docket.queue(NOON).unwrap().petitions.is_empty());
    assert_eq!(house.docket.completed(later(9_000)).unwrap().len(), 1);
    assert_eq!(house.find("a1"), kept);
    house.assert_clean();
}

#[test]
fn notifications_for_one_session_do_not_overwrite_one_another() {
    let house = House::new();
    for id in ["a1", "b2"] {
        house.ask(id);
        house.docket.withdraw(&PetitionId::from(id), "not needed", &agent(), later(1_000)).unwrap();
    }
    assert_eq!(house.names("notify").len(), 2);
}

#[test]
fn an_answer_after_the_withdrawal_is_kept_as_late_and_told_again() {
    let house = House::new();
    house.ask("a1");
    house.docket.withdraw(&PetitionId::from("a1"), "done otherwise", &agent(), NOON).unwrap();
    let told = house.queue().join("notify").join(&house.names("notify")[0]);
    fs::remove_file(&told).unwrap();
    let kept = house.answer("a1", "auth", "yes").unwrap();
    assert_eq!((kept.place, kept.petition.status()), (PetitionPlace::Completed, PetitionStatus::Withdrawn));
    assert!(kept.petition.decision("auth").unwrap().answer.as_ref().unwrap().late);
    assert!(fs::read_to_string(&told).unwrap().contains("Late answers"));
    assert_eq!(house.ledger()[2], "a1 late auth yes human:cli:ada cli");
    assert_eq!(house.find("a1"), kept);
    house.assert_clean();
}

#[test]
fn asking_twice_asks_once() {
    let house = House::new();
    let first = house.ask("a1");
    let push =
        |draft: &PetitionDraft, id: &str| house.docket.push(draft, PetitionId::from(id), &agent(), later(9));
    // The same id.
    let again = push(&draft("Plan a1"), "a1").unwrap();
    assert!(again.again);
    assert_eq!(again.kept, first);
    assert!(matches!(push(&draft("Another"), "a1"), Err(DocketError::Taken { .. })));
    // The same content, also with a deadline that was reckoned anew.
    let again = push(&PetitionDraft { deadline: Some(later(99_999)), ..draft("Plan a1") }, "b2").unwrap();
    assert_eq!((again.again, &*again.kept.petition.id.0), (true, "a1"));
    // Another agent's.
    let other = PetitionDraft { agent: Arc::from("cto"), ..draft("Plan a1") };
    assert!(!push(&other, "c3").unwrap().again);
    // The same key, whatever it says.
    let keyed = |title: &str| PetitionDraft { key: Some(Arc::from("k")), ..draft(title) };
    assert!(!push(&keyed("One"), "d4").unwrap().again);
    assert_eq!(&*push(&keyed("Two"), "e5").unwrap().kept.petition.id.0, "d4");
    assert_eq!(house.ledger().len(), 3);
    house.assert_clean();
}

#[test]
fn the_same_content_can_be_asked_again_when_the_first_is_over_and_the_same_key_cannot() {
    let house = House::new();
    let keyed = PetitionDraft { key: Some(Arc::from("k")), ..draft("Keyed") };
    for (draft, id) in [(&draft("Plain"), "a1"), (&keyed, "b2")] {
        house.docket.push(draft, PetitionId::from(id), &agent(), NOON).unwrap();
        house.docket.withdraw(&PetitionId::from(id), "", &agent(), NOON).unwrap();
    }
    let push =
        |draft: &PetitionDraft, id: &str| house.docket.push(draft, PetitionId::from(id), &agent(), later(9));
    assert!(!push(&draft("Plain"), "c3").unwrap().again);
    assert!(push(&keyed, "d4").unwrap().again);
}

#[test]
fn an_id_that_looks_like_a_path_is_only_a_name() {
    let house = House::new();
    let id = "/../../x";
    let kept = house.ask(id);
    assert_eq!(house.names("pending"), ["ceo-plan-x-x.md"]);
    house.answer(id, "auth", "yes").unwrap();
    house.answer(id, "cache", "no").unwrap();
    house.docket.submit(&kept.petition.id, &ada(), later(2_000)).unwrap();
    assert_eq!(house.names("completed"), ["ceo-plan-x-x.md"]);
    assert_eq!(house.names("notify").len(), 1);
    assert_eq!(house.find(id).petition.status(), PetitionStatus::Completed);
    assert_eq!(house.names_in(house.home()), ["ledger.jsonl", "queue"]);
    house.assert_clean();
}

#[test]
fn ids_that_look_alike_as_names_get_files_of_their_own() {
    let house = House::new();
    for id in ["x", "/x", "x/"] {
        let draft = PetitionDraft { tag: Arc::from(id), ..draft("T") };
        house.docket.push(&draft, PetitionId::from(id), &agent(), NOON).unwrap();
    }
    assert_eq!(house.names("pending"), ["ceo-t-x-2.md", "ceo-t-x-3.md", "ceo-t-x.md"]);
    assert_eq!(house.find("/x").petition.id, PetitionId::from("/x"));
    house.assert_clean();
}

#[test]
fn a_petition_is_found_by_the_beginning_of_its_id_and_by_its_tag() {
    let house = House::new();
    for id in ["abc1", "abd2", "abc"] {
        house.ask(id);
    }
    assert_eq!(&*house.find("abd").petition.id.0, "abd2");
    assert_eq!(&*house.find("abc").petition.id.0, "abc");
    assert!(
        matches!(house.docket.find("ab", NOON), Err(DocketError::Ambiguous { candidates, .. }) if candidates.len() == 3)
    );
    assert!(matches!(house.docket.find("x", NOON), Err(DocketError::Unknown { .. })));
    assert!(matches!(house.docket.find("", NOON), Err(DocketError::Unknown { .. })));
    let newer = PetitionDraft { tag: Arc::from("shop"), ..draft("Newer") };
    house.docket.push(&newer, PetitionId::from("new1"), &agent(), later(50)).unwrap();
    assert_eq!(&*house.docket.tagged("shop", NOON).unwrap().petition.id.0, "new1");
    assert!(matches!(house.docket.tagged("none", NOON), Err(DocketError::Unknown { .. })));
}

#[test]
fn at_the_deadline_defaults_are_a_policys_and_the_rest_expires() {
    let house = House::new();
    let mut with_default = draft("Defaults");
    with_default.deadline = Some(later(1_000));
    with_default.decisions.iter_mut().for_each(|d| d.default = Some(Arc::from("no")));
    let mut without = draft("None");
    without.deadline = Some(later(1_000));
    house.docket.push(&with_default, PetitionId::from("a1"), &agent(), NOON).unwrap();
    house.docket.push(&without, PetitionId::from("b2"), &agent(), NOON).unwrap();
    assert_eq!(house.docket.queue(later(999)).unwrap().petitions.len(), 2);
    assert_eq!(house.docket.queue(later(1_000)).unwrap().petitions.len(), 0);
    assert_eq!(
        house.ledger()[2..],
        [
            "a1 answered auth no policy:default policy",
            "a1 answered cache no policy:default policy",
            "a1 submitted policy:deadline policy",
            "b2 expired policy:deadline policy"
        ]
    );
    assert_eq!(house.find("a1").petition.status(), PetitionStatus::Completed);
    assert_eq!(house.find("b2").petition.status(), PetitionStatus::Expired);
    assert_eq!(house.names("completed").len(), 2);
    house.assert_clean();
}

#[test]
fn an_answer_after_the_deadline_is_late_even_if_nobody_looked_before() {
    let house = House::new();
    let due = PetitionDraft { deadline: Some(later(500)), ..draft("Due") };
    house.docket.push(&due, PetitionId::from("a1"), &agent(), NOON).unwrap();
    let kept = house.answer("a1", "auth", "yes").unwrap();
    assert_eq!(kept.petition.status(), PetitionStatus::Expired);
    assert_eq!(
        house.ledger()[1..],
        ["a1 expired policy:deadline policy", "a1 late auth yes human:cli:ada cli"]
    );
    assert_eq!(kept.place, PetitionPlace::Completed);
    house.assert_clean();
}

#[test]
fn of_answers_at_the_same_time_one_stands() {
    let house = House::new();
    let decisions = (0..4).map(|n| decision(&format!("d{n}"))).collect();
    house
        .docket
        .push(&PetitionDraft { decisions, ..draft("Race") }, PetitionId::from("a1"), &agent(), NOON)
        .unwrap();
    let acknowledged: usize = std::thread::scope(|scope| {
        let race = |text: &'static str| {
            let docket = house.another();
            move || (0..4).filter(|n| answer(&docket, "a1", &format!("d{n}"), text).is_ok()).count()
        };
        let threads: Vec<_> =
            ["yes", "no", "yes", "no"].into_iter().map(|text| scope.spawn(race(text))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(acknowledged, 4);
    assert_eq!(house.ledger().len(), 5);
    assert_eq!(house.find("a1").petition.status(), PetitionStatus::Ready);
    house.assert_clean();
}

#[test]
fn a_docket_that_was_never_used_is_empty_and_looking_makes_nothing() {
    let house = House::new();
    assert_eq!(house.docket.queue(NOON).unwrap(), docket::Queue::default());
    assert!(matches!(house.docket.find("a1", NOON), Err(DocketError::Unknown { .. })));
    assert_eq!(house.docket.records(1).unwrap(), []);
    house.assert_clean();
    assert!(!fs::exists(house.queue()).unwrap());
    assert!(matches!(house.answer("a1", "auth", "yes"), Err(DocketError::Unknown { .. })));
}

#[test]
fn the_last_moment_of_a_clock_that_is_wrong_can_be_recorded() {
    let house = House::new();
    let far = mind::Timestamp(u64::MAX);
    house.docket.push(&draft("Far"), PetitionId::from("a1"), &agent(), far).unwrap();
    house
        .docket
        .answer(&PetitionId::from("a1"), "auth", words("yes"), &SeenQuestion::default(), &ada(), far)
        .unwrap();
    assert_eq!(house.ledger().len(), 2);
    house.assert_clean();
}
