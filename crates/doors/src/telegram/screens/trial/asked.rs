//! Petitions for the trials.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, Priority,
};
use mind::talk::DecisionOption;

use super::{ASKED, after};
use mind::Timestamp;

fn options(options: &[(&str, &str)]) -> Vec<DecisionOption> {
    let option =
        |(key, label): &(&str, &str)| DecisionOption { key: (*key).to_owned(), label: (*label).to_owned() };
    options.iter().map(option).collect()
}

fn named(id: &str, title: &str) -> DraftDecision {
    DraftDecision { id: Arc::from(id), title: Arc::from(title), ..DraftDecision::default() }
}

fn petition(id: &str, title: &str, tag: &str, context: &str, decisions: Vec<DraftDecision>) -> Petition {
    let draft = PetitionDraft {
        agent: Arc::from("ceo"),
        tag: Arc::from(tag),
        title: Arc::from(title),
        context: Arc::from(context),
        notify_session: Some(Arc::from("agent:swe2:main")),
        decisions,
        ..PetitionDraft::default()
    };
    draft.petition(PetitionId::from(id), ASKED)
}

/// Three plain decisions, none of them made.
pub(super) fn design() -> Petition {
    let decisions = vec![
        DraftDecision {
            context: Arc::from("How should we authenticate admin panel users?"),
            options: options(&[
                ("jwt", "JWT tokens (stateless, scalable)"),
                ("session", "Server sessions (more control)"),
                ("oauth", "External OAuth provider"),
                ("none", "none"),
            ]),
            ..named("auth", "Auth Strategy")
        },
        DraftDecision {
            options: options(&[("pg", "Postgres"), ("lite", "SQLite <in memory>")]),
            allow_custom: Some(true),
            ..named("db", "Database")
        },
        DraftDecision {
            allow_custom: Some(false),
            options: options(&[("y", "Yes"), ("n", "No")]),
            ..named("log", "Log addresses?")
        },
    ];
    petition(
        "abc123",
        "API Design Decisions",
        "nft-marketplace",
        "Context for the human reviewer.",
        decisions,
    )
}

/// The same, all decided: an option, words of one's own, and a skip.
pub(super) fn decided() -> Petition {
    let mut petition = design();
    answer(&mut petition, "auth", "jwt", after(2));
    answer(&mut petition, "db", "neither:\n<b>files</b>", after(3));
    let (decision, digest) = (Arc::from("log"), Arc::from(""));
    let skip = PetitionChange::Answered { decision, choice: AnswerChoice::Skipped, digest, instead_of: None };
    petition.apply(&skip, &Actor::human(Door::Cli, "bob"), after(4));
    petition
}

/// Everything that can hold for a decision.
pub(super) fn special() -> Petition {
    let decisions = vec![
        DraftDecision {
            options: options(&[("eu", "Europe"), ("us", "America"), ("ap", "Asia")]),
            allow_custom: Some(false),
            multi: true,
            deadline: Some(after(30)),
            default: Some(Arc::from("eu")),
            ..named("regions", "Regions")
        },
        DraftDecision {
            context: Arc::from("rm -r build\u{202e}"),
            options: options(&[("yes", "Yes, this once"), ("no", "No")]),
            requires_human: true,
            digest: Some(Arc::from("sha256:1")),
            ..named("allow", "May it run?")
        },
        DraftDecision {
            options: options(&[("y", "Yes"), ("n", "No")]),
            depends_on: vec![Arc::from("regions")],
            ..named("after", "Announce it?")
        },
        DraftDecision {
            options: options(&[("y", "Yes")]),
            assignee: Some(Arc::from("bob")),
            ..named("for-bob", "Pay?")
        },
    ];
    let mut petition = petition("k3x9q2mf", "Launch", "shop", "", decisions);
    petition.priority = Priority::Urgent;
    petition.deadline = Some(after(120));
    petition
}

pub(super) fn answer(petition: &mut Petition, decision: &str, text: &str, at: Timestamp) {
    let (decision, digest) = (Arc::from(decision), Arc::from(""));
    let choice = AnswerChoice::Answer(Arc::from(text));
    let change = match petition.closed {
        None => PetitionChange::Answered { decision, choice, digest, instead_of: None },
        Some(_) => PetitionChange::Late { decision, choice, digest, instead_of: None },
    };
    petition.apply(&change, &Actor::human(Door::Telegram, "93533553"), at);
}
