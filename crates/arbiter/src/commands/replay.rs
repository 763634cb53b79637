//! `replay`: a mission printed again from its journal, in the words of the live output or fact by fact. It reads like
//! any other process would, so a running mission can be replayed up to now.

use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

use jiff::tz::TimeZone;
use mind::{State, Timestamp};

use crate::cli_error::{self, CliError, ExitCode};
use crate::commands::cli::ReplayArgs;
use crate::commands::journal_position::{Extent, JournalPosition, NamedPosition};
use crate::mission::fact_log::{FactLogError, FactTail};
use crate::mission::port::{FolderPort, MissionFiles as _, MissionPort as _};
use crate::mission::refusal;
use crate::terminal::Attachment;
use crate::terminal::console::{self, Line, LineInk};
use crate::terminal::presence::HumanPresence;
use crate::terminal::screen::Showing;
use crate::{clock, terminal};

use super::{CommandContext, attach, run};

/// Prints a mission again.
pub fn replay(context: &CommandContext, args: &ReplayArgs) -> Result<ExitCode, CliError> {
    if args.step && !(terminal::is_there() && io::stdout().is_terminal()) {
        return Err(CliError::new(ExitCode::Usage, "--step waits for a person, and there is no terminal")
            .hint("leave --step out, and choose a part with --from and --to"));
    }
    let (_, places) = context.named(&args.id)?;
    let runtime = run::runtime()?;
    let theme = context.theme.filter(|_| !args.is_printed());
    if let Some(theme) = theme {
        run::raise(&runtime, theme, context.prefs().manner);
    }
    let port = context.port(&places)?;
    // Damage is told before anything is printed.
    let refuse = |error| refusal::refuse(&error, &places.folder);
    let extent = measure(&port).map_err(refuse)?;
    if let Some(theme) = theme {
        let zone = TimeZone::system();
        let from = args.from.map_or(JournalPosition::Entry(1), |moment| moment.place(&extent, &zone));
        let from = first_at(&port, from).map_err(refuse)?.unwrap_or(extent.head);
        return attach::watch(&runtime, theme, showing(context, port, from));
    }
    let mut reel = Reel::open(port, args, extent).map_err(refuse)?;
    let played = if args.step { step(&mut reel) } else { play(&mut reel) };
    match played {
        Ok(()) => Ok(ExitCode::Done),
        Err(Broken::Journal(error)) => Err(refuse(error)),
        // The reader is gone.
        Err(Broken::Reader(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::Done),
        Err(Broken::Reader(error)) => Err(cli_error::unwritten(&error.to_string())),
    }
}

/// A journal that is only looked at.
fn showing(context: &CommandContext, port: FolderPort, from: u64) -> Showing {
    Showing {
        project: port.places().folder.clone(),
        port: Arc::new(port),
        seat: Attachment::Replay,
        leave: Box::new(|| {}),
        from,
        docket: None,
        manner: context.prefs().manner,
        sound: context.sound(),
        presence: HumanPresence::begin(),
    }
}

/// The first entry at this place, or after it.
fn first_at(port: &FolderPort, place: JournalPosition) -> Result<Option<u64>, FactLogError> {
    let mut tail = port.tail()?;
    while let Some(entries) = tail.next()? {
        if let Some((seq, _)) = entries.iter().find(|(seq, entry)| place.is_reached(*seq, entry.at)) {
            return Ok(Some(*seq));
        }
    }
    Ok(None)
}

/// Why a replay ends early.
enum Broken {
    Journal(FactLogError),
    Reader(io::Error),
}

impl From<FactLogError> for Broken {
    fn from(error: FactLogError) -> Broken {
        Broken::Journal(error)
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Broken {
        Broken::Reader(error)
    }
}

/// All of it, to where the journal ended when we began: a mission that writes faster than we print ends all the same.
fn play(reel: &mut Reel) -> Result<(), Broken> {
    let mut shown = false;
    while reel.seen < reel.extent.head {
        let Some(scene) = reel.next()? else { break };
        reel.print(&scene)?;
        shown |= !scene.is_empty();
    }
    if !shown {
        let Extent { head, opened, newest } = reel.extent;
        let time = |at| clock::local(at).strftime("%Y-%m-%d %H:%M:%S").to_string();
        console::remark(format!(
            "note: there is nothing to show there; the journal has entries 1 to {head}, from {} to {}",
            time(opened),
            time(newest)
        ));
    }
    Ok(())
}

/// Scene by scene, as a person asks for it.
fn step(reel: &mut Reel) -> Result<(), Broken> {
    let mut input = io::stdin().lock();
    let mut wanted = true;
    loop {
        if wanted && !reel.show_next()? {
            if reel.over || !reel.port.is_running() {
                return Ok(());
            }
            console::write(&[(LineInk::Dim, "nothing more has happened yet".to_owned())])?;
        }
        console::ask(&format!("[{}/{}]>", reel.seen, reel.extent.head.max(reel.seen)))?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        wanted = match read(line.trim()) {
            Typed::Next => true,
            Typed::Quit => return Ok(()),
            Typed::Jump(moment) => reel.jump(moment)?,
            Typed::Unknown => {
                let help = "Enter shows the next entries, a number or a time jumps there, q leaves";
                console::write(&[(LineInk::Dim, help.to_owned())])?;
                false
            }
        };
    }
}

enum Typed {
    Next,
    Jump(NamedPosition),
    Quit,
    Unknown,
}

fn read(line: &str) -> Typed {
    match line {
        "" | "n" => Typed::Next,
        "q" | "quit" => Typed::Quit,
        place => match place.strip_prefix("n ").unwrap_or(place).trim().parse() {
            Ok(moment) => Typed::Jump(moment),
            Err(_) => Typed::Unknown,
        },
    }
}

/// How far the journal reaches now.
fn measure(port: &FolderPort) -> Result<Extent, FactLogError> {
    let mut tail = port.tail()?;
    let mut extent = Extent::default();
    while let Some(entries) = tail.next()? {
        for (seq, entry) in entries {
            if extent.head == 0 {
                extent.opened = entry.at;
            }
            extent.head = seq;
            extent.newest = entry.at;
        }
    }
    Ok(extent)
}

/// What entries look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Story,
    Facts,
    Json,
}

/// The lines of one entry.
struct Group {
    seq: u64,
    at: Timestamp,
    lines: Vec<Line>,
}

/// A journal on its way past the reader.
struct Reel {
    port: FolderPort,
    tail: FactTail,
    extent: Extent,
    zone: TimeZone,
    state: State,
    /// The newest entry that was read.
    seen: u64,
    /// Nothing is shown before this place.
    from: JournalPosition,
    begun: bool,
    /// Nothing is shown after this place.
    to: Option<JournalPosition>,
    over: bool,
    form: Form,
    /// The day of the last time that was printed.
    day: Option<jiff::civil::Date>,
}

impl Reel {
    fn open(port: FolderPort, args: &ReplayArgs, extent: Extent) -> Result<Reel, FactLogError> {
        let zone = TimeZone::system();
        let form = match (args.facts, args.json) {
            (_, true) => Form::Json,
            (true, false) => Form::Facts,
            (false, false) => Form::Story,
        };
        Ok(Reel {
            tail: port.tail()?,
            port,
            extent,
            state: State::default(),
            seen: 0,
            from: args.from.map_or(JournalPosition::Entry(1), |moment| moment.place(&extent, &zone)),
            begun: false,
            to: args.to.map(|moment| moment.place(&extent, &zone)),
            over: false,
            form,
            day: None,
            zone,
        })
    }

    /// What is to be shown of the next batch; none at the end of the part that was asked for, or of the journal.
    fn next(&mut self) -> Result<Option<Vec<Group>>, FactLogError> {
        if self.over {
            return Ok(None);
        }
        let Some(entries) = self.tail.next()? else { return Ok(None) };
        let mut scene = Vec::new();
        for (seq, entry) in entries {
            self.begun |= self.from.is_reached(seq, entry.at);
            if self.begun && self.to.is_some_and(|to| to.is_passed(seq, entry.at)) {
                self.over = true;
                break;
            }
            let before = self.state.clone();
            self.state.apply(&entry);
            self.seen = seq;
            if !self.begun {
                continue;
            }
            let lines = match self.form {
                Form::Story => console::of_entry(&entry, &before, &self.state),
                Form::Facts => vec![(LineInk::Words, entry.fact.to_string())],
                Form::Json => console::as_json(seq, &entry).into_iter().collect(),
            };
            if !lines.is_empty() {
                scene.push(Group { seq, at: entry.at, lines });
            }
        }
        Ok(Some(scene))
    }

    /// Shows the next batch that has something to show; says whether there was one.
    fn show_next(&mut self) -> Result<bool, Broken> {
        while let Some(scene) = self.next()? {
            if !scene.is_empty() {
                self.print(&scene)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Stands before another place, earlier or later; says whether there is such a place.
    fn jump(&mut self, moment: NamedPosition) -> Result<bool, Broken> {
        self.extent = measure(&self.port)?;
        let Extent { head, newest, .. } = self.extent;
        let place = moment.place(&self.extent, &self.zone);
        if !place.is_reached(head, newest) {
            console::write(&[(LineInk::Dim, format!("the journal ends at entry {head}"))])?;
            return Ok(false);
        }
        self.tail = self.port.tail()?;
        self.state = State::default();
        (self.seen, self.from, self.begun, self.over) = (0, place, false, false);
        Ok(true)
    }

    fn print(&mut self, scene: &[Group]) -> io::Result<()> {
        for group in scene {
            if self.form == Form::Json {
                console::write(&group.lines)?;
                continue;
            }
            let at = clock::local(group.at);
            if self.day.replace(at.date()) != Some(at.date()) {
                console::write(&[(LineInk::Dim, format!("-- {} --", at.date()))])?;
            }
            let digits = self.extent.head.to_string().len();
            let margin = format!("{:>digits$} {} ", group.seq, at.strftime("%H:%M:%S"));
            console::write_beside(&margin, &group.lines)?;
        }
        Ok(())
    }
}
