//! Jobs that a line starts with `&`: whether the line itself ends each of them, or waits for it.

use super::script::{Chain, CommandForm, Pipe, ShellCommand, ShellScript, Simple};
use super::shell::parse_at;
use super::word::{Atom, Word};
use crate::limits::COMMAND_DEPTH_MAX;

/// A job that the line started.
#[derive(Debug, Clone, Default)]
struct Job {
    ended: bool,
    /// It stands for any number of jobs, or for one that a later command of the shell cannot name.
    many: bool,
}

#[derive(Debug, Default)]
struct Jobs {
    started: Vec<Job>,
    /// Variables that hold the number of a job.
    numbers: Vec<(String, usize)>,
    /// What runs when the shell ends.
    traps: Vec<ShellScript>,
    /// The line cannot wait for it: its shell is another one.
    lost: bool,
    /// The shell may end before its last command.
    leaves: bool,
}

/// Whether commands of this script, in this shell, may still run when it has ended.
pub fn leaves_running(script: &ShellScript) -> bool {
    let mut jobs = Jobs::default();
    jobs.script(script, true);
    let traps = std::mem::take(&mut jobs.traps);
    jobs.leaves = false;
    traps.iter().for_each(|trap| jobs.script(trap, true));
    jobs.lost || jobs.started.iter().any(|job| !job.ended)
}

impl Jobs {
    /// `sure`: each of its commands runs, and once.
    fn script(&mut self, script: &ShellScript, sure: bool) {
        for chain in &script.chains {
            self.chain(chain, sure);
        }
    }

    fn chain(&mut self, chain: &Chain, sure: bool) {
        if chain.background {
            let mut inside = Jobs::default();
            inside.pipe(&chain.first, false);
            chain.rest.iter().for_each(|(_, pipe)| inside.pipe(pipe, false));
            self.lost |= inside.lost || !inside.started.is_empty();
            self.started.push(Job { ended: false, many: !sure });
            return;
        }
        self.pipe(&chain.first, sure);
        chain.rest.iter().for_each(|(_, pipe)| self.pipe(pipe, false));
    }

    fn pipe(&mut self, pipe: &Pipe, sure: bool) {
        match pipe.stages.as_slice() {
            [only] => self.command(only, sure),
            stages => {
                for stage in stages {
                    let mut inside = Jobs::default();
                    inside.command(stage, false);
                    self.lost |= inside.lost || !inside.started.is_empty();
                }
            }
        }
    }

    fn command(&mut self, command: &ShellCommand, sure: bool) {
        match &command.kind {
            CommandForm::Simple(simple) => self.simple(simple, sure),
            // What stands in parentheses is judged as a shell of its own.
            CommandForm::Subshell(_) | CommandForm::Test(_) => {}
            CommandForm::Group(script) => self.script(script, sure),
            CommandForm::If(parts) => parts.iter().for_each(|part| self.script(part, false)),
            CommandForm::Case(_, parts) => parts.iter().for_each(|part| self.script(part, false)),
            CommandForm::Loop(condition, body) => {
                self.script(condition, false);
                self.script(body, false);
            }
            CommandForm::For(_, _, body) => self.script(body, false),
            // It may be called at any time: what it starts it must end itself.
            CommandForm::Function(_, body) => {
                let mut inside = Jobs::default();
                inside.command(body, true);
                self.lost |= inside.lost || inside.started.iter().any(|job| !job.ended);
            }
        }
    }

    fn simple(&mut self, simple: &Simple, sure: bool) {
        let Some((first, args)) = simple.words.split_first() else {
            for (name, value) in &simple.assigns {
                self.numbers.retain(|(known, _)| known != name);
                if sure && is_last(value) && !self.started.is_empty() {
                    self.numbers.push((name.clone(), self.started.len() - 1));
                }
            }
            return;
        };
        match first.fixed().as_deref() {
            Some("exit" | "return" | "exec")
                if !args.is_empty() || first.fixed().as_deref() != Some("exec") =>
            {
                self.leaves = true;
            }
            // An end that may never be reached ends nothing.
            _ if !sure || self.leaves => {}
            Some("wait") if args.is_empty() => self.started.iter_mut().for_each(|job| job.ended = true),
            Some("wait") => args.iter().for_each(|word| self.end(word)),
            Some("kill") => {
                let mut words = args;
                while let Some((first, rest)) = words.split_first() {
                    let text = first.fixed().unwrap_or_default();
                    if text == "-s" || text == "-n" {
                        let signal = rest.first().and_then(Word::fixed).unwrap_or_default();
                        if !ends(&signal) {
                            return;
                        }
                        words = rest.get(1..).unwrap_or_default();
                    } else if text.starts_with('-') && text != "--" {
                        if !ends(&text[1..]) {
                            return;
                        }
                        words = rest;
                    } else {
                        break;
                    }
                }
                words.iter().for_each(|word| self.end(word));
            }
            Some("trap") => {
                let signals = || args.iter().skip(1).filter_map(Word::fixed);
                let action = args.first().and_then(Word::fixed);
                if let Some(action) =
                    action.filter(|_| signals().any(|signal| signal == "EXIT" || signal == "0"))
                    && let Ok(script) = parse_at(&action, COMMAND_DEPTH_MAX / 2)
                {
                    // A later one takes the place of an earlier one.
                    self.traps = vec![script];
                }
            }
            Some(_) | None => {}
        }
    }

    /// The job that a word names has an end.
    fn end(&mut self, word: &Word) {
        let text = word.fixed().unwrap_or_default();
        let last = self.started.len().checked_sub(1);
        let at = match word.atoms.as_slice() {
            [Atom::Var(name, _)] if name == JOBS => {
                return self.started.iter_mut().for_each(|job| job.ended = true);
            }
            [Atom::Var(name, _)] if name == "!" => last,
            [Atom::Var(name, _)] => {
                self.numbers.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
            }
            _ if text == "%%" || text == "%+" || text == "%" => last,
            _ => {
                let number = text.strip_prefix('%').and_then(|number| number.parse::<usize>().ok());
                number.and_then(|number| number.checked_sub(1))
            }
        };
        if let Some(job) = at.and_then(|at| self.started.get_mut(at)).filter(|job| !job.many) {
            job.ended = true;
        }
    }
}

/// Stands for `$(jobs -p)`: no variable can have this name.
pub const JOBS: &str = "jobs-p";

fn is_last(word: &Word) -> bool {
    matches!(word.atoms.as_slice(), [Atom::Var(name, _)] if name == "!")
}

/// A signal that ends a process.
fn ends(signal: &str) -> bool {
    let name = signal.strip_prefix("SIG").unwrap_or(signal);
    ["TERM", "KILL", "INT", "9", "15", "2"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_ends_its_jobs_leaves_nothing_running() {
        for (line, leaves) in [
            ("a; b", false),
            ("a &", true),
            ("a & wait", false),
            ("a & b & wait", false),
            ("a & b & wait $!", true),
            ("a & p=$!; b; kill $p", false),
            ("a & p=$!; b; kill -9 \"$p\" 2>/dev/null || true", false),
            ("a & kill -0 $!", true),
            ("a & kill %1", false),
            ("a & b && kill $!", true),
            ("a & exit; kill $!", true),
            ("a & b || exit 1; kill $!", true),
            ("trap 'kill $(jobs -p)' EXIT; a & b", false),
            ("trap 'kill $p' EXIT; a & p=$!; b || exit 1", false),
            ("for i in 1 2; do a & done; wait", false),
            ("for i in 1 2; do a & done; kill $!", true),
            ("if x; then wait; fi; a &", true),
            ("{ a & } | cat; wait", true),
            ("{ a & }; wait", false),
            ("f() { a & }; wait; f", true),
            ("f() { a & wait; }; f", false),
            ("a & p=1; kill $p", true),
        ] {
            assert_eq!(leaves_running(&parse_at(line, 0).expect(line)), leaves, "{line}");
        }
    }
}
