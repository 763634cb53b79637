//! The key that seals batches. Only a program that has it can write a journal that is believed; this crate receives the
//! bytes from its caller and shows them nowhere.

use std::{fmt, sync::Arc};

use ring::hmac;

/// A seal as it stands in the file: an HMAC-SHA-256 in lower-case hex.
pub(crate) type Seal = [u8; 64];

/// What the header's seal is chained to.
pub(crate) const FIRST: Seal = [b'0'; 64];

/// The secret of one user's journals. Clones share it.
#[derive(Clone)]
pub struct JournalKey {
    key: Arc<hmac::Key>,
}

impl JournalKey {
    /// How many bytes a key has.
    pub const BYTES: usize = 32;

    /// The key made of these bytes.
    pub fn new(bytes: &[u8; JournalKey::BYTES]) -> JournalKey {
        JournalKey { key: Arc::new(hmac::Key::new(hmac::HMAC_SHA256, bytes)) }
    }

    /// Begins the seal that follows `previous`.
    pub(crate) fn seal_after(&self, previous: &Seal) -> Sealing {
        let mut sealing = Sealing { context: hmac::Context::with_key(&self.key) };
        sealing.add(previous);
        sealing
    }
}

impl fmt::Debug for JournalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JournalKey(..)")
    }
}

/// A seal in the making.
#[derive(Clone)]
pub(crate) struct Sealing {
    context: hmac::Context,
}

impl Sealing {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.context.update(bytes);
    }

    pub(crate) fn finish(self) -> Seal {
        let tag = self.context.sign();
        let mut seal = FIRST;
        for (pair, byte) in seal.chunks_exact_mut(2).zip(tag.as_ref()) {
            pair[0] = HEX[usize::from(byte >> 4)];
            pair[1] = HEX[usize::from(byte & 15)];
        }
        seal
    }

    /// Whether this is the seal, in a time that does not say how much of it is right.
    pub(crate) fn is(self, claimed: &Seal) -> bool {
        self.finish().iter().zip(claimed).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
    }
}

impl fmt::Debug for Sealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealing(..)")
    }
}

pub(crate) const HEX: &[u8; 16] = b"0123456789abcdef";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_the_hmac_of_rfc_4231() {
        // Its third case, with the key filled up to the block: HMAC pads with zeros, so it is the same key.
        let mut bytes = [0; JournalKey::BYTES];
        bytes[..20].fill(0xaa);
        let mut sealing = Sealing { context: hmac::Context::with_key(&JournalKey::new(&bytes).key) };
        sealing.add(&[0xdd; 20]);
        sealing.add(&[0xdd; 30]);
        assert_eq!(
            str::from_utf8(&sealing.finish()),
            Ok("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        );
    }

    #[test]
    fn one_wrong_sign_breaks_a_seal() {
        let key = JournalKey::new(&[7; 32]);
        let seal = key.seal_after(&FIRST).finish();
        assert!(key.seal_after(&FIRST).is(&seal));
        for at in 0..seal.len() {
            let mut wrong = seal;
            wrong[at] ^= 1;
            assert!(!key.seal_after(&FIRST).is(&wrong));
        }
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = JournalKey::new(&[0x61; 32]);
        assert_eq!(format!("{key:?} {:?}", key.seal_after(&FIRST)), "JournalKey(..) Sealing(..)");
    }
}
