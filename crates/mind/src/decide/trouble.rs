//! Faults of sessions: errors, limits, logins, dead processes, silence. Every wait has a deadline, and every retry a bound
//! or a growing pause.

use std::sync::Arc;

use crate::actor::Actor;
use crate::effect::{Effect, SessionCommand};
use crate::event::Failure;
use crate::fact::{HaltCause, LifeFact, SessionFact, TurnFact, WorkFact};
use crate::id::{SessionId, Timestamp, TurnId, roman, uuid};
use crate::limits;
use crate::prompt;
use crate::session::{QueuedMessage, Role, Section, Session, Wait, WaitKind};
use crate::state::State;
use crate::talk::{MessageKind, Speaker};

use super::StepBuilder;

/// Who interrupts a session that has been silent for too long.
pub(crate) const WATCHDOG: &str = "watchdog";

impl State {
    /// No person is there, and none comes back: no terminal is open.
    pub fn is_deserted(&self) -> bool {
        self.unattended && !self.at_terminal
    }

    /// The next moment at which time alone changes something; the loop sends an alarm then.
    pub fn deadline(&self) -> Option<Timestamp> {
        if self.ended.is_some() || self.halted.is_some() {
            return None;
        }
        let sessions = self.live_sessions().filter_map(|session| self.due(session)).min();
        [sessions, self.conductor_due(), self.limits_due(), self.agent_limit_due()]
            .into_iter()
            .flatten()
            .min()
    }

    fn due(&self, session: &Session) -> Option<Timestamp> {
        if let Some(wait) = &session.health.wait {
            // In a pause and behind a limit nothing begins, and a login is mended by a person: so nothing is due.
            let is_due = !self.paused && self.closing.is_none() && wait.kind != WaitKind::Login;
            return is_due.then_some(wait.until);
        }
        // Waiting for a person is no silence.
        if session.turns.current.is_none() || session.awaits_person() {
            return None;
        }
        let patience = self.charter.as_ref()?.patience;
        let patience_ms =
            if session.tool_use.running.is_empty() { patience.silence_ms } else { patience.tool_ms };
        let steps = u64::from(session.health.silence_stage) + 1;
        Some(Timestamp(session.health.active_at.0.saturating_add(patience_ms.saturating_mul(steps))))
    }
}

impl StepBuilder {
    /// Time has passed: whatever is due is done.
    pub(crate) fn ring(&mut self) {
        let now = self.now();
        let due: Vec<SessionId> = self
            .state
            .live_sessions()
            .filter(|session| self.state.due(session).is_some_and(|due| due <= now))
            .map(|session| session.profile.session)
            .collect();
        if self.state.ended.is_some() || self.state.halted.is_some() {
            return self.note("nothing is due".to_owned());
        }
        // What a limit ends is ended after every event.
        let is_limit = [self.state.limits_due(), self.state.agent_limit_due()];
        if is_limit.into_iter().flatten().any(|due| due <= now) || self.ring_conductor() {
            return;
        }
        if due.is_empty() {
            return self.note("nothing is due".to_owned());
        }
        for id in due {
            let Some(session) = self.state.sessions.get(&id).cloned() else { continue };
            match session.health.wait.as_ref().map(|wait| wait.kind) {
                Some(WaitKind::Backoff | WaitKind::Limit) => self.retry(&session),
                Some(WaitKind::Revival) => self.revive(&session),
                // Never due.
                Some(WaitKind::Login) => {}
                None => self.watch(&session),
            }
        }
        // A run whose time was over when its wait began is over now that the wait is.
        self.ring_conductor();
    }

    /// The turn ended in an error. Errors in a row are counted until a turn is completed.
    pub(crate) fn turn_failed(&mut self, session: &Session, turn: TurnId, failure: Failure) {
        if session.turns.current.as_ref().map(|running| running.id) != Some(turn)
            || session.health.wait.is_some()
        {
            return self.note(format!("{} fails in {turn}, which is not in flight", session.address()));
        }
        let now = self.now();
        let (kind, after_ms, why) = match failure {
            Failure::Refused(why) => return self.refused(session, turn, &why),
            // The conductor can try another agent, or another provider.
            Failure::Transient(why)
                if session.profile.role == Role::Agent && session.health.failures >= limits::BACKOFFS_MAX =>
            {
                return self.player_lost(
                    session,
                    true,
                    &format!("its provider failed again and again: {why}"),
                );
            }
            Failure::Transient(why) if session.health.failures < limits::BACKOFFS_MAX => {
                (WaitKind::Backoff, self.backoff(session), why)
            }
            Failure::Transient(why) => {
                (WaitKind::Backoff, probe(session.health.failures - limits::BACKOFFS_MAX), why)
            }
            Failure::Limited { why, until: Some(until) } if until > now => {
                (WaitKind::Limit, until.0.saturating_sub(now.0).max(limits::BACKOFF_MS), why)
            }
            // A time that has passed already is as good as none.
            Failure::Limited { why, until: Some(_) | None } => {
                (WaitKind::Limit, probe(session.health.failures), why)
            }
            Failure::Unauthorised(why) => return self.want_login(session, why),
        };
        let until = Timestamp(now.0.saturating_add(after_ms));
        self.wait(session, Wait { kind, until, why });
    }

    /// The process ended for want of a login.
    pub(crate) fn logged_out(&mut self, session: &Session, why: Arc<str>) {
        if session.health.wait.is_some() {
            return self.note(format!("{} is gone while it waits: {why}", session.address()));
        }
        self.want_login(session, why);
    }

    /// Only a person can mend a login. At a terminal that person is waited for, and nothing is tried before; without one
    /// there is nothing to wait for, and the next start tries it at once.
    fn want_login(&mut self, session: &Session, why: Arc<str>) {
        let until = self.now();
        self.wait(session, Wait { kind: WaitKind::Login, until, why });
        self.halt_for_login();
    }

    /// A session wants a login, and no person is there to mend it, nor comes back to an open terminal.
    pub(crate) fn halt_for_login(&mut self) {
        let waits = self.state.live_sessions().find(|session| session.wants_login());
        let Some(session) = waits.filter(|_| self.state.is_deserted() && self.state.halted.is_none()) else {
            return;
        };
        let why = session.health.wait.as_ref().map_or("", |wait| &wait.why);
        let why = format!("{} cannot log in: {why}", session.profile.speaker());
        self.halt(HaltCause::Provider, Arc::from(why));
    }

    fn wait(&mut self, session: &Session, wait: Wait) {
        self.session(session.profile.session, SessionFact::Life(LifeFact::Waits(wait)));
    }

    /// Twice as long each time, with up to a quarter of jitter from the mission's own dice.
    fn backoff(&self, session: &Session) -> u64 {
        let plain = limits::BACKOFF_MS
            .saturating_mul(1 << session.health.failures.min(20))
            .min(limits::BACKOFF_MS_MAX);
        let seed = self.charter().map_or(0, |charter| charter.seed);
        let dice = uuid(seed, "backoff", self.state.turns + session.health.failures);
        let throw = u64::from_str_radix(&dice[..4], 16).unwrap_or(0);
        plain + plain / 4 * throw / 0xffff
    }

    /// The same text as another turn: the provider may have taken the first one for answered.
    fn retry(&mut self, session: &Session) {
        let id = session.profile.session;
        let turn = self.next_turn();
        self.session(id, SessionFact::Turn(TurnFact::Retried { turn }));
        let why = session.health.wait.as_ref().map_or("", |wait| &wait.why);
        if let Some(effect) = self.state.deliver_again(id, why) {
            self.effect(effect);
        }
    }

    /// A process that was refused keeps the login that it was started with: another one is started.
    fn retry_login(&mut self, session: &Session) {
        let id = session.profile.session;
        self.renew_turn(session);
        self.session(id, SessionFact::Life(LifeFact::Revived));
        for effect in self.state.wake_session(id) {
            self.effect(effect);
        }
    }

    /// The turn in flight is another one from now on; its session waits no longer.
    fn renew_turn(&mut self, session: &Session) {
        if session.turns.current.is_some() {
            let turn = self.next_turn();
            self.session(session.profile.session, SessionFact::Turn(TurnFact::Retried { turn }));
        }
    }

    /// The mission starts again, and a person may have mended the logins that it waited for. The processes are started
    /// with everything else.
    pub(crate) fn try_logins(&mut self) {
        if self.state.paused {
            return;
        }
        for session in self.sessions_in_wait(|kind| kind == WaitKind::Login) {
            self.renew_turn(&session);
        }
    }

    /// The person resumed the mission: sessions that wait for their next try get it at once.
    pub(crate) fn retry_waiting(&mut self) {
        for session in self.sessions_in_wait(|kind| kind != WaitKind::Revival) {
            match session.health.wait.as_ref().map(|wait| wait.kind) {
                Some(WaitKind::Login) => self.retry_login(&session),
                Some(WaitKind::Backoff | WaitKind::Limit | WaitKind::Revival) | None => self.retry(&session),
            }
        }
    }

    /// The live sessions that wait in such a way and may try again: behind a limit none may.
    fn sessions_in_wait(&self, fits: impl Fn(WaitKind) -> bool) -> Vec<Arc<Session>> {
        let may = self.state.closing.is_none();
        let waits =
            |session: &Session| session.health.wait.as_ref().is_some_and(|wait| may && fits(wait.kind));
        let ids = self.state.live_sessions().filter(|session| waits(session));
        let ids: Vec<SessionId> = ids.map(|session| session.profile.session).collect();
        ids.iter().filter_map(|id| self.state.sessions.get(id).cloned()).collect()
    }

    /// The provider will never answer this turn: the conductor, the Arbiter or the human decides what follows.
    fn refused(&mut self, session: &Session, turn: TurnId, why: &str) {
        let id = session.profile.session;
        let tree = session.work.tree.clone();
        self.session(id, SessionFact::Turn(TurnFact::Rested { turn, interrupted: true, tree }));
        if session.profile.role == Role::Agent && session.context.overflowed {
            return self.ran_over(session, why);
        }
        if session.profile.role == Role::Agent {
            return self.player_lost(session, false, &format!("its provider refused the turn: {why}"));
        }
        if session.is_worker() {
            self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
            let text =
                Arc::from(format!("Its provider refused the turn: {why}. It rests and waits for your word."));
            let (section, number) = (Section::Silence, session.profile.number);
            return self.post_to_arbiter(QueuedMessage::Report { section, number, text });
        }
        // Whether its window was named or only guessed: it is refused, and a fresh session has room.
        let is_full =
            session.context.gauge.as_ref().is_some_and(|gauge| gauge.percent() >= limits::OVERFLOW_PERCENT);
        if session.leaves_testament() || is_full {
            return self.succeed(session, None);
        }
        let text = format!("The Arbiter's provider refused its turn: {why}. What shall it do?");
        self.ask_human(Speaker::House, MessageKind::Plain, &text);
    }

    /// The process ended. It is started again a few times and resumes its conversation; then the session is lost.
    pub(crate) fn died(&mut self, session: &Session, why: Arc<str>) {
        if !self.revives(session, &why) {
            self.lost(session, &why);
        }
    }

    /// The machine gave it no process. It may soon have one; what it lacks for longer is for a person to mend, and neither
    /// the Arbiter nor another agent would fare better.
    pub(crate) fn unstarted(&mut self, session: &Session, why: Arc<str>) {
        if !self.revives(session, &why) {
            self.halt(HaltCause::Workspace, why);
        }
    }

    /// Whether the session without a process gets another one, or waits for something else already.
    fn revives(&mut self, session: &Session, why: &Arc<str>) -> bool {
        if session.health.wait.is_some() {
            // It is not needed before its next try, and is taken up then.
            self.note(format!("{} is gone while it waits: {why}", session.address()));
            return true;
        }
        let Some(after_ms) = limits::REVIVALS_MS.get(session.health.deaths as usize) else { return false };
        // A dead process is not waited for longer than a silent one.
        let patience_ms = self.charter().map_or(u64::MAX, |charter| charter.patience.silence_ms);
        let until = Timestamp(self.now().0.saturating_add(patience_ms.min(*after_ms)));
        self.wait(session, Wait { kind: WaitKind::Revival, until, why: Arc::clone(why) });
        true
    }

    fn revive(&mut self, session: &Session) {
        let id = session.profile.session;
        self.session(id, SessionFact::Life(LifeFact::Revived));
        for effect in self.state.wake_session(id) {
            self.effect(effect);
        }
        if session.is_worker() {
            let number = roman(session.profile.number);
            let notice =
                format!("«Notice»\nThe process of Orchestrator {number} ended and was taken up again.");
            let aside = QueuedMessage::Aside(Arc::from(notice));
            // Once is enough, however often it dies.
            if self.state.arbiter().is_some_and(|arbiter| !arbiter.turns.mail.contains(&aside)) {
                self.post_to_arbiter(aside);
            }
        }
    }

    /// It died too often. A worker's end is for the Arbiter to judge; an Arbiter has an heir.
    fn lost(&mut self, session: &Session, why: &str) {
        if session.profile.role == Role::Arbiter {
            if session.turns.completed == 0 {
                return self.halt(HaltCause::Provider, Arc::from(why));
            }
            return self.succeed(session, None);
        }
        if session.profile.role == Role::Agent {
            return self.player_lost(session, true, &format!("its process ended again and again: {why}"));
        }
        let number = session.profile.number;
        self.release_worker();
        let tree = match &session.work.tree {
            Some(tree) if tree.dirty => {
                format!("at commit {}, with changes that are not committed", tree.commit)
            }
            Some(tree) => format!("at commit {}, clean", tree.commit),
            None => "as it was before".to_owned(),
        };
        self.remark(&format!(
            "Orchestrator {} is lost: its process ended again and again ({why}). The Arbiter decides what follows.",
            roman(number)
        ));
        let text = format!(
            "It is lost: its process ended again and again ({why}). Its clone stood {tree} when it last rested. No \
             Orchestrator is active now."
        );
        let section = Section::Silence;
        self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
    }

    /// The ladder over silence: nudge, interrupt, kill and take up again.
    fn watch(&mut self, session: &Session) {
        let id = session.profile.session;
        let Some(turn) = session.turns.current.as_ref() else { return };
        // Signs of life begin the watch anew, but they may come from anything but this turn: nudges are counted.
        let stage = match session.health.silence_stage + 1 {
            1 | 2 if turn.interrupted_by == Some(Actor::Policy(Arc::from(WATCHDOG))) => 3,
            1 if turn.nudges >= limits::NUDGES_MAX => 2,
            stage => stage,
        };
        match stage {
            1 => self.nudge(session),
            2 => {
                self.session(id, SessionFact::Life(LifeFact::SilenceWatched { stage, nudge: None }));
                if turn.interrupted_by.is_none() {
                    self.session(
                        id,
                        SessionFact::Turn(TurnFact::Interrupting { by: Actor::Policy(Arc::from(WATCHDOG)) }),
                    );
                    self.effect(Effect::Session(
                        session.address(),
                        SessionCommand::Interrupt { turn: turn.id },
                    ));
                }
            }
            _ => {
                self.session(id, SessionFact::Life(LifeFact::SilenceWatched { stage, nudge: None }));
                self.effect(Effect::Session(session.address(), SessionCommand::End));
                self.died(session, Arc::from("it fell silent"));
            }
        }
    }

    /// Steers a short text into the running turn, where the provider can. It is not repeated after a restart.
    fn nudge(&mut self, session: &Session) {
        let Some(charter) = self.charter() else { return };
        let nudge = self.steers(session).then(|| self.next_turn());
        self.session(
            session.profile.session,
            SessionFact::Life(LifeFact::SilenceWatched { stage: 1, nudge }),
        );
        self.remark(&format!("{} has been silent for a long time.", session.profile.speaker()));
        if let Some(turn) = nudge {
            let text = prompt::render(&charter, "nudge.md", &self.setting(session.profile.number));
            let key = self.state.turn_key(turn);
            self.effect(Effect::Session(session.address(), SessionCommand::Steer { turn, key, text }));
        }
    }
}

fn probe(count: u32) -> u64 {
    let last = limits::PROBES_MS.len() - 1;
    limits::PROBES_MS[(count as usize).min(last)]
}
