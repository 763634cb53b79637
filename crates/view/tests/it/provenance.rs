//! Who did something, in words; and the ledger's lines.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, GivenAnswer, PetitionChange};
use view::actor::actor_words;
use view::history::change;
use view::provenance::{by_whom_through, source};

use crate::petitions::{after, told};

#[test]
fn an_actor_is_named_with_the_door_it_came_through() {
    for (written, said) in [
        ("human:cli:ada", "ada, at the command line"),
        ("human:terminal:ada", "ada, in the terminal"),
        ("human:telegram:93533553", "93533553, in Telegram"),
        ("human:web:ada", "ada, in the browser"),
        ("human:file:ada", "ada, in the petition's file"),
        ("human:terminal:", "a person, in the terminal"),
        ("policy:default", "the asker's default, at the deadline"),
        ("policy:deadline", "the petition's deadline"),
        ("policy:night", "the policy night"),
        ("agent:ceo:main", "the agent ceo:main"),
    ] {
        assert_eq!(actor_words(&Actor::parse(written).expect(written)), said);
    }
    assert_eq!(by_whom_through(&Actor::agent("ceo"), Door::Mcp), "the agent ceo, over MCP");
}

/// What a file says of who answered is somebody else's text.
#[test]
fn a_name_that_no_door_wrote_is_told_as_it_stands_and_harmless() {
    let given = |by: Option<&str>, via| GivenAnswer {
        choice: AnswerChoice::Skipped,
        at: Some(after(1)),
        by: by.map(Arc::from),
        via,
        instead_of: None,
        late: false,
    };
    let said = |by, via| source(&given(by, via), after(3));
    assert_eq!(
        said(Some("human:cli:ada\u{1b}[2K\nby root"), None),
        "by ada by root, at the command line, 2m ago"
    );
    assert_eq!(said(Some("ada"), Some(Door::Web)), "by ada, in the browser, 2m ago");
    assert_eq!(said(None, None), "2m ago");
    let instead =
        GivenAnswer { instead_of: Some(Arc::from("sam\nsmith")), ..given(Some("human:cli:ada"), None) };
    assert_eq!(source(&instead, after(3)), "by ada, at the command line, instead of sam smith, 2m ago");
}

#[test]
fn every_change_of_the_ledger_is_a_line() {
    let (decision, digest) = (Arc::<str>::from("db"), Arc::<str>::from(""));
    let text = || AnswerChoice::Answer(Arc::from("two\nlines\u{202e}"));
    let changes = [
        PetitionChange::Asked,
        PetitionChange::Answered {
            decision: decision.clone(),
            choice: text(),
            digest: digest.clone(),
            instead_of: None,
        },
        PetitionChange::Changed {
            decision: decision.clone(),
            choice: AnswerChoice::Skipped,
            digest: digest.clone(),
            instead_of: None,
        },
        PetitionChange::Late { decision, choice: text(), digest, instead_of: None },
        PetitionChange::Answered {
            decision: Arc::from("db"),
            choice: AnswerChoice::Skipped,
            digest: Arc::from(""),
            instead_of: Some(Arc::from("sam\n\u{202e}")),
        },
        PetitionChange::Assigned { decision: Some(Arc::from("db")), to: Arc::from("sam\u{1b}[2K") },
        PetitionChange::Assigned { decision: None, to: Arc::from("kim") },
        PetitionChange::Submitted,
        PetitionChange::Withdrawn { why: Arc::from("no need") },
        PetitionChange::Expired { why: Arc::from("") },
    ];
    let ada = Actor::human(Door::Cli, "ada");
    insta::assert_snapshot!(told(&changes.map(|happened| change(&happened, &ada, Door::Cli))));
}
