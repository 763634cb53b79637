//! Amounts as people say them: counts that agree in number, tokens, money.

use std::fmt::Display;

/// So many of a thing: "1 note", "3 notes".
#[must_use]
pub fn counted(count: impl Display, thing: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Tokens: "950", "12.3k", "1.2M".
#[must_use]
pub fn tokens(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..1_000_000 => format!("{}.{}k", count / 1000, count % 1000 / 100),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// Millionths of a dollar, as money.
#[must_use]
pub fn money(microusd: u64) -> String {
    format!("${}.{:02}", microusd / 1_000_000, microusd % 1_000_000 / 10_000)
}
