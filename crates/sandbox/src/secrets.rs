//! Keys that an agent's program needs, and that the commands it runs must not find: they go down a pipe to the program
//! and stand neither in an environment nor on a command line, where every process of the user could read them.

use std::collections::BTreeMap;
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::io::{self, Read};

/// A secret's usual variable, and the one that names a descriptor to read it from.
const WAYS: [(&str, &str); 2] = [
    ("ANTHROPIC_API_KEY", "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR"),
    ("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR"),
];

/// How long the line may be; each value must fit into a pipe as a whole.
#[cfg(target_os = "linux")]
const LINE_BYTES_MAX: usize = 64 * 1024;

/// The secrets in an environment that can go by descriptor.
pub fn secrets(inherited: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<(String, String)> {
    let pairs = inherited.into_iter().filter_map(|(name, value)| {
        Some((name.into_string().ok()?, value.into_string().ok().filter(|value| !value.is_empty())?))
    });
    pairs.filter(|(name, _)| WAYS.iter().any(|(known, _)| known == name)).collect()
}

/// The first line for the stdin of an agent whose purpose has secrets, with its line end.
#[must_use]
pub fn secrets_line(secrets: &[(String, String)]) -> String {
    let map: BTreeMap<&str, &str> =
        secrets.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut line = serde_json::to_string(&map).unwrap_or_else(|_| "{}".to_owned());
    line.push('\n');
    line
}

/// Takes the line off stdin, and not a byte more. Gives each value with the variable that is to name its descriptor.
#[cfg(target_os = "linux")]
pub(super) fn take(stdin: &mut impl Read) -> Result<Vec<(&'static str, String)>, String> {
    let line = line(stdin).map_err(|error| format!("the secrets cannot be read: {error}"))?;
    let map: BTreeMap<String, String> =
        serde_json::from_slice(&line).map_err(|_| "the secrets cannot be read".to_owned())?;
    let way = |name: &str| WAYS.iter().find(|(known, _)| *known == name).map(|(_, way)| *way);
    map.into_iter()
        .map(|(name, value)| {
            Ok((way(&name).ok_or_else(|| format!("there is no way to give {name}"))?, value))
        })
        .collect()
}

#[cfg(target_os = "linux")]
fn line(stdin: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        stdin.read_exact(&mut byte)?;
        if byte == *b"\n" {
            return Ok(line);
        }
        if line.len() == LINE_BYTES_MAX {
            return Err(io::Error::other("the line is too long"));
        }
        line.push(byte[0]);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_line_is_taken() {
        let inherited = [("ANTHROPIC_API_KEY", "k"), ("OTHER", "x"), ("CLAUDE_CODE_OAUTH_TOKEN", "")];
        let found = secrets(inherited.map(|(name, value)| (name.into(), value.into())));
        let mut stdin = std::io::Cursor::new(format!("{}the protocol\n", secrets_line(&found)));
        assert_eq!(take(&mut stdin), Ok(vec![("CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR", "k".to_owned())]));
        let mut rest = String::new();
        stdin.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "the protocol\n");
    }

    #[test]
    fn a_wrong_line_says_nothing_of_its_content() {
        for line in ["sk-secret\n", "{\"ANTHROPIC_API_KEY\": 7, \"x\": \"sk-secret\"}\n", "sk-secret"] {
            let error = take(&mut line.as_bytes()).unwrap_err();
            assert!(!error.contains("sk-secret"), "{error}");
        }
    }
}
