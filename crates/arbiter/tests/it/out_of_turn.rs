//! A person who speaks out of turn in a rehearsed mission of the real binary is answered, and the mission goes on.

use mind::Fact;
use mind::SessionId;
use mind::fact::{SessionFact, TurnFact};
use mind::talk::Speaker;
use sim::{DEMO, SteppedMission};

/// The demo up to the first prompt of this session, where a person speaks; then to its end.
fn speaks_when_prompted(session: u32) {
    let theatre = crate::theatre();
    let command = theatre.command(&DEMO);
    let mut mission = SteppedMission::begin(theatre, command);
    mission.step_until("the session is prompted", |fact| {
        let prompted = matches!(fact, Fact::Session(of, SessionFact::Turn(TurnFact::Prompted { .. })) if *of == SessionId(session));
        prompted.then_some(())
    });
    mission.say("How goes it?");
    let code = mission.let_go();
    let state = mission.theatre.mission_state();
    let texts: Vec<String> = state
        .talk
        .iter()
        .map(|message| format!("{} -> {:?}: {}", message.from, message.to, message.text))
        .collect();
    assert_eq!(code, Some(0), "{texts:#?}");
    assert!(state.unheard.is_empty(), "the words were heard: {texts:#?}");
    assert!(texts.iter().all(|text| !text.contains("My part ends here")), "{texts:#?}");
    let asked = state.talk.iter().position(|message| &*message.text == "How goes it?").expect("it was said");
    let answered = state.talk.iter().skip(asked).any(|message| message.from == Speaker::Arbiter);
    assert!(answered, "{texts:#?}");
}

#[test]
fn before_the_alignment() {
    speaks_when_prompted(1);
}

#[test]
fn while_the_first_orchestrator_works() {
    speaks_when_prompted(2);
}

#[test]
fn while_the_second_works() {
    speaks_when_prompted(3);
}
