//! What became of each test, as its runner tells it: nextest in its JUnit report, a test binary on its standard output.

/// One test that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestReport {
    /// The test binary, by the name of its target.
    pub binary: String,
    pub test: String,
    pub passed: bool,
}

/// Reads a JUnit report of nextest's. Its names need no unescaping: they are names of Rust.
pub fn of_junit(xml: &str) -> Vec<TestReport> {
    let cases = xml.split("<testcase ").skip(1);
    let report = |case: &str| {
        let (head, rest) = case.split_once('>')?;
        let body = if head.ends_with('/') { "" } else { rest.split("</testcase>").next()? };
        // `arbiter`, `arbiter::it`, `arbiter::bin/arbiter`
        let binary = attribute(head, "classname")?.rsplit([':', '/']).next()?;
        Some(TestReport {
            binary: binary.replace('-', "_"),
            test: attribute(head, "name")?.to_owned(),
            passed: !body.contains("<failure") && !body.contains("<error"),
        })
    };
    cases.filter_map(report).collect()
}

fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let start = format!("{name}=\"");
    // `name` is also how `classname` ends.
    let (at, _) = head.match_indices(&start).find(|(at, _)| *at == 0 || head[..*at].ends_with(' '))?;
    head[at + start.len()..].split('"').next()
}

/// Reads what the test binary of this name said on its standard output. Ignored tests were not run.
pub fn of_binary(binary: &str, said: &str) -> Vec<TestReport> {
    let report = |line: &str| {
        let (test, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        let test = test.strip_suffix(" - should panic").unwrap_or(test).to_owned();
        let passed = match end {
            "ok" => true,
            "FAILED" => false,
            _ => return None,
        };
        Some(TestReport { binary: binary.to_owned(), test, passed })
    };
    said.lines().filter_map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(binary: &str, test: &str, passed: bool) -> TestReport {
        TestReport { binary: binary.into(), test: test.into(), passed }
    }

    #[test]
    fn a_junit_report_is_read() {
        let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="4" failures="2" errors="0" time="0.1">
    <testsuite name="sim::it" tests="2" failures="1">
        <testcase name="worlds::hold" classname="sim::it" timestamp="2026-11-17" time="0.1"/>
        <testcase name="plays::fail" classname="sim::it" time="0.2">
            <failure message="thread panicked" type="test failure with exit code 101">at &lt;here></failure>
        </testcase>
    </testsuite>
    <testsuite name="sim" tests="2" failures="1">
        <testcase name="claude::is_found" classname="sim" time="0.1">
        </testcase>
        <testcase name="starts" classname="sim::bin/fake-claude" time="0.1">
            <error type="execution failure"/>
        </testcase>
    </testsuite>
</testsuites>"#;
        let expected = [
            report("it", "worlds::hold", true),
            report("it", "plays::fail", false),
            report("sim", "claude::is_found", true),
            report("fake_claude", "starts", false),
        ];
        assert_eq!(of_junit(xml), expected);
        assert_eq!(of_junit("no report"), []);
    }

    #[test]
    fn what_a_test_binary_says_is_read() {
        let said = "\nrunning 4 tests\ntest plays::fail ... FAILED\ntest worlds::hold ... ok\n\
                    test a_panic - should panic ... ok\ntest slow ... ignored\n\ntest result: FAILED. 2 passed; 1 failed\n";
        let expected = [
            report("it", "plays::fail", false),
            report("it", "worlds::hold", true),
            report("it", "a_panic", true),
        ];
        assert_eq!(of_binary("it", said), expected);
    }
}
