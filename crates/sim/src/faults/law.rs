//! The laws that hold whatever the disk does, and what is found against them.

use std::fmt;

/// A law, by the way it is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultLaw {
    /// An act that was acknowledged is not there any more.
    Lost,
    /// Something was done twice.
    Twice,
    /// Repeating the command, or `resume`, does not bring it to its end.
    Stuck,
    Hang,
    Panic,
    /// Success was told although something is missing, or a failure although nothing is.
    WrongCode,
    /// A command failed, and does not say that it has done something.
    Unnamed,
    /// A mere crash is told as tampering, or what is left does not agree with itself.
    Unclean,
}

impl FaultLaw {
    pub const ALL: [FaultLaw; 8] = [
        FaultLaw::Lost,
        FaultLaw::Twice,
        FaultLaw::Stuck,
        FaultLaw::Hang,
        FaultLaw::Panic,
        FaultLaw::WrongCode,
        FaultLaw::Unnamed,
        FaultLaw::Unclean,
    ];

    pub fn word(self) -> &'static str {
        match self {
            FaultLaw::Lost => "lost",
            FaultLaw::Twice => "twice",
            FaultLaw::Stuck => "stuck",
            FaultLaw::Hang => "hang",
            FaultLaw::Panic => "panic",
            FaultLaw::WrongCode => "code",
            FaultLaw::Unnamed => "unnamed",
            FaultLaw::Unclean => "unclean",
        }
    }
}

impl fmt::Display for FaultLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One law that did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    pub law: FaultLaw,
    pub told: String,
}

/// What one case came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The command said that it had done what it was asked to.
    pub acknowledged: bool,
    pub breaches: Vec<Breach>,
}

impl Judgement {
    pub fn breach(&mut self, law: FaultLaw, told: impl Into<String>) {
        self.breaches.push(Breach { law, told: told.into() });
    }

    /// Notes a breach unless this is so.
    pub fn want(&mut self, holds: bool, law: FaultLaw, told: impl FnOnce() -> String) {
        if !holds {
            self.breach(law, told());
        }
    }
}

/// What a command printed, as one short line. Errors stand at the end.
pub fn in_short(text: &str) -> String {
    const HEAD: usize = 80;
    const TAIL: usize = 320;
    let line = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<&str>>().join(" | ");
    let signs: Vec<char> = line.chars().collect();
    if signs.len() <= HEAD + TAIL {
        return line;
    }
    let (head, tail) = (&signs[..HEAD], &signs[signs.len() - TAIL..]);
    format!("{} … {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
