//! Taking a petition back: whose it is, and what becomes of one whose file is gone.

use std::sync::Arc;

use docket::{DocketError, PetitionPlace};
use mind::actor::Actor;
use mind::petition::{PetitionDraft, PetitionEnd, PetitionId, PetitionRefusal};

use super::house::{House, NOON, ada, agent, draft, fs, later};

fn named(name: &str) -> Actor {
    Actor::Agent(Arc::from(name))
}

fn withdraw(house: &House, id: &str, by: &Actor) -> Result<docket::StoredPetition, DocketError> {
    house.docket.withdraw(&PetitionId::from(id), "not needed", by, later(1_000))
}

#[test]
fn an_agent_withdraws_only_what_it_asked_itself() {
    let house = House::new();
    house.ask("a1");
    house.ask("b2");
    for name in ["bob", "arbiter", "CEO", ""] {
        let refused = withdraw(&house, "a1", &named(name));
        assert!(matches!(refused, Err(DocketError::NotYours { agent, .. }) if &*agent == "ceo"), "{name}");
    }
    assert_eq!(house.find("a1").petition.closed, None);
    assert_eq!(house.ledger(), ["a1 asked agent:ceo cli", "b2 asked agent:ceo cli"]);
    withdraw(&house, "a1", &agent()).unwrap();
    withdraw(&house, "b2", &ada()).unwrap();
    house.assert_clean();
}

#[test]
fn the_house_withdraws_what_its_missions_asked() {
    let house = House::new();
    let of_mission = PetitionDraft { mission: Some(Arc::from("m1")), ..draft("Plan") };
    house.docket.push(&of_mission, PetitionId::from("a1"), &named("arbiter"), NOON).unwrap();
    assert!(matches!(withdraw(&house, "a1", &named("bob")), Err(DocketError::NotYours { .. })));
    let kept = withdraw(&house, "a1", &named("arbiter")).unwrap();
    assert_eq!(kept.petition.closed.map(|closed| closed.end), Some(PetitionEnd::Withdrawn));
}

#[test]
fn a_petition_whose_file_was_removed_is_settled_by_withdrawing_it() {
    let house = House::new();
    let kept = house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    house.ask("b2");
    fs::remove_file(&kept.file).unwrap();
    assert_eq!(house.faults(), ["a1: it is open, and its file is gone"]);
    assert!(matches!(withdraw(&house, "a1", &named("bob")), Err(DocketError::NotYours { .. })));
    let settled = withdraw(&house, "a1", &ada()).unwrap();
    assert_eq!(settled.petition.closed.as_ref().map(|closed| closed.end), Some(PetitionEnd::Withdrawn));
    assert_eq!((settled.petition.decisions.len(), settled.records.len()), (0, 3));
    assert_eq!(house.ledger().last().unwrap(), "a1 withdrawn human:cli:ada cli");
    house.assert_clean();
    // It is over: nobody settles it twice, and whoever brings the file back finds that.
    let again = withdraw(&house, "a1", &ada());
    assert!(
        matches!(again, Err(DocketError::Refused { refusal: PetitionRefusal::Closed(_), .. })),
        "{again:?}"
    );
    fs::write(&kept.file, "").unwrap();
    house.overwrite(&kept, docket::text::PetitionText::write(&kept.petition).text());
    let back = house.find("a1");
    assert_eq!(
        (back.place, back.petition.closed.map(|closed| closed.end)),
        (PetitionPlace::Completed, Some(PetitionEnd::Withdrawn))
    );
    house.assert_clean();
}

#[test]
fn the_house_settles_what_its_mission_asked_and_somebody_removed() {
    let house = House::new();
    let of_mission = PetitionDraft { mission: Some(Arc::from("m1")), ..draft("Plan") };
    let kept = house.docket.push(&of_mission, PetitionId::from("a1"), &named("arbiter"), NOON).unwrap().kept;
    fs::remove_file(&kept.file).unwrap();
    withdraw(&house, "a1", &named("arbiter")).unwrap();
    house.assert_clean();
}

#[test]
fn what_nobody_ever_asked_is_unknown() {
    let house = House::new();
    house.ask("a1");
    assert!(matches!(withdraw(&house, "zz", &ada()), Err(DocketError::Unknown { .. })));
}

#[test]
fn settling_what_is_gone_is_done_whole_or_not_at_all() {
    let mut ended = 0;
    for (fall, steps) in House::falls().iter().flat_map(|fall| (0..40).map(move |steps| (*fall, steps))) {
        let house = House::new();
        let kept = house.ask("a1");
        fs::remove_file(&kept.file).unwrap();
        house.settle();
        let id = PetitionId::from("a1");
        let told = house.faltering(steps).withdraw(&id, "not needed", &ada(), later(1_000)).is_ok();
        house.fall(fall);
        // The act of a caller that was not told is done when it is repeated, whether it was recorded or not.
        let again = withdraw(&house, "a1", &ada());
        let is_over = |told: &Result<_, DocketError>| matches!(told, Err(DocketError::Refused { .. }));
        assert!(again.is_ok() || told && is_over(&again), "{steps}: {again:?}");
        let asked_twice = withdraw(&house, "a1", &ada());
        assert!(is_over(&asked_twice), "{steps}: {asked_twice:?}");
        assert_eq!(house.ledger().len(), 2, "{steps}");
        house.assert_clean();
        ended += usize::from(told);
    }
    assert!(ended >= House::falls().len());
}
