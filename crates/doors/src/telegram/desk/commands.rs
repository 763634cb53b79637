//! What a person writes: commands, links that open a petition, and words, which go to whatever waits for them.

use super::reply::{Reply, Turn};
use super::{Desk, Visit};
use crate::telegram::fact::DoorFact;
use crate::telegram::screen::ScreenKey;
use crate::telegram::tap::read_start_payload;
use crate::telegram::wire::types::ChatText;

/// The commands that the bot offers, and what each does.
pub const COMMANDS: [(&str, &str); 6] = [
    ("queue", "what waits for you"),
    ("missions", "what runs, and how it stands"),
    ("status", "how this bot is"),
    ("cancel", "leave what you are writing"),
    ("help", "how this works"),
    ("start", "begin"),
];

impl Desk {
    pub(super) fn spoken(&mut self, visit: &Visit, message: &ChatText, reply: &mut Reply) {
        let Some(text) = message.text.as_deref().filter(|text| !text.trim().is_empty()) else { return };
        if let Some((key, banner)) = self.memory.read(|state| state.acted.get(&visit.update).cloned()) {
            // It was done before the program ended, and not shown.
            return self.show_new(visit, Turn { banner, ..Turn::to(key) }, reply);
        }
        if let Some((command, rest)) = self.command(text, visit.is_group) {
            let turn = self.commanded(visit, command, rest, reply);
            return self.show_new(visit, turn, reply);
        }
        let replied = message.reply_to_message.as_ref().map(|replied| replied.message_id);
        if let Some(turn) = self.own_words(visit, text, replied, reply) {
            return self.show_new(visit, turn, reply);
        }
        if let Some(turn) = self.words_to_mission(visit, text, replied) {
            return self.show_new(visit, turn, reply);
        }
        // In a group people talk to one another.
        if !visit.is_group {
            let word = "Nothing waits for your words. Here is what waits for you.";
            self.show_new(visit, Turn::to(ScreenKey::Queue { page: 0 }).under(word), reply);
        }
    }

    /// A command of ours, and what follows it. Any other text that begins with a `/` is text.
    fn command<'t>(&self, text: &'t str, is_group: bool) -> Option<(&'static str, &'t str)> {
        let first = text.split_whitespace().next()?;
        let (name, of) = match first.strip_prefix('/')?.split_once('@') {
            Some((name, bot)) => (name, Some(bot)),
            None => (&first[1..], None),
        };
        let own = self.memory.bot();
        let is_ours = match of {
            Some(bot) => own.is_none_or(|own| own.eq_ignore_ascii_case(bot)),
            None => true,
        };
        let known = COMMANDS.iter().find(|(command, _)| command.eq_ignore_ascii_case(name));
        let (command, _) = known.filter(|_| is_ours || is_group)?;
        is_ours.then(|| (*command, text[first.len()..].trim()))
    }

    fn commanded(&mut self, visit: &Visit, command: &str, rest: &str, reply: &mut Reply) -> Turn {
        let awaited = self.awaited(visit);
        self.stop_awaiting(visit, reply);
        match command {
            "start" => match read_start_payload(rest) {
                Some(petition) => match self.find(&petition) {
                    Ok(stored) => Turn::to(ScreenKey::Petition { petition: stored.petition.id, page: 0 }),
                    Err(turn) => turn,
                },
                None => Turn::to(ScreenKey::Queue { page: 0 }),
            },
            "missions" => Turn::to(ScreenKey::Missions { page: 0 }),
            "status" => Turn::to(ScreenKey::Status),
            "help" => Turn::to(ScreenKey::Help),
            "cancel" => {
                let opened = self.opened(visit);
                if opened.is_some() && awaited.is_none() {
                    let (chat, user) = (visit.chat, visit.person.id);
                    reply.facts.push(DoorFact::Opened { chat, user, mission: None });
                }
                match (awaited, opened) {
                    (Some(words), _) => {
                        let (petition, decision) = (words.petition, words.decision);
                        let key = ScreenKey::Decision { petition, decision, page: 0, instead: words.instead };
                        Turn::to(key).under("Left: nothing was answered.")
                    }
                    (None, Some(mission)) => Turn::to(ScreenKey::Queue { page: 0 })
                        .under(format!("Your words no longer go to mission {mission}.")),
                    (None, None) => {
                        Turn::to(ScreenKey::Queue { page: 0 }).under("There is nothing to leave.")
                    }
                }
            }
            _ => Turn::to(ScreenKey::Queue { page: 0 }),
        }
    }
}
