//! Words of a command line: quotes, expansions, redirections and here-documents, for [`super::shell`].

use std::cell::OnceCell;
use std::rc::Rc;

use super::script::{Redirect, RedirectKind, ShellScript};
use super::shell::{Parser, Pending, Unclear, is_word_char, parse_at};
use super::word::{Atom, Word, asks_folder, lists_names};

type Parsed<T> = Result<T, Unclear>;

impl Word {
    fn push_all(&mut self, text: &str) {
        self.atoms.extend(text.chars().map(|c| Atom::Char(c, true)));
    }

    fn run(&mut self, script: ShellScript, quoted: bool) {
        if let Some(name) = asks_folder(&script) {
            return self.atoms.push(Atom::Var(name.to_owned(), quoted));
        }
        self.atoms.push(match super::names::listed_by(&script) {
            Some(names) => Atom::Names(names),
            None => Atom::Hole { quoted, plain: lists_names(&script) },
        });
        self.inner.push(script);
    }
}

impl Parser {
    /// The word that stands here, if one does.
    pub fn word(&mut self) -> Parsed<Option<Word>> {
        let begin = self.at;
        let mut word = Word::default();
        while let Some(c) = self.peek() {
            if self.sees("<(") || self.sees(">(") {
                self.at += 2;
                let script = self.nested()?;
                word.run(script, true);
            } else if !is_word_char(c) {
                break;
            } else {
                self.piece(c, &mut word)?;
            }
        }
        Ok((self.at > begin).then_some(word))
    }

    fn piece(&mut self, c: char, word: &mut Word) -> Parsed<()> {
        self.at += 1;
        match c {
            '\\' => match self.peek() {
                Some('\n') => self.at += 1,
                Some(next) => {
                    self.at += 1;
                    word.atoms.push(Atom::Char(next, true));
                }
                None => word.atoms.push(Atom::Char('\\', true)),
            },
            '\'' => {
                let text = self.until('\'')?;
                word.push_all(&text);
            }
            '"' => self.double(Some('"'), word)?,
            '$' => self.dollar(false, word)?,
            '`' => self.backticks(false, word)?,
            c => word.atoms.push(Atom::Char(c, false)),
        }
        Ok(())
    }

    fn until(&mut self, end: char) -> Parsed<String> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|c| *c == end).ok_or(Unclear("a quote is not closed"))?;
        let text = rest[..length].iter().collect();
        self.at += length + 1;
        Ok(text)
    }

    /// Text in double quotes, or, without an end, a whole here-document.
    fn double(&mut self, end: Option<char>, word: &mut Word) -> Parsed<()> {
        loop {
            let Some(c) = self.peek() else {
                return if end.is_none() { Ok(()) } else { Err(Unclear("a quote is not closed")) };
            };
            self.at += 1;
            match c {
                c if Some(c) == end => return Ok(()),
                '\\' => match self.peek() {
                    Some('\n') => self.at += 1,
                    Some(next) if matches!(next, '$' | '`' | '\\') || Some(next) == end => {
                        self.at += 1;
                        word.atoms.push(Atom::Char(next, true));
                    }
                    Some(_) | None => word.atoms.push(Atom::Char('\\', true)),
                },
                '$' => self.dollar(true, word)?,
                '`' => self.backticks(true, word)?,
                c => word.atoms.push(Atom::Char(c, true)),
            }
        }
    }

    /// What follows a dollar sign.
    fn dollar(&mut self, quoted: bool, word: &mut Word) -> Parsed<()> {
        let Some(c) = self.peek() else {
            word.atoms.push(Atom::Char('$', true));
            return Ok(());
        };
        match c {
            '(' => {
                self.at += 1;
                if self.sees("(") {
                    let before = self.at;
                    self.at += 1;
                    if let Some(inside) = self.deeper(Parser::arithmetic)? {
                        word.inner.extend(inside.inner);
                        word.atoms.push(Atom::Hole { quoted, plain: true });
                        return Ok(());
                    }
                    self.mistake(before)?;
                }
                let script = self.nested()?;
                word.run(script, quoted);
            }
            '{' => {
                self.at += 1;
                self.deeper(|parser| parser.parameter(quoted, word))?;
            }
            '\'' if !quoted => {
                self.at += 1;
                self.ansi(word)?;
            }
            '"' if !quoted => {}
            '[' => return Err(Unclear("it holds an old form of arithmetic")),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let name: String = self.text[self.at..].iter().take_while(|c| is_name_char(**c)).collect();
                self.at += name.len();
                word.atoms.push(Atom::Var(name, quoted));
            }
            c if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.at += 1;
                word.atoms.push(Atom::Var(c.to_string(), quoted));
            }
            '+' | '=' | '^' | '~' if !quoted => return Err(Unclear("it holds a rare expansion")),
            _ => word.atoms.push(Atom::Char('$', true)),
        }
        Ok(())
    }

    /// The commands up to the closing parenthesis.
    fn nested(&mut self) -> Parsed<ShellScript> {
        let outer = std::mem::take(&mut self.pending);
        let script = self.deeper(Parser::script)?;
        if !self.take(")") {
            return Err(Unclear("a substitution is not closed"));
        }
        if !self.pending.is_empty() {
            return Err(Unclear("a here-document does not end"));
        }
        self.pending = outer;
        Ok(script)
    }

    /// `${...}`: a plain variable, or something worked out of one.
    fn parameter(&mut self, quoted: bool, word: &mut Word) -> Parsed<()> {
        let begin = self.at;
        let name: String = self.text[self.at..].iter().take_while(|c| is_name_char(**c)).collect();
        self.at += name.len();
        if !name.is_empty() && self.take("}") {
            word.atoms.push(Atom::Var(name, quoted));
            return Ok(());
        }
        if name.is_empty() && self.peek() == Some('(') {
            return Err(Unclear("it holds a rare expansion"));
        }
        let mut inside = Word::default();
        loop {
            let Some(c) = self.peek() else { return Err(Unclear("a ${ is not closed")) };
            match c {
                '}' => {
                    self.at += 1;
                    break;
                }
                // The value itself would be expanded again.
                '@' if self.text.get(self.at + 1).is_some_and(char::is_ascii_alphabetic)
                    && self.at > begin =>
                {
                    return Err(Unclear("it holds a rare expansion"));
                }
                '\'' if quoted => {
                    self.at += 1;
                    inside.atoms.push(Atom::Char('\'', true));
                }
                c => self.piece(c, &mut inside)?,
            }
        }
        word.inner.extend(inside.inner);
        word.atoms.push(Atom::Hole { quoted, plain: false });
        Ok(())
    }

    /// Arithmetic up to its `))`; nothing if it turns out to be something else.
    pub fn arithmetic(&mut self) -> Parsed<Option<Word>> {
        let mut word = Word::default();
        let mut open = 0u32;
        while let Some(c) = self.peek() {
            match c {
                ')' if open == 0 => return Ok(self.take("))").then_some(word)),
                ')' => open -= 1,
                '(' => open += 1,
                '$' => {
                    self.at += 1;
                    self.dollar(true, &mut word)?;
                    continue;
                }
                '`' | '\\' | '\'' | '"' | '{' | '}' | '@' => return Ok(None),
                _ => {}
            }
            self.at += 1;
        }
        Ok(None)
    }

    fn backticks(&mut self, quoted: bool, word: &mut Word) -> Parsed<()> {
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else { return Err(Unclear("a backtick is not closed")) };
            self.at += 1;
            match (c, self.peek()) {
                ('`', _) => break,
                ('\\', Some(next)) if matches!(next, '`' | '$' | '\\') || (quoted && next == '"') => {
                    self.at += 1;
                    text.push(next);
                }
                (c, _) => text.push(c),
            }
        }
        let script = self.deeper(|parser| parse_at(&text, parser.depth))?;
        word.run(script, quoted);
        Ok(())
    }

    /// `$'...'`, with its escapes.
    fn ansi(&mut self, word: &mut Word) -> Parsed<()> {
        loop {
            let Some(c) = self.peek() else { return Err(Unclear("a quote is not closed")) };
            self.at += 1;
            let c = match c {
                '\'' => return Ok(()),
                '\\' => self.escape()?,
                c => c,
            };
            word.atoms.push(Atom::Char(c, true));
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let c = self.peek().ok_or(Unclear("a quote is not closed"))?;
        self.at += 1;
        let code = match c {
            'n' => return Ok('\n'),
            't' => return Ok('\t'),
            'r' => return Ok('\r'),
            '\\' | '\'' | '"' | '?' => return Ok(c),
            'a' => 7,
            'b' => 8,
            'e' | 'E' => 27,
            'f' => 12,
            'v' => 11,
            'x' => self.digits(16, 2),
            'u' => self.digits(16, 4),
            'U' => self.digits(16, 8),
            '0'..='7' => {
                self.at -= 1;
                self.digits(8, 3) & 0xff
            }
            _ => return Err(Unclear("it holds a rare escape")),
        };
        let is_half = matches!(c, 'x' | '0'..='7') && code > 127;
        char::from_u32(code)
            .filter(|c| *c != '\0' && !is_half)
            .ok_or(Unclear("it holds bytes that are no text"))
    }

    fn digits(&mut self, radix: u32, max: usize) -> u32 {
        let mut number = 0u32;
        for _ in 0..max {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            number = number.wrapping_mul(radix).wrapping_add(digit);
            self.at += 1;
        }
        number
    }

    /// The name that a value is about to be given to, as in `NAME=`.
    pub fn assigned(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let name: String = rest.iter().take_while(|c| is_name_char(**c)).collect();
        let begins = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
        let mut after = name.len();
        // An element of a list, if it is named plainly.
        if rest.get(after) == Some(&'[') {
            let plain = |c: &&char| is_name_char(**c) || matches!(**c, '-' | '.');
            let inside = rest[after + 1..].iter().take_while(plain).count();
            if rest.get(after + 1 + inside) != Some(&']') {
                return None;
            }
            after += inside + 2;
        }
        if rest.get(after) == Some(&'+') {
            after += 1;
        }
        if !begins || rest.get(after) != Some(&'=') {
            return None;
        }
        self.at += after + 1;
        Some(name)
    }

    /// What an assignment gives: a word, nothing, or a list in parentheses.
    pub fn value(&mut self) -> Parsed<Word> {
        if !self.take("(") {
            return Ok(self.word()?.unwrap_or_default());
        }
        let mut all = Word::default();
        loop {
            while self.peek().is_some_and(char::is_whitespace) {
                self.at += 1;
            }
            if self.take(")") {
                all.atoms = vec![Atom::Hole { quoted: false, plain: false }];
                return Ok(all);
            }
            let word = self.word()?.ok_or(Unclear("a list of values is not closed"))?;
            all.inner.extend(word.inner);
        }
    }

    /// The redirection that stands here, if one does.
    pub fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let begin = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let numbered = self.at > begin;
        if self.sees("<(") || self.sees(">(") || (numbered && self.sees("&>")) {
            self.at = begin;
            return Ok(None);
        }
        for (operator, way) in [
            ("&>>", RedirectKind::Out),
            ("&>", RedirectKind::Out),
            ("<<<", RedirectKind::Here),
            ("<<-", RedirectKind::Here),
            ("<<", RedirectKind::Here),
            ("<&", RedirectKind::Copy),
            ("<>", RedirectKind::Out),
            ("<", RedirectKind::In),
            (">>", RedirectKind::Out),
            (">|", RedirectKind::Out),
            (">&", RedirectKind::Copy),
            (">", RedirectKind::Out),
        ] {
            if self.take(operator) {
                return self.target(operator, way).map(Some);
            }
        }
        self.at = begin;
        Ok(None)
    }

    fn target(&mut self, operator: &str, way: RedirectKind) -> Parsed<Redirect> {
        while matches!(self.peek(), Some(' ' | '\t')) || self.sees("\\\n") {
            self.at += if self.peek() == Some('\\') { 2 } else { 1 };
        }
        let target = self.word()?.ok_or(Unclear("a redirection goes nowhere"))?;
        let text = target.fixed();
        if matches!(text.as_deref(), Some("!" | "")) {
            return Err(Unclear("a redirection goes nowhere"));
        }
        if matches!(operator, "<<" | "<<-") {
            let delimiter = text.ok_or(Unclear("a here-document's end is not plain"))?;
            let quoted = target.atoms.iter().any(|atom| matches!(atom, Atom::Char(_, true)));
            let document = Rc::new(OnceCell::new());
            self.pending.push(Pending {
                delimiter,
                quoted,
                tabs: operator == "<<-",
                document: document.clone(),
            });
            return Ok(Redirect { way, target, document: Some(document) });
        }
        let is_copy = text.is_some_and(|text| {
            let digits = text.trim_end_matches('-');
            digits.chars().all(|c| c.is_ascii_digit())
        });
        let way = if way == RedirectKind::Copy && !is_copy { RedirectKind::Out } else { way };
        Ok(Redirect { way, target, document: None })
    }

    /// Reads the texts of the here-documents that begin after this line; the cursor then stands after them.
    pub fn documents_here(&mut self) -> Parsed<()> {
        for pending in std::mem::take(&mut self.pending) {
            let text = self.document(&pending)?;
            let mut word = Word::default();
            if pending.quoted {
                word.push_all(&text);
            } else {
                let mut inside = Parser::new(&text, self.depth);
                inside.double(None, &mut word)?;
            }
            let _first = pending.document.set(word);
        }
        Ok(())
    }

    fn document(&mut self, pending: &Pending) -> Parsed<String> {
        let mut text = String::new();
        let mut goes_on = false;
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
            let line: String = rest[..length].iter().collect();
            self.at = (self.at + length + 1).min(self.text.len());
            let bare = if pending.tabs { line.trim_start_matches('\t') } else { line.as_str() };
            if !goes_on && bare == pending.delimiter {
                return Ok(text);
            }
            // An open here-document joins lines that end in a backslash, and so may swallow its own end.
            let slashes = line.chars().rev().take_while(|c| *c == '\\').count();
            goes_on = !pending.quoted && slashes % 2 == 1;
            text.push_str(bare);
            text.push('\n');
        }
        Err(Unclear("a here-document does not end"))
    }
}

/// A character of a variable's name.
pub fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
