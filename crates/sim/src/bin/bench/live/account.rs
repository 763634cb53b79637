//! The times of a mission, from its journal, its logbooks and the API's log.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mind::fact::{LifeFact, SessionFact, TalkFact, ToolFact, TurnFact};
use mind::{Entry, Fact};
use serde_json::Value;

use super::mission::{ARBITER, DONE, Mission, ORCHESTRATOR, is_summons, is_told};

/// The Arbiter's session.
const FIRST: u32 = 1;

/// What is known of a mission.
pub struct Account {
    entries: Vec<Entry>,
    requests: Vec<Asked>,
    books: BTreeMap<u32, Vec<Line>>,
}

/// A request of the API's log.
struct Asked {
    voice: String,
    heard: String,
    at: f64,
    ended: f64,
}

/// A line of a logbook.
struct Line {
    at: f64,
    dir: String,
    text: String,
}

/// One worker from its summoning to what the Arbiter says of its handoff, in milliseconds.
pub struct Summon {
    pub whole: f64,
    pub until_asked: f64,
}

impl Account {
    /// All that is known by now.
    pub fn of(mission: &mut Mission) -> Account {
        let entries = mission.entries().to_vec();
        let requests = mission.api.requests().into_iter().filter_map(|request| {
            let (at, ended) = (mission.wall(request.at), mission.wall(request.ended?));
            Some(Asked { voice: request.voice.clone()?, heard: request.heard(), at, ended })
        });
        let requests = requests.collect();
        let books = sessions(&entries).into_iter().map(|number| (number, read(&mission.logbook(number))));
        let books = books.collect();
        Account { entries, requests, books }
    }

    /// When a request with these words came.
    pub fn asked(&self, words: &str) -> Option<f64> {
        self.requests.iter().find(|request| request.heard.contains(words)).map(|request| request.at)
    }

    /// When these words were taken for said.
    pub fn said(&self, words: &str) -> Option<f64> {
        let is_said =
            |fact: &Fact| matches!(fact, Fact::Talk(TalkFact::Said { text, .. }) if text.as_ref() == words);
        self.entries.iter().find(|entry| is_said(&entry.fact)).map(at)
    }

    /// When the Arbiter's process was given these words.
    pub fn given(&self, words: &str) -> Option<f64> {
        let mut lines = self.books.get(&FIRST)?.iter();
        lines.find(|line| line.dir == "in" && line.text.contains(words)).map(|line| line.at)
    }

    /// For each turn that came to its end, of the Arbiter or of workers: from the last byte of its last answer to the
    /// fact, and from the process's own word that it is over to the fact.
    pub fn ends(&self, workers: bool) -> (Vec<f64>, Vec<f64>) {
        let voice = if workers { ORCHESTRATOR } else { ARBITER };
        let (mut whole, mut ours) = (Vec::new(), Vec::new());
        for (session, book) in self.books.iter().filter(|(session, _)| (**session != FIRST) == workers) {
            let rests = self.entries.iter().filter(|entry| is_rest(&entry.fact, *session)).map(at);
            let results = book.iter().filter(|line| line.dir == "out" && is_result(&line.text));
            let (rests, results) = (rests.collect::<Vec<_>>(), results.collect::<Vec<_>>());
            // Each turn has one result and comes to one rest, in the same order.
            assert_eq!(rests.len(), results.len(), "turns of s{session}");
            for (rest, result) in rests.into_iter().zip(results) {
                ours.push(rest - result.at);
                let spoken = self.requests.iter().filter(|request| request.voice == voice);
                let last = spoken.map(|request| request.ended).filter(|ended| *ended <= result.at + 1.0);
                whole.extend(last.max_by(f64::total_cmp).map(|ended| rest - ended));
            }
        }
        (whole, ours)
    }

    /// Each summons that came to its end.
    pub fn summons(&self) -> Vec<Summon> {
        let times = |is: fn(&Fact) -> bool| -> Vec<f64> {
            self.entries.iter().filter(|entry| is(&entry.fact)).map(at).collect()
        };
        let (begun, done) = (times(is_summons), times(|fact| is_told(fact, DONE)));
        let worked = times(|fact| {
            matches!(fact, Fact::Session(_, SessionFact::Tool(ToolFact::Ended { ok: true, .. })))
        })
        .len();
        assert_eq!(
            (begun.len(), worked),
            (done.len(), done.len()),
            "each worker comes, works and is told of"
        );
        let summon = |(begun, done): (f64, f64)| {
            let mut asked = self.requests.iter().filter(|request| request.voice == ORCHESTRATOR);
            let first = asked.find(|request| request.at >= begun)?;
            Some(Summon { whole: done - begun, until_asked: first.at - begun })
        };
        begun.into_iter().zip(done).filter_map(summon).collect()
    }
}

/// A time in whole milliseconds is on average half of one older.
const CUT_OFF: f64 = 0.5;

fn at(entry: &Entry) -> f64 {
    entry.at.0 as f64 + CUT_OFF
}

fn sessions(entries: &[Entry]) -> Vec<u32> {
    let summoned = entries.iter().filter_map(|entry| match &entry.fact {
        Fact::Session(id, SessionFact::Life(LifeFact::Summoned(_))) => Some(id.0),
        Fact::Session(..)
        | Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    summoned.collect()
}

fn is_rest(fact: &Fact, session: u32) -> bool {
    matches!(fact, Fact::Session(id, SessionFact::Turn(TurnFact::Rested { .. })) if id.0 == session)
}

fn is_result(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|line| line["type"] == "result")
}

fn read(logbook: &Path) -> Vec<Line> {
    let text = fs::read_to_string(logbook).unwrap_or_default();
    let lines = text.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let (dir, text) = (line["dir"].as_str()?.to_owned(), line["line"].as_str()?.to_owned());
        Some(Line { at: line["at"].as_f64()? + CUT_OFF, dir, text })
    });
    lines.collect()
}
