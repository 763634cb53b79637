//! Checks all agents together: unique names and duties, existing targets of transitions, and no circle without an exit.

use std::collections::{HashMap, HashSet};

use mind::conductor::agent::{AgentDuty, TransitionTarget};
use view::near::nearest;

use super::read::{AgentDraft, Lead};
use super::schema;
use crate::project::config::{ConfigError, ConfigPlace, shown};

/// The agent that works first, and the file and line that say so.
type First<'a> = (&'a str, Option<&'a ConfigPlace>);

/// Of several agents with one name in one layer (from `before` on) the first stays, and the others are faults.
pub(super) fn unique(drafts: &mut Vec<AgentDraft>, before: usize, faults: &mut Vec<ConfigError>) {
    let mut kept: Vec<AgentDraft> = Vec::new();
    for draft in drafts.split_off(before) {
        if let Some(earlier) = kept.iter().find(|earlier| earlier.agent.name == draft.agent.name) {
            let (file, line) = (earlier.name.file.display(), earlier.name.line);
            let problem = format!("{} is already an agent of {file}:{line}", shown(&draft.agent.name));
            fault(&draft.name, "name", problem, "keep one of them, or rename one".to_owned(), faults);
        } else {
            kept.push(draft);
        }
    }
    drafts.extend(kept);
}

/// Every fault of the agents that count. `lost` are names that agents in unreadable files may have.
pub(super) fn validate(
    drafts: &[&AgentDraft],
    lost: &HashSet<String>,
    first: First<'_>,
    faults: &mut Vec<ConfigError>,
) {
    names(drafts, faults);
    parts(drafts, faults);
    for draft in drafts {
        for lead in &draft.leads {
            leads_somewhere(drafts, lost, lead, faults);
        }
    }
    circles(drafts, faults);
    default(drafts, lost, first, faults);
}

fn fault(place: &ConfigPlace, key: &str, problem: String, hint: String, faults: &mut Vec<ConfigError>) {
    let (place, key, hint) = (place.clone(), key.to_owned(), Some(hint));
    faults.push(ConfigError::BadValue { place, key, problem, hint });
}

fn find<'d>(drafts: &[&'d AgentDraft], name: &str) -> Option<&'d AgentDraft> {
    drafts.iter().copied().find(|draft| draft.agent.name.as_ref() == name)
}

/// Refuses names that differ by case alone: models do not always keep the case.
fn names(drafts: &[&AgentDraft], faults: &mut Vec<ConfigError>) {
    for (index, draft) in drafts.iter().enumerate() {
        let same = |other: &&&AgentDraft| other.agent.name.eq_ignore_ascii_case(&draft.agent.name);
        if let Some(earlier) = drafts[..index].iter().find(same) {
            let problem = format!(
                "{} and {} differ by case alone",
                shown(&draft.agent.name),
                shown(&earlier.agent.name)
            );
            let hint = format!("write `name: {}` to replace it, or take another name", earlier.agent.name);
            fault(&draft.name, "name", problem, hint, faults);
        }
    }
}

fn parts(drafts: &[&AgentDraft], faults: &mut Vec<ConfigError>) {
    for (index, draft) in drafts.iter().enumerate() {
        let (Some(part), Some(place)) = (draft.agent.part, &draft.part) else { continue };
        if let Some(earlier) = drafts[..index].iter().find(|earlier| earlier.agent.part == Some(part)) {
            let part = match part {
                AgentDuty::Planner => "planner",
                AgentDuty::Keeper => "keeper",
                AgentDuty::Verifier => "verifier",
            };
            let problem =
                format!("{} is the {part} already ({})", shown(&earlier.agent.name), earlier.origin);
            let hint = format!("there is one of each part: `name: {}` replaces it", earlier.agent.name);
            fault(place, "part", problem, hint, faults);
        }
    }
}

fn leads_somewhere(
    drafts: &[&AgentDraft],
    lost: &HashSet<String>,
    lead: &Lead,
    faults: &mut Vec<ConfigError>,
) {
    let TransitionTarget::Agent(name) = &lead.target else { return };
    match find(drafts, name) {
        Some(draft) if draft.agent.internal => {
            let problem = format!("{} is internal", shown(name));
            let hint =
                "the program calls it by itself: lead to another agent, complete or arbiter".to_owned();
            fault(&lead.place, &lead.key, problem, hint, faults);
        }
        Some(_) => {}
        None if lost.contains(name.as_ref()) => {}
        None => {
            let words =
                drafts.iter().filter(|draft| !draft.agent.internal).map(|draft| draft.agent.name.as_ref());
            let known: Vec<&str> = words.chain(["complete", "arbiter"]).collect();
            let hint = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean {}?", shown(meant)),
                None => format!("known: {}", known.join(", ")),
            };
            fault(&lead.place, &lead.key, format!("there is no agent {}", shown(name)), hint, faults);
        }
    }
}

/// Where a good run of an agent can lead.
fn ways(draft: &AgentDraft) -> Vec<&TransitionTarget> {
    let agent = &draft.agent;
    let custom = &agent.transitions.custom;
    let verdicts = agent.response.as_deref().and_then(schema::verdicts).unwrap_or_default();
    let says_more = |verdict: &String| custom.iter().all(|custom| custom.when.as_ref() != verdict.as_str());
    let mut ways: Vec<&TransitionTarget> = custom.iter().map(|custom| &custom.target).collect();
    if verdicts.is_empty() || verdicts.iter().any(says_more) {
        ways.push(&agent.transitions.on_success);
    }
    if agent.limits.max_iterations.is_some() {
        ways.push(&agent.transitions.on_max_iterations);
    }
    ways
}

/// Finds agents that lead only to each other: such a mission would neither ask a person nor end.
fn circles(drafts: &[&AgentDraft], faults: &mut Vec<ConfigError>) {
    let ways: HashMap<&str, Vec<&TransitionTarget>> =
        drafts.iter().map(|draft| (draft.agent.name.as_ref(), ways(draft))).collect();
    let mut free: HashSet<&str> = HashSet::new();
    let is_free = |free: &HashSet<&str>, target: &TransitionTarget| match target {
        TransitionTarget::Complete | TransitionTarget::Arbiter => true,
        // A missing agent is a fault of its own.
        TransitionTarget::Agent(name) => free.contains(name.as_ref()) || !ways.contains_key(name.as_ref()),
    };
    loop {
        let more: Vec<&str> = ways
            .iter()
            .filter(|(name, ways)| !free.contains(*name) && ways.iter().any(|way| is_free(&free, way)))
            .map(|(name, _)| *name)
            .collect();
        if more.is_empty() {
            break;
        }
        free.extend(more);
    }
    let mut told: HashSet<&str> = HashSet::new();
    for draft in drafts.iter().filter(|draft| !free.contains(draft.agent.name.as_ref())) {
        // None of them has an exit, so following the first transition of each comes back to the start.
        let mut path: Vec<&str> = Vec::new();
        let mut at = draft.agent.name.as_ref();
        while !path.contains(&at) && !told.contains(at) {
            path.push(at);
            let next = ways.get(at).and_then(|ways| ways.first());
            let Some(TransitionTarget::Agent(name)) = next else { break };
            at = name.as_ref();
        }
        let Some(start) = path.iter().position(|name| *name == at) else {
            told.extend(path);
            continue;
        };
        let circle = &path[start..];
        let place = find(drafts, at).map(|draft| draft.leads.first().map_or(&draft.name, |lead| &lead.place));
        if let Some(place) = place {
            let problem = format!("there is no way out of {} -> {at}", circle.join(" -> "));
            let hint = "let one of them lead to complete or arbiter, or give one `limits.maxIterations`";
            fault(place, "transitions", problem, hint.to_owned(), faults);
        }
        told.extend(path);
    }
}

fn default(
    drafts: &[&AgentDraft],
    lost: &HashSet<String>,
    (name, place): First<'_>,
    faults: &mut Vec<ConfigError>,
) {
    let found = find(drafts, name);
    if found.is_some_and(|draft| !draft.agent.internal) || lost.contains(name) {
        return;
    }
    let Some(place) = place.or(found.map(|draft| &draft.name)) else { return };
    let words = drafts.iter().filter(|draft| !draft.agent.internal).map(|draft| draft.agent.name.as_ref());
    let known: Vec<&str> = words.collect();
    let (problem, hint) = match (found, nearest(name, known.iter().copied())) {
        (Some(_), _) => (
            format!("{} works first, and is internal", shown(name)),
            format!("take one of: {}", known.join(", ")),
        ),
        (None, Some(meant)) => {
            (format!("there is no agent {}", shown(name)), format!("did you mean {}?", shown(meant)))
        }
        (None, None) => {
            (format!("there is no agent {}", shown(name)), format!("known agents: {}", known.join(", ")))
        }
    };
    fault(place, "agents.default", problem, hint, faults);
}
