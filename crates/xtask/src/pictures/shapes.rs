//! Characters that are shapes: lines that join and blocks that touch. Fonts leave gaps between them, so pictures draw
//! them. Lengths are hundredths of a unit, from the cell's upper left corner.

/// A cell is ten units wide and twenty high, so that half blocks are squares.
pub const WIDE: i32 = 1000;
pub const HIGH: i32 = 2000;
/// How far each line of a double line lies from the middle.
const APART: i32 = 200;

/// What a character is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Blocks(Vec<Area>),
    /// The whole cell, this much of a hundred.
    Shade(u16),
    Lines(Vec<Line>),
    /// From the middle of the upper or lower edge to the middle of the left or right one.
    Bend {
        y: i32,
        x: i32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    pub wide: i32,
    pub high: i32,
}

/// From left to right or from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub heavy: bool,
    pub from: (i32, i32),
    pub to: (i32, i32),
}

/// Each character with its arms: up, right, down, left; 1 is light, 2 double, 3 heavy.
const ARMS: &str = "\
    ─0101 │1010 ┌0110 ┐0011 └1100 ┘1001 ├1110 ┤1011 ┬0111 ┴1101 ┼1111 ╴0001 ╵1000 ╶0100 ╷0010 \
    ═0202 ║2020 ╔0220 ╗0022 ╚2200 ╝2002 ╠2220 ╣2022 ╦0222 ╩2202 ╬2222 \
    ╒0210 ╕0012 ╘1200 ╛1002 ╞1210 ╡1012 ╤0212 ╧1202 ╪1212 ╓0120 ╖0021 ╙2100 ╜2001 ╟2120 ╢2021 ╥0121 ╨2101 ╫2121 \
    ━0303 ┃3030 ┏0330 ┓0033 ┗3300 ┛3003 ┣3330 ┫3033 ┳0333 ┻3303 ╋3333 ╸0003 ╹3000 ╺0300 ╻0030";

/// Each character with its quarters: upper left, upper right, lower left, lower right.
const QUARTERS: &str = "▖0010 ▗0001 ▘1000 ▙1011 ▚1001 ▛1110 ▜1101 ▝0100 ▞0110 ▟0111";

/// The shape of a symbol, if it is one.
pub fn shape(symbol: &str) -> Option<Shape> {
    let mut characters = symbol.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else {
        return None;
    };
    let area = |x, y, wide, high| Some(Shape::Blocks(vec![Area { x, y, wide, high }]));
    let eighth = |from: char| i32::try_from(u32::from(character) - u32::from(from)).unwrap_or_default() + 1;
    match character {
        '▀' => area(0, 0, WIDE, HIGH / 2),
        '▁'..='█' => area(0, HIGH - HIGH / 8 * eighth('▁'), WIDE, HIGH / 8 * eighth('▁')),
        '▉'..='▏' => area(0, 0, WIDE - WIDE / 8 * eighth('▉'), HIGH),
        '▐' => area(WIDE / 2, 0, WIDE / 2, HIGH),
        '▔' => area(0, 0, WIDE, HIGH / 8),
        '▕' => area(WIDE - WIDE / 8, 0, WIDE / 8, HIGH),
        '░' => Some(Shape::Shade(25)),
        '▒' => Some(Shape::Shade(50)),
        '▓' => Some(Shape::Shade(75)),
        '╭' => Some(Shape::Bend { y: HIGH, x: WIDE }),
        '╮' => Some(Shape::Bend { y: HIGH, x: 0 }),
        '╯' => Some(Shape::Bend { y: 0, x: 0 }),
        '╰' => Some(Shape::Bend { y: 0, x: WIDE }),
        _ => match digits(ARMS, character) {
            Some(arms) => Some(Shape::Lines(lines(arms))),
            None => digits(QUARTERS, character).map(quarters),
        },
    }
}

/// The four digits that follow a character in a table.
fn digits(table: &str, character: char) -> Option<[u8; 4]> {
    let word = table.split(' ').find_map(|word| word.strip_prefix(character))?;
    let digits: Vec<u8> = word.bytes().map(|digit| digit - b'0').collect();
    digits.try_into().ok()
}

fn quarters(filled: [u8; 4]) -> Shape {
    let (wide, high) = (WIDE / 2, HIGH / 2);
    let places = [(0, 0), (wide, 0), (0, high), (wide, high)];
    let filled = places.into_iter().zip(filled).filter(|(_, filled)| *filled == 1);
    Shape::Blocks(filled.map(|((x, y), _)| Area { x, y, wide, high }).collect())
}

/// Arms as lines from near the middle to the edges. Where double lines meet, the inner ones stop at each other and the
/// outer ones go round the corner.
fn lines(arms: [u8; 4]) -> Vec<Line> {
    let directions: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    let mut lines = Vec::new();
    for (side, &(dx, dy)) in directions.iter().enumerate() {
        let arm = |turns: usize| arms[(side + turns) % 4];
        let across = |turns: usize| directions[(side + turns) % 4];
        let reach = WIDE / 2 * dx.abs() + HIGH / 2 * dy.abs();
        // One line: where it starts before or after the middle, and how far it lies beside it.
        let mut draw = |start: i32, (sx, sy): (i32, i32), beside: i32| {
            let (x, y) = (WIDE / 2 + sx * beside, HIGH / 2 + sy * beside);
            let (a, b) = ((x + dx * start, y + dy * start), (x + dx * reach, y + dy * reach));
            lines.push(Line { heavy: arm(0) == 3, from: a.min(b), to: a.max(b) });
        };
        match arm(0) {
            0 => {}
            2 => {
                for near in [1, 3] {
                    let start = match (arm(near), arm(2), arm(near + 2)) {
                        (2, _, _) => APART,
                        (0, 0, 2) => -APART,
                        _ => 0,
                    };
                    draw(start, across(near), APART);
                }
            }
            _ => {
                let start = match (arm(1), arm(2), arm(3)) {
                    (2, 0, 2) => APART,
                    (2, 0, _) | (_, 0, 2) => -APART,
                    _ => 0,
                };
                draw(start, (0, 0), 0);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(symbol: &str) -> Vec<((i32, i32), (i32, i32))> {
        match shape(symbol) {
            Some(Shape::Lines(lines)) => lines.iter().map(|line| (line.from, line.to)).collect(),
            other => panic!("{symbol} is {other:?}"),
        }
    }

    #[test]
    fn light_lines_meet_in_the_middle() {
        assert_eq!(told("┐"), [((500, 1000), (500, 2000)), ((0, 1000), (500, 1000))]);
    }

    #[test]
    fn a_double_corner_has_an_inner_and_an_outer_line() {
        let right = [((700, 1200), (1000, 1200)), ((300, 800), (1000, 800))];
        let down = [((300, 800), (300, 2000)), ((700, 1200), (700, 2000))];
        assert_eq!(told("╔"), [right, down].concat());
    }

    #[test]
    fn a_light_arm_stops_at_a_double_line_that_passes() {
        assert!(told("╟").contains(&((700, 1000), (1000, 1000))));
        assert!(told("╫").contains(&((500, 1000), (1000, 1000))));
        assert!(told("╓").contains(&((300, 1000), (1000, 1000))));
    }

    #[test]
    fn every_arm_reaches_its_edge() {
        for word in ARMS.split_whitespace() {
            let (symbol, arms) = word.split_at(word.len() - 4);
            let ends: Vec<(i32, i32)> = told(symbol).into_iter().flat_map(|(from, to)| [from, to]).collect();
            let reached = [
                ends.iter().any(|end| end.1 == 0),
                ends.iter().any(|end| end.0 == WIDE),
                ends.iter().any(|end| end.1 == HIGH),
                ends.iter().any(|end| end.0 == 0),
            ];
            let drawn: Vec<bool> = arms.chars().map(|arm| arm != '0').collect();
            assert_eq!(reached.to_vec(), drawn, "{symbol}");
        }
    }

    #[test]
    fn blocks_fill_their_part_of_the_cell() {
        let area = |x, y, wide, high| Some(Shape::Blocks(vec![Area { x, y, wide, high }]));
        assert_eq!(shape("█"), area(0, 0, 1000, 2000));
        assert_eq!(shape("▄"), area(0, 1000, 1000, 1000));
        assert_eq!(shape("▌"), area(0, 0, 500, 2000));
        assert_eq!(shape("▏"), area(0, 0, 125, 2000));
        assert_eq!(shape("▗"), area(500, 1000, 500, 1000));
    }

    #[test]
    fn letters_are_no_shapes() {
        for symbol in ["a", "", " ", "◈", "──", "日"] {
            assert_eq!(shape(symbol), None, "{symbol}");
        }
    }
}
