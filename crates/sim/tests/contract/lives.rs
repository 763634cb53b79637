//! The contract between the lives of a session: ends, deaths, and what the next process makes of them.

use std::time::Duration;

use mind::effect::SessionCommand;
use mind::{AgentEvent, TurnId};

use crate::cast::{Do, Provider, turn, wait_for_word};
use crate::house::House;
use crate::processes;

pub async fn the_end_leaves_nothing(provider: &dyn Provider) {
    // In a script: the policy would refuse it on the command line.
    let flees = "setsid sh -c 'echo $$ > fled; exec sleep 300' &\nwhile [ ! -s fled ]; do sleep 0.02; done";
    let script = format!("{flees}\ntouch tool-began\nwait\n");
    let does = [Do::Run(format!("cat > flee.sh <<'EOF'\n{script}EOF\nsh flee.sh"))];
    let play = [turn("hello", [], "Hello."), turn("build", does, "Built.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "hello");
    house.spoke(1, "Hello.").await;
    house.deliver(2, "build it");
    house.began("tool").await;
    let fled = processes::pid_in(&house.clone_folder().join("fled")).unwrap();
    assert!(processes::is_alive(fled));
    // A busy one, with a tool that left its group.
    let took = house.close().await;
    assert!(!processes::is_alive(fled), "what left its group is ended too");
    assert!(took < Duration::from_secs(7), "{took:?}");

    // An idle one.
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "hello");
    house.spoke(1, "Hello.").await;
    house.process().await;
    let took = house.close().await;
    assert!(took < Duration::from_secs(3), "it leaves without being pushed: {took:?}");
}

pub async fn a_killed_process_is_lost_once(provider: &dyn Provider) {
    let play = [turn("build", [wait_for_word("tool")], "Built.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    processes::kill(house.process().await);
    let losses = house.losses().await;
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("SIGKILL"), "{losses:?}");
    house.handle.ended().await;
    processes::assert_none(&house.mission);
    let ends = |event: &&AgentEvent| matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. });
    assert_eq!(house.told.iter().find(ends), None);
}

/// Killed in a tool, it goes on in its next life, whether the house knows that the text was heard or not.
pub async fn a_new_life_goes_on(provider: &dyn Provider) {
    let play = [
        turn("hello", [], "Hello."),
        turn("build", [wait_for_word("tool")], "Built."),
        turn("paint", [wait_for_word("brush")], "Painted."),
        turn("last", [], "Last."),
    ];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "hello");
    house.spoke(1, "Hello.").await;
    let turns = [(2, "build it", "tool", "Built.", false), (3, "paint it", "brush", "Painted.", true)];
    for (number, text, tool, says, held) in turns {
        house.deliver(number, text);
        house.began(tool).await;
        processes::kill(house.process().await);
        assert_eq!(house.losses().await.len(), 1);
        house.handle.ended().await;
        processes::assert_none(&house.mission);
        house.live_again(true);
        house.say_word(tool);
        house.deliver_again(number, text, held);
        house.spoke(number, says).await;
        assert!(house.heard(number) <= 1, "{:#?}", house.told);
        house.is_quiet().await;
    }
    house.deliver(4, "the last one");
    house.spoke(4, "Last.").await;
    house.close().await;
}

/// Killed before the model has said a word, when nobody but the model has heard the text.
pub async fn a_thought_that_was_cut_off_is_thought_again(provider: &dyn Provider) {
    let play = [turn("hello", [], "Hello."), turn("build", [Do::Think(1500)], "Built.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "hello");
    house.spoke(1, "Hello.").await;
    house.deliver(2, "build it");
    house.model_was_told("build it").await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    house.live_again(true);
    house.deliver_again(2, "build it", false);
    house.spoke(2, "Built.").await;
    assert_eq!(house.heard(2), 1, "{:#?}", house.told);
    house.is_quiet().await;
    house.close().await;
}

/// Killed while the model answers, when the conversation on the disk has the text: the model gets it once, whatever the
/// program makes of an id that it has seen, and is told to go on.
pub async fn a_text_that_the_conversation_holds_is_not_given_twice(provider: &dyn Provider) {
    let play = [turn("build", [Do::Think(1500)], "Built."), turn("paint", [Do::Think(1500)], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    for (number, text, says, held) in [(1, "build it", "Built.", false), (2, "paint it", "Painted.", true)] {
        house.deliver(number, text);
        house.model_was_told(text).await;
        house.has_written(text).await;
        processes::kill(house.process().await);
        assert_eq!(house.losses().await.len(), 1);
        house.live_again(true);
        house.deliver_again(number, text, held);
        house.spoke(number, says).await;
        assert_eq!(house.heard(number), 1, "{:#?}", house.told);
        house.is_quiet().await;
        // The notice repeats the text behind two words of its own.
        let told = house.cast.times_told(text);
        assert_eq!(told, Some(2), "once as it is, once in the notice: {}", house.logbook());
        assert_eq!(house.cast.times_told(&format!("Go on: {text}")), Some(1));
    }
    house.close().await;
}

/// A text that waited in the process when that was killed is given again, and reaches the model.
pub async fn a_steered_text_outlives_the_process(provider: &dyn Provider) {
    let play = [turn("build", [wait_for_word("tool")], "Built."), turn("in red", [], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.steer(2, "in red, please");
    house.has_read("in red, please", 1).await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    house.live_again(true);
    house.deliver_again(1, "build it", true);
    house.steer(2, "in red, please");
    house.began("tool").await;
    house.has_read("in red, please", 2).await;
    house.say_word("tool");
    house.spoke(1, "Built.").await;
    if house.heard(2) == 0 {
        house.deliver(2, "in red, please");
        house.spoke(2, "Painted.").await;
    }
    assert_eq!(house.heard(2), 1, "{:#?}", house.told);
    assert_ne!(house.cast.was_told("in red, please"), Some(false), "{}", house.logbook());
    house.is_quiet().await;
    house.close().await;
}

/// The house fell before the process heard anything, or before there was one at all.
pub async fn a_text_that_nobody_heard_is_heard_in_the_next_life(provider: &dyn Provider) {
    let play = [turn("build", [], "Built."), turn("paint", [], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    house.live_again(true);
    house.deliver_again(1, "build it", false);
    house.spoke(1, "Built.").await;
    assert_eq!(house.heard(1), 1);
    house.is_quiet().await;
    house.has_kept("Built.").await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    // It has a conversation now, but not this text.
    house.live_again(true);
    house.deliver_again(2, "paint it", false);
    house.spoke(2, "Painted.").await;
    assert_eq!(house.heard(2), 1);
    house.is_quiet().await;
    house.close().await;
}

/// The house fell before it could write that the session had begun. An actor refuses that: it is told to begin by
/// a house that knows better.
pub async fn a_start_of_a_session_that_exists_takes_it_up(provider: &dyn Provider) {
    let play = [turn("build", [], "Built."), turn("paint", [wait_for_word("brush")], "Painted.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "build it");
    house.spoke(1, "Built.").await;
    house.has_kept("Built.").await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    house.live_again(false);
    house.deliver(2, "paint it");
    house.began("brush").await;
    assert_eq!(house.heard(2), 1);
    assert_ne!(house.cast.was_told("build it"), Some(false));
    // What the first process said as it left is no word of the second.
    processes::kill(house.process().await);
    let losses = house.losses().await;
    assert_eq!(losses.len(), 1, "{}", house.logbook());
    assert!(losses[0].contains("SIGKILL"), "{losses:?}");
    processes::assert_none(&house.mission);
}

pub async fn the_checklist_outlives_the_process(provider: &dyn Provider) {
    let play =
        [turn("plan", [Do::Task("Find it")], "Planned."), turn("more", [Do::Task("Mend it")], "More.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "plan it");
    house.spoke(1, "Planned.").await;
    house.has_kept("Planned.").await;
    processes::kill(house.process().await);
    assert_eq!(house.losses().await.len(), 1);
    house.live_again(true);
    house.deliver(2, "more of it");
    house.until("turn 2", |event| *event == AgentEvent::Heard(TurnId(2))).await;
    house.spoke(2, "More.").await;
    assert_eq!(house.checklists().last(), Some(&vec!["1 Find it".to_owned(), "2 Mend it".to_owned()]));
    house.close().await;
}

/// What a turn took that the end cut off was paid for: it is told on the way out, and nothing else is.
pub async fn the_end_tells_what_its_turn_took(provider: &dyn Provider) {
    let Some(mut house) = House::open(provider, &[turn("build", [wait_for_word("tool")], "Built.")]) else {
        return;
    };
    house.deliver(1, "build it");
    house.began("tool").await;
    house.order(SessionCommand::End);
    house.handle.ended().await;
    while house.next().await.is_some() {}
    let spent = |event: &&AgentEvent| matches!(event, AgentEvent::Spent { cost_microusd: 1.., .. });
    assert_eq!(house.told.iter().filter(spent).count(), 1, "{:#?}\n{}", house.told, house.logbook());
    let ends = |event: &AgentEvent| {
        matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. } | AgentEvent::Lost { .. })
    };
    assert!(!house.told.iter().any(ends), "{:#?}", house.told);
    processes::assert_none(&house.mission);
}
