//! `config` and `doctor`: what is configured, what is missing, and how to mend it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::complaint::{Code, Complaint};
use crate::console;

use super::Desk;
use super::desk::PROVIDERS;

/// Prints every setting and where it comes from.
pub fn describe(desk: &Desk) -> Result<Code, Complaint> {
    for line in desk.config(&desk.project.root)?.describe() {
        console::line(line);
    }
    Ok(Code::Done)
}

/// Says everything that is wrong with the configuration.
pub fn check(desk: &Desk) -> Result<Code, Complaint> {
    desk.config(&desk.project.root)?;
    crate::scroll::read_prompts(&desk.project.prompts())?;
    console::line("the configuration is sound");
    Ok(Code::Done)
}

/// Looks at everything a mission needs.
pub fn doctor(desk: &Desk) -> Result<Code, Complaint> {
    let mut sound = true;
    let mut tell = |what: &str, found: Result<String, (String, String)>| match found {
        Ok(text) => console::line(format!("ok    {what:<14} {text}")),
        Err((text, hint)) => {
            sound = false;
            console::line(format!("FAIL  {what:<14} {text}\n      {:<14} hint: {hint}", ""));
        }
    };
    tell("git", git());
    tell("home", writable(&desk.places.home));
    tell("state", writable(&desk.places.state));
    tell("project", writable(&desk.project.folder()));
    let config = desk.config(&desk.project.root).and_then(|config| {
        crate::scroll::read_prompts(&desk.project.prompts())?;
        Ok(config)
    });
    tell(
        "configuration",
        match &config {
            Ok(config) => Ok(match config.checks.value.len() {
                0 => "no checks: a mission's end is verified by an agent, never proven".to_owned(),
                count => format!("{count} check(s)"),
            }),
            Err(complaint) => Err((
                complaint.cause.clone(),
                complaint.hint.clone().unwrap_or_else(|| "`arbiter config check` says all of it".to_owned()),
            )),
        },
    );
    tell("providers", Ok(format!("{} (built in)", PROVIDERS.join(", "))));
    Ok(if sound { Code::Done } else { Code::Failed })
}

fn git() -> Result<String, (String, String)> {
    let missing = |why: String| (why, "install git 2.30 or newer".to_owned());
    let output =
        Command::new("git").arg("--version").output().map_err(|error| missing(format!("git: {error}")))?;
    if !output.status.success() {
        return Err(missing("git does not answer".to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether we can keep things there; of a folder that is not there yet, whether it could be made.
fn writable(folder: &Path) -> Result<String, (String, String)> {
    let standing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let probe = standing.join(format!(".arbiter-probe-{}", std::process::id()));
    fs::create_dir(&probe).map_err(|error| {
        let hint = format!("make {} writable for you, or choose another place", standing.display());
        (format!("{}: {error}", standing.display()), hint)
    })?;
    let _ = fs::remove_dir(&probe);
    Ok(folder.display().to_string())
}
