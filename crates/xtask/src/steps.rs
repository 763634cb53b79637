//! Steps with names and times: announced when they begin, summed up in one table at the end.

use std::fmt;
use std::time::{Duration, Instant};

use crate::Verdict;

/// What was done so far, in order.
pub struct Steps {
    began: Instant,
    done: Vec<Step>,
}

struct Step {
    name: String,
    took: Duration,
    verdict: Verdict,
}

/// What a step gives back, read as a verdict.
pub trait Outcome {
    fn verdict(&self) -> Verdict;
}

impl Outcome for Verdict {
    fn verdict(&self) -> Verdict {
        *self
    }
}

impl Outcome for bool {
    fn verdict(&self) -> Verdict {
        Verdict::of(*self)
    }
}

/// A step that yields something has failed when it yields nothing.
impl<T> Outcome for Option<T> {
    fn verdict(&self) -> Verdict {
        Verdict::of(self.is_some())
    }
}

impl Steps {
    pub fn begin() -> Steps {
        Steps { began: Instant::now(), done: Vec::new() }
    }

    /// Announces a step, does it and keeps its time.
    pub fn take<T: Outcome>(
        &mut self,
        name: impl Into<String>,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let name = name.into();
        println!("\n==> {name}");
        let began = Instant::now();
        let outcome = work()?;
        self.done.push(Step { name, took: began.elapsed(), verdict: outcome.verdict() });
        Ok(outcome)
    }

    pub fn passed(&self) -> bool {
        self.failed() == 0
    }

    /// How many did not pass.
    pub fn failed(&self) -> usize {
        let failed = |step: &&Step| matches!(step.verdict, Verdict::Failed | Verdict::Misused);
        self.done.iter().filter(failed).count()
    }

    pub fn total(&self) -> Duration {
        self.began.elapsed()
    }
}

/// The table, one line a step: its time, its name, and what became of it if it did not pass.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { name, took, verdict } in &self.done {
            let mark = match verdict {
                Verdict::Passed => "",
                Verdict::Skipped => ": SKIPPED",
                Verdict::Failed | Verdict::Misused => ": FAILED",
            };
            writeln!(f, "{}  {name}{mark}", seconds(*took))?;
        }
        Ok(())
    }
}

/// A time as it stands in the table.
pub fn seconds(time: Duration) -> String {
    format!("{:>8.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failed_step_is_named_and_fails_the_whole() {
        let mut steps = Steps::begin();
        assert_eq!(steps.take("build", || Ok(Some("binary"))).unwrap(), Some("binary"));
        assert!(steps.passed());
        assert!(!steps.take("mind", || Ok(false)).unwrap());
        assert!(!steps.passed());
        steps.done[0].took = Duration::from_millis(41_250);
        steps.done[1].took = Duration::from_millis(990);
        assert_eq!(steps.to_string(), "   41.25 s  build\n    0.99 s  mind: FAILED\n");
    }

    #[test]
    fn a_skipped_step_is_named_and_fails_nothing() {
        let mut steps = Steps::begin();
        steps.take("claude", || Ok(Verdict::Skipped)).unwrap();
        assert!(steps.passed());
        steps.done[0].took = Duration::ZERO;
        assert_eq!(steps.to_string(), "    0.00 s  claude: SKIPPED\n");
    }

    #[test]
    fn a_step_that_cannot_be_done_ends_the_row() {
        let mut steps = Steps::begin();
        assert!(steps.take::<bool>("break", || anyhow::bail!("no disk")).is_err());
        assert_eq!(steps.to_string(), "");
    }
}
