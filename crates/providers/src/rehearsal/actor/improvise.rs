//! What an actor says where its script has no turn, so that no text goes unanswered.

use mind::session::Role;
use serde_json::{Value, json};

/// The word of a part that has no more turns.
pub(super) fn at_the_end(role: Role) -> Value {
    match role {
        Role::Arbiter => json!({ "intent": "address_human", "message": "My part ends here." }),
        Role::Orchestrator => json!({
            "kind": "handoff",
            "expects_response": true,
            "message": "My part ends here; nothing more is rehearsed.",
        }),
        Role::Verifier => json!({
            "kind": "handoff",
            "expects_response": true,
            "verdict": "fail",
            "findings": ["nothing was verified"],
            "message": "My part ends here; nothing more is rehearsed.",
        }),
        Role::Agent => {
            json!({ "outcome": "failure", "summary": "My part ends here; nothing more is rehearsed." })
        }
    }
}

/// The answer to a text that was heard within an earlier turn already.
pub(super) fn heard_before(role: Role) -> Value {
    let message = "I heard this while I worked.";
    match role {
        Role::Arbiter => json!({ "intent": "musings", "message": message }),
        Role::Agent => json!({ "outcome": "success", "summary": message }),
        Role::Orchestrator | Role::Verifier => {
            json!({ "kind": "progress", "expects_response": false, "message": message })
        }
    }
}

/// What the Arbiter does when its summons was turned back because the human has not said yes: a person may answer
/// otherwise than the script hopes.
#[derive(Debug, PartialEq)]
pub(super) enum Again {
    /// The human has not spoken since: ask for the yes, and keep the summons for the next turn.
    Ask(Value),
    /// The human has spoken meanwhile: summon again at once.
    Summon,
}

/// Whether `text` turns a summons back for want of a yes.
pub(super) fn turned_back(role: Role, text: &str) -> Option<Again> {
    let (_, rest) = text.split_once("Turned back: summon_orchestrator")?;
    let (_, rest) = rest.split_once("the human has not said yes")?;
    if role != Role::Arbiter {
        return None;
    }
    // The notice is one paragraph; what follows it was said by the human.
    if rest.contains("\n\n") {
        return Some(Again::Summon);
    }
    let message = "Nothing begins without your yes. Say it plainly, or say nothing.";
    Some(Again::Ask(json!({ "intent": "address_human", "asks": "alignment", "message": message })))
}

/// The Arbiter's answer to a human who speaks out of turn: no script knows when that will be, and none is put out of
/// step by it.
pub(super) fn interjection(role: Role, text: &str) -> Option<Value> {
    let headings = || text.lines().filter(|line| line.starts_with('«') && line.ends_with('»'));
    let is_only_words = headings().any(|heading| heading.ends_with("Human Interjection»"))
        && headings()
            .all(|heading| heading.ends_with("Human Interjection»") || heading.contains(" - Work Log "));
    if role != Role::Arbiter || !is_only_words {
        return None;
    }
    if text.contains("interrupted its running turn") {
        return Some(json!({ "intent": "address_orchestrator", "message": "Go on where you stopped." }));
    }
    let message = "You are heard, mortal. But this is a rehearsal: its course is written, and it goes on.";
    Some(json!({ "intent": "address_human", "message": message }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_out_of_turn_are_answered_without_the_script() {
        let words = "«Orchestrator I - Human Interjection»\nHow goes it?";
        let log = "«Orchestrator I - Work Log (no response needed)»\n• Read the scroll\n\n";
        for text in [words.to_owned(), format!("{log}{words}")] {
            assert_eq!(interjection(Role::Arbiter, &text).unwrap()["intent"], "address_human");
            assert_eq!(interjection(Role::Orchestrator, &text), None);
        }
        let question = format!("{words}\n\n«Orchestrator I - Awaiting Input»\nWhich?");
        for text in ["yes", "«Notice»\nTurned back.", &format!("«Notice»\nThe scroll.\n\n{words}"), &question]
        {
            assert_eq!(interjection(Role::Arbiter, text), None, "{text}");
        }
        let interrupted = "«Orchestrator I - Human Interjection»\nThe human interrupted its running turn.";
        assert_eq!(interjection(Role::Arbiter, interrupted).unwrap()["intent"], "address_orchestrator");
    }

    #[test]
    fn a_summons_without_a_yes_is_asked_for_and_repeated() {
        let notice = "«Notice»\nTurned back: summon_orchestrator. It had no effect.\n\
                      Reason: the human has not said yes: state back\nRemove the reason.";
        let Some(Again::Ask(output)) = turned_back(Role::Arbiter, notice) else { panic!("it asks") };
        assert!(mind::output::read_manager(Some(&output)).is_ok(), "{output}");
        assert_eq!(turned_back(Role::Arbiter, &format!("{notice}\n\nyes")), Some(Again::Summon));
        assert_eq!(turned_back(Role::Orchestrator, notice), None);
        let other = "«Notice»\nTurned back: summon_orchestrator.\nReason: there is no agent \"x\"";
        assert_eq!(turned_back(Role::Arbiter, other), None);
    }

    #[test]
    fn what_is_improvised_is_what_the_council_accepts() {
        for role in [Role::Orchestrator, Role::Verifier] {
            for output in [at_the_end(role), heard_before(role)] {
                let is_verifier = role == Role::Verifier;
                assert!(mind::output::read_worker(Some(&output), is_verifier).is_ok(), "{output}");
            }
        }
        for output in [at_the_end(Role::Arbiter), heard_before(Role::Arbiter)] {
            assert!(mind::output::read_manager(Some(&output)).is_ok(), "{output}");
        }
    }
}
