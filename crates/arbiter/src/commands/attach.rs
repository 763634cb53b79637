//! `attach`: watches a mission that runs in another process, and speaks to it through its inbox.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};

use mind::event::Deed;
use mind::{MissionId, State};
use tui::narrate::{Ink, narrate};
use tui::sight::{Live, Seat};
use tui::theme::Theme;
use tui::typed::{self, Typed};

use crate::attendance::Attendance;
use crate::chronicle::Tail;
use crate::complaint::{Code, Complaint};
use crate::home::MissionPlaces;
use crate::letters::{self, Letter};
use crate::screen::{self, Showing};
use crate::{clock, console, home, limits, stage, terminal};

use super::desk::refuse_agents;
use super::{Desk, discard, run};

/// Watches a mission.
pub fn attach(desk: &Desk, typed: Option<&str>) -> Result<Code, Complaint> {
    refuse_agents()?;
    let (id, places) = match typed {
        Some(typed) => desk.named(typed)?,
        None => newest_running(desk)?,
    };
    discard::refuse_discarded(&id, &places)?;
    let runtime = run::runtime()?;
    if let Some(theme) = desk.theme {
        run::raise(&runtime, theme, desk.manners().manner);
    }
    match desk.theme {
        Some(theme) => {
            let project =
                stage::ground_of(&places.folder).map_or_else(|_| desk.root(), |ground| ground.project);
            let post = Post { id, places };
            let (journal, name) = (post.places.journal(), post.id.clone());
            let code = watch(&runtime, theme, showing(desk, post, project))?;
            let left = match journal::holder(&journal) {
                Some(_) => {
                    format!("  = mission {name} runs on without you; `arbiter attach {name}` comes back")
                }
                None => {
                    format!("  = mission {name} is not running; `arbiter show {name}` tells how it stands")
                }
            };
            let _ = console::write(&[(Ink::House, left)]);
            Ok(code)
        }
        None => listen(&Post { id, places }),
    }
}

fn newest_running(desk: &Desk) -> Result<(MissionId, MissionPlaces), Complaint> {
    let running = |places: &MissionPlaces| journal::holder(&places.journal()).is_some();
    desk.newest_first()?.into_iter().find(|(_, places)| running(places)).ok_or_else(|| {
        Complaint::new(Code::Usage, "no mission runs here").hint(
            "`arbiter missions` lists them; `arbiter attach ID` looks at one, `arbiter resume` goes on with one",
        )
    })
}

/// The way into a mission's inbox.
struct Post {
    id: MissionId,
    places: MissionPlaces,
}

impl Post {
    fn is_heard(&self) -> bool {
        journal::holder(&self.places.journal()).is_some()
    }

    fn asleep(&self) -> String {
        format!("nobody runs this mission: what you say waits for `arbiter resume {}`", self.id)
    }

    /// Sends a deed; says what the person should know of it, or why it was not sent.
    fn send(&self, deed: Deed) -> Result<Option<String>, String> {
        if self.places.discarded().exists() {
            return Err("that was not sent: the mission was discarded".to_owned());
        }
        let now = clock::now();
        let id = letters::new_letter_id(now, home::throw_dice());
        let letter = Letter { id, actor: terminal::user(), written_at: now, deed };
        match letters::write_letter(&self.places.inbox(), &letter) {
            Err(error) => Err(format!("that was not sent: {error}")),
            Ok(_) if self.is_heard() => Ok(None),
            Ok(_) => Ok(Some(self.asleep())),
        }
    }
}

fn showing(desk: &Desk, post: Post, project: PathBuf) -> Showing {
    Showing {
        journal: post.places.journal(),
        sessions: post.places.folder.join("sessions"),
        project,
        seat: Seat::Beside,
        speak: Box::new(move |deed| post.send(deed.clone())),
        leave: Box::new(|| {}),
        live: Box::new(Live::new),
        synced: Box::new(|| u64::MAX),
        from: 0,
        docket: super::docket::open().ok(),
        manner: desk.manners().manner,
        sound: desk.sound(),
        attendance: Attendance::begin(),
    }
}

/// Shows a mission that another process runs, or nobody, until the person leaves.
pub(super) fn watch(
    runtime: &tokio::runtime::Runtime,
    theme: Theme,
    showing: Showing,
) -> Result<Code, Complaint> {
    let folder = showing.journal.parent().map(PathBuf::from).unwrap_or_default();
    let shown = screen::glass().and_then(|glass| screen::show(glass, theme, showing)).map_err(|error| {
        Complaint::new(Code::Failed, format!("the terminal cannot be used: {error}"))
            .hint("--plain prints lines instead")
    })?;
    runtime.block_on(async move {
        crate::signals::watch_screen(&shown.news);
        match shown.closed.await {
            Ok(Ok(())) => Ok(Code::Done),
            Ok(Err(error)) => Err(stage::refuse(&error, &folder)),
            Err(_) => Err(Complaint::new(Code::Failed, "a defect in arbiter: the screen is gone")),
        }
    })
}

/// The same as lines: what happens is printed, what is typed is sent.
fn listen(post: &Post) -> Result<Code, Complaint> {
    let refuse = |error| stage::refuse(&error, &post.places.folder);
    let mut tail = Tail::open(&post.places.journal()).map_err(refuse)?;
    let mut state = State::default();
    let (lines, typed) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut line = String::new();
        while matches!(input.read_line(&mut line), Ok(1..)) {
            if lines.send(std::mem::take(&mut line)).is_err() {
                return;
            }
        }
    });
    let house = |text: String| drop(console::write(&[(Ink::House, format!("  = {text}"))]));
    if !post.is_heard() {
        house(post.asleep());
    }
    let mut open = true;
    loop {
        while let Some(entries) = tail.next().map_err(refuse)? {
            for (_, entry) in &entries {
                let before = state.clone();
                state.apply(entry);
                if console::write(&narrate(entry, &before, &state)).is_err() {
                    return Ok(Code::Done);
                }
            }
        }
        if state.ended.is_some() || !open && !post.is_heard() {
            return Ok(Code::Done);
        }
        let line = match typed.recv_timeout(limits::LETTERS_EVERY) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => {
                // Nobody types any more; whoever reads goes on reading while somebody runs the mission.
                open = false;
                std::thread::sleep(limits::LETTERS_EVERY);
                continue;
            }
        };
        match typed::read(line.trim(), &state) {
            Typed::Nothing => {}
            Typed::Deeds(deeds) => {
                let told = deeds.into_iter().map(|deed| post.send(deed).unwrap_or_else(Some));
                told.flatten().for_each(house);
            }
            Typed::Unclear(why) => house(why),
            Typed::Help => house(typed::help(&state).to_owned()),
            Typed::Quit => return Ok(Code::Done),
        }
    }
}
