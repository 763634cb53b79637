//! Effects of conducted missions: ask a model for a move, read what a run needs, read what it changed, save a note.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use mind::Event;
use mind::conductor::move_record::{ModelCall, ModelReply};
use mind::conductor::{Agent, ConductorEvent, Note};
use mind::session::CloneTree;
use providers::provider::{Answering, refused};
use providers::{CallDropped, ModelRequest, Provider};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use workspace::WorkspaceError;

use super::clone_view::CloneView;
use super::launcher::{ProcessPlace, SessionLauncher};
use super::machine_fault::outlast;
use super::{EffectRunner, explain};
use crate::limits;

/// Reads files again: their content, if it changed since the last time.
pub type FilesLook<T> = Box<dyn FnMut() -> Option<T> + Send>;

/// The agents of the files, or what is wrong with the files.
pub type AgentsRead = Result<Vec<Agent>, Vec<Arc<str>>>;

/// Saves a note.
pub type Keep = Box<dyn FnMut(&Note) -> io::Result<()> + Send>;

/// Agents and notes on the disk. Each call returns what changed since the one before; the first returns everything.
#[derive(Default)]
pub struct ConductorFiles {
    pub agents: Option<FilesLook<AgentsRead>>,
    pub notes: Option<FilesLook<Vec<Note>>>,
    /// Of notes with the same title, one is saved.
    pub keep: Option<Keep>,
}

/// What the effect runner needs for a conducted mission.
#[derive(Default)]
pub struct ConductorDeps {
    pub shelf: Arc<Mutex<ConductorFiles>>,
    /// The model calls under way, by the move's number: the attempt, and its task.
    pub asked: BTreeMap<u32, (u32, CallTask)>,
}

/// A model call under way.
#[derive(Debug)]
pub struct CallTask {
    task: AbortHandle,
    dropped: watch::Sender<bool>,
}

impl CallTask {
    /// Its answer is needed no more: it ends, and says what it used.
    pub fn drop_answer(&self) {
        self.dropped.send_replace(true);
    }
}

/// The clone after a run, and the files that it changed.
type RunLook = (Option<CloneTree>, Vec<Arc<str>>);

/// What changed on the shelf.
#[derive(Default)]
struct News {
    agents: Option<Vec<Agent>>,
    notes: Option<Vec<Note>>,
    faults: Vec<Arc<str>>,
}

impl EffectRunner {
    /// Asks a model. An attempt that is under way is not started twice; another attempt of the same move
    /// ends the one before it.
    pub(super) fn decide(&mut self, number: u32, attempt: u32, question: Arc<ModelCall>) {
        let asked = self.conducting.asked.get(&number);
        if asked.is_some_and(|(before, call)| *before == attempt && !call.task.is_finished()) {
            return;
        }
        self.dismiss(number);
        let (drop_answer, dropped) = CallDropped::new();
        let answer = self.answer(number, attempt, question, dropped.clone());
        let (events, late_usage) = (self.events.clone(), self.late_usage.clone());
        let task = self.errands.spawn(async move {
            let event = match unless_dropped(answer, &dropped).await {
                Some(answer) if dropped.is_given() => {
                    let tokens = answer.tokens.map_or(0, |tokens| tokens.total);
                    let cost_microusd = answer.cost_microusd;
                    if (tokens, cost_microusd) == (0, 0) {
                        return;
                    }
                    ConductorEvent::Dropped { number, attempt, tokens, cost_microusd }
                }
                Some(answer) => ConductorEvent::Answered { number, attempt, answer },
                None => return,
            };
            late_usage.send(&events, Event::Conductor(event)).await;
        });
        self.conducting.asked.retain(|_, (_, call)| !call.task.is_finished());
        self.conducting.asked.insert(number, (attempt, CallTask { task, dropped: drop_answer }));
    }

    /// Ends a model call, with its process and every descendant of that. What it used is told.
    pub(super) fn dismiss(&mut self, number: u32) {
        if let Some((_, call)) = self.conducting.asked.remove(&number) {
            call.drop_answer();
        }
    }

    fn answer(
        &mut self,
        number: u32,
        attempt: u32,
        question: Arc<ModelCall>,
        dropped: CallDropped,
    ) -> Answering {
        let provider = match self.providers.get(&question.provider) {
            Ok(provider) => Arc::clone(provider),
            Err(why) => return refused(why),
        };
        let (mission, folder) = (Arc::clone(&self.turns.mission), self.location.clone.clone());
        let sandboxes = Arc::clone(&self.sandboxes);
        let by_process =
            Provider::named(&question.provider).is_ok_and(|provider| provider.entry().answers_by_process);
        Box::pin(async move {
            let place = match by_process {
                true => sandboxes.place(&question.provider).await,
                false => Ok(ProcessPlace::Nowhere),
            };
            match place {
                Ok(place) => {
                    let launcher = Arc::new(SessionLauncher { mission, place });
                    provider
                        .answer(ModelRequest { number, attempt, question, folder, launcher, dropped })
                        .await
                }
                Err(why) => refused(why).await,
            }
        })
    }

    /// Reads what a run needs, once no session works in the clone any more.
    pub(super) fn prepare(&mut self, run: u32) {
        let (look, shelf) = (self.look("a run", None), Arc::clone(&self.conducting.shelf));
        let events = self.events.clone();
        self.errands.spawn(async move {
            let tree = look.await.map_or(None, |(tree, _)| tree);
            let news = tokio::task::spawn_blocking(move || browse(&shelf)).await;
            // If reading panicked, nothing changed: the known agents and notes stay.
            let News { agents, notes, faults } = news.unwrap_or_default();
            let prepared = ConductorEvent::Prepared { run, agents, notes, faults, tree };
            let _ = events.send(Event::Conductor(prepared)).await;
        });
    }

    /// Reads what a run changed, once no session works in the clone any more.
    pub(super) fn inspect(&mut self, run: u32, before: Option<CloneTree>) {
        let look = self.look("what a run changed", Some(before));
        let events = self.events.clone();
        self.errands.spawn(async move {
            let inspected = match look.await {
                Ok((tree, files)) => ConductorEvent::Inspected { run, tree, files },
                Err(error) => ConductorEvent::Hindered { run, why: explain(&error) },
            };
            let _ = events.send(Event::Conductor(inspected)).await;
        });
    }

    /// The clone's state once no process is ending any more, and the files that differ from `since`, if it is given. A
    /// clone that cannot be read is told in `notes.log`; a machine that keeps us from reading it is an error.
    fn look(
        &self,
        what: &'static str,
        since: Option<Option<CloneTree>>,
    ) -> impl Future<Output = Result<RunLook, WorkspaceError>> + Send + 'static {
        let mut leaving = self.turns.leaving.subscribe();
        let (clone, clone_view) = (self.location.clone.clone(), Arc::clone(&self.clone_view));
        let disk = self.disk.clone();
        async move {
            let _ = leaving.wait_for(|leaving| *leaving == 0).await;
            let read = || async {
                let tree = clone_view.tree().await?;
                let files = match since.clone() {
                    Some(since) => differing(&clone, &tree, since, &clone_view).await,
                    None => Ok(Vec::new()),
                };
                match files {
                    Err(error) if error.is_machine_fault() || error.is_gits() => Err(error),
                    files => Ok((tree, files)),
                }
            };
            let note = |error: WorkspaceError| {
                disk.note(format!("the clone cannot be read for {what}: {}", explain(&error)));
            };
            match outlast(&disk, read).await {
                Err(error) if error.is_machine_fault() => Err(error),
                Ok((tree, files)) => Ok((Some(tree), files.map_err(note).unwrap_or_default())),
                Err(error) => {
                    note(error);
                    Ok((None, Vec::new()))
                }
            }
        }
    }

    /// Saves a note for later missions, beside the loop, which must not wait for the disk.
    pub(super) fn remember(&mut self, note: Arc<Note>) {
        let (shelf, disk) = (Arc::clone(&self.conducting.shelf), self.disk.clone());
        self.errands.spawn_blocking(move || {
            let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = shelf.keep.as_mut().map(|keep| keep(&note));
            drop(shelf);
            if let Some(Err(error)) = kept {
                disk.note(format!("the note {:?} could not be saved: {error}", note.title));
            }
        });
    }
}

/// The reply of a model; none if it is needed no more, and does not come to its end in time.
async fn unless_dropped(mut answer: Answering, dropped: &CallDropped) -> Option<ModelReply> {
    tokio::select! {
        answer = &mut answer => return Some(answer),
        () = dropped.given() => {}
    }
    timeout(limits::CALL_END, answer).await.ok()
}

/// The files that a run changed. If the clone had uncommitted changes before the run, these are listed too,
/// unless nothing changed.
async fn differing(
    clone: &std::path::Path,
    tree: &CloneTree,
    before: Option<CloneTree>,
    clone_view: &CloneView,
) -> Result<Vec<Arc<str>>, WorkspaceError> {
    let commit = match before {
        Some(before) if before.fingerprint == tree.fingerprint => return Ok(Vec::new()),
        Some(before) => before.commit,
        None => Arc::clone(&tree.commit),
    };
    let sandbox = clone_view.sandbox().await?;
    let files = workspace::changed_since(clone, &commit, sandbox.as_ref()).await?;
    Ok(files.into_iter().map(Arc::from).collect())
}

fn browse(shelf: &Mutex<ConductorFiles>) -> News {
    let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
    let agents = shelf.agents.as_mut().and_then(|look| look());
    let notes = shelf.notes.as_mut().and_then(|look| look());
    match agents {
        Some(Ok(agents)) => News { agents: Some(agents), notes, faults: Vec::new() },
        Some(Err(faults)) => News { agents: None, notes, faults },
        None => News { agents: None, notes, faults: Vec::new() },
    }
}
