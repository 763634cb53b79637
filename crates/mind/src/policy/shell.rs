//! The parser of command lines, as POSIX shells and bash read them. What it cannot take apart it says so: it never
//! guesses. Here-documents, quotes and expansions are read by [`super::quote`].

use std::cell::OnceCell;
use std::rc::Rc;

use super::script::{Chain, CommandForm, Join, Pipe, Redirect, ShellCommand, ShellScript, Simple};
use super::word::Word;
use crate::limits::{COMMAND_BYTES_MAX, COMMAND_DEPTH_MAX};

/// Why a line could not be taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear(pub &'static str);

/// The commands of a line that stands `depth` levels inside others.
pub fn parse_at(text: &str, depth: usize) -> Result<ShellScript, Unclear> {
    if text.len() > COMMAND_BYTES_MAX {
        return Err(Unclear("it is too long"));
    }
    let mut parser = Parser::new(text, depth);
    let script = parser.script()?;
    match parser.peek() {
        None if parser.pending.is_empty() => Ok(script),
        None => Err(Unclear("a here-document does not end")),
        Some(_) => Err(Unclear("something is closed that was not opened")),
    }
}

/// A here-document that begins after this line.
pub struct Pending {
    pub delimiter: String,
    pub quoted: bool,
    pub tabs: bool,
    pub document: Rc<OnceCell<Word>>,
}

/// Where we are in a line.
pub struct Parser {
    pub text: Vec<char>,
    pub at: usize,
    pub depth: usize,
    pub pending: Vec<Pending>,
    /// How often something looked like arithmetic and was none.
    pub mistakes: usize,
}

const RESERVED: [&str; 10] = ["then", "do", "done", "fi", "else", "elif", "esac", "}", "in", "]]"];
type Parsed<T> = Result<T, Unclear>;

impl Parser {
    pub fn new(text: &str, depth: usize) -> Parser {
        let text = text.chars().collect();
        Parser { text, at: 0, depth, pending: Vec::new(), mistakes: 0 }
    }

    pub fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub fn sees(&self, what: &str) -> bool {
        what.chars().enumerate().all(|(n, c)| self.text.get(self.at + n) == Some(&c))
    }

    pub fn take(&mut self, what: &str) -> bool {
        let sees = self.sees(what);
        if sees {
            self.at += what.chars().count();
        }
        sees
    }

    /// Goes one level down, and comes back up.
    pub fn deeper<T>(&mut self, inside: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= COMMAND_DEPTH_MAX {
            return Err(Unclear("it is nested too deeply"));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Goes back to where something looked like arithmetic; not too often, since it is read twice.
    pub fn mistake(&mut self, before: usize) -> Parsed<()> {
        self.at = before;
        self.mistakes += 1;
        if self.mistakes > COMMAND_DEPTH_MAX { Err(Unclear("it is nested too deeply")) } else { Ok(()) }
    }

    /// Spaces, joined lines and comments.
    fn blanks(&mut self) {
        loop {
            if matches!(self.peek(), Some(' ' | '\t')) {
                self.at += 1;
            } else if !self.take("\\\n") {
                break;
            }
        }
        let begins = self.at == 0 || !is_word_char(self.text[self.at - 1]);
        if begins && self.peek() == Some('#') {
            while self.peek().is_some_and(|c| c != '\n') {
                self.at += 1;
            }
        }
    }

    /// Blanks and ends of lines; here-documents begin after an end of line.
    fn lines(&mut self) -> Parsed<()> {
        loop {
            self.blanks();
            if !self.take("\n") {
                return Ok(());
            }
            self.documents_here()?;
        }
    }

    /// The bare word that stands here, up to a blank or an operator.
    fn bare(&self) -> String {
        self.text[self.at..].iter().take_while(|c| is_word_char(**c)).take(16).collect()
    }

    fn keyword(&mut self, word: &str) -> bool {
        let stands = self.bare() == word;
        if stands {
            self.at += word.chars().count();
        }
        stands
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        self.lines()?;
        if self.keyword(word) { Ok(()) } else { Err(Unclear("a compound command is not complete")) }
    }

    pub fn script(&mut self) -> Parsed<ShellScript> {
        let mut script = ShellScript::default();
        loop {
            self.lines()?;
            let ends = self.peek().is_none_or(|c| c == ')') || self.sees(";;") || self.sees(";&");
            if ends || RESERVED.contains(&self.bare().as_str()) {
                return Ok(script);
            }
            let mut chain = self.chain()?;
            self.blanks();
            if self.sees(";;") || self.sees(";&") {
                script.chains.push(chain);
                return Ok(script);
            }
            if self.sees("&") {
                self.at += 1;
                chain.background = true;
            } else if !self.take(";") && !matches!(self.peek(), None | Some('\n' | ')')) {
                return Err(Unclear("an operator stands where we expect none"));
            }
            script.chains.push(chain);
        }
    }

    fn chain(&mut self) -> Parsed<Chain> {
        let first = self.pipe()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let join = if self.take("&&") {
                Join::And
            } else if self.take("||") {
                Join::Or
            } else {
                return Ok(Chain { first, rest, background: false });
            };
            self.lines()?;
            rest.push((join, self.pipe()?));
        }
    }

    fn pipe(&mut self) -> Parsed<Pipe> {
        let mut stages = Vec::new();
        loop {
            self.blanks();
            while self.keyword("!") {
                self.blanks();
            }
            stages.push(self.command()?);
            self.blanks();
            if self.sees("||") || !(self.take("|&") || self.take("|")) {
                return Ok(Pipe { stages });
            }
            self.lines()?;
        }
    }

    fn command(&mut self) -> Parsed<ShellCommand> {
        let kind = self.deeper(Parser::compound)?;
        let Some(kind) = kind else { return self.simple() };
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(ShellCommand { kind, redirects }),
            }
        }
    }

    /// A compound command, if one begins here.
    fn compound(&mut self) -> Parsed<Option<CommandForm>> {
        if self.sees("((") {
            let before = self.at;
            self.at += 2;
            if let Some(word) = self.arithmetic()? {
                return Ok(Some(CommandForm::Test(vec![word])));
            }
            self.mistake(before)?;
        }
        if self.take("(") {
            let script = self.script()?;
            return if self.take(")") {
                Ok(Some(CommandForm::Subshell(script)))
            } else {
                Err(Unclear("a ( is not closed"))
            };
        }
        let word = self.bare();
        let begin = self.at;
        self.at += word.chars().count();
        let kind = match word.as_str() {
            "{" => {
                let script = self.script()?;
                self.expect("}")?;
                CommandForm::Group(script)
            }
            "if" => self.branches()?,
            "while" | "until" => {
                let condition = self.script()?;
                CommandForm::Loop(condition, self.body()?)
            }
            "for" => self.for_loop()?,
            "case" => self.case()?,
            "[[" => self.test()?,
            "function" => {
                self.blanks();
                let name = self.bare();
                self.at += name.chars().count();
                self.blanks();
                self.take("()");
                self.lines()?;
                CommandForm::Function(name, Box::new(self.command()?))
            }
            "time" => {
                self.blanks();
                let next = self.bare();
                if self.sees("(")
                    || ["{", "if", "for", "while", "until", "case", "[[", "!"].contains(&next.as_str())
                {
                    while self.keyword("!") {
                        self.blanks();
                    }
                    return self.compound();
                }
                self.at = begin;
                return Ok(None);
            }
            "coproc" | "select" | "foreach" | "repeat" => {
                return Err(Unclear("it holds a rare kind of command"));
            }
            _ => {
                self.at = begin;
                return Ok(None);
            }
        };
        Ok(Some(kind))
    }

    fn branches(&mut self) -> Parsed<CommandForm> {
        let mut parts = vec![self.script()?];
        self.expect("then")?;
        loop {
            parts.push(self.script()?);
            self.lines()?;
            if self.keyword("elif") {
                parts.push(self.script()?);
                self.expect("then")?;
            } else if self.keyword("else") {
                parts.push(self.script()?);
                self.expect("fi")?;
                return Ok(CommandForm::If(parts));
            } else {
                self.expect("fi")?;
                return Ok(CommandForm::If(parts));
            }
        }
    }

    fn body(&mut self) -> Parsed<ShellScript> {
        self.expect("do")?;
        let body = self.script()?;
        self.expect("done")?;
        Ok(body)
    }

    fn for_loop(&mut self) -> Parsed<CommandForm> {
        self.blanks();
        if self.take("((") {
            let head = self.arithmetic()?.ok_or(Unclear("a (( is not closed"))?;
            self.blanks();
            self.take(";");
            let body = self.body()?;
            let chain = CommandForm::Test(vec![head]);
            let first = Pipe { stages: vec![ShellCommand { kind: chain, redirects: Vec::new() }] };
            let condition =
                ShellScript { chains: vec![Chain { first, rest: Vec::new(), background: false }] };
            return Ok(CommandForm::Loop(condition, body));
        }
        let name = self.bare();
        self.at += name.chars().count();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(Unclear("a loop has no plain variable"));
        }
        self.lines()?;
        let mut words = Vec::new();
        if self.keyword("in") {
            loop {
                self.blanks();
                match self.word()? {
                    Some(word) => words.push(word),
                    None => break,
                }
            }
        } else {
            let mut all = Word::default();
            all.atoms.push(super::word::Atom::Var("@".to_owned(), true));
            words.push(all);
        }
        self.blanks();
        self.take(";");
        Ok(CommandForm::For(name, words, self.body()?))
    }

    fn case(&mut self) -> Parsed<CommandForm> {
        self.blanks();
        let mut words: Vec<Word> = self.word()?.into_iter().collect();
        let mut branches = Vec::new();
        self.expect("in")?;
        loop {
            self.lines()?;
            if self.keyword("esac") {
                return Ok(CommandForm::Case(words, branches));
            }
            self.take("(");
            loop {
                self.blanks();
                words.push(self.word()?.ok_or(Unclear("a case has no pattern"))?);
                self.blanks();
                if self.take(")") {
                    break;
                }
                if !self.take("|") {
                    return Err(Unclear("a case's pattern does not end"));
                }
            }
            branches.push(self.script()?);
            self.lines()?;
            let _next = self.take(";;&") || self.take(";;") || self.take(";&");
        }
    }

    fn test(&mut self) -> Parsed<CommandForm> {
        let mut words = Vec::new();
        loop {
            self.lines()?;
            if self.keyword("]]") {
                return Ok(CommandForm::Test(words));
            }
            let operator =
                ["&&", "||", "(", ")", "<", ">", "|"].into_iter().find(|operator| self.sees(operator));
            match operator {
                Some(operator) if !self.sees("<(") && !self.sees(">(") => {
                    self.at += operator.len();
                }
                Some(_) | None => words.push(self.word()?.ok_or(Unclear("a [[ is not closed"))?),
            }
        }
    }

    fn simple(&mut self) -> Parsed<ShellCommand> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            if simple.words.is_empty()
                && let Some(name) = self.assigned()
            {
                simple.assigns.push((name, self.value()?));
                continue;
            }
            match self.word()? {
                Some(word) => simple.words.push(word),
                None => break,
            }
            if self.sees("(") {
                return self.function(&simple, &redirects);
            }
        }
        if simple.words.is_empty() && simple.assigns.is_empty() && redirects.is_empty() {
            return Err(Unclear("a command is missing"));
        }
        Ok(ShellCommand { kind: CommandForm::Simple(simple), redirects })
    }

    fn function(&mut self, simple: &Simple, redirects: &[Redirect]) -> Parsed<ShellCommand> {
        let [word] = simple.words.as_slice() else { return Err(Unclear("a ( stands inside a word")) };
        let name = word.fixed().filter(|_| redirects.is_empty() && simple.assigns.is_empty());
        self.at += 1;
        self.blanks();
        match name {
            Some(name) if self.take(")") => {
                self.lines()?;
                let body = self.deeper(Parser::command)?;
                Ok(ShellCommand { kind: CommandForm::Function(name, Box::new(body)), redirects: Vec::new() })
            }
            Some(_) | None => Err(Unclear("a ( stands inside a word")),
        }
    }
}

/// A character of a word: neither a blank nor an operator.
pub fn is_word_char(c: char) -> bool {
    !matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}
