//! A conducted mission whose every byte is known (a plan half done, an agent that objects, a model that cannot be reached):
//! how it is shown, decided again and counted; and the agents of a project.

use std::fs;

use super::GoldenWorld;

const ID: &str = "2026-11-16-c0nd";
const ENTRIES: &str = include_str!("../../../arbiter/tests/it/conducted/mission.jsonl");

pub fn run(world: &mut GoldenWorld) {
    let entries: Vec<String> = ENTRIES.lines().map(str::to_owned).collect();
    world.theatre.write_mission(ID, &entries);
    world.one("show", "a conducted mission", &["show", ID, "--json"]);
    world.lines("missions", "one is conducted", &["missions", "--json"]);
    world.one("decide-replay", "the same", &["decide", "replay", ID, "--json"]);
    let policy = world.theatre.path().join("policy.yaml");
    fs::write(&policy, "limits: {maxIterations: 2}\n").expect("written");
    let policy = policy.display().to_string();
    world.one("decide-replay", "by another policy", &["decide", "replay", ID, "--policy", &policy, "--json"]);
    world.one("decide-stats", "of one mission", &["decide", "stats", ID, "--json"]);
    world.one("decide-stats", "of all", &["decide", "stats", "--json"]);
    let agents = world.theatre.project().join(".arbiter/agents");
    fs::create_dir_all(&agents).expect("a folder");
    fs::write(agents.join("mason.md"), "---\nname: mason\n---\nBuild.\n").expect("written");
    world.lines("agents", "all", &["agents", "--json"]);
    world.lines("agents", "one", &["agents", "show", "planner", "--json"]);
}
