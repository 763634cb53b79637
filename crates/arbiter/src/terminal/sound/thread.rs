//! The thread that plays at most one effect and one piece of music at a time. It sleeps until a request changes or a player
//! ends, and ends when the requests are dropped or no player works.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{future, io, thread};

use tokio::sync::watch;
use tui::decoration::{SoundEffect, Tune};

use super::players::{self, Player};
use super::playing::Playing;
use super::{SoundLimits, SoundSetting, waves};

/// What should be played. Only the newest request counts, so none of them queue.
#[derive(Debug, Clone, Copy)]
pub struct SoundRequest {
    /// Since when the theme is wanted, if it is.
    pub music: Option<Instant>,
    /// The last effect that was asked for, and when.
    pub effect: Option<(SoundEffect, Instant)>,
}

/// The channels of the thread: dropping the sender ends it; the receiver gets the reason if it ends by itself, and is closed
/// when the thread and its players are gone.
pub type SoundThread = (watch::Sender<SoundRequest>, Receiver<String>);

/// Starts the thread.
pub fn begin(players: Vec<Player>, setting: SoundSetting, wish: SoundRequest) -> io::Result<SoundThread> {
    let (wishes, heard) = watch::channel(wish);
    let (tell, over) = channel();
    let loudspeaker = Loudspeaker {
        wishes: heard,
        players,
        setting,
        effect: None,
        music: None,
        taken: None,
        declined: None,
    };
    thread::Builder::new().name("sound".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let play = |runtime: tokio::runtime::Runtime| runtime.block_on(loudspeaker.play());
        if let Err(why) = runtime.map_err(|error| format!("no sound: {error}")).and_then(play) {
            let _ = tell.send(why);
        }
    })?;
    Ok((wishes, over))
}

struct Loudspeaker {
    wishes: watch::Receiver<SoundRequest>,
    players: Vec<Player>,
    setting: SoundSetting,
    effect: Option<Playing>,
    music: Option<Playing>,
    /// The time of the last request for an effect that was played or skipped.
    taken: Option<Instant>,
    /// The request for music that was declined because another arbiter of the user plays it; the next one is tried again.
    declined: Option<Instant>,
}

impl Loudspeaker {
    async fn play(mut self) -> Result<(), String> {
        // A thread that was ended before it began plays nothing.
        while self.wishes.has_changed().is_ok() {
            let wish = *self.wishes.borrow_and_update();
            if let Err(error) = self.obey(wish) {
                return Err(format!("no sound: cannot write {}: {error}", self.setting.folder.display()));
            }
            players::willing(&self.players)?;
            tokio::select! {
                _ = self.wishes.changed() => {}
                () = over(&mut self.effect) => self.effect = None,
                () = over(&mut self.music) => self.music = None,
            }
        }
        Ok(())
    }

    fn obey(&mut self, wish: SoundRequest) -> io::Result<()> {
        let SoundLimits { slack, theme_least, theme_most, waiting_max } = self.setting.limits;
        if wish.music.is_none() {
            self.music = None;
        } else if self.music.is_none()
            && self.declined != wish.music
            && let Some(file) = self.wave(Tune::Theme)?
        {
            match place(&file)? {
                Some(place) => self.music = self.start(&file, theme_least, theme_most, Some(place)),
                None => self.declined = wish.music,
            }
        }
        if let Some((effect, at)) = wish.effect
            && self.effect.is_none()
            && self.taken < Some(at)
        {
            self.taken = Some(at);
            let tune = Tune::Effect(effect);
            if at.elapsed() <= waiting_max
                && let Some(file) = self.wave(tune)?
            {
                let most = Duration::from_millis(tune.length_ms().into()) + slack;
                self.effect = self.start(&file, Duration::ZERO, most, None);
            }
        }
        Ok(())
    }

    /// The tune's file. It takes a while to make: none if the thread was ended meanwhile.
    fn wave(&self, tune: Tune) -> io::Result<Option<PathBuf>> {
        let file = waves::file(&self.setting.folder, tune)?;
        Ok(self.wishes.has_changed().is_ok().then_some(file))
    }

    /// Starts the first player that works; those that fail are not tried again.
    fn start(&self, file: &Path, least: Duration, most: Duration, place: Option<File>) -> Option<Playing> {
        while let Ok(player) = players::willing(&self.players) {
            match Playing::start(player, file, least, most) {
                Ok(mut playing) => {
                    playing.place = place;
                    return Some(playing);
                }
                Err(error) => players::leave_alone(player, format!("cannot be started: {error}")),
            }
        }
        None
    }
}

async fn over(playing: &mut Option<Playing>) {
    match playing {
        Some(playing) => playing.over().await,
        None => future::pending().await,
    }
}

/// The lock that lets one arbiter of a user play music, beside the file of the theme; none if another arbiter holds it,
/// also where files cannot be locked.
fn place(theme: &Path) -> io::Result<Option<File>> {
    let lock = theme.with_file_name("music.lock");
    let file = host::files::open_plain(File::options().create(true).append(true), &lock)?;
    Ok(host::files::try_lock(&file).is_ok().then_some(file))
}
