//! A docket in a folder of its own, and what tests do to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use docket::{Docket, DocketError, Kept};
use mind::Timestamp;
use mind::petition::{By, Choice, Door, Draft, DraftDecision, PetitionId, Refusal, Seen, SeenAnswer};
use mind::talk::DecisionOption;

pub(crate) const NOON: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) fn later(ms: u64) -> Timestamp {
    Timestamp(NOON.0 + ms)
}

/// A docket whose folder is removed at the end.
pub(crate) struct House {
    home: tempfile::TempDir,
    pub docket: Docket,
}

impl House {
    pub fn new() -> House {
        let home = tempfile::tempdir().expect("it works here");
        let docket = Docket::at(home.path().join("queue"));
        House { home, docket }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn queue(&self) -> PathBuf {
        self.home.path().join("queue")
    }

    /// A docket that stops after so many steps on the disk.
    pub fn faltering(&self, steps: u32) -> Docket {
        Docket::faltering(self.queue(), steps)
    }

    /// A petition of two decisions, `auth` and `cache`.
    pub fn ask(&self, id: &str) -> Kept {
        let draft = draft(&format!("Plan {id}"));
        self.docket.push(&draft, PetitionId::from(id), &agent(), NOON).expect("it works here").kept
    }

    pub fn answer(&self, id: &str, decision: &str, text: &str) -> Result<Kept, DocketError> {
        answer(&self.docket, id, decision, text)
    }

    pub fn change(&self, id: &str, decision: &str, text: &str, now: Timestamp) -> Result<Kept, DocketError> {
        let seen = Seen { question: None, answer: SeenAnswer::Any };
        self.docket.answer(&PetitionId::from(id), decision, words(text), &seen, &ada(), now)
    }

    pub fn find(&self, id: &str) -> Kept {
        self.docket.find(id, later(5_000)).expect("it works here")
    }

    /// The file's text.
    pub fn text(&self, kept: &Kept) -> String {
        fs::read_to_string(&kept.file).expect("it works here")
    }

    /// Another program replaces the file.
    pub fn overwrite(&self, kept: &Kept, text: &str) {
        replace(&kept.file, text);
    }

    /// What verify says, one line each.
    pub fn faults(&self) -> Vec<String> {
        let found = self.docket.verify().expect("it works here");
        found.into_iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect()
    }

    pub fn assert_clean(&self) {
        assert_eq!(self.faults(), Vec::<String>::new());
    }

    /// The ledger, one line each: who did what.
    pub fn ledger(&self) -> Vec<String> {
        let told = |record: docket::ledger::Record| {
            let line = serde_json::to_value(&record).expect("it works here");
            let word = |name: &str| line[name].as_str().unwrap_or("").to_owned();
            let choice = line["choice"]["answer"].as_str().or(line["choice"].as_str());
            let choice = choice.unwrap_or("").to_owned();
            let words = [word("petition"), word("did"), word("decision"), choice, word("by"), word("door")];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        self.docket.records(1).expect("it works here").into_iter().map(told).collect()
    }

    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.queue().join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|e| e.file_name().into_string().expect("it works here")).collect();
        names.sort();
        names
    }
}

/// As careful programs do: beside, then renamed.
pub(crate) fn replace(file: &Path, text: &str) {
    let beside = file.with_extension("tmp-0123456789abcdef");
    fs::write(&beside, text).expect("it works here");
    fs::rename(&beside, file).expect("it works here");
}

pub(crate) fn answer(docket: &Docket, id: &str, decision: &str, text: &str) -> Result<Kept, DocketError> {
    let seen = Seen::default();
    docket.answer(&PetitionId::from(id), decision, words(text), &seen, &ada(), later(1_000))
}

pub(crate) fn words(text: &str) -> Choice {
    Choice::Answer(Arc::from(text))
}

pub(crate) fn ada() -> By {
    By::human(Door::Cli, "ada")
}

pub(crate) fn agent() -> By {
    By::Agent(Arc::from("ceo"))
}

/// Who edits files here.
pub(crate) fn hand() -> String {
    let users = fs::read_to_string("/etc/passwd").expect("it works here");
    let uid = rustix::process::getuid().as_raw().to_string();
    let found = users.lines().find(|line| line.split(':').nth(2) == Some(&uid));
    let name = found.and_then(|line| line.split(':').next()).map_or(uid.clone(), str::to_owned);
    format!("human:file:{name}")
}

pub(crate) fn draft(title: &str) -> Draft {
    Draft {
        agent: Arc::from("ceo"),
        session: Arc::from("agent:ceo:main"),
        tag: Arc::from("shop"),
        title: Arc::from(title),
        notify_session: Some(Arc::from("agent:swe2:main")),
        decisions: vec![decision("auth"), decision("cache")],
        ..Draft::default()
    }
}

pub(crate) fn decision(id: &str) -> DraftDecision {
    let option = |key: &str| DecisionOption { key: key.to_owned(), label: format!("{key} it is") };
    DraftDecision {
        id: Arc::from(id),
        title: Arc::from(format!("About {id}")),
        options: vec![option("yes"), option("no")],
        ..DraftDecision::default()
    }
}

/// Why it was refused.
pub(crate) fn refusal(result: Result<Kept, DocketError>) -> Refusal {
    match result {
        Err(DocketError::Refused { refusal, .. }) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// What stands in a decision.
pub(crate) fn stands(kept: &Kept, decision: &str) -> Option<String> {
    let given = kept.petition.decision(decision)?.answer.as_ref()?;
    Some(format!("{} by {}", given.choice.text(), given.by.as_deref().unwrap_or("nobody")))
}
