//! A binary with the sandbox's hidden command, for the tests of this crate; and a stand-in for Arbiter that
//! they can kill.

use std::ffi::OsString;
use std::process::ExitCode;

use mind::access::{AccessMap, SandboxLevel};
use sandbox::{Purpose, Sandbox, SandboxSpec};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(word) if word == "__cage" => ExitCode::from(sandbox::enter(words)),
        Some(word) if word == "house" => match house(words) {
            Ok(code) => ExitCode::from(code),
            Err(why) => {
                eprintln!("house: {why}");
                ExitCode::FAILURE
            }
        },
        Some(_) | None => ExitCode::FAILURE,
    }
}

/// Runs a program in a cage: level, bubblewrap, lay, temporary folder, canary, purpose, program and its words.
fn house(words: impl Iterator<Item = OsString>) -> Result<u8, Box<dyn std::error::Error>> {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let [level, bubblewrap, lay, tmp, canary, purpose, program, rest @ ..] = words.as_slice() else {
        return Err("too few words".into());
    };
    let level: SandboxLevel = serde_json::from_str(&format!("{level:?}"))?;
    let lay: AccessMap = serde_json::from_str(lay)?;
    let folder = lay.clone.clone();
    let cage = Sandbox::set(SandboxSpec {
        level,
        bubblewrap: Some(bubblewrap.into()),
        lay,
        tmp: tmp.into(),
        own: vec![std::env::current_exe()?.into(), "__cage".into()],
        environment: sandbox::environment(std::env::vars_os(), &[]),
        canary: canary.into(),
        closed: Vec::new(),
    })?;
    let purpose = match purpose.as_str() {
        "agent" => Purpose::Agent { secrets: false },
        "secrets" => Purpose::Agent { secrets: true },
        _ => Purpose::Command,
    };
    let status = cage.command(program.as_ref(), rest, folder, purpose).status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
}
