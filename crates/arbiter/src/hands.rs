//! The hands perform effects: each goes to the room that can do it. They never wait: what takes time runs beside the
//! loop and comes back as an event, and what cannot be handed over becomes an event too.

mod quarters;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mind::event::WorkshopEvent;
use mind::lay::Level;
use mind::policy::Policy;
use mind::{Address, AgentEvent, Effect, Event, GateId, MessageId, SessionId, State};
use providers::cage::{Housing, Site};
use providers::live::Tails;
use providers::workshop::{self, MissionClone, Stand, WorkshopError};
use providers::{Handle, Order, claude, rehearsal};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};

use crate::ground::Ground;
use crate::{last_session, letters, limits, notes, receipts};

/// The provider whose processes are held.
const CLAUDE: &str = "claude";

/// What the hands work with.
pub struct Hands {
    /// The mission's own folder.
    pub folder: PathBuf,
    /// Where the code comes from and where it is worked on.
    pub ground: Ground,
    /// How rehearsal sessions are started.
    pub rehearsal: rehearsal::Options,
    /// How sessions of Claude Code are started; none if it is not on this machine.
    pub claude: Option<claude::Options>,
    /// What runs, what asks.
    pub policy: Policy,
    /// What holds agents, checks and git.
    pub hold: Arc<Site>,
    /// The cages of each provider's sessions, once the clone stands.
    pub housing: BTreeMap<String, Housing>,
    /// The way back into the loop.
    pub events: mpsc::Sender<Event>,
    /// What the sessions are saying right now, for screens; no part of the state.
    pub live: Tails,
    /// Whoever plays the human's part in a rehearsal.
    pub understudy: Option<mpsc::Sender<MessageId>>,
    /// The sessions that live, by number.
    pub sessions: BTreeMap<SessionId, (u32, Handle)>,
    /// What runs beside the loop.
    pub errands: JoinSet<()>,
    /// Who waits for whom.
    pub turns: Turns,
}

/// Keeps apart what must not happen at once.
#[derive(Debug)]
pub struct Turns {
    mission: Arc<str>,
    /// How many processes are still on their way out: until then nobody else may work in the clone or judge it.
    leaving: watch::Sender<usize>,
    /// Two fetches into the source would fight for the lock of the same ref.
    fetching: Arc<Mutex<()>>,
    /// One check at a time stands in the proof folder.
    proving: Arc<Mutex<()>>,
    checks: BTreeMap<GateId, AbortHandle>,
}

impl Turns {
    /// Ends what an earlier house of this mission left running; then ours may begin.
    pub fn begin(mission: &str) -> Turns {
        workshop::strike_leftovers(mission);
        Turns {
            mission: Arc::from(mission),
            leaving: watch::Sender::new(0),
            fetching: Arc::default(),
            proving: Arc::default(),
            checks: BTreeMap::new(),
        }
    }
}

impl Hands {
    /// Performs one effect.
    pub fn perform(&mut self, effect: Effect, state: &State) {
        while self.errands.try_join_next().is_some() {}
        match effect {
            Effect::Settle => self.settle(state),
            Effect::Spawn { address, profile, resume, spoke } => {
                self.spawn(address, profile, resume, spoke);
                last_session::write(&self.ground.project, state);
            }
            Effect::Deliver { address, turn, key, text, again } => {
                self.order(address, Order::Deliver { turn, key, text, again });
            }
            Effect::Steer { address, turn, key, text } => {
                self.order(address, Order::Steer { turn, key, text });
            }
            Effect::Warn { address, percent, text } => {
                self.order(address, Order::Warn { percent, text });
            }
            Effect::Permit { address, call, allowed, why } => {
                self.order(address, Order::Permit { call, allowed, why });
            }
            // Doors show what waits for an answer; the picture tells them.
            Effect::Consult { .. } => {}
            Effect::Petition { .. } | Effect::Withdraw { .. } => {}
            Effect::Reply { address, call, told, refused } => {
                self.order(address, Order::Reply { call, told, refused });
            }
            Effect::Interrupt { address, turn } => self.order(address, Order::Interrupt { turn }),
            Effect::End { address } => self.see_off(address.session),
            Effect::Survey { gate } => self.survey(gate),
            Effect::Check { gate, index, argv, limit_ms, commit } => {
                self.check(gate, index, argv, Duration::from_millis(limit_ms), commit);
            }
            Effect::FetchBack => self.fetch_back(),
            Effect::Bring { gate, .. } => self.bring(gate),
            Effect::Abandon { gate } => {
                // Dropped, a check ends its command and every descendant.
                if let Some(check) = self.turns.checks.remove(&gate) {
                    check.abort();
                }
            }
            Effect::Ask { message } => {
                if let Some(understudy) = &self.understudy {
                    // An understudy that is behind looks at the picture when it catches up.
                    let _ = understudy.try_send(message);
                }
            }
            Effect::Discard { letter } => {
                // A letter that stays is read again, and counts for nothing.
                let _ = letters::discard(&self.folder.join("inbox"), &letter);
            }
            Effect::Note { text } => notes::keep(&self.folder, &text),
            // The loop itself leaves.
            Effect::Leave(_) => {}
        }
    }

    /// Ends every session and every check, and waits for what still runs, within a bound.
    pub async fn farewell(mut self) {
        // A mission that goes on later runs it again.
        self.turns.checks.values().for_each(AbortHandle::abort);
        let mut ends = JoinSet::new();
        for (_, (_, handle)) in std::mem::take(&mut self.sessions) {
            ends.spawn(see_off(handle));
        }
        let all = async {
            while ends.join_next().await.is_some() {}
            while self.errands.join_next().await.is_some() {}
        };
        let _ = tokio::time::timeout(limits::FAREWELL, all).await;
    }

    fn order(&mut self, address: Address, order: Order) {
        let session = self.sessions.get_mut(&address.session);
        let handed = match session.filter(|(incarnation, _)| *incarnation == address.incarnation) {
            Some((_, handle)) => handle.try_order(order).map_err(|refused| refused.to_string()),
            None => Err("its process was never started".to_owned()),
        };
        if let Err(why) = handed {
            let why = Arc::from(format!("{address} cannot be reached: {why}"));
            self.tell(Event::Agent(address, AgentEvent::Lost { why }));
        }
    }

    /// Ends a session. Its process takes a moment to go; whoever must not meet it waits for that.
    fn see_off(&mut self, session: SessionId) {
        if let Some((_, handle)) = self.sessions.remove(&session) {
            let leaving = Leaving::count(&self.turns.leaving);
            self.errands.spawn(async move {
                see_off(handle).await;
                drop(leaving);
            });
        }
    }

    fn settle(&mut self, state: &State) {
        let Some(charter) = state.charter.clone() else { return };
        let ground = self.ground.clone();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let mission = charter.mission.to_string();
            let settled = async {
                let clone = workshop::prepare(&ground.source, &ground.base, &ground.clone, &mission).await?;
                workshop::put_scroll(&clone.folder, &charter.scroll.text).await?;
                Ok::<MissionClone, WorkshopError>(clone)
            };
            let event = match settled.await {
                Ok(clone) => WorkshopEvent::Settled {
                    folder: Arc::from(clone.folder.display().to_string()),
                    base: Arc::from(ground.base.as_str()),
                    branch: Arc::from(clone.branch.as_str()),
                },
                Err(error) => WorkshopEvent::Broken { why: explain(&error) },
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    fn survey(&mut self, gate: GateId) {
        let (folder, cage) = (self.ground.clone.clone(), self.git_cage());
        self.judge(gate, async move {
            let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
            let tree = receipts::tree(workshop::look_from(&folder, cage.as_ref()).await?);
            Ok(WorkshopEvent::Surveyed { gate, tree })
        });
    }

    fn bring(&mut self, gate: GateId) {
        let (ground, mission) = (self.ground.clone(), Arc::clone(&self.turns.mission));
        let (fetching, cage) = (Arc::clone(&self.turns.fetching), self.git_cage());
        self.judge(gate, async move {
            let _turn = fetching.lock().await;
            let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
            let commit = workshop::fetch_back(&ground.source, &ground.clone, &mission, cage.as_ref()).await?;
            Ok(WorkshopEvent::Brought { gate, commit: Arc::from(commit) })
        });
    }

    fn check(&mut self, gate: GateId, index: u32, argv: Vec<String>, limit: Duration, commit: Arc<str>) {
        let stand = Stand {
            source: self.ground.source.clone(),
            folder: workshop::proof_folder(&self.ground.clone),
            mission: self.turns.mission.to_string(),
            commit: commit.to_string(),
            site: (self.hold.level != Level::Off).then(|| Arc::clone(&self.hold)),
        };
        let proving = Arc::clone(&self.turns.proving);
        let check = self.judge(gate, async move {
            let _turn = proving.lock().await;
            let receipt = receipts::run(&stand, argv, limit).await?;
            Ok(WorkshopEvent::Checked { gate, index, receipt })
        });
        self.turns.checks.retain(|_, check| !check.is_finished());
        self.turns.checks.insert(gate, check);
    }

    /// Does a part of what a claim needs, when nobody works in the clone any more. What fails speaks against the claim
    /// and not against the mission.
    fn judge(
        &mut self,
        gate: GateId,
        part: impl Future<Output = Result<WorkshopEvent, WorkshopError>> + Send + 'static,
    ) -> AbortHandle {
        let mut leaving = self.turns.leaving.subscribe();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let _ = leaving.wait_for(|leaving| *leaving == 0).await;
            let event =
                part.await.unwrap_or_else(|error| WorkshopEvent::Unfit { gate, why: explain(&error) });
            let _ = events.send(Event::Workshop(event)).await;
        })
    }

    /// In passing; losing this once does no harm: the next turn's end brings the work over as well.
    fn fetch_back(&mut self) {
        let (ground, mission) = (self.ground.clone(), Arc::clone(&self.turns.mission));
        let (fetching, cage) = (Arc::clone(&self.turns.fetching), self.git_cage());
        let folder = self.folder.clone();
        self.errands.spawn(async move {
            let _turn = fetching.lock().await;
            let brought = async {
                let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
                workshop::fetch_back(&ground.source, &ground.clone, &mission, cage.as_ref()).await
            };
            if let Err(error) = brought.await {
                notes::keep(&folder, &format!("the work could not be fetched back: {error}"));
            }
        });
    }

    /// In the order of telling, as long as the inbox has room: the first word about a lost session says why.
    fn tell(&mut self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(event)) = self.events.try_send(event) {
            let events = self.events.clone();
            self.errands.spawn(async move {
                let _ = events.send(event).await;
            });
        }
    }
}

/// Ends a session and waits until its process and all its descendants are gone.
async fn see_off(mut handle: Handle) {
    let _ = handle.try_order(Order::End);
    handle.ended().await;
}

/// Counts one who is on the way out, until it is dropped.
struct Leaving(watch::Sender<usize>);

impl Leaving {
    fn count(leaving: &watch::Sender<usize>) -> Leaving {
        leaving.send_modify(|count| *count += 1);
        Leaving(leaving.clone())
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn explain(error: &WorkshopError) -> Arc<str> {
    let hint = error.hint().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    let source = std::error::Error::source(error).map(|s| format!(": {s}")).unwrap_or_default();
    Arc::from(format!("{error}{source}{hint}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use mind::session::{Profile, Role};
    use tempfile::TempDir;
    use tokio::time::timeout;

    use super::*;
    use crate::ground::Pace;

    /// Hands over a real repository and its clone.
    async fn hands(mission: &str) -> (TempDir, Hands, mpsc::Receiver<Event>) {
        let folder = tempfile::tempdir().unwrap();
        let (source, clone) = (folder.path().join("source"), folder.path().join("clone"));
        let base = workshop::scratch(&source, &[("a.txt", "a\n")]).await.unwrap().commit;
        workshop::prepare(&source, &base, &clone, mission).await.unwrap();
        let (events, inbox) = mpsc::channel(16);
        let project = folder.path().to_path_buf();
        let hands = Hands {
            policy: Policy::default(),
            hold: Arc::new(Site::nowhere()),
            housing: BTreeMap::new(),
            folder: project.clone(),
            ground: Ground {
                project,
                source,
                base,
                clone,
                scratch: false,
                snapshot: false,
                in_place: false,
                pace: Pace::Fast,
            },
            rehearsal: rehearsal::Options {
                argv: vec!["sh".into(), "-c".into(), SLOW.into()],
                script: "script".into(),
                store: "store".into(),
                pace: rehearsal::Pace::Fast,
            },
            claude: None,
            events,
            live: Tails::default(),
            understudy: None,
            sessions: BTreeMap::new(),
            errands: JoinSet::new(),
            turns: Turns::begin(mission),
        };
        (folder, hands, inbox)
    }

    /// A session that leaves a good while after it was asked to, and writes into the clone while it does.
    const SLOW: &str = "while [ \"$1\" != --folder ]; do shift; done; cd \"$2\"; \
        echo in >> came; cat > /dev/null; sleep 0.5; echo out >> came";

    async fn next(inbox: &mut mpsc::Receiver<Event>) -> WorkshopEvent {
        match timeout(Duration::from_secs(20), inbox.recv()).await {
            Ok(Some(Event::Workshop(event))) => event,
            other => panic!("no event of the workshop: {other:?}"),
        }
    }

    fn git(folder: &Path, arguments: &[&str]) {
        assert!(Command::new("git").args(arguments).current_dir(folder).status().unwrap().success());
    }

    fn spawn(session: u32) -> Effect {
        spawn_by("rehearsal", session)
    }

    fn spawn_by(provider: &str, session: u32) -> Effect {
        let profile = Profile {
            session: SessionId(session),
            role: Role::Orchestrator,
            number: session,
            provider: provider.into(),
            model: None,
            key: format!("k-{session}"),
            prompt: Arc::from(""),
            scout: None,
        };
        Effect::Spawn { address: address(session), profile: Arc::new(profile), resume: false, spoke: false }
    }

    fn address(session: u32) -> Address {
        Address { session: SessionId(session), incarnation: 1 }
    }

    async fn written(file: &Path, text: &str) {
        while std::fs::read_to_string(file).unwrap_or_default() != text {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn a_clone_that_cannot_be_judged_is_unfit_and_the_mission_goes_on() {
        let (_folder, mut hands, mut inbox) = hands("hands-unfit").await;
        git(&hands.ground.clone, &["checkout", "--quiet", "--orphan", "fresh"]);
        let (gate, commit): (_, Arc<str>) = (GateId(1), "1".repeat(40).into());
        let argv = vec!["true".to_owned()];
        let check = Effect::Check { gate, index: 0, argv, limit_ms: 1000, commit: commit.clone() };
        for effect in [Effect::Survey { gate }, Effect::Bring { gate, commit }, check] {
            hands.perform(effect, &State::default());
            let event = next(&mut inbox).await;
            assert!(matches!(event, WorkshopEvent::Unfit { gate: GateId(1), .. }), "{event:?}");
        }
    }

    #[tokio::test]
    async fn fetches_take_turns() {
        let (_folder, mut hands, mut inbox) = hands("hands-fetches").await;
        git(&hands.ground.clone, &["commit", "--quiet", "--allow-empty", "--message", "work"]);
        let commit: Arc<str> = hands.ground.base.as_str().into();
        for gate in (1..=8).map(GateId) {
            hands.perform(Effect::FetchBack, &State::default());
            hands.perform(Effect::Bring { gate, commit: commit.clone() }, &State::default());
        }
        for _ in 1..=8 {
            let event = next(&mut inbox).await;
            assert!(matches!(event, WorkshopEvent::Brought { .. }), "{event:?}");
        }
        assert!(!hands.folder.join("notes.log").exists());
    }

    #[tokio::test]
    async fn an_abandoned_check_ends_and_the_next_one_runs() {
        let (_folder, mut hands, mut inbox) = hands("hands-abandon").await;
        let commit: Arc<str> = hands.ground.base.as_str().into();
        let check = |gate, words: &[&str]| Effect::Check {
            gate: GateId(gate),
            index: 0,
            argv: words.iter().map(ToString::to_string).collect(),
            limit_ms: 60_000,
            commit: commit.clone(),
        };
        let sleep = format!("300.{}", std::process::id());
        hands.perform(check(1, &["sleep", &sleep]), &State::default());
        while !is_running(&sleep) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        hands.perform(Effect::Abandon { gate: GateId(1) }, &State::default());
        hands.perform(check(2, &["cat", "a.txt"]), &State::default());
        let event = next(&mut inbox).await;
        let WorkshopEvent::Checked { gate: GateId(2), receipt, .. } = event else { panic!("{event:?}") };
        assert!(receipt.passed(), "{receipt:?}");
        assert!(!is_running(&sleep));
    }

    #[tokio::test]
    async fn nobody_judges_or_works_before_the_released_are_gone() {
        let (_folder, mut hands, mut inbox) = hands("hands-leaving").await;
        let came = hands.ground.clone.join("came");
        hands.perform(spawn(1), &State::default());
        written(&came, "in\n").await;
        hands.perform(Effect::End { address: address(1) }, &State::default());
        hands.perform(spawn(2), &State::default());
        hands.perform(Effect::Survey { gate: GateId(1) }, &State::default());
        next(&mut inbox).await;
        let text = std::fs::read_to_string(&came).unwrap();
        assert!(text.starts_with("in\nout\n"), "surveyed too early: {text:?}");
        timeout(Duration::from_secs(10), written(&came, "in\nout\nin\n")).await.unwrap();
        hands.farewell().await;
    }

    #[tokio::test]
    async fn a_session_of_claude_without_claude_is_lost_and_says_why() {
        let (_folder, mut hands, mut inbox) = hands("hands-claude").await;
        hands.perform(spawn_by("claude", 1), &State::default());
        hands.perform(Effect::Interrupt { address: address(1), turn: mind::TurnId(1) }, &State::default());
        let first = inbox.recv().await;
        let Some(Event::Agent(from, AgentEvent::Lost { why })) = first else { panic!("{first:?}") };
        assert_eq!(from, address(1));
        assert!(why.contains("Claude Code was not found"), "{why}");
    }

    fn is_running(word: &str) -> bool {
        let ids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
        let mut lines = ids.map(|path| std::fs::read(path.join("cmdline")).unwrap_or_default());
        lines.any(|line| String::from_utf8_lossy(&line).contains(word))
    }
}
