//! The forest and its rules. It is a game of turns: nothing happens unless one steps, and the same steps always end in the
//! same place. Trees stand in the way, a bog keeps who steps into it, wisps go up and down by one at every turn.

use super::limits::{COLUMNS, ROWS};

/// Where something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ForestPlace {
    /// From the left: the way to the Arbiter goes right.
    pub column: usize,
    pub row: usize,
}

/// What one stands on, or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terrain {
    Grass,
    /// The path: no bog lies on it.
    Path,
    Tree,
    Pine,
    Bog,
    /// The Arbiter's fire: who comes here has arrived.
    Fire,
    /// The Arbiter, behind the fire.
    Arbiter,
}

impl Terrain {
    /// One can go there, well or not.
    pub fn is_open(self) -> bool {
        match self {
            Terrain::Grass | Terrain::Path | Terrain::Bog | Terrain::Fire => true,
            Terrain::Tree | Terrain::Pine | Terrain::Arbiter => false,
        }
    }
}

/// Where a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WalkDirection {
    Left,
    Right,
    Up,
    Down,
}

impl WalkDirection {
    /// All of them.
    pub const ALL: [WalkDirection; 4] =
        [WalkDirection::Right, WalkDirection::Up, WalkDirection::Down, WalkDirection::Left];
}

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Met {
    /// Nothing: one stands there now.
    Open,
    /// Something that does not give way. A turn passed.
    Bump,
    Lost(Fate),
    Found,
}

/// What one was lost to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    Bog,
    /// A light that was not a lantern.
    Wisp,
}

/// A will-o'-the-wisp: it keeps to its column, and goes up and down a part of it. Where it is follows from the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wisp {
    pub column: usize,
    /// Its highest row.
    pub top: usize,
    /// How many rows it visits, two at least.
    pub rows: usize,
    /// How far it was on its round at the first turn.
    pub phase: usize,
}

impl Wisp {
    /// After how many turns wisps are where they were, all of them: every round of two to five rows ends then.
    pub const ROUND: usize = 24;

    /// Where it is at this turn.
    pub fn place(&self, turn: usize) -> ForestPlace {
        let last = self.rows.saturating_sub(1).max(1);
        let along = (self.phase + turn % Wisp::ROUND) % (2 * last);
        ForestPlace { column: self.column, row: self.top + along.min(2 * last - along) }
    }
}

/// A forest, with the walker in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forest {
    ground: Vec<Terrain>,
    wisps: Vec<Wisp>,
    walker: ForestPlace,
    turn: usize,
    facing_left: bool,
    bumped: bool,
}

impl Forest {
    /// Where the walk begins.
    pub const START: ForestPlace = ForestPlace { column: 0, row: ROWS / 2 };
    /// Where it ends well.
    pub const FIRE: ForestPlace = ForestPlace { column: COLUMNS - 2, row: ROWS / 2 };
    /// Where the Arbiter stands.
    pub const ARBITER: ForestPlace = ForestPlace { column: COLUMNS - 1, row: ROWS / 2 };

    /// A forest with this ground, told by place, and these wisps. The start, the fire and the Arbiter are where they are.
    pub(super) fn new(ground: impl Fn(ForestPlace) -> Terrain, wisps: Vec<Wisp>) -> Forest {
        let ground = |place: ForestPlace| match place {
            Forest::START => Terrain::Path,
            Forest::FIRE => Terrain::Fire,
            Forest::ARBITER => Terrain::Arbiter,
            other => ground(other),
        };
        Forest {
            ground: Forest::places().map(ground).collect(),
            wisps,
            walker: Forest::START,
            turn: 0,
            facing_left: false,
            bumped: false,
        }
    }

    /// Every place, row by row.
    pub fn places() -> impl Iterator<Item = ForestPlace> {
        (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| ForestPlace { column, row }))
    }

    /// What lies there. Beyond the edge there are trees.
    pub fn ground(&self, place: ForestPlace) -> Terrain {
        let known = place.column < COLUMNS && place.row < ROWS;
        let index = place.row.saturating_mul(COLUMNS).saturating_add(place.column);
        self.ground.get(index).copied().filter(|_| known).unwrap_or(Terrain::Tree)
    }

    pub fn wisps(&self) -> &[Wisp] {
        &self.wisps
    }

    /// Where the wisps are now.
    pub fn lights(&self) -> impl Iterator<Item = ForestPlace> {
        self.wisps.iter().map(|wisp| wisp.place(self.turn))
    }

    /// Where one is.
    pub fn walker(&self) -> ForestPlace {
        self.walker
    }

    /// How many turns have passed.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// One looks back.
    pub fn faces_left(&self) -> bool {
        self.facing_left
    }

    /// The last step went nowhere.
    pub fn bumped(&self) -> bool {
        self.bumped
    }

    /// One steps, then the wisps do. A walker who shares a place with a wisp, before or after it moved, is lost.
    pub fn step(&mut self, way: WalkDirection) -> Met {
        let (walker, met) = self.after(self.walker, self.turn, way);
        self.bumped = walker == self.walker;
        self.walker = walker;
        self.turn += 1;
        match way {
            WalkDirection::Left => self.facing_left = true,
            WalkDirection::Right => self.facing_left = false,
            WalkDirection::Up | WalkDirection::Down => {}
        }
        met
    }

    /// Where a step from there would lead at that turn, and what it would come to.
    pub(super) fn after(&self, from: ForestPlace, turn: usize, way: WalkDirection) -> (ForestPlace, Met) {
        let to = beside(from, way).filter(|place| self.ground(*place).is_open());
        let there = to.unwrap_or(from);
        let is_lit = |turn| self.wisps.iter().any(|wisp| wisp.place(turn) == there);
        let ground = self.ground(there);
        let met = if ground == Terrain::Bog {
            Met::Lost(Fate::Bog)
        } else if is_lit(turn) || is_lit(turn + 1) {
            Met::Lost(Fate::Wisp)
        } else if ground == Terrain::Fire {
            Met::Found
        } else if to.is_none() {
            Met::Bump
        } else {
            Met::Open
        };
        (there, met)
    }
}

/// The next place in a direction, if the forest reaches so far.
fn beside(from: ForestPlace, way: WalkDirection) -> Option<ForestPlace> {
    let ForestPlace { column, row } = from;
    let place = match way {
        WalkDirection::Left => ForestPlace { column: column.checked_sub(1)?, row },
        WalkDirection::Right => ForestPlace { column: column + 1, row },
        WalkDirection::Up => ForestPlace { column, row: row.checked_sub(1)? },
        WalkDirection::Down => ForestPlace { column, row: row + 1 },
    };
    (place.column < COLUMNS && place.row < ROWS).then_some(place)
}
