//! Handing over: one decision or all of a petition goes to another person, in the ledger first and then in the file.

use std::sync::Arc;

use docket::text::PetitionText;
use docket::{Docket, DocketError, StoredPetition};
use mind::actor::{Actor, Door};
use mind::petition::{AssignmentRule, PetitionDraft, PetitionId, PetitionRefusal, SeenQuestion};

use super::house::{House, NOON, ada, agent, draft, fs, later, refusal, stands, words};

fn assign(docket: &Docket, decision: Option<&str>, to: &str) -> Result<StoredPetition, DocketError> {
    docket.assign(&PetitionId::from("a1"), decision, to, &ada(), later(1_000))
}

fn asked(kept: &StoredPetition, decision: &str) -> String {
    let decision = kept.petition.decision(decision).expect("it is there");
    kept.petition.assignee(decision).map_or("anyone", |name| name).to_owned()
}

#[test]
fn what_is_handed_over_is_in_the_ledger_and_in_the_file() {
    let house = House::new();
    let before = house.text(&house.ask("a1"));
    let kept = assign(&house.docket, Some("cache"), "sam").unwrap();
    assert_eq!((asked(&kept, "auth"), asked(&kept, "cache")), ("anyone".to_owned(), "sam".to_owned()));
    let after = house.text(&kept);
    let added: Vec<&str> = after.lines().filter(|line| !before.lines().any(|other| other == *line)).collect();
    assert_eq!(added, ["updated_at: 2027-01-15T08:00:01Z", "assignee: sam"]);
    assert!(
        after.contains("id: cache\nstatus: pending\nanswer: null\nanswered_at: null\nassignee: sam\n"),
        "{after}"
    );
    let kept = assign(&house.docket, None, "Kim: the \"second\"").unwrap();
    assert_eq!(asked(&kept, "auth"), "Kim: the \"second\"");
    let sheet = PetitionText::read(house.text(&kept).as_bytes(), NOON).unwrap();
    assert_eq!(*sheet.petition(), kept.petition);
    assert_eq!(house.ledger()[1..], ["a1 assigned cache human:cli:ada cli", "a1 assigned human:cli:ada cli"]);
    assert_eq!(house.find("a1"), kept);
    let queue = house.docket.queue(later(2_000)).unwrap();
    assert_eq!(queue.petitions[0].assignee.as_deref(), Some("Kim: the \"second\""));
    house.assert_clean();
}

#[test]
fn handing_over_twice_to_one_person_is_recorded_once() {
    let house = House::new();
    house.ask("a1");
    assign(&house.docket, None, "sam").unwrap();
    assert_eq!(
        refusal(assign(&house.docket, None, " sam")),
        PetitionRefusal::AlreadyAssigned(Arc::from("sam"))
    );
    assert_eq!(house.ledger().len(), 2);
    assert_eq!(refusal(assign(&house.docket, None, "")), PetitionRefusal::NotAName);
    let by_agent = house.docket.assign(&PetitionId::from("a1"), None, "ada", &agent(), NOON);
    assert_eq!(refusal(by_agent), PetitionRefusal::AgentAssigns);
    house.assert_clean();
}

#[test]
fn a_file_that_names_somebody_else_later_is_brought_in_line() {
    let house = House::new();
    let asked_ada = PetitionDraft { assignee: Some(Arc::from("ada")), ..draft("Plan") };
    let kept = house.docket.push(&asked_ada, PetitionId::from("a1"), &agent(), NOON).unwrap().kept;
    // Before anybody handed it over, the file says who is asked.
    house.overwrite(&kept, &house.text(&kept).replace("assignee: ada", "assignee: bob"));
    assert_eq!(asked(&house.find("a1"), "auth"), "bob");
    let old = house.text(&kept);
    let kept = assign(&house.docket, None, "sam").unwrap();
    let kept = house.docket.assign(&kept.petition.id, Some("auth"), "kim", &ada(), later(1_500)).unwrap();
    house.answer("a1", "cache", "yes").unwrap();
    let whole = house.text(&kept);
    // Another program writes its old copy over it.
    house.overwrite(&kept, &old);
    assert!(!house.faults().is_empty());
    let found = house.find("a1");
    assert_eq!((asked(&found, "cache"), asked(&found, "auth")), ("sam".to_owned(), "kim".to_owned()));
    assert_eq!(stands(&found, "cache").as_deref(), Some("yes by human:cli:ada"));
    assert!(whole.contains("assignee: sam") && house.text(&found).contains("assignee: kim"));
    assert_eq!(house.ledger().len(), 4);
    house.assert_clean();
}

#[test]
fn verify_names_a_file_that_says_another_assignee() {
    let house = House::new();
    house.ask("a1");
    let kept = assign(&house.docket, Some("auth"), "sam").unwrap();
    fs::write(&kept.file, house.text(&kept).replace("assignee: sam", "assignee: eve")).unwrap();
    let faults = house.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].ends_with("auth: it was handed to sam, and its file does not say so"), "{faults:?}");
}

#[test]
fn an_answer_instead_of_the_assignee_is_in_the_ledger_and_in_the_file() {
    let house = House::new();
    house.ask("a1");
    assign(&house.docket, Some("auth"), "sam").unwrap();
    let id = PetitionId::from("a1");
    let binding =
        SeenQuestion { assignment: AssignmentRule::Binding { names: Vec::new() }, ..SeenQuestion::default() };
    let answer = |seen: &SeenQuestion, by: &Actor| {
        house.docket.answer(&id, "auth", words("yes"), seen, by, later(2_000))
    };
    assert_eq!(refusal(answer(&binding, &ada())), PetitionRefusal::AssignedTo(Arc::from("sam")));
    let instead = SeenQuestion { instead_of: Some(Arc::from("sam")), ..binding };
    let kept = answer(&instead, &ada()).unwrap();
    let given = kept.petition.decision("auth").and_then(|auth| auth.answer.clone()).unwrap();
    assert_eq!(given.instead_of.as_deref(), Some("sam"));
    assert!(house.text(&kept).contains("via: cli\ninstead_of: sam\n"), "{}", house.text(&kept));
    assert_eq!(house.find("a1"), kept);
    house.assert_clean();
    // Whoever answers anew for themselves leaves no trace of it in the file; the ledger keeps both.
    let sam = Actor::human(Door::Cli, "sam");
    let seen = SeenQuestion { answer: mind::petition::SeenAnswer::Any, ..SeenQuestion::default() };
    let kept = house.docket.answer(&id, "auth", words("no"), &seen, &sam, later(3_000)).unwrap();
    assert!(!house.text(&kept).contains("instead_of"));
    house.assert_clean();
}

#[test]
fn a_hand_edit_that_says_in_whose_place_is_adopted_so() {
    let house = House::new();
    house.ask("a1");
    let kept = assign(&house.docket, None, "sam").unwrap();
    let by_hand = |name: &str, text: &str| {
        text.replacen("answer: null", &format!("answer: yes\ninstead_of: {name}"), 1)
    };
    house.overwrite(&kept, &by_hand("sam", &house.text(&kept)));
    let given =
        |kept: &StoredPetition, id: &str| kept.petition.decision(id).and_then(|d| d.answer.clone()).unwrap();
    let found = house.find("a1");
    assert_eq!(given(&found, "auth").instead_of.as_deref(), Some("sam"));
    // Nobody of that name is asked: the answer counts, and the name does not.
    house.overwrite(&kept, &by_hand("eve", &house.text(&found)));
    let found = house.find("a1");
    assert_eq!(given(&found, "cache").instead_of, None);
    assert!(!house.text(&found).contains("eve"));
    house.assert_clean();
}

#[test]
fn whom_a_petition_turns_to_stays_as_it_was_written() {
    let house = House::new();
    let turns = PetitionDraft {
        escalate: vec![Arc::from("telegram"), Arc::from("ada, or bob"), Arc::from("1e5")],
        ..draft("Plan")
    };
    let kept = house.docket.push(&turns, PetitionId::from("a1"), &agent(), NOON).unwrap().kept;
    assert_eq!(kept.petition.escalate, turns.escalate);
    assert!(house.text(&kept).contains("escalate: [telegram, \"ada, or bob\", \"1e5\"]\n"));
    for (written, names) in [
        ("escalate:   [ telegram ,ada ]  # first the phone", &["telegram", "ada"][..]),
        ("escalate:\n  - telegram\n  - 'ada: b'", &["telegram", "ada: b"]),
        ("escalate: ada", &["ada"]),
        ("escalate: {to: ada}", &[]),
        ("escalate:", &[]),
    ] {
        let line = "escalate: [telegram, \"ada, or bob\", \"1e5\"]";
        let text = house.text(&kept).replace(line, written);
        let read = PetitionText::read(text.as_bytes(), NOON).unwrap();
        assert_eq!(read.petition().escalate.iter().map(|name| &**name).collect::<Vec<_>>(), names);
        let change = read.petition().answer("auth", words("yes"), &SeenQuestion::default(), &ada()).unwrap();
        assert!(read.with(&change, &ada(), later(1)).unwrap().text().contains(written), "{written}");
    }
    house.assert_clean();
}
