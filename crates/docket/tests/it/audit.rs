//! `verify` finds every line that was changed, taken out, put in or moved, and every file that says something else.

use docket::Docket;
use mind::petition::PetitionId;

use super::house::{House, ada, fs, later};

/// A ledger of several lines of two petitions.
fn house() -> (House, Vec<String>) {
    let house = House::new();
    house.ask("a1");
    house.ask("b2");
    house.answer("a1", "auth", "yes").expect("it works here");
    house.answer("b2", "auth", "no").expect("it works here");
    house.answer("a1", "cache", "no").expect("it works here");
    house.docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).expect("it works here");
    house.assert_clean();
    let lines = fs::read_to_string(house.docket.ledger_file()).expect("it works here");
    (house, lines.lines().map(str::to_owned).collect())
}

fn faults_of(docket: &Docket, lines: &[String]) -> Vec<String> {
    fs::write(docket.ledger_file(), lines.join("\n") + "\n").expect("it works here");
    docket
        .verify(later(9_000))
        .expect("it works here")
        .into_iter()
        .map(|fault| format!("{}: {}", fault.place, fault.what))
        .collect()
}

#[test]
fn a_changed_line_is_found() {
    let (house, lines) = house();
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        changed[at] = changed[at].replace("2027", "2026");
        assert_ne!(changed, lines);
        let faults = faults_of(&house.docket, &changed);
        assert!(faults.contains(&format!("line {} of the ledger: it was changed", at + 1)), "{faults:?}");
    }
}

#[test]
fn a_line_that_was_changed_with_its_hash_is_found_by_the_next() {
    let (house, lines) = house();
    let mut record = house.docket.records(3).unwrap().remove(0);
    record.seq = 3;
    record.by = mind::actor::Actor::parse("human:cli:eve").unwrap();
    record.hash = std::sync::Arc::from("");
    let mut line = serde_json::to_string(&record).unwrap();
    line.pop();
    let hash = {
        use sha2::Digest;
        let hash = sha2::Sha256::digest(line.as_bytes());
        hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let mut changed = lines.clone();
    changed[2] = format!("{line},\"hash\":\"{hash}\"}}");
    let faults = faults_of(&house.docket, &changed);
    assert!(
        faults.contains(&"line 4 of the ledger: it does not follow the line before".to_owned()),
        "{faults:?}"
    );
}

#[test]
fn a_missing_line_is_found_wherever_it_was() {
    let (house, lines) = house();
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        changed.remove(at);
        let faults = faults_of(&house.docket, &changed);
        let expected = match at + 1 == lines.len() {
            true => format!("the end of the ledger: lines {0} to {0} are missing", lines.len()),
            false => format!("line {} of the ledger: it has number {}, and follows {at}", at + 1, at + 2),
        };
        assert!(faults.contains(&expected), "{at}: {faults:?}");
    }
}

#[test]
fn lines_that_changed_places_or_stand_twice_are_found() {
    let (house, lines) = house();
    for at in 0..lines.len() - 1 {
        let mut changed = lines.clone();
        changed.swap(at, at + 1);
        let faults = faults_of(&house.docket, &changed);
        assert!(
            faults.iter().any(|fault| fault.starts_with(&format!("line {} ", at + 1))),
            "{at}: {faults:?}"
        );
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at].clone());
        let faults = faults_of(&house.docket, &doubled);
        assert!(
            faults.iter().any(|fault| fault.starts_with(&format!("line {} ", at + 2))),
            "{at}: {faults:?}"
        );
    }
    assert_eq!(faults_of(&house.docket, &lines), Vec::<String>::new());
}

#[test]
fn a_question_that_was_changed_after_its_answer_is_found() {
    let (house, _) = house();
    let kept = house.find("b2");
    let text = house.text(&kept);
    house.overwrite(&kept, &text.replace("no it is", "No, and drop the table"));
    // Nothing of the answer was touched, so that nothing is restored.
    house.docket.queue(later(5_000)).unwrap();
    assert_eq!(house.faults(), ["ceo-plan-b2-b2.md: auth: the question was changed after it was answered"]);
}

#[test]
fn a_decision_that_was_answered_and_is_gone_is_found() {
    let (house, _) = house();
    let kept = house.find("b2");
    let text = house.text(&kept);
    house.overwrite(&kept, &text.replace("id: auth", "id: other"));
    let found = house.find("b2");
    assert!(found.petition.decision("other").is_some());
    let faults = house.faults();
    assert!(
        faults.contains(&"ceo-plan-b2-b2.md: auth: it was answered, and is no longer in the file".to_owned())
    );
}

#[test]
fn what_is_over_and_was_changed_is_found_and_restored() {
    let (house, _) = house();
    let kept = house.find("a1");
    let text = house.text(&kept);
    house.overwrite(&kept, &text.replace("answer: yes", "answer: no"));
    let faults = house.faults();
    assert!(faults[0].contains("auth: its answer differs"), "{faults:?}");
    let found = house.find("a1").petition;
    assert_eq!((found.decisions, found.closed), (kept.petition.decisions, kept.petition.closed));
    house.assert_clean();
}

#[test]
fn looking_for_faults_changes_nothing() {
    let (house, _) = house();
    let kept = house.find("b2");
    house.overwrite(&kept, &house.text(&kept).replacen("answer: null", "answer: yes", 1));
    let everything = || {
        let mut all = Vec::new();
        let mut folders = vec![house.home().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for path in house.names_in(&folder).into_iter().map(|name| folder.join(name)) {
                match fs::read(&path) {
                    Ok(bytes) => all.push((bytes, path)),
                    Err(_) => folders.push(path),
                }
            }
        }
        all.sort();
        assert!(all.len() > 5);
        all
    };
    let before = everything();
    assert_eq!(house.faults().len(), 1);
    assert!(everything() == before);
}

#[test]
fn what_is_over_may_be_cleared_away() {
    let (house, _) = house();
    fs::remove_file(house.find("a1").file).unwrap();
    house.assert_clean();
    fs::remove_file(house.find("b2").file).unwrap();
    assert_eq!(house.faults(), ["b2: it is open, and its file is gone"]);
}
