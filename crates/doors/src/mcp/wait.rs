//! Waiting for a person. A call registers with the bell before it looks, so that no change falls between; it looks again
//! after every ring and every sweep, and ends with its time, its client's word, or its client.

use std::convert::Infallible;
use std::time::Duration;

use docket::{DocketError, Kept};
use mind::petition::Petition;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::request::Which;
use super::{Mcp, patience, told};
use crate::limits;

/// What a waiting call saw of one petition when it looked last.
#[derive(Debug)]
pub(super) enum Seen {
    /// It is there.
    There { petition: Box<Petition>, longest: Duration },
    /// Its file cannot be understood at the moment. Somebody may be editing it.
    Unreadable { id: String, why: String, longest: Duration },
}

impl Seen {
    fn is_over(&self) -> bool {
        matches!(self, Seen::There { petition, .. } if petition.status().is_closed())
    }
}

impl Mcp {
    /// Waits until the first of these is closed, and tells how all of them stand.
    pub(super) async fn wait(
        &self,
        ids: &[String],
        seconds: Option<u64>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Vec<Seen>, Value> {
        let token = context.meta.get_progress_token();
        let longest = patience::longest(&client(context), token.is_some());
        // Where too many wait already, this one is told at once how it stands.
        let place = self.waits.try_acquire();
        let patience = if place.is_ok() { patience::granted(seconds, longest) } else { Duration::ZERO };
        let tell = async {
            match token {
                Some(token) => self.tell_progress(token, context).await,
                None => std::future::pending::<Infallible>().await,
            }
        };
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(told::ended("the call was cancelled")),
            () = self.is_gone() => Err(told::ended("the client is gone")),
            never = tell => match never {},
            seen = self.look_until(ids, Instant::now() + patience, longest) => {
                seen.map_err(|error| told::trouble(&error))
            }
        }
    }

    async fn look_until(
        &self,
        ids: &[String],
        end: Instant,
        longest: Duration,
    ) -> Result<Vec<Seen>, DocketError> {
        let mut bell = self.bell.listen(&self.docket);
        let mut awaited: Vec<Which> = ids.iter().cloned().map(Which::Id).collect();
        loop {
            bell.forget();
            let mut seen = Vec::with_capacity(awaited.len());
            for which in &mut awaited {
                seen.push(self.look(which, longest).await?);
            }
            if seen.iter().any(Seen::is_over) || Instant::now() >= end {
                return Ok(seen);
            }
            // The bell may be deaf (folders on a network), and time alone can close a petition.
            let sweep = Instant::now() + docket::limits::SWEEP_EVERY;
            let _ = timeout_at(end.min(sweep), bell.ring()).await;
        }
    }

    /// Looks, and remembers which petition was meant: the next look is cheaper.
    async fn look(&self, which: &mut Which, longest: Duration) -> Result<Seen, DocketError> {
        match self.find(which.clone()).await {
            Ok(kept) => {
                *which = Which::Known(kept.petition.id.clone());
                Ok(Seen::There { petition: Box::new(kept.petition), longest })
            }
            Err(DocketError::Malformed { why, .. }) => {
                Ok(Seen::Unreadable { id: which.to_string(), why, longest })
            }
            Err(error) => Err(error),
        }
    }

    /// A petition as it stands.
    pub(super) async fn look_up(&self, which: Which) -> Result<Kept, Value> {
        self.find(which).await.map_err(|error| told::trouble(&error))
    }

    async fn find(&self, which: Which) -> Result<Kept, DocketError> {
        let (docket, now) = (self.docket.clone(), self.now());
        self.at_the_docket(move || match which {
            Which::Id(id) => docket.find(&id, now),
            Which::Tag(tag) => docket.tagged(&tag, now),
            Which::Known(id) => match docket.look(&id, now) {
                // Its place in the index can be lost; it is found again by a search.
                Err(DocketError::Unknown { .. }) => docket.find(&id.0, now),
                looked => looked,
            },
        })
        .await
    }

    /// Does what blocks where it blocks nobody, a few at a time.
    pub(super) async fn at_the_docket<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, DocketError> + Send + 'static,
    ) -> Result<T, DocketError> {
        // It is never closed; and without leave is better than not at all.
        let _leave = self.visits.acquire().await;
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is being shut down: nobody is left to be told.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Tells the client now and then that the call is alive.
    async fn tell_progress(
        &self,
        token: rmcp::model::ProgressToken,
        context: &RequestContext<RoleServer>,
    ) -> Infallible {
        let began = Instant::now();
        // The first sign of life comes soon: it tells the client that this is going to take time.
        let mut pause = self.around.progress_every.min(limits::PROGRESS_FIRST);
        loop {
            tokio::time::sleep(pause).await;
            pause = self.around.progress_every;
            let elapsed = began.elapsed().as_secs_f64();
            let progress =
                ProgressNotificationParam::new(token.clone(), elapsed).with_message("waiting for a person");
            // A client that does not hear it gives up by itself.
            let _ = context.peer.notify_progress(progress).await;
        }
    }
}

/// How the client calls itself, in plain text; `agent` if it does not.
pub(super) fn client(context: &RequestContext<RoleServer>) -> String {
    let name = context.client_info().map(|client| client.name).unwrap_or_default();
    let plain: String = name.chars().filter(|sign| !sign.is_control()).collect();
    let plain = plain.trim();
    if plain.is_empty() { "agent".to_owned() } else { mind::limits::cut(plain, mind::limits::NAME_CHARS_MAX) }
}
