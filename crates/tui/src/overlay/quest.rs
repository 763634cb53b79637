//! The quest log: what each Orchestrator has set out to do, and how far it is; of a conducted mission its plan and its
//! moves.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use mind::charter::Way;
use mind::session::TaskStatus;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::mission::{TaskView, tasks, tasks_done};

use super::PageResponse;
use super::list::{Scroll, letter, motion, wheel};
use super::panel::{self, Panel, bar};
use super::plan;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

const HINTS: &[(&str, &str)] = &[("j/k", "scroll"), ("q", "close"), ("g/G", "top, bottom")];
const PLAN_HINTS: &[(&str, &str)] =
    &[("j/k", "scroll"), ("Tab", "moves"), ("q", "close"), ("g/G", "top, bottom")];
const MOVES_HINTS: &[(&str, &str)] =
    &[("j/k", "scroll"), ("Tab", "plan"), ("q", "close"), ("g/G", "top, bottom")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QuestPage {
    scroll: Scroll,
    /// The moves instead of the plan, where a mission is conducted.
    moves: bool,
}

impl QuestPage {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, model: &ViewModel<'_>) -> PageResponse {
        if key.code == KeyCode::Esc || matches!(letter(&key), Some('q' | 't')) {
            return PageResponse::Close;
        }
        if key.code == KeyCode::Tab && model.state.way() == Way::Conductor {
            self.moves = !self.moves;
            self.scroll.reset();
        } else if let Some(motion) = motion(&key) {
            self.scroll.go(motion);
        }
        PageResponse::Stay
    }

    /// The mouse did something.
    pub fn mouse(&mut self, mouse: MouseEvent, _sight: &ViewModel<'_>) -> PageResponse {
        if let Some(motion) = wheel(&mouse) {
            self.scroll.go(motion);
        }
        PageResponse::Stay
    }

    /// Draws the page.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, model: &ViewModel<'_>, theme: &Theme) {
        if let Some(conductor) = &model.state.conductor {
            let (title, hints) = if self.moves { ("Moves", MOVES_HINTS) } else { ("Plan", PLAN_HINTS) };
            let note = plan::note(conductor, self.moves);
            let inner = Panel { title, note, hints }.draw(area, buffer, theme);
            let lines = match self.moves {
                true => plan::moves(conductor, inner.width, theme),
                false => plan::steps(conductor, inner.width, theme),
            };
            return panel::lines(inner, buffer, &lines, &self.scroll, theme);
        }
        let tasks = tasks(model.state);
        let note = if tasks.is_empty() { String::new() } else { tasks_done(&tasks) };
        let inner = Panel { title: "Quest log", note, hints: HINTS }.draw(area, buffer, theme);
        let lines = content(&tasks, inner.width, theme);
        panel::lines(inner, buffer, &lines, &self.scroll, theme);
    }
}

fn content(tasks: &[TaskView], columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    if tasks.is_empty() {
        return vec![Line::default(), Line::styled("  No quest is written yet.", theme.style(Tint::Dim))];
    }
    let room = usize::from(columns.saturating_sub(4)).min(60);
    let done = tasks.iter().filter(|view| view.task.status == TaskStatus::Done).count();
    let percent = (done * 100 / tasks.len()) as u64;
    let mut lines = vec![Line::styled(format!("  {}", bar(percent, room, theme)), theme.style(Tint::Good))];
    let mut owners: Vec<u32> = tasks.iter().map(|view| view.orchestrator).collect();
    owners.sort_unstable();
    owners.dedup();
    for owner in owners.into_iter().rev() {
        let own: Vec<TaskView> = tasks.iter().filter(|view| view.orchestrator == owner).cloned().collect();
        let name = format!("  {}  ", own.first().map_or("", |view| &view.owner));
        lines.push(Line::default());
        lines.push(Line::from(vec![
            Span::styled(name, theme.style(Tint::Orchestrator)),
            Span::styled(tasks_done(&own), theme.style(Tint::Dim)),
        ]));
        lines.extend(own.iter().flat_map(|task| entry(task, columns, theme)));
    }
    lines
}

fn entry(view: &TaskView, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let (sign, box_tint, words) = match view.task.status {
        TaskStatus::Pending => (theme.sign("[ ]", "[ ]"), Tint::Dim, Tint::Words),
        TaskStatus::InProgress => (theme.sign("[▸]", "[~]"), Tint::Warn, Tint::Words),
        TaskStatus::Done => (theme.sign("[✓]", "[x]"), Tint::Good, Tint::Dim),
    };
    let line = vec![
        Span::styled(format!("    {sign} "), theme.style(box_tint)),
        Span::styled(view.title.clone(), theme.style(words)),
    ];
    wrap(line, columns, 8)
}
