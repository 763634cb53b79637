//! The sections `telegram`, `notifications` and `serve`, and what of them an existing `config.json` says.

use doors::telegram::settings::{AllowedPerson, PersonRole, QuietHours};
use doors::telegram::wire::UserId;

use arbiter::project::config::Config;

use super::Desk;

fn person(id: i64, name: &str, role: PersonRole) -> AllowedPerson {
    AllowedPerson { id: UserId(id), name: name.into(), role }
}

fn config(text: &str) -> Config {
    Desk::new().user(text).load().expect("sound")
}

/// The lines that tell of these keys.
fn lines(desk: &Desk) -> Vec<String> {
    let sections = ["telegram.", "notifications.", "serve."];
    let is_ours = |line: &&str| sections.iter().any(|section| line.starts_with(section));
    desk.told().lines().filter(is_ours).map(str::to_owned).collect()
}

#[test]
fn a_number_may_answer_and_steer_if_it_is_the_only_one() {
    let people = |text: &str| config(&format!("telegram: {{allowedUsers: {text}}}\n")).telegram_people.value;
    assert_eq!(people("[7]"), [person(7, "7", PersonRole::Steer)]);
    assert_eq!(people("[{id: 7, name: ada}]"), [person(7, "ada", PersonRole::Steer)]);
    assert_eq!(
        people("[7, {id: 111, name: sam, role: watch}, {id: 12, role: steer}, \"13\"]"),
        [
            person(7, "7", PersonRole::Answer),
            person(111, "sam", PersonRole::Watch),
            person(12, "12", PersonRole::Steer),
            person(13, "13", PersonRole::Answer),
        ]
    );
}

#[test]
fn all_of_it_is_shown_with_its_place_and_without_secrets() {
    let desk = Desk::new().user(
        "telegram: {token_file: ~/t, allowedUsers: [7], api_url: null}\n\
         notifications:\n  enabled: false\n  quiet: 22:00-07:00\n  gather: 30s\n  also:\n    - command: [notify-send, Arbiter]\n    \
         - webhook: https://hooks.example/T0/SECRET?key=SECRET\n\
         serve: {health: off}\n",
    );
    assert_eq!(
        lines(&desk),
        [
            "telegram.token_file = /home/me/t  (user file U:1)",
            "telegram.allowedUsers = [{id: 7, name: 7, role: steer}]  (user file U:1)",
            "telegram.api_url = https://api.telegram.org  (default)",
            "notifications.enabled = false  (user file U:3)",
            "notifications.quiet = 22:00-07:00  (user file U:4)",
            "notifications.gather = 30s  (user file U:5)",
            "notifications.also = [{command: [\"notify-send\", \"Arbiter\"]}, {webhook: https://hooks.example/...}]  (user file U:7)",
            "serve.health = off  (user file U:9)",
        ]
    );
    let config = desk.load().expect("sound");
    assert_eq!(config.quiet.value, Some(QuietHours { from: 22 * 60, until: 7 * 60 }));
    assert!(!format!("{config:?}").contains("SECRET"));
}

#[test]
fn a_repository_sets_none_of_it() {
    for (written, what) in [
        ("telegram: {token_file: /t}", "which bot speaks for you"),
        ("telegram: {allowedUsers: [7]}", "who decides for you"),
        ("telegram: {api_url: \"http://evil\"}", "where your bot's token goes"),
        ("notifications: {enabled: false}", "whether you are told"),
        ("notifications: {also: [{command: [evil]}]}", "which programs run and where your petitions go"),
        ("serve: {health: off}", "which ports are opened"),
    ] {
        let told = Desk::new().project(format!("{written}\n")).told();
        assert!(told.contains("this counts only in your own file"), "{told}");
        assert!(told.contains(&format!("a repository must not choose {what}")), "{told}");
    }
}

#[test]
fn bad_values_are_told() {
    for (written, told) in [
        (
            "telegram: {allowedUsers: 7}",
            "`telegram.allowedUsers`: a list of users is needed here, not a number",
        ),
        ("telegram: {allowedUsers: [sam]}", "`telegram.allowedUsers[0]`: `sam` is no number"),
        ("telegram: {allowedUsers: [-5]}", "`telegram.allowedUsers[0]`: -5 is not the number of a user"),
        ("telegram: {allowedUsers: [7, 7]}", "`telegram.allowedUsers`: user 7 stands in it twice"),
        (
            "telegram: {allowedUsers: [{id: 7, name: a}, {id: 8, name: a}]}",
            "`telegram.allowedUsers`: two users are called `a`",
        ),
        ("telegram: {allowedUsers: [{name: sam}]}", "`telegram.allowedUsers[0]`: it has no `id`"),
        (
            "telegram: {allowedUsers: [{id: 7, role: king}]}",
            "`telegram.allowedUsers[0].role`: unknown role `king`",
        ),
        ("telegram: {allowedUsers: [{id: 7, nme: a}]}", "unknown key `telegram.allowedUsers[0].nme`"),
        ("telegram: {api_url: localhost}", "`telegram.api_url`: `localhost` is not the address of an API"),
        ("notifications: {quiet: 22-7}", "`notifications.quiet`: `22-7` is not a time of the day"),
        ("notifications: {quiet: \"07:00-07:00\"}", "is not a time of the day"),
        (
            "notifications: {also: [{webhook: SECRET}]}",
            "`notifications.also[0].webhook`: this is not an address",
        ),
        ("notifications: {also: [{command: make}]}", "a program and its arguments is needed here, not text"),
        ("notifications: {also: [{}]}", "`notifications.also[0]`: it is one of `command` and `webhook`"),
        (
            "serve: {health: \"0.0.0.0:80\"}",
            "`serve.health`: `0.0.0.0:80` can be reached from other machines",
        ),
        ("serve: {health: 7879}", "`serve.health`: `7879` is not an address"),
    ] {
        let said = Desk::new().user(format!("{written}\n")).told();
        assert!(said.contains(told), "{written}\n{said}");
        assert!(!said.contains("SECRET"), "{said}");
    }
}

#[test]
fn an_existing_installation_says_who_is_let_in() {
    let written = r#"{"telegram": {"token": "123:secret", "allowedUsers": [1, "2"]}, "notifications": {"enabled": false}}"#;
    let desk = Desk::new().existing(written);
    let found = desk.load().expect("sound");
    assert_eq!(
        found.telegram_people.value,
        [person(1, "1", PersonRole::Answer), person(2, "2", PersonRole::Answer)]
    );
    assert!(!found.announces.value && found.notes.is_empty(), "{:?}", found.notes);
    assert!(lines(&desk)[1].ends_with("(existing file H/config.json)"), "{:?}", lines(&desk));
    assert!(!desk.told().contains("secret"));

    let desk = Desk::new().existing(written).user("telegram: {allowedUsers: [9]}\n");
    let found = desk.load().expect("sound");
    assert_eq!(
        found.telegram_people.value,
        [person(9, "9", PersonRole::Steer)],
        "our own file wins, key by key"
    );
    assert!(!found.announces.value);

    let desk = Desk::new()
        .existing(r#"{"telegram": {"allowedUsers": ["sam", 7]}, "notifications": {"enabled": "yes"}}"#);
    let found = desk.load().expect("sound");
    assert_eq!(
        found.telegram_people.value,
        [person(7, "7", PersonRole::Answer)],
        "one of two is not the only one"
    );
    let [first, second] = found.notes.as_slice() else { panic!("{:?}", found.notes) };
    assert!(first.ends_with("`telegram.allowedUsers[0]` is no user's number"), "{first}");
    assert!(second.ends_with("`notifications.enabled` is neither true nor false"), "{second}");
}
