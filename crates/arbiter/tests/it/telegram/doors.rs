//! One petition at three doors at once: on the phone, at the terminal and on the command line. The first answer stands at all of
//! them, with who gave it and where.

use std::time::{Duration, Instant};

use sim::{BridgeScript, Window};

use super::Phone;
use super::missions::told_so;
use crate::terminal::petitions::docket;

/// A petition that all three have open.
fn open_everywhere(phone: &Phone, window: &Window, question: &str) -> String {
    let ask = ["ask", question, "--id", "db", "-o", "pg=Postgres", "-o", "lite=SQLite", "--title", question];
    let id = phone.done(&ask).trim().to_owned();
    phone.ada().says(&format!("/start plan_{id}"));
    phone.sees("0/1");
    phone.tap("▶️ Continue");
    phone.sees("Postgres");
    window.sees(question);
    // Its row is chosen when what it asks stands below the rows, too.
    let is_chosen = || window.rows().iter().filter(|row| row.contains(question)).count() > 1;
    super::until("it is chosen", || {
        window.types("j");
        let typed = Instant::now();
        while !is_chosen() && typed.elapsed() < Duration::from_millis(500) {
            std::thread::sleep(Duration::from_millis(5));
        }
        is_chosen()
    });
    window.key("Enter");
    window.sees("Postgres");
    id
}

#[test]
fn an_answer_at_one_door_stands_at_all_three() {
    let phone = told_so(&BridgeScript::new().to_string(), "{enabled: false}");
    let mut window = docket(&phone.theatre);
    let knows = |what: &str, at_phone: &str, at_terminal: &str| {
        let began = Instant::now();
        phone.sees(at_phone);
        let phone_knows = began.elapsed();
        window.sees(at_terminal);
        println!(
            "an answer {what}: on the phone after {phone_knows:?}, at the terminal after {:?}",
            began.elapsed()
        );
    };
    let by_cli = open_everywhere(&phone, &window, "Which database?");
    phone.done(&["answer", &by_cli, "db", "lite"]);
    knows("on the command line", "at the command line", "answered by tester, at the command line");
    phone.done(&["submit", &by_cli]);
    window.key("Esc");

    let by_phone = open_everywhere(&phone, &window, "Which cache?");
    phone.tap("A");
    knows("on the phone", "1 answered", "in Telegram");
    let late = phone.theatre.run(&["answer", &by_phone, "db", "lite"]);
    assert_eq!(late.code, Some(1), "{}{}", late.out, late.err);
    assert!(late.err.contains("pg") && late.err.contains("--change"), "{}", late.err);
    phone.done(&["submit", &by_phone]);
    window.key("Esc");

    let by_terminal = open_everywhere(&phone, &window, "Which queue?");
    window.types("b");
    knows("at the terminal", "in the terminal", "Review (1 answered)");
    let status = phone.done(&["status", &by_terminal, "--json"]);
    assert!(status.contains("lite") && status.contains("human:terminal:"), "{status}");
    phone.verified();
    crate::terminal::leaves(&mut window);
}
