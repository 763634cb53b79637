//! The missions of a world: a script that is rehearsed there, a journal made by hand, and the facts of a mission.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use mind::{Entry, Fact, State};

use super::{Ran, Theatre};
use crate::wait_until;

/// The words that begin the rehearsal of a world, in its project.
pub const REHEARSAL: [&str; 3] = ["run", "--rehearsal", "../script.yaml"];
/// The arguments that play the demo to its end, with no person at the terminal.
pub const DEMO: [&str; 4] = ["demo", "--headless", "--pace", "fast"];
/// How many entries are written at once.
const BATCH: usize = 4_096;

impl Theatre {
    /// A world with a repository, in which this script is rehearsed.
    pub fn rehearsing(binary: impl Into<PathBuf>, script: impl ToString) -> Theatre {
        let theatre = Theatre::with_repository(binary, &[("README.md", "a river\n")]);
        theatre.write_script(script);
        theatre
    }

    /// Has this script rehearsed from now on.
    pub fn write_script(&self, script: impl ToString) {
        fs::write(self.script(), script.to_string()).expect("a script can be written");
    }

    /// Where the script is.
    pub fn script(&self) -> PathBuf {
        self.path().join("script.yaml")
    }

    /// The rehearsal, about to begin in the project.
    pub fn rehearsal(&self, flags: &[&str]) -> Command {
        let mut command = self.command(&["run", "--rehearsal"]);
        command.arg(self.script()).args(flags);
        command
    }

    /// The rehearsal, as it is typed in the project.
    pub fn rehearsal_line(&self) -> String {
        format!("{} {}", self.binary().display(), REHEARSAL.join(" "))
    }

    /// Rehearses to the end.
    pub fn rehearse(&self, flags: &[&str]) -> Ran {
        Ran::from(self.rehearsal(flags).output().expect("the binary starts"))
    }

    /// Begins the rehearsal and leaves it running.
    pub fn start_rehearsal(&self, flags: &[&str]) -> Child {
        self.rehearsal(flags).spawn().expect("the binary starts")
    }

    /// Writes a mission whose journal has these entries, and gives its folder.
    pub fn write_mission(&self, id: &str, entries: &[String]) -> PathBuf {
        let folder = self.project().join(".arbiter/missions").join(id);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join("journal.jsonl");
        let mut journal = journal::Journal::create(&path, id, &self.journal_key()).expect("a journal");
        for batch in entries.chunks(BATCH) {
            journal.append(journal.head(), batch).expect("it is written");
        }
        journal.sync().expect("it is kept");
        folder
    }

    /// Writes a mission's journal anew, with each entry as it is changed.
    pub fn rewrite_mission(&self, folder: &Path, change: impl FnMut(&mut Entry)) {
        let mut entries = self.entries(folder);
        entries.iter_mut().for_each(change);
        let texts = entries.iter().map(|entry| serde_json::to_string(entry).expect("a stored form"));
        fs::remove_file(folder.join("journal.jsonl")).expect("the journal is there");
        let id = folder.file_name().expect("a name").to_string_lossy();
        self.write_mission(&id, &texts.collect::<Vec<String>>());
    }

    /// The id of the only mission.
    pub fn mission_id(&self) -> String {
        self.mission().file_name().expect("a name").to_string_lossy().into_owned()
    }

    /// The clone of a mission.
    pub fn clone_of(&self, id: &str) -> PathBuf {
        self.state().join("clones").join(id)
    }

    /// What the first mission holds true; nothing before there is one.
    pub fn facts(&self) -> Vec<Fact> {
        let missions = self.missions();
        let entries = missions.first().map(|mission| self.entries(mission)).unwrap_or_default();
        entries.into_iter().map(|Entry { fact, .. }| fact).collect()
    }

    /// The sum of them.
    pub fn mission_state(&self) -> State {
        let mut state = State::default();
        self.entries(&self.mission()).iter().for_each(|entry| state.apply(entry));
        state
    }

    /// The facts of these kinds, one line each.
    pub fn lines_of(&self, kinds: &[&str]) -> Vec<String> {
        let lines = self.facts().into_iter().map(|fact| fact.to_string());
        lines.filter(|line| kinds.contains(&line.split(' ').next().unwrap_or_default())).collect()
    }

    /// Waits until a line of a fact has these words.
    pub fn waits_for(&self, words: &str) {
        wait_until(words, || self.facts().iter().any(|fact| fact.to_string().contains(words)));
    }
}
