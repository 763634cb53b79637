//! `ask`: a petition from flags, a file, stdin or an editor. It is on the disk before its id is told; asking the same again
//! gives the petition that is there.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use docket::{DocketError, Pushed};
use mind::actor::Actor;
use serde_json::json;
use view::petition_json;

use super::draft::{self, Asked, Defaults};
use super::{Clerk, agent, by_person, editor, refusal, say, session, signs, wait};
use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::AskArgs;
use crate::project::home;
use crate::terminal::console;
use crate::{limits, terminal};

/// Puts a petition into the docket, and waits for its end if that was wanted.
pub fn ask(clerk: &Clerk, args: &AskArgs) -> Result<ExitCode, CliError> {
    let named = args.flags.text("agent").filter(|name| !name.is_empty());
    let agent = named.map(str::to_owned).or_else(agent);
    let defaults = Defaults { agent: agent.clone(), user: terminal::user_name(), session: session() };
    let (asked, kept) = read(clerk, args, &defaults)?;
    let (draft, id) = match asked {
        Ok(asked) => asked,
        Err(faults) => {
            let mut cli_error = refusal::faulty(&faults);
            if args.json {
                say(&json!({"error": cli_error.cause, "faults": faults, "hint": cli_error.hint}));
                console::remark(&cli_error);
                return Ok(ExitCode::Usage);
            }
            if let Some(file) = kept {
                let file = file.display();
                cli_error.hint = Some(format!("your text is kept: mend it and `arbiter ask {file}`"));
            }
            return Err(cli_error);
        }
    };
    // A name that was given is an agent's; without one, and at a terminal, it is the person who types.
    let at_terminal = io::stdin().is_terminal() || io::stderr().is_terminal();
    let by = if at_terminal && *draft.agent == *terminal::user_name() && agent.is_none() {
        by_person()
    } else {
        Actor::Agent(draft.agent.clone())
    };
    let pushed = match push(clerk, &draft, id, &by) {
        Ok(pushed) => pushed,
        Err(error) => return unplaced(error, args.json),
    };
    if let Some(file) = kept {
        // It stands in the docket now.
        let _ = std::fs::remove_file(file);
    }
    let petition = &pushed.kept.petition;
    if args.wait {
        console::remark(told(&pushed));
        return wait::wait(clerk, &petition.id.0, args.timeout, args.json);
    }
    if args.json {
        let mut told = petition_json::pushed(petition, pushed.kept.file.to_str(), pushed.again);
        let id = &petition.id;
        told["hint"] = json!(format!(
            "`arbiter await {id}` waits for the answers; or go on with other work and look with `arbiter status {id}`"
        ));
        say(&told);
    } else {
        signs::line(&petition.id);
        console::remark(told(&pushed));
        console::remark(format!("hint: `arbiter await {}` waits for the answers", petition.id));
    }
    Ok(ExitCode::Done)
}

/// It is asked, and its file is not in its place yet: its id is told, so that it can be waited for.
fn unplaced(error: DocketError, as_json: bool) -> Result<ExitCode, CliError> {
    let cli_error = CliError::from_docket(&error);
    let Ok(kept) = error.recorded() else { return Err(cli_error) };
    let id = &kept.petition.id;
    if as_json {
        say(&json!({"error": cli_error.cause, "hint": cli_error.hint, "id": id, "planId": id}));
    } else {
        signs::line(id);
    }
    console::remark(&cli_error);
    Ok(cli_error.code)
}

fn told(pushed: &Pushed) -> String {
    let petition = &pushed.kept.petition;
    let decisions = view::amount::counted(petition.decisions.len(), "decision");
    let title = super::tell::line(&petition.title);
    let verb = if pushed.again { "already asked" } else { "asked" };
    format!("{verb}: {title} ({decisions}), {}", pushed.kept.file.display())
}

/// Puts it into the docket, under its own id or a new one.
fn push(
    clerk: &Clerk,
    draft: &mind::petition::PetitionDraft,
    id: Option<mind::petition::PetitionId>,
    by: &Actor,
) -> Result<Pushed, DocketError> {
    if let Some(id) = id {
        return clerk.docket.push(draft, id, by, super::now());
    }
    let mut draws = 1;
    loop {
        let id = home::new_petition_id(host::dice());
        match clerk.docket.push(draft, id, by, super::now()) {
            Err(DocketError::Taken { .. }) if draws < limits::PETITION_DRAWS_MAX => draws += 1,
            pushed => return pushed,
        }
    }
}

/// What is asked, and the file it was written into if that was an editor's.
fn read(
    clerk: &Clerk,
    args: &AskArgs,
    defaults: &Defaults,
) -> Result<(Asked, Option<std::path::PathBuf>), CliError> {
    if args.flags.ask_a_decision() {
        return Ok((draft::from_flags(args, defaults), None));
    }
    let what = args.what.as_deref();
    if let Some(file) = what.filter(|what| *what != "-") {
        let text = read_file(Path::new(file))?;
        return Ok((draft::from_text(&text, args, defaults), None));
    }
    if what.is_none() && io::stdin().is_terminal() {
        if !io::stdout().is_terminal() || args.json {
            return Err(CliError::new(ExitCode::Usage, "there is nothing to ask")
                .hint("give a question with --option, a file, or JSON on stdin: `arbiter ask --help`"));
        }
        let (text, file) = editor::write(&clerk.places.home, args)?;
        return Ok((draft::from_text(&text, args, defaults), Some(file)));
    }
    let text = bounded(io::stdin().lock(), "stdin")?;
    if text.trim().is_empty() {
        return Err(CliError::new(ExitCode::Usage, "there is nothing to ask: stdin is empty")
            .hint("give a question with --option, a file, or JSON on stdin: `arbiter ask --help`"));
    }
    Ok((draft::from_text(&text, args, defaults), None))
}

pub(super) fn read_file(file: &Path) -> Result<String, CliError> {
    let unreadable = |error: io::Error| {
        let cli_error = CliError::new(ExitCode::Usage, format!("cannot read {}: {error}", file.display()));
        // A question without options looks like the name of a file.
        if error.kind() == io::ErrorKind::NotFound {
            return cli_error
                .hint("is it a question? add its options: --option yes --option no, or --custom");
        }
        cli_error
    };
    // A pipe is what a shell makes of <(...): it is read to its end. A folder cannot be read.
    bounded(File::open(file).map_err(unreadable)?, &file.display().to_string())
}

/// Reads to the end, but not without end.
fn bounded(input: impl io::Read, name: &str) -> Result<String, CliError> {
    let max = docket::limits::FILE_BYTES_MAX;
    let unreadable = |why: String| CliError::new(ExitCode::Usage, format!("cannot read {name}: {why}"));
    let mut bytes = Vec::new();
    input.take(max + 1).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > max {
        return Err(unreadable(format!("it has more than {max} bytes")).hint("ask less at once"));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))
}
