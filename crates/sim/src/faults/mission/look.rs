//! What can be seen of a mission from outside, as lines to compare: what was said, what was committed, what was asked.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::MissionWant;
use crate::faults::limits;
use crate::faults::tracer::TracedEnd;
use crate::faults::world::FaultWorld;

/// What stands for the mission's id.
const MARK: &str = "{mission}";
/// Where the commits are kept from which missions began.
const BASES: &str = "refs/arbiter-base/";

pub fn run<S: AsRef<str>>(world: &FaultWorld, words: &[S]) -> io::Result<TracedEnd> {
    world.run(words, limits::COMMAND_MAX)
}

/// Every mission of the project: its id and how it stands.
pub fn missions(world: &FaultWorld) -> io::Result<Vec<(String, String)>> {
    let told = run(world, &["missions", "--json"])?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(told.out.lines().map(json).map(|mission| (text(&mission["id"]), text(&mission["status"]))).collect())
}

pub fn only_mission(world: &FaultWorld) -> io::Result<(String, String)> {
    let mut missions = missions(world)?;
    match missions.pop() {
        Some(mission) if missions.is_empty() => Ok(mission),
        Some(_) | None => Err(io::Error::other("there is not exactly one mission")),
    }
}

/// What the command has brought about.
pub fn observe(want: MissionWant, world: &FaultWorld) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for (id, status) in missions(world)? {
        lines.push(format!("mission {status}"));
        lines.extend(said(world, &id)?);
        let mut git = |words: &[&str]| -> io::Result<()> {
            let told = world.git(words)?;
            // A mission that died before it began leaves its base behind, which hurts nobody.
            let of_it = told.out.lines().filter(|line| !line.starts_with(BASES) || line.contains(&id));
            lines.extend(of_it.map(|line| format!("git {}: {}", words[0], line.replace(&id, MARK))));
            Ok(())
        };
        match want {
            MissionWant::Complete => {
                git(&["log", "--format=%s", "--name-status", &format!("refs/arbiter/{id}")])?;
            }
            MissionWant::Merged => git(&["log", "--format=%s", "--name-status"])?,
            MissionWant::Discarded => git(&["log", "--format=%s", &format!("refs/arbiter/salvage/{id}")])?,
        }
        git(&["for-each-ref", "--format=%(refname)"])?;
        let clone = world.home().join(".local/state/arbiter/clones").join(&id);
        lines.push(format!("clone {}", clone.exists()));
    }
    let ledger = run(world, &["audit", "--json"])?;
    lines.extend(ledger.out.lines().map(json).map(|line| format!("docket {}", line["did"])));
    let inbox = json(&run(world, &["inbox", "--json"])?.out);
    lines.push(format!("waiting {}", inbox["petitions"].as_array().map_or(0, Vec::len)));
    lines.extend(files(&world.project())?);
    Ok(lines)
}

/// The conversation: who said what to whom.
fn said(world: &FaultWorld, id: &str) -> io::Result<Vec<String>> {
    let told = run(world, &["replay", id, "--json"])?;
    let line = |line: &str| {
        let said = json(line)["fact"]["talk"]["said"].take();
        let text = said["text"].as_str()?.replace(id, MARK);
        Some(format!("said {} -> {} {}: {text}", said["from"], said["to"], said["kind"]))
    };
    Ok(told.out.lines().filter_map(line).collect())
}

/// The user's own files.
fn files(project: &Path) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(project)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let text = String::from_utf8_lossy(&fs::read(entry.path())?).into_owned();
            lines.push(format!("file {} {text:?}", entry.file_name().to_string_lossy()));
        }
    }
    lines.sort();
    Ok(lines)
}

/// What is wrong with the user's repository.
pub fn wounds(world: &FaultWorld) -> io::Result<Vec<String>> {
    let mut wounds = Vec::new();
    let fsck = world.git(&["fsck", "--no-dangling"])?;
    if fsck.code != Some(0) {
        wounds.push(format!("git fsck: {}{}", fsck.out, fsck.err));
    }
    let status = world.git(&["status", "--porcelain"])?;
    if !status.out.is_empty() || status.code != Some(0) {
        wounds.push(format!("git status: {}{}", status.out, status.err));
    }
    locks(&world.project().join(".git"), &mut wounds)?;
    Ok(wounds)
}

/// Locks that a process left behind: git waits for nobody, it fails.
fn locks(folder: &Path, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            locks(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "lock") {
            found.push(format!("a lock is left: {}", path.display()));
        }
    }
    Ok(())
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}
