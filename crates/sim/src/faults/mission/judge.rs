//! What a user does after a command of a mission was hurt, and what is held against what comes of it.

use std::io;

use super::{MissionStory, MissionWant, RESUME, look};
use crate::faults::law::{FaultLaw, Judgement, in_short};
use crate::faults::limits;
use crate::faults::story::{FaultStory, HurtRun, StoryWords};
use crate::faults::tracer::TracedEnd;
use crate::faults::world::FaultWorld;

pub fn judge(
    story: &MissionStory,
    world: &FaultWorld,
    words: &StoryWords,
    hurt: &HurtRun<'_>,
) -> io::Result<Judgement> {
    let mut judgement = Judgement { acknowledged: hurt.end.code == Some(0), ..Judgement::default() };
    let mut steps = vec![format!("{:?} {}", hurt.end.code, in_short(&hurt.end.err))];
    if judgement.acknowledged {
        let found = look::observe(story.want, world)?;
        judgement.want(has_all(&found, hurt.wanted), FaultLaw::Lost, || {
            format!("exit 0, but {}", differences(hurt.wanted, &found))
        });
        // Nobody repeats a command that succeeded.
        let wounds = look::wounds(world)?;
        judgement.want(wounds.is_empty(), FaultLaw::Unclean, || {
            format!("exit 0, but {}", in_short(&wounds.join(" | ")))
        });
        if judgement.breaches.is_empty() && has_all(hurt.wanted, &found) {
            return Ok(judgement);
        }
    }
    let is_done = repair(story, world, words, hurt, &mut steps)?;
    let found = look::observe(story.want, world)?;
    judgement.want(is_done && has_all(&found, hurt.wanted), FaultLaw::Stuck, || {
        format!("{}; in the end {}", steps.join(" THEN "), differences(hurt.wanted, &found))
    });
    judgement.want(!is_done || has_all(hurt.wanted, &found), FaultLaw::Twice, || {
        format!("{}; too much: {}", steps.join(" THEN "), differences(hurt.wanted, &found))
    });
    let wounds = look::wounds(world)?;
    judgement.want(wounds.is_empty(), FaultLaw::Unclean, || {
        format!("{}; {}", steps.join(" THEN "), in_short(&wounds.join(" | ")))
    });
    Ok(judgement)
}

/// Goes on as a user would, until all is as it should be.
fn repair(
    story: &MissionStory,
    world: &FaultWorld,
    words: &StoryWords,
    hurt: &HurtRun<'_>,
    steps: &mut Vec<String>,
) -> io::Result<bool> {
    if hurt.end.hung {
        return is_done(story, world, hurt);
    }
    let _person = story.person(world);
    let mut last = Hints::of(hurt.end);
    for _ in 0..limits::REPAIRS_MAX {
        if is_done(story, world, hurt)? {
            return Ok(true);
        }
        // What the failed command told the user to run comes first.
        for hint in last.commands {
            let ran = world.shell(&hint)?;
            steps.push(format!("`{hint}` {:?}", ran.code));
        }
        let next = next_command(story, world, words)?;
        let ran = world.run(&next, limits::MISSION_MAX)?;
        steps.push(format!("{}: {:?} {}", next.join(" "), ran.code, in_short(&ran.err)));
        if ran.hung {
            // It waits for words that nobody has, and would wait again.
            break;
        }
        last = Hints::of(&ran);
    }
    is_done(story, world, hurt)
}

fn is_done(story: &MissionStory, world: &FaultWorld, hurt: &HurtRun<'_>) -> io::Result<bool> {
    let missions = look::missions(world)?;
    Ok(match story.want {
        MissionWant::Complete => missions.iter().any(|(_, status)| status == "complete, proven"),
        // Done is no more and no less than what they bring, in a whole repository.
        MissionWant::Merged | MissionWant::Discarded => {
            let found = look::observe(story.want, world)?;
            let is_whole = has_all(&found, hurt.wanted) && has_all(hurt.wanted, &found);
            is_whole && look::wounds(world)?.is_empty()
        }
    })
}

/// A mission that stands is taken up again; anything else is repeated.
fn next_command(story: &MissionStory, world: &FaultWorld, words: &StoryWords) -> io::Result<Vec<String>> {
    let stands = story.want == MissionWant::Complete && !look::missions(world)?.is_empty();
    Ok(if stands { RESUME.iter().map(|word| (*word).to_owned()).collect() } else { story.words(words) })
}

/// The commands that a failed command tells its user to run.
struct Hints {
    commands: Vec<String>,
}

impl Hints {
    fn of(end: &TracedEnd) -> Hints {
        // A command that succeeded tells what else there is.
        let failed = end.code != Some(0);
        let hints = end.err.lines().filter(|_| failed).filter(|line| line.trim_start().starts_with("hint:"));
        let quoted = hints.flat_map(|line| line.split('`').skip(1).step_by(2));
        // Only what mends: what begins a mission or shows one is decided by the story.
        let mends = |words: &&str| {
            // A merge by hand is another way to the work, and no repair of this one.
            !words.starts_with("git merge ")
                && ["git ", "rm ", "mv "].iter().any(|start| words.starts_with(start))
        };
        Hints { commands: quoted.filter(mends).map(str::to_owned).collect() }
    }
}

/// Whether every line of `wanted` is found, as often as it stands there.
fn has_all(found: &[String], wanted: &[String]) -> bool {
    missing(found, wanted).is_empty()
}

fn missing<'a>(found: &[String], wanted: &'a [String]) -> Vec<&'a String> {
    let mut left: Vec<&String> = found.iter().collect();
    wanted
        .iter()
        .filter(|line| match left.iter().position(|found| found == line) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        })
        .collect()
}

fn differences(wanted: &[String], found: &[String]) -> String {
    format!("missing {:?}, more {:?}", missing(found, wanted), missing(wanted, found))
}
