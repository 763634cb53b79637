//! What a person and an agent are told of each refusal.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use mind::actor::Door;
use mind::petition::{AnswerChoice, ClosedPetition, GivenAnswer, PetitionEnd, PetitionId, PetitionRefusal};
use mind::{MissionId, Timestamp};
use view::port::SayError;
use view::refusal::{
    ChoiceTrouble, DiskTrouble, DocketTrouble, InboxTrouble, JournalRefusal, JournalTrouble, MissionTrouble,
    RefusalCause, RefusalReader, in_short, refusal,
};

const NOW: Timestamp = Timestamp(3_600_000);

fn a1() -> PetitionId {
    PetitionId::from("a1")
}

fn m1() -> MissionId {
    MissionId(Arc::from("m-1"))
}

fn names(names: &[&str]) -> Vec<Arc<str>> {
    names.iter().map(|name| Arc::from(*name)).collect()
}

fn keys(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

/// A petition's refusals.
fn judged() -> Vec<PetitionRefusal> {
    let given = GivenAnswer {
        choice: AnswerChoice::Answer(Arc::from("jwt\u{1b}[2J\n and more")),
        by: Some(Arc::from("human:cli:ada")),
        at: Some(Timestamp(3_480_000)),
        via: Some(Door::Cli),
        instead_of: None,
        late: false,
    };
    let closed = |end, why: Option<&str>| {
        let why = why.map(Arc::from);
        PetitionRefusal::Closed(ClosedPetition { end, at: NOW, why })
    };
    vec![
        PetitionRefusal::NoSuchDecision { known: names(&["auth", "cache"]) },
        PetitionRefusal::AlreadyAnswered(given),
        closed(PetitionEnd::Completed, None),
        closed(PetitionEnd::Withdrawn, Some("not\nneeded")),
        closed(PetitionEnd::Expired, Some("")),
        PetitionRefusal::NotAnOption { keys: keys(&["jwt", "oauth"]) },
        PetitionRefusal::Empty,
        PetitionRefusal::TooLong,
        PetitionRefusal::QuestionChanged,
        PetitionRefusal::RequiresHuman,
        PetitionRefusal::WaitsFor(Arc::from("auth")),
        PetitionRefusal::AssignedTo(Arc::from("sam\n\u{1b}[2K")),
        PetitionRefusal::AlreadyAssigned(Arc::from("sam")),
        PetitionRefusal::NotAName,
        PetitionRefusal::AgentAssigns,
        PetitionRefusal::NotReady { open: (1..=12).map(|n| Arc::from(format!("d{n}"))).collect() },
    ]
}

fn of_docket() -> Vec<RefusalCause> {
    let disk = |kind| DocketTrouble::Disk {
        path: "/d/ledger.jsonl".to_owned(),
        trouble: DiskTrouble::of(Path::new("/d/ledger.jsonl"), kind),
    };
    let troubles = [
        DocketTrouble::Unknown,
        DocketTrouble::Ambiguous(vec![a1(), PetitionId::from("a2")]),
        DocketTrouble::Gone,
        DocketTrouble::Malformed { file: "/d/pending/a1.yaml".to_owned() },
        DocketTrouble::NotYours(a1()),
        DocketTrouble::IdTaken,
        DocketTrouble::LedgerDamaged,
        DocketTrouble::FileBehind { trouble: DiskTrouble::Full },
        DocketTrouble::FileBehind { trouble: DiskTrouble::Other },
        DocketTrouble::Held { pid: Some(7), is_stopped: true },
        DocketTrouble::Held { pid: Some(7), is_stopped: false },
        DocketTrouble::Held { pid: None, is_stopped: false },
        disk(ErrorKind::StorageFull),
        disk(ErrorKind::PermissionDenied),
        disk(ErrorKind::NotADirectory),
        disk(ErrorKind::Interrupted),
    ];
    troubles.map(|trouble| RefusalCause::Docket { said: "as the docket says".to_owned(), trouble }).into()
}

fn of_words() -> Vec<RefusalCause> {
    let decision = || Arc::from("auth");
    let typed = |typed: &str| typed.to_owned();
    let troubles = [
        ChoiceTrouble::NoSuchDecision {
            typed: typed("aut"),
            petition: a1(),
            known: names(&["auth", "cache"]),
        },
        ChoiceTrouble::NoSuchDecision {
            typed: typed("zzzz"),
            petition: a1(),
            known: names(&["auth", "cache"]),
        },
        ChoiceTrouble::WhichDecision { petition: a1(), known: names(&["auth", "cache"]) },
        ChoiceTrouble::WhichOption { decision: decision(), keys: keys(&["jwt", "oauth"]), own_words: true },
        ChoiceTrouble::WhichOption { decision: decision(), keys: keys(&["jwt", "oauth"]), own_words: false },
        ChoiceTrouble::WhichOption { decision: decision(), keys: Vec::new(), own_words: true },
        ChoiceTrouble::NotAKey { typed: typed("jtw"), keys: keys(&["jwt", "oauth"]), own_words: true },
        ChoiceTrouble::NotAKey { typed: typed("basic"), keys: keys(&["jwt", "oauth"]), own_words: true },
        ChoiceTrouble::NotAKey { typed: typed("basic"), keys: keys(&["jwt", "oauth"]), own_words: false },
        ChoiceTrouble::NotAKey { typed: typed("basic"), keys: Vec::new(), own_words: true },
        ChoiceTrouble::OneOnly { typed: typed("jwt oauth") },
    ];
    let faults = [keys(&["`title` is missing"]), keys(&["`title` is missing", "`decisions` is empty"])];
    let asked = faults.map(RefusalCause::Faults);
    troubles.map(RefusalCause::Choice).into_iter().chain(asked).chain([RefusalCause::OnlyPersons]).collect()
}

fn of_missions() -> Vec<RefusalCause> {
    let troubles = [MissionTrouble::Over, MissionTrouble::Discarded, MissionTrouble::NotConducted];
    let journals = [
        JournalTrouble::Running { pid: 7 },
        JournalTrouble::Newer,
        JournalTrouble::Older,
        JournalTrouble::Foreign { line: 1 },
        JournalTrouble::Foreign { line: 9 },
        JournalTrouble::Damaged,
        JournalTrouble::Missing,
        JournalTrouble::Disk(DiskTrouble::Full),
        JournalTrouble::Disk(DiskTrouble::Other),
        JournalTrouble::Defect,
    ];
    let journals = journals.map(|trouble| {
        let said = "as the journal says".to_owned();
        RefusalCause::Journal(JournalRefusal { mission: m1(), said, trouble })
    });
    let inbox = |trouble| SayError::Inbox { said: "as the inbox says".to_owned(), trouble };
    let said = [
        SayError::Busy,
        SayError::Stopped { mission: m1() },
        SayError::Discarded,
        SayError::Over { mission: m1() },
        inbox(InboxTrouble::BadId),
        inbox(InboxTrouble::IdTaken),
        inbox(InboxTrouble::TooLarge),
        inbox(InboxTrouble::Disk { path: "/m/inbox".to_owned() }),
    ];
    let missions = troubles.map(|trouble| RefusalCause::Mission(m1(), trouble));
    missions.into_iter().chain(journals).chain(said.map(RefusalCause::Say)).collect()
}

#[test]
fn every_refusal_says_the_cause_and_the_next_step() {
    let of_petitions = judged().into_iter().map(|refusal| {
        let is_closed = matches!(refusal, PetitionRefusal::Closed(_));
        RefusalCause::Petition { id: a1(), is_closed, refusal, now: NOW }
    });
    let all = of_docket().into_iter().chain(of_petitions).chain(of_words()).chain(of_missions());
    let mut text = String::new();
    for cause in all {
        let person = refusal(&cause, RefusalReader::Person);
        let agent = refusal(&cause, RefusalReader::Agent);
        text.push_str(&person.cause);
        text.push('\n');
        if agent.cause != person.cause {
            text.push_str(&format!("    agent reads: {}\n", agent.cause));
        }
        text.push_str(&format!("    person: {}\n", person.hint.as_deref().unwrap_or("-")));
        if agent.hint != person.hint {
            text.push_str(&format!("    agent: {}\n", agent.hint.as_deref().unwrap_or("-")));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_screen_that_shows_the_petition_says_it_in_short() {
    let told: Vec<&str> = judged().iter().map(in_short).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn one_line_holds_the_cause_and_the_hint() {
    let told = SayError::Stopped { mission: m1() }.to_string();
    assert_eq!(told, "the mission has stopped, and did not hear that: `arbiter resume m-1` goes on");
    assert_eq!(SayError::Discarded.to_string(), "that was not sent: the mission was discarded");
}

#[test]
fn a_door_can_send_it_as_data() {
    let told = refusal(&RefusalCause::Say(SayError::Busy), RefusalReader::Person);
    let sent = serde_json::to_value(&told).expect("it is data");
    let wanted = serde_json::json!({
        "cause": "the mission is busy, and did not hear that", "hint": "try again in a moment",
    });
    assert_eq!(sent, wanted);
}
