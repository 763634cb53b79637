//! Hands and other programs write to the same files, without our lock: what they mean is adopted, what they overwrote is
//! restored, and what is no petition is named.

use docket::{DocketError, PetitionPlace};
use mind::petition::{PetitionId, PetitionStatus};

use super::house::{House, NOON, ada, agent, draft, fs, hand, later, stands};

/// A hand's edit of one decision: its answer, and nothing else.
fn edited(text: &str, decision: &str, answer: &str) -> String {
    let mut inside = false;
    let lines = text.lines().map(|line| {
        if let Some(id) = line.strip_prefix("id: ") {
            inside = id == decision;
        }
        match inside && line.starts_with("answer:") {
            true => format!("answer: {answer}"),
            false => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn an_answer_by_hand_is_adopted() {
    let house = House::new();
    let kept = house.ask("a1");
    house.overwrite(&kept, &edited(&house.text(&kept), "auth", "yes"));
    assert_eq!(house.faults(), ["ceo-plan-a1-a1.md: auth: its answer is not yet recorded"]);
    let kept = house.find("a1");
    assert_eq!(stands(&kept, "auth"), Some(format!("yes by {}", hand())));
    assert_eq!(house.ledger()[1], format!("a1 answered auth yes {} file", hand()));
    assert!(house.text(&kept).contains("via: file"));
    assert!(house.text(&kept).contains("answered: 1"));
    house.assert_clean();
}

#[test]
fn a_change_by_hand_is_adopted() {
    let house = House::new();
    house.ask("a1");
    let kept = house.answer("a1", "auth", "yes").unwrap();
    house.overwrite(&kept, &edited(&house.text(&kept), "auth", "no"));
    assert_eq!(house.faults().len(), 1);
    assert_eq!(house.docket.queue(later(3_000)).unwrap().petitions.len(), 1);
    assert_eq!(stands(&house.find("a1"), "auth"), Some(format!("no by {}", hand())));
    assert_eq!(house.ledger()[2], format!("a1 changed auth no {} file", hand()));
    house.assert_clean();
}

#[test]
fn an_answer_that_was_overwritten_is_restored() {
    let house = House::new();
    let before = house.ask("a1");
    let old = house.text(&before);
    let answered = house.answer("a1", "auth", "yes").unwrap();
    house.overwrite(&answered, &old);
    assert_eq!(house.faults(), ["ceo-plan-a1-a1.md: auth: the answer of the ledger is not in the file"]);
    assert_eq!(house.find("a1"), answered);
    assert_eq!(house.ledger().len(), 2);
    house.assert_clean();
}

#[test]
fn a_stale_copy_does_not_bring_an_older_answer_back() {
    let house = House::new();
    house.ask("a1");
    let first = house.answer("a1", "auth", "yes").unwrap();
    let old = house.text(&first);
    let changed = house.change("a1", "auth", "no", later(2_000)).unwrap();
    house.overwrite(&changed, &old);
    assert_eq!(stands(&house.find("a1"), "auth"), Some("no by human:cli:ada".to_owned()));
    assert_eq!(house.ledger().len(), 3);
    house.assert_clean();
    // A hand that goes back to it means it.
    house.overwrite(&changed, &edited(&house.text(&changed), "auth", "yes"));
    assert_eq!(stands(&house.find("a1"), "auth"), Some(format!("yes by {}", hand())));
    assert_eq!(house.ledger().len(), 4);
    house.assert_clean();
}

#[test]
fn whoever_claims_in_the_file_to_be_somebody_else_is_not_believed() {
    let house = House::new();
    house.ask("a1");
    let kept = house.answer("a1", "auth", "yes").unwrap();
    house.overwrite(&kept, &house.text(&kept).replace("human:cli:ada", "human:cli:eve"));
    assert_eq!(house.faults(), ["ceo-plan-a1-a1.md: auth: who answered or when differs from the ledger"]);
    assert_eq!(house.find("a1"), kept);
    house.assert_clean();
}

#[test]
fn where_a_human_is_required_an_edit_of_the_file_does_not_count() {
    let house = House::new();
    let mut draft = draft("Approve");
    draft.decisions[0].requires_human = true;
    let kept = house.docket.push(&draft, PetitionId::from("a1"), &agent(), NOON).unwrap().kept;
    let asked = house.text(&kept);
    house.overwrite(&kept, &edited(&asked, "auth", "yes"));
    let found = house.find("a1");
    assert_eq!(stands(&found, "auth"), None);
    assert!(!house.text(&found).contains("answer: yes"));
    assert_eq!(house.ledger().len(), 1);
    house.assert_clean();
    // Nor does it change what a person said.
    let kept = house.answer("a1", "auth", "yes").unwrap();
    house.overwrite(&kept, &edited(&house.text(&kept), "auth", "no"));
    assert_eq!(house.find("a1"), kept);
    assert_eq!(house.ledger().len(), 2);
    house.assert_clean();
}

#[test]
fn a_text_by_hand_where_only_options_count_is_taken_back() {
    let house = House::new();
    let mut draft = draft("Options");
    draft.decisions[0].allow_custom = Some(false);
    let kept = house.docket.push(&draft, PetitionId::from("a1"), &agent(), NOON).unwrap().kept;
    house.overwrite(&kept, &edited(&house.text(&kept), "auth", "maybe"));
    assert_eq!(stands(&house.find("a1"), "auth"), None);
    house.assert_clean();
}

#[test]
fn a_file_of_another_program_is_taken_in() {
    let house = House::new();
    house.ask("known");
    let text = house.text(&house.find("known")).replace("id: known", "id: foreign");
    fs::write(house.queue().join("pending/whatever.md"), edited(&text, "cache", "no")).unwrap();
    assert_eq!(house.faults(), ["whatever.md: not yet recorded: the ledger does not know that it was asked"]);
    let queue = house.docket.queue(later(1_000)).unwrap();
    assert_eq!(queue.petitions.len(), 2);
    assert_eq!(
        house.ledger()[1..],
        ["foreign asked agent:ceo file".to_owned(), format!("foreign answered cache no {} file", hand())]
    );
    house.answer("foreign", "auth", "yes").unwrap();
    house.docket.submit(&PetitionId::from("foreign"), &ada(), later(2_000)).unwrap();
    assert_eq!(house.names("completed"), ["whatever.md"]);
    house.assert_clean();
}

#[test]
fn an_answer_to_a_file_that_nobody_saw_yet_takes_it_in_first() {
    let house = House::new();
    house.ask("known");
    let text = house.text(&house.find("known")).replace("id: known", "id: foreign");
    fs::write(house.queue().join("pending/whatever.md"), text).unwrap();
    house.answer("foreign", "auth", "yes").unwrap();
    assert_eq!(house.ledger().len(), 3);
    assert!(matches!(house.answer("nobody", "auth", "yes"), Err(DocketError::Unknown { .. })));
    house.assert_clean();
}

#[test]
fn what_another_program_submitted_is_recorded() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    let kept = house.find("a1");
    let text = edited(&house.text(&kept), "cache", "no").replace("status: in_progress", "status: completed");
    fs::write(house.queue().join("completed/ceo-plan-a1-a1.md"), text).unwrap();
    fs::remove_file(&kept.file).unwrap();
    assert_eq!(house.docket.queue(later(3_000)).unwrap().petitions, []);
    assert_eq!(
        house.ledger()[2..],
        [format!("a1 answered cache no {} file", hand()), format!("a1 submitted {} file", hand())]
    );
    assert_eq!(house.names("notify").len(), 1);
    let kept = house.find("a1");
    assert_eq!((kept.place, kept.petition.status()), (PetitionPlace::Completed, PetitionStatus::Completed));
    house.assert_clean();
}

#[test]
fn what_was_moved_away_and_is_still_open_comes_back() {
    let house = House::new();
    let kept = house.ask("a1");
    let moved = house.queue().join("completed/ceo-plan-a1-a1.md");
    fs::rename(&kept.file, &moved).unwrap();
    let queue = house.docket.queue(later(3_000)).unwrap();
    assert_eq!(queue.petitions.len(), 1);
    assert_eq!(house.names("pending"), ["ceo-plan-a1-a1.md"]);
    house.assert_clean();
}

#[test]
fn a_stale_copy_of_what_is_over_is_not_asked_again() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    let kept = house.answer("a1", "cache", "no").unwrap();
    let old = house.text(&kept);
    let done = house.docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).unwrap();
    house.overwrite(&kept, &edited(&old, "auth", "no"));
    let queue = house.docket.queue(later(3_000)).unwrap();
    assert_eq!((queue.petitions, queue.faults), (vec![], vec![]));
    assert_eq!(house.names("pending"), Vec::<String>::new());
    assert_eq!(house.find("a1").petition, done.petition);
    assert_eq!(house.ledger().len(), 4);
    house.assert_clean();
}

#[test]
fn a_late_answer_by_hand_is_kept_as_late() {
    let house = House::new();
    house.ask("a1");
    let kept = house.docket.withdraw(&PetitionId::from("a1"), "", &agent(), NOON).unwrap();
    house.overwrite(&kept, &edited(&house.text(&kept), "auth", "yes"));
    let kept = house.find("a1");
    assert!(kept.petition.decision("auth").unwrap().answer.as_ref().unwrap().late);
    assert_eq!(house.ledger()[2], format!("a1 late auth yes {} file", hand()));
    house.assert_clean();
}

#[test]
fn a_file_that_is_no_petition_is_named_and_read_when_it_is_mended() {
    let house = House::new();
    house.ask("a1");
    let kept = house.ask("b2");
    let text = house.text(&kept);
    house.overwrite(&kept, "---\nid: b2\n---\nno decision\n");
    let queue = house.docket.queue(NOON).unwrap();
    assert_eq!(queue.petitions.len(), 1);
    assert_eq!(queue.faults.len(), 1);
    assert_eq!(queue.faults[0].file, kept.file);
    assert!(matches!(house.answer("b2", "auth", "yes"), Err(DocketError::Malformed { .. })));
    assert!(house.faults()[0].contains("malformed"));
    house.overwrite(&kept, &text);
    assert_eq!(house.docket.queue(NOON).unwrap().petitions.len(), 2);
    house.answer("b2", "auth", "yes").unwrap();
    house.assert_clean();
}

#[test]
fn a_second_file_with_the_same_id_is_named() {
    let house = House::new();
    let kept = house.ask("a1");
    for name in ["aa.md", "zz.md"] {
        fs::copy(&kept.file, house.queue().join("pending").join(name)).unwrap();
    }
    let queue = house.docket.queue(NOON).unwrap();
    assert_eq!(queue.petitions.len(), 1);
    let why: Vec<&str> = queue.faults.iter().map(|fault| &*fault.why).collect();
    assert_eq!(why, ["the id is also in ceo-plan-a1-a1.md"; 2]);
    // Two that are both new: the first by name is taken.
    let text = house.text(&kept).replace("id: a1", "id: b2");
    for name in ["m.md", "n.md"] {
        fs::write(house.queue().join("pending").join(name), &text).unwrap();
    }
    let queue = house.docket.queue(NOON).unwrap();
    assert_eq!(queue.petitions.len(), 2);
    assert!(queue.faults.iter().any(|fault| fault.why == "the id is also in m.md"));
}

#[test]
fn a_file_that_a_hand_renamed_is_the_same_petition() {
    let house = House::new();
    let kept = house.ask("a1");
    fs::rename(&kept.file, house.queue().join("pending/mine.md")).unwrap();
    let kept = house.answer("a1", "auth", "yes").unwrap();
    assert_eq!(kept.file, house.queue().join("pending/mine.md"));
    assert_eq!(house.docket.queue(NOON).unwrap().petitions.len(), 1);
    assert_eq!(house.ledger().len(), 2);
    house.assert_clean();
}

#[test]
fn a_file_that_was_deleted_is_gone() {
    let house = House::new();
    let kept = house.ask("a1");
    fs::remove_file(&kept.file).unwrap();
    assert!(matches!(house.answer("a1", "auth", "yes"), Err(DocketError::Gone { .. })));
    assert!(matches!(house.docket.find("a1", NOON), Err(DocketError::Gone { .. })));
    assert_eq!(house.docket.queue(NOON).unwrap().petitions, []);
    assert_eq!(house.faults(), ["a1: it is open, and its file is gone"]);
    // Its asker may ask again.
    assert!(!house.docket.push(&draft("Plan a1"), PetitionId::from("b2"), &agent(), NOON).unwrap().again);
}

#[test]
fn what_was_over_before_we_came_can_be_read() {
    let house = House::new();
    let kept = house.ask("a1");
    let text = house.text(&kept).replace("id: a1", "id: old77");
    fs::write(house.queue().join("completed/ceo-x-old77.md"), text).unwrap();
    let found = house.find("old77");
    assert_eq!((found.place, found.records.len()), (PetitionPlace::Completed, 0));
    assert_eq!(house.ledger().len(), 1);
    house.assert_clean();
}

#[test]
fn an_edit_that_is_of_the_same_size_and_moment_is_still_seen() {
    let house = House::new();
    house.ask("a1");
    house.docket.queue(NOON).unwrap();
    for round in 0..50u64 {
        let kept = house.change("a1", "auth", "a", later(round * 10 + 1)).unwrap();
        // In place and at once: the clock of the files has hardly moved.
        let text = house.text(&kept);
        fs::write(&kept.file, edited(&text, "auth", "b")).unwrap();
        house.docket.queue(later(round * 10 + 2)).unwrap();
        assert!(house.ledger().last().unwrap().contains("changed auth b"), "round {round}");
    }
    house.assert_clean();
}

#[test]
fn a_thousand_files_at_once_are_taken_in_together() {
    let house = House::new();
    let text = house.text(&house.ask("a1"));
    for n in 0..1_000 {
        let text = text.replace("id: a1", &format!("id: foreign{n}"));
        house.replace(&house.queue().join(format!("pending/f{n}.md")), &text);
    }
    let before = house.docket.syncs();
    let queue = house.docket.queue(later(1_000)).unwrap();
    assert_eq!((queue.petitions.len(), queue.faults.len()), (1_001, 0));
    assert_eq!(house.docket.syncs() - before, 1);
    assert_eq!(house.ledger().len(), 1_001);
    house.assert_clean();
}
