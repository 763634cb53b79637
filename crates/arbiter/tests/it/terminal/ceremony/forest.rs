//! The forest as somebody reads it from the screen, in letters: what is where, how the lights go round, and a way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sim::Window;

/// Row and column in the forest.
type Place = (usize, usize);

/// After so many turns every light is where it was.
const ROUND: usize = 24;
const ROWS: usize = 5;
const COLUMNS: usize = 22;
/// The keys, and where they lead.
const STEPS: [(&str, (isize, isize)); 4] =
    [("Right", (0, 1)), ("Up", (-1, 0)), ("Down", (1, 0)), ("Left", (0, -1))];

/// Where a walk should end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// At the Arbiter's fire.
    Fire,
    /// In a bog, or with a light.
    Lost,
}

/// What stands on the screen at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Map {
    signs: BTreeMap<Place, char>,
    walker: Place,
    lights: BTreeSet<Place>,
}

impl Map {
    /// Reads it; none if there is no forest on the screen.
    pub(super) fn read(rows: &[String]) -> Option<Map> {
        let row_of = |row: usize| rows.get(row).map(|row| row.chars().collect::<Vec<char>>());
        let corners = |row: &Vec<char>| {
            let left = row.iter().position(|sign| *sign == '╔')?;
            row.iter().position(|sign| *sign == '╗').map(|right| (left, right))
        };
        let (top, (left, _)) = (0..rows.len())
            .find_map(|row| Some((row, corners(&row_of(row)?).filter(|(l, r)| r - l == 2 * COLUMNS + 2)?)))?;
        let mut signs = BTreeMap::new();
        for row in 0..ROWS {
            let line = row_of(top + 1 + row)?;
            for column in 0..COLUMNS {
                signs.insert((row, column), *line.get(left + 2 + 2 * column)?);
            }
        }
        let walker = signs.iter().find(|(_, sign)| **sign == '@').map(|(place, _)| *place)?;
        let lights = signs.iter().filter(|(_, sign)| matches!(sign, '*' | '+')).map(|(place, _)| *place);
        let lights = lights.collect();
        Some(Map { signs, walker, lights })
    }
}

/// Watches the lights from the edge of the forest, where it is safe, until they have gone round; then walks to the goal.
pub(super) fn walks(window: &Window, goal: Goal) {
    let mut ground = BTreeMap::new();
    let mut lights = Vec::new();
    for turn in 0..=ROUND {
        let map = Map::read(&window.rows()).expect("a forest");
        assert_eq!(map.walker, (ROWS / 2, 0), "one stands at the edge");
        for (place, sign) in &map.signs {
            if !matches!(sign, '*' | '+' | '@') {
                ground.insert(*place, *sign);
            }
        }
        ground.insert(map.walker, '.');
        lights.push(map.lights.clone());
        if turn < ROUND {
            // There is no way back: to try it passes a turn.
            window.key("Left");
            window.waits("until the lights have moved", |rows| {
                Map::read(rows).is_some_and(|now| now.lights.is_empty() || now.lights != map.lights)
            });
        }
    }
    assert_eq!(lights[ROUND], lights[0], "the lights go round");
    let way = find(&ground, &lights, goal).unwrap_or_else(|| panic!("there is a way\n{}", window.screen()));
    let last = way.len() - 1;
    for (count, (key, place)) in way.into_iter().enumerate() {
        window.key(key);
        if count < last {
            window.waits("until one stands there", |rows| {
                Map::read(rows).is_some_and(|map| map.walker == place)
            });
        }
    }
}

/// The shortest way, as keys and where each leads.
fn find(
    ground: &BTreeMap<Place, char>,
    lights: &[BTreeSet<Place>],
    goal: Goal,
) -> Option<Vec<(&'static str, Place)>> {
    let start: Place = (ROWS / 2, 0);
    let mut seen = BTreeSet::from([(start, 0)]);
    let mut ways = VecDeque::from([(start, 0, Vec::new())]);
    while let Some((place, turn, way)) = ways.pop_front() {
        for (key, (down, right)) in STEPS {
            let Some(to) = place.0.checked_add_signed(down).zip(place.1.checked_add_signed(right)) else {
                continue;
            };
            // Whoever bumps into something stays where they are: no part of a shortest way that is waited for by sight.
            let Some(sign) = ground.get(&to).filter(|sign| !matches!(sign, 'T' | '^' | 'A')) else {
                continue;
            };
            let next = (turn + 1) % ROUND;
            let is_lost = *sign == '~' || lights[turn].contains(&to) || lights[next].contains(&to);
            let mut on = way.clone();
            on.push((key, to));
            match goal {
                Goal::Fire if is_lost => continue,
                Goal::Fire if *sign == '&' => return Some(on),
                Goal::Lost if is_lost => return Some(on),
                Goal::Lost if *sign == '&' => continue,
                Goal::Fire | Goal::Lost => {}
            }
            if seen.insert((to, next)) {
                ways.push_back((to, next, on));
            }
        }
    }
    None
}
