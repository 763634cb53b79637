//! `decide replay`: every decision of a mission made again, and where it comes out differently.

use std::collections::BTreeMap;

use mind::MissionId;
use mind::conductor::replay::{Again, Difference, redecide};
use mind::conductor::{Call, Decision, Source};
use serde_json::json;

use crate::commands::cli::RedecideArgs;
use crate::complaint::{Code, Complaint};
use crate::mission::refusal;
use crate::terminal::console;

use super::walk::walk;
use super::{Desk, not_conducted, policy};

/// How many decisions somebody made, and how many of them come out differently.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
struct Count {
    decisions: u32,
    differ: u32,
}

/// Decides again.
pub fn replay(desk: &Desk, args: &RedecideArgs) -> Result<Code, Complaint> {
    let (id, places) = desk.named(&args.mission)?;
    let policy = args.policy.as_deref().map(policy::read).transpose()?;
    let mut counts: BTreeMap<Source, Count> = BTreeMap::new();
    let mut differences = Vec::new();
    let state = walk(&desk.port(&places)?, |made| {
        let again = redecide(made.before, made.record, policy.as_ref(), made.at);
        let difference = Difference::between(made.record, again);
        let count = counts.entry(made.record.source).or_default();
        count.decisions += 1;
        count.differ += u32::from(difference.is_some());
        differences.extend(difference);
    })
    .map_err(|error| refusal::refuse(&error, &places.folder))?;
    if let Some(complaint) = not_conducted(&id, &state) {
        return Err(complaint);
    }
    let unknown = policy.iter().zip(&state.podium).flat_map(|(policy, podium)| policy.unknown(podium));
    let unknown: Vec<String> = unknown.collect();
    if !unknown.is_empty() {
        let why = format!("the policy names agents that mission {id} does not have: {}", unknown.join(", "));
        let agents = state.podium.iter().flat_map(|podium| podium.agents.iter());
        let names: Vec<&str> = agents.map(|agent| agent.name.as_ref()).collect();
        return Err(Complaint::new(Code::Usage, why).hint(format!("it has {}", names.join(", "))));
    }
    if args.json {
        console::line(json!({"mission": id, "bySource": counts, "differences": differences}));
    } else {
        print(&id, &counts, &differences);
    }
    Ok(if differences.is_empty() { Code::Done } else { Code::Failed })
}

fn print(id: &MissionId, counts: &BTreeMap<Source, Count>, differences: &[Difference]) {
    for difference in differences {
        let when = match difference.call {
            Call::Select => "selection before",
            Call::Evaluate => "evaluation after",
        };
        console::line(format!("decision {}, {when} iteration {}", difference.number, difference.iteration));
        console::line(format!("  then: {}", told(&difference.before)));
        console::line(format!("  now:  {}", told(&difference.after)));
    }
    let sum = |count: fn(&Count) -> u32| counts.values().map(count).sum::<u32>();
    let (decisions, differ) = (sum(|count| count.decisions), sum(|count| count.differ));
    let noun = if decisions == 1 { "decision" } else { "decisions" };
    console::line(format!("{id}: {decisions} {noun}, {differ} differ"));
    for (source, count) in counts {
        console::line(format!("  {:<9} {:>4}, {} differ", source.to_string(), count.decisions, count.differ));
    }
}

/// A decision in one line.
fn told(again: &Again) -> String {
    let agent = if let Decision::SelectMode { mode, .. } = &again.decision {
        format!(" {mode}")
    } else {
        String::new()
    };
    let cause = again.cause.as_ref().map(|cause| format!(" ({cause})")).unwrap_or_default();
    let words = again.decision.words().lines().next().unwrap_or_default().to_owned();
    console::printable(&format!("{}{agent} by {}{cause}: {words}", again.decision.kind(), again.source))
}
