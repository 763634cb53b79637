//! The scripted human plays the human's part in a rehearsal: it watches the mission and answers what is asked. Its lines
//! are recorded as `policy:rehearsal`, never as a person's; the id of an answer is made from the question, so a question
//! that stands again after a crash is answered once.

use std::sync::Arc;

use mind::actor::Actor;
use mind::event::HumanAction;
use mind::talk::{Asks, Speaker};
use mind::{HumanEvent, MessageId, State, WaitingOn};
use tokio::sync::mpsc;

use crate::mission::port::{MissionPort, Moved, SayError};
use crate::{clock, limits};

/// How often the script's yes is repeated if the mission asks for it again.
const AGAIN_MAX: usize = 2;

/// The policy's name in the journal.
pub const POLICY: &str = "rehearsal";

/// Answers questions with `lines`, in order. When they are used up and the mission waits for an answer, it calls
/// `speechless` once and returns. Messages that answer a person who spoke from another terminal use up no line.
pub async fn play(lines: Vec<String>, port: Arc<dyn MissionPort>, speechless: impl FnOnce()) {
    let (tell, mut told) = mpsc::channel(1);
    port.follow(Box::new(move |moved| match moved {
        Moved::Facts => !matches!(tell.try_send(()), Err(mpsc::error::TrySendError::Closed(()))),
        Moved::Live => true,
        Moved::Running => false,
    }));
    let mut answered = None;
    loop {
        let Ok(state) = port.state() else { return };
        if let Some(question) = state.question.filter(|question| Some(*question) != answered) {
            match line(&lines, &state, question) {
                Some(line) if answer(port.as_ref(), question, &line).await => answered = Some(question),
                Some(_) => return,
                None if state.waiting_on() == WaitingOn::Human => return speechless(),
                None => {}
            }
        }
        if told.recv().await.is_none() {
            return;
        }
    }
}

/// Answers a question; false if the mission loop has ended.
async fn answer(port: &dyn MissionPort, question: MessageId, line: &str) -> bool {
    let event = HumanEvent {
        inbox_id: Arc::from(format!("rehearsal-{question}")),
        actor: Actor::Policy(Arc::from(POLICY)),
        written: clock::now(),
        action: HumanAction::Say(Arc::from(line)),
    };
    loop {
        match port.send(event.clone()) {
            Ok(_) => return true,
            Err(SayError::Busy) => tokio::time::sleep(limits::BUSY_PAUSE).await,
            Err(_) => return false,
        }
    }
}

/// The next line. The request for the yes may come again; any other question beyond the script has no answer.
fn line(lines: &[String], state: &State, question: MessageId) -> Option<String> {
    let said = state.talk.iter().filter(|message| matches!(message.from, Speaker::Human(Actor::Policy(_))));
    let said = said.count();
    if let Some(line) = lines.get(said) {
        return Some(line.clone());
    }
    let asks = state.message(question).and_then(|message| message.asks);
    (asks == Some(Asks::Alignment) && said < lines.len() + AGAIN_MAX).then(|| "yes".to_owned())
}
