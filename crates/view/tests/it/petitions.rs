//! Petitions for the tests: one with every kind of decision and answer, and texts that try to hide something.

use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, Decision, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, Priority,
};
use mind::talk::DecisionOption;
use serde::Serialize;

pub const MINUTE: u64 = 60_000;
pub const ASKED: Timestamp = Timestamp(1_763_430_000_000);

/// So many minutes after it was asked.
pub fn after(minutes: u64) -> Timestamp {
    Timestamp(ASKED.0 + minutes * MINUTE)
}

fn option(key: &str, label: &str) -> DecisionOption {
    DecisionOption { key: key.to_owned(), label: label.to_owned() }
}

/// A petition with five decisions, none of them made.
pub fn asked() -> Petition {
    let decision = |id: &str, title: &str| DraftDecision {
        id: Arc::from(id),
        title: Arc::from(title),
        ..DraftDecision::default()
    };
    let draft = PetitionDraft {
        agent: Arc::from("ceo\u{7}"),
        tag: Arc::from("shop"),
        title: Arc::from("API\ndesign \u{202e}decisions"),
        priority: Priority::High,
        deadline: Some(after(120)),
        blocks: Some(Arc::from("the build")),
        assignee: Some(Arc::from("ada")),
        escalate: vec![Arc::from("telegram"), Arc::from("bob\u{7}")],
        context: Arc::from("Five things\nare \u{1b}[31mopen."),
        decisions: vec![
            DraftDecision {
                context: Arc::from("How do people sign in?"),
                options: vec![
                    option("jwt", "Tokens"),
                    option("session", "Server sessions"),
                    option("oauth", "oauth"),
                ],
                ..decision("auth", "Sign in")
            },
            DraftDecision {
                options: vec![option("eu", "Europe"), option("us", "America"), option("ap", "Asia")],
                allow_custom: Some(false),
                multi: true,
                deadline: Some(after(30)),
                default: Some(Arc::from("eu")),
                ..decision("regions", "Regions")
            },
            DraftDecision { allow_custom: Some(true), ..decision("name", "What is it called?") },
            DraftDecision {
                context: Arc::from("rm -r build\u{202e}"),
                options: vec![option("yes", "Yes,\nthis once"), option("no", "No")],
                allow_custom: Some(false),
                digest: Some(Arc::from("sha256:1")),
                requires_human: true,
                depends_on: vec![Arc::from("regions")],
                ..decision("allow", "May it run?")
            },
            DraftDecision {
                options: vec![option("y", "Yes"), option("n", "No")],
                default: Some(Arc::from("n")),
                assignee: Some(Arc::from("bob")),
                ..decision("log", "Log addresses?")
            },
        ],
        ..PetitionDraft::default()
    };
    draft.petition(PetitionId::from("k3x9q2mf"), ASKED)
}

/// The same with three answers: an option, a skip, and a text of somebody's own.
pub fn begun() -> Petition {
    let mut petition = asked();
    let ada = Actor::human(Door::Cli, "ada");
    answer(&mut petition, "auth", "session", &ada, after(2));
    let digest = Arc::from("");
    let skip = PetitionChange::Answered {
        decision: Arc::from("log"),
        choice: AnswerChoice::Skipped,
        digest,
        instead_of: None,
    };
    petition.apply(&skip, &Actor::human(Door::Terminal, "ada"), after(3));
    answer(&mut petition, "name", "jwt\n\u{1b}[2Kor so", &Actor::human(Door::Telegram, "93533553"), after(4));
    petition
}

pub fn answer(petition: &mut Petition, decision: &str, text: &str, by: &Actor, at: Timestamp) {
    let (decision, digest) = (Arc::from(decision), Arc::from(""));
    let choice = AnswerChoice::Answer(Arc::from(text));
    petition.apply(&PetitionChange::Answered { decision, choice, digest, instead_of: None }, by, at);
}

pub fn decision<'p>(petition: &'p Petition, id: &str) -> &'p Decision {
    petition.decision(id).expect("such a decision")
}

/// A view as doors get it.
pub fn told(view: &impl Serialize) -> String {
    serde_json::to_string_pretty(view).expect("a view is data")
}
