//! Markdown out of texts that nobody vouches for. Whatever an agent wrote, it opens no heading, table, list or comment
//! of the report: long texts are quoted line by line, short ones escaped.

/// A text as a block quote of its own, `depth` deep, with a blank line after it.
pub fn quote(text: &str, depth: usize) -> String {
    let mark = vec![">"; depth].join(" ");
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut quoted = String::new();
    for line in text.trim_end().split('\n') {
        let line = tame(line);
        quoted.push_str(&mark);
        if !line.trim().is_empty() {
            quoted.push(' ');
            quoted.push_str(line.trim_end());
        }
        quoted.push('\n');
    }
    quoted.push('\n');
    quoted
}

/// A text on one line, every sign of it meant as it is: for headings, lists and the cells of tables.
pub fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for word in text.split_whitespace() {
        if !escaped.is_empty() {
            escaped.push(' ');
        }
        for sign in word.chars().filter(|sign| is_printable(*sign)) {
            if "\\`*_[]<>|#~&$".contains(sign) {
                escaped.push('\\');
            }
            escaped.push(sign);
        }
    }
    escaped
}

/// A name or a command as code, where that is the same in a table as elsewhere; else it is plain.
pub fn code(text: &str) -> String {
    let simple = !text.trim().is_empty()
        && text.trim() == text
        && text.chars().all(|sign| is_printable(sign) && sign != '\t' && !"`|\\".contains(sign));
    if simple { format!("`{text}`") } else { plain(text) }
}

/// A table with its head; the cells are Markdown already.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        table.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    table.push('\n');
    table
}

/// One line of a quote. HTML, pictures and definitions reach beyond a quote: an open comment hides the rest of the
/// page, a definition makes links of words elsewhere.
fn tame(line: &str) -> String {
    let mut tamed = String::new();
    let mut before = None;
    for sign in line.chars().filter(|sign| is_printable(*sign)) {
        match sign {
            '<' => tamed.push_str("&lt;"),
            '[' if before == Some('!') => tamed.push_str("\\["),
            ':' if before == Some(']') => tamed.push_str("\\:"),
            _ => tamed.push(sign),
        }
        before = Some(sign);
    }
    tamed
}

/// It neither moves a cursor nor turns the direction of writing around.
fn is_printable(sign: char) -> bool {
    let turns = matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (!sign.is_control() || sign == '\t') && !turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_text_is_quoted_whatever_ends_it() {
        let text = "one\n# two\r\n| three |\r```\n\n<!-- hidden\n";
        assert_eq!(quote(text, 1), "> one\n> # two\n> | three |\n> ```\n>\n> &lt;!-- hidden\n\n");
        assert_eq!(quote("a\nb", 2), "> > a\n> > b\n\n");
        assert_eq!(quote("", 1), ">\n\n");
    }

    #[test]
    fn nothing_reaches_out_of_a_quote() {
        assert_eq!(quote("[Receipts]: http://e.org", 1), "> [Receipts]\\: http://e.org\n\n");
        assert_eq!(quote("![x](http://e.org/t.png)", 1), "> !\\[x](http://e.org/t.png)\n\n");
        assert_eq!(quote("a\u{1b}[2J\u{202e}b", 1), "> a[2Jb\n\n");
    }

    #[test]
    fn a_cell_stays_one_cell() {
        assert_eq!(plain("a | b\n\n# c \\| <b>"), "a \\| b \\# c \\\\\\| \\<b\\>");
        assert_eq!(code("cargo test"), "`cargo test`");
        assert_eq!(code("sh -c 'a | b'"), "sh -c 'a \\| b'");
        assert_eq!(code("a\nb"), "a b");
        assert_eq!(code(""), "");
    }

    #[test]
    fn a_table_has_a_head_and_rows() {
        let rows = [vec!["1".to_owned(), "2".to_owned()]];
        assert_eq!(table(&["a", "b"], &rows), "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n");
    }
}
