//! Steps with names and times: announced when they begin, summed up in one table at the end.

use std::fmt;
use std::time::{Duration, Instant};

/// What was done so far, in order.
pub struct Steps {
    began: Instant,
    done: Vec<Step>,
}

struct Step {
    name: String,
    took: Duration,
    passed: bool,
}

/// What a step gives back, read as success or failure.
pub trait Outcome {
    fn passed(&self) -> bool;
}

impl Outcome for bool {
    fn passed(&self) -> bool {
        *self
    }
}

/// A step that yields something has failed when it yields nothing.
impl<T> Outcome for Option<T> {
    fn passed(&self) -> bool {
        self.is_some()
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
        self.done.push(Step { name, took: began.elapsed(), passed: outcome.passed() });
        Ok(outcome)
    }

    pub fn passed(&self) -> bool {
        self.done.iter().all(|step| step.passed)
    }

    pub fn total(&self) -> Duration {
        self.began.elapsed()
    }
}

/// The table, one line a step: its time, its name, and FAILED where it did.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { name, took, passed } in &self.done {
            let mark = if *passed { "" } else { ": FAILED" };
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
    fn a_step_that_cannot_be_done_ends_the_row() {
        let mut steps = Steps::begin();
        assert!(steps.take::<bool>("break", || anyhow::bail!("no disk")).is_err());
        assert_eq!(steps.to_string(), "");
    }
}
