//! Public names of types, and how many of them mean two things.

use std::collections::BTreeMap;

use super::{Figure, PRODUCT, SourceFile, figure, without_tests};

/// The rooms in which a public type of each name is defined, one for each definition.
type Definitions<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// Public names that mean more than one thing.
#[derive(Debug)]
pub(super) struct Homonyms<'a> {
    /// How many public types there are.
    all: usize,
    /// How many of them share their name with another one.
    homonyms: usize,
    /// Names of `mind` that another crate defines, too.
    pub(super) of_mind: Vec<&'a str>,
    /// Crates with the names that are defined twice in them.
    pub(super) within: Vec<(&'static str, Vec<&'a str>)>,
}

impl Homonyms<'_> {
    pub(super) fn per_mille(&self) -> usize {
        (self.homonyms * 1000).checked_div(self.all).unwrap_or(0)
    }
}

pub(super) fn homonyms<'a>(product: &[SourceFile<'a>]) -> Homonyms<'a> {
    let definitions = definitions(product);
    let all: usize = definitions.values().map(Vec::len).sum();
    let homonyms: usize = definitions.values().filter(|places| places.len() > 1).map(Vec::len).sum();
    let elsewhere = |places: &[&str]| places.contains(&"mind") && places.iter().any(|room| *room != "mind");
    let of_mind = definitions.iter().filter(|(_, places)| elsewhere(places)).map(|(name, _)| *name).collect();
    let within = |room: &str| {
        let twice = |places: &[&str]| places.iter().filter(|of| **of == room).count() > 1;
        definitions.iter().filter(|(_, places)| twice(places)).map(|(name, _)| *name).collect::<Vec<&str>>()
    };
    let within = PRODUCT.map(|room| (room, within(room))).into_iter().filter(|(_, names)| !names.is_empty());
    Homonyms { all, homonyms, of_mind, within: within.collect() }
}

pub(super) fn figures(product: &[SourceFile<'_>]) -> Vec<Figure> {
    let found = homonyms(product);
    let share = found.per_mille();
    let mut figures = vec![
        figure(
            "public types whose name means two things",
            format!("{}.{} %", share / 10, share % 10),
            "12 %",
        ),
        figure("  ... how many definitions", format!("{} of {}", found.homonyms, found.all), "-"),
        figure("names of `mind` that stand elsewhere too", found.of_mind.len(), "0"),
    ];
    figures.extend(found.of_mind.chunks(8).map(|names| figure(format!("      {}", names.join(" ")), "", "")));
    for (room, names) in &found.within {
        figures.push(figure(format!("names that stand twice in `{room}`"), names.len(), "0"));
        figures.extend(names.chunks(8).map(|names| figure(format!("      {}", names.join(" ")), "", "")));
    }
    figures
}

fn definitions<'a>(product: &[SourceFile<'a>]) -> Definitions<'a> {
    let mut definitions = Definitions::new();
    for source in product {
        for name in without_tests(source.text).lines().filter_map(defined) {
            definitions.entry(name).or_default().push(source.room);
        }
    }
    definitions
}

/// The public type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_a_public_type() {
        assert_eq!(defined("pub struct Remark {"), Some("Remark"));
        assert_eq!(defined("    pub enum Told<'a> {"), Some("Told"));
        assert_eq!(defined("pub type Line = (Ink, String);"), Some("Line"));
        assert_eq!(defined("pub(crate) struct Hidden;"), None);
        assert_eq!(defined("pub fn struct_of() {}"), None);
    }

    #[test]
    fn a_name_that_stands_twice_counts_with_all_its_places() {
        let source = |room, path, text| SourceFile { room, path, text };
        let product = [
            source(
                "mind",
                "a.rs",
                "pub struct Step;\npub struct Fact;\npub enum Kind {}\npub enum Kind {}\n",
            ),
            source("tui", "b.rs", "pub struct Step;\n"),
            source("tui", "c.rs", "pub struct Page;\n#[cfg(test)]\nmod tests {\npub struct Page;\n"),
            source("docket", "d.rs", "pub struct Page;\n"),
        ];
        let told: Vec<String> = figures(&product).iter().map(|figure| figure.measured.clone()).collect();
        assert_eq!(told, ["85.7 %", "6 of 7", "1", "", "1", ""]);
    }
}
