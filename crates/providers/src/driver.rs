//! The driver of one session with a process: it starts the process, performs the actions of the provider's protocol,
//! and writes everything to the logbook. Reading never waits for writing nor for the mission loop: an agent that does
//! not read can still be heard, answered and ended.

use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};

use mind::{AgentEvent, Timestamp};
use rustix::io::Errno;
use tokio::io::{AsyncBufRead, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep_until, timeout};

use crate::SessionStart;
use crate::handle::SessionControls;
use crate::launch::{Launched, SandboxProof};
use crate::limits::{
    CAGE_TIME_MAX, LAST_WORD_CHARS_MAX, LAST_WORDS_MAX, LINE_BYTES_MAX, LINES_MAX, PART_TIME_MAX,
    REAP_TIME_MAX, STARTS_MAX, STIR_EVERY, TOLD_EVENTS_MAX, WRITES_MAX,
};
use crate::lines::{self, Line};
use crate::logbook::{Direction, Logbook};
use crate::protocol::{DriverAction, Live, Protocol};

/// Why one process of the session is over.
enum Stop {
    /// The mission loop ended the session, or is gone itself.
    Ordered,
    /// The process closed its output although its end was not ordered.
    Closed,
    /// Another process is to take its place.
    Anew { resume: bool },
    /// The process lives, and is of no use.
    Useless(String),
}

impl Stop {
    fn deaf() -> Stop {
        Stop::Useless("the process does not read its input".to_owned())
    }
}

/// Runs a session from its start to the end of its process.
pub(crate) async fn drive(
    mut protocol: impl Protocol,
    mut start: SessionStart,
    events: mpsc::Sender<AgentEvent>,
    mut controls: SessionControls,
) {
    tokio::select! {
        biased;
        () = controls.end.notified() => return,
        // The counter is gone with the mission loop: then there is no mission to start for.
        alone = start.leaving.wait_for(|leaving| *leaving == 0) => if alone.is_err() { return },
    }
    let book = Book::open(&start);
    let clock = Clock;
    let (teller, told) = mpsc::channel(TOLD_EVENTS_MAX);
    let mut telling = JoinSet::new();
    telling.spawn(forward_events(told, events));

    let mut resume = start.resume;
    let why = format!("{STARTS_MAX} processes could neither begin nor resume the conversation");
    let mut end = AgentEvent::Lost { why: why.into() };
    for _ in 0..STARTS_MAX {
        let mut life = Life { clock, start: &start, teller: &teller, book: &book, stirred: None };
        let lived = life.live(&mut protocol, resume, &mut controls).await;
        drop(life);
        protocol.ended();
        match lived {
            Ok(()) => {
                // What it used is told also where its end was ordered, unless the mission loop takes nothing any more.
                drop(teller);
                let flushed = async { while telling.join_next().await.is_some() {} };
                let _ = timeout(PART_TIME_MAX, flushed).await;
                return;
            }
            Err(Next::Anew { resume: again }) => resume = again,
            Err(Next::Lost(cause)) => {
                end = AgentEvent::Lost { why: cause.into() };
                break;
            }
            Err(Next::Unstarted(cause)) => {
                end = AgentEvent::Unstarted { why: cause.into() };
                break;
            }
            Err(Next::LoggedOut(cause)) => {
                end = AgentEvent::LoggedOut { why: cause.into() };
                break;
            }
        }
    }
    let farewell = async {
        let _ = teller.send(end).await;
        drop(teller);
        while telling.join_next().await.is_some() {}
    };
    tokio::select! {
        // The mission loop does not wait for news of a session whose end it ordered.
        () = controls.end.notified() => {}
        () = farewell => {}
    }
}

/// What follows after one process.
enum Next {
    /// Another process starts.
    Anew { resume: bool },
    /// The session is lost.
    Lost(String),
    /// The machine has no process for it.
    Unstarted(String),
    /// No process of it can work before a person mends the login.
    LoggedOut(String),
}

/// Whether the machine lacks what every process needs, whatever its program.
fn is_lack(error: &io::Error) -> bool {
    let lacks = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM, Errno::NOSPC, Errno::IO];
    Errno::from_io_error(error).is_some_and(|errno| lacks.contains(&errno))
}

/// One process of the session.
struct Life<'a> {
    clock: Clock,
    start: &'a SessionStart,
    teller: &'a mpsc::Sender<AgentEvent>,
    book: &'a Book,
    stirred: Option<Instant>,
}

impl Drop for Life<'_> {
    /// Also where the whole session is dropped: the last words of a dead process reach no reader.
    fn drop(&mut self) {
        self.hush();
    }
}

impl Life<'_> {
    /// Clears the live text of the session.
    fn hush(&self) {
        self.start.live.clear();
    }

    async fn live(
        &mut self,
        protocol: &mut impl Protocol,
        resume: bool,
        controls: &mut SessionControls,
    ) -> Result<(), Next> {
        let start = self.start;
        self.book.begin(&format!("{} begins, resume: {resume}", start.life));
        let call = protocol.command(resume).map_err(Next::Lost)?;
        let mut launched = start.launcher.launch(&call).map_err(|error| {
            let why = format!("the process cannot be started: {error}");
            if is_lack(&error) { Next::Unstarted(why) } else { Next::Lost(why) }
        })?;
        launched.hand_keys().await;
        let Launched { stdin, stdout, stderr, proof, mut process, .. } = launched;
        let mut aside = JoinSet::new();
        let (said, mut lines) = mpsc::channel(LINES_MAX);
        let (write, writes) = mpsc::channel(WRITES_MAX);
        let writer = aside.spawn(write_stdin(stdin, writes, self.book.clone()));
        aside.spawn(listen(BufReader::new(stdout), said, self.book.clone()));
        aside.spawn(drain(BufReader::new(stderr), self.book.clone()));

        let mut stop = match proof {
            Some(proof) => self.hear_sandbox(&proof, &mut lines, controls).await,
            None => None,
        };
        if stop.is_none() {
            let greeting = protocol.greet(self.clock.now());
            stop = self.perform(greeting, &write, &controls.end).await;
        }
        let mut is_gone = false;
        while stop.is_none() {
            let ring = protocol.due().map(|due| self.clock.instant(due));
            let deeds = tokio::select! {
                () = controls.end.notified() => { stop = Some(Stop::Ordered); break }
                line = lines.recv() => match line {
                    None => { stop = Some(Stop::Closed); break }
                    Some(line) => self.stir(protocol.hear(&line.text, self.clock.now())),
                },
                order = controls.orders.recv(), if write.capacity() > WRITES_MAX / 2 => match order {
                    None => { stop = Some(Stop::Ordered); break }
                    Some(order) => protocol.obey(order, self.clock.now()),
                },
                () = sleep_until(ring.unwrap_or_else(Instant::now)), if ring.is_some() => {
                    protocol.ring(self.clock.now())
                }
                // A descendant may hold the output open; when that is ended too, the reader comes to an end.
                () = process.gone(), if !is_gone => { is_gone = true; Vec::new() }
            };
            stop = self.perform(deeds, &write, &controls.end).await;
        }
        self.hush();
        match stop.unwrap_or(Stop::Ordered) {
            Stop::Ordered => {
                self.part(protocol, &write, &mut lines).await;
                // With its task, the input of the process is closed: that asks it to leave.
                writer.abort();
                aside.spawn(async move { while lines.recv().await.is_some() {} });
                process.leave().await;
                Ok(())
            }
            Stop::Anew { resume } => {
                writer.abort();
                aside.spawn(async move { while lines.recv().await.is_some() {} });
                process.leave().await;
                Err(Next::Anew { resume })
            }
            Stop::Useless(why) => {
                writer.abort();
                aside.spawn(async move { while lines.recv().await.is_some() {} });
                process.leave().await;
                Err(Next::Lost(why))
            }
            Stop::Closed => {
                writer.abort();
                let status = process.reap().await;
                // The last lines may still be in the pipe.
                let _ = timeout(REAP_TIME_MAX, async { while aside.join_next().await.is_some() {} }).await;
                let last_words = self.book.last_words();
                let last_word = last_words.back().map_or("", String::as_str);
                if let Some(resume) = protocol.closed(last_word) {
                    return Err(Next::Anew { resume });
                }
                match last_words.iter().rev().find(|word| protocol.is_login(word)) {
                    Some(word) => Err(Next::LoggedOut(mind::limits::cut(word, LAST_WORD_CHARS_MAX))),
                    None => Err(Next::Lost(cause(status, last_word))),
                }
            }
        }
    }

    /// The sandbox reports first that the process runs inside; before that no line is believed.
    async fn hear_sandbox(
        &mut self,
        proof: &SandboxProof,
        lines: &mut mpsc::Receiver<Line>,
        controls: &SessionControls,
    ) -> Option<Stop> {
        let first = tokio::select! {
            () = controls.end.notified() => return Some(Stop::Ordered),
            first = timeout(CAGE_TIME_MAX, lines.recv()) => first,
        };
        let heard = match first {
            Ok(Some(line)) => proof(&line.text),
            Ok(None) => return Some(Stop::Closed),
            Err(_) => Err(format!("the sandbox was not ready after {CAGE_TIME_MAX:?}")),
        };
        match heard {
            Ok(level) => {
                self.perform(vec![DriverAction::Tell(AgentEvent::Housed(level))], None, &controls.end).await
            }
            Err(why) => Some(Stop::Useless(why)),
        }
    }

    /// Performs the actions of the protocol. Answers to the process go before events for the mission loop, so that the
    /// process never waits for us. Where the mission loop takes no events, its order to end is heard all the same.
    async fn perform(
        &mut self,
        deeds: Vec<DriverAction>,
        write: impl Into<Option<&mpsc::Sender<String>>>,
        end: &Notify,
    ) -> Option<Stop> {
        let write = write.into();
        let mut stop = None;
        let mut news = Vec::new();
        for deed in deeds {
            match deed {
                DriverAction::Write(line) => match write.map(|write| write.try_send(line)) {
                    // The reader reports a closed pipe, and knows more about it.
                    None | Some(Ok(()) | Err(mpsc::error::TrySendError::Closed(_))) => {}
                    Some(Err(mpsc::error::TrySendError::Full(_))) => stop = Some(Stop::deaf()),
                },
                DriverAction::Tell(event) => news.push(event),
                DriverAction::Note(text) => self.book.log(Direction::Note, &text),
                DriverAction::Live(Live::Text(piece)) => self.start.live.say(&piece),
                DriverAction::Live(Live::Clear) => self.hush(),
                DriverAction::Anew { resume } => stop = Some(Stop::Anew { resume }),
                DriverAction::GiveUp(why) => stop = Some(Stop::Useless(why)),
            }
        }
        for event in news {
            tokio::select! {
                biased;
                // What can be told is told, also with the end in sight: it may be what was used.
                sent = self.teller.send(event) => if sent.is_err() { return Some(Stop::Ordered) },
                () = end.notified() => return Some(Stop::Ordered),
            }
        }
        stop
    }

    /// A line without a meaning is a sign of life all the same; but each report of one would be a fact.
    fn stir(&mut self, mut deeds: Vec<DriverAction>) -> Vec<DriverAction> {
        deeds.retain(|deed| *deed != DriverAction::Tell(AgentEvent::Stirred));
        if deeds.iter().any(|deed| matches!(deed, DriverAction::Tell(_))) {
            return deeds;
        }
        if self.stirred.is_none_or(|at| at.elapsed() >= STIR_EVERY) {
            self.stirred = Some(Instant::now());
            deeds.push(DriverAction::Tell(AgentEvent::Stirred));
        }
        deeds
    }

    /// A busy session is asked to stop and given a moment for it. Of what it says meanwhile, only what it has used is told.
    async fn part(
        &mut self,
        protocol: &mut impl Protocol,
        write: &mpsc::Sender<String>,
        lines: &mut mpsc::Receiver<Line>,
    ) {
        let _ = timeout(PART_TIME_MAX, async {
            self.perform_last(protocol.part(), write).await;
            while protocol.is_busy() {
                let Some(line) = lines.recv().await else { return };
                self.perform_last(protocol.hear(&line.text, self.clock.now()), write).await;
            }
        })
        .await;
    }

    async fn perform_last(&self, deeds: Vec<DriverAction>, write: &mpsc::Sender<String>) {
        for deed in deeds {
            if let DriverAction::Write(line) = deed {
                let _ = write.try_send(line);
            } else if let DriverAction::Tell(event @ AgentEvent::Spent { .. }) = deed {
                let _ = self.teller.send(event).await;
            }
        }
    }
}

/// The time of day as the mission loop counts it, also after the machine has slept.
#[derive(Debug, Clone, Copy)]
struct Clock;

impl Clock {
    fn now(self) -> Timestamp {
        Timestamp(host::now_ms())
    }

    fn instant(self, at: Timestamp) -> Instant {
        Instant::now() + Duration::from_millis(at.0.saturating_sub(self.now().0))
    }
}

async fn write_stdin(mut stdin: UnixStream, mut writes: mpsc::Receiver<String>, book: Book) {
    while let Some(mut line) = writes.recv().await {
        book.log(Direction::In, &line);
        line.push('\n');
        // The reader reports a closed pipe, and knows more about it.
        if stdin.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn listen(mut stdout: impl AsyncBufRead + Unpin, said: mpsc::Sender<Line>, book: Book) {
    while let Some(line) = lines::read(&mut stdout, LINE_BYTES_MAX).await {
        book.log_line(Direction::Out, &line);
        if said.send(line).await.is_err() {
            return;
        }
    }
}

async fn drain(mut pipe: impl AsyncBufRead + Unpin, book: Book) {
    while let Some(line) = lines::read(&mut pipe, LINE_BYTES_MAX).await {
        book.log_line(Direction::Err, &line);
    }
}

/// Sends events to the mission loop, however long that takes; the process is heard and answered meanwhile.
async fn forward_events(mut told: mpsc::Receiver<AgentEvent>, events: mpsc::Sender<AgentEvent>) {
    while let Some(event) = told.recv().await {
        if events.send(event).await.is_err() {
            return;
        }
    }
}

fn cause(status: Option<ExitStatus>, last_word: &str) -> String {
    let status = status.map_or("it did not end by itself".to_owned(), |status| status.to_string());
    if last_word.is_empty() {
        return format!("the process is gone ({status})");
    }
    format!("the process is gone ({status}): {}", mind::limits::cut(last_word, LAST_WORD_CHARS_MAX))
}

/// The logbook, shared by the readers and the writer of one session; it remembers the last lines on stderr.
#[derive(Debug, Clone)]
struct Book(Arc<Mutex<(Logbook, VecDeque<String>)>>);

impl Book {
    fn open(start: &SessionStart) -> Book {
        Book(Arc::new(Mutex::new((Logbook::open(&start.logbook), VecDeque::new()))))
    }

    /// Another process begins, so the last lines of the one before are forgotten.
    fn begin(&self, text: &str) {
        self.log(Direction::Note, text);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clear();
    }

    fn log(&self, direction: Direction, text: &str) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0.append(direction, text);
        if direction == Direction::Err && !text.trim().is_empty() {
            inner.1.push_back(text.trim().to_owned());
            if inner.1.len() > LAST_WORDS_MAX {
                inner.1.pop_front();
            }
        }
    }

    fn log_line(&self, direction: Direction, line: &Line) {
        self.log(direction, &line.text);
        if line.dropped > 0 {
            self.log(Direction::Note, &format!("the line was too long: {} bytes are dropped", line.dropped));
        }
    }

    fn last_words(&self) -> VecDeque<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}
