//! The faults of a world, and how often each struck. A world has a budget of faults; once it is spent everything
//! behaves, so that a mission that then does not end is stuck.

use std::collections::BTreeMap;

use super::dice::Dice;

macro_rules! faults {
    ($($fault:ident $name:literal,)*) => {
        /// One way for a world to go wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault { $($fault,)* }

        impl Fault {
            /// Every fault there is.
            pub const ALL: &[Fault] = &[$(Fault::$fault,)*];

            /// What people call it.
            pub fn name(self) -> &'static str {
                match self { $(Fault::$fault => $name,)* }
            }
        }
    };
}

faults! {
    CrashBeforeAppend "crash: before the append",
    CrashBeforeSync "crash: between append and sync",
    CrashAfterSync "crash: between sync and effects",
    CrashAmongEffects "crash: among the effects",
    CrashAfterEffects "crash: after the effects",
    CrashInRecovery "crash: during recovery",
    CrashAtStart "crash: in the first batch after a start",
    Stopped "mission: stopped and started again",
    BytesLost "disk: unsynced bytes lost",
    TornTail "disk: a torn tail was cut",
    ShortWrite "disk: short write",
    DiskFull "disk: full",
    SyncFails "disk: sync fails",
    SyncLies "disk: sync lies, and a crash shows it",
    CutFails "disk: cannot truncate",
    RecoverySyncFails "disk: sync fails during recovery",
    DamagedBytes "journal: damaged in its middle, and refused",
    SecondWriter "journal: a second writer, refused by the lock",
    StaleWriter "journal: an old writer wrote too, and it is refused",
    SpawnFails "agent: cannot be started",
    Dies "agent: dies",
    Doomed "agent: dies again and again",
    DiesInLine "agent: dies in the middle of a line",
    Garbled "agent: a line that cannot be read",
    Silent "agent: silent for ever",
    Deaf "agent: does not hear an interrupt",
    Lies "agent: lies",
    Floods "agent: floods",
    Duplicated "agent: says it twice",
    Late "agent: speaks after its death",
    Malformed "agent: malformed output",
    Loops "agent: goes in circles",
    Amnesiac "agent: resumes without its conversation",
    OldAnswer "agent: answers an old turn again",
    Transient "agent: transient error",
    Limited "agent: limit without a time",
    LimitedUntil "agent: limit with a time",
    Unauthorised "agent: not logged in",
    Refused "agent: turn refused",
    AwaitsHuman "agent: waits for a person",
    AsksPermission "agent: asks whether a tool may run",
    Unasks "agent: no longer waits for the answer",
    Pleads "agent: asks in the docket",
    Overflows "agent: context runs over",
    Blind "agent: does not know its tree",
    MissesSteer "agent: does not hear what is steered",
    NotSettled "workshop: no clone",
    Dirty "workshop: changes not committed",
    Unfit "workshop: cannot be judged",
    Hindered "workshop: the machine is in the way",
    MovedOn "workshop: another commit was brought",
    CheckFails "workshop: a check fails",
    CheckTimesOut "workshop: a check times out",
    GateTwice "workshop: reports twice",
    AnswersLate "human: answers after hours",
    AnswersTwice "human: answers twice",
    NeverAnswers "human: does not answer for days",
    AnswersAnother "human: answers another question than was asked",
    Leaves "human: is not there to be asked",
    DocketRefuses "docket: cannot be written",
    DocketExpires "docket: closes a petition without an answer",
    DocketForged "docket: an answer to another question",
    DocketTwice "docket: tells it twice",
    DecidesUnreadably "model: a reply that cannot be read",
    DecidesCut "model: a reply that was cut off",
    DecidesWildly "model: decides what is of no use",
    DecidesUnavailable "model: cannot be reached",
    DecidesLimited "model: limit with a time",
    DecidesRefused "model: refuses",
    DecidesSlowly "model: does not answer in time",
    DecidesTwice "model: answers twice",
    DecidesInVain "model: answers after it was dismissed",
    AgentsChange "conductor: an agent's file is gone, or back",
    AgentsBent "conductor: an agent's file is wrong",
    LooksTwice "conductor: a background task reports twice",
    RunFails "conductor: a run fails",
    Objects "conductor: a verdict objects",
    Trespasses "conductor: an agent that may only read writes",
    Forces "human: forces an agent",
    Skips "human: skips a step",
    Retries "human: wants a run again",
    Interjects "human: interjects",
    SpeaksToWorker "human: speaks to the orchestrator",
    Pauses "human: pauses",
    Interrupts "human: interrupts",
    Releases "human: releases",
    Cancels "human: cancels",
    TwinLetter "human: the same letter twice",
    LateLetter "human: a letter is found late",
}

/// How often each fault fired.
pub type Tally = BTreeMap<Fault, u64>;

/// What may still go wrong in this world.
#[derive(Debug, Clone)]
pub(super) struct Chaos {
    /// Each world has a mood: only some faults belong to it, so that each is seen alone as well as in company.
    mood: Vec<Fault>,
    budget: u64,
    /// So many chances pass before the first fault: the end of a mission is to see faults too.
    truce: u64,
    /// One stop is kept for the end of the mission, when most worlds are calm.
    last_stop: bool,
    pub(super) tally: Tally,
}

impl Chaos {
    pub(super) fn new(dice: &mut Dice, budget: Option<u64>, without: &[Fault]) -> Chaos {
        let share = dice.pick(&[20, 50, 80, 100]);
        let mut mood = Vec::new();
        for fault in Fault::ALL {
            let belongs = dice.below(100) < share;
            let rare = *fault == Fault::Cancels && !dice.one_in(12);
            if belongs && !rare && !without.contains(fault) {
                mood.push(*fault);
            }
        }
        let own = dice.pick(&[0, 3, 10, 30, 60, 120]);
        let truce = dice.pick(&[0, 0, 0, 300, 1_000, 2_000, 4_000]);
        let budget = budget.unwrap_or(own);
        let last_stop = budget > 0 && mood.contains(&Fault::Stopped);
        Chaos { mood, budget, truce, last_stop, tally: Tally::new() }
    }

    /// Whether the fault may strike at all; it is counted by [`Chaos::count`] when it did.
    pub(super) fn threatens(&mut self, dice: &mut Dice, fault: Fault, one_in: u64) -> bool {
        if self.truce > 0 {
            self.truce -= 1;
            return false;
        }
        self.budget > 0 && self.mood.contains(&fault) && dice.one_in(one_in)
    }

    pub(super) fn count(&mut self, fault: Fault) {
        self.budget = self.budget.saturating_sub(1);
        *self.tally.entry(fault).or_default() += 1;
    }

    /// Whether Arbiter is stopped just when its mission ends.
    pub(super) fn stops_at_the_end(&mut self, dice: &mut Dice) -> bool {
        let stops = self.last_stop && dice.one_in(2);
        if stops {
            self.last_stop = false;
            self.count(Fault::Stopped);
        }
        stops
    }

    pub(super) fn strikes(&mut self, dice: &mut Dice, fault: Fault, one_in: u64) -> bool {
        let strikes = self.threatens(dice, fault, one_in);
        if strikes {
            self.count(fault);
        }
        strikes
    }
}
