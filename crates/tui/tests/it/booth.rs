//! A screen before a play: the play is told as the journal would tell it, keys are pressed, frames are drawn.

use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use jiff::tz::TimeZone;
use mind::petition::Petition;
use mind::play::Stage;
use mind::{Entry, Fact, State, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use tui::decoration::Scene;
use tui::draw::{self, clockwork};
use tui::manner::Manner;
use tui::screen::Screen;
use tui::theme::Theme;
use tui::transcript::Kept;
use tui::ui_command::UiCommand;
use tui::update::{self, InputContext};
use tui::view_model::{Attachment, RawRecord, Unreadable, ViewModel};
use view::LiveText;
use view::stage_event::StageEvents;
use view::story::Story;

/// A screen before a play.
pub struct Booth {
    stage: Stage,
    story: Story,
    stage_events: StageEvents,
    /// How far whatever is alive has moved.
    pub beat: u64,
    pub manner: Manner,
    pub screen: Screen,
    kept: Kept,
    pub live: LiveText,
    pub records: Vec<RawRecord>,
    pub files: Vec<Arc<str>>,
    pub petitions: Vec<Petition>,
    /// Files of the docket that are no petitions.
    pub unreadable: Vec<Unreadable>,
    pub runs: bool,
    seat: Attachment,
    size: (u16, u16),
}

impl Booth {
    /// Before the mission is opened.
    pub fn new(seat: Attachment) -> Booth {
        Booth {
            stage: Stage::new(),
            story: Story::default(),
            stage_events: StageEvents::default(),
            beat: 0,
            manner: Manner::default(),
            screen: Screen::new(seat),
            kept: Kept::default(),
            live: LiveText::new(),
            records: Vec::new(),
            files: Vec::new(),
            petitions: Vec::new(),
            unreadable: Vec::new(),
            runs: true,
            seat,
            size: (80, 24),
        }
    }

    /// In the house, after this play.
    pub fn play(script: &str) -> Booth {
        let mut booth = Booth::new(Attachment::House);
        booth.happens(script);
        booth
    }

    /// The play goes on.
    pub fn happens(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let known = self.stage.entries.len();
            let mut state = sum(&self.stage, known);
            self.stage.set_up(line);
            for (index, entry) in self.stage.entries.iter().enumerate().skip(known) {
                let before = state.clone();
                state.apply(entry);
                self.story.tell(index as u64 + 1, entry, &before, &state);
                self.stage_events.tell(index as u64 + 1, entry, &before, &state);
            }
        }
    }

    /// Facts become true one by one, each a moment after the one before.
    pub fn told(&mut self, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            let entry = Entry { at: self.stage.now(), fact };
            let before = self.stage.state.clone();
            self.stage.state.apply(&entry);
            self.stage.entries.push(entry.clone());
            self.story.tell(self.last(), &entry, &before, &self.stage.state);
            self.stage_events.tell(self.last(), &entry, &before, &self.stage.state);
        }
    }

    /// One fact, at a moment that is known.
    pub fn told_at(&mut self, at: Timestamp, fact: Fact) {
        let ahead = at.0.saturating_sub(self.stage.now().0);
        if ahead > 0 {
            self.stage.set_up(&format!("later {ahead}ms"));
        }
        self.told([fact]);
    }

    /// Every fact.
    pub fn entries(&self) -> &[Entry] {
        &self.stage.entries
    }

    /// What holds now.
    pub fn state(&self) -> &State {
        &self.stage.state
    }

    /// How many facts there are.
    pub fn last(&self) -> u64 {
        self.stage.entries.len() as u64
    }

    /// The terminal has this size from now on.
    pub fn sized(&mut self, columns: u16, rows: u16) -> &mut Booth {
        self.size = (columns, rows);
        self
    }

    /// Presses keys: words such as `Esc`, `Ctrl+c`, `Alt+Enter`, or single letters, apart by spaces.
    pub fn press(&mut self, keys: &str) -> Vec<UiCommand> {
        let keys = keys.split_whitespace().map(key).collect::<Vec<_>>();
        keys.into_iter().flat_map(|key| self.input(Event::Key(key))).collect()
    }

    /// Presses keys as somebody does who reads: after each a frame is drawn, and a second passes.
    pub fn reads(&mut self, keys: &str) -> Vec<UiCommand> {
        let mut wishes = Vec::new();
        for key in keys.split_whitespace() {
            self.frame(&Theme::COLOURED);
            wishes.extend(self.press(key));
            self.happens("later 1s");
        }
        self.frame(&Theme::COLOURED);
        wishes
    }

    /// Types a text, letter by letter.
    pub fn types(&mut self, text: &str) -> Vec<UiCommand> {
        let keys = text.chars().map(|sign| KeyEvent::new(KeyCode::Char(sign), KeyModifiers::NONE));
        keys.collect::<Vec<_>>().into_iter().flat_map(|key| self.input(Event::Key(key))).collect()
    }

    /// Something happens at the terminal.
    pub fn input(&mut self, event: Event) -> Vec<UiCommand> {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut screen = self.screen.clone();
        let mut kept = std::mem::take(&mut self.kept);
        let wishes = self.seen(&self.screen, |model| {
            let mut desk = InputContext { model, area, theme: &Theme::COLOURED, kept: &mut kept };
            update::update(&mut screen, &mut desk, event)
        });
        (self.screen, self.kept) = (screen, kept);
        wishes
    }

    /// Time goes on by itself while the past is played.
    pub fn ticks(&mut self) {
        let mut screen = self.screen.clone();
        self.seen(&self.screen, |model| update::tick(&mut screen, &model));
        self.screen = screen;
    }

    /// What is drawn now, and where the cursor is.
    pub fn frame(&mut self, theme: &Theme) -> (Buffer, Option<Position>) {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        let mut kept = std::mem::take(&mut self.kept);
        let cursor = self.seen(&self.screen, |model| {
            draw::draw(&self.screen, &model, area, &mut buffer, theme, &mut kept)
        });
        self.kept = kept;
        (buffer, cursor)
    }

    /// What could be seen and heard.
    pub fn stage_events(&self) -> &StageEvents {
        &self.stage_events
    }

    /// Who is on the stage.
    pub fn scene(&self) -> Option<Scene> {
        self.seen(&self.screen, |model| Scene::of(&model))
    }

    /// What there is to see, for whoever looks closer.
    pub fn looks<T>(&self, look: impl FnOnce(ViewModel<'_>) -> T) -> T {
        self.seen(&self.screen, look)
    }

    /// Something on the stage moves by itself.
    pub fn is_alive(&self) -> bool {
        self.seen(&self.screen, |model| Scene::is_alive(&model))
    }

    /// The stage is on the screen.
    pub fn shows_scene(&self, theme: &Theme) -> bool {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        self.seen(&self.screen, |model| draw::scene_shown(&self.screen, &model, area, theme))
    }

    fn seen<T>(&self, screen: &Screen, look: impl FnOnce(ViewModel<'_>) -> T) -> T {
        let last = self.last();
        let head = screen.time.map_or(last, |time| time.seq.min(last));
        let state = sum(&self.stage, head as usize);
        let now = if head < last || self.seat == Attachment::Replay { state.now } else { self.stage.now() };
        look(ViewModel {
            state: &state,
            story: &self.story,
            stage_events: &self.stage_events,
            beat: self.beat,
            manner: self.manner,
            head,
            last,
            now,
            zone: &TimeZone::UTC,
            live: &self.live,
            logbook: &self.records,
            files: &self.files,
            petitions: &self.petitions,
            unreadable: &self.unreadable,
            seat: self.seat,
            over: self.stage.state.ended.is_some(),
            waits: clockwork::waiting(&self.stage.state, &self.petitions),
            runs: self.runs,
            by_hand: |profile| {
                Some(format!("claude --resume {}", profile.key)).filter(|_| profile.provider == "claude")
            },
        })
    }

    /// The same play before another seat.
    pub fn seated(&self, seat: Attachment) -> Booth {
        let mut other = Booth::new(seat);
        (other.stage, other.story) = (self.stage.clone(), self.story.clone());
        other.stage_events = self.stage_events.clone();
        other
    }

    /// No time has passed since the last fact.
    pub fn at_fact(&self) -> bool {
        self.stage.now().0 == self.stage.state.now.0 + 1
    }
}

fn sum(stage: &Stage, count: usize) -> State {
    let mut state = State::default();
    stage.entries[..count].iter().for_each(|entry| state.apply(entry));
    state
}

fn key(word: &str) -> KeyEvent {
    let (modifiers, word) = match word.split_once('+') {
        Some(("Ctrl", rest)) => (KeyModifiers::CONTROL, rest),
        Some(("Alt", rest)) => (KeyModifiers::ALT, rest),
        Some(_) | None => (KeyModifiers::NONE, word),
    };
    let code = match word {
        "Esc" => KeyCode::Esc,
        "Enter" => KeyCode::Enter,
        "Space" => KeyCode::Char(' '),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Tab" => KeyCode::Tab,
        "Backspace" => KeyCode::Backspace,
        one => KeyCode::Char(one.chars().next().expect("a key")),
    };
    KeyEvent::new(code, modifiers)
}
