//! The fake Bot API by hand: `bot-api [--port N]` prints its address and a token, and does what is typed.

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::time::Duration;

use sim::bot_api::{BotApi, BotApiOptions};

const HELP: &str = "\
say CHAT TEXT             a person writes to the bot (CHAT is their number), or: say GROUP/PERSON TEXT
reply CHAT MESSAGE TEXT   a person answers a message
tap CHAT BUTTON           a person taps the newest button with this text or data, or: tap CHAT #MESSAGE BUTTON
show CHAT                 what the chat shows
group GROUP PERSON...     a group with these people and the bot
block PERSON              a person blocks the bot
advance SECONDS           the server's clock moves on
log                       what was asked of the server
quit";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Some(0),
        ["--port", port] => port.parse().ok(),
        _ => None,
    };
    let Some(port) = port else {
        eprintln!("error: usage: bot-api [--port N]");
        return ExitCode::from(2);
    };
    let api = match BotApi::start_with(&BotApiOptions { port, ..BotApiOptions::default() }) {
        Ok(api) => api,
        Err(error) => {
            eprintln!("error: cannot serve on port {port}: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("ARBITER_TELEGRAM_API_URL={}\nARBITER_TELEGRAM_TOKEN={}\n\n{HELP}", api.url(), api.token());
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if line.trim() == "quit" {
            break;
        }
        match obey(&api, line.trim()) {
            Some(said) => println!("{said}"),
            None => println!("not understood\n{HELP}"),
        }
    }
    ExitCode::SUCCESS
}

/// Does what a line says and tells what came of it; none if it says nothing known.
fn obey(api: &BotApi, line: &str) -> Option<String> {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    match command {
        "say" => {
            let (chat, text) = rest.split_once(' ')?;
            let (chat, person) = chat.split_once('/').unwrap_or((chat, chat));
            let (chat, person): (i64, i64) = (chat.parse().ok()?, person.parse().ok()?);
            if chat < 0 && !api.has_chat(chat) {
                return Some(format!("there is no group {chat}"));
            }
            Some(format!("#{}", api.user(person).says_in(chat, text)))
        }
        "reply" => {
            let (chat, rest) = rest.split_once(' ')?;
            let (message, text) = rest.split_once(' ')?;
            let chat: i64 = chat.parse().ok().filter(|chat| *chat > 0)?;
            Some(format!("#{}", api.user(chat).replies(chat, message.parse().ok()?, text)))
        }
        "tap" => tap(api, rest),
        "show" => Some(api.chat(rest.parse().ok()?).to_string()),
        "group" => {
            let numbers: Vec<i64> = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
            let (group, members) = numbers.split_first().filter(|(group, _)| **group < 0)?;
            api.group(*group, "A group", members);
            Some("made".to_owned())
        }
        "block" => {
            api.user(rest.parse().ok()?).blocks();
            Some("blocked".to_owned())
        }
        "advance" => {
            api.advance(Duration::from_secs(rest.parse().ok()?));
            Some("advanced".to_owned())
        }
        "log" => {
            let lines = api.requests().into_iter().map(|request| {
                let said = if request.is_ok() { "ok".to_owned() } else { request.description().to_owned() };
                format!("{:>4} {:?} {} {said}", request.number, request.at, request.method)
            });
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

fn tap(api: &BotApi, rest: &str) -> Option<String> {
    let (chat, rest) = rest.split_once(' ')?;
    let chat: i64 = chat.parse().ok().filter(|chat| *chat > 0)?;
    let (message, button) = match rest.strip_prefix('#') {
        Some(rest) => {
            let (message, button) = rest.split_once(' ')?;
            (Some(message.parse::<i64>().ok()?), button)
        }
        None => (None, rest),
    };
    let button = button.trim_matches('"');
    let mut messages = api.chat(chat).messages().into_iter().rev();
    let found = messages
        .find(|shown| message.is_none_or(|message| message == shown.id) && shown.button(button).is_some());
    let Some(found) = found else { return Some(format!("there is no button {button:?}")) };
    let tap = api.user(chat).taps(found.id, button);
    Some(match api.wait_for_answer(&tap, Duration::from_secs(2)) {
        Some(answer) => format!("tapped, and told {:?}", answer.text),
        None => "tapped, and not answered yet".to_owned(),
    })
}
