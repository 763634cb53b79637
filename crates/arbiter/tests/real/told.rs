//! What Claude Code itself tells a model, where that would contradict us: it is switched off, and what it would leave in
//! the clone is refused. The newest version, because it says the most.

use serde_json::json;
use sim::api::Step;
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
