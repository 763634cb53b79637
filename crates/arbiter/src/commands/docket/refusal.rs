//! What the docket refuses at the command line: errors of the docket and words that name no answer become complaints.

use std::sync::Arc;

use docket::DocketError;
use doors::refusal::docket_refusal;
use mind::petition::{ClosedPetition, Decision, GivenAnswer, Petition, PetitionId};
use view::refusal::{self, ChoiceTrouble, RefusalCause};

use super::now;
use crate::cli_error::CliError;

impl From<DocketError> for CliError {
    fn from(error: DocketError) -> CliError {
        CliError::from_docket(&error)
    }
}

impl CliError {
    pub(super) fn from_docket(error: &DocketError) -> CliError {
        docket_refusal(error, now()).into()
    }
}

/// Another answer came first.
pub(super) fn already(given: &GivenAnswer) -> String {
    refusal::already(given, now())
}

/// It can be answered no more.
pub(super) fn ended(id: &PetitionId, closed: &ClosedPetition) -> String {
    refusal::ended(id, closed)
}

/// A word that is no decision's id.
pub(super) fn no_decision(typed: &str, petition: &Petition) -> CliError {
    let (id, known) = (petition.id.clone(), decisions(petition));
    choice(ChoiceTrouble::NoSuchDecision { typed: typed.to_owned(), petition: id, known })
}

/// The command does not say which decision is answered.
pub(super) fn which_decision(petition: &Petition) -> CliError {
    choice(ChoiceTrouble::WhichDecision { petition: petition.id.clone(), known: decisions(petition) })
}

/// The command does not say how it is answered.
pub(super) fn which_option(decision: &Decision, keys: &[&str]) -> CliError {
    let own_words = decision.takes_custom();
    choice(ChoiceTrouble::WhichOption { decision: Arc::clone(&decision.id), keys: owned(keys), own_words })
}

/// A word that is no option's key.
pub(super) fn not_a_key(word: &str, keys: &[&str], own_words: bool) -> CliError {
    choice(ChoiceTrouble::NotAKey { typed: word.to_owned(), keys: owned(keys), own_words })
}

/// Several options where one is asked for.
pub(super) fn one_only(typed: String) -> CliError {
    choice(ChoiceTrouble::OneOnly { typed })
}

/// A petition with faults: every one of them is told.
pub(super) fn faulty(faults: &[String]) -> CliError {
    RefusalCause::Faults(faults.to_vec()).into()
}

fn choice(trouble: ChoiceTrouble) -> CliError {
    RefusalCause::Choice(trouble).into()
}

fn decisions(petition: &Petition) -> Vec<Arc<str>> {
    petition.decisions.iter().map(|decision| Arc::clone(&decision.id)).collect()
}

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}
