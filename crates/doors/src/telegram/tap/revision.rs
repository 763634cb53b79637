//! What stood there when a button was drawn. Whatever changes what a tap would decide changes the revision.

use mind::digest::Digest;
use mind::petition::{AnswerChoice, Decision, Petition, PetitionEnd};

use super::short;

/// How many signs a revision has.
pub(super) const REVISION_SIGNS: usize = 6;

/// What stood there when a button was drawn, in six signs: the question with its answer, or all answers of a petition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(pub String);

impl Revision {
    /// Of a question as it is shown with its answer.
    #[must_use]
    pub fn of_decision(petition: &Petition, decision: &Decision) -> Revision {
        let mut digest = Digest::default();
        add_end(&mut digest, petition);
        add(&mut digest, petition, decision);
        Revision(short(digest, REVISION_SIGNS))
    }

    /// Of all questions with their answers, and how the petition ended.
    #[must_use]
    pub fn of_petition(petition: &Petition) -> Revision {
        let mut digest = Digest::default();
        add_end(&mut digest, petition);
        digest.add_part(petition.assignee.as_deref().unwrap_or_default());
        petition.decisions.iter().for_each(|decision| add(&mut digest, petition, decision));
        Revision(short(digest, REVISION_SIGNS))
    }
}

fn add_end(digest: &mut Digest, petition: &Petition) {
    digest.add_part(match petition.closed.as_ref().map(|closed| closed.end) {
        None => "open",
        Some(PetitionEnd::Completed) => "completed",
        Some(PetitionEnd::Withdrawn) => "withdrawn",
        Some(PetitionEnd::Expired) => "expired",
    });
}

fn add(digest: &mut Digest, petition: &Petition, decision: &Decision) {
    digest.add_part(&*petition.digest(decision));
    digest.add_part([u8::from(decision.multi), u8::from(decision.takes_custom())]);
    digest.add_part(decision.assignee.as_deref().unwrap_or_default());
    let (kind, text) = match decision.answer.as_ref().map(|given| (&given.choice, given.late)) {
        None => ("open", ""),
        Some((AnswerChoice::Answer(text), false)) => ("answered", &**text),
        Some((AnswerChoice::Answer(text), true)) => ("late", &**text),
        Some((AnswerChoice::Skipped, false)) => ("skipped", ""),
        Some((AnswerChoice::Skipped, true)) => ("skipped late", ""),
    };
    digest.add_part(kind);
    digest.add_part(text);
}
