//! `demo`: the built-in rehearsals, played in a scratch repository; no account, no agent needed.

use std::collections::BTreeMap;

use mind::charter::{Charter, Consent, Patience, Warnings, WhenAway};
use mind::policy::Policy;
use providers::api::ApiOptions;
use providers::claude::Routing;
use providers::rehearsal;

use crate::commands::cli::{DemoArgs, Way};
use crate::complaint::{Code, Complaint};
use crate::mission::ground::Ground;
use crate::mission::hold::{self, Terms};
use crate::mission::opening::{self, NewMission};
use crate::mission::stage::Means;
use crate::project::config::CHECK_LIMIT_DEFAULT;
use crate::{clock, terminal};

use super::conducting::Parts;
use super::{Desk, conducting, run};

/// Plays the built-in rehearsal in a scratch repository.
pub fn demo(desk: &Desk, args: &DemoArgs) -> Result<Code, Complaint> {
    let text = match args.way {
        Way::Council => rehearsal::DEMO,
        Way::Conductor => rehearsal::DEMO_CONDUCTED,
    };
    let script = rehearsal::Script::parse(text).map_err(|error| run::bad_script(&error))?;
    let Parts { agents, notes, conducting } = conducting::rehearsed(args.way)?;
    let id = run::new_id();
    let runtime = run::runtime()?;
    let typing = !args.headless && terminal::is_there();
    if let Some(theme) = run::audience(desk, args.json, typing).theme {
        run::raise(&runtime, theme, desk.manners().manner);
    }
    let charter = Charter {
        away: WhenAway::Refuse,
        mission: id.clone(),
        seed: host::dice(),
        scroll: run::scripted(&script),
        consent: Consent::Ask,
        checks: script.checks,
        check_limit_ms: CHECK_LIMIT_DEFAULT.as_millis() as u64,
        seats: run::seats("rehearsal", None, None),
        providers: run::capabilities(Routing::default(), true, false),
        warnings: Warnings::default(),
        patience: Patience::default(),
        prompts: BTreeMap::new(),
        rules: None,
        policy: Policy::default(),
        agents,
        notes,
        conducting,
    };
    let audience = run::audience(desk, args.json, typing);
    run::greet(&charter, audience);
    let source = desk.places.scratch_of(&id);
    let files: Vec<(&str, &str)> =
        script.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let journals = desk.journals_to_write()?;
    let base = runtime.block_on(workspace::scratch(&source, &files))?;
    let ground = Ground {
        project: desk.here.clone(),
        source,
        base: base.commit,
        clone: desk.places.clone_of(&id),
        scratch: true,
        snapshot: false,
        in_place: false,
        pace: args.pace,
    };
    let new = NewMission { charter, ground, script: Some(text.to_owned()) };
    let hold = hold::settle(Terms::default(), false, &desk.places, &id, &new.ground)?;
    let folder = opening::open(new, &journals, &desk.registry(), clock::now())?;
    let (docket, away_after) = run::docket_of(desk, None);
    let store = desk.places.rehearsal();
    run::perform(
        runtime,
        folder,
        Means {
            journals,
            store,
            claude: None,
            api: ApiOptions::default(),
            hold,
            docket,
            away_after,
            conducting: Default::default(),
            sound: desk.sound(),
        },
        audience,
    )
}
