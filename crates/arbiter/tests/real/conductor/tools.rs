//! What an agent may not do is refused where it is done, and it is told why.

use serde_json::json;
use sim::api::Step;

use super::{CONFIG, agent, begin, build, decider, done, is_proven, planner, plans, with_agent};
use sim::real_stage::{RealStage, bash};

#[test]
fn a_planner_that_writes_is_refused_and_told() {
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, {
        let planner = [
            Step::tool("Write", json!({"file_path": "planned.txt", "content": "x"})),
            bash("echo x > planned.txt"),
            bash("git log -1 --format=%s && git commit --allow-empty -qm x"),
            bash("git log -1 --format=%s"),
            plans(&[("Build the bridge", "developer")]).when("start"),
        ];
        [agent("planner", planner), agent("developer", [build(), done("It is built.")]), decider([])]
    }) else {
        return;
    };
    begin(&stage).completes();
    is_proven(&stage);
    assert!(!stage.clone_folder().join("planned.txt").exists());
    let heard: Vec<String> = stage.requests_of("planner").iter().map(|request| request.heard()).collect();
    // The tool is not even offered.
    assert!(!stage.requests_of("planner")[0].tools.iter().any(|tool| tool == "Write" || tool == "Edit"));
    assert!(heard[1].contains("Write"), "{}", heard[1]);
    assert!(heard[2].contains("may not run echo") || heard[2].contains("changes nothing"), "{}", heard[2]);
    assert!(heard[3].contains("may not run git"), "every command of a line counts: {}", heard[3]);
    assert!(heard[4].contains("start"), "what it may run, runs: {}", heard[4]);
}

#[test]
fn a_command_that_is_denied_to_an_agent_is_refused_and_told() {
    let voices = [
        planner(),
        agent(
            "developer",
            [bash("echo one; git -C . tag v1"), bash("bash -c 'git tag v2'"), build(), done("It is built.")],
        ),
        decider([]),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, voices) else { return };
    with_agent(&stage, "developer", "tools: { bash: { deny: [[git, tag]] } }");
    begin(&stage).completes();
    is_proven(&stage);
    for words in ["git -C . tag v1", "git tag v2"] {
        assert!(
            stage.lines().iter().any(|line| line.starts_with("Denied s2 Bash") && line.contains(words)),
            "{words}:\n{}",
            stage.story()
        );
    }
    assert_eq!(stage.heard_by("developer", "this agent may not run `git tag`"), 2, "{}", stage.story());
    assert_eq!(stage.theatre.git_in(&stage.clone_folder(), &["tag"]), "");
}
