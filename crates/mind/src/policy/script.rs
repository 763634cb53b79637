//! A command line taken apart: what [`super::shell`] makes of a text, and [`super::bench`] walks.

use std::cell::OnceCell;
use std::rc::Rc;

use super::word::Word;

/// Commands one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// Each runs when the one before it has ended.
    pub chains: Vec<Chain>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    pub first: Pipe,
    /// The others, and when each runs.
    pub rest: Vec<(Join, Pipe)>,
    /// The line does not wait for it.
    pub background: bool,
}

/// When the next pipeline of a chain runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// The one before succeeded.
    And,
    /// The one before failed.
    Or,
}

/// Commands that run at once, each reading what the one before it prints.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipe {
    pub stages: Vec<Command>,
}

/// One command and where its output goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What it is.
    pub kind: Kind,
    pub redirects: Vec<Redirect>,
}

/// What a command is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A program with its arguments.
    Simple(Simple),
    /// `( ... )`: what changes in it is gone afterwards.
    Subshell(Script),
    /// `{ ...; }`.
    Group(Script),
    /// `if`: conditions and branches, in their order.
    If(Vec<Script>),
    /// `while` and `until`: condition and body.
    Loop(Script, Script),
    /// `for`: the variable, its values, the body.
    For(String, Vec<Word>, Script),
    /// `case`: what is compared, with what, and the branches.
    Case(Vec<Word>, Vec<Script>),
    Function(String, Box<Command>),
    /// `[[ ... ]]`, `(( ... ))`: only words in it can do anything.
    Test(Vec<Word>),
}

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Simple {
    /// What its environment gets, or what the shell's variables become.
    pub assigns: Vec<(String, Word)>,
    /// The program and its arguments.
    pub words: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Redirect {
    pub way: Way,
    /// From or to what.
    pub target: Word,
    /// The text of a here-document.
    pub document: Option<Rc<OnceCell<Word>>>,
}

/// How a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From a file.
    In,
    /// To a file.
    Out,
    /// To another descriptor.
    Copy,
    /// From a text in the line.
    Here,
}
