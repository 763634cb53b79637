//! What a walk came to: counts for every command and mode, and each breach with the words that repeat it.

use std::collections::BTreeMap;
use std::fmt;

use super::key::CallKey;
use super::law::{Breach, FaultLaw, Judgement};
use super::mode::FaultMode;

/// A breach and where it came from.
#[derive(Debug, Clone)]
pub struct Told {
    pub story: &'static str,
    pub mode: FaultMode,
    pub key: CallKey,
    pub breach: Breach,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { story, mode, key, breach } = self;
        write!(f, "{}: {story} --mode {mode} --only '{key}': {}", breach.law, breach.told)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Counts {
    cases: usize,
    /// Cases whose call did not come.
    missed: usize,
    acknowledged: usize,
    breaches: BTreeMap<FaultLaw, usize>,
}

/// Counts for every command and mode.
#[derive(Debug, Default)]
pub struct FaultTable {
    rows: BTreeMap<(&'static str, FaultMode), Counts>,
    pub told: Vec<Told>,
}

impl FaultTable {
    pub fn add(&mut self, story: &'static str, mode: FaultMode, judgement: &Judgement) {
        let counts = self.rows.entry((story, mode)).or_default();
        counts.cases += 1;
        counts.acknowledged += usize::from(judgement.acknowledged);
        let mut laws: Vec<FaultLaw> = judgement.breaches.iter().map(|breach| breach.law).collect();
        laws.sort();
        laws.dedup();
        for law in laws {
            *counts.breaches.entry(law).or_default() += 1;
        }
    }

    pub fn missed(&mut self, story: &'static str, mode: FaultMode) {
        self.rows.entry((story, mode)).or_default().missed += 1;
    }

    pub fn cases(&self) -> usize {
        self.rows.values().map(|counts| counts.cases).sum()
    }

    /// How many cases broke this law.
    pub fn count(&self, law: FaultLaw) -> usize {
        self.rows.values().filter_map(|counts| counts.breaches.get(&law)).sum()
    }
}

impl fmt::Display for FaultTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14} {:<12} {:>6} {:>6} {:>6}", "command", "mode", "cases", "missed", "acked")?;
        for law in FaultLaw::ALL {
            write!(f, " {:>7}", law.word())?;
        }
        let mut sum = Counts::default();
        for ((story, mode), counts) in &self.rows {
            write_row(f, story, mode.word(), counts)?;
            sum.cases += counts.cases;
            sum.missed += counts.missed;
            sum.acknowledged += counts.acknowledged;
            for (law, count) in &counts.breaches {
                *sum.breaches.entry(*law).or_default() += count;
            }
        }
        write_row(f, "all", "", &sum)
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, story: &str, mode: &str, counts: &Counts) -> fmt::Result {
    let Counts { cases, missed, acknowledged, breaches } = counts;
    write!(f, "\n{story:<14} {mode:<12} {cases:>6} {missed:>6} {acknowledged:>6}")?;
    for law in FaultLaw::ALL {
        write!(f, " {:>7}", breaches.get(&law).copied().unwrap_or_default())?;
    }
    Ok(())
}
