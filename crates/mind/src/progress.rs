//! Whether a council gets anywhere: what has happened since the last change of tree, tasks, checks, verdict or human words.
//! Repeated text is no sign of standing still, and new text is none of progress: only state counts, and of that only what
//! was not seen since the human's last word. Two verifiers who contradict each other for ever change nothing.

use std::sync::Arc;

use imbl::Vector;

use crate::actor::Actor;
use crate::digest::Digest;
use crate::fact::{
    DocketFact, Fact, GateFact, LifeFact, PermissionFact, SessionFact, TalkFact, TurnFact, WorkFact,
};
use crate::limits;
use crate::session::{CloneTree, Role};
use crate::state::ClonePlace;
use crate::talk::{CheckStatus, Listener, MessageKind, Speaker, Verdict};

/// What a mission has done since something last changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// Turns that began since.
    pub turns: u32,
    /// Words of the Arbiter to an Orchestrator since.
    pub exchanges: u32,
    /// Orchestrators in a row, verifiers too, whose session ended without a change.
    pub fruitless: u32,
    /// Orchestrators that were summoned in all; verifiers do not count.
    pub summoned: u32,
    /// Something changed since the last Orchestrator was summoned.
    moved: bool,
    /// A tree was seen at all.
    looked: bool,
    /// Digests of the trees, task lists, verdicts and results of checks since the human's last word; the oldest go first.
    seen: Vector<Arc<str>>,
}

impl Progress {
    /// Takes note of a fact. `role` is that of the session it is about.
    pub(crate) fn notice(&mut self, fact: &Fact, role: Option<Role>, clone: Option<&ClonePlace>) {
        match fact {
            Fact::Talk(TalkFact::Said { from: Speaker::Human(Actor::Human { .. }), .. }) => {
                self.human_spoke()
            }
            Fact::Talk(TalkFact::Said {
                from: Speaker::Arbiter,
                to: Listener::Orchestrator(_),
                kind: MessageKind::Plain | MessageKind::Unformed,
                ..
            }) => self.exchanges += 1,
            Fact::Gate(_, GateFact::Receipt { receipt, .. }) => {
                let status = match &receipt.status {
                    // Why it could not be started can read differently each time.
                    CheckStatus::Failed(_) => "failed".to_owned(),
                    status @ (CheckStatus::Exited(_) | CheckStatus::Signalled(_) | CheckStatus::TimedOut) => {
                        status.to_string()
                    }
                };
                self.see("check", [receipt.commit.to_string(), status].iter().chain(&receipt.argv));
            }
            Fact::Docket(_, DocketFact::Decided { answers }) => {
                if answers.iter().any(|answer| matches!(answer.by, Actor::Human { .. })) {
                    self.human_spoke();
                }
            }
            Fact::Session(_, fact) => self.notice_session(fact, role, clone),
            Fact::Mission(_) | Fact::Talk(_) | Fact::Gate(..) | Fact::Docket(..) | Fact::Conductor(_) => {}
        }
    }

    fn notice_session(&mut self, fact: &SessionFact, role: Option<Role>, clone: Option<&ClonePlace>) {
        let is_worker = matches!(role, Some(Role::Orchestrator | Role::Verifier));
        match fact {
            SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
                Role::Orchestrator => {
                    self.summoned += 1;
                    self.moved = false;
                }
                Role::Verifier => self.moved = false,
                Role::Arbiter | Role::Agent => {}
            },
            SessionFact::Life(LifeFact::Released) if is_worker && !self.moved => self.fruitless += 1,
            SessionFact::Turn(TurnFact::Prompted { .. } | TurnFact::InterjectionBecameTurn { .. }) => {
                self.turns += 1;
            }
            SessionFact::Turn(TurnFact::Rested { tree: Some(tree), .. }) => self.look(tree, clone),
            SessionFact::Work(WorkFact::Tasks(tasks)) => {
                self.see("tasks", tasks.iter().flat_map(|task| [task.status.mark(), &task.title]));
            }
            SessionFact::Work(WorkFact::Judged { verdict, commit, .. }) => {
                let verdict = match verdict {
                    Verdict::Pass => "pass",
                    Verdict::Fail => "fail",
                };
                self.see("verdict", [verdict, commit.as_deref().unwrap_or_default()]);
            }
            SessionFact::Permission(PermissionFact::Answered { by: Actor::Human { .. }, .. }) => {
                self.human_spoke();
            }
            SessionFact::Life(_)
            | SessionFact::Turn(_)
            | SessionFact::Tool(_)
            | SessionFact::Permission(_)
            | SessionFact::Context(_)
            | SessionFact::Work(_) => {}
        }
    }

    /// The first look is compared with the commit that the clone was made from.
    fn look(&mut self, tree: &CloneTree, clone: Option<&ClonePlace>) {
        let as_begun = !self.looked && !tree.dirty && clone.is_some_and(|clone| clone.base == tree.commit);
        self.looked = true;
        match as_begun {
            true => _ = self.is_new("tree", [&tree.fingerprint]),
            false => self.see("tree", [&tree.fingerprint]),
        }
    }

    /// Something is as `parts` say. It is a change if it was not so since the human's last word.
    fn see(&mut self, what: &str, parts: impl IntoIterator<Item = impl AsRef<str>>) {
        if self.is_new(what, parts) {
            self.moved();
        }
    }

    fn is_new(&mut self, what: &str, parts: impl IntoIterator<Item = impl AsRef<str>>) -> bool {
        let mut digest = Digest::default();
        digest.add_part(what);
        parts.into_iter().for_each(|part| digest.add_part(part.as_ref()));
        let digest: Arc<str> = Arc::from(digest.hex());
        if self.seen.contains(&digest) {
            return false;
        }
        self.seen.push_back(digest);
        if self.seen.len() > limits::CHANGES_SEEN_MAX {
            self.seen.pop_front();
        }
        true
    }

    fn human_spoke(&mut self) {
        self.moved();
        self.seen = Vector::new();
    }

    fn moved(&mut self) {
        (self.turns, self.exchanges, self.fruitless) = (0, 0, 0);
        self.moved = true;
    }
}
