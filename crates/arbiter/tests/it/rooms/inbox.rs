//! A mission's inbox: what is put in comes out whole, once, in order.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use arbiter::mission::port::SayError;
use arbiter::mission::port::inbox::{self, Arrival, InboxError, InboxMessage, MalformedMessage};
use mind::actor::{Actor, Door};
use mind::event::{HumanAction, HumanEvent};
use mind::id::Timestamp;

use super::{folder, names};

fn letter(id: &str, words: &str) -> InboxMessage {
    let actor = Actor::human(Door::Cli, "ada");
    InboxMessage { id: id.into(), actor, written_at: Timestamp(5), action: HumanAction::Say(words.into()) }
}

fn malformed(inbox: &Path) -> Vec<MalformedMessage> {
    let arrivals = inbox::read_messages(inbox).expect("the inbox can be read");
    let malformed = arrivals.into_iter().filter_map(|arrival| match arrival {
        Arrival::Malformed(malformed) => Some(malformed),
        Arrival::Letter(_) => None,
    });
    malformed.collect()
}

#[test]
fn letters_are_read_in_order_until_they_are_discarded() {
    let root = folder();
    let inbox = root.path().join("inbox");
    assert_eq!(inbox::read_messages(&inbox).unwrap(), []);
    let early = letter(&inbox::new_letter_id(Timestamp(999), 7), "first\u{1b}");
    let late = letter(&inbox::new_letter_id(Timestamp(1_000), 3), "second");
    inbox::write_message(&inbox, &late).unwrap();
    inbox::write_message(&inbox, &early).unwrap();
    inbox::write_message(&inbox, &early).unwrap();
    fs::write(inbox.join(".00000000000001-00000000.json.1-1-1.tmp"), "half a let").unwrap();
    let both = [Arrival::Letter(early.clone()), Arrival::Letter(late.clone())];
    assert_eq!(inbox::read_messages(&inbox).unwrap(), both);
    assert_eq!(inbox::read_messages(&inbox).unwrap(), both);

    inbox::discard(&inbox, &early.id).unwrap();
    inbox::discard(&inbox, &early.id).unwrap();
    assert_eq!(inbox::read_messages(&inbox).unwrap(), [Arrival::Letter(late.clone())]);
    let event = HumanEvent::from(late.clone());
    assert_eq!((event.inbox_id, event.actor, event.action), (late.id, late.actor, late.action));
    assert_eq!(event.written, Timestamp(5));
}

#[test]
fn a_letter_that_does_not_say_when_it_was_written_is_old() {
    let root = folder();
    fs::write(root.path().join("a.json"), r#"{"id":"a","actor":"human:cli:x","action":{"say":"yes"}}"#)
        .unwrap();
    let arrivals = inbox::read_messages(root.path()).unwrap();
    let Some(Arrival::Letter(letter)) = arrivals.into_iter().next() else { panic!("it is a letter") };
    assert_eq!(HumanEvent::from(letter).written, Timestamp(0));
}

#[test]
fn every_deed_survives_the_post() {
    let root = folder();
    let actions = [
        HumanAction::Say("a".into()),
        HumanAction::SayToOrchestrator("b".into()),
        HumanAction::Pause,
        HumanAction::Resume,
        HumanAction::Interrupt,
        HumanAction::Release,
        HumanAction::Cancel,
        HumanAction::Answer {
            permission: mind::PermissionId(3),
            digest: "9f86d0".into(),
            allowed: true,
            scope: mind::policy::GrantScope::Hour,
            why: "".into(),
        },
    ];
    for (number, action) in actions.into_iter().enumerate() {
        let letter = InboxMessage { action, ..letter(&format!("{number}"), "") };
        inbox::write_message(root.path(), &letter).unwrap();
        assert_eq!(inbox::read_messages(root.path()).unwrap(), [Arrival::Letter(letter.clone())]);
        inbox::discard(root.path(), &letter.id).unwrap();
    }
}

#[test]
fn one_id_is_one_letter() {
    let root = folder();
    inbox::write_message(root.path(), &letter("a", "yes")).unwrap();
    let error = inbox::write_message(root.path(), &letter("a", "no")).unwrap_err();
    assert!(matches!(error, InboxError::Taken { .. }), "{error}");
    assert_eq!(inbox::read_messages(root.path()).unwrap(), [Arrival::Letter(letter("a", "yes"))]);
}

#[test]
fn a_letters_id_smuggles_no_path() {
    let root = folder();
    let inbox = root.path().join("inbox");
    fs::write(root.path().join("precious.json"), "").unwrap();
    for id in ["", "../precious", "a/b", "/etc/x", ".hidden", "..", "a.b", "-a", "a\0b"] {
        assert!(matches!(inbox::discard(&inbox, id), Err(InboxError::BadId { .. })), "{id:?}");
        let written = inbox::write_message(&inbox, &letter(id, ""));
        assert!(matches!(written, Err(InboxError::BadId { .. })), "{id:?}");
    }
    assert_eq!(names(root.path()), ["precious.json"]);
}

#[test]
fn a_letter_is_a_persons() {
    let root = folder();
    for (name, actor) in [("a", "agent:ci"), ("b", "policy:night")] {
        let letter = format!(r#"{{"id":"{name}","actor":"{actor}","action":{{"say":"yes"}}}}"#);
        fs::write(root.path().join(format!("{name}.json")), letter).unwrap();
    }
    let arrivals = inbox::read_messages(root.path()).unwrap();
    let why = |arrival: &Arrival| match arrival {
        Arrival::Malformed(malformed) => malformed.why.clone(),
        Arrival::Letter(letter) => panic!("{letter:?}"),
    };
    let told: Vec<String> = arrivals.iter().map(why).collect();
    let wanted =
        ["agent:ci", "policy:night"].map(|who| format!("{who} is no person, and letters are a person's"));
    assert_eq!(told, wanted);
}

#[test]
fn a_letter_too_long_is_not_sent() {
    let root = folder();
    let error = inbox::write_message(root.path(), &letter("a", &"x".repeat(512 * 1024))).unwrap_err();
    assert!(matches!(error, InboxError::TooLarge { .. }), "{error}");
    let told = SayError::from(error).to_string();
    assert!(told.contains("bytes") && told.contains("put the text into a file"), "{told}");
    assert_eq!(names(root.path()), [""; 0]);
}

#[test]
fn what_is_no_letter_is_moved_aside_and_the_others_are_read() {
    let root = folder();
    let inbox = root.path();
    inbox::write_message(inbox, &letter("z-good", "hello")).unwrap();
    let good = fs::read(inbox.join("z-good.json")).unwrap();
    fs::write(inbox.join("a-torn.json"), &good[..20]).unwrap();
    fs::write(inbox.join("b-copy.json"), &good).unwrap();
    fs::write(inbox.join("c-huge.json"), vec![b' '; 512 * 1024 + 1]).unwrap();
    fs::write(inbox.join("d-action.json"), r#"{"id":"d-action","actor":"policy:x","action":"explode"}"#)
        .unwrap();
    fs::write(inbox.join("e-more.json"), r#"{"id":"e-more","actor":"policy:x","action":"pause","x":1}"#)
        .unwrap();
    fs::write(inbox.join("f-name.txt"), &good).unwrap();
    fs::create_dir(inbox.join("g-folder.json")).unwrap();
    symlink(inbox.join("z-good.json"), inbox.join("h-link.json")).unwrap();
    // A reader that opened this without care would wait for ever.
    let made = Command::new("mkfifo").arg(inbox.join("i-pipe.json")).status().unwrap();
    assert!(made.success());
    fs::write(inbox.join("j-bytes.json"), b"\xff\xfe").unwrap();

    let arrivals = inbox::read_messages(inbox).unwrap();
    assert_eq!(arrivals.last(), Some(&Arrival::Letter(letter("z-good", "hello"))));
    let told: Vec<String> = arrivals[..arrivals.len() - 1]
        .iter()
        .map(|arrival| match arrival {
            Arrival::Malformed(malformed) => {
                assert_eq!(malformed.moved_to, Some(inbox.join("refused").join(&malformed.file)));
                let reason = inbox.join("refused").join(format!("{}.why", malformed.file));
                assert_eq!(fs::read_to_string(reason).unwrap(), format!("{}\n", malformed.why));
                format!("{}: {}", malformed.file, malformed.why)
            }
            Arrival::Letter(letter) => panic!("{letter:?}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            "a-torn.json: EOF while parsing a string at line 1 column 20",
            "b-copy.json: its id is \"z-good\", another than its name",
            "c-huge.json: it has more than 524288 bytes",
            "d-action.json: unknown variant `explode`, expected one of `say`, `say_to_orchestrator`, `pause`, `resume`, `interrupt`, `release`, `cancel`, `force`, `skip`, `retry`, `answer` at line 1 column 54",
            "e-more.json: unknown field `x`, expected one of `id`, `actor`, `written_at`, `action` at line 1 column 54",
            "f-name.txt: its name is not an id and `.json`",
            "g-folder.json: it is not a file",
            "h-link.json: it is not a file",
            "i-pipe.json: it is not a file",
            "j-bytes.json: expected value at line 1 column 1",
        ]
    );
    assert_eq!(names(inbox), ["refused", "z-good.json"]);
    assert_eq!(malformed(inbox), []);

    // The same name refused again loses nothing.
    fs::write(inbox.join("a-torn.json"), "again").unwrap();
    assert_eq!(malformed(inbox)[0].moved_to, Some(inbox.join("refused/a-torn.json.1")));
    assert_eq!(fs::read(inbox.join("refused/a-torn.json")).unwrap(), &good[..20]);
}

#[test]
fn no_half_letter_is_ever_seen() {
    const COUNT: usize = 60;
    let root = folder();
    let inbox = root.path();
    let words = "word ".repeat(20_000);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let words = &words;
            scope.spawn(move || {
                for number in 0..COUNT {
                    inbox::write_message(inbox, &letter(&format!("{number:04}-{writer}"), words)).unwrap();
                }
            });
        }
        let mut seen = 0;
        while seen < 2 * COUNT {
            for arrival in inbox::read_messages(inbox).unwrap() {
                match arrival {
                    Arrival::Letter(letter) => inbox::discard(inbox, &letter.id).unwrap(),
                    Arrival::Malformed(malformed) => panic!("{malformed:?}"),
                }
                seen += 1;
            }
        }
    });
    assert_eq!(names(inbox), [""; 0]);
}
