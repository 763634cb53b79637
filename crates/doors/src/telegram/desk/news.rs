//! News of the docket: people who look at a petition see within a second what another door did to it.

use std::collections::BTreeSet;

use docket::{Became, PetitionNews, QueueNews};
use mind::petition::{Petition, PetitionId, PetitionStatus};
use view::queue::QueueCounts;

use super::Desk;
use super::draw::unreadable_files;
use crate::limits;
use crate::telegram::announce::OpenPetition;
use crate::telegram::effect::ChatEffect;
use crate::telegram::fact::DoorFact;
use crate::telegram::screen::ScreenKey;
use crate::telegram::wire::{ChatId, MessageId};

impl Desk {
    pub(super) fn hear_queue(&mut self, news: QueueNews) {
        let (petitions, faults, counts) = match news {
            QueueNews::Waiting { petitions, faults, counts } => (petitions, faults, counts_of(counts)),
            QueueNews::Trouble(error) => {
                return self.note(true, format!("the docket cannot be read: {error}"));
            }
        };
        (self.unreadable, self.counts, self.is_told) = (unreadable_files(&faults), counts, true);
        let now = self.now();
        self.open = petitions.iter().map(|petition| open(petition)).collect();
        let known = std::mem::take(&mut self.seen);
        self.seen = self
            .open
            .iter()
            .map(|petition| (petition.id.clone(), known.get(&petition.id).copied().unwrap_or(now)))
            .collect();
        self.waiting = petitions;
        self.queue_moved = true;
    }

    pub(super) fn hear_petition(&mut self, news: PetitionNews) {
        let is_over = match &news.became {
            Became::Stands { kept, .. } => kept.petition.closed.is_some(),
            Became::Gone { .. } => true,
            Became::Unreadable { .. } | Became::Trouble(_) => false,
        };
        for (chat, message, key) in self.shown(|key| key.petition() == Some(&news.id)) {
            // A question for words of one's own stays: the words are judged when they come.
            if !matches!(key, ScreenKey::OwnWords { .. }) || is_over {
                self.redraw(chat, message, key);
            }
        }
        if is_over {
            self.followed.remove(&news.id);
        }
        if is_over && self.memory.read(|state| state.announced.contains_key(&news.id)) {
            self.keep(&[DoorFact::Closed { petition: news.id }]);
        }
    }

    /// At the start whatever is shown may be outdated.
    pub(super) fn redraw_all(&mut self) {
        for (chat, message, key) in self.shown(|_| true) {
            self.redraw(chat, message, key);
        }
    }

    pub(super) fn redraw_queues(&mut self) {
        if std::mem::take(&mut self.queue_moved) {
            for (chat, message, key) in self.shown(|key| matches!(key, ScreenKey::Queue { .. })) {
                self.redraw(chat, message, key);
            }
        }
    }

    /// Draws a message anew, as the person sees it to whom the chat belongs.
    pub(super) fn redraw(&mut self, chat: ChatId, message: MessageId, key: ScreenKey) {
        if matches!(key, ScreenKey::Word) {
            return;
        }
        let owner = self.people.all().iter().find(|person| person.id.0 == chat.0).cloned();
        let is_group = chat.0 < 0;
        if !is_group && owner.is_none() {
            // The person is no longer let in.
            return;
        }
        // A group has many eyes: it is drawn for the person who may do the most, and each tap is judged by who taps.
        let most = || self.people.all().iter().max_by_key(|person| person.role).cloned();
        let Some(viewer) = owner.or_else(most) else { return };
        let banner = self.banners.get(&(chat, message));
        let (key, screen) = self.draw(&viewer, is_group, key, banner.map(String::as_str));
        // A question for a reply cannot be edited.
        if screen.asks_for_reply {
            return;
        }
        self.send(ChatEffect::Edit { chat, message, key, screen });
    }

    /// The messages that are edited and show what is asked for.
    pub(super) fn shown(&self, wanted: impl Fn(&ScreenKey) -> bool) -> Vec<(ChatId, MessageId, ScreenKey)> {
        self.memory.read(|state| {
            let chats = state.chats.iter().filter(|(_, chat)| !chat.is_lost);
            let shown = chats.flat_map(|(id, chat)| chat.shown.iter().map(|shown| (*id, shown)));
            let wanted = shown.filter(|(_, (_, key))| wanted(key));
            wanted.map(|(id, (message, key))| (id, *message, key.clone())).collect()
        })
    }

    pub(super) fn follow_what_is_shown(&mut self) {
        for (_, _, key) in self.shown(|key| key.petition().is_some()) {
            self.follow(&key);
        }
    }

    /// Petitions that no message shows any more are let go, some at a time.
    pub(super) fn unfollow_what_is_gone(&mut self) {
        if self.followed.len() <= limits::FOLLOWED_SPARE {
            return;
        }
        let keys = self.shown(|_| true).into_iter().map(|(_, _, key)| key);
        let coming = self.on_their_way.iter().map(|new| new.key.clone());
        let wanted: BTreeSet<PetitionId> =
            keys.chain(coming).filter_map(|key| key.petition().cloned()).collect();
        for gone in self.followed.difference(&wanted) {
            self.follower.unfollow(gone.clone());
        }
        self.followed.retain(|id| wanted.contains(id));
    }

    /// Hears from now on what becomes of the petition that is shown.
    pub(super) fn follow(&mut self, key: &ScreenKey) {
        if let Some(petition) = key.petition()
            && self.followed.insert(petition.clone())
        {
            self.follower.follow_unseen(petition.clone());
        }
    }
}

fn open(petition: &Petition) -> OpenPetition {
    OpenPetition {
        id: petition.id.clone(),
        priority: petition.priority,
        assignee: petition.assignee.clone(),
        escalate: petition.escalate.iter().take(limits::ESCALATE_MAX).cloned().collect(),
        due_at: petition.due_at(),
        created_at: petition.created_at,
        is_ready: petition.status() == PetitionStatus::Ready,
    }
}

fn counts_of(counts: docket::WaitingCounts) -> QueueCounts {
    let docket::WaitingCounts { urgent, high, normal, low, .. } = counts;
    QueueCounts { urgent, high, normal, low }
}
