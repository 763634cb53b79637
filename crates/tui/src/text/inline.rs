//! One line of Markdown: words, their styles, and the targets of links.

use ratatui::style::Style;
use ratatui::text::Span;
use view::clean::clean;

use super::wrap::cut;
use crate::theme::{Theme, Tint};

/// A target is shown up to this width.
const TARGET_COLUMNS_MAX: usize = 300;

/// A name is compared with its target up to this length.
const NAME_BYTES_MAX: usize = 1_000;

/// The line that is being written.
#[derive(Debug)]
pub(super) struct Ink {
    spans: Vec<Span<'static>>,
    styles: Vec<Style>,
    targets: Vec<Target>,
}

/// A link or a picture that is open.
#[derive(Debug)]
struct Target {
    address: String,
    name: String,
    picture: bool,
}

impl Ink {
    pub(super) fn new(style: Style) -> Ink {
        Ink { spans: Vec::new(), styles: vec![style], targets: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The line so far; the next one is empty.
    pub(super) fn take(&mut self) -> Vec<Span<'static>> {
        std::mem::take(&mut self.spans)
    }

    /// Writes on in another style.
    pub(super) fn enter(&mut self, style: Style) {
        self.styles.push(self.style().patch(style));
    }

    /// Back to the style before.
    pub(super) fn leave(&mut self) {
        if self.styles.len() > 1 {
            self.styles.pop();
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    /// Writes a text without line breaks. It is cleaned here, because an entity can spell what was cleaned before.
    pub(super) fn write(&mut self, text: &str) {
        self.write_as(text, Style::new());
    }

    /// Writes a text in a style of its own.
    pub(super) fn write_as(&mut self, text: &str, style: Style) {
        let text = clean(text);
        if let Some(target) = self.targets.last_mut() {
            target.remember(&text);
        }
        let style = self.style().patch(style);
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.style == style => last.content.to_mut().push_str(&text),
            Some(_) | None => self.spans.push(Span::styled(text.into_owned(), style)),
        }
    }

    /// Begins a link or a picture.
    pub(super) fn open(&mut self, address: &str, picture: bool, theme: &Theme) {
        let address = clean(address).replace('\n', " ");
        self.targets.push(Target { address, name: String::new(), picture });
        self.enter(theme.style(Tint::Link));
    }

    /// Ends it: the target follows where the name does not say it.
    pub(super) fn close(&mut self, theme: &Theme) {
        let Some(Target { address, name, picture }) = self.targets.pop() else { return };
        if name.is_empty() {
            self.write(&cut(&address, TARGET_COLUMNS_MAX));
        }
        self.leave();
        if let Some(outer) = self.targets.last_mut() {
            outer.remember(&name);
        }
        if !picture && !name.is_empty() && bare(&name) != bare(&address) {
            let target = format!(" ({})", cut(&address, TARGET_COLUMNS_MAX));
            self.write_as(&target, theme.style(Tint::Dim));
        }
    }
}

impl Target {
    fn remember(&mut self, text: &str) {
        if self.name.len() < NAME_BYTES_MAX {
            self.name.push_str(text);
        }
    }
}

/// An address without its scheme and a trailing slash.
fn bare(address: &str) -> &str {
    let address = address.trim_end_matches('/');
    ["https://", "http://", "mailto:"]
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme))
        .unwrap_or(address)
}
