//! A docket of its own, in files or in memory, and what tests do to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use docket::{Docket, DocketError, MemoryStorage, StoredPetition};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, DraftDecision, PetitionDraft, PetitionId, PetitionRefusal, SeenAnswer, SeenQuestion,
};
use mind::talk::DecisionOption;

pub(crate) const NOON: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) fn later(ms: u64) -> Timestamp {
    Timestamp(NOON.0 + ms)
}

/// What a docket is kept on, as another hand reaches it.
pub(crate) trait Ground {
    /// What can happen between two steps: a process dies, and then perhaps the power fails.
    const FALLS: &'static [Fall];

    fn new() -> Self;
    fn home(&self) -> &Path;
    fn docket(&self) -> Docket;
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    fn write(&self, path: &Path, text: &str) -> io::Result<()>;
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// What is there is old enough to last.
    fn settle(&self);
    fn fall(&self, fall: Fall);
}

/// How a process ends in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fall {
    /// It dies; what it wrote is there.
    Process,
    /// The power fails; what was not synced is gone.
    Power,
}

/// A folder that is removed at the end.
pub(crate) struct InFiles(tempfile::TempDir);

impl Ground for InFiles {
    const FALLS: &'static [Fall] = &[Fall::Process];

    fn new() -> InFiles {
        InFiles(tempfile::tempdir().expect("it works here"))
    }

    fn home(&self) -> &Path {
        self.0.path()
    }

    fn docket(&self) -> Docket {
        Docket::at(self.0.path().join("queue"))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::write(path, text)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().into_string().expect("it works here")))
            .collect()
    }

    fn settle(&self) {}

    fn fall(&self, _: Fall) {}
}

/// Memory, which the tests' own `fs` finds by its folder.
pub(crate) struct InMemory(MemoryStorage);

impl Ground for InMemory {
    const FALLS: &'static [Fall] = &[Fall::Process, Fall::Power];

    fn new() -> InMemory {
        let storage = MemoryStorage::default();
        memory_fs::remember(&storage);
        InMemory(storage)
    }

    fn home(&self) -> &Path {
        self.0.home()
    }

    fn docket(&self) -> Docket {
        Docket::in_memory(self.0.clone())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        self.0.write(path, text.as_bytes())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.0.names(folder)
    }

    fn settle(&self) {
        self.0.sync();
    }

    fn fall(&self, fall: Fall) {
        if fall == Fall::Power {
            self.0.crash();
        }
    }
}

impl Drop for InMemory {
    fn drop(&mut self) {
        memory_fs::forget(&self.0);
    }
}

/// A docket, and what tests do to it.
pub(crate) struct House<G: Ground> {
    ground: G,
    pub docket: Docket,
}

impl<G: Ground> House<G> {
    pub fn new() -> House<G> {
        let ground = G::new();
        let docket = ground.docket();
        House { ground, docket }
    }

    pub fn home(&self) -> &Path {
        self.ground.home()
    }

    pub fn queue(&self) -> PathBuf {
        self.home().join("queue")
    }

    /// The same docket, as another process has it.
    pub fn another(&self) -> Docket {
        self.ground.docket()
    }

    /// A docket that stops after so many steps.
    pub fn faltering(&self, steps: u32) -> Docket {
        self.docket.faltering(steps)
    }

    /// How a process can end here.
    pub fn falls() -> &'static [Fall] {
        G::FALLS
    }

    /// Whatever was done before is old enough to last.
    pub fn settle(&self) {
        self.ground.settle();
    }

    pub fn fall(&self, fall: Fall) {
        self.ground.fall(fall);
    }

    /// A petition of two decisions, `auth` and `cache`.
    pub fn ask(&self, id: &str) -> StoredPetition {
        let draft = draft(&format!("Plan {id}"));
        self.docket.push(&draft, PetitionId::from(id), &agent(), NOON).expect("it works here").kept
    }

    pub fn answer(&self, id: &str, decision: &str, text: &str) -> Result<StoredPetition, DocketError> {
        answer(&self.docket, id, decision, text)
    }

    pub fn change(
        &self,
        id: &str,
        decision: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        let seen = SeenQuestion { question: None, answer: SeenAnswer::Any, ..SeenQuestion::default() };
        self.docket.answer(&PetitionId::from(id), decision, words(text), &seen, &ada(), now)
    }

    pub fn find(&self, id: &str) -> StoredPetition {
        self.docket.find(id, later(5_000)).expect("it works here")
    }

    /// The file's text.
    pub fn text(&self, kept: &StoredPetition) -> String {
        String::from_utf8(self.ground.read(&kept.file).expect("it works here")).expect("it works here")
    }

    /// Another program replaces the file.
    pub fn overwrite(&self, kept: &StoredPetition, text: &str) {
        self.replace(&kept.file, text);
    }

    /// As careful programs do: beside, then renamed.
    pub fn replace(&self, file: &Path, text: &str) {
        let beside = file.with_extension("tmp-0123456789abcdef");
        self.ground.write(&beside, text).expect("it works here");
        self.ground.rename(&beside, file).expect("it works here");
    }

    /// What verify says, one line each.
    pub fn faults(&self) -> Vec<String> {
        let found = self.docket.verify(later(9_000)).expect("it works here");
        found.into_iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect()
    }

    pub fn assert_clean(&self) {
        assert_eq!(self.faults(), Vec::<String>::new());
    }

    /// The ledger, one line each: who did what.
    pub fn ledger(&self) -> Vec<String> {
        let told = |record: docket::ledger::LedgerLine| {
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
        self.names_in(&self.queue().join(folder))
    }

    pub fn names_in(&self, folder: &Path) -> Vec<String> {
        let mut names = self.ground.names(folder).unwrap_or_default();
        names.sort();
        names
    }
}

pub(crate) fn answer(
    docket: &Docket,
    id: &str,
    decision: &str,
    text: &str,
) -> Result<StoredPetition, DocketError> {
    let seen = SeenQuestion::default();
    docket.answer(&PetitionId::from(id), decision, words(text), &seen, &ada(), later(1_000))
}

pub(crate) fn words(text: &str) -> AnswerChoice {
    AnswerChoice::Answer(Arc::from(text))
}

pub(crate) fn ada() -> Actor {
    Actor::human(Door::Cli, "ada")
}

pub(crate) fn agent() -> Actor {
    Actor::Agent(Arc::from("ceo"))
}

/// Who edits files here.
pub(crate) fn hand() -> String {
    let users = fs::read_to_string("/etc/passwd").expect("it works here");
    let uid = rustix::process::getuid().as_raw().to_string();
    let found = users.lines().find(|line| line.split(':').nth(2) == Some(&uid));
    let name = found.and_then(|line| line.split(':').next()).map_or(uid.clone(), str::to_owned);
    format!("human:file:{name}")
}

pub(crate) fn draft(title: &str) -> PetitionDraft {
    PetitionDraft {
        agent: Arc::from("ceo"),
        session: Arc::from("agent:ceo:main"),
        tag: Arc::from("shop"),
        title: Arc::from(title),
        notify_session: Some(Arc::from("agent:swe2:main")),
        decisions: vec![decision("auth"), decision("cache")],
        ..PetitionDraft::default()
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
pub(crate) fn refusal(result: Result<StoredPetition, DocketError>) -> PetitionRefusal {
    match result {
        Err(DocketError::Refused { refusal, .. }) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// What stands in a decision.
pub(crate) fn stands(kept: &StoredPetition, decision: &str) -> Option<String> {
    let given = kept.petition.decision(decision)?.answer.as_ref()?;
    Some(format!("{} by {}", given.choice.text(), given.by.as_deref().unwrap_or("nobody")))
}

/// What of `std::fs` other hands use, over the memory that the path is of.
pub(crate) mod memory_fs {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;

    use docket::MemoryStorage;

    static STORAGES: Mutex<BTreeMap<PathBuf, MemoryStorage>> = Mutex::new(BTreeMap::new());

    pub(super) fn remember(storage: &MemoryStorage) {
        let mut storages = STORAGES.lock().expect("it works here");
        storages.insert(storage.home().to_owned(), storage.clone());
    }

    pub(super) fn forget(storage: &MemoryStorage) {
        STORAGES.lock().expect("it works here").remove(storage.home());
    }

    fn of(path: &Path) -> MemoryStorage {
        let storages = STORAGES.lock().expect("it works here");
        let home = path.ancestors().find(|above| storages.contains_key(*above)).expect("a path of ours");
        storages[home].clone()
    }

    pub(crate) fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        of(path.as_ref()).read(path.as_ref())
    }

    pub(crate) fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
        read(path).map(|bytes| String::from_utf8(bytes).expect("it works here"))
    }

    pub(crate) fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        of(path.as_ref()).write(path.as_ref(), bytes.as_ref())
    }

    pub(crate) fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        write(to, read(from)?)
    }

    pub(crate) fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        of(from.as_ref()).rename(from.as_ref(), to.as_ref())
    }

    pub(crate) fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
        of(path.as_ref()).remove(path.as_ref())
    }

    pub(crate) fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
        remove_file(path)
    }

    pub(crate) fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
        of(path.as_ref()).make_folder(path.as_ref())
    }

    pub(crate) fn exists(path: impl AsRef<Path>) -> io::Result<bool> {
        Ok(of(path.as_ref()).exists(path.as_ref()))
    }
}
