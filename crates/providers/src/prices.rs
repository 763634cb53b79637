//! What tokens cost, by the model's name: the dated list in `prices.json`, over which a user's own price goes. A model that
//! is in neither has no price, which is not the same as a price of nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The tokens of one call, by what they are charged as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCounts {
    /// Read, and neither from the cache nor into it.
    pub input: u64,
    pub cache_write: u64,
    pub cache_read: u64,
    pub output: u64,
}

/// What a million tokens cost, in millionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrice {
    pub input: u64,
    pub cache_write: u64,
    pub cache_read: u64,
    pub output: u64,
}

impl ModelPrice {
    /// What these tokens cost, in millionths of a dollar. A fraction counts whole: a limit is not passed by rounding.
    #[must_use]
    pub fn cost_microusd(self, tokens: TokenCounts) -> u64 {
        let parts = [
            (tokens.input, self.input),
            (tokens.cache_write, self.cache_write),
            (tokens.cache_read, self.cache_read),
            (tokens.output, self.output),
        ];
        let cost: u128 = parts.iter().map(|(count, price)| u128::from(*count) * u128::from(*price)).sum();
        u64::try_from(cost.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PriceList {
    as_of: String,
    models: BTreeMap<String, Listed>,
}

/// Dollars per million tokens.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Listed {
    input: f64,
    cache_write: f64,
    cache_read: f64,
    output: f64,
}

impl Listed {
    fn price(&self) -> ModelPrice {
        let microusd = |dollars: f64| (dollars * 1e6).round() as u64;
        ModelPrice {
            input: microusd(self.input),
            cache_write: microusd(self.cache_write),
            cache_read: microusd(self.cache_read),
            output: microusd(self.output),
        }
    }
}

static LIST: LazyLock<Option<PriceList>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../prices.json")).ok());

/// The day on which the list was written down.
#[must_use]
pub fn as_of() -> &'static str {
    LIST.as_ref().map_or("", |list| list.as_of.as_str())
}

/// The price of a model in the list: by its name, or by its name without the day or `latest` behind it.
#[must_use]
pub fn listed(model: &str) -> Option<ModelPrice> {
    let models = &LIST.as_ref()?.models;
    let found = models.get(model).or_else(|| models.get(undated(model)?))?;
    Some(found.price())
}

/// The highest price of the list, for each kind of token.
#[must_use]
pub fn dearest() -> Option<ModelPrice> {
    let prices = LIST.as_ref()?.models.values().map(Listed::price);
    prices.reduce(|one, other| ModelPrice {
        input: one.input.max(other.input),
        cache_write: one.cache_write.max(other.cache_write),
        cache_read: one.cache_read.max(other.cache_read),
        output: one.output.max(other.output),
    })
}

/// A model's name without the edition behind it; none if it has no such end.
fn undated(model: &str) -> Option<&str> {
    let shape: String = model.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).collect();
    let edition = ["-latest", "-00000000", "-0000-00-00"].into_iter().find(|end| shape.ends_with(end))?;
    model.get(..model.len() - edition.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_says_its_day() {
        let list = LIST.as_ref().expect("the list is valid");
        assert!(list.models.len() > 10);
        let digits = as_of().split('-').map(str::len).collect::<Vec<_>>();
        assert_eq!(digits, [4, 2, 2], "{}", as_of());
        for (name, price) in &list.models {
            let Listed { input, cache_write, cache_read, output } = *price;
            assert!(0.0 < cache_read && cache_read <= input && input <= cache_write, "{name}");
            assert!(input < output, "{name}");
        }
    }

    #[test]
    fn a_model_is_found_with_the_day_of_its_edition_and_a_stranger_is_not() {
        let haiku = listed("claude-haiku-4-5").expect("it is in the list");
        assert_eq!(listed("claude-haiku-4-5-20251001"), Some(haiku));
        assert_eq!(listed("claude-haiku-4-5-latest"), Some(haiku));
        assert_eq!(listed("gpt-5-2025-08-07"), Some(listed("gpt-5").expect("it is in the list")));
        for stranger in ["claude-haiku-4-5-mine", "small-one", "claude-haiku", ""] {
            assert_eq!(listed(stranger), None, "{stranger}");
        }
    }

    #[test]
    fn every_kind_of_token_has_its_price_and_a_fraction_counts_whole() {
        let price = listed("claude-haiku-4-5").expect("it is in the list");
        let tokens = TokenCounts { input: 1_000, cache_write: 1_000, cache_read: 1_000, output: 1_000 };
        assert_eq!(price.cost_microusd(tokens), 1_000 + 1_250 + 100 + 5_000);
        assert_eq!(price.cost_microusd(TokenCounts { cache_read: 1, ..TokenCounts::default() }), 1);
        assert_eq!(price.cost_microusd(TokenCounts::default()), 0);
    }
}
