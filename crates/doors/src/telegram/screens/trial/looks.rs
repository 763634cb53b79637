//! How each view of a petition looks.
// tidy: long because each view is a picture, and pictures are read side by side.

use std::sync::Arc;

use insta::assert_snapshot;
use mind::actor::{Actor, Door};
use mind::petition::{ClosedPetition, Petition, PetitionEnd, Priority};
use view::queue::{QueueCounts, UnreadableFile, WaitingPetition};

use super::asked::{answer, decided, design, special};
use super::strict::takes;
use super::{after, buttons, looks, looks_among_others, shown};
use crate::telegram::screen::ChatScreen;
use crate::telegram::screens::{
    DecisionMoment, QueueMoment, completion, decision, decision_not_found, hand_over, own_words, petition,
    plan_not_found, queue, queue_rows, review, word,
};
use crate::telegram::settings::PersonRole;

fn of(petition: &Petition, at: usize) -> DecisionMoment<'_> {
    DecisionMoment { petition, decision: at, page: 0, instead: false }
}

fn to_ada(petition: &Petition, at: usize) -> ChatScreen {
    let screen = looks(PersonRole::Steer, |viewer| decision(viewer, &of(petition, at)));
    takes(&screen);
    screen
}

fn ended(mut petition: Petition, end: PetitionEnd, why: Option<&str>) -> Petition {
    petition.closed = Some(ClosedPetition { end, at: after(8), why: why.map(Arc::from) });
    petition
}

#[test]
fn the_queue_tells_what_waits_and_what_cannot_be_read() {
    let mut waiting: Vec<Petition> = (0..12).map(|_| design()).collect();
    waiting[0] = special();
    waiting[1].priority = Priority::High;
    waiting[2].title = "<b>שלום</b> &amp;".into();
    waiting[3] = decided();
    waiting[3].assignee = Some("bob".into());
    waiting[11].priority = Priority::Low;
    let rows: Vec<WaitingPetition<'_>> = waiting.iter().map(WaitingPetition::from).collect();
    let counts = QueueCounts::of(waiting.iter().map(|petition| petition.priority));
    let unreadable =
        [UnreadableFile { file: "queue/pending/a.md".to_owned(), why: "line 3: no title".to_owned() }];
    let page = |page| {
        let shown = &rows[queue_rows(page, rows.len())];
        let moment = QueueMoment { counts, page, shown, unreadable: &unreadable };
        looks(PersonRole::Answer, |viewer| queue(viewer, &moment))
    };
    takes(&page(0));
    assert_snapshot!(shown(&page(0)), @r"
    📋 <b>Arbiter — Decision Queue</b>

    🔴 1 urgent │ 🟠 1 high │ 🟡 9 normal │ 🟢 1 low

    1. 🔴 [shop] <b>Launch</b> — 0/4 · <i>due in 20m</i>
    2. 🟠 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    3. 🟡 [nft-marketplace] <b>\u{2068}&lt;b&gt;שלום&lt;/b&gt; &amp;amp;\u{2069}</b> — 0/3
    4. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 3/3 · to submit · <i>for bob</i>
    5. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    6. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    7. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    8. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    9. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    10. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3

    ⚠️ <b>Cannot be read</b>
    <code>a.md</code>: malformed: line 3: no title
    [1] [2] [3] [4] [5]
    [6] [7] [8] [9] [10]
    [page 1/2] [▶️]
    [🔄 Refresh]
    ");
    assert_snapshot!(shown(&page(7)), @r"
    📋 <b>Arbiter — Decision Queue</b>

    🔴 1 urgent │ 🟠 1 high │ 🟡 9 normal │ 🟢 1 low

    11. 🟡 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    12. 🟢 [nft-marketplace] <b>API Design Decisions</b> — 0/3
    [11] [12]
    [◀️] [page 2/2]
    [🔄 Refresh]
    ");
    let nothing = QueueMoment { counts: QueueCounts::default(), page: 3, shown: &[], unreadable: &[] };
    assert_snapshot!(shown(&looks(PersonRole::Watch, |viewer| queue(viewer, &nothing))), @r"
    📋 <b>Arbiter — Decision Queue</b>

    Nothing waits for you.
    [🔄 Refresh]
    ");
}

#[test]
fn a_petition_shows_how_far_it_is() {
    let to = |role, asked: &Petition| looks(role, |viewer| petition(viewer, asked, 0));
    assert_snapshot!(shown(&to(PersonRole::Answer, &design())), @r"
    📄 <b>API Design Decisions</b>
    🟡 normal · ░░░░░░░░░░ 0/3
    <i>ceo asks for 3 decisions, 10m ago</i>
    <i>tag nft-marketplace</i>

    <blockquote>Context for the human reviewer.</blockquote>
    [⬜ 1. Auth Strategy]
    [⬜ 2. Database]
    [⬜ 3. Log addresses?]
    [▶️ Continue] [↩️ Back]
    ");
    assert_snapshot!(shown(&to(PersonRole::Answer, &decided())), @r"
    📄 <b>API Design Decisions</b>
    🟡 normal · ▓▓▓▓▓▓▓▓▓▓ 3/3
    <i>ceo asks for 3 decisions, 10m ago</i>
    <i>tag nft-marketplace</i>

    <blockquote>Context for the human reviewer.</blockquote>
    [✅ 1. Auth Strategy]
    [✅ 2. Database]
    [⏭️ 3. Log addresses?]
    [📤 Submit] [↩️ Back]
    ");
    assert_snapshot!(shown(&to(PersonRole::Watch, &special())), @r"
    📄 <b>Launch</b>
    🔴 urgent · ░░░░░░░░░░ 0/4
    <i>ceo asks for 4 decisions, 10m ago</i>
    <i>tag shop</i>
    ⏳ <i>due in 1h 50m (2025-11-18 03:40)</i>
    [⬜ 1. Regions]
    [⬜ 2. May it run?]
    [⬜ 3. Announce it?]
    [⬜ 4. Pay?]
    [↩️ Back]
    ");
    let withdrawn = ended(design(), PetitionEnd::Withdrawn, Some("no need"));
    assert_snapshot!(shown(&to(PersonRole::Answer, &withdrawn)), @r"
    🚫 <b>API Design Decisions</b>
    <i>withdrawn 2m ago: no need</i>
    <i>ceo asks for 3 decisions, 10m ago</i>
    <i>tag nft-marketplace</i>

    <blockquote>Context for the human reviewer.</blockquote>
    [↩️ Back]
    ");
    assert_snapshot!(buttons(&looks_among_others(|viewer| petition(viewer, &design(), 0))), @r"
    [⬜ 1. Auth Strategy]
    [⬜ 2. Database]
    [⬜ 3. Log addresses?]
    [👤 Hand over]
    [▶️ Continue] [↩️ Back]
    ");
}

#[test]
fn a_long_context_is_read_on_pages_of_its_own() {
    let mut asked = design();
    asked.context = "A line of the context. ".repeat(200).into();
    let page = |at| looks(PersonRole::Answer, |viewer| petition(viewer, &asked, at));
    assert_snapshot!(buttons(&page(0)), @r"
    [⬜ 1. Auth Strategy]
    [⬜ 2. Database]
    [⬜ 3. Log addresses?]
    [page 1/3] [▶️]
    [📖 Whole context]
    [▶️ Continue] [↩️ Back]
    ");
    assert!(page(0).html.contains("… (cut)</blockquote>"));
    let whole: String =
        (1..=2).map(|at| page(at).html.split("<blockquote>").nth(1).unwrap_or_default().to_owned()).collect();
    assert_eq!(whole.replace("</blockquote>", ""), *asked.context);
}

#[test]
fn a_decision_offers_its_options() {
    assert_snapshot!(shown(&to_ada(&design(), 0)), @r"
    <b>1/3 · Auth Strategy</b>

    <blockquote>How should we authenticate admin panel users?</blockquote>

    <b>A.</b> <code>jwt</code> — JWT tokens (stateless, scalable)
    <b>B.</b> <code>session</code> — Server sessions (more control)
    <b>C.</b> <code>oauth</code> — External OAuth provider
    <b>D.</b> <code>none</code>
    [1/3] [Next ➡️]
    [A] [B] [C]
    [D]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(shown(&to_ada(&design(), 1)), @r"
    <b>2/3 · Database</b>

    <b>A.</b> <code>pg</code> — Postgres
    <b>B.</b> <code>lite</code> — SQLite &lt;in memory&gt;

    ✏️ Custom answers allowed
    [⬅️ Prev] [2/3] [Next ➡️]
    [A] [B]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(buttons(&to_ada(&design(), 2)), @r"
    [⬅️ Prev] [3/3]
    [A] [B]
    [⏭️ Skip]
    [↩️ Back to Plan]
    ");
}

#[test]
fn an_answer_stands_below_and_above_the_next_decision() {
    let asked = decided();
    assert_snapshot!(shown(&to_ada(&asked, 0)), @r"
    <b>1/3 · Auth Strategy</b>

    <blockquote>How should we authenticate admin panel users?</blockquote>

    <b>A.</b> <code>jwt</code> — JWT tokens (stateless, scalable) ✓
    <b>B.</b> <code>session</code> — Server sessions (more control)
    <b>C.</b> <code>oauth</code> — External OAuth provider
    <b>D.</b> <code>none</code>

    <i>answered by ada, in Telegram, 8m ago</i>
    [1/3] [Next ➡️]
    [✓ A] [B] [C]
    [D]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(shown(&to_ada(&asked, 1)), @r"
    <b>2/3 · Database</b>

    <b>A.</b> <code>pg</code> — Postgres
    <b>B.</b> <code>lite</code> — SQLite &lt;in memory&gt;

    ✏️ Custom answers allowed

    ✓ Custom:
    <blockquote>neither:
    &lt;b&gt;files&lt;/b&gt;</blockquote>
    <i>answered by ada, in Telegram, 7m ago</i>
    [⬅️ Prev] [2/3] [Next ➡️]
    [A] [B]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    let moment = of(&asked, 2);
    assert_snapshot!(shown(&looks(PersonRole::Answer, |viewer| decision(viewer, &moment))), @r"
    <b>3/3 · Log addresses?</b>

    <b>A.</b> <code>y</code> — Yes
    <b>B.</b> <code>n</code> — No

    <i>skipped by bob, at the command line, 6m ago</i>
    [⬅️ Prev] [3/3]
    [A] [B]
    [⏭️ Skip]
    [↩️ Back to Plan]
    ");
}

#[test]
fn what_holds_for_a_decision_is_seen() {
    let mut asked = special();
    answer(&mut asked, "regions", "eu, ap", after(1));
    assert_snapshot!(shown(&to_ada(&asked, 0)), @r"
    <b>1/4 · Regions</b>

    <b>A.</b> <code>eu</code> — Europe ✓
    <b>B.</b> <code>us</code> — America
    <b>C.</b> <code>ap</code> — Asia ✓
    <i>several can be chosen</i>

    <i>answered by ada, in Telegram, 9m ago</i>
    [1/4] [Next ➡️]
    [✓ A] [B] [✓ C]
    [⏭️ Skip]
    [▶️ Continue]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(shown(&to_ada(&asked, 1)), @r"
    <b>2/4 · May it run?</b>
    <i>only a person may answer</i>

    <pre>rm -r build\u{202e}</pre>

    <b>A.</b> <code>yes</code> — Yes, this once
    <b>B.</b> <code>no</code> — No
    [⬅️ Prev] [2/4] [Next ➡️]
    [A] [B]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(shown(&to_ada(&special(), 2)), @r"
    <b>3/4 · Announce it?</b>
    ⏳ <i>comes after Regions</i>

    <b>A.</b> <code>y</code> — Yes
    <b>B.</b> <code>n</code> — No
    [⬅️ Prev] [3/4] [Next ➡️]
    [🔒 First: Regions]
    [↩️ Back to Plan]
    ");
    assert_snapshot!(shown(&to_ada(&asked, 3)), @r"
    <b>4/4 · Pay?</b>
    <i>for bob</i>

    <b>A.</b> <code>y</code> — Yes
    [⬅️ Prev] [4/4]
    [Answer instead of bob]
    [↩️ Back to Plan]
    ");
}

#[test]
fn what_another_one_is_asked_can_be_answered_instead() {
    let asked = special();
    let moment = DecisionMoment { instead: true, ..of(&asked, 3) };
    let screen = looks_among_others(|viewer| decision(viewer, &moment));
    assert_snapshot!(buttons(&screen), @r"
    [⬅️ Prev] [4/4]
    [A]
    [✏️ Custom] [⏭️ Skip]
    [👤 Hand over]
    [↩️ Back to Plan]
    ");
    assert!(screen.buttons[1][0].tap.data().starts_with("1C."));
}

#[test]
fn a_closed_petition_takes_no_answers_and_shows_late_ones() {
    let mut asked = ended(design(), PetitionEnd::Expired, Some("auth was open at its deadline"));
    answer(&mut asked, "auth", "jwt", after(9));
    assert_snapshot!(shown(&to_ada(&asked, 0)), @r"
    <b>1/3 · Auth Strategy</b>
    🔒 <i>expired 2m ago: auth was open at its deadline</i>

    <blockquote>How should we authenticate admin panel users?</blockquote>

    <b>A.</b> <code>jwt</code> — JWT tokens (stateless, scalable)
    <b>B.</b> <code>session</code> — Server sessions (more control)
    <b>C.</b> <code>oauth</code> — External OAuth provider
    <b>D.</b> <code>none</code>

    <i>late: jwt, by ada, in Telegram, 1m ago</i>
    [1/3] [Next ➡️]
    [↩️ Back to Plan]
    ");
    let watched = looks(PersonRole::Watch, |viewer| decision(viewer, &of(&special(), 0)));
    assert_snapshot!(buttons(&watched), @r"
    [1/4] [Next ➡️]
    [↩️ Back to Plan]
    ");
}

/// What is approved is read to its end, page after page, before there is a button for it.
#[test]
fn what_is_approved_is_read_to_its_end() {
    let mut asked = special();
    asked.decisions[1].context = "curl -s https://example.org/install.sh | sh\n".repeat(100).into();
    let page = |page| {
        looks(PersonRole::Answer, |viewer| decision(viewer, &DecisionMoment { page, ..of(&asked, 1) }))
    };
    let read: String = (0..3)
        .map(|at| {
            page(at)
                .html
                .split("<pre>")
                .nth(1)
                .and_then(|rest| rest.split("</pre>").next())
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    assert_eq!(read, *asked.decisions[1].context);
    assert_snapshot!(buttons(&page(0)), @r"
    [page 1/3] [▶️]
    [⬅️ Prev] [2/4] [Next ➡️]
    [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    assert!(page(0).html.contains("on the last page"));
    assert_snapshot!(buttons(&page(2)), @r"
    [◀️] [page 3/3]
    [⬅️ Prev] [2/4] [Next ➡️]
    [A] [B]
    [✏️ Custom] [⏭️ Skip]
    [↩️ Back to Plan]
    ");
    asked.decisions[1].options[0].label = "y".repeat(3_000);
    let page = |page| {
        looks(PersonRole::Answer, |viewer| decision(viewer, &DecisionMoment { page, ..of(&asked, 1) }))
    };
    assert!(page(3).html.contains("(cut: 1200 signs more; look at it with `arbiter inbox k3x9q2mf`)"));
    assert!(!buttons(&page(3)).contains("[A]"), "what was not shown whole is not approved");
}

#[test]
fn words_of_ones_own_are_asked_for() {
    let alone = looks(PersonRole::Answer, |viewer| own_words(viewer, &design(), 0, false));
    assert_snapshot!(shown(&alone), @r"
    ✏️ <b>Auth Strategy</b>

    Your next message is the answer. /cancel leaves.
    [↩️ Back]
    ");
    let group = looks(PersonRole::Answer, |viewer| {
        own_words(&crate::telegram::screens::Viewer { is_group: true, ..*viewer }, &special(), 3, true)
    });
    takes(&group);
    assert!(group.asks_for_reply);
    assert_snapshot!(shown(&group), @r"
    ✏️ <b>Pay?</b>
    <i>instead of bob</i>

    Reply to this message with your answer. /cancel leaves.
    ");
}

#[test]
fn all_answers_are_reviewed() {
    assert_snapshot!(shown(&looks(PersonRole::Answer, |viewer| review(viewer, &decided(), 0))), @r"
    🔎 <b>API Design Decisions</b>
    ✅ 2 answered · ⏭️ 1 skipped

    1. Auth Strategy → <b>jwt</b>
    2. Database → <b>&quot;neither: &lt;b&gt;files&lt;/b&gt;&quot;</b>
    3. Log addresses? → <b>skipped</b>
    [✅ 1. Auth Strategy]
    [✅ 2. Database]
    [⏭️ 3. Log addresses?]
    [📤 Submit]
    [↩️ Back]
    ");
    let mut begun = design();
    answer(&mut begun, "auth", "jwt", after(1));
    assert_snapshot!(shown(&looks(PersonRole::Answer, |viewer| review(viewer, &begun, 0))), @r"
    🔎 <b>API Design Decisions</b>
    ✅ 1 answered · ⬜ 2 open

    1. Auth Strategy → <b>jwt</b>
    2. Database — open
    3. Log addresses? — open
    [✅ 1. Auth Strategy]
    [⬜ 2. Database]
    [⬜ 3. Log addresses?]
    [↩️ Back]
    ");
}

#[test]
fn an_end_is_told_with_its_answers() {
    let by = Actor::human(Door::Telegram, "93533553");
    let end = |asked: &Petition| looks(PersonRole::Answer, |viewer| completion(viewer, asked, Some(&by)));
    assert_snapshot!(shown(&end(&ended(decided(), PetitionEnd::Completed, None))), @r"
    ✅ <b>API Design Decisions</b>
    <i>submitted 2m ago by ada, in Telegram</i>

    1. Auth Strategy → <b>jwt</b>
    2. Database → <b>&quot;neither: &lt;b&gt;files&lt;/b&gt;&quot;</b>
    3. Log addresses? → <b>skipped</b>

    Notifying: <code>agent:swe2:main</code>
    [📋 Back to Queue]
    ");
    assert_snapshot!(shown(&end(&ended(design(), PetitionEnd::Withdrawn, Some("no need")))), @r"
    🚫 <b>API Design Decisions</b>
    <i>withdrawn 2m ago by ada, in Telegram: no need</i>

    1. Auth Strategy — open
    2. Database — open
    3. Log addresses? — open

    Notifying: <code>agent:swe2:main</code>
    [📋 Back to Queue]
    ");
}

#[test]
fn it_can_be_handed_to_others_who_may_answer() {
    let one = looks_among_others(|viewer| hand_over(viewer, &design(), Some(0)));
    takes(&one);
    assert_snapshot!(shown(&one), @r"
    👤 <b>Hand over</b>

    Auth Strategy

    The person you choose is told, and asked from then on.
    [bob]
    [↩️ Back]
    ");
    assert_snapshot!(shown(&looks(PersonRole::Answer, |viewer| hand_over(viewer, &design(), None))), @r"
    👤 <b>Hand over</b>

    API Design Decisions

    No other person here can be asked.
    [↩️ Back]
    ");
}

#[test]
fn what_is_gone_is_told() {
    for screen in [plan_not_found(), decision_not_found(&design().id), word("It is\u{7} done.")] {
        takes(&screen);
    }
    assert_snapshot!(shown(&plan_not_found()), @r"
    ❓ <b>Plan not found</b>

    It was removed, or closed long ago.
    [📋 Back to Queue]
    ");
    assert_snapshot!(shown(&to_ada(&design(), 9)), @r"
    ⚠️ <b>Decision not found</b>

    The petition was changed, and this decision is no longer in it.
    [🔄 Reload]
    [📋 Back to Queue]
    ");
}
