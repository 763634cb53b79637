//! The quest log: what each Orchestrator has set out to do, and how far it is; the plan and the decisions of a mission
//! that is conducted.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use mind::State;
use mind::charter::Way;
use mind::session::{Task, TaskStatus};
use mind::talk::Speaker;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::clean::clean;

use super::Reply;
use super::list::{Scroll, letter, motion, wheel};
use super::panel::{self, Panel, bar};
use super::plan;
use crate::sight::Sight;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};

const HINTS: &[(&str, &str)] = &[("j/k", "scroll"), ("q", "close"), ("g/G", "top, bottom")];
const PLAN_HINTS: &[(&str, &str)] =
    &[("j/k", "scroll"), ("Tab", "decisions"), ("q", "close"), ("g/G", "top, bottom")];
const DECISIONS_HINTS: &[(&str, &str)] =
    &[("j/k", "scroll"), ("Tab", "plan"), ("q", "close"), ("g/G", "top, bottom")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    scroll: Scroll,
    /// The decisions instead of the plan, where a mission is conducted.
    decisions: bool,
}

impl Page {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, sight: &Sight<'_>) -> Reply {
        if key.code == KeyCode::Esc || matches!(letter(&key), Some('q' | 't')) {
            return Reply::Close;
        }
        if key.code == KeyCode::Tab && sight.state.way() == Way::Conductor {
            self.decisions = !self.decisions;
            self.scroll.reset();
        } else if let Some(motion) = motion(&key) {
            self.scroll.go(motion);
        }
        Reply::Stay
    }

    /// The mouse did something.
    pub fn mouse(&mut self, mouse: MouseEvent, _sight: &Sight<'_>) -> Reply {
        if let Some(motion) = wheel(&mouse) {
            self.scroll.go(motion);
        }
        Reply::Stay
    }

    /// Draws the page.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, sight: &Sight<'_>, theme: &Theme) {
        if let Some(podium) = &sight.state.podium {
            let (title, hints) =
                if self.decisions { ("Decisions", DECISIONS_HINTS) } else { ("Plan", PLAN_HINTS) };
            let note = plan::note(podium, self.decisions);
            let inner = Panel { title, note, hints }.draw(area, buffer, theme);
            let lines = match self.decisions {
                true => plan::decisions(podium, inner.width, theme),
                false => plan::steps(podium, inner.width, theme),
            };
            return panel::lines(inner, buffer, &lines, &self.scroll, theme);
        }
        let tasks: Vec<&Task> = sight.state.tasks.iter().map(|(_, task)| task).collect();
        let note = if tasks.is_empty() { String::new() } else { progress(&tasks) };
        let inner = Panel { title: "Quest log", note, hints: HINTS }.draw(area, buffer, theme);
        let lines = content(sight.state, &tasks, inner.width, theme);
        panel::lines(inner, buffer, &lines, &self.scroll, theme);
    }
}

fn content(state: &State, tasks: &[&Task], columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    if tasks.is_empty() {
        return vec![Line::default(), Line::styled("  No quest is written yet.", theme.style(Tint::Dim))];
    }
    let room = usize::from(columns.saturating_sub(4)).min(60);
    let percent = (done(tasks) * 100 / tasks.len()) as u64;
    let mut lines = vec![Line::styled(format!("  {}", bar(percent, room, theme)), theme.style(Tint::Good))];
    let mut owners: Vec<u32> = state.tasks.iter().map(|(owner, _)| *owner).collect();
    owners.sort_unstable();
    owners.dedup();
    for owner in owners.into_iter().rev() {
        let own = state.tasks.iter().filter(|(of, _)| *of == owner).map(|(_, task)| task);
        let own: Vec<&Task> = own.collect();
        let name = format!("  {}  ", Speaker::Orchestrator(owner));
        lines.push(Line::default());
        lines.push(Line::from(vec![
            Span::styled(name, theme.style(Tint::Orchestrator)),
            Span::styled(progress(&own), theme.style(Tint::Dim)),
        ]));
        lines.extend(own.iter().flat_map(|task| entry(task, columns, theme)));
    }
    lines
}

fn entry(task: &Task, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let (sign, box_tint, words) = match task.status {
        TaskStatus::Pending => (theme.sign("[ ]", "[ ]"), Tint::Dim, Tint::Words),
        TaskStatus::InProgress => (theme.sign("[▸]", "[~]"), Tint::Warn, Tint::Words),
        TaskStatus::Done => (theme.sign("[✓]", "[x]"), Tint::Good, Tint::Dim),
    };
    let title: Vec<&str> = task.title.split_whitespace().collect();
    let title = clean(&title.join(" ")).into_owned();
    let line = vec![
        Span::styled(format!("    {sign} "), theme.style(box_tint)),
        Span::styled(title, theme.style(words)),
    ];
    wrap(line, columns, 8)
}

fn done(tasks: &[&Task]) -> usize {
    tasks.iter().filter(|task| task.status == TaskStatus::Done).count()
}

fn progress(tasks: &[&Task]) -> String {
    format!("{} of {} done", done(tasks), tasks.len())
}
