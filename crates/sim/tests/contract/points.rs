//! The contract within one life of a session.

use std::fs;

use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::session::Gauge;
use mind::{AgentEvent, TurnId};

use crate::cast::{Do, Provider, USED, turn, wait_for_word};
use crate::house::House;

pub async fn a_text_is_heard_and_answered_with_a_typed_output(provider: &dyn Provider) {
    let play = [turn("first", [], "One."), turn("second", [], "Two.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    for (number, text, says) in [(3, "the first text", "One."), (7, "the second text", "Two.")] {
        house.told.clear();
        house.deliver(number, text);
        let end = house.rested(number).await;
        let TurnEnd::Spoke { output, .. } = end else { panic!("{end:?}") };
        assert_eq!(output, Some(crate::cast::output(says)));
        let spent = |event: &&AgentEvent| matches!(event, AgentEvent::Spent { cost_microusd: 1.., .. });
        assert_eq!(house.told.iter().filter(spent).count(), 1, "it costs something: {:#?}", house.told);
        assert_eq!(house.heard(number), 1);
        assert!(
            house.told.iter().position(|event| *event == AgentEvent::Heard(TurnId(number)))
                < Some(house.told.len() - 1)
        );
        if number == 3 {
            let gauged = |event: &AgentEvent| matches!(event, AgentEvent::Gauged(Gauge { used, window: 200_000, .. }) if (USED..USED + 100).contains(used));
            assert!(house.told.iter().any(gauged), "{:#?}", house.told);
        }
    }
    house.is_quiet().await;
    house.close().await;
}

pub async fn tools_are_told_with_how_they_ended(provider: &dyn Provider) {
    let does = [Do::Run("echo well > action".to_owned()), Do::Run("echo badly >> action; false".to_owned())];
    let Some(mut house) = House::open(provider, &[turn("work", does, "Worked.")]) else { return };
    house.deliver(1, "work");
    house.spoke(1, "Worked.").await;
    let mut running = Vec::new();
    let mut ends = Vec::new();
    for event in &house.told {
        if let AgentEvent::ToolStarted { call, name, detail } = event {
            assert_eq!(&**name, "Bash");
            assert!(detail.contains("action"), "{detail}");
            running.push(call.clone());
        } else if let AgentEvent::ToolEnded { call, ok } = event {
            assert_eq!(running.pop().as_ref(), Some(call), "{:#?}", house.told);
            ends.push(*ok);
        }
    }
    assert_eq!((ends, running.len()), (vec![true, false], 0), "{:#?}", house.told);
    assert_eq!(fs::read_to_string(house.clone_folder().join("action")).unwrap(), "well\nbadly\n");
    house.close().await;
}

pub async fn a_steered_text_is_heard_within_the_turn(provider: &dyn Provider) {
    let play = [turn("build", [wait_for_word("tool")], "Built."), turn("next", [], "Next.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.steer(2, "in red, please");
    house.has_read("in red, please", 1).await;
    house.say_word("tool");
    house.spoke(1, "Built.").await;
    assert_eq!((house.heard(1), house.heard(2)), (1, 1), "{:#?}", house.told);
    assert_ne!(house.cast.was_told("in red, please"), Some(false));
    house.is_quiet().await;
    house.deliver(3, "the next one");
    house.spoke(3, "Next.").await;
    house.close().await;
}

pub async fn a_steered_text_that_comes_too_late_is_a_turn_of_its_own(provider: &dyn Provider) {
    let play = [turn("build", [], "Built."), turn("in red", [], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.spoke(1, "Built.").await;
    house.steer(2, "in red, please");
    house.is_quiet().await;
    assert_eq!(house.heard(2), 0, "nobody heard it: {:#?}", house.told);
    house.deliver(2, "in red, please");
    house.spoke(2, "Painted.").await;
    assert_eq!(house.heard(2), 1);
    house.is_quiet().await;
    house.close().await;
}

/// Only a process that keeps what it was told while it thinks can come to this.
pub async fn a_steered_text_that_misses_its_turn_is_the_next_one(provider: &dyn Provider) {
    let count = || Do::Run("echo painted >> count".to_owned());
    let play = [turn("build", [Do::Think(1500)], "Built."), turn("in red", [count()], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.model_was_told("build it").await;
    house.steer(2, "in red, please");
    house.spoke(1, "Built.").await;
    assert_eq!(house.heard(2), 0, "{:#?}", house.told);
    // The house knows no better than to give it again.
    house.deliver(2, "in red, please");
    house.spoke(2, "Painted.").await;
    assert_eq!(house.heard(2), 1, "{:#?}", house.told);
    house.is_quiet().await;
    assert_eq!(fs::read_to_string(house.clone_folder().join("count")).unwrap(), "painted\n");
    house.close().await;
}

/// Several such texts may be one turn for the process; the house hears of each once.
pub async fn steered_texts_that_miss_their_turn_are_all_heard(provider: &dyn Provider) {
    let play =
        [turn("build", [Do::Think(1500)], "Built."), turn("in red", [], "Painted."), turn("dry", [], "Dry.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.model_was_told("build it").await;
    house.steer(2, "in red, please");
    house.steer(3, "and let it dry");
    house.spoke(1, "Built.").await;
    house.deliver(2, "in red, please");
    house.spoke(2, "Painted.").await;
    if house.heard(3) == 0 {
        house.deliver(3, "and let it dry");
        house.spoke(3, "Dry.").await;
    }
    assert_eq!((house.heard(2), house.heard(3)), (1, 1), "{:#?}", house.told);
    assert_ne!(house.cast.was_told("and let it dry"), Some(false));
    house.is_quiet().await;
    house.close().await;
}

/// The text is either heard in the turn that is stopped, or a turn of its own when the house gives it again.
pub async fn a_steered_text_outlives_an_interrupt(provider: &dyn Provider) {
    let play = [turn("build", [wait_for_word("tool")], "Built."), turn("in red", [], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.steer(2, "in red, please");
    house.has_read("in red, please", 1).await;
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
    if house.heard(2) == 0 {
        house.deliver(2, "in red, please");
        house.spoke(2, "Painted.").await;
    }
    house.is_quiet().await;
    house.close().await;
}

pub async fn a_warning_is_told_once_after_the_next_tool(provider: &dyn Provider) {
    let does = [wait_for_word("tool"), Do::Run("true".to_owned())];
    let Some(mut house) = House::open(provider, &[turn("build", does, "Built.")]) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.order(SessionCommand::Warn { percent: 80, text: "the context is filling up".into() });
    house.is_quiet().await;
    let warned = |event: &AgentEvent| *event == AgentEvent::Warned { percent: 80 };
    assert!(!house.told.iter().any(warned), "not before the tool is done");
    house.say_word("tool");
    house.spoke(1, "Built.").await;
    assert_eq!(house.told.iter().filter(|event| warned(event)).count(), 1, "{:#?}", house.told);
    assert_ne!(house.cast.was_told("the context is filling up"), Some(false));
    house.close().await;
}

pub async fn an_interrupt_ends_the_turn_and_the_next_one_works(provider: &dyn Provider) {
    // A rehearsal takes the steps of a stopped turn up again in the next one.
    let play = [turn("build", [wait_for_word("tool")], "Built."), turn("other", [], "Built.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
    let ended = |event: &AgentEvent| matches!(event, AgentEvent::ToolEnded { ok: false, .. });
    assert!(house.told.iter().any(ended), "{:#?}", house.told);
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    house.is_quiet().await;
    house.say_word("tool");
    house.deliver(2, "something other");
    house.spoke(2, "Built.").await;
    house.is_quiet().await;
    house.close().await;
}

/// Whatever the process makes of it, the turn ends once, and soon.
pub async fn an_interrupt_before_the_first_tool_ends_the_turn(provider: &dyn Provider) {
    // A text that was interrupted may still stand before the next one.
    let play = [turn("paint", [], "Painted."), turn("build", [Do::Think(30_000)], "Built.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    // Before the process is ready, as soon as it is told, and while the model thinks.
    house.deliver(1, "build it");
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
    house.deliver(2, "paint it");
    house.spoke(2, "Painted.").await;
    house.deliver(3, "build it");
    house.order(SessionCommand::Interrupt { turn: TurnId(3) });
    assert_eq!(house.rested(3).await, TurnEnd::Interrupted);
    house.deliver(4, "build it at last");
    house.model_was_told("at last").await;
    house.order(SessionCommand::Interrupt { turn: TurnId(4) });
    assert_eq!(house.rested(4).await, TurnEnd::Interrupted);
    house.is_quiet().await;
    house.close().await;
}

pub async fn the_checklist_is_told(provider: &dyn Provider) {
    let does = [Do::Task("Find it"), Do::Task("Mend it")];
    let Some(mut house) = House::open(provider, &[turn("plan", does, "Planned.")]) else { return };
    house.deliver(1, "plan it");
    house.spoke(1, "Planned.").await;
    assert_eq!(house.checklists(), [vec!["1 Find it"], vec!["1 Find it", "2 Mend it"]]);
    house.close().await;
}

/// The second one does nothing; at most the same end is told once more.
pub async fn a_text_that_is_given_twice_is_one_turn(provider: &dyn Provider) {
    let does = [Do::Run("echo built >> count".to_owned()), wait_for_word("tool")];
    let play = [turn("build", does, "Built."), turn("next", [], "Next.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.deliver(1, "build it");
    house.is_quiet().await;
    house.say_word("tool");
    house.spoke(1, "Built.").await;
    house.deliver(1, "build it");
    house.deliver(2, "the next one");
    loop {
        let ended = house.until("the end", |event| matches!(event, AgentEvent::Rested { .. })).await;
        let AgentEvent::Rested { turn, end, .. } = ended else { panic!("{ended:?}") };
        let TurnEnd::Spoke { output: Some(output), .. } = end else { panic!("{end:?}") };
        if turn == TurnId(2) {
            assert_eq!(output, crate::cast::output("Next."));
            break;
        }
        assert_eq!((turn, output), (TurnId(1), crate::cast::output("Built.")));
    }
    house.is_quiet().await;
    assert_eq!(fs::read_to_string(house.clone_folder().join("count")).unwrap(), "built\n");
    house.close().await;
}
