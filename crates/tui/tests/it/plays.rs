//! The plays that frames are drawn from.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, Priority,
};
use mind::talk::DecisionOption;
use mind::{SessionId, Timestamp};
use tui::view_model::{RawRecord, RecordDirection};

/// The beginning: the Arbiter has read the scroll and asks for a yes.
pub const ALIGNMENT: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter housed bubblewrap
    arbiter tool Read .arbiter/scroll.md
    arbiter tool ok
    arbiter gauge 9000/200000
    arbiter raw {"intent":"address_human","message":"I have read your scroll. *Google* and *GitHub*, tokens of 48 hours.\n\nShall I begin?","asks":"alignment"}
"##;

/// An Orchestrator is at work, and somebody has spoken to it.
pub const AT_WORK: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter housed bubblewrap
    arbiter gauge 9000/200000
    arbiter raw {"intent":"address_human","message":"I have read your scroll. *Google* and *GitHub*, tokens of 48 hours. Shall I begin?","asks":"alignment"}
    human: yes
    later 2m
    arbiter heard
    arbiter summon_orchestrator: So it shall be.
    orchestrator heard
    orchestrator housed bubblewrap
    orchestrator gauge 21000/200000
    orchestrator introduction: Shared session store or stateless?
    later 20s
    arbiter gauge 36000/200000
    arbiter address_orchestrator: Stateless. The scroll names no store, and none shall be kept.
    later 4m
    orchestrator tasks [x] Read the scroll | [x] Choose a token format | [~] Google sign-in | [ ] GitHub sign-in | [ ] Tokens expire after 48 hours
    orchestrator tool Read src/lib.rs
    orchestrator tool ok
    orchestrator tool Edit src/auth/google.rs
    orchestrator tool ok
    orchestrator tool Bash cargo test auth
    orchestrator tool ok
    orchestrator gauge 98000/200000
    orchestrator progress: Google answers. GitHub is next.
    later 3m
    orchestrator heard
    orchestrator gauge 128000/200000
    orchestrator tool Edit src/auth/github.rs
"##;

/// A tool waits for a yes.
pub const QUESTION: &str = r##"
    later 1m
    orchestrator tool ok
    orchestrator asks curl https://api.github.com/meta [curl]
"##;

/// The Arbiter tells something at length.
pub const MARKDOWN: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter raw {"intent":"address_human","message":"# What stands\n\nThe work is **half done**; `src/auth` holds it.\n\n1. Google signs in\n   - with PKCE\n   - and without a *client secret*\n2. GitHub is next\n\n```rust\n/// Tokens die young.\npub fn expires(issued: u64) -> u64 {\n    issued + 48 * 3600\n}\n```\n\n| provider | state | tests |\n| --- | --- | ---: |\n| Google | done | 12 |\n| GitHub | begun | 3 |\n\n> Nothing is kept that need not be.\n\n```diff\n-let ttl = 3600;\n+let ttl = 48 * 3600;\n```\n\nSee [the scroll](.arbiter/scroll.md)."}
"##;

/// The Arbiter wants two things decided.
pub const DECISIONS: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter gauge 9000/200000
    arbiter raw {"intent":"address_human","message":"Two things are *yours* to decide before I go on.","decisions":[{"id":"auth","title":"How shall people sign in?","context":"The scroll names **no** way. Tokens last 48 hours either way.","options":[{"key":"jwt","label":"JWT tokens (stateless, scalable)"},{"key":"session","label":"Server sessions (more control, needs a store)"},{"key":"oauth","label":"An external provider"}],"allow_custom":true},{"id":"logs","title":"May addresses be logged?","options":[{"key":"yes","label":"Yes, for a week"},{"key":"no","label":"No"}]}]}
"##;

/// What agents ask in the docket: one has begun to be answered, one is urgent and due.
pub fn petitions() -> Vec<Petition> {
    let at = Timestamp(0);
    let option = |key: &str, label: &str| DecisionOption { key: key.to_owned(), label: label.to_owned() };
    let design = PetitionDraft {
        agent: Arc::from("ceo"),
        session: Arc::from("agent:ceo:main"),
        tag: Arc::from("nft-marketplace"),
        title: Arc::from("API Design Decisions"),
        context: Arc::from("The **admin panel** is next. Three things are open."),
        decisions: vec![
            DraftDecision {
                id: Arc::from("auth-strategy"),
                title: Arc::from("Auth Strategy"),
                context: Arc::from("How should we authenticate admin panel users?"),
                options: vec![
                    option("jwt", "JWT tokens (stateless, scalable)"),
                    option("session", "Server sessions (more control)"),
                    option("oauth", "External OAuth provider"),
                ],
                ..DraftDecision::default()
            },
            DraftDecision {
                id: Arc::from("regions"),
                title: Arc::from("Regions"),
                context: Arc::from("Where shall it run?"),
                options: vec![option("eu", "Europe"), option("us", "America"), option("ap", "Asia")],
                allow_custom: Some(false),
                multi: true,
                ..DraftDecision::default()
            },
            DraftDecision {
                id: Arc::from("name"),
                title: Arc::from("What is it called?"),
                allow_custom: Some(true),
                ..DraftDecision::default()
            },
        ],
        ..PetitionDraft::default()
    };
    let urgent = PetitionDraft {
        agent: Arc::from("swe2"),
        title: Arc::from("The certificate runs out tonight"),
        priority: Priority::Urgent,
        deadline: Some(Timestamp(7_200_000)),
        decisions: vec![DraftDecision {
            id: Arc::from("renew"),
            title: Arc::from("Renew it?"),
            options: vec![option("yes", "Yes"), option("no", "No")],
            ..DraftDecision::default()
        }],
        ..PetitionDraft::default()
    };
    let mut design = design.petition(PetitionId::from("abc123"), at);
    let change = PetitionChange::Answered {
        decision: Arc::from("auth-strategy"),
        choice: AnswerChoice::Answer(Arc::from("jwt")),
        digest: design.digest(&design.decisions[0]),
        instead_of: None,
    };
    design.apply(&change, &Actor::human(Door::Telegram, "93533553"), at);
    vec![urgent.petition(PetitionId::from("bcd234"), at), design]
}

/// Raw lines of both sessions.
pub fn records() -> Vec<RawRecord> {
    let line = |session, at, direction, line: &str| RawRecord {
        session: SessionId(session),
        at: Timestamp(at),
        direction,
        line: Arc::from(line),
    };
    vec![
        line(1, 3_000, RecordDirection::Note, "s1.1 begins, resume: false"),
        line(
            1,
            3_100,
            RecordDirection::In,
            r#"{"type":"user","message":{"role":"user","content":"Here is the scroll."}}"#,
        ),
        line(1, 4_000, RecordDirection::Out, r#"{"type":"system","subtype":"init","model":"opus"}"#),
        line(
            2,
            120_000,
            RecordDirection::Out,
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"src/auth/google.rs"}}]}}"#,
        ),
        line(2, 121_000, RecordDirection::Err, "warning: slow disk"),
        line(
            2,
            180_000,
            RecordDirection::Out,
            r#"{"type":"result","subtype":"success","total_cost_usd":0.42}"#,
        ),
    ]
}
