//! The commands of a mission, one story each: `run` and `resume`, `merge` and `discard`. The mission is a rehearsal: its
//! agents are real processes, and its words stand in a script.

mod judge;
mod look;

use std::fs;
use std::io;
use std::time::Duration;

use super::injection::{FaultTarget, Injection};
use super::key::{CallKey, PathMask};
use super::law::{Judgement, in_short};
use super::limits;
use super::mode::FaultMode;
use super::person::Person;
use super::story::{FaultStory, HurtRun, StoryWords};
use super::tracer::trace;
use super::world::FaultWorld;

/// What the command is to bring about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissionWant {
    /// A mission that is complete and proven.
    Complete,
    /// Its work on the user's branch.
    Merged,
    /// Its clone gone, and its work kept.
    Discarded,
}

#[derive(Debug)]
pub struct MissionStory {
    pub name: &'static str,
    pub target: FaultTarget,
    /// What has happened before.
    pub stage: MissionStage,
    pub words: &'static [&'static str],
    pub want: MissionWant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissionStage {
    /// Nothing.
    Blank,
    /// A mission was killed at its so manieth sync.
    Killed(u32),
    /// A mission is complete.
    Complete,
    /// The same, and the user has committed something meanwhile.
    Diverged,
}

use FaultTarget::{Git, Own};
use MissionStage::{Blank, Complete, Diverged, Killed};

const RUN: &[&str] = &["run", "--rehearsal", "../script.yaml", "--headless"];
const RUN_YES: &[&str] = &["run", "--rehearsal", "../script.yaml", "--headless", "--yes"];
const RESUME: &[&str] = &["resume", "--headless"];
const MERGE: &[&str] = &["merge", "{mission}"];
const DISCARD: &[&str] = &["discard", "{mission}", "--yes"];

const fn row(
    name: &'static str,
    target: FaultTarget,
    stage: MissionStage,
    words: &'static [&'static str],
    want: MissionWant,
) -> MissionStory {
    MissionStory { name, target, stage, words, want }
}

#[rustfmt::skip]
pub static MISSION_STORIES: [MissionStory; 11] = [
    row("run", Own, Blank, RUN_YES, MissionWant::Complete),
    row("run-asks", Own, Blank, RUN, MissionWant::Complete),
    row("run-git", Git, Blank, RUN_YES, MissionWant::Complete),
    row("resume", Own, Killed(12), RESUME, MissionWant::Complete),
    row("resume-git", Git, Killed(12), RESUME, MissionWant::Complete),
    row("merge", Own, Complete, MERGE, MissionWant::Merged),
    row("merge-git", Git, Complete, MERGE, MissionWant::Merged),
    row("merge-3way", Own, Diverged, MERGE, MissionWant::Merged),
    row("merge-3way-git", Git, Diverged, MERGE, MissionWant::Merged),
    row("discard", Own, Complete, DISCARD, MissionWant::Discarded),
    row("discard-git", Git, Complete, DISCARD, MissionWant::Discarded),
];

impl MissionStory {
    /// Whether a person looks into the inbox meanwhile.
    fn person(&self, world: &FaultWorld) -> Option<Person> {
        (self.want == MissionWant::Complete).then(|| Person::attend(world))
    }
}

impl FaultStory for MissionStory {
    fn name(&self) -> &'static str {
        self.name
    }

    fn target(&self) -> FaultTarget {
        self.target
    }

    fn bound(&self) -> Duration {
        limits::MISSION_MAX
    }

    fn is_apart(&self) -> bool {
        true
    }

    fn walks(&self, mode: FaultMode) -> bool {
        match (self.target, mode.loss()) {
            // git does not bear every signal, and does not sync every object: that is not ours to judge.
            (Git, loss) => loss.is_none() && !mode.is_harmless(),
            // Only what we wrote is lost, and a merge moves files between git's folder and the work tree. What a person's
            // commands make durable beside the mission is not followed.
            (Own, Some(_)) => self.want == MissionWant::Complete && self.words != RUN,
            (Own, None) => true,
        }
    }

    fn prepare(&self, world: &FaultWorld) -> io::Result<StoryWords> {
        make_project(world)?;
        let mut words = StoryWords::default();
        match self.stage {
            Blank => return Ok(words),
            Killed(sync) => begin_and_kill(world, sync)?,
            Complete | Diverged => {
                let ran = world.run(RUN_YES, limits::MISSION_MAX)?;
                if ran.code != Some(0) {
                    return Err(io::Error::other(in_short(&(ran.out + &ran.err))));
                }
            }
        }
        if self.stage == Diverged {
            fs::write(world.project().join("other.txt"), "mine\n")?;
            for line in [&["add", "-A"][..], &["commit", "--quiet", "-m", "Mine"]] {
                world.git(line)?;
            }
        }
        words.set("mission", &look::only_mission(world)?.0);
        Ok(words)
    }

    fn words(&self, words: &StoryWords) -> Vec<String> {
        words.fill(self.words)
    }

    fn attend(&self, world: &FaultWorld) -> Option<Person> {
        self.person(world)
    }

    fn observe(&self, world: &FaultWorld, _: &StoryWords) -> io::Result<Vec<String>> {
        look::observe(self.want, world)
    }

    fn judge(&self, world: &FaultWorld, words: &StoryWords, run: &HurtRun<'_>) -> io::Result<Judgement> {
        judge::judge(self, world, words, run)
    }
}

/// A repository with one commit, and the script beside it.
fn make_project(world: &FaultWorld) -> io::Result<()> {
    fs::write(world.project().join("README.md"), "a river\n")?;
    fs::write(world.root().join("script.yaml"), include_str!("mission/script.yaml"))?;
    let lines: [&[&str]; 5] = [
        &["init", "--quiet", "-b", "main"],
        &["config", "user.name", "Tester"],
        &["config", "user.email", "tester@localhost"],
        &["add", "-A"],
        &["commit", "--quiet", "-m", "start"],
    ];
    for line in lines {
        let ran = world.git(line)?;
        if ran.code != Some(0) {
            return Err(io::Error::other(format!("git {line:?}: {}", ran.err)));
        }
    }
    Ok(())
}

/// Begins a mission and kills everything when its journal was synced for the so manieth time.
fn begin_and_kill(world: &FaultWorld, sync: u32) -> io::Result<()> {
    let mut mask = PathMask::new(&world.root(), &world.out(), Vec::new());
    // No name is known: all missions look the same.
    mask.learn(&[], &[]);
    let path = mask.mask(&world.root().join("a/b/c/d/journal.jsonl")).unwrap_or_default();
    let key = CallKey { process: "own".to_owned(), call: "fdatasync", path, nth: sync };
    let mut injection = Injection::aiming(Own, mask, key, FaultMode::KillAfter);
    let end = trace(&world.command(RUN_YES), &world.out(), limits::MISSION_MAX, &mut injection)?;
    match end.killed {
        true => Ok(()),
        false => Err(io::Error::other(format!("the mission had no sync {sync}: {}", in_short(&end.err)))),
    }
}
