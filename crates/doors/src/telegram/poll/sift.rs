//! Which of the updates that came are new. A server can repeat itself; and it can begin to number anew, after a week of
//! silence or because it is another server: then it answers an offset that it does not know from the beginning of what it
//! has, and a bot that goes on asking with the old offset gets the same updates for ever.

use crate::limits::UPDATES_REPEATED_MAX;
use crate::telegram::fact::DoorFact;
use crate::telegram::wire::TakenUpdate;

/// What is new in an answer, in order, and the facts that say so.
#[derive(Debug, Default)]
pub(super) struct Sifted {
    pub fresh: Vec<TakenUpdate>,
    pub facts: Vec<DoorFact>,
    /// Something came, and nothing of it was new.
    pub is_stale: bool,
}

/// Sifts what came when the server was asked for updates from number `next` on.
pub(super) fn sift(mut came: Vec<TakenUpdate>, next: i64) -> Sifted {
    let mut sifted = Sifted::default();
    came.sort_by_key(|taken| taken.update);
    came.dedup_by_key(|taken| taken.update);
    let (Some(first), Some(last)) = (came.first(), came.last()) else { return sifted };
    let is_numbered_anew = last.update.saturating_add(UPDATES_REPEATED_MAX) < next;
    if is_numbered_anew {
        sifted.facts.push(DoorFact::NextUpdate { update: first.update });
    } else {
        came.retain(|taken| taken.update >= next);
    }
    sifted.is_stale = came.is_empty();
    sifted.facts.extend(came.iter().map(|taken| {
        let TakenUpdate { update, at, raw } = taken.clone();
        DoorFact::Took { update, at, raw }
    }));
    sifted.fresh = came;
    sifted
}

#[cfg(test)]
mod tests {
    use mind::Timestamp;
    use serde_json::value::RawValue;

    use super::*;
    use crate::telegram::fact::DoorState;

    fn sifts(came: &[i64], next: i64) -> (Vec<i64>, i64) {
        let raw = || RawValue::from_string("{}".to_owned()).unwrap();
        let came = came.iter().map(|update| TakenUpdate { update: *update, at: Timestamp(0), raw: raw() });
        let sifted = sift(came.collect(), next);
        let mut state = DoorState { next_update: next, ..DoorState::default() };
        sifted.facts.iter().for_each(|fact| state.apply(fact));
        let fresh: Vec<_> = sifted.fresh.iter().map(|taken| taken.update).collect();
        let waiting: Vec<_> = state.waiting.iter().map(|waiting| waiting.update).collect();
        assert_eq!(fresh, waiting, "what goes to the desk is what is remembered");
        assert_eq!(sifted.is_stale, fresh.is_empty());
        (fresh, state.next_update)
    }

    #[test]
    fn what_is_new_is_taken_in_order_and_once() {
        assert_eq!(sifts(&[7, 9, 8], 7), (vec![7, 8, 9], 10));
        assert_eq!(sifts(&[7, 7, 8], 0), (vec![7, 8], 9));
        // Repeated.
        assert_eq!(sifts(&[5, 6, 7], 7), (vec![7], 8));
        assert_eq!(sifts(&[5, 6], 7), (vec![], 7));
        assert_eq!(sifts(&[6_001, 6_999], 7_000), (vec![], 7_000));
    }

    #[test]
    fn a_server_that_numbers_anew_is_followed() {
        assert_eq!(
            sifts(&[592_426_180, 592_426_181], 760_546_623),
            (vec![592_426_180, 592_426_181], 592_426_182)
        );
        assert_eq!(sifts(&[900_000_000], 7), (vec![900_000_000], 900_000_001));
    }
}
