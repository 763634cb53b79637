//! The environment of programs inside the sandbox: a short list of variables, and nothing else. A token that stands in
//! the user's shell reaches no program inside.

use std::ffi::{OsStr, OsString};

/// What every program may see: the user, the way to the network, where tools are and how they build.
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

/// Lists of folders among all of these: a program looks for what it runs, loads or builds with there.
const LISTS: &str = "
    PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG_PATH
    CMAKE_PREFIX_PATH GOPATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB
";

/// The `PATH` for a user who has none.
const USUAL_PATH: &str = "/usr/bin:/bin";

/// Of `inherited`, what may go inside: the list above, `LC_*`, and the names the user adds. A list of folders
/// loses what is not absolute: in the clone that would be a program or a library of the agent's choice.
pub fn environment(
    inherited: impl IntoIterator<Item = (OsString, OsString)>,
    extra_names: &[String],
) -> Vec<(OsString, OsString)> {
    let may = |name: &OsStr| {
        let Some(name) = name.to_str() else { return false };
        is_among(NAMES, name) || name.starts_with("LC_") || extra_names.iter().any(|extra| extra == name)
    };
    let kept = inherited.into_iter().filter(|(name, _)| may(name));
    kept.filter_map(|(name, value)| match name.to_str() {
        Some(list) if is_among(LISTS, list) => absolute(list, &value).map(|value| (name, value)),
        Some(_) | None => Some((name, value)),
    })
    .collect()
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
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

    fn names(pairs: &[(&str, &str)], extra: &[&str]) -> String {
        let pairs = pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let extra: Vec<String> = extra.iter().map(|name| (*name).to_owned()).collect();
        let kept = environment(pairs, &extra);
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
            ("SOME_API_KEY", "canary"),
            ("DATABASE_URL", "d"),
        ];
        assert_eq!(names(&all, &[]), "PATH=/usr/bin:/bin LC_ALL=C ");
        assert_eq!(names(&all, &["DATABASE_URL"]), "PATH=/usr/bin:/bin LC_ALL=C DATABASE_URL=d ");
    }

    #[test]
    fn no_list_leads_to_the_folder_that_is_worked_in() {
        let lists =
            [("PATH", ".:"), ("LD_LIBRARY_PATH", "/lib::lib"), ("CPATH", ":"), ("PYTHONPATH", "src:/x")];
        assert_eq!(names(&lists, &["PYTHONPATH"]), "PATH=/usr/bin:/bin LD_LIBRARY_PATH=/lib PYTHONPATH=/x ");
    }
}
