//! Bad configuration: each is told with a hint, and ends with its exit code. No word of the token is repeated.

use std::fs;

use sim::Theatre;

use super::{CANARY, TOKEN, theatre, with_token};

/// What `arbiter serve` says, and that it ends with this code.
fn refused(theatre: &Theatre, environment: &[(&str, &str)], code: i32) -> String {
    let ran = theatre.run_with(&["serve"], environment);
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("hint: "), "{}", ran.err);
    assert!(!ran.err.contains(CANARY) && !ran.out.contains(CANARY), "{}{}", ran.out, ran.err);
    ran.err.replace(&theatre.path().display().to_string(), "WORLD")
}

#[test]
fn without_a_bot_there_is_nothing_to_serve() {
    assert_eq!(
        refused(&crate::theatre(), &[], 2),
        "error: there is nothing to serve: no Telegram bot is configured\n\
         hint: `arbiter setup telegram` sets one up; `notifications.also` names programs and webhooks to tell\n"
    );
}

#[test]
fn what_is_no_token_is_told_by_its_place() {
    let told = refused(&crate::theatre(), &[("ARBITER_TELEGRAM_TOKEN", "CANARY")], 2);
    assert!(
        told.starts_with("error: ARBITER_TELEGRAM_TOKEN holds no bot's token\nhint: @BotFather"),
        "{told}"
    );
    let theatre = with_token(crate::theatre(), 0o600);
    fs::write(super::token_file(&theatre), "CANARY").expect("a file");
    let told = refused(&theatre, &[], 2);
    assert!(told.contains("telegram.token holds no bot's token"), "{told}");
}

#[test]
fn a_token_that_others_can_read_is_refused_with_the_command_that_helps() {
    let theatre = with_token(crate::theatre(), 0o644);
    assert_eq!(
        refused(&theatre, &[], 2),
        "error: WORLD/home/.config/arbiter/telegram.token can be read by others (mode 644)\n\
         hint: `chmod 600 WORLD/home/.config/arbiter/telegram.token`\n"
    );
    fs::remove_file(super::token_file(&theatre)).expect("it is there");
    let told = refused(&theatre, &[], 2);
    assert!(told.starts_with("error: cannot read WORLD/home/.config/arbiter/telegram.token: "), "{told}");
}

#[test]
fn a_bot_that_lets_nobody_in_is_refused() {
    let told = refused(&crate::theatre(), &[("ARBITER_TELEGRAM_TOKEN", TOKEN)], 2);
    assert!(
        told.starts_with("error: the Telegram bot lets no user in\nhint: `telegram.allowedUsers`"),
        "{told}"
    );
}

#[test]
fn users_and_roles_are_checked() {
    for (people, told) in [
        ("[sam]", "`telegram.allowedUsers[0]`: `sam` is no number"),
        ("[{id: 7, role: king}]", "`telegram.allowedUsers[0].role`: unknown role `king`"),
        ("[-100]", "`telegram.allowedUsers[0]`: -100 is not the number of a user"),
    ] {
        let theatre = crate::theatre().with_config(&format!("telegram: {{allowedUsers: {people}}}\n"));
        let said = refused(&theatre, &[("ARBITER_TELEGRAM_TOKEN", TOKEN)], 2);
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn what_is_no_address_of_a_bot_api_is_refused() {
    let told = refused(&theatre(), &[("ARBITER_TELEGRAM_API_URL", "http://me:CANARY@host")], 2);
    assert!(told.starts_with("error: ARBITER_TELEGRAM_API_URL is no address of a Bot API\n"), "{told}");
}
