//! Systems without a cage: only the level that holds nothing can be entered.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;

use mind::lay::Level;

use super::NOT_MADE;
use super::spec::{Announcement, Caged, Spec};

/// Becomes the program that stands after `--`, if nothing is to hold it; what comes back is an exit status.
pub fn enter(words: impl IntoIterator<Item = OsString>) -> u8 {
    let mut words = words.into_iter();
    let spec = words.next().and_then(|word| Spec::read(word.to_str()?).ok());
    let program = words.nth(1);
    let (Some(spec), Some(program)) = (spec, program) else { return NOT_MADE };
    if spec.level != Level::Off || spec.secrets {
        let _ = writeln!(std::io::stderr(), "sandbox: this system has none");
        return NOT_MADE;
    }
    if spec.announce {
        let said = Announcement { caged: Caged { nonce: spec.nonce, level: Level::Off, signals: false } };
        let _ = writeln!(std::io::stdout(), "{}", serde_json::to_string(&said).unwrap_or_default());
    }
    let error = Command::new(program).args(words).exec();
    let _ = writeln!(std::io::stderr(), "sandbox: {error}");
    NOT_MADE
}
