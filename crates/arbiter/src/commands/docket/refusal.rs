//! What a person is told when the docket refuses: the cause, what helps, and the exit code.

use std::sync::Arc;

use docket::DocketError;
use mind::petition::{Closed, Decision, End, Given, Petition, PetitionId, Refusal};
use view::near::nearest;

use super::tell;
use crate::complaint::{Code, Complaint};
use crate::project::home;

/// How many ids a hint names.
const SHOWN_MAX: usize = 10;

impl From<DocketError> for Complaint {
    fn from(error: DocketError) -> Complaint {
        if let DocketError::Refused { refusal, petition } = &error {
            return refused(refusal, petition);
        }
        let (code, hint) = match &error {
            DocketError::Unknown { .. } => {
                (Code::Usage, "`arbiter inbox --list` shows what waits, with its ids".to_owned())
            }
            DocketError::Ambiguous { candidates, .. } => {
                (Code::Usage, format!("type more of {}", listed(candidates.iter().map(|id| &*id.0))))
            }
            DocketError::Gone { .. } => (
                Code::Failed,
                "somebody removed its file; `arbiter withdraw` settles it, `arbiter audit` tells its story".to_owned(),
            ),
            DocketError::Malformed { file, .. } => {
                let file = file.display();
                (Code::Failed, format!("mend {file}; it is read again as soon as it can be understood"))
            }
            DocketError::NotYours { id, .. } => (
                Code::Failed,
                format!("a person withdraws it: `arbiter withdraw {id}` in a terminal of their own"),
            ),
            DocketError::Taken { .. } => {
                (Code::Failed, "leave its `id` out: a new one is drawn for it".to_owned())
            }
            DocketError::Damaged { .. } => (
                Code::Failed,
                "`arbiter audit verify` names every fault; `arbiter audit mend` puts it aside and begins a new one"
                    .to_owned(),
            ),
            DocketError::Disk { path, source } => {
                let otherwise = || format!("may you read and write {}?", path.display());
                (Code::Failed, home::disk_hint(path, source.kind()).unwrap_or_else(otherwise))
            }
            DocketError::Refused { .. } => (Code::Failed, String::new()),
        };
        Complaint::of(code, &error).hint(hint)
    }
}

fn refused(refusal: &Refusal, petition: &Petition) -> Complaint {
    let id = &petition.id;
    let (code, cause, hint) = match refusal {
        Refusal::NoSuchDecision { known } => (
            Code::Usage,
            format!("petition {id} has no such decision"),
            format!("it has {}", listed(known.iter().map(|known| &**known))),
        ),
        Refusal::AlreadyAnswered(given) => (
            Code::Failed,
            already(given),
            match &petition.closed {
                None => "--change answers it anew, until it is submitted".to_owned(),
                Some(_) => format!("`arbiter get {id}` tells all of it"),
            },
        ),
        Refusal::Closed(closed) => {
            (Code::Failed, ended(id, closed), format!("`arbiter get {id}` tells its answers"))
        }
        Refusal::NotAnOption { keys } => (
            Code::Usage,
            "that is none of the options, and this decision takes no other answer".to_owned(),
            format!("choose one of {}", listed(keys.iter().map(String::as_str))),
        ),
        Refusal::Empty => (
            Code::Usage,
            "there is no answer in it".to_owned(),
            "`arbiter skip` leaves it to the asker".to_owned(),
        ),
        Refusal::TooLong => (
            Code::Usage,
            format!("an answer has at most {} bytes", mind::limits::CUSTOM_BYTES_MAX),
            "put the text into a file and name that file".to_owned(),
        ),
        Refusal::QuestionChanged => (
            Code::Failed,
            "a question was changed after it was shown or answered".to_owned(),
            format!(
                "read it again: `arbiter status {id}`; `arbiter answer {id} DECISION OPTION --change` answers it anew"
            ),
        ),
        Refusal::RequiresHuman => (
            Code::Failed,
            "only a person may answer this one".to_owned(),
            "answer it at a door: `arbiter inbox`".to_owned(),
        ),
        Refusal::WaitsFor(first) => (
            Code::Failed,
            format!("{first} has to be decided first"),
            format!("`arbiter inbox {id}` asks in the right order"),
        ),
        Refusal::NotReady { open } => (
            Code::Failed,
            format!("still open: {}", listed(open.iter().map(|open| &**open))),
            format!(
                "`arbiter inbox {id}` answers them; `arbiter skip {id} DECISION` leaves one to the asker"
            ),
        ),
    };
    Complaint::new(code, cause).hint(hint)
}

/// Somebody was faster.
pub(super) fn already(given: &Given) -> String {
    format!("already answered: {}{}", tell::choice(&given.choice), tell::source(given))
}

/// It can be answered no more.
pub(super) fn ended(id: &PetitionId, closed: &Closed) -> String {
    let end = match closed.end {
        End::Completed => "is submitted",
        End::Withdrawn => "was withdrawn",
        End::Expired => "has expired",
    };
    let why = closed.why.as_deref().filter(|why| !why.is_empty());
    let why = why.map(|why| format!(": {}", tell::line(why))).unwrap_or_default();
    format!("petition {id} {end}{why}")
}

/// A word that is no decision's id.
pub(super) fn no_decision(typed: &str, petition: &Petition) -> Complaint {
    let cause = format!("petition {} has no decision {:?}", petition.id, tell::line(typed));
    let hint = match nearest(typed, petition.decisions.iter().map(|decision| &*decision.id)) {
        Some(meant) => format!("did you mean {}?", tell::line(meant)),
        None => format!("it has {}", decisions(petition)),
    };
    Complaint::new(Code::Usage, cause).hint(hint)
}

/// Nobody said which one is answered.
pub(super) fn which_decision(petition: &Petition) -> Complaint {
    let id = &petition.id;
    let cause = format!("which decision? petition {id} has {}", decisions(petition));
    Complaint::new(Code::Usage, cause)
        .hint(format!("`arbiter answer {id} DECISION KEY`; `arbiter status {id}` shows the keys"))
}

/// Nobody said how it is answered.
pub(super) fn which_option(decision: &Decision, keys: &[&str]) -> Complaint {
    let own = if decision.takes_custom() { "--custom TEXT says it in your own words" } else { "" };
    let hint = match (keys.is_empty(), own.is_empty()) {
        (true, _) => own.to_owned(),
        (false, true) => format!("choose one of {}", listed(keys.iter().copied())),
        (false, false) => format!("choose one of {}; {own}", listed(keys.iter().copied())),
    };
    let cause = format!("there is no answer to {}", tell::line(&decision.id));
    Complaint::new(Code::Usage, cause).hint(hint)
}

fn decisions(petition: &Petition) -> String {
    listed(petition.decisions.iter().map(|decision| &*decision.id))
}

/// A word that is no option's key.
pub(super) fn not_a_key(word: &str, keys: &[&str], takes_custom: bool) -> Complaint {
    let cause = format!("{:?} is not an option", tell::line(word));
    let hint = match (nearest(word, keys.iter().copied()), keys.is_empty()) {
        (_, true) => "it has no options; say it in your own words: --custom TEXT".to_owned(),
        (Some(meant), false) => format!("did you mean {meant}?"),
        (None, false) => {
            let own = if takes_custom { "; --custom TEXT says it in your own words" } else { "" };
            format!("choose one of {}{own}", listed(keys.iter().copied()))
        }
    };
    Complaint::new(Code::Usage, cause).hint(hint)
}

/// What an agent sent and what cannot be asked: every fault is told.
pub(super) fn faulty(faults: &[String]) -> Complaint {
    let cause = match faults {
        [only] => format!("this cannot be asked: {only}"),
        several => format!("this cannot be asked:\n  {}", several.join("\n  ")),
    };
    Complaint::new(Code::Usage, cause).hint("nothing was written; `arbiter ask --help` shows how to ask")
}

fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(SHOWN_MAX);
    let shown: Vec<Arc<str>> = names.take(SHOWN_MAX).map(|name| Arc::from(tell::line(name))).collect();
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{rest}", shown.join(", "))
}
