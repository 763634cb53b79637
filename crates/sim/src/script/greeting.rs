//! The conducted mission that most tests play: the planner makes a plan, the developer writes greeting.txt and commits it,
//! and the model that decides goes on.

use std::fmt;

use super::{item, list, owned};

/// The greeting, and what is different in it. A run is one turn, in lines of the script.
#[derive(Debug, Clone)]
pub struct GreetingScript {
    checks: String,
    plan: Vec<String>,
    confidence: u8,
    /// Each agent's runs.
    agents: Vec<(String, Vec<String>)>,
    decisions: Vec<String>,
}

impl GreetingScript {
    /// The run in which the greeting is written.
    pub const WRITES: &str = "does: [{write: greeting.txt, text: \"hello\\n\"}, {commit: Greet}]\n\
                              says: {outcome: success, summary: Written.}";

    /// A plan of one step, which the developer takes.
    #[expect(clippy::new_without_default, reason = "a script is begun by name")]
    pub fn new() -> GreetingScript {
        GreetingScript {
            checks: r#"["test", "-f", "greeting.txt"]"#.to_owned(),
            plan: owned(&["Write"]),
            confidence: 90,
            agents: Vec::new(),
            decisions: owned(&["says: {type: CONTINUE, reason: go on}"]),
        }
        .runs("developer", &[GreetingScript::WRITES])
    }

    /// What is checked instead.
    #[must_use]
    pub fn checks(mut self, argv: &str) -> GreetingScript {
        argv.clone_into(&mut self.checks);
        self
    }

    /// The steps of the plan.
    #[must_use]
    pub fn plans(mut self, steps: &[impl AsRef<str>]) -> GreetingScript {
        self.plan = owned(steps);
        self
    }

    /// How sure the planner is of it.
    #[must_use]
    pub fn confidence(mut self, percent: u8) -> GreetingScript {
        self.confidence = percent;
        self
    }

    /// What this agent's runs are.
    #[must_use]
    pub fn runs(mut self, agent: &str, runs: &[impl AsRef<str>]) -> GreetingScript {
        self.agents.retain(|(name, _)| name != agent);
        self.agents.push((agent.to_owned(), owned(runs)));
        self
    }

    /// What is kept for later missions, at most one note.
    #[must_use]
    pub fn remembers(self, note: &str) -> GreetingScript {
        let says = format!("says: {{outcome: success, summary: Kept., notes: [{note}]}}");
        self.runs("memory-keeper", &[&says])
    }

    /// What the model decides, whatever it is asked.
    #[must_use]
    pub fn decides(self, decision: &str) -> GreetingScript {
        self.decisions(&[format!("says: {decision}")])
    }

    /// What the model decides when.
    #[must_use]
    pub fn decisions(mut self, decisions: &[impl AsRef<str>]) -> GreetingScript {
        self.decisions = owned(decisions);
        self
    }
}

impl fmt::Display for GreetingScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rehearsal: 1\ntitle: The greeting\nscroll: A file `greeting.txt` that says hello.")?;
        writeln!(f, "checks: [{}]", self.checks)?;
        let steps: Vec<String> = self.plan.iter().map(|step| format!("{{description: {step}}}")).collect();
        let plan = format!("{{steps: [{}], confidence: {}}}", steps.join(", "), self.confidence);
        writeln!(
            f,
            "agents:\n  planner:\n    - - says: {{outcome: success, summary: A plan., plan: {plan}}}"
        )?;
        for (name, runs) in &self.agents {
            let runs: String = runs.iter().map(|run| item(4, &item(0, run))).collect();
            write!(f, "  {name}:\n{runs}")?;
        }
        write!(f, "decisions:\n{}", list(&self.decisions))
    }
}
