//! What sessions and model calls tell of their usage on their way out, when the loop's inbox is closed: it was paid for, so it is
//! kept for the last batch of the journal. All else that is told then is dropped with the inbox.

use std::sync::{Arc, Mutex, PoisonError};

use mind::conductor::ConductorEvent;
use mind::{AgentEvent, Event};
use tokio::sync::mpsc;

use crate::limits;

/// Events that only book usage. All clones share them.
#[derive(Debug, Clone, Default)]
pub struct LateUsage(Arc<Mutex<Vec<Event>>>);

impl LateUsage {
    /// Sends an event to the inbox, or keeps it if that is closed.
    pub async fn send(&self, inbox: &mpsc::Sender<Event>, event: Event) {
        let Err(mpsc::error::SendError(event)) = inbox.send(event).await else { return };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_usage(&event) && kept.len() < limits::LATE_USAGE_MAX {
            kept.push(event);
        }
    }

    /// What was kept.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn is_usage(event: &Event) -> bool {
    matches!(
        event,
        Event::Agent(_, AgentEvent::Spent { .. }) | Event::Conductor(ConductorEvent::Dropped { .. })
    )
}
