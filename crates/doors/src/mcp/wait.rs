//! Waiting for a person. A call looks once and follows what it saw, so that no change falls between; it ends with what it
//! waits for, its time, its client's word, or its client.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use docket::{Became, DocketError, StoredPetition};
use mind::petition::{Petition, PetitionId};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::request::Which;
use super::{Mcp, patience, told};
use crate::limits;

/// What a waiting call saw of one petition when it looked last.
#[derive(Debug)]
pub(super) enum Seen {
    There {
        petition: Box<Petition>,
        longest: Duration,
    },
    /// Its file cannot be understood at the moment: an edit may not be finished.
    Unreadable {
        id: String,
        why: String,
        longest: Duration,
    },
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
                seen.map_err(|error| told::trouble(&error, self.now()))
            }
        }
    }

    async fn look_until(
        &self,
        ids: &[String],
        end: Instant,
        longest: Duration,
    ) -> Result<Vec<Seen>, DocketError> {
        let (mut seen, mut stood) = (Vec::new(), Vec::new());
        for typed in ids {
            match self.find(Which::Id(typed.clone())).await {
                Ok(kept) => {
                    seen.push(Seen::There { petition: Box::new(kept.petition.clone()), longest });
                    stood.push((kept.petition.id.clone(), Some(kept)));
                }
                Err(DocketError::Malformed { why, .. }) => {
                    seen.push(Seen::Unreadable { id: typed.clone(), why, longest });
                    stood.push((PetitionId::from(typed.as_str()), None));
                }
                Err(error) => return Err(error),
            }
        }
        if seen.iter().any(Seen::is_over) || Instant::now() >= end {
            return Ok(seen);
        }
        // Of each petition the newest word is enough.
        let (tell, mut told) = watch::channel(BTreeMap::new());
        let feed = self.docket.feed(self.around.now)?;
        let following =
            feed.petitions(move |news| tell.send_modify(|told| drop(told.insert(news.id, news.became))));
        let awaited: Vec<PetitionId> = stood.iter().map(|(id, _)| id.clone()).collect();
        for (id, kept) in stood {
            match kept {
                Some(kept) => following.follow(kept),
                None => following.follow_unseen(id),
            }
        }
        while !seen.iter().any(Seen::is_over) {
            match timeout_at(end, told.changed()).await {
                Ok(Ok(())) => {}
                // The time is over; the feed cannot be before us.
                Ok(Err(_)) | Err(_) => break,
            }
            let told = told.borrow_and_update().clone();
            for (id, seen) in awaited.iter().zip(&mut seen) {
                if let Some(became) = told.get(id) {
                    *seen = self.seen(id, became, longest).await?;
                }
            }
        }
        Ok(seen)
    }

    /// What became of a petition, as a waiting call tells it.
    async fn seen(&self, id: &PetitionId, became: &Became, longest: Duration) -> Result<Seen, DocketError> {
        match became {
            Became::Stands { kept, .. } => {
                Ok(Seen::There { petition: Box::new(kept.petition.clone()), longest })
            }
            Became::Unreadable { why } => {
                Ok(Seen::Unreadable { id: id.to_string(), why: why.to_string(), longest })
            }
            Became::Gone { .. } => Err(DocketError::Gone { id: id.clone() }),
            Became::Trouble(_) => {
                let kept = self.find(Which::Id(id.to_string())).await?;
                Ok(Seen::There { petition: Box::new(kept.petition), longest })
            }
        }
    }

    /// A petition as it stands.
    pub(super) async fn look_up(&self, which: Which) -> Result<StoredPetition, Value> {
        self.find(which).await.map_err(|error| told::trouble(&error, self.now()))
    }

    async fn find(&self, which: Which) -> Result<StoredPetition, DocketError> {
        let (docket, now) = (self.docket.clone(), self.now());
        self.at_the_docket(move || match which {
            Which::Id(id) => docket.find(&id, now),
            Which::Tag(tag) => docket.tagged(&tag, now),
        })
        .await
    }

    /// Does what blocks on threads of its own, a few at a time.
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
                // The runtime is being shut down: no client is left to be told.
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
