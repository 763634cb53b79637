//! Compares a petition's file with its ledger lines: a person's edit is adopted, an answer that another program
//! overwrote is restored, and a passed deadline is added. Pure: it returns what must be recorded and written.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{
    AnswerChoice, ClosedPetition, Decision, GivenAnswer, Petition, PetitionChange, PetitionEnd, SeenQuestion,
};

use crate::docket::PetitionPlace;
use crate::ledger::LedgerLine;
use crate::open_petition::shortened;
use crate::text::Edit;

/// The outcome of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Ledger lines to be added.
    pub lines: Vec<(PetitionChange, Actor, Timestamp)>,
    /// Edits of the file.
    pub edits: Vec<Edit>,
    /// The folder in which the file belongs.
    pub place: PetitionPlace,
    /// The petition after all of that.
    pub petition: Petition,
}

/// Compares a file with the petition's ledger lines. `hand` is the person who edits the file.
pub(crate) fn reconcile(
    file: &Petition,
    place: PetitionPlace,
    history: &[LedgerLine],
    hand: &Actor,
    now: Timestamp,
) -> Findings {
    let mut petition = file.clone();
    let asked = history.first().map(|asked| asked.requires_human.as_slice()).unwrap_or_default();
    for decision in petition.decisions.iter_mut().filter(|decision| asked.contains(&decision.id)) {
        decision.requires_human = true;
    }
    let file = &petition.clone();
    let claimed = petition.closed.take();
    let mut findings = Findings { lines: Vec::new(), edits: Vec::new(), place, petition };
    if history.is_empty() {
        if place == PetitionPlace::Completed {
            // The petition was closed before the ledger began.
            findings.petition.closed = claimed;
            return findings;
        }
        findings.lines.push((PetitionChange::Asked, Actor::Agent(shortened(&file.agent)), now));
    }
    let closing = history.iter().find(|record| record.closes());
    let mut scale = Scale { history, closing, hand, now, findings };
    scale.reconcile_assignees(file);
    for decision in &file.decisions {
        scale.reconcile_decision(file, decision);
    }
    match closing {
        Some(record) => scale.finish(record, claimed.as_ref()),
        None => {
            scale.hear(claimed.as_ref());
            scale.ring();
        }
    }
    scale.findings
}

struct Scale<'a> {
    history: &'a [LedgerLine],
    closing: Option<&'a LedgerLine>,
    hand: &'a Actor,
    now: Timestamp,
    findings: Findings,
}

impl Scale<'_> {
    /// Once somebody was named by a recorded act, only recorded acts count: a file does not prove who edits it.
    fn reconcile_assignees(&mut self, file: &Petition) {
        for (decision, record) in assignments(self.history) {
            let found = match decision.map(|id| file.decision(id)) {
                None => file.assignee.as_ref(),
                Some(Some(decision)) => decision.assignee.as_ref(),
                Some(None) => continue,
            };
            if found != record.assigned().map(|(_, to)| to) {
                self.restore(record);
            }
        }
    }

    fn reconcile_decision(&mut self, file: &Petition, decision: &Decision) {
        let of_it = |record: &&LedgerLine| record.decision().is_some_and(|id| *id == decision.id);
        let known: Vec<&LedgerLine> = self.history.iter().filter(of_it).collect();
        let Some(newest) = known.last() else {
            if let Some(given) = &decision.answer {
                match self.adopted(file, decision, given) {
                    Some((change, at)) => self.record(change, self.hand.clone(), at),
                    None => self.erase(&decision.id),
                }
            }
            return;
        };
        let stands = given(newest);
        let Some(found) = &decision.answer else { return self.restore(newest) };
        if Some(found) == stands.as_ref() {
            return;
        }
        let same_choice = stands.as_ref().is_some_and(|stands| stands.choice == found.choice);
        let is_old = known.iter().filter_map(|record| given(record)).any(|old| {
            old.choice == found.choice && (old.at == found.at || self.is_before(found, newest.at))
        });
        let adopted = match self.closing.is_none() && !same_choice && !is_old {
            true => self.adopted(file, decision, found),
            false => None,
        };
        match adopted {
            Some((PetitionChange::Answered { decision, choice, digest, instead_of }, at)) => {
                let change = PetitionChange::Changed { decision, choice, digest, instead_of };
                self.record(change, self.hand.clone(), at);
            }
            Some(_) | None => self.restore(newest),
        }
    }

    /// Whether the file's answer is older than `at`, by its own time. An answer without a time is a copy that another
    /// program made before we wrote the time into the file; a person who edits leaves that line as it is.
    fn is_before(&self, found: &GivenAnswer, at: Timestamp) -> bool {
        found.at != Some(at) && found.at.is_none_or(|said| said < at || said > self.now)
    }

    /// The change that an edit of the file becomes in the ledger; none if the edit does not count.
    fn adopted(
        &self,
        file: &Petition,
        decision: &Decision,
        given: &GivenAnswer,
    ) -> Option<(PetitionChange, Timestamp)> {
        let end = self.closing.map(|record| &record.change);
        if matches!(end, Some(PetitionChange::Submitted)) {
            return None;
        }
        // Each answer is judged alone: the file does not show in which order a person wrote them.
        let mut alone = file.clone();
        alone.closed = None;
        let its_own = alone.decisions.iter_mut().find(|other| other.id == decision.id)?;
        its_own.answer = None;
        its_own.depends_on.clear();
        let instead_of = given.instead_of.clone().filter(|name| alone.assignee(decision) == Some(name));
        let seen = SeenQuestion { instead_of, ..SeenQuestion::default() };
        let judged = alone.answer(&decision.id, given.choice.clone(), &seen, self.hand).ok()?;
        let change = match (judged, end) {
            (PetitionChange::Answered { decision, choice, digest, instead_of }, Some(_)) => {
                PetitionChange::Late { decision, choice, digest, instead_of }
            }
            (judged, _) => judged,
        };
        let before = self.history.last().map_or(file.created_at, |record| record.at);
        let at = given.at.filter(|at| *at > before && *at <= self.now).unwrap_or(self.now);
        Some((change, at))
    }

    /// The ledger says that the petition is closed: the file must say so too.
    fn finish(&mut self, record: &LedgerLine, claimed: Option<&ClosedPetition>) {
        self.findings.petition.apply(&record.change, &record.by, record.at);
        let closed = self.findings.petition.closed.as_ref();
        let why = |closed: &ClosedPetition| closed.why.clone().filter(|why| !why.is_empty());
        let is_said = closed.zip(claimed).is_some_and(|(closed, claimed)| {
            closed.end == claimed.end && closed.at == claimed.at && why(closed) == why(claimed)
        });
        if !is_said {
            self.write(record);
        }
        self.findings.place = PetitionPlace::Completed;
    }

    /// The ledger says that the petition is open: another program may have closed it in the file.
    fn hear(&mut self, claimed: Option<&ClosedPetition>) {
        if self.findings.place == PetitionPlace::Pending {
            // Only its decisions are believed.
            return;
        }
        let change = match claimed.map(|closed| closed.end) {
            Some(PetitionEnd::Completed) if self.is_stale() => None,
            Some(PetitionEnd::Completed) => self.findings.petition.submit().ok(),
            Some(PetitionEnd::Withdrawn) => {
                let why = claimed.and_then(|closed| closed.why.clone());
                self.findings.petition.withdraw(why.as_deref().unwrap_or(""), self.hand).ok()
            }
            Some(PetitionEnd::Expired) | None => None,
        };
        match change {
            Some(change) => self.record(change, self.hand.clone(), self.now),
            None => self.findings.place = PetitionPlace::Pending,
        }
    }

    /// Adds the change that a passed deadline makes.
    fn ring(&mut self) {
        for (change, by) in self.findings.petition.due(self.now) {
            if change == PetitionChange::Submitted && self.is_stale() {
                // No person agreed to the question as it stands now.
                let why = Arc::from("a question was changed after it was answered");
                self.record(PetitionChange::Expired { why }, by, self.now);
            } else {
                self.record(change, by, self.now);
            }
        }
        if self.findings.petition.closed.is_some() {
            self.findings.place = PetitionPlace::Completed;
        }
    }

    /// Whether an answer was given to another question than the one that is there.
    fn is_stale(&self) -> bool {
        let new = self.findings.lines.iter().map(|(change, ..)| change);
        let said = self.history.iter().map(|record| &record.change).chain(new);
        answers_another_question(&self.findings.petition, said)
    }

    fn record(&mut self, change: PetitionChange, by: Actor, at: Timestamp) {
        self.findings.petition.apply(&change, &by, at);
        self.findings.edits.push(Edit::Write { change: change.clone(), by: by.clone(), at });
        self.findings.lines.push((change, by, at));
    }

    fn restore(&mut self, record: &LedgerLine) {
        self.findings.petition.apply(&record.change, &record.by, record.at);
        self.write(record);
    }

    fn write(&mut self, record: &LedgerLine) {
        let (change, by, at) = (record.change.clone(), record.by.clone(), record.at);
        self.findings.edits.push(Edit::Write { change, by, at });
    }

    fn erase(&mut self, id: &Arc<str>) {
        if let Some(decision) = self.findings.petition.decisions.iter_mut().find(|d| d.id == *id) {
            decision.answer = None;
        }
        self.findings.edits.push(Edit::Erase { decision: Arc::clone(id), at: self.now });
    }
}

/// Whether the question of a decision was changed after its newest answer. A skip leaves the decision to the asker,
/// whatever it asks.
pub(crate) fn answers_another_question<'a>(
    petition: &Petition,
    said: impl Iterator<Item = &'a PetitionChange>,
) -> bool {
    let mut newest = BTreeMap::new();
    for change in said {
        match change {
            PetitionChange::Answered { decision, choice, digest, .. }
            | PetitionChange::Changed { decision, choice, digest, .. }
            | PetitionChange::Late { decision, choice, digest, .. } => {
                newest.insert(decision, (choice, digest));
            }
            PetitionChange::Asked
            | PetitionChange::Assigned { .. }
            | PetitionChange::Submitted
            | PetitionChange::Withdrawn { .. }
            | PetitionChange::Expired { .. } => {}
        }
    }
    petition.decisions.iter().any(|decision| {
        let is_other = |(choice, digest): &(&AnswerChoice, &Arc<str>)| {
            **choice != AnswerChoice::Skipped && **digest != petition.digest(decision)
        };
        newest.get(&decision.id).is_some_and(is_other)
    })
}

/// A ledger line's answer as the file must have it.
pub(crate) fn given(record: &LedgerLine) -> Option<GivenAnswer> {
    let late = matches!(record.change, PetitionChange::Late { .. });
    let (choice, instead_of) = choice(&record.change)?;
    let (choice, instead_of) = (choice.clone(), instead_of.clone());
    let by = Some(Arc::from(record.by.to_string()));
    Some(GivenAnswer { choice, at: Some(record.at), by, via: record.by.door(), instead_of, late })
}

/// Who is asked by the newest lines that hand something over: for each decision, and for all of it under no name.
pub(crate) fn assignments(history: &[LedgerLine]) -> BTreeMap<Option<&str>, &LedgerLine> {
    history.iter().filter_map(|record| Some((record.assigned()?.0, record))).collect()
}

fn choice(change: &PetitionChange) -> Option<(&AnswerChoice, &Option<Arc<str>>)> {
    match change {
        PetitionChange::Answered { choice, instead_of, .. }
        | PetitionChange::Changed { choice, instead_of, .. }
        | PetitionChange::Late { choice, instead_of, .. } => Some((choice, instead_of)),
        PetitionChange::Asked
        | PetitionChange::Assigned { .. }
        | PetitionChange::Submitted
        | PetitionChange::Withdrawn { .. }
        | PetitionChange::Expired { .. } => None,
    }
}
