//! One feed for all who follow the docket: each hears of its own petitions, of what waits, and of nothing twice.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use docket::{Became, Docket, DocketFeed, PetitionFollower, PetitionNews, QueueNews, StoredPetition};
use mind::Timestamp;
use mind::actor::Door;
use mind::petition::{PetitionDraft, PetitionEnd, PetitionId, PetitionStatus};

use super::house::{House, ada, agent, draft, fs};

const PATIENCE: Duration = Duration::from_secs(20);

fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

fn ask(docket: &Docket, id: &str) -> StoredPetition {
    docket
        .push(&draft(&format!("Plan {id}")), PetitionId::from(id), &agent(), now())
        .expect("it works here")
        .kept
}

fn withdraw(docket: &Docket, id: &str) -> StoredPetition {
    docket.withdraw(&PetitionId::from(id), "", &ada(), now()).expect("it works here")
}

fn following(feed: &DocketFeed) -> (PetitionFollower, Receiver<PetitionNews>) {
    let (tell, told) = mpsc::channel();
    (feed.petitions(move |news| drop(tell.send(news))), told)
}

fn next(told: &Receiver<PetitionNews>) -> (String, Became) {
    let news = told.recv_timeout(PATIENCE).expect("in time");
    (news.id.to_string(), news.became)
}

/// The records that are new, as words.
fn new_records(became: &Became) -> Vec<String> {
    let Became::Stands { kept, known } = became else { panic!("{became:?}") };
    let did = |record: &docket::ledger::LedgerLine| {
        serde_json::to_value(record).expect("it works here")["did"].as_str().unwrap_or("").to_owned()
    };
    kept.records[*known..].iter().map(did).collect()
}

fn assert_silent(told: &Receiver<PetitionNews>) {
    let heard = told.recv_timeout(Duration::from_millis(300));
    assert!(matches!(heard, Err(RecvTimeoutError::Timeout)), "{heard:?}");
}

#[test]
fn who_follows_a_petition_hears_what_became_of_it_and_of_no_other() {
    let house = House::new();
    let (mine, other) = (ask(&house.docket, "a1"), ask(&house.docket, "b2"));
    let feed = house.docket.feed(now).unwrap();
    let (following_mine, told) = following(&feed);
    let (following_other, told_other) = following(&feed);
    following_mine.follow(mine);
    following_other.follow(other);
    assert_silent(&told);
    house.answer("a1", "auth", "yes").unwrap();
    let (id, became) = next(&told);
    assert_eq!((id.as_str(), new_records(&became)), ("a1", vec!["answered".to_owned()]));
    house.answer("a1", "cache", "no").unwrap();
    house.docket.submit(&PetitionId::from("a1"), &ada(), now()).unwrap();
    let mut heard = Vec::new();
    while heard.last().is_none_or(|did| did != "submitted") {
        heard.extend(new_records(&next(&told).1));
    }
    assert_eq!(heard, ["answered", "submitted"]);
    assert_silent(&told_other);
}

#[test]
fn what_happened_before_one_followed_is_told_as_far_as_it_is_not_known() {
    let house = House::new();
    let asked = ask(&house.docket, "a1");
    let answered = house.answer("a1", "auth", "yes").unwrap();
    let feed = house.docket.feed(now).unwrap();
    let (first, told) = following(&feed);
    first.follow(asked);
    assert_eq!(new_records(&next(&told).1), ["answered"]);
    // The same for one who comes later, knows nothing, and hears of a petition that is read already.
    let (second, told_second) = following(&feed);
    second.follow_unseen(PetitionId::from("a1"));
    assert_eq!(new_records(&next(&told_second).1), ["asked", "answered"]);
    let (third, told_third) = following(&feed);
    third.follow(answered);
    for told in [&told, &told_second, &told_third] {
        assert_silent(told);
    }
    withdraw(&house.docket, "a1");
    for told in [&told, &told_second, &told_third] {
        assert_eq!(new_records(&next(told).1), ["withdrawn"]);
    }
}

#[test]
fn a_petition_that_is_let_go_is_told_to_those_who_still_follow_it() {
    let house = House::new();
    let asked = ask(&house.docket, "a1");
    let feed = house.docket.feed(now).unwrap();
    let ((leaves, told), (stays, told_other)) = (following(&feed), following(&feed));
    leaves.follow(asked.clone());
    stays.follow(asked);
    // Both follow by now.
    assert_silent(&told_other);
    leaves.unfollow(PetitionId::from("a1"));
    house.answer("a1", "auth", "yes").unwrap();
    assert_eq!(new_records(&next(&told_other).1), ["answered"]);
    assert_silent(&told);
    // Followed again, it is as at first.
    leaves.follow_unseen(PetitionId::from("a1"));
    assert_eq!(new_records(&next(&told).1), ["asked", "answered"]);
}

#[test]
fn a_process_has_one_feed_of_a_docket() {
    let house = House::new();
    ask(&house.docket, "a1");
    let feed = house.docket.feed(now).unwrap();
    let again = house.another().through(Door::Mcp).feed(now).unwrap();
    let elsewhere = House::new();
    ask(&elsewhere.docket, "a1");
    let other = elsewhere.docket.feed(now).unwrap();
    let line = |feed: &DocketFeed| format!("{:p}", feed.identity());
    assert_eq!(line(&feed), line(&again));
    assert_ne!(line(&feed), line(&other));
}

#[test]
fn a_file_that_is_edited_is_unreadable_then_mended_and_one_that_is_removed_is_gone() {
    let house = House::new();
    let kept = ask(&house.docket, "a1");
    let text = house.text(&kept);
    let feed = house.docket.feed(now).unwrap();
    let (follower, told) = following(&feed);
    follower.follow(kept.clone());
    house.overwrite(&kept, "---\nid: a1\n");
    assert!(matches!(next(&told).1, Became::Unreadable { .. }));
    house.overwrite(&kept, &text.replacen("answer: null", "answer: yes", 1));
    assert_eq!(new_records(&next(&told).1), ["answered"]);
    fs::remove_file(&kept.file).unwrap();
    let gone = loop {
        match next(&told).1 {
            Became::Gone { was_open } => break was_open,
            Became::Stands { .. } | Became::Unreadable { .. } | Became::Trouble(_) => {}
        }
    };
    assert!(gone);
    // One that was over when it went was not open.
    let over = ask(&house.docket, "b2");
    follower.follow(over);
    let over = withdraw(&house.docket, "b2");
    assert_eq!(new_records(&next(&told).1), ["withdrawn"]);
    fs::remove_file(&over.file).unwrap();
    assert!(matches!(next(&told), (id, Became::Gone { was_open: false }) if id == "b2"));
}

#[test]
fn time_alone_closes_a_petition_on_the_moment() {
    let house = House::new();
    let due = PetitionDraft { deadline: Some(Timestamp(now().0 + 700)), ..draft("Due") };
    let kept = house.docket.push(&due, PetitionId::from("a1"), &agent(), now()).unwrap().kept;
    let feed = house.docket.feed(now).unwrap();
    let (follower, told) = following(&feed);
    let began = Instant::now();
    follower.follow(kept);
    let Became::Stands { kept, .. } = next(&told).1 else { panic!("it stands") };
    assert_eq!(kept.petition.closed.as_ref().map(|closed| closed.end), Some(PetitionEnd::Expired));
    assert!(began.elapsed() < docket::limits::SWEEP_EVERY, "{:?}", began.elapsed());
}

#[test]
fn who_shows_what_waits_hears_of_every_change_and_makes_no_docket() {
    let house = House::new();
    let (tell, told) = mpsc::channel();
    let feed = house.docket.feed(now).unwrap();
    let _follower = feed.queue(2, move |news| drop(tell.send(news)));
    let waiting = || match told.recv_timeout(PATIENCE).expect("in time") {
        QueueNews::Waiting { petitions, faults, .. } => {
            let shown = petitions.iter().map(|one| (one.id.to_string(), one.status()));
            (shown.collect::<Vec<_>>(), faults.len())
        }
        QueueNews::Trouble(error) => panic!("{error}"),
    };
    let until = |expected: &[(&str, PetitionStatus)], faults: usize| {
        let expected: Vec<(String, PetitionStatus)> =
            expected.iter().map(|(id, at)| ((*id).to_owned(), *at)).collect();
        while waiting() != (expected.clone(), faults) {}
    };
    until(&[], 0);
    assert!(!fs::exists(house.queue()).unwrap());
    ask(&house.docket, "a1");
    until(&[("a1", PetitionStatus::Pending)], 0);
    ask(&house.docket, "b2");
    ask(&house.docket, "c3");
    until(&[("a1", PetitionStatus::Pending), ("b2", PetitionStatus::Pending)], 0);
    house.answer("a1", "auth", "yes").unwrap();
    until(&[("a1", PetitionStatus::InProgress), ("b2", PetitionStatus::Pending)], 0);
    fs::write(house.queue().join("pending/broken.md"), "---\nno end").unwrap();
    until(&[("a1", PetitionStatus::InProgress), ("b2", PetitionStatus::Pending)], 1);
    withdraw(&house.docket, "a1");
    until(&[("b2", PetitionStatus::Pending), ("c3", PetitionStatus::Pending)], 1);
    assert!(matches!(told.recv_timeout(Duration::from_millis(300)), Err(RecvTimeoutError::Timeout)));
}

#[test]
fn who_shows_a_page_knows_how_many_wait_in_all() {
    let house = House::new();
    for id in ["a1", "b2", "c3"] {
        ask(&house.docket, id);
    }
    let (tell, told) = mpsc::channel();
    let feed = house.docket.feed(now).unwrap();
    let follower = feed.queue(1, move |news| drop(tell.send(news)));
    let counts = loop {
        match told.recv_timeout(PATIENCE).expect("in time") {
            QueueNews::Waiting { petitions, counts, .. } if petitions.len() == 1 => break counts,
            QueueNews::Waiting { .. } => {}
            QueueNews::Trouble(error) => panic!("{error}"),
        }
    };
    assert_eq!((counts.total, counts.normal, counts.urgent), (3, 3, 0));
    let (tell, page) = mpsc::channel();
    follower.page(1, 5, move |page| drop(tell.send(page)));
    let page = page.recv_timeout(PATIENCE).expect("in time");
    let ids: Vec<&str> = page.petitions.iter().map(|summary| &*summary.id.0).collect();
    assert_eq!((page.offset, ids, page.counts), (1, vec!["b2", "c3"], counts));
    // One that is not shown is gone: that is news too.
    withdraw(&house.docket, "c3");
    let until = Instant::now() + PATIENCE;
    loop {
        match told.recv_timeout(until.saturating_duration_since(Instant::now())).expect("in time") {
            QueueNews::Waiting { counts, .. } if counts.total == 2 => break,
            QueueNews::Waiting { .. } => {}
            QueueNews::Trouble(error) => panic!("{error}"),
        }
    }
}

#[test]
fn who_left_is_told_nothing_more() {
    let house = House::new();
    let kept = ask(&house.docket, "a1");
    let feed = house.docket.feed(now).unwrap();
    let (follower, told) = following(&feed);
    follower.follow(kept);
    drop(follower);
    // The channel ends with the follower, also for a petition that others follow on.
    assert_eq!(told.recv_timeout(PATIENCE).map(|news| news.id), Err(RecvTimeoutError::Disconnected));
}
