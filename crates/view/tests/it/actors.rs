//! Who did something, in words, for every kind of actor and every door.

use mind::actor::{Actor, Door};
use mind::talk::Speaker;
use view::actor::{actor_words, speaker_words, token_words};

#[test]
fn every_actor_has_words() {
    let doors = [Door::Terminal, Door::Cli, Door::Telegram, Door::Web, Door::File];
    let policies = ["rehearsal", "headless", "watchdog", "overflow", "default", "deadline", "night"];
    let people = doors.into_iter().map(|door| Actor::human(door, "ada"));
    let others = policies.into_iter().map(Actor::policy).chain([Actor::agent("ceo")]);
    let told: Vec<String> = people
        .chain(others)
        .map(|actor| format!("{:<20} {}", actor.to_string(), actor_words(&actor)))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    human:terminal:ada   ada, in the terminal
    human:cli:ada        ada, at the command line
    human:telegram:ada   ada, in Telegram
    human:web:ada        ada, in the browser
    human:file:ada       ada, in the petition's file
    policy:rehearsal     the rehearsal's script
    policy:headless      the policy for missions without a person
    policy:watchdog      the watchdog
    policy:overflow      the context limit
    policy:default       the asker's default, at the deadline
    policy:deadline      the petition's deadline
    policy:night         the policy night
    agent:ceo            the agent ceo
    ");
}

#[test]
fn a_name_cannot_move_the_cursor_and_what_is_no_token_stays() {
    assert_eq!(actor_words(&Actor::human(Door::Cli, "a\u{1b}[2Kb")), "ab, at the command line");
    assert_eq!(token_words("human:cli:ada"), "ada, at the command line");
    assert_eq!(token_words("somebody"), "somebody");
}

#[test]
fn a_policy_that_speaks_for_the_person_is_named() {
    let rehearsal = Speaker::Human(Actor::policy("rehearsal"));
    assert_eq!(speaker_words(&rehearsal), "You (the rehearsal's script)");
    assert_eq!(speaker_words(&Speaker::Human(Actor::human(Door::Terminal, "ada"))), "You");
    assert_eq!(speaker_words(&Speaker::House), "Program");
}
