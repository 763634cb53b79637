//! The charter of a play: small defaults, and the words of an `open` line that change them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::charter::{
    Capabilities, Charter, Consent, Patience, ProviderChoice, Requirements, RoleProviders, WarningPolicy,
    Warnings, WhenAway,
};
use crate::id::MissionId;
use crate::mission_limits::Limits;
use crate::policy::Policy;

use super::line::{number, span_ms};

/// The charter that an `open` line tells of.
pub fn charter(line: &str) -> Charter {
    let mut charter = plain();
    let mut words = quoted_words(line).into_iter().skip(1).peekable();
    let said = |words: &mut dyn Iterator<Item = Word>, what: &str| match words.next() {
        Some(Word::Bare(text) | Word::Quoted(text)) => text,
        None => panic!("{what} is missing in {line:?}"),
    };
    while let Some(word) = words.next() {
        let Word::Bare(word) = word else { panic!("what is {word:?} in {line:?}?") };
        match word.as_str() {
            "policy" => charter.consent = Consent::Policy(said(&mut words, "the policy's name")),
            "checks" => {
                while let Some(Word::Quoted(check)) = words.next_if(|word| matches!(word, Word::Quoted(_))) {
                    charter.checks.push(check.split_whitespace().map(str::to_owned).collect());
                }
            }
            "docket" => charter.away = WhenAway::Petition,
            "no-steer" => charter.providers = providers(false),
            "by-tools" => charter.providers.values_mut().for_each(|can| can.typed = false),
            "warn" => {
                let first = number(&said(&mut words, "the first warning"));
                let last = number(&said(&mut words, "the last warning"));
                charter.warnings = Warnings { first, last, ..charter.warnings };
            }
            "warnings" => {
                charter.warnings.policy = match said(&mut words, "the policy").as_str() {
                    "silent" => WarningPolicy::Silent,
                    "off" => WarningPolicy::Off,
                    _ => WarningPolicy::Warn,
                };
            }
            "agents" => charter.agents = super::conductor::agents(),
            "limited" => {
                let (name, what) = (said(&mut words, "the agent"), said(&mut words, "the limit"));
                let most: u32 = said(&mut words, "how much").parse().expect("a number");
                let agent = charter.agents.iter_mut().find(|agent| *agent.name == *name).expect("an agent");
                match what.as_str() {
                    "iterations" => agent.limits.max_iterations = Some(most),
                    "timeout" => agent.limits.timeout_ms = Some(u64::from(most) * 1_000),
                    "tokens" => agent.limits.max_tokens = Some(u64::from(most)),
                    "calls" => agent.limits.max_tool_calls = Some(most),
                    what => panic!("an agent has no limit {what:?}"),
                }
            }
            "note" => {
                let (title, text) = (said(&mut words, "its title"), said(&mut words, "its text"));
                charter.notes.push(super::conductor::note(&title, &text));
            }
            "scroll" => charter.scroll.text = Arc::from(said(&mut words, "the scroll")),
            "rules" => charter.rules = Some(Arc::from(said(&mut words, "the rules"))),
            "prompt" => {
                let file = said(&mut words, "the prompt's file");
                charter.prompts.insert(file, Arc::from(said(&mut words, "the prompt's text")));
            }
            limit if charter.conducting.is_none() && is_limit(limit) => {
                let limits = charter.limits.get_or_insert_default();
                set_limit(limits, limit, &said(&mut words, "the limit"));
            }
            other if super::conductor::open(&mut charter, other, || said(&mut words, "a word")) => {}
            other => panic!("a mission cannot be opened with {other:?}: {line:?}"),
        }
    }
    charter
}

/// The limits that a line tells of.
pub(super) fn limits(line: &str) -> Limits {
    let mut limits = Limits::default();
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    for pair in words.chunks(2) {
        let [limit, value] = pair else { panic!("a limit without a value in {line:?}") };
        assert!(is_limit(limit), "there is no limit {limit:?}: {line:?}");
        set_limit(&mut limits, limit, value);
    }
    limits
}

fn is_limit(word: &str) -> bool {
    matches!(word, "most" | "failures" | "deadline" | "tokens" | "budget")
}

pub(super) fn set_limit(limits: &mut Limits, limit: &str, value: &str) {
    match limit {
        "most" => limits.max_iterations = number(value),
        "failures" => limits.max_failures = number(value),
        "deadline" => limits.deadline_ms = Some(span_ms(value)),
        "tokens" => limits.budget_tokens = Some(number(value)),
        _ => limits.budget_microusd = Some(number(value)),
    }
}

fn plain() -> Charter {
    let seat = ProviderChoice { provider: "rehearsal".to_owned(), model: None };
    Charter {
        policy: Policy::default(),
        away: WhenAway::default(),
        mission: MissionId(Arc::from("m1")),
        seed: 7,
        scroll: Requirements {
            name: "scroll.md".to_owned(),
            path: ".arbiter/scroll.md".to_owned(),
            text: Arc::from("Build the bridge."),
        },
        consent: Consent::Ask,
        checks: Vec::new(),
        check_limit_ms: 60_000,
        seats: RoleProviders { arbiter: seat.clone(), orchestrator: seat.clone(), verifier: seat },
        providers: providers(true),
        warnings: Warnings::default(),
        prompts: BTreeMap::new(),
        rules: None,
        agents: Vec::new(),
        notes: Vec::new(),
        limits: None,
        conducting: None,
        patience: Patience::default(),
    }
}

fn providers(steers: bool) -> BTreeMap<String, Capabilities> {
    let both = [("rehearsal", steers), ("deaf", false)];
    both.into_iter().map(|(name, steers)| (name.to_owned(), Capabilities { steers, typed: true })).collect()
}

#[derive(Debug)]
enum Word {
    Bare(String),
    Quoted(String),
}

/// Words between blanks; between quotes, blanks belong to the word and `\n` is a new line.
fn quoted_words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            1 => words.push(Word::Quoted(part.replace("\\n", "\n"))),
            _ => words.extend(part.split_whitespace().map(|word| Word::Bare(word.to_owned()))),
        }
    }
    words
}
