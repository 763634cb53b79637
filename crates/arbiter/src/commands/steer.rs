//! `mission say|pause|...`: a letter into the mission's inbox, and a short look whether it was taken.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::event::Deed;
use mind::talk::Actor;

use crate::chronicle::Chronicle;
use crate::cli::MissionDeed;
use crate::complaint::{Code, Complaint};
use crate::letters::{self, Letter};
use crate::{clock, console, home, limits, stage, terminal};

use super::Desk;

/// Does it to the mission.
pub fn steer(desk: &Desk, deed: MissionDeed) -> Result<Code, Complaint> {
    let (typed, deed) = read(deed)?;
    let (id, places) = desk.named(&typed)?;
    let state = Chronicle::peek(&places.journal()).map_err(|error| stage::refuse(&error, &places.folder))?;
    if state.ended.is_some() {
        return Err(Complaint::new(Code::Usage, format!("mission {id} is over"))
            .hint(format!("`arbiter show {id}` tells how it ended")));
    }
    let letter =
        Letter { id: letters::new_letter_id(clock::now(), home::throw_dice()), actor: sender(), deed };
    letters::write_letter(&places.inbox(), &letter)?;
    if journal::holder(&places.journal()).is_none() {
        console::line(format!("queued: mission {id} is not running; it hears this when it goes on"));
        eprintln!("hint: arbiter resume {id}");
        return Ok(Code::Done);
    }
    let file = places.inbox().join(format!("{}.json", letter.id));
    let began = Instant::now();
    while file.exists() {
        if began.elapsed() > limits::LETTER_PATIENCE {
            console::line(format!("queued: mission {id} is busy and takes it soon"));
            return Ok(Code::Done);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    console::line(format!("taken by mission {id}"));
    Ok(Code::Done)
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
