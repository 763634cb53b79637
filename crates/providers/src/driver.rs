//! Drives one session: orders go to the process's input, lines of its output become events, everything goes to the
//! logbook. Reading never waits for writing: an agent that does not listen can still be heard, and ended.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};

use mind::session::{Role, Tree};
use mind::{AgentEvent, Event};
use tokio::io::{AsyncBufRead, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, Command};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::handle::Reins;
use crate::limits::{LAST_WORD_CHARS_MAX, LINE_BYTES_MAX, REAP_TIME_MAX, STIR_EVERY};
use crate::lines;
use crate::logbook::{Direction, Logbook};
use crate::process::{Pipes, Process};
use crate::{Order, Start, workshop};

/// How a provider's protocol is spoken: pure functions between our words and its lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tongue {
    /// The line that carries an order.
    pub(crate) say: fn(&Order) -> Option<String>,
    /// The event a line carries; `None` for one we do not know.
    pub(crate) hear: fn(&str) -> Option<AgentEvent>,
}

/// Why a session's conversation stopped.
enum Stop {
    /// The house wants no more of it, or is gone itself.
    Ordered,
    /// The process closed its output, and nobody asked for that.
    Closed,
}

/// Runs a session from its start to the end of its process.
pub(crate) async fn drive(
    mut command: Command,
    tongue: Tongue,
    mut start: Start,
    events: mpsc::Sender<Event>,
    reins: Reins,
) {
    tokio::select! {
        biased;
        () = reins.end.notified() => return,
        // Whoever counted them is gone: then there is no house to start for.
        alone = start.leaving.wait_for(|leaving| *leaving == 0) => if alone.is_err() { return },
    }
    let book = Book::open(&start);
    command.env(workshop::MISSION, &*start.mission);
    let (mut process, pipes) = match Process::spawn(command) {
        Ok(started) => started,
        Err(error) => return lose(&start, &events, format!("the process cannot be started: {error}")).await,
    };
    let Pipes { stdin, stdout, stderr } = pipes;
    let mut aside = JoinSet::new();
    let writer = aside.spawn(obey(stdin, reins.orders, tongue, book.clone()));
    aside.spawn(drain(BufReader::new(stderr), Direction::Err, book.clone()));

    let mut stdout = BufReader::new(stdout);
    let stop = tokio::select! {
        biased;
        () = reins.end.notified() => Stop::Ordered,
        stop = listen(&mut stdout, tongue, &start, &events, &book) => stop,
    };
    // With its task, the input of the process is closed: that is how it is asked to leave.
    writer.abort();
    match stop {
        Stop::Ordered => {
            aside.spawn(drain(stdout, Direction::Out, book));
            process.leave().await;
        }
        Stop::Closed => {
            let status = process.reap().await;
            // What it said last may still be in the pipe.
            let _ = timeout(REAP_TIME_MAX, async { while aside.join_next().await.is_some() {} }).await;
            lose(&start, &events, cause(status, &book.last_word())).await;
        }
    }
}

async fn obey(mut stdin: ChildStdin, mut orders: mpsc::Receiver<Order>, tongue: Tongue, book: Book) {
    while let Some(order) = orders.recv().await {
        let Some(mut line) = (tongue.say)(&order) else { continue };
        book.keep(Direction::In, &line);
        line.push('\n');
        // A closed pipe is told by the reader, who knows more about it.
        if stdin.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn listen(
    stdout: &mut (impl AsyncBufRead + Unpin),
    tongue: Tongue,
    start: &Start,
    events: &mpsc::Sender<Event>,
    book: &Book,
) -> Stop {
    let mut stirred: Option<Instant> = None;
    while let Some(line) = lines::read(stdout, LINE_BYTES_MAX).await {
        book.keep_line(Direction::Out, &line);
        // A line that we do not know is a sign of life all the same; but each of them would be a fact.
        let event = (tongue.hear)(&line.text).unwrap_or(AgentEvent::Stirred);
        if event == AgentEvent::Stirred {
            if stirred.is_some_and(|at| at.elapsed() < STIR_EVERY) {
                continue;
            }
            stirred = Some(Instant::now());
        }
        let event = with_tree(event, start, book).await;
        if events.send(Event::Agent(start.address, event)).await.is_err() {
            return Stop::Ordered;
        }
    }
    Stop::Closed
}

async fn drain(mut pipe: impl AsyncBufRead + Unpin, direction: Direction, book: Book) {
    while let Some(line) = lines::read(&mut pipe, LINE_BYTES_MAX).await {
        book.keep_line(direction, &line);
    }
}

/// When a worker rests, the house wants to know what became of the clone.
async fn with_tree(event: AgentEvent, start: &Start, book: &Book) -> AgentEvent {
    let is_worker = match start.profile.role {
        Role::Orchestrator | Role::Verifier => true,
        Role::Arbiter => false,
    };
    match event {
        AgentEvent::Rested { turn, end, tree: None, cost_microusd } if is_worker => {
            let tree = match workshop::look(&start.folder).await {
                Ok(workshop::Tree { commit, dirty, fingerprint }) => {
                    Some(Tree { commit: commit.into(), dirty, fingerprint: fingerprint.into() })
                }
                Err(error) => {
                    book.keep(Direction::Note, &format!("cannot look at the clone: {error}"));
                    None
                }
            };
            AgentEvent::Rested { turn, end, tree, cost_microusd }
        }
        AgentEvent::Rested { .. }
        | AgentEvent::Heard(_)
        | AgentEvent::ToolStarted { .. }
        | AgentEvent::ToolEnded { .. }
        | AgentEvent::Gauged { .. }
        | AgentEvent::Warned { .. }
        | AgentEvent::Tasks(_)
        | AgentEvent::Stirred
        | AgentEvent::AwaitsHuman(_)
        | AgentEvent::Failed { .. }
        | AgentEvent::Lost { .. } => event,
    }
}

async fn lose(start: &Start, events: &mpsc::Sender<Event>, why: String) {
    let lost = AgentEvent::Lost { why: why.into() };
    // Without a house there is nobody to tell.
    let _ = events.send(Event::Agent(start.address, lost)).await;
}

fn cause(status: Option<ExitStatus>, last_word: &str) -> String {
    let status = status.map_or("it did not end by itself".to_owned(), |status| status.to_string());
    if last_word.is_empty() {
        return format!("the process is gone ({status})");
    }
    format!("the process is gone ({status}): {}", mind::limits::cut(last_word, LAST_WORD_CHARS_MAX))
}

/// The logbook, shared by the readers and the writer of one session; it remembers the last word on stderr.
#[derive(Debug, Clone)]
struct Book(Arc<Mutex<(Logbook, String)>>);

impl Book {
    fn open(start: &Start) -> Book {
        let book = Book(Arc::new(Mutex::new((Logbook::open(&start.logbook), String::new()))));
        book.keep(Direction::Note, &format!("{} begins, resume: {}", start.address, start.resume));
        book
    }

    fn keep(&self, direction: Direction, text: &str) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0.keep(direction, text);
        if direction == Direction::Err && !text.trim().is_empty() {
            inner.1 = text.trim().to_owned();
        }
    }

    fn keep_line(&self, direction: Direction, line: &lines::Line) {
        self.keep(direction, &line.text);
        if line.dropped > 0 {
            self.keep(Direction::Note, &format!("the line was too long: {} bytes are dropped", line.dropped));
        }
    }

    fn last_word(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}
