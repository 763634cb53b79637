//! Every released form of a fact stays readable: each line of `facts.golden.jsonl` is one form. Lines are added, never
//! changed; a new variant without a line fails here.
// tidy: long because it has a row and a value for each kind of fact

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::access::SandboxLevel;
use mind::actor::{Actor, Door};
use mind::charter::{
    Capabilities, Charter, Consent, ProviderChoice, Requirements, RoleProviders, Warnings, WhenAway,
};
use mind::conductor::{Conducting, Decider, Limits, NoteKeeping};
use mind::fact::{
    ContextFact, DocketFact, GateFact, HaltCause, LifeFact, MissionFact, PermissionFact, SessionFact,
    TalkFact, ToolFact, TurnFact, WorkFact,
};
use mind::mission_limits::LimitKind;
use mind::petition::{
    AnswerChoice, Answered, DraftDecision, PetitionDraft, PetitionId, PetitionSubject, Priority,
};
use mind::policy::{GrantScope, PermissionRequest, Policy, PolicyMode, Risk};
use mind::session::{
    CloneTree, Gauge, Interjection, Profile, QueuedMessage, Role, Section, Task, TaskStatus, Wait, WaitKind,
};
use mind::talk::{
    Asks, CheckStatus, DecisionAsked, DecisionOption, Listener, MessageKind, Proof, Receipt, Speaker, Verdict,
};
use mind::{Fact, GateId, MessageId, MissionId, PermissionId, SessionId, Timestamp, TurnId};

const GOLDEN: &str = include_str!("facts.golden.jsonl");

/// Names each variant once: for the match, which the compiler keeps complete, and for the list of what must be golden.
macro_rules! variants {
    ($($name:literal => $pattern:pat),* $(,)?) => {
        const VARIANTS: &[&str] = &[$($name),*];

        fn variant(fact: &Fact) -> &'static str {
            match fact { $($pattern => $name),* }
        }
    };
}

variants! {
    "opened" => Fact::Mission(MissionFact::Opened(_)),
    "attended" => Fact::Mission(MissionFact::Attended(_)),
    "restarted" => Fact::Mission(MissionFact::Restarted { .. }),
    "clone ready" => Fact::Mission(MissionFact::CloneReady { .. }),
    "clone rebuilt" => Fact::Mission(MissionFact::CloneRebuilt { .. }),
    "consented" => Fact::Mission(MissionFact::Consented { .. }),
    "paused" => Fact::Mission(MissionFact::Paused { .. }),
    "resumed" => Fact::Mission(MissionFact::Resumed { .. }),
    "turned_back" => Fact::Mission(MissionFact::TurnedBack { .. }),
    "asked_once_more" => Fact::Mission(MissionFact::AskedOnceMore { .. }),
    "halted" => Fact::Mission(MissionFact::Halted { .. }),
    "completed" => Fact::Mission(MissionFact::Completed { .. }),
    "cancelled" => Fact::Mission(MissionFact::Cancelled { .. }),
    "failed" => Fact::Mission(MissionFact::Failed { .. }),
    "exhausted" => Fact::Mission(MissionFact::Exhausted { .. }),
    "limit_reached" => Fact::Mission(MissionFact::LimitReached { .. }),
    "handoff_at_limit" => Fact::Mission(MissionFact::HandoffAtLimit { .. }),
    "limits_set" => Fact::Mission(MissionFact::LimitsSet { .. }),
    "plan_only" => Fact::Mission(MissionFact::PlanOnly { .. }),
    "conductor" => Fact::Conductor(_),
    "spent" => Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. })),
    "said" => Fact::Talk(TalkFact::Said { .. }),
    "received" => Fact::Talk(TalkFact::Received { .. }),
    "queued words" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Words(_), .. }),
    "queued notice" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Notice(_), .. }),
    "queued report" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Report { .. }, .. }),
    "queued address" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Address(_), .. }),
    "queued again" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Again { .. }, .. }),
    "queued aside" => Fact::Talk(TalkFact::Queued { message: QueuedMessage::Aside(_), .. }),
    "summoned" => Fact::Session(_, SessionFact::Life(LifeFact::Summoned(_))),
    "prompted" => Fact::Session(_, SessionFact::Turn(TurnFact::Prompted { .. })),
    "interjected" => Fact::Session(_, SessionFact::Turn(TurnFact::Interjected(_))),
    "interjection became turn" => Fact::Session(_, SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. })),
    "heard" => Fact::Session(_, SessionFact::Turn(TurnFact::Heard { .. })),
    "tool_started" => Fact::Session(_, SessionFact::Tool(ToolFact::Started { .. })),
    "tool_ended" => Fact::Session(_, SessionFact::Tool(ToolFact::Ended { .. })),
    "gauged" => Fact::Session(_, SessionFact::Context(ContextFact::Gauged(_))),
    "warning set" => Fact::Session(_, SessionFact::Context(ContextFact::WarningSet { .. })),
    "warned" => Fact::Session(_, SessionFact::Context(ContextFact::Warned { .. })),
    "tasks" => Fact::Session(_, SessionFact::Work(WorkFact::Tasks(_))),
    "sign of life" => Fact::Session(_, SessionFact::Life(LifeFact::SignOfLife)),
    "awaits_human" => Fact::Session(_, SessionFact::Life(LifeFact::AwaitsHuman(_))),
    "sandboxed" => Fact::Session(_, SessionFact::Life(LifeFact::Sandboxed(_))),
    "program_version" => Fact::Session(_, SessionFact::Life(LifeFact::ProgramVersion(_))),
    "asked" => Fact::Session(_, SessionFact::Permission(PermissionFact::Asked { .. })),
    "denied" => Fact::Session(_, SessionFact::Tool(ToolFact::Denied { .. })),
    "asked_again" => Fact::Session(_, SessionFact::Permission(PermissionFact::AskedAgain { .. })),
    "answered" => Fact::Session(_, SessionFact::Permission(PermissionFact::Answered { .. })),
    "answer_given" => Fact::Session(_, SessionFact::Permission(PermissionFact::AnswerGiven { .. })),
    "covered" => Fact::Session(_, SessionFact::Permission(PermissionFact::Covered { .. })),
    "unasked" => Fact::Session(_, SessionFact::Permission(PermissionFact::Unasked { .. })),
    "waits for petition" => Fact::Session(_, SessionFact::Life(LifeFact::WaitsForPetition { .. })),
    "waits" => Fact::Session(_, SessionFact::Life(LifeFact::Waits(_))),
    "retried" => Fact::Session(_, SessionFact::Turn(TurnFact::Retried { .. })),
    "revived" => Fact::Session(_, SessionFact::Life(LifeFact::Revived)),
    "watched" => Fact::Session(_, SessionFact::Life(LifeFact::SilenceWatched { .. })),
    "overflowed" => Fact::Session(_, SessionFact::Context(ContextFact::Overflowed)),
    "handoff_asked" => Fact::Session(_, SessionFact::Context(ContextFact::HandoffAsked)),
    "testament_asked" => Fact::Session(_, SessionFact::Context(ContextFact::TestamentAsked)),
    "interrupting" => Fact::Session(_, SessionFact::Turn(TurnFact::Interrupting { .. })),
    "rested" => Fact::Session(_, SessionFact::Turn(TurnFact::Rested { .. })),
    "malformed" => Fact::Session(_, SessionFact::Turn(TurnFact::Malformed { .. })),
    "logged" => Fact::Session(_, SessionFact::Work(WorkFact::Logged { .. })),
    "awaits" => Fact::Session(_, SessionFact::Work(WorkFact::AwaitsReply)),
    "judged" => Fact::Session(_, SessionFact::Work(WorkFact::Judged { .. })),
    "released" => Fact::Session(_, SessionFact::Life(LifeFact::Released)),
    "claimed" => Fact::Gate(_, GateFact::Claimed { .. }),
    "surveyed" => Fact::Gate(_, GateFact::Surveyed(_)),
    "brought" => Fact::Gate(_, GateFact::Brought { .. }),
    "receipt" => Fact::Gate(_, GateFact::Receipt { .. }),
    "refused" => Fact::Gate(_, GateFact::Refused { .. }),
    "docket asked" => Fact::Docket(_, DocketFact::Asked { .. }),
    "decided" => Fact::Docket(_, DocketFact::Decided { .. }),
    "void" => Fact::Docket(_, DocketFact::Void { .. }),
    "withdrawn" => Fact::Docket(_, DocketFact::Withdrawn { .. }),
    "closed" => Fact::Docket(_, DocketFact::Closed { .. }),
    "late" => Fact::Docket(_, DocketFact::Late(_)),
}

#[test]
fn every_released_form_of_a_fact_stays_readable() {
    let facts = facts();
    let lines: Vec<&str> = GOLDEN.lines().collect();
    for (at, (line, fact)) in lines.iter().zip(&facts).enumerate() {
        let read: Fact = serde_json::from_str(line).expect("a golden line is a fact");
        assert_eq!(&read, fact, "line {}", at + 1);
        assert_eq!(serde_json::to_string(fact).expect("facts can be stored"), *line, "line {}", at + 1);
    }
    let next = facts.get(lines.len()).map(|fact| serde_json::to_string(fact).expect("facts can be stored"));
    assert_eq!(next, None, "a form has no golden line");
    assert_eq!(lines.len(), facts.len(), "a golden line has no fact");
}

#[test]
fn every_variant_has_a_golden_line() {
    let facts = facts();
    let golden: BTreeSet<&str> = facts.iter().map(variant).collect();
    let missing: Vec<&&str> = VARIANTS.iter().filter(|name| !golden.contains(**name)).collect();
    assert!(missing.is_empty(), "no golden line for {missing:?}");
}

fn text(text: &str) -> Arc<str> {
    Arc::from(text)
}

fn ada() -> Actor {
    Actor::human(Door::Telegram, "ada")
}

fn night() -> Actor {
    Actor::Policy(text("night"))
}

fn question(risk: Risk) -> Arc<PermissionRequest> {
    let shapes = if risk == Risk::Grave { Vec::new() } else { vec![text("curl https://example.org")] };
    Arc::new(PermissionRequest {
        tool: text("Bash"),
        what: text("curl https://example.org/x"),
        folder: text("/clones/bridge-1"),
        why: text("it reaches the network"),
        risk,
        shapes,
        digest: text("9f86d0"),
    })
}

fn answered(allowed: bool, scope: GrantScope, why: &str) -> SessionFact {
    SessionFact::Permission(PermissionFact::Answered {
        permission: PermissionId(1),
        digest: text("9f86d0"),
        allowed,
        by: ada(),
        scope,
        why: text(why),
    })
}

fn tree(dirty: bool) -> CloneTree {
    CloneTree { commit: text("4b825dc"), dirty, fingerprint: text("f1") }
}

/// All fields, then the same without those that may be missing.
fn charters() -> [Charter; 5] {
    let seat = |model: Option<&str>| ProviderChoice {
        provider: "rehearsal".into(),
        model: model.map(str::to_owned),
    };
    let bare = Charter {
        mission: MissionId(text("bridge-1")),
        seed: 7,
        scroll: Requirements {
            name: "bridge.md".into(),
            path: ".arbiter/scroll.md".into(),
            text: text("Build.\n"),
        },
        consent: Consent::Ask,
        checks: Vec::new(),
        check_limit_ms: 600_000,
        seats: RoleProviders { arbiter: seat(None), orchestrator: seat(None), verifier: seat(None) },
        providers: BTreeMap::from([("rehearsal".into(), Capabilities { steers: true, typed: true })]),
        warnings: Warnings::default(),
        patience: mind::charter::Patience::default(),
        prompts: BTreeMap::new(),
        rules: None,
        policy: Policy::default(),
        away: WhenAway::Refuse,
        agents: Vec::new(),
        notes: Vec::new(),
        limits: None,
        conducting: None,
    };
    let full = Charter {
        consent: Consent::Policy("headless".into()),
        checks: vec![vec!["cargo".into(), "test".into()]],
        seats: RoleProviders { arbiter: seat(Some("opus")), ..bare.seats.clone() },
        prompts: BTreeMap::from([("continue.md".into(), text("Go on."))]),
        rules: Some(text("Be kind.")),
        ..bare.clone()
    };
    let policy = Policy { mode: PolicyMode::Open, allow: vec![vec!["just".into(), "build".into()]] };
    let trusting = Charter { policy, ..bare.clone() };
    let asking = Charter { away: WhenAway::Petition, ..bare.clone() };
    let scripted = Charter { away: WhenAway::Scripted, ..bare.clone() };
    [full, bare, trusting, asking, scripted]
}

fn facts() -> Vec<Fact> {
    let mut facts: Vec<Fact> = missions().into_iter().map(Fact::Mission).collect();
    facts.extend(talks().into_iter().map(Fact::Talk));
    facts.extend(sessions().into_iter().map(|fact| Fact::Session(SessionId(2), fact)));
    facts.extend(gates().into_iter().map(|fact| Fact::Gate(GateId(1), fact)));
    facts.extend(docket().into_iter().map(|fact| Fact::Docket(PetitionId::from("mab12"), fact)));
    facts.extend(crate::golden_conductor::facts());
    facts.push(Fact::Mission(MissionFact::Opened(Box::new(conducted()))));
    facts.extend(limits().map(Fact::Mission));
    facts.push(Fact::Mission(MissionFact::CloneRebuilt { commit: text("9fceb02") }));
    facts
}

/// What there is to say of a mission's limits.
fn limits() -> [MissionFact; 8] {
    let [_, bare, ..] = charters();
    let limits = Limits { deadline_ms: Some(60_000), budget_tokens: Some(20_000), ..Limits::default() };
    let reached = |limit| MissionFact::LimitReached { limit, why: text("so far"), until: Timestamp(70_000) };
    [
        MissionFact::Opened(Box::new(Charter { limits: Some(limits), ..bare })),
        reached(LimitKind::Iterations),
        reached(LimitKind::Failures),
        reached(LimitKind::Deadline),
        reached(LimitKind::Money),
        reached(LimitKind::Tokens),
        MissionFact::HandoffAtLimit { until: Timestamp(70_000) },
        MissionFact::LimitsSet { limits: Limits { budget_microusd: Some(5_000_000), ..limits } },
    ]
}

/// A charter that says all that can be said of how a mission is conducted.
fn conducted() -> Charter {
    let [_, bare, _, _, _] = charters();
    let limits = Limits {
        deadline_ms: Some(3_600_000),
        budget_microusd: Some(5_000_000),
        budget_tokens: Some(1_000_000),
        ..Limits::default()
    };
    let decider = Decider {
        provider: text("api"),
        model: Some(text("haiku")),
        max_tokens: 1024,
        temperature_milli: Some(200),
        cache: true,
    };
    let conducting = Conducting {
        default_agent: text("planner"),
        limits,
        decider: Some(decider),
        routes: vec!["claude".into()],
        keeping: NoteKeeping::End,
        dry_run: true,
    };
    Charter { conducting: Some(Box::new(conducting)), ..bare }
}

fn missions() -> Vec<MissionFact> {
    let [full, bare, trusting, asking, scripted] = charters();
    vec![
        MissionFact::Opened(Box::new(full)),
        MissionFact::Opened(Box::new(bare)),
        MissionFact::Opened(Box::new(trusting)),
        MissionFact::Opened(Box::new(asking)),
        MissionFact::Opened(Box::new(scripted)),
        MissionFact::Restarted { run: 2 },
        MissionFact::CloneReady {
            folder: text("/clones/bridge-1"),
            base: text("4b825dc"),
            branch: text("arbiter/bridge-1"),
        },
        MissionFact::Attended(false),
        MissionFact::Consented { by: ada(), question: Some(MessageId(1)) },
        MissionFact::Consented { by: night(), question: None },
        MissionFact::Paused { by: ada() },
        MissionFact::Resumed { by: ada() },
        MissionFact::TurnedBack { why: text("summon_orchestrator: no yes") },
        MissionFact::AskedOnceMore { who: text("the human") },
        MissionFact::Halted { why: text("gone"), cause: HaltCause::Provider },
        MissionFact::Halted { why: text("no git"), cause: HaltCause::Workspace },
        MissionFact::Completed { proof: Proof::Proven },
        MissionFact::Completed { proof: Proof::VerifiedByAgent },
        MissionFact::Cancelled { by: ada() },
    ]
}

fn said(id: u32, from: Speaker, to: Listener, kind: MessageKind) -> TalkFact {
    let (asks, decisions) = (None, Vec::new());
    TalkFact::Said { message: MessageId(id), from, to, kind, text: text("So it is."), asks, decisions }
}

fn talks() -> Vec<TalkFact> {
    let option = DecisionOption { key: "l".into(), label: "Left".into() };
    let decision = DecisionAsked {
        id: "bank".into(),
        title: "Which bank?".into(),
        context: "The left is shorter.".into(),
        options: vec![option],
        allow_custom: true,
    };
    let bare = DecisionAsked {
        id: "name".into(),
        title: "Its name?".into(),
        context: String::new(),
        options: Vec::new(),
        allow_custom: false,
    };
    let report = |section| QueuedMessage::Report { section, number: 1, text: text("Left or right?") };
    let posted = |message| TalkFact::Queued { to: SessionId(1), message };
    vec![
        TalkFact::Said {
            message: MessageId(1),
            from: Speaker::Arbiter,
            to: Listener::Human,
            kind: MessageKind::Plain,
            text: text("Shall it begin?\n«Speak, mortal.»"),
            asks: Some(Asks::Alignment),
            decisions: vec![decision, bare],
        },
        said(2, Speaker::Human(ada()), Listener::Arbiter, MessageKind::Plain),
        said(3, Speaker::Human(night()), Listener::Orchestrator(2), MessageKind::Plain),
        said(4, Speaker::Orchestrator(2), Listener::Nobody, MessageKind::Unformed),
        said(5, Speaker::House, Listener::Nobody, MessageKind::Notice),
        said(6, Speaker::Arbiter, Listener::Nobody, MessageKind::Musing),
        said(7, Speaker::Arbiter, Listener::Nobody, MessageKind::Claim),
        TalkFact::Received { inbox_id: text("l-1") },
        posted(QueuedMessage::Words(MessageId(2))),
        posted(QueuedMessage::Notice(text("«Notice»\nContinue."))),
        posted(report(Section::AwaitingInput)),
        posted(report(Section::Handoff)),
        posted(report(Section::HumanInterjection)),
        posted(report(Section::Silence)),
        posted(QueuedMessage::Address(text("The brief."))),
        posted(QueuedMessage::Again { text: text("Left."), words: Arc::from([MessageId(2)]) }),
        posted(QueuedMessage::Aside(text("«Notice»\nTurned back."))),
    ]
}

fn sessions() -> Vec<SessionFact> {
    let profile = |role, number, model: Option<&str>| Profile {
        session: SessionId(2),
        role,
        number,
        provider: "rehearsal".into(),
        model: model.map(str::to_owned),
        key: "a5c6b1e2-0000-8000-8000-000000000002".into(),
        prompt: text("You are Orchestrator I."),
        scout: None,
        casting: None,
    };
    let task = |status| Task { id: text("1"), title: text("lamp"), status };
    let words: Arc<[MessageId]> = Arc::from([MessageId(2)]);
    let turn = TurnId(5);
    let until = Timestamp(1_763_000_000_000);
    let wait = |kind| SessionFact::Life(LifeFact::Waits(Wait { kind, until, why: text("overloaded") }));
    vec![
        SessionFact::Life(LifeFact::Summoned(profile(Role::Orchestrator, 1, Some("opus")))),
        SessionFact::Life(LifeFact::Summoned(profile(Role::Verifier, 2, None))),
        SessionFact::Life(LifeFact::Summoned(profile(Role::Arbiter, 0, None))),
        SessionFact::Life(LifeFact::Summoned(Profile {
            scout: Some(text("Look.")),
            ..profile(Role::Arbiter, 0, None)
        })),
        SessionFact::Turn(TurnFact::Prompted {
            turn,
            text: text("Left."),
            mail: 2,
            words: words.clone(),
            log_of: vec![SessionId(2)],
        }),
        SessionFact::Turn(TurnFact::Prompted {
            turn,
            text: text("Left."),
            mail: 1,
            words: Arc::from([]),
            log_of: Vec::new(),
        }),
        SessionFact::Turn(TurnFact::Interjected(Interjection {
            id: turn,
            text: text("Left."),
            words,
            mail: 1,
        })),
        SessionFact::Turn(TurnFact::InterjectionBecameTurn { turn }),
        SessionFact::Turn(TurnFact::Heard { turn }),
        SessionFact::Tool(ToolFact::Started { call: text(""), name: text("Bash"), detail: text("ls") }),
        SessionFact::Tool(ToolFact::Started {
            call: text("toolu_1"),
            name: text("Bash"),
            detail: text("ls"),
        }),
        SessionFact::Tool(ToolFact::Ended { call: text(""), ok: true }),
        SessionFact::Tool(ToolFact::Ended { call: text("toolu_1"), ok: true }),
        SessionFact::Context(ContextFact::Gauged(Gauge::named(142_000, 200_000, "usage"))),
        SessionFact::Context(ContextFact::Gauged(Gauge {
            guessed: true,
            ..Gauge::named(142_000, 200_000, "usage")
        })),
        SessionFact::Context(ContextFact::WarningSet { percent: 70 }),
        SessionFact::Context(ContextFact::Warned { percent: 70 }),
        SessionFact::Work(WorkFact::Tasks(vec![
            task(TaskStatus::Done),
            task(TaskStatus::InProgress),
            task(TaskStatus::Pending),
        ])),
        SessionFact::Life(LifeFact::SignOfLife),
        SessionFact::Life(LifeFact::AwaitsHuman(true)),
        SessionFact::Life(LifeFact::Sandboxed(SandboxLevel::Bubblewrap)),
        SessionFact::Life(LifeFact::Sandboxed(SandboxLevel::Landlock)),
        SessionFact::Life(LifeFact::Sandboxed(SandboxLevel::Off)),
        SessionFact::Life(LifeFact::ProgramVersion(text("2.1.197"))),
        SessionFact::Permission(PermissionFact::Asked {
            permission: PermissionId(1),
            call: text("toolu_1"),
            request: question(Risk::Unknown),
        }),
        SessionFact::Permission(PermissionFact::Asked {
            permission: PermissionId(1),
            call: text("toolu_1"),
            request: question(Risk::Network),
        }),
        SessionFact::Permission(PermissionFact::Asked {
            permission: PermissionId(1),
            call: text("toolu_1"),
            request: question(Risk::Grave),
        }),
        SessionFact::Permission(PermissionFact::AskedAgain {
            permission: PermissionId(1),
            call: text("toolu_2"),
        }),
        SessionFact::Tool(ToolFact::Denied {
            tool: text("Bash"),
            what: text("git push"),
            why: text("not from here"),
        }),
        answered(true, GrantScope::Once, ""),
        answered(true, GrantScope::Hour, ""),
        answered(true, GrantScope::Mission, ""),
        answered(false, GrantScope::Once, "use the mirror"),
        SessionFact::Permission(PermissionFact::AnswerGiven { permission: PermissionId(1) }),
        SessionFact::Permission(PermissionFact::Covered {
            permission: PermissionId(1),
            request: question(Risk::Network),
        }),
        SessionFact::Permission(PermissionFact::Unasked { permission: PermissionId(1) }),
        SessionFact::Life(LifeFact::WaitsForPetition { petition: PetitionId::from("mab12") }),
        wait(WaitKind::Backoff),
        wait(WaitKind::Limit),
        wait(WaitKind::Login),
        wait(WaitKind::Revival),
        SessionFact::Turn(TurnFact::Retried { turn }),
        SessionFact::Life(LifeFact::Revived),
        SessionFact::Life(LifeFact::SilenceWatched { stage: 1, nudge: Some(turn) }),
        SessionFact::Life(LifeFact::SilenceWatched { stage: 2, nudge: None }),
        SessionFact::Context(ContextFact::Overflowed),
        SessionFact::Context(ContextFact::HandoffAsked),
        SessionFact::Context(ContextFact::TestamentAsked),
        SessionFact::Turn(TurnFact::Interrupting { by: ada() }),
        SessionFact::Turn(TurnFact::Rested { turn, interrupted: true, tree: Some(tree(true)) }),
        SessionFact::Turn(TurnFact::Rested { turn, interrupted: false, tree: None }),
        SessionFact::Turn(TurnFact::Malformed { faults: vec!["there was no typed output".into()] }),
        SessionFact::Work(WorkFact::Logged { text: text("Read the module"), quiet: true }),
        SessionFact::Work(WorkFact::AwaitsReply),
        SessionFact::Work(WorkFact::Judged {
            verdict: Verdict::Fail,
            findings: vec!["No lamp".into()],
            commit: Some(text("4b825dc")),
        }),
        SessionFact::Work(WorkFact::Judged { verdict: Verdict::Pass, findings: Vec::new(), commit: None }),
        SessionFact::Life(LifeFact::Released),
    ]
}

fn gates() -> Vec<GateFact> {
    let receipt = |index, status| GateFact::Receipt {
        index,
        receipt: Receipt {
            argv: vec!["cargo".into(), "test".into()],
            commit: text("4b825dc"),
            status,
            duration_ms: 1_500,
            output_digest: text("e3b0c442"),
            output_tail: text("ok\n"),
        },
    };
    vec![
        GateFact::Claimed { report: text("It is done.") },
        GateFact::Surveyed(tree(false)),
        GateFact::Brought { commit: text("4b825dc") },
        receipt(0, CheckStatus::Exited(0)),
        receipt(1, CheckStatus::Signalled(9)),
        receipt(2, CheckStatus::TimedOut),
        receipt(3, CheckStatus::Failed("not found".into())),
        GateFact::Refused { why: text("the lamp is dark") },
    ]
}

/// All fields of a draft, then the same without those that may be missing.
fn drafts() -> [PetitionDraft; 2] {
    let bare = DraftDecision {
        id: text("bank"),
        title: text("Which bank?"),
        options: vec![DecisionOption { key: "l".into(), label: "Left".into() }],
        ..DraftDecision::default()
    };
    let full = DraftDecision {
        context: text("The left is shorter."),
        allow_custom: Some(true),
        multi: true,
        deadline: Some(Timestamp(9)),
        default: Some(text("l")),
        requires_human: true,
        digest: Some(text("9f86d0")),
        depends_on: vec![text("river")],
        assignee: Some(text("ada")),
        ..bare.clone()
    };
    let plain = PetitionDraft {
        agent: text("arbiter"),
        session: text("mission:bridge-1"),
        tag: text("bridge"),
        title: text("The bank"),
        context: text(""),
        priority: Priority::Normal,
        decisions: vec![bare],
        ..PetitionDraft::default()
    };
    let whole = PetitionDraft {
        context: text("Look at the map."),
        priority: Priority::Urgent,
        notify_session: Some(text("agent:ceo:main")),
        mission: Some(text("bridge-1")),
        blocks: Some(text("mission bridge-1")),
        deadline: Some(Timestamp(9)),
        assignee: Some(text("ada")),
        key: Some(text("k")),
        decisions: vec![full],
        ..plain.clone()
    };
    [whole, plain]
}

fn docket() -> Vec<DocketFact> {
    let [whole, plain] = drafts();
    let raised = |subject, draft: PetitionDraft| DocketFact::Asked { subject, draft: Arc::new(draft) };
    let answer = |choice| Answered {
        decision: text("bank"),
        choice,
        by: ada(),
        at: Timestamp(8),
        digest: text("9f86d0"),
    };
    vec![
        raised(PetitionSubject::Question(MessageId(3)), whole),
        raised(PetitionSubject::Permission(PermissionId(1)), plain.clone()),
        raised(PetitionSubject::Session(SessionId(2)), plain),
        DocketFact::Decided {
            answers: vec![answer(AnswerChoice::Answer(text("l"))), answer(AnswerChoice::Skipped)],
        },
        DocketFact::Void { why: text("changed") },
        DocketFact::Withdrawn { why: text("answered elsewhere") },
        DocketFact::Closed { why: text("expired") },
        DocketFact::Late(answer(AnswerChoice::Answer(text("l")))),
    ]
}
