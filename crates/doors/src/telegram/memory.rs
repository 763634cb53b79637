//! What the door remembers: its log and the sum of it, under one lock, so that they never say different things. A fact that
//! could not be written is not held true.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::TelegramError;
use super::fact::{DoorFact, DoorState};
use super::log::{DoorLog, Durability};

/// What the door remembers. Clones are the same memory.
#[derive(Debug, Clone)]
pub struct DoorMemory {
    kept: Arc<Mutex<Kept>>,
    /// The bot's own name. It is learned anew in each life.
    bot: Arc<OnceLock<String>>,
}

#[derive(Debug)]
struct Kept {
    log: DoorLog,
    state: DoorState,
}

impl DoorMemory {
    /// Reads what is remembered in `folder`.
    pub fn open(folder: &Path) -> Result<DoorMemory, TelegramError> {
        let (log, state) = DoorLog::open(folder)?;
        Ok(DoorMemory { kept: Arc::new(Mutex::new(Kept { log, state })), bot: Arc::default() })
    }

    /// Writes the facts down, and holds them true. It waits for the disk.
    pub fn keep(&self, facts: &[DoorFact], durability: Durability) -> Result<(), TelegramError> {
        let mut guard = self.lock();
        let Kept { log, state } = &mut *guard;
        if log.is_doubtful() {
            log.rewrite(state)?;
        }
        log.append(facts, durability)?;
        facts.iter().for_each(|fact| state.apply(fact));
        if log.wants_rewrite() {
            // The facts are written: a log that stays long is tried again later.
            let _ = log.rewrite(state);
        }
        Ok(())
    }

    /// Looks at what is held true.
    pub fn read<T>(&self, look: impl FnOnce(&DoorState) -> T) -> T {
        look(&self.lock().state)
    }

    /// Where the torn end of the log is kept, if opening it cut one off.
    pub fn cut(&self) -> Option<PathBuf> {
        self.lock().log.cut().map(Path::to_owned)
    }

    /// The bot's own name, once the server has told it.
    pub fn bot(&self) -> Option<&str> {
        self.bot.get().map(String::as_str)
    }

    /// The server told the bot's name.
    pub fn set_bot(&self, name: &str) {
        // It does not change while the door is open.
        let _ = self.bot.set(name.to_owned());
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Facts are applied one by one after they are written: a panic elsewhere leaves nothing half done.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
