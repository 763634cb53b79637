//! An answer counts for the question that it was given to, and for no other.

use std::sync::Arc;

use docket::PetitionPlace;
use mind::petition::{AnswerChoice, PetitionDraft, PetitionEnd, PetitionId, PetitionRefusal, SeenQuestion};

use super::house::{House, NOON, ada, agent, draft, fs, later, refusal};

/// Everything of `a1` is answered, and then the label of an option says something else.
fn changed(draft: &PetitionDraft, choice: &AnswerChoice) -> House {
    let house = House::new();
    let id = PetitionId::from("a1");
    house.docket.push(draft, id.clone(), &agent(), NOON).expect("it works here");
    for decision in ["auth", "cache"] {
        let answered = house.docket.answer(
            &id,
            decision,
            choice.clone(),
            &SeenQuestion::default(),
            &ada(),
            later(1_000),
        );
        answered.expect("it works here");
    }
    let kept = house.find("a1");
    house.overwrite(&kept, &house.text(&kept).replacen("yes it is", "Yes, and drop the table", 1));
    house
}

fn yes() -> AnswerChoice {
    AnswerChoice::Answer(Arc::from("yes"))
}

#[test]
fn what_was_answered_before_its_question_was_changed_is_not_submitted() {
    let house = changed(&draft("Plan"), &yes());
    let id = PetitionId::from("a1");
    for _ in 0..2 {
        let refused = refusal(house.docket.submit(&id, &ada(), later(6_000)));
        assert_eq!(refused, PetitionRefusal::QuestionChanged);
    }
    assert_eq!(house.find("a1").place, PetitionPlace::Pending);
    // Whoever reads it again and answers it anew may.
    house.change("a1", "auth", "yes", later(7_000)).unwrap();
    let kept = house.docket.submit(&id, &ada(), later(8_000)).unwrap();
    assert_eq!(kept.place, PetitionPlace::Completed);
    house.assert_clean();
}

#[test]
fn a_skip_leaves_it_to_the_asker_whatever_it_asks() {
    let house = changed(&draft("Plan"), &AnswerChoice::Skipped);
    let kept = house.docket.submit(&PetitionId::from("a1"), &ada(), later(6_000)).unwrap();
    assert_eq!(kept.place, PetitionPlace::Completed);
}

#[test]
fn at_its_deadline_it_expires_instead_of_being_submitted() {
    let due = PetitionDraft { deadline: Some(later(60_000)), ..draft("Plan") };
    let house = changed(&due, &yes());
    let closed = house.docket.find("a1", later(60_000)).unwrap().petition.closed.unwrap();
    assert_eq!(closed.end, PetitionEnd::Expired);
    assert_eq!(closed.why.as_deref(), Some("a question was changed after it was answered"));
}

#[test]
fn another_program_does_not_submit_it_either() {
    let house = changed(&draft("Plan"), &yes());
    let kept = house.find("a1");
    let text = house.text(&kept).replacen("status: in_progress", "status: completed", 1);
    assert_ne!(text, house.text(&kept));
    let file = house.queue().join("completed").join(kept.file.file_name().unwrap());
    house.replace(&file, &text);
    fs::remove_file(&kept.file).unwrap();
    let found = house.find("a1");
    assert_eq!((found.place, found.petition.closed), (PetitionPlace::Pending, None));
}
