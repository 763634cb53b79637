//! The configuration as `arbiter config` prints it: each value with its origin, and the project's values that do not count.

use super::Config;

impl Config {
    /// One line for each key: `key = value  (origin)`; the project's value follows if it does not count.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (key, value, origin) in self.values() {
            lines.push(format!("{key} = {value}  ({origin})"));
            lines.extend(self.passed_over(key));
        }
        for prompt in self.loosenings.iter().filter(|loosening| loosening.line.is_none()) {
            let told =
                || format!("{} = {}  (project file {})", prompt.key, prompt.value(), prompt.whereabouts());
            lines.push(self.passed_over(&prompt.key).next().unwrap_or_else(told));
        }
        lines
    }

    /// The project's values of `key` that do not count.
    fn passed_over(&self, key: &str) -> impl Iterator<Item = String> {
        let ignored = self.ignored().iter().filter(move |loosening| loosening.key == key);
        ignored.map(|ignored| {
            let (value, file) = (ignored.value(), ignored.whereabouts());
            format!("{} = {value}  (not counted: project file {file}, {})", ignored.key, self.standing)
        })
    }
}
