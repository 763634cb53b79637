//! What a mission's facts say, without what may differ from run to run: times, ids made from dice, folders, how often
//! Arbiter was started. Two runs of one script are the same story, however often one of them was killed.

use std::collections::BTreeMap;
use std::fmt::Write;

use mind::fact::{
    ContextFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact, ToolFact, TurnFact,
    WorkFact,
};
use mind::{Entry, Fact, State};

/// A mission as a list of lines to compare.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    /// What was said, to whom, in which order.
    pub conversation: Vec<String>,
    /// Each prompt that was given to a session.
    pub prompts: Vec<String>,
    /// The sessions that were summoned, with their roles.
    pub sessions: Vec<String>,
    /// The actors that said yes, and the letters that were taken.
    pub decisions: Vec<String>,
    /// What the checks gave.
    pub receipts: Vec<String>,
    /// Verdicts, turned-back acts, releases and the end.
    pub deeds: Vec<String>,
    /// The last warning that reached each session. An earlier one that was heard right before a fall may be known only by
    /// the later, and may be told after what came of it.
    pub warned: BTreeMap<u32, u8>,
    /// The last checklist of each session: one that was overtaken before it was written down is not told.
    pub tasks: BTreeMap<u32, String>,
}

impl Story {
    /// Reads the story out of a journal. `forget` are words that differ from run to run, such as folders.
    pub fn of(entries: &[Entry], forget: &[String]) -> Story {
        let mut story = Story::default();
        let mut state = State::default();
        for entry in entries {
            state.apply(entry);
            story.add(&entry.fact);
        }
        for line in story.lines_mut() {
            for word in forget.iter().filter(|word| !word.is_empty()) {
                *line = line.replace(word.as_str(), "_");
            }
        }
        story
    }

    fn lines_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.conversation
            .iter_mut()
            .chain(&mut self.prompts)
            .chain(&mut self.sessions)
            .chain(&mut self.decisions)
            .chain(&mut self.receipts)
            .chain(&mut self.deeds)
    }

    fn add(&mut self, fact: &Fact) {
        match fact {
            Fact::Mission(fact) => self.add_mission(fact),
            Fact::Talk(TalkFact::Said { message, from, to, kind, text, asks, .. }) => {
                self.conversation.push(format!("{message} {from} -> {to:?} {kind:?} {asks:?}: {text}"));
            }
            Fact::Talk(TalkFact::Received { inbox_id }) => self.decisions.push(format!("letter {inbox_id}")),
            Fact::Talk(TalkFact::Queued { .. }) => {}
            Fact::Session(id, fact) => self.add_session(id.0, fact),
            Fact::Gate(id, fact) => self.add_gate(id.0, fact),
            Fact::Docket(id, fact) => self.decisions.push(format!("petition {id}: {fact:?}")),
            Fact::Conductor(fact) => self.add_conductor(fact),
        }
    }

    fn add_conductor(&mut self, fact: &mind::conductor::ConductorFact) {
        self.deeds.push(fact.to_string());
    }

    fn add_mission(&mut self, fact: &MissionFact) {
        match fact {
            MissionFact::Consented { by, .. } => self.decisions.push(format!("yes by {by}")),
            MissionFact::AskedOnceMore { who } => self.deeds.push(format!("asked once more for {who}")),
            MissionFact::TurnedBack { why } => self.deeds.push(format!("turned back: {why}")),
            MissionFact::Completed { proof } => self.deeds.push(format!("completed: {proof:?}")),
            MissionFact::Cancelled { by } => self.deeds.push(format!("cancelled by {by}")),
            MissionFact::LimitReached { limit, .. } => self.deeds.push(format!("limit reached: {limit}")),
            MissionFact::Failed { .. } | MissionFact::Exhausted { .. } | MissionFact::PlanOnly { .. } => {
                self.deeds.push(format!("{fact:?}"));
            }
            MissionFact::Halted { why, .. } => self.deeds.push(format!("halted: {why}")),
            MissionFact::Paused { .. } | MissionFact::Resumed { .. } => {
                self.deeds.push(format!("{fact:?}"));
            }
            MissionFact::Opened(_)
            | MissionFact::Attended(_)
            | MissionFact::HandoffAtLimit { .. }
            | MissionFact::LimitsSet { .. }
            | MissionFact::Restarted { .. }
            | MissionFact::CloneReady { .. }
            | MissionFact::CloneRebuilt { .. } => {}
        }
    }

    fn add_session(&mut self, session: u32, fact: &SessionFact) {
        match fact {
            SessionFact::Life(LifeFact::Summoned(profile)) => {
                self.sessions.push(format!("s{session} {:?} {}", profile.role, profile.number));
            }
            SessionFact::Turn(TurnFact::Prompted { turn, text, .. }) => {
                self.prompts.push(format!("s{session} {turn}: {}", timeless(text)));
            }
            SessionFact::Context(ContextFact::Warned { percent }) => {
                _ = self.warned.insert(session, *percent)
            }
            SessionFact::Work(WorkFact::Judged { verdict, findings, .. }) => {
                self.deeds.push(format!("s{session} {verdict:?} {findings:?}"));
            }
            SessionFact::Life(LifeFact::Released) => self.deeds.push(format!("s{session} released")),
            SessionFact::Work(WorkFact::Tasks(tasks)) => {
                let mut line = String::new();
                for task in tasks {
                    let _ = write!(line, " [{:?} {}]", task.status, task.title);
                }
                self.tasks.insert(session, line);
            }
            SessionFact::Turn(TurnFact::Malformed { faults }) => {
                self.deeds.push(format!("s{session} malformed {faults:?}"));
            }
            // How often a tool ran or a gauge moved may differ: what an agent was doing at a crash is done again.
            SessionFact::Work(WorkFact::Spent { .. })
            | SessionFact::Turn(TurnFact::Interjected(_))
            | SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. })
            | SessionFact::Turn(TurnFact::Heard { .. })
            | SessionFact::Tool(ToolFact::Started { .. })
            | SessionFact::Tool(ToolFact::Ended { .. })
            | SessionFact::Context(ContextFact::Gauged(_))
            | SessionFact::Context(ContextFact::WarningSet { .. })
            | SessionFact::Turn(TurnFact::Interrupting { .. })
            | SessionFact::Turn(TurnFact::Rested { .. })
            | SessionFact::Work(WorkFact::Logged { .. })
            | SessionFact::Work(WorkFact::AwaitsReply)
            | SessionFact::Life(LifeFact::SignOfLife)
            | SessionFact::Life(LifeFact::AwaitsHuman(_))
            | SessionFact::Life(LifeFact::Sandboxed(_))
            | SessionFact::Life(LifeFact::ProgramVersion(_))
            | SessionFact::Permission(PermissionFact::Asked { .. })
            | SessionFact::Permission(PermissionFact::AskedAgain { .. })
            | SessionFact::Tool(ToolFact::Denied { .. })
            | SessionFact::Permission(PermissionFact::Answered { .. })
            | SessionFact::Permission(PermissionFact::AnswerGiven { .. })
            | SessionFact::Permission(PermissionFact::Covered { .. })
            | SessionFact::Permission(PermissionFact::Unasked { .. })
            | SessionFact::Life(LifeFact::WaitsForPetition { .. })
            | SessionFact::Life(LifeFact::Waits(_))
            | SessionFact::Turn(TurnFact::Retried { .. })
            | SessionFact::Life(LifeFact::Revived)
            | SessionFact::Life(LifeFact::SilenceWatched { .. })
            | SessionFact::Context(ContextFact::Overflowed)
            | SessionFact::Context(ContextFact::HandoffAsked)
            | SessionFact::Context(ContextFact::TestamentAsked) => {}
        }
    }

    fn add_gate(&mut self, gate: u32, fact: &GateFact) {
        match fact {
            GateFact::Receipt { index, receipt } => self.receipts.push(format!(
                "g{gate} {index} {:?} {} {}",
                receipt.argv, receipt.status, receipt.output_digest
            )),
            GateFact::Refused { why } => self.deeds.push(format!("g{gate} refused: {why}")),
            GateFact::Claimed { .. } | GateFact::Surveyed(_) | GateFact::Brought { .. } => {}
        }
    }
}

/// A prompt without how long earlier runs took.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once(" after ") {
        Some((run, took)) if line.starts_with('#') => {
            let rest = took.find([',', ';', ':']).map_or("", |at| &took[at..]);
            format!("{run}{rest}")
        }
        Some(_) | None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}
