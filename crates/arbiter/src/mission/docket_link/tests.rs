//! The link over a real docket: every petition of a mission is a new one, what cannot be done yet is tried again, and late
//! answers are heard after a crash too.

use std::fs;

use mind::actor::Door;
use mind::petition::{AnswerChoice, DraftDecision, SeenQuestion};
use mind::talk::DecisionOption;

use super::*;

struct Bank {
    folder: tempfile::TempDir,
    docket: Docket,
}

impl Bank {
    fn new() -> Bank {
        let folder = tempfile::tempdir().expect("a folder");
        let docket = Docket::at(folder.path().join("queue"));
        Bank { folder, docket }
    }

    fn bridge(&self) -> (DocketLink, mpsc::Receiver<Event>) {
        let (events, inbox) = mpsc::channel(16);
        (DocketLink::open(self.docket.clone(), events), inbox)
    }

    fn waiting(&self) -> usize {
        self.docket.queue(clock::now()).expect("a queue").petitions.len()
    }

    fn answer(&self, id: &str, way: &str) {
        let (id, by) = (PetitionId::from(id), Actor::human(Door::Cli, "ada"));
        let choice = AnswerChoice::Answer(Arc::from(way));
        self.docket
            .answer(&id, "way", choice, &SeenQuestion::default(), &by, clock::now())
            .expect("an answer");
    }

    fn submit(&self, id: &str) {
        let by = Actor::human(Door::Cli, "ada");
        self.docket.submit(&PetitionId::from(id), &by, clock::now()).expect("a submit");
    }
}

fn which_way(key: Option<&str>) -> Arc<PetitionDraft> {
    let decision = DraftDecision {
        id: Arc::from("way"),
        title: Arc::from("Which way?"),
        options: vec![DecisionOption { key: "left".to_owned(), label: "Left".to_owned() }],
        ..DraftDecision::default()
    };
    Arc::new(PetitionDraft {
        agent: Arc::from("Orchestrator I"),
        tag: Arc::from("bridge"),
        title: Arc::from("Which way?"),
        key: key.map(Arc::from),
        mission: Some(Arc::from("bridge-1")),
        decisions: vec![decision],
        ..PetitionDraft::default()
    })
}

async fn told(inbox: &mut mpsc::Receiver<Event>) -> (String, DocketEvent) {
    let event = tokio::time::timeout(std::time::Duration::from_secs(20), inbox.recv()).await;
    let event = event.expect("in time").expect("an event");
    let Event::Docket(id, event) = event else { panic!("{event:?}") };
    (id.to_string(), event)
}

#[tokio::test]
async fn two_petitions_that_ask_the_same_are_two() {
    for key in [None, Some("which-way")] {
        let bank = Bank::new();
        let (bridge, mut inbox) = bank.bridge();
        // The second may be another mission's, whose Orchestrator I chose the same key.
        for id in ["m1", "m2"] {
            bridge.push(PetitionId::from(id), which_way(key));
        }
        bridge.close().await;
        assert_eq!(bank.waiting(), 2);
        let (bridge, mut again) = bank.bridge();
        bridge.push(PetitionId::from("m2"), which_way(key));
        bank.answer("m2", "left");
        bank.submit("m2");
        let (id, event) = told(&mut again).await;
        assert!(id == "m2" && matches!(event, DocketEvent::Decided { .. }), "{id} {event:?}");
        bridge.close().await;
        assert!(inbox.try_recv().is_err(), "nothing was wrong with either");
        assert_eq!(bank.waiting(), 1);
    }
}

#[tokio::test]
async fn what_was_said_late_while_nobody_ran_is_heard_at_the_next_start() {
    let bank = Bank::new();
    let (bridge, _inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    bridge.withdraw(PetitionId::from("m1"), Arc::from("the tool waits no more"));
    bridge.close().await;
    bank.answer("m1", "left");
    let (bridge, mut inbox) = bank.bridge();
    bridge.withdraw(PetitionId::from("m1"), Arc::from("the tool waits no more"));
    let (_, event) = told(&mut inbox).await;
    assert!(matches!(&event, DocketEvent::Late(answer) if answer.choice.text() == "left"), "{event:?}");
    bridge.close().await;
}

#[tokio::test]
async fn who_submitted_before_it_was_withdrawn_is_heard() {
    let bank = Bank::new();
    let (bridge, mut inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    bridge.close().await;
    bank.answer("m1", "left");
    bank.submit("m1");
    let (bridge, mut again) = bank.bridge();
    bridge.withdraw(PetitionId::from("m1"), Arc::from("it was answered elsewhere"));
    let (_, event) = told(&mut again).await;
    assert!(matches!(event, DocketEvent::Decided { .. }), "{event:?}");
    bridge.close().await;
    assert!(inbox.try_recv().is_err());
}

#[tokio::test]
async fn who_takes_it_back_without_a_word_gives_no_reason() {
    let bank = Bank::new();
    let (bridge, _inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    bridge.close().await;
    let by = Actor::human(Door::Cli, "ada");
    bank.docket.withdraw(&PetitionId::from("m1"), "", &by, clock::now()).expect("a withdrawal");
    let (bridge, mut inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    let (_, event) = told(&mut inbox).await;
    assert!(matches!(&event, DocketEvent::Closed { why } if &**why == "it was withdrawn"), "{event:?}");
    bridge.close().await;
}

#[tokio::test]
async fn what_cannot_be_asked_now_is_told_and_asked_as_soon_as_it_can_be() {
    let bank = Bank::new();
    let in_the_way = bank.folder.path().join("queue");
    fs::write(&in_the_way, "a file where the folder should be").expect("a file");
    let (bridge, mut inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    let (id, event) = told(&mut inbox).await;
    assert!(id == "m1" && matches!(event, DocketEvent::Delayed { .. }), "{event:?}");
    fs::remove_file(&in_the_way).expect("it can be removed");
    while bank.waiting() == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    bank.answer("m1", "left");
    bank.submit("m1");
    let (id, event) = told(&mut inbox).await;
    assert!(id == "m1" && matches!(event, DocketEvent::Decided { .. }), "{event:?}");
    bridge.close().await;
}

#[tokio::test]
async fn a_docket_that_stays_out_of_order_holds_no_end_up() {
    let bank = Bank::new();
    fs::write(bank.folder.path().join("queue"), "a file where the folder should be").expect("a file");
    let (bridge, mut inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    bridge.withdraw(PetitionId::from("m1"), Arc::from("over"));
    bridge.close().await;
    assert!(inbox.try_recv().is_err(), "it was tried once only");
}

/// The ledger has it, and one call after that failed: it is asked, and its answer is heard.
#[tokio::test]
async fn what_the_ledger_has_was_asked_whichever_call_failed() {
    for step in 0.. {
        let storage = docket::MemoryStorage::default();
        let bank = Bank { docket: Docket::in_memory(storage), ..Bank::new() };
        let faulty = bank.docket.stumbling(step);
        let (events, mut inbox) = mpsc::channel(16);
        let bridge = DocketLink::open(faulty.clone(), events);
        bridge.push(PetitionId::from("m1"), which_way(None));
        while bank.waiting() == 0 {
            let given_up = inbox.try_recv();
            assert!(given_up.is_err(), "step {step}: {given_up:?}");
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        bank.answer("m1", "left");
        bank.submit("m1");
        let (id, event) = told(&mut inbox).await;
        assert!(id == "m1" && matches!(event, DocketEvent::Decided { .. }), "step {step}: {event:?}");
        bridge.close().await;
        assert!(inbox.try_recv().is_err(), "step {step}: it hears of it once");
        let asked = bank.docket.records(0).expect("a ledger").into_iter();
        assert_eq!(asked.filter(|line| line.change == PetitionChange::Asked).count(), 1, "step {step}");
        if !faulty.has_stumbled() {
            assert!(step > 5, "{step} steps are too few to be true");
            return;
        }
    }
}

#[tokio::test]
async fn what_could_not_be_withdrawn_is_withdrawn_as_soon_as_it_can_be() {
    let bank = Bank::new();
    let (bridge, _inbox) = bank.bridge();
    bridge.push(PetitionId::from("m1"), which_way(None));
    bridge.close().await;
    let (queue, aside) = (bank.folder.path().join("queue/.arbiter"), bank.folder.path().join("aside"));
    fs::rename(&queue, &aside).expect("a folder can be moved");
    fs::write(&queue, "no folder").expect("a file");
    let (bridge, mut inbox) = bank.bridge();
    bridge.withdraw(PetitionId::from("m1"), Arc::from("over"));
    // It was tried once in vain before this is looked at.
    bridge.push(PetitionId::from("m2"), which_way(None));
    let (_, event) = told(&mut inbox).await;
    assert!(matches!(event, DocketEvent::Delayed { .. }), "{event:?}");
    bridge.withdraw(PetitionId::from("m2"), Arc::from("over"));
    fs::remove_file(&queue).expect("it can be removed");
    fs::rename(&aside, &queue).expect("a folder can be moved");
    bridge.close().await;
    assert_eq!(bank.waiting(), 0);
}

#[tokio::test]
async fn two_missions_of_one_process_share_a_docket_and_each_hears_of_its_own() {
    let docket = Docket::in_memory(docket::MemoryStorage::default());
    let (one_events, mut one) = mpsc::channel(16);
    let (other_events, mut other) = mpsc::channel(16);
    let one_bridge = DocketLink::open(docket.clone(), one_events);
    let other_bridge = DocketLink::open(docket.clone(), other_events);
    one_bridge.push(PetitionId::from("one-1"), which_way(Some("which-way")));
    other_bridge.push(PetitionId::from("other-1"), which_way(Some("which-way")));
    one_bridge.push(PetitionId::from("one-2"), which_way(None));
    let by = Actor::human(Door::Cli, "ada");
    let waiting = |count: usize| {
        let docket = docket.clone();
        move || docket.queue(clock::now()).expect("a queue").petitions.len() == count
    };
    while !waiting(3)() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let decide = |id: &str, way: &str| {
        let (id, choice) = (PetitionId::from(id), AnswerChoice::Answer(Arc::from(way)));
        docket.answer(&id, "way", choice, &SeenQuestion::default(), &by, clock::now()).expect("an answer");
        docket.submit(&id, &by, clock::now()).expect("a submit");
    };
    decide("other-1", "around");
    decide("one-1", "left");
    let ways = |event: DocketEvent| -> Vec<String> {
        let DocketEvent::Decided { answers } = event else { panic!("{event:?}") };
        answers.iter().map(|answer| answer.choice.text().to_owned()).collect()
    };
    let (id, event) = told(&mut one).await;
    assert_eq!((id.as_str(), ways(event)), ("one-1", vec!["left".to_owned()]));
    let (id, event) = told(&mut other).await;
    assert_eq!((id.as_str(), ways(event)), ("other-1", vec!["around".to_owned()]));
    one_bridge.withdraw(PetitionId::from("one-2"), Arc::from("over"));
    one_bridge.close().await;
    other_bridge.close().await;
    assert!(
        one.try_recv().is_err() && other.try_recv().is_err(),
        "a mission hears of its own petitions only"
    );
    assert!(waiting(0)() && docket.verify(clock::now()).expect("an audit").is_empty());
    assert!(!docket.folder().exists(), "nothing of it is on the disk");
}
