//! Markdown as lines of the screen. It is read as chat is written: a line break stays a line break, and what turns out
//! not to be Markdown stays as it was written, because a reader must not miss a word of it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use view::clean::clean;

use super::diff::diff;
use super::highlight::highlight;
use super::inline::Ink;
use super::sheet::{Indent, Sheet};
use super::source::{self, Marker};
use super::table::Table;
use super::wrap::{fold, plain, width, wrap};
use crate::theme::{Theme, Tint};

/// A longer text is shown as it is.
const TEXT_BYTES_MAX: usize = 1_000_000;

/// Columns that code stands away from the left.
const MARGIN: u16 = 2;

/// The lines of a text at a width.
pub fn markdown(text: &str, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    if text.len() > TEXT_BYTES_MAX {
        return plain(text, columns, theme.style(Tint::Words));
    }
    let text = clean(text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut page = Page::new(&text, columns, theme);
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        page.read(event, range);
    }
    page.finish()
}

/// A list that is open.
struct List {
    start: Option<u64>,
    count: u64,
}

/// An entry of a list that is open.
struct Item {
    /// How many lines there were before it.
    lines: usize,
    /// The column of the source where its content stands.
    column: usize,
    indented: bool,
}

/// A quotation or a footnote that is open.
struct Quote {
    /// How many lines there were before it.
    lines: usize,
    indented: bool,
}

/// A code block that is open.
struct Code {
    language: Option<String>,
    text: String,
}

struct Page<'a> {
    source: &'a str,
    theme: &'a Theme,
    sheet: Sheet,
    ink: Ink,
    lists: Vec<List>,
    items: Vec<Item>,
    /// The quotations and footnotes that are open.
    quotes: Vec<Quote>,
    /// Marks around words that turned out to be no Markdown.
    marks: Vec<&'static str>,
    code: Option<Code>,
    table: Option<Table>,
    heading: usize,
    /// A line of the source begins with the next words.
    fresh: bool,
    hang: u16,
    depth: usize,
    /// How far the source is read, at the outermost level.
    seen: usize,
}

impl<'a> Page<'a> {
    fn new(source: &'a str, columns: u16, theme: &'a Theme) -> Page<'a> {
        Page {
            source,
            theme,
            sheet: Sheet::new(columns),
            ink: Ink::new(theme.style(Tint::Words)),
            lists: Vec::new(),
            items: Vec::new(),
            quotes: Vec::new(),
            marks: Vec::new(),
            code: None,
            table: None,
            heading: 0,
            fresh: false,
            hang: 0,
            depth: 0,
            seen: 0,
        }
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        self.flush();
        self.overlooked(self.source.len());
        self.sheet.finish()
    }

    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.overlooked(range.start);
                }
                self.depth += 1;
                self.open(tag, range);
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.seen = range.end;
                }
                self.close(tag, range);
            }
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.say(&text, range.start),
            Event::Code(text) => {
                let tick = if self.theme.is_coloured() { "" } else { "`" };
                self.begin(range.start);
                self.ink.write_as(&format!("{tick}{text}{tick}"), self.theme.style(Tint::Code));
            }
            Event::FootnoteReference(label) => self.say(&format!("[^{label}]"), range.start),
            Event::SoftBreak => self.next_line(),
            Event::HardBreak => {
                if self.source[range].starts_with('\\') {
                    self.ink.write("\\");
                }
                self.next_line();
            }
            Event::Rule => {
                if self.depth == 0 {
                    self.overlooked(range.start);
                    self.seen = range.end;
                }
                self.gap(range.start, true);
                let rule = self.theme.sign("─", "-").repeat(usize::from(self.sheet.room()));
                self.sheet.emit([Line::from(Span::styled(rule, self.theme.style(Tint::Frame)))]);
                self.sheet.part(true);
            }
            Event::TaskListMarker(done) => {
                let sign = if done { self.theme.sign("☑", "[x]") } else { self.theme.sign("☐", "[ ]") };
                self.begin(range.start);
                match self.sheet.sign() {
                    Some(first) if width(&first.content) == width(sign) + 1 => {
                        first.content = format!("{sign} ").into()
                    }
                    Some(_) | None => self.ink.write(&format!("{sign} ")),
                }
            }
        }
    }

    fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => {
                self.gap(range.start, false);
                self.fresh = matches!(tag, Tag::Paragraph);
            }
            Tag::Heading { level, .. } => {
                self.heading = self.sheet.len();
                if source::underline(&self.source[range.clone()]).is_some_and(|line| line.len() < 3) {
                    self.gap(range.start, false);
                    self.ink.enter(Style::new());
                    return;
                }
                self.gap(range.start, true);
                self.heading = self.sheet.len();
                let style = self.theme.style(Tint::Heading);
                let top = matches!(level, HeadingLevel::H1);
                self.ink.enter(if top { style.add_modifier(Modifier::UNDERLINED) } else { style });
            }
            Tag::BlockQuote(_) => {
                self.gap(range.start, true);
                let style = self.theme.style(Tint::Quote);
                let bar = Span::styled(self.theme.sign("│ ", "| "), style);
                let indented = self.sheet.indent(Indent { first: None, rest: bar });
                self.quotes.push(Quote { lines: self.sheet.len(), indented });
                self.ink.enter(style);
                self.sheet.begin();
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        self.gap(range.start, true);
                        Some(source::language(&info))
                    }
                    CodeBlockKind::Indented => {
                        self.gap(range.start, false);
                        None
                    }
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::List(start) => {
                self.gap(range.start, false);
                self.lists.push(List { start, count: 0 });
            }
            Tag::Item => self.open_item(range),
            Tag::FootnoteDefinition(label) => {
                self.gap(range.start, false);
                let sign = clean(&format!("[^{label}]: ")).replace('\n', " ");
                let rest = Span::raw(" ".repeat(width(&sign)));
                let indented = self.sheet.indent(Indent { first: Some(Span::raw(sign.clone())), rest });
                if !indented {
                    self.ink.write(&sign);
                }
                self.quotes.push(Quote { lines: self.sheet.len(), indented });
                self.sheet.begin();
            }
            Tag::Table(alignments) => {
                self.gap(range.start, true);
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => drop(self.ink.take()),
            Tag::Emphasis => self.mark(&range, Modifier::ITALIC),
            Tag::Strong => self.mark(&range, Modifier::BOLD),
            Tag::Strikethrough => self.mark(&range, Modifier::CROSSED_OUT),
            Tag::Link { dest_url, .. } => {
                self.begin(range.start);
                self.ink.open(&dest_url, false, self.theme);
            }
            Tag::Image { dest_url, .. } => {
                self.begin(range.start);
                self.ink.open(&dest_url, true, self.theme);
            }
            // Not asked of the parser.
            Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn close(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::FootnoteDefinition => self.close_quote(range),
            TagEnd::Heading(_) => {
                self.flush();
                self.ink.leave();
                let text = &self.source[range];
                match source::underline(text).filter(|line| line.len() < 3) {
                    Some(line) => self.sheet.emit([Line::raw(line.to_owned())]),
                    None if self.sheet.len() == self.heading => self.raw(text, Tint::Words),
                    None => self.sheet.part(true),
                }
            }
            TagEnd::BlockQuote(_) => {
                self.close_quote(range);
                self.ink.leave();
                self.sheet.part(true);
            }
            TagEnd::CodeBlock => self.close_code(range),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                let Some(item) = self.items.pop() else { return };
                if item.indented {
                    self.sheet.outdent();
                }
                if self.sheet.len() == item.lines {
                    self.raw(&self.source[range], Tint::Words);
                }
            }
            TagEnd::TableCell => {
                let cell = self.ink.take();
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.sheet.emit(table.lines(self.sheet.room(), self.theme));
                }
                self.sheet.part(true);
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.ink.leave();
                let mark = self.marks.pop().unwrap_or_default();
                self.ink.write(mark);
            }
            TagEnd::Link | TagEnd::Image => self.ink.close(self.theme),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn open_item(&mut self, range: Range<usize>) {
        self.gap(range.start, false);
        let marker = Marker::read(self.source, range.start);
        let mut sign = format!("{} ", self.theme.sign("•", "-"));
        if let Some(List { start, count }) = self.lists.last_mut() {
            if let Some(start) = *start {
                // Who writes `1.` before each entry wants them counted.
                let written = marker.number.filter(|&number| *count == 0 || number != start);
                let number = written.unwrap_or(start.saturating_add(*count));
                sign = format!("{number}{} ", marker.delimiter);
            }
            *count += 1;
        }
        let rest = Span::raw(" ".repeat(width(&sign)));
        let indented = self.sheet.indent(Indent { first: Some(Span::raw(sign)), rest });
        self.items.push(Item { lines: self.sheet.len(), column: marker.column, indented });
        self.sheet.begin();
    }

    fn close_quote(&mut self, range: Range<usize>) {
        self.flush();
        let Some(quote) = self.quotes.pop() else { return };
        if quote.indented {
            self.sheet.outdent();
        }
        if self.sheet.len() == quote.lines {
            self.raw(&self.source[range], Tint::Words);
        }
    }

    fn close_code(&mut self, range: Range<usize>) {
        let Some(Code { language, text }) = self.code.take() else { return };
        let text = clean(source::without_idle_lines(&text));
        if text.is_empty() {
            self.raw(&self.source[range], Tint::Dim);
            return;
        }
        // What is only indented keeps its indentation.
        let margin = if language.is_some() { MARGIN } else { MARGIN * 2 };
        let margin = if self.sheet.room() > margin * 3 { margin } else { 0 };
        let room = self.sheet.room() - margin;
        self.sheet.part(language.is_some());
        let lines: Vec<_> = match language.as_deref() {
            Some("diff" | "patch") => diff(&text, room, self.theme),
            language => highlight(language.unwrap_or_default(), &text, self.theme)
                .into_iter()
                .flat_map(|line| fold(line, room, 0))
                .collect(),
        };
        let left = " ".repeat(usize::from(margin));
        self.sheet.emit(lines.into_iter().map(|mut line| {
            if margin > 0 && !line.spans.is_empty() {
                line.spans.insert(0, Span::raw(left.clone()));
            }
            line
        }));
    }

    /// Words of a line, or the text of a code block.
    fn say(&mut self, text: &str, start: usize) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        self.begin(start);
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.next_line();
                self.fresh = false;
            }
            self.ink.write(part);
        }
    }

    /// Emphasis, unless it stands in the middle of a word: then someone multiplies.
    fn mark(&mut self, range: &Range<usize>, modifier: Modifier) {
        self.begin(range.start);
        let mark = source::literal_mark(self.source, range);
        self.ink.write(mark);
        self.ink.enter(if mark.is_empty() { Style::new().add_modifier(modifier) } else { Style::new() });
        self.marks.push(mark);
    }

    /// The first words of a line of the source keep their distance from the left.
    fn begin(&mut self, start: usize) {
        if std::mem::take(&mut self.fresh) && self.table.is_none() {
            let column = self.items.last().map_or(0, |item| item.column);
            let spaces = source::lead(self.source, start, column).min(usize::from(self.sheet.room() / 2));
            self.hang = u16::try_from(spaces).unwrap_or(0);
            self.ink.write(&" ".repeat(spaces));
        }
    }

    fn next_line(&mut self) {
        if self.table.is_some() {
            self.ink.write(" ");
        } else if self.ink.is_empty() {
            self.sheet.space();
        } else {
            let hang = std::mem::take(&mut self.hang);
            let line = self.ink.take();
            self.sheet.emit(wrap(line, self.sheet.room(), hang));
        }
        self.fresh = true;
    }

    fn flush(&mut self) {
        if !self.ink.is_empty() {
            self.next_line();
        }
        self.fresh = false;
    }

    /// Ends the block above; an empty line follows where one was written, or where the look wants one.
    fn gap(&mut self, start: usize, wanted: bool) {
        self.flush();
        // Inside a list only its author moves things apart.
        let wanted = (self.sheet.apart() || wanted) && self.lists.is_empty();
        if wanted || source::blank_before(self.source, start) {
            self.sheet.space();
        }
    }

    /// What the parser took for a definition is still something that was written.
    fn overlooked(&mut self, until: usize) {
        let text = self.source.get(self.seen..until).unwrap_or_default();
        if !text.trim().is_empty() {
            self.gap(self.seen + text.len() - text.trim_start().len(), false);
            self.raw(text, Tint::Dim);
        }
        self.seen = until;
    }

    fn raw(&mut self, text: &str, tint: Tint) {
        let room = self.sheet.room();
        let lines = plain(text.trim_end().trim_start_matches('\n'), room, self.theme.style(tint));
        self.sheet.emit(lines);
    }
}

#[cfg(test)]
mod tests;
