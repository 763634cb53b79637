//! Incoming lines of Claude Code: what each means for the conversation, and the actions that follow.

use std::sync::Arc;

use mind::event::TurnEnd;
use mind::limits::{TOOL_DETAIL_CHARS_MAX, cut};
use mind::policy::Ruling;
use mind::{AgentEvent, Timestamp};
use serde_json::{Value, json};

use super::conversation::{Conversation, Phase, Ruled};
use super::mcp::McpOutcome;
use super::wire::{
    Assistant, Block, ControlQuestion, ControlRequest, ControlResponse, HookInput, Response, Said, Stream,
    StreamEvent, System, ToolResult, TurnResult, User,
};
use super::{error_map, mcp, tasks, wire};
use crate::judge::ToolProposal;
use crate::limits::{LAST_WORD_CHARS_MAX, PLEAS_MAX, RULINGS_MAX};
use crate::protocol::{DriverAction, Live};

/// The tool by which a turn gives its typed output.
pub(super) const TYPED_OUTPUT: &str = "StructuredOutput";
/// The hook before every tool.
pub(super) const BEFORE_TOOL: &str = "before-tool";
/// The hook before a subagent gets a worktree.
pub(super) const BEFORE_WORKTREE: &str = "before-worktree";
/// What a model is told then. The file of an agent can ask for one where no call does.
const NO_WORKTREE: &str = "a subagent may not have a worktree of its own here (`isolation` in the agent's file): its work would \
                           not be on the mission's branch. Call an agent whose file has no `isolation`.";
/// The hook after every batch of tools.
pub(super) const AFTER_BATCH: &str = "after-batch";

/// Kinds of system messages that mean nothing to a turn.
const QUIET: [&str; 17] = [
    "compact_boundary",
    "hook_response",
    "hook_started",
    "informational",
    "model_fallback",
    "model_refusal_no_fallback",
    "notification",
    "permission_denied",
    "session_state_changed",
    "status",
    "task_notification",
    "task_progress",
    "task_started",
    "task_updated",
    "thinking_tokens",
    "files_persisted",
    "local_command_output",
];

impl Conversation {
    /// Handles a line of the process.
    pub fn hear(&mut self, line: &str, now: Timestamp) -> Vec<DriverAction> {
        match serde_json::from_str::<Said>(line) {
            Ok(said) => {
                let mut deeds = self.understand(said, now);
                deeds.extend(self.ask_for_window());
                deeds.extend(self.ask_for_usage());
                deeds
            }
            Err(error) => {
                let mut deeds = vec![unknown(&format!("{error}: {line}"))];
                if let Some(request) = asked_in(line) {
                    // A request without an answer would block the process for a minute, or for ever.
                    deeds.push(DriverAction::Write(wire::refuse(&request, "that is not understood here")));
                }
                if is_result(line) {
                    // Whatever the line says, the turn is over: waiting longer would bring nothing.
                    let result = Some("its result is in a form that is not understood".to_owned());
                    let result = TurnResult { is_error: true, result, ..TurnResult::default() };
                    deeds.extend(self.result(result));
                }
                deeds
            }
        }
    }

    fn understand(&mut self, said: Said, now: Timestamp) -> Vec<DriverAction> {
        match said {
            Said::System(system) => self.system(&system, now),
            Said::Assistant(assistant) => self.assistant(assistant),
            Said::User(user) => self.user(&user, now),
            Said::Result(result) => self.result(*result),
            Said::StreamEvent(StreamEvent { event, parent_tool_use_id: None }) => match event {
                Stream::MessageDelta { usage: Some(usage), .. } => {
                    self.meter.answer_came(None);
                    emit(self.meter.answered(usage))
                }
                Stream::MessageStart { message } => {
                    self.meter.streams(message.usage);
                    self.words.begin();
                    Vec::new()
                }
                Stream::ContentBlockStart { content_block } => {
                    self.words.open(&content_block);
                    Vec::new()
                }
                Stream::ContentBlockDelta { delta } => self.words.hear(delta),
                Stream::ContentBlockStop {} => {
                    self.words.close();
                    Vec::new()
                }
                Stream::MessageDelta { usage: None, .. } | Stream::Other => Vec::new(),
            },
            Said::ControlRequest(request) => self.asked(request, now),
            Said::ControlResponse(response) => self.answered(&response),
            Said::ControlCancelRequest { request_id } => {
                self.pleading.remove(&request_id);
                let asked = self.asking.remove(&request_id);
                emit(asked.map(|_| AgentEvent::Unasks { call: Arc::from(request_id) }))
            }
            Said::StreamEvent(_) | Said::KeepAlive {} | Said::CommandLifecycle {} => Vec::new(),
        }
    }

    fn system(&mut self, system: &System, now: Timestamp) -> Vec<DriverAction> {
        match system.subtype.as_str() {
            "init" => {
                if let Some(model) = &system.model {
                    self.meter.begin(model);
                }
                let mut deeds = emit(self.program_named(system.claude_code_version.as_deref()));
                deeds.extend(self.turn_begins());
                deeds
            }
            "api_retry" => {
                let failure = error_map::of_retry(system, now).filter(|_| self.turn.is_some());
                let Some(failure) = failure.filter(|_| self.trouble.is_none()) else { return Vec::new() };
                self.trouble = Some(failure);
                vec![self.stop_request()]
            }
            quiet if QUIET.contains(&quiet) => Vec::new(),
            other => vec![unknown(&format!("system/{other}"))],
        }
    }

    /// Every turn's start names the version; it is told once for each process.
    fn program_named(&mut self, version: Option<&str>) -> Option<AgentEvent> {
        let version = version.filter(|_| !self.version_told)?;
        self.version_told = true;
        Some(AgentEvent::ProgramVersion(Arc::from(version)))
    }

    fn turn_begins(&mut self) -> Vec<DriverAction> {
        let Some(running) = &mut self.turn else { return Vec::new() };
        let mut deeds = Vec::new();
        match running.phase {
            Phase::Said => running.phase = Phase::Begun(false),
            Phase::Acknowledged(_) => {
                running.phase = Phase::Begun(true);
                deeds.push(DriverAction::Tell(AgentEvent::Heard(running.turn)));
            }
            Phase::Begun(_) => return Vec::new(),
        }
        if self.stopping {
            // Newer versions forget an interrupt that comes before the turn it is meant for.
            deeds.push(self.stop_request());
        }
        deeds.extend(self.say_what_waits());
        deeds
    }

    fn assistant(&mut self, assistant: Assistant) -> Vec<DriverAction> {
        if assistant.parent_tool_use_id.is_some() {
            self.meter.answer_came(assistant.message.id.as_deref());
            for block in &assistant.message.content {
                if let Block::ToolUse { id, name, input } = block {
                    self.tasks.called(id, name, input);
                }
            }
            return Vec::new();
        }
        if let Some(error) = assistant.error {
            self.error = Some(error);
            return Vec::new();
        }
        let mut deeds = Vec::new();
        for block in assistant.message.content {
            let Block::ToolUse { id, name, input } = block else { continue };
            if name == TYPED_OUTPUT || mcp::is_ours(&name) || tasks::watches(&name) {
                self.tasks.called(&id, &name, &input);
                continue;
            }
            self.tools.push_back(id.clone());
            let detail = Arc::from(cut(&detail(&input), TOOL_DETAIL_CHARS_MAX));
            let (call, name) = (Arc::from(id), Arc::from(name));
            deeds.push(DriverAction::Tell(AgentEvent::ToolStarted { call, name, detail }));
        }
        let gauge = assistant.message.usage.and_then(|usage| self.meter.block(usage));
        deeds.extend(emit(gauge));
        deeds
    }

    fn user(&mut self, user: &User, now: Timestamp) -> Vec<DriverAction> {
        if user.is_replay {
            return user.uuid.as_deref().map_or_else(Vec::new, |uuid| self.acknowledged(uuid, now));
        }
        let mut deeds = Vec::new();
        for ToolResult { call, failed, content } in user.message.tool_results() {
            if let Some(at) = self.tools.iter().position(|tool| *tool == call) {
                self.tools.remove(at);
                deeds.push(DriverAction::Tell(AgentEvent::ToolEnded { call: Arc::from(call), ok: !failed }));
            } else if self.tasks.came_back(call, failed, content, user.tool_use_result.as_ref()) {
                deeds.push(DriverAction::Tell(AgentEvent::Tasks(self.tasks.list())));
            }
        }
        deeds
    }

    /// A message of ours reached the process.
    fn acknowledged(&mut self, uuid: &str, now: Timestamp) -> Vec<DriverAction> {
        if let Some(running) = &mut self.turn
            && running.said.iter().any(|said| said == uuid)
        {
            return match running.phase {
                Phase::Said => {
                    running.phase = Phase::Acknowledged(now);
                    Vec::new()
                }
                Phase::Begun(false) => {
                    running.phase = Phase::Begun(true);
                    vec![DriverAction::Tell(AgentEvent::Heard(running.turn))]
                }
                Phase::Acknowledged(_) | Phase::Begun(true) => Vec::new(),
            };
        }
        if let Some(at) = self.steered.iter().position(|steer| steer.key == uuid) {
            let heard = self.steered.remove(at).map(|steer| steer.turn);
            return emit(heard.map(AgentEvent::Heard));
        }
        Vec::new()
    }

    fn result(&mut self, result: TurnResult) -> Vec<DriverAction> {
        if result.errors.iter().any(|error| error.contains("No conversation found")) {
            return vec![self.conversation_is_gone()];
        }
        self.meter.count(result.total_cost_usd);
        self.meter.took(&result.model_usage);
        let mut deeds = emit(self.meter.named(&result.model_usage));
        // Reported whichever turn this ends, and however: another process would not know of these tokens.
        let report = result.uuid.clone().unwrap_or_else(|| self.fresh("usage"));
        deeds.extend(emit(self.meter.spent(&report)));
        if result.origin.is_some() {
            // The mission loop does not know of this turn, so it would not ask for its live text to be cleared.
            deeds.push(DriverAction::Live(Live::Clear));
            deeds.push(DriverAction::Note("a turn that the mission did not begin is over".to_owned()));
            return deeds;
        }
        let Some(running) = &self.turn else {
            deeds.push(DriverAction::Live(Live::Clear));
            deeds.push(DriverAction::Note("a result that belongs to no turn of ours".to_owned()));
            return deeds;
        };
        let turn = running.turn;
        let aborted = result.terminal_reason.as_deref().is_some_and(|why| why.starts_with("aborted"));
        let text = result.result.clone().unwrap_or_default();
        let gave_up = result.subtype == "error_max_structured_output_retries";
        let end = if !result.is_error || gave_up {
            let output = self.output(result.structured_output.clone(), &text);
            Ok(TurnEnd::Spoke { output, text: Arc::from(text) })
        } else if aborted && self.stopping {
            Ok(TurnEnd::Interrupted)
        } else if let Some(failure) = self.trouble.take() {
            Err(failure)
        } else {
            Err(error_map::of_result(&result, self.error.as_deref()))
        };
        match end {
            Ok(end) => {
                deeds.push(DriverAction::Tell(AgentEvent::Rested { turn, end, tree: None }));
                self.called = None;
            }
            Err(failure) if !self.steered.is_empty() => {
                // The program goes on by itself with the interjection, and the failed message stands before it: that is
                // the same turn still.
                deeds.push(DriverAction::Note(format!(
                    "{turn} failed, and goes on with what was steered: {failure:?}"
                )));
                (self.trouble, self.error) = (None, None);
                return deeds;
            }
            Err(failure) => deeds.push(DriverAction::Tell(AgentEvent::Failed { turn, failure })),
        }
        deeds.extend(self.rest());
        deeds
    }

    /// The process asks; it is answered at once, unless a person or the docket must answer.
    fn asked(
        &mut self,
        ControlRequest { request_id, request }: ControlRequest,
        now: Timestamp,
    ) -> Vec<DriverAction> {
        match request {
            ControlQuestion::HookCallback { callback_id, input } => {
                let (answer, news) = match callback_id.as_str() {
                    BEFORE_TOOL => self.before_tool(&input),
                    BEFORE_WORKTREE => self.before_worktree(),
                    AFTER_BATCH => self.after_batch(&input),
                    _ => (json!({}), None),
                };
                let mut deeds = vec![DriverAction::Write(wire::answer(&request_id, &answer))];
                deeds.extend(emit(news));
                deeds
            }
            ControlQuestion::CanUseTool { tool_name, input, agent_id, tool_use_id } => {
                let call = ToolProposal { tool: &tool_name, input: &input, subagent: agent_id.is_some() };
                let ruling = self.take_ruling(tool_use_id.as_deref(), &input);
                let answer = match ruling.unwrap_or_else(|| self.part.judge.judge(call)) {
                    Ruling::Allow => json!({"behavior": "allow", "updatedInput": input}),
                    Ruling::Deny { why } => json!({"behavior": "deny", "message": why}),
                    Ruling::Ask(question) => {
                        let call = Arc::from(request_id.as_str());
                        self.asking.insert(request_id, input);
                        return vec![DriverAction::Tell(AgentEvent::Asks {
                            call,
                            request: Arc::new(question),
                        })];
                    }
                };
                vec![DriverAction::Write(wire::answer(&request_id, &answer))]
            }
            ControlQuestion::McpMessage { server_name, message } if server_name == mcp::SERVER => {
                match mcp::serve(self.part.role, self.part.by_tools, &message, now) {
                    McpOutcome::Now { response, output } => {
                        self.called = output.or(self.called.take());
                        vec![DriverAction::Write(wire::answer(
                            &request_id,
                            &json!({"mcp_response": response}),
                        ))]
                    }
                    McpOutcome::Later { .. } if self.pleading.len() >= PLEAS_MAX => {
                        vec![DriverAction::Write(wire::refuse(
                            &request_id,
                            "too many calls wait for the docket",
                        ))]
                    }
                    McpOutcome::Later { id, plea } => {
                        let call = Arc::from(request_id.as_str());
                        self.pleading.insert(request_id, id);
                        vec![DriverAction::Tell(AgentEvent::Pleads { call, plea })]
                    }
                }
            }
            ControlQuestion::McpMessage { .. } | ControlQuestion::Other => {
                vec![DriverAction::Write(wire::refuse(&request_id, "Arbiter does not know this request"))]
            }
        }
    }

    /// The question that the hook's ruling on this very call came to.
    fn take_ruling(&mut self, id: Option<&str>, input: &Value) -> Option<Ruling> {
        let at = self.ruled.iter().position(|ruled| Some(ruled.call.as_str()) == id)?;
        let ruled = self.ruled.remove(at)?;
        (ruled.input == *input).then_some(Ruling::Ask(ruled.question))
    }

    fn before_tool(&mut self, input: &HookInput) -> (Value, Option<AgentEvent>) {
        let tool = input.tool_name.as_deref().unwrap_or("");
        let call = ToolProposal { tool, input: &input.tool_input, subagent: input.agent_id.is_some() };
        let ruling = self.part.judge.judge(call);
        let mut news = None;
        let (decision, reason) = match ruling {
            Ruling::Allow => ("allow", String::new()),
            Ruling::Deny { why } => {
                let (tool, what) = (Arc::from(tool), Arc::from(detail(&input.tool_input)));
                news = Some(AgentEvent::Denied { tool, what, why: Arc::from(why.as_str()) });
                ("deny", why)
            }
            // The program then asks for permission, and waits for the answer.
            Ruling::Ask(question) => {
                let why = question.why.to_string();
                if let Some(call) = input.tool_use_id.clone() {
                    self.ruled.push_back(Ruled { call, input: input.tool_input.clone(), question });
                    while self.ruled.len() > RULINGS_MAX {
                        self.ruled.pop_front();
                    }
                }
                ("ask", why)
            }
        };
        let output = json!({
            "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason
        });
        (json!({"hookSpecificOutput": output}), news)
    }

    /// The program makes a worktree only where our hook names its folder. Its own words for that do not tell the model
    /// why, so it is told after the batch.
    fn before_worktree(&mut self) -> (Value, Option<AgentEvent>) {
        self.denied_worktree = true;
        let (tool, what) = (Arc::from("Agent"), Arc::from("a worktree of its own"));
        (json!({}), Some(AgentEvent::Denied { tool, what, why: Arc::from(NO_WORKTREE) }))
    }

    /// A warning goes to the main thread, and only where another request follows: the typed output ends the turn.
    fn after_batch(&mut self, input: &HookInput) -> (Value, Option<AgentEvent>) {
        let ends = input.tool_calls.iter().any(|call| call.tool_name == TYPED_OUTPUT);
        if input.agent_id.is_some() || ends {
            return (json!({}), None);
        }
        let denied = std::mem::take(&mut self.denied_worktree).then_some(NO_WORKTREE);
        let (percent, warning) = self.warning.take().unzip();
        let told: Vec<&str> = denied.into_iter().chain(warning.as_deref()).collect();
        if told.is_empty() {
            return (json!({}), None);
        }
        let output = json!({"hookEventName": "PostToolBatch", "additionalContext": told.join("\n\n")});
        (json!({"hookSpecificOutput": output}), percent.map(|percent| AgentEvent::Warned { percent }))
    }

    fn answered(&mut self, ControlResponse { response }: &ControlResponse) -> Vec<DriverAction> {
        if self.meter.is_answered(&response.request_id) {
            return match &response.error {
                None => emit(self.meter.name(response.response.max_tokens)),
                Some(error) => vec![DriverAction::Note(format!("it does not name its window: {error}"))],
            };
        }
        if self.meter.is_usage(&response.request_id) {
            return self.usage_came(response);
        }
        if self.ready || !response.request_id.starts_with("arbiter-") {
            return Vec::new();
        }
        if let Some(error) = &response.error {
            return vec![DriverAction::GiveUp(format!("it refuses to be initialised: {error}"))];
        }
        self.ready = true;
        self.say_what_waits()
    }
}

impl Conversation {
    /// The usage so far, in the middle of a turn. What was told before is not told again.
    fn usage_came(&mut self, response: &Response) -> Vec<DriverAction> {
        let Some(totals) = response.response.session.as_ref().filter(|_| response.error.is_none()) else {
            let why = cut(response.error.as_deref().unwrap_or("it told none"), LAST_WORD_CHARS_MAX);
            let note = DriverAction::Note(format!("it does not tell its usage inside a turn: {why}"));
            if self.meter.usage_refused() {
                let remark = format!(
                    "Claude Code does not tell what it uses inside a turn ({why}): limits.budgetTokens and limits.budgetUsd are \
                     checked at the end of each turn of this session alone; `arbiter doctor` says whether its version is tested"
                );
                // A person who sleeps would read it too late, if it were told at the end.
                return vec![note, DriverAction::Tell(AgentEvent::Remarked(Arc::from(remark)))];
            }
            return vec![note];
        };
        self.meter.usage_told();
        self.meter.count(totals.total_cost_usd);
        self.meter.took(&totals.model_usage);
        let report = self.fresh("usage");
        emit(self.meter.spent(&report))
    }
}

fn emit(event: Option<AgentEvent>) -> Vec<DriverAction> {
    event.map(DriverAction::Tell).into_iter().collect()
}

/// The id of a request that the process makes in a line that is not understood, torn ones too: it stands near the front.
fn asked_in(line: &str) -> Option<String> {
    if !line.starts_with("{\"type\":\"control_request\"") {
        return None;
    }
    let (_, rest) = line.split_once("\"request_id\":\"")?;
    rest.split_once('"').map(|(id, _)| id.to_owned())
}

/// Whether a line that is not understood ends a turn all the same. One that is torn does not.
fn is_result(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|line| line["type"] == "result")
}

fn unknown(what: &str) -> DriverAction {
    DriverAction::Note(format!("unknown: {}", cut(what, 400)))
}

/// What a tool works on, in a few words.
fn detail(input: &Value) -> String {
    const TELLING: [&str; 9] =
        ["command", "file_path", "notebook_path", "pattern", "path", "url", "query", "description", "prompt"];
    let told = TELLING.iter().find_map(|field| input.get(field)).and_then(Value::as_str);
    told.map_or_else(|| input.to_string(), |text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
