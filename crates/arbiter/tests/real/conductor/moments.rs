//! A mission that is held at one moment of its course: for those who cancel it there, and those who kill it there.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use sim::api::{Step, Voice};

use super::{CONFIG, DECIDER, agent, begin, build, decider, decides, done, hangs, judges, plans, selects};
use crate::stage::{Running, Stage, bash};

/// What the model is told when it may have run something.
const MAY_HAVE_RUN: &str = "May have run, wholly, in part or not at all";
/// Seconds that a check of this mission sleeps; another number each time, to know the process by.
static SLEEPS: AtomicUsize = AtomicUsize::new(0);

/// A mission that has come to a moment, and stands there until something is done to it.
pub struct Moment {
    pub stage: Stage,
    reached: Box<dyn Fn(&Stage)>,
    /// What it takes to go on from there after a fall, if anything.
    pub moves_on: fn(&Stage),
    /// What `arbiter show` calls it.
    pub phase: &'static str,
    /// How many requests each voice has had when the mission has come to its end after a fall.
    pub expected: Vec<(&'static str, usize)>,
}

impl Moment {
    fn new(config: &str, voices: Vec<Voice>, phase: &'static str, reached: fn(&Stage)) -> Option<Moment> {
        let stage = Stage::set(config, voices)?;
        let expected = vec![("planner", 1), ("developer", 2), ("reviewer", 1), (DECIDER, 2)];
        Some(Moment { stage, reached: Box::new(reached), moves_on: |_| (), phase, expected })
    }

    /// Begins the mission and waits for the moment.
    pub fn begin(&self) -> Running<'_> {
        let running = begin(&self.stage);
        (self.reached)(&self.stage);
        let says = || super::shown(&self.stage)["conductor"]["phase"].as_str().map(str::to_owned);
        self.stage.wait_until(self.phase, || says().as_deref() == Some(self.phase));
        running
    }
}

/// A plan of a bridge and its review; the developer builds, the reviewer approves.
fn voices(developer: Vec<Step>, decisions: Vec<Step>) -> Vec<Voice> {
    vec![
        agent("planner", [plans(&[("Build the bridge", "developer"), ("Review it", "reviewer")])]),
        agent("developer", developer),
        agent("reviewer", [judges("approved", &[])]),
        decider(decisions),
    ]
}

fn builds() -> Vec<Step> {
    vec![build(), done("It is built.")]
}

/// Waits until the model that decides is asked this often.
fn asked(stage: &Stage, times: usize) {
    stage.wait_until("a decision", || stage.requests_of(DECIDER).len() == times);
}

pub fn selecting() -> Option<Moment> {
    let mut voices = voices(
        builds(),
        vec![decides("SKIP_STEP", json!({"reason": "no paint"})), hangs(), selects("reviewer")],
    );
    voices[0] = agent(
        "planner",
        [plans(&[("Build the bridge", "developer"), ("Paint it", "developer"), ("Review it", "reviewer")])],
    );
    let mut moment = Moment::new(CONFIG, voices, "selecting", |stage| asked(stage, 2))?;
    moment.expected[3].1 = 3;
    Some(moment)
}

pub fn executing() -> Option<Moment> {
    let developer =
        vec![bash("echo ran >> ran.log; sleep 600"), build().when(MAY_HAVE_RUN), done("It is built.")];
    let reached = |stage: &Stage| {
        stage.wait_for("ToolStarted s2 Bash");
        let log = stage.clone().join("ran.log");
        stage.wait_until("the tool to run", || log.exists());
    };
    let mut moment = Moment::new(CONFIG, voices(developer, vec![selects("reviewer")]), "executing", reached)?;
    moment.expected[1].1 = 3;
    moment.expected[3].1 = 1;
    Some(moment)
}

pub fn evaluating() -> Option<Moment> {
    Moment::new(CONFIG, voices(builds(), vec![hangs(), selects("reviewer")]), "evaluating", |stage| {
        asked(stage, 1);
    })
}

pub fn awaiting_human() -> Option<Moment> {
    let question = json!({"question": "Granite or slate?", "options": ["granite", "slate"]});
    let decisions = vec![decides("ASK_HUMAN", question), selects("reviewer")];
    let config = format!("docket: {{ headless: petition }}\n{CONFIG}");
    let reached = |stage: &Stage| stage.wait_for("Raised ");
    let mut moment = Moment::new(&config, voices(builds(), decisions), "awaiting_human", reached)?;
    moment.moves_on = |stage| super::ask::answer(stage, "b");
    Some(moment)
}

/// The model that decides is at its limit for so many seconds.
pub fn recovering(seconds: u32) -> Option<Moment> {
    let limit = Step::status(429).header("retry-after", seconds.to_string());
    let reached = |stage: &Stage| stage.wait_for("Unavailable ");
    Moment::new(CONFIG, voices(builds(), vec![limit, selects("reviewer")]), "recovering", reached)
}

/// The agent at work is at its limit, for longer than anybody waits here.
pub fn parked() -> Option<Moment> {
    let mut developer = builds();
    developer.insert(0, Step::status(429).header("retry-after", "300"));
    let reached = |stage: &Stage| stage.wait_for("Waits s2 limit");
    let mut moment =
        Moment::new(CONFIG, voices(developer, vec![selects("reviewer")]), "recovering", reached)?;
    moment.moves_on = |stage| stage.tell(&["mission", "resume", &stage.id()]);
    moment.expected[1].1 = 3;
    moment.expected[3].1 = 1;
    Some(moment)
}

/// A check sleeps so many seconds.
pub fn completing(seconds: usize) -> Option<Moment> {
    let sleeps = format!("sleep {seconds}.{}", 1 + SLEEPS.fetch_add(1, Ordering::Relaxed));
    let words = sleeps.replace(' ', "\", \"");
    let config = CONFIG.replace("checks: [", &format!("checks: [[\"{words}\"], "));
    let mut moment = Moment::new(&config, voices(builds(), vec![selects("reviewer")]), "completing", |_| ())?;
    moment.reached = Box::new(move |stage| stage.wait_until("the check", || stage.runs(&sleeps)));
    moment.expected[3].1 = 1;
    Some(moment)
}

pub fn paused() -> Option<Moment> {
    let mut moment = evaluating()?;
    moment.reached = Box::new(|stage| {
        asked(stage, 1);
        stage.tell(&["mission", "pause", &stage.id()]);
        stage.wait_for("Paused by human:cli:tester");
    });
    moment.moves_on = |stage| stage.tell(&["mission", "resume", &stage.id()]);
    Some(moment)
}
