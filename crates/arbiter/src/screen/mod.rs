//! The terminal UI joined to a mission: one thread waits for keys, facts, live text or the time, and draws when
//! something changed. It reads the journal like any other process would, so a slow terminal holds up nothing.

mod curtain;
mod keys;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode};
use jiff::tz::TimeZone;
use mind::event::Deed;
use mind::{State, Timestamp};
use tui::draw::{self, status};
use tui::overlay::Overlay;
use tui::screen::Screen;
use tui::sight::{Live, Seat, Sight};
use tui::talk::Kept;
use tui::terminal::Glass;
use tui::theme::Theme;
use tui::update::{self, Desk};
use tui::wish::Wish;

use crate::chronicle::ChronicleError;
use crate::files::{self, Kind};
use crate::watching::feed::Feed;
use crate::watching::logbook::Books;
use crate::{clock, console, die_at};

pub use curtain::{glass, raise, theme};
pub use keys::Keys;

/// The shortest time between two frames that no key asked for: thirty a second are enough for any eye.
const FRAME: Duration = Duration::from_millis(33);
/// How often the time on the screen moves on.
const SECOND: Duration = Duration::from_secs(1);
/// How long a fact is shown while the past is played.
const FACT: Duration = Duration::from_millis(120);
/// How often a journal is looked at that another process writes.
const LOOK: Duration = Duration::from_millis(150);
/// How many facts are read between two frames.
const SLICE: usize = 5_000;

/// What happens around the screen.
#[derive(Debug)]
pub enum News {
    /// A key, a paste, the mouse, another size.
    Input(Event),
    /// The keys are gone, and with them the person.
    Gone,
    /// The journal has grown.
    Grown(Bell),
    /// Somebody is saying something.
    Said(Bell),
    /// The shell has let us come back.
    Continued,
    /// The person should know this.
    Remark(String),
    /// Names of the project's files.
    Files(Vec<Arc<str>>),
    /// It is over: give the terminal back.
    Close,
}

/// How a deed reaches the mission: what the person should know of it, or why it did not.
pub type Speak = Box<dyn FnMut(&Deed) -> Result<Option<String>, String> + Send>;

/// What a screen is joined to.
pub struct Showing {
    /// The mission's journal.
    pub journal: PathBuf,
    /// Where raw lines of its sessions are.
    pub sessions: PathBuf,
    /// The project, whose files can be named.
    pub project: PathBuf,
    /// Where the person sits.
    pub seat: Seat,
    /// How a deed reaches the mission.
    pub speak: Speak,
    /// The person wants to leave.
    pub leave: Box<dyn FnMut() + Send>,
    /// What is being said.
    pub live: Box<dyn Fn() -> Live + Send>,
    /// The fact at which a replay begins.
    pub from: u64,
}

/// A bell that rings once until it is heard: however often it is pulled, one ring waits at most.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    /// Tells the screen, unless it is told already; false if there is none any more.
    pub fn ring(&self, news: &Sender<News>, what: impl FnOnce(Bell) -> News) -> bool {
        self.0.swap(true, Ordering::SeqCst) || news.send(what(self.clone())).is_ok()
    }

    fn heard(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A screen that is shown on a thread of its own.
#[derive(Debug)]
pub struct Shown {
    /// How it learns what happens.
    pub news: Sender<News>,
    /// Ends when the screen is closed.
    pub closed: tokio::sync::oneshot::Receiver<Result<(), ChronicleError>>,
}

/// Shows a mission on the terminal until it is closed.
pub fn show(glass: Glass, theme: Theme, showing: Showing) -> io::Result<Shown> {
    let (news, inbox) = channel();
    let (done, closed) = tokio::sync::oneshot::channel();
    let keys = Keys::listen(news.clone())?;
    let told = news.clone();
    console::hold(move |text| drop(told.send(News::Remark(text.to_owned()))));
    let returning = news.clone();
    std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
        let parting = Parting(Some(keys));
        let shown = Watch::open(glass, theme, showing, returning).and_then(|mut watch| {
            let shown = watch.run(&inbox);
            watch.closed = shown.is_ok();
            shown
        });
        drop(parting);
        let _ = done.send(shown);
    })?;
    Ok(Shown { news, closed })
}

/// What is owed when a screen is gone, after a panic too: keys are for whoever reads next, and what was remarked
/// meanwhile is said.
struct Parting(Option<Keys>);

impl Drop for Parting {
    fn drop(&mut self) {
        if let Some(keys) = self.0.take() {
            keys.stop();
        }
        console::release();
    }
}

/// The one who watches, and draws.
struct Watch {
    glass: Glass,
    theme: Theme,
    showing: Showing,
    news: Sender<News>,
    screen: Screen,
    feed: Feed,
    books: Option<Books>,
    /// There may be more in them.
    reading: bool,
    files: Vec<Arc<str>>,
    walked: bool,
    live: Live,
    past: Option<(Arc<State>, Timestamp)>,
    kept: Kept,
    zone: TimeZone,
    /// Somebody runs the mission, and when that was looked at.
    runs: (bool, Instant),
    leaving: bool,
    /// It was closed in order.
    closed: bool,
    /// Something differs from the last frame.
    stale: bool,
    drawn: Option<Instant>,
    played: Instant,
}

/// Whether the screen stays.
enum Next {
    Stay,
    Close,
}

impl Watch {
    fn open(
        glass: Glass,
        theme: Theme,
        mut showing: Showing,
        news: Sender<News>,
    ) -> Result<Watch, ChronicleError> {
        let feed = Feed::open(&showing.journal).inspect_err(|_| (showing.leave)())?;
        let mut screen = Screen::new(showing.seat);
        if let Some(time) = &mut screen.time {
            time.seq = showing.from;
        }
        Ok(Watch {
            glass,
            theme,
            news,
            screen,
            feed,
            books: None,
            reading: false,
            files: Vec::new(),
            walked: false,
            live: Live::new(),
            past: None,
            kept: Kept::default(),
            zone: TimeZone::system(),
            runs: (
                showing.seat != Seat::Beside || journal::holder(&showing.journal).is_some(),
                Instant::now(),
            ),
            leaving: false,
            closed: false,
            stale: true,
            drawn: None,
            played: Instant::now(),
            showing,
        })
    }

    fn run(&mut self, inbox: &Receiver<News>) -> Result<(), ChronicleError> {
        loop {
            let more = self.feed.read(SLICE)?;
            self.stale |= more > 0;
            self.reading = self.books.as_mut().is_some_and(Books::read);
            self.stale |= self.reading;
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

    /// How long nothing has to be done, if nothing happens.
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
        let over = self.feed.state().ended.is_some();
        match self.showing.seat {
            Seat::House if over && self.books.is_none() => None,
            Seat::House => Some(SECOND),
            // What another process writes is only seen by looking.
            Seat::Beside if over => None,
            Seat::Beside => Some(LOOK),
            Seat::Replay => None,
        }
    }

    fn time_passed(&mut self) {
        if self.showing.seat == Seat::Beside && self.runs.1.elapsed() >= SECOND {
            let runs = journal::holder(&self.showing.journal).is_some();
            self.stale |= runs != self.runs.0;
            self.runs = (runs, Instant::now());
        }
        if self.screen.time.is_some_and(|time| time.playing) && self.played.elapsed() >= FACT {
            self.played = Instant::now();
            let sight = sight(self.feed.state(), &self.feed, &self.zone, &self.live, self.showing.seat);
            update::tick(&mut self.screen, &sight);
            self.stale = true;
        }
        let moves = self.drawn.is_none_or(|drawn| drawn.elapsed() >= SECOND);
        if moves && self.runs.0 && self.feed.state().ended.is_none() && self.screen.time.is_none() {
            self.stale = true;
        }
    }

    fn hear(&mut self, news: News) -> Result<Next, ChronicleError> {
        self.stale = true;
        match news {
            News::Input(event) => return self.obey(event),
            News::Gone => {
                self.leave();
                return Ok(Next::Close);
            }
            News::Grown(bell) => bell.heard(),
            News::Said(bell) => {
                bell.heard();
                self.live = (self.showing.live)();
            }
            News::Continued => drop(self.glass.come_back()),
            News::Remark(text) => self.screen.note = Some(text),
            News::Files(names) => self.files.extend(names),
            News::Close => return Ok(Next::Close),
        }
        Ok(Next::Stay)
    }

    /// An input, and what it wants.
    fn obey(&mut self, event: Event) -> Result<Next, ChronicleError> {
        if event.as_key_event().is_some_and(|key| key.code == KeyCode::F(12)) && die_at::is_screen_doomed() {
            panic!("the screen was told to");
        }
        // It is answered at once, whatever was drawn lately.
        self.drawn = None;
        let area = self.glass.area();
        let (state, head, now) = self.shown();
        let sight = Sight {
            state: &state,
            head,
            now,
            files: &self.files,
            logbook: self.books.as_ref().map_or(&[], |books| books.records()),
            runs: self.runs.0,
            ..sight(&state, &self.feed, &self.zone, &self.live, self.showing.seat)
        };
        let mut desk = Desk { sight, area, theme: &self.theme, kept: &mut self.kept };
        let wishes = update::update(&mut self.screen, &mut desk, event);
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

    fn grant(&mut self, wish: Wish) -> Next {
        match wish {
            Wish::Do(deed) => match (self.showing.speak)(&deed) {
                Ok(None) => {}
                Ok(Some(told)) => self.screen.note = Some(told),
                Err(why) => self.take_back(&deed, why),
            },
            Wish::Leave => return self.leave(),
            Wish::Suspend => {
                let _ = self.glass.step_aside(stop_here);
            }
            Wish::Redraw => drop(self.glass.forget()),
            // The page is open already.
            Wish::Logbook { .. } => {}
        }
        Next::Stay
    }

    /// A deed did not reach the mission: words stand in the draft again, and an answer can be given again.
    fn take_back(&mut self, deed: &Deed, why: String) {
        match deed {
            Deed::Say(words) => self.screen.draft.paste(words),
            Deed::SayToOrchestrator(words) => self.screen.draft.paste(&format!("@orchestrator {words}")),
            Deed::Answer { .. } => {
                if let Some(page) = &mut self.screen.overlay {
                    page.refused();
                }
            }
            Deed::Pause | Deed::Resume | Deed::Interrupt | Deed::Release | Deed::Cancel => {}
        }
        self.screen.note = Some(why);
    }

    /// A mission that runs here is brought to rest first; the screen is closed when it rests.
    fn leave(&mut self) -> Next {
        (self.showing.leave)();
        let rests = self.showing.seat == Seat::House && self.feed.state().ended.is_none();
        if !rests || self.leaving {
            return Next::Close;
        }
        self.leaving = true;
        self.screen.asked = None;
        self.screen.note = Some("the house comes to rest".to_owned());
        Next::Stay
    }

    /// Raw lines are read only while somebody looks at them.
    fn open_books(&mut self) {
        let wanted = matches!(self.screen.overlay, Some(Overlay::Logbook(_)));
        match (&mut self.books, wanted) {
            (None, true) => {
                self.books = Some(Books::open(&self.showing.sessions, None));
            }
            (Some(_), false) => self.books = None,
            (None, false) | (Some(_), true) => {}
        }
    }

    /// Names of files are looked for when the first one is wanted.
    fn name_files(&mut self) {
        if self.walked || !self.screen.draft.text().contains('@') {
            return;
        }
        self.walked = true;
        let Ok(names) = files::walk(&self.showing.project, Kind::Everything) else { return };
        let news = self.news.clone();
        std::thread::spawn(move || {
            for batch in names {
                if news.send(News::Files(batch)).is_err() {
                    return;
                }
            }
        });
    }

    /// Finds the past that is looked at.
    fn look_back(&mut self) -> Result<(), ChronicleError> {
        self.past = match self.screen.time {
            Some(time) => Some(self.feed.at(time.seq.min(self.feed.head()))?),
            None => None,
        };
        Ok(())
    }

    /// The state that is shown, how many facts it is made of, and its time.
    fn shown(&self) -> (Arc<State>, u64, Timestamp) {
        match (&self.past, self.screen.time) {
            (Some((state, at)), Some(time)) => (Arc::clone(state), time.seq.min(self.feed.head()), *at),
            (Some(_) | None, _) => (Arc::new(self.feed.state().clone()), self.feed.head(), clock::now()),
        }
    }

    fn draw_if_due(&mut self, whole: bool) {
        let rested = self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME);
        if !self.stale || !rested || !whole && self.drawn.is_some() {
            return;
        }
        if !self.glass.is_taken() {
            // Somebody fell elsewhere, and gave the terminal back so that it could be told.
            let _ = self.glass.come_back();
        }
        let (state, head, now) = self.shown();
        let sight = Sight {
            state: &state,
            head,
            now,
            files: &self.files,
            logbook: self.books.as_ref().map_or(&[], |books| books.records()),
            runs: self.runs.0,
            ..sight(&state, &self.feed, &self.zone, &self.live, self.showing.seat)
        };
        let (screen, theme, kept) = (&self.screen, &self.theme, &mut self.kept);
        // A terminal that cannot be written to is gone; the keys will say so.
        let _ = self.glass.draw(|area, buffer| draw::draw(screen, &sight, area, buffer, theme, kept));
        self.stale = false;
        self.drawn = Some(Instant::now());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A house that nobody sees any more comes to rest.
        if !self.closed {
            (self.showing.leave)();
        }
    }
}

/// Stops this program as Ctrl+Z does where the terminal sees to it itself.
pub fn stop_here() {
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}

/// The present, without what is open only now and then.
fn sight<'a>(state: &'a State, feed: &'a Feed, zone: &'a TimeZone, live: &'a Live, seat: Seat) -> Sight<'a> {
    Sight {
        state,
        story: feed.story(),
        head: feed.head(),
        last: feed.head(),
        now: feed.newest(),
        zone,
        live,
        logbook: &[],
        files: &[],
        seat,
        over: feed.state().ended.is_some(),
        waits: status::waiting(feed.state()),
        runs: true,
    }
}
