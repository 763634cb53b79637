//! A running `arbiter serve`: one for each home, its word to the service manager, its health, its end.

use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;

use serde_json::Value;
use sim::bot_api::{BotApi, BotApiOptions};

use super::server::get;
use super::{PATIENCE, Serving, log, theatre, until};

#[test]
fn a_second_one_is_refused_by_name() {
    let theatre = theatre();
    let mut first = Serving::begin(&theatre, &[]);
    first.says("telegram info opens for 1 user(s)");
    let ran = theatre.run(&["serve"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let told = format!("process {}", first.pid());
    assert!(ran.err.contains("`arbiter serve` runs already for ") && ran.err.contains(&told), "{}", ran.err);
    assert!(ran.err.contains("hint: "), "{}", ran.err);
    let ran = theatre.run(&["doctor"]);
    assert!(
        ran.out.contains(&format!("no good poll yet; {told}")) || ran.out.contains("no good poll yet"),
        "{}",
        ran.out
    );
    assert_eq!(first.stop().0, Some(0));
    let mut third = Serving::begin(&theatre, &[]);
    third.says("opens for");
    assert_eq!(third.stop().0, Some(0));
}

/// Says it is ready, alive and stopping, at a socket by path and at an abstract one.
#[test]
fn the_service_manager_hears_of_its_life() {
    let theatre = theatre();
    let path = theatre.path().join("notify");
    let named = UnixDatagram::bind(&path).expect("a socket");
    let mut sockets = vec![(named, path.display().to_string())];
    #[cfg(target_os = "linux")]
    {
        use std::os::linux::net::SocketAddrExt as _;
        let name = format!("arbiter-test-{}", std::process::id());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).expect("a name");
        sockets.push((UnixDatagram::bind_addr(&address).expect("a socket"), format!("@{name}")));
    }
    for (socket, name) in sockets {
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let hear = || {
            let mut words = [0; 100];
            let count = socket.recv(&mut words).expect("a word");
            String::from_utf8_lossy(&words[..count]).into_owned()
        };
        let serving = Serving::begin(&theatre, &[("NOTIFY_SOCKET", &name), ("WATCHDOG_USEC", "200000")]);
        assert_eq!(hear(), "READY=1");
        assert_eq!(hear(), "WATCHDOG=1");
        assert_eq!(hear(), "WATCHDOG=1");
        let (code, said) = serving.stop();
        assert_eq!(code, Some(0), "{said}");
        let last = std::iter::repeat_with(hear).find(|word| word != "WATCHDOG=1");
        assert_eq!(last.as_deref(), Some("STOPPING=1"));
    }
}

#[test]
fn the_health_is_json_and_a_taken_port_closes_no_door() {
    let theatre = super::with_token(crate::theatre(), 0o600)
        .with_config("  allowedUsers: [7]\nserve: {health: \"127.0.0.1:0\"}\n");
    let options = BotApiOptions { token: super::TOKEN.to_owned(), ..BotApiOptions::default() };
    let api = BotApi::start_with(&options).expect("a port");
    let mut serving = Serving::begin(&theatre, &[("ARBITER_TELEGRAM_API_URL", &api.url())]);
    let line = serving.says("health: http://");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    until("all is well", || get(address, "/healthz").0 == "HTTP/1.1 200 OK");
    let (_, body) = get(address, "/healthz");
    let told: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(told["doors"]["telegram"]["state"], "open");
    assert_eq!(told["docket"]["trouble"], Value::Null);
    assert_eq!(told["pid"], serving.pid());
    assert_eq!(get(address, "/").0, "HTTP/1.1 404 Not Found");
    assert_eq!(serving.stop().0, Some(0));

    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let theatre = super::with_token(crate::theatre(), 0o600)
        .with_config(&format!("  allowedUsers: [7]\nserve: {{health: \"{address}\"}}\n"));
    let mut serving = Serving::begin(&theatre, &[]);
    serving.says(&format!("the health is not told at {address}"));
    let (code, said) = serving.stop();
    assert_eq!(code, Some(0), "{said}");
    assert!(log(&theatre).contains("serve warn the health is not told"), "{}", log(&theatre));
    assert!(log(&theatre).lines().last().is_some_and(|line| line.ends_with("serve info ends")));
}

/// An installation of the older program: its own file is enough.
#[test]
fn an_existing_installation_is_served_as_it_is() {
    let theatre = crate::theatre().with_config("serve: {health: off}\n");
    let written = format!(
        r#"{{"telegram": {{"token": "{}", "allowedUsers": [7, "8"]}}, "queue": {{"dir": "~/q", "watchInterval": 1000}},
            "notifications": {{"enabled": true}}}}"#,
        super::TOKEN
    );
    std::fs::create_dir_all(theatre.home()).expect("a folder");
    std::fs::write(theatre.home().join("config.json"), written).expect("a file");
    let mut serving = Serving::begin(&theatre, &[]);
    let folder = theatre.path().join("home").join("q").display().to_string();
    assert!(serving.says("docket ").ends_with(&folder));
    serving.says("opens for 2 user(s)");
    let (code, said) = serving.stop();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(super::CANARY), "{said}");
}

#[test]
fn the_unit_starts_this_program_and_has_no_secret() {
    let theatre = theatre();
    let ran = theatre.run_with(&["serve", "unit"], &[("ARBITER_TELEGRAM_TOKEN", super::TOKEN)]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in [
        "Type=notify",
        "Restart=on-failure",
        "RestartPreventExitStatus=2 5",
        "WatchdogSec=120",
        "WantedBy=default.target",
    ] {
        assert!(ran.out.lines().any(|told| told == line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.contains(&format!("ExecStart={} serve\n", crate::BINARY)), "{}", ran.out);
    assert!(!ran.out.contains(super::CANARY), "{}", ran.out);
}
