//! What the docket and a petition refuse, in words.

use mind::Timestamp;
use mind::limits::cut;
use mind::petition::{ClosedPetition, GivenAnswer, PetitionChange, PetitionEnd, PetitionId, PetitionRefusal};

use super::{ChoiceTrouble, DocketTrouble, RefusalReader, RefusalText};
use crate::amount::counted;
use crate::decision::choice_text;
use crate::near::nearest;
use crate::provenance::source;

/// How many names a hint lists.
const LISTED_MAX: usize = 10;
/// How much of a name or a text one line shows, in characters.
const LINE_CHARS_MAX: usize = 200;

pub(super) fn docket_hint(trouble: &DocketTrouble, reader: RefusalReader) -> String {
    match (trouble, reader) {
        (DocketTrouble::Unknown, RefusalReader::Person) => {
            "`arbiter inbox --list` shows what waits, with its ids".to_owned()
        }
        (DocketTrouble::Unknown, RefusalReader::Agent) => {
            "the id is what arbiter_push returned; arbiter_status also finds a petition by its tag".to_owned()
        }
        (DocketTrouble::Ambiguous(candidates), RefusalReader::Person) => {
            format!("type more of {}", listed(candidates.iter().map(|id| &*id.0)))
        }
        (DocketTrouble::Ambiguous(candidates), RefusalReader::Agent) => {
            format!("give the whole id: {}", listed(candidates.iter().map(|id| &*id.0)))
        }
        (DocketTrouble::Gone, RefusalReader::Person) => {
            "its file was removed; `arbiter withdraw` closes it, `arbiter audit` tells its story".to_owned()
        }
        (DocketTrouble::Gone, RefusalReader::Agent) => {
            "its file was removed; push it again if it still matters".to_owned()
        }
        (DocketTrouble::Malformed { file }, RefusalReader::Person) => {
            format!("mend {file}; it is read again as soon as it can be understood")
        }
        (DocketTrouble::Malformed { file }, RefusalReader::Agent) => format!("a person has to mend {file}"),
        (DocketTrouble::NotYours(id), RefusalReader::Person) => {
            format!("a person withdraws it: `arbiter withdraw {id}` in a terminal of their own")
        }
        (DocketTrouble::NotYours(_), RefusalReader::Agent) => {
            "leave it to the agent that asked it, or to the person".to_owned()
        }
        (DocketTrouble::IdTaken, RefusalReader::Person) => {
            "leave its `id` out: a new one is drawn for it".to_owned()
        }
        (DocketTrouble::IdTaken, RefusalReader::Agent) => "push it again".to_owned(),
        (DocketTrouble::LedgerDamaged, RefusalReader::Person) => {
            "`arbiter audit verify` names every fault; `arbiter audit mend` puts it aside and begins a new one"
                .to_owned()
        }
        (DocketTrouble::LedgerDamaged, RefusalReader::Agent) => {
            "tell the person: `arbiter audit verify` says more".to_owned()
        }
        (DocketTrouble::FileBehind { trouble }, RefusalReader::Person) => {
            let first = trouble.hint().map(|hint| format!("{hint}; ")).unwrap_or_default();
            format!("it counts, and need not be done again; {first}the next `arbiter inbox` brings its file in line")
        }
        (DocketTrouble::FileBehind { .. }, RefusalReader::Agent) => {
            "it counts, and need not be done again".to_owned()
        }
        (DocketTrouble::Held { pid: Some(pid), is_stopped: true }, RefusalReader::Person) => {
            format!("`kill -CONT {pid}` lets it go on, `kill {pid}` ends it; then try again")
        }
        (DocketTrouble::Held { pid: Some(pid), is_stopped: false }, RefusalReader::Person) => {
            format!("try again; `ps {pid}` shows what it is")
        }
        (DocketTrouble::Held { pid: None, .. }, RefusalReader::Person) => "try again".to_owned(),
        (DocketTrouble::Held { .. }, RefusalReader::Agent) => {
            "try again; tell the person if it happens again".to_owned()
        }
        (DocketTrouble::Disk { path, trouble }, RefusalReader::Person) => {
            trouble.hint().unwrap_or_else(|| format!("may you read and write {path}?"))
        }
        (DocketTrouble::Disk { .. }, RefusalReader::Agent) => {
            "tell the person if it happens again".to_owned()
        }
    }
}

/// What is recorded of a petition, although its file is behind.
#[must_use]
pub fn what_stands(id: &PetitionId, change: &PetitionChange) -> String {
    match change {
        PetitionChange::Asked => format!("petition {id} is asked"),
        PetitionChange::Answered { decision, .. } | PetitionChange::Changed { decision, .. } => {
            format!("the answer to {} of petition {id} is recorded", line(decision))
        }
        PetitionChange::Late { decision, .. } => {
            format!("the late answer to {} of petition {id} is recorded", line(decision))
        }
        PetitionChange::Assigned { decision: Some(decision), to } => {
            format!("{} of petition {id} is handed to {}", line(decision), line(to))
        }
        PetitionChange::Assigned { decision: None, to } => {
            format!("petition {id} is handed to {}", line(to))
        }
        PetitionChange::Submitted => format!("petition {id} is submitted"),
        PetitionChange::Withdrawn { .. } => format!("petition {id} is withdrawn"),
        PetitionChange::Expired { .. } => format!("petition {id} has expired"),
    }
}

pub(super) fn judged(
    id: &PetitionId,
    is_closed: bool,
    refusal: &PetitionRefusal,
    now: Timestamp,
    reader: RefusalReader,
) -> RefusalText {
    let cause = match refusal {
        PetitionRefusal::NoSuchDecision { .. } => format!("petition {id} has no such decision"),
        PetitionRefusal::AlreadyAnswered(given) => already(given, now),
        PetitionRefusal::Closed(closed) => ended(id, closed),
        PetitionRefusal::NotAnOption { .. } => {
            "that is none of the options, and this decision takes no other answer".to_owned()
        }
        PetitionRefusal::Empty => "there is no answer in it".to_owned(),
        PetitionRefusal::TooLong => format!("an answer has at most {} bytes", mind::limits::CUSTOM_BYTES_MAX),
        PetitionRefusal::QuestionChanged => {
            "a question was changed after it was shown or answered".to_owned()
        }
        PetitionRefusal::RequiresHuman => "only a person may answer this one".to_owned(),
        PetitionRefusal::WaitsFor(first) => format!("{} has to be decided first", line(first)),
        PetitionRefusal::NotReady { open } => {
            format!("still open: {}", listed(open.iter().map(|open| &**open)))
        }
        PetitionRefusal::AssignedTo(name) => format!("{} is asked for this one", line(name)),
        PetitionRefusal::AlreadyAssigned(name) => format!("{} is asked already", line(name)),
        PetitionRefusal::NotAName => "that is no name of a person".to_owned(),
        PetitionRefusal::AgentAssigns => "only a person may hand a petition over".to_owned(),
    };
    let hint = match reader {
        RefusalReader::Person => judged_hint(id, is_closed, refusal),
        RefusalReader::Agent => "look at it with arbiter_status".to_owned(),
    };
    RefusalText { cause, hint: Some(hint) }
}

fn judged_hint(id: &PetitionId, is_closed: bool, refusal: &PetitionRefusal) -> String {
    match refusal {
        PetitionRefusal::NoSuchDecision { known } => {
            format!("it has {}", listed(known.iter().map(|known| &**known)))
        }
        PetitionRefusal::AlreadyAnswered(_) if is_closed => format!("`arbiter get {id}` tells all of it"),
        PetitionRefusal::AlreadyAnswered(_) => "--change answers it anew, until it is submitted".to_owned(),
        PetitionRefusal::Closed(_) => format!("`arbiter get {id}` tells its answers"),
        PetitionRefusal::NotAnOption { keys } => choose(keys),
        PetitionRefusal::Empty => "`arbiter skip` leaves it to the asker".to_owned(),
        PetitionRefusal::TooLong => "put the text into a file and name that file".to_owned(),
        PetitionRefusal::QuestionChanged => format!(
            "read it again: `arbiter status {id}`; `arbiter answer {id} DECISION OPTION --change` answers it anew"
        ),
        PetitionRefusal::RequiresHuman => "answer it at a door: `arbiter inbox`".to_owned(),
        PetitionRefusal::WaitsFor(_) => format!("`arbiter inbox {id}` asks in the right order"),
        PetitionRefusal::NotReady { .. } => {
            format!("`arbiter inbox {id}` answers them; `arbiter skip {id} DECISION` leaves one to the asker")
        }
        PetitionRefusal::AssignedTo(name) => {
            format!("answer it instead of {}, which is recorded, or leave it", line(name))
        }
        PetitionRefusal::AlreadyAssigned(_) => format!("`arbiter status {id}` shows who is asked"),
        PetitionRefusal::NotAName => {
            format!("a name is one line of at most {} signs", mind::limits::ASSIGNEE_CHARS_MAX)
        }
        PetitionRefusal::AgentAssigns => "say `assignee` when you ask".to_owned(),
    }
}

/// A petition's refusal in a few words, for a screen that shows the petition itself.
#[must_use]
pub fn in_short(refusal: &PetitionRefusal) -> &'static str {
    match refusal {
        PetitionRefusal::NoSuchDecision { .. } => "It is no longer there.",
        PetitionRefusal::AlreadyAnswered(_) => "It was answered meanwhile: look again.",
        PetitionRefusal::Closed(_) => "It is closed.",
        PetitionRefusal::NotAnOption { .. } => "Only the options are answers.",
        PetitionRefusal::Empty => "There are no words yet.",
        PetitionRefusal::TooLong => "That is too long.",
        PetitionRefusal::QuestionChanged => "It was changed: read it again.",
        PetitionRefusal::RequiresHuman => "Only a person may answer it.",
        PetitionRefusal::WaitsFor(_) => "Another decision comes first.",
        PetitionRefusal::NotReady { .. } => "Something is still open.",
        PetitionRefusal::AssignedTo(_) => "Another person is asked.",
        PetitionRefusal::AlreadyAssigned(_) => "That person is asked already.",
        PetitionRefusal::NotAName => "That is no name.",
        PetitionRefusal::AgentAssigns => "Only a person may hand it over.",
    }
}

/// "already answered: jwt, by ada, at the command line, 2m ago".
#[must_use]
pub fn already(given: &GivenAnswer, now: Timestamp) -> String {
    let (choice, source) = (line(&choice_text(&given.choice)), line(&source(given, now)));
    let comma = if source.is_empty() { "" } else { ", " };
    format!("already answered: {choice}{comma}{source}")
}

/// "petition a1 was withdrawn: not needed".
#[must_use]
pub fn ended(id: &PetitionId, closed: &ClosedPetition) -> String {
    let end = match closed.end {
        PetitionEnd::Completed => "is submitted",
        PetitionEnd::Withdrawn => "was withdrawn",
        PetitionEnd::Expired => "has expired",
    };
    let why = closed.why.as_deref().filter(|why| !why.is_empty());
    let why = why.map(|why| format!(": {}", line(why))).unwrap_or_default();
    format!("petition {id} {end}{why}")
}

pub(super) fn choice(trouble: &ChoiceTrouble) -> RefusalText {
    match trouble {
        ChoiceTrouble::NoSuchDecision { typed, petition, known } => RefusalText::new(
            format!("petition {petition} has no decision {:?}", line(typed)),
            match nearest(typed, known.iter().map(|known| &**known)) {
                Some(meant) => format!("did you mean {}?", line(meant)),
                None => format!("it has {}", listed(known.iter().map(|known| &**known))),
            },
        ),
        ChoiceTrouble::WhichDecision { petition, known } => RefusalText::new(
            format!("which decision? petition {petition} has {}", listed(known.iter().map(|known| &**known))),
            format!("`arbiter answer {petition} DECISION KEY`; `arbiter status {petition}` shows the keys"),
        ),
        ChoiceTrouble::WhichOption { decision, keys, own_words } => {
            let keys = (!keys.is_empty()).then(|| choose(keys));
            let hints: Vec<String> =
                keys.into_iter().chain(own_words.then(|| OWN_WORDS.to_owned())).collect();
            let hint = (!hints.is_empty()).then(|| hints.join("; "));
            RefusalText { cause: format!("there is no answer to {}", line(decision)), hint }
        }
        ChoiceTrouble::NotAKey { typed, keys, own_words } => RefusalText::new(
            format!("{:?} is not an option", line(typed)),
            match nearest(typed, keys.iter().map(String::as_str)) {
                _ if keys.is_empty() => {
                    "it has no options; say it in your own words: --custom TEXT".to_owned()
                }
                Some(meant) => format!("did you mean {}?", line(meant)),
                None if *own_words => format!("{}; {OWN_WORDS}", choose(keys)),
                None => choose(keys),
            },
        ),
        ChoiceTrouble::OneOnly { typed } => RefusalText::new(
            "one option can be chosen here, not several",
            format!("--custom {typed:?} says it in your own words"),
        ),
    }
}

const OWN_WORDS: &str = "--custom TEXT says it in your own words";

pub(super) fn faults(faults: &[String], reader: RefusalReader) -> RefusalText {
    match (reader, faults) {
        (RefusalReader::Agent, _) => RefusalText::new(
            format!("nothing was asked: the petition has {}", counted(faults.len(), "fault")),
            "mend all of them and push again",
        ),
        (RefusalReader::Person, [only]) => RefusalText::new(format!("this cannot be asked: {only}"), ASKING),
        (RefusalReader::Person, several) => {
            RefusalText::new(format!("this cannot be asked:\n  {}", several.join("\n  ")), ASKING)
        }
    }
}

const ASKING: &str = "nothing was written; `arbiter ask --help` shows how to ask";

fn choose(keys: &[String]) -> String {
    format!("choose one of {}", listed(keys.iter().map(String::as_str)))
}

fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(LISTED_MAX);
    let shown: Vec<String> = names.take(LISTED_MAX).map(line).collect();
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{rest}", shown.join(", "))
}

/// A text of another's hand as one harmless line that is not too long.
fn line(text: &str) -> String {
    cut(&crate::line::line(text), LINE_CHARS_MAX)
}
