//! The understudy plays the human's part in a rehearsal. Its lines are recorded as `policy:rehearsal`, never as a
//! person's; the letter's id is made from the question, so a question asked again after a crash is answered once.

use std::sync::Arc;

use mind::event::Deed;
use mind::talk::{Actor, Asks, Speaker};
use mind::{Event, HumanEvent, MessageId, State};
use tokio::sync::{mpsc, watch};

use crate::clock;
use crate::house::Picture;

/// How often the yes is said again when it is asked for again.
const AGAIN_MAX: usize = 2;

/// The policy's name.
pub const POLICY: &str = "rehearsal";

/// Answers questions with `lines`, in order. When they are used up it calls `speechless`, once, and falls silent.
pub async fn play(
    lines: Vec<String>,
    mut questions: mpsc::Receiver<MessageId>,
    view: watch::Receiver<Picture>,
    events: mpsc::Sender<Event>,
    speechless: impl FnOnce(),
) {
    let mut view = view;
    while let Some(question) = questions.recv().await {
        // The effect may be a moment ahead of the picture.
        let shown = view.wait_for(|picture| picture.state.message(question).is_some()).await;
        let Ok(state) = shown.map(|picture| picture.state.clone()) else { return };
        if state.question != Some(question) {
            continue;
        }
        let Some(line) = line(&lines, &state, question) else { return speechless() };
        let event = HumanEvent {
            letter: Arc::from(format!("rehearsal-{question}")),
            actor: Actor::Policy(Arc::from(POLICY)),
            written: clock::now(),
            deed: Deed::Say(Arc::from(line)),
        };
        if events.send(Event::Human(event)).await.is_err() {
            return;
        }
    }
}

/// The next line. A request for the yes may be made again; any other question that was not foreseen has no answer.
fn line(lines: &[String], state: &State, question: MessageId) -> Option<String> {
    let said = state.talk.iter().filter(|message| matches!(message.from, Speaker::Human(Actor::Policy(_))));
    let said = said.count();
    if let Some(line) = lines.get(said) {
        return Some(line.clone());
    }
    let asks = state.message(question).and_then(|message| message.asks);
    (asks == Some(Asks::Alignment) && said < lines.len() + AGAIN_MAX).then(|| "yes".to_owned())
}
