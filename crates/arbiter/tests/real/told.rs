//! What Claude Code itself tells a model, where that would contradict us: it is switched off, and what it would leave in
//! the clone is refused. The newest version, because it says the most.

use std::fs;

use serde_json::json;
use sim::api::{Step, Voice};
use sim::real_stage::{RealStage, bash, mission, reports};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
/// Texts that contradict our prompts, and a model that is told them unless they are switched off.
const CONTRADICTIONS: [(&str, &str); 3] = [
    ("claude-opus-5-5", "keep them updated"),
    ("claude-opus-5-5", "persistent file-based memory"),
    ("claude-opus-4-8", "tokens left</total_tokens>"),
];

#[test]
fn no_model_is_told_what_contradicts_us_and_no_worktree_is_left() {
    for model in ["claude-opus-5-5", "claude-opus-4-8"] {
        let alone = json!({"subagent_type": "general-purpose", "description": "write", "prompt": "Write it",
                           "isolation": "worktree"});
        let mut work = vec![Step::tool("Agent", alone).when("Write bridge.txt.")];
        // So many tools in a row, without a word, that a reminder to report would be due.
        work.extend((0..7).map(|number| bash(&format!("echo {number}"))));
        work.push(bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge"));
        work.push(reports("handoff", "It is built."));
        let newest = sim::claude::newest();
        let Some(stage) = RealStage::set_in_version(newest, crate::BINARY, model, CHECK, mission(work))
        else {
            return;
        };
        stage.begin().completes();
        for request in stage.api.requests() {
            let told = request.body.to_string();
            for (_, text) in CONTRADICTIONS.iter().filter(|(of, _)| *of == model) {
                assert!(!told.contains(text), "{model} is told {text:?}:\n{}", stage.story());
            }
        }
        // The model is told why, and may call it again.
        assert_eq!(
            stage.heard_by("orchestrator I", "Call it again without `isolation`"),
            1,
            "{}",
            stage.story()
        );
        assert_eq!(stage.count("Denied s2 Agent"), 1, "{}", stage.story());
        let kept =
            stage.theatre.git(&["ls-tree", "-r", "--name-only", &format!("refs/arbiter/{}", stage.id())]);
        assert!(!kept.contains(".claude"), "{kept}");
    }
}

/// The file of an agent can ask for a worktree where no call says so.
#[test]
fn an_agent_of_the_project_gets_no_worktree_either() {
    for version in [sim::claude::oldest(), sim::claude::newest()] {
        let call = json!({"subagent_type": "digger", "description": "dig", "prompt": "Dig."});
        let build = bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge");
        let work = vec![
            Step::tool("Agent", call).when("Write bridge.txt."),
            build,
            reports("handoff", "It is built."),
        ];
        let digs = Voice::new("digger", [Step::say("Dug.").forever()]).system_contains("You dig.");
        let voices = [digs].into_iter().chain(mission(work));
        let config = format!("  settings: project\n{CHECK}");
        let model = "claude-opus-4-8";
        let Some(stage) = RealStage::set_in_version(version, crate::BINARY, model, &config, voices) else {
            return;
        };
        let agents = stage.theatre.project().join(".claude/agents");
        fs::create_dir_all(&agents).expect("a folder");
        let file = "---\nname: digger\ndescription: Digs.\nisolation: worktree\n---\n\nYou dig.\n";
        fs::write(agents.join("digger.md"), file).expect("a file");
        stage.theatre.git(&["add", "-A"]);
        stage.theatre.git(&["commit", "--quiet", "-m", "An agent"]);
        stage.begin().completes();
        assert_eq!(stage.requests_of("digger").len(), 0, "{version}: {}", stage.story());
        assert!(!stage.clone_folder().join(".claude/worktrees").exists(), "{version}: a worktree is left");
        let told = stage.heard_by("orchestrator I", "may not have a worktree of its own here");
        assert_eq!(told, 1, "{version}: {}", stage.story());
    }
}

/// A repository's settings, and some versions of the program by themselves, would let a model judge calls, or nobody.
#[test]
fn no_other_judges_tools_in_our_place() {
    for version in [sim::claude::oldest(), sim::claude::newest()] {
        let build = bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge");
        let work = vec![build.when("Write bridge.txt."), reports("handoff", "It is built.")];
        let config = format!("  settings: project\n{CHECK}");
        let model = "claude-opus-4-8";
        let Some(stage) = RealStage::set_in_version(version, crate::BINARY, model, &config, mission(work))
        else {
            return;
        };
        let settings = json!({"permissions": {"defaultMode": "acceptEdits"}}).to_string();
        for folder in [stage.theatre.project(), stage.home()] {
            fs::create_dir_all(folder.join(".claude")).expect("a folder");
            fs::write(folder.join(".claude/settings.json"), &settings).expect("a file");
        }
        stage.theatre.git(&["add", "-A", "-f", ".claude"]);
        stage.theatre.git(&["commit", "--quiet", "-m", "Settings"]);
        let mission = stage.begin();
        mission.completes();
        let logs = fs::read_dir(stage.mission().join("sessions")).expect("sessions").flatten();
        let logs = logs.filter_map(|file| fs::read_to_string(file.path()).ok()).collect::<String>();
        let begins: Vec<&str> = logs.lines().filter(|line| line.contains("permissionMode")).collect();
        assert!(begins.len() >= 3, "{version}: {} sessions tell their mode", begins.len());
        let other = begins.iter().find(|line| !line.contains(r#"permissionMode\":\"default"#));
        assert_eq!(other, None, "{version}");
    }
}
