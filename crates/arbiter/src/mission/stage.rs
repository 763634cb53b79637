//! Puts a mission on the stage: opens its journal, wakes it, and joins the rooms around its loop until it rests.
//! A new mission and a resumed one take the same way: to open is to write a journal, to run is to wake it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use docket::Docket;
use journal::LogStore;
use mind::actor::Door;
use mind::charter::{Way, WhenAway};
use mind::{Event, State};
use providers::{api, claude, rehearsal};
use sandbox::Site;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tui::manner::Manner;
use tui::narrate;
use tui::sight::Seat;
use tui::theme::Theme;

use crate::complaint::{Code, Complaint};
use crate::mission::bridge::Bridge;
use crate::mission::chronicle::{Chronicle, ChronicleError, MissionJournal};
use crate::mission::ground::{Pace, ground_of};
use crate::mission::hands::cages::Cages;
use crate::mission::hands::clone_view::CloneView;
use crate::mission::hands::disk::DiskQueue;
use crate::mission::hands::{Hands, conducting};
use crate::mission::house::House;
use crate::mission::port::{LocalPort, MissionPort, intake, socket};
use crate::mission::refusal::refuse;
use crate::mission::{last_session, scripted_human};
use crate::project::home::MissionPlaces;
use crate::terminal::console::{Answers, Console, Style};
use crate::terminal::presence::HumanPresence;
use crate::terminal::prompt::Prompt;
use crate::terminal::screen::{self, News, Showing, Shown};
use crate::terminal::sound::Sound;
use crate::terminal::{console, farewell, signals};
use crate::{limits, terminal};

/// How a mission is shown and who is there.
#[derive(Debug, Clone, Copy)]
pub struct Audience {
    /// Text or JSON.
    pub style: Style,
    /// Somebody can type.
    pub typing: bool,
    /// The mission is new: its journal is printed from the first entry.
    pub from_start: bool,
    /// How the screen looks; lines are printed if none.
    pub theme: Option<Theme>,
    /// How the person wants it.
    pub manner: Manner,
}

impl Audience {
    /// Lines for people are printed.
    pub fn prints(&self) -> bool {
        self.style == Style::Text && self.theme.is_none()
    }
}

/// What a mission is run with.
pub struct Means {
    /// Where its journal is kept.
    pub journals: Arc<dyn LogStore>,
    /// Where the actors of a rehearsal keep their conversations.
    pub store: PathBuf,
    /// How sessions of Claude Code are started; none if it is not on this machine.
    pub claude: Option<claude::Options>,
    /// How the Arbiter is spoken to over an API, if it is.
    pub api: Option<api::Options>,
    /// What holds agents, checks and git.
    pub hold: Arc<Site>,
    /// Where questions wait for somebody who is not at the terminal.
    pub docket: Docket,
    /// How long somebody at the terminal may touch nothing before they are away.
    pub away_after: Duration,
    /// What a conducted mission needs besides.
    pub conducting: conducting::Means,
    /// What is heard of it.
    pub sound: Sound,
}

/// Runs the mission in `folder` until it rests.
pub async fn perform(folder: PathBuf, means: Means, audience: Audience) -> Result<Code, Complaint> {
    let Means { journals, store, claude, api, hold, docket, away_after, conducting, sound } = means;
    let places = MissionPlaces { folder: folder.clone() };
    let journal = MissionJournal::new(journals, places.journal());
    let (chronicle, state, cut) = Chronicle::open(&journal).map_err(|error| refuse(&error, &folder))?;
    let named = folder.file_name().unwrap_or_default().to_string_lossy();
    if chronicle.mission() != named {
        let told = format!("the journal in the folder of mission {named} is that of {}", chronicle.mission());
        return Err(Complaint::new(Code::Failed, told)
            .hint("nothing was begun; give each mission its own journal back, or discard the folder"));
    }
    if let Some(cut) = cut {
        let kept = cut.kept_in.display();
        console::remark(format!(
            "note: {} bytes of an unfinished write were cut and are kept in {kept}",
            cut.bytes
        ));
    }
    let ground = ground_of(&folder)?;
    let script = folder.join("rehearsal.yaml");
    let lines = if script.exists() || is_rehearsal(&state) {
        let script = rehearsal::Script::load(&script);
        script.map_err(|error| Complaint::of(Code::Failed, &error))?.human
    } else {
        Vec::new()
    };

    let (events, inbox) = mpsc::channel(limits::INBOX_MAX);
    let mission = state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default();
    let project = ground.project.clone();
    let scratch = ground.scratch;
    // What can be named are the files that are worked on.
    let files = if scratch { ground.source.clone() } else { project.clone() };
    let policy = state.charter.as_ref().map(|charter| charter.policy.clone()).unwrap_or_default();
    let live = providers::live::Tails::default();
    let rehearsal = rehearsal::Options {
        argv: vec![own_program(), "__actor".into()],
        script,
        store,
        pace: match ground.pace {
            Pace::Fast => rehearsal::Pace::Fast,
            Pace::Human => rehearsal::Pace::Human,
        },
    };
    let cages =
        Arc::new(Cages::new(Arc::clone(&hold), ground.clone.clone(), rehearsal.clone(), claude.clone()));
    let clone_view = Arc::new(CloneView::new(ground.clone.clone(), Arc::clone(&cages)));
    let (disk, disk_thread) = DiskQueue::open(folder.clone(), project.clone());
    let hands = Hands {
        folder: folder.clone(),
        rehearsal,
        claude,
        api,
        policy,
        hold,
        cages,
        clone_view,
        disk,
        disk_thread,
        ground,
        events: events.clone(),
        live: live.clone(),
        bridge: Bridge::open(docket.clone(), events.clone()),
        sessions: BTreeMap::new(),
        errands: JoinSet::new(),
        turns: crate::mission::hands::Turns::begin(&mission),
        conducting,
    };
    let unattended = state.unattended;
    let away = state.charter.as_ref().map(|charter| charter.away);
    let presence = HumanPresence::begin();
    let after = if audience.from_start { 0 } else { chronicle.head() };
    let (house, view) = House::new(chronicle, state, inbox, hands);

    let (stop, stopped) = watch::channel(false);
    signals::watch(stop.clone(), view.clone(), mission.clone());
    // It is in the inbox before anybody can speak.
    let _ = events.send(Event::Started).await;
    if unattended == audience.typing {
        let _ = events.send(Event::Attended(audience.typing)).await;
    }
    if audience.typing && away == Some(WhenAway::Petition) {
        tokio::spawn(presence.clone().watch(away_after, events.clone()));
    }
    let port: Arc<dyn MissionPort> = Arc::new(LocalPort::open(
        places.clone(),
        journal,
        terminal::person(Door::Terminal),
        events.clone(),
        view.clone(),
        live.clone(),
    ));
    let inbox_bell = Arc::new(Notify::new());
    let sources = socket::Sources { view: view.clone(), live, inbox: Arc::clone(&inbox_bell) };
    let _served = socket::serve(&folder, sources).inspect_err(|error| {
        console::remark(format!("note: `arbiter attach` shows no live text of this mission: {error}"));
    });
    let played = !lines.is_empty();
    let speechless = Arc::new(AtomicBool::new(false));
    let console = Console {
        port: Arc::clone(&port),
        after,
        style: audience.style,
        answers: match (played, audience.typing) {
            (true, _) => Answers::Scripted,
            (false, true) => Answers::Here,
            (false, false) => Answers::Elsewhere(format!("arbiter mission say {mission} WORDS")),
        },
    };
    let shown = match audience.theme {
        Some(theme) => {
            let showing = Showing {
                port: Arc::clone(&port),
                project: files,
                seat: Seat::House,
                leave: leaving(stop.clone()),
                from: 0,
                docket: Some(docket.clone()),
                manner: audience.manner,
                sound,
                presence: presence.clone(),
            };
            Some(put_up(theme, showing)?)
        }
        None => None,
    };
    let printer = shown.is_none().then(|| print_beside(console));
    if played {
        let (stop, speechless) = (stop.clone(), Arc::clone(&speechless));
        let aloud = move || {
            if audience.typing {
                console::remark("note: the rehearsal has no more lines for you; type your own");
            } else {
                speechless.store(true, Ordering::Relaxed);
                stop.send_replace(true);
            }
        };
        tokio::spawn(scripted_human::play(lines, Arc::clone(&port), aloud));
    }
    if audience.typing && shown.is_none() {
        let prompt = Prompt {
            port,
            stop: stop.clone(),
            presence,
            aloud: match audience.style {
                Style::Text => |text| drop(console::write(&[(narrate::Ink::House, format!("  = {text}"))])),
                Style::Json => |text| console::remark(format!("note: {text}")),
            },
        };
        std::thread::spawn(move || prompt.listen(std::io::stdin().lock()));
    }
    tokio::spawn(intake::take_in(places, events, inbox_bell));

    // A task of its own, so that a defect in it still ends with the id line and a clear word.
    let ended = tokio::spawn(house.run(stopped)).await;
    let last = view.borrow().clone();
    let unseen = match shown {
        Some(shown) => take_down(shown, last.state.ended.is_some(), stop.subscribe()).await,
        None => None,
    };
    let style = match printer {
        Some(printer) => finish_printing(printer).await.then_some(audience.style),
        None => Some(audience.style),
    };
    last_session::write(&project, &last.state);
    if audience.theme.is_none() && last.state.way() == Way::Council {
        // On the screen the ids stand among the sessions; a conducted mission has a session for every run.
        console::remark(last_session::line(&last.state));
    }
    if audience.typing {
        // What was typed too late is not for the shell.
        let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    }
    if let Some(error) = unseen {
        // What cannot be read cannot be shown: the house was brought to rest for that.
        return Err(refuse(&error, &folder));
    }
    let code = match ended {
        Ok(Ok(None)) if speechless.load(Ordering::Relaxed) => Err(Complaint::new(
            Code::Failed,
            "the rehearsal has no line for the human's answer, and nobody is there",
        )
        .hint(format!("answer with `arbiter mission say {mission} WORDS`, then `arbiter resume {mission}`"))),
        Ok(Ok(leave)) => {
            if audience.theme.is_some() {
                let lines = narrate::ending(&last.state);
                console::patiently(move || drop(console::write(&lines)));
            }
            farewell::say(leave, &last.state, &mission, style, scratch)
        }
        Ok(Err(error)) => Err(refuse(&error, &folder)),
        Err(defect) => Err(Complaint::new(Code::Failed, format!("a defect in arbiter: {defect}"))
            .hint(format!("nothing is lost: `arbiter resume {mission}` goes on"))),
    };
    if style == Some(Style::Json) {
        let code = match &code {
            Ok(code) => *code,
            Err(complaint) => complaint.code,
        };
        let end = serde_json::json!({"end": {"mission": mission, "code": code as u8}});
        console::patiently(move || console::line(end));
    }
    code
}

fn leaving(stop: watch::Sender<bool>) -> Box<dyn FnMut() + Send> {
    Box::new(move || {
        stop.send_replace(true);
    })
}

/// Puts a screen up.
fn put_up(theme: Theme, showing: Showing) -> Result<Shown, Complaint> {
    let shown = screen::glass().and_then(|glass| screen::show(glass, theme, showing)).map_err(|error| {
        Complaint::new(Code::Failed, format!("the terminal cannot be used: {error}"))
            .hint("--plain prints lines instead")
    })?;
    signals::watch_return(shown.news.clone());
    Ok(shown)
}

/// Takes the screen down. A mission that is over can be read until the person leaves. Says why nothing could be shown
/// any more, if that was so.
async fn take_down(mut shown: Shown, over: bool, mut stop: watch::Receiver<bool>) -> Option<ChronicleError> {
    if over {
        tokio::select! {
            closed = &mut shown.closed => return closed.ok()?.err(),
            _ = stop.wait_for(|stop| *stop) => {}
        }
    }
    let _ = shown.news.send(News::Close);
    match tokio::time::timeout(limits::READER_PATIENCE, &mut shown.closed).await {
        Ok(closed) => closed.ok()?.err(),
        Err(_) => {
            // Nobody reads what we draw.
            console::patiently(tui::terminal::give_back);
            None
        }
    }
}

/// A rehearsal without its script cannot go on.
fn is_rehearsal(state: &State) -> bool {
    state.charter.as_ref().is_some_and(|charter| charter.seats.arbiter.provider == "rehearsal")
}

/// Prints on a plain thread: one that is stuck in a full pipe ends with the program, and nothing waits for it.
fn print_beside(console: Console) -> oneshot::Receiver<()> {
    let (done, printer) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = console.follow();
        let _ = done.send(());
    });
    printer
}

/// Waits for the printer as long as somebody reads. Says whether stdout can be written to: a stuck printer holds it.
async fn finish_printing(mut printer: oneshot::Receiver<()>) -> bool {
    loop {
        let printed = console::printed();
        if tokio::time::timeout(limits::READER_PATIENCE, &mut printer).await.is_ok() {
            return true;
        }
        if console::printed() == printed {
            return false;
        }
    }
}

fn own_program() -> std::ffi::OsString {
    std::env::current_exe().map_or_else(|_| "arbiter".into(), Into::into)
}
