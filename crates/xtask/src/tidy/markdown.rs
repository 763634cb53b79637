//! As much Markdown as our documents use: headings, tables, fenced blocks, words in backticks.
//! Lines carry their numbers, so that a problem can be pointed at.

/// A line and its number, from 1.
pub type Line<'a> = (usize, &'a str);

pub struct Section<'a> {
    pub title: &'a str,
    pub line: usize,
    /// The lines under the heading, up to the next heading of its level or a higher one, without fenced blocks.
    pub body: Vec<Line<'a>>,
}

/// A row of a table below its header.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub line: usize,
    pub cells: Vec<String>,
}

/// A fenced block: where it opens, and its lines.
pub struct Block<'a> {
    pub line: usize,
    pub lines: Vec<Line<'a>>,
}

/// The sections whose heading has exactly `level` hashes.
pub fn sections(text: &str, level: usize) -> Vec<Section<'_>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut open = false;
    for (line, text) in outside_blocks(text) {
        match heading(text) {
            Some((depth, title)) if depth == level => {
                sections.push(Section { title, line, body: Vec::new() });
                open = true;
            }
            Some((depth, _)) if depth < level => open = false,
            Some(_) | None => {
                if let (true, Some(section)) = (open, sections.last_mut()) {
                    section.body.push((line, text));
                }
            }
        }
    }
    sections
}

/// The rows of all tables among these lines, without headers and their rules.
pub fn rows(lines: &[Line]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut depth = 0;
    for &(line, text) in lines {
        let text = text.trim();
        depth = if text.starts_with('|') { depth + 1 } else { 0 };
        if depth > 2 {
            rows.push(Row { line, cells: cells(text) });
        }
    }
    rows
}

/// The lines outside fenced blocks.
pub fn outside_blocks(text: &str) -> Vec<Line<'_>> {
    split(text).0
}

/// The fenced blocks whose info string is `info`.
pub fn blocks<'a>(text: &'a str, info: &str) -> Vec<Block<'a>> {
    let blocks = split(text).1.into_iter();
    blocks.filter(|(found, _)| *found == info).map(|(_, block)| block).collect()
}

/// The words in backticks on one line.
pub fn backticked(text: &str) -> impl Iterator<Item = &str> {
    // Every second piece lies between two backticks; a last one without its end does not count.
    let pieces = text.matches('`').count() / 2;
    text.split('`').skip(1).step_by(2).take(pieces)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (level > 0 && title.starts_with(' ')).then(|| (level, title.trim()))
}

/// Cells between unescaped pipes; `\|` is a pipe inside a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row).replace("\\|", "\0");
    let row = row.strip_suffix('|').unwrap_or(&row);
    row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// Parts a text into the lines outside fenced blocks and the blocks with their info strings.
fn split(text: &str) -> (Vec<Line<'_>>, Vec<(&str, Block<'_>)>) {
    let mut outside = Vec::new();
    let mut blocks: Vec<(&str, Block)> = Vec::new();
    // The backticks that opened the present block: a longer fence may hold a shorter one.
    let mut fence = None;
    for (number, line) in (1..).zip(text.lines()) {
        let inner = line.trim_start().trim_start_matches('`');
        let ticks = line.trim_start().len() - inner.len();
        match fence {
            None if ticks >= 3 => {
                fence = Some(ticks);
                blocks.push((inner.trim(), Block { line: number, lines: Vec::new() }));
            }
            None => outside.push((number, line)),
            Some(opened) if ticks >= opened && inner.trim().is_empty() => fence = None,
            Some(_) => {
                if let Some((_, block)) = blocks.last_mut() {
                    block.lines.push((number, line));
                }
            }
        }
    }
    (outside, blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_its_own_level_or_above() {
        let text = "# A\n### one\nx\n#### deeper\ny\n### two\nz\n## B\nnobody's\n";
        let found: Vec<_> = sections(text, 3).into_iter().map(|s| (s.title, s.line, s.body)).collect();
        assert_eq!(found[0], ("one", 2, vec![(3, "x"), (4, "#### deeper"), (5, "y")]));
        assert_eq!(found[1], ("two", 6, vec![(7, "z")]));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_heading_inside_a_block_is_none() {
        assert_eq!(sections("```sh\n## comment\n```\n", 2).len(), 0);
        assert_eq!(sections("#hashtag\n", 1).len(), 0);
    }

    #[test]
    fn an_indented_line_ends_no_section() {
        let found = sections("## one\n indented\nx\n", 2);
        assert_eq!(found[0].body, [(2, " indented"), (3, "x")]);
    }

    #[test]
    fn rows_leave_out_headers_and_rules_of_every_table() {
        let text = "| a | b |\n| --- | --- |\n| 1 | x \\| y |\n\n| c |\n|-|\n| 2 |\n";
        let lines = outside_blocks(text);
        let expected = [
            Row { line: 3, cells: vec!["1".into(), "x | y".into()] },
            Row { line: 7, cells: vec!["2".into()] },
        ];
        assert_eq!(rows(&lines), expected);
    }

    #[test]
    fn blocks_are_found_by_their_info_string() {
        let text = "```rooms\na -> b\n```\n````md\n```rooms\nno\n```\n````\n";
        let found = blocks(text, "rooms");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, &found[0].lines[..]), (1, &[(2, "a -> b")][..]));
    }

    #[test]
    fn words_stand_between_two_backticks() {
        assert_eq!(backticked("`a` and `b/c`, not `d").collect::<Vec<_>>(), ["a", "b/c"]);
    }
}
