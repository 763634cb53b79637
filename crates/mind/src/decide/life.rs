//! Opening a mission, starting it again, beginning and ending its sessions.

use std::sync::Arc;

use crate::charter::{Charter, ProviderChoice, Way};
use crate::conductor::agent::SessionAssignment;
use crate::effect::{Effect, SessionCommand, SessionSpawn, WorkspaceEffect};
use crate::fact::{LifeFact, MissionFact, SessionFact};
use crate::id::{SessionId, roman, uuid};
use crate::prompt::{self, PromptContext};
use crate::session::{Profile, QueuedMessage, Role, Session};
use crate::talk::{Listener, MessageKind, Speaker};

use super::StepBuilder;

impl StepBuilder {
    pub(crate) fn open(&mut self, charter: Charter) {
        if self.state.charter.is_some() {
            return self.note("the mission is open already".to_owned());
        }
        self.mission(MissionFact::Opened(Box::new(charter)));
        self.effect(Effect::Workspace(WorkspaceEffect::PrepareClone));
    }

    /// The mission loop starts again: every live session gets a new process, and everything in flight is done again.
    pub(crate) fn start_again(&mut self) {
        if self.state.charter.is_none() || self.state.ended.is_some() {
            for effect in self.state.on_start() {
                self.effect(effect);
            }
            return self.note("there is nothing to go on with".to_owned());
        }
        self.mission(MissionFact::Restarted { run: self.state.run + 1 });
        self.try_logins();
        for effect in self.state.on_start() {
            self.effect(effect);
        }
        self.replace_lost_call();
    }

    /// The clone is ready: the first session begins.
    pub(crate) fn begin_in_clone(&mut self, folder: Arc<str>, base: Arc<str>, branch: Arc<str>) {
        if self.state.clone_place.is_some() {
            return self.note(format!("the clone stands already: {folder}"));
        }
        let Some(charter) = self.charter() else {
            return self.note("a clone without a mission".to_owned());
        };
        self.mission(MissionFact::CloneReady { folder, base, branch });
        if charter.way() == Way::Conductor {
            return self.begin_conducting();
        }
        let seat = charter.seats.arbiter.clone();
        let arbiter = self.begin_session(Role::Arbiter, 0, seat);
        let opening = prompt::render(&charter, "opening.md", &self.setting(0));
        self.post(arbiter, QueuedMessage::Notice(opening));
        // Words that the human said before the session existed.
        for message in self.state.unheard.clone() {
            self.post(arbiter, QueuedMessage::Words(message));
        }
    }

    /// The clone was lost and made again: the session that works in it is told what is gone; without a worker, the Arbiter
    /// is, if one has worked.
    pub(crate) fn go_on_in_new_clone(&mut self, commit: Arc<str>) {
        let Some(charter) = self.charter().filter(|_| self.state.clone_place.is_some()) else {
            return self.note("a clone was made again before there was one".to_owned());
        };
        let values = [("commit", commit.as_ref())];
        let notice = prompt::render_with(&charter, "clone-rebuilt.md", &self.setting(0), &values);
        self.mission(MissionFact::CloneRebuilt { commit });
        let works = |session: &&Session| session.profile.role != Role::Arbiter;
        let worker = self.state.live_sessions().find(works).map(|session| session.profile.session);
        let has_worked = self.state.sessions.values().any(|session| works(&&**session));
        match worker {
            Some(worker) => self.post(worker, QueuedMessage::Notice(notice)),
            None if has_worked => self.post_to_arbiter(QueuedMessage::Notice(notice)),
            None => {}
        }
    }

    /// Begins the session of a new Orchestrator, which is told its number. An active one is released first.
    pub(crate) fn summon(
        &mut self,
        role: Role,
        seat: ProviderChoice,
        brief: Option<String>,
        cast: Option<SessionAssignment>,
    ) {
        // At a limit nothing begins; the Arbiter hears so when the mission goes on.
        if self.state.closing.is_some() {
            return;
        }
        self.release_worker();
        if let Some(reached) = self.state.summons_spent(role) {
            return self.close(&reached);
        }
        self.void_claim("another Orchestrator was summoned while the checks ran");
        let Some(charter) = self.charter() else { return };
        let number = self.state.orchestrators + 1;
        let worker = self.begin_cast(role, number, seat, cast);
        if let Some(brief) = brief {
            let to = Listener::Orchestrator(number);
            self.say(Speaker::Arbiter, to, MessageKind::Plain, &brief);
            return self.post(worker, QueuedMessage::Address(Arc::from(brief)));
        }
        let file = match role {
            Role::Verifier => "introduce-verifier.md",
            Role::Orchestrator | Role::Arbiter | Role::Agent => "introduce.md",
        };
        let introduce = prompt::render(&charter, file, &self.setting(number));
        self.post(worker, QueuedMessage::Notice(introduce));
    }

    pub(crate) fn begin_session(&mut self, role: Role, number: u32, seat: ProviderChoice) -> SessionId {
        self.begin_cast(role, number, seat, None)
    }

    /// Begins a session that plays an agent: its own prompt follows the role's.
    pub(crate) fn begin_cast(
        &mut self,
        role: Role,
        number: u32,
        seat: ProviderChoice,
        cast: Option<SessionAssignment>,
    ) -> SessionId {
        let session = SessionId(self.state.sessions.len() as u32 + 1);
        let charter = self.charter();
        let seed = charter.as_ref().map_or(0, |charter| charter.seed);
        let file = match role {
            Role::Arbiter => "arbiter.md",
            Role::Orchestrator => "orchestrator.md",
            Role::Verifier => "verifier.md",
            Role::Agent => "agent.md",
        };
        let (casting, own) = cast.unzip();
        let prompt = match &charter {
            // An heir gets the Arbiter's own prompt, and what an heir must know besides.
            Some(charter) if role == Role::Arbiter && session.0 > 1 => {
                let own = prompt::render(charter, file, &self.setting(number));
                let heir = prompt::render(charter, "successor.md", &self.setting(number));
                Arc::from(format!("{own}\n\n{heir}"))
            }
            Some(charter) => prompt::render(charter, file, &self.setting(number)),
            None => Arc::from(""),
        };
        let prompt = own.map_or(prompt.clone(), |own| Arc::from(format!("{prompt}\n\n{own}")));
        let scout = charter.as_ref().filter(|_| role == Role::Arbiter);
        let scout = scout.map(|charter| prompt::render(charter, "scout.md", &self.setting(number)));
        let profile = Profile {
            session,
            role,
            number,
            provider: seat.provider,
            model: seat.model,
            key: uuid(seed, "session", session.0),
            prompt,
            scout,
            casting,
        };
        self.session(session, SessionFact::Life(LifeFact::Summoned(profile.clone())));
        let address = self.state.sessions.get(&session).map(|session| session.address());
        if let Some(address) = address {
            let (profile, resume, spoke, gauge) = (Arc::new(profile), false, false, None);
            let budgeted = self.state.is_budgeted();
            self.effect(Effect::Spawn(SessionSpawn { address, profile, resume, spoke, gauge, budgeted }));
        }
        session
    }

    /// Ends the session of the active Orchestrator. Says whether there was one.
    pub(crate) fn release_worker(&mut self) -> bool {
        let Some(worker) = self.state.worker().cloned() else {
            return false;
        };
        let address = worker.address();
        self.session(address.session, SessionFact::Life(LifeFact::Released));
        self.effect(Effect::Session(address, SessionCommand::End));
        // The human's words that it can no longer hear go to the Arbiter.
        for message in worker.unheard_words() {
            self.post_to_arbiter(QueuedMessage::Words(message));
        }
        true
    }

    /// What the prompts may speak of, as it is now.
    pub(crate) fn setting(&self, number: u32) -> PromptContext {
        let tasks = self.state.tasks.iter().map(|(owner, task)| {
            let mark = task.status.mark();
            format!("- [{mark}] {} (Orchestrator {})", task.title, roman(*owner))
        });
        let tasks: Vec<String> = tasks.collect();
        PromptContext {
            numeral: roman(number),
            count_before: number.saturating_sub(1),
            folder: self.state.clone_place.as_ref().map(|settled| settled.folder.clone()),
            tasks: if tasks.is_empty() { "empty".to_owned() } else { tasks.join("\n") },
        }
    }
}
