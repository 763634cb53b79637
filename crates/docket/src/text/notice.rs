//! The notification that the asker's session finds when its petition is closed: a small file with the answers.

use mind::digest;
use mind::petition::{AnswerChoice, Petition, PetitionStatus};

use super::scalar;

/// The longest part of a name that comes from an id, in signs.
const PART_SIGNS_MAX: usize = 64;

/// The file name and the text; none while the petition is open or if no session wants to hear of it.
pub(super) fn notification(petition: &Petition) -> Option<(String, String)> {
    let session = petition.notify_session.as_deref().filter(|session| !session.is_empty())?;
    let closed = petition.closed.as_ref()?;
    let hash: String = base64url(session.as_bytes()).chars().take(12).collect();
    let name = format!("{hash}-{}.md", path_part(&petition.id.0));
    let mut text = String::from("---\n");
    let mut put = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
    put("plan_id", scalar::word(&petition.id.0));
    put("plan_title", scalar::quote(&petition.title));
    put("agent", scalar::word(&petition.agent));
    put("session", scalar::word(&petition.session));
    put("notify_session", scalar::word(session));
    put("completed_at", closed.at.utc());
    if petition.status() != PetitionStatus::Completed {
        put("status", petition.status().word().to_owned());
        if let Some(why) = &closed.why {
            put("reason", scalar::quote(why));
        }
    }
    text.push_str("---\n\n## Answers\n\n");
    let lines = |late: bool| {
        let given =
            petition.decisions.iter().filter_map(|decision| Some((decision, decision.answer.as_ref()?)));
        let given = given.filter(move |(_, given)| given.late == late);
        given.map(|(decision, given)| line(&decision.id, &given.choice)).collect::<String>()
    };
    text.push_str(&lines(false));
    let late = lines(true);
    if !late.is_empty() {
        let gap = if text.ends_with("\n\n") { "" } else { "\n" };
        text.push_str(&format!("{gap}## Late answers\n\n{late}"));
    }
    Some((name, text))
}

/// One answer on one line, whatever is in it.
fn line(id: &str, choice: &AnswerChoice) -> String {
    let mut line = format!("- {id}: ");
    for sign in choice.text().chars() {
        match sign {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push('\t'),
            '\u{2028}' | '\u{2029}' => line.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ if sign.is_control() => line.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ => line.push(sign),
        }
    }
    line.push('\n');
    line
}

/// A petition's id as a part of a file name: letters, digits, `-` and `_`. No path can be smuggled through it, and two ids
/// never become the same part.
pub fn path_part(id: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
    if !id.is_empty() && id.len() <= PART_SIGNS_MAX && id.chars().all(is_plain) {
        return id.to_owned();
    }
    let mut part = String::new();
    for sign in id.chars().take(PART_SIGNS_MAX / 2) {
        if is_plain(sign) {
            part.push(sign);
        } else if !part.is_empty() && !part.ends_with('-') {
            part.push('-');
        }
    }
    let hash = &digest::of(id)[..12];
    let part = part.trim_matches('-');
    if part.is_empty() { format!("petition-{hash}") } else { format!("{part}-{hash}") }
}

/// Base64 with the signs that names may have, without padding.
fn base64url(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for at in 0..=chunk.len() {
            let six = (bits >> (18 - 6 * at)) & 63;
            text.push(char::from(SIGNS[six as usize]));
        }
    }
    text
}
