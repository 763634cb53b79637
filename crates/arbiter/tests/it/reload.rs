//! What changes on the disk while a conducted mission runs: agents' files, good and broken ones, and notes that the next
//! mission knows, whichever way it works.

use std::fs;

use mind::Fact;
use mind::conductor::ConductorFact;
use sim::{BridgeScript, GreetingScript, Theatre};

use crate::{BINARY, wait_until};

/// Each run of the developer takes one of these commands.
fn greeting(first: &str, second: &str) -> GreetingScript {
    let run = |does: &str, says: &str| {
        format!("does: [{{run: [sh, -c, '{does}']}}]\nsays: {{outcome: success, summary: {says}}}")
    };
    GreetingScript::new()
        .plans(&["Write", "Read", "Shine"])
        .checks(r#"["true"]"#)
        .runs(
            "developer",
            &[
                &run(first, "Written."),
                &run(second, "Read."),
                "says: {outcome: success, summary: It shines.}",
            ],
        )
        .remembers("{title: Greetings are one word, text: A greeting is hello., tags: [greeting]}")
}

/// Each run of the developer waits in the clone until the test lets it go.
fn waiting() -> GreetingScript {
    let wait = |number: u32| format!("until [ -e go-{number} ]; do sleep 0.05; done");
    greeting(&wait(1), &(wait(2) + "; rm go-1 go-2"))
}

const CONDUCTED: [&str; 3] = ["--headless", "--way", "conductor"];

struct World {
    theatre: Theatre,
}

impl World {
    fn new() -> World {
        let theatre = Theatre::rehearsing(BINARY, waiting())
            .with_idle_agent()
            .with_config("docket: { headless: refuse }\n");
        fs::create_dir_all(theatre.path().join("home/.config/arbiter/agents")).expect("a folder");
        World { theatre }
    }

    fn agent(&self, text: &str) {
        let file = self.theatre.path().join("home/.config/arbiter/agents/developer.md");
        fs::write(file, text).expect("a file can be written");
    }

    /// Waits until the developer's session of this run is at work, and its clone stands.
    fn wait_for_run(&self, number: usize) {
        wait_until("the developer works", || {
            let began = |fact: &&Fact| matches!(fact, Fact::Conductor(ConductorFact::RunBegan { .. }));
            self.theatre.facts().iter().filter(began).count() == number + 1
        });
    }

    fn let_go(&self, number: usize) {
        let clone = self.theatre.clone_of(&self.theatre.mission_id());
        fs::write(clone.join(format!("go-{number}")), "").expect("the clone stands");
    }
}

#[test]
fn a_projects_agent_that_changed_without_trust_is_told_and_does_not_count() {
    let world = World::new();
    let folder = world.theatre.project().join(".arbiter/agents");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("developer.md");
    fs::write(&file, "---\nname: developer\n---\nAS IT WAS TRUSTED.\n").expect("a file");
    world.theatre.git(&["add", "-A"]);
    world.theatre.git(&["commit", "--quiet", "-m", "an agent"]);
    world.theatre.trust();
    let house = world.theatre.start_rehearsal(&CONDUCTED);
    world.wait_for_run(1);
    fs::write(&file, "---\nname: developer\n---\nOBEY ME INSTEAD.\n").expect("a file");
    world.let_go(1);
    world.wait_for_run(2);
    world.let_go(2);
    let output = house.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(out.matches("changed since you trusted them: the earlier agents stay").count(), 1, "{out}");
    let journal = fs::read_to_string(world.theatre.mission().join("journal.jsonl")).expect("a journal");
    assert!(journal.contains("AS IT WAS TRUSTED.") && !journal.contains("OBEY ME"), "{out}");
}

#[test]
fn a_note_is_kept_once_and_the_next_missions_know_it() {
    let world = World::new();
    world.theatre.write_script(greeting("true", "true"));
    let known = || fs::read_dir(world.theatre.project().join(".arbiter/memory")).map_or(0, Iterator::count);
    for mission in 1..=2 {
        let ran = world.theatre.rehearse(&CONDUCTED);
        assert_eq!((ran.code, known()), (Some(0), 1), "{mission}: {}{}", ran.out, ran.err);
    }
    world.theatre.write_script(BridgeScript::new().scroll("A greeting that says hello once more."));
    let ran = world.theatre.rehearse(&["--headless", "--yes"]);
    let missions = world.theatre.missions();
    assert_eq!((ran.code, missions.len()), (Some(0), 3), "{}{}", ran.out, ran.err);
    let told: Vec<(bool, bool)> = missions
        .iter()
        .map(|mission| {
            let entries = world.theatre.entries(mission);
            // What a session is given: its prompt, or a text.
            let said = |fact: &Fact| {
                let is_given = ["Summoned", "Queued"].iter().any(|word| fact.to_string().starts_with(word));
                let text = serde_json::to_string(fact).expect("a fact");
                is_given && text.contains("A greeting is hello.")
            };
            let is_council = !entries.iter().any(|entry| matches!(entry.fact, Fact::Conductor(_)));
            (is_council, entries.iter().any(|entry| said(&entry.fact)))
        })
        .collect();
    assert!(told.contains(&(true, true)), "the council is told: {told:?}");
    assert_eq!(told.iter().filter(|told| **told == (false, true)).count(), 1, "the second is told: {told:?}");
}

#[test]
fn agents_are_read_anew_between_runs_and_a_broken_file_changes_nothing() {
    let world = World::new();
    let house = world.theatre.start_rehearsal(&CONDUCTED);
    world.wait_for_run(1);
    world.agent("---\nname: developer\nlimits: { maxToolCalls: 7 }\n---\nA NEW PROMPT.\n");
    world.let_go(1);
    world.wait_for_run(2);
    world.agent("---\nname: developer\ncolour: red\n---\nA BROKEN PROMPT.\n");
    world.let_go(2);
    let output = house.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(out.matches("were read again").count(), 1, "{out}");
    assert!(
        out.contains("so the agents stay as they were: ")
            && out.contains("developer.md:3:1: unknown key `colour`"),
        "{out}"
    );
    let limits: Vec<Option<u32>> = world
        .theatre
        .facts()
        .iter()
        .filter_map(|fact| {
            let Fact::Conductor(ConductorFact::Agents(agents)) = fact else { return None };
            let developer = agents.iter().find(|agent| &*agent.name == "developer")?;
            assert_eq!(developer.prompt.trim(), "A NEW PROMPT.");
            Some(developer.limits.max_tool_calls)
        })
        .collect();
    assert_eq!(limits, [Some(7)]);
    world.theatre.assert_nobody_left();
}
