//! `trust`: what of a project's own words would count, shown before it does. The same is asked when a mission begins.

use std::io::BufRead as _;

use crate::commands::cli::TrustArgs;
use crate::complaint::{Code, Complaint};
use crate::project::config::{Config, Loosening};
use crate::project::papers::Papers;
use crate::project::trust::Standing;
use crate::terminal::console::{self, Ink};
use crate::{clock, terminal};

use super::Desk;
use super::desk::{is_agent, refuse_agents};

/// How what loosens is made to count.
pub const MEND: &str = "`arbiter trust` shows it and asks you";
/// What trust means, said wherever it is asked for.
const MEANING: &str =
    "Checks and allowed commands run on this machine; what they do is for the project's own code to say.";

/// Trusts the project, takes that back, or lists what is trusted.
pub fn trust(desk: &Desk, args: &TrustArgs) -> Result<Code, Complaint> {
    if args.list {
        return list(desk);
    }
    refuse_agents()?;
    let papers = Papers::read(&desk.root());
    if args.revoke {
        return revoke(desk, &papers);
    }
    let config = sound(desk, &papers)?;
    let project = papers.root.display();
    if config.loosenings.is_empty() {
        console::line(format!("{project} needs no trust: it sets nothing that loosens"));
        return Ok(Code::Done);
    }
    show(&config, &papers);
    if config.standing.counts() {
        console::line(format!("{project} is {}", config.standing));
        return Ok(Code::Done);
    }
    if !args.yes {
        if !terminal::is_there() {
            return Err(Complaint::new(Code::Usage, "nobody is at the terminal to say yes")
                .hint("look at it with `arbiter config`; `arbiter trust --yes` says yes for a script"));
        }
        if ask("Trust it? [y/N]") != Answer::Yes {
            return Err(Complaint::new(Code::Cancelled, "not trusted"));
        }
    }
    desk.trust_book().trust(&papers, clock::now())?;
    console::line(format!(
        "{project} is trusted until a byte of its configuration, its prompts or its agents changes"
    ));
    console::line("`arbiter trust --revoke` takes it back");
    Ok(Code::Done)
}

fn list(desk: &Desk) -> Result<Code, Complaint> {
    let records = desk.trust_book().list()?;
    if records.is_empty() {
        console::line("no project is trusted");
    }
    for record in records {
        let told = if record.project.is_dir() {
            record.judge(&Papers::read(&record.project)).to_string()
        } else {
            "gone".to_owned()
        };
        console::line(format!("{}  ({told})", record.project.display()));
    }
    Ok(Code::Done)
}

fn revoke(desk: &Desk, papers: &Papers) -> Result<Code, Complaint> {
    let project = papers.root.display();
    console::line(if desk.trust_book().revoke(&papers.root)? {
        format!("{project} is no longer trusted; missions that were begun keep what they were opened with")
    } else {
        format!("{project} was not trusted")
    });
    Ok(Code::Done)
}

/// The configuration, and nothing wrong with the prompts or the agents either.
pub fn sound(desk: &Desk, papers: &Papers) -> Result<Config, Complaint> {
    let (config, _) = desk.look(papers)?;
    match &papers.prompts {
        Ok(_) => Ok(config),
        Err(error) => Err(Complaint::from(error)),
    }
}

/// What counts for a new mission: where the project loosens something and is not trusted, whoever is at the terminal is
/// asked. Without anybody it does not count, and that is said.
pub fn settle(desk: &Desk, papers: &Papers, config: Config, typing: bool) -> Result<Config, Complaint> {
    if config.ignored().is_empty() {
        return Ok(config);
    }
    if !typing || is_agent() {
        warn(config.standing, config.ignored().iter());
        return Ok(config);
    }
    show(&config, papers);
    match ask("Trust it? y yes, N go on without it, q stop [y/N/q]") {
        Answer::Yes => {
            desk.trust_book().trust(papers, clock::now())?;
            desk.config_of(papers)
        }
        Answer::No => {
            console::line(format!("the mission goes on without: {}", keys(&config)));
            Ok(config)
        }
        Answer::Quit => Err(Complaint::new(Code::Cancelled, "left as it is").hint(MEND)),
    }
}

/// The keys that a project sets and that need trust.
pub fn keys(config: &Config) -> String {
    let keys: Vec<&str> = config.loosenings.iter().map(|loosening| loosening.key.as_str()).collect();
    keys.join(", ")
}

/// A mission that goes on keeps its checks, its policy and its prompts; the rest is read anew. Says what of that does not
/// count.
pub fn remind(config: &Config) {
    let anew =
        |loosening: &&Loosening| matches!(loosening.key.as_str(), "sandbox.write" | "sandbox.environment");
    warn(config.standing, config.ignored().iter().filter(anew));
}

/// Says what does not count, each with its file and line.
fn warn<'a>(standing: Standing, ignored: impl Iterator<Item = &'a Loosening>) {
    let told =
        |ignored: &Loosening| format!("\n  {}: {} = {}", ignored.whereabouts(), ignored.key, ignored.value());
    let lines: String = ignored.map(told).collect();
    if !lines.is_empty() {
        console::remark(format!(
            "warning: settings of the project do not count ({standing}), the mission goes on without:{lines}\n\
             hint: {MEND}"
        ));
    }
}

/// Shows what trust would make count: all of it, and nothing that could make a terminal hide a part.
fn show(config: &Config, papers: &Papers) {
    let project = papers.root.display();
    let mut lines = vec![match config.standing {
        Standing::Untrusted => format!("{project} sets what counts only if you trust it:"),
        Standing::Changed { .. } => format!("{project} was {}. It sets:", config.standing),
        Standing::Trusted { .. } => format!("{project} sets, and you trust it:"),
    }];
    for loosening in &config.loosenings {
        lines.push(format!("  {}  ({})", loosening.key, loosening.whereabouts()));
        lines.extend(loosening.shown.values.iter().map(|value| format!("    {value}")));
        if loosening.key == "policy.mode" {
            lines.push("    agents then run every command unasked".to_owned());
        }
        if loosening.shown.values.is_empty() {
            lines.push("    none".to_owned());
        }
    }
    lines.push(MEANING.to_owned());
    let lines: Vec<_> = lines.into_iter().map(|line| (Ink::Words, line)).collect();
    let _ = console::write(&lines);
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Quit,
}

/// Only a yes is a yes.
fn ask(question: &str) -> Answer {
    let _ = console::ask(question);
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Answer::Yes,
        "q" | "quit" => Answer::Quit,
        _ => Answer::No,
    }
}
