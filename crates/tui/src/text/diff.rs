//! Changes in colours. A person allows what they see here, so nothing hides: what is invisible is shown as an escape,
//! and a removed line that looks like a heading of the change is shown as removed.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use view::clean::visible;

use super::wrap::fold;
use crate::theme::{Theme, Tint};

/// Below this width the sign gets no column of its own.
const COLUMNS_MIN: u16 = 4;

/// A change as lines: what is added, what is removed, what stays. A line that is broken repeats its sign, so that no
/// part of it looks like a line that stays.
pub fn diff(text: &str, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let text = visible(text);
    let mut hunk = Hunk::default();
    let mut lines = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        let part = hunk.part(line, rest.peek().copied().unwrap_or_default());
        let style = part.style(theme);
        match part {
            Part::Heading => lines.extend(fold(vec![Span::styled(line.to_owned(), style)], columns, 2)),
            Part::Added | Part::Removed | Part::Kept => signed(line, columns, style, &mut lines),
        }
    }
    lines
}

fn signed(line: &str, columns: u16, style: Style, lines: &mut Vec<Line<'static>>) {
    let signed = line.starts_with(['+', '-', ' ']);
    if columns < COLUMNS_MIN || !signed {
        lines.extend(fold(
            vec![Span::styled(line.to_owned(), style)],
            columns,
            u16::from(columns >= COLUMNS_MIN),
        ));
        return;
    }
    let (sign, content) = line.split_at(1);
    for mut part in fold(vec![Span::styled(content.to_owned(), style)], columns - 1, 0) {
        part.spans.insert(0, Span::styled(sign.to_owned(), style));
        lines.push(part);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Heading,
    Added,
    Removed,
    Kept,
}

impl Part {
    fn style(self, theme: &Theme) -> Style {
        theme.style(match self {
            Part::Heading => Tint::Dim,
            Part::Added => Tint::Added,
            Part::Removed => Tint::Removed,
            Part::Kept => Tint::Words,
        })
    }
}

/// How many lines the current piece of the change still promises.
#[derive(Default)]
struct Hunk {
    old: u64,
    new: u64,
    named: bool,
}

impl Hunk {
    fn part(&mut self, line: &str, next: &str) -> Part {
        let inside = self.old > 0 || self.new > 0;
        let named = std::mem::take(&mut self.named);
        if !inside {
            if let Some((old, new)) = promised(line) {
                (self.old, self.new) = (old, new);
                return Part::Heading;
            }
            if line.starts_with("--- ") && next.starts_with("+++ ") {
                self.named = true;
                return Part::Heading;
            }
            if line.starts_with("+++ ") && named {
                return Part::Heading;
            }
        }
        if line.starts_with('+') {
            self.new = self.new.saturating_sub(1);
            Part::Added
        } else if line.starts_with('-') {
            self.old = self.old.saturating_sub(1);
            Part::Removed
        } else if is_heading(line) {
            (self.old, self.new) = promised(line).unwrap_or_default();
            Part::Heading
        } else {
            self.old = self.old.saturating_sub(1);
            self.new = self.new.saturating_sub(1);
            Part::Kept
        }
    }
}

/// `@@ -1,2 +3,4 @@` promises two old lines and four new ones.
fn promised(line: &str) -> Option<(u64, u64)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let mut count = |sign: char| {
        let range = words.next()?.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
    };
    Some((count('-')?, count('+')?))
}

/// Signs that no line of a file begins with in a change: there, each begins with `+`, `-` or a space.
fn is_heading(line: &str) -> bool {
    const HEADINGS: &[&str] = &[
        "@@",
        "diff ",
        "index ",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
        "similarity index ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
        "Binary files ",
        "\\ No newline",
    ];
    HEADINGS.iter().any(|heading| line.starts_with(heading))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line with the first letter of its part.
    fn parts(text: &str, columns: u16) -> String {
        let theme = Theme::COLOURED;
        let name = |style: Style| match style {
            _ if style == theme.style(Tint::Dim) => 'H',
            _ if style == theme.style(Tint::Added) => 'A',
            _ if style == theme.style(Tint::Removed) => 'R',
            _ => 'K',
        };
        let lines = diff(text, columns, &theme);
        lines
            .iter()
            .map(|line| format!("{} |{line}|", name(line.spans[0].style)))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn a_change_is_read() {
        let change = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn\n one\n--- not a heading\n+++ nor this\n three\n\\ No newline at end of file\n";
        insta::assert_snapshot!(parts(change, 40), @r"
        H |diff --git a/x b/x|
        H |index 1..2 100644|
        H |--- a/x|
        H |+++ b/x|
        H |@@ -1,3 +1,3 @@ fn|
        K | one|
        R |--- not a heading|
        A |+++ nor this|
        K | three|
        H |\ No newline at end of file|
        ");
    }

    #[test]
    fn a_broken_line_keeps_its_sign() {
        insta::assert_snapshot!(parts("+abcdefghij\n-k\n lmnopqr", 6), @r"
        A |+abcde|
        A |+fghij|
        R |-k|
        K | lmnop|
        K | qr|
        ");
        insta::assert_snapshot!(parts("+abcd", 2), @r"
        A |+a|
        A |bc|
        A |d|
        ");
    }

    #[test]
    fn nothing_hides_in_a_change() {
        insta::assert_snapshot!(parts("+a\u{202e}b\u{1b}[2J\u{200b}", 80), @r"A |+a\u{202e}b\u{1b}[2J\u{200b}|");
    }
}
