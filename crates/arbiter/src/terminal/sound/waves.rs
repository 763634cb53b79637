//! Sounds as files: every player takes a file, and a player that hangs cannot block a writer.

use std::io;
use std::path::{Path, PathBuf};

use tui::decoration::Tune;

use crate::project::home;

/// The file of a tune in `folder`, made if it is missing or differs. Its name is one that a person's own music would not have.
pub fn file(folder: &Path, tune: Tune) -> io::Result<PathBuf> {
    let bytes = tune.wave();
    home::make_folder(folder)?;
    let file = folder.canonicalize()?.join(format!("{}-arbiter.wav", tune.name()));
    if !host::files::read(&file, bytes.len()).is_ok_and(|there| there == bytes) {
        host::files::replace(&file, &bytes)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use tui::decoration::SoundEffect;

    use super::*;

    #[test]
    fn a_wave_is_written_once_and_mended_when_it_is_not_what_it_should_be() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().join("deep/sounds");
        let tune = Tune::Effect(SoundEffect::Choose);
        let path = file(&folder, tune).unwrap();
        assert_eq!(fs::read(&path).unwrap(), tune.wave());
        let first = fs::metadata(&path).unwrap().modified().unwrap();
        assert_eq!(file(&folder, tune).unwrap(), path);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first, "it is not written again");
        fs::write(&path, "torn, or of an older program").unwrap();
        assert_eq!(file(&folder, tune).unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), tune.wave());
        fs::remove_file(&path).unwrap();
        assert_eq!(file(&folder, tune).unwrap(), path, "somebody may tidy up while we play");
        assert!(path.is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left there");
    }

    #[test]
    fn each_tune_has_a_file_of_its_own() {
        let world = tempfile::tempdir().unwrap();
        let tunes = SoundEffect::ALL.map(Tune::Effect).into_iter().chain([Tune::Theme]);
        let files: BTreeSet<PathBuf> = tunes.map(|tune| file(world.path(), tune).unwrap()).collect();
        assert_eq!(files.len(), SoundEffect::ALL.len() + 1);
    }
}
