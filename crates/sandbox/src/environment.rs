//! The environment of what runs inside: a short list of names, and nothing else. A token that stands in the user's shell
//! reaches nobody.

use std::ffi::{OsStr, OsString};

/// What every program may know: whose it is, the way to the network, where tools are and how they build.
const NAMES: &str = "
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR TZ
    http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE
    SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS CARGO_HTTP_CAINFO GIT_SSL_CAINFO
    CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS GOPATH GOROOT GOFLAGS GOPROXY GOTOOLCHAIN
    JAVA_HOME NVM_DIR NVM_BIN VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR PYENV_ROOT VIRTUAL_ENV
    CONDA_PREFIX RBENV_ROOT ASDF_DIR MISE_DATA_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH CC
    CXX AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CMAKE_PREFIX_PATH XDG_CONFIG_HOME XDG_DATA_HOME
    XDG_CACHE_HOME
";

/// What Claude Code may know beside. A token among these has no other way to it; the key has, see `secrets`.
const CLAUDE: &str = "
    ANTHROPIC_BASE_URL ANTHROPIC_MODEL ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_BETAS
    CLAUDE_CONFIG_DIR CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_TELEMETRY DISABLE_AUTOUPDATER
    DISABLE_ERROR_REPORTING API_TIMEOUT_MS IS_SANDBOX CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX
";

/// Lists of folders among all of these: a program looks for what it runs, loads or builds with there.
const LISTS: &str = "
    PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG_PATH
    CMAKE_PREFIX_PATH GOPATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB
";

/// For whoever has no other.
const USUAL_PATH: &str = "/usr/bin:/bin";

const BEDROCK: &str = "CLAUDE_CODE_USE_BEDROCK";
const VERTEX: &str = "CLAUDE_CODE_USE_VERTEX";

/// Of `inherited`, what may go inside: the list above, `LC_*`, and the names the user adds. A list of folders
/// loses what is not absolute: in the clone that would be a program or a library of the agent's choice.
///
/// For Claude Code a model's provider keeps the variables it needs, their keys among them: they have no other way.
pub fn environment(
    inherited: impl IntoIterator<Item = (OsString, OsString)>,
    extra_names: &[String],
    for_claude: bool,
) -> Vec<(OsString, OsString)> {
    let inherited: Vec<(OsString, OsString)> = inherited.into_iter().collect();
    let has = |name: &str| inherited.iter().any(|(found, value)| found == name && !is_off(value));
    let (bedrock, vertex) = (for_claude && has(BEDROCK), for_claude && has(VERTEX));
    let may = |name: &OsStr| {
        let Some(name) = name.to_str() else { return false };
        let is_model = name.starts_with("ANTHROPIC_") && name.ends_with("_MODEL");
        let is_bedrock = name.starts_with("AWS_") || name == "ANTHROPIC_BEDROCK_BASE_URL";
        let is_vertex = ["GOOGLE_", "CLOUD_ML_", "VERTEX_", "ANTHROPIC_VERTEX_"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        is_among(NAMES, name)
            || name.starts_with("LC_")
            || extra_names.iter().any(|extra| extra == name)
            || for_claude && (is_among(CLAUDE, name) || is_model)
            || bedrock && (is_bedrock || name == "CLAUDE_CODE_SKIP_BEDROCK_AUTH")
            || vertex && (is_vertex || name == "CLAUDE_CODE_SKIP_VERTEX_AUTH")
    };
    let kept = inherited.iter().filter(|(name, _)| may(name)).cloned();
    kept.filter_map(|(name, value)| match name.to_str() {
        Some(list) if is_among(LISTS, list) => absolute(list, &value).map(|value| (name, value)),
        Some(_) | None => Some((name, value)),
    })
    .collect()
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

fn is_off(value: &OsStr) -> bool {
    value.is_empty() || value == "0" || value == "false"
}

/// The absolute entries of a list. An empty list is none: for many programs it would mean the folder they are in.
fn absolute(name: &str, list: &OsStr) -> Option<OsString> {
    let entries = std::env::split_paths(list).filter(|entry| entry.is_absolute());
    let kept = std::env::join_paths(entries).ok().filter(|kept| !kept.is_empty());
    kept.or_else(|| (name == "PATH").then(|| USUAL_PATH.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(&str, &str)], extra: &[&str], for_claude: bool) -> String {
        let pairs = pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let extra: Vec<String> = extra.iter().map(|name| (*name).to_owned()).collect();
        let kept = environment(pairs, &extra, for_claude);
        kept.iter().map(|(name, value)| format!("{}={} ", name.display(), value.display())).collect()
    }

    #[test]
    fn only_the_list_goes_inside() {
        let all = [
            ("PATH", "/usr/bin:.::bin:/bin"),
            ("LC_ALL", "C"),
            ("GITHUB_TOKEN", "canary"),
            ("LD_PRELOAD", "/x.so"),
            ("SSH_AUTH_SOCK", "/x"),
            ("AWS_SECRET_ACCESS_KEY", "canary"),
            ("ANTHROPIC_API_KEY", "canary"),
            ("CLAUDE_CODE_OAUTH_TOKEN", "canary"),
            ("ANTHROPIC_BASE_URL", "u"),
            ("ANTHROPIC_DEFAULT_OPUS_MODEL", "m"),
            ("DATABASE_URL", "d"),
        ];
        assert_eq!(names(&all, &[], false), "PATH=/usr/bin:/bin LC_ALL=C ");
        assert_eq!(
            names(&all, &["DATABASE_URL"], true),
            "PATH=/usr/bin:/bin LC_ALL=C ANTHROPIC_BASE_URL=u ANTHROPIC_DEFAULT_OPUS_MODEL=m DATABASE_URL=d "
        );
    }

    #[test]
    fn no_list_leads_to_the_folder_that_is_worked_in() {
        let lists =
            [("PATH", ".:"), ("LD_LIBRARY_PATH", "/lib::lib"), ("CPATH", ":"), ("PYTHONPATH", "src:/x")];
        assert_eq!(
            names(&lists, &["PYTHONPATH"], false),
            "PATH=/usr/bin:/bin LD_LIBRARY_PATH=/lib PYTHONPATH=/x "
        );
    }

    #[test]
    fn a_models_provider_keeps_what_it_needs_while_it_is_used() {
        let bedrock = [("CLAUDE_CODE_USE_BEDROCK", "1"), ("AWS_REGION", "r"), ("GOOGLE_CLOUD_PROJECT", "p")];
        assert_eq!(names(&bedrock, &[], true), "CLAUDE_CODE_USE_BEDROCK=1 AWS_REGION=r ");
        assert_eq!(names(&bedrock, &[], false), "");
        let vertex = [("CLAUDE_CODE_USE_VERTEX", "1"), ("CLOUD_ML_REGION", "r"), ("AWS_REGION", "r")];
        assert_eq!(names(&vertex, &[], true), "CLAUDE_CODE_USE_VERTEX=1 CLOUD_ML_REGION=r ");
        assert_eq!(
            names(&[("CLAUDE_CODE_USE_BEDROCK", "0"), ("AWS_REGION", "r")], &[], true),
            "CLAUDE_CODE_USE_BEDROCK=0 "
        );
    }
}
