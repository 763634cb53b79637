//! Chooses for each request the voice of the scenario that answers, and its next step. Knows no network.

use serde_json::Value;

use super::log::Request;
use super::scenario::{Act, Block, Step, Times, Voice};

/// The voices, and how far each has come.
pub(super) struct Cast {
    parts: Vec<Part>,
}

struct Part {
    voice: Voice,
    /// The sessions that fit the voice but for `nth`, in the order in which they were heard.
    sessions: Vec<String>,
    /// How often each step has served.
    served: Vec<u32>,
}

/// The voice that answers a request, and its step.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) voice: Option<String>,
    pub(super) step: Option<(usize, Step)>,
}

impl Cast {
    pub(super) fn new(voices: Vec<Voice>) -> Cast {
        let part = |voice: Voice| Part { served: vec![0; voice.steps.len()], sessions: Vec::new(), voice };
        Cast { parts: voices.into_iter().map(part).collect() }
    }

    /// Finds the line for a request and uses it up.
    pub(super) fn line(&mut self, request: &Request) -> Line {
        let prompt = request.prompt();
        let session = request.session.as_deref().unwrap_or_default();
        // Every voice counts the sessions, whichever voice answers: else the second voice would never see the
        // first session.
        let fitting: Vec<bool> =
            self.parts.iter_mut().map(|part| part.fits(request, &prompt, session)).collect();
        let found = self.parts.iter_mut().zip(fitting).find(|(_, fits)| *fits);
        let Some((part, _)) = found else { return Line { voice: None, step: None } };
        Line { voice: Some(part.voice.name.clone()), step: part.take(&request.heard()) }
    }
}

impl Part {
    fn fits(&mut self, request: &Request, prompt: &str, session: &str) -> bool {
        let Voice { system_contains, agent, prompt_contains, nth, .. } = &self.voice;
        let fits = system_contains.as_ref().is_none_or(|text| request.system.contains(text))
            && prompt_contains.as_ref().is_none_or(|text| prompt.contains(text))
            && agent.is_none_or(|agent| agent == request.agent.is_some());
        if !fits {
            return false;
        }
        let known = self.sessions.iter().position(|known| known == session);
        let at = known.unwrap_or_else(|| {
            self.sessions.push(session.to_owned());
            self.sessions.len() - 1
        });
        nth.is_none_or(|nth| nth == at + 1)
    }

    fn take(&mut self, heard: &str) -> Option<(usize, Step)> {
        let free = |step: &Step, served: u32| match step.times {
            Times::Count(count) => served < count,
            Times::Forever => true,
        };
        let fits = |step: &Step| step.when.as_ref().is_none_or(|when| heard.contains(when));
        let mut steps = self.voice.steps.iter().zip(&mut self.served).enumerate();
        let (index, (step, served)) = steps.find(|(_, (step, served))| free(step, **served) && fits(step))?;
        *served = served.saturating_add(1);
        let mut step = step.clone();
        if let Act::Message(message) = &mut step.act {
            for block in &mut message.blocks {
                if let Block::Tool { input, .. } = block {
                    fill_in(input, heard);
                }
            }
        }
        Some((index, step))
    }
}

/// Puts what was heard under a name where `{heard:NAME}` stands.
fn fill_in(input: &mut Value, heard: &str) {
    if let Value::Object(fields) = input {
        fields.values_mut().for_each(|field| fill_in(field, heard));
    }
    let place = input.as_str().and_then(|text| text.strip_prefix("{heard:")?.strip_suffix('}'));
    let found = place.and_then(|name| heard.split(&format!("\"{name}\":\"")).nth(1)?.split('"').next());
    if let Some(found) = found {
        *input = Value::from(found);
    }
}
