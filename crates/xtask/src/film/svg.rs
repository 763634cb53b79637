//! A film as an SVG that moves by its own style: no script, so that it plays inside `<img>`. Pieces that are shown at the
//! same times stand in one group with one animation; contents that stand in several rows are drawn once and used. Where
//! nothing may move, and where nothing can, the last shot stands.

use std::collections::{BTreeMap, HashMap};

use super::cut::Film;
use super::pieces::{Content, Piece, Pieces};
use crate::pictures::sheet::Sheet;
use crate::pictures::svg::{FONTS, FOOT, Page, head, window};

/// A content that takes fewer bytes than this is drawn wherever it stands.
const USE_COST: u64 = 60;

/// Draws a film. `alt` is what it says to those who do not see it.
pub fn draw(film: &Film<'_>, alt: &str) -> String {
    let sheets: Vec<&Sheet> = film.shots.iter().map(|shot| shot.sheet).collect();
    let Some(first) = sheets.first() else { return String::new() };
    let (columns, rows) = (first.width, first.rows.len());
    let pieces = Pieces::of(&sheets);
    let shared = shared(&pieces);
    let mut groups: BTreeMap<&[bool], Vec<&Piece>> = BTreeMap::new();
    for piece in &pieces.pieces {
        groups.entry(&piece.shown).or_default().push(piece);
    }
    // What is shown first stands first.
    let mut groups: Vec<(&[bool], Vec<&Piece>)> = groups.into_iter().collect();
    groups.sort_by_key(|(shown, _)| shown.iter().position(|shown| *shown));

    let (mut style, mut body) = (style(film.lasts_ms), String::new());
    for (number, (shown, pieces_of_group)) in groups.iter().enumerate() {
        if shown.iter().all(|shown| *shown) {
            body += "<g>\n";
        } else {
            let name = name('k', number);
            style += &keyframes(&name, shown, film);
            let still = if shown.last() == Some(&true) { " z" } else { "" };
            body += &format!("<g class=\"f {name}{still}\">\n");
        }
        write(&mut body, &pieces, pieces_of_group, &shared);
        body += "</g>\n";
    }
    let mut svg = head(columns, rows, alt);
    svg += &format!("<style>\n{style}</style>\n<defs>\n");
    let mut contents: Vec<(&&Content, &usize)> = shared.iter().collect();
    contents.sort_by_key(|(_, number)| **number);
    for (content, number) in contents {
        let mut page = Page::default();
        put(&mut page, &pieces, content, 0);
        svg += &format!("<g id=\"{}\">\n", name('c', *number));
        write_page(&mut svg, &page);
        svg += "</g>\n";
    }
    svg += "</defs>\n";
    svg + &window(columns, rows) + &body + FOOT
}

/// What stands in several rows or groups, by number.
fn shared(pieces: &Pieces) -> HashMap<&Content, usize> {
    let mut uses: HashMap<&Content, usize> = HashMap::new();
    for piece in &pieces.pieces {
        *uses.entry(&piece.content).or_default() += 1;
    }
    let mut shared = HashMap::new();
    for Piece { content, .. } in &pieces.pieces {
        if uses[content] > 1 && pieces.cost(content) > USE_COST && !shared.contains_key(content) {
            shared.insert(content, shared.len());
        }
    }
    shared
}

fn write(svg: &mut String, all: &Pieces, pieces: &[&Piece], shared: &HashMap<&Content, usize>) {
    let mut page = Page::default();
    let mut uses = String::new();
    for Piece { row, content, .. } in pieces {
        match shared.get(content) {
            Some(number) => uses += &format!("<use href=\"#{}\" y=\"{}\"/>\n", name('c', *number), row * 20),
            None => put(&mut page, all, content, *row),
        }
    }
    write_page(svg, &page);
    *svg += &uses;
}

fn put(page: &mut Page, pieces: &Pieces, content: &Content, row: usize) {
    let glyphs: Vec<_> = content.glyphs.iter().map(|glyph| &pieces.glyphs[*glyph]).collect();
    for (at, glyph) in glyphs.iter().enumerate().filter(|(_, glyph)| !glyph.cell.symbol.is_empty()) {
        let covered = glyphs[at + 1..].iter().take_while(|glyph| glyph.cell.symbol.is_empty()).count();
        page.put(&glyph.cell, (content.column + at, row), covered + 1, glyph.under_cursor);
    }
}

fn write_page(svg: &mut String, page: &Page) {
    page.write_areas(svg);
    page.write_lines(svg);
    page.write_words(svg);
}

/// What holds for all groups.
fn style(lasts_ms: u64) -> String {
    format!(
        "text{{font:16px {FONTS};font-weight:inherit;font-style:inherit}}\n\
         path{{shape-rendering:crispEdges}}\n\
         path[stroke]{{fill:none;stroke-width:1.5;stroke-linecap:square;shape-rendering:auto}}\n\
         path[stroke-width]{{stroke-width:3}}\n\
         .f{{visibility:hidden;animation:{}s step-end infinite}}\n\
         .z{{visibility:visible}}\n\
         @media(prefers-reduced-motion:reduce){{.f{{animation:none!important}}}}\n",
        thousandths(lasts_ms)
    )
}

/// When a group is seen and when not, in parts of a hundred; a value holds until the next.
fn keyframes(name: &str, shown: &[bool], film: &Film<'_>) -> String {
    let (mut seen, mut unseen) = (Vec::new(), Vec::new());
    let mut before = None;
    for (shown, shot) in shown.iter().zip(&film.shots) {
        if before != Some(shown) {
            let part = thousandths(shot.at_ms * 100_000 / film.lasts_ms.max(1)) + "%";
            if *shown { seen.push(part) } else { unseen.push(part) }
        }
        before = Some(shown);
    }
    let [seen, unseen] = [seen, unseen].map(|parts| parts.join(","));
    format!(
        "@keyframes {name}{{{unseen}{{visibility:hidden}}{seen}{{visibility:visible}}}}.{name}{{animation-name:{name}}}\n"
    )
}

/// A name that no other has: a letter, and a number in few signs.
fn name(kind: char, number: usize) -> String {
    let mut signs = Vec::new();
    let mut rest = number;
    while rest > 0 || signs.is_empty() {
        signs.push(char::from_digit(u32::try_from(rest % 36).unwrap_or_default(), 36).unwrap_or('0'));
        rest /= 36;
    }
    signs.push(kind);
    signs.into_iter().rev().collect()
}

fn thousandths(number: u64) -> String {
    let text = format!("{}.{:03}", number / 1000, number % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::cut::cut;
    use super::super::reel::tests::frames;
    use super::super::xml;
    use super::*;

    fn drawn(rows: &[(u64, &str)]) -> String {
        let frames = frames(rows);
        draw(&cut(&frames), "a <film>")
    }

    #[test]
    fn each_shot_is_seen_in_its_time_and_the_first_at_once() {
        let svg = drawn(&[(0, "a"), (1_000, "b"), (2_000, "a")]);
        let moves: Vec<&str> = svg.lines().filter(|line| line.starts_with("@keyframes")).collect();
        // 5920 ms in all; b comes at 960 and goes at 1920.
        assert_eq!(
            moves,
            [
                "@keyframes k0{16.216%{visibility:hidden}0%,32.432%{visibility:visible}}.k0{animation-name:k0}",
                "@keyframes k1{0%,32.432%{visibility:hidden}16.216%{visibility:visible}}.k1{animation-name:k1}",
            ]
        );
        assert!(svg.contains("animation:5.92s step-end infinite"), "{svg}");
    }

    #[test]
    fn where_nothing_moves_the_last_shot_stands() {
        let svg = drawn(&[(0, "a"), (1_000, "b")]);
        let still = svg.split_once("class=\"f k1 z\">").unwrap().1;
        assert!(still.contains(">b</text>") && !still.contains(">a</text>"), "{svg}");
        assert!(svg.contains("prefers-reduced-motion:reduce"));
    }

    #[test]
    fn what_never_changes_is_drawn_once_and_does_not_move() {
        let svg = drawn(&[(0, "a"), (1_000, "a b"), (2_000, "a c")]);
        assert_eq!(svg.matches(">a</text>").count(), 1);
        assert!(svg.contains("<g>\n<g fill=\"#d8d2c4\">\n<text x=\"0\" y=\"15\">a</text>"), "{svg}");
    }

    #[test]
    fn a_film_is_sound_xml_without_scripts() {
        let svg = drawn(&[(0, "<a>"), (1_000, "&\"'"), (2_000, "日本"), (3_000, "╔▀█")]);
        assert_eq!(xml::fault(&svg), None, "{svg}");
        assert!(!svg.contains("<script"));
    }

    #[test]
    fn a_row_that_moves_up_is_drawn_once() {
        let text =
            |first: &str, second: &str| format!("frame 0 7\n70x2\n{first}\n{second}\ninks\n\n\nlegend\n");
        let line = "What was said stands a row higher as soon as more is said below it";
        let mut frames = super::super::reel::read(&(text("", line) + &text(line, "Yes"))).unwrap();
        frames[1].at_ms = 1_000;
        let svg = draw(&cut(&frames), "");
        assert_eq!(svg.matches(line).count(), 1, "{svg}");
        assert_eq!(svg.matches("<use href=\"#c0\"").count(), 2, "{svg}");
        assert_eq!(xml::fault(&svg), None, "{svg}");
    }

    #[test]
    fn names_are_short_and_differ() {
        assert_eq!([0, 35, 36, 1_295].map(|number| name('k', number)), ["k0", "kz", "k10", "kzz"]);
    }
}
