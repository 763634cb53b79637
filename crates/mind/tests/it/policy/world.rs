//! A small disk to judge on: a clone with links in it, a temporary folder, and places that are hidden.

use std::collections::BTreeMap;

use mind::access::{Access, AccessMap};
use mind::policy::{JudgedCall, PathLookup, Policy, PolicyMode, Ruling, judge};
use mind::session::Role;
use serde_json::{Value, json};

pub const CLONE: &str = "/land/clone";

/// A disk with a few links on it.
pub struct Disk {
    links: BTreeMap<&'static str, &'static str>,
}

impl PathLookup for Disk {
    fn real(&self, path: &str) -> String {
        let mut done: Vec<String> = Vec::new();
        let mut names: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut followed = 0;
        while let Some(name) = names.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    done.pop();
                    continue;
                }
                _ => done.push(name),
            }
            let here = format!("/{}", done.join("/"));
            if let Some(target) = self.links.get(here.as_str())
                && followed < 8
            {
                followed += 1;
                done.clear();
                names.extend(target.split('/').rev().map(str::to_owned));
            }
        }
        format!("/{}", done.join("/"))
    }

    fn is_shared(&self, path: &str) -> bool {
        path == "/land/clone/shared.txt"
    }
}

pub fn disk() -> Disk {
    let links = [
        ("/land/clone/out", "/etc"),
        ("/land/clone/keys", "/home/user/.ssh"),
        ("/land/clone/inner", "/land/clone/src"),
        ("/land/clone/hooks", "/land/clone/.git/hooks"),
    ];
    Disk { links: links.into() }
}

pub fn lay() -> AccessMap {
    let views = [
        ("/land", Access::Hidden),
        ("/land/clone", Access::Write),
        ("/tmp/session", Access::Write),
        ("/home/user/.ssh", Access::Hidden),
        ("/home/user/.aws", Access::Hidden),
    ];
    let views = views.map(|(place, view)| (place.to_owned(), view)).into();
    AccessMap { clone: CLONE.to_owned(), home: "/home/user".to_owned(), views }
}

/// What becomes of a call in guarded mode.
pub fn call(role: Role, subagent: bool, tool: &str, input: &Value) -> Ruling {
    judge(&Policy::default(), &lay(), &disk(), &JudgedCall { tool, input, role, subagent, tools: None })
}

/// What becomes of an Orchestrator's command line.
pub fn bash(command: &str) -> Ruling {
    call(Role::Orchestrator, false, "Bash", &json!({"command": command}))
}

/// The same under another policy.
pub fn bash_under(policy: &Policy, command: &str) -> Ruling {
    let input = json!({"command": command});
    let call =
        JudgedCall { tool: "Bash", input: &input, role: Role::Orchestrator, subagent: false, tools: None };
    judge(policy, &lay(), &disk(), &call)
}

/// Open mode.
pub fn open() -> Policy {
    Policy { mode: PolicyMode::Open, ..Policy::default() }
}

/// How far a ruling goes: 0 allows, 1 asks, 2 denies.
pub fn grade(ruling: &Ruling) -> u8 {
    match ruling {
        Ruling::Allow => 0,
        Ruling::Ask(_) => 1,
        Ruling::Deny { .. } => 2,
    }
}
