//! A petition written in the user's own editor. A template that was not changed asks nothing.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::AskArgs;
use crate::project::home;

const INTRODUCTION: &str = "\
<!-- Write what you want to ask below and save it; leave it as it is, or empty, to ask nothing.
     Each decision has a heading, and options or `allow_custom: true`. Copy the part between the
     lines of dashes for another decision. -->
";
const TEMPLATE: &str = "
# {title}

What the reader needs to know.

---

## Decision 1: Which one?

**Context:** What it is about.

**Options:**
- `first` — The first way
- `second` — The second way

---
";

/// Lets the user write, and gives back the text and its file. The file stays until the petition is in the docket.
pub(super) fn write(home: &Path, args: &AskArgs) -> Result<(String, PathBuf), CliError> {
    let folder = home.join("drafts");
    home::make_private(&folder)?;
    let file = folder.join(format!("ask-{}.md", home::new_petition_id(host::dice())));
    let title = args.flags.text("title").unwrap_or("What is to be decided");
    let template = format!("{INTRODUCTION}{}", TEMPLATE.replace("{title}", &super::tell::line(title)));
    let unwritable = |error: std::io::Error| {
        CliError::new(ExitCode::Failed, format!("cannot write {}: {error}", file.display()))
    };
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file);
    made.and_then(|mut made| made.write_all(template.as_bytes())).map_err(unwritable)?;

    let editor = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor =
        editor.into_iter().find(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    // An editor may come with words of its own: `code --wait`.
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&file).status();
    let failed = match status {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("`{editor}` failed ({status})")),
        Err(error) => Some(format!("`{editor}` cannot be started: {error}")),
    };
    let text = super::ask::read_file(&file)?;
    let unchanged = text.trim() == template.trim() || bare(&text).is_empty();
    if unchanged || failed.is_some() {
        let _ = if unchanged { fs::remove_file(&file) } else { Ok(()) };
        return Err(match failed {
            Some(why) if unchanged => CliError::new(ExitCode::Failed, format!("{why}; nothing was asked"))
                .hint("set VISUAL or EDITOR to an editor of yours"),
            Some(why) => CliError::new(ExitCode::Failed, format!("{why}; nothing was asked"))
                .hint(format!("your text is kept: `arbiter ask {}`", file.display())),
            None => CliError::new(ExitCode::Cancelled, "nothing was asked"),
        });
    }
    Ok((bare(&text), file))
}

/// The text without our introduction.
fn bare(text: &str) -> String {
    text.replacen(INTRODUCTION, "", 1).trim().to_owned()
}
