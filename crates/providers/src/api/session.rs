//! The Arbiter's session without a process: its conversation lies on disk, each turn is one call. The session has no
//! tools, so a turn gives nothing but words, and one that was cut off is made again.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use mind::conductor::execution::RunTokens;
use mind::event::{Failure, TurnEnd};
use mind::session::{Gauge, Role};
use mind::{AgentEvent, TurnId};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, timeout};

use super::call::Call;
use super::conversation::{Conversation, place};
use super::error::Trouble;
use super::options::ModelOptions;
use super::request::{ApiUsage, Reading, Request, Stop, typed};
use crate::claude::fields::Fields;
use crate::claude::usage::window_of;
use crate::handle::SessionControls;
use crate::limits::{API_TURN_TIME_MAX, KEYS_MAX, ORDERS_MAX, PART_TIME_MAX, STIR_EVERY};
use crate::live::SessionTail;
use crate::logbook::{Direction, Logbook};
use crate::{SessionStart, schema};
use mind::effect::SessionCommand;

/// The fields of a typed output that hold words for a person or another session.
const TOLD: &[&str] = &["message"];

/// Runs a session from its start to its end. Everything that happens is sent as events, also that it could not start.
pub(super) async fn live(
    options: Option<ModelOptions>,
    mut start: SessionStart,
    events: mpsc::Sender<AgentEvent>,
    mut controls: SessionControls,
) {
    tokio::select! {
        biased;
        () = controls.end.notified() => return,
        // An earlier process of this session may still be writing.
        alone = start.leaving.wait_for(|leaving| *leaving == 0) => if alone.is_err() { return },
    }
    let _hush = Hush(start.live.clone());
    let teller = Teller { start: start.clone(), events, end: Arc::clone(&controls.end) };
    let options =
        options.ok_or_else(|| "no configuration says which model is to be spoken to, and where".to_owned());
    let opened = options.and_then(|options| Session::open(options, &start, teller.clone()));
    let lost = match opened {
        Ok(mut session) => session.serve(&mut controls).await.err(),
        Err(why) => Some(Leave::Lost(why)),
    };
    if let Some(Leave::Lost(why)) = lost {
        let _ = teller.send(AgentEvent::Lost { why: Arc::from(why) }).await;
    }
}

/// Why a session is over.
enum Leave {
    /// The mission loop ended the session, or is gone itself.
    Ordered,
    /// The session cannot go on.
    Lost(String),
}

/// A text that waits for its turn.
struct Given {
    turn: TurnId,
    key: String,
    text: Arc<str>,
    is_again: bool,
}

struct Session {
    options: ModelOptions,
    start: SessionStart,
    teller: Teller,
    schema: Arc<Value>,
    path: PathBuf,
    conversation: Conversation,
    book: Logbook,
    queue: VecDeque<Given>,
    /// What goes with the next text.
    warning: Option<(u8, Arc<str>)>,
    /// Keys of the turns that this process reported as heard, the newest last.
    heard: VecDeque<String>,
}

impl Session {
    fn open(options: ModelOptions, start: &SessionStart, teller: Teller) -> Result<Session, String> {
        match start.profile.role {
            Role::Arbiter => {}
            Role::Orchestrator | Role::Verifier | Role::Agent => {
                return Err("the api provider has no tools: it can be the Arbiter, or decide".to_owned());
            }
        }
        let path = place(&start.logbook);
        let conversation = match Conversation::open(&path, &start.profile.key) {
            Ok(Some(kept)) => kept,
            Ok(None) if start.spoke => return Err("its conversation is gone".to_owned()),
            Err(why) if start.spoke => return Err(format!("its conversation cannot be read: {why}")),
            Ok(None) | Err(_) => Conversation::new(&start.profile.key),
        };
        let mut book = Logbook::open(&start.logbook);
        book.append(Direction::Note, &format!("{} begins, resume: {}", start.life, start.resume));
        Ok(Session {
            options,
            start: start.clone(),
            teller,
            schema: Arc::new(schema::of(start.profile.role)),
            path,
            conversation,
            book,
            queue: VecDeque::new(),
            warning: None,
            heard: VecDeque::new(),
        })
    }

    async fn serve(&mut self, controls: &mut SessionControls) -> Result<(), Leave> {
        loop {
            match self.queue.pop_front() {
                Some(given) => self.turn(given, controls).await?,
                None => {
                    let order = next(controls).await?;
                    self.obey(order, None).await?;
                }
            }
        }
    }

    /// Handles an order that needs no call; returns whether the running turn must stop.
    async fn obey(&mut self, order: SessionCommand, running: Option<&Given>) -> Result<bool, Leave> {
        match order {
            SessionCommand::Deliver { turn, key, text, again } => {
                let known = running.into_iter().chain(&self.queue).any(|given| given.key == key);
                if !known && self.queue.len() < ORDERS_MAX {
                    self.queue.push_back(Given { turn, key, text, is_again: again.is_some() });
                }
            }
            SessionCommand::Warn { percent, text } => self.warning = Some((percent, text)),
            SessionCommand::Interrupt { turn } => {
                if running.is_some_and(|given| given.turn == turn) {
                    return Ok(true);
                }
                let waiting = self.queue.len();
                self.queue.retain(|given| given.turn != turn);
                if self.queue.len() < waiting {
                    self.rest(turn, TurnEnd::Interrupted).await?;
                }
            }
            // An interjection cannot reach a running call; the mission loop gives it again as a turn of its own. There
            // are no tools whose calls could be answered. `End` does not come through this queue.
            SessionCommand::Steer { .. }
            | SessionCommand::Permit { .. }
            | SessionCommand::Reply { .. }
            | SessionCommand::End => {}
        }
        Ok(false)
    }

    async fn turn(&mut self, given: Given, controls: &mut SessionControls) -> Result<(), Leave> {
        let answered = self.conversation.answer(&given.key).map(|(answer, usage)| (answer.to_owned(), usage));
        if let Some((answer, usage)) = answered {
            if !self.heard.contains(&given.key) {
                self.teller.send(AgentEvent::Heard(given.turn)).await?;
            }
            return self.spoke(&given, &answer, usage).await;
        }
        // The text waits until a call that carried it is answered.
        let (percent, words) = self.warning.clone().unzip();
        self.conversation.say(&given.key, &given.text, words.as_deref(), given.is_again);
        self.save()?;
        let record = json!({"turn": given.turn, "text": given.text, "beside": words});
        self.book.append(Direction::In, &record.to_string());
        let speaking = Speaking {
            options: self.options.clone(),
            teller: self.teller.clone(),
            schema: Arc::clone(&self.schema),
            texts: self.conversation.texts(),
            turn: given.turn,
            warned: percent,
        };
        let mut reading = Reading::default();
        let mut speaking = Box::pin(speaking.speak(&mut reading));
        let said = loop {
            tokio::select! {
                said = &mut speaking => break said,
                order = next(controls) => {
                    let obeyed = match order {
                        Ok(order) => self.obey(order, Some(&given)).await,
                        Err(leave) => Err(leave),
                    };
                    match obeyed {
                        Ok(false) => {}
                        Ok(true) => break Err(Broken::Stopped),
                        Err(leave) => break Err(Broken::Leave(leave)),
                    }
                }
            }
        };
        // Dropping the call closes the connection.
        drop(speaking);
        // As far as the server has counted: of an answer that it was not let finish, too.
        let usage = reading.usage(self.options.price_of(model(&self.options, &self.start)));
        match said {
            Ok(()) => {
                // A text that came meanwhile goes with the next one.
                self.warning.take_if(|(armed, _)| Some(*armed) == percent);
                self.said(&given, reading, usage).await
            }
            Err(Broken::Stopped) => {
                self.conversation.stopped(&given.key);
                self.save()?;
                self.start.live.clear();
                self.unfinished(&given, "stopped", usage).await?;
                self.rest(given.turn, TurnEnd::Interrupted).await
            }
            Err(Broken::Trouble(trouble)) => self.failed(&given, trouble.into(), usage).await,
            Err(Broken::Leave(leave)) => {
                self.teller.send_last(self.report_of(&given, "left", usage)).await;
                Err(leave)
            }
        }
    }

    /// The answer is complete. It is saved before it is reported.
    async fn said(&mut self, given: &Given, reading: Reading, usage: Option<ApiUsage>) -> Result<(), Leave> {
        if !self.heard.contains(&given.key) {
            self.heard.push_back(given.key.clone());
        }
        if self.heard.len() > KEYS_MAX {
            self.heard.pop_front();
        }
        let record = json!({"turn": given.turn, "text": reading.text, "tokens": reading.tokens()});
        self.book.append(Direction::Out, &record.to_string());
        if reading.stop == Some(Stop::Cut) && typed(&reading.text, &self.schema).is_none() {
            let words = format!(
                "the answer was cut off after {} tokens (hint: allow the model more of them)",
                self.options.max_tokens
            );
            return self.failed(given, Failure::Refused(Arc::from(words)), usage).await;
        }
        self.conversation.answered(&given.key, &reading.text, usage);
        self.save()?;
        self.spoke(given, &reading.text, usage).await
    }

    /// Reports an answer and its tokens under the key of its text; both are reported again if the text is given again.
    async fn spoke(&mut self, given: &Given, text: &str, usage: Option<ApiUsage>) -> Result<(), Leave> {
        if let Some(usage) = usage {
            let window = window_of(Some(model(&self.options, &self.start)));
            let gauge = Gauge {
                guessed: true,
                ..Gauge::named(usage.tokens.total, window, "api, window by the model's name")
            };
            self.teller.send(AgentEvent::Gauged(gauge)).await?;
            self.teller.send(spent(&given.key, usage)).await?;
        }
        let output = typed(text, &self.schema);
        self.rest(given.turn, TurnEnd::Spoke { output, text: Arc::from(text) }).await
    }

    async fn rest(&mut self, turn: TurnId, end: TurnEnd) -> Result<(), Leave> {
        self.teller.send(AgentEvent::Rested { turn, end, tree: None }).await
    }

    /// The turn failed, and used tokens all the same.
    async fn failed(
        &mut self,
        given: &Given,
        failure: Failure,
        usage: Option<ApiUsage>,
    ) -> Result<(), Leave> {
        let turn = given.turn;
        self.book.append(Direction::Note, &format!("{turn} failed: {failure:?}"));
        self.start.live.clear();
        self.unfinished(given, "failed", usage).await?;
        self.teller.send(AgentEvent::Failed { turn, failure }).await
    }

    /// Reports what a call without an answer used. If its text is given again, it is asked anew and uses as much
    /// again, so each process names its own report.
    async fn unfinished(&self, given: &Given, end: &str, usage: Option<ApiUsage>) -> Result<(), Leave> {
        match self.report_of(given, end, usage) {
            Some(report) => self.teller.send(report).await,
            None => Ok(()),
        }
    }

    fn report_of(&self, given: &Given, end: &str, usage: Option<ApiUsage>) -> Option<AgentEvent> {
        Some(spent(&format!("{} {end} in {}", given.key, self.start.life), usage?))
    }

    /// Saves the conversation. What is not saved was not said: the next process would not know of it.
    fn save(&self) -> Result<(), Leave> {
        let kept = self.conversation.save(&self.path);
        kept.map_err(|error| Leave::Lost(format!("its conversation cannot be kept: {error}")))
    }
}

/// The report of this name; one that no server has counted says so.
fn spent(report: &str, usage: ApiUsage) -> AgentEvent {
    let ApiUsage { tokens: RunTokens { input, output, .. }, cost_microusd, is_estimated } = usage;
    let report = if is_estimated { format!("{report}, estimated") } else { report.to_owned() };
    AgentEvent::Spent { report: Arc::from(report), input, output, cost_microusd }
}

/// The model of a session: its own, or the one that the options name.
fn model<'a>(options: &'a ModelOptions, start: &'a SessionStart) -> &'a str {
    start.profile.model.as_deref().unwrap_or(&options.model)
}

async fn next(controls: &mut SessionControls) -> Result<SessionCommand, Leave> {
    tokio::select! {
        biased;
        () = controls.end.notified() => Err(Leave::Ordered),
        order = controls.orders.recv() => order.ok_or(Leave::Ordered),
    }
}

/// Why a turn has no answer.
enum Broken {
    Stopped,
    Trouble(Trouble),
    Leave(Leave),
}

impl From<Trouble> for Broken {
    fn from(trouble: Trouble) -> Broken {
        Broken::Trouble(trouble)
    }
}

impl From<Leave> for Broken {
    fn from(leave: Leave) -> Broken {
        Broken::Leave(leave)
    }
}

/// One call with everything it needs, so that orders are handled while it runs.
struct Speaking {
    options: ModelOptions,
    teller: Teller,
    schema: Arc<Value>,
    texts: Vec<String>,
    turn: TurnId,
    warned: Option<u8>,
}

impl Speaking {
    async fn speak(self, reading: &mut Reading) -> Result<(), Broken> {
        let Speaking { options, teller, schema, texts, turn, warned } = self;
        let start = &teller.start;
        let request = Request {
            model: model(&options, start),
            max_tokens: options.max_tokens,
            temperature: options.temperature,
            system: &start.profile.prompt,
            texts,
            schema: &schema,
            goes_on: true,
        };
        let mut call = Call::open(&options, &request, Instant::now() + API_TURN_TIME_MAX, reading).await?;
        teller.send(AgentEvent::Heard(turn)).await?;
        if let Some(percent) = warned {
            teller.send(AgentEvent::Warned { percent }).await?;
        }
        start.live.clear();
        listen(&mut call, &teller).await?;
        Ok(call.finish()?)
    }
}

/// Shows an answer while it streams.
async fn listen(call: &mut Call<'_>, teller: &Teller) -> Result<(), Broken> {
    let mut shown = Shown::default();
    let mut stirred = Instant::now();
    while let Some(piece) = call.next().await? {
        teller.start.live.say(&shown.of(&piece));
        if stirred.elapsed() >= STIR_EVERY {
            stirred = Instant::now();
            teller.send(AgentEvent::Stirred).await?;
        }
    }
    Ok(())
}

/// The part of an answer that is shown while it streams: the message of a typed output, or plain words.
#[derive(Default)]
struct Shown {
    /// None if the words are plain, or have not begun.
    fields: Option<Fields>,
    has_begun: bool,
}

impl Shown {
    fn of(&mut self, piece: &str) -> String {
        if !self.has_begun && !piece.trim().is_empty() {
            self.has_begun = true;
            self.fields = piece.trim_start().starts_with('{').then(|| Fields::new(TOLD));
        }
        match &mut self.fields {
            Some(fields) => fields.hear(piece),
            None => piece.to_owned(),
        }
    }
}

/// Sends events to the mission loop, until it takes no more.
#[derive(Clone)]
struct Teller {
    start: SessionStart,
    events: mpsc::Sender<AgentEvent>,
    end: Arc<Notify>,
}

impl Teller {
    async fn send(&self, event: AgentEvent) -> Result<(), Leave> {
        tokio::select! {
            biased;
            // What can be told is told, also with the end in sight: it may be what was used.
            sent = self.events.send(event) => sent.map_err(|_| Leave::Ordered),
            () = self.end.notified() => Err(Leave::Ordered),
        }
    }

    /// Sends what is left to be told when the end was ordered; a mission loop that takes nothing is not waited for.
    async fn send_last(&self, event: Option<AgentEvent>) {
        if let Some(event) = event {
            let _ = timeout(PART_TIME_MAX, self.events.send(event)).await;
        }
    }
}

/// Clears the live text when the session ends, however it ends.
struct Hush(SessionTail);

impl Drop for Hush {
    fn drop(&mut self) {
        self.0.clear();
    }
}
