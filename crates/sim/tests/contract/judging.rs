//! The contract of permissions: the hook and the question that follows it are about one call, which is judged once.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mind::AgentEvent;
use mind::effect::SessionCommand;
use mind::policy::{PermissionRequest, Risk, Ruling};
use providers::judge::ToolJudge;
use providers::{Handle, SessionStart};
use tokio::sync::mpsc::Sender;

use crate::cast::{Cast, Do, Provider, turn};
use crate::house::{House, world};

/// A cast whose tools another judge rules on.
struct JudgedCast {
    cast: Box<dyn Cast>,
    judge: ToolJudge,
}

impl Cast for JudgedCast {
    fn start(&self, start: SessionStart, events: Sender<AgentEvent>) -> Handle {
        self.cast.start(SessionStart { judge: self.judge.clone(), ..start }, events)
    }

    fn was_told(&self, text: &str) -> Option<bool> {
        self.cast.was_told(text)
    }

    fn conversations(&self) -> Option<PathBuf> {
        self.cast.conversations()
    }
}

pub async fn a_call_that_asks_is_judged_once(provider: &dyn Provider) {
    let play = [turn("work", [Do::Run("echo ran >> ran".to_owned())], "Worked.")];
    let world = world();
    let Some(cast) = provider.open(world.path(), &play) else { return };
    let count = Arc::new(AtomicU32::new(0));
    let judged = Arc::clone(&count);
    let judge = ToolJudge::new(move |call| {
        if call.tool != "Bash" {
            return Ruling::Allow;
        }
        let number = judged.fetch_add(1, Ordering::SeqCst) + 1;
        let (tool, what) = (Arc::from(call.tool), Arc::from(format!("judged {number}")));
        let (folder, why, digest) = (Arc::from("/"), Arc::from("it asks"), Arc::from("d"));
        Ruling::Ask(PermissionRequest {
            tool,
            what,
            folder,
            why,
            digest,
            risk: Risk::Unknown,
            shapes: Vec::new(),
        })
    });
    let mut house = House::with(world, Box::new(JudgedCast { cast, judge }), false);
    house.deliver(1, "work");
    let asks = house.until("a question", |event| matches!(event, AgentEvent::Asks { .. })).await;
    let AgentEvent::Asks { call, request, .. } = asks else { panic!("{asks:?}") };
    assert_eq!(&*request.what, "judged 1", "{}", house.logbook());
    house.order(SessionCommand::Permit { call, allowed: true, why: Arc::from("") });
    house.spoke(1, "Worked.").await;
    assert_eq!(count.load(Ordering::SeqCst), 1, "{}", house.logbook());
    assert_eq!(fs::read_to_string(house.clone_folder().join("ran")).unwrap(), "ran\n");
    house.close().await;
}
