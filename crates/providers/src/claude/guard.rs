//! What a session may not do, whatever else allows it. Asked before every tool, in subagents too.

use mind::session::Role;
use serde_json::Value;

/// Whether a tool may run, or why not, in words for the model.
pub fn judge(_role: Role, tool: &str, input: &Value) -> Result<(), String> {
    let in_background = input.get("run_in_background").and_then(Value::as_bool).unwrap_or(false);
    if in_background {
        return Err(format!(
            "{tool} may not run in the background here: your turn would end before it does. Run it in the foreground \
             and wait for it."
        ));
    }
    Ok(())
}
