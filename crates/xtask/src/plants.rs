//! `cargo xtask plants`: plants bugs in the mind's round, one at a time and in a copy of the tree, and wants each of them to
//! turn the simulated worlds red and the missions of the real binary too. A bug that either does not see is a hole in the
//! tests. It also looks whether the round's rules stand in a second place, where no plant would reach them.

mod bugs;
mod copy;
mod rules;
mod trial;

use std::fmt;
use std::path::Path;

use self::bugs::{BUGS, ROUND};
use self::copy::TreeCopy;
use self::trial::Colour;
use crate::tidy::Tree;
use crate::{Verdict, refuse_arguments};

/// What became of one plant.
struct PlantRow {
    plant: String,
    worlds: Colour,
    missions: Colour,
}

struct Table(Vec<PlantRow>);

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("plants", args) {
        return Ok(verdict);
    }
    let second = rules::second_places(&Tree::load(root)?);
    second.iter().for_each(|place| println!("{place}"));
    let copy = TreeCopy::make(root)?;
    let sound = copy.read(ROUND)?;
    // Before anything is built: a plant that fits no more would be found out an hour later.
    let planted: Vec<_> =
        BUGS.iter().map(|bug| Ok((bug, bug.plant(&sound)?))).collect::<anyhow::Result<_>>()?;

    let mut table = Table(Vec::new());
    let healthy = table.add("nothing", &copy)?;
    if healthy.worlds != Colour::Green || healthy.missions != Colour::Green {
        println!("\n{table}plants: without a plant all has to be green");
        return Ok(Verdict::Failed);
    }
    for (bug, text) in planted {
        copy.write(ROUND, &text)?;
        table.add(&format!("{}: {}", bug.kind, bug.what), &copy)?;
    }
    copy.write(ROUND, &sound)?;

    let unseen = table.unseen();
    println!("\n{table}plants: {} planted, {unseen} cells GREEN, {} second places", BUGS.len(), second.len());
    Ok(Verdict::of(unseen == 0 && second.is_empty()))
}

impl Table {
    fn add(&mut self, plant: &str, copy: &TreeCopy) -> anyhow::Result<&PlantRow> {
        println!("\n==> {plant}");
        let (worlds, missions) = trial::run(copy, plant)?;
        println!("worlds {worlds}\nmissions {missions}");
        self.0.push(PlantRow { plant: plant.to_owned(), worlds, missions });
        Ok(&self.0[self.0.len() - 1])
    }

    /// How many cells of plants are green; the first row is the healthy tree.
    fn unseen(&self) -> usize {
        let cells = self.0.iter().skip(1).flat_map(|row| [&row.worlds, &row.missions]);
        cells.filter(|colour| **colour == Colour::Green).count()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plant | worlds | missions")?;
        self.0.iter().try_for_each(|PlantRow { plant, worlds, missions }| {
            writeln!(f, "{plant} | {worlds} | {missions}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plant_that_nobody_sees_is_counted_and_shown() {
        let row = |plant: &str, worlds, missions| PlantRow { plant: plant.to_owned(), worlds, missions };
        let red = || Colour::Red("seed 3".to_owned());
        let table = Table(vec![
            row("nothing", Colour::Green, Colour::Green),
            row("order: a", red(), Colour::Green),
            row("alarm: b", red(), red()),
        ]);
        assert_eq!(table.unseen(), 1);
        let expected = "plant | worlds | missions\nnothing | GREEN | GREEN\norder: a | red: seed 3 | GREEN\n\
                        alarm: b | red: seed 3 | red: seed 3\n";
        assert_eq!(table.to_string(), expected);
    }
}
