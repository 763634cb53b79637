//! Draws a message of the bot with its buttons, as it was sent: its markup above a line of dashes, and a line of buttons for
//! each row below.

use std::fmt::Write;

use anyhow::{Context, bail};

use super::{GROUND, WORDS};

const WIDE: usize = 440;
const MARGIN: usize = 14;
const LINE: usize = 22;
const BUTTON: usize = 34;
/// So many columns fit into a line; a sign such as an emoji takes two.
const COLUMNS: usize = 48;
const FONT: &str = "15px -apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif";
const BUBBLE: &str = "#2c2936";
const KEY: &str = "#3d3949";
const QUOTE: &str = "#72a0e0";

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct PieceStyle {
    bold: bool,
    italic: bool,
    code: bool,
    quote: bool,
}

type Line = Vec<(String, PieceStyle)>;

/// A snapshot of what was sent as an SVG.
pub fn draw(snapshot: &str) -> anyhow::Result<String> {
    let (_, content) = snapshot.split_once("\n---\n").context("the file is no snapshot")?;
    let (markup, keys) =
        content.rsplit_once("\n---\n").context("the message has no line before its buttons")?;
    let lines: Vec<Line> = read(markup)?.into_iter().flat_map(wrapped).collect();
    let keys: Vec<Vec<&str>> = keys.lines().filter(|row| !row.is_empty()).map(row).collect();
    let bubble = lines.len() * LINE + 2 * MARGIN;
    let high = bubble + keys.len() * (BUTTON + 4) + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDE}\" height=\"{high}\" style=\"font:{FONT}\">\n\
         <style>text{{white-space:pre}}</style>\n<rect width=\"{WIDE}\" height=\"{high}\" rx=\"5\" fill=\"{GROUND}\"/>\n"
    );
    let inner = WIDE - 2 * MARGIN;
    rect(&mut svg, (MARGIN, MARGIN, inner, bubble), BUBBLE);
    for (line, top) in lines.iter().zip((2 * MARGIN..).step_by(LINE)) {
        let is_quote = line.iter().any(|(_, style)| style.quote);
        if is_quote {
            rect(&mut svg, (2 * MARGIN, top, 3, LINE), QUOTE);
        }
        let left = 2 * MARGIN + if is_quote { 12 } else { 0 };
        let _ = write!(svg, "<text x=\"{left}\" y=\"{}\" fill=\"{WORDS}\">", top + 16);
        line.iter().for_each(|piece| put(&mut svg, piece));
        svg.push_str("</text>\n");
    }
    for (row, top) in keys.iter().zip((MARGIN + bubble + 4..).step_by(BUTTON + 4)) {
        let wide = (inner - 4 * (row.len() - 1)) / row.len();
        for (key, left) in row.iter().zip((MARGIN..).step_by(wide + 4)) {
            rect(&mut svg, (left, top, wide, BUTTON), KEY);
            let (x, y) = (left + wide / 2, top + BUTTON / 2 + 5);
            let key = escaped(&cut(key, wide / 8));
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" fill=\"{WORDS}\" text-anchor=\"middle\">{key}</text>"
            );
        }
    }
    Ok(svg + "</svg>\n")
}

fn rect(svg: &mut String, (left, top, wide, high): (usize, usize, usize, usize), colour: &str) {
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"6\" fill=\"{colour}\"/>"
    );
}

fn put(svg: &mut String, (text, style): &(String, PieceStyle)) {
    let mut look = String::new();
    for (is, attribute) in [
        (style.bold, " font-weight=\"bold\""),
        (style.italic, " font-style=\"italic\""),
        (style.code, " font-family=\"SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\""),
    ] {
        look.extend(is.then_some(attribute));
    }
    let text = escaped(text);
    let _ = match look.is_empty() {
        true => write!(svg, "{text}"),
        false => write!(svg, "<tspan{look}>{text}</tspan>"),
    };
}

/// `[A][B]`
fn row(line: &str) -> Vec<&str> {
    line.trim_start_matches('[').trim_end_matches(']').split("][").collect()
}

/// The lines of a message, in pieces that look alike.
fn read(markup: &str) -> anyhow::Result<Vec<Line>> {
    let (mut lines, mut style, mut rest) = (vec![Line::new()], PieceStyle::default(), markup);
    while !rest.is_empty() {
        let end = rest.find(['<', '\n']).unwrap_or(rest.len());
        if let Some(line) = lines.last_mut().filter(|_| end > 0) {
            line.push((plain(&rest[..end]), style));
        }
        rest = &rest[end..];
        if let Some(next) = rest.strip_prefix('\n') {
            lines.push(Line::new());
            rest = next;
        } else if let Some((tag, next)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            let (name, is_open) = tag.strip_prefix('/').map_or((tag, true), |name| (name, false));
            match name.split_whitespace().next().unwrap_or_default() {
                "b" => style.bold = is_open,
                "i" => style.italic = is_open,
                "code" | "pre" => style.code = is_open,
                "blockquote" => style.quote = is_open,
                "a" | "u" | "s" => {}
                tag => bail!("`<{tag}>` is drawn by no rule"),
            }
            rest = next;
        }
    }
    Ok(lines)
}

/// A line as several, where it is too long for one.
fn wrapped(line: Line) -> Vec<Line> {
    let (mut lines, mut used) = (vec![Line::new()], 0);
    for (text, style) in line {
        for word in text.split_inclusive(' ') {
            let width = unicode_width::UnicodeWidthStr::width(word.trim_end());
            if used > 0 && used + width > COLUMNS {
                lines.push(Line::new());
                used = 0;
            }
            used += unicode_width::UnicodeWidthStr::width(word);
            let Some(line) = lines.last_mut() else { continue };
            match line.last_mut().filter(|(_, known)| *known == style) {
                Some((known, _)) => known.push_str(word),
                None => line.push((word.to_owned(), style)),
            }
        }
    }
    lines
}

fn cut(text: &str, signs: usize) -> String {
    match text.chars().count() > signs {
        true => text.chars().take(signs.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_drawn_with_its_looks_its_lines_and_its_buttons() {
        let long = "word ".repeat(14);
        let svg = draw(&format!(
            "---\nsource: x\n---\n<b>Title &lt;1&gt;</b> and\n<blockquote>{long}</blockquote>\n---\n[A][B]\n[Back]\n"
        ))
        .unwrap();
        assert!(svg.contains("<tspan font-weight=\"bold\">Title &lt;1&gt;</tspan> and</text>"), "{svg}");
        // The quote takes two lines, each with its bar.
        assert_eq!(svg.matches(QUOTE).count(), 2, "{svg}");
        assert_eq!(svg.matches(KEY).count(), 3, "{svg}");
        assert!(draw("---\nsource: x\n---\n<marquee>x</marquee>\n---\n").is_err(), "an unknown tag is told");
        assert!(draw("no snapshot").is_err());
    }
}
