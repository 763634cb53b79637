//! A film taken apart: rows are cut into stretches of columns whose cells change together, and each content of a stretch
//! is kept once, with the shots that show it. What never changes is one piece; a foot that taps is two.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::pictures::palette::{Look, WINDOW};
use crate::pictures::shapes::shape;
use crate::pictures::sheet::{Cell, Sheet};

/// About how many bytes a piece takes, whatever is in it.
const PIECE_COST: u64 = 24;
/// About how many bytes the beginning of a text takes, a letter of it, and an area.
const TEXT_COST: u64 = 48;
const LETTER_COST: u64 = 1;
const AREA_COST: u64 = 15;

/// Cells of one row, and the shots in which they stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub row: usize,
    pub content: Content,
    /// For each shot, whether it is shown.
    pub shown: Vec<bool>,
}

/// Cells, wherever they stand from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Content {
    pub column: usize,
    pub glyphs: Vec<usize>,
}

/// The pieces of a film, and what their numbers mean.
#[derive(Debug, Default)]
pub struct Pieces {
    pub glyphs: Vec<Glyph>,
    pub pieces: Vec<Piece>,
}

/// A cell, and whether the cursor stands on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    pub cell: Cell,
    pub under_cursor: bool,
}

impl Pieces {
    /// Takes screens of one size apart.
    pub fn of(sheets: &[&Sheet]) -> Pieces {
        let mut pieces = Pieces::default();
        let height = sheets.first().map_or(0, |sheet| sheet.rows.len());
        let mut known = HashMap::new();
        for row in 0..height {
            let rows: Vec<Vec<usize>> =
                sheets.iter().map(|sheet| pieces.number(sheet, row, &mut known)).collect();
            let stretches = pieces.stretches(&rows);
            for pair in stretches.windows(2) {
                let mut contents: BTreeMap<&[usize], Vec<bool>> = BTreeMap::new();
                for (shot, cells) in rows.iter().enumerate() {
                    let shown = contents.entry(&cells[pair[0]..pair[1]]);
                    shown.or_insert_with(|| vec![false; rows.len()])[shot] = true;
                }
                for (glyphs, shown) in contents {
                    if glyphs.iter().any(|glyph| !pieces.glyphs[*glyph].is_blank()) {
                        let content = Content { column: pair[0], glyphs: glyphs.to_vec() };
                        pieces.pieces.push(Piece { row, content, shown });
                    }
                }
            }
        }
        pieces
    }

    /// About how many bytes a content takes.
    pub fn cost(&self, content: &Content) -> u64 {
        (0..content.glyphs.len()).map(|at| self.cost_at(&content.glyphs, at)).sum()
    }

    fn number(&mut self, sheet: &Sheet, y: usize, known: &mut HashMap<String, usize>) -> Vec<usize> {
        let cells = sheet.rows[y].iter().enumerate();
        let number = |(x, cell): (usize, &Cell)| {
            let under_cursor = sheet.cursor == Some((x, y));
            let name = format!("{under_cursor}{}\n{}", cell.ink, cell.symbol);
            *known.entry(name).or_insert_with(|| {
                self.glyphs.push(Glyph { cell: cell.clone(), under_cursor });
                self.glyphs.len() - 1
            })
        };
        cells.map(number).collect()
    }

    /// Where to cut a row, so that all its contents together take the fewest bytes.
    fn stretches(&self, rows: &[Vec<usize>]) -> Vec<usize> {
        let width = rows.first().map_or(0, Vec::len);
        let may_cut = |x: usize| {
            let changes = |pair: &[Vec<usize>], x: usize| pair[0][x] != pair[1][x];
            let apart = rows.windows(2).any(|pair| changes(pair, x) != changes(pair, x - 1));
            apart && rows.iter().all(|row| !self.glyphs[row[x]].cell.symbol.is_empty())
        };
        let mut bounds = vec![0];
        bounds.extend((1..width).filter(|x| may_cut(*x)));
        bounds.push(width);
        // What stands there often is drawn once.
        let rows: HashSet<&Vec<usize>> = rows.iter().collect();
        // The cheapest way to each bound, and the bound before it.
        let mut best: Vec<(u64, usize)> = vec![(u64::MAX, 0); bounds.len()];
        best[0] = (0, 0);
        for from in 0..bounds.len() {
            let mut contents: Vec<(DefaultHasher, u64)> = vec![(DefaultHasher::new(), 0); rows.len()];
            for to in from + 1..bounds.len() {
                for ((hash, cost), row) in contents.iter_mut().zip(&rows) {
                    row[bounds[to - 1]..bounds[to]].hash(hash);
                    let cells = &row[bounds[from]..bounds[to]];
                    let new = bounds[to - 1] - bounds[from]..cells.len();
                    *cost += new.map(|at| self.cost_at(cells, at)).sum::<u64>();
                }
                let mut seen = HashSet::new();
                let once = contents.iter().filter(|(hash, cost)| *cost > 0 && seen.insert(hash.finish()));
                let cost = best[from].0 + once.map(|(_, cost)| cost + PIECE_COST).sum::<u64>();
                if cost < best[to].0 {
                    best[to] = (cost, from);
                }
            }
        }
        let mut stretches = vec![width];
        let mut at = bounds.len() - 1;
        while at > 0 {
            at = best[at].1;
            stretches.push(bounds[at]);
        }
        stretches.reverse();
        stretches
    }

    /// What the cell at a place adds.
    fn cost_at(&self, cells: &[usize], at: usize) -> u64 {
        let glyph = &self.glyphs[cells[at]];
        let before = at.checked_sub(1).map(|before| &self.glyphs[cells[before]]);
        let goes_on = before.is_some_and(|before| before.cell.ink == glyph.cell.ink && !before.is_blank());
        if glyph.is_blank() || glyph.cell.symbol.is_empty() {
            0
        } else if shape(&glyph.cell.symbol).is_some() || glyph.cell.symbol.trim().is_empty() {
            if before == Some(glyph) { 0 } else { AREA_COST }
        } else if goes_on {
            LETTER_COST
        } else {
            TEXT_COST
        }
    }
}

impl Glyph {
    /// Nothing of it is seen.
    fn is_blank(&self) -> bool {
        let look = Look::of(&self.cell.ink, self.under_cursor);
        look.back == WINDOW && self.cell.ink.traits.is_empty() && self.cell.symbol.trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::reel::{Frame, tests::frames};
    use super::*;

    fn apart(frames: &[Frame]) -> Pieces {
        Pieces::of(&frames.iter().map(|frame| &frame.sheet).collect::<Vec<_>>())
    }

    /// The words of a shot, put together again.
    fn together(pieces: &Pieces, shot: usize) -> String {
        let mut row = vec![" ".to_owned(); 4];
        for Piece { content, .. } in pieces.pieces.iter().filter(|piece| piece.shown[shot]) {
            for (x, glyph) in (content.column..).zip(&content.glyphs) {
                assert_eq!(row[x], " ", "two pieces lie over each other");
                row[x].clone_from(&pieces.glyphs[*glyph].cell.symbol);
            }
        }
        row.concat().trim_end().to_owned()
    }

    #[test]
    fn the_pieces_of_a_shot_are_the_shot() {
        let rows = ["abcd", "abc", "日本", "x", "", "abcd", "▀▄d"];
        let frames = frames(&rows.map(|row| (0, row)));
        let pieces = apart(&frames);
        for (shot, row) in rows.iter().enumerate() {
            assert_eq!(together(&pieces, shot), *row);
        }
    }

    #[test]
    fn what_never_changes_is_one_piece() {
        let frames = frames(&[(0, "ab"), (1, "ab"), (2, "ab")]);
        let pieces = apart(&frames).pieces;
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].shown, [true; 3]);
    }

    #[test]
    fn what_comes_again_is_the_same_piece() {
        let frames = frames(&[(0, "▀"), (1, "▄"), (2, "▀")]);
        let shown: Vec<Vec<bool>> = apart(&frames).pieces.into_iter().map(|piece| piece.shown).collect();
        assert_eq!(shown, [vec![true, false, true], vec![false, true, false]]);
    }

    #[test]
    fn what_moves_beside_words_does_not_draw_the_words_again() {
        let text = |sign: &str| {
            let row = "The work goes on and on until it is done  ".to_owned() + sign;
            format!("frame 0 5\n43x1\n{row}\ninks\n\nlegend\n")
        };
        let frames = super::super::reel::read(&["▀", "▄", "▀"].map(text).concat()).unwrap();
        assert_eq!(apart(&frames).pieces.len(), 3);
    }
}
