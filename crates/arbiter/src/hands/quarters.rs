//! Where a session's process lives: each is started in its quarters, held as the machine and the user have it.

use std::sync::Arc;

use mind::lay::Level;
use mind::session::Profile;
use mind::{Address, AgentEvent, Event};
use providers::cage::{Cage, Housing};
use providers::{Start, Trust, api, claude, rehearsal};

use super::{CLAUDE, Hands};

impl Hands {
    pub(super) fn spawn(&mut self, address: Address, profile: Arc<Profile>, resume: bool, spoke: bool) {
        // An earlier life that is still there would work beside it.
        self.see_off(address.session);
        let number = profile.session.0;
        let provider = profile.provider.clone();
        let trust = match self.trust(&provider) {
            Ok(trust) => Arc::new(trust),
            Err(why) => {
                return self.tell(Event::Agent(address, AgentEvent::Lost { why: Arc::from(why) }));
            }
        };
        let start = Start {
            address,
            profile,
            resume,
            spoke,
            mission: Arc::clone(&self.turns.mission),
            folder: self.ground.clone.clone(),
            trust,
            leaving: self.turns.leaving.subscribe(),
            logbook: self.folder.join("sessions").join(format!("{number}.jsonl")),
            live: self.live.clone(),
        };
        let events = self.events.clone();
        let handle = match (provider.as_str(), &self.claude, &self.api) {
            (CLAUDE, Some(options), _) => claude::start(options, start, events),
            (CLAUDE, None, _) => {
                let why = Arc::from("Claude Code was not found on this machine; `arbiter doctor` says more");
                return self.tell(Event::Agent(address, AgentEvent::Lost { why }));
            }
            (api::NAME, _, Some(options)) => api::start(options, start, events),
            (api::NAME, _, None) => {
                let why = Arc::from("nobody says which model is to be spoken to, and where");
                return self.tell(Event::Agent(address, AgentEvent::Lost { why }));
            }
            _ => rehearsal::start(&self.rehearsal, start, events),
        };
        self.sessions.insert(address.session, (address.incarnation, handle));
    }

    /// How far a session is trusted, and where it runs.
    pub(super) fn trust(&mut self, provider: &str) -> Result<Trust, String> {
        let (policy, git) = (self.policy.clone(), self.git_cage()?);
        // A session without a process needs no cage.
        if self.hold.own.is_empty() || provider == api::NAME {
            return Ok(Trust { policy, git, ..Trust::default() });
        }
        let housing = match self.housing.get(provider) {
            Some(housing) => housing.clone(),
            None => self.house(provider)?,
        };
        self.housing.insert(provider.to_owned(), housing.clone());
        Ok(Trust { policy, lay: housing.lay.clone(), housing: Some(housing), git })
    }

    fn house(&self, provider: &str) -> Result<Housing, String> {
        let clone = &self.ground.clone;
        match self.claude.as_ref().filter(|_| provider == CLAUDE) {
            Some(options) => {
                let users = claude::cast::home(&options.env).ok_or("nobody says where your home is")?;
                let (program, env) = (&options.program, &options.env);
                self.hold.for_claude(clone, program, &users, options.settings, env)
            }
            None => self.hold.for_actors(clone, &self.rehearsal.script, &self.rehearsal.store),
        }
    }

    /// Where git looks at the clone.
    pub(super) fn git_cage(&self) -> Result<Option<Arc<Cage>>, String> {
        match self.hold.level {
            Level::Off => Ok(None),
            Level::Landlock | Level::Bubblewrap => {
                self.hold.for_commands(&self.ground.clone).map(|cage| Some(Arc::new(cage)))
            }
        }
    }
}
