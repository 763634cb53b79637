//! The judge of tool calls: the caller hands it in, because a provider knows no policy.

use std::fmt;
use std::sync::Arc;

use mind::policy::Ruling;
use serde_json::Value;

/// A tool call that waits for a ruling.
#[derive(Debug, Clone, Copy)]
pub struct ToolProposal<'a> {
    pub tool: &'a str,
    pub input: &'a Value,
    /// Whether a subagent makes the call.
    pub subagent: bool,
}

/// Judges the tool calls of one session.
#[derive(Clone)]
pub struct ToolJudge(Arc<dyn Fn(ToolProposal<'_>) -> Ruling + Send + Sync>);

impl ToolJudge {
    /// A judge that rules by this function.
    pub fn new(rule: impl Fn(ToolProposal<'_>) -> Ruling + Send + Sync + 'static) -> ToolJudge {
        ToolJudge(Arc::new(rule))
    }

    /// The ruling on a call.
    pub(crate) fn judge(&self, call: ToolProposal<'_>) -> Ruling {
        (self.0)(call)
    }
}

impl fmt::Debug for ToolJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolJudge")
    }
}
