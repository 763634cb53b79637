//! A petition that is open to be decided: one decision after the other, then all at a glance, then they are sent
//! together. What was not on the screen cannot be chosen, and what changed meanwhile has to be looked at again.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::petition::{AnswerChoice, Decision, Petition, SeenAnswer, SeenQuestion};
use ratatui::layout::{Position, Rect};
use view::decision::{chosen, decided};

use super::items::Pick;
use super::review::Rows;
use crate::overlay::field::Field;
use crate::overlay::list::{Motion, Scroll, step};

/// A petition that is open.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sheet {
    pub(super) pick: Pick,
    stage: Stage,
    /// What the cursor is on: a way to answer, or a decision.
    pub(super) cursor: usize,
    /// Options that are marked and not taken yet, where there can be several, by decision.
    marks: BTreeMap<Arc<str>, Vec<usize>>,
    /// What would replace another person's answer, if it is said again.
    pub(super) replacing: Option<(Arc<str>, AnswerChoice)>,
    /// A text of one's own that is being typed.
    pub(super) own: Option<Field>,
    pub(super) scroll: Scroll,
    /// The cursor has to be seen.
    follow: Cell<bool>,
    drawn: RefCell<Option<Drawn>>,
    met: RefCell<Met>,
}

/// What of a petition is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stage {
    Decision(Arc<str>),
    /// All of them.
    Review,
}

/// What stood on the screen when it was last drawn.
#[derive(Debug, Clone, PartialEq)]
struct Drawn {
    stage: Stage,
    /// Of the decision.
    digest: Option<Arc<str>>,
    /// The answer of the decision, or of each.
    answers: Vec<Option<AnswerChoice>>,
    /// Where the things that can be chosen stood.
    rows: Vec<(Rect, usize)>,
    count: usize,
}

/// What of a decision was on the screen at some time.
#[derive(Debug, Clone, PartialEq, Default)]
struct Met {
    digest: Option<Arc<str>>,
    firsts: BTreeSet<usize>,
    lasts: BTreeSet<usize>,
    end: bool,
}

impl Sheet {
    /// Opens it where something is open, or at the review.
    pub(super) fn new(pick: Pick, petition: &Petition, is_open: impl Fn(&Decision) -> bool) -> Sheet {
        let open = petition.decisions.iter().find(|decision| is_open(decision));
        let mut sheet = Sheet {
            pick,
            stage: Stage::Review,
            cursor: 0,
            marks: BTreeMap::new(),
            replacing: None,
            own: None,
            scroll: Scroll::default(),
            follow: Cell::new(false),
            drawn: RefCell::default(),
            met: RefCell::default(),
        };
        if let Some(open) = open {
            sheet.show(Stage::Decision(Arc::clone(&open.id)));
        }
        sheet
    }

    /// What is looked at; a decision that is no longer there is none.
    pub(super) fn decision<'p>(&self, petition: &'p Petition) -> Option<&'p Decision> {
        match &self.stage {
            Stage::Decision(id) => petition.decision(id),
            Stage::Review => None,
        }
    }

    /// Looks at something else.
    pub(super) fn show(&mut self, stage: Stage) {
        self.stage = stage;
        (self.cursor, self.replacing, self.own) = (0, None, None);
        self.scroll.reset();
        self.follow.set(false);
        self.drawn.replace(None);
    }

    /// The decision of this place.
    pub(super) fn show_nth(&mut self, petition: &Petition, nth: usize) {
        if let Some(decision) = petition.decisions.get(nth) {
            self.show(Stage::Decision(Arc::clone(&decision.id)));
        }
    }

    /// The one before or after; after the last comes the review.
    pub(super) fn turn(&mut self, petition: &Petition, forward: bool) {
        let count = petition.decisions.len();
        let at = self.place(petition).unwrap_or(count);
        match (forward, at) {
            (true, at) if at + 1 >= count => self.show(Stage::Review),
            (true, at) => self.show_nth(petition, at + 1),
            (false, 0) => {}
            (false, at) => self.show_nth(petition, at - 1),
        }
    }

    /// On to what is still open, the just decided one aside; or to the review.
    pub(super) fn go_on(&mut self, petition: &Petition, is_open: impl Fn(&Decision) -> bool) {
        let at = self.place(petition).unwrap_or(0);
        let count = petition.decisions.len();
        let around = (at + 1..count).chain(0..at);
        let mut open = around.filter(|at| is_open(&petition.decisions[*at]));
        match open.next() {
            Some(next) => self.show_nth(petition, next),
            None => self.show(Stage::Review),
        }
    }

    /// Which of the decisions is looked at.
    pub(super) fn place(&self, petition: &Petition) -> Option<usize> {
        let Stage::Decision(id) = &self.stage else { return None };
        petition.decisions.iter().position(|decision| decision.id == *id)
    }

    /// The options that are marked.
    pub(super) fn marks(&self, decision: &Decision) -> Vec<usize> {
        self.marks.get(&decision.id).cloned().unwrap_or_else(|| chosen(decision))
    }

    /// Marks an option, or takes the mark away.
    pub(super) fn toggle(&mut self, decision: &Decision, option: usize) {
        let mut marks = self.marks(decision);
        match marks.iter().position(|mark| *mark == option) {
            Some(at) => drop(marks.remove(at)),
            None => marks.push(option),
        }
        marks.sort_unstable();
        self.marks.insert(Arc::clone(&decision.id), marks);
    }

    /// The marks of a decision are taken, or given up.
    pub(super) fn unmark(&mut self, decision: &str) {
        self.marks.remove(decision);
    }

    /// The cursor goes up or down; where it is not seen yet, the page does.
    pub(super) fn step(&mut self, by: isize) {
        let drawn = self.drawn.borrow();
        let count = drawn.as_ref().map_or(0, |drawn| drawn.count);
        let seen = drawn.as_ref().is_some_and(|drawn| drawn.rows.iter().any(|(_, at)| *at == self.cursor));
        drop(drawn);
        if by > 0 && !seen && self.scroll.below() > 0 || by < 0 && self.cursor == 0 {
            return self.scroll.go(Motion::Lines(by));
        }
        self.cursor = step(self.cursor, count, 1, Motion::Lines(by));
        self.follow.set(true);
    }

    /// What stands at a place of the screen.
    pub(super) fn hit(&self, at: Position) -> Option<usize> {
        let drawn = self.drawn.borrow();
        let mut rows = drawn.as_ref()?.rows.iter();
        rows.find(|(row, _)| row.contains(at)).map(|(_, place)| *place)
    }

    /// Scrolls so that the cursor is seen, if it moved.
    pub(super) fn scroll_to_cursor(&self, rows: &Rows, height: usize) {
        let Some(place) = rows.places.get(self.cursor).filter(|_| self.follow.take()) else { return };
        self.scroll.fit_around(place.end.saturating_sub(1), height, rows.lines.len());
        self.scroll.fit_around(place.start, height, rows.lines.len());
    }

    /// Nothing of it stands on the screen.
    pub(super) fn unseen(&self) {
        self.drawn.replace(None);
    }

    /// Remembers what was drawn in `body`.
    pub(super) fn seen(&self, petition: &Petition, rows: &Rows, body: Rect) {
        let decision = self.decision(petition);
        let digest = decision.map(|decision| petition.digest(decision));
        let answers = match decision {
            Some(decision) => vec![decided(decision).cloned()],
            None => petition.decisions.iter().map(|decision| decided(decision).cloned()).collect(),
        };
        let top = self.scroll.above();
        let window = top..top + usize::from(body.height);
        let mut met = self.met.borrow_mut();
        if met.digest != digest {
            *met = Met { digest: digest.clone(), ..Met::default() };
        }
        met.end |= self.scroll.below() == 0;
        let mut places = Vec::new();
        for (at, place) in rows.places.iter().enumerate() {
            if window.contains(&place.start) {
                met.firsts.insert(at);
            }
            if window.contains(&place.end.saturating_sub(1)) {
                met.lasts.insert(at);
            }
            for line in place.clone().filter(|line| window.contains(line)) {
                let y = body.y + u16::try_from(line - top).unwrap_or(u16::MAX);
                places.push((Rect { y, height: 1, ..body }, at));
            }
        }
        let stage = if decision.is_some() { self.stage.clone() } else { Stage::Review };
        let count = rows.places.len();
        self.drawn.replace(Some(Drawn { stage, digest, answers, rows: places, count }));
    }

    /// What an answer to the decision is bound to: what stood on the screen. `options` are those it names.
    pub(super) fn bind(
        &self,
        petition: &Petition,
        decision: &Decision,
        choice: &AnswerChoice,
        options: &[usize],
    ) -> Result<SeenQuestion, &'static str> {
        let drawn = self.drawn.borrow();
        let drawn = drawn.as_ref().filter(|drawn| drawn.stage == self.stage).ok_or(UNSEEN)?;
        let digest = drawn.digest.clone().filter(|digest| *digest == petition.digest(decision));
        let question = digest.ok_or("It was changed: read it again.")?;
        let [stood] = drawn.answers.as_slice() else { return Err(UNSEEN) };
        if stood.as_ref() != decided(decision) {
            return Err("It was answered meanwhile: look again.");
        }
        let met = self.met.borrow();
        if !options.iter().all(|option| met.firsts.contains(option) && met.lasts.contains(option)) {
            return Err("That was not shown yet: PgDn.");
        }
        if decision.digest.is_some() && *choice != AnswerChoice::Skipped && !met.end {
            return Err("Read it to its end first: PgDn.");
        }
        let answer = stood.clone().map_or(SeenAnswer::None, SeenAnswer::This);
        Ok(SeenQuestion { question: Some(question), answer, ..SeenQuestion::default() })
    }

    /// The review stood on the screen, with these answers.
    pub(super) fn reviewed(&self, petition: &Petition) -> Result<(), &'static str> {
        let drawn = self.drawn.borrow();
        let drawn = drawn.as_ref().filter(|drawn| drawn.stage == Stage::Review).ok_or(UNSEEN)?;
        let same = drawn.answers.iter().map(Option::as_ref).eq(petition.decisions.iter().map(decided));
        if same { Ok(()) } else { Err("It was answered meanwhile: look again.") }
    }
}

/// What was not on the screen cannot be answered.
pub(super) const UNSEEN: &str = "It has not been shown yet.";
