//! The judging of one call. Here a command line is walked, command by command, with the folders that each may
//! run in; what a program does is for [`super::commands`].
// tidy: long because one walk over a command line knows all that a command of it can change.

use std::collections::BTreeMap;

use super::findings::Findings;
use super::paths::{CommandFolders, How};
use super::script::{Chain, CommandForm, Join, Redirect, RedirectKind, ShellCommand, ShellScript, Simple};
use super::shell::parse_at;
use super::word::{Atom, Bound, Flat, MADE, TOPLEVEL, Word};
use super::{PathLookup, Policy, Risk, signs};
use crate::access::AccessMap;
use crate::conductor::agent::AgentTools;
use crate::limits::{COMMAND_DEPTH_MAX, COMMAND_STEPS_MAX};
use crate::session::Role;

/// More values of a loop than this are not tried one by one.
const VALUES_MAX: usize = 12;
/// More folders than this are one that is not known.
const PLACES_MAX: usize = 8;

/// One call being judged.
pub struct Bench<'a> {
    /// How far sessions are trusted.
    pub policy: &'a Policy,
    /// The lay of the land.
    pub lay: &'a AccessMap,
    /// How paths stand on the disk.
    pub eyes: &'a dyn PathLookup,
    /// Whose call it is.
    pub role: Role,
    /// What the agent may use whose call it is, if it is one's.
    pub tools: Option<&'a AgentTools>,
    /// How many commands were held against that.
    pub held: usize,
    /// What was found so far.
    pub found: Findings,
    /// How deep in lines inside of lines we are.
    pub depth: usize,
    /// A command changed the folder of the shell itself.
    pub moved: bool,
    /// The line started a job, which it ends itself.
    pub started: bool,
    functions: BTreeMap<String, bool>,
    bound: Bound,
    steps: usize,
}

/// What a command reads.
#[derive(Debug, Clone, Default)]
pub struct CommandInput {
    /// What the commands before it in the pipe are.
    pub before: Vec<String>,
    /// The text that it is given in the line.
    pub document: Option<Flat>,
    /// The words of the commands before it, as far as they are plain commands.
    pub stages: Vec<Vec<Flat>>,
}

/// The folders after a command: if it succeeded, if it failed.
struct After {
    yes: CommandFolders,
    no: CommandFolders,
}

impl After {
    fn same(at: &CommandFolders) -> After {
        After { yes: at.clone(), no: at.clone() }
    }

    fn any(self) -> CommandFolders {
        let mut any = self.yes;
        any.extend(self.no);
        if any.len() > PLACES_MAX { [None].into() } else { any }
    }
}

impl<'a> Bench<'a> {
    /// A bench with nothing on it.
    pub fn new(policy: &'a Policy, lay: &'a AccessMap, eyes: &'a dyn PathLookup, role: Role) -> Bench<'a> {
        let (found, functions, bound) = (Findings::default(), BTreeMap::new(), Bound::new());
        Bench {
            policy,
            lay,
            eyes,
            role,
            tools: None,
            held: 0,
            found,
            depth: 0,
            moved: false,
            started: false,
            functions,
            bound,
            steps: 0,
        }
    }

    /// Judges a whole command line.
    pub fn line(&mut self, text: &str) {
        if let Some(why) = signs::hidden(text) {
            self.found.doubt(Risk::Grave, why);
        }
        let at: CommandFolders = [Some(self.lay.clone.clone())].into();
        self.text(text, &at);
        self.refuses_unseen();
    }

    /// Judges a command line that stands inside another.
    pub fn text(&mut self, text: &str, at: &CommandFolders) {
        if self.depth >= COMMAND_DEPTH_MAX {
            return self.unclear("it is nested too deeply");
        }
        match parse_at(text, self.depth) {
            Ok(script) => {
                self.depth += 1;
                self.alone(&script, at);
                self.depth -= 1;
            }
            Err(unclear) => self.unclear(unclear.0),
        }
    }

    fn unclear(&mut self, why: &str) {
        self.refuses_unclear(why);
        self.found.doubt(Risk::Unknown, format!("we could not take this line apart: {why}"));
    }

    /// A script whose changes of folder and variables do not reach what follows.
    fn alone(&mut self, script: &ShellScript, at: &CommandFolders) {
        if super::jobs::leaves_running(script) {
            self.found.forbid(
                "a command may not run on in the background (&): your turn would end before it does. Run it in the \
                 foreground, or end it in the same line by kill $! or wait",
            );
        }
        let bound = self.bound.clone();
        self.script(script, at);
        self.bound = bound;
    }

    fn script(&mut self, script: &ShellScript, at: &CommandFolders) -> After {
        let mut after = After::same(at);
        for chain in &script.chains {
            if self.is_tired() {
                return After::same(at);
            }
            let mut places = After { yes: after.yes.clone(), no: after.no.clone() }.any();
            if places.is_empty() {
                // Nothing gets here, but it is judged all the same.
                places = at.clone();
            }
            after = self.chain(chain, &places);
        }
        after
    }

    /// Counts another step; too many of them are not walked.
    fn is_tired(&mut self) -> bool {
        self.steps += 1;
        if self.steps > COMMAND_STEPS_MAX {
            self.unclear("it holds too many commands");
        }
        self.steps > COMMAND_STEPS_MAX
    }

    fn chain(&mut self, chain: &Chain, at: &CommandFolders) -> After {
        self.started |= chain.background;
        let before = self.bound.clone();
        let mut after = self.pipe(&chain.first.stages, at);
        // The first always runs; what it sets is certain, unless it runs in a shell of its own.
        let bound = if chain.background { before } else { self.bound.clone() };
        for (join, pipe) in &chain.rest {
            let from = match join {
                Join::And => after.yes.clone(),
                Join::Or => after.no.clone(),
            };
            let next = self.pipe(&pipe.stages, if from.is_empty() { at } else { &from });
            match join {
                Join::And => {
                    after.yes = next.yes;
                    after.no.extend(next.no);
                }
                Join::Or => {
                    after.yes.extend(next.yes);
                    after.no = next.no;
                }
            }
        }
        if !chain.rest.is_empty() || chain.background {
            self.merge(&bound);
        }
        after
    }

    fn pipe(&mut self, stages: &[ShellCommand], at: &CommandFolders) -> After {
        if let [only] = stages {
            return self.command(only, at, &CommandInput::default());
        }
        let mut feed = CommandInput::default();
        for stage in stages {
            let bound = self.bound.clone();
            self.command(stage, at, &feed);
            self.merge(&bound);
            let name = match &stage.kind {
                CommandForm::Simple(simple) => simple.words.first().and_then(Word::fixed).unwrap_or_default(),
                CommandForm::Subshell(_)
                | CommandForm::Group(_)
                | CommandForm::If(_)
                | CommandForm::Loop(..)
                | CommandForm::For(..) => String::new(),
                CommandForm::Case(..) | CommandForm::Function(..) | CommandForm::Test(_) => String::new(),
            };
            feed.before.push(name);
            feed.stages.push(match &stage.kind {
                CommandForm::Simple(simple) if simple.assigns.is_empty() => {
                    simple.words.iter().flat_map(|word| self.expand(word, at)).collect()
                }
                CommandForm::Simple(_)
                | CommandForm::Subshell(_)
                | CommandForm::Group(_)
                | CommandForm::If(_)
                | CommandForm::Loop(..) => Vec::new(),
                CommandForm::For(..)
                | CommandForm::Case(..)
                | CommandForm::Function(..)
                | CommandForm::Test(_) => Vec::new(),
            });
        }
        After::same(at)
    }

    fn command(&mut self, command: &ShellCommand, at: &CommandFolders, feed: &CommandInput) -> After {
        let mut feed = feed.clone();
        for redirect in &command.redirects {
            self.redirect(redirect, at, &mut feed);
        }
        match &command.kind {
            CommandForm::Simple(simple) => self.simple(simple, at, &feed),
            CommandForm::Subshell(script) => {
                self.alone(script, at);
                After::same(at)
            }
            CommandForm::Group(script) => self.script(script, at),
            CommandForm::If(parts) => self.branches(parts, at),
            CommandForm::Loop(condition, body) => {
                let around = self.again(at, |bench, at| {
                    let after = bench.script(condition, at);
                    let mut all = bench.script(body, &after.yes).any();
                    all.extend(after.no);
                    all
                });
                After::same(&around)
            }
            CommandForm::For(name, words, body) => self.for_each(name, words, body, at),
            CommandForm::Case(words, branches) => {
                self.inner(words, at);
                self.branches(branches, at)
            }
            CommandForm::Function(name, body) => {
                self.define(name, body);
                After::same(at)
            }
            CommandForm::Test(words) => {
                self.inner(words, at);
                let words: Vec<Flat> = words.iter().flat_map(|word| self.expand(word, at)).collect();
                words.iter().for_each(|word| self.look(word, at));
                words.iter().for_each(|word| self.subscript(word));
                After::same(at)
            }
        }
    }

    fn branches(&mut self, parts: &[ShellScript], at: &CommandFolders) -> After {
        let bound = self.bound.clone();
        let mut places = at.clone();
        for part in parts {
            let from = places.clone();
            places.extend(self.script(part, &from).any());
            self.merge(&bound);
        }
        After::same(&places)
    }

    /// A body that may run any number of times: a change of folder in it adds up.
    fn again(
        &mut self,
        at: &CommandFolders,
        mut body: impl FnMut(&mut Self, &CommandFolders) -> CommandFolders,
    ) -> CommandFolders {
        let bound = self.bound.clone();
        let after = body(self, at);
        self.merge(&bound);
        let mut places = at.clone();
        if !after.is_subset(at) || self.bound != bound {
            if !after.is_subset(at) {
                places.extend(after);
                places.insert(None);
            }
            let after = body(self, &places);
            places.extend(after);
            self.merge(&bound);
        }
        places
    }

    /// A variable that some way through the line leaves with another value is not known any more.
    fn merge(&mut self, before: &Bound) {
        for (name, value) in &mut self.bound {
            if before.get(name) != Some(value) {
                *value = Flat::unknown();
            }
        }
    }

    fn for_each(&mut self, name: &str, words: &[Word], body: &ShellScript, at: &CommandFolders) -> After {
        self.inner(words, at);
        self.assign(name, None);
        let values: Vec<Flat> = words.iter().flat_map(|word| self.expand(word, at)).collect();
        values.iter().for_each(|value| self.look(value, at));
        let values =
            if values.is_empty() || values.len() > VALUES_MAX { vec![Flat::unknown()] } else { values };
        let mut places = at.clone();
        for value in values {
            if self.is_tired() {
                break;
            }
            let from = places.clone();
            let around = self.again(&from, |bench, at| {
                bench.bound.insert(name.to_owned(), value.clone());
                bench.script(body, at).any()
            });
            places.extend(around);
        }
        self.bound.remove(name);
        After::same(&places)
    }

    /// A function's body is judged where it is written, wherever it may be called from.
    fn define(&mut self, name: &str, body: &ShellCommand) {
        if super::builtins::is_builtin(name) {
            self.found.doubt(Risk::Unknown, format!("it gives another meaning to {name}"));
        }
        let bound = std::mem::take(&mut self.bound);
        self.moved = false;
        // Known while it is judged, since it may call itself.
        self.functions.insert(name.to_owned(), true);
        self.command(body, &[None].into(), &CommandInput::default());
        self.bound = bound;
        self.functions.insert(name.to_owned(), self.moved);
    }

    fn inner(&mut self, words: &[Word], at: &CommandFolders) {
        for script in words.iter().flat_map(|word| &word.inner) {
            self.alone(script, at);
        }
    }

    /// The words that a word becomes, where it stands.
    pub fn expand(&self, word: &Word, at: &CommandFolders) -> Vec<Flat> {
        let folder = match at.iter().next() {
            Some(Some(folder)) if at.len() == 1 => Some(folder.as_str()),
            Some(_) | None => None,
        };
        let asks =
            |atom: &Atom| matches!(atom, Atom::Var(name, _) if [TOPLEVEL, MADE].contains(&name.as_str()));
        if word.atoms.iter().any(asks) {
            let mut bound = self.bound.clone();
            if folder.is_some_and(|folder| self.inside(folder).is_some()) {
                bound.insert(TOPLEVEL.to_owned(), Flat::of(self.lay.clone.as_str()));
            }
            if let Some(place) = self.temporary() {
                bound.insert(MADE.to_owned(), Flat::of(format!("{place}/{MADE}")));
            }
            return word.expand(&self.lay.home, folder, &bound);
        }
        word.expand(&self.lay.home, folder, &self.bound)
    }

    fn redirect(&mut self, redirect: &Redirect, at: &CommandFolders, feed: &mut CommandInput) {
        self.inner(std::slice::from_ref(&redirect.target), at);
        if let Some(document) = redirect.document.as_ref().and_then(|document| document.get()) {
            self.inner(std::slice::from_ref(document), at);
            // In a here-document nothing is a pattern, and braces and tildes stand for themselves.
            feed.document =
                Some(document.expand("~", None, &self.bound).into_iter().next().unwrap_or_default());
            return;
        }
        let targets = self.expand(&redirect.target, at);
        for target in &targets {
            self.look(target, at);
            match redirect.way {
                RedirectKind::Out if targets.len() > 1 => self.write(&Flat::unknown(), How::Write, at),
                RedirectKind::Out => self.write(target, How::Write, at),
                RedirectKind::Here => feed.document = Some(target.clone()),
                RedirectKind::In => feed.document = Some(Flat::unknown()),
                RedirectKind::Copy => {}
            }
        }
    }

    fn simple(&mut self, simple: &Simple, at: &CommandFolders, feed: &CommandInput) -> After {
        self.inner(&simple.words, at);
        for (name, value) in &simple.assigns {
            self.inner(std::slice::from_ref(value), at);
            let value = self.expand(value, at);
            self.assign(name, value.first());
            value.iter().for_each(|value| self.look(value, at));
            value.iter().for_each(|value| self.subscript(value));
            if simple.words.is_empty() {
                // A second value of the same variable is not followed: branches and loops could mix them up.
                let value = match (self.bound.contains_key(name), value.as_slice()) {
                    (_, []) => Flat::of(""),
                    (false, [value]) => Flat { glob: false, ..value.clone() },
                    (true, _) | (false, _) => Flat::unknown(),
                };
                self.bound.insert(name.clone(), value);
            }
        }
        let argv: Vec<Flat> = simple.words.iter().flat_map(|word| self.expand(word, at)).collect();
        self.found_files(&argv, at);
        let texts = super::commands::texts(&argv);
        for (_, word) in argv.iter().enumerate().filter(|(n, _)| !texts.contains(n)) {
            // Where a change of folder leads to if an earlier one failed is looked at when something is read there.
            let unsure =
                texts.is_empty() && at.len() > 1 && argv[0].text == "cd" && !word.text.starts_with('/');
            if !unsure {
                self.look(word, at);
            }
            let is_path = word.text.contains('/') && !word.text.contains(char::is_whitespace);
            if let Some(why) = signs::lookalike(&word.text).filter(|_| is_path) {
                self.found.doubt(Risk::Grave, why);
            }
        }
        let Some(name) = argv.first() else { return After::same(at) };
        if super::builtins::counts(&name.text) {
            argv.iter().for_each(|word| self.subscript(word));
        }
        match name.fixed() {
            Some("cd" | "pushd" | "popd" | "chdir") => return self.change_folder(&argv, at),
            Some("exit" | "return") => {
                return After { yes: CommandFolders::new(), no: CommandFolders::new() };
            }
            Some(name) if self.functions.contains_key(name) => {
                self.moved = self.functions[name];
                self.forget();
            }
            Some(_) | None => {
                self.moved = false;
                self.argv(&argv, at, feed);
            }
        }
        let mut after = After::same(at);
        if self.moved {
            after.yes.insert(None);
            after.no.insert(None);
        }
        after
    }

    fn change_folder(&mut self, argv: &[Flat], at: &CommandFolders) -> After {
        self.moved = true;
        let target = argv[1..].iter().find(|word| !word.is_option() || word.text == "-");
        let mut yes = CommandFolders::new();
        match (argv[0].text.as_str(), target.map(|word| (word, word.fixed()))) {
            ("cd" | "chdir", None) => {
                yes.insert(Some(self.lay.home.clone()));
            }
            ("popd", _) | (_, None | Some((_, Some("-")))) => {
                yes.extend(at.iter().cloned());
                yes.insert(None);
            }
            (_, Some((_, Some(text)))) => {
                for spot in self.spots(text, at) {
                    match spot {
                        None => {
                            yes.insert(None);
                        }
                        Some(path) => {
                            // The shell takes dots by name, programs by link: it may be either.
                            let by_name = self.real(&super::paths::plain(&path));
                            yes.insert(Some(self.real(&path)));
                            yes.insert(Some(by_name));
                        }
                    }
                }
                // If an earlier change of folder may have failed, only some of the ways lead out.
                let is_in =
                    |place: &Option<String>| place.as_ref().is_some_and(|place| self.inside(place).is_some());
                if !text.starts_with('/') && at.len() > 1 && yes.iter().any(is_in) {
                    yes = yes.into_iter().map(|place| if is_in(&place) { place } else { None }).collect();
                }
            }
            (_, Some((word, None))) => {
                yes.insert(None);
                let known = word.glob && !word.has_hole();
                if !known {
                    let why = format!("the folder it goes to ({}) is not known until it runs", word.shown());
                    self.found.doubt(Risk::Unknown, why);
                }
            }
        }
        After { yes, no: at.clone() }
    }

    /// Variables are no longer known: a command may have changed them.
    pub fn forget(&mut self) {
        for value in self.bound.values_mut() {
            *value = Flat::unknown();
        }
    }
}
