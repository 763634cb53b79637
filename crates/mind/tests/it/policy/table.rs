//! The tables of `calls.table` and `more.table`, row by row.

use mind::policy::Ruling;
use mind::session::Role;
use serde_json::{Value, json};

use super::world::{call, grade};

/// `verdict who "reason" $ command`, or `verdict who "reason" > Tool {input}`. Who is A, O or V, small for a subagent of
/// theirs; ⏎ is an end of line, ␍ a carriage return.
const TABLE: &str = include_str!("calls.table");
/// More of them: what a red team found, and honest lines that once asked.
const MORE: &str = include_str!("more.table");

#[test]
fn every_row_of_the_table_holds() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    for line in
        TABLE.lines().chain(MORE.lines()).filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
    {
        rows += 1;
        let cut = [line.find(" $ "), line.find(" > ")].into_iter().flatten().min().expect(line);
        let (head, what) = (&line[..cut], &line[cut + 3..]);
        let mut words = head.splitn(3, char::is_whitespace).map(str::trim);
        let verdict = words.next().unwrap_or("");
        let rest = head[verdict.len()..].trim();
        let (who, reason) = rest.split_at(1);
        let role = match who.to_uppercase().as_str() {
            "A" => Role::Arbiter,
            "O" => Role::Orchestrator,
            _ => Role::Verifier,
        };
        let is_bash = line[cut..].starts_with(" $ ");
        let (tool, input) = if is_bash {
            ("Bash", json!({"command": what.replace('⏎', "\n").replace('␍', "\r")}))
        } else {
            let (tool, input) = what.split_once(' ').expect(line);
            (tool, serde_json::from_str::<Value>(input).expect(line))
        };
        let ruling = call(role, who.to_uppercase() != who, tool, &input);
        let found = ["allow", "ask", "deny"][usize::from(grade(&ruling))];
        let why = match &ruling {
            Ruling::Allow => String::new(),
            Ruling::Deny { why } => why.clone(),
            Ruling::Ask(question) => question.why.to_string(),
        };
        let reason = reason.trim().trim_matches('"');
        if found != verdict || !why.contains(reason) {
            wrong.push(format!("{line}\n      is {found}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 220, "only {rows} rows");
}
