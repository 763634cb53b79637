//! A petition that comes in: what it leaves out is filled in, every fault is named, and it is on the disk before its id is
//! told.

use docket::{DocketError, Pushed};
use mind::Timestamp;
use mind::petition::{By, Draft, PetitionId};
use rmcp::RoleServer;
use rmcp::model::JsonObject;
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::{Mcp, request, told, wait};
use crate::limits;

/// The signs of an id. None of them is easily taken for another.
const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// How many of them are letters: an id begins with one, so that nobody takes it for a number.
const LETTERS: u64 = 23;
const ID_SIGNS: usize = 8;

impl Mcp {
    /// Asks, and waits for the answers if that was wanted.
    pub(super) async fn push(
        &self,
        mut sent: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, Value> {
        let client = wait::client(context);
        let fill = |sent: &mut JsonObject, name: &str, value: Option<&str>| {
            let given = sent.get(name).is_some_and(|given| !given.is_null() && given.as_str() != Some(""));
            if let (false, Some(value)) = (given, value) {
                sent.insert(name.to_owned(), json!(value));
            }
        };
        fill(&mut sent, "agent", Some(self.around.agent.as_deref().unwrap_or(&client)));
        fill(&mut sent, "session", self.around.session.as_deref());

        let now = self.now();
        let seconds = request::wait_seconds(&sent);
        let draft = Draft::read(&Value::Object(sent), &|text| moment(text, now));
        let (draft, seconds) = match (draft, seconds) {
            (Ok(draft), Ok(seconds)) => (draft, seconds),
            (draft, seconds) => {
                let mut faults = draft.err().unwrap_or_default();
                faults.extend(seconds.err().map(str::to_owned));
                return Err(told::faults(&faults));
            }
        };
        let pushed = self.keep(draft).await.map_err(|error| told::trouble(&error))?;
        let petition = &pushed.kept.petition;
        let mut answer =
            mind::petition::tell::pushed(petition, Some(&pushed.kept.file.to_string_lossy()), pushed.again);
        // Without a word about waiting a push comes back at once.
        let Some(seconds) = seconds.filter(|seconds| *seconds > 0) else { return Ok(answer) };
        let seen = self.wait(&[petition.id.to_string()], Some(seconds), context).await?;
        if let (Some(answer), Value::Object(waited)) = (answer.as_object_mut(), told::one(&seen)) {
            answer.extend(waited);
        }
        Ok(answer)
    }

    /// Puts it into the docket, under an id that nobody has.
    async fn keep(&self, draft: Draft) -> Result<Pushed, DocketError> {
        let (docket, around) = (self.docket.clone(), std::sync::Arc::clone(&self.around));
        wait::blocking(move || {
            let by = By::Agent(draft.agent.clone());
            let mut draws = 1;
            loop {
                let pushed = docket.push(&draft, draw((around.dice)()), &by, (around.now)());
                match pushed {
                    Err(DocketError::Taken { .. }) if draws < limits::DRAWS_MAX => draws += 1,
                    pushed => return pushed,
                }
            }
        })
        .await
    }
}

/// A new petition's id.
fn draw(dice: u64) -> PetitionId {
    let mut left = dice;
    let mut id = String::with_capacity(ID_SIGNS);
    for at in 0..ID_SIGNS {
        let count = if at == 0 { LETTERS } else { SIGNS.len() as u64 };
        id.push(char::from(SIGNS[(left % count) as usize]));
        left /= count;
    }
    PetitionId::from(id.as_str())
}

/// A moment, or a span from now.
fn moment(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<jiff::Timestamp>() {
        return u64::try_from(at.as_millisecond()).ok().map(Timestamp);
    }
    let span: jiff::SignedDuration = text.parse().ok()?;
    let span = u64::try_from(span.as_millis()).ok().filter(|span| *span > 0)?;
    now.0.checked_add(span).filter(|at| *at <= LAST.0).map(Timestamp)
}

/// The end of the year 9999: later moments cannot be written.
const LAST: Timestamp = Timestamp(253_402_300_799_000);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_eight_signs_and_begins_with_a_letter() {
        for dice in [0, 1, 22, 23, 9_999_999_999, u64::MAX] {
            let id = draw(dice).to_string();
            assert_eq!(id.len(), 8, "{id}");
            assert!(id.as_bytes()[0].is_ascii_lowercase(), "{id}");
        }
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_deadline_is_a_moment_or_a_span() {
        let now = Timestamp(1_000_000);
        assert_eq!(moment("30m", now), Some(Timestamp(1_000_000 + 30 * 60_000)));
        assert_eq!(moment("1h 30m", now), Some(Timestamp(1_000_000 + 90 * 60_000)));
        assert_eq!(moment("1970-01-01T00:00:01Z", now), Some(Timestamp(1_000)));
        for nonsense in ["", "soon", "-5m", "0s", "1900-01-01T00:00:00Z", "99999999999h", "30"] {
            assert_eq!(moment(nonsense, now), None, "{nonsense}");
        }
    }
}
