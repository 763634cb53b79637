//! What a session may not do, whatever else allows it. Asked before every tool, in subagents too.

use serde_json::Value;

use super::mcp;

/// Whether a tool may run, or why not, in words for the model.
pub fn judge(tool: &str, input: &Value, by_subagent: bool) -> Result<(), String> {
    if by_subagent && mcp::is_ours(tool) {
        return Err(
            "only the session itself may say what its turn comes to: report to whoever sent you".to_owned()
        );
    }
    let in_background = input.get("run_in_background").and_then(Value::as_bool).unwrap_or(false);
    if in_background {
        return Err(format!(
            "{tool} may not run in the background here: your turn would end before it does. Run it in the foreground \
             and wait for it."
        ));
    }
    Ok(())
}
