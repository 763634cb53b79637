//! The thread that plays: at most one effect and one piece of music at a time. It sleeps until a wish changes or a player
//! ends, and leaves when nobody has wishes any more or nobody can play.

use std::fs::File;
use std::future::pending;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tui::decoration::sound::Effect;

use super::players::{self, Player};
use super::playing::Playing;
use super::waves::{Piece, Waves};
use super::{Limits, Setting, roll};
use crate::project::home;

/// What should be heard. The newest wish is the one that counts, so none of them queue.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The theme, and for which time it is wished.
    pub music: Option<u64>,
    /// The last effect that was asked for.
    pub effect: Option<Asked>,
}

/// An effect that was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Which of all that were.
    pub number: u64,
    /// Which sound.
    pub effect: Effect,
    /// When.
    pub at: Instant,
}

/// What went wrong, for a person: told once, remembered as long as it lasts.
#[derive(Debug, Default)]
pub struct Trouble {
    told: Mutex<(Option<String>, Option<String>)>,
}

impl Trouble {
    /// Something to be told once.
    pub fn tell(&self, text: String) {
        self.told().0 = Some(text);
    }

    /// Something to be told once that keeps everybody from playing.
    pub fn last(&self, text: String) {
        *self.told() = (Some(text.clone()), Some(text));
    }

    /// What was not told yet.
    pub fn take(&self) -> Option<String> {
        self.told().0.take()
    }

    /// What keeps everybody from playing.
    pub fn lasting(&self) -> Option<String> {
        self.told().1.clone()
    }

    /// It may be over.
    pub fn forget(&self) {
        *self.told() = (None, None);
    }

    fn told(&self) -> MutexGuard<'_, (Option<String>, Option<String>)> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A way to whoever plays.
#[derive(Debug)]
pub struct Minstrel {
    wishes: watch::Sender<Wish>,
    /// Closed when the thread ends.
    gone: Receiver<()>,
}

impl Minstrel {
    /// Starts the thread. It begins when the one `before` it has ended, so that two are never heard at once.
    pub fn call(
        players: Vec<Player>,
        setting: &Setting,
        wish: Wish,
        trouble: Arc<Trouble>,
        before: Option<Receiver<()>>,
    ) -> io::Result<Minstrel> {
        let (wishes, heard) = watch::channel(wish);
        let (alive, gone) = channel();
        let loft = Loft {
            wishes: heard,
            players,
            waves: Waves::at(setting.folder.clone()),
            limits: setting.limits,
            trouble,
            effect: None,
            music: None,
            taken: 0,
            declined: None,
        };
        thread::Builder::new().name("sound".to_owned()).spawn(move || run(loft, before, alive))?;
        Ok(Minstrel { wishes, gone })
    }

    /// Changes what should be heard.
    pub fn wish(&self, change: impl FnOnce(&mut Wish)) {
        self.wishes.send_modify(change);
    }

    /// The thread has left, or is about to.
    pub fn is_gone(&self) -> bool {
        self.wishes.is_closed()
    }

    /// Sends the thread away; what is returned is closed when it and its players are gone.
    pub fn dismiss(self) -> Receiver<()> {
        self.gone
    }
}

fn run(mut loft: Loft, before: Option<Receiver<()>>, alive: Sender<()>) {
    if let Some(before) = before {
        let _ = before.recv();
    }
    match tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build() {
        Ok(runtime) => runtime.block_on(async {
            loft.play().await;
            loft.leave().await;
        }),
        Err(error) => loft.trouble.last(format!("no sound: {error}")),
    }
    // Whoever waits for us waits until here.
    drop(alive);
}

/// Where the players sit.
struct Loft {
    wishes: watch::Receiver<Wish>,
    players: Vec<Player>,
    waves: Waves,
    limits: Limits,
    trouble: Arc<Trouble>,
    effect: Option<Playing>,
    /// Only one arbiter of a user makes music: whoever holds the file.
    music: Option<(Playing, File)>,
    /// The last effect that was taken up or passed over.
    taken: u64,
    /// The wish for music that was declined because somebody else makes it; the next one is tried again.
    declined: Option<u64>,
}

/// Nobody can play.
struct Mute;

impl Loft {
    async fn play(&mut self) {
        // Whoever was sent away before it began plays nothing.
        while self.wishes.has_changed().is_ok() {
            let wish = self.wishes.borrow_and_update().clone();
            if self.obey(wish).await.is_err() {
                return;
            }
            let Loft { wishes, effect, music, .. } = self;
            tokio::select! {
                _ = wishes.changed() => {}
                over = over(effect.as_mut()) => {
                    let playing = effect.take();
                    if self.learn(playing, over).await.is_err() {
                        return;
                    }
                }
                over = over(music.as_mut().map(|(playing, _)| playing)) => {
                    // The file is let go only when the player is gone.
                    let (playing, held) = music.take().unzip();
                    let learned = self.learn(playing, over).await;
                    drop(held);
                    if learned.is_err() {
                        return;
                    }
                }
            }
        }
    }

    async fn obey(&mut self, wish: Wish) -> Result<(), Mute> {
        if wish.music.is_none() {
            if let Some((playing, held)) = self.music.take() {
                self.end(playing).await;
                drop(held);
            }
        } else if self.music.is_none() && self.declined != wish.music {
            match hold(self.waves.folder()) {
                Ok(held) => {
                    let Limits { theme_least, theme_most, .. } = self.limits;
                    self.music =
                        self.start(Piece::Theme, theme_least, theme_most)?.map(|playing| (playing, held));
                }
                // Theirs is heard here too.
                Err(None) => self.declined = wish.music,
                Err(Some(error)) => return Err(self.folder_fails(&error)),
            }
        }
        if let Some(asked) = wish.effect.filter(|asked| asked.number > self.taken)
            && self.effect.is_none()
        {
            self.taken = asked.number;
            if asked.at.elapsed() <= self.limits.waiting_max {
                let piece = Piece::Effect(asked.effect);
                let most = piece.length() + self.limits.slack;
                self.effect = self.start(piece, Duration::ZERO, most)?;
            }
        }
        Ok(())
    }

    /// Has a piece played by the first who can be started; each of the others is not asked again.
    fn start(&mut self, piece: Piece, least: Duration, most: Duration) -> Result<Option<Playing>, Mute> {
        let file = self.waves.file(piece).map_err(|error| self.folder_fails(&error))?;
        // A wave takes a while to make: whoever was sent away meanwhile starts nobody.
        if self.wishes.has_changed().is_err() {
            return Ok(None);
        }
        while let Some(player) = players::willing(&self.players).cloned() {
            match Playing::start(player.clone(), &file, least, most) {
                Ok(playing) => return Ok(Some(playing)),
                Err(error) => roll::leave_alone(player.program(), format!("cannot be started: {error}")),
            }
        }
        self.is_anybody_left().map(|()| None)
    }

    fn is_anybody_left(&self) -> Result<(), Mute> {
        let Some(why) = players::obstacle(&self.players) else { return Ok(()) };
        self.trouble.last(why);
        Err(Mute)
    }

    fn folder_fails(&self, error: &io::Error) -> Mute {
        self.trouble.last(format!("no sound: cannot write {}: {error}", self.waves.folder().display()));
        Mute
    }

    /// What a player's end says about it.
    async fn learn(&self, playing: Option<Playing>, over: Result<(), String>) -> Result<(), Mute> {
        let (Some(playing), Err(why)) = (playing, over) else { return Ok(()) };
        roll::leave_alone(playing.player.program(), why);
        self.end(playing).await;
        self.is_anybody_left()
    }

    /// Ends a player. One that cannot be ended is not started once more.
    async fn end(&self, playing: Playing) {
        let program = playing.player.program().to_path_buf();
        if !playing.end(self.limits.farewell).await {
            roll::leave_alone(&program, "cannot be ended".to_owned());
        }
    }

    async fn leave(&mut self) {
        if let Some(playing) = self.effect.take() {
            self.end(playing).await;
        }
        if let Some((playing, held)) = self.music.take() {
            self.end(playing).await;
            drop(held);
        }
    }
}

async fn over(playing: Option<&mut Playing>) -> Result<(), String> {
    match playing {
        Some(playing) => playing.over().await,
        None => pending().await,
    }
}

/// Takes the one place for music that a user has, or says that somebody sits there (no error) or why it cannot be taken.
fn hold(folder: &Path) -> Result<File, Option<io::Error>> {
    // At a first start this makes the user's home too, which is theirs alone.
    home::make_folder(folder).map_err(Some)?;
    let file = File::options().create(true).append(true).open(folder.join("music.lock")).map_err(Some)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        // Where files cannot be locked nobody would know of the others.
        Err(_) => Err(None),
    }
}
