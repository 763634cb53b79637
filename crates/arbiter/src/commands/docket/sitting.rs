//! `inbox ID`: a person answers one petition, line by line. Every answer is bound to what was shown and on the disk before
//! the next question comes, so leaving loses nothing.

use std::io::{self, BufRead as _};
use std::sync::Arc;

use docket::{DocketError, StoredPetition};
use mind::actor::Actor;
use mind::petition::{AnswerChoice, PetitionId, PetitionRefusal, PetitionStatus, SeenAnswer, SeenQuestion};
use view::amount::counted;

use super::typed::{Typed, command, read};
use super::{Clerk, act, now, refusal, signs, tell};
use crate::cli_error::CliError;
use crate::terminal::console::{self, Line, LineInk, folded};

/// How a sitting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// The petition is closed.
    Closed,
    /// It is still open; the answers are kept.
    Open,
    /// Its file is no longer there.
    Gone,
    /// Nothing can be typed any more.
    End,
}

/// Where in the petition one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Decision(usize),
    Review,
}

/// Shows a petition and takes the answers.
pub(super) fn sit(clerk: &Clerk, id: &PetitionId, by: &Actor) -> Result<Left, CliError> {
    let mut sitting = Sitting { clerk, by, kept: clerk.docket.find(&id.0, now())? };
    let petition = &sitting.kept.petition;
    let mut lines = vec![(LineInk::Words, String::new())];
    lines.extend(tell::head(petition));
    lines.extend(tell::block(&petition.context, &sitting.kept.file.display().to_string()));
    let _ = signs::write(&lines);
    if let Some(closed) = &petition.closed {
        note(&refusal::ended(&petition.id, closed));
        return Ok(Left::Closed);
    }
    let mut at = sitting.next_open(0);
    loop {
        let step = match at {
            At::Decision(nth) => sitting.decide(nth),
            At::Review => sitting.review(),
        };
        match step {
            Ok(Step::To(next)) => at = next,
            Ok(Step::Out(left)) => return Ok(left),
            Err(DocketError::Gone { .. } | DocketError::Unknown { .. }) => {
                note("no longer there: its file was removed");
                return Ok(Left::Gone);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

enum Step {
    To(At),
    Out(Left),
}

struct Sitting<'a> {
    clerk: &'a Clerk,
    by: &'a Actor,
    /// As it was shown.
    kept: StoredPetition,
}

impl Sitting<'_> {
    /// One decision: shown, and what was typed carried out.
    fn decide(&mut self, nth: usize) -> Result<Step, DocketError> {
        let petition = &self.kept.petition;
        let Some(decision) = petition.decisions.get(nth) else { return Ok(Step::To(At::Review)) };
        let file = self.kept.file.display().to_string();
        let _ = signs::write(&tell::decision(petition, nth, &file));
        let prompt = prompt(decision, nth);
        let Some(typed) = read_line(&prompt) else { return Ok(self.leave(Left::End)) };
        let choice = match read(&typed, decision) {
            Typed::Options(keys) => AnswerChoice::Answer(keys),
            Typed::Skip => AnswerChoice::Skipped,
            Typed::OwnWords if !decision.takes_custom() => {
                note("this decision takes one of the options");
                return Ok(Step::To(At::Decision(nth)));
            }
            Typed::OwnWords => {
                let Some(text) = read_line("your own words (nothing goes back) >") else {
                    return Ok(self.leave(Left::End));
                };
                if text.trim().is_empty() {
                    return Ok(Step::To(At::Decision(nth)));
                }
                AnswerChoice::Answer(Arc::from(text.trim()))
            }
            Typed::Back => return Ok(Step::To(At::Decision(nth.saturating_sub(1)))),
            Typed::Next if decision.is_decided() => return Ok(Step::To(self.after(nth))),
            Typed::Next => return Ok(Step::To(At::Decision(nth))),
            Typed::Leave => return Ok(self.leave(Left::Open)),
            Typed::Nothing => {
                let letter = command("C", "own", decision);
                let letter = letter.split(' ').next().unwrap_or("own");
                let own = if decision.takes_custom() {
                    format!("; {letter} takes your own words")
                } else {
                    String::new()
                };
                note(&format!("that is none of the options{own}"));
                return Ok(Step::To(At::Decision(nth)));
            }
        };
        self.answer(nth, choice)
    }

    fn answer(&mut self, nth: usize, choice: AnswerChoice) -> Result<Step, DocketError> {
        let petition = &self.kept.petition;
        let Some(decision) = petition.decisions.get(nth) else { return Ok(Step::To(At::Review)) };
        let answer = match &decision.answer {
            Some(given) => SeenAnswer::This(given.choice.clone()),
            None => SeenAnswer::None,
        };
        let seen =
            SeenQuestion { question: Some(petition.digest(decision)), answer, ..SeenQuestion::default() };
        let said = format!("✓ {} → {}", tell::line(&decision.title), tell::said(decision, &choice));
        let answered = self.clerk.docket.answer(&petition.id, &decision.id, choice, &seen, self.by, now());
        match self.even_if_behind(answered) {
            Ok(kept) => {
                let late = kept.petition.closed.clone();
                self.kept = kept;
                if let Some(closed) = late {
                    note(&refusal::ended(&self.kept.petition.id, &closed));
                    note("your answer is kept and shown as late; it decides nothing");
                    return Ok(Step::Out(Left::Closed));
                }
                let _ = signs::write(&[(LineInk::Good, said)]);
                Ok(Step::To(self.after(nth)))
            }
            Err(DocketError::Refused { refusal, .. }) => self.refused(nth, refusal),
            Err(error) => Err(error),
        }
    }

    /// The petition is not as it was shown, or does not take the answer: that is said, and it is shown as it is.
    fn refused(&mut self, nth: usize, refusal: PetitionRefusal) -> Result<Step, DocketError> {
        self.reload()?;
        let stay = Step::To(At::Decision(nth));
        let to = match refusal {
            PetitionRefusal::AlreadyAnswered(given) => {
                note(&refusal::already(&given));
                stay
            }
            PetitionRefusal::QuestionChanged | PetitionRefusal::NoSuchDecision { .. } => {
                note("it was changed meanwhile; this is how it is now");
                stay
            }
            PetitionRefusal::Closed(closed) => {
                note(&refusal::ended(&self.kept.petition.id, &closed));
                Step::Out(Left::Closed)
            }
            PetitionRefusal::WaitsFor(first) => {
                note(&format!("{} has to be decided first", tell::line(&first)));
                let place = self.kept.petition.decisions.iter().position(|decision| decision.id == first);
                Step::To(place.map_or(At::Decision(nth), At::Decision))
            }
            PetitionRefusal::NotReady { open } => {
                let open: Vec<String> = open.iter().map(|open| tell::line(open)).collect();
                note(&format!("still open: {}", open.join(", ")));
                Step::To(self.next_open(0))
            }
            PetitionRefusal::TooLong => {
                note(&format!("an answer has at most {} bytes", mind::limits::CUSTOM_BYTES_MAX));
                stay
            }
            PetitionRefusal::NotAnOption { .. } | PetitionRefusal::Empty => {
                note("that is none of the options");
                stay
            }
            PetitionRefusal::RequiresHuman => {
                note("only a person may answer this one");
                stay
            }
            PetitionRefusal::AssignedTo(name) => {
                note(&format!("{} is asked for this one", tell::line(&name)));
                stay
            }
            // Nothing is handed over here.
            PetitionRefusal::AlreadyAssigned(_)
            | PetitionRefusal::NotAName
            | PetitionRefusal::AgentAssigns => stay,
        };
        Ok(to)
    }

    /// Everything at a glance, and the last question.
    fn review(&mut self) -> Result<Step, DocketError> {
        self.reload()?;
        let petition = &self.kept.petition;
        if let Some(closed) = &petition.closed {
            note(&refusal::ended(&petition.id, closed));
            return Ok(Step::Out(Left::Closed));
        }
        if petition.status() != PetitionStatus::Ready {
            return Ok(Step::To(self.next_open(0)));
        }
        let mut lines = vec![
            (LineInk::Words, String::new()),
            (LineInk::Name, format!("Review: {}", view::review::counts(petition))),
        ];
        lines.extend(tell::summary(petition));
        let _ = signs::write(&lines);
        loop {
            let Some(typed) = read_line("submit? [y/N, a number changes that one] >") else {
                return Ok(self.leave(Left::End));
            };
            let number = typed.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            if let Some(nth) = number.filter(|nth| *nth < petition.decisions.len()) {
                return Ok(Step::To(At::Decision(nth)));
            }
            match typed.trim().to_lowercase().as_str() {
                "y" | "yes" => break,
                "" | "n" | "no" | "q" | "quit" | "leave" => return Ok(self.leave(Left::Open)),
                // A slip of the finger decides nothing.
                _ => note("y submits, n or Enter leaves it as it is, a number changes that answer"),
            }
        }
        // What is submitted is what was reviewed.
        let shown: Vec<_> = petition.decisions.iter().map(|decision| decision.answer.clone()).collect();
        self.reload()?;
        let petition = &self.kept.petition;
        if !petition.decisions.iter().map(|decision| &decision.answer).eq(&shown) {
            note("an answer was changed meanwhile; look at it again");
            return Ok(Step::To(At::Review));
        }
        match self.even_if_behind(self.clerk.docket.submit(&petition.id, self.by, now())) {
            Ok(kept) => {
                act::finish(self.clerk, &kept, false);
                Ok(Step::Out(Left::Closed))
            }
            Err(DocketError::Refused { refusal, .. }) => self.refused(0, refusal),
            Err(error) => Err(error),
        }
    }

    /// What is recorded is done; a file that is behind is told.
    fn even_if_behind(
        &self,
        done: Result<StoredPetition, DocketError>,
    ) -> Result<StoredPetition, DocketError> {
        done.or_else(|error| {
            let told = CliError::from_docket(&error).cause;
            error.recorded().inspect(|_| note(&told))
        })
    }

    fn reload(&mut self) -> Result<(), DocketError> {
        self.kept = self.clerk.docket.find(&self.kept.petition.id.0, now())?;
        Ok(())
    }

    /// The next open decision behind this one, then any, then the review.
    fn after(&self, nth: usize) -> At {
        let last = nth + 1 >= self.kept.petition.decisions.len();
        if last { self.next_open(0) } else { self.next_open(nth + 1) }
    }

    fn next_open(&self, from: usize) -> At {
        let decisions = &self.kept.petition.decisions;
        let open = |nth: &usize| decisions.get(*nth).is_some_and(|decision| !decision.is_decided());
        let behind = (from..decisions.len()).find(open);
        behind.or_else(|| (0..from.min(decisions.len())).find(open)).map_or(At::Review, At::Decision)
    }

    fn leave(&self, left: Left) -> Step {
        let petition = &self.kept.petition;
        let (decided, id) = (petition.decided(), &petition.id);
        let told = match petition.status() {
            PetitionStatus::Ready => format!("not submitted; `arbiter submit {id}` does it"),
            PetitionStatus::Pending
            | PetitionStatus::InProgress
            | PetitionStatus::Completed
            | PetitionStatus::Withdrawn
            | PetitionStatus::Expired
                if decided == 0 =>
            {
                format!("left as it is; `arbiter inbox {id}` comes back to it")
            }
            PetitionStatus::Pending
            | PetitionStatus::InProgress
            | PetitionStatus::Completed
            | PetitionStatus::Withdrawn
            | PetitionStatus::Expired => {
                format!("{} kept; `arbiter inbox {id}` goes on", counted(decided, "answer"))
            }
        };
        let _ = signs::write(&[(LineInk::House, told)]);
        Step::Out(left)
    }
}

fn prompt(decision: &mind::petition::Decision, nth: usize) -> String {
    let several = if decision.multi { ", several with spaces" } else { "" };
    let choose = match (decision.options.is_empty(), view::letters::range(decision)) {
        (true, _) => String::new(),
        (false, Some(letters)) => format!("{letters}{several} · "),
        (false, None) => format!("a letter or a key{several} · "),
    };
    let offer = |letter: &str, word: &str| format!("{} · ", command(letter, word, decision));
    let own = if decision.takes_custom() { offer("C", "own words") } else { String::new() };
    let back = if nth > 0 { offer("B", "back") } else { String::new() };
    let on = if decision.is_decided() { "Enter goes on · " } else { "" };
    let (skip, leave) = (offer("S", "skip"), command("Q", "leave", decision));
    format!("[{choose}{own}{skip}{back}{on}{leave}] >")
}

fn note(text: &str) {
    let _ = signs::write(&[(LineInk::Bad, format!("! {text}"))]);
}

/// A prompt that is wider than the terminal is broken between words.
fn ask(prompt: &str) -> io::Result<()> {
    // The sign to type behind stays with the last word.
    let words = prompt.strip_suffix(" >").unwrap_or(prompt);
    let columns = console::width().and_then(|columns| u16::try_from(columns.saturating_sub(4)).ok());
    let mut rows = columns.map_or_else(|| vec![words.to_owned()], |columns| folded(words, columns));
    let last = format!("{}{}", rows.pop().unwrap_or_default(), &prompt[words.len()..]);
    let rows: Vec<Line> = rows.into_iter().map(|row| (LineInk::Words, row)).collect();
    signs::write(&rows)?;
    signs::ask(&last)
}

/// Asks for a line; none if nothing can be typed any more.
pub(super) fn read_line(prompt: &str) -> Option<String> {
    ask(prompt).ok()?;
    let mut line = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => {
            signs::line("");
            None
        }
        Ok(_) => Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned()),
    }
}
