//! The typed outputs as JSON schemas. They are flat: `mind` checks which fields belong together, and its error messages
//! are better than a schema's.

use mind::session::Role;
use serde_json::{Value, json};

/// What every turn of a session in this role ends in.
pub fn of(role: Role) -> Value {
    match role {
        Role::Arbiter => arbiter(),
        Role::Orchestrator => worker(false),
        Role::Verifier => worker(true),
        Role::Agent => json!({"type": "object"}),
    }
}

fn arbiter() -> Value {
    let option = json!({
        "type": "object",
        "properties": {
            "key": {"type": "string", "description": "One letter or word to answer with."},
            "label": {"type": "string"}
        },
        "required": ["key", "label"]
    });
    let decision = json!({
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "A short name, unique in this message."},
            "title": {"type": "string", "description": "The question in one line."},
            "context": {"type": "string", "description": "What one must know to answer."},
            "options": {"type": "array", "items": option},
            "allow_custom": {"type": "boolean", "description": "Whether a free answer is welcome."}
        },
        "required": ["id", "title", "options"]
    });
    json!({
        "type": "object",
        "properties": {
            "intent": {
                "type": "string",
                "enum": [
                    "address_human", "address_orchestrator", "summon_orchestrator", "release_orchestrators", "musings"
                ],
                "description": "What this turn does."
            },
            "message": {"type": "string", "description": "The whole text for the one who is addressed."},
            "asks": {
                "type": "string", "enum": ["alignment"],
                "description": "With address_human: this message asks for the human's yes."
            },
            "decisions": {
                "type": "array", "items": decision,
                "description": "With address_human: questions with options, so that they can be answered by a tap."
            },
            "agent": {
                "type": "string",
                "description": "With summon_orchestrator: orchestrator, verifier, or the name of an agent."
            },
            "provider": {"type": "string", "description": "With summon_orchestrator: another provider."},
            "model": {"type": "string", "description": "With summon_orchestrator: another model."},
            "claim": {
                "type": "string", "enum": ["complete"],
                "description": "With release_orchestrators: the mission is done."
            }
        },
        "required": ["intent", "message"]
    })
}

fn worker(verifier: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "kind": {
                "type": "string", "enum": ["introduction", "question", "progress", "handoff"],
                "description": "What this message is."
            },
            "expects_response": {"type": "boolean", "description": "Whether you wait for a reply."},
            "message": {"type": "string", "description": "The whole text for the Arbiter."},
            "notes": {
                "type": "array",
                "description": "With a handoff: what a later mission in this project must know.",
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"}, "whenToUse": {"type": "string"}, "text": {"type": "string"}
                    },
                    "required": ["title", "text"]
                }
            }
        },
        "required": ["kind", "expects_response", "message"]
    });
    if verifier {
        schema["properties"]["verdict"] = json!({"type": "string", "enum": ["pass", "fail"], "description": "With a handoff: your judgement."});
        schema["properties"]["findings"] =
            json!({"type": "array", "items": {"type": "string"}, "description": "What is wrong, one each."});
    }
    schema
}
