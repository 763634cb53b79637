//! Model calls answered by a script. There is no memory: the same question always has the same answer.

use std::sync::Arc;

use mind::Timestamp;
use mind::conductor::execution::RunTokens;
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};

use super::script::{Scripted, ScriptedReply, Spent};
use super::wire::FailKind;
use super::{RehearsalOptions, RehearsalScript};

/// Answers one attempt of a decision. A script without an answer refuses, so that the mission goes on without a model.
pub(super) async fn decide(
    options: &RehearsalOptions,
    number: u32,
    attempt: u32,
    question: &ModelCall,
) -> ModelReply {
    let path = options.script.clone();
    let read = tokio::task::spawn_blocking(move || RehearsalScript::load(&path)).await;
    let script = match read {
        Ok(Ok(script)) => script,
        Ok(Err(error)) => return refused(error.to_string()),
        Err(error) => return refused(error.to_string()),
    };
    let Some(found) = script.decisions.iter().find(|one| one.fits(number, attempt, &question.prompt)) else {
        return refused(format!("nothing is rehearsed for decision {number}"));
    };
    answer(found).await
}

async fn answer(Scripted { reply, spent, .. }: &Scripted) -> ModelReply {
    let end = match reply {
        ScriptedReply::Says(output) => {
            ReplyEnd::Said { output: Some(output.clone()), text: Arc::from(""), cut: false }
        }
        ScriptedReply::Text { text, cut } => {
            ReplyEnd::Said { output: None, text: Arc::from(text.as_str()), cut: *cut }
        }
        ScriptedReply::Fails { kind, why, after_ms } => {
            let why = Arc::from(why.as_str());
            match kind {
                FailKind::Transient | FailKind::Limit => {
                    let until = after_ms.map(|after_ms| Timestamp(host::now_ms().saturating_add(after_ms)));
                    ReplyEnd::Unavailable { why, until }
                }
                FailKind::Login | FailKind::Refused => ReplyEnd::Refused { why },
            }
        }
        ScriptedReply::Hangs => std::future::pending().await,
    };
    ModelReply { end, latency_ms: 0, tokens: spent.map(tokens), cost_microusd: 0 }
}

fn tokens(Spent { input, output }: Spent) -> RunTokens {
    RunTokens { input, output, total: input.saturating_add(output) }
}

fn refused(why: String) -> ModelReply {
    let end = ReplyEnd::Refused { why: Arc::from(why) };
    ModelReply { end, latency_ms: 0, tokens: None, cost_microusd: 0 }
}
