//! A toy door, the example for the next one: it shows what waits, answers a petition to its end, speaks to a mission and
//! follows it. Its words are `view`'s, its acts the docket's and the port's; it only lays them out, here as lines.

use std::sync::{Arc, mpsc::channel};

use docket::{Docket, DocketError};
use doors::refusal::docket_refusal;
use mind::actor::Actor;
use mind::petition::{AnswerChoice, PetitionId, PetitionStatus, SeenQuestion};
use mind::{State, Timestamp};
use view::port::MissionPort;
use view::queue::WaitingPetition;
use view::refusal::RefusalCause;
use view::told::{FactView, tell};
use view::typed::{self, Typed};
use view::{decision, letters, queue, review, status};

/// A door for one person, to a docket and a mission.
pub struct ToyDoor {
    pub docket: Docket,
    pub mission: Arc<dyn MissionPort>,
    pub person: Actor,
    pub now: fn() -> Timestamp,
}

impl ToyDoor {
    /// What waits: a headline, and a line for each petition.
    pub fn queue(&self) -> Result<Vec<String>, RefusalCause> {
        let now = (self.now)();
        let refused = |error: DocketError| docket_refusal(&error, now);
        let found = self.docket.queue(now).map_err(refused)?.petitions;
        let stored = found.iter().map(|found| self.docket.read(&found.id, now).map_err(refused));
        let stored = stored.collect::<Result<Vec<_>, _>>()?;
        let waiting: Vec<_> = stored.iter().map(|stored| WaitingPetition::from(&stored.petition)).collect();
        let view = queue::queue(&waiting, [], now);
        let rows = view.rows.into_iter().map(|row| format!("{}: {} ({})", row.id, row.title, row.progress));
        Ok([view.text].into_iter().chain(rows).collect())
    }

    /// Answers the open question with what was typed, if anything was, and shows the next. The last answer submits.
    pub fn petition(&self, id: &PetitionId, typed: Option<&str>) -> Result<Vec<String>, RefusalCause> {
        let now = (self.now)();
        let refused = |error: DocketError| docket_refusal(&error, now);
        let petition = self.docket.read(id, now).map_err(refused)?.petition;
        let open = petition.decisions.iter().find(|decision| !decision.is_decided());
        let Some(open) = open else { return Ok(vec![review::counts(&petition)]) };
        let Some(typed) = typed else {
            let view = decision::decision(&petition, open, now);
            let options = view.options.into_iter().map(|option| {
                format!("{}) {}", option.letter.unwrap_or('-'), option.label.unwrap_or(option.key))
            });
            return Ok([view.title].into_iter().chain(options).collect());
        };
        let choice =
            AnswerChoice::Answer(letters::options_of(typed, open).unwrap_or_else(|| typed.into()).into());
        // The answer holds for the question that was shown, and for no other.
        let seen = SeenQuestion { question: Some(petition.digest(open)), ..SeenQuestion::default() };
        let answered = self.docket.answer(id, &open.id, choice, &seen, &self.person, now);
        if answered.map_err(refused)?.petition.status() == PetitionStatus::Ready {
            self.docket.submit(id, &self.person, now).map_err(refused)?;
        }
        self.petition(id, None)
    }

    /// Does to the mission what a typed line means, and gives what the person should know of it.
    pub fn say(&self, line: &str) -> Result<Vec<String>, RefusalCause> {
        let actions = match typed::read(line, &*self.mission.state()?) {
            Typed::Actions(actions) => actions,
            Typed::Unclear(why) => return Ok(vec![why]),
            Typed::Nothing | Typed::Quit | Typed::Help => return Ok(Vec::new()),
        };
        let said = actions.into_iter().map(|action| self.mission.say(action)).collect::<Result<Vec<_>, _>>();
        Ok(said?.iter().filter_map(|receipt| receipt.note(self.mission.mission())).collect())
    }

    /// Gives `show` what happens in the mission from its first fact on, and comes back with how it ended.
    pub fn follow(&self, mut show: impl FnMut(String)) -> Result<String, RefusalCause> {
        let (hear, moved) = channel();
        self.mission.follow(Box::new(move |moved| hear.send(moved).is_ok()));
        let (mut facts, mut state) = (self.mission.facts()?, State::default());
        loop {
            for fact in facts.by_ref() {
                let (before, (_, entry)) = (state.clone(), fact?);
                state.apply(&entry);
                tell(&entry, &before, &state).into_iter().map(line).for_each(&mut show);
            }
            if state.ended.is_some() || moved.recv().is_err() {
                return Ok(status::status(&state, (self.now)()).text);
            }
        }
    }
}

fn line(fact: FactView) -> String {
    match fact {
        FactView::Message(message) => format!("{}: {}", message.from, message.text),
        FactView::Permission(permission) => format!("{} asks: {}", permission.by, permission.what),
        FactView::Remark(remark) => remark.text,
    }
}
