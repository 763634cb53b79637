//! The form of one line, as bytes: writing it, closing it with its checksum (and the seal, where a batch ends), and
//! taking it apart by hand. No JSON is parsed here except the mission's id. Knows nothing of files.

use std::io::Write;

use crate::{
    key::{FIRST, HEX, JournalKey, Seal, Sealing},
    limits,
};

const TOO_LONG: &str = "the batch is too long";

/// A checksum as it stands in the file: eight lower-case hex characters.
pub(crate) type Crc = [u8; 8];

/// What the header's checksum is chained to.
pub(crate) const SEED: Crc = *b"00000000";

const CRC_OPENS: &[u8] = br#","crc":""#;
const CRC_CLOSES: &[u8] = br#""}"#;
/// How many bytes `,"crc":"9a8b7c6d"}` has.
const CRC_BYTES: usize = CRC_OPENS.len() + 8 + CRC_CLOSES.len();

const SEAL_OPENS: &[u8] = br#","seal":""#;
const SEAL_CLOSES: &[u8] = br#"""#;
const SEAL_BYTES: usize = SEAL_OPENS.len() + 64 + SEAL_CLOSES.len();

/// How many bytes the end of a header or of a batch has: seal, checksum and newline.
pub(crate) const CLOSING_BYTES: usize = SEAL_BYTES + CRC_BYTES + 1;

/// Both chains at one place: the checksum of the last line, and the seal of the last batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) crc: Crc,
    pub(crate) seal: Seal,
}

/// One entry's line, taken apart. Neither checksum nor seal is compared yet.
pub(crate) struct EntryLine<'a> {
    pub(crate) seq: u64,
    pub(crate) left: u64,
    pub(crate) body: &'a [u8],
    pub(crate) checked: Checked<'a>,
    /// Where the line closes its batch.
    pub(crate) sealed: Option<Sealed<'a>>,
}

/// A line and the checksum it claims.
pub(crate) struct Checked<'a> {
    covered: &'a [u8],
    pub(crate) crc: Crc,
}

impl Checked<'_> {
    pub(crate) fn is_valid_after(&self, previous: &Crc) -> bool {
        checksum(previous, self.covered) == self.crc
    }
}

/// A line and the seal it claims.
pub(crate) struct Sealed<'a> {
    /// What the seal covers of this line.
    pub(crate) covered: &'a [u8],
    pub(crate) seal: Seal,
}

/// What a header says.
pub(crate) enum Header {
    Known { mission: String, links: Links, is_ours: bool },
    Other { format: u32 },
}

/// Renders the first line.
pub(crate) fn render_header(mission: &str, key: &JournalKey) -> (Vec<u8>, Links) {
    let mission = serde_json::Value::from(mission);
    let mut line = format!(r#"{{"journal":{},"mission":{mission}"#, limits::FORMAT).into_bytes();
    let mut sealing = key.seal_after(&FIRST);
    sealing.add(&line);
    let seal = close_batch(&mut line, sealing);
    let crc = close_line(&mut line, 0, &SEED);
    (line, Links { crc, seal })
}

/// Renders a batch whose first entry is number `first`. Stops with what is wrong with it, if something is.
pub(crate) fn render_batch(
    first: u64,
    bodies: &[impl AsRef<str>],
    previous: &Links,
    key: &JournalKey,
) -> Result<(Vec<u8>, Links), &'static str> {
    let mut batch = Vec::new();
    let Links { mut crc, mut seal } = *previous;
    for ((seq, body), left) in (first..).zip(bodies).zip((0..bodies.len()).rev()) {
        let body = body.as_ref();
        if let Some(what) = why_unfit(body) {
            return Err(what);
        }
        let start = batch.len();
        // Writing to a Vec cannot fail.
        let _ = write!(batch, r#"{{"seq":{seq},"left":{left},"entry":"#);
        batch.extend_from_slice(body.as_bytes());
        if left == 0 {
            let mut sealing = key.seal_after(&seal);
            sealing.add(&batch);
            seal = close_batch(&mut batch, sealing);
        }
        crc = close_line(&mut batch, start, &crc);
        if batch.len() > limits::BATCH_BYTES_MAX {
            return Err(TOO_LONG);
        }
    }
    Ok((batch, Links { crc, seal }))
}

/// The format that a header names, of whatever format it is. Its checksum is compared first, so that a flipped bit does
/// not pass for another format.
pub(crate) fn parse_format(line: &[u8]) -> Option<u32> {
    let checked = take_crc(line).filter(|checked| checked.is_valid_after(&SEED))?;
    let (format, _) = take_number(checked.covered.strip_prefix(br#"{"journal":"#)?)?;
    u32::try_from(format).ok()
}

/// Takes a header apart.
pub(crate) fn parse_header(line: &[u8], key: &JournalKey) -> Option<Header> {
    let format = parse_format(line)?;
    let checked = take_crc(line)?;
    if format != limits::FORMAT {
        return Some(Header::Other { format });
    }
    let sealed = take_seal(checked.covered)?;
    let (_, rest) = take_number(sealed.covered.strip_prefix(br#"{"journal":"#)?)?;
    let mission = serde_json::from_slice(rest.strip_prefix(br#","mission":"#)?).ok()?;
    let mut sealing = key.seal_after(&FIRST);
    sealing.add(sealed.covered);
    let links = Links { crc: checked.crc, seal: sealed.seal };
    Some(Header::Known { mission, links, is_ours: sealing.is(&sealed.seal) })
}

/// Takes an entry's line (without its newline) apart.
pub(crate) fn parse_entry(line: &[u8]) -> Option<EntryLine<'_>> {
    let checked = take_crc(line)?;
    let (seq, rest) = take_number(checked.covered.strip_prefix(br#"{"seq":"#)?)?;
    let (left, rest) = take_number(rest.strip_prefix(br#","left":"#)?)?;
    let body = rest.strip_prefix(br#","entry":"#)?;
    if left > 0 {
        return Some(EntryLine { seq, left, body, checked, sealed: None });
    }
    let sealed = take_seal(checked.covered)?;
    let body = body.get(..body.len().checked_sub(SEAL_BYTES)?)?;
    Some(EntryLine { seq, left, body, checked, sealed: Some(sealed) })
}

/// Whether `bytes` are the end of a line that closes a batch with `links`, with its newline.
pub(crate) fn ends_with(bytes: &[u8], links: &Links) -> bool {
    let Some(checked) = bytes.strip_suffix(b"\n").and_then(take_crc) else { return false };
    checked.crc == links.crc && take_seal(checked.covered).is_some_and(|sealed| sealed.seal == links.seal)
}

/// Whether `rest`, which has no newline, starts with a whole line that something else than a
/// newline follows. No write cut short leaves that: it is a finished line whose newline was
/// changed. NULs may follow, they are a lost page.
pub(crate) fn hides_a_line(rest: &[u8], previous: &Crc) -> bool {
    let mut hasher = start_checksum(previous);
    let mut hashed = 0;
    for at in 0..rest.len().saturating_sub(CRC_BYTES) {
        let Some(crc) = read_crc(&rest[at..at + CRC_BYTES]) else {
            continue;
        };
        hasher.update(&rest[hashed..at]);
        hashed = at;
        if to_hex(hasher.clone().finalize()) == crc {
            return rest[at + CRC_BYTES..].iter().any(|byte| *byte != 0);
        }
    }
    false
}

/// Why `bodies` cannot be a batch of any store, if they cannot.
pub(crate) fn why_unfit_batch(bodies: &[String]) -> Option<&'static str> {
    let unfit = bodies.iter().find_map(|body| why_unfit(body));
    let bytes: usize = bodies.iter().map(String::len).sum();
    unfit.or_else(|| (bytes > limits::BATCH_BYTES_MAX).then_some(TOO_LONG))
}

/// Why `body` cannot stand in a line, if it cannot. The caller promises that it is valid JSON.
fn why_unfit(body: &str) -> Option<&'static str> {
    if !(body.starts_with('{') && body.ends_with('}')) {
        Some("a body has to be a json object")
    } else if body.bytes().any(|byte| byte < b' ') {
        Some("a body has to be one line without control characters")
    } else if body.len() > limits::LINE_BYTES_MAX - 256 {
        // The rest of the line, with its longest numbers, takes less than 256 bytes.
        Some("a body is too long")
    } else {
        None
    }
}

fn close_batch(lines: &mut Vec<u8>, sealing: Sealing) -> Seal {
    let seal = sealing.finish();
    lines.extend_from_slice(SEAL_OPENS);
    lines.extend_from_slice(&seal);
    lines.extend_from_slice(SEAL_CLOSES);
    seal
}

fn close_line(lines: &mut Vec<u8>, start: usize, previous: &Crc) -> Crc {
    let crc = checksum(previous, &lines[start..]);
    lines.extend_from_slice(CRC_OPENS);
    lines.extend_from_slice(&crc);
    lines.extend_from_slice(CRC_CLOSES);
    lines.push(b'\n');
    crc
}

fn take_crc(line: &[u8]) -> Option<Checked<'_>> {
    let (covered, crc) = line.split_at_checked(line.len().checked_sub(CRC_BYTES)?)?;
    Some(Checked { covered, crc: read_crc(crc)? })
}

fn read_crc(bytes: &[u8]) -> Option<Crc> {
    bytes.strip_prefix(CRC_OPENS)?.strip_suffix(CRC_CLOSES)?.try_into().ok()
}

fn take_seal(line: &[u8]) -> Option<Sealed<'_>> {
    let (covered, seal) = line.split_at_checked(line.len().checked_sub(SEAL_BYTES)?)?;
    let seal = seal.strip_prefix(SEAL_OPENS)?.strip_suffix(SEAL_CLOSES)?.try_into().ok()?;
    Some(Sealed { covered, seal })
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
    std::array::from_fn(|at| HEX[(number >> (28 - 4 * at)) as usize & 15])
}

fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut number = (digits > 0).then_some(0u64)?;
    for digit in &bytes[..digits] {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    Some((number, &bytes[digits..]))
}
