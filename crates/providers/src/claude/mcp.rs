//! The tool way of routing: two tools for the Arbiter's summons and one for an Orchestrator's report, hosted by us over
//! the same pipe. What is called takes effect when the turn ends, as the typed output would.

use mind::session::Role;
use serde_json::{Value, json};

/// The server's name; tools are called `mcp__arbiter__NAME`.
pub const SERVER: &str = "arbiter";

/// Whether a tool is one of these.
pub fn is_ours(tool: &str) -> bool {
    tool.strip_prefix("mcp__")
        .and_then(|rest| rest.strip_prefix(SERVER))
        .is_some_and(|rest| rest.starts_with("__"))
}

/// Whether a tool leaves the message to the words around it.
pub fn speaks_beside(tool: &str) -> bool {
    tool.ends_with("__spawn_orchestrator") || tool.ends_with("__disconnect_orchestrators")
}

/// The answer to one JSON-RPC message, and the typed output that a call stands for.
pub fn serve(role: Role, message: &Value) -> (Value, Option<Value>) {
    let id = message.get("id").cloned().unwrap_or(json!(0));
    let method = message.get("method").and_then(Value::as_str).unwrap_or("");
    let params = message.get("params").cloned().unwrap_or_default();
    let (result, output) = match method {
        "initialize" => {
            let version = params.get("protocolVersion").cloned().unwrap_or(json!("2025-06-18"));
            let info = json!({"name": SERVER, "version": env!("CARGO_PKG_VERSION")});
            let capabilities = json!({"tools": {}});
            (json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}), None)
        }
        "tools/list" => (json!({"tools": tools(role)}), None),
        "tools/call" => call(role, &params),
        "ping" => (json!({}), None),
        // A notification wants no answer, but the pipe does.
        _ if message.get("id").is_none() => (json!({}), None),
        _ => {
            let error = json!({"code": -32601, "message": format!("no such method: {method}")});
            return (json!({"jsonrpc": "2.0", "id": id, "error": error}), None);
        }
    };
    (json!({"jsonrpc": "2.0", "id": id, "result": result}), output)
}

fn tools(role: Role) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        json!({"name": name, "description": description, "inputSchema": schema})
    };
    match role {
        Role::Arbiter => json!([
            tool(
                "spawn_orchestrator",
                "Summon a new Orchestrator; an active one is released. Your prompt is the first message it gets. Takes \
                 effect when you end your turn.",
                json!({
                    "prompt": text("The newcomer's first message: the whole brief."),
                    "agent": {"type": "string", "enum": ["orchestrator", "verifier"], "description": "Who is summoned."},
                    "model": text("Another model than the mission's.")
                }),
                &["prompt"],
            ),
            tool(
                "disconnect_orchestrators",
                "Sever all links; this turn's text goes to the human. Takes effect when you end your turn.",
                json!({"claim": {"type": "string", "enum": ["complete"], "description": "The mission is done."}}),
                &[],
            ),
            tool(
                "ask_for_yes",
                "Ask the human for their yes to scope, approach, definition of done and risks, as you state them here. \
                 Without it no Orchestrator can be summoned. Takes effect when you end your turn.",
                json!({"message": text("What the human is asked to agree to.")}),
                &["message"],
            ),
        ]),
        Role::Orchestrator | Role::Verifier => {
            let mut properties = json!({
                "kind": {"type": "string", "enum": ["introduction", "question", "progress", "handoff"]},
                "expects_response": {"type": "boolean", "description": "Whether you wait for a reply."},
                "message": text("The whole text for the Arbiter.")
            });
            if role == Role::Verifier {
                properties["verdict"] = json!({"type": "string", "enum": ["pass", "fail"]});
                properties["findings"] = json!({"type": "array", "items": {"type": "string"}});
            }
            json!([tool(
                "report",
                "Say what this turn comes to. Call it once, as the last thing before you end your turn.",
                properties,
                &["kind", "expects_response", "message"],
            )])
        }
    }
}

fn call(role: Role, params: &Value) -> (Value, Option<Value>) {
    let name = params.get("name").and_then(Value::as_str).unwrap_or("");
    let given = params.get("arguments").cloned().unwrap_or_default();
    let output = match (role, name) {
        (Role::Arbiter, "spawn_orchestrator") => {
            let mut output = json!({"intent": "summon_orchestrator", "brief": given.get("prompt")});
            for field in ["agent", "model"] {
                if let Some(value) = given.get(field) {
                    output[field] = value.clone();
                }
            }
            output
        }
        (Role::Arbiter, "disconnect_orchestrators") => {
            let mut output = json!({"intent": "release_orchestrators"});
            if let Some(claim) = given.get("claim") {
                output["claim"] = claim.clone();
            }
            output
        }
        (Role::Arbiter, "ask_for_yes") => {
            json!({"intent": "address_human", "asks": "alignment", "message": given.get("message")})
        }
        (Role::Orchestrator | Role::Verifier, "report") => given,
        _ => {
            let text = format!("there is no tool {name:?} here");
            return (json!({"content": [{"type": "text", "text": text}], "isError": true}), None);
        }
    };
    let text = "Noted. It takes effect when you end your turn; end it now.";
    (json!({"content": [{"type": "text", "text": text}]}), Some(output))
}

/// The typed output of a turn in which `called` was the last call, with the turn's own words.
pub fn output(called: Option<Value>, text: &str) -> Option<Value> {
    let mut output = called?;
    let has_message = output.get("message").is_some_and(Value::is_string);
    if output.is_object() && !has_message {
        let brief = output.get("brief").and_then(Value::as_str).unwrap_or("").to_owned();
        let words = if text.trim().is_empty() { &brief } else { text };
        output["message"] = json!(words);
    }
    Some(output)
}
