//! One call to a model over HTTP: the request is sent, the answer is read in pieces. Everything has a bound, redirects
//! are not followed, and a call that is dropped closes its connection.

use mind::Timestamp;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::error::Trouble;
use super::memory::Manner;
use super::options::{ApiDialect, ModelOptions, is_loopback};
use super::request::{Reading, Request, Stop};
use super::sse::Events;
use super::{anthropic, openai};
use crate::limits::{
    API_ANSWER_BYTES_MAX, API_CONNECT_TIME_MAX, API_ERROR_BYTES_MAX, API_ERROR_TIME_MAX, API_FORMS_MAX,
    API_IDLE_MAX, API_LINE_BYTES_MAX,
};

/// A call whose answer has begun.
pub(super) struct Call<'a> {
    options: &'a ModelOptions,
    deadline: Instant,
    response: Response,
    form: Form,
    /// The caller's: it knows what was read, and counted, also of a call that is dropped in the middle.
    reading: &'a mut Reading,
    bytes: usize,
    has_ended: bool,
}

/// How the answer arrives.
enum Form {
    Stream(Events),
    /// In one piece, from a server that does not stream.
    Whole(Vec<u8>),
}

impl<'a> Call<'a> {
    /// Sends the request, and makes it simpler after each rejection until the server accepts it.
    pub(super) async fn open(
        options: &'a ModelOptions,
        request: &Request<'_>,
        deadline: Instant,
        reading: &'a mut Reading,
    ) -> Result<Call<'a>, Trouble> {
        let opened = timeout_at(deadline, Call::try_open(options, request, deadline, reading)).await;
        opened.unwrap_or_else(|_| Err(late())).map_err(|trouble| trouble.without(options.key.as_ref()))
    }

    async fn try_open(
        options: &'a ModelOptions,
        request: &Request<'_>,
        deadline: Instant,
        reading: &'a mut Reading,
    ) -> Result<Call<'a>, Trouble> {
        let url = options.endpoint()?;
        if request.model.is_empty() {
            return Err(Trouble::Setup("no model is named (hint: name one in the configuration)".to_owned()));
        }
        let client = options.memory.client(|| client(&url))?;
        let is_openai = options.kind == ApiDialect::OpenAi && options.is_vendor();
        let mut manner = options.memory.manner().unwrap_or_else(|| Manner::first(is_openai));
        for tried in 1.. {
            let response = send(options, &client, &url, request, manner, &mut reading.sent_chars).await?;
            let status = response.status().as_u16();
            if (200..300).contains(&status) {
                options.memory.store(manner);
                let form = form(&response).inspect_err(|_| reading.sent_chars = 0)?;
                return Ok(Call { options, deadline, response, form, reading, bytes: 0, has_ended: false });
            }
            // No model has read what is refused.
            reading.sent_chars = 0;
            let headers = response.headers().clone();
            // Before anything is cut: half a key would not be known again.
            let mut body = error_body(response).await;
            if let Some(key) = &options.key {
                body = key.hide(body);
            }
            match manner.after(options.kind, status, &body).filter(|_| tried < API_FORMS_MAX) {
                Some(simpler) => manner = simpler,
                None => return Err(Trouble::of_status(status, &headers, &body, now())),
            }
        }
        Err(Trouble::passing("the server accepts no form of the request"))
    }

    /// The next words; none at the end of the answer.
    pub(super) async fn next(&mut self) -> Result<Option<String>, Trouble> {
        let next = timeout_at(self.deadline, self.try_next()).await;
        next.unwrap_or_else(|_| Err(late())).map_err(|trouble| trouble.without(self.options.key.as_ref()))
    }

    async fn try_next(&mut self) -> Result<Option<String>, Trouble> {
        loop {
            if let Form::Stream(events) = &mut self.form {
                while let Some(mut data) = events.next() {
                    if let Some(key) = &self.options.key {
                        data = key.hide(data);
                    }
                    match hear(self.options.kind, self.reading, &data) {
                        Ok(Some(piece)) => return Ok(Some(piece)),
                        Ok(None) => {}
                        Err(trouble) => {
                            if self.reading.text.is_empty() {
                                self.reading.sent_chars = 0;
                            }
                            return Err(trouble);
                        }
                    }
                }
            }
            if self.has_ended || self.reading.is_over {
                return Ok(None);
            }
            let chunk = timeout(API_IDLE_MAX, self.response.chunk()).await;
            let chunk = chunk
                .map_err(|_| Trouble::passing(format!("the server said nothing for {API_IDLE_MAX:?}")))?;
            let chunk =
                chunk.map_err(|_| Trouble::passing("the connection broke in the middle of the answer"))?;
            self.bytes += chunk.as_ref().map_or(0, |chunk| chunk.len());
            if self.bytes > API_ANSWER_BYTES_MAX {
                return Err(Trouble::passing(format!(
                    "the answer has more than {API_ANSWER_BYTES_MAX} bytes"
                )));
            }
            match (&mut self.form, chunk) {
                (Form::Stream(events), Some(chunk)) => {
                    events.push(&chunk).map_err(|_| Trouble::passing("a line of the answer has no end"))?;
                }
                (Form::Stream(events), None) => {
                    events.end();
                    self.has_ended = true;
                }
                (Form::Whole(bytes), Some(chunk)) => bytes.extend_from_slice(&chunk),
                (Form::Whole(bytes), None) => {
                    self.has_ended = true;
                    let body = serde_json::from_slice::<Value>(bytes);
                    let body = body.map_err(|_| Trouble::passing("the server's answer is not JSON"))?;
                    match self.options.kind {
                        ApiDialect::Anthropic => anthropic::read(self.reading, &body)?,
                        ApiDialect::OpenAi => openai::read(self.reading, &body)?,
                    }
                    return Ok(Some(self.reading.text.clone()).filter(|text| !text.is_empty()));
                }
            }
        }
    }

    /// Whether the answer came to its end.
    pub(super) fn finish(self) -> Result<(), Trouble> {
        match self.reading.stop {
            Some(Stop::Said | Stop::Cut) => Ok(()),
            Some(Stop::Declined) => Err(Trouble::Declined("the model will not answer this".to_owned())),
            // A server that says that it is done need not say why.
            None if self.reading.is_over && !self.reading.text.is_empty() => Ok(()),
            None if self.bytes == 0 => Err(Trouble::passing("the server's answer is empty")),
            None => Err(Trouble::passing("the answer broke off")),
        }
    }
}

/// The time of day.
pub(super) fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

fn hear(kind: ApiDialect, reading: &mut Reading, data: &str) -> Result<Option<String>, Trouble> {
    if data == openai::DONE {
        reading.is_over = true;
        return Ok(None);
    }
    let event = serde_json::from_str::<Value>(data);
    let event = event.map_err(|_| Trouble::passing("the server sent something that is not JSON"))?;
    match kind {
        ApiDialect::Anthropic => anthropic::hear(reading, &event),
        ApiDialect::OpenAi => openai::hear(reading, &event),
    }
}

fn late() -> Trouble {
    Trouble::passing("the model did not answer in time")
}

fn client(url: &Url) -> Result<Client, Trouble> {
    super::install_tls();
    let mut builder = Client::builder()
        .connect_timeout(API_CONNECT_TIME_MAX)
        .redirect(redirect::Policy::none())
        .referer(false)
        .user_agent(concat!("arbiter/", env!("CARGO_PKG_VERSION")));
    if is_loopback(url) {
        // A request that stays on this machine must not reach a proxy.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| Trouble::Setup(format!("no connection can be made: {}", chain(&error))))
}

async fn send(
    options: &ModelOptions,
    client: &Client,
    url: &Url,
    request: &Request<'_>,
    manner: Manner,
    sent_chars: &mut usize,
) -> Result<Response, Trouble> {
    let body = match options.kind {
        ApiDialect::Anthropic => anthropic::body(request, manner),
        ApiDialect::OpenAi => openai::body(request, manner),
    };
    let mut post = client.post(url.clone()).header(CONTENT_TYPE, "application/json");
    if options.kind == ApiDialect::Anthropic {
        post = post.header("anthropic-version", anthropic::VERSION);
    }
    if let Some(key) = &options.key {
        let (name, value) = match options.kind {
            ApiDialect::Anthropic => ("x-api-key", key.reveal().to_owned()),
            ApiDialect::OpenAi => (AUTHORIZATION.as_str(), format!("Bearer {}", key.reveal())),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| {
            Trouble::Login(format!(
                "the key in {} has characters that no key can have",
                options.kind.variable()
            ))
        })?;
        value.set_sensitive(true);
        post = post.header(name, value);
    }
    // From here on a model may have read it, also if we are not there any more to hear that.
    *sent_chars = request.chars();
    post.body(body.to_string()).send().await.map_err(|error| {
        if error.is_connect() || error.is_builder() {
            *sent_chars = 0;
        }
        let host = url.host_str().unwrap_or_default();
        let what =
            if error.is_connect() { "cannot be reached" } else { "closed the connection before it answered" };
        Trouble::passing(format!("{host} {what}: {}", chain(&error.without_url())))
    })
}

fn form(response: &Response) -> Result<Form, Trouble> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/json" => Ok(Form::Whole(Vec::new())),
        "text/html" => Err(Trouble::passing(
            "a page came instead of an answer (hint: a proxy answers for the server, or the base URL is wrong)",
        )),
        // Some servers name no content type.
        _ => Ok(Form::Stream(Events::new(API_LINE_BYTES_MAX))),
    }
}

/// The body of an error, as far as its bounds allow.
async fn error_body(mut response: Response) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(API_ERROR_TIME_MAX, async {
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk[..chunk.len().min(API_ERROR_BYTES_MAX - bytes.len())]);
            if bytes.len() >= API_ERROR_BYTES_MAX {
                return;
            }
        }
    })
    .await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The last cause of an error, which says most.
fn chain(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    mind::limits::cut(&last.to_string(), crate::limits::ERROR_CHARS_MAX)
}
