//! The mission loop: takes all ready events as one batch, appends their facts, syncs once, performs the effects, publishes
//! the state. The rules of a batch are `State::round` of the mind; the loop adds the disk and the clock.
//!
//! What is not synced did not happen: no effect and no published state before the sync.

use std::sync::Arc;
use std::time::Duration;

use mind::effect::Leave;
use mind::{Event, LoopMode, Round, State, Timestamp};
use tokio::sync::{mpsc, watch};

use crate::clock;
use crate::mission::die_at::{CrashPoint, DieAt};
use crate::mission::effect_runner::EffectRunner;
use crate::mission::fact_log::{FactLog, FactLogError};
use crate::mission::standstill::Standstill;

/// The published state, for screens and doors.
#[derive(Debug, Clone)]
pub struct MissionSnapshot {
    pub state: Arc<State>,
    /// How many entries the state is made of; all of them are synced.
    pub head: u64,
}

/// The loop of one mission, with its state and its journal.
pub struct MissionLoop {
    fact_log: FactLog,
    state: State,
    inbox: mpsc::Receiver<Event>,
    runner: EffectRunner,
    picture: watch::Sender<MissionSnapshot>,
}

/// Returns at the deadline; never without one.
async fn ring_at(deadline: Option<Timestamp>) {
    match deadline {
        Some(deadline) => {
            let left_ms = deadline.0.saturating_sub(clock::now().0);
            tokio::time::sleep(Duration::from_millis(left_ms)).await;
        }
        None => std::future::pending().await,
    }
}

impl MissionLoop {
    pub fn new(
        fact_log: FactLog,
        state: State,
        inbox: mpsc::Receiver<Event>,
        runner: EffectRunner,
    ) -> (MissionLoop, watch::Receiver<MissionSnapshot>) {
        let first = MissionSnapshot { state: Arc::new(state.clone()), head: fact_log.head() };
        let (picture, view) = watch::channel(first);
        (MissionLoop { fact_log, state, inbox, runner, picture }, view)
    }

    /// Runs until the mission ends, or until `stop` is set: then the mission can be resumed later.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Result<Option<Leave>, FactLogError> {
        let mut die_at = DieAt::from_environment();
        let mut standstill = Standstill::from_environment();
        let mut events = Vec::new();
        let mut mode = LoopMode::Running;
        let mut leave = None;
        let ended = loop {
            standstill.before_batch(|| (events.len() + self.inbox.len(), *stop.borrow())).await;
            self.gather(&mut events, &mut mode, &mut stop).await;
            if events.is_empty() && mode == LoopMode::Stopping {
                break Ok(());
            }
            match self.take(&mut events, mode, &mut die_at) {
                Ok(None) => {}
                Ok(wanted) => {
                    // Events that are in the inbox were taken from their sender: they become facts before the loop ends.
                    leave = leave.or(wanted);
                    mode = LoopMode::Stopping;
                }
                Err(error) => break Err(error),
            }
        };
        self.inbox.close();
        let late = self.runner.farewell().await;
        ended?;
        let leave = leave.or(book_late(late, &mut self.fact_log, &mut self.state)?);
        let state = Arc::new(self.state);
        self.picture.send_replace(MissionSnapshot { state, head: self.fact_log.head() });
        Ok(leave)
    }

    /// Waits for an event or a deadline, and takes all ready events. `State::round` decides how many of them make a batch;
    /// what it leaves over is ready for the next one.
    async fn gather(
        &mut self,
        events: &mut Vec<Event>,
        mode: &mut LoopMode,
        stop: &mut watch::Receiver<bool>,
    ) {
        if *mode == LoopMode::Running {
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => *mode = LoopMode::Stopping,
                () = std::future::ready(()), if !events.is_empty() => {}
                happened = self.inbox.recv() => match happened {
                    Some(event) => events.push(event),
                    // The last sender is gone: no event can come any more.
                    None => *mode = LoopMode::Stopping,
                },
                () = ring_at(self.state.deadline()) => {}
            }
        }
        if *mode == LoopMode::Stopping {
            // Refuses new events; those already in the inbox are still taken.
            self.inbox.close();
            while let Some(event) = self.inbox.recv().await {
                events.push(event);
            }
            return;
        }
        // At most what the inbox holds at this moment: in a flood of events the rest waits there, and its senders wait.
        let room = self.inbox.max_capacity().saturating_sub(events.len());
        for _ in 0..self.inbox.len().min(room) {
            events.extend(self.inbox.try_recv());
        }
    }

    /// Works one batch off: decide, append, sync, perform, publish.
    fn take(
        &mut self,
        events: &mut Vec<Event>,
        mode: LoopMode,
        die_at: &mut DieAt,
    ) -> Result<Option<Leave>, FactLogError> {
        let Round { entries, effects, leave } = self.state.round(events, mode, clock::now(), &mut ());
        die_at.begin(&entries);
        if !entries.is_empty() {
            self.fact_log.append(&entries)?;
        }
        die_at.reached(CrashPoint::BeforeSync);
        self.fact_log.sync()?;
        die_at.reached(CrashPoint::AfterSync);
        for effect in effects {
            self.runner.perform(effect, &self.state);
        }
        die_at.reached(CrashPoint::AfterEffects);
        let state = Arc::new(self.state.clone());
        self.picture.send_replace(MissionSnapshot { state, head: self.fact_log.head() });
        Ok(leave)
    }
}

/// The last batches: what sessions and model calls have used until they were gone. Their effects would be notes alone.
fn book_late(
    mut late: Vec<Event>,
    fact_log: &mut FactLog,
    state: &mut State,
) -> Result<Option<Leave>, FactLogError> {
    let mut ended = None;
    while !late.is_empty() {
        let Round { entries, leave, .. } = state.round(&mut late, LoopMode::Stopping, clock::now(), &mut ());
        if !entries.is_empty() {
            fact_log.append(&entries)?;
        }
        fact_log.sync()?;
        ended = ended.or(leave);
    }
    Ok(ended)
}
