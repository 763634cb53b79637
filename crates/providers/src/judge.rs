//! Who judges a tool call before it runs: handed in, because a provider knows no policy.

use std::fmt;
use std::sync::Arc;

use mind::policy::Ruling;
use serde_json::Value;

/// A tool that an agent wants to use.
#[derive(Debug, Clone, Copy)]
pub struct ToolProposal<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// What it is given.
    pub input: &'a Value,
    /// A subagent wants it.
    pub subagent: bool,
}

/// Judges the tool calls of one session.
#[derive(Clone)]
pub struct ToolJudge(Arc<dyn Fn(ToolProposal<'_>) -> Ruling + Send + Sync>);

impl ToolJudge {
    /// A judge that rules like this.
    pub fn new(rule: impl Fn(ToolProposal<'_>) -> Ruling + Send + Sync + 'static) -> ToolJudge {
        ToolJudge(Arc::new(rule))
    }

    /// What becomes of a call.
    pub(crate) fn judge(&self, call: ToolProposal<'_>) -> Ruling {
        (self.0)(call)
    }
}

impl fmt::Debug for ToolJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolJudge")
    }
}
