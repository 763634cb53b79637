//! Answers to what waits: a yes or a no to a tool, a yes to the Arbiter, and why a key answers nothing now.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use mind::Timestamp;
use mind::event::HumanAction;
use mind::policy::GrantScope;

use super::asked;
use super::items::{Item, Pick, items};
use super::{Cursor, DecisionsPage, ON_ITS_WAY, Reason, Shown, open_petition};
use crate::overlay::PageResponse;
use crate::overlay::field::Field;
use crate::ui_command::UiCommand;
use crate::view_model::{Attachment, ViewModel};

/// An answer sooner than this was given to a question that was not read: the key is still held down.
const HASTE_MS: u64 = 700;
/// Two presses closer than this are one that lasts.
const REPEAT_MS: u64 = 200;

impl DecisionsPage {
    /// Answers what is chosen, or says why it cannot be answered.
    pub(super) fn press(&mut self, sign: char, model: &ViewModel<'_>) -> PageResponse {
        let shown = self.shown.borrow().clone();
        let shown = shown.filter(|shown| *self.cursor.borrow() == Cursor::This(shown.pick.clone()));
        self.notice = None;
        if sign == 'i' && barred_here(model).is_none() {
            return PageResponse::Speak;
        }
        let cursor = self.cursor.borrow().clone();
        let barrier = match &cursor {
            Cursor::This(pick) => barred(model, pick),
            Cursor::Nothing | Cursor::Fresh => barred_here(model),
        };
        let refusal = match (barrier, &shown) {
            (Some(why), _) => Some(why),
            (None, None) if cursor == Cursor::Nothing => Some("Choose first: j or k."),
            (None, None) => Some(open_petition::UNSEEN),
            (None, Some(Shown { pick: Pick::Petition(_), .. })) => Some("Enter opens it."),
            (None, Some(Shown { pick: Pick::Fault(_), .. })) => Some("Mend the file: it cannot be answered."),
            (None, Some(shown)) if self.sent.contains(&shown.pick) => Some(ON_ITS_WAY),
            (None, Some(shown)) if sign != 'n' && *self.read.borrow() != Some(shown.pick.clone()) => {
                Some("Read it to its end first: PgDn.")
            }
            (None, Some(shown))
                if matches!(sign, 'h' | 'm') && !shown.lasting && matches!(shown.pick, Pick::Ask(_)) =>
            {
                Some("Once or not at all: no lasting yes can cover it.")
            }
            (None, Some(_)) => None,
        };
        let Some(shown) = shown.filter(|_| refusal.is_none()) else {
            self.notice = refusal;
            return PageResponse::Stay;
        };
        if self.is_hasty(model) {
            return PageResponse::Stay;
        }
        let pick = shown.pick.clone();
        match (shown.pick, sign) {
            (Pick::Ask(ask), 'n') => {
                self.reason = Some(Reason { ask, digest: shown.digest, field: Field::default() });
                PageResponse::Stay
            }
            (Pick::Ask(permission), _) => {
                let scope = match sign {
                    'h' => GrantScope::Hour,
                    'm' => GrantScope::Mission,
                    _ => GrantScope::Once,
                };
                let action = HumanAction::Answer {
                    permission,
                    digest: shown.digest,
                    allowed: true,
                    scope,
                    why: Arc::from(""),
                };
                self.send(&pick, UiCommand::Do(action), model)
            }
            (Pick::Alignment(_), 'y') if self.has_begun(model) => {
                // What was chosen is sent with it, from where all of it is seen.
                self.open(&items(model), model);
                self.notice = Some("You have chosen something: send it from the review.");
                PageResponse::Stay
            }
            (Pick::Alignment(_), 'y') => {
                self.send(&pick, UiCommand::Do(HumanAction::Say(Arc::from("yes"))), model)
            }
            // What speaks against it is said in words.
            (Pick::Alignment(_), 'n') => PageResponse::Speak,
            // Below it stands how it is answered.
            (Pick::Alignment(_) | Pick::Words(_) | Pick::Petition(_) | Pick::Fault(_), _) => {
                PageResponse::Stay
            }
        }
    }

    /// The question before was answered a moment ago, too soon to have read this one. The person is told.
    pub(super) fn is_hasty(&mut self, model: &ViewModel<'_>) -> bool {
        let since = |then: Option<Timestamp>| then.map(|then| model.now.0.saturating_sub(then.0));
        let soon = since(self.answered_at).is_some_and(|ms| ms < HASTE_MS);
        // A key that is held down comes again and again; a finger that is only impatient does not.
        let hasty = soon || since(self.pressed_at).is_some_and(|ms| ms < REPEAT_MS);
        self.pressed_at = hasty.then_some(model.now);
        if hasty {
            self.notice = Some("This is another question. Read it first.");
        }
        hasty
    }

    /// Something of the Arbiter's question is chosen already.
    fn has_begun(&self, model: &ViewModel<'_>) -> bool {
        let items = items(model);
        let item = items.iter().find(|item| self.is_chosen(item));
        let petition = item.and_then(|item| asked::petition(item, model.state, &self.begun));
        petition.is_some_and(|petition| petition.decided() > 0)
    }

    pub(super) fn reason_key(
        &mut self,
        key: &KeyEvent,
        items: &[Item<'_>],
        model: &ViewModel<'_>,
    ) -> PageResponse {
        if key.code == KeyCode::Esc {
            self.reason = None;
        } else if key.code == KeyCode::Enter {
            let Some(reason) = self.reason.take() else { return PageResponse::Stay };
            let pick = Pick::Ask(reason.ask);
            if !items.iter().any(|item| item.is(&pick)) || barred(model, &pick).is_some() {
                self.notice = Some(barred(model, &pick).unwrap_or("It needs no answer any more."));
                return PageResponse::Stay;
            }
            let is_shown = self.shown.borrow().as_ref().is_some_and(|shown| shown.pick == pick);
            if !is_shown {
                // The window became too small meanwhile: what is not seen is not answered.
                self.notice = Some("It is not on the screen.");
                self.reason = Some(reason);
                return PageResponse::Stay;
            }
            let why = Arc::from(reason.field.text().trim());
            let (permission, digest) = (reason.ask, reason.digest);
            let action =
                HumanAction::Answer { permission, digest, allowed: false, scope: GrantScope::Once, why };
            return self.send(&pick, UiCommand::Do(action), model);
        } else if let Some(reason) = &mut self.reason {
            reason.field.key(key);
        }
        PageResponse::Stay
    }

    /// Sends an answer once, and goes on to what is next.
    pub(super) fn send(&mut self, pick: &Pick, wish: UiCommand, model: &ViewModel<'_>) -> PageResponse {
        let items = items(model);
        self.sent.retain(|sent| items.iter().any(|item| item.is(sent)));
        self.waiting.retain(|(id, _), _| items.iter().any(|item| item.is(&Pick::Petition(id.clone()))));
        self.sent.insert(pick.clone());
        let at = items.iter().position(|item| item.is(pick)).unwrap_or(0);
        let around = items[at..].iter().chain(&items[..at]).map(Item::pick);
        if let Some(next) = around.into_iter().find(|next| !self.sent.contains(next)) {
            self.take(next);
        }
        self.answered_at = Some(model.now);
        PageResponse::Wish(wish)
    }
}

/// Why this cannot be answered here. What agents ask does not end with a mission.
pub(super) fn barred(model: &ViewModel<'_>, pick: &Pick) -> Option<&'static str> {
    match pick {
        Pick::Petition(_) | Pick::Fault(_) => barred_now(model),
        Pick::Ask(_) | Pick::Alignment(_) | Pick::Words(_) => barred_here(model),
    }
}

/// Why nothing of the mission can be answered here.
fn barred_here(model: &ViewModel<'_>) -> Option<&'static str> {
    if model.over { Some("The mission is over.") } else { barred_now(model) }
}

fn barred_now(model: &ViewModel<'_>) -> Option<&'static str> {
    match (model.seat, model.is_past()) {
        (Attachment::Replay, _) => Some("A replay answers nothing."),
        (Attachment::House | Attachment::Beside, true) => Some("This is the past: nothing can be answered."),
        (Attachment::House | Attachment::Beside, false) => None,
    }
}
