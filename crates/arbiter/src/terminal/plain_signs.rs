//! Prints the docket's lines: where the locale is not UTF-8, our few non-ASCII characters are written as ASCII.

use std::io;
use std::sync::LazyLock;

use tui::terminal::Claims;
use tui::theme::Signs;

use crate::terminal::console::{self, Line};

static ASCII: LazyLock<bool> = LazyLock::new(|| {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let claims = Claims { no_colour: true, locale: locale.as_deref(), ..Claims::default() };
    claims.theme().signs == Signs::Ascii
});

fn shown(text: &str) -> String {
    if *ASCII { plain(text) } else { text.to_owned() }
}

fn plain(text: &str) -> String {
    let signs = [("✓", "*"), ("→", "->"), ("·", "-"), ("│", "|"), ("—", "-")];
    signs.into_iter().fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain))
}

pub(crate) fn write(lines: &[Line]) -> io::Result<()> {
    let lines: Vec<Line> = lines.iter().map(|(ink, text)| (*ink, shown(text))).collect();
    console::write(&lines)
}

/// Prints one line.
pub(crate) fn line(text: impl std::fmt::Display) {
    console::line(shown(&text.to_string()));
}

/// Asks for an answer on the same line.
pub(crate) fn ask(text: &str) -> io::Result<()> {
    console::ask(&shown(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_of_ours_has_a_plain_one() {
        let text = plain("✓ a → b · c │ d — e");
        assert_eq!(text, "* a -> b - c | d - e");
    }
}
