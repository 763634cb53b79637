//! Every key of the configuration, one row each: what it means, its type and its default, its name, its kind, who may set it,
//! and an example where the default is none. The file of one owner ([`Layer`]), what counts ([`Config`]), `arbiter config`,
//! what needs trust, `arbiter config keys` and the schema for editors all come from the rows; so does the document.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use doors::telegram::settings::{AllowedPerson, QuietHours};
use mind::charter::{Patience, WarningPolicy, Warnings};
use mind::conductor::limits::DECISION_TOKENS_DEFAULT;
use mind::conductor::{Limits, NoteKeeping};
use mind::policy::PolicyMode;
use providers::Provider;
use providers::claude::{Routing, Settings};
use workspace::Check;

use super::error::ConfigPlace;
use super::kind::{
    ADDRESS, AGENT, ALLOWED, BOT_API, CHECKS, FILE, FOLDER, Fraction, HIDDEN, Kind as _, MODEL, PERCENT,
    PROGRAM, PROVIDER, REST, ROUTES, SPAN, TRUTH, VARIABLES, WRITABLE, Whole,
};
use super::loosening::{Loosening, brings_an_agent, is_open, is_wider, set_apart, speaks_of_an_api};
use super::node::Node;
use super::notifications::{Also, AlsoChannel, HEALTH, HEALTH_DEFAULT, QUIET};
use super::people::People;
use super::reader::{Found, Reader};
use super::row::Who::{Anyone, Own, OwnWord, Trusted};
use super::row::{Row, Section};
use super::words::{
    API_KINDS, ApiKind, BY_API, CEREMONIES, CeremonyWanted, HEADLESS, Headless, JUDGES, Judge, KEEPINGS,
    LEVELS, MODES, MOTIONS, MotionWanted, ROUTINGS, SCENES, SETTINGS, SOUNDS, SandboxWanted, SoundWanted,
    WARNING_POLICIES,
};
use super::{Setting, SettingOrigin, add_up, pick, some};
use crate::project::trust::Standing;

/// The provider if no file names one.
const PROVIDER_DEFAULT: &str = Provider::Claude.name();
/// The agent that works first if no file says so.
pub const AGENT_DEFAULT: &str = "planner";
/// How long one check may run if no file says so.
pub const CHECK_LIMIT_DEFAULT: Duration = Duration::from_secs(20 * 60);
/// How long a mission may have rested and be resumed without asking, if no file says so.
pub const RESUME_LIMIT_DEFAULT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a person may be silent before a question becomes a petition, if no file says so.
pub const AWAY_AFTER_DEFAULT: Duration = Duration::from_secs(10 * 60);
/// The most tokens of one model call: more than any reply needs.
const DECISION_TOKENS_MAX: u64 = 100_000;
/// The largest budget of a mission in dollars.
const USD_MAX: u64 = 1_000_000;

/// A price of a model: dollars per million tokens, stored in millionths.
const PRICE: Fraction = Fraction { most: 100_000, parts: 1_000_000, zero: None };

/// A row says how two files are joined. `over`: the project's value over the user's over the default. `maybe`: the same
/// without a default; the text is shown instead of one. `sum`: the user's list and the project's together.
macro_rules! settings {
    (@kept maybe $type:ty) => { Setting<Option<$type>> };
    (@kept $how:ident $type:ty) => { Setting<$type> };
    (@join over, $own:expr, $user:expr, $default:expr) => { pick($own, $user, $default) };
    (@join maybe, $own:expr, $user:expr, $default:expr) => { pick(some($own), some($user), None) };
    (@join sum, $own:expr, $user:expr, $default:expr) => { add_up($own, $user) };
    (@show maybe, $kind:expr, $value:expr, $default:expr) => {
        $value.as_ref().map_or_else(|| $default.to_owned(), |value| $kind.show(value).line())
    };
    (@show $how:ident, $kind:expr, $value:expr, $default:expr) => { $kind.show(&$value).line() };
    (@default maybe, $kind:expr, $default:expr) => { None };
    (@default $how:ident, $kind:expr, $default:expr) => { Some($kind.show(&$default).line()) };
    (@example) => { None };
    (@example $example:literal) => { Some($example) };

    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $how:ident $type:ty = $default:expr;
        key $key:literal, kind $kind:expr, who $who:expr $(, example $example:literal)?;
    )+) => {
        /// What one file sets.
        #[derive(Debug, Default)]
        pub(super) struct Layer {
            $(pub(super) $field: Found<$type>,)+
        }

        /// Everything that can be configured.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Config {
            $(
                #[doc = concat!("`", $key, "`:", $($doc),+)]
                pub $field: settings!(@kept $how $type),
            )+
            /// `agents.default` as the project says it, where that does not count.
            pub waiting_agent: Option<(String, ConfigPlace)>,
            /// Remarks about other files that were skipped.
            pub notes: Vec<String>,
            /// The project's own prompts, as far as they count.
            pub prompts: BTreeMap<String, Arc<str>>,
            /// The project's settings that need trust, whether or not they count.
            pub loosenings: Vec<Loosening>,
            /// Whether they count.
            pub standing: Standing,
        }

        /// The names of all keys.
        pub(super) const KEYS: &[&str] = &[$($key),+];

        impl Layer {
            /// Reads the value of `key`, which the file calls `written`.
            pub(super) fn read(&mut self, reader: &mut Reader<'_>, key: &str, written: &str, node: &Node) {
                match key {
                    $($key => self.$field = reader.value(&$kind, &$who, written, node),)+
                    _ => {}
                }
            }

            /// The project's settings that need trust; they are removed unless they `counts`.
            pub(super) fn loosenings(&mut self, user: &Layer, counts: bool) -> Vec<Loosening> {
                // All are judged before one is removed: an API's keys depend on which file chose the API.
                $(let $field = $who.loosens(self, user);)+
                let mut found = Vec::new();
                $(if $field {
                    found.extend(set_apart($key, &$kind, &mut self.$field, counts));
                })+
                found
            }
        }

        impl Config {
            /// Joins two files, from which settings that do not count were removed.
            pub(super) fn join(own: Layer, user: Layer, standing: Standing) -> Config {
                Config {
                    $($field: settings!(@join $how, own.$field, user.$field, $default),)+
                    waiting_agent: None,
                    notes: Vec::new(),
                    prompts: BTreeMap::new(),
                    loosenings: Vec::new(),
                    standing,
                }
            }

            /// Each key, its value and where it comes from.
            pub(super) fn values(&self) -> Vec<(&'static str, String, &SettingOrigin)> {
                vec![$((
                    $key,
                    settings!(@show $how, $kind, self.$field.value, $default),
                    &self.$field.origin,
                )),+]
            }
        }

        /// The rows as documents need them.
        pub(super) fn rows() -> Vec<Row> {
            vec![$(Row {
                key: $key,
                doc: concat!($($doc),+).trim(),
                default: settings!(@default $how, $kind, $default),
                example: settings!(@example $($example)?),
                who: $who,
                schema: $kind.schema(),
            }),+]
        }
    };
}

settings! {
    /// what runs the sessions: claude (Claude Code), rehearsal (a script; docs/rehearsal.md)
    provider: over String = PROVIDER_DEFAULT.to_owned();
    key "provider.default", kind PROVIDER, who Anyone;

    /// Claude Code; without it, the first `claude` on PATH
    claude_program: maybe PathBuf = "claude on PATH";
    key "claude.program", kind PROGRAM, who Own("which program runs"), example "/opt/bin/claude";

    /// isolated: Arbiter's settings alone; project: yours and the project's too
    claude_settings: over Settings = Settings::default();
    key "claude.settings", kind SETTINGS, who Own("whose hooks and tools run");

    /// typed: a turn ends in a typed output; tools: in a call of a tool that Arbiter hosts
    claude_routing: over Routing = Routing::default();
    key "claude.routing", kind ROUTINGS, who Anyone;

    /// without it, the default of Claude Code
    claude_model: maybe String = "its own default";
    key "claude.model", kind MODEL, who Anyone, example "opus";

    /// open: agents run every command without asking you
    policy_mode: over PolicyMode = PolicyMode::default();
    key "policy.mode", kind MODES, who Trusted("open", |own, _| is_open(own));

    /// commands that run without asking you, each by its first words, or by one word
    policy_allow: sum Vec<Vec<String>> = Vec::new();
    key "policy.allow", kind ALLOWED, who Trusted("", |_, _| true),
    example "- [\"npm\", \"run\", \"build\"]\n- make";

    /// the best this system has; off: none
    sandbox_level: over SandboxWanted = SandboxWanted::default();
    key "sandbox.level", kind LEVELS, who OwnWord("off", "that agents run without a sandbox");

    /// further folders where agents may write: absolute paths, or from your home (~/)
    sandbox_write: sum Vec<PathBuf> = Vec::new();
    key "sandbox.write", kind WRITABLE, who Trusted("", |_, _| true), example "[~/.cache/models]";

    /// further files and folders that agents may not see
    sandbox_hide: sum Vec<PathBuf> = Vec::new();
    key "sandbox.hide", kind HIDDEN, who Anyone, example "[~/letters, /data/own]";

    /// variables of yours that agents and checks may see: names only
    sandbox_environment: sum Vec<String> = Vec::new();
    key "sandbox.environment", kind VARIABLES, who Trusted("", |_, _| true), example "[GOPATH, CI]";

    /// the completion gate: each check is a program and its arguments, never a shell line
    checks: over Vec<Check> = Vec::new();
    key "checks", kind CHECKS, who Trusted("", |_, _| true),
    example "- [\"cargo\", \"test\"]\n- [\"cargo\", \"fmt\", \"--check\"]";

    /// how long one check may run: 90s, 20m, 2h
    check_limit: over Duration = CHECK_LIMIT_DEFAULT;
    key "check_limit", kind SPAN, who Anyone;

    /// how long a mission may have rested before `arbiter resume` asks whether to continue it
    resume_limit: over Duration = RESUME_LIMIT_DEFAULT;
    key "resume_limit", kind REST, who Own("what is resumed without asking you");

    /// the Orchestrator should begin to conclude
    first_warning: over u8 = Warnings::default().first;
    key "warnings.first", kind PERCENT, who Anyone;

    /// the Orchestrator should stop and report
    last_warning: over u8 = Warnings::default().last;
    key "warnings.last", kind PERCENT, who Anyone;

    /// warn in mid-work; silent: ask for the handoff at a clean boundary; off: only at 92%
    warning_policy: over WarningPolicy = Warnings::default().policy;
    key "warnings.policy", kind WARNING_POLICIES, who Anyone;

    /// a session without any sign for so long is nudged, then interrupted, then killed and resumed
    silence: over Duration = Duration::from_millis(Patience::default().silence_ms);
    key "silence", kind SPAN, who Anyone;

    /// the same while a tool runs
    tool_silence: over Duration = Duration::from_millis(Patience::default().tool_ms);
    key "tool_silence", kind SPAN, who Anyone;

    /// the folder of the petitions: an absolute path, or from your home (~/)
    docket_dir: over PathBuf = PathBuf::from("~/.arbiter/queue");
    key "docket.dir", kind FOLDER, who Own("where your inbox is");

    /// a question that is not answered at the terminal for so long becomes a petition
    away_after: over Duration = AWAY_AFTER_DEFAULT;
    key "docket.away_after", kind SPAN, who Anyone;

    /// what a mission does when no person is at the terminal; refuse: tools that need a yes are refused, and only what it cannot go on without is asked
    headless: over Headless = Headless::default();
    key "docket.headless", kind HEADLESS, who Own("that you are not asked");

    /// api, claude, rehearsal, none (a fixed order chooses); without it, the mission's own provider
    judge: maybe Judge = "the mission's own";
    key "arbiter.provider", kind JUDGES, who Trusted("api", speaks_of_an_api), example "api";

    /// for api and claude; an API needs one
    judge_model: maybe String = "its own default";
    key "arbiter.model", kind MODEL, who Trusted("an API decides", speaks_of_an_api), example "claude-haiku-4-5";

    /// the most tokens of one reply; api only
    judge_max_tokens: over u64 = u64::from(DECISION_TOKENS_DEFAULT);
    key "arbiter.maxTokens", kind Whole(1..=DECISION_TOKENS_MAX), who Trusted("an API decides", speaks_of_an_api);

    /// api only
    judge_temperature_milli: maybe u64 = "its own default";
    key "arbiter.temperature", kind Fraction { most: 2, parts: 1_000, zero: None },
    who Trusted("an API decides", speaks_of_an_api), example "0.3";

    /// true: equal inputs are asked once
    judge_cache: over bool = false;
    key "arbiter.cache", kind TRUTH, who Trusted("an API decides", speaks_of_an_api);

    /// without it, the vendor's own
    judge_base_url: maybe String = "the vendor's own";
    key "arbiter.baseUrl", kind ADDRESS, who Own("where your keys and prompts go"),
    example "http://localhost:11434/v1";

    /// the API's protocol; openai: many local servers too
    judge_kind: over ApiKind = ApiKind::default();
    key "arbiter.kind", kind API_KINDS, who Trusted("an API decides", speaks_of_an_api);

    /// dollars per million tokens read; api only. Without it, the list's (docs/api.md)
    price_input: maybe u64 = "the list's";
    key "arbiter.price.input", kind PRICE, who Own("what your limits count"), example "3";

    /// dollars per million tokens written
    price_output: maybe u64 = "the list's";
    key "arbiter.price.output", kind PRICE, who Own("what your limits count"), example "15";

    /// dollars per million tokens written to the vendor's cache; without it, as `input`
    price_cache_write: maybe u64 = "the list's";
    key "arbiter.price.cacheWrite", kind PRICE, who Own("what your limits count"), example "3.75";

    /// dollars per million tokens read from the vendor's cache; without it, as `input`
    price_cache_read: maybe u64 = "the list's";
    key "arbiter.price.cacheRead", kind PRICE, who Own("what your limits count"), example "0.3";

    /// the agent that works first, and when no other fits (docs/agents.md)
    default_agent: over String = AGENT_DEFAULT.to_owned();
    key "agents.default", kind AGENT, who Trusted("none of ours", |own, _| brings_an_agent(own));

    /// runs of agents; in a council, Orchestrators
    max_iterations: over u64 = u64::from(Limits::default().max_iterations);
    key "limits.maxIterations", kind Whole(1..=100_000),
    who Trusted("above yours", |own, user| {
        is_wider(&own.max_iterations, &user.max_iterations, Some(Limits::default().max_iterations.into()))
    });

    /// failures in a row; in a council, Orchestrators that change nothing
    max_failures: over u64 = u64::from(Limits::default().max_failures);
    key "limits.maxFailures", kind Whole(1..=1_000),
    who Trusted("above yours", |own, user| {
        is_wider(&own.max_failures, &user.max_failures, Some(Limits::default().max_failures.into()))
    });

    /// how long a mission may take; without it, any time
    deadline: maybe Duration = "none";
    key "limits.deadline", kind SPAN,
    who Trusted("above yours", |own, user| is_wider(&own.deadline, &user.deadline, None)), example "8h";

    /// without it, none
    budget_microusd: maybe u64 = "none";
    key "limits.budgetUsd",
    kind Fraction {
        most: USD_MAX,
        parts: 1_000_000,
        zero: Some(("a mission cannot run without money", "without a budget leave it out")),
    },
    who Trusted("above yours", |own, user| is_wider(&own.budget_microusd, &user.budget_microusd, None)),
    example "20";

    /// without it, none
    budget_tokens: maybe u64 = "none";
    key "limits.budgetTokens", kind Whole(1..=u64::MAX),
    who Trusted("above yours", |own, user| is_wider(&own.budget_tokens, &user.budget_tokens, None)),
    example "5000000";

    /// api: a council's Arbiter is the model of `arbiter` below (docs/api.md)
    by_api: over bool = false;
    key "provider.arbiter", kind BY_API, who Own("where your keys and prompts go");

    /// the providers that a conducted mission tries, in this order
    routes: over Vec<String> = Vec::new();
    key "provider.routes", kind ROUTES, who Anyone, example "[claude]";

    /// end: notes are written before the mission's end; each: after every run; off: never
    keeping: over NoteKeeping = NoteKeeping::default();
    key "memory.keeper", kind KEEPINGS, who Anyone;

    /// when `arbiter` alone begins with the ceremony: always, once, never (docs/terminal.md)
    ceremony: over CeremonyWanted = CeremonyWanted::default();
    key "ceremony", kind CEREMONIES, who Own("what you see and hear");

    /// off: no tiles beside the conversation
    scene: over bool = true;
    key "scene", kind SCENES, who Own("what you see and hear");

    /// reduced: nothing moves by itself; ARBITER_MOTION=reduced says the same
    motion: over MotionWanted = MotionWanted::default();
    key "motion", kind MOTIONS, who Own("what you see and hear");

    /// on; off: until `m` turns it on; auto: not in CI and not over SSH
    sound: over SoundWanted = SoundWanted::default();
    key "sound", kind SOUNDS, who Own("what you see and hear");

    /// a file with the bot's token and nothing else, mode 600 (docs/telegram.md); ARBITER_TELEGRAM_TOKEN goes before it
    telegram_token_file: maybe PathBuf = "none";
    key "telegram.token_file", kind FILE, who Own("which bot speaks for you"),
    example "~/.config/arbiter/telegram.token";

    /// who is let in: numbers of users; watch: looks, answer: decides too, steer: speaks to missions too
    telegram_people: over Vec<AllowedPerson> = Vec::new();
    key "telegram.allowedUsers", kind People, who Own("who decides for you"),
    example "[93533553, {id: 111, name: sam, role: watch}]";

    /// a Bot API of your own; ARBITER_TELEGRAM_API_URL goes before it
    telegram_api_url: over String = TELEGRAM_API.to_owned();
    key "telegram.api_url", kind BOT_API, who Own("where your bot's token goes");

    /// false: nothing is announced, what you ask for is shown all the same
    announces: over bool = true;
    key "notifications.enabled", kind TRUTH, who Own("whether you are told");

    /// from when to when only what is urgent is announced
    quiet: maybe QuietHours = "none";
    key "notifications.quiet", kind QUIET, who Own("when you are told"), example "\"22:00-07:00\"";

    /// how long petitions that are not urgent are gathered into one announcement
    gather: over Duration = Duration::from_secs(60);
    key "notifications.gather", kind SPAN, who Own("when you are told");

    /// what is told too, with JSON: programs on their stdin, addresses by POST (docs/telegram.md)
    also: over Vec<AlsoChannel> = Vec::new();
    key "notifications.also", kind Also, who Own("which programs run and where your petitions go"),
    example "[{command: [\"notify-send\", \"Arbiter\"]}]";

    /// the address on this machine at which the health of `arbiter serve` can be asked for; off: none
    health: over Option<SocketAddr> = Some(HEALTH_DEFAULT);
    key "serve.health", kind HEALTH, who Own("which ports are opened");
}

/// The Bot API of the vendor.
pub const TELEGRAM_API: &str = "https://api.telegram.org";

/// The maps around the keys; the first is the whole file.
#[rustfmt::skip]
pub(super) const SECTIONS: &[Section] = &[
    Section { name: "", doc: "", example: "check_limit: 20m", first: &[] },
    Section { name: "provider", doc: "", example: "provider: { default: claude }", first: &["default", "claude", "routes"] },
    Section { name: "provider.claude", doc: "", example: "provider: { claude: { model: sonnet } }", first: &[] },
    Section { name: "claude", doc: "", example: "claude: { model: opus }", first: &[] },
    Section { name: "policy", doc: "", example: "policy: { mode: guarded }", first: &[] },
    Section { name: "sandbox", doc: "around every process of an agent and every check (docs/trust.md)", example: "sandbox: { level: auto }", first: &[] },
    Section { name: "warnings", doc: "percent of the real context window at which an Orchestrator is warned", example: "warnings: { first: 70, last: 85 }", first: &[] },
    Section { name: "docket", doc: "", example: "docket: { away_after: 10m }", first: &[] },
    Section { name: "arbiter", doc: "what chooses the next move of a conducted mission where rules do not", example: "arbiter: { provider: api, model: claude-haiku-4-5 }", first: &[] },
    Section { name: "arbiter.price", doc: "what the API's model costs, where the list of this version has no price or an old one", example: "arbiter: { price: { input: 3, output: 15 } }", first: &[] },
    Section { name: "agents", doc: "", example: "agents: { default: planner }", first: &[] },
    Section { name: "limits", doc: "a mission that reaches one ends as exhausted, never as a success", example: "limits: { maxIterations: 50 }", first: &[] },
    Section { name: "telegram", doc: "a bot through which you decide from anywhere (docs/telegram.md)", example: "telegram: { allowedUsers: [93533553] }", first: &[] },
    Section { name: "notifications", doc: "", example: "notifications: { quiet: \"22:00-07:00\" }", first: &[] },
    Section { name: "serve", doc: "", example: "serve: { health: 127.0.0.1:7879 }", first: &[] },
    Section { name: "memory", doc: "", example: "memory: { keeper: end }", first: &[] },
];
