//! What a provider's program needs of the sandbox around it, as data: so the provider knows no sandbox, and the sandbox
//! knows no provider.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::access::Access;

/// What one provider's program needs.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct SandboxNeeds {
    /// Its own files: what it sees of them, and where it may write.
    pub files: Vec<(PathBuf, Access)>,
    /// What the commands that it runs see of these instead.
    pub command_files: Vec<(PathBuf, Access)>,
    /// What the user set for it in the place of what is inherited; passed on only if its name may be.
    pub overrides: Vec<(String, String)>,
    /// Variables that it gets beside those that every program may know.
    pub variables: Vec<(OsString, OsString)>,
    /// The variable that names a program to start each of its commands with, if it has such a variable. That program is
    /// given one word, a command line.
    pub command_prefix: Option<&'static str>,
    /// Keys that its commands must not find in any environment; `None` if it takes none this way.
    pub secrets: Option<Vec<SandboxSecret>>,
}

/// A key that is given to a program by a pipe.
#[derive(Clone, PartialEq, Eq)]
pub struct SandboxSecret {
    /// The variable that tells the program the number of the descriptor to read.
    pub variable: &'static str,
    pub value: String,
}

/// Shows variables by their names alone: some of them are tokens.
impl std::fmt::Debug for SandboxNeeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let overrides: Vec<&String> = self.overrides.iter().map(|(name, _)| name).collect();
        let variables: Vec<&OsString> = self.variables.iter().map(|(name, _)| name).collect();
        f.debug_struct("SandboxNeeds")
            .field("files", &self.files)
            .field("command_files", &self.command_files)
            .field("overrides", &overrides)
            .field("variables", &variables)
            .field("command_prefix", &self.command_prefix)
            .field("secrets", &self.secrets)
            .finish()
    }
}

impl std::fmt::Debug for SandboxSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SandboxSecret {{ variable: {:?} }}", self.variable)
    }
}
