//! The form of one line, as bytes: writing it, sealing it with its checksum, and taking it apart by
//! hand. No JSON is parsed here except the mission's id. Knows nothing of files.

use std::io::Write;

use crate::limits;

/// A checksum as it stands in the file: eight lower-case hex characters.
pub(crate) type Crc = [u8; 8];

/// What the header is chained to.
pub(crate) const SEED: Crc = *b"00000000";

const SEAL_OPENS: &[u8] = br#","crc":""#;
const SEAL_CLOSES: &[u8] = br#""}"#;
/// How many bytes `,"crc":"9a8b7c6d"}` has.
pub(crate) const SEAL_BYTES: usize = SEAL_OPENS.len() + 8 + SEAL_CLOSES.len();

/// One entry's line, taken apart. The checksum is not compared yet.
pub(crate) struct EntryLine<'a> {
    pub(crate) seq: u64,
    pub(crate) left: u64,
    pub(crate) body: &'a [u8],
    pub(crate) sealed: Sealed<'a>,
}

/// A line and the checksum it claims.
pub(crate) struct Sealed<'a> {
    pub(crate) covered: &'a [u8],
    pub(crate) crc: Crc,
}

impl Sealed<'_> {
    pub(crate) fn holds_after(&self, previous: &Crc) -> bool {
        checksum(previous, self.covered) == self.crc
    }
}

/// What a header says.
pub(crate) enum Header {
    Known { mission: String },
    Newer { format: u32 },
}

/// Renders the first line.
pub(crate) fn render_header(mission: &str) -> (Vec<u8>, Crc) {
    let mission = serde_json::Value::from(mission);
    let mut line = format!(r#"{{"journal":{},"mission":{mission}"#, limits::FORMAT).into_bytes();
    let crc = seal(&mut line, 0, &SEED);
    (line, crc)
}

/// Adds one entry's line to `batch`.
pub(crate) fn render_entry(batch: &mut Vec<u8>, seq: u64, left: usize, body: &str, previous: &Crc) -> Crc {
    let start = batch.len();
    // Writing to a Vec cannot fail.
    let _ = write!(batch, r#"{{"seq":{seq},"left":{left},"entry":"#);
    batch.extend_from_slice(body.as_bytes());
    seal(batch, start, previous)
}

/// Takes a header apart; its checksum is compared first, so that a flipped bit does not pass for a
/// newer format.
pub(crate) fn parse_header(line: &[u8]) -> Option<(Header, Crc)> {
    let sealed = unseal(line).filter(|sealed| sealed.holds_after(&SEED))?;
    let (format, rest) = take_number(sealed.covered.strip_prefix(br#"{"journal":"#)?)?;
    let format = u32::try_from(format).ok()?;
    if format > limits::FORMAT {
        return Some((Header::Newer { format }, sealed.crc));
    }
    let mission = serde_json::from_slice(rest.strip_prefix(br#","mission":"#)?).ok()?;
    Some((Header::Known { mission }, sealed.crc))
}

/// Takes an entry's line (without its newline) apart.
pub(crate) fn parse_entry(line: &[u8]) -> Option<EntryLine<'_>> {
    let sealed = unseal(line)?;
    let (seq, rest) = take_number(sealed.covered.strip_prefix(br#"{"seq":"#)?)?;
    let (left, rest) = take_number(rest.strip_prefix(br#","left":"#)?)?;
    let body = rest.strip_prefix(br#","entry":"#)?;
    Some(EntryLine { seq, left, body, sealed })
}

/// Whether `bytes` are the end of a line that bears `crc`, with its newline.
pub(crate) fn ends_with_seal(bytes: &[u8], crc: &Crc) -> bool {
    bytes.strip_suffix(b"\n").and_then(unseal).is_some_and(|sealed| sealed.crc == *crc)
}

/// Whether `rest`, which has no newline, starts with a whole line that something else than a
/// newline follows. No write cut short leaves that: it is a finished line whose newline was
/// changed. NULs may follow, they are a lost page.
pub(crate) fn hides_a_line(rest: &[u8], previous: &Crc) -> bool {
    let mut hasher = start_checksum(previous);
    let mut hashed = 0;
    for at in 0..rest.len().saturating_sub(SEAL_BYTES) {
        let Some(crc) = read_seal(&rest[at..at + SEAL_BYTES]) else {
            continue;
        };
        hasher.update(&rest[hashed..at]);
        hashed = at;
        if to_hex(hasher.clone().finalize()) == crc {
            return rest[at + SEAL_BYTES..].iter().any(|byte| *byte != 0);
        }
    }
    false
}

/// Why `body` cannot stand in a line, if it cannot. That it is JSON all through is the caller's
/// word.
pub(crate) fn why_unfit(body: &str) -> Option<&'static str> {
    if !(body.starts_with('{') && body.ends_with('}')) {
        Some("a body has to be a json object")
    } else if body.bytes().any(|byte| byte < b' ') {
        Some("a body has to be one line without control characters")
    } else if body.len() > limits::LINE_BYTES_MAX - 128 {
        // The rest of the line, with its longest numbers, takes less than 128 bytes.
        Some("a body is too long")
    } else {
        None
    }
}

fn seal(lines: &mut Vec<u8>, start: usize, previous: &Crc) -> Crc {
    let crc = checksum(previous, &lines[start..]);
    lines.extend_from_slice(SEAL_OPENS);
    lines.extend_from_slice(&crc);
    lines.extend_from_slice(SEAL_CLOSES);
    lines.push(b'\n');
    crc
}

fn unseal(line: &[u8]) -> Option<Sealed<'_>> {
    let (covered, seal) = line.split_at_checked(line.len().checked_sub(SEAL_BYTES)?)?;
    Some(Sealed { covered, crc: read_seal(seal)? })
}

fn read_seal(seal: &[u8]) -> Option<Crc> {
    seal.strip_prefix(SEAL_OPENS)?.strip_suffix(SEAL_CLOSES)?.try_into().ok()
}

fn checksum(previous: &Crc, covered: &[u8]) -> Crc {
    let mut hasher = start_checksum(previous);
    hasher.update(covered);
    to_hex(hasher.finalize())
}

fn start_checksum(previous: &Crc) -> crc32fast::Hasher {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(previous);
    hasher
}

fn to_hex(number: u32) -> Crc {
    std::array::from_fn(|at| b"0123456789abcdef"[(number >> (28 - 4 * at)) as usize & 15])
}

fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut number = (digits > 0).then_some(0u64)?;
    for digit in &bytes[..digits] {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    Some((number, &bytes[digits..]))
}
