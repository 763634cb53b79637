//! Every provider there is: one row each. A name that a configuration, an agent's file or a journal says is looked up
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
    /// How people, files and journals call it.
    pub name: &'static str,
    /// What its sessions can do.
    pub capabilities: Capabilities,
    /// Whether its sessions have tools. Without, it can be the Arbiter and decide, but not work.
    pub works: bool,
    /// Whether it plays a script that has to be named.
    pub plays_script: bool,
    /// Whether it starts a process to answer a model call.
    pub answers_by_process: bool,
    /// Whether what runs in its sessions is somebody's real agent, which a sandbox has to hold.
    pub is_real: bool,
    /// The words before a session's key with which a person takes its conversation up by hand, if that can be done.
    pub resumes_by_hand: Option<&'static str>,
    /// Opens it for one mission, or says why that cannot be.
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
            /// All of them, in the order in which they are told.
            pub const ALL: &[Provider] = &[$($(#[$row])* Provider::$provider,)*];

            /// Its row.
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

/// A name that no provider has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no provider `{name}`; there are {}", names())]
pub struct UnknownProvider {
    /// The name.
    pub name: String,
}

impl Provider {
    /// The provider of this name.
    pub fn named(name: &str) -> Result<Provider, UnknownProvider> {
        let found = Provider::ALL.iter().copied().find(|provider| provider.name() == name);
        found.ok_or_else(|| UnknownProvider { name: name.to_owned() })
    }

    /// How people, files and journals call it.
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

/// What a person types to take a session's conversation up by hand, if its provider has such words.
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
    /// Opens all that can be opened.
    #[must_use]
    pub fn open(options: &ProviderOptions) -> Providers {
        let open = |provider: &Provider| (*provider, (provider.entry().open)(options).map_err(Arc::from));
        Providers(Provider::ALL.iter().map(open).collect())
    }

    /// Puts another in the place of one of them.
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
