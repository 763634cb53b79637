//! The body of a petition file, below the frontmatter: the title, the context, and the decisions with their fields,
//! context and options. Every field knows its line. Fields count in the block directly behind the heading only;
//! separators and headings count at the beginning of a line only.

use std::ops::Range;

use mind::talk::DecisionOption;

use super::lines::Line;
use super::{MalformedPetition, context, names, option, scalar};
use crate::limits;

/// Everything below the frontmatter.
#[derive(Debug)]
pub(super) struct Body {
    /// The first heading, if the text begins with one.
    pub(super) heading: Option<String>,
    /// The text before the first decision, without that heading.
    pub(super) context: String,
    /// The same with the heading.
    pub(super) headed: String,
    pub(super) sections: Vec<Section>,
}

/// One decision's section.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) heading: usize,
    /// What the heading says behind `Decision 1:`.
    pub(super) title: String,
    /// In the order of the file.
    pub(super) fields: Vec<Field>,
    /// What the person needs to know to answer.
    pub(super) context: String,
    pub(super) options: Vec<DecisionOption>,
}

/// One field of a decision.
#[derive(Debug)]
pub(super) struct Field {
    /// In our spelling.
    pub(super) name: String,
    pub(super) line: usize,
    /// A range of the text; empty right behind the colon if there is no value.
    pub(super) value: Range<usize>,
    pub(super) text: Option<String>,
}

impl Section {
    /// The field of this name. Of two the first counts.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// What the field of this name says.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.field(name).and_then(|field| field.text.clone())
    }
}

/// Reads what stands below line `close`.
pub(super) fn read(text: &str, lines: &[Line], close: usize) -> Result<Body, MalformedPetition> {
    let mut headings: Vec<(usize, String, usize)> = Vec::new();
    let mut at = close + 1;
    while at < lines.len() {
        if let Some((title, sure)) = heading(lines[at].of(text)) {
            let block = block(text, lines, at);
            if sure || is_decision(text, lines, &block) {
                headings.push((at, title.to_owned(), block.end));
                at = block.end.max(at + 1);
                if headings.len() > mind::limits::PETITION_DECISIONS_MAX {
                    let max = mind::limits::PETITION_DECISIONS_MAX;
                    return Err(MalformedPetition(format!("there are more than {max} decisions")));
                }
                continue;
            }
        }
        at += 1;
    }
    let first = headings.first().map_or(lines.len(), |(at, _, _)| *at);
    let (heading, context, headed) = preface(text, &lines[close + 1..first]);
    let ends: Vec<usize> = headings.iter().skip(1).map(|(at, _, _)| *at).chain([lines.len()]).collect();
    let mut sections = Vec::new();
    for ((at, title, block_end), end) in headings.into_iter().zip(ends) {
        let fields = (at + 1..block_end).filter_map(|line| field(text, lines, line)).collect();
        let (context, options) = parts(text, &lines[block_end..end], &title)?;
        sections.push(Section { heading: at, title, fields, context, options });
    }
    Ok(Body { heading, context, headed, sections })
}

/// The title in a heading that may begin a decision, and whether it certainly does.
fn heading(line: &str) -> Option<(&str, bool)> {
    let title =
        line.strip_prefix("##").filter(|rest| rest.starts_with([' ', '\t']) || rest.is_empty())?.trim();
    let Some(word) = title.get(..8).filter(|word| word.eq_ignore_ascii_case("decision")) else {
        return Some((title, false));
    };
    let rest = &title[word.len()..];
    if !(rest.is_empty() || rest.starts_with([' ', '\t', ':'])) {
        return Some((title, false));
    }
    let behind = rest.trim_start();
    let numbered = behind.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if let Some(title) = numbered.trim_start().strip_prefix(':') {
        return Some((title.trim(), true));
    }
    if behind.len() == numbered.len() {
        return Some((behind, rest.is_empty()));
    }
    let marks = ['.', ')', '-', '—', '–'];
    let unmarked = numbered.trim_start().trim_start_matches(marks);
    let is_number = numbered.is_empty() || unmarked.len() < numbered.trim_start().len();
    Some(if is_number { (unmarked.trim(), true) } else { (behind, false) })
}

/// The block of fields behind a heading: blank lines, then lines that are fields or comments, without a gap.
fn block(text: &str, lines: &[Line], heading: usize) -> Range<usize> {
    let mut start = heading + 1;
    while lines.get(start).is_some_and(|line| line.of(text).trim().is_empty()) {
        start += 1;
    }
    let mut end = start;
    let mut any = false;
    while let Some(line) = lines.get(end) {
        let is_field = field(text, lines, end).is_some();
        let words = line.of(text);
        let is_comment = (words.starts_with('#') && !words.starts_with("##")) || words.starts_with("<!--");
        if !(is_field || (is_comment && any)) {
            break;
        }
        any |= is_field;
        end += 1;
    }
    if any { start..end } else { heading + 1..heading + 1 }
}

/// A heading that does not say so begins a decision if its fields do.
fn is_decision(text: &str, lines: &[Line], block: &Range<usize>) -> bool {
    let has = |names: &[&str]| {
        block.clone().any(|at| field(text, lines, at).is_some_and(|field| names.contains(&&*field.name)))
    };
    has(&["id"]) && has(&["status", "answer"])
}

fn field(text: &str, lines: &[Line], at: usize) -> Option<Field> {
    let line = lines.get(at)?;
    let words = line.of(text);
    let (name, rest) = words.split_once(':')?;
    let name = name.trim_end();
    let canonical = names::canonical(name);
    let is_name = name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'-'));
    let known = names::is_decision_field(canonical);
    if !(is_name && (known || rest.is_empty() || rest.starts_with([' ', '\t']))) {
        return None;
    }
    let colon = words.len() - rest.len();
    let (range, said) = if canonical == "answer" {
        // Other programs put a person's words here as they are, whatever is in them.
        let value = rest.trim();
        let start = colon + (rest.len() - rest.trim_start().len());
        let range = if value.is_empty() { colon..colon } else { start..start + value.len() };
        (range, Some(value.to_owned()))
    } else {
        let found = scalar::find(words, colon);
        (found.range, found.text)
    };
    let value = line.start + range.start..line.start + range.end;
    Some(Field { name: canonical.to_owned(), line: at, value, text: said })
}

/// The heading and the text before the first decision, without it and with it.
fn preface(text: &str, lines: &[Line]) -> (Option<String>, String, String) {
    let mut lines: Vec<&str> = lines.iter().map(|line| line.of(text)).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if lines.last().is_some_and(|line| context::is_separator(line)) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(lines.len());
    let heading =
        lines.get(first).and_then(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned());
    let rest = if heading.is_some() { first + 1 } else { first };
    let headed = context::said(lines.iter().copied());
    (heading, context::said(lines.into_iter().skip(rest)), headed)
}

/// The context and the options of a decision: what stands behind its fields, up to the separator. Text behind the options
/// is context too, so that the human sees all of it.
fn parts(
    text: &str,
    lines: &[Line],
    title: &str,
) -> Result<(String, Vec<DecisionOption>), MalformedPetition> {
    let mut words: Vec<&str> = Vec::new();
    let mut options = Vec::new();
    let (mut marked, mut listing, mut listed) = (false, false, false);
    let mut indent = None;
    for line in lines.iter().map(|line| line.of(text)) {
        if context::is_separator(line) {
            break;
        }
        if !marked && let Some(rest) = context::after_context_mark(line) {
            (marked, listing) = (true, false);
            // What some program writes for nothing.
            words.extend(Some(rest.trim()).filter(|words| *words != "undefined"));
            continue;
        }
        if !listed && context::is_options(line) {
            (listing, listed) = (true, true);
            continue;
        }
        if listing {
            let blank = line.len() - line.trim_start().len();
            if let Some(option) = option::read(line.trim_start())
                && *indent.get_or_insert(blank) == blank
            {
                options.push(option);
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            if blank > 0
                && let Some(last) = options.last_mut()
            {
                // A label that goes on in the next line.
                last.label.push(' ');
                last.label.push_str(line.trim());
                continue;
            }
            listing = false;
            words.push("");
        }
        words.push(line);
    }
    if options.len() > limits::OPTIONS_READ_MAX {
        let title = mind::limits::cut(&names::harmless(title), 60);
        return Err(MalformedPetition(format!(
            "decision {title:?} has more than {} options",
            limits::OPTIONS_READ_MAX
        )));
    }
    Ok((context::said(words), options))
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}
