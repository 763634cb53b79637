//! Budgets of conducted missions: counted inside a run, with the oldest and the newest Claude Code.

use mind::mission_limits::LimitKind;
use sim::real_stage::{RealStage, bash};

use super::{ALONE, CONFIG, agent, begin};
use crate::limits::{ENDLESS, REQUEST, reached, usage};

#[test]
fn a_token_budget_stops_an_endless_run() {
    for version in [sim::claude::oldest(), sim::claude::newest()] {
        let work = bash("true").usage(usage(REQUEST)).times(ENDLESS);
        let config = format!("{CONFIG}{ALONE}limits: {{ budgetTokens: 20000 }}\n");
        let voices = [agent("developer", [work])];
        let model = "claude-opus-4-8";
        let Some(stage) = RealStage::set_in_version(version, crate::BINARY, model, &config, voices) else {
            return;
        };
        let told = begin(&stage).ends(3);
        assert_eq!(reached(&stage), [LimitKind::Tokens], "{version}: {}", stage.story());
        let requests = stage.requests_of("developer").len();
        assert!(requests <= 8, "{version}: {requests} requests: {}", stage.story());
        assert!(told.contains("limits.budgetTokens") && told.contains("arbiter resume"), "{version}: {told}");
    }
}
