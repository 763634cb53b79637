//! Deep links: `https://t.me/BOT?start=plan_abc123` opens a petition. Telegram passes on 64 plain signs.

use mind::petition::PetitionId;

use super::{DIGEST_SIGNS, PetitionRef, is_plain};
use crate::limits::START_SIGNS_MAX;

const WITH_ID: &str = "plan_";
const WITH_DIGEST: &str = "ref_";

/// What follows `?start=` for this petition: `plan_<id>`, or a short reference where the id does not fit.
#[must_use]
pub fn start_payload(id: &PetitionId) -> String {
    if is_plain(&id.0) && WITH_ID.len() + id.0.len() <= START_SIGNS_MAX {
        return format!("{WITH_ID}{id}");
    }
    match PetitionRef::digest_of(id) {
        PetitionRef::Digest(digest) => format!("{WITH_DIGEST}{digest}"),
        PetitionRef::Id(id) => format!("{WITH_ID}{id}"),
    }
}

/// The petition of a deep link.
#[must_use]
pub fn read_start_payload(payload: &str) -> Option<PetitionRef> {
    if payload.len() > START_SIGNS_MAX || !is_plain(payload) {
        return None;
    }
    if let Some(id) = payload.strip_prefix(WITH_ID).filter(|id| !id.is_empty()) {
        return Some(PetitionRef::Id(PetitionId::from(id)));
    }
    let digest = payload.strip_prefix(WITH_DIGEST).filter(|digest| digest.len() == DIGEST_SIGNS)?;
    Some(PetitionRef::Digest(digest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_link_names_its_petition() {
        assert_eq!(start_payload(&PetitionId::from("abc123")), "plan_abc123");
        assert_eq!(read_start_payload("plan_abc123"), Some(PetitionRef::Id(PetitionId::from("abc123"))));
        for payload in ["", "plan_", "ref_short", "mission_abc", "plan_a b", "plan_a:b", &"plan_x".repeat(20)]
        {
            assert_eq!(read_start_payload(payload), None, "{payload}");
        }
    }

    proptest! {
        #[test]
        fn any_id_has_a_link_that_leads_back(id in prop_oneof!["[A-Za-z0-9_-]{1,80}", "\\PC{0,200}"]) {
            let id = PetitionId::from(id.as_str());
            let payload = start_payload(&id);
            prop_assert!(payload.len() <= START_SIGNS_MAX && is_plain(&payload), "{payload}");
            prop_assert!(read_start_payload(&payload).is_some_and(|found| found.names(&id)));
        }
    }
}
