//! What `serve` tells besides Telegram, and when it keeps still: `notifications.also`, `notifications.quiet`, and the
//! address at which its health can be asked for.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use doors::telegram::settings::QuietHours;
use serde_json::{Value as Json, json};

use super::error::shown;
use super::kind::{Form, Kind, ShownValue};
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// Where the health of `serve` can be asked for if no file says so.
pub(super) const HEALTH_DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7879);
/// How many further channels there can be.
const CHANNELS_MAX: usize = 16;
const ALSO_EXAMPLE: &str =
    r#"write a list: [{command: ["notify-send", "Arbiter"]}, {webhook: "https://..."}]"#;
const QUIET_HINT: &str = "write from when to when: \"22:00-07:00\"";

/// A way besides Telegram on which people are told of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AlsoChannel {
    /// A program that gets JSON on stdin.
    Command(Arc<[String]>),
    /// An address that JSON is posted to.
    Webhook(WebhookUrl),
}

/// An address with a secret in its path, as most such services have one: only its host is ever shown.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookUrl(Arc<str>);

impl WebhookUrl {
    /// For the request, and nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WebhookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        write!(f, "{scheme}://{host}/...")
    }
}

impl fmt::Debug for WebhookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebhookUrl({self})")
    }
}

impl fmt::Display for AlsoChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlsoChannel::Command(argv) => write!(f, "{{command: {argv:?}}}"),
            AlsoChannel::Webhook(url) => write!(f, "{{webhook: {url}}}"),
        }
    }
}

pub(super) const QUIET: Form<QuietHours> = Form {
    read: |reader, key, node| reader.quiet_hours(key, node),
    show: |quiet| {
        let time = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        format!("{}-{}", time(quiet.from), time(quiet.until))
    },
    schema: || json!({ "type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]$" }),
};

pub(super) const HEALTH: Form<Option<SocketAddr>> = Form {
    read: |reader, key, node| reader.health_address(key, node),
    show: |address| address.map_or_else(|| "off".to_owned(), |address| address.to_string()),
    schema: || json!({ "type": "string", "pattern": "^(off|.+:[0-9]+)$" }),
};

/// The kind of `notifications.also`.
pub(super) struct Also;

impl Kind for Also {
    type Value = Vec<AlsoChannel>;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<Vec<AlsoChannel>> {
        let (channels, place) =
            reader.list(key, node, ("a list of channels", ALSO_EXAMPLE), Reader::channel)?;
        if channels.len() > CHANNELS_MAX {
            let problem = format!("it has {} channels, more than {CHANNELS_MAX}", channels.len());
            reader.bad(key, node, problem, None);
            return None;
        }
        Some((channels, place))
    }

    fn show(&self, channels: &Vec<AlsoChannel>) -> ShownValue {
        ShownValue { values: channels.iter().map(ToString::to_string).collect(), is_list: true }
    }

    fn schema(&self) -> Json {
        let channel = |name: &str, value: Json| {
            json!({
                "type": "object", "additionalProperties": false, "required": [name],
                "properties": { name: value },
            })
        };
        let argv = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
        let url = json!({ "type": "string", "pattern": "^https?://" });
        json!({ "type": "array", "items": { "anyOf": [channel("command", argv), channel("webhook", url)] } })
    }
}

impl Reader<'_> {
    fn channel(&mut self, key: &str, node: &Node) -> Option<AlsoChannel> {
        let entries = self.map(key, node, &["command", "webhook"], ALSO_EXAMPLE);
        let [(kind, node)] = entries.as_slice() else {
            if entries.len() > 1 || matches!(&node.value, Value::Map(map) if map.is_empty()) {
                self.bad(key, node, "it is one of `command` and `webhook`".into(), Some(ALSO_EXAMPLE.into()));
            }
            return None;
        };
        let key = format!("{key}.{kind}");
        match kind.as_str() {
            "command" => {
                let Value::List(items) = &node.value else {
                    self.bad_kind(&key, node, "a program and its arguments", ALSO_EXAMPLE);
                    return None;
                };
                let argv = self.words(&key, items, ALSO_EXAMPLE)?;
                if argv.first().is_none_or(|program| program.trim().is_empty()) {
                    let problem = "it names no program".to_owned();
                    self.bad(&key, node, problem, Some(ALSO_EXAMPLE.to_owned()));
                    return None;
                }
                Some(AlsoChannel::Command(argv.into()))
            }
            _ => {
                let written = self.word(node).unwrap_or_default().to_owned();
                let rest = written.strip_prefix("https://").or_else(|| written.strip_prefix("http://"));
                let is_address = rest.is_some_and(|rest| {
                    rest.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '[')
                        && rest.len() <= 2_000
                        && rest.bytes().all(|sign| sign.is_ascii_graphic())
                });
                if !is_address {
                    // It may hold a secret, and is not printed.
                    let hint = "write the whole address: https://ntfy.example/my-topic".to_owned();
                    self.bad(&key, node, "this is not an address".to_owned(), Some(hint));
                    return None;
                }
                Some(AlsoChannel::Webhook(WebhookUrl(Arc::from(written))))
            }
        }
    }

    fn quiet_hours(&mut self, key: &str, node: &Node) -> Found<QuietHours> {
        let written = self.word(node).unwrap_or_default().to_owned();
        let time = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour < 24 && minute < 60).then_some(hour * 60 + minute)
        };
        let quiet = written.split_once('-').and_then(|(from, until)| {
            let quiet = QuietHours { from: time(from)?, until: time(until)? };
            (quiet.from != quiet.until).then_some(quiet)
        });
        if quiet.is_none() {
            let problem = format!("{} is not a time of the day", shown(&written));
            self.bad(key, node, problem, Some(QUIET_HINT.to_owned()));
        }
        quiet.map(|quiet| (quiet, self.place(node)))
    }

    fn health_address(&mut self, key: &str, node: &Node) -> Found<Option<SocketAddr>> {
        let written = self.word(node).unwrap_or_default().to_owned();
        if written == "off" || written == "false" {
            return Some((None, self.place(node)));
        }
        let numeric = written.replacen("localhost:", "127.0.0.1:", 1);
        let hint = format!("write an address of this machine, or off: {HEALTH_DEFAULT}");
        match numeric.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Some((Some(address), self.place(node))),
            Ok(_) => {
                let problem = format!("{} can be reached from other machines", shown(&written));
                self.bad(key, node, problem, Some(hint));
                None
            }
            Err(_) => {
                self.bad(key, node, format!("{} is not an address", shown(&written)), Some(hint));
                None
            }
        }
    }
}
