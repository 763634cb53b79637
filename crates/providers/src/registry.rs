//! The registry of providers: one row each. A name that a configuration, an agent's file or a journal says is looked up
//! here and nowhere else; a new provider is its folder and its row.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mind::charter::Capabilities;
use mind::session::Profile;

use crate::provider::{ProviderOptions, SessionProvider};
use crate::{api, claude, rehearsal};

/// What is known of a provider before it is used.
#[derive(Debug)]
pub struct ProviderEntry {
    /// The name that people, files and journals use.
    pub name: &'static str,
    pub capabilities: Capabilities,
    /// Whether its sessions have tools. Without tools it can be the Arbiter and decide, but not work.
    pub works: bool,
    /// Whether it plays a script that must be named.
    pub plays_script: bool,
    /// Whether it starts a process to answer a model call.
    pub answers_by_process: bool,
    /// Whether its sessions run a real agent, which a sandbox must hold.
    pub is_real: bool,
    /// The command before a session's key with which a person resumes its conversation by hand, if that is possible.
    pub resumes_by_hand: Option<&'static str>,
    /// What its program may leave in a clone, as patterns of git: none of it belongs into a commit.
    pub leavings: &'static [&'static str],
    /// Opens the provider for one mission, or returns why that is not possible.
    pub open: fn(&ProviderOptions) -> Result<Arc<dyn SessionProvider>, String>,
}

macro_rules! registry {
    ($($(#[$row:meta])* $provider:ident => $entry:path),* $(,)?) => {
        /// A provider: what a session is made of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Provider {
            $(#[doc = stringify!($provider)] $(#[$row])* $provider,)*
        }

        impl Provider {
            /// Every provider, in the order of the rows.
            pub const ALL: &[Provider] = &[$($(#[$row])* Provider::$provider,)*];

            #[must_use]
            pub const fn entry(self) -> &'static ProviderEntry {
                match self {
                    $($(#[$row])* Provider::$provider => &$entry,)*
                }
            }
        }
    };
}

registry! {
    Claude => claude::ENTRY,
    Api => api::ENTRY,
    Rehearsal => rehearsal::ENTRY,
    #[cfg(feature = "scripted")]
    Scripted => crate::scripted::ENTRY,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no provider `{name}`; there are {}", names())]
pub struct UnknownProvider {
    pub name: String,
}

impl Provider {
    /// The provider of this name.
    pub fn named(name: &str) -> Result<Provider, UnknownProvider> {
        let found = Provider::ALL.iter().copied().find(|provider| provider.name() == name);
        found.ok_or_else(|| UnknownProvider { name: name.to_owned() })
    }

    /// The name that people, files and journals use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The command with which a person resumes a session's conversation by hand, if its provider has one.
#[must_use]
pub fn by_hand(profile: &Profile) -> Option<String> {
    let words = Provider::named(&profile.provider).ok()?.entry().resumes_by_hand?;
    Some(format!("{words} {}", profile.key))
}

/// All names as a list for people.
fn names() -> String {
    let names: Vec<&str> = Provider::ALL.iter().map(|provider| provider.name()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some(_) | None => names.concat(),
    }
}

/// The providers of one mission, each opened or with the reason why not.
#[derive(Debug, Clone)]
pub struct Providers(BTreeMap<Provider, Result<Arc<dyn SessionProvider>, Arc<str>>>);

impl Providers {
    /// Opens every provider that can be opened.
    #[must_use]
    pub fn open(options: &ProviderOptions) -> Providers {
        let open = |provider: &Provider| (*provider, (provider.entry().open)(options).map_err(Arc::from));
        Providers(Provider::ALL.iter().map(open).collect())
    }

    pub fn replace(&mut self, provider: Provider, opened: Arc<dyn SessionProvider>) {
        self.0.insert(provider, Ok(opened));
    }

    /// The provider of this name, if there is one and it could be opened.
    pub fn get(&self, name: &str) -> Result<&Arc<dyn SessionProvider>, String> {
        let provider = Provider::named(name).map_err(|unknown| unknown.to_string())?;
        match self.0.get(&provider) {
            Some(Ok(opened)) => Ok(opened),
            Some(Err(why)) => Err(why.to_string()),
            None => Err(format!("the provider {provider} was not opened")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name_and_no_other_name_is() {
        for provider in Provider::ALL {
            assert_eq!(Provider::named(provider.name()), Ok(*provider));
        }
        let unknown = Provider::named("codex").unwrap_err().to_string();
        assert!(unknown.starts_with("there is no provider `codex`; there are claude, api"), "{unknown}");
    }
}
