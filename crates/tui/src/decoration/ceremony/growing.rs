//! How a forest grows from a seed. Whatever grows is walked through before it is shown: a forest counts only if it can
//! be crossed in time, and lost in both ways.

use super::dice::Dice;
use super::forest::{Fate, Forest, ForestPlace, Met, Terrain, WalkDirection, Wisp};
use super::limits::{ATTEMPTS_MAX, COLUMNS, ROWS, TURNS_MAX};

/// The forest of this seed.
pub fn grow(seed: u64) -> Forest {
    let mut dice = Dice::new(seed, 1);
    let tried = (0..ATTEMPTS_MAX).map(|_| wild(&mut dice)).find(is_fair);
    tried.unwrap_or_else(plain)
}

/// The shortest walk from here to where a step comes to this, if there is one.
pub fn way_to(forest: &Forest, end: Met) -> Option<Vec<WalkDirection>> {
    // Where one has been, at which turn of the wisps' round, by which step, and from which of these.
    let mut been = vec![(forest.walker(), forest.turn() % Wisp::ROUND, None)];
    let mut seen = vec![false; COLUMNS * ROWS * Wisp::ROUND];
    let mut next = 0;
    while let Some((place, turn, _)) = been.get(next).copied() {
        for way in WalkDirection::ALL {
            let (there, met) = forest.after(place, turn, way);
            if met == end {
                let mut walked = vec![way];
                let mut from = next;
                while let Some((way, before)) = been.get(from).and_then(|(_, _, by)| *by) {
                    walked.push(way);
                    from = before;
                }
                walked.reverse();
                return Some(walked);
            }
            let then = (turn + 1) % Wisp::ROUND;
            let known = &mut seen[(there.row * COLUMNS + there.column) * Wisp::ROUND + then];
            if matches!(met, Met::Open | Met::Bump) && !*known {
                *known = true;
                been.push((there, then, Some((way, next))));
            }
        }
        next += 1;
    }
    None
}

fn is_fair(forest: &Forest) -> bool {
    let ends = |fate| way_to(forest, Met::Lost(fate)).is_some();
    // What ends sooner is looked for first.
    ends(Fate::Wisp)
        && ends(Fate::Bog)
        && way_to(forest, Met::Found).is_some_and(|walked| walked.len() <= TURNS_MAX)
}

/// Any forest: a path that wanders, things beside it, wisps across it.
fn wild(dice: &mut Dice) -> Forest {
    let mut ground = [[Terrain::Grass; COLUMNS]; ROWS];
    for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
        ground[row][column] = match (column, dice.below(100)) {
            (_, 0..22) => Terrain::Tree,
            (_, 22..36) => Terrain::Pine,
            // Where one enters, and around the fire, the ground is firm.
            (2..DRY, 36..54) => Terrain::Bog,
            (_, _) => Terrain::Grass,
        };
        if column == Forest::FIRE.column {
            ground[row][column] = Terrain::Grass;
        }
        if column == Forest::ARBITER.column {
            ground[row][column] = Terrain::Pine;
        }
    }
    let path = path(dice);
    for ForestPlace { column, row } in &path {
        ground[*row][*column] = Terrain::Path;
    }
    let mut wisps = Vec::new();
    let mut column = 3 + dice.below(2);
    while column + 3 < Forest::FIRE.column {
        let crossed = path.iter().find(|place| place.column == column).map_or(ROWS / 2, |place| place.row);
        // A wisp has air to either side of the path.
        for row in [crossed.checked_sub(1), Some(crossed + 1)].into_iter().flatten().filter(|row| *row < ROWS)
        {
            if !ground[row][column].is_open() {
                ground[row][column] = Terrain::Grass;
            }
        }
        let is_open = |row: &usize| ground[*row][column].is_open();
        let above = (0..crossed).rev().take_while(is_open).count();
        let below = (crossed + 1..ROWS).take_while(is_open).count();
        wisps.push(Wisp {
            column,
            top: crossed - above,
            rows: above + 1 + below,
            phase: dice.below(Wisp::ROUND),
        });
        column += 3 + dice.below(3);
    }
    Forest::new(|ForestPlace { column, row }| ground[row][column], wisps)
}

/// From this column on there is no bog.
const DRY: usize = COLUMNS - 4;

/// Every place of a path from the start to the fire.
fn path(dice: &mut Dice) -> Vec<ForestPlace> {
    let mut here = Forest::START;
    let mut path = vec![here];
    while here.column < Forest::FIRE.column {
        here.column += 1;
        path.push(here);
        let left = Forest::FIRE.column.saturating_sub(here.column + 1);
        let strayed = here.row.abs_diff(Forest::FIRE.row);
        let aside = if strayed > 0 && strayed >= left {
            Some(if here.row > Forest::FIRE.row { here.row - 1 } else { here.row + 1 })
        } else if here.column > 1 && dice.often(45) {
            if dice.often(50) { here.row.checked_sub(1) } else { Some(here.row + 1) }
        } else {
            None
        };
        // The last place before the fire is straight before it.
        let far = |row: usize| row.abs_diff(Forest::FIRE.row);
        if let Some(row) = aside.filter(|row| *row < ROWS && (far(*row) <= left.saturating_sub(1))) {
            here.row = row;
            path.push(here);
        }
    }
    path
}

/// A forest that cannot go wrong: a straight path, a bog beside it, one wisp across it.
fn plain() -> Forest {
    let middle = Forest::START.row;
    let ground = |place: ForestPlace| match (place.column, place.row) {
        (_, row) if row == middle => Terrain::Path,
        (5, row) if row == middle + 1 => Terrain::Bog,
        (10, _) => Terrain::Grass,
        _ => Terrain::Pine,
    };
    Forest::new(ground, vec![Wisp { column: 10, top: 0, rows: ROWS, phase: 0 }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_forest_is_fair() {
        assert!(is_fair(&plain()));
    }

    #[test]
    fn the_path_leads_to_the_fire() {
        for seed in 0..500 {
            let path = path(&mut Dice::new(seed, 1));
            assert_eq!((path.first(), path.last()), (Some(&Forest::START), Some(&Forest::FIRE)));
            for pair in path.windows(2) {
                let [from, to] = pair else { continue };
                assert_eq!(from.column.abs_diff(to.column) + from.row.abs_diff(to.row), 1, "seed {seed}");
            }
        }
    }

    #[test]
    fn the_plain_forest_is_hardly_ever_wanted() {
        assert!((0..100).all(|seed| grow(seed) != plain()));
    }
}
