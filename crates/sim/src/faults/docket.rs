//! The docket's commands, one story each: what comes before, the command that is hurt, and what must be true in the end.
//! It sees what a user sees: exit codes, what is printed, and the files that the documents name.

mod judge;

use std::io;

use super::injection::FaultTarget;
use super::law::Judgement;
use super::limits;
use super::mode::FaultMode;
use super::story::{FaultStory, HurtRun, StoryWords};
use super::world::FaultWorld;

/// What the command is to bring about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocketWant {
    /// A petition with this title waits.
    Asked(&'static str),
    /// The decision `db` is answered with `pg`.
    Decided,
    /// And the petition is submitted.
    Submitted,
    Skipped,
    /// The decision `db` is handed to sam.
    Assigned,
    Withdrawn,
    /// Nothing: it only tells, and what it tells is the same as ever.
    Told,
}

#[derive(Debug)]
pub struct DocketStory {
    pub name: &'static str,
    /// Whether petitions wait already.
    pub begun: bool,
    /// What is done before, without faults. `{id}` is the petition.
    pub before: &'static [&'static [&'static str]],
    /// Whether the answer is written into the file by hand, before the command.
    pub edited: bool,
    /// Whether it tells how long something takes, so that its numbers differ.
    pub timed: bool,
    pub words: &'static [&'static str],
    pub want: DocketWant,
}

const ANSWER: &[&str] = &["answer", "{id}", "db", "pg"];
const OTHER_ANSWER: &[&str] = &["answer", "{id}", "db", "sqlite"];
const SUBMIT: &[&str] = &["submit", "{id}"];
const ASK: &[&str] = &["ask", "Where to?", "-o", "north", "-o", "south", "--id", "way", "--title", "Way"];

const fn row(name: &'static str, words: &'static [&'static str], want: DocketWant) -> DocketStory {
    DocketStory { name, begun: true, before: &[], edited: false, timed: false, words, want }
}

#[rustfmt::skip]
pub static DOCKET_STORIES: [DocketStory; 19] = [
    row("ask", ASK, DocketWant::Asked("Way")),
    DocketStory { begun: false, ..row("first-ask", ASK, DocketWant::Asked("Way")) },
    row("ask-key", &["ask", "Where to?", "-o", "north", "--title", "Way", "--key", "k1", "--json"], DocketWant::Asked("Way")),
    row("answer", ANSWER, DocketWant::Decided),
    row("answer-submit", &["answer", "{id}", "db", "pg", "--submit"], DocketWant::Submitted),
    DocketStory { before: &[OTHER_ANSWER], ..row("change", &["answer", "{id}", "db", "pg", "--change"], DocketWant::Decided) },
    row("skip", &["skip", "{id}", "db"], DocketWant::Skipped),
    row("assign", &["assign", "{id}", "db", "sam"], DocketWant::Assigned),
    DocketStory { before: &[ANSWER], ..row("submit", SUBMIT, DocketWant::Submitted) },
    row("withdraw", &["withdraw", "{id}", "--why", "not needed"], DocketWant::Withdrawn),
    DocketStory { edited: true, ..row("edited", &["inbox", "--json"], DocketWant::Decided) },
    row("inbox", &["inbox", "--json"], DocketWant::Told),
    DocketStory { before: &[ANSWER], ..row("get-partial", &["get", "{id}", "--partial", "--json"], DocketWant::Told) },
    DocketStory { before: &[ANSWER, SUBMIT], ..row("get", &["get", "{id}", "--json"], DocketWant::Told) },
    row("status", &["status", "{id}", "--json"], DocketWant::Told),
    DocketStory { before: &[ANSWER, SUBMIT], ..row("await", &["await", "{id}", "--timeout", "20s", "--json"], DocketWant::Told) },
    DocketStory { before: &[ANSWER], ..row("audit", &["audit", "--json"], DocketWant::Told) },
    DocketStory { before: &[ANSWER, SUBMIT], ..row("verify", &["audit", "verify", "--json"], DocketWant::Told) },
    DocketStory { before: &[ANSWER, SUBMIT], timed: true, ..row("stats", &["stats", "--json"], DocketWant::Told) },
];

impl FaultStory for DocketStory {
    fn name(&self) -> &'static str {
        self.name
    }

    fn target(&self) -> FaultTarget {
        FaultTarget::Own
    }

    fn bound(&self) -> std::time::Duration {
        limits::COMMAND_MAX
    }

    fn walks(&self, mode: FaultMode) -> bool {
        // One process: to kill it is to kill all.
        mode != FaultMode::KillOne
    }

    fn prepare(&self, world: &FaultWorld) -> io::Result<StoryWords> {
        let mut words = StoryWords::default();
        if !self.begun {
            return Ok(words);
        }
        for (name, title) in [("id", "Database"), ("other", "Name")] {
            let ask =
                ["ask", "Which one?", "-o", "pg=Postgres", "-o", "sqlite", "--id", "db", "--title", title];
            words.set(name, judge::run(world, &ask)?.out.trim());
        }
        for before in self.before {
            let ran = judge::run(world, &words.fill(before))?;
            if ran.code != Some(0) {
                return Err(io::Error::other(format!("{before:?}: {}", ran.err)));
            }
        }
        if self.edited {
            judge::edit(world, &words)?;
        }
        Ok(words)
    }

    fn words(&self, words: &StoryWords) -> Vec<String> {
        words.fill(self.words)
    }

    fn judge(&self, world: &FaultWorld, words: &StoryWords, run: &HurtRun<'_>) -> io::Result<Judgement> {
        match self.want {
            DocketWant::Told => judge::told(self, world, words, run),
            DocketWant::Asked(_)
            | DocketWant::Decided
            | DocketWant::Submitted
            | DocketWant::Skipped
            | DocketWant::Assigned
            | DocketWant::Withdrawn => judge::done(self, world, words, run),
        }
    }
}
