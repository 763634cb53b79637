//! Keys that an agent's program needs, and that the commands it runs must not find: they go down a pipe to the program
//! and stand neither in an environment nor on a command line, where every process of the user could read them.

use std::collections::BTreeMap;
#[cfg(target_os = "linux")]
use std::io::{self, Read};

use mind::sandbox_needs::SandboxSecret;

/// How long the line may be; each value must fit into a pipe as a whole.
#[cfg(target_os = "linux")]
const LINE_BYTES_MAX: usize = 64 * 1024;

/// The first line for the stdin of an agent whose purpose has secrets, with its line end.
#[must_use]
pub fn secrets_line(secrets: &[SandboxSecret]) -> String {
    let map: BTreeMap<&str, &str> =
        secrets.iter().map(|secret| (secret.variable, secret.value.as_str())).collect();
    let mut line = serde_json::to_string(&map).unwrap_or_else(|_| "{}".to_owned());
    line.push('\n');
    line
}

/// Takes the line off stdin, and not a byte more. Gives each value with the variable that is to name its descriptor.
#[cfg(target_os = "linux")]
pub(super) fn take(stdin: &mut impl Read) -> Result<Vec<(String, String)>, String> {
    let line = line(stdin).map_err(|error| format!("the secrets cannot be read: {error}"))?;
    let map: BTreeMap<String, String> =
        serde_json::from_slice(&line).map_err(|_| "the secrets cannot be read".to_owned())?;
    Ok(map.into_iter().collect())
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
        let secret = SandboxSecret { variable: "KEY_DESCRIPTOR", value: "k".to_owned() };
        let mut stdin = std::io::Cursor::new(format!("{}the protocol\n", secrets_line(&[secret])));
        assert_eq!(take(&mut stdin), Ok(vec![("KEY_DESCRIPTOR".to_owned(), "k".to_owned())]));
        let mut rest = String::new();
        stdin.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "the protocol\n");
    }

    #[test]
    fn a_wrong_line_says_nothing_of_its_content() {
        for line in ["sk-secret\n", "{\"KEY_DESCRIPTOR\": 7, \"x\": \"sk-secret\"}\n", "sk-secret"] {
            let error = take(&mut line.as_bytes()).unwrap_err();
            assert!(!error.contains("sk-secret"), "{error}");
        }
    }
}
