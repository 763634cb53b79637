//! The choice of the requirements at the screen: the picker over the project's Markdown files, and the offer to name
//! `.arbiter/` in `.gitignore`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crossterm::event::{Event, KeyEventKind};
use ignore::gitignore::GitignoreBuilder;
use tokio::runtime::Runtime;
use tui::picker::{Picker, PickerChoice, PickerFiles};
use tui::terminal::TerminalGuard;
use tui::theme::Theme;
use tui::yes_no::{self, PaneAnswer, YesNoPane};

use crate::cli_error::{CliError, ExitCode};
use crate::project::files::{self, FileKind};
use crate::terminal::ceremony::Before;
use crate::terminal::screen::{self, Keys, News, is_suspend};
use crate::terminal::signals;

const OFFER: &str =
    "Arbiter keeps its missions in .arbiter/ of this project.\nAdd that folder to .gitignore?";

/// The chosen file with the requirements, or none for a mission without them; and whether `.gitignore` may be written.
pub type Chosen = (Option<Arc<str>>, bool);

/// Lets a person choose the requirements, after the ceremony if it is shown; none if they quit.
pub fn choose(
    theme: Theme,
    root: &Path,
    before: &mut Before<'_>,
    runtime: &Runtime,
) -> Result<Option<Chosen>, CliError> {
    let unusable = |error: std::io::Error| {
        CliError::new(ExitCode::Failed, format!("the terminal cannot be used: {error}"))
            .hint("`arbiter run FILE.md --plain` prints lines instead")
    };
    let _inside = runtime.enter();
    signals::watch_curtain();
    let mut terminal = TerminalGuard::take().map_err(unusable)?;
    let (news, inbox) = channel();
    signals::watch_return(news.clone());
    let keys = Keys::listen(news.clone()).map_err(unusable)?;
    if before.is_wanted() && !before.celebrate(&mut terminal, theme, &inbox) {
        drop(terminal);
        keys.stop();
        return Ok(None);
    }
    let walked = files::walk(root, FileKind::Markdown).map_err(unusable)?;
    std::thread::spawn(move || {
        // An empty batch means that the walk has ended.
        for batch in walked.into_iter().filter(|batch| !batch.is_empty()).chain([Vec::new()]) {
            if news.send(News::Files(batch)).is_err() {
                return;
            }
        }
    });
    let mut choosing = Choosing {
        terminal,
        theme,
        root: root.to_path_buf(),
        shelf: Names::default(),
        picker: Picker::new(),
    };
    let chosen = choosing.run(&inbox);
    drop(choosing);
    keys.stop();
    Ok(chosen)
}

#[derive(Default)]
struct Names {
    names: Vec<Arc<str>>,
    whole: bool,
    preview: Option<String>,
}

impl Names {
    fn shelf(&self) -> PickerFiles<'_> {
        PickerFiles { names: &self.names, whole: self.whole, preview: self.preview.as_deref() }
    }
}

/// The answer to the question about `.gitignore`.
enum Consulted {
    Go {
        gitignore: bool,
    },
    /// Back to the choice of the requirements.
    Back,
    Leave,
}

struct Choosing {
    terminal: TerminalGuard,
    theme: Theme,
    root: PathBuf,
    shelf: Names,
    picker: Picker,
}

impl Choosing {
    fn run(&mut self, inbox: &Receiver<News>) -> Option<Chosen> {
        self.draw(None);
        while let Ok(news) = inbox.recv() {
            let mut choice = self.hear(news)?;
            // Everything that is ready is taken before a frame is drawn.
            while matches!(choice, PickerChoice::Stay | PickerChoice::Preview(_)) {
                if let PickerChoice::Preview(name) = &choice {
                    self.shelf.preview = Some(files::read_preview(&self.root.join(&**name)));
                }
                let Ok(news) = inbox.try_recv() else { break };
                choice = self.hear(news)?;
            }
            match choice {
                PickerChoice::Stay | PickerChoice::Preview(_) => self.draw(None),
                PickerChoice::Scroll(_) | PickerChoice::NoScroll => {
                    let scroll = if let PickerChoice::Scroll(name) = choice { Some(name) } else { None };
                    match self.consult(inbox) {
                        Consulted::Go { gitignore } => return Some((scroll, gitignore)),
                        Consulted::Back => self.draw(None),
                        Consulted::Leave => return None,
                    }
                }
                PickerChoice::Leave => return None,
            }
        }
        None
    }

    /// What an input chooses; none if the terminal is gone.
    fn hear(&mut self, news: News) -> Option<PickerChoice> {
        let area = self.terminal.area();
        Some(match news {
            News::Input(Event::Key(key)) if is_suspend(key) => {
                let _ = self.terminal.step_aside(screen::stop_here);
                PickerChoice::Stay
            }
            News::Input(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                self.picker.key(key, &self.shelf.shelf())
            }
            News::Input(Event::Mouse(mouse)) => self.picker.mouse(mouse, area, &self.shelf.shelf()),
            News::Input(Event::Paste(text)) => {
                self.picker.paste(&text);
                self.picker.grown(&self.shelf.shelf())
            }
            News::Files(names) => {
                self.shelf.whole |= names.is_empty();
                self.shelf.names.extend(names);
                self.picker.grown(&self.shelf.shelf())
            }
            News::Gone | News::Close => return None,
            News::Continued => {
                let _ = self.terminal.come_back();
                PickerChoice::Stay
            }
            News::Input(_)
            | News::Grown(_)
            | News::Said(_)
            | News::Runs(_)
            | News::Remark(_)
            | News::Petitions(..) => PickerChoice::Stay,
        })
    }

    fn draw(&mut self, offer: Option<&YesNoPane<'_>>) {
        let (picker, shelf, theme) = (&self.picker, self.shelf.shelf(), &self.theme);
        let _ = self.terminal.draw(|area, buffer| {
            let cursor = picker.draw(area, buffer, &shelf, theme);
            match offer {
                Some(offer) => {
                    yes_no::draw(offer, area, buffer, theme);
                    None
                }
                None => cursor,
            }
        });
    }

    /// Asks about `.gitignore` where that makes a difference.
    fn consult(&mut self, inbox: &Receiver<News>) -> Consulted {
        if !is_seen_by_git(&self.root) {
            return Consulted::Go { gitignore: false };
        }
        let keys = [("y", "yes"), ("n", "no"), ("Esc", "back"), ("Ctrl+C", "leaves")];
        let offer = YesNoPane { text: OFFER, keys: &keys };
        self.draw(Some(&offer));
        while let Ok(news) = inbox.recv() {
            if let News::Gone | News::Close = news {
                return Consulted::Leave;
            }
            if let News::Input(Event::Key(key)) = news {
                match yes_no::answer(key) {
                    Some(PaneAnswer::Yes) => return Consulted::Go { gitignore: true },
                    Some(PaneAnswer::No) => return Consulted::Go { gitignore: false },
                    Some(PaneAnswer::Back) => return Consulted::Back,
                    Some(PaneAnswer::Leave) => return Consulted::Leave,
                    None => {}
                }
            }
            self.draw(Some(&offer));
        }
        Consulted::Leave
    }
}

/// Whether git would show the missions of this project as files of its own.
fn is_seen_by_git(root: &Path) -> bool {
    // Since the first mission, `.arbiter/.gitignore` hides the missions itself.
    if !root.join(".git").exists() || root.join(".arbiter/.gitignore").exists() {
        return false;
    }
    let mut rules = GitignoreBuilder::new(root);
    for file in [".gitignore", ".git/info/exclude"] {
        // A missing file is no error.
        let _ = rules.add(root.join(file));
    }
    let ignored =
        rules.build().is_ok_and(|rules| rules.matched_path_or_any_parents(".arbiter", true).is_ignore());
    !ignored
}
