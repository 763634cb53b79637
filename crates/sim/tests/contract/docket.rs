//! What a session wants of the docket: the house hears of it, and its answer reaches the model.

use std::sync::Arc;

use mind::effect::SessionCommand;
use mind::event::{DocketCall, TurnEnd};
use mind::{AgentEvent, TurnId};
use serde_json::json;

use crate::cast::{Do, Provider, turn};
use crate::house::House;

/// Waits until the session puts this to the docket; says by which call.
async fn pushed(house: &mut House, title: &str) -> Arc<str> {
    let event = house.until("a plea", |event| matches!(event, AgentEvent::Pleads { .. })).await;
    let AgentEvent::Pleads { call, plea: DocketCall::Push(draft) } = event else { panic!("{event:?}") };
    assert_eq!((&*draft.title, draft.decisions.len(), draft.decisions[0].options.len()), (title, 1, 2));
    call
}

fn reply(call: &Arc<str>, title: &str) -> SessionCommand {
    SessionCommand::Reply { call: call.clone(), told: json!({"id": "m1", "title": title}), refused: false }
}

pub async fn a_push_is_answered_by_the_house(provider: &dyn Provider) {
    let play = [turn("ask", [Do::Push("Which way?"), Do::Run("touch after".to_owned())], "Asked.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "ask it");
    let call = pushed(&mut house, "Which way?").await;
    house.is_quiet().await;
    assert!(!house.clone_folder().join("after").exists(), "it waits");
    house.order(reply(&call, "Which way?"));
    house.spoke(1, "Asked.").await;
    assert!(house.clone_folder().join("after").exists());
    assert_ne!(house.cast.was_told("m1"), Some(false), "{}", house.logbook());
    let pleas = house.told.iter().filter(|event| matches!(event, AgentEvent::Pleads { .. })).count();
    assert_eq!(pleas, 1, "{:#?}", house.told);
    house.close().await;
}

/// An answer that comes after that reaches nobody, and harms nobody.
pub async fn an_interrupt_ends_what_waits_for_the_docket(provider: &dyn Provider) {
    let does = || [Do::Push("Which way?")];
    let play = [turn("ask", does(), "Asked."), turn("once more", does(), "Asked.")];
    let Some(mut house) = House::open(provider, &play) else { return };
    house.deliver(1, "ask it");
    let first = pushed(&mut house, "Which way?").await;
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
    house.order(reply(&first, "Which way?"));
    house.is_quiet().await;
    house.deliver(2, "once more");
    let second = pushed(&mut house, "Which way?").await;
    assert_ne!(first, second);
    house.order(reply(&second, "Which way?"));
    house.spoke(2, "Asked.").await;
    house.is_quiet().await;
    house.close().await;
}
