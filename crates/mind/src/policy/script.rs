//! A command line taken apart: what [`super::shell`] makes of a text, and [`super::bench`] walks.

use std::cell::OnceCell;
use std::rc::Rc;

use super::word::Word;

/// Commands one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShellScript {
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
    pub stages: Vec<ShellCommand>,
}

/// One command and where its output goes.
#[derive(Debug, Clone, PartialEq)]
pub struct ShellCommand {
    /// What it is.
    pub kind: CommandForm,
    pub redirects: Vec<Redirect>,
}

/// What a command is.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandForm {
    /// A program with its arguments.
    Simple(Simple),
    /// `( ... )`: what changes in it is gone afterwards.
    Subshell(ShellScript),
    /// `{ ...; }`.
    Group(ShellScript),
    /// `if`: conditions and branches, in their order.
    If(Vec<ShellScript>),
    /// `while` and `until`: condition and body.
    Loop(ShellScript, ShellScript),
    /// `for`: the variable, its values, the body.
    For(String, Vec<Word>, ShellScript),
    /// `case`: what is compared, with what, and the branches.
    Case(Vec<Word>, Vec<ShellScript>),
    Function(String, Box<ShellCommand>),
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
    pub way: RedirectKind,
    /// From or to what.
    pub target: Word,
    /// The text of a here-document.
    pub document: Option<Rc<OnceCell<Word>>>,
}

/// How a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// From a file.
    In,
    /// To a file.
    Out,
    /// To another descriptor.
    Copy,
    /// From a text in the line.
    Here,
}
