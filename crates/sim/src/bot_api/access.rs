//! Whom the bot can reach: `check_chat` and `check_chat_access` (telegram-bot-api, Client.cpp, commit 025884a).

use super::chat::{BotPresence, ChatKind};
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;
use super::state::BotState;

/// What the bot wants to do in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChatAccess {
    Edit,
    Write,
}

impl BotState {
    /// The chat of the parameter `chat_id`, if the bot may do this there.
    pub(super) fn reach(&self, parameters: &BotParameters, access: ChatAccess) -> Result<i64, ApiRefusal> {
        if parameters.text("chat_id").is_empty() {
            return Err(ApiRefusal::bad("chat_id is empty"));
        }
        let not_found = || ApiRefusal::bad("chat not found");
        // The fake has no chats with names.
        let id = parameters.integer("chat_id").ok_or_else(not_found)?;
        match self.chats.get(&id).map(|chat| chat.kind) {
            Some(ChatKind::Private) => self.reach_person(id, access)?,
            Some(ChatKind::Group | ChatKind::Supergroup) => self.reach_group(id, access)?,
            None if self.people.contains_key(&id) => self.reach_person(id, access)?,
            None => return Err(not_found()),
        }
        Ok(id)
    }

    fn reach_person(&self, id: i64, access: ChatAccess) -> Result<(), ApiRefusal> {
        let Some(person) = self.people.get(&id) else { return Err(ApiRefusal::bad("chat not found")) };
        if person.is_deactivated {
            return Err(ApiRefusal::forbidden("user is deactivated"));
        }
        if person.has_blocked && access == ChatAccess::Write {
            return Err(ApiRefusal::forbidden("bot was blocked by the user"));
        }
        if !person.has_started {
            // Recorded in TelegramBotAPI/errors, issue 2. A person whom the bot never met anywhere is not found at all.
            let has_met = self.chats.values().any(|chat| chat.id < 0 && chat.members.contains(&id));
            return Err(match has_met {
                true => ApiRefusal::forbidden("bot can't initiate conversation with a user"),
                false => ApiRefusal::bad("chat not found"),
            });
        }
        Ok(())
    }

    fn reach_group(&self, id: i64, access: ChatAccess) -> Result<(), ApiRefusal> {
        let Some(chat) = self.chats.get(&id) else { return Err(ApiRefusal::bad("chat not found")) };
        // Only who wants to write is told of the new chat.
        if let Some(to) = chat.upgraded_to.filter(|_| access == ChatAccess::Write) {
            return Err(ApiRefusal::upgraded(to));
        }
        let kind = if chat.kind == ChatKind::Group { "group" } else { "supergroup" };
        match chat.bot {
            BotPresence::Member => Ok(()),
            BotPresence::Kicked => {
                Err(ApiRefusal::forbidden(&format!("bot was kicked from the {kind} chat")))
            }
            BotPresence::Left => {
                Err(ApiRefusal::forbidden(&format!("bot is not a member of the {kind} chat")))
            }
        }
    }
}
