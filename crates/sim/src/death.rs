//! Kills a mission of the real binary at chosen batches and moments and resumes it. What it leaves must be what an
//! undisturbed run leaves: nothing lost, nothing said twice, nothing asked twice.

use std::fs;
use std::process::Command;

use crate::books::Books;
use crate::{Ran, Story, Theatre};

/// What a mission leaves behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Legacy {
    story: Story,
    commits: String,
    /// What is kept for later missions, by its words: the day is not ours to say.
    pub notes: Vec<String>,
    /// What was used, and what it cost.
    pub books: Books,
}

impl Legacy {
    /// What the only mission of a world left. Its work must have been brought over.
    pub fn of(theatre: &Theatre) -> Legacy {
        let (mission, id) = (theatre.mission(), theatre.mission_id());
        let forget = [theatre.path().to_string_lossy().into_owned(), id.clone()];
        let clone = theatre.clone_of(&id);
        let own = theatre.project();
        let source = if own.join(".git").exists() { own } else { theatre.state().join("scratch").join(&id) };
        let brought = theatre.git_in(&source, &["rev-parse", &format!("refs/arbiter/{id}")]);
        assert_eq!(brought, theatre.git_in(&clone, &["rev-parse", "HEAD"]), "the work is brought over");
        let notes = fs::read_dir(theatre.project().join(".arbiter/memory")).into_iter().flatten().flatten();
        // A process that dies while it writes a note leaves a file that is no note.
        let notes =
            notes.map(|file| file.path()).filter(|path| path.extension().is_some_and(|it| it == "md"));
        let mut notes: Vec<String> = notes.map(|note| fs::read_to_string(note).expect("a note")).collect();
        notes.sort();
        let entries = theatre.entries(&mission);
        Legacy {
            story: Story::of(&entries, &forget),
            books: Books::of(&entries),
            commits: theatre.git_in(&clone, &["log", "--format=%s", "--name-status"]),
            notes,
        }
    }
}

/// A mission that dies, as often as it is asked to.
#[derive(Debug)]
pub struct DeathWalk {
    world: fn() -> Theatre,
    begin: fn(&Theatre) -> Command,
    /// What an undisturbed run leaves.
    pub expected: Legacy,
}

impl DeathWalk {
    /// The moments of a batch at which the binary can die.
    pub const MOMENTS: [&str; 3] = ["before-sync", "after-sync", "after-effects"];
    /// The words that take a mission up again.
    pub const RESUME: [&str; 2] = ["resume", "--headless"];

    /// A mission that is begun like this, each time in a world of its own.
    pub fn new(world: fn() -> Theatre, begin: fn(&Theatre) -> Command) -> DeathWalk {
        let theatre = world();
        let ran = Ran::from(begin(&theatre).output().expect("the binary starts"));
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        DeathWalk { world, begin, expected: Legacy::of(&theatre) }
    }

    /// Runs a command that is to die there, if its mission comes so far.
    pub fn die_at(mut command: Command, wish: &str) -> Ran {
        Ran::from(command.env("ARBITER_DIE_AT", wish).output().expect("the binary starts"))
    }

    /// Kills one mission at each of these points in turn, without sandboxes, since there are hundreds of starts; returns
    /// how many deaths there were. How events fall into batches differs a little from run to run, so only several
    /// `survivors` in a row are the end of it.
    pub fn walk(&self, points: impl Iterator<Item = String>, survivors: u32) -> u32 {
        let (mut deaths, mut survived) = (0, 0);
        for point in points {
            let theatre = (self.world)().with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
            let ran = DeathWalk::die_at((self.begin)(&theatre), &point);
            if ran.code == Some(0) {
                survived += 1;
            } else {
                (deaths, survived) = (deaths + 1, 0);
                assert_eq!(ran.code, None, "killed at {point}: {}", ran.err);
                DeathWalk::go_on(&theatre, &point);
            }
            self.assert_whole(&theatre, &point);
            if survived == survivors {
                return deaths;
            }
        }
        unreachable!("every run was killed");
    }

    /// One mission is killed again and again, at each of these points, before it may end; returns how often.
    pub fn die_often(&self, points: impl Iterator<Item = String>) -> u32 {
        let theatre = (self.world)();
        let mut ran = DeathWalk::die_at((self.begin)(&theatre), "3:after-sync");
        let mut deaths = 0;
        for point in points {
            if ran.code.is_some() || is_proven(&theatre) {
                break;
            }
            deaths += 1;
            assert!(deaths < 200, "the mission makes no progress");
            ran = DeathWalk::die_at(theatre.command(&DeathWalk::RESUME), &point);
        }
        assert!(ran.code.is_none_or(|code| code == 0), "{}", ran.err);
        self.assert_whole(&theatre, "many deaths");
        deaths
    }

    /// Resumes until the mission is over; it may have been over when the binary fell.
    pub fn go_on(theatre: &Theatre, point: &str) {
        let resumed = theatre.run(&DeathWalk::RESUME);
        let over = resumed.code == Some(2) && resumed.err.contains("no unfinished mission");
        assert!(resumed.code == Some(0) || over, "resumed after {point}: {}\n{}", resumed.out, resumed.err);
        assert!(is_proven(theatre), "after {point}");
    }

    /// Nothing of the mission is lost, and no process is left.
    pub fn assert_whole(&self, theatre: &Theatre, point: &str) {
        assert_eq!(Legacy::of(theatre), self.expected, "after death at {point}");
        theatre.assert_nobody_left();
    }
}

fn is_proven(theatre: &Theatre) -> bool {
    theatre.run(&["show"]).out.contains("complete, proven")
}
