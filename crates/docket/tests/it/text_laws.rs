//! The laws of the text: an untouched file is what it was, an answer changes its own lines and reads back exactly, and what
//! is written from a draft is that draft.

use std::sync::Arc;

use docket::text::PetitionText;
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionId, PetitionRefusal,
    Priority, SeenAnswer, SeenQuestion,
};
use mind::talk::DecisionOption;
use proptest::prelude::*;

use crate::text::{NOON, ada, answered, difference, sheet};

/// Lines that mean something in a petition file.
const TRAPS: [&str; 32] = [
    "---",
    "--- ",
    "\\---",
    "\\\\---",
    "## Decision 2: x",
    "##\tDecision 2: x",
    "#\tx",
    "\\## Decision 2: x",
    "# Title",
    "#",
    "##",
    "id: x",
    "status: answered",
    "answer: jwt",
    "answered_at: null",
    "**Options:**",
    "Options:",
    "**Context:** y",
    "Context: z",
    "- `a` — b",
    "* a: b",
    "undefined",
    "\\undefined",
    "null",
    "ends with a backslash\\",
    "\u{2028}",
    "🐂",
    "  indented",
    "\ttab",
    "a: b # c",
    "\"quoted\"",
    "<!-- id: x -->",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(&TRAPS[..]).prop_map(str::to_owned),
        1 => Just(String::new()),
        2 => "\\PC{0,20}",
        1 => "[ -~]{0,20}",
    ]
}

/// Words of several lines.
fn text() -> impl Strategy<Value = String> {
    let line_end = prop::sample::select(&["\n", "\r\n", "\n\n"][..]);
    (prop::collection::vec(line(), 0..8), line_end).prop_map(|(lines, end)| lines.join(end))
}

/// Any words of a person, which are not nothing.
fn custom() -> impl Strategy<Value = String> {
    prop_oneof![text(), any::<String>(), "[a-z0-9.:/@+-]{1,12}", Just("__skipped__".to_owned())]
        .prop_filter("an answer says something", |text| !text.trim().is_empty())
}

/// One line of plain text that says something.
fn title() -> impl Strategy<Value = String> {
    line()
        .prop_map(|line| line.replace(char::is_control, " "))
        .prop_filter("a title", |title| !title.trim().is_empty() && title.chars().count() <= 200)
}

fn name() -> impl Strategy<Value = Arc<str>> {
    prop_oneof!["[a-z]{1,8}(:[a-z]{1,5}){0,2}", title(), Just("null".to_owned()), Just("1e5".to_owned())]
        .prop_map(Arc::from)
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "node:[0-9]{2}",
        "[a-z\"#:\\\\-]{1,5} [a-z\"#:-]{1,5}",
        "[0-9]{1,3}",
        Just("null".to_owned())
    ]
    .prop_map(|key| key.trim().to_owned())
}

fn option() -> impl Strategy<Value = DecisionOption> {
    let label = prop_oneof![
        title(),
        Just(String::new()),
        Just(" padded ".to_owned()),
        "\"[a-z]{0,4}\"",
        "— [a-z]{1,4}"
    ];
    (key(), label).prop_map(|(key, label)| DecisionOption { key, label })
}

prop_compose! {
    fn decision()(
        id in prop_oneof!["[a-c]{1,3}(-[a-c]{1,2})?", "[0-9]{1,3}", Just("null".to_owned()), "[é_.-]{1,3}"],
        title in title(),
        with_id in any::<bool>(),
        context in text(),
        mut options in prop::collection::vec(option(), 1..4),
        allow_custom in any::<Option<bool>>(),
        multi in any::<bool>(),
        deadline in prop::option::of(0_u64..4_000_000_000_000),
        requires_human in any::<bool>(),
        digest in prop::option::of(name()),
        assignee in prop::option::of(name()),
        chosen in prop::option::of(0_usize..4),
    ) -> DraftDecision {
        options.retain(|option| !option.key.is_empty());
        options.sort_by(|a, b| a.key.cmp(&b.key));
        options.dedup_by(|a, b| a.key == b.key);
        let default = chosen.filter(|_| !requires_human).and_then(|at| options.get(at));
        let default = default.map(|option| Arc::from(option.key.as_str()));
        // Some titles look as if the id stood before them.
        let title = if with_id { format!("{id} — {title}") } else { title };
        DraftDecision {
            title: Arc::from(title),
            id: Arc::from(id),
            context: Arc::from(context),
            allow_custom: if options.is_empty() { Some(true) } else { allow_custom },
            options,
            multi,
            deadline: deadline.map(Timestamp),
            default,
            requires_human,
            digest,
            depends_on: Vec::new(),
            assignee,
        }
    }
}

prop_compose! {
    fn draft()(
        agent in name(),
        session in name(),
        tag in name(),
        title in title(),
        context in text(),
        priority in prop::sample::select(&[Priority::Low, Priority::Normal, Priority::High, Priority::Urgent][..]),
        notify_session in prop::option::of(name()),
        mission in prop::option::of(name()),
        blocks in prop::option::of(name()),
        deadline in prop::option::of(0_u64..4_000_000_000_000),
        assignee in prop::option::of(name()),
        escalate in prop::collection::vec(name(), 0..4),
        mut decisions in prop::collection::vec(decision(), 1..5),
        depends in any::<bool>(),
    ) -> PetitionDraft {
        decisions.sort_by(|a, b| a.id.cmp(&b.id));
        decisions.dedup_by(|a, b| a.id == b.id);
        let ids: Vec<Arc<str>> = decisions.iter().map(|decision| Arc::clone(&decision.id)).collect();
        if let Some(last) = decisions.last_mut().filter(|_| depends) {
            last.depends_on = ids[..ids.len() - 1].to_vec();
        }
        PetitionDraft {
            agent, session, tag, title: Arc::from(title), context: Arc::from(context), priority, notify_session,
            mission, blocks, deadline: deadline.map(Timestamp), assignee, escalate, key: None, decisions,
        }
    }
}

/// A petition that came from a draft without a fault.
fn petition() -> impl Strategy<Value = Petition> {
    let id = prop_oneof!["[a-z][a-z0-9]{7}", "[0-9]{8}", "[A-Za-z0-9_-]{8}", Just("/../../x".to_owned())];
    (draft(), id, 0_u64..4_000_000_000_000).prop_map(|(draft, id, at)| {
        assert_eq!(draft.faults(), Vec::<String>::new(), "{draft:?}");
        draft.petition(PetitionId::from(id.as_str()), Timestamp(at))
    })
}

/// A file as somebody else may have left it: with or without a byte order mark, carriage returns and the last line end.
fn disguised(text: &str, mark: bool, returns: bool, cut: bool) -> String {
    let text = if cut { text.trim_end_matches('\n') } else { text };
    let text = if returns { text.replace('\n', "\r\n") } else { text.to_owned() };
    if mark { format!("\u{feff}{text}") } else { text }
}

/// Without the lines that an answer may touch, and without line ends.
fn untouched(text: &str) -> Vec<&str> {
    const TOUCHED: [&str; 12] = [
        "status:",
        "answer:",
        "answered_at:",
        "answered_by:",
        "via:",
        "skipped:",
        "late:",
        "updated_at:",
        "answered:",
        "remaining:",
        "completed_at:",
        "reason:",
    ];
    text.split('\n').filter(|line| !TOUCHED.iter().any(|name| line.starts_with(name))).collect()
}

fn choice() -> impl Strategy<Value = AnswerChoice> {
    prop_oneof![5 => custom().prop_map(|text| AnswerChoice::Answer(Arc::from(text))), 1 => Just(AnswerChoice::Skipped)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_from_a_draft_is_that_draft(petition in petition()) {
        let written = PetitionText::write(&petition);
        let read = PetitionText::read(written.text().as_bytes(), Timestamp(1)).unwrap();
        prop_assert_eq!(read.petition(), &petition, "{}", written.text());
        prop_assert_eq!(written.petition(), &petition);
    }

    #[test]
    fn an_untouched_file_is_what_it_was(
        petition in petition(), mark in any::<bool>(), returns in any::<bool>(), cut in any::<bool>(),
    ) {
        let text = disguised(PetitionText::write(&petition).text(), mark, returns, cut);
        let read = sheet(&text);
        prop_assert_eq!(read.text(), &text);
        let asked = read.with(&PetitionChange::Asked, &ada(), NOON).unwrap();
        prop_assert_eq!(asked.text(), &text);
    }

    #[test]
    fn an_answer_changes_its_own_lines_and_reads_back_exactly(
        petition in petition(), choice in choice(), which in any::<prop::sample::Index>(),
        mark in any::<bool>(), returns in any::<bool>(), cut in any::<bool>(), user in title(),
    ) {
        let text = disguised(PetitionText::write(&petition).text(), mark, returns, cut);
        let before = sheet(&text);
        let id = Arc::clone(&petition.decisions[which.index(petition.decisions.len())].id);
        let by = Actor::human(Door::Web, &user);
        let after = before.with(&answered(before.petition(), &id, choice.clone()), &by, NOON).unwrap();
        prop_assert_eq!(untouched(after.text()), untouched(&text), "{}", difference(&text, after.text()));
        let read = sheet(after.text());
        for decision in &read.petition().decisions {
            if decision.id == id {
                let given = decision.answer.as_ref().unwrap();
                prop_assert_eq!(&given.choice, &choice);
                prop_assert_eq!(given.by.as_deref(), Some(&*by.to_string()));
                prop_assert_eq!((given.at, given.via, given.late), (Some(NOON), Some(Door::Web), false));
            } else {
                prop_assert_eq!(Some(decision), before.petition().decision(&decision.id));
            }
        }
        // Taken back, nothing but the time is left of it.
        let back = after.without_answer(&id, before.petition().updated_at).unwrap();
        prop_assert_eq!(back.text(), &text);
    }

    #[test]
    fn ids_that_begin_alike_are_not_taken_for_one_another(order in Just(["db", "db-backup", "d", "db-backup-2", "db.", "d-b"]).prop_shuffle(), choice in choice()) {
        let sections: String = order.iter().map(|id| {
            format!("\n## Decision 1: db\n\nid: {id}\nstatus: pending\nanswer: null\nanswered_at: null\n\n**Options:**\n- `a`\n\n---\n")
        }).collect();
        let mut now = sheet(&format!("---\nid: a\nstatus: pending\n---\n{sections}"));
        for (at, id) in order.iter().enumerate() {
            let next = now.with(&answered(now.petition(), id, choice.clone()), &ada(), NOON).unwrap();
            let changed: Vec<&str> = next.petition().decisions.iter().zip(&now.petition().decisions)
                .filter(|(after, before)| after != before).map(|(after, _)| &*after.id).collect();
            prop_assert_eq!(changed, vec![*id]);
            prop_assert_eq!(next.petition().decided(), at + 1);
            now = next;
        }
    }

    #[test]
    fn a_file_lives_as_its_petition_does(
        petition in petition(),
        acts in prop::collection::vec((0_u8..10, any::<prop::sample::Index>(), choice(), 0_u64..4_000_000_000_000), 1..12),
        returns in any::<bool>(),
    ) {
        let mut now = sheet(&disguised(PetitionText::write(&petition).text(), false, returns, false));
        let mut lived = petition;
        let seen = SeenQuestion { question: None, answer: SeenAnswer::Any, ..SeenQuestion::default() };
        for (act, which, choice, at) in acts {
            let at = Timestamp(at);
            let id = Arc::clone(&lived.decisions[which.index(lived.decisions.len())].id);
            let judged = match act {
                0 => lived.submit(),
                1 => lived.withdraw("no\n---\nmore", &ada()).map_err(|_| PetitionRefusal::Empty),
                2 => Ok(PetitionChange::Expired { why: Arc::from("it was \"late\" \\") }),
                3 => {
                    if lived.closed.is_none() {
                        now = now.without_answer(&id, at).unwrap();
                        lived.updated_at = at;
                        lived.decisions.iter_mut().find(|decision| decision.id == id).unwrap().answer = None;
                    }
                    continue;
                }
                4 => lived.assign(Some(&id), choice.text(), &ada()),
                5 => lived.assign(None, choice.text(), &ada()),
                _ => lived.answer(&id, choice, &seen, &ada()),
            };
            let Some(change) = judged.ok().filter(|change| lived.closed.is_none() || matches!(change, PetitionChange::Late { .. }))
            else { continue };
            now = now.with(&change, &ada(), at).unwrap();
            lived.apply(&change, &ada(), at);
            prop_assert_eq!(now.petition(), &lived);
            let again = sheet(now.text());
            prop_assert_eq!(again.petition(), &lived);
            prop_assert_eq!(now.claims(), lived.closed.as_ref().map(|closed| closed.end));
        }
        // Written anew it is the same once more.
        let anew = PetitionText::write(&lived);
        prop_assert_eq!(anew.petition(), &lived);
    }
}
