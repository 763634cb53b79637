//! A mission whose loop takes a batch when it is told to, so that a test chooses what is ready together. Only a binary with
//! the feature `die-at` can be stepped.

use std::fs;
use std::process::{Child, Command, Stdio};

use mind::Fact;

use crate::{Theatre, wait_until};

/// How a loop stands that takes no batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LoopStanding {
    taken: u64,
    waiting: usize,
    stopping: bool,
}

/// A mission of the real binary, in steps. Dropped, it is killed.
#[derive(Debug)]
pub struct SteppedMission {
    /// Where it is.
    pub theatre: Theatre,
    run: Child,
    /// The processes that send it words.
    speakers: Vec<Child>,
    allowed: u64,
}

impl SteppedMission {
    /// Begins a mission that stands before its first batch.
    pub fn begin(theatre: Theatre, mut command: Command) -> SteppedMission {
        let batches = theatre.path().join("batches");
        fs::write(&batches, "0").expect("a number can be written");
        command.env("ARBITER_STANDSTILL", batches).stdout(Stdio::null()).stderr(Stdio::null());
        let run = command.spawn().expect("the binary starts");
        let mission = SteppedMission { theatre, run, speakers: Vec::new(), allowed: 0 };
        wait_until("the loop stands before its first batch", || mission.waiting() >= 2);
        mission
    }

    fn standing(&self) -> Option<LoopStanding> {
        let told = fs::read_to_string(self.theatre.path().join("batches.told")).ok()?;
        let mut words = told.split(' ');
        Some(LoopStanding {
            taken: words.next()?.parse().ok()?,
            waiting: words.next()?.parse().ok()?,
            stopping: words.next()? == "true",
        })
    }

    /// How many events wait in its inbox.
    pub fn waiting(&self) -> usize {
        self.standing().map_or(0, |standing| standing.waiting)
    }

    /// Lets the loop take one batch, and waits until it stands again.
    pub fn step(&mut self) {
        self.allowed += 1;
        let file = self.theatre.path().join("batches");
        let aside = file.with_extension("next");
        fs::write(&aside, self.allowed.to_string()).expect("a number can be written");
        fs::rename(&aside, &file).expect("it can be moved");
        wait_until("the loop has taken a batch", || {
            self.standing().is_some_and(|standing| standing.taken == self.allowed)
        });
    }

    /// Steps until such a fact is written, and returns it.
    ///
    /// # Panics
    ///
    /// If it never is.
    pub fn step_until<T>(&mut self, what: &str, pick: impl Fn(&Fact) -> Option<T>) -> T {
        for _ in 0..200 {
            if let Some(found) = self.theatre.facts().iter().find_map(&pick) {
                return found;
            }
            self.step();
        }
        panic!("no such fact was written: {what}");
    }

    /// Lets the loop go on by itself, and waits for its end.
    pub fn let_go(&mut self) -> Option<i32> {
        fs::remove_file(self.theatre.path().join("batches")).expect("the file is there");
        let mut ended = None;
        wait_until("the mission lets go", || {
            ended = self.run.try_wait().expect("it can be asked");
            ended.is_some()
        });
        ended.and_then(|status| status.code())
    }

    /// Asks the mission to stop, as a terminal or a supervisor does.
    pub fn stop(&self) {
        let pid = rustix::process::Pid::from_child(&self.run);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
        wait_until("the loop is to stop", || self.standing().is_some_and(|standing| standing.stopping));
    }

    /// Speaks from another terminal; the words wait in the loop's inbox when this returns.
    pub fn say(&mut self, words: &str) {
        let before = self.waiting();
        self.speakers.push(self.theatre.start(&["mission", "say", &self.theatre.mission_id(), words]));
        wait_until("the words wait in the inbox", || self.waiting() > before);
    }
}

impl Drop for SteppedMission {
    fn drop(&mut self) {
        for child in self.speakers.iter_mut().chain([&mut self.run]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
