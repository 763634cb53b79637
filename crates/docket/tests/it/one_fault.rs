//! One call fails and the process goes on: a write on a disk that is full for a moment, a look that gets no answer.
//! What was recorded happened and is told so; what is told as a failure was not recorded; and nothing is lost for it.

use docket::{Docket, DocketError, Fault, FaultKind, PetitionPlace, StoredPetition};
use mind::petition::{PetitionDraft, PetitionId, PetitionStatus};

use super::house::{House, NOON, ada, agent, answer, draft, fs, later, stands};

/// How many calls of an act are tried; an act has far fewer.
const CALLS_MAX: u32 = 600;
/// The same where a file is gone, so that it is looked for everywhere.
const LOOKS_FOR_GONE_MAX: u32 = 6_000;

/// A docket of which one call fails.
type Failing = fn(&Docket, u32) -> Docket;

type Told = Result<StoredPetition, DocketError>;

/// Runs `act` once for each of its calls, which then fails, in a house of its own that `before` made ready. `is_done`
/// says whether the act is there for a process that has no trouble.
fn at_every_call(before: impl Fn(&House), act: impl Fn(&Docket) -> Told, is_done: impl Fn(&House) -> bool) {
    let kinds: [(&str, Failing); 2] = [("look", Docket::blinking), ("write", Docket::stumbling)];
    for (kind, failing) in kinds {
        for fall in House::falls() {
            let mut call = 0;
            loop {
                let house = House::new();
                before(&house);
                house.settle();
                let lines = house.ledger().len();
                let docket = failing(&house.docket, call);
                let told = act(&docket);
                let shown = || format!("{kind} {call}, {fall:?}: {told:?}");
                let written = house.ledger().len() > lines;
                assert_eq!(is_told_as_recorded(&told), written, "{}", shown());
                house.fall(*fall);
                // Another petition takes nothing of this one away.
                house.ask("z9");
                assert_eq!(is_done(&house), written, "{}", shown());
                assert_eq!(house.docket.queue(later(9_000)).expect("a queue").faults, [], "{}", shown());
                assert_eq!(house.faults(), Vec::<String>::new(), "{}", shown());
                assert_eq!(house.names(".arbiter/staged"), Vec::<String>::new(), "{}", shown());
                if !docket.has_stumbled() {
                    assert!(told.is_ok() && call > 3, "{}", shown());
                    break;
                }
                call += 1;
                assert!(call < CALLS_MAX, "it never ends");
            }
        }
    }
}

fn is_told_as_recorded(told: &Told) -> bool {
    match told {
        Ok(_) | Err(DocketError::Recorded { .. }) => true,
        Err(_) => false,
    }
}

fn ready(house: &House) {
    house.ask("a1");
    house.answer("a1", "auth", "yes").expect("it works here");
    house.answer("a1", "cache", "no").expect("it works here");
}

fn is(house: &House, status: PetitionStatus) -> bool {
    let kept = house.find("a1");
    kept.petition.status() == status && kept.place == PetitionPlace::Completed
}

#[test]
fn an_ask_of_which_one_call_fails_is_there_or_told_as_failed() {
    at_every_call(
        |_| {},
        |docket| {
            docket.push(&draft("Plan"), PetitionId::from("a1"), &agent(), NOON).map(|pushed| pushed.kept)
        },
        |house| {
            let queue = house.docket.queue(later(9_000)).unwrap();
            queue.petitions.iter().any(|petition| *petition.id.0 == *"a1")
        },
    );
}

/// The key is looked up before. The shard of the content is first read once the petition is recorded.
#[test]
fn an_ask_with_a_key_of_which_one_call_fails_is_there_or_told_as_failed() {
    let keyed = PetitionDraft { key: Some("plan".into()), ..draft("Plan") };
    at_every_call(
        |house| drop(house.ask("b2")),
        |docket| docket.push(&keyed, PetitionId::from("a1"), &agent(), NOON).map(|pushed| pushed.kept),
        |house| house.docket.queue(later(9_000)).unwrap().petitions.iter().any(|one| *one.id.0 == *"a1"),
    );
}

#[test]
fn an_ask_of_which_one_call_fails_takes_no_other_files_place() {
    at_every_call(
        |house| {
            let text = house.text(&house.ask("b2")).replace("id: b2", "id: f1");
            fs::write(house.queue().join("pending/ceo-plan-a1.md"), text).unwrap();
        },
        |docket| {
            docket.push(&draft("Plan"), PetitionId::from("a1"), &agent(), NOON).map(|pushed| pushed.kept)
        },
        |house| {
            let there = house.docket.queue(later(9_000)).unwrap().petitions;
            assert!(there.iter().any(|one| *one.id.0 == *"f1"), "another's file is gone");
            there.iter().any(|one| *one.id.0 == *"a1")
        },
    );
}

#[test]
fn an_answer_of_which_one_call_fails_is_there_or_told_as_failed() {
    at_every_call(
        |house| drop(house.ask("a1")),
        |docket| answer(docket, "a1", "auth", "yes"),
        |house| stands(&house.find("a1"), "auth").is_some(),
    );
}

#[test]
fn a_submit_of_which_one_call_fails_is_there_or_told_as_failed() {
    at_every_call(
        ready,
        |docket| docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)),
        |house| is(house, PetitionStatus::Completed) && house.names("notify").len() == 1,
    );
}

#[test]
fn a_withdrawal_of_which_one_call_fails_is_there_or_told_as_failed() {
    at_every_call(
        ready,
        |docket| docket.withdraw(&PetitionId::from("a1"), "enough", &agent(), later(2_000)),
        |house| is(house, PetitionStatus::Withdrawn),
    );
}

/// A look at the queue, of which one call fails, after an answer was written by hand: what waits is listed, or what may be
/// left out is named; and what could not be written after it was recorded is told, and still listed.
#[test]
fn a_queue_of_which_one_call_fails_leaves_nothing_out_in_silence() {
    let kinds: [(&str, Failing); 2] = [("look", Docket::blinking), ("write", Docket::stumbling)];
    let mut behind = 0;
    for (kind, failing) in kinds {
        let mut call = 0;
        loop {
            assert!(call < CALLS_MAX, "it never ends");
            let house = House::new();
            house.ask("a1");
            let kept = house.ask("b2");
            let edited = house.text(&kept).replacen("answer: null", "answer: yes", 1);
            house.overwrite(&kept, &edited);
            house.settle();
            let docket = failing(&house.docket, call);
            let told = docket.queue(later(5_000));
            let shown = || format!("{kind} {call}: {told:?}");
            if let Ok(queue) = &told {
                let is_named = queue.faults.iter().any(Fault::may_hide);
                assert!(queue.petitions.len() == 2 || is_named, "{}", shown());
                behind += queue.faults.iter().filter(|fault| fault.kind == FaultKind::Behind).count();
            }
            let whole = house.docket.queue(later(9_000)).expect("a queue");
            assert_eq!((whole.petitions.len(), &whole.faults[..]), (2, &[][..]), "{}", shown());
            assert!(stands(&house.find("b2"), "auth").is_some(), "{}", shown());
            house.assert_clean();
            if !docket.has_stumbled() {
                assert!(told.is_ok() && call > 3, "{}", shown());
                break;
            }
            // The many looks at the shards of the index are alike.
            call += 1 + call / 32;
        }
    }
    assert!(behind > 0, "a file that could not be written was seen");
}

/// The same of a petition whose file is gone.
#[test]
fn what_is_gone_is_named_though_one_look_at_it_fails() {
    let mut call = 0;
    loop {
        assert!(call < LOOKS_FOR_GONE_MAX, "it never ends");
        let house = House::new();
        let kept = house.ask("a1");
        house.ask("b2");
        fs::remove_file(&kept.file).expect("it is there");
        house.settle();
        let docket = house.docket.blinking(call);
        let told = docket.queue(later(5_000));
        if let Ok(queue) = &told {
            assert!(queue.faults.iter().any(Fault::may_hide), "look {call}: {told:?}");
        }
        if !docket.has_stumbled() {
            assert!(told.is_ok() && call > 3, "look {call}: {told:?}");
            break;
        }
        call += 1 + call / 24;
    }
}

#[test]
fn settling_what_is_gone_with_one_failing_call_is_done_or_told_as_failed() {
    let kinds: [(&str, Failing); 2] = [("look", Docket::blinking), ("write", Docket::stumbling)];
    for (kind, failing) in kinds {
        let mut call = 0;
        loop {
            assert!(call < LOOKS_FOR_GONE_MAX, "it never ends");
            let house = House::new();
            let kept = house.ask("a1");
            fs::remove_file(&kept.file).expect("it is there");
            house.settle();
            let docket = failing(&house.docket, call);
            let told = docket.withdraw(&PetitionId::from("a1"), "", &ada(), later(1_000));
            let written = house.ledger().len() > 1;
            assert_eq!(is_told_as_recorded(&told), written, "{kind} {call}: {told:?}");
            if !docket.has_stumbled() {
                assert!(told.is_ok() && call > 3, "{kind} {call}: {told:?}");
                break;
            }
            // The many looks at the shards of the index are alike.
            call += 1 + call / 16;
        }
    }
}
