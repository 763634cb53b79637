//! Free text between the parts of a petition. A line of free text that would be taken for a part has a backslash in the
//! file, which is removed again when the file is read.

/// Where the options of a decision begin.
pub(super) fn is_options(line: &str) -> bool {
    matches!(line.trim_end(), "**Options:**" | "**Options**:" | "Options:")
}

/// What follows on the line where the context of a decision begins.
pub(super) fn after_context_mark(line: &str) -> Option<&str> {
    ["**Context:**", "**Context**:", "Context:"].iter().find_map(|mark| line.strip_prefix(mark))
}

/// Whether the line ends a section.
pub(super) fn is_separator(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Whether the line is a heading that could be the petition's or a decision's. A tab makes one as well as a blank.
fn is_heading(line: &str) -> bool {
    let behind = line.strip_prefix("##").or_else(|| line.strip_prefix('#'));
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([' ', '\t']))
}

/// Whether the line would be taken for a part of the file.
fn is_part(line: &str) -> bool {
    // Fields count directly behind a heading only, but older programs look for these anywhere.
    let is_field = || {
        ["id:", "status:", "answer:", "answered_at:", "allow_custom:"]
            .iter()
            .any(|field| line.starts_with(field))
    };
    is_separator(line)
        || line == "undefined"
        || is_heading(line)
        || is_options(line)
        || after_context_mark(line).is_some()
        || is_field()
}

/// A text as it stands in a file.
pub(super) fn guard(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let guarded = is_part(line.trim_start_matches('\\'));
        if guarded { format!("\\{line}") } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text that a file's lines say: without guards, without blanks at the ends of lines and blank lines at both ends. The
/// word `undefined` alone is what some program writes for nothing.
pub(super) fn said<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut said = String::new();
    let mut guarded = false;
    for line in lines {
        let line = line.trim_end();
        let bare = line.trim_start_matches('\\');
        let is_guarded = bare.len() < line.len() && is_part(bare);
        guarded |= is_guarded;
        said.push_str(if is_guarded { &line[1..] } else { line });
        said.push('\n');
    }
    let words = said.trim_matches('\n');
    if words == "undefined" && !guarded { String::new() } else { words.to_owned() }
}
