//! Measures the docket: how soon an answer is safe, with few petitions and with very many; how soon the queue stands;
//! how soon a change is known.

use std::fs;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use docket::text::PetitionText;
use docket::{Became, Docket, StoredPetition};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, DraftDecision, PetitionDraft, PetitionId, SeenAnswer, SeenQuestion};
use mind::talk::DecisionOption;

use super::{figure, part};

/// How many answers are measured.
const ANSWERS: usize = 200;
const ROUNDS: usize = 40;

/// Measures and prints.
pub fn measure() {
    let mut middles = Vec::new();
    for count in [10, 1_000, 100_000] {
        let Ok(home) = tempfile::tempdir() else { return };
        let queue = home.path().join("queue");
        if let Err(error) = fill(&queue, count) {
            return figure("docket", format!("{error}"), "");
        }
        let begun = Instant::now();
        let listed = Docket::at(queue.clone()).queue(now()).map_or(0, |queue| queue.petitions.len());
        let came = begun.elapsed();
        if listed != count {
            return figure("docket", format!("{listed} of {count} listed"), "");
        }
        let took = answers(&queue, count);
        middles.push(part(&took, 0.5));
        let name = format!("docket: answer to durable file, {count} pending");
        let spread = format!("{:.1} ms (p95 {:.1})", part(&took, 0.5), part(&took, 0.95));
        figure(&name, spread, "p50 5 ms");
        if count == 100_000 {
            figure("docket: 100000 foreign files are taken in", seconds(came), "none");
            starts(&queue, count);
        }
    }
    if let [few, .., many] = middles.as_slice() {
        figure("docket: an answer with 100000 against 10", format!("{:.2} times", many / few), "under 1.5");
    }
    if let Ok(home) = tempfile::tempdir() {
        known(&home.path().join("queue"));
        round_trip(&home.path().join("queue"));
    }
}

/// As another program would: files without a sync.
pub fn fill(queue: &Path, count: usize) -> std::io::Result<()> {
    fill_as(queue, "many", count)
}

/// The same, with ids that begin so.
pub fn fill_as(queue: &Path, name: &str, count: usize) -> std::io::Result<()> {
    let pending = queue.join("pending");
    fs::create_dir_all(&pending)?;
    let sheet = PetitionText::write(&draft("Many of them").petition(PetitionId::from("ID"), now()));
    for n in 0..count {
        let text = sheet.text().replacen("id: ID", &format!("id: {name}{n}"), 1);
        fs::write(pending.join(format!("ceo-many-of-them-{name}{n}.md")), text)?;
    }
    Ok(())
}

/// What each of many answers took, each with a docket of its own.
fn answers(queue: &Path, count: usize) -> Vec<f64> {
    let mut took = Vec::new();
    for n in 0..ANSWERS {
        // Far from one another, so that nothing is still at hand.
        let id = PetitionId::from(&*format!("many{}", n.wrapping_mul(7_919) % count));
        let begun = Instant::now();
        let docket = Docket::at(queue.to_owned());
        let seen = SeenQuestion { question: None, answer: SeenAnswer::Any, ..SeenQuestion::default() };
        let choice = AnswerChoice::Answer(Arc::from("yes"));
        if docket.answer(&id, "auth", choice, &seen, &Actor::human(Door::Cli, "ada"), now()).is_ok() {
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        }
    }
    took
}

/// How soon the queue stands, with what an earlier process left and without.
fn starts(queue: &Path, count: usize) {
    let start = || {
        let begun = Instant::now();
        let listed = Docket::at(queue.to_owned()).queue(now()).map_or(0, |queue| queue.petitions.len());
        (begun.elapsed(), listed == count)
    };
    // What was just written is read once more.
    start();
    let (warm, whole) = start();
    figure("docket: start with 100000 pending, index there", seconds_if_whole(warm, whole), "1.00 s");
    if fs::remove_dir_all(queue.join(".arbiter")).is_ok() {
        let (cold, whole) = start();
        figure("docket: start with 100000 pending, no index", seconds_if_whole(cold, whole), "none");
    }
}

/// From a change of a file by another program to a board that knows it.
fn known(queue: &Path) {
    let docket = Docket::at(queue.to_owned());
    let Some(StoredPetition { file, .. }) = ask(&docket, "watched") else { return };
    let (tell, heard) = mpsc::channel();
    let Ok(feed) = docket.feed(now) else { return };
    let _following = feed.queue(1, move |news| drop(tell.send(news)));
    // What waits is told first.
    let _ = heard.recv_timeout(Duration::from_secs(5));
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        let Ok(text) = fs::read_to_string(&file) else { return };
        let edited: String = text
            .split_inclusive('\n')
            .map(|line| match line.starts_with("answer:") {
                true => format!("answer: round{round}\n"),
                false => line.to_owned(),
            })
            .collect();
        let beside = file.with_extension("tmp-0123456789abcdef");
        let lines = docket.records(1).map_or(0, |records| records.len());
        let begun = Instant::now();
        if fs::write(&beside, edited).and_then(|()| fs::rename(&beside, &file)).is_err() {
            return;
        }
        while docket.records(1).map_or(0, |records| records.len()) == lines {
            if heard.recv_timeout(Duration::from_secs(5)).is_err() {
                return figure("docket: an edit by hand is known", "not heard of".to_owned(), "200 ms");
            }
        }
        took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        // Its own echo is heard as well.
        while heard.recv_timeout(Duration::from_millis(30)).is_ok() {}
    }
    figure("docket: an edit by hand is known, recorded and written", spread(&took), "200 ms");
}

/// An agent asks and waits; a person answers and submits; the agent knows.
fn round_trip(queue: &Path) {
    let docket = Docket::at(queue.to_owned());
    let (tell, heard) = mpsc::channel();
    let Ok(feed) = docket.feed(now) else { return };
    let following = feed.petitions(move |news| drop(tell.send(news.became)));
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        let name = format!("trip{round}");
        let begun = Instant::now();
        let Some(kept) = ask(&docket, &name) else { return };
        let id = kept.petition.id.clone();
        following.follow(kept);
        let person = {
            let (docket, id) = (docket.clone(), id.clone());
            std::thread::spawn(move || {
                let by = Actor::human(Door::Cli, "ada");
                let choice = AnswerChoice::Answer(Arc::from("yes"));
                let answered = docket.answer(&id, "auth", choice, &SeenQuestion::default(), &by, now());
                answered.and_then(|_| docket.submit(&id, &by, now())).is_ok()
            })
        };
        loop {
            match heard.recv_timeout(Duration::from_secs(5)) {
                Ok(Became::Stands { kept, .. }) if kept.petition.closed.is_some() => break,
                Ok(_) => {}
                Err(_) => {
                    return figure("docket: push, answer, submit, await", "not heard of".to_owned(), "none");
                }
            }
        }
        took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        if !person.join().unwrap_or(false) {
            return;
        }
    }
    figure("docket: push, answer, submit, await", spread(&took), "none");
}

fn ask(docket: &Docket, id: &str) -> Option<StoredPetition> {
    let pushed = docket.push(&draft(id), PetitionId::from(id), &Actor::Agent(Arc::from("ceo")), now());
    pushed.ok().map(|pushed| pushed.kept)
}

fn draft(title: &str) -> PetitionDraft {
    let option =
        |key: &str| DecisionOption { key: key.to_owned(), label: format!("{key}, as far as it goes") };
    PetitionDraft {
        agent: Arc::from("ceo"),
        session: Arc::from("agent:ceo:main"),
        tag: Arc::from("shop"),
        title: Arc::from(title),
        context: Arc::from("What the person who answers needs to know.\n".repeat(8)),
        decisions: vec![DraftDecision {
            id: Arc::from("auth"),
            title: Arc::from("How do people log in?"),
            options: vec![option("yes"), option("no")],
            ..DraftDecision::default()
        }],
        ..PetitionDraft::default()
    }
}

fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

fn spread(values: &[f64]) -> String {
    format!("{:.1} ms (p95 {:.1})", part(values, 0.5), part(values, 0.95))
}

fn seconds(took: Duration) -> String {
    format!("{:.2} s", took.as_secs_f64())
}

fn seconds_if_whole(took: Duration, whole: bool) -> String {
    if whole { seconds(took) } else { "not all listed".to_owned() }
}
