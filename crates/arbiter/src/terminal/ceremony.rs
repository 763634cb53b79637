//! The ceremony on the terminal: keys go to it, beats while something of it moves, and what it sounds like goes out.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use crossterm::event::{Event, KeyEventKind};
use tui::decoration::{Ceremony, CeremonyOutcome, CeremonyStep};
use tui::manner::Character;
use tui::terminal::Glass;
use tui::theme::Theme;

use crate::limits;
use crate::project::config::SoundWanted;
use crate::project::home::Places;
use crate::terminal::manners::{self, Manners};
use crate::terminal::screen::{self, News, is_suspend};
use crate::terminal::sound::Sound;

/// What comes before a person chooses.
pub(crate) struct Before<'a> {
    /// Straight to the requirements.
    pub(crate) quick: bool,
    pub(crate) manners: &'a mut Manners,
    pub(crate) places: &'a Places,
    /// What the person should know when the terminal is theirs again.
    pub(crate) unsaid: Option<String>,
    /// Its last sound is heard to the end, while the person chooses.
    pub(crate) sound: Sound,
}

impl Before<'_> {
    /// There is a ceremony.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.quick && self.manners.wants_ceremony()
    }

    /// Holds it, and remembers who came out of it; false if the person left.
    pub(crate) fn celebrate(&mut self, glass: &mut Glass, theme: Theme, inbox: &Receiver<News>) -> bool {
        let manner = self.manners.manner;
        let ceremony = Ceremony::new(host::dice(), manner.character, manner.motion);
        let performance = Performance { glass, theme, ceremony, sound: &mut self.sound, note: None };
        let came = performance.run(inbox);
        self.sound.music(false);
        // Whoever said `m` said it of the mission too.
        self.manners.sound = if self.sound.is_on() { SoundWanted::On } else { SoundWanted::Off };
        let Some(character) = came else { return false };
        self.manners.manner.character = character;
        if let Err(error) = manners::remember(self.places, character) {
            let file = self.places.character();
            self.unsaid = Some(format!("note: {} could not be written: {error}", file.display()));
        }
        // A key that was pressed before the choice could be seen is no part of it.
        !inbox.try_iter().any(|news| matches!(news, News::Gone | News::Close))
    }
}

/// The ceremony, and where it takes place.
struct Performance<'a> {
    glass: &'a mut Glass,
    theme: Theme,
    ceremony: Ceremony,
    sound: &'a mut Sound,
    /// What the person should know, until the next key.
    note: Option<String>,
}

/// What something that happened came to.
enum Next {
    Stay,
    Over(Character),
    Leave,
}

impl Performance<'_> {
    /// Plays it. Says who stands before the Arbiter; none if the person left.
    fn run(mut self, inbox: &Receiver<News>) -> Option<Character> {
        self.sound.music(true);
        self.draw();
        let mut beaten = Instant::now();
        loop {
            let news = if self.ceremony.is_alive(&self.theme) {
                match inbox.recv_timeout(limits::CEREMONY_BEAT.saturating_sub(beaten.elapsed())) {
                    Ok(news) => Some(news),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            } else {
                let news = inbox.recv().ok()?;
                // What begins to move now has its first beat later.
                beaten = Instant::now();
                Some(news)
            };
            let mut next = match news {
                Some(news) => self.hear(news),
                None => {
                    beaten = Instant::now();
                    let step = self.ceremony.tick();
                    self.take(step)
                }
            };
            // Everything that is ready is taken before a frame is drawn, so that a key that is held down draws no queue.
            while let (Next::Stay, Ok(news)) = (&next, inbox.try_recv()) {
                next = self.hear(news);
            }
            match next {
                Next::Stay => {}
                Next::Over(character) => return Some(character),
                Next::Leave => return None,
            }
            if let Some(trouble) = self.sound.trouble() {
                self.note = Some(trouble);
            }
            self.draw();
        }
    }

    fn hear(&mut self, news: News) -> Next {
        match news {
            News::Input(Event::Key(key)) if is_suspend(key) => {
                // Nothing is heard of whoever is stopped, and whoever is stopped can end nobody.
                self.sound.hush();
                let _ = self.glass.step_aside(screen::stop_here);
                self.sound.music(true);
                Next::Stay
            }
            News::Input(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                self.note = None;
                let step = self.ceremony.key(key);
                self.take(step)
            }
            News::Gone | News::Close => Next::Leave,
            News::Continued => {
                let _ = self.glass.come_back();
                Next::Stay
            }
            // Another size is seen when it is drawn.
            News::Input(_)
            | News::Grown(_)
            | News::Said(_)
            | News::Runs(_)
            | News::Remark(_)
            | News::Petitions(..)
            | News::Files(_) => Next::Stay,
        }
    }

    fn take(&mut self, step: CeremonyStep) -> Next {
        if let Some(effect) = step.effect {
            self.sound.play(effect);
        }
        match step.outcome {
            CeremonyOutcome::Stay => Next::Stay,
            CeremonyOutcome::Sound => {
                self.note = Some(self.sound.toggle());
                Next::Stay
            }
            CeremonyOutcome::Over(character) => Next::Over(character),
            CeremonyOutcome::Leave => Next::Leave,
        }
    }

    fn draw(&mut self) {
        let (ceremony, theme, note) = (&self.ceremony, &self.theme, self.note.as_deref());
        let _ = self.glass.draw(|area, buffer| {
            ceremony.draw(area, buffer, theme);
            if let Some(note) = note {
                Ceremony::remark(note, area, buffer, theme);
            }
            None
        });
    }
}
