//! A mission that is held at one moment of its course: for those who cancel it there, and those who kill it there.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use sim::api::{Step, Voice};

use super::{
    ALONE, CONFIG, DECIDER, agent, begin, build, claims, decider, decides, done, hangs, judges, plans,
    selects,
};
use sim::real_stage::{RealMission, RealStage, bash};

/// What the model is told when it may have run something.
const MAY_HAVE_RUN: &str = "May have run, wholly, in part or not at all";
/// How many checks have slept here: each sleeps for another time, to know the process by.
static SLEEPS: AtomicUsize = AtomicUsize::new(0);

/// A mission that has come to a moment, and stands there until something is done to it.
pub struct Moment {
    pub stage: RealStage,
    reached: Box<dyn Fn(&RealStage)>,
    /// What it takes to go on from there after a fall, if anything.
    pub moves_on: fn(&RealStage),
    /// What `arbiter show` calls it.
    phase: &'static str,
    /// How many requests each voice has had when the mission has come to its end after a fall.
    pub requests: Vec<(&'static str, usize)>,
    /// Whose runs there were then.
    pub runs: &'static [&'static str],
}

impl Moment {
    /// The developer builds, alone; then it is decided.
    fn alone(
        config: &str,
        developer: Vec<Step>,
        decisions: Vec<Step>,
        phase: &'static str,
        reached: fn(&RealStage),
    ) -> Option<Moment> {
        let requests = vec![("developer", developer.len()), (DECIDER, decisions.len())];
        let stage = RealStage::set(
            crate::BINARY,
            &format!("{ALONE}{config}"),
            [agent("developer", developer), decider(decisions)],
        )?;
        let runs = &["developer"];
        Some(Moment { stage, reached: Box::new(reached), moves_on: |_| (), phase, requests, runs })
    }

    /// Others have worked before, and others come after.
    fn among_others(
        config: &str,
        plan: &[(&str, &str)],
        developer: Vec<Step>,
        decisions: Vec<Step>,
        phase: &'static str,
        reached: fn(&RealStage),
    ) -> Option<Moment> {
        let requests =
            vec![("planner", 1), ("developer", developer.len()), ("reviewer", 1), (DECIDER, decisions.len())];
        let voices: [Voice; 4] = [
            agent("planner", [plans(plan)]),
            agent("developer", developer),
            agent("reviewer", [judges("approved", &[])]),
            decider(decisions),
        ];
        let stage = RealStage::set(crate::BINARY, config, voices)?;
        let runs = &["planner", "developer", "reviewer"];
        Some(Moment { stage, reached: Box::new(reached), moves_on: |_| (), phase, requests, runs })
    }

    /// Begins the mission and waits for the moment.
    pub fn begin(&self) -> RealMission<'_> {
        let running = begin(&self.stage);
        (self.reached)(&self.stage);
        let says = || super::shown(&self.stage)["conductor"]["phase"].as_str().map(str::to_owned);
        self.stage.wait_until(self.phase, || says().as_deref() == Some(self.phase));
        running
    }
}

fn builds() -> Vec<Step> {
    vec![build(), done("It is built.")]
}

/// Waits until the model that decides is asked this often.
fn asked(stage: &RealStage, times: usize) {
    stage.wait_until("a decision", || stage.requests_of(DECIDER).len() == times);
}

pub fn selecting() -> Option<Moment> {
    let plan = [("Build the bridge", "developer"), ("Paint it", "developer"), ("Review it", "reviewer")];
    let skips = decides("SKIP_STEP", json!({"reason": "no paint"}));
    let decisions = vec![skips, hangs(), selects("reviewer")];
    Moment::among_others(CONFIG, &plan, builds(), decisions, "selecting", |stage| asked(stage, 2))
}

pub fn executing() -> Option<Moment> {
    let plan = [("Build the bridge", "developer"), ("Review it", "reviewer")];
    let developer =
        vec![bash("echo ran >> ran.log; sleep 600"), build().when(MAY_HAVE_RUN), done("It is built.")];
    Moment::among_others(CONFIG, &plan, developer, vec![selects("reviewer")], "executing", |stage| {
        stage.wait_for("ToolStarted s2 Bash");
        let log = stage.clone_folder().join("ran.log");
        stage.wait_until("the tool to run", || log.exists());
    })
}

pub fn evaluating() -> Option<Moment> {
    Moment::alone(CONFIG, builds(), vec![hangs(), claims()], "evaluating", |stage| asked(stage, 1))
}

pub fn awaiting_human() -> Option<Moment> {
    let plan = [("Build the bridge", "developer"), ("Review it", "reviewer")];
    let asks =
        decides("ASK_HUMAN", json!({"question": "Granite or slate?", "options": ["granite", "slate"]}));
    let config = format!("docket: {{ headless: petition }}\n{CONFIG}");
    let decisions = vec![asks, selects("reviewer")];
    let reached = |stage: &RealStage| stage.wait_for("DocketAsked ");
    let mut moment = Moment::among_others(&config, &plan, builds(), decisions, "awaiting_human", reached)?;
    moment.moves_on = |stage| super::ask::answer(stage, "b");
    Some(moment)
}

/// The model that decides is at its limit for so many seconds.
pub fn recovering(seconds: u32) -> Option<Moment> {
    let limit = Step::status(429).header("retry-after", seconds.to_string());
    let reached = |stage: &RealStage| stage.wait_for("Unavailable ");
    Moment::alone(CONFIG, builds(), vec![limit, claims()], "recovering", reached)
}

/// The agent at work is at its limit, for longer than anybody waits here.
pub fn parked() -> Option<Moment> {
    let mut developer = builds();
    developer.insert(0, Step::status(429).header("retry-after", "300"));
    let reached = |stage: &RealStage| stage.wait_for("Waits s1 limit");
    let mut moment = Moment::alone(CONFIG, developer, vec![claims()], "recovering", reached)?;
    moment.moves_on = |stage| drop(stage.tell(&["mission", "resume", &stage.id()]));
    Some(moment)
}

/// A check sleeps so many seconds.
pub fn completing(seconds: usize) -> Option<Moment> {
    let sleeps = format!("sleep {seconds}.{}", 1 + SLEEPS.fetch_add(1, Ordering::Relaxed));
    let words = sleeps.replace(' ', "\", \"");
    let config = CONFIG.replace("checks: [", &format!("checks: [[\"{words}\"], "));
    let mut moment = Moment::alone(&config, builds(), vec![claims()], "completing", |_| ())?;
    moment.reached = Box::new(move |stage| stage.wait_until("the check", || stage.runs(&sleeps)));
    Some(moment)
}

pub fn paused() -> Option<Moment> {
    let mut moment = evaluating()?;
    moment.reached = Box::new(|stage| {
        asked(stage, 1);
        stage.tell(&["mission", "pause", &stage.id()]);
        stage.wait_for("Paused by human:cli:tester");
    });
    moment.moves_on = |stage| drop(stage.tell(&["mission", "resume", &stage.id()]));
    Some(moment)
}
