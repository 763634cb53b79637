//! What a user finds after a command of the docket was hurt, and what is held against it.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use super::{DocketStory, DocketWant};
use crate::faults::law::{FaultLaw, Judgement, in_short};
use crate::faults::limits;
use crate::faults::story::{HurtRun, StoryWords};
use crate::faults::tracer::TracedEnd;
use crate::faults::world::FaultWorld;

/// Words by which a failed command says that something of it stands nevertheless.
const NAMING: [&str; 5] = ["recorded", "stands", "it counts", "is asked", "is kept"];

pub fn run<S: AsRef<str>>(world: &FaultWorld, words: &[S]) -> io::Result<TracedEnd> {
    world.run(words, limits::COMMAND_MAX)
}

/// Answers by hand, in the file.
pub fn edit(world: &FaultWorld, words: &StoryWords) -> io::Result<()> {
    let file = file_of(world, "pending", words.get("id"))?
        .ok_or_else(|| io::Error::other("the petition has no file"))?;
    let text = fs::read_to_string(&file)?;
    fs::write(&file, text.replace("answer: null", "answer: pg"))
}

/// Judges a command that tells: success means that it told everything.
pub fn told(
    story: &DocketStory,
    world: &FaultWorld,
    words: &StoryWords,
    hurt: &HurtRun<'_>,
) -> io::Result<Judgement> {
    let mut judgement = Judgement { acknowledged: hurt.end.code == Some(0), ..Judgement::default() };
    let same = |told: &str| {
        if story.timed {
            without_numbers(told) == without_numbers(hurt.healthy)
        } else {
            told == hurt.healthy
        }
    };
    judgement.want(!judgement.acknowledged || same(&hurt.end.out), FaultLaw::WrongCode, || {
        format!("exit 0, but it told {}", in_short(&hurt.end.out))
    });
    let fails = matches!(hurt.end.code, Some(code) if code != 0);
    if fails {
        let names = hurt.end.err.contains("error") || hurt.end.out.contains("\"error\"");
        judgement.want(names || !hurt.end.err.is_empty(), FaultLaw::Unnamed, || {
            format!("exit {:?} without a word", hurt.end.code)
        });
    }
    verify(world, &mut judgement, "after the fault")?;
    let again = run(world, &story_words(story, words))?;
    judgement.want(again.code == Some(0) && same(&again.out), FaultLaw::Stuck, || {
        format!("told again: {:?} {}", again.code, in_short(&(again.out.clone() + &again.err)))
    });
    Ok(judgement)
}

/// Judges a command that does something: what was acknowledged stands, and what was not is finished by repeating it.
pub fn done(
    story: &DocketStory,
    world: &FaultWorld,
    words: &StoryWords,
    hurt: &HurtRun<'_>,
) -> io::Result<Judgement> {
    let mut judgement = Judgement { acknowledged: acknowledges(story.want, hurt), ..Judgement::default() };
    // What was edited and not taken up yet is told as such, and is no damage.
    if !story.edited {
        verify(world, &mut judgement, "after the fault")?;
    }
    let before = Standing::look(story, world, words)?;
    if judgement.acknowledged {
        judgement.want(before.stands, FaultLaw::Lost, || {
            format!("acknowledged ({}), and now {}", in_short(&hurt.end.out), before.told)
        });
    } else {
        let says = format!("{}{}", hurt.end.out, hurt.end.err);
        let named = NAMING.iter().any(|word| says.contains(word));
        let fails = matches!(hurt.end.code, Some(code) if code != 0);
        // What a look took up from a person's file was done there, and not by the command.
        judgement.want(!fails || !before.recorded || named || story.edited, FaultLaw::Unnamed, || {
            format!("exit {:?}, the ledger has it, and it says: {}", hurt.end.code, in_short(&says))
        });
    }
    let mut stands = before.stands;
    if !judgement.acknowledged || !stands {
        let again = run(world, &story_words(story, words))?;
        let after = Standing::look(story, world, words)?;
        stands = after.stands;
        judgement.want(stands, FaultLaw::Stuck, || {
            let says = in_short(&format!("{}{}", again.out, again.err));
            format!("repeated: {:?} {says}; and now {}", again.code, after.told)
        });
    }
    if stands {
        once(story, world, words, &mut judgement)?;
    }
    verify(world, &mut judgement, "in the end")?;
    Ok(judgement)
}

fn without_numbers(told: &str) -> String {
    told.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

fn story_words(story: &DocketStory, words: &StoryWords) -> Vec<String> {
    words.fill(story.words)
}

/// Whether the command said that it had done it.
fn acknowledges(want: DocketWant, hurt: &HurtRun<'_>) -> bool {
    if let Some(code) = hurt.end.code {
        return code == 0;
    }
    // Killed: what it had printed by then counts.
    let out = &hurt.end.out;
    match want {
        DocketWant::Asked(_) => !out.trim().is_empty(),
        DocketWant::Decided | DocketWant::Skipped | DocketWant::Assigned => out.contains('✓'),
        DocketWant::Submitted => out.contains("submitted"),
        DocketWant::Withdrawn => out.contains("withdrawn"),
        DocketWant::Told => false,
    }
}

fn verify(world: &FaultWorld, judgement: &mut Judgement, when: &str) -> io::Result<()> {
    let verified = run(world, &["audit", "verify"])?;
    judgement.want(verified.code == Some(0), FaultLaw::Unclean, || {
        format!("audit verify {when}: {}", in_short(&(verified.out.clone() + &verified.err)))
    });
    Ok(())
}

/// What stands of the act.
struct Standing {
    stands: bool,
    /// The ledger has a line of it.
    recorded: bool,
    told: String,
}

impl Standing {
    fn look(story: &DocketStory, world: &FaultWorld, words: &StoryWords) -> io::Result<Standing> {
        let lines = ledger(world)?;
        if let DocketWant::Asked(title) = story.want {
            let inbox = run(world, &["inbox", "--json"])?;
            let told = json(&inbox.out);
            let found = told["petitions"].as_array().into_iter().flatten().filter(|it| it["title"] == title);
            let recorded = lines.iter().any(|line| is_about(line, story, words) && line["did"] == "asked");
            let stands = inbox.code == Some(0) && found.count() > 0;
            return Ok(Standing { stands, recorded, told: in_short(&(inbox.out + &inbox.err)) });
        }
        let status = run(world, &["status", words.get("id"), "--json"])?;
        let told = json(&status.out);
        let (decision, state) = (&told["decisions"]["db"], &told["status"]);
        let stands = match story.want {
            DocketWant::Decided => decision["answer"] == "pg",
            DocketWant::Submitted => decision["answer"] == "pg" && state == "completed",
            DocketWant::Skipped => decision["status"] == "skipped",
            DocketWant::Assigned => decision["asked"] == "sam",
            DocketWant::Withdrawn => state == "withdrawn",
            DocketWant::Asked(_) | DocketWant::Told => true,
        };
        let deeds = ["answered", "changed", "skipped", "assigned", "submitted", "withdrawn"];
        let known = story.before.len();
        let of_it = lines.iter().filter(|line| is_about(line, story, words));
        let recorded = of_it.filter(|line| deeds.iter().any(|deed| line["did"] == *deed)).count() > known;
        Ok(Standing { stands, recorded, told: in_short(&(status.out + &status.err)) })
    }
}

/// Nothing was done twice, and the file says what the ledger says.
fn once(
    story: &DocketStory,
    world: &FaultWorld,
    words: &StoryWords,
    judgement: &mut Judgement,
) -> io::Result<()> {
    let lines: Vec<Value> = ledger(world)?.into_iter().filter(|line| is_about(line, story, words)).collect();
    let count = |deed: &str| lines.iter().filter(|line| line["did"] == deed).count();
    let deed = match story.want {
        DocketWant::Asked(_) => "asked",
        DocketWant::Decided | DocketWant::Submitted => "answered",
        DocketWant::Skipped => "skipped",
        DocketWant::Assigned => "assigned",
        DocketWant::Withdrawn => "withdrawn",
        DocketWant::Told => return Ok(()),
    };
    let most = if story.name == "change" { 2 } else { 1 };
    judgement.want(count(deed) <= most && count("submitted") <= 1, FaultLaw::Twice, || {
        format!("{deed} {} times, submitted {} times", count(deed), count("submitted"))
    });
    let folder = match story.want {
        DocketWant::Decided => "pending",
        DocketWant::Submitted => "completed",
        DocketWant::Asked(_)
        | DocketWant::Skipped
        | DocketWant::Assigned
        | DocketWant::Withdrawn
        | DocketWant::Told => return Ok(()),
    };
    let file = file_of(world, folder, words.get("id"))?;
    let text = file.map(fs::read_to_string).transpose()?.unwrap_or_default();
    judgement.want(text.contains("answer: pg"), FaultLaw::Lost, || {
        format!("the file in {folder}/ does not have the answer: {}", in_short(&text))
    });
    Ok(())
}

/// Whether a line of the ledger is about the story's petition.
fn is_about(line: &Value, story: &DocketStory, words: &StoryWords) -> bool {
    match story.want {
        // It is the one that was not there before.
        DocketWant::Asked(_) => ["id", "other"].iter().all(|name| line["petition"] != words.get(name)),
        DocketWant::Decided
        | DocketWant::Submitted
        | DocketWant::Skipped
        | DocketWant::Assigned
        | DocketWant::Withdrawn
        | DocketWant::Told => line["petition"] == words.get("id"),
    }
}

fn ledger(world: &FaultWorld) -> io::Result<Vec<Value>> {
    Ok(run(world, &["audit", "--json"])?.out.lines().map(json).collect())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

fn file_of(world: &FaultWorld, folder: &str, id: &str) -> io::Result<Option<PathBuf>> {
    let folder = world.home().join(".arbiter/queue").join(folder);
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!("{id}.md"))) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
