//! The understudy plays the human's part in a rehearsal. Its lines are recorded as `policy:rehearsal`, never as a
//! person's; the letter's id is made from the question, so a question asked again after a crash is answered once.

use std::sync::Arc;

use mind::event::Deed;
use mind::talk::{Actor, Asks, Speaker};
use mind::{Event, HumanEvent, MessageId, State};
use tokio::sync::{mpsc, watch};

use crate::house::Picture;

/// The policy's name.
pub const POLICY: &str = "rehearsal";

/// Answers questions with `lines`, in order, until nobody asks any more.
pub async fn play(
    lines: Vec<String>,
    mut questions: mpsc::Receiver<MessageId>,
    view: watch::Receiver<Picture>,
    events: mpsc::Sender<Event>,
) {
    let mut view = view;
    while let Some(question) = questions.recv().await {
        // The effect may be a moment ahead of the picture.
        let shown = view.wait_for(|picture| picture.state.message(question).is_some()).await;
        let Ok(state) = shown.map(|picture| picture.state.clone()) else { return };
        if state.question != Some(question) {
            continue;
        }
        let event = HumanEvent {
            letter: Arc::from(format!("rehearsal-{question}")),
            actor: Actor::Policy(Arc::from(POLICY)),
            deed: Deed::Say(Arc::from(line(&lines, &state, question))),
        };
        if events.send(Event::Human(event)).await.is_err() {
            return;
        }
    }
}

fn line(lines: &[String], state: &State, question: MessageId) -> String {
    let said = state.talk.iter().filter(|message| matches!(message.from, Speaker::Human(Actor::Policy(_))));
    if let Some(line) = lines.get(said.count()) {
        return line.clone();
    }
    match state.message(question).and_then(|message| message.asks) {
        Some(Asks::Alignment) => "Yes.".to_owned(),
        None => "My part has no more lines. Decide as the scroll would have it.".to_owned(),
    }
}
