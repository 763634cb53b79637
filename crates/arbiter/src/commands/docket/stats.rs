//! How long answers take. Pure: petitions and a time in, numbers out. Only what people answered counts as an answer; a
//! policy has a row among the doors and no other.

use std::collections::BTreeMap;

use mind::Timestamp;
use mind::petition::Priority;
use serde_json::{Value, json};

/// How many of those that waited longest are told.
const LONGEST_MAX: usize = 5;

/// One petition, as far as it counts.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) agent: String,
    pub(super) tag: String,
    pub(super) priority: Priority,
    pub(super) asked_at: Timestamp,
    /// When it was closed, however it ended.
    pub(super) closed_at: Option<Timestamp>,
    /// A mission or something else waits for it.
    pub(super) blocks: bool,
    /// The first answer to each decision: when, through which door.
    pub(super) answers: Vec<(Timestamp, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Stats {
    pub(super) open: usize,
    pub(super) closed: usize,
    /// Decisions that a person answered or skipped.
    pub(super) answered: usize,
    pub(super) all: Option<Times>,
    pub(super) by_agent: BTreeMap<String, Times>,
    pub(super) by_tag: BTreeMap<String, Times>,
    pub(super) by_priority: BTreeMap<&'static str, Times>,
    pub(super) by_door: BTreeMap<String, Times>,
    /// What waited longest: id, title, how long, and whether it still waits.
    pub(super) longest: Vec<(String, String, u64, bool)>,
    /// How long agents were held up, all together.
    pub(super) idle_ms: u64,
}

/// How long answers took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) count: usize,
    pub(super) median_ms: u64,
    pub(super) p90_ms: u64,
}

/// Counts what was asked and answered until now.
pub(super) fn count(cases: &[Case], now: Timestamp) -> Stats {
    let mut stats = Stats::default();
    let mut all = Vec::new();
    let (mut agents, mut tags, mut priorities, mut doors) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut waited = Vec::new();
    for case in cases {
        let until = case.closed_at.unwrap_or(now);
        let span = until.0.saturating_sub(case.asked_at.0);
        match case.closed_at {
            Some(_) => stats.closed += 1,
            None => stats.open += 1,
        }
        if case.blocks {
            stats.idle_ms = stats.idle_ms.saturating_add(span);
        }
        waited.push((case.id.clone(), case.title.clone(), span, case.closed_at.is_none()));
        for (at, door) in &case.answers {
            let took = at.0.saturating_sub(case.asked_at.0);
            put(&mut doors, door.clone(), took);
            if door == "policy" {
                continue;
            }
            all.push(took);
            put(&mut agents, case.agent.clone(), took);
            put(&mut tags, case.tag.clone(), took);
            put(&mut priorities, case.priority.word(), took);
        }
    }
    stats.answered = all.len();
    stats.all = times(all);
    stats.by_agent = each(agents);
    stats.by_tag = each(tags);
    stats.by_priority = each(priorities);
    stats.by_door = each(doors);
    waited.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    waited.truncate(LONGEST_MAX);
    stats.longest = waited;
    stats
}

fn put<K: Ord>(group: &mut BTreeMap<K, Vec<u64>>, key: K, took: u64) {
    group.entry(key).or_default().push(took);
}

fn each<K: Ord>(group: BTreeMap<K, Vec<u64>>) -> BTreeMap<K, Times> {
    group.into_iter().filter_map(|(key, took)| Some((key, times(took)?))).collect()
}

/// Median and p90 by nearest rank: both are times that an agent really waited.
fn times(mut took: Vec<u64>) -> Option<Times> {
    took.sort_unstable();
    let rank = |percent: usize| took.get((took.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(Times { count: took.len(), median_ms: rank(50)?, p90_ms: rank(90)? })
}

impl Stats {
    pub(super) fn as_json(&self) -> Value {
        let times = |times: &Times| json!({"answers": times.count, "medianMs": times.median_ms, "p90Ms": times.p90_ms});
        fn group<K: ToString>(group: &BTreeMap<K, Times>, tell: impl Fn(&Times) -> Value) -> Value {
            Value::Object(group.iter().map(|(key, times)| (key.to_string(), tell(times))).collect())
        }
        let longest = self
            .longest
            .iter()
            .map(|(id, title, ms, open)| json!({"id": id, "title": title, "waitedMs": ms, "open": open}));
        json!({
            "open": self.open,
            "closed": self.closed,
            "answered": self.answered,
            "all": self.all.as_ref().map(times),
            "byAgent": group(&self.by_agent, times),
            "byTag": group(&self.by_tag, times),
            "byPriority": group(&self.by_priority, times),
            "byDoor": group(&self.by_door, times),
            "longest": longest.collect::<Vec<_>>(),
            "idleMs": self.idle_ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str, agent: &str, asked: u64, answers: &[(u64, &str)], closed: Option<u64>) -> Case {
        Case {
            id: id.to_owned(),
            title: id.to_uppercase(),
            agent: agent.to_owned(),
            tag: "general".to_owned(),
            priority: Priority::Normal,
            asked_at: Timestamp(asked),
            closed_at: closed.map(Timestamp),
            blocks: false,
            answers: answers.iter().map(|(at, door)| (Timestamp(*at), (*door).to_owned())).collect(),
        }
    }

    #[test]
    fn nothing_asked_is_nothing_counted() {
        assert_eq!(count(&[], Timestamp(9)), Stats::default());
    }

    #[test]
    fn median_and_p90_are_times_that_an_agent_waited() {
        let ten: Vec<u64> = (1..=10).map(|minute| minute * 60_000).collect();
        assert_eq!(times(ten), Some(Times { count: 10, median_ms: 300_000, p90_ms: 540_000 }));
        assert_eq!(times(vec![7]), Some(Times { count: 1, median_ms: 7, p90_ms: 7 }));
        assert_eq!(times(vec![9, 1, 5]), Some(Times { count: 3, median_ms: 5, p90_ms: 9 }));
    }

    #[test]
    fn answers_are_counted_by_agent_and_door_from_the_moment_of_asking() {
        let stats = count(
            &[
                case("a", "ceo", 1_000, &[(3_000, "cli"), (5_000, "telegram")], Some(6_000)),
                case("b", "swe", 2_000, &[(2_500, "cli")], None),
            ],
            Timestamp(12_000),
        );
        assert_eq!((stats.open, stats.closed, stats.answered), (1, 1, 3));
        assert_eq!(stats.by_agent["ceo"], Times { count: 2, median_ms: 2_000, p90_ms: 4_000 });
        assert_eq!(stats.by_door["cli"], Times { count: 2, median_ms: 500, p90_ms: 2_000 });
        assert_eq!(stats.longest[0], ("b".to_owned(), "B".to_owned(), 10_000, true));
        assert_eq!(stats.longest[1], ("a".to_owned(), "A".to_owned(), 5_000, false));
    }

    #[test]
    fn a_policy_is_no_person() {
        let stats = count(&[case("a", "ceo", 0, &[(60_000, "policy")], Some(60_000))], Timestamp(0));
        assert_eq!(stats.answered, 0);
        assert!(stats.by_agent.is_empty() && stats.all.is_none());
        assert_eq!(stats.by_door["policy"].count, 1);
    }

    #[test]
    fn only_what_holds_an_agent_up_is_idle_time() {
        let mut waits = case("a", "ceo", 1_000, &[], Some(5_000));
        waits.blocks = true;
        let mut still = case("b", "ceo", 6_000, &[], None);
        still.blocks = true;
        let stats = count(&[waits, still, case("c", "ceo", 0, &[], None)], Timestamp(7_000));
        assert_eq!(stats.idle_ms, 4_000 + 1_000);
    }

    #[test]
    fn a_clock_that_went_back_harms_nothing() {
        let stats = count(&[case("a", "ceo", 9_000, &[(1_000, "cli")], Some(2_000))], Timestamp(0));
        assert_eq!(stats.all, Some(Times { count: 1, median_ms: 0, p90_ms: 0 }));
    }
}
