//! How many tests passed, failed and were skipped. A test that found something missing is skipped, whatever its runner
//! says; a test that should have run and was not reported has failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::count;
use super::runner::{Suite, SuiteRun};
use super::skips::SkipRecord;
use crate::steps::Steps;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct TestTally {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Suites that failed: their tests are counted.
    failed_suites: usize,
    /// What was skipped, by the reason.
    reasons: BTreeMap<String, BTreeSet<String>>,
}

impl TestTally {
    /// Adds a suite that was run; tells whether it passed.
    pub fn add(&mut self, suite: &Suite, ran: &SuiteRun, skips: &[SkipRecord]) -> bool {
        let names = |passed: bool| {
            let reports = ran.reports.iter().filter(move |report| report.passed == passed);
            reports.map(|report| (&report.binary, &report.test)).collect::<BTreeSet<_>>()
        };
        let (good, bad) = (names(true), names(false));
        let mut skipped = BTreeSet::new();
        for skip in skips.iter().filter(|skip| !bad.contains(&(&skip.binary, &skip.test))) {
            skipped.insert((&skip.binary, &skip.test));
            self.reason(&skip.reason, format!("{} {}: {}", suite.package, skip.binary, skip.test));
        }
        let silent = suite.tests.saturating_sub(good.len() + bad.len());
        // A runner that fails while no test did has failed itself.
        let failed = (bad.len() + silent).max(usize::from(!ran.succeeded));
        self.passed += good.difference(&skipped).count();
        self.skipped += skipped.len();
        self.failed += failed;
        self.failed_suites += usize::from(failed > 0);
        failed == 0
    }

    /// Adds something that is no test and was not done.
    pub fn skip(&mut self, what: &str, reason: &str) {
        self.skipped += 1;
        self.reason(reason, what.to_owned());
    }

    /// Adds the steps that failed and are no suites of tests.
    pub fn close(&mut self, steps: &Steps) {
        self.failed += steps.failed() - self.failed_suites;
    }

    fn reason(&mut self, reason: &str, what: String) {
        self.reasons.entry(reason.to_owned()).or_default().insert(what);
    }

    /// What was skipped, each with its reason, and an empty line.
    pub fn skipped(&self) -> String {
        let mut lines = String::new();
        for (reason, names) in &self.reasons {
            lines += &format!("SKIPPED, {}: {reason}\n", count(names.len()));
            lines.extend(names.iter().map(|name| format!("    {name}\n")));
        }
        if lines.is_empty() { lines } else { lines + "\n" }
    }
}

/// The closing line: others read it, so it stands alone and keeps its form.
impl fmt::Display for TestTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::TestReport;
    use super::*;
    use crate::Verdict;

    fn report(binary: &str, test: &str, passed: bool) -> TestReport {
        TestReport { binary: binary.into(), test: test.into(), passed }
    }

    fn skip(binary: &str, test: &str, reason: &str) -> SkipRecord {
        SkipRecord { binary: binary.into(), test: test.into(), reason: reason.into() }
    }

    /// Adds a suite of so many tests, whose runner fails when one of them did.
    fn add(tally: &mut TestTally, tests: usize, reports: &[TestReport], skips: &[SkipRecord]) -> bool {
        let succeeded = reports.iter().all(|report| report.passed);
        tally.add(&Suite::new("arbiter", tests), &SuiteRun { succeeded, reports: reports.to_vec() }, skips)
    }

    #[test]
    fn a_skipped_test_has_not_passed() {
        let mut tally = TestTally::default();
        let reports = ["a", "b", "c"].map(|test| report("it", test, true));
        let skips = [skip("it", "b", "no claude"), skip("it", "c", "no claude"), skip("it", "c", "no root")];
        assert!(add(&mut tally, 3, &reports, &skips));
        assert_eq!(tally.to_string(), "1 passed, 0 failed, 2 skipped");
        let told = "SKIPPED, 2 tests: no claude\n    arbiter it: b\n    arbiter it: c\n\
                    SKIPPED, 1 test: no root\n    arbiter it: c\n\n";
        assert_eq!(tally.skipped(), told);
    }

    #[test]
    fn a_failed_test_is_not_skipped_as_well() {
        let mut tally = TestTally::default();
        assert!(!add(&mut tally, 1, &[report("it", "a", false)], &[skip("it", "a", "no bubblewrap")]));
        assert_eq!(tally.to_string(), "0 passed, 1 failed, 0 skipped");
        assert_eq!(tally.skipped(), "");
    }

    #[test]
    fn tests_of_one_name_in_two_binaries_are_two() {
        let mut tally = TestTally::default();
        let reports = [report("it", "a", true), report("real", "a", true)];
        add(&mut tally, 2, &reports, &[skip("real", "a", "no claude")]);
        assert_eq!(tally.to_string(), "1 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn a_test_of_which_nothing_is_told_has_failed() {
        let mut tally = TestTally::default();
        assert!(!add(&mut tally, 3, &[report("it", "a", true)], &[]));
        assert_eq!(tally.to_string(), "1 passed, 2 failed, 0 skipped");
    }

    #[test]
    fn a_runner_that_fails_by_itself_is_a_failure() {
        let mut tally = TestTally::default();
        let ran = SuiteRun { succeeded: false, reports: vec![report("it", "a", true)] };
        assert!(!tally.add(&Suite::new("arbiter", 1), &ran, &[]));
        assert_eq!(tally.to_string(), "1 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn steps_that_are_no_tests_are_counted_when_they_do_not_pass() {
        let (mut tally, mut steps) = (TestTally::default(), Steps::begin());
        steps.take("build", || Ok(true)).unwrap();
        steps.take("it", || Ok(add(&mut tally, 2, &[report("it", "a", false)], &[]))).unwrap();
        steps.take("worlds", || Ok(false)).unwrap();
        steps.take("claude", || Ok(Verdict::Skipped)).unwrap();
        tally.skip("deny", "there is no cargo-deny");
        tally.close(&steps);
        assert_eq!(tally.to_string(), "0 passed, 3 failed, 1 skipped");
    }
}
