//! What a report tells, gathered in one pass over the journal: the sum of the facts, and what the sum forgets, such as
//! gauges over time and who answered which question when.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::actor::Actor;
use mind::conductor::ConductorFact;
use mind::fact::{
    ContextFact, GateFact, MissionFact, PermissionFact, SessionFact, TalkFact, ToolFact, WorkFact,
};
use mind::session::{Gauge, QueuedMessage, Section};
use mind::talk::{Speaker, Verdict};
use mind::{Entry, Fact, GateId, MessageId, PermissionId, SessionId, State, Timestamp};
use view::actor::actor_words;
use view::receipt::ReceiptView;
use view::remark::RemarkKind;
use view::told::{self, FactView};

use crate::mission::fact_log::FactLogError;
use crate::mission::port::{FolderPort, MissionFiles as _};

/// A gauge is told again when it has moved by this many points.
const GAUGE_POINTS: u64 = 5;

/// A mission, as a report tells it.
#[derive(Debug, Default)]
pub struct Account {
    /// The sum of the facts.
    pub state: State,
    /// How many facts there are.
    pub entries: u64,
    /// The yes before the first summon.
    pub consent: Option<ConsentGiven>,
    /// What each session left behind.
    pub traces: BTreeMap<SessionId, Trace>,
    /// The handoffs of each Orchestrator, by its number.
    pub handoffs: BTreeMap<u32, Vec<(Timestamp, Arc<str>)>>,
    /// What the human was asked.
    pub questions: Vec<ReportQuestion>,
    /// Tools that asked whether they may run, and by whose word they did or did not.
    pub permissions: Vec<Permission>,
    /// The checks that ran.
    pub receipts: Vec<(Timestamp, GateId, ReceiptView)>,
    /// What needed attention.
    pub warnings: Vec<ReportRemark>,
    /// Acts and claims that were turned back.
    pub turned_back: Vec<ReportRemark>,
}

/// The yes before the work.
#[derive(Debug)]
pub struct ConsentGiven {
    /// When it was given.
    pub at: Timestamp,
    /// Who gave it.
    pub by: Actor,
    /// The question it answers; a policy answers none.
    pub question: Option<MessageId>,
}

/// What a session left behind.
#[derive(Debug, Default)]
pub struct Trace {
    /// How full it was, at each change that is worth telling.
    pub gauges: Vec<(Timestamp, Gauge)>,
    /// What it judged.
    pub verdicts: Vec<Judged>,
}

/// A verifier's word.
#[derive(Debug)]
pub struct Judged {
    /// When it was judged.
    pub at: Timestamp,
    /// Pass or fail.
    pub verdict: Verdict,
    /// The commit it judged, if it is known.
    pub commit: Option<Arc<str>>,
    /// What it found.
    pub findings: Vec<String>,
}

/// A question to the human.
#[derive(Debug)]
pub struct ReportQuestion {
    /// The message that asks it.
    pub asked: MessageId,
    /// The message that answers it, with who and when in it.
    pub answer: Option<MessageId>,
}

/// Whether a tool might run.
#[derive(Debug)]
pub struct Permission {
    /// When it was decided.
    pub at: Timestamp,
    /// The permission that was answered, now or before; none if the policy decided without asking.
    pub ask: Option<PermissionId>,
    /// The session whose tool it is.
    pub session: SessionId,
    /// What would run.
    pub what: Arc<str>,
    /// The answer, and who gave it.
    pub answer: String,
    /// What the answer is bound to.
    pub digest: Arc<str>,
}

/// A line with its place.
#[derive(Debug)]
pub struct ReportRemark {
    /// The entry of the journal.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// What it says, for people.
    pub text: String,
}

impl Account {
    /// Reads a journal that another process may be writing.
    pub fn read(port: &FolderPort) -> Result<Account, FactLogError> {
        let mut account = Account::default();
        let mut tail = port.tail()?;
        while let Some(entries) = tail.next()? {
            for (seq, entry) in &entries {
                account.take(*seq, entry);
            }
        }
        Ok(account)
    }

    fn take(&mut self, seq: u64, entry: &Entry) {
        let before = self.state.clone();
        self.state.apply(entry);
        self.entries = seq;
        match &entry.fact {
            Fact::Mission(fact) => self.take_mission(seq, entry, fact, &before),
            Fact::Talk(fact) => self.take_talk(entry.at, fact, &before),
            Fact::Session(id, fact) => {
                self.take_session(*id, entry.at, fact);
                self.take_permission(*id, entry.at, fact, &before);
                self.warn(seq, entry, &before);
            }
            Fact::Gate(id, GateFact::Receipt { receipt, .. }) => {
                self.receipts.push((entry.at, *id, ReceiptView::of(&Arc::new(receipt.clone()))));
            }
            Fact::Gate(_, GateFact::Refused { why }) => self.turn_back(seq, entry.at, why),
            Fact::Conductor(ConductorFact::TurnedBack { why }) => self.turn_back(seq, entry.at, why),
            Fact::Docket(..) | Fact::Gate(..) | Fact::Conductor(_) => self.warn(seq, entry, &before),
        }
    }

    fn take_mission(&mut self, seq: u64, entry: &Entry, fact: &MissionFact, before: &State) {
        if let MissionFact::TurnedBack { why } = fact {
            self.turn_back(seq, entry.at, why);
            return;
        }
        if let MissionFact::Consented { by, question } = fact {
            self.consent = Some(ConsentGiven { at: entry.at, by: by.clone(), question: *question });
        }
        self.warn(seq, entry, before);
    }

    fn take_talk(&mut self, at: Timestamp, fact: &TalkFact, before: &State) {
        if let TalkFact::Queued {
            message: QueuedMessage::Report { section: Section::Handoff, number, text },
            ..
        } = fact
        {
            let told = self.handoffs.entry(*number).or_default();
            // A new Arbiter session inherits the mail of the old one: that is the same handoff, not another.
            if told.iter().all(|(_, known)| known != text) {
                told.push((at, text.clone()));
            }
        }
        let TalkFact::Said { message, from, .. } = fact else { return };
        if self.state.question == Some(*message) {
            self.questions.push(ReportQuestion { asked: *message, answer: None });
        }
        let answered = before.question.filter(|_| self.state.question.is_none());
        if let (Speaker::Human(_), Some(asked)) = (from, answered)
            && let Some(question) = self.questions.iter_mut().rfind(|known| known.asked == asked)
        {
            question.answer = Some(*message);
        }
    }

    fn take_session(&mut self, id: SessionId, at: Timestamp, fact: &SessionFact) {
        let trace = self.traces.entry(id).or_default();
        if let SessionFact::Context(ContextFact::Gauged(gauge)) = fact {
            let is_news = |known: &Gauge| {
                let moved = known.percent().abs_diff(gauge.percent()) >= GAUGE_POINTS;
                moved || known.is_guess() != gauge.is_guess()
            };
            if trace.gauges.last().is_none_or(|(_, known)| is_news(known)) {
                trace.gauges.push((at, gauge.clone()));
            }
        }
        if let SessionFact::Work(WorkFact::Judged { verdict, findings, commit }) = fact {
            let (findings, commit) = (findings.clone(), commit.clone());
            trace.verdicts.push(Judged { at, verdict: *verdict, commit, findings });
        }
    }

    fn take_permission(&mut self, session: SessionId, at: Timestamp, fact: &SessionFact, before: &State) {
        let permission =
            if let SessionFact::Permission(PermissionFact::Covered { permission, request }) = fact {
                let answer = format!("yes, covered by {permission}");
                Permission {
                    at,
                    ask: Some(*permission),
                    session,
                    what: request.what.clone(),
                    answer,
                    digest: request.digest.clone(),
                }
            } else if let SessionFact::Permission(PermissionFact::Answered {
                permission,
                digest,
                allowed,
                by,
                scope,
                why,
            }) = fact
            {
                let what = before
                    .permission(*permission)
                    .map_or_else(|| Arc::from(""), |(_, asked)| asked.request.what.clone());
                let word = told::answer(*allowed, *scope);
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                let answer = format!("{word}, by {}{why}", actor_words(by));
                Permission { at, ask: Some(*permission), session, what, answer, digest: digest.clone() }
            } else if let SessionFact::Tool(ToolFact::Denied { tool, what, why }) = fact {
                let (what, answer) = (Arc::from(format!("{tool} {what}")), format!("no, by policy: {why}"));
                Permission { at, ask: None, session, what, answer, digest: Arc::from("") }
            } else {
                return;
            };
        self.permissions.push(permission);
    }

    fn turn_back(&mut self, seq: u64, at: Timestamp, why: &str) {
        self.turned_back.push(ReportRemark { seq, at, text: why.to_owned() });
    }

    /// What live output tells as needing attention is a warning here, whatever fact it comes from.
    fn warn(&mut self, seq: u64, entry: &Entry, before: &State) {
        for told in told::tell(entry, before, &self.state) {
            if let FactView::Remark(remark) = told
                && matches!(remark.kind, RemarkKind::Trouble | RemarkKind::Setback)
            {
                self.warnings.push(ReportRemark { seq, at: entry.at, text: remark.text });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handoff_that_is_posted_again_to_an_heir_is_told_once() {
        let posted = |to: u32, text: &str| {
            let report = serde_json::json!({"section": "handoff", "number": 1, "text": text});
            let fact = serde_json::json!({"talk": {"queued": {"to": to, "message": {"report": report}}}});
            serde_json::from_value::<Entry>(serde_json::json!({"at": 7, "fact": fact})).expect("an entry")
        };
        let mut account = Account::default();
        for (seq, entry) in (1..).zip([posted(1, "done"), posted(3, "done"), posted(3, "and more")]) {
            account.take(seq, &entry);
        }
        let told: Vec<&str> = account.handoffs[&1].iter().map(|(_, text)| text.as_ref()).collect();
        assert_eq!(told, ["done", "and more"]);
    }
}
