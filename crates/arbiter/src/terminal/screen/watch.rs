//! The loop of a screen: takes news, updates the screen's data, draws.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode};
use mind::charter::Way;
use mind::event::HumanAction;
use mind::petition::Petition;
use tui::composer::Known;
use tui::decoration::{Scene, effects};
use tui::draw::{self, clockwork};
use tui::manner::Motion;
use tui::overlay::Overlay;
use tui::screen::Screen;
use tui::terminal::TerminalGuard;
use tui::theme::Theme;
use tui::transcript::Kept;
use tui::ui_command::UiCommand;
use tui::update::{self, InputContext};
use tui::view_model::{Attachment, ViewModel};

use super::petitions::{self, Petitions};
use super::screen_data::{Moment, ScreenData};
use super::{News, Showing, stop_here};
use crate::limits;
use crate::mission::die_at;
use crate::mission::fact_log::FactLogError;
use crate::project::files::{self, FileKind};
use crate::terminal::watching::journal_view::JournalView;
use crate::terminal::watching::logbook::Books;

/// The shortest time between two frames that no key asked for: thirty frames a second are enough.
const FRAME: Duration = Duration::from_millis(33);
/// How often the clock on the screen changes.
const SECOND: Duration = Duration::from_secs(1);
/// How long a fact is shown while the past is played.
const FACT: Duration = Duration::from_millis(120);
/// How many facts are read between two frames.
const SLICE: usize = 5_000;

pub(super) struct Watch {
    terminal: TerminalGuard,
    theme: Theme,
    showing: Showing,
    news: Sender<News>,
    screen: Screen,
    docket: Option<Petitions>,
    _following: Option<docket::QueueFollower>,
    eyes: ScreenData,
    /// There may be more raw lines to read.
    reading: bool,
    walked: bool,
    kept: Kept,
    leaving: bool,
    /// The screen was closed in order, not by a panic.
    pub(super) closed: bool,
    /// The last frame is out of date.
    stale: bool,
    drawn: Option<Instant>,
    /// When the last frame will be out of date by time alone.
    changes_at: Option<Instant>,
    played: Instant,
    /// Something on the last frame moves by itself, or disappears soon.
    moves: bool,
    beaten: Instant,
    /// The last fact whose sound was played or skipped. None until the journal was read once.
    heard: Option<u64>,
}

/// Whether the screen stays.
enum Next {
    Stay,
    Close,
}

impl Watch {
    pub(super) fn open(
        terminal: TerminalGuard,
        theme: Theme,
        mut showing: Showing,
        news: Sender<News>,
    ) -> Result<Watch, FactLogError> {
        let feed = JournalView::of(showing.port.as_ref()).inspect_err(|_| (showing.leave)())?;
        let mut screen = Screen::new(showing.seat);
        if let Some(time) = &mut screen.time {
            time.seq = showing.from;
        }
        let eyes = ScreenData::open(feed, &showing);
        let docket = showing.docket.take().map(Petitions::of);
        let following = docket.as_ref().and_then(|docket| docket.follow(news.clone()));
        Ok(Watch {
            docket,
            _following: following,
            terminal,
            theme,
            showing,
            news,
            screen,
            eyes,
            reading: false,
            walked: false,
            kept: Kept::default(),
            leaving: false,
            closed: false,
            stale: true,
            drawn: None,
            changes_at: None,
            played: Instant::now(),
            moves: false,
            beaten: Instant::now(),
            heard: None,
        })
    }

    pub(super) fn run(&mut self, inbox: &Receiver<News>) -> Result<(), FactLogError> {
        loop {
            let safe = self.showing.port.shown().saturating_sub(self.eyes.feed.head());
            let more = self.eyes.feed.read(SLICE.min(usize::try_from(safe).unwrap_or(SLICE)))?;
            self.stale |= more > 0;
            self.reading = self.eyes.books.as_mut().is_some_and(Books::read);
            self.stale |= self.reading;
            if more < SLICE {
                self.sound();
            }
            self.beat();
            self.look_back()?;
            self.draw_if_due(more < SLICE);
            let first = if more >= SLICE {
                inbox.try_recv().ok()
            } else {
                match self.patience() {
                    Some(patience) => match inbox.recv_timeout(patience) {
                        Ok(news) => Some(news),
                        Err(RecvTimeoutError::Timeout) => {
                            self.time_passed();
                            None
                        }
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    },
                    None => match inbox.recv() {
                        Ok(news) => Some(news),
                        Err(_) => return Ok(()),
                    },
                }
            };
            // Everything that is ready is taken before a frame is drawn.
            for news in first.into_iter().chain(std::iter::from_fn(|| inbox.try_recv().ok())) {
                if let Next::Close = self.hear(news)? {
                    return Ok(());
                }
            }
        }
    }

    /// How long the thread may sleep if nothing happens.
    fn patience(&self) -> Option<Duration> {
        let since = |moment: Option<Instant>| moment.map_or(Duration::MAX, |moment| moment.elapsed());
        if self.reading {
            return Some(Duration::ZERO);
        }
        if self.stale {
            return Some(FRAME.saturating_sub(since(self.drawn)));
        }
        if self.screen.time.is_some_and(|time| time.playing) {
            return Some(FACT.saturating_sub(self.played.elapsed()));
        }
        let waits = self.patience_at_rest();
        if !self.moves {
            return waits;
        }
        let beat = self.pace().saturating_sub(self.beaten.elapsed());
        Some(waits.map_or(beat, |waits| waits.min(beat)))
    }

    /// The same where nothing moves by itself: until a time on the screen changes, such as an age on a page.
    fn patience_at_rest(&self) -> Option<Duration> {
        self.changes_at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// When the frame must be drawn again although nothing happened, because it shows an age or a clock.
    fn next_change(&self, model: &ViewModel<'_>) -> Option<Instant> {
        let reads = self.eyes.books.is_some() && self.showing.seat != Attachment::Replay;
        let ages =
            self.screen.overlay.is_some() && self.screen.time.is_none() && self.eyes.runs && !model.over;
        if reads || ages {
            return Some(Instant::now() + SECOND);
        }
        let left = clockwork::changes_in(model).filter(|_| self.screen.time.is_none())?;
        Some(Instant::now() + Duration::from_millis(left))
    }

    fn time_passed(&mut self) {
        if self.screen.time.is_some_and(|time| time.playing) && self.played.elapsed() >= FACT {
            self.played = Instant::now();
            self.eyes.beat += u64::from(self.is_lively());
            let moment = self.eyes.moment();
            update::tick(&mut self.screen, &self.eyes.model(&moment));
            self.stale = true;
        }
        self.stale |= self.changes_at.is_some_and(|at| at <= Instant::now());
    }

    /// Moves the figures, when it is time.
    fn beat(&mut self) {
        if self.moves && self.beaten.elapsed() >= self.pace() {
            self.beaten = Instant::now();
            self.eyes.beat += u64::from(self.is_lively());
            self.stale = true;
        }
    }

    /// How often figures move. Where motion is reduced, finished effects must still disappear.
    fn pace(&self) -> Duration {
        if self.is_lively() { limits::BEAT } else { SECOND }
    }

    fn is_lively(&self) -> bool {
        self.showing.manner.motion == Motion::Full
    }

    /// Plays the sound of new facts; of several, the most important one. Facts from before the screen was opened make no
    /// sound, nor does anything while the past is shown.
    fn sound(&mut self) {
        let head = self.eyes.feed.head();
        let heard = self.heard.replace(head).unwrap_or(head);
        if heard < head && self.screen.time.is_none() && self.showing.seat != Attachment::Replay {
            let effects = effects(self.eyes.feed.stage_events(), heard, head);
            effects.for_each(|effect| self.showing.sound.play(effect));
        }
        if let Some(trouble) = self.showing.sound.trouble() {
            self.screen.note = Some(trouble);
            self.stale = true;
        }
    }

    fn hear(&mut self, news: News) -> Result<Next, FactLogError> {
        self.stale = true;
        match news {
            News::Input(event) => {
                if is_touch(&event) {
                    self.showing.presence.touch();
                }
                return self.obey(event);
            }
            News::Gone => {
                self.leave();
                return Ok(Next::Close);
            }
            News::Grown(bell) => bell.heard(),
            News::Said(bell) => {
                bell.heard();
                self.eyes.live = self.showing.port.live();
            }
            News::Runs(bell) => {
                bell.heard();
                self.eyes.runs = self.showing.seat != Attachment::Beside || self.showing.port.is_running();
            }
            News::Continued => drop(self.terminal.come_back()),
            News::Remark(text) => self.screen.note = Some(text),
            News::Petitions(petitions, unreadable) => {
                (self.eyes.petitions, self.eyes.unreadable) = (petitions, unreadable);
            }
            News::Files(names) => {
                self.eyes.files.extend(names);
                let conducted = self.eyes.feed.state().way() == Way::Conductor;
                self.screen.draft.refresh(Known { files: &self.eyes.files, conducted });
            }
            News::Close => return Ok(Next::Close),
        }
        Ok(Next::Stay)
    }

    /// Handles an input and its wishes.
    fn obey(&mut self, event: Event) -> Result<Next, FactLogError> {
        if event.as_key_event().is_some_and(|key| key.code == KeyCode::F(12)) && die_at::is_screen_doomed() {
            panic!("the screen was told to");
        }
        // A key is answered at once, without waiting for the frame rate.
        self.drawn = None;
        let area = self.terminal.area();
        let moment = self.eyes.moment();
        let model = self.eyes.model(&moment);
        let mut context = InputContext { model, area, theme: &self.theme, kept: &mut self.kept };
        let wishes = update::update(&mut self.screen, &mut context, event);
        for wish in wishes {
            if let Next::Close = self.grant(wish) {
                return Ok(Next::Close);
            }
        }
        self.open_books();
        self.name_files();
        self.look_back()?;
        Ok(Next::Stay)
    }

    fn grant(&mut self, wish: UiCommand) -> Next {
        match wish {
            UiCommand::Do(action) => self.say(&action),
            UiCommand::Decide { petition, decision, choice, seen } => {
                self.file(|petitions| petitions.decide(&petition, &decision, choice, &seen));
            }
            UiCommand::Submit { petition } => self.file(|petitions| petitions.submit(&petition)),
            UiCommand::Leave => return self.leave(),
            UiCommand::Suspend => {
                // A suspended process cannot stop its players: they are stopped before.
                self.showing.sound.hush();
                let _ = self.terminal.step_aside(stop_here);
            }
            UiCommand::Redraw => drop(self.terminal.forget()),
            UiCommand::Sound if self.showing.seat == Attachment::Replay => {
                self.screen.note = Some("a replay is silent".to_owned());
            }
            UiCommand::Sound => self.screen.note = Some(self.showing.sound.toggle()),
        }
        Next::Stay
    }

    fn say(&mut self, action: &HumanAction) {
        if self.showing.seat == Attachment::Replay {
            return self.take_back(action, "this is a replay: no mission hears you".to_owned());
        }
        match self.showing.port.say(action.clone()) {
            Ok(receipt) => {
                self.screen.note = receipt.note(self.showing.port.mission()).or(self.screen.note.take())
            }
            Err(error) => self.take_back(action, error.to_string()),
        }
    }

    /// Changes a petition in the docket, and shows the result at once.
    fn file(&mut self, act: impl FnOnce(&Petitions) -> Result<Petition, String>) {
        let done = match &self.docket {
            Some(docket) => act(docket),
            None => Err("there is no docket here".to_owned()),
        };
        match done {
            Ok(petition) => petitions::renewed(&mut self.eyes.petitions, petition),
            Err(why) => {
                self.answer_again();
                self.screen.note = Some(why);
            }
        }
    }

    /// An action did not reach the mission: its words go back into the draft, and an answer can be given again.
    fn take_back(&mut self, action: &HumanAction, why: String) {
        match action {
            // Words that were typed on a page are still there.
            HumanAction::Say(_) if matches!(self.screen.overlay, Some(Overlay::Docket(_))) => {
                self.answer_again()
            }
            HumanAction::Say(words) => self.screen.draft.paste(words),
            HumanAction::SayToOrchestrator(words) => {
                self.screen.draft.paste(&format!("@orchestrator {words}"))
            }
            HumanAction::Force(agent) => self.screen.draft.paste(&format!("/force {agent}")),
            HumanAction::Answer { .. } => self.answer_again(),
            HumanAction::Pause
            | HumanAction::Resume
            | HumanAction::Interrupt
            | HumanAction::Release
            | HumanAction::Cancel
            | HumanAction::Skip
            | HumanAction::Retry => {}
        }
        self.screen.note = Some(why);
    }

    /// An answer of a page did not reach the mission: it can be given again.
    fn answer_again(&mut self) {
        if let Some(page) = &mut self.screen.overlay {
            page.refused();
        }
    }

    /// Quits. A mission that runs here is stopped first; then the screen is closed.
    fn leave(&mut self) -> Next {
        (self.showing.leave)();
        let rests = self.showing.seat == Attachment::House && self.eyes.feed.state().ended.is_none();
        if !rests || self.leaving {
            return Next::Close;
        }
        self.leaving = true;
        self.screen.asked = None;
        self.screen.note = Some("stopping: sessions and checks are being ended".to_owned());
        Next::Stay
    }

    /// Raw lines are read only while their page is open.
    fn open_books(&mut self) {
        let wanted = matches!(self.screen.overlay, Some(Overlay::Logbook(_)));
        match (&mut self.eyes.books, wanted) {
            (None, true) => {
                self.eyes.books = Some(Books::open(&self.showing.port.places().sessions(), None));
            }
            (Some(_), false) => self.eyes.books = None,
            (None, false) | (Some(_), true) => {}
        }
    }

    /// The project's files are listed when the first name is typed.
    fn name_files(&mut self) {
        if self.walked || !self.screen.draft.text().contains('@') {
            return;
        }
        self.walked = true;
        let Ok(names) = files::walk(&self.showing.project, FileKind::Everything) else { return };
        let news = self.news.clone();
        std::thread::spawn(move || {
            for batch in names {
                if news.send(News::Files(batch)).is_err() {
                    return;
                }
            }
        });
    }

    /// Reads the past that is shown.
    fn look_back(&mut self) -> Result<(), FactLogError> {
        self.eyes.past = match self.screen.time {
            Some(time) => {
                let head = time.seq.min(self.eyes.feed.head());
                let (state, now) = self.eyes.feed.at(head)?;
                Some(Moment { state, head, now })
            }
            None => None,
        };
        Ok(())
    }

    fn draw_if_due(&mut self, whole: bool) {
        let rested = self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME);
        if !self.stale || !rested || !whole && self.drawn.is_some() {
            return;
        }
        if !self.terminal.is_taken() {
            // Another thread panicked and gave the terminal back to print it.
            let _ = self.terminal.come_back();
        }
        let moment = self.eyes.moment();
        let model = self.eyes.model(&moment);
        let (screen, theme, kept) = (&self.screen, &self.theme, &mut self.kept);
        let area = self.terminal.area();
        // Without a process that runs it, a mission stands still, whatever its last fact was.
        let lives = screen.time.is_none() && (self.eyes.runs || model.over);
        let moves = lives && draw::scene_shown(screen, &model, area, theme) && Scene::is_alive(&model);
        // A terminal that cannot be written to is gone; the reader of keys reports that.
        let _ = self.terminal.draw(|area, buffer| draw::draw(screen, &model, area, buffer, theme, kept));
        self.changes_at = self.next_change(&model);
        if moves && !self.moves {
            self.beaten = Instant::now();
        }
        self.moves = moves;
        self.stale = false;
        self.drawn = Some(Instant::now());
    }
}

/// Whether the event shows that a person is there: a resize or a lost focus does not.
fn is_touch(event: &Event) -> bool {
    match event {
        Event::Key(_) | Event::Mouse(_) | Event::Paste(_) | Event::FocusGained => true,
        Event::FocusLost | Event::Resize(..) => false,
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // After a panic of the screen, the mission is stopped.
        if !self.closed {
            (self.showing.leave)();
        }
    }
}
