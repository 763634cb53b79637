//! How a Claude Code process is started: command line, environment, and the `initialize` message. What a session was
//! first started with is saved beside its logbook and used again at every resume, whatever a newer version of Arbiter
//! would choose: a conversation keeps its tools, prompts and schema.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mind::policy;
use mind::session::{Profile, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::incoming::{AFTER_BATCH, BEFORE_TOOL, BEFORE_WORKTREE, TYPED_OUTPUT};
use super::usage::window_of;
use super::{Routing, Settings, mcp};
use crate::limits::{HOOK_SECONDS_MAX, LAUNCH_BYTES_MAX, OWN_RETRIES_MAX, WALL_TOKENS};
use crate::schema;

/// Everything a process is started with, except the program and whether it resumes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaudeLaunch {
    /// The arguments of its command line.
    pub argv: Vec<String>,
    /// The variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// The content of the `initialize` message.
    pub initialize: Value,
    /// The size of the model's context window, by the model's name.
    pub window: u64,
}

impl ClaudeLaunch {
    /// Reads the launch that `path` holds, or makes a new one and saves it there before anything is started with it.
    pub fn load_or_save(path: &Path, new: impl FnOnce() -> ClaudeLaunch) -> Result<ClaudeLaunch, String> {
        match host::files::read(path, LAUNCH_BYTES_MAX) {
            Ok(bytes) => {
                if let Ok(kept) = serde_json::from_slice(&bytes) {
                    return Ok(kept);
                }
            }
            Err(error) if host::files::is_absence(&error) => {}
            // What is there and cannot be read now is not replaced by another.
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
        let cast = new();
        cast.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(cast)
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        host::files::make_folder(folder)?;
        host::files::replace(path, &serde_json::to_vec_pretty(self)?)
    }

    /// The launch of a new session.
    pub fn new(profile: &Profile, mission: &str, settings: Settings, routing: Routing) -> ClaudeLaunch {
        let window = window_of(profile.model.as_deref());
        let mut argv: Vec<String> = [
            "--print",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--replay-user-messages",
            "--strict-mcp-config",
            "--disable-slash-commands",
            "--permission-prompt-tool",
            "stdio",
            // Whatever its own default or the user's is: no model judges calls, and no subagent's report, in our place.
            "--permission-mode",
            "default",
        ]
        .map(str::to_owned)
        .into();
        let mut flag = |name: &str, value: &str| argv.extend([name.to_owned(), value.to_owned()]);
        let sources = match settings {
            Settings::Isolated => "",
            Settings::Project => "user,project,local",
        };
        flag("--setting-sources", sources);
        flag("--tools", &tools(profile).join(","));
        if let Some(model) = &profile.model {
            flag("--model", model);
        }
        let (wall, retries) = (WALL_TOKENS.to_string(), OWN_RETRIES_MAX.to_string());
        let env = [
            // A turn must not end before its work does.
            ("CLAUDE_AUTO_BACKGROUND_TASKS", "0"),
            ("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1"),
            ("CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE", wall.as_str()),
            ("CLAUDE_CODE_MAX_RETRIES", retries.as_str()),
            // One checklist for the whole mission: a successor finds what was left open, and can close it.
            (TASK_LIST, mission),
            ("CLAUDE_CODE_RETRY_WATCHDOG", "1"),
            ("DISABLE_AUTO_COMPACT", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ];
        let env = env.into_iter().chain(OWN_ADVICE_OFF);
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        ClaudeLaunch { argv, env, initialize: initialize(profile, routing), window }
    }
}

fn initialize(profile: &Profile, routing: Routing) -> Value {
    let hook = |id: &str| json!([{"hookCallbackIds": [id], "timeout": HOOK_SECONDS_MAX}]);
    let mut initialize = json!({
        "subtype": "initialize",
        "hooks": {
            "PreToolUse": hook(BEFORE_TOOL), "PostToolBatch": hook(AFTER_BATCH), "WorktreeCreate": hook(BEFORE_WORKTREE),
        },
        "appendSystemPrompt": &*profile.prompt,
    });
    // Both ways of routing have the docket's tools.
    initialize["sdkMcpServers"] = json!([mcp::SERVER]);
    match &profile.casting {
        Some(casting) if profile.role == Role::Agent => initialize["jsonSchema"] = (*casting.schema).clone(),
        Some(_) | None if routing == Routing::Typed || profile.role == Role::Agent => {
            initialize["jsonSchema"] = schema::of(profile.role);
        }
        Some(_) | None => {}
    }
    if let Some(scout) = profile.scout.as_ref().filter(|_| may_use(profile, "Task")) {
        let description = "Reads, searches and reports; changes nothing. One question each.";
        let tools = ["Read", "Glob", "Grep", "WebSearch", "WebFetch"].into_iter();
        let tools: Vec<&str> = tools.filter(|tool| may_use(profile, tool)).collect();
        initialize["agents"] =
            json!({"scout": {"description": description, "prompt": &**scout, "tools": tools}});
    }
    initialize
}

/// The built-in tools of a session; they bind its subagents too. An agent has the tools that its own limits allow, and
/// those that it names.
fn tools(profile: &Profile) -> Vec<&str> {
    let mut tools = vec!["Read", "Glob", "Grep", "WebSearch", "WebFetch", "Task"];
    match profile.role {
        Role::Arbiter => {}
        Role::Verifier => tools.extend(["Bash", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]),
        Role::Orchestrator | Role::Agent => tools.extend([
            "Bash",
            "Edit",
            "Write",
            "NotebookEdit",
            "TaskCreate",
            "TaskUpdate",
            "TaskGet",
            "TaskList",
        ]),
    }
    tools.retain(|tool| may_use(profile, tool));
    let named = profile.casting.iter().flat_map(|casting| casting.tools.allowed.iter().flatten());
    for name in named.map(AsRef::as_ref) {
        // Two names of the same tool, ours, and what is no name at all are none of them.
        let is_plain =
            !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        let is_known = tools.contains(&name) || name == "Agent" || name == TYPED_OUTPUT || mcp::is_ours(name);
        let may_add = match profile.role {
            Role::Orchestrator | Role::Agent => may_use(profile, name),
            Role::Arbiter | Role::Verifier => false,
        };
        if is_plain && !is_known && may_add {
            tools.push(name);
        }
    }
    tools
}

fn may_use(profile: &Profile, tool: &str) -> bool {
    profile.casting.as_ref().is_none_or(|casting| policy::may_use(&casting.tools, tool))
}

/// Switches off what the program itself would tell a model, and what contradicts our prompts.
pub const OWN_ADVICE_OFF: [(&str, &str); 3] = [
    // A memory of its own would lie outside the clone, where no other session finds it.
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
    // It would tell a worker in the middle of its work to report.
    ("CLAUDE_CODE_SILENT_TURN_REMINDER", "0"),
    // Its count of what is left has nothing to do with the window, and contradicts our warnings.
    ("CLAUDE_CODE_TOTAL_TOKENS_REMINDER", "off"),
];

/// Which checklist a session keeps.
pub const TASK_LIST: &str = "CLAUDE_CODE_TASK_LIST_ID";

/// The file of a session's launch: beside its logbook.
pub fn place(logbook: &Path) -> PathBuf {
    logbook.with_extension("start.json")
}

/// Where the program keeps what it knows, if it is started with `env` beside what it inherits.
pub fn home(env: &[(String, String)]) -> Option<PathBuf> {
    let named = |name: &str| {
        let own = env.iter().rfind(|(found, _)| found == name).map(|(_, value)| value.into());
        own.or_else(|| std::env::var_os(name)).filter(|value| !value.is_empty()).map(PathBuf::from)
    };
    named("CLAUDE_CONFIG_DIR").or_else(|| Some(named("HOME")?.join(".claude")))
}
