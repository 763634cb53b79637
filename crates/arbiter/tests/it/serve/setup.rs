//! `arbiter setup telegram`, typed into a pipe and at a terminal.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use sim::bot_api::BotApi;
use sim::{Ran, Theatre, Window};

use super::server::Server;
use super::{CANARY, TOKEN, mode, own_file, token_file};

/// A Bot API to which Ada writes `/start` in the second poll, after somebody wrote in a group.
fn bot() -> Server {
    Server::answering(|asked, _| {
        let told = if asked.path.ends_with("/getMe") {
            r#"{"ok":true,"result":{"id":123456789,"is_bot":true,"first_name":"Arbiter","username":"arbiter_bot"}}"#
        } else if asked.path.contains("offset=0&") {
            r#"{"ok":true,"result":[{"update_id":41,"message":{"message_id":1,"chat":{"id":-5,"type":"group"},
                "from":{"id":9,"is_bot":false,"first_name":"Bob"},"text":"/start"}}]}"#
        } else {
            r#"{"ok":true,"result":[{"update_id":42,"message":{"message_id":2,"chat":{"id":7,"type":"private"},
                "from":{"id":7,"is_bot":false,"first_name":"Ada","username":"ada"},"text":"/start setup"}}]}"#
        };
        (200, told.to_owned())
    })
}

fn typed(theatre: &Theatre, api_url: &str, input: &str) -> Ran {
    let mut command = theatre.command(&["setup", "telegram"]);
    let mut child = command
        .env("ARBITER_TELEGRAM_API_URL", api_url)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY), "{}{}", ran.out, ran.err);
    ran
}

#[test]
fn a_bot_is_set_up_from_its_token_and_one_message() {
    let (theatre, server) = (crate::theatre(), bot());
    let theatre = theatre.with_config("# mine\nscene: off # as I like it\n");
    let ran = typed(&theatre, server.address(), &format!("{TOKEN}\ny\ny\n"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for told in [
        "This is @arbiter_bot.",
        "https://t.me/arbiter_bot?start=setup",
        "Let Ada @ada (7) in?",
        "systemctl --user enable",
    ] {
        assert!(ran.out.contains(told), "{told}\n{}", ran.out);
    }
    let written = fs::read_to_string(own_file(&theatre)).expect("a file");
    let token = token_file(&theatre);
    assert_eq!(
        written,
        format!(
            "# mine\ntelegram:\n  token_file: {}\n  allowedUsers: [{{id: 7, name: ada}}]\nscene: off # as I like it\n",
            token.display()
        )
    );
    assert_eq!(fs::read_to_string(&token).expect("a file"), format!("{TOKEN}\n"));
    assert_eq!((mode(&own_file(&theatre)), mode(&token)), (0o600, 0o600));
    let unit = theatre.path().join("home/.config/systemd/user/arbiter.service");
    assert!(fs::read_to_string(unit).expect("a file").contains(" serve\n"));
    // The last message stays with the server, so that the bot itself answers it.
    assert!(server.asked().iter().all(|asked| !asked.path.contains("offset=43")), "{:?}", server.asked());

    // The same once more changes nothing.
    let ran = typed(&theatre, server.address(), "\n");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("is let in already"), "{}", ran.out);
    assert_eq!(fs::read_to_string(own_file(&theatre)).expect("a file"), written);
}

#[test]
fn a_no_changes_nothing() {
    let (theatre, server) = (crate::theatre(), bot());
    let ran = typed(&theatre, server.address(), &format!("{TOKEN}\nn\n"));
    assert_eq!(ran.code, Some(4), "{}{}", ran.out, ran.err);
    assert!(!own_file(&theatre).exists() && !token_file(&theatre).exists());
}

#[test]
fn the_users_of_an_existing_installation_stay() {
    let (theatre, server) = (crate::theatre(), bot());
    let existing = format!(r#"{{"telegram": {{"token": "{TOKEN}", "allowedUsers": [11]}}}}"#);
    fs::create_dir_all(theatre.home()).expect("a folder");
    fs::write(theatre.home().join("config.json"), existing).expect("a file");
    let ran = typed(&theatre, server.address(), "\ny\n");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let written = fs::read_to_string(own_file(&theatre)).expect("a file");
    assert_eq!(written, "telegram:\n  allowedUsers: [11, {id: 7, name: ada}]\n");
}

#[test]
fn what_goes_wrong_is_told_with_a_hint() {
    let refusing = Server::answering(|_, _| {
        (401, r#"{"ok":false,"error_code":401,"description":"Unauthorized"}"#.into())
    });
    let busy = Server::answering(|asked, _| {
        match asked.path.ends_with("/getMe") {
        true => (200, r#"{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"A","username":"a_bot"}}"#.into()),
        false => (409, r#"{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}"#.into()),
    }
    });
    let other = Server::answering(|_, _| (200, "<html>hello</html>".into()));
    let token = format!("{TOKEN}\n");
    for (address, input, code, told) in [
        (refusing.address(), token.as_str(), 5, "error: Telegram does not know this token: Unauthorized"),
        (busy.address(), &token, 5, "error: another program answers for this bot: Conflict: "),
        (other.address(), &token, 5, "gives no sensible answer"),
        ("http://127.0.0.1:1", &token, 5, "error: http://127.0.0.1:1 cannot be reached: "),
        (other.address(), "CANARY\n", 2, "error: this is not a bot's token"),
        (other.address(), "", 2, "error: there is no terminal, and nothing on stdin"),
    ] {
        let theatre = crate::theatre();
        let ran = typed(&theatre, address, input);
        assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(told) && ran.err.contains("hint: "), "{told}\n{}", ran.err);
        assert!(!own_file(&theatre).exists() && !token_file(&theatre).exists());
    }
}

/// A terminal shows what is typed; the token it does not, and the shell has its own ways back afterwards.
#[test]
fn at_a_terminal_the_token_is_not_shown() {
    let (theatre, api) = (crate::theatre().with_env("LC_ALL", "C.UTF-8"), BotApi::start());
    let url = api.url();
    let mut window = Window::of(&theatre).with("ARBITER_TELEGRAM_API_URL", &url).runs(&["setup", "telegram"]);
    window.sees("oken");
    window.types(&api.token());
    window.key("Enter");
    window.sees("@arbiter_test_bot");
    api.user(7).named("Ada", Some("ada")).says("/start setup");
    window.sees("Let Ada @ada (7) in?");
    window.types("y\n");
    window.sees("systemd");
    window.types("n\n");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    let raw = String::from_utf8_lossy(&window.raw()).into_owned();
    assert!(!raw.contains(&api.token()), "{raw}");
    assert_eq!(fs::read_to_string(token_file(&theatre)).expect("a file"), format!("{}\n", api.token()));
}

#[test]
fn ctrl_c_at_the_question_for_the_token_leaves_all_as_it_was() {
    let (theatre, api) = (crate::theatre(), BotApi::start());
    let url = api.url();
    let mut window = Window::of(&theatre).with("ARBITER_TELEGRAM_API_URL", &url).runs(&["setup", "telegram"]);
    window.sees("oken");
    window.types("123");
    window.key("Ctrl+C");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    window.sees("nothing was changed");
    assert_eq!(window.left_behind(), [""; 0]);
    assert!(!own_file(&theatre).exists() && !token_file(&theatre).exists());
}
