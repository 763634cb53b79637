//! Agents and other programs that mean no good, or do not care: they cannot ask what is not shown, push others' files away,
//! answer what a human has to, or bring the ledger to an end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use docket::{DocketError, PetitionPlace};
use mind::petition::{DraftDecision, PetitionDraft, PetitionId};

use super::house::{House, NOON, ada, agent, answer, decision, draft, fs, hand, later, stands};

/// A petition as other programs write it.
fn foreign(id: &str, more: &str, answer: &str) -> String {
    format!(
        "---\nid: {id}\n{more}title: Whose?\nstatus: pending\n---\n\n## Decision 1: Which?\n\nid: which\n\
         status: pending\nanswer: {answer}\n\n**Options:**\n- `a`\n- `b`\n\n---\n"
    )
}

#[test]
fn a_context_cannot_hold_a_decision_of_its_own() {
    let house = House::new();
    for (at, blank) in [" ", "\t", "\t ", " \t"].into_iter().enumerate() {
        let smuggled =
            format!("Read this.\n\n##{blank}Decision 2: Pay?\n\nid: pay\nstatus: pending\nanswer: null");
        for in_decision in [false, true] {
            let mut draft = draft(&format!("Plan {at} {in_decision}"));
            if in_decision {
                draft.decisions[0].context = Arc::from(&*smuggled);
            } else {
                draft.context = Arc::from(&*smuggled);
            }
            let id = PetitionId::from(&*format!("a{at}{in_decision}"));
            let pushed = house.docket.push(&draft, id.clone(), &agent(), NOON).unwrap();
            assert_eq!(house.find(&id.0).petition, pushed.kept.petition, "{blank:?}");
            assert_eq!(pushed.kept.petition, draft.petition(id, NOON));
        }
    }
}

#[test]
fn an_agent_with_a_very_long_name_does_not_end_the_ledger() {
    let house = House::new();
    house.ask("a1");
    let long = format!("agent: \"{}\"\ntag: \"{}\"\n", "\u{1}".repeat(700_000), "\u{1}".repeat(300_000));
    fs::write(house.queue().join("pending/long.md"), foreign("b2", &long, "a")).unwrap();
    assert_eq!(house.docket.queue(later(1_000)).unwrap().petitions.len(), 2);
    house.answer("a1", "auth", "yes").unwrap();
    assert_eq!(stands(&house.find("b2"), "which"), Some(format!("a by {}", hand())));
    house.assert_clean();
}

#[test]
fn a_file_is_not_moved_over_that_of_another_petition() {
    let house = House::new();
    let pending = house.queue().join("pending/plan.md");
    for id in ["a1", "b2", "c3"] {
        fs::create_dir_all(pending.parent().unwrap()).unwrap();
        house.replace(&pending, &foreign(id, "", "null"));
        house.answer(id, "which", "a").unwrap();
        let kept = house.docket.submit(&PetitionId::from(id), &ada(), later(2_000)).unwrap();
        assert_eq!(kept.place, PetitionPlace::Completed);
        assert!(house.text(&kept).contains(&format!("id: {id}")));
    }
    assert_eq!(house.names("completed"), ["plan-2.md", "plan-3.md", "plan.md"]);
    // Also when nobody remembers where they were put.
    fs::remove_dir_all(house.queue().join(".arbiter")).unwrap();
    for id in ["a1", "b2", "c3"] {
        let kept = house.find(id);
        assert_eq!(
            (kept.place, stands(&kept, "which")),
            (PetitionPlace::Completed, Some("a by human:cli:ada".into()))
        );
    }
    house.assert_clean();
}

#[test]
fn that_a_human_is_required_cannot_be_edited_away() {
    let house = House::new();
    let needs = DraftDecision { requires_human: true, ..decision("auth") };
    let draft = PetitionDraft { decisions: vec![needs], ..draft("Plan") };
    let kept = house.docket.push(&draft, PetitionId::from("a1"), &agent(), NOON).unwrap().kept;
    let asked = house.text(&kept);
    let easy = asked.replace("requires: human\n", "").replace("answer: null", "answer: yes");
    house.overwrite(&kept, &easy);
    assert_eq!(stands(&house.find("a1"), "auth"), None);
    let by_policy = "default: yes\ndeadline: 2026-01-01T00:00:00Z\n";
    house.overwrite(&kept, &asked.replace("requires: human\n", by_policy));
    assert_eq!(stands(&house.find("a1"), "auth"), None);
    assert_eq!(house.ledger().iter().filter(|line| line.contains("answered")).count(), 0);
}

#[test]
fn a_stale_copy_that_does_not_say_when_does_not_bring_an_older_answer_back() {
    for when in ["null", "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let house = House::new();
        let kept = house.ask("a1");
        // Another program answers, in its own way.
        let theirs = house.text(&kept).replacen(
            "answer: null\nanswered_at: null",
            &format!("answer: yes\nanswered_at: {when}"),
            1,
        );
        house.overwrite(&kept, &theirs);
        assert_eq!(stands(&house.find("a1"), "auth"), Some(format!("yes by {}", hand())));
        house.change("a1", "auth", "no", later(6_000)).unwrap();
        // It still has its own in mind.
        house.overwrite(&kept, &theirs);
        let kept = house.docket.find("a1", later(7_000)).unwrap();
        assert_eq!(stands(&kept, "auth"), Some("no by human:cli:ada".to_owned()), "{when}");
    }
}

#[test]
fn a_copy_does_not_take_the_place_of_a_file_that_is_being_edited() {
    let house = House::new();
    let kept = house.ask("a1");
    let text = house.text(&kept);
    fs::write(house.queue().join("pending/copy.md"), &text).unwrap();
    house.overwrite(&kept, "---\nid: a1\n");
    assert_eq!(house.docket.queue(later(1_000)).unwrap().petitions, []);
    house.overwrite(&kept, &text);
    let queue = house.docket.queue(later(2_000)).unwrap();
    assert_eq!(queue.petitions.iter().map(|one| one.file.clone()).collect::<Vec<_>>(), [kept.file]);
    assert_eq!(queue.faults.len(), 1);
}

/// A disk that fails once, at each step in turn: whoever was told something finds it, and whoever comes next is served.
#[test]
fn a_step_that_fails_once_costs_nobody_else_anything() {
    for step in 0..200 {
        let house = House::new();
        house.ask("a1");
        for id in ["f1", "f2", "f3"] {
            house.replace(&house.queue().join(format!("pending/{id}.md")), &foreign(id, "", "a"));
        }
        let docket = house.docket.stumbling(step);
        let listed = docket.queue(later(500));
        let told = answer(&docket, "a1", "auth", "yes");
        let went_on = answer(&docket, "a1", "cache", "no").or_else(|_| answer(&docket, "a1", "cache", "no"));
        if let Err(error) = went_on {
            let DocketError::Refused { petition, .. } = error else { panic!("step {step}: {error:?}") };
            assert!(petition.decision("cache").unwrap().is_decided(), "step {step}");
        }
        let kept = house.find("a1");
        assert!(told.is_err() || stands(&kept, "auth").is_some(), "step {step}");
        let queue = house.docket.queue(later(9_000)).unwrap();
        assert_eq!((queue.petitions.len(), queue.faults), (4, Vec::new()), "step {step}");
        house.assert_clean();
        if listed.is_ok() && told.is_ok() && step > 100 {
            return;
        }
    }
    panic!("it never succeeds");
}

#[test]
fn a_file_with_the_longest_name_can_be_answered() {
    let house = House::new();
    let name = format!("{}.md", "n".repeat(252));
    fs::create_dir_all(house.queue().join("pending")).unwrap();
    fs::write(house.queue().join("pending").join(&name), foreign("a1", "", "null")).unwrap();
    house.answer("a1", "which", "a").unwrap();
    house.docket.submit(&PetitionId::from("a1"), &ada(), later(2_000)).unwrap();
    assert_eq!(house.names("completed"), [name]);
    house.assert_clean();
}

#[test]
fn the_largest_file_of_answers_is_taken_in_while_others_hardly_wait() {
    let house = House::new();
    house.ask("a1");
    let filler = "words ".repeat(820);
    let mut text = "---\nid: b2\ntitle: Much\nstatus: pending\n---\n".to_owned();
    for at in 0..200 {
        text.push_str(&format!(
            "\n## Decision {at}: Which?\n\nid: d{at}\nstatus: answered\nanswer: a\n\n{filler}\n\n---\n"
        ));
    }
    assert!(text.len() > 950_000 && text.len() < 1_000_000, "{}", text.len());
    house.replace(&house.queue().join("pending/much.md"), &text);
    let begun = Instant::now();
    assert_eq!(house.docket.queue(later(1_000)).unwrap().petitions.len(), 2);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(house.ledger().len(), 202);
    house.assert_clean();
}

#[test]
fn a_folder_in_the_way_of_one_file_keeps_no_other_from_being_answered() {
    let house = House::new();
    let kept = house.ask("a1");
    house.ask("b2");
    // The name of the file beside is known to everybody: it was there while another was written.
    let name = kept.file.file_name().unwrap().to_str().unwrap();
    let beside = house.queue().join("pending").join(beside(name));
    fs::create_dir_all(&beside).unwrap();
    assert!(matches!(house.answer("a1", "auth", "yes"), Err(DocketError::Recorded { .. })));
    house.answer("b2", "auth", "yes").unwrap();
    house.answer("b2", "cache", "yes").unwrap();
    fs::remove_dir_all(&beside).unwrap();
    // It was recorded before its file could not be written.
    assert_eq!(stands(&house.find("a1"), "auth"), Some("yes by human:cli:ada".to_owned()));
    house.assert_clean();
}

/// As the docket names it.
fn beside(name: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash: String = Sha256::digest(name.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!(".{name}.tmp-{}", &hash[..16])
}

#[test]
fn what_waits_can_be_seen_although_nothing_can_be_noted() {
    let house = House::new();
    house.ask("a1");
    let in_the_way = house.queue().join(".arbiter/applied.new");
    fs::create_dir_all(&in_the_way).unwrap();
    // It is in the ledger and in the file, so it happened; only that it is there could not be noted.
    house.answer("a1", "auth", "yes").unwrap();
    let queue = house.docket.queue(later(2_000)).unwrap();
    assert_eq!(queue.petitions.iter().map(|one| one.decided).collect::<Vec<_>>(), [1]);
    assert_eq!(stands(&house.find("a1"), "auth"), Some("yes by human:cli:ada".to_owned()));
    fs::remove_dir_all(&in_the_way).unwrap();
    house.answer("a1", "cache", "yes").unwrap();
    assert_eq!(house.ledger().len(), 3);
    house.assert_clean();
}
