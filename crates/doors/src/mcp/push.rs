//! A petition that comes in: what it leaves out is filled in, every fault is named, and it is on the disk before its id is
//! told.

use std::sync::Arc;

use docket::{DocketError, Pushed};
use mind::actor::Actor;
use mind::petition::{PetitionDraft, fields};
use rmcp::RoleServer;
use rmcp::model::JsonObject;
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::{Mcp, request, told, wait};
use crate::limits;

impl Mcp {
    /// Asks, and waits for the answers if that was wanted.
    pub(super) async fn push(
        &self,
        mut sent: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, Value> {
        let client = wait::client(context);
        fields::fill_in(&mut sent, "agent", self.around.agent.as_deref().unwrap_or(&client));
        if let Some(session) = &self.around.session {
            fields::fill_in(&mut sent, "session", session);
        }
        let now = self.now();
        let seconds = request::wait_seconds(&sent);
        let draft = PetitionDraft::read(&Value::Object(sent), &|text| (self.around.when)(text, now));
        let overdue = draft.as_ref().map(|draft| draft.overdue(now)).unwrap_or_default();
        let (draft, seconds) = match (draft, seconds) {
            (Ok(draft), Ok(seconds)) if overdue.is_empty() => (draft, seconds),
            (draft, seconds) => {
                let mut faults = draft.err().unwrap_or(overdue);
                faults.extend(seconds.err().map(str::to_owned));
                return Err(told::faults(faults));
            }
        };
        let pushed =
            self.push_under_new_id(draft).await.map_err(|error| told::trouble(&error, self.now()))?;
        let petition = &pushed.kept.petition;
        let mut answer =
            view::petition_json::pushed(petition, Some(&pushed.kept.file.to_string_lossy()), pushed.again);
        // Without a word about waiting a push comes back at once.
        let Some(seconds) = seconds.filter(|seconds| *seconds > 0) else { return Ok(answer) };
        let seen = self.wait(&[petition.id.to_string()], Some(seconds), context).await;
        // It is asked, whatever became of the wait: its id is told in any case.
        let waited =
            seen.map_or_else(|trouble| json!({ "problem": trouble["error"] }), |seen| told::one(&seen));
        if let (Some(answer), Value::Object(waited)) = (answer.as_object_mut(), waited) {
            answer.extend(waited);
        }
        Ok(answer)
    }

    /// Puts it into the docket, under a new id.
    async fn push_under_new_id(&self, draft: PetitionDraft) -> Result<Pushed, DocketError> {
        let (docket, around) = (self.docket.clone(), Arc::clone(&self.around));
        self.at_the_docket(move || {
            let by = Actor::Agent(draft.agent.clone());
            let mut draws = 1;
            loop {
                let pushed = docket.push(&draft, (around.draw)(), &by, (around.now)());
                match pushed {
                    Err(DocketError::Taken { .. }) if draws < limits::DRAWS_MAX => draws += 1,
                    // It is asked; its file follows.
                    Err(error) => return error.recorded().map(|kept| Pushed { kept, again: false }),
                    Ok(pushed) => return Ok(pushed),
                }
            }
        })
        .await
    }
}
