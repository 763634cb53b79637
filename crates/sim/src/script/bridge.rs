//! The council's mission that most tests play: the Arbiter asks for a yes, Orchestrator I writes bridge.txt and commits
//! it, Orchestrator II audits it, and a check looks for the file.

use std::fmt;

use super::{list, owned, part};

/// The bridge, and what is different in it. Turns, steps and keys are as in a script.
#[derive(Debug, Clone)]
pub struct BridgeScript {
    scroll: String,
    checks: String,
    human: &'static str,
    opening: Vec<String>,
    summons: Vec<String>,
    briefing: Vec<String>,
    ending: Vec<String>,
    is_inherited: bool,
    predecessors: Vec<String>,
    introduced: String,
    earlier: Vec<String>,
    work: String,
    worked: String,
    audited: String,
}

impl BridgeScript {
    /// The Arbiter asks for a yes, and waits until a person gives it.
    #[expect(clippy::new_without_default, reason = "a script is begun by name")]
    pub fn new() -> BridgeScript {
        BridgeScript {
            scroll: "Write bridge.txt.".to_owned(),
            checks: r#"["test", "-f", "bridge.txt"]"#.to_owned(),
            human: "[]",
            opening: owned(&[
                r#"says: {intent: address_human, asks: alignment, message: "Shall it begin?"}"#,
            ]),
            summons: owned(&[r#"says: {intent: summon_orchestrator, message: "Let one come."}"#]),
            briefing: owned(&[r#"says: {intent: address_orchestrator, message: "Write bridge.txt."}"#]),
            ending: owned(&[
                r#"says: {intent: summon_orchestrator, agent: verifier, message: "Let another look."}"#,
                r#"says: {intent: address_orchestrator, message: "Audit it."}"#,
                r#"says: {intent: release_orchestrators, claim: complete, message: "It stands."}"#,
            ]),
            is_inherited: false,
            predecessors: Vec::new(),
            introduced: String::new(),
            earlier: Vec::new(),
            work: r#"{write: bridge.txt, text: "stone"}, {commit: "Build"}"#.to_owned(),
            worked: String::new(),
            audited: String::new(),
        }
    }

    /// There is a person in the script, who says yes.
    #[must_use]
    pub fn with_human(mut self) -> BridgeScript {
        self.human = r#"["yes"]"#;
        self
    }

    /// What is to be done.
    #[must_use]
    pub fn scroll(mut self, text: &str) -> BridgeScript {
        text.clone_into(&mut self.scroll);
        self
    }

    /// What is checked instead; nothing, if it is empty.
    #[must_use]
    pub fn checks(mut self, argv: &str) -> BridgeScript {
        argv.clone_into(&mut self.checks);
        self
    }

    /// The Arbiter begins with these turns, instead of its question.
    #[must_use]
    pub fn opens_with(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        self.opening = owned(turns);
        self
    }

    /// The Arbiter summons at once.
    #[must_use]
    pub fn asks_nothing(mut self) -> BridgeScript {
        self.opening.clear();
        self
    }

    /// The Arbiter takes these turns after its brief.
    #[must_use]
    pub fn then(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        self.briefing.extend(owned(turns));
        self
    }

    /// The Arbiter ends with these turns, instead of an audit and its claim.
    #[must_use]
    pub fn ends_with(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        self.ending = owned(turns);
        self
    }

    /// The Arbiter takes these turns instead of its summons, and no more: its heir takes the rest.
    #[must_use]
    pub fn inherited_after(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        (self.summons, self.is_inherited) = (owned(turns), true);
        self
    }

    /// One comes before Orchestrator I, and takes these turns.
    #[must_use]
    pub fn preceded_by(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        self.predecessors.push(part(&owned(turns)));
        self
    }

    /// The introduction of Orchestrator I has these keys too.
    #[must_use]
    pub fn introduced(mut self, keys: &str) -> BridgeScript {
        self.introduced = format!("\n{keys}");
        self
    }

    /// Orchestrator I takes these turns before that of its work.
    #[must_use]
    pub fn first_takes(mut self, turns: &[impl AsRef<str>]) -> BridgeScript {
        self.earlier = owned(turns);
        self
    }

    /// Orchestrator I takes these steps before it writes.
    #[must_use]
    pub fn does(mut self, steps: &str) -> BridgeScript {
        self.work = format!("{steps}, {}", self.work);
        self
    }

    /// Orchestrator I takes these steps, instead of writing bridge.txt.
    #[must_use]
    pub fn works(mut self, steps: &str) -> BridgeScript {
        steps.clone_into(&mut self.work);
        self
    }

    /// The turn of the work has these keys too.
    #[must_use]
    pub fn worked(mut self, keys: &str) -> BridgeScript {
        self.worked = format!("\n{keys}");
        self
    }

    /// The auditor looks for the file itself.
    #[must_use]
    pub fn audited_by_hand(self) -> BridgeScript {
        self.audited_with("{run: [test, -f, bridge.txt]}")
    }

    /// The auditor takes these steps.
    #[must_use]
    pub fn audited_with(mut self, steps: &str) -> BridgeScript {
        self.audited = format!("does: [{steps}]\n");
        self
    }

    fn orchestrators(&self) -> String {
        let says = "says: {kind: handoff, expects_response: true";
        let introduction = |who: &str, keys: &str| {
            format!(r#"says: {{kind: introduction, expects_response: true, message: "I am {who}."}}{keys}"#)
        };
        let introduced = introduction("Orchestrator I", &self.introduced);
        let worked = format!("does: [{}]\n{says}, message: \"Built.\"}}{}", self.work, self.worked);
        let worker = [&[introduced], &self.earlier[..], &[worked]].concat();
        let auditor = [
            introduction("Orchestrator II", ""),
            format!("{}{says}, verdict: pass, findings: [], message: \"It stands.\"}}", self.audited),
        ];
        self.predecessors.concat() + &part(&worker) + &part(&auditor)
    }
}

impl fmt::Display for BridgeScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BridgeScript { scroll, checks, human, .. } = self;
        let checks = if checks.is_empty() { "[]".to_owned() } else { format!("[{checks}]") };
        writeln!(f, "rehearsal: 1\ntitle: The bridge\nscroll: {scroll:?}\nchecks: {checks}\nhuman: {human}")?;
        let first = [&self.opening[..], &self.summons].concat();
        let rest = [&self.briefing[..], &self.ending].concat();
        match self.is_inherited {
            true => write!(f, "arbiter:\n{}heirs:\n{}", list(&first), part(&rest))?,
            false => write!(f, "arbiter:\n{}", list(&[first, rest].concat()))?,
        }
        write!(f, "orchestrators:\n{}", self.orchestrators())
    }
}
