//! What a conducted mission is opened with: its agents, how it is conducted, and the notes of earlier missions.

use mind::conductor::{Agent, Conducting, Note};

use crate::cli::RunArgs;
use crate::complaint::{Code, Complaint};
use crate::config::Config;

/// The agents, how they are conducted, and what is known from earlier missions.
pub type Conducted = (Vec<Agent>, Conducting, Vec<Note>);

/// Reads the agents and the limits that the configuration names.
pub fn conducting(_config: &Config, _args: &RunArgs, _provider: &str) -> Result<Conducted, Complaint> {
    Err(Complaint::new(Code::Usage, "no agents are configured")
        .hint("agents are Markdown files: `arbiter agents` lists them"))
}

/// The parts as a charter holds them; a council has none.
pub fn parts(conducted: Option<Conducted>) -> (Vec<Agent>, Vec<Note>, Option<Box<Conducting>>) {
    match conducted {
        Some((agents, conducting, notes)) => (agents, notes, Some(Box::new(conducting))),
        None => (Vec::new(), Vec::new(), None),
    }
}
