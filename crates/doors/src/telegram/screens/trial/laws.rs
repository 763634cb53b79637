//! Whatever an agent wrote, Telegram takes every page of every view; every decision and every option can be reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use mind::petition::{
    AnswerChoice, ClosedPetition, Decision, GivenAnswer, Petition, PetitionEnd, PetitionId, Priority,
};
use mind::talk::DecisionOption;
use proptest::collection::vec;
use proptest::prelude::*;
use view::queue::{QueueCounts, UnreadableFile, WaitingPetition};

use super::asked::design;
use super::strict::{seen, takes};
use super::{after, looks, looks_among_others};
use crate::telegram::screens::{
    DecisionMoment, QueueMoment, completion, decision, hand_over, own_words, petition, queue, review,
};
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::Tap;

/// Texts that try to be something else, and long ones.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{0,20}",
        "(?s)[<&>*_\\[\\]()~`\"\n\t|#+=.!-]{0,60}",
        "[א-ת\u{202e}\u{2067} ]{0,40}",
        "(👩‍👩‍👧|🔴|é|\u{301}){0,400}",
        ("\\PC{1,8}", 1usize..700).prop_map(|(part, times)| part.repeat(times)),
    ]
}

fn choices() -> impl Strategy<Value = Option<GivenAnswer>> {
    let choice = prop_oneof![
        Just(AnswerChoice::Skipped),
        Just(AnswerChoice::Answer(Arc::from("0"))),
        texts().prop_map(|text| AnswerChoice::Answer(text.into())),
    ];
    let given = (choice, texts(), any::<bool>()).prop_map(|(choice, by, late)| GivenAnswer {
        choice,
        at: Some(after(1)),
        by: Some(by.into()),
        via: None,
        late,
        instead_of: None,
    });
    proptest::option::of(given)
}

fn decisions() -> impl Strategy<Value = Decision> {
    let words = (texts(), texts(), vec((texts(), texts()), 0..30), texts());
    let flags = (any::<[bool; 4]>(), proptest::option::of(any::<bool>()), vec(0usize..12, 0..8));
    (words, flags, choices()).prop_map(
        |((title, context, options, assignee), (flags, allow_custom, first), answer)| {
            let [multi, exact, is_assigned, requires_human] = flags;
            let option = |(at, (key, label)): (usize, (String, String))| DecisionOption {
                key: format!("{at}{key}"),
                label,
            };
            Decision {
                title: title.into(),
                context: context.into(),
                options: options.into_iter().enumerate().map(option).collect(),
                allow_custom,
                multi,
                deadline: Some(after(20)),
                default: Some(Arc::from("0")),
                requires_human,
                digest: exact.then(|| Arc::from("sha256:1")),
                depends_on: first.into_iter().map(|at| Arc::from(format!("d{at}"))).collect(),
                assignee: is_assigned.then(|| assignee.into()),
                answer,
                ..Decision::default()
            }
        },
    )
}

fn petitions() -> impl Strategy<Value = Petition> {
    let end = prop_oneof![
        4 => Just(None),
        1 => texts().prop_map(|why| Some(ClosedPetition { end: PetitionEnd::Withdrawn, at: after(2), why: Some(why.into()) })),
    ];
    ("\\PC{0,200}", [texts(), texts(), texts(), texts()], vec(decisions(), 0..14), end).prop_map(
        |(id, [title, tag, context, agent], decisions, closed)| {
            let mut petition = design();
            (petition.id, petition.closed) = (PetitionId::from(id.as_str()), closed);
            (petition.title, petition.tag, petition.context) = (title.into(), tag.into(), context.into());
            (petition.agent, petition.priority) = (agent.into(), Priority::Urgent);
            petition.decisions = decisions;
            for (at, decision) in petition.decisions.iter_mut().enumerate() {
                decision.id = Arc::from(format!("d{at}"));
            }
            petition
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn telegram_takes_every_view_of_any_petition(asked in petitions(), instead: bool) {
        looks_among_others(|viewer| {
            for page in 0..4 {
                takes(&petition(viewer, &asked, page));
                takes(&review(viewer, &asked, page));
            }
            takes(&completion(viewer, &asked, None));
            takes(&hand_over(viewer, &asked, None));
            for at in 0..asked.decisions.len() {
                for page in 0..3 {
                    takes(&decision(viewer, &DecisionMoment { petition: &asked, decision: at, page, instead }));
                }
                takes(&own_words(viewer, &asked, at, instead));
                takes(&hand_over(viewer, &asked, Some(at)));
            }
            let unreadable = vec![UnreadableFile { file: asked.title.to_string(), why: asked.tag.to_string() }; 9];
            let shown = vec![WaitingPetition::from(&asked); 10];
            let counts = QueueCounts { urgent: 100_000, high: 1, normal: 1, low: 1 };
            takes(&queue(viewer, &QueueMoment { counts, page: 0, shown: &shown, unreadable: &unreadable }));
        });
    }
}

/// What the buttons of some pages do.
fn taps(pages: impl Iterator<Item = crate::telegram::screen::ChatScreen>) -> Vec<Tap> {
    pages.flat_map(|screen| screen.buttons.into_iter().flatten().map(|button| button.tap)).collect()
}

#[test]
fn every_decision_is_reached_by_pages() {
    let mut asked = design();
    let one = asked.decisions[0].clone();
    asked.decisions = (0..200).map(|at| Decision { id: format!("d{at}").into(), ..one.clone() }).collect();
    let reached = |taps: Vec<Tap>| {
        let place = |tap| if let Tap::Decision { decision, .. } = tap { Some(decision) } else { None };
        taps.into_iter().filter_map(place).collect::<BTreeSet<usize>>()
    };
    looks(PersonRole::Answer, |viewer| {
        let all = BTreeSet::from_iter(0..200);
        assert_eq!(reached(taps((0..20).map(|page| petition(viewer, &asked, page)))), all);
        assert_eq!(reached(taps((0..20).map(|page| review(viewer, &asked, page)))), all);
    });
}

#[test]
fn every_option_is_reached_by_pages() {
    for exact in [false, true] {
        let mut asked = design();
        let option = |at: usize| DecisionOption { key: format!("key{at}"), label: "label ".repeat(at % 40) };
        asked.decisions[0].options = (0..500).map(option).collect();
        asked.decisions[0].context = "word ".repeat(3_000).into();
        asked.decisions[0].digest = exact.then(|| Arc::from("sha256:1"));
        let moment = |page| DecisionMoment { petition: &asked, decision: 0, page, instead: false };
        looks(PersonRole::Answer, |viewer| {
            let pages: Vec<_> = (0..90).map(|page| decision(viewer, &moment(page))).collect();
            pages.iter().for_each(takes);
            let place = |tap| if let Tap::Choose { option, .. } = tap { Some(option) } else { None };
            let reached: BTreeSet<usize> = taps(pages.into_iter()).into_iter().filter_map(place).collect();
            assert_eq!(reached, BTreeSet::from_iter(0..500));
        });
    }
}

/// A text that looks like the layout stays a text in its place.
#[test]
fn no_text_fakes_the_layout() {
    let mut asked = design();
    asked.title = "</b>\n🔴 2. [x] Other — 0/1".into();
    asked.decisions[0].context = "</blockquote><b>A.</b> yes ✓".into();
    looks(PersonRole::Answer, |viewer| {
        let html = petition(viewer, &asked, 0).html;
        assert!(html.starts_with("📄 <b>&lt;/b&gt; 🔴 2. [x] Other — 0/1</b>\n"), "{html}");
        let moment = DecisionMoment { petition: &asked, decision: 0, page: 0, instead: false };
        let html = decision(viewer, &moment).html;
        assert!(
            html.contains("<blockquote>&lt;/blockquote&gt;&lt;b&gt;A.&lt;/b&gt; yes ✓</blockquote>"),
            "{html}"
        );
        assert!(seen(&html).is_ok());
    });
}

/// Everything that can be long is, all at once.
#[test]
fn the_longest_texts_fit_together() {
    let long: Arc<str> = "W".repeat(5_000).into();
    let asker = Some(GivenAnswer {
        choice: AnswerChoice::Answer(Arc::clone(&long)),
        at: Some(after(1)),
        by: Some(Arc::clone(&long)),
        via: None,
        late: false,
        instead_of: None,
    });
    let option = |at: usize| DecisionOption { key: format!("{at}{long}"), label: long.to_string() };
    let mut asked = design();
    (asked.title, asked.tag, asked.context, asked.agent) =
        (long.clone(), long.clone(), long.clone(), long.clone());
    (asked.blocks, asked.assignee, asked.mission) =
        (Some(long.clone()), Some(long.clone()), Some(long.clone()));
    (asked.deadline, asked.notify_session) = (Some(after(60)), Some(long.clone()));
    let decision_of = |at: usize| Decision {
        id: format!("d{at}").into(),
        title: long.clone(),
        context: long.clone(),
        options: (0..6).map(option).collect(),
        allow_custom: Some(true),
        multi: true,
        deadline: Some(after(30)),
        default: Some(long.clone()),
        requires_human: true,
        digest: (at % 2 == 1).then(|| long.clone()),
        depends_on: (20..30).map(|at| format!("d{at}").into()).collect(),
        assignee: Some(long.clone()),
        answer: if at < 20 { asker.clone() } else { None },
    };
    asked.decisions = (0..30).map(decision_of).collect();
    let mut ended = asked.clone();
    ended.closed = Some(ClosedPetition { end: PetitionEnd::Expired, at: after(2), why: Some(long.clone()) });
    looks_among_others(|viewer| {
        for asked in [&asked, &ended] {
            for page in 0..8 {
                takes(&petition(viewer, asked, page));
                takes(&review(viewer, asked, page));
                for decision in [0, 1, 20, 21] {
                    let moment = DecisionMoment { petition: asked, decision, page, instead: true };
                    takes(&super::super::decision(viewer, &moment));
                }
            }
            takes(&completion(viewer, asked, None));
            takes(&hand_over(viewer, asked, Some(0)));
            let unreadable = vec![UnreadableFile { file: long.to_string(), why: long.to_string() }; 9];
            let shown = vec![WaitingPetition::from(asked); 10];
            let counts = QueueCounts { urgent: 100_000, high: 100_000, normal: 100_000, low: 100_000 };
            takes(&queue(viewer, &QueueMoment { counts, page: 0, shown: &shown, unreadable: &unreadable }));
        }
    });
}
