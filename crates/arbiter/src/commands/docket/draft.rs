//! What is asked, from flags, JSON or Markdown. All ways come to one draft, whose faults are told all at once; flags fill in
//! or replace what a text says of the whole.

use std::sync::Arc;

use docket::text::PetitionText;
use jiff::tz::TimeZone;
use mind::Timestamp;
use mind::petition::{Decision, DraftDecision, Petition, PetitionDraft, PetitionId, fields};
use serde_json::{Map, Value, json};

use crate::commands::cli::AskArgs;
use crate::commands::journal_position;

/// The longest part of a question that becomes an id.
const SLUG_CHARS_MAX: usize = 30;
/// The end of the year 9999: later moments cannot be written.
const LAST_MS: u64 = 253_402_300_799_000;

/// A draft and the id that it brings, or everything that is wrong with it.
pub(super) type Asked = Result<(PetitionDraft, Option<PetitionId>), Vec<String>>;

/// Who asks, if what is asked does not say.
pub(super) struct Defaults {
    /// By the command line or the environment.
    pub(super) agent: Option<String>,
    /// Who is logged in.
    pub(super) user: String,
    /// By the environment.
    pub(super) session: Option<String>,
}

/// One question by flags.
pub(super) fn from_flags(args: &AskArgs, defaults: &Defaults) -> Asked {
    let question = args.what.as_deref().or(args.flags.text("title")).unwrap_or_default();
    if question.trim().is_empty() {
        return Err(vec!["the question is missing".to_owned()]);
    }
    let mut decision = args.flags.decision.clone();
    decision.entry("id").or_insert_with(|| json!(slug(question)));
    decision.insert("title".to_owned(), json!(question));
    let mut sent = Map::new();
    sent.insert("title".to_owned(), json!(question));
    sent.insert("decisions".to_owned(), json!([decision]));
    from_json(sent, args, defaults)
}

/// A JSON object or a Markdown petition, whichever it is.
pub(super) fn from_text(text: &str, args: &AskArgs, defaults: &Defaults) -> Asked {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['{', '[']) {
        return from_markdown(text, args, defaults);
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(sent)) => from_json(sent, args, defaults),
        Ok(_) => Err(vec!["a petition must be a JSON object".to_owned()]),
        Err(error) => Err(vec![format!("it is not JSON: {error}")]),
    }
}

fn from_json(mut sent: Map<String, Value>, args: &AskArgs, defaults: &Defaults) -> Asked {
    fields::replace(&mut sent, &args.flags.petition);
    fields::fill_in(&mut sent, "agent", defaults.agent.as_ref().unwrap_or(&defaults.user));
    if let Some(session) = &defaults.session {
        fields::fill_in(&mut sent, "session", session);
    }
    let now = super::now();
    let draft = PetitionDraft::read(&Value::Object(sent), &|text| when(text, now))?;
    let overdue = draft.overdue(now);
    if overdue.is_empty() { Ok((draft, None)) } else { Err(overdue) }
}

/// A petition in the form of a file. What we would fill in may be missing: all of the frontmatter, too.
fn from_markdown(text: &str, args: &AskArgs, defaults: &Defaults) -> Asked {
    let (text, own_id) = whole(text);
    let now = super::now();
    let sheet = PetitionText::read(text.as_bytes(), now).map_err(|malformed| vec![malformed.to_string()])?;
    let mut draft = drafted(sheet.petition());
    let mut faults = draft.fill(&args.flags.petition, &|text| when(text, now));
    if &*draft.agent == UNSAID || draft.agent.is_empty() {
        draft.agent = Arc::from(defaults.agent.as_deref().unwrap_or(&defaults.user));
    }
    if draft.session.is_empty() {
        draft.session = Arc::from(defaults.session.as_deref().unwrap_or_default());
    }
    let id = &sheet.petition().id;
    let is_plain = id.0.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_'));
    if own_id && (!is_plain || id.0.chars().count() > mind::limits::NAME_CHARS_MAX) {
        faults.push(
            "`id` may have letters, digits, `-` and `_` only; leave it out and one is drawn".to_owned(),
        );
    }
    faults.extend(draft.overdue(now));
    faults.extend(draft.faults());
    if faults.is_empty() { Ok((draft, own_id.then(|| id.clone()))) } else { Err(faults) }
}

/// Stands where a text does not say it.
const UNSAID: &str = "arbiter-ask";

/// The text with everything that a file must have, and whether the id is its own.
fn whole(text: &str) -> (String, bool) {
    let mut lines = text.lines();
    let is_fenced = lines.next().is_some_and(|line| line.trim_end() == "---");
    let end = if is_fenced { lines.position(|line| line.trim_end() == "---") } else { None };
    if text.starts_with("---") && end.is_none() {
        // Neither with frontmatter nor without: what is wrong with it is for the reader to say.
        return (text.to_owned(), false);
    }
    let head: Vec<&str> = text.lines().skip(1).take(end.unwrap_or(0)).collect();
    let says =
        |key: &str| head.iter().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    let mut added = String::new();
    for (key, value) in [("id", UNSAID), ("agent", UNSAID), ("session", "\"\""), ("status", "pending")] {
        if !says(key) {
            added.push_str(&format!("{key}: {value}\n"));
        }
    }
    if !says("title") {
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        added.push_str(&format!("title: {}\n", json!(title.trim())));
    }
    let own_id = says("id");
    let whole = match text.strip_prefix("---").filter(|_| end.is_some()) {
        Some(rest) => {
            format!("---\n{added}{}", rest.trim_start_matches(['\r', ' ']).trim_start_matches('\n'))
        }
        None => format!("---\n{added}---\n\n{text}"),
    };
    (whole, own_id)
}

/// What a petition asks, without what became of it.
fn drafted(petition: &Petition) -> PetitionDraft {
    PetitionDraft {
        agent: Arc::clone(&petition.agent),
        session: Arc::clone(&petition.session),
        tag: Arc::clone(&petition.tag),
        title: Arc::clone(&petition.title),
        context: Arc::clone(&petition.context),
        priority: petition.priority,
        notify_session: petition.notify_session.clone(),
        // Only a mission says that it is one.
        mission: None,
        blocks: petition.blocks.clone(),
        deadline: petition.deadline,
        assignee: petition.assignee.clone(),
        escalate: petition.escalate.clone(),
        key: None,
        decisions: petition.decisions.iter().map(drafted_decision).collect(),
    }
}

fn drafted_decision(decision: &Decision) -> DraftDecision {
    DraftDecision {
        id: Arc::clone(&decision.id),
        title: Arc::clone(&decision.title),
        context: Arc::clone(&decision.context),
        options: decision.options.clone(),
        allow_custom: decision.allow_custom,
        multi: decision.multi,
        deadline: decision.deadline,
        default: decision.default.clone(),
        requires_human: decision.requires_human,
        digest: decision.digest.clone(),
        depends_on: decision.depends_on.clone(),
        assignee: decision.assignee.clone(),
    }
}

/// A moment, where the person is if it says no more, or a span from now.
pub(in crate::commands) fn when(written: &str, now: Timestamp) -> Option<Timestamp> {
    let written = written.trim();
    let at = |at: jiff::Timestamp| u64::try_from(at.as_millisecond()).ok();
    let span = journal_position::offset_ms(written).or_else(|| {
        let span: jiff::SignedDuration = written.parse().ok()?;
        u64::try_from(span.as_millis()).ok()
    });
    let ms = match span {
        Some(span) => now.0.checked_add(span).filter(|_| span > 0),
        None => match (written.parse::<jiff::Timestamp>(), written.parse::<jiff::civil::DateTime>()) {
            (Ok(found), _) => at(found),
            (Err(_), Ok(date)) => TimeZone::system().to_timestamp(date).ok().and_then(at),
            (Err(_), Err(_)) => None,
        },
    };
    ms.filter(|ms| *ms <= LAST_MS).map(Timestamp)
}

/// An id out of a question.
fn slug(question: &str) -> String {
    let mut slug = String::new();
    for sign in question.chars().flat_map(char::to_lowercase) {
        if sign.is_ascii_alphanumeric() {
            slug.push(sign);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug: String = slug.chars().take(SLUG_CHARS_MAX).collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "decision".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_moment_or_a_span() {
        let now = Timestamp(1_000_000);
        for (written, ms) in
            [("30m", 2_800_000), ("1h30m", 6_400_000), ("1h 30m", 6_400_000), ("2d", 173_800_000)]
        {
            assert_eq!(when(written, now), Some(Timestamp(ms)), "{written}");
        }
        assert_eq!(when("1970-01-01T00:00:01Z", now), Some(Timestamp(1_000)));
        for nonsense in ["", "soon", "-5m", "0s", "30", "1900-01-01T00:00:00Z", "99999999999h"] {
            assert_eq!(when(nonsense, now), None, "{nonsense}");
        }
    }

    #[test]
    fn an_id_comes_out_of_the_question() {
        assert_eq!(slug("Which database?"), "which-database");
        assert_eq!(slug("  C'est déjà 3:00 -- ok"), "c-est-d-j-3-00-ok");
        assert_eq!(slug("何？"), "decision");
        assert_eq!(slug(&"very ".repeat(50)).len(), 29);
    }

    #[test]
    fn what_a_text_leaves_out_is_filled_in() {
        let (text, own) = whole("# Title: \"it\"\n\n## Decision 1: Which?\n");
        assert!(!own);
        assert_eq!(
            text,
            "---\nid: arbiter-ask\nagent: arbiter-ask\nsession: \"\"\nstatus: pending\ntitle: \"Title: \\\"it\\\"\"\n---\n\n\
             # Title: \"it\"\n\n## Decision 1: Which?\n"
        );
        let (text, own) = whole("---\r\nid: mine\r\ntitle: T\r\n---\r\n# T\r\n");
        assert!(own && text.contains("\nid: mine\r\n") && !text.contains("id: arbiter-ask"), "{text}");
        assert_eq!(text.matches("title:").count(), 1);
        for odd in ["---\nno end of it\n", "---js\nid: 1\n---\n"] {
            assert_eq!(whole(odd), (odd.to_owned(), false));
        }
    }
}
