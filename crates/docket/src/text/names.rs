//! The names of petition fields: how other programs spell them, and which of them Arbiter reads.

/// Our spelling of a field's name.
pub(super) fn canonical(name: &str) -> &str {
    match name {
        "createdAt" => "created_at",
        "updatedAt" => "updated_at",
        "completedAt" => "completed_at",
        "notifySession" => "notify_session",
        "answeredAt" => "answered_at",
        "answeredBy" => "answered_by",
        "allowCustom" => "allow_custom",
        "dependsOn" => "depends_on",
        "requiresHuman" => "requires_human",
        _ => name,
    }
}

/// It means something in the frontmatter.
pub(super) fn is_petition_field(name: &str) -> bool {
    const FIELDS: [&str; 20] = [
        "id",
        "agent",
        "session",
        "tag",
        "title",
        "priority",
        "status",
        "created_at",
        "updated_at",
        "completed_at",
        "total",
        "answered",
        "remaining",
        "notify_session",
        "mission",
        "blocks",
        "deadline",
        "assignee",
        "escalate",
        "decisions",
    ];
    FIELDS.contains(&name) || name == "reason"
}

/// It means something among the fields of a decision.
pub(super) fn is_decision_field(name: &str) -> bool {
    const FIELDS: [&str; 18] = [
        "id",
        "status",
        "answer",
        "answered_at",
        "answered_by",
        "via",
        "instead_of",
        "skipped",
        "late",
        "allow_custom",
        "multi",
        "deadline",
        "default",
        "requires",
        "requires_human",
        "digest",
        "depends_on",
        "assignee",
    ];
    FIELDS.contains(&name)
}

/// A foreign text with blanks for control characters, so that it can stand in one of our sentences.
pub(super) fn harmless(text: &str) -> String {
    let dull = |sign: char| {
        sign.is_control()
            || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    text.chars().map(|sign| if dull(sign) { ' ' } else { sign }).collect()
}
