//! Model calls answered by a script. There is no memory: the same question always has the same answer.

use std::sync::Arc;

use mind::Timestamp;
use mind::conductor::execution::Tokens;
use mind::conductor::record::{Answer, AnswerEnd, Question};

use super::script::{Reply, Scripted, Spent};
use super::wire::FailKind;
use super::{Options, Script};

/// Answers one attempt of a decision. A script without an answer refuses, so that the mission goes on without a model.
pub(super) async fn decide(options: &Options, number: u32, attempt: u32, question: &Question) -> Answer {
    let path = options.script.clone();
    let read = tokio::task::spawn_blocking(move || Script::load(&path)).await;
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

async fn answer(Scripted { reply, spent, .. }: &Scripted) -> Answer {
    let end = match reply {
        Reply::Says(output) => {
            AnswerEnd::Said { output: Some(output.clone()), text: Arc::from(""), cut: false }
        }
        Reply::Text { text, cut } => {
            AnswerEnd::Said { output: None, text: Arc::from(text.as_str()), cut: *cut }
        }
        Reply::Fails { kind, why, after_ms } => {
            let why = Arc::from(why.as_str());
            match kind {
                FailKind::Transient | FailKind::Limit => {
                    let until = after_ms.map(|after_ms| Timestamp(host::now_ms().saturating_add(after_ms)));
                    AnswerEnd::Unavailable { why, until }
                }
                FailKind::Login | FailKind::Refused => AnswerEnd::Refused { why },
            }
        }
        Reply::Hangs => std::future::pending().await,
    };
    Answer { end, latency_ms: 0, tokens: spent.map(tokens), cost_microusd: 0 }
}

fn tokens(Spent { input, output }: Spent) -> Tokens {
    Tokens { input, output, total: input.saturating_add(output) }
}

fn refused(why: String) -> Answer {
    let end = AnswerEnd::Refused { why: Arc::from(why) };
    Answer { end, latency_ms: 0, tokens: None, cost_microusd: 0 }
}
