//! `mission say|pause|...`: a letter into the mission's inbox, and a short look what became of it. Only the journal
//! tells whether it was heard.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::event::Deed;
use mind::talk::Actor;

use crate::chronicle::Chronicle;
use crate::cli::MissionDeed;
use crate::complaint::{Code, Complaint};
use crate::home::MissionPlaces;
use crate::letters::{self, Letter};
use crate::{clock, console, home, limits, stage, terminal};

use super::Desk;

/// What our sessions and checks find in their environment, and so does everything they start.
const MARK: &[u8] = b"ARBITER_MARK_";

/// Does it to the mission.
pub fn steer(desk: &Desk, deed: MissionDeed) -> Result<Code, Complaint> {
    refuse_agents()?;
    let (typed, deed) = read(deed)?;
    let (id, places) = desk.named(&typed)?;
    let state = Chronicle::peek(&places.journal()).map_err(|error| stage::refuse(&error, &places.folder))?;
    let told = format!("`arbiter show {id}` tells how it ended");
    if state.ended.is_some() {
        return Err(Complaint::new(Code::Usage, format!("mission {id} is over")).hint(told));
    }
    let now = clock::now();
    let letter_id = letters::new_letter_id(now, home::throw_dice());
    let letter = Letter { id: letter_id, actor: sender(), written_at: now, deed };
    letters::write_letter(&places.inbox(), &letter)?;
    match what_became_of(&letter, &places)? {
        Fate::Taken => console::line(format!("taken by mission {id}")),
        Fate::TooLate => {
            letters::discard(&places.inbox(), &letter.id)?;
            let cause = format!("mission {id} ended before it was heard");
            return Err(Complaint::new(Code::Usage, cause).hint(told));
        }
        Fate::Asleep => {
            console::line(format!("queued: mission {id} is not running; it hears this when it goes on"));
            console::remark(format!("hint: arbiter resume {id}"));
        }
        Fate::Busy => console::line(format!("queued: mission {id} is busy and takes it soon")),
    }
    Ok(Code::Done)
}

/// What only a person may do, no agent's session does.
pub(super) fn refuse_agents() -> Result<(), Complaint> {
    if std::env::vars_os().any(|(name, _)| name.as_encoded_bytes().starts_with(MARK)) {
        return Err(Complaint::new(Code::Usage, "an agent's session cannot speak for a human")
            .hint("an agent is heard by what it answers; a person types this in a terminal of their own"));
    }
    Ok(())
}

/// What became of a letter.
enum Fate {
    Taken,
    /// The mission is over, and nobody will ever read it.
    TooLate,
    /// Nobody runs the mission.
    Asleep,
    Busy,
}

/// Waits a moment for the letter to be taken; then the journal tells.
fn what_became_of(letter: &Letter, places: &MissionPlaces) -> Result<Fate, Complaint> {
    let file = places.inbox().join(format!("{}.json", letter.id));
    let began = Instant::now();
    let mut running = true;
    while running && file.exists() && began.elapsed() < limits::LETTER_PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        running = journal::holder(&places.journal()).is_some();
    }
    let state = Chronicle::peek(&places.journal()).map_err(|error| stage::refuse(&error, &places.folder))?;
    Ok(if state.letters.contains(&letter.id) {
        Fate::Taken
    } else if state.ended.is_some() {
        Fate::TooLate
    } else if running {
        Fate::Busy
    } else {
        Fate::Asleep
    })
}

fn read(deed: MissionDeed) -> Result<(String, Deed), Complaint> {
    Ok(match deed {
        MissionDeed::Say { id, text, orchestrator } => {
            let text = text.join(" ");
            if text.trim().is_empty() {
                return Err(Complaint::new(Code::Usage, "there are no words to say")
                    .hint("arbiter mission say ID WORDS"));
            }
            if text.len() > mind::limits::WORDS_BYTES_MAX {
                return Err(Complaint::new(
                    Code::Usage,
                    format!("{} bytes are more than one message may hold", text.len()),
                )
                .hint("put the text into a file of the project and name that file"));
            }
            let text: Arc<str> = text.into();
            (id, if orchestrator { Deed::SayToOrchestrator(text) } else { Deed::Say(text) })
        }
        MissionDeed::Pause { id } => (id, Deed::Pause),
        MissionDeed::Resume { id } => (id, Deed::Resume),
        MissionDeed::Interrupt { id } => (id, Deed::Interrupt),
        MissionDeed::Release { id } => (id, Deed::Release),
        MissionDeed::Cancel { id } => (id, Deed::Cancel),
    })
}

fn sender() -> Actor {
    match terminal::user() {
        Actor::Human { user, .. } => Actor::Human { door: Arc::from("cli"), user },
        policy @ Actor::Policy(_) => policy,
    }
}
