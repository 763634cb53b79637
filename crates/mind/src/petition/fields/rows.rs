//! The rows of the table of fields. A new field of a draft gets its row here, and every door has it.

use super::AskForm::{Decisions, Text as Words};
use super::AskKind::{
    Apart, Human, Moment, Names, Optional, Options, Priority as Urgency, Scalar, Switch, Text, YesNo,
};
use super::AskLimit::{Bytes, Id, Items, Line};
use super::{AskField, Offered, Slot};
use crate::limits;
use crate::petition::{DraftDecision, PetitionDraft};

/// Sessions of others have long names.
const NAME: super::AskLimit = Line(4 * limits::NAME_CHARS_MAX);

macro_rules! slot {
    ($of:ty, $name:ident) => {
        Slot { get: |of: &$of| &of.$name, put: |of: &mut $of| &mut of.$name }
    };
}

/// What may be said of a petition.
pub static PETITION: &[AskField<PetitionDraft>] = &[
    AskField::new("title", Text(slot!(PetitionDraft, title)), "What it is about, in a few words")
        .required()
        .within(Line(limits::TITLE_CHARS_MAX))
        .by_flag("title", "TITLE"),
    AskField::new("decisions", Apart(Decisions), "The questions")
        .required()
        .within(Items(limits::PETITION_DECISIONS_MAX)),
    AskField::new(
        "context",
        Text(slot!(PetitionDraft, context)),
        "What the human needs to know for all of it (Markdown)",
    )
    .within(Bytes(limits::CONTEXT_BYTES_MAX))
    .by_flag("context", "TEXT"),
    AskField::new("tag", Scalar(slot!(PetitionDraft, tag)), "What it belongs to, such as a project")
        .within(NAME)
        .by_flag("tag", "TAG"),
    AskField::new(
        "priority",
        Urgency(slot!(PetitionDraft, priority)),
        "How much it matters; normal if left out",
    )
    .by_flag("priority", "PRIORITY"),
    AskField::new("agent", Text(slot!(PetitionDraft, agent)), "Who asks; ARBITER_AGENT if left out")
        .within(NAME)
        .offered(Offered::OutsideMissions)
        .by_flag("agent", "NAME"),
    AskField::new(
        "session",
        Text(slot!(PetitionDraft, session)),
        "The session that asks; ARBITER_SESSION if left out",
    )
    .within(NAME)
    .offered(Offered::OutsideMissions)
    .by_flag("session", "NAME"),
    AskField::new(
        "notify_session",
        Optional(slot!(PetitionDraft, notify_session)),
        "The session that is told of the end",
    )
    .also(&["notifySession", "notify"])
    .within(NAME)
    .offered(Offered::OutsideMissions)
    .by_flag("notify", "SESSION"),
    AskField::new("blocks", Optional(slot!(PetitionDraft, blocks)), "What waits for it, in a few words")
        .within(NAME)
        .by_flag("blocks", "TEXT"),
    AskField::new("assignee", Optional(slot!(PetitionDraft, assignee)), "Who is asked; anybody if left out")
        .within(NAME)
        .by_flag("assignee", "USER"),
    AskField::new(
        "escalate",
        Names(slot!(PetitionDraft, escalate)),
        "Who and what is turned to while no answer comes, one after the other: people and channels",
    )
    .within(Items(limits::ESCALATE_MAX)),
    AskField::new(
        "deadline",
        Moment(slot!(PetitionDraft, deadline)),
        "When the answers are needed no more: a time (2026-01-30T01:30:00Z) or a span (30m, 2h)",
    )
    .by_flag("deadline", "TIME"),
    AskField::new(
        "key",
        Optional(slot!(PetitionDraft, key)),
        "A name of yours for this petition: asking again with it gives the first one",
    )
    .also(&["idempotency_key", "idempotencyKey"])
    .within(NAME)
    .by_flag("key", "KEY"),
];

/// What may be said of a decision. Flags ask a single one.
pub static DECISION: &[AskField<DraftDecision>] = &[
    AskField::new(
        "id",
        Scalar(slot!(DraftDecision, id)),
        "A short name: letters, digits, - and _; the answer comes under it",
    )
    .required()
    .within(Id(limits::NAME_CHARS_MAX))
    .by_flag_about("id", "ID", "The decision's id; without it, it is made from the question"),
    AskField::new("title", Text(slot!(DraftDecision, title)), "The question")
        .required()
        .within(Line(limits::TITLE_CHARS_MAX)),
    AskField::new(
        "context",
        Text(slot!(DraftDecision, context)),
        "What the human needs to know to decide (Markdown)",
    )
    .within(Bytes(limits::CONTEXT_BYTES_MAX)),
    AskField::new("options", Options(slot!(DraftDecision, options)), "The ways to answer")
        .within(Items(limits::OPTIONS_MAX))
        .by_flag_about("option", "KEY[=LABEL]", "One way to answer: its key, and what it means"),
    AskField::new(
        "allow_custom",
        YesNo(slot!(DraftDecision, allow_custom)),
        "An answer in one's own words counts too; needed if there are no options",
    )
    .also(&["allowCustom"])
    .by_flag("custom", ""),
    AskField::new(
        "multi",
        Switch(slot!(DraftDecision, multi)),
        "Several options can be chosen: keys with a comma between",
    )
    .by_flag("multi", ""),
    AskField::new(
        "deadline",
        Moment(slot!(DraftDecision, deadline)),
        "When this answer is needed no more: a time or a span",
    ),
    AskField::new(
        "default",
        Optional(slot!(DraftDecision, default)),
        "What a policy answers if the deadline passes; without it nothing is decided then",
    )
    .by_flag("default", "KEY"),
    AskField::new("requires", Human(slot!(DraftDecision, requires_human)), "No policy may answer")
        .also(&["requires_human", "requiresHuman"])
        .by_flag("requires", "WHO"),
    AskField::new(
        "digest",
        Optional(slot!(DraftDecision, digest)),
        "What the answer is bound to: the digest of what will run",
    )
    .offered(Offered::ToNobody),
    AskField::new("depends_on", Names(slot!(DraftDecision, depends_on)), "Earlier decisions that come first")
        .also(&["dependsOn"]),
    AskField::new("assignee", Optional(slot!(DraftDecision, assignee)), "Who is asked; anybody if left out"),
];

/// What may be said of an option, for those who do not only give its key.
pub(in crate::petition) static OPTION: &[AskField<()>] = &[
    AskField::new("key", Apart(Words), "What comes back if it is chosen").required(),
    AskField::new("label", Apart(Words), "What the human reads").required(),
    AskField::new("note", Apart(Words), "What speaks for it or against it"),
];
