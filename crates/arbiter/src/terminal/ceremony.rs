//! Runs the ceremony on the terminal: passes it keys and beats, draws its frames and plays its sounds.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use crossterm::event::{Event, KeyEventKind};
use tui::decoration::{Ceremony, CeremonyOutcome, CeremonyStep};
use tui::manner::Character;
use tui::terminal::TerminalGuard;
use tui::theme::Theme;

use crate::limits;
use crate::project::config::SoundWanted;
use crate::project::home::UserFolders;
use crate::terminal::prefs::{self, TerminalPrefs};
use crate::terminal::screen::{self, News, is_suspend};
use crate::terminal::sound::Sound;

/// What is needed before a person chooses the requirements.
pub(crate) struct Before<'a> {
    /// Skips the ceremony.
    pub(crate) quick: bool,
    pub(crate) prefs: &'a mut TerminalPrefs,
    pub(crate) places: &'a UserFolders,
    /// A note for the person, printed when the screen is gone.
    pub(crate) unsaid: Option<String>,
    /// Its last sound is heard to the end, while the person chooses.
    pub(crate) sound: Sound,
}

impl Before<'_> {
    /// Whether the ceremony is shown.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.quick && self.prefs.wants_ceremony()
    }

    /// Shows the ceremony and saves the chosen character; false if the person quit.
    pub(crate) fn celebrate(
        &mut self,
        terminal: &mut TerminalGuard,
        theme: Theme,
        inbox: &Receiver<News>,
    ) -> bool {
        let manner = self.prefs.manner;
        let ceremony = Ceremony::new(host::dice(), manner.character, manner.motion);
        let performance = Performance { terminal, theme, ceremony, sound: &mut self.sound, note: None };
        let came = performance.run(inbox);
        self.sound.music(false);
        // Sound that was turned on or off with `m` stays so in the mission.
        self.prefs.sound = if self.sound.is_on() { SoundWanted::On } else { SoundWanted::Off };
        let Some(character) = came else { return false };
        self.prefs.manner.character = character;
        if let Err(error) = prefs::remember(self.places, character) {
            let file = self.places.character();
            self.unsaid = Some(format!("note: {} could not be written: {error}", file.display()));
        }
        // Keys pressed before the next page is drawn are dropped.
        !inbox.try_iter().any(|news| matches!(news, News::Gone | News::Close))
    }
}

/// The running ceremony.
struct Performance<'a> {
    terminal: &'a mut TerminalGuard,
    theme: Theme,
    ceremony: Ceremony,
    sound: &'a mut Sound,
    /// A note for the person, until the next key.
    note: Option<String>,
}

/// What follows from an input.
enum Next {
    Stay,
    Over(Character),
    Leave,
}

impl Performance<'_> {
    /// Runs until it ends. Returns the chosen character; none if the person quit.
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
                // A figure that begins to move now has its first beat later.
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
                // A suspended process cannot stop its players: they are stopped before.
                self.sound.hush();
                let _ = self.terminal.step_aside(screen::stop_here);
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
                let _ = self.terminal.come_back();
                Next::Stay
            }
            // A new size is read when the next frame is drawn.
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
        let _ = self.terminal.draw(|area, buffer| {
            ceremony.draw(area, buffer, theme);
            if let Some(note) = note {
                Ceremony::remark(note, area, buffer, theme);
            }
            None
        });
    }
}
