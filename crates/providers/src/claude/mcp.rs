//! The MCP tools that Arbiter hosts over the process's own pipe. Every session has those of the docket, which `mind`
//! answers. With routing by tools there are two more: the Arbiter's summons and an Orchestrator's report; a call of
//! these takes effect when the turn ends, as the typed output would.

use mind::Timestamp;
use mind::event::DocketCall;
use mind::petition::tools as docket;
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

/// Whether a tool is one of the docket's, which do not decide how the turn ends.
pub fn pleads(tool: &str) -> bool {
    docket::NAMES.iter().any(|name| tool.strip_suffix(name).is_some_and(|rest| rest.ends_with("__")))
}

/// The outcome of one JSON-RPC message.
#[derive(Debug, Clone, PartialEq)]
pub enum McpOutcome {
    /// It is answered here.
    Now {
        response: Value,
        /// The typed output that the call stands for.
        output: Option<Value>,
    },
    /// It is a call to the docket, which `mind` answers.
    Later {
        /// The message's own id.
        id: Value,
        plea: DocketCall,
    },
}

/// Serves one JSON-RPC message of a session in this role, which speaks by tools or not.
pub fn serve(role: Role, by_tools: bool, message: &Value, now: Timestamp) -> McpOutcome {
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
        "tools/list" => {
            let mut listed = docket::all();
            if by_tools {
                listed.extend(tools(role));
            }
            (json!({"tools": listed}), None)
        }
        "tools/call" => match plea(&params, now) {
            Some(Ok(plea)) => return McpOutcome::Later { id, plea },
            Some(Err(told)) => (content(&told.to_string(), true), None),
            None => call(role, by_tools, &params),
        },
        "ping" => (json!({}), None),
        // A notification needs no answer, but the pipe does.
        _ if message.get("id").is_none() => (json!({}), None),
        _ => {
            let error = json!({"code": -32601, "message": format!("no such method: {method}")});
            return McpOutcome::Now {
                response: json!({"jsonrpc": "2.0", "id": id, "error": error}),
                output: None,
            };
        }
    };
    McpOutcome::Now { response: json!({"jsonrpc": "2.0", "id": id, "result": result}), output }
}

/// The answer to the call with this id, as `mind` gave it.
pub fn reply(id: &Value, told: &Value, refused: bool) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": content(&told.to_string(), refused)})
}

fn content(text: &str, is_error: bool) -> Value {
    let mut result = json!({"content": [{"type": "text", "text": text}]});
    if is_error {
        result["isError"] = json!(true);
    }
    result
}

fn plea(params: &Value, now: Timestamp) -> Option<Result<DocketCall, Value>> {
    let name = params.get("name").and_then(Value::as_str)?;
    docket::plea(name, params.get("arguments").unwrap_or(&Value::Null), now)
}

fn tools(role: Role) -> Vec<Value> {
    let text = |description: &str| json!({"type": "string", "description": description});
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        json!({"name": name, "description": description, "inputSchema": schema})
    };
    match role {
        Role::Arbiter => vec![
            tool(
                "spawn_orchestrator",
                "Summon a new Orchestrator; an active one is released. Your prompt is the first message it gets. Takes \
                 effect when you end your turn.",
                json!({
                    "prompt": text("The newcomer's first message: the whole brief."),
                    "agent": text("Who is summoned: orchestrator, verifier, or the name of an agent."),
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
        ],
        // An agent's turn always ends in a typed answer.
        Role::Agent => Vec::new(),
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
            vec![tool(
                "report",
                "Say what this turn comes to. Call it once, as the last thing before you end your turn.",
                properties,
                &["kind", "expects_response", "message"],
            )]
        }
    }
}

fn call(role: Role, by_tools: bool, params: &Value) -> (Value, Option<Value>) {
    let name = params.get("name").and_then(Value::as_str).unwrap_or("");
    let given = params.get("arguments").cloned().unwrap_or_default();
    let unknown = || (content(&format!("there is no tool {name:?} here"), true), None);
    if !by_tools {
        return unknown();
    }
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
        _ => return unknown(),
    };
    (content("Noted. It takes effect when you end your turn; end it now.", false), Some(output))
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
