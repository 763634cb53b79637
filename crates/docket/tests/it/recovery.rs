//! A process dies, or the power fails, at every step that each act takes. What was told is there afterwards; what was not is there
//! wholly or not at all; and whoever comes next finds nothing wrong.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use docket::{Docket, DocketError, PetitionPlace};
use mind::petition::{PetitionDraft, PetitionId, PetitionStatus, SeenQuestion};

use super::house::{Fall, House, NOON, ada, agent, answer, draft, fs, later, stands, words};

/// Runs `act` with a hand that stops after 0, 1, 2... steps, each time in a house of its own that `before` made ready, and
/// then lets `after` judge it: was it acknowledged, and what is there now?
fn at_every_step(
    before: impl Fn(&House),
    act: impl Fn(&Docket) -> Result<(), DocketError>,
    after: impl Fn(&House, bool, u32),
) {
    'falls: for fall in House::falls() {
        for steps in 0..500 {
            let house = House::new();
            before(&house);
            // Other programs do not sync; what they wrote lasts after a while.
            house.settle();
            let docket = house.faltering(steps);
            let acknowledged = act(&docket).is_ok();
            house.fall(*fall);
            after(&house, acknowledged, steps);
            // Once more: what was repaired stays so, also if the power fails again.
            house.docket.queue(later(9_000)).expect("it works here");
            house.fall(*fall);
            house.docket.queue(later(9_000)).expect("it works here");
            house.assert_clean();
            assert_eq!(house.names(".arbiter/staged"), Vec::<String>::new(), "{fall:?} after {steps} steps");
            if !docket.has_stumbled() {
                assert!(acknowledged && steps > 3, "{steps} steps are too few to be true");
                continue 'falls;
            }
        }
        panic!("it never succeeds");
    }
}

#[test]
fn a_push_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        |_| {},
        |docket| docket.push(&draft("Plan"), PetitionId::from("a1"), &agent(), NOON).map(drop),
        |house, acknowledged, steps| {
            let queue = house.docket.queue(later(9_000)).unwrap();
            let there = !queue.petitions.is_empty();
            assert!(there || !acknowledged, "after {steps} steps");
            assert_eq!(house.ledger().len(), usize::from(there), "after {steps} steps");
            assert_eq!(house.names("pending").len(), usize::from(there), "after {steps} steps");
            assert_eq!(queue.faults, []);
            // Asking again asks once.
            let again = house.docket.push(&draft("Plan"), PetitionId::from("b2"), &agent(), NOON).unwrap();
            assert_eq!(again.again, there, "after {steps} steps");
            assert_eq!(house.ledger().len(), 1);
        },
    );
}

/// A process dies with its line written and not synced; the next one finishes what it left, and then the power fails.
#[test]
fn what_another_finished_outlives_the_power() {
    if !House::falls().contains(&Fall::Power) {
        return;
    }
    for steps in 0..500 {
        let house = House::new();
        house.ask("a1");
        house.settle();
        let acknowledged = answer(&house.faltering(steps), "a1", "auth", "yes").is_ok();
        let seen = stands(&house.find("a1"), "auth");
        house.fall(Fall::Power);
        house.docket.queue(later(9_000)).expect("it works here");
        assert_eq!(stands(&house.find("a1"), "auth"), seen, "after {steps} steps");
        assert_eq!(house.ledger().len(), 1 + usize::from(seen.is_some()), "after {steps} steps");
        house.assert_clean();
        if acknowledged {
            return;
        }
    }
    panic!("it never succeeds");
}

#[test]
fn an_answer_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        |house| drop(house.ask("a1")),
        |docket| answer(docket, "a1", "auth", "yes").map(drop),
        |house, acknowledged, steps| {
            let kept = house.find("a1");
            let there = stands(&kept, "auth").is_some();
            assert!(there || !acknowledged, "after {steps} steps");
            assert_eq!(house.ledger().len(), 1 + usize::from(there), "after {steps} steps");
            assert_eq!(house.text(&kept).contains("answer: yes"), there, "after {steps} steps");
            if !there {
                house.answer("a1", "auth", "yes").unwrap();
            }
        },
    );
}

#[test]
fn handing_over_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        |house| drop(house.ask("a1")),
        |docket| docket.assign(&PetitionId::from("a1"), Some("auth"), "sam", &ada(), later(1_000)).map(drop),
        |house, acknowledged, steps| {
            let kept = house.find("a1");
            let there = kept.petition.decision("auth").is_some_and(|auth| auth.assignee.is_some());
            assert!(there || !acknowledged, "after {steps} steps");
            assert_eq!(house.ledger().len(), 1 + usize::from(there), "after {steps} steps");
            assert_eq!(house.text(&kept).contains("assignee: sam"), there, "after {steps} steps");
            // Its caller was not told, and does it again.
            let id = PetitionId::from("a1");
            let again = house.docket.assign(&id, Some("auth"), "sam", &ada(), later(1_000));
            assert!(again.is_ok() || acknowledged, "after {steps} steps");
            assert_eq!(house.ledger().len(), 2, "after {steps} steps");
        },
    );
}

#[test]
fn an_answer_that_died_is_seen_by_whoever_lists_only() {
    at_every_step(
        |house| {
            house.ask("a1");
            house.docket.queue(NOON).unwrap();
        },
        |docket| answer(docket, "a1", "auth", "yes").map(drop),
        |house, _, steps| {
            let queue = house.docket.queue(later(9_000)).unwrap();
            assert_eq!(queue.petitions[0].decided, house.ledger().len() - 1, "after {steps} steps");
        },
    );
}

fn ready(house: &House) {
    house.ask("a1");
    house.answer("a1", "auth", "yes").expect("it works here");
    house.answer("a1", "cache", "no").expect("it works here");
}

fn assert_closed_or_open(
    house: &House,
    acknowledged: bool,
    steps: u32,
    lines: usize,
    status: PetitionStatus,
) {
    let kept = house.find("a1");
    let closed = kept.petition.closed.is_some();
    assert!(closed || !acknowledged, "after {steps} steps");
    assert_eq!(house.ledger().len(), lines + usize::from(closed), "after {steps} steps");
    let (pending, completed) = (house.names("pending"), house.names("completed"));
    let files = |names: &[String]| names.iter().filter(|name| !name.starts_with('.')).count();
    assert_eq!((files(&pending), files(&completed)), (usize::from(!closed), usize::from(closed)), "{steps}");
    let told = house.names("notify").iter().filter(|name| !name.starts_with('.')).count();
    assert_eq!(told, usize::from(closed), "after {steps} steps");
    if closed {
        assert_eq!((kept.petition.status(), kept.place), (status, PetitionPlace::Completed));
        assert!(house.text(&kept).contains(&format!("status: {}", status.word())));
    }
}

#[test]
fn a_submit_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        ready,
        |docket| docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).map(drop),
        |house, acknowledged, steps| {
            assert_closed_or_open(house, acknowledged, steps, 3, PetitionStatus::Completed);
        },
    );
}

#[test]
fn a_withdrawal_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        ready,
        |docket| docket.withdraw(&PetitionId::from("a1"), "enough", &agent(), later(2_000)).map(drop),
        |house, acknowledged, steps| {
            assert_closed_or_open(house, acknowledged, steps, 3, PetitionStatus::Withdrawn);
        },
    );
}

#[test]
fn a_late_answer_that_dies_anywhere_is_whole_or_nothing() {
    at_every_step(
        |house| {
            house.ask("a1");
            house.docket.withdraw(&PetitionId::from("a1"), "enough", &agent(), NOON).unwrap();
        },
        |docket| answer(docket, "a1", "auth", "yes").map(drop),
        |house, acknowledged, steps| {
            let there = stands(&house.find("a1"), "auth").is_some();
            assert!(there || !acknowledged, "after {steps} steps");
            assert_eq!(house.ledger().len(), 2 + usize::from(there));
            let told = house.names("notify").into_iter().find(|name| !name.starts_with('.')).unwrap();
            let told = fs::read_to_string(house.queue().join("notify").join(told)).unwrap();
            assert_eq!(told.contains("Late answers"), there, "after {steps} steps");
        },
    );
}

#[test]
fn an_expiry_that_dies_anywhere_is_finished_by_the_next_look() {
    at_every_step(
        |house| {
            let mut draft = PetitionDraft { deadline: Some(later(1_000)), ..draft("Due") };
            draft.decisions[0].default = Some(Arc::from("no"));
            house.docket.push(&draft, PetitionId::from("a1"), &agent(), NOON).unwrap();
        },
        |docket| docket.queue(later(2_000)).map(drop),
        |house, _, steps| {
            let kept = house.find("a1");
            assert_eq!(
                (kept.petition.status(), kept.place),
                (PetitionStatus::Expired, PetitionPlace::Completed)
            );
            assert_eq!(stands(&kept, "auth"), Some("no by policy:default".to_owned()), "{steps}");
            assert_eq!(house.ledger().len(), 3, "after {steps} steps");
            assert_eq!(house.names("notify").iter().filter(|name| !name.starts_with('.')).count(), 1);
        },
    );
}

#[test]
fn a_batch_of_foreign_files_that_dies_anywhere_is_taken_in_by_the_next_look() {
    at_every_step(
        |house| {
            let text = house.text(&house.ask("a1"));
            for n in 0..3 {
                let text =
                    text.replace("id: a1", &format!("id: f{n}")).replacen("answer: null", "answer: yes", 1);
                fs::write(house.queue().join(format!("pending/f{n}.md")), text).unwrap();
            }
        },
        |docket| docket.queue(later(2_000)).map(drop),
        |house, _, steps| {
            let queue = house.docket.queue(later(3_000)).unwrap();
            assert_eq!((queue.petitions.len(), queue.faults.len()), (4, 0), "after {steps} steps");
            assert_eq!(house.ledger().len(), 1 + 6, "after {steps} steps");
        },
    );
}

#[test]
fn a_line_that_was_torn_off_anywhere_is_cut_and_kept_beside() {
    let whole = {
        let house = House::new();
        house.ask("a1");
        house.answer("a1", "auth", "yes").unwrap();
        fs::read(house.docket.ledger_file()).unwrap()
    };
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let house = House::new();
    house.ask("a1");
    let cut = house.home().join("ledger.cut");
    for end in first..whole.len() {
        fs::write(house.docket.ledger_file(), &whole[..end]).unwrap();
        // Who audits finishes first what a dead process left, and then judges; so does whoever looks.
        if end % 2 == 0 {
            house.assert_clean();
        }
        assert_eq!(stands(&house.find("a1"), "auth"), None, "cut at {end}");
        assert_eq!(fs::read(house.docket.ledger_file()).unwrap(), whole[..first]);
        assert_eq!(fs::read(&cut).unwrap_or_default(), whole[first..end], "cut at {end}");
        house.assert_clean();
        fs::write(&cut, "").unwrap();
    }
    house.answer("a1", "auth", "no").unwrap();
    house.assert_clean();
}

#[test]
fn lost_or_foolish_hints_are_made_anew() {
    let house = House::new();
    for id in ["a1", "b2", "c3"] {
        house.ask(id);
    }
    house.answer("a1", "auth", "yes").unwrap();
    house.docket.withdraw(&PetitionId::from("b2"), "", &agent(), NOON).unwrap();
    let own = house.queue().join(".arbiter");
    let lines = house.ledger().len();
    let spoil: [&dyn Fn(); 6] = [
        &|| fs::remove_file(own.join("applied")).unwrap(),
        &|| fs::write(own.join("applied"), "{").unwrap(),
        &|| replace_in(&own.join("applied"), "\"boot\":\"", "\"boot\":\"another-"),
        &|| fs::remove_dir_all(own.join("index")).unwrap(),
        &|| fs::remove_dir_all(&own).unwrap(),
        &|| {
            for name in house.names(".arbiter/index") {
                replace_in(&own.join("index").join(name), "\"head\":", "\"head\":7");
            }
        },
    ];
    for (round, spoil) in spoil.iter().enumerate() {
        spoil();
        assert_eq!(house.docket.queue(NOON).unwrap().petitions.len(), 2, "round {round}");
        assert_eq!(stands(&house.find("a1"), "auth").as_deref(), Some("yes by human:cli:ada"), "{round}");
        assert_eq!(house.find("b2").petition.status(), PetitionStatus::Withdrawn, "round {round}");
        assert_eq!(house.ledger().len(), lines, "round {round}");
        house.assert_clean();
    }
    house.answer("c3", "auth", "yes").unwrap();
    assert!(house.docket.push(&draft("Plan a1"), PetitionId::from("d4"), &agent(), NOON).unwrap().again);
    house.assert_clean();
}

fn replace_in(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("it works here").replace(from, to);
    fs::write(file, text).expect("it works here");
}

#[test]
fn a_submit_whose_move_fails_is_no_success_and_is_finished_when_it_can_be() {
    let house = House::new();
    ready(&house);
    house.ask("b2");
    let in_the_way = house.queue().join("completed/ceo-plan-a1-a1.md");
    fs::create_dir_all(&in_the_way).unwrap();
    fs::write(in_the_way.join("something"), "").unwrap();
    let id = PetitionId::from("a1");
    for _ in 0..2 {
        let told = house.docket.submit(&id, &ada(), later(2_000));
        assert!(matches!(told, Err(DocketError::Recorded { .. })), "{told:?}");
    }
    let queue = house.docket.queue(later(3_000)).unwrap();
    assert_eq!(queue.petitions.len(), 1);
    assert!(queue.faults[0].why.contains("cannot be moved"), "{:?}", queue.faults);
    // Others are not kept from anything.
    house.answer("b2", "auth", "yes").unwrap();
    assert_eq!(house.names("notify"), Vec::<String>::new());
    fs::remove_dir_all(&in_the_way).unwrap();
    let kept = house.docket.submit(&id, &ada(), later(4_000)).unwrap();
    assert_eq!((kept.place, kept.petition.status()), (PetitionPlace::Completed, PetitionStatus::Completed));
    assert_eq!(house.names("notify").len(), 1);
    assert_eq!(house.ledger().iter().filter(|line| line.contains("submitted")).count(), 1);
    house.assert_clean();
}

#[test]
fn a_ledger_that_somebody_changed_is_not_written_to() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    let ledger = fs::read_to_string(house.docket.ledger_file()).unwrap();
    let damaged = |text: &str| {
        fs::write(house.docket.ledger_file(), text).unwrap();
        let told = house.docket.answer(
            &PetitionId::from("a1"),
            "cache",
            words("no"),
            &SeenQuestion::default(),
            &ada(),
            later(9_000),
        );
        assert!(matches!(told, Err(DocketError::Damaged { .. })), "{told:?}");
        assert_eq!(fs::read_to_string(house.docket.ledger_file()).unwrap(), text);
    };
    let first = ledger.lines().next().unwrap();
    damaged(&format!("{first}\n"));
    damaged("");
    damaged(&ledger.replace("yes", "no!"));
    fs::write(house.docket.ledger_file(), &ledger).unwrap();
    house.answer("a1", "cache", "no").unwrap();
    house.assert_clean();
}

/// Acts one after another on the same docket, and the power fails after each: what was told is there.
#[test]
fn what_was_told_is_there_after_every_fall() {
    for fall in House::falls() {
        let house = House::new();
        house.ask("a1");
        house.fall(*fall);
        house.answer("a1", "auth", "yes").unwrap();
        house.fall(*fall);
        house.change("a1", "auth", "no", later(1_500)).unwrap();
        house.fall(*fall);
        house.answer("a1", "cache", "no").unwrap();
        house.fall(*fall);
        house.ask("b2");
        house.docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).unwrap();
        house.fall(*fall);
        house.docket.withdraw(&PetitionId::from("b2"), "", &agent(), later(3_000)).unwrap();
        house.fall(*fall);
        let kept = house.find("a1");
        assert_eq!(
            (kept.place, kept.petition.status()),
            (PetitionPlace::Completed, PetitionStatus::Completed)
        );
        assert_eq!(stands(&kept, "auth"), Some("no by human:cli:ada".to_owned()));
        assert_eq!(house.find("b2").petition.status(), PetitionStatus::Withdrawn);
        assert_eq!(house.ledger().len(), 7, "{fall:?}");
        assert_eq!(house.names("notify").len(), 2, "{fall:?}");
        house.assert_clean();
    }
}

#[test]
fn a_line_that_another_program_added_is_not_written_over_and_not_built_on() {
    let house = House::new();
    house.ask("a1");
    let sound = fs::read_to_string(house.docket.ledger_file()).unwrap();
    // Somebody without our lock adds bytes that are no line: they are cut off and kept beside before anything is added.
    fs::write(house.docket.ledger_file(), format!("{sound}not a line\n")).unwrap();
    house.answer("a1", "auth", "yes").unwrap();
    let ledger = fs::read_to_string(house.docket.ledger_file()).unwrap();
    assert!(ledger.starts_with(&sound) && !ledger.contains("not a line"), "{ledger}");
    house.assert_clean();
}

#[test]
fn who_follows_the_ledger_hears_every_line_once_from_where_it_began() {
    let house = House::new();
    house.ask("a1");
    house.answer("a1", "auth", "yes").unwrap();
    let mut reader = house.docket.ledger(2);
    let did = |records: Vec<docket::ledger::LedgerLine>| -> Vec<u64> {
        records.into_iter().map(|record| record.seq).collect()
    };
    assert_eq!(did(reader.follow(Duration::from_secs(20)).unwrap()), [2]);
    assert_eq!(did(reader.follow(Duration::ZERO).unwrap()), Vec::<u64>::new());
    let other = house.another();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        answer(&other, "a1", "cache", "no").map(drop)
    });
    let began = Instant::now();
    assert_eq!(did(reader.follow(Duration::from_secs(20)).unwrap()), [3]);
    assert!(began.elapsed() < docket::limits::SWEEP_EVERY, "{:?}", began.elapsed());
    writer.join().unwrap().unwrap();
    // What was read and is gone is damage.
    let ledger = fs::read_to_string(house.docket.ledger_file()).unwrap();
    let first = ledger.lines().next().unwrap();
    fs::write(house.docket.ledger_file(), format!("{first}\n")).unwrap();
    assert!(matches!(reader.read(), Err(DocketError::Damaged { line: 3, .. })));
}

type Act<'a> = &'a dyn Fn(&Docket) -> Result<(), DocketError>;

/// A crash is no tampering: who audits before anybody else looks finds nothing wrong, wherever the process died.
#[test]
fn an_audit_right_after_any_death_is_clean() {
    let ask = |docket: &Docket| docket.push(&draft("Plan"), PetitionId::from("b2"), &agent(), NOON).map(drop);
    let submit = |docket: &Docket| docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).map(drop);
    let withdraw =
        |docket: &Docket| docket.withdraw(&PetitionId::from("a1"), "", &agent(), later(2_000)).map(drop);
    let change = |docket: &Docket| {
        let seen = SeenQuestion {
            question: None,
            answer: mind::petition::SeenAnswer::Any,
            ..SeenQuestion::default()
        };
        docket.answer(&PetitionId::from("a1"), "auth", words("no"), &seen, &ada(), later(2_000)).map(drop)
    };
    let acts: [Act<'_>; 4] = [&ask, &submit, &withdraw, &change];
    for (act, fall) in acts.iter().flat_map(|act| House::falls().iter().map(move |fall| (act, fall))) {
        let died = (0..500).find(|steps| {
            let house = House::new();
            ready(&house);
            house.settle();
            let docket = house.faltering(*steps);
            // What it is told does not matter here.
            let _ = act(&docket);
            house.fall(*fall);
            assert_eq!(house.faults(), Vec::<String>::new(), "{fall:?} after {steps} steps");
            !docket.has_stumbled()
        });
        assert!(died.is_some_and(|steps| steps > 3), "it never succeeds");
    }
}

/// A process dies while it makes the folders, another asks in them, and the power fails: the folders are there.
#[test]
fn folders_that_a_dead_process_made_outlive_the_power() {
    if !House::falls().contains(&Fall::Power) {
        return;
    }
    for steps in 0..500 {
        let house = House::new();
        let docket = house.faltering(steps);
        let _ = docket.push(&draft("Plan"), PetitionId::from("a1"), &agent(), NOON);
        house.ask("b2");
        house.fall(Fall::Power);
        assert_eq!(house.find("b2").petition.status(), PetitionStatus::Pending, "after {steps} steps");
        house.assert_clean();
        if !docket.has_stumbled() {
            return;
        }
    }
    panic!("it never succeeds");
}
