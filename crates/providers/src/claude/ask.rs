//! One model call by Claude Code: a short process without tools that answers once, and is gone. It keeps no
//! conversation; the question and the schema go over its pipe, never over its command line.

use std::sync::Arc;
use std::time::Instant;

use mind::Timestamp;
use mind::conductor::execution::RunTokens;
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use mind::event::Failure;
use mind::limits::cut;
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::ChildStderr;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::incoming::TYPED_OUTPUT;
use super::wire::{
    Assistant, Block, ControlQuestion, Delta, Said, Stream, StreamEvent, System, TurnResult, Usage,
};
use super::{Claude, error_map, launch, wire};
use crate::launch::{Launched, SandboxProof};
use crate::limits::{
    ANSWER_BYTES_MAX, ANSWER_TIME_MAX, CAGE_TIME_MAX, HOOK_SECONDS_MAX, LAST_WORD_CHARS_MAX, LINE_BYTES_MAX,
    REAP_TIME_MAX,
};
use crate::prices::{self, TokenCounts};
use crate::{ModelRequest, lines};

/// The hook when the model has answered.
const AFTER_ANSWER: &str = "after-answer";

/// Makes one model call, or as much of it as is wanted: the reply says what it used. Dropping the future ends the process
/// and all its descendants.
pub(super) async fn ask(claude: &Claude, call: &ModelRequest) -> ModelReply {
    let began = Instant::now();
    let mut asked = Asked::default();
    let end = tokio::select! {
        end = timeout(ANSWER_TIME_MAX, asked.converse(claude, call)) => end.unwrap_or_else(|_| {
            unavailable(format!("there was no answer within {} s", ANSWER_TIME_MAX.as_secs()))
        }),
        // With the conversation, its process is dropped.
        () = call.dropped.given() => unavailable("its answer is needed no more".to_owned()),
    };
    let tokens = asked.usage.map(|usage| {
        let (input, output) = (usage.request(), usage.output_tokens);
        RunTokens { input, output, total: input.saturating_add(output) }
    });
    let latency_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let cost_microusd = match asked.cost_microusd {
        // An answer that is cut off is not waited for to its cost, and some versions tell none with one that they did
        // not take. What the user called the model may be an alias, or nothing; what answered says its own name.
        0 => asked.cost_by_list(asked.model.as_deref().or(call.question.model.as_deref())),
        told => told,
    };
    ModelReply { end, latency_ms, tokens, cost_microusd }
}

/// The answer, as far as it was read.
#[derive(Default)]
struct Asked {
    /// The words so far, of a typed output as of a plain one.
    words: String,
    /// The typed output as the model gave it, whether or not the program takes it.
    offered: Option<Value>,
    /// The last error that the model's side reported.
    error: Option<String>,
    /// The model that answered, by the name that the API gives it.
    model: Option<String>,
    usage: Option<Usage>,
    cost_microusd: u64,
    /// Whether the turn is over, so that the process has nothing more to do.
    is_over: bool,
}

/// A renewed login is carried back to the user's folder, however the process ended.
struct LoginReturn<'a>(&'a Claude);

impl Drop for LoginReturn<'_> {
    fn drop(&mut self) {
        self.0.return_login();
    }
}

impl Asked {
    async fn converse(&mut self, claude: &Claude, call: &ModelRequest) -> ReplyEnd {
        let question = &call.question;
        let words = words(question);
        let mut program = claude.call(&*call.launcher, &call.folder, words.iter().map(String::as_str));
        let tokens = question.max_tokens.to_string();
        let settings = [
            ("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1"),
            ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.as_str()),
            // The first retry is told to us, and that is enough: patience is the mission's alone.
            ("CLAUDE_CODE_MAX_RETRIES", "1"),
            ("DISABLE_AUTO_COMPACT", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            // An answer that breaks the schema is the mission's to judge, and to ask for again.
            ("MAX_STRUCTURED_OUTPUT_RETRIES", "1"),
        ];
        let settings = settings.into_iter().chain(launch::OWN_ADVICE_OFF);
        program.env.extend(settings.map(|(name, value)| (name.into(), value.into())));
        // It outlives the process: what was renewed is there once that is gone.
        let _login = LoginReturn(claude);
        let mut launched = match call.launcher.launch(&program) {
            Ok(launched) => launched,
            Err(error) => return refused(format!("Claude Code cannot be started: {error}")),
        };
        launched.hand_keys().await;
        let Launched { mut stdin, stdout, stderr, proof, mut process, .. } = launched;
        let mut listening = JoinSet::new();
        listening.spawn(last_word(BufReader::new(stderr)));
        let end = self.speak(&mut stdin, BufReader::new(stdout), proof, question).await;
        // With its input closed it leaves by itself.
        drop(stdin);
        let Some(end) = end else {
            process.reap().await;
            let word = timeout(REAP_TIME_MAX, listening.join_next()).await;
            return gone(&word.ok().flatten().and_then(Result::ok).unwrap_or_default());
        };
        match self.is_over {
            true => process.leave().await,
            // It would go on by itself, at the same price again.
            false => process.end().await,
        }
        end
    }

    /// Sends the question and reads the answer; `None` if the process closes its output before.
    async fn speak(
        &mut self,
        stdin: &mut UnixStream,
        mut stdout: BufReader<UnixStream>,
        proof: Option<SandboxProof>,
        question: &ModelCall,
    ) -> Option<ReplyEnd> {
        if let Some(proof) = proof {
            let heard = match timeout(CAGE_TIME_MAX, lines::read(&mut stdout, LINE_BYTES_MAX)).await {
                Ok(line) => proof(&line?.text),
                Err(_) => Err(format!("the sandbox was not ready after {CAGE_TIME_MAX:?}")),
            };
            if let Err(why) = heard {
                return Some(refused(why));
            }
        }
        let initialize = json!({
            "subtype": "initialize", "systemPrompt": [&*question.system], "jsonSchema": &*question.schema,
            // The program would ask a model that answered in plain words once more by itself.
            "hooks": {"Stop": [{"hookCallbackIds": [AFTER_ANSWER], "timeout": HOOK_SECONDS_MAX}]},
        });
        say(stdin, wire::request("arbiter-1", &initialize)).await;
        loop {
            let line = lines::read(&mut stdout, LINE_BYTES_MAX).await?;
            // Lines that we do not understand are ignored.
            let Ok(said) = serde_json::from_str::<Said>(&line.text) else { continue };
            match said {
                Said::ControlResponse(told) => {
                    if let Some(error) = told.response.error {
                        return Some(refused(format!("it refuses to be initialised: {error}")));
                    }
                    say(stdin, wire::message("", &question.prompt)).await;
                }
                Said::ControlRequest(asked) if is_after_answer(&asked.request) => {
                    say(stdin, wire::answer(&asked.request_id, &json!({"continue": false}))).await;
                }
                Said::ControlRequest(asked) => {
                    say(stdin, wire::refuse(&asked.request_id, "Arbiter does not know this request")).await;
                }
                Said::System(system) if system.subtype == "api_retry" => return Some(tried_again(&system)),
                Said::Assistant(assistant) => self.assistant(assistant),
                Said::StreamEvent(StreamEvent { event, .. }) => {
                    if let Some(end) = self.stream(event) {
                        return Some(end);
                    }
                }
                Said::Result(result) => return Some(self.result(*result)),
                Said::System(_)
                | Said::User(_)
                | Said::ControlCancelRequest { .. }
                | Said::KeepAlive {}
                | Said::CommandLifecycle {} => {}
            }
        }
    }

    /// What the answer cost by the list of prices. A model that it does not have is taken for the dearest of them: a limit
    /// is not passed because a name is new.
    fn cost_by_list(&self, model: Option<&str>) -> u64 {
        let price = model.and_then(prices::listed).or_else(prices::dearest);
        let Some((usage, price)) = self.usage.zip(price) else { return 0 };
        price.cost_microusd(TokenCounts {
            input: usage.input_tokens,
            cache_write: usage.cache_creation_input_tokens,
            cache_read: usage.cache_read_input_tokens,
            output: usage.output_tokens,
        })
    }

    fn assistant(&mut self, assistant: Assistant) {
        self.error = assistant.error.or(self.error.take());
        for block in assistant.message.content {
            match block {
                Block::ToolUse { name, input, .. } if name == TYPED_OUTPUT => self.offered = Some(input),
                Block::ToolUse { .. } | Block::Other => {}
            }
        }
    }

    /// A piece of the answer. The program would continue one that is cut off.
    fn stream(&mut self, event: Stream) -> Option<ReplyEnd> {
        match event {
            Stream::MessageStart { message } => {
                self.words.clear();
                self.model = message.model.or(self.model.take());
                self.usage = message.usage;
            }
            Stream::ContentBlockDelta { delta } => {
                let piece = match delta {
                    Delta::TextDelta { text } => text,
                    Delta::InputJsonDelta { partial_json } => partial_json,
                    Delta::Other => String::new(),
                };
                if self.words.len().saturating_add(piece.len()) <= ANSWER_BYTES_MAX {
                    self.words.push_str(&piece);
                }
            }
            Stream::MessageDelta { usage, delta } => {
                if let Some(usage) = usage {
                    let request = self.usage.unwrap_or_default();
                    self.usage = Some(Usage { output_tokens: usage.output_tokens, ..request });
                }
                if delta.stop_reason.as_deref() == Some("max_tokens") {
                    let text = Arc::from(std::mem::take(&mut self.words));
                    return Some(ReplyEnd::Said { output: None, text, cut: true });
                }
            }
            Stream::ContentBlockStart { .. } | Stream::ContentBlockStop {} | Stream::Other => {}
        }
        None
    }

    fn result(&mut self, result: TurnResult) -> ReplyEnd {
        self.is_over = true;
        if result.usage != Usage::default() {
            self.usage = Some(result.usage);
        }
        // What is not a number counts for nothing.
        self.cost_microusd = (result.total_cost_usd * 1e6).round().max(0.0) as u64;
        if self.error.as_deref() == Some("max_output_tokens") {
            return ReplyEnd::Said { output: None, text: Arc::from(self.words.as_str()), cut: true };
        }
        let gave_up = result.subtype == "error_max_structured_output_retries";
        if result.is_error && !gave_up {
            return match error_map::of_result(&result, self.error.as_deref()) {
                Failure::Transient(why) => ReplyEnd::Unavailable { why, until: None },
                Failure::Limited { why, until } => ReplyEnd::Unavailable { why, until },
                Failure::Unauthorised(why) | Failure::Refused(why) => ReplyEnd::Refused { why },
            };
        }
        // Where the program took no typed output, what the model said is judged by the mission, which can name the fault.
        let output = result.structured_output.or(self.offered.take());
        let text = result.result.filter(|text| !text.is_empty()).unwrap_or_else(|| self.words.clone());
        ReplyEnd::Said { output, text: Arc::from(text), cut: false }
    }
}

fn is_after_answer(asked: &ControlQuestion) -> bool {
    match asked {
        ControlQuestion::HookCallback { callback_id, .. } => callback_id == AFTER_ANSWER,
        ControlQuestion::CanUseTool { .. } | ControlQuestion::McpMessage { .. } | ControlQuestion::Other => {
            false
        }
    }
}

fn words(question: &ModelCall) -> Vec<String> {
    let mut words = [
        "--print",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
        "--setting-sources",
        "",
        "--tools",
        "",
        // What it thinks would count among the tokens of its answer.
        "--thinking",
        "disabled",
    ]
    .map(str::to_owned)
    .to_vec();
    if let Some(model) = &question.model {
        words.extend(["--model".to_owned(), model.to_string()]);
    }
    words
}

/// A request failed, and the process would wait and try again: the mission loop does that instead.
fn tried_again(retry: &System) -> ReplyEnd {
    match error_map::of_first_retry(retry, Timestamp(host::now_ms())) {
        Failure::Transient(why) => ReplyEnd::Unavailable { why, until: None },
        Failure::Limited { why, until } => ReplyEnd::Unavailable { why, until },
        Failure::Unauthorised(why) | Failure::Refused(why) => ReplyEnd::Refused { why },
    }
}

async fn last_word(mut stderr: BufReader<ChildStderr>) -> String {
    let mut word = String::new();
    while let Some(line) = lines::read(&mut stderr, LINE_BYTES_MAX).await {
        if !line.text.trim().is_empty() {
            word = line.text.trim().to_owned();
        }
    }
    word
}

async fn say(stdin: &mut UnixStream, mut line: String) {
    line.push('\n');
    // A closed pipe shows in the output, which ends too.
    let _ = stdin.write_all(line.as_bytes()).await;
}

fn gone(last_word: &str) -> ReplyEnd {
    let word = cut(last_word, LAST_WORD_CHARS_MAX);
    // A login, a flag or a sandbox that fails once fails again.
    if error_map::is_login(&word) || word.starts_with("error:") || word.starts_with("sandbox:") {
        return refused(word);
    }
    let said = if word.is_empty() { String::new() } else { format!(": {word}") };
    unavailable(format!("Claude Code left without an answer{said}"))
}

fn unavailable(why: String) -> ReplyEnd {
    ReplyEnd::Unavailable { why: Arc::from(why), until: None }
}

fn refused(why: String) -> ReplyEnd {
    ReplyEnd::Refused { why: Arc::from(why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_the_list_does_not_have_costs_what_its_dearest_does() {
        let usage = Usage { input_tokens: 1_000, output_tokens: 1_000, ..Usage::default() };
        let asked =
            |model: Option<&str>| Asked { usage: Some(usage), ..Asked::default() }.cost_by_list(model);
        let [haiku, opus] = ["claude-haiku-4-5", "claude-opus-4-8"].map(|model| asked(Some(model)));
        assert!(0 < haiku && haiku < opus, "{haiku} {opus}");
        for stranger in [Some("claude-of-tomorrow-9"), Some("sonnet"), None] {
            assert!(asked(stranger) >= opus, "{stranger:?}");
        }
        assert_eq!(Asked::default().cost_by_list(None), 0, "nothing was used");
    }
}
