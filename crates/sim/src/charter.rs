//! The charter of a mission where a test does not care: one provider plays every role, a person is asked for the yes,
//! and nothing is checked.

use std::collections::BTreeMap;

use mind::charter::{
    Capabilities, Charter, Consent, Patience, ProviderChoice, Requirements, RoleProviders, Warnings, WhenAway,
};
use mind::{MissionId, policy::Policy};

/// The charter of `mission`, all of whose sessions are `provider`'s.
pub fn charter(mission: &str, provider: &str) -> Charter {
    let seat = ProviderChoice { provider: provider.to_owned(), model: None };
    Charter {
        agents: Vec::new(),
        notes: Vec::new(),
        limits: None,
        conducting: None,
        away: WhenAway::Refuse,
        policy: Policy::default(),
        patience: Patience::default(),
        mission: MissionId(mission.into()),
        seed: 7,
        scroll: Requirements {
            name: "scroll.md".into(),
            path: ".arbiter/scroll.md".into(),
            text: "Build the bridge.".into(),
        },
        consent: Consent::Ask,
        checks: Vec::new(),
        check_limit_ms: 60_000,
        seats: RoleProviders { arbiter: seat.clone(), orchestrator: seat.clone(), verifier: seat },
        providers: BTreeMap::from([(provider.to_owned(), Capabilities { steers: true, typed: true })]),
        warnings: Warnings::default(),
        prompts: BTreeMap::new(),
        rules: None,
    }
}
