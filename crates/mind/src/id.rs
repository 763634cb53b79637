//! Names and numbers: who is who in a mission. All are values; none is drawn here.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Milliseconds since the epoch, read from a clock by somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

/// A mission's name, unique in its project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MissionId(pub Arc<str>);

macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

number!(
    /// A session of the mission, counted from 1.
    SessionId, "s"
);
number!(
    /// One prompt to a session and all that comes back, counted over the mission.
    TurnId, "t"
);
number!(
    /// One message of the conversation, counted from 1.
    MessageId, "m"
);
number!(
    /// One claim of completion at the gate.
    GateId, "g"
);
number!(
    /// One question whether a tool may run, counted over the mission.
    AskId, "q"
);

impl fmt::Display for MissionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A session in one of its lives. Each time its process is started anew the incarnation grows, so that words
/// of a dead process reach nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Address {
    /// Which session.
    pub session: SessionId,
    /// Which of its lives, counted from 1.
    pub incarnation: u32,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.session, self.incarnation)
    }
}

/// A number as the council writes it: I, II, III, IV.
pub fn roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = number;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}

/// A UUID made from the mission's seed: known before anything is spawned, and the same after every restart.
pub fn uuid(seed: u64, kind: &str, number: u32) -> String {
    let mut mixed = seed;
    for byte in kind.bytes().chain(number.to_le_bytes()) {
        mixed = scatter(mixed ^ u64::from(byte));
    }
    let high = mixed;
    let low = scatter(mixed ^ 0x5bd1_e995);
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | ((low >> 48) & 0x3fff),
        low & 0xffff_ffff_ffff
    )
}

/// Spreads the bits of `value` (the finaliser known as splitmix64).
fn scatter(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
