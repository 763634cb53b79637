//! The text of a message as the server keeps it: parsed, cleaned, trimmed, within its bounds, with entities that are in range.
//! After td's `fix_formatted_text` and `clean_input_string` (commits 000da35 and 02d645a).

use serde_json::{Value, json};

use super::html::parse_html;
use super::limits::{ENTITIES_MAX, TEXT_UNITS_MAX};
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;

/// A part of a text that looks or does something; places are UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEntity {
    /// As in the API: `bold`, `code`, `text_link` ...
    pub kind: String,
    pub offset: usize,
    pub length: usize,
    pub url: Option<String>,
    pub language: Option<String>,
}

/// A text with its entities.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FormattedText {
    pub(super) text: String,
    pub(super) entities: Vec<TextEntity>,
}

impl TextEntity {
    pub(super) fn new(kind: &str, offset: usize, length: usize) -> TextEntity {
        TextEntity { kind: kind.to_owned(), offset, length, url: None, language: None }
    }

    pub(super) fn json(&self) -> Value {
        let mut entity = json!({ "type": self.kind, "offset": self.offset, "length": self.length });
        if let Some(url) = &self.url {
            entity["url"] = json!(url);
        }
        if let Some(language) = self.language.as_ref().filter(|_| self.kind == "pre") {
            entity["language"] = json!(language);
        }
        entity
    }

    /// td's `is_splittable_entity`: these are counted after all others.
    fn is_style(&self) -> bool {
        ["bold", "italic", "underline", "strikethrough", "spoiler"].contains(&self.kind.as_str())
    }
}

/// Reads `text`, `parse_mode` and `entities`.
pub(super) fn read_text(parameters: &BotParameters) -> Result<FormattedText, ApiRefusal> {
    let text = parameters.text("text");
    if text.is_empty() {
        return Err(ApiRefusal::bad("message text is empty"));
    }
    let (text, entities) = match parameters.text("parse_mode").to_ascii_lowercase().as_str() {
        "" => (text, given_entities(parameters)?),
        "html" => {
            parse_html(&text).map_err(|why| ApiRefusal::bad(&format!("can't parse entities: {why}")))?
        }
        // The real one has Markdown and MarkdownV2 too; the fake does not.
        _ => return Err(ApiRefusal::bad("unsupported parse_mode")),
    };
    check_range(&text, &entities)?;
    let (text, entities) = trimmed(clean(&text, entities));
    if text.is_empty() {
        // Reported of the real one; td's source at that commit says "Message must be non-empty".
        return Err(ApiRefusal::bad("text must be non-empty"));
    }
    if text.encode_utf16().count() > TEXT_UNITS_MAX {
        return Err(ApiRefusal::bad("message is too long"));
    }
    Ok(FormattedText { text, entities: bounded(entities) })
}

fn given_entities(parameters: &BotParameters) -> Result<Vec<TextEntity>, ApiRefusal> {
    // Unverified: how the real one words what it cannot read here.
    let broken = || ApiRefusal::bad("can't parse entities: Can't parse MessageEntity");
    let given = parameters.json("entities").map_err(|_| broken())?.unwrap_or(Value::Array(Vec::new()));
    let mut entities = Vec::new();
    for entity in given.as_array().ok_or_else(broken)? {
        let number = |name: &str| usize::try_from(entity[name].as_i64()?).ok();
        let (Some(kind), Some(offset), Some(length)) =
            (entity["type"].as_str(), number("offset"), number("length"))
        else {
            return Err(broken());
        };
        let words = |name: &str| entity[name].as_str().map(str::to_owned);
        let mut read = TextEntity::new(kind, offset, length);
        (read.url, read.language) = (words("url"), words("language"));
        entities.push(read);
    }
    entities.retain(|entity| entity.length > 0);
    entities.sort_by_key(|entity| (entity.offset, usize::MAX - entity.length));
    Ok(entities)
}

/// td's `clean_input_string_with_entities`; its wording is unverified.
fn check_range(text: &str, entities: &[TextEntity]) -> Result<(), ApiRefusal> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_inside = |at: usize| units.get(at).is_some_and(|unit| (0xdc00..0xe000).contains(unit));
    for TextEntity { offset, length, .. } in entities {
        let end = offset + length;
        let what = if end > units.len() {
            format!("ends after the end of the text at UTF-16 offset {end}")
        } else if is_inside(*offset) || is_inside(end) {
            format!("ends in a middle of a UTF-16 symbol at byte offset {end}")
        } else {
            continue;
        };
        return Err(ApiRefusal::bad(&format!("entity beginning at UTF-16 offset {offset} {what}")));
    }
    Ok(())
}

/// Control characters become spaces; `\r`, line and direction controls (U+2028 to U+202E) and vertical lines go.
fn clean(text: &str, mut entities: Vec<TextEntity>) -> (String, Vec<TextEntity>) {
    let mut cleaned = String::with_capacity(text.len());
    // Where each code unit of the old text stands in the new one.
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = 0;
    for letter in text.chars() {
        places.extend(std::iter::repeat_n(at, letter.len_utf16()));
        match letter {
            '\r' | '\u{2028}'..='\u{202e}' | '\u{333}' | '\u{33f}' | '\u{30a}' => continue,
            '\0'..='\x09' | '\x0b'..='\x1f' => cleaned.push(' '),
            _ => cleaned.push(letter),
        }
        at += letter.len_utf16();
    }
    places.push(at);
    for entity in &mut entities {
        let end = places[entity.offset + entity.length];
        entity.offset = places[entity.offset];
        entity.length = end - entity.offset;
    }
    (cleaned, entities)
}

/// Spaces and newlines at the end go; those at the beginning up to the first entity. Entities of nothing but space go too.
fn trimmed((text, mut entities): (String, Vec<TextEntity>)) -> (String, Vec<TextEntity>) {
    let is_space = |letter: char| letter == ' ' || letter == '\n';
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_blank = |unit: &u16| *unit == u16::from(b' ') || *unit == u16::from(b'\n');
    entities.retain(|entity| !units[entity.offset..entity.offset + entity.length].iter().all(is_blank));
    let text = text.trim_end_matches(is_space);
    let end = text.encode_utf16().count();
    for entity in &mut entities {
        entity.length = entity.length.min(end - entity.offset);
    }
    let spaces = text.len() - text.trim_start_matches(is_space).len();
    let cut = spaces.min(entities.first().map_or(spaces, |entity| entity.offset));
    for entity in &mut entities {
        entity.offset -= cut;
    }
    (text[cut..].to_owned(), entities)
}

/// The first hundred, of which styles are the last to be counted.
fn bounded(entities: Vec<TextEntity>) -> Vec<TextEntity> {
    let others = entities.iter().filter(|entity| !entity.is_style()).count();
    let mut left = [ENTITIES_MAX.saturating_sub(others), ENTITIES_MAX];
    let fits = move |entity: &TextEntity| {
        let left = &mut left[usize::from(!entity.is_style())];
        let fits = *left > 0;
        *left = left.saturating_sub(1);
        fits
    };
    entities.into_iter().filter(fits).collect()
}
