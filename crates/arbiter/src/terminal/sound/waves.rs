//! Waves as files: every player takes a file, and one that hangs cannot hold up whoever would write to it. A name tells the
//! content, so a newer program does not play the sounds of an older one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use mind::digest;
use tui::decoration::sound::{self, Effect};

use crate::project::home;

/// How much of a wave's digest its name tells.
const DIGEST_BYTES: usize = 6;

/// Something that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// A short sound.
    Effect(Effect),
    /// The music.
    Theme,
}

impl Piece {
    /// How long it is.
    pub fn length(self) -> Duration {
        Duration::from_millis(u64::from(match self {
            Piece::Effect(effect) => sound::length_ms(effect),
            Piece::Theme => sound::theme_length_ms(),
        }))
    }

    fn name(self) -> &'static str {
        match self {
            Piece::Effect(effect) => effect.name(),
            Piece::Theme => "theme",
        }
    }

    fn bytes(self) -> Vec<u8> {
        match self {
            Piece::Effect(effect) => sound::wave(effect),
            Piece::Theme => sound::theme(),
        }
    }
}

/// A folder of waves.
#[derive(Debug)]
pub struct Waves {
    folder: PathBuf,
    made: BTreeMap<Piece, PathBuf>,
}

impl Waves {
    /// Those in `folder`, which need not be there yet.
    pub fn at(folder: PathBuf) -> Waves {
        Waves { folder, made: BTreeMap::new() }
    }

    /// Where they lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a piece, made if it is not there or not what it should be.
    pub fn file(&mut self, piece: Piece) -> io::Result<PathBuf> {
        if let Some(file) = self.made.get(&piece).filter(|file| file.is_file()) {
            return Ok(file.clone());
        }
        let bytes = piece.bytes();
        let name = format!("{}-{}", piece.name(), &digest::of(&bytes)[..2 * DIGEST_BYTES]);
        home::make_folder(&self.folder)?;
        let folder = self.folder.canonicalize()?;
        let file = folder.join(name + ".wav");
        if !fs::read(&file).is_ok_and(|there| there == bytes) {
            host::files::replace(&file, &bytes)?;
            sweep(&folder, piece, &file);
        }
        self.made.insert(piece, file.clone());
        Ok(file)
    }
}

/// Takes away what older programs made of the same piece. One that still runs makes it again. The folder may be one in which
/// a person keeps music of their own: only a name that we would give is ours.
fn sweep(folder: &Path, piece: Piece, kept: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path != kept) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_name_of(piece, &name) {
            // An old wave does no harm.
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_name_of(piece: Piece, name: &str) -> bool {
    let rest = name.strip_prefix(piece.name()).and_then(|rest| rest.strip_prefix('-'));
    rest.and_then(|rest| rest.strip_suffix(".wav")).is_some_and(|digest| {
        digest.len() == 2 * DIGEST_BYTES
            && digest.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_written_once_and_mended_when_it_is_not_what_it_should_be() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().join("deep/sounds");
        let piece = Piece::Effect(Effect::Choose);
        let file = Waves::at(folder.clone()).file(piece).unwrap();
        assert_eq!(fs::read(&file).unwrap(), sound::wave(Effect::Choose));
        let first = fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(Waves::at(folder.clone()).file(piece).unwrap(), file);
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), first, "it is not written again");
        fs::write(&file, "torn").unwrap();
        let mut waves = Waves::at(folder.clone());
        assert_eq!(waves.file(piece).unwrap(), file);
        assert_eq!(fs::read(&file).unwrap(), sound::wave(Effect::Choose));
        fs::remove_file(&file).unwrap();
        assert_eq!(waves.file(piece).unwrap(), file, "somebody may tidy up while we play");
        assert!(file.is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left there");
    }

    #[test]
    fn waves_of_an_older_program_go_when_new_ones_come() {
        let world = tempfile::tempdir().unwrap();
        let old = world.path().join("end-000000000000.wav");
        let others = ["ending.wav", "end-of-all.txt", "end-of-all-days.wav", "sleep-000000000000.wav"]
            .map(|name| world.path().join(name));
        for file in others.iter().chain([&old]) {
            fs::write(file, "").unwrap();
        }
        Waves::at(world.path().to_path_buf()).file(Piece::Effect(Effect::End)).unwrap();
        assert!(!old.exists() && others.iter().all(|file| file.exists()));
    }

    #[test]
    fn each_piece_has_a_file_of_its_own() {
        let world = tempfile::tempdir().unwrap();
        let mut waves = Waves::at(world.path().to_path_buf());
        let pieces = Effect::ALL.map(Piece::Effect).into_iter().chain([Piece::Theme]);
        let files: std::collections::BTreeSet<PathBuf> =
            pieces.map(|piece| waves.file(piece).unwrap()).collect();
        assert_eq!(files.len(), Effect::ALL.len() + 1);
    }
}
