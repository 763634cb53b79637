//! What was found about a call: refusals and doubts, and the one ruling that they come to.

use std::sync::Arc;

use super::{PermissionRequest, PolicyMode, Risk, Ruling};
use crate::limits::{QUESTION_CHARS_MAX, REASONS_MAX};

/// A reason to refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalReason {
    /// Why, and what to do instead.
    pub why: String,
    /// It protects Arbiter itself, so it holds in open mode too.
    pub firm: bool,
}

/// A reason to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    pub why: String,
    /// How much is at stake.
    pub risk: Risk,
    /// What a lasting yes would cover; none if there can be no such yes.
    pub shape: Option<String>,
}

/// Everything found about a call so far.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Reasons to refuse.
    pub refusals: Vec<RefusalReason>,
    /// Reasons to ask.
    pub doubts: Vec<Doubt>,
    /// What may run commands that do not stand in the line. It counts where commands are limited.
    pub unseen: Vec<String>,
}

impl Findings {
    /// It is not allowed in guarded mode.
    pub fn deny(&mut self, why: impl Into<String>) {
        self.refuse(why.into(), false);
    }

    /// It is not allowed in any mode.
    pub fn forbid(&mut self, why: impl Into<String>) {
        self.refuse(why.into(), true);
    }

    fn refuse(&mut self, why: String, firm: bool) {
        let refusal = RefusalReason { why, firm };
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// A person should decide, once and for this call only.
    pub fn doubt(&mut self, risk: Risk, why: impl Into<String>) {
        self.ask(risk, why, None);
    }

    /// The same, of what may run commands that do not stand in the line.
    pub fn unseen(&mut self, risk: Risk, why: impl Into<String>) {
        let why = why.into();
        if !self.unseen.contains(&why) {
            self.unseen.push(why.clone());
        }
        self.doubt(risk, why);
    }

    /// A person should decide, and may decide for all calls of this shape.
    pub fn ask(&mut self, risk: Risk, why: impl Into<String>, shape: Option<String>) {
        let shape = shape.filter(|_| risk != Risk::Grave);
        let doubt = Doubt { why: why.into(), risk, shape };
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// What it all comes to.
    pub fn ruling(mut self, mode: PolicyMode, asked: PermissionSubject<'_>) -> Ruling {
        if mode == PolicyMode::Open {
            self.refusals.retain(|refusal| refusal.firm);
            self.doubts.clear();
        }
        if !self.refusals.is_empty() {
            return Ruling::Deny { why: join(self.refusals.into_iter().map(|refusal| refusal.why)) };
        }
        let Some(risk) = self.doubts.iter().map(|doubt| doubt.risk).max() else { return Ruling::Allow };
        if asked.what.chars().nth(QUESTION_CHARS_MAX).is_some() {
            let why = "only a person may allow it, and it is too long to be shown to one whole: do it in smaller steps";
            return Ruling::Deny { why: why.to_owned() };
        }
        let shapes: Option<Vec<String>> = self.doubts.iter().map(|doubt| doubt.shape.clone()).collect();
        let mut shapes = shapes.unwrap_or_default();
        shapes.sort();
        shapes.dedup();
        Ruling::Ask(PermissionRequest {
            tool: asked.tool.into(),
            what: asked.what.into(),
            folder: asked.folder.into(),
            why: join(self.doubts.into_iter().map(|doubt| doubt.why)).into(),
            risk,
            shapes: shapes.into_iter().map(Arc::from).collect(),
            digest: asked.digest.into(),
        })
    }
}

/// What a question would be about.
#[derive(Debug, Clone, Copy)]
pub struct PermissionSubject<'a> {
    pub tool: &'a str,
    /// The exact command, or what would change.
    pub what: &'a str,
    pub folder: &'a str,
    /// What a yes is bound to.
    pub digest: &'a str,
}

fn join(reasons: impl Iterator<Item = String>) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut more = 0;
    for reason in reasons {
        if told.len() < REASONS_MAX {
            if !told.contains(&reason) {
                told.push(reason);
            }
        } else {
            more += 1;
        }
    }
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join("; ")
}
