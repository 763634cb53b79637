//! Walks a story: records its calls, then hurts one call after the other, each time in the world as it was before.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::injection::Injection;
use super::key::{CallKey, PathMask, STDOUT, SeenCall};
use super::law::{FaultLaw, Judgement, in_short};
use super::mode::FaultMode;
use super::shadow::DurableShadow;
use super::story::{FaultStory, HurtRun, StoryWords};
use super::table::{FaultTable, Told};
use super::tracer::{TracedEnd, trace};
use super::world::FaultWorld;

/// Which cases are walked.
#[derive(Debug, Clone)]
pub struct WalkPlan {
    pub binary: PathBuf,
    pub modes: Vec<FaultMode>,
    /// Every so manieth case.
    pub every: usize,
    /// The first case of each story.
    pub from: usize,
    /// At which of them each story begins, if not all are walked.
    pub seed: u64,
    /// At most so many cases of a kind among calls that only look: the same process makes the same call with the same file,
    /// and the same fault comes. The first, the last and those between at equal distances. What changes the disk is walked
    /// whole: each change leaves another world.
    pub alike: Option<usize>,
    /// Only calls whose key has these words.
    pub only: Option<String>,
    pub workers: usize,
    /// Whether each case is told, with its time.
    pub tells_all: bool,
}

impl WalkPlan {
    /// All cases of a binary.
    pub fn whole(binary: impl Into<PathBuf>) -> WalkPlan {
        let (modes, binary) = (FaultMode::walked(), binary.into());
        WalkPlan {
            binary,
            modes,
            every: 1,
            from: 0,
            seed: 0,
            alike: None,
            only: None,
            workers: 2,
            tells_all: false,
        }
    }
}

/// Walks these stories, several at once, and tells each breach as it is found.
pub fn walk<'a>(
    plan: &WalkPlan,
    stories: impl IntoIterator<Item = &'a dyn FaultStory>,
) -> io::Result<FaultTable> {
    let workers = plan.workers.max(1) as u64;
    let parts = |story| (0..workers).map(move |part| (story, StoryPart { part, of: workers }));
    let queue: Mutex<VecDeque<_>> = Mutex::new(stories.into_iter().flat_map(parts).collect());
    let table = Mutex::new(FaultTable::default());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || -> io::Result<()> {
        while let Some((story, part)) = next() {
            StoryWalk::begin(plan, story)?.walk(plan, part, &table)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a worker of the walk fell")))
        })
    })?;
    Ok(table.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Which share of a story's cases one worker takes. They are dealt by what they are called, so that it does not matter
/// whether each worker has seen the same calls.
#[derive(Debug, Clone, Copy)]
struct StoryPart {
    part: u64,
    of: u64,
}

impl StoryPart {
    fn holds(self, key: &CallKey, mode: FaultMode) -> bool {
        let mut name = DefaultHasher::new();
        (key.to_string(), mode.word()).hash(&mut name);
        name.finish() % self.of == self.part
    }
}

/// At most so many cases of each kind, in their order.
fn few_of_a_kind(cases: Vec<(CallKey, FaultMode)>, most: usize) -> Vec<(CallKey, FaultMode)> {
    let kind = |(key, mode): &(CallKey, FaultMode)| (key.process.clone(), key.call, key.path.clone(), *mode);
    let mut sizes: BTreeMap<_, usize> = BTreeMap::new();
    for case in &cases {
        *sizes.entry(kind(case)).or_default() += 1;
    }
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    let mut is_taken = |case: &(CallKey, FaultMode)| {
        let (kind, at) = (kind(case), seen.entry(kind(case)).or_default());
        let (number, size) = (*at, sizes[&kind]);
        *at += 1;
        // The so manieth of those that are taken would stand here.
        size <= most || (0..most).any(|nth| nth * (size - 1) / (most - 1).max(1) == number)
    };
    cases.into_iter().filter(|case| is_taken(case)).collect()
}

/// A story in its world.
struct StoryWalk<'a> {
    story: &'a dyn FaultStory,
    world: FaultWorld,
    words: StoryWords,
    mask: PathMask,
    calls: Vec<SeenCall>,
    healthy: TracedEnd,
    wanted: Vec<String>,
}

impl<'a> StoryWalk<'a> {
    /// Prepares the world and records the command twice, to learn which names stay.
    fn begin(plan: &WalkPlan, story: &'a dyn FaultStory) -> io::Result<StoryWalk<'a>> {
        let world = FaultWorld::new(&plan.binary)?;
        let world = if story.is_apart() { world.apart() } else { world };
        let words = story.prepare(&world)?;
        world.keep()?;
        let mut mask = PathMask::new(&world.root(), &world.out(), words.marks());
        let record = |mask: &PathMask| -> io::Result<(Vec<SeenCall>, TracedEnd)> {
            world.restore()?;
            let mut injection = Injection::recording(story.target(), mask.clone());
            let command = world.command(&story.words(&words));
            let _person = story.attend(&world);
            let end = trace(&command, &world.out(), story.bound(), &mut injection)?;
            if end.code != Some(0) {
                let says = format!("{:?} {:?} {}", end.code, end.signal, in_short(&(end.out + &end.err)));
                return Err(io::Error::other(format!("{} fails without a fault: {says}", story.name())));
            }
            Ok((injection.seen(), end))
        };
        mask.learn(&record(&mask)?.0, &record(&mask)?.0);
        let (calls, healthy) = record(&mask)?;
        let wanted = story.observe(&world, &words)?;
        Ok(StoryWalk { story, world, words, mask, calls, healthy, wanted })
    }

    fn walk(&self, plan: &WalkPlan, part: StoryPart, table: &Mutex<FaultTable>) -> io::Result<()> {
        let (all, cases) = self.cases(plan);
        let (name, calls, walked) = (self.story.name(), self.calls.len(), cases.len());
        if part.part == 0 {
            println!("{name}: {calls} calls, {all} cases, {walked} of them walked");
        }
        if part.part == 0 && !self.world.can_restart() {
            println!("{name}: no loss of power: this user may mount nothing, so no restart can be shown");
        }
        for (key, mode) in cases.into_iter().filter(|(key, mode)| part.holds(key, *mode)) {
            let began = Instant::now();
            let hurt = self.hurt(&key, mode)?;
            if plan.tells_all {
                println!("{} --mode {mode} --only '{key}' took {:?}", self.story.name(), began.elapsed());
            }
            let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(judgement) = hurt else {
                table.missed(self.story.name(), mode);
                continue;
            };
            for breach in &judgement.breaches {
                let told = Told { story: self.story.name(), mode, key: key.clone(), breach: breach.clone() };
                println!("{told}");
                table.told.push(told);
            }
            table.add(self.story.name(), mode, &judgement);
        }
        Ok(())
    }

    /// How many cases this story has, and those that the plan wants.
    fn cases(&self, plan: &WalkPlan) -> (usize, Vec<(CallKey, FaultMode)>) {
        let is_walked = |mode: &&FaultMode| {
            self.story.walks(**mode) && (mode.loss().is_none() || self.world.can_restart())
        };
        let only = |key: &CallKey| plan.only.as_ref().is_none_or(|words| key.to_string().contains(words));
        let cases_of = |call: &SeenCall| -> Vec<(CallKey, FaultMode)> {
            let modes = plan.modes.iter().filter(|mode| is_walked(mode) && mode.strikes(call));
            modes.filter(|_| only(&call.key)).map(|mode| (call.key.clone(), *mode)).collect()
        };
        let (changes, looks): (Vec<&SeenCall>, Vec<&SeenCall>) =
            self.calls.iter().partition(|call| call.changes_the_disk());
        let looks: Vec<_> = looks.into_iter().flat_map(cases_of).collect();
        let ends = plan.modes.iter().filter(|mode| is_walked(mode) && mode.strikes_the_end());
        let ends = ends.map(|mode| (CallKey::end(), *mode)).filter(|(key, _)| only(key));
        let mut all: Vec<_> = changes.into_iter().flat_map(cases_of).chain(ends).collect();
        let count = all.len() + looks.len();
        all.extend(match plan.alike {
            Some(most) => few_of_a_kind(looks, most),
            None => looks,
        });
        let every = plan.every.max(1);
        let first = self.story.name().bytes().fold(plan.seed, |sum, byte| {
            // A different start for each story, the same in every run.
            sum.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let first = usize::try_from(first % every as u64).unwrap_or_default();
        (count, all.into_iter().skip(plan.from + first).step_by(every).collect())
    }

    /// Hurts the command and judges what is left; nothing if the call did not come this time.
    fn hurt(&self, key: &CallKey, mode: FaultMode) -> io::Result<Option<Judgement>> {
        self.world.restore()?;
        let command = self.world.command(&self.story.words(&self.words));
        let injection = Injection::aiming(self.story.target(), self.mask.clone(), key.clone(), mode);
        let shadow = mode.loss().map(|_| DurableShadow::new(&self.world.template(), &self.world.root()));
        let mut injection = injection.with_shadow(shadow.transpose()?);
        let person = self.story.attend(&self.world);
        let end = trace(&command, &self.world.out(), self.story.bound(), &mut injection)?;
        drop(person);
        if !injection.struck() {
            return Ok(None);
        }
        if let (Some(shadow), Some(loss)) = (injection.shadow(), mode.loss()) {
            shadow.build(loss)?;
            self.world.restart();
        }
        let run = HurtRun { key, mode, end: &end, healthy: &self.healthy.out, wanted: &self.wanted };
        let mut judgement = self.story.judge(&self.world, &self.words, &run)?;
        self.judge_any(&run, &mut judgement);
        Ok(Some(judgement))
    }

    /// The laws of any command.
    fn judge_any(&self, run: &HurtRun<'_>, judgement: &mut Judgement) {
        let end = run.end;
        let says = || in_short(&format!("{}{}", end.out, end.err));
        judgement.want(!end.hung, FaultLaw::Hang, || {
            format!("no end within {:?}: {}", self.story.bound(), says())
        });
        let fell =
            end.code == Some(101) || end.err.contains("panicked") || (end.signal.is_some() && !end.killed);
        judgement.want(!fell || end.hung, FaultLaw::Panic, || {
            format!("code {:?}, signal {:?}: {}", end.code, end.signal, says())
        });
        let silent = run.key.path == STDOUT
            && end.code == Some(0)
            && end.out.lines().count() < run.healthy.lines().count();
        judgement.want(!silent, FaultLaw::WrongCode, || "its output is lost, and it exits with 0".to_owned());
        judgement.want(!run.mode.is_harmless() || end.code == Some(0), FaultLaw::WrongCode, || {
            format!("exit {:?}, though nothing was wrong: {}", end.code, says())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_a_kind_are_taken() {
        let case = |nth| {
            let (process, path) = ("git add".to_owned(), ".git/config".to_owned());
            (CallKey { process, call: "read", path, nth }, FaultMode::Eio)
        };
        let taken = |most| -> Vec<u32> {
            few_of_a_kind((1..=9).map(case).collect(), most).into_iter().map(|(key, _)| key.nth).collect()
        };
        assert_eq!(taken(1), [1]);
        assert_eq!(taken(2), [1, 9]);
        assert_eq!(taken(3), [1, 5, 9]);
        assert_eq!(taken(20).len(), 9);
    }
}
