//! Missions by phone: open one, speak to it, pause it, resume it, cancel it. What is done goes the mission's own way, the port,
//! under an id that its update gives: taken twice, it counts once.

use std::sync::Arc;

use mind::event::{HumanAction, HumanEvent};
use mind::{MissionId, Timestamp};
use view::port::{MissionPort, SayError, SayReceipt};

use super::answering::first_large;
use super::reply::{Reply, Turn};
use super::{Desk, Visit};
use crate::telegram::fact::DoorFact;
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::PersonRole;
use crate::telegram::wire::MessageId;

impl Desk {
    /// The mission that the person's words go to.
    pub(super) fn opened(&self, visit: &Visit) -> Option<MissionId> {
        self.memory.read(|state| state.chats.get(&visit.chat)?.opened.get(&visit.person.id).cloned())
    }

    pub(super) fn open_mission(
        &self,
        visit: &Visit,
        mission: &MissionId,
        reply: &mut Reply,
    ) -> Result<Turn, Turn> {
        self.port(visit, mission)?;
        if visit.person.may(PersonRole::Steer) && self.opened(visit).as_ref() != Some(mission) {
            let (chat, user, mission) = (visit.chat, visit.person.id, Some(mission.clone()));
            reply.facts.push(DoorFact::Opened { chat, user, mission });
        }
        Ok(Turn::to(ScreenKey::Mission { mission: mission.clone() }))
    }

    /// Pauses, resumes or cancels.
    pub(super) fn steer(
        &self,
        visit: &Visit,
        mission: &MissionId,
        action: HumanAction,
    ) -> Result<Turn, Turn> {
        let key = ScreenKey::Mission { mission: mission.clone() };
        if !visit.person.may(PersonRole::Steer) {
            return Err(Turn::to(key).warning("You may look here, and not steer."));
        }
        let port = self.port(visit, mission)?;
        match self.send_to(visit, &*port, action) {
            Ok(receipt) => {
                Ok(Turn::to(key).saying(receipt.note(mission).unwrap_or_else(|| "Sent".to_owned())))
            }
            Err(error) => Err(Turn::to(key).warning(first_large(&error.to_string()))),
        }
    }

    /// Plain words go to the mission that the person has opened.
    pub(super) fn words_to_mission(
        &self,
        visit: &Visit,
        text: &str,
        replied: Option<MessageId>,
    ) -> Option<Turn> {
        let mission = self.opened(visit)?;
        let shows_it = |key: ScreenKey| key.mission() == Some(&mission);
        let is_reply = replied.and_then(|message| self.shown_by(visit.chat, message)).is_some_and(shows_it);
        // In a group only a reply is meant for us; elsewhere a person who has gone on to a petition no longer speaks to the
        // mission.
        let is_open = !visit.is_group && self.live(visit.chat).is_some_and(|(_, key)| shows_it(key));
        if !is_reply && !is_open {
            return None;
        }
        let key = ScreenKey::Mission { mission: mission.clone() };
        if !visit.person.may(PersonRole::Steer) {
            return Some(Turn::to(key).under("❌ You may look here, and not speak to a mission."));
        }
        let port = match self.port(visit, &mission) {
            Ok(port) => port,
            Err(turn) => return Some(turn),
        };
        let said = self.send_to(visit, &*port, HumanAction::Say(text.into()));
        let words = view::line::line(text);
        Some(Turn::to(key).under(match said {
            Ok(SayReceipt::Taken(_)) => format!("✓✓ Delivered: {words}"),
            Ok(SayReceipt::Written(_)) => format!("✓ Queued: {words}"),
            Ok(receipt @ SayReceipt::Waits(_)) => {
                format!("🕗 Waits: {words}\n{}", receipt.note(&mission).unwrap_or_default())
            }
            Err(error) => format!("❌ {}", first_large(&error.to_string())),
        }))
    }

    pub(super) fn port(&self, visit: &Visit, mission: &MissionId) -> Result<Arc<dyn MissionPort>, Turn> {
        self.directory.port(mission, &visit.person.actor()).ok_or_else(|| {
            Turn::to(ScreenKey::Missions { page: 0 }).warning("This mission is no longer there.")
        })
    }

    fn send_to(
        &self,
        visit: &Visit,
        port: &dyn MissionPort,
        action: HumanAction,
    ) -> Result<SayReceipt, SayError> {
        let written = Timestamp(visit.at.0);
        let inbox_id = format!("{:014}-telegram-{}", written.0, visit.update);
        let event = HumanEvent { inbox_id: inbox_id.into(), actor: visit.person.actor(), written, action };
        port.send(event)
    }
}
