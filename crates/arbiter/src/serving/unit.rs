//! The unit by which systemd keeps `arbiter serve` running for a user. There is no secret in it.

use std::ffi::OsString;
use std::path::Path;

/// The unit's name.
pub const NAME: &str = "arbiter.service";

/// The unit for this program. `lookup` gives a variable of the environment: where our folders are is told on.
#[must_use]
pub fn text(program: &Path, lookup: impl Fn(&str) -> Option<OsString>) -> String {
    let mut environment = String::new();
    for name in ["ARBITER_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "ARBITER_TELEGRAM_API_URL"] {
        // An address with a password is refused by `serve`, and is not told here either.
        let tells = |value: &OsString| !value.is_empty() && !value.as_encoded_bytes().contains(&b'@');
        if let Some(value) = lookup(name).filter(tells) {
            environment
                .push_str(&format!("Environment={}\n", quoted(&format!("{name}={}", value.display()))));
        }
    }
    format!(
        "[Unit]\n\
         Description=Arbiter: decisions from anywhere\n\
         \n\
         [Service]\n\
         Type=notify\n\
         NotifyAccess=main\n\
         ExecStart={} serve\n\
         {environment}\
         Restart=on-failure\n\
         RestartSec=5\n\
         # Wrong configuration and a refused token do not mend themselves.\n\
         RestartPreventExitStatus=2 5\n\
         WatchdogSec=120\n\
         TimeoutStopSec=20\n\
         LimitCORE=0\n\
         UMask=0077\n\
         \n\
         [Install]\n\
         WantedBy=default.target",
        quoted(&program.display().to_string())
    )
}

/// A word as systemd reads it.
fn quoted(word: &str) -> String {
    let plain = word.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"/._-=:".contains(&sign));
    if plain {
        return word.to_owned();
    }
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_blanks_and_signs_of_systemd_is_one_word() {
        let unit = text(Path::new("/opt/my tools/100%/arbiter"), |name| {
            (name == "ARBITER_HOME").then(|| "/data/a b".into())
        });
        assert!(unit.contains("ExecStart=\"/opt/my tools/100%%/arbiter\" serve\n"), "{unit}");
        assert!(unit.contains("Environment=\"ARBITER_HOME=/data/a b\"\n"), "{unit}");
    }
}
