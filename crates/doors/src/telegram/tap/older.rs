//! Buttons that the older program left in chats: `action:planId:decisionId:value`. What they say is taken apart; whether it
//! still fits is judged by the desk, which acts on it.

use std::sync::Arc;

use mind::petition::PetitionId;

/// What a button of the older program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderAction {
    Refresh,
    Queue,
    Open,
    Start,
    Answer,
    Skip,
    Custom,
    Prev,
    Next,
    GoTo,
    Review,
    Submit,
    /// It only tells something.
    Noop,
}

/// A button of the older program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlderTap {
    pub action: OlderAction,
    pub petition: Option<PetitionId>,
    pub decision: Option<Arc<str>>,
    /// An option's key, with whatever signs it has.
    pub value: Option<Arc<str>>,
}

impl OlderTap {
    pub(super) fn read(data: &str) -> Option<OlderTap> {
        let mut parts = data.splitn(4, ':');
        let action = OlderAction::of(parts.next()?)?;
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let (petition, decision, value) = (part(), part(), part());
        Some(OlderTap {
            action,
            petition: petition.map(PetitionId::from),
            decision: decision.map(Arc::from),
            value: value.map(Arc::from),
        })
    }
}

impl OlderAction {
    fn of(word: &str) -> Option<OlderAction> {
        Some(match word {
            "refresh" => OlderAction::Refresh,
            "queue" => OlderAction::Queue,
            "open" => OlderAction::Open,
            "start" => OlderAction::Start,
            "answer" => OlderAction::Answer,
            "skip" => OlderAction::Skip,
            "custom" => OlderAction::Custom,
            "prev" => OlderAction::Prev,
            "next" => OlderAction::Next,
            "goto" => OlderAction::GoTo,
            "review" => OlderAction::Review,
            "submit" => OlderAction::Submit,
            "noop" => OlderAction::Noop,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telegram::tap::TapData;

    fn told(data: &str) -> String {
        let TapData::Older(tap) = TapData::read(data) else { return "unknown".to_owned() };
        let OlderTap { action, petition, decision, value } = tap;
        let petition = petition.map(|petition| petition.0);
        let parts =
            [petition, decision, value].map(|part| part.map_or("-".to_owned(), |part| part.to_string()));
        format!("{action:?} {}", parts.join(" "))
    }

    #[test]
    fn taps_of_the_older_program_are_taken_apart() {
        for (data, what) in [
            ("refresh", "Refresh - - -"),
            ("queue", "Queue - - -"),
            ("open:abc123", "Open abc123 - -"),
            ("start:abc123::", "Start abc123 - -"),
            ("answer:abc123:auth:node:22", "Answer abc123 auth node:22"),
            ("goto:abc123:auth", "GoTo abc123 auth -"),
            ("noop", "Noop - - -"),
            ("delete:abc123", "unknown"),
            ("Answer:abc123:auth:jwt", "unknown"),
            (":::", "unknown"),
        ] {
            assert_eq!(told(data), what, "{data}");
        }
        for action in ["skip", "custom", "prev", "next", "review", "submit"] {
            assert_ne!(told(&format!("{action}:abc123:auth")), "unknown", "{action}");
        }
    }
}
