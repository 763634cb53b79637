//! Systems without a sandbox: only the level `off` can be entered.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;

use mind::lay::Level;

use super::NOT_MADE;
use super::spec::{Announcement, Caged, ORDERS, Spec, Step};

/// Becomes the program that stands after `--`, if the level is `off`; if it returns, then with an exit status.
pub fn enter(words: impl IntoIterator<Item = OsString>) -> u8 {
    let mut words = words.into_iter();
    let step = words.next().and_then(|word| Step::of(word.to_str()?));
    let begun = words.by_ref().find(|word| word == "--").and_then(|_| words.next());
    let (Some(step), Some(program)) = (step, begun) else { return complain("there are no orders") };
    let mut command = Command::new(program);
    command.args(words).env_remove(ORDERS);
    match step {
        Step::Command => {}
        Step::Keep | Step::Tie | Step::Inside => {
            let spec = match Spec::given() {
                Ok(spec) if spec.level == Level::Off && !spec.secrets => spec,
                Ok(_) => return complain("this system has none"),
                Err(why) => return complain(&why),
            };
            if spec.announce {
                let caged = Caged { nonce: spec.nonce, level: Level::Off, signals: false };
                let said = serde_json::to_string(&Announcement { caged }).unwrap_or_default();
                let _ = writeln!(std::io::stdout(), "{said}");
            }
            command.current_dir(spec.folder).envs(spec.loader);
        }
    }
    complain(&command.exec().to_string())
}

fn complain(why: &str) -> u8 {
    let _ = writeln!(std::io::stderr(), "sandbox: {why}");
    NOT_MADE
}
