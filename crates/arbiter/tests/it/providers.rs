//! Providers by their rows: one that only tests have runs a whole mission, and a name that no row has is a clear error,
//! typed, configured or written in a journal.

use arbiter::mission::sandbox_choice::has_real_agents;
use mind::Fact;
use mind::fact::MissionFact;

use crate::mission;

/// Nothing in the program names this provider: it is a folder, and a row of the registry.
#[test]
fn a_scripted_provider_joins_with_one_folder_and_one_row() {
    let theatre = mission::repository().with_config("checks: [[test, -f, work.txt]]\n");
    let ran = theatre.run(&["run", "--provider", "scripted", "--headless", "--yes", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let id = mission::newest(&theatre);
    let shown = theatre.run(&["show", &id, "--json"]);
    assert!(shown.out.contains("\"scripted\""), "{}", shown.out);
    assert!(theatre.run(&["merge", &id]).code == Some(0) && theatre.project().join("work.txt").exists());
}

#[test]
fn a_name_that_no_provider_has_is_refused_where_it_is_said() {
    let theatre = mission::repository();
    let typed = theatre.run(&["run", "--provider", "codex", "--headless", "--yes", "plan.md"]);
    mission::assert_refused(&typed, 2, &["there is no provider \"codex\"", "claude"]);
    let theatre = mission::repository().with_config("provider: { default: codex }\n");
    let configured = theatre.run(&["run", "--headless", "--yes", "plan.md"]);
    mission::assert_refused(&configured, 2, &["codex"]);
}

#[test]
fn a_journal_that_names_an_unknown_provider_is_left_as_it_is() {
    let theatre = mission::repository();
    let id = mission::run_unfinished(&theatre, mission::WORK);
    let folder = theatre.project().join(".arbiter/missions").join(&id);
    let before = rewrite(&theatre, &folder);
    let ran = theatre.run(&["resume", &id, "--headless", "--yes"]);
    mission::assert_refused(&ran, 5, &["there is no provider `codex`", "nothing was changed"]);
    assert_eq!(std::fs::read(folder.join("journal.jsonl")).expect("the journal"), before);
}

/// Writes the journal anew as a version that knows more providers would have: the Arbiter is one of theirs.
fn rewrite(theatre: &sim::Theatre, folder: &std::path::Path) -> Vec<u8> {
    theatre.rewrite_mission(folder, |entry| {
        if let Fact::Mission(MissionFact::Opened(charter)) = &mut entry.fact {
            charter.seats.arbiter.provider = "codex".to_owned();
        }
    });
    std::fs::read(folder.join("journal.jsonl")).expect("the journal")
}

/// Where no sandbox holds, such a mission is refused: by its seats, its agents, and the model that decides.
#[test]
fn a_mission_is_of_real_agents_wherever_one_is_named() {
    assert!(!has_real_agents(&sim::charter("m1", "rehearsal")));
    assert!(has_real_agents(&sim::charter("m1", "claude")));

    let mut agent = mind::play::conductor::agent("developer");
    agent.provider.name = Some("claude".into());
    let mut charter = sim::charter("m1", "rehearsal");
    charter.agents = vec![agent];
    assert!(has_real_agents(&charter));

    let mut charter = sim::charter("m1", "rehearsal");
    let mut conducting = mind::play::conductor::conducting();
    charter.conducting = Some(Box::new(conducting.clone()));
    assert!(!has_real_agents(&charter));
    conducting.decider.as_mut().expect("a model decides").provider = "claude".into();
    charter.conducting = Some(Box::new(conducting));
    assert!(has_real_agents(&charter));
}
