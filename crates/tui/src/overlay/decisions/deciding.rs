//! Keys and clicks on an open petition: they turn its pages, mark options, answer and submit.

use std::borrow::Cow;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use mind::actor::{Actor, Door};
use mind::event::HumanAction;
use mind::petition::{AnswerChoice, Decision, Petition};
use ratatui::layout::Position;
use view::decision::decided;
use view::refusal::in_short;

use super::answering::barred;
use super::asked;
use super::decision::{DecisionRow, way_of, ways};
use super::items::Item;
use super::layout::{ENTER, ESC};
use super::open_petition::Sheet;
use super::{DecisionsPage, ON_ITS_WAY};
use crate::overlay::PageResponse;
use crate::overlay::field::Field;
use crate::overlay::list::{Motion, letter, motion};
use crate::ui_command::UiCommand;
use crate::view_model::ViewModel;

/// An open petition that waits no more.
pub(super) const GONE: &str = "It is no longer there.";

/// What is open, and what it asks.
pub(super) type Opened<'a> = (Item<'a>, Cow<'a, Petition>);

impl DecisionsPage {
    /// What is open, if it still waits.
    pub(super) fn opened<'a>(&self, items: &[Item<'a>], model: &ViewModel<'a>) -> Option<Opened<'a>> {
        let sheet = self.open.as_ref()?;
        let item = items.iter().find(|item| item.is(&sheet.pick))?;
        Some((*item, asked::petition(item, model.state, &self.begun)?))
    }

    /// Opens what is chosen, if it asks for decisions.
    pub(super) fn open(&mut self, items: &[Item<'_>], model: &ViewModel<'_>) {
        let chosen = items.iter().find(|item| self.is_chosen(item));
        let Some(item) = chosen.filter(|item| !self.sent.contains(&item.pick())) else {
            self.notice = chosen.map(|_| ON_ITS_WAY);
            return;
        };
        if let Some(petition) = asked::petition(item, model.state, &self.begun) {
            let is_open = |decision: &Decision| is_open(&self.waiting, &petition, decision);
            let sheet = Sheet::new(item.pick(), &petition, is_open);
            self.open = Some(Box::new(sheet));
            self.answered_at = None;
        }
    }

    /// A key, while a petition is open.
    pub(super) fn sheet_key(
        &mut self,
        key: &KeyEvent,
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
    ) -> PageResponse {
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        if let Some(field) = &mut sheet.own {
            if key.code == KeyCode::Esc {
                sheet.own = None;
            } else if key.code == KeyCode::Enter {
                return self.take_own(opened, model);
            } else {
                field.key(key);
            }
            return PageResponse::Stay;
        }
        let codes = [
            (KeyCode::Enter, ENTER),
            (KeyCode::Esc, ESC),
            (KeyCode::Tab, '>'),
            (KeyCode::Right, '>'),
            (KeyCode::BackTab, '<'),
            (KeyCode::Left, '<'),
        ];
        let by_code = codes.into_iter().find(|(code, _)| *code == key.code).map(|(_, sign)| sign);
        match (letter(key), motion(key)) {
            (Some('J'), _) => sheet.scroll.go(Motion::Lines(1)),
            (Some('K'), _) => sheet.scroll.go(Motion::Lines(-1)),
            (_, Some(Motion::Lines(by))) => sheet.step(by),
            (_, Some(motion)) => sheet.scroll.go(motion),
            (letter, None) => {
                let Some(sign) = by_code.or(letter) else { return PageResponse::Stay };
                // A key that is held down turns pages, but answers nothing.
                let held = key.kind != KeyEventKind::Press && !matches!(sign, '<' | '>');
                return if held { PageResponse::Stay } else { self.sheet_sign(sign, opened, model) };
            }
        }
        PageResponse::Stay
    }

    /// A key of an open petition, however it was pressed.
    pub(super) fn sheet_sign(
        &mut self,
        sign: char,
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
    ) -> PageResponse {
        let (_, petition) = opened;
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        match (sign, sheet.decision(petition)) {
            ('q', _) => return PageResponse::Close,
            (ESC, _) => self.shut(),
            ('<' | '>', _) => {
                sheet.turn(petition, sign == '>');
                self.answered_at = None;
            }
            ('y', None) => return self.finish(opened, model),
            (ENTER, None) => sheet.show_nth(petition, sheet.cursor),
            (_, None) => {
                if let Some(nth @ 1..) = sign.to_digit(10) {
                    sheet.show_nth(petition, nth as usize - 1);
                }
            }
            (ENTER, Some(decision)) if decision.multi => {
                let marks = sheet.marks(decision);
                return match ways(decision).get(sheet.cursor) {
                    Some(way @ (DecisionRow::Own | DecisionRow::Skip)) if marks.is_empty() => {
                        self.act(*way, opened, model)
                    }
                    Some(_) | None => self.take_marks(&marks, opened, model),
                };
            }
            (ENTER, Some(decision)) => {
                if let Some(way) = ways(decision).get(sheet.cursor) {
                    return self.act(*way, opened, model);
                }
            }
            (' ', Some(decision)) => {
                if let Some(way @ DecisionRow::Option(_)) =
                    ways(decision).get(sheet.cursor).filter(|_| decision.multi)
                {
                    return self.act_or_mark(*way, opened, model);
                }
            }
            (sign, Some(decision)) => {
                if let Some(way) = way_of(sign, decision) {
                    return self.act_or_mark(way, opened, model);
                }
            }
        }
        PageResponse::Stay
    }

    /// A click into an open petition.
    pub(super) fn sheet_click(
        &mut self,
        at: Position,
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
    ) -> PageResponse {
        let (_, petition) = opened;
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        let Some(place) = sheet.hit(at) else { return PageResponse::Stay };
        match sheet.decision(petition) {
            None => sheet.show_nth(petition, place),
            Some(decision) => {
                sheet.cursor = place;
                if let Some(way) = ways(decision).get(place) {
                    return self.act_or_mark(*way, opened, model);
                }
            }
        }
        PageResponse::Stay
    }

    /// Back to what waits.
    pub(super) fn shut(&mut self) {
        self.open = None;
        self.answered_at = None;
        self.detail.reset();
    }

    /// Where several can be chosen, an option is only marked.
    fn act_or_mark(&mut self, way: DecisionRow, opened: &Opened<'_>, model: &ViewModel<'_>) -> PageResponse {
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        match (way, sheet.decision(&opened.1)) {
            (DecisionRow::Option(option), Some(decision)) if decision.multi => {
                sheet.toggle(decision, option);
                PageResponse::Stay
            }
            (DecisionRow::Option(_) | DecisionRow::Own | DecisionRow::Skip, _) => {
                self.act(way, opened, model)
            }
        }
    }

    fn act(&mut self, way: DecisionRow, opened: &Opened<'_>, model: &ViewModel<'_>) -> PageResponse {
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        let Some(decision) = sheet.decision(&opened.1) else { return PageResponse::Stay };
        match way {
            DecisionRow::Option(at) => {
                let Some(option) = decision.options.get(at) else { return PageResponse::Stay };
                let choice = AnswerChoice::Answer(Arc::from(option.key.as_str()));
                self.decide(choice, &[at], opened, model)
            }
            DecisionRow::Skip => self.decide(AnswerChoice::Skipped, &[], opened, model),
            DecisionRow::Own => {
                if let Some(why) = barred(model, &sheet.pick) {
                    self.notice = Some(why);
                    return PageResponse::Stay;
                }
                let mut field = Field::default();
                if let Some(AnswerChoice::Answer(text)) = decided(decision)
                    && sheet.marks(decision).is_empty()
                {
                    field.put(text);
                }
                sheet.own = Some(field);
                PageResponse::Stay
            }
        }
    }

    fn take_own(&mut self, opened: &Opened<'_>, model: &ViewModel<'_>) -> PageResponse {
        let text = self.open.as_ref().and_then(|sheet| sheet.own.as_ref()).map(|field| field.text().trim());
        let Some(text) = text else { return PageResponse::Stay };
        let choice = AnswerChoice::Answer(Arc::from(text));
        // A text that is refused can be mended: the field is closed by what comes next.
        self.decide(choice, &[], opened, model)
    }

    fn take_marks(&mut self, marks: &[usize], opened: &Opened<'_>, model: &ViewModel<'_>) -> PageResponse {
        let Some(decision) = self.open.as_ref().and_then(|sheet| sheet.decision(&opened.1)) else {
            return PageResponse::Stay;
        };
        let keys: Vec<&str> = marks
            .iter()
            .filter_map(|at| decision.options.get(*at))
            .map(|option| option.key.as_str())
            .collect();
        if keys.is_empty() {
            self.notice = Some("Mark one first: its letter.");
            return PageResponse::Stay;
        }
        let choice = AnswerChoice::Answer(Arc::from(keys.join(", ")));
        self.decide(choice, marks, opened, model)
    }

    /// Answers the decision that is looked at, bound to what was drawn, and goes on to the next.
    fn decide(
        &mut self,
        choice: AnswerChoice,
        options: &[usize],
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
    ) -> PageResponse {
        let (item, petition) = opened;
        let Some(sheet) = &self.open else { return PageResponse::Stay };
        let Some(decision) = sheet.decision(petition) else { return PageResponse::Stay };
        let waits = is_waiting(&self.waiting, petition, decision);
        let bound = match (barred(model, &sheet.pick), waits) {
            (Some(why), _) => Err(why),
            (None, true) => Err(ON_ITS_WAY),
            (None, false) => sheet.bind(petition, decision, &choice, options),
        };
        let judged = bound.and_then(|seen| {
            let by = Actor::human(Door::Terminal, "");
            let judged = petition.answer(&decision.id, choice.clone(), &seen, &by);
            judged.map(|_| seen).map_err(|refusal| in_short(&refusal))
        });
        let seen = match judged {
            Ok(seen) if !self.is_hasty(model) => seen,
            Ok(_) => return PageResponse::Stay,
            Err(why) => {
                self.notice = Some(why);
                return PageResponse::Stay;
            }
        };
        let id = Arc::clone(&decision.id);
        let Some(sheet) = &mut self.open else { return PageResponse::Stay };
        if is_anothers(decision) && decided(decision) != Some(&choice) {
            let again = Some((Arc::clone(&id), choice.clone()));
            if sheet.replacing != again {
                sheet.replacing = again;
                self.notice = Some("Another person answered it. The same again replaces that.");
                return PageResponse::Stay;
            }
        }
        sheet.unmark(&id);
        let wish = match item {
            Item::Alignment(message) | Item::Words(message) => {
                self.begun.put(message.id, &id, choice);
                None
            }
            Item::Petition(_) if decided(decision) == Some(&choice) => None,
            Item::Petition(petition) => {
                let stood = decided(decision).cloned();
                self.waiting.insert((petition.id.clone(), Arc::clone(&id)), stood);
                Some(UiCommand::Decide { petition: petition.id.clone(), decision: id, choice, seen })
            }
            Item::Ask(..) | Item::Fault(_) => None,
        };
        if let Some(sheet) = &mut self.open {
            sheet.go_on(petition, |decision| is_open(&self.waiting, petition, decision));
        }
        self.answered_at = Some(model.now);
        wish.map_or(PageResponse::Stay, PageResponse::Wish)
    }

    /// All is decided and was looked at: it is sent.
    fn finish(&mut self, opened: &Opened<'_>, model: &ViewModel<'_>) -> PageResponse {
        let (item, petition) = opened;
        let Some(sheet) = &self.open else { return PageResponse::Stay };
        let waits = petition.decisions.iter().any(|decision| is_waiting(&self.waiting, petition, decision));
        let open = petition.decisions.iter().any(|decision| decided(decision).is_none());
        let refusal = match (barred(model, &sheet.pick), sheet.reviewed(petition)) {
            (Some(why), _) | (None, Err(why)) => Some(why),
            (None, Ok(())) if waits => Some(ON_ITS_WAY),
            (None, Ok(())) if open => Some("Something is still open."),
            (None, Ok(())) => None,
        };
        if refusal.is_some() || self.is_hasty(model) {
            self.notice = refusal.or(self.notice);
            return PageResponse::Stay;
        }
        let wish = match item {
            Item::Alignment(message) | Item::Words(message) => {
                let Some(words) = asked::words(message, petition, model.state) else {
                    return PageResponse::Stay;
                };
                UiCommand::Do(HumanAction::Say(Arc::from(words)))
            }
            Item::Petition(petition) => UiCommand::Submit { petition: petition.id.clone() },
            Item::Ask(..) | Item::Fault(_) => return PageResponse::Stay,
        };
        self.open = None;
        self.send(&item.pick(), wish, model)
    }
}

/// It was answered, and not at a terminal.
fn is_anothers(decision: &Decision) -> bool {
    let given = decision.answer.as_ref().filter(|given| !given.late && given.by.is_some());
    given.is_some_and(|given| given.via != Some(Door::Terminal))
}

/// An answer was given, and the petition does not show it yet.
pub(super) fn is_waiting(waiting: &super::Waiting, petition: &Petition, decision: &Decision) -> bool {
    let stood = waiting.get(&(petition.id.clone(), Arc::clone(&decision.id)));
    stood.is_some_and(|stood| stood.as_ref() == decided(decision))
}

/// It is not decided, here either.
fn is_open(waiting: &super::Waiting, petition: &Petition, decision: &Decision) -> bool {
    decided(decision).is_none() && !is_waiting(waiting, petition, decision)
}
