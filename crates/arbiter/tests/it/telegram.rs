//! The Telegram door of the real binary against a Bot API on this machine: people tap and write, `arbiter serve` answers, and
//! the docket says what came of it.

mod announcing;
mod doors;
mod falling;
mod missions;
mod odd;
mod older;
mod people;
mod pictures;
mod review;
mod words;

use std::fs;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use sim::bot_api::{BotApi, ChatMessage, ChatPerson};
use sim::{Ran, Theatre};

const ADA: i64 = 93_533_553;
const SAM: i64 = 111;
/// Longer than anything takes that is waited for, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A world with a bot, people who may use it, and a door that serves them.
struct Phone {
    theatre: Theatre,
    api: BotApi,
    serving: Option<Child>,
}

impl Phone {
    /// One person, who may do everything, and who has begun to talk to the bot.
    fn of_ada() -> Phone {
        let mut phone = Phone::with(&format!("[{{id: {ADA}, name: ada, role: steer}}]"), "");
        phone.serve();
        phone.ada().says("/start");
        phone.sees("Decision Queue");
        phone
    }

    /// The people as the configuration has them, and further lines of it. Nothing serves yet.
    fn with(people: &str, more: &str) -> Phone {
        let lines = format!("telegram: {{allowedUsers: {people}}}\nserve: {{health: off}}\n{more}");
        let theatre = crate::theatre().with_env("LC_ALL", "C.UTF-8").with_config(&lines);
        Phone { theatre, api: BotApi::start(), serving: None }
    }

    fn serve(&mut self) {
        let mut command = self.theatre.command(&["serve"]);
        command.env("ARBITER_TELEGRAM_TOKEN", self.api.token());
        command.env("ARBITER_TELEGRAM_API_URL", self.api.url());
        let log = fs::File::create(self.theatre.path().join("serve.err")).expect("a file");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.serving = Some(command.spawn().expect("the binary starts"));
    }

    /// Ends the door at once, as a power cut would.
    fn kill(&mut self) {
        if let Some(mut child) = self.serving.take() {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
    }

    /// Asks the door to stop, and gives its exit code.
    fn stop(&mut self) -> Option<i32> {
        let mut child = self.serving.take().expect("it serves");
        kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
        child.wait().expect("it ends").code()
    }

    fn ada(&self) -> ChatPerson<'_> {
        self.api.user(ADA)
    }

    fn sam(&self) -> ChatPerson<'_> {
        self.api.user(SAM)
    }

    /// Ada's newest message of the bot, once it has these words.
    fn sees(&self, words: &str) -> ChatMessage {
        sees(&self.api, ADA, words)
    }

    /// Ada taps a button as soon as the newest message has it, and sees this then.
    fn taps(&self, button: &str, words: &str) -> ChatMessage {
        self.tap(button);
        self.sees(words)
    }

    /// Ada taps the button with these words in its text, as soon as the newest message has it.
    fn tap(&self, button: &str) {
        tap(&self.api, ADA, button);
    }

    fn ask(&self, petition: &Value) -> String {
        let ran = self.fed(&["ask", "--json"], &petition.to_string());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let told: Value = serde_json::from_str(&ran.out).expect("JSON");
        told["planId"].as_str().expect("an id").to_owned()
    }

    /// Three decisions of one agent.
    fn ask_three(&self) -> String {
        self.ask(&three())
    }

    fn fed(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.theatre.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
        // Whoever refuses at once reads nothing.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        Ran::from(child.wait_with_output().expect("it ends"))
    }

    fn done(&self, arguments: &[&str]) -> String {
        let ran = self.theatre.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}\n{}{}", ran.out, ran.err);
        ran.out
    }

    /// What the ledger says was done, a line each: `answered auth-strategy jwt human:telegram:93533553`.
    fn ledger(&self) -> Vec<String> {
        let lines = self.done(&["audit", "--json"]);
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let word = |value: &Value| value.as_str().map(|text| format!(" {text}")).unwrap_or_default();
        lines
            .map(|line| {
                let did = line["did"].as_str().unwrap_or_default();
                let choice = &line["choice"];
                let said = if choice.is_object() { word(&choice["answer"]) } else { word(choice) };
                format!("{did}{}{said}{}", word(&line["decision"]), word(&line["by"]))
            })
            .filter(|line| !line.starts_with("asked"))
            .collect()
    }

    /// Waits until the ledger has so many lines beside those of asking, and gives them back.
    fn ledger_of(&self, lines: usize) -> Vec<String> {
        until("the ledger has what was done", || self.ledger().len() >= lines);
        self.ledger()
    }

    fn verified(&self) {
        assert!(self.done(&["audit", "verify"]).starts_with("clean"));
    }

    /// What the door wrote to its log.
    fn log(&self) -> String {
        fs::read_to_string(self.theatre.path().join("serve.err")).unwrap_or_default()
    }
}

impl Drop for Phone {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for user in [ADA, SAM].into_iter().filter(|user| self.api.has_chat(*user)) {
                eprintln!("{}", self.api.chat(user));
            }
            let answers: Vec<_> = self.api.taps().into_iter().filter_map(|tap| tap.answer).collect();
            eprintln!("{answers:?}");
            eprintln!("the door said:\n{}", self.log());
        }
        if let Some(child) = &mut self.serving {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The newest message of the bot in a chat that has these words, as soon as there is one.
fn sees(api: &BotApi, chat: i64, words: &str) -> ChatMessage {
    let find = || {
        let messages = if api.has_chat(chat) { api.chat(chat).from_bot() } else { Vec::new() };
        messages.into_iter().rev().find(|message| message.text.contains(words))
    };
    until(&format!("a message with {words:?}"), || find().is_some());
    find().expect("it was there")
}

/// A person taps the button that is called so, or has these words in its text, as soon as a message has it.
fn tap(api: &BotApi, user: i64, button: &str) {
    let find = || {
        let messages = if api.has_chat(user) { api.chat(user).from_bot() } else { Vec::new() };
        messages.into_iter().rev().find_map(|message| {
            let texts = message.button_texts();
            let exact = texts.iter().find(|text| **text == button);
            // A letter stands in many words.
            let like = || texts.iter().find(|text| button.chars().count() > 2 && text.contains(button));
            exact.or_else(like).map(|text| (message.id, (*text).to_owned()))
        })
    };
    until(&format!("a button {button:?}"), || find().is_some());
    let (message, text) = find().expect("it was there");
    api.user(user).taps(message, &text);
}

fn three() -> Value {
    json!({
        "title": "API Design Decisions", "tag": "nft-marketplace", "agent": "ceo", "session": "agent:ceo:main",
        "context": "Context for the human reviewer.", "priority": "high", "notify": "agent:swe2:main",
        "decisions": [
            {"id": "auth-strategy", "title": "Auth Strategy", "context": "How should admins log in?",
             "options": [{"key": "jwt", "label": "JWT tokens"}, {"key": "session", "label": "Server sessions"},
                         {"key": "oauth", "label": "External OAuth provider"}]},
            {"id": "db", "title": "Database", "options": [{"key": "pg", "label": "Postgres"}, {"key": "node:22"}],
             "allow_custom": false},
            {"id": "name", "title": "The name", "options": [{"key": "x"}], "allow_custom": true}
        ]
    })
}

/// One urgent question with two answers.
fn urgent(title: &str) -> Value {
    json!({"title": title, "agent": "ceo", "priority": "urgent",
           "decisions": [{"id": "go", "title": "Go?", "options": [{"key": "yes"}, {"key": "no"}]}]})
}

/// Waits until it is so.
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
