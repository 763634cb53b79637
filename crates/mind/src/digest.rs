//! SHA-256 in lower-case hexadecimal digits: what answers, yeses, trust and files are bound to. Digests are stored, so the
//! value of one never changes.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// A digest in the making.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds bytes as they are: one after another they are the same as all of them at once.
    pub fn add(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// Adds a part after its length, so that no two lists of parts look alike.
    pub fn add_part(&mut self, part: impl AsRef<[u8]>) {
        self.add((part.as_ref().len() as u64).to_be_bytes());
        self.add(part);
    }

    /// The digest of all that was added.
    #[must_use]
    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }
}

/// The digest of bytes.
#[must_use]
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// The digest of parts in order, each after its length.
#[must_use]
pub fn of_parts(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    let mut digest = Digest::default();
    parts.into_iter().for_each(|part| digest.add_part(part));
    digest.hex()
}

/// Bytes as people compare them.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As FIPS 180-2 has it.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn it_is_what_everybody_else_computes() {
        assert_eq!(of("abc"), ABC);
        assert_eq!(of([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let mut digest = Digest::default();
        ["a", "", "bc"].into_iter().for_each(|bytes| digest.add(bytes));
        assert_eq!(digest.hex(), ABC);
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn parts_are_told_apart_by_their_lengths() {
        let written = b"\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\x02bc";
        assert_eq!(of_parts(["a", "bc"]), of(written));
        assert_ne!(of_parts(["ab", "c"]), of_parts(["a", "bc"]));
    }
}
