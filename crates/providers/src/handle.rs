//! The handle of a running session: orders go in without waiting, and dropping it kills the process.

use std::sync::Arc;

use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::limits::ORDERS_MAX;
use mind::effect::SessionCommand;

/// A running session. Dropping it kills the process, unless its end was ordered: then the driver ends it.
#[derive(Debug)]
pub struct Handle {
    orders: mpsc::Sender<SessionCommand>,
    end: Arc<Notify>,
    task: JoinHandle<()>,
    is_ending: bool,
}

/// Why an order was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The agent does not read, and the queue of orders is full.
    #[error("the session does not read its orders")]
    Full,
    /// The process is gone, or about to go.
    #[error("the session is gone")]
    Gone,
}

/// The driver's end of the same session.
#[derive(Debug)]
pub(crate) struct SessionControls {
    pub(crate) orders: mpsc::Receiver<SessionCommand>,
    /// Notified when the session is to end.
    pub(crate) end: Arc<Notify>,
}

impl Handle {
    /// Starts `drive` as a task of its own.
    pub(crate) fn spawn<D>(drive: impl FnOnce(SessionControls) -> D) -> Handle
    where
        D: Future<Output = ()> + Send + 'static,
    {
        let (sender, orders) = mpsc::channel(ORDERS_MAX);
        let end = Arc::new(Notify::new());
        let task = tokio::spawn(drive(SessionControls { orders, end: Arc::clone(&end) }));
        Handle { orders: sender, end, task, is_ending: false }
    }

    /// Gives an order, without waiting. `End` goes past all others and is never refused.
    pub fn try_order(&mut self, order: SessionCommand) -> Result<(), Refused> {
        if order == SessionCommand::End {
            self.is_ending = true;
            self.end.notify_one();
            return Ok(());
        }
        if self.is_ending {
            return Err(Refused::Gone);
        }
        self.orders.try_send(order).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Refused::Full,
            mpsc::error::TrySendError::Closed(_) => Refused::Gone,
        })
    }

    /// Waits until the process and its descendants are gone.
    pub async fn ended(&mut self) {
        if !self.task.is_finished() {
            let _ = (&mut self.task).await;
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if !self.is_ending {
            self.task.abort();
        }
    }
}
