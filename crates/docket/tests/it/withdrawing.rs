//! Taking a petition back: whose it is, and what becomes of one whose file is gone.

use std::sync::Arc;

use docket::DocketError;
use mind::petition::{By, Draft, End, PetitionId};

use crate::house::{House, NOON, ada, agent, draft, later};

fn named(name: &str) -> By {
    By::Agent(Arc::from(name))
}

fn withdraw(house: &House, id: &str, by: &By) -> Result<docket::Kept, DocketError> {
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
    let of_mission = Draft { mission: Some(Arc::from("m1")), ..draft("Plan") };
    house.docket.push(&of_mission, PetitionId::from("a1"), &named("arbiter"), NOON).unwrap();
    assert!(matches!(withdraw(&house, "a1", &named("bob")), Err(DocketError::NotYours { .. })));
    let kept = withdraw(&house, "a1", &named("arbiter")).unwrap();
    assert_eq!(kept.petition.closed.map(|closed| closed.end), Some(End::Withdrawn));
}
