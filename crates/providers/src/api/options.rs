//! The options of a model: which model, at which address, with which key. A key comes from the environment, goes into
//! one header, and stands nowhere else.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use reqwest::Url;

use super::error::Trouble;
use super::memory::Memory;
use crate::limits::{API_KEY_BYTES_MIN, API_TOKENS};
use crate::prices::{self, ModelPrice};

/// The protocol of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiDialect {
    /// The Messages protocol of Anthropic.
    Anthropic,
    /// OpenAI's Chat Completions, which local servers speak too.
    OpenAi,
}

impl ApiDialect {
    /// The environment variable that holds the key.
    #[must_use]
    pub fn variable(self) -> &'static str {
        match self {
            ApiDialect::Anthropic => "ANTHROPIC_API_KEY",
            ApiDialect::OpenAi => "OPENAI_API_KEY",
        }
    }

    /// The vendor's own endpoint.
    #[must_use]
    pub fn base_url(self) -> &'static str {
        match self {
            ApiDialect::Anthropic => "https://api.anthropic.com",
            ApiDialect::OpenAi => "https://api.openai.com/v1",
        }
    }
}

/// A key. It cannot be printed, compared or written.
#[derive(Clone)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    /// The key without blanks around it; none if it is empty.
    pub fn new(text: &str) -> Option<ApiKey> {
        let text = text.trim();
        (!text.is_empty()).then(|| ApiKey(Arc::from(text)))
    }

    /// The key that the environment holds for this kind.
    pub fn from_environment(kind: ApiDialect) -> Option<ApiKey> {
        std::env::var(kind.variable()).ok().and_then(|text| ApiKey::new(&text))
    }

    /// The key itself, for the header.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A foreign text without the key. A very short key is not replaced: it would be found in any text.
    pub(super) fn hide(&self, text: String) -> String {
        match self.0.len() >= API_KEY_BYTES_MIN && text.contains(&*self.0) {
            true => text.replace(&*self.0, "(the key)"),
            false => text,
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

/// How a model is called.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    pub kind: ApiDialect,
    /// The address as people write it: with or without `/v1`.
    pub base_url: String,
    /// None for a local server that needs no key.
    pub key: Option<ApiKey>,
    pub model: String,
    /// The bound of an answer in tokens, where a question names none.
    pub max_tokens: u32,
    /// The user's own price of this model; it goes before the list's.
    pub price: Option<ModelPrice>,
    /// The model's own default if none.
    pub temperature: Option<f32>,
    /// What was learned about the server; all clones share it.
    pub memory: Memory,
}

impl ModelOptions {
    /// The vendor's own endpoint, and the key of the environment.
    pub fn new(kind: ApiDialect, model: &str) -> ModelOptions {
        ModelOptions {
            kind,
            base_url: kind.base_url().to_owned(),
            key: ApiKey::from_environment(kind),
            model: model.to_owned(),
            max_tokens: API_TOKENS,
            price: None,
            temperature: None,
            memory: Memory::default(),
        }
    }

    /// What tokens of this model cost, if that is known. The user's own price is that of the model beside it.
    #[must_use]
    pub fn price_of(&self, model: &str) -> Option<ModelPrice> {
        self.price.filter(|_| model == self.model).or_else(|| prices::listed(model))
    }

    /// The address that a request goes to, or why the request must not be sent.
    pub fn endpoint(&self) -> Result<Url, Trouble> {
        let wrong = |why: &str| Trouble::Setup(format!("the base URL {:?} {why}", self.shown_base()));
        let mut url = Url::parse(self.base_url.trim()).map_err(|_| {
            wrong("cannot be read (hint: it looks like https://host/v1 or http://127.0.0.1:11434/v1)")
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(&format!(
                "has a password in it (hint: keys come from {} alone)",
                self.kind.variable()
            )));
        }
        if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() {
            return Err(wrong("is neither http nor https"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("has more than a path"));
        }
        if url.scheme() == "http" && self.key.is_some() && !is_loopback(&url) {
            return Err(Trouble::Setup(format!(
                "a key is not sent to {} over plain http, where everybody on the way can read it (hint: use https, \
                 a server on this machine, or unset {} if it needs no key)",
                url.host_str().unwrap_or_default(),
                self.kind.variable()
            )));
        }
        if self.key.is_none() && url.host_str() == self.vendor().as_deref() {
            return Err(Trouble::Login(format!(
                "there is no key for {} (hint: set {} in the environment)",
                url.host_str().unwrap_or_default(),
                self.kind.variable()
            )));
        }
        let path = path(self.kind, url.path());
        url.set_path(&path);
        Ok(url)
    }

    /// Whether the address is the vendor itself, and no compatible server.
    pub(super) fn is_vendor(&self) -> bool {
        let host = Url::parse(self.base_url.trim()).ok().and_then(|url| url.host_str().map(str::to_owned));
        host.is_some() && host == self.vendor()
    }

    fn vendor(&self) -> Option<String> {
        Url::parse(self.kind.base_url()).ok().and_then(|url| url.host_str().map(str::to_owned))
    }

    /// The address without a user and a password, for messages.
    fn shown_base(&self) -> String {
        let base = self.base_url.trim();
        let shown = match base.rsplit_once('@') {
            Some((_, host)) => format!("...@{host}"),
            None => base.to_owned(),
        };
        mind::limits::cut(&shown, 200)
    }
}

/// Whether a request stays on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn path(kind: ApiDialect, base: &str) -> String {
    let base = base.trim_end_matches('/');
    let (version, end) = match kind {
        ApiDialect::Anthropic => ("/v1", "/messages"),
        ApiDialect::OpenAi => ("/v1", "/chat/completions"),
    };
    if base.ends_with(end) {
        return base.to_owned();
    }
    // A gateway for OpenAI's words has its own path; Anthropic's always ends in its version.
    let is_versioned = match kind {
        ApiDialect::Anthropic => base.ends_with(version),
        ApiDialect::OpenAi => !base.is_empty(),
    };
    if is_versioned { format!("{base}{end}") } else { format!("{base}{version}{end}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(kind: ApiDialect, base_url: &str, key: Option<&str>) -> ModelOptions {
        ModelOptions {
            base_url: base_url.to_owned(),
            key: key.and_then(ApiKey::new),
            ..ModelOptions::new(kind, "m")
        }
    }

    fn endpoint(kind: ApiDialect, base_url: &str, key: Option<&str>) -> Result<String, String> {
        options(kind, base_url, key).endpoint().map(String::from).map_err(|trouble| trouble.to_string())
    }

    #[test]
    fn a_base_url_is_understood_as_people_write_it() {
        let key = Some("k");
        for base in
            ["https://api.anthropic.com", "https://api.anthropic.com/", "https://api.anthropic.com/v1/"]
        {
            assert_eq!(
                endpoint(ApiDialect::Anthropic, base, key).unwrap(),
                "https://api.anthropic.com/v1/messages"
            );
        }
        assert_eq!(
            endpoint(ApiDialect::Anthropic, "https://gateway.example/claude", key).unwrap(),
            "https://gateway.example/claude/v1/messages"
        );
        for base in [
            "http://127.0.0.1:11434",
            "http://127.0.0.1:11434/v1",
            "http://127.0.0.1:11434/v1/chat/completions",
        ] {
            assert_eq!(
                endpoint(ApiDialect::OpenAi, base, None).unwrap(),
                "http://127.0.0.1:11434/v1/chat/completions"
            );
        }
        assert_eq!(
            endpoint(ApiDialect::OpenAi, "https://gateway.example/api/v3", key).unwrap(),
            "https://gateway.example/api/v3/chat/completions"
        );
    }

    #[test]
    fn a_key_is_not_sent_where_everybody_can_read_it() {
        let refused =
            endpoint(ApiDialect::OpenAi, "http://models.example/v1", Some("sk-secret")).unwrap_err();
        assert!(refused.contains("plain http") && refused.contains("hint: use https"), "{refused}");
        endpoint(ApiDialect::OpenAi, "http://models.example/v1", None).unwrap();
        for host in ["127.0.0.1:1", "localhost:1", "[::1]:1"] {
            endpoint(ApiDialect::OpenAi, &format!("http://{host}/v1"), Some("sk-secret")).unwrap();
        }
        // A name that only begins like an address of this machine.
        endpoint(ApiDialect::OpenAi, "http://127.0.0.1.example/v1", Some("sk-secret")).unwrap_err();
    }

    #[test]
    fn what_is_no_endpoint_is_refused_with_words() {
        for (base, words) in [
            ("", "cannot be read"),
            ("api.openai.com", "cannot be read"),
            ("ftp://models.example", "neither http nor https"),
            ("https://me:hunter2@models.example", "password"),
            ("https://models.example/v1?key=x", "more than a path"),
        ] {
            let why = endpoint(ApiDialect::OpenAi, base, None).unwrap_err();
            assert!(why.contains(words) && !why.contains("hunter2"), "{base}: {why}");
        }
    }

    #[test]
    fn a_vendor_is_not_asked_without_a_key() {
        let nothing = ModelOptions { key: None, ..ModelOptions::new(ApiDialect::Anthropic, "m") };
        let trouble = nothing.endpoint().unwrap_err();
        assert!(matches!(&trouble, Trouble::Login(why) if why.contains("ANTHROPIC_API_KEY")), "{trouble}");
    }

    #[test]
    fn a_key_is_never_printed() {
        let options = options(ApiDialect::Anthropic, "https://x.example", Some(" sk-secret\n"));
        assert!(!format!("{options:?}").contains("secret"));
        assert_eq!(options.key.unwrap().reveal(), "sk-secret");
        assert!(ApiKey::new(" \n").is_none());
    }
}
