//! The stage in words: instead of the tiles where there are none, and below them elsewhere.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use view::clean::clean;
use view::status::waiting_words;

use super::cast::{Arbiter, Demon, Human, Pose, Scene, SceneEnding, ScrollPlace};
use crate::text::wrap::wrap;

/// Sentences, the most telling ones first.
pub fn tell(scene: &Scene) -> Vec<String> {
    let mut told = Vec::new();
    told.extend(scene.ending.map(|ending| how_it_ended(ending).to_owned()));
    told.extend(scene.paused.then(|| "The mission is paused.".to_owned()));
    told.extend(human(scene));
    if let Some(passed) = scene.receipt {
        told.push(format!("A check {}.", if passed { "passed" } else { "failed" }));
    }
    if scene.turned_back {
        told.push("The claim was turned back.".to_owned());
    }
    told.extend(demons(scene));
    told.push(arbiter(scene));
    if let ScrollPlace::Comes(_) = scene.scroll {
        told.push("A scroll arrives.".to_owned());
    }
    if scene.boils {
        told.push("The cauldron boils.".to_owned());
    }
    // One that is held up is told already.
    if scene.receipt.is_none() || scene.checks.0 + scene.checks.1 > 1 {
        told.extend(checks(scene.checks));
    }
    told
}

/// As many of the sentences as have room, each of them whole.
pub fn fitting(scene: &Scene, area: Rect, style: Style) -> Vec<Line<'static>> {
    let mut text = String::new();
    let mut lines = Vec::new();
    for sentence in tell(scene) {
        let longer = if text.is_empty() { sentence } else { format!("{text} {sentence}") };
        let wrapped = wrap(vec![Span::styled(longer.clone(), style)], area.width, 0);
        if wrapped.len() <= usize::from(area.height) {
            (text, lines) = (longer, wrapped);
        }
    }
    lines
}

fn how_it_ended(ending: SceneEnding) -> &'static str {
    match ending {
        SceneEnding::Done => "It is done and verified.",
        SceneEnding::Planned => "The plan is made.",
        SceneEnding::Unsure => "The plan is made, but its maker is not sure of it.",
        SceneEnding::Failed => "It failed.",
        SceneEnding::Cancelled => "It was cancelled.",
        SceneEnding::Exhausted => "A limit of the mission was reached.",
    }
}

fn human(scene: &Scene) -> Option<String> {
    let name = scene.character.name();
    match scene.human {
        Human::Looks => None,
        Human::Speaks => Some(format!("The {name} speaks.")),
        Human::Wanted(count) => Some(format!("The {name} is wanted: {}.", waiting_words(count))),
        Human::Cheers => Some(format!("The {name} cheers.")),
        Human::Mourns => Some(format!("The {name} lies down.")),
    }
}

fn arbiter(scene: &Scene) -> String {
    let name = if scene.conducted { "The conductor" } else { "The Arbiter" };
    let does = match scene.arbiter {
        Arbiter::Rests => "rests",
        Arbiter::Thinks => "thinks",
        Arbiter::Speaks => "speaks",
        Arbiter::Reads => "reads the spellbook",
        Arbiter::Sleeps => "sleeps until the limit is lifted",
    };
    format!("{name} {does}.")
}

/// Demons that do something by name, the others by their number.
fn demons(scene: &Scene) -> Vec<String> {
    if let Some(newest) = scene.demons.last().filter(|demon| matches!(demon.pose, Pose::Leaves(_))) {
        return vec![match scene.crowd {
            0 | 1 => demon(newest),
            crowd => format!("{} and {} before it are dismissed.", name(newest), crowd - 1),
        }];
    }
    let spent = |demon: &&Demon| demon.pose == Pose::Spent;
    let mut told: Vec<String> =
        scene.demons.iter().filter(|demon| !spent(demon)).rev().take(3).map(demon).collect();
    let hidden = scene.crowd.saturating_sub(scene.demons.len());
    match scene.demons.iter().filter(spent).count() + hidden {
        0 => {}
        1 => told.extend(scene.demons.iter().find(spent).map(demon)),
        count => told.push(format!("{count} before it are spent.")),
    }
    told
}

fn demon(demon: &Demon) -> String {
    let does = match demon.pose {
        Pose::Works | Pose::Thinks if demon.verifier => "looks twice",
        Pose::Works => "works",
        Pose::Thinks => "thinks",
        Pose::Speaks => "speaks",
        Pose::Waits => "waits",
        Pose::Asks => "waits for your word",
        Pose::Sleeps => "sleeps until the limit is lifted",
        Pose::Spent => "is spent",
        Pose::Leaves(_) => "is dismissed",
    };
    let verifier = if demon.verifier { ", the verifier," } else { "" };
    format!("{}{verifier} {does}.", name(demon))
}

/// A name as a sentence begins with it: agents are mostly called by what they do.
fn name(demon: &Demon) -> String {
    let name = clean(&demon.name).replace('\n', " ");
    if name.starts_with(char::is_lowercase) { format!("The {name}") } else { name }
}

fn checks(counts: (u32, u32)) -> Option<String> {
    match counts {
        (0, 0) => None,
        (1, 0) => Some("1 check passed.".to_owned()),
        (passed, 0) => Some(format!("{passed} checks passed.")),
        (passed, failed) => Some(format!("Of {} checks {failed} failed.", passed + failed)),
    }
}
