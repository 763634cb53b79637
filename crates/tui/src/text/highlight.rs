//! Code in colours. One small reader serves all languages: it knows comments, quotes, numbers and words. A grammar
//! engine was measured and left out: it took 50 ms and 8 MB for each language that it met.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::language::Language;
use crate::theme::{Theme, Tint};

/// Longer code is shown without colours.
const LINES_MAX: usize = 400;

/// Code with a longer line is shown without colours.
const LINE_BYTES_MAX: usize = 2_000;

/// The lines of a code block, coloured where the language is known and the block is not too long.
pub fn highlight(name: &str, code: &str, theme: &Theme) -> Vec<Vec<Span<'static>>> {
    let fits = code.lines().count() <= LINES_MAX && code.lines().all(|line| line.len() <= LINE_BYTES_MAX);
    let Some(language) = Language::named(name).filter(|_| fits) else {
        let style = theme.style(Tint::Code);
        return code.lines().map(|line| vec![Span::styled(line.to_owned(), style)]).collect();
    };
    let mut reader = Reader { language, code, at: 0, in_tag: false };
    let mut lines = vec![Vec::new()];
    while let Some((kind, text)) = reader.next_token() {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                push(line, part, kind.style(theme));
            }
        }
    }
    if code.is_empty() || code.ends_with('\n') {
        lines.pop();
    }
    lines
}

fn push(line: &mut Vec<Span<'static>>, text: &str, style: Style) {
    match line.last_mut() {
        Some(last) if last.style == style => last.content.to_mut().push_str(text),
        Some(_) | None => line.push(Span::styled(text.to_owned(), style)),
    }
}

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Comment,
    Text,
    Keyword,
    Constant,
    Function,
    Type,
    Key,
}

impl Kind {
    fn style(self, theme: &Theme) -> Style {
        let (colour, modifier) = match self {
            Kind::Plain => (None, Modifier::empty()),
            Kind::Comment => return theme.style(Tint::Dim),
            Kind::Text => (Some(Color::Green), Modifier::empty()),
            Kind::Keyword if theme.is_coloured() => (Some(Color::Magenta), Modifier::empty()),
            Kind::Keyword => (None, Modifier::BOLD),
            Kind::Constant => (Some(Color::Cyan), Modifier::empty()),
            Kind::Function => (Some(Color::Blue), Modifier::empty()),
            Kind::Type => (Some(Color::Yellow), Modifier::empty()),
            Kind::Key => (Some(Color::LightBlue), Modifier::empty()),
        };
        let style = theme.style(Tint::Words).add_modifier(modifier);
        match colour.filter(|_| theme.is_coloured()) {
            Some(colour) => style.fg(colour),
            None => style,
        }
    }
}

struct Reader<'a> {
    language: &'static Language,
    code: &'a str,
    at: usize,
    in_tag: bool,
}

impl<'a> Reader<'a> {
    /// The next piece; pieces follow each other without a gap.
    fn next_token(&mut self) -> Option<(Kind, &'a str)> {
        let rest = &self.code[self.at..];
        let first = rest.chars().next()?;
        let (kind, length) = self
            .comment(rest)
            .or_else(|| self.text(rest, first))
            .or_else(|| self.markup(rest, first))
            .or_else(|| self.word(rest, first))
            .unwrap_or((Kind::Plain, first.len_utf8()));
        self.at += length;
        Some((kind, &rest[..length]))
    }

    fn comment(&self, rest: &str) -> Option<(Kind, usize)> {
        if let Some((open, close)) = self.language.block
            && let Some(inside) = rest.strip_prefix(open)
        {
            let length = inside.find(close).map_or(rest.len(), |end| open.len() + end + close.len());
            return Some((Kind::Comment, length));
        }
        let before = self.code[..self.at].chars().next_back();
        let sign = self.language.comments.iter().find(|sign| rest.starts_with(**sign))?;
        // `$#`, `a#b` and `--no-option=x;y` are no comments.
        let begins = before.is_none_or(char::is_whitespace) || matches!(*sign, "//" | "--");
        begins.then(|| (Kind::Comment, rest.find('\n').unwrap_or(rest.len())))
    }

    fn text(&self, rest: &str, first: char) -> Option<(Kind, usize)> {
        if let Some(quote) = self.language.long_quotes.iter().find(|quote| rest.starts_with(**quote)) {
            let end = closing(&rest[quote.len()..], quote, true).unwrap_or(rest.len() - quote.len());
            return Some((Kind::Text, quote.len() + end));
        }
        if first == '\'' && self.language.has_lifetimes() {
            let mut signs = rest.char_indices().skip(1);
            let (_, sign) = signs.next()?;
            let end = if sign == '\\' {
                closing(&rest[1..], "'", false)? + 1
            } else {
                signs.next().filter(|&(_, close)| close == '\'')?.0 + 1
            };
            return Some((Kind::Text, end));
        }
        if !self.language.quotes.contains(first) || (self.language.is_markup() && !self.in_tag) {
            return None;
        }
        // An apostrophe inside a word is no quote.
        let inside_word = self.code[..self.at].chars().next_back().is_some_and(char::is_alphanumeric);
        if first == '\'' && inside_word {
            return None;
        }
        let quote = if first == '"' { "\"" } else { "'" };
        let end = 1 + closing(&rest[1..], quote, false)?;
        let behind = rest[end..].trim_start_matches(' ').chars().next();
        let key = behind.is_some_and(|sign| self.language.keys.contains(sign));
        Some((if key { Kind::Key } else { Kind::Text }, end))
    }

    fn markup(&mut self, rest: &str, first: char) -> Option<(Kind, usize)> {
        if !self.language.is_markup() {
            return None;
        }
        if first == '<' {
            let name = rest[1..].trim_start_matches(['/', '!', '?']);
            let opening = rest.len() - name.len();
            let length =
                name.find(|sign: char| !sign.is_alphanumeric() && !"-:".contains(sign)).unwrap_or(name.len());
            self.in_tag = length > 0;
            return Some((if length > 0 { Kind::Keyword } else { Kind::Plain }, opening + length));
        }
        if first == '>' && self.in_tag {
            self.in_tag = false;
            return Some((Kind::Keyword, 1));
        }
        let length = rest.find('<').unwrap_or(rest.len());
        (!self.in_tag && length > 0).then_some((Kind::Plain, length))
    }

    fn word(&self, rest: &str, first: char) -> Option<(Kind, usize)> {
        if first.is_ascii_digit() {
            let length = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && !"._".contains(sign));
            return Some((Kind::Constant, number_length(&rest[..length.unwrap_or(rest.len())])));
        }
        if first == '$' && self.language.is_shell() {
            let name = rest[1..].trim_start_matches('{');
            let length = name.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(name.len());
            return Some((Kind::Constant, rest.len() - name.len() + length));
        }
        let belongs =
            |sign: char| sign.is_alphanumeric() || sign == '_' || self.language.letters.contains(sign);
        let length = rest.find(|sign| !belongs(sign)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        if word.is_empty() {
            return None;
        }
        Some((self.kind(word, behind), length))
    }

    fn kind(&self, word: &str, behind: &str) -> Kind {
        let next = behind.trim_start_matches(' ').chars().next();
        if matches!(
            word,
            "true" | "false" | "null" | "nil" | "None" | "True" | "False" | "undefined" | "NULL" | "nullptr"
        ) {
            Kind::Constant
        } else if self.language.keeps(word) {
            Kind::Keyword
        } else if next.is_some_and(|sign| self.language.keys.contains(sign)) && !behind.starts_with("://") {
            Kind::Key
        } else if behind.starts_with('(') || behind.starts_with("!(") {
            Kind::Function
        } else if self.names_types() && word.starts_with(char::is_uppercase) {
            Kind::Type
        } else {
            Kind::Plain
        }
    }

    /// Languages without keys have types, and write them with a capital.
    fn names_types(&self) -> bool {
        self.language.keys.is_empty() && !self.language.is_shell() && !self.language.shouts
    }
}

/// `1..10` is two numbers.
fn number_length(digits: &str) -> usize {
    digits.find("..").unwrap_or(digits.trim_end_matches('.').len())
}

/// Where a text ends, behind its closing quote; a backslash hides a quote.
fn closing(text: &str, quote: &str, lines: bool) -> Option<usize> {
    let mut hidden = false;
    for (at, sign) in text.char_indices() {
        if sign == '\n' && !lines {
            return None;
        }
        if !hidden && text[at..].starts_with(quote) {
            return Some(at + quote.len());
        }
        hidden = sign == '\\' && !hidden;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every piece that is not plain, with what it is.
    fn pieces(name: &str, code: &str) -> String {
        let theme = Theme::COLOURED;
        let kinds =
            [Kind::Comment, Kind::Text, Kind::Keyword, Kind::Constant, Kind::Function, Kind::Type, Kind::Key];
        let lines = highlight(name, code, &theme);
        let whole: Vec<String> =
            lines.iter().map(|line| line.iter().map(|span| span.content.as_ref()).collect()).collect();
        assert_eq!(whole, code.lines().collect::<Vec<_>>());
        let mut found = Vec::new();
        for span in lines.iter().flatten() {
            if let Some(kind) = kinds.iter().find(|kind| kind.style(&theme) == span.style) {
                found.push(format!("{kind:?}:{}", span.content));
            }
        }
        found.join(" | ")
    }

    #[test]
    fn rust_is_read() {
        let code = "fn f<'a>(x: &'a str) -> Vec<u8> { // why\n    g(\"a\\\"b\", 'c', '\\n', 1..20); /* x\n y */ let s = \"two\nlines\"\n}\n";
        insta::assert_snapshot!(pieces("rust", code), @r#"Keyword:fn | Type:Vec | Comment:// why | Function:g | Text:"a\"b" | Text:'c' | Text:'\n' | Constant:1 | Constant:20 | Comment:/* x | Comment: y */ | Keyword:let | Text:"two | Text:lines""#);
    }

    #[test]
    fn the_others_are_read() {
        insta::assert_snapshot!(pieces("py", "def f(self):\n    \"\"\"doc\n    more\"\"\"\n    return 'it' + x[0] # note\n"), @r#"Keyword:def | Function:f | Keyword:self | Text:"""doc | Text:    more""" | Keyword:return | Text:'it' | Constant:0 | Comment:# note"#);
        insta::assert_snapshot!(pieces("ts", "const a = async (b: Foo) => `x\n${b}`; // c\n"), @"Keyword:const | Keyword:async | Type:Foo | Text:`x | Text:${b}` | Comment:// c");
        insta::assert_snapshot!(pieces("json", "{\"a\": [1, true, \"b\"]}"), @r#"Key:"a" | Constant:1 | Constant:true | Text:"b""#);
        insta::assert_snapshot!(pieces("yaml", "a-b: 1 # c\nurl: http://x#y\nit: isn't\n"), @"Key:a-b | Constant:1 | Comment:# c | Key:url | Key:it");
        insta::assert_snapshot!(pieces("sh", "for i in $#; do echo \"$i\" --else; done # c\n"), @r#"Keyword:for | Keyword:in | Constant:$ | Keyword:do | Keyword:echo | Text:"$i" | Keyword:done | Comment:# c"#);
        insta::assert_snapshot!(pieces("sql", "SELECT a FROM b WHERE c = 'x' -- d"), @"Keyword:SELECT | Keyword:FROM | Keyword:WHERE | Text:'x' | Comment:-- d");
        insta::assert_snapshot!(pieces("html", "<a href=\"x\">it's for you</a><!-- c -->"), @r#"Keyword:<a | Key:href | Text:"x" | Keyword:> | Keyword:</a> | Comment:<!-- c -->"#);
        insta::assert_snapshot!(pieces("c", "#include <stdio.h>\nint main(void) { return 0x1F; }"), @"Keyword:#include | Keyword:int | Function:main | Keyword:void | Keyword:return | Constant:0x1F");
    }

    #[test]
    fn an_unknown_language_is_plain_code() {
        let lines = highlight("brainfuck", "+[-]\n", &Theme::COLOURED);
        assert_eq!(lines, [[Span::styled("+[-]", Theme::COLOURED.style(Tint::Code))]]);
    }

    #[test]
    fn long_code_is_not_coloured() {
        let code = "fn\n".repeat(LINES_MAX + 1);
        assert!(
            highlight("rust", &code, &Theme::COLOURED)
                .iter()
                .all(|line| line[0].style.fg != Some(Color::Magenta))
        );
    }

    #[test]
    fn without_colours_words_have_weight() {
        let lines = highlight("rust", "let a; // b", &Theme::PLAIN);
        assert!(lines[0][0].style.add_modifier.contains(Modifier::BOLD));
        assert!(lines[0].last().unwrap().style.add_modifier.contains(Modifier::DIM));
        assert!(lines.iter().flatten().all(|span| span.style.fg.is_none()));
    }
}
