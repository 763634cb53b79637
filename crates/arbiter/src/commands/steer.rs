//! `mission say|pause|...`: a letter into the mission's inbox, and a short look what became of it. Only the journal
//! tells whether it was heard.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::conductor::Podium;
use mind::event::Deed;
use mind::policy::Lasts;
use mind::talk::Actor;
use mind::{AskId, MissionId, State};

use crate::chronicle::Chronicle;
use crate::cli::{LastsArg, MissionDeed};
use crate::complaint::{Code, Complaint};
use crate::home::MissionPlaces;
use crate::letters::{self, Letter};
use tui::{agents, answers};

use crate::{clock, console, home, limits, stage, terminal};

use super::desk::refuse_agents;
use super::{Desk, discard};

/// Does it to the mission.
pub fn steer(desk: &Desk, deed: MissionDeed) -> Result<Code, Complaint> {
    refuse_agents()?;
    let (typed, plea) = read(deed)?;
    let (id, places) = desk.named(&typed)?;
    discard::refuse_discarded(&id, &places)?;
    let state = Chronicle::peek(&places.journal()).map_err(|error| stage::refuse(&error, &places.folder))?;
    let told = format!("`arbiter show {id}` tells how it ended");
    if state.ended.is_some() {
        return Err(Complaint::new(Code::Usage, format!("mission {id} is over")).hint(told));
    }
    for deed in plea.deeds(&state)? {
        send(deed, &id, &places, &told)?;
    }
    Ok(Code::Done)
}

fn send(deed: Deed, id: &MissionId, places: &MissionPlaces, told: &str) -> Result<(), Complaint> {
    let now = clock::now();
    let letter_id = letters::new_letter_id(now, home::throw_dice());
    let letter = Letter { id: letter_id, actor: sender(), written_at: now, deed };
    letters::write_letter(&places.inbox(), &letter)?;
    match what_became_of(&letter, places)? {
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
    Ok(())
}

/// What was typed: an answer is bound to what its question shows only when the mission is known.
enum Plea {
    Deed(Deed),
    /// Only a conducted mission does it.
    Conducted(Deed),
    /// The agent is known only when the mission is.
    Force(String),
    Answer {
        questions: Vec<String>,
        allowed: bool,
        lasts: Lasts,
        why: String,
    },
}

impl Plea {
    fn deeds(self, state: &State) -> Result<Vec<Deed>, Complaint> {
        let (questions, allowed, lasts, why) = match self {
            Plea::Deed(deed) => return Ok(vec![deed]),
            Plea::Conducted(deed) => {
                podium_of(state)?;
                return Ok(vec![deed]);
            }
            Plea::Force(typed) => {
                let agent = agents::named(&typed, podium_of(state)?).map_err(|cause| {
                    Complaint::new(Code::Usage, cause).hint("arbiter mission force ID AGENT")
                })?;
                return Ok(vec![Deed::Force(agent)]);
            }
            Plea::Answer { questions, allowed, lasts, why } => (questions, allowed, lasts, why),
        };
        let unclear = |cause: String| {
            Complaint::new(Code::Usage, cause)
                .hint("`arbiter show ID` lists the questions that wait, such as q1")
        };
        let asks = questions.iter().map(|word| {
            answers::ask_of(word).ok_or_else(|| unclear(format!("{word:?} is not the number of a question")))
        });
        let asks: Vec<AskId> = asks.collect::<Result<_, Complaint>>()?;
        answers::bind(&asks, state, allowed, lasts, &why).map_err(unclear)
    }
}

fn podium_of(state: &State) -> Result<&Podium, Complaint> {
    state.podium.as_ref().ok_or_else(|| {
        Complaint::new(Code::Usage, "the mission is a council, and not conducted").hint(
            "force, skip and retry are for `arbiter run --way conductor`; `arbiter mission say` speaks to it",
        )
    })
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

fn read(deed: MissionDeed) -> Result<(String, Plea), Complaint> {
    let (id, deed) = match deed {
        MissionDeed::Allow { id, questions, lasts } => {
            let lasts = match lasts {
                None => Lasts::Once,
                Some(LastsArg::Hour) => Lasts::Hour,
                Some(LastsArg::Mission) => Lasts::Mission,
            };
            return Ok((id, Plea::Answer { questions, allowed: true, lasts, why: String::new() }));
        }
        MissionDeed::Deny { id, questions, why } => {
            return Ok((id, Plea::Answer { questions, allowed: false, lasts: Lasts::Once, why }));
        }
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
        MissionDeed::Force { id, agent } => return Ok((id, Plea::Force(agent))),
        MissionDeed::Skip { id } => return Ok((id, Plea::Conducted(Deed::Skip))),
        MissionDeed::Retry { id } => return Ok((id, Plea::Conducted(Deed::Retry))),
        MissionDeed::Pause { id } => (id, Deed::Pause),
        MissionDeed::Resume { id } => (id, Deed::Resume),
        MissionDeed::Interrupt { id } => (id, Deed::Interrupt),
        MissionDeed::Release { id } => (id, Deed::Release),
        MissionDeed::Cancel { id } => (id, Deed::Cancel),
    };
    Ok((id, Plea::Deed(deed)))
}

fn sender() -> Actor {
    match terminal::user() {
        Actor::Human { user, .. } => Actor::Human { door: Arc::from("cli"), user },
        policy @ Actor::Policy(_) => policy,
    }
}
