//! HTML as the real server reads it: every text of an error, and what counts as one, is that of td's `parse_html`
//! (td/telegram/MessageEntity.cpp, commit 000da35). `expandable` is newer: "`<blockquote expandable>`" in
//! core.telegram.org/bots/api#html-style; that other attributes without a value are refused is unverified for newer servers.

use super::text::TextEntity;

const TAGS: [&str; 16] = [
    "a",
    "b",
    "strong",
    "i",
    "em",
    "s",
    "strike",
    "del",
    "u",
    "ins",
    "tg-spoiler",
    "tg-emoji",
    "span",
    "pre",
    "code",
    "blockquote",
];

/// The text without its tags, and what they said.
pub(super) fn parse_html(html: &str) -> Result<(String, Vec<TextEntity>), String> {
    let mut parser = HtmlParser { html: html.as_bytes(), ..HtmlParser::default() };
    while parser.at < parser.html.len() {
        parser.step()?;
    }
    if let Some(tag) = parser.open.last() {
        return Err(format!("Can't find end tag corresponding to start tag {}", tag.name));
    }
    let mut entities = parser.entities;
    // `sort_entities`: by offset, longer ones first.
    entities.sort_by_key(|entity| (entity.offset, usize::MAX - entity.length));
    let text = String::from_utf8(parser.text).map_err(|_| {
        "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units"
    })?;
    Ok((text, entities))
}

#[derive(Default)]
struct HtmlParser<'a> {
    html: &'a [u8],
    at: usize,
    text: Vec<u8>,
    /// How many UTF-16 code units the text has.
    units: usize,
    open: Vec<OpenTag>,
    entities: Vec<TextEntity>,
}

struct OpenTag {
    name: String,
    argument: String,
    offset: usize,
    text_from: usize,
}

impl HtmlParser<'_> {
    /// The byte at a place; 0 after the end.
    fn byte(&self, at: usize) -> u8 {
        self.html.get(at).copied().unwrap_or_default()
    }

    fn here(&self) -> u8 {
        self.byte(self.at)
    }

    fn skip_while(&mut self, goes_on: impl Fn(u8) -> bool) -> &[u8] {
        let from = self.at;
        while self.at < self.html.len() && goes_on(self.here()) {
            self.at += 1;
        }
        &self.html[from..self.at]
    }

    fn step(&mut self) -> Result<(), String> {
        match self.here() {
            // A `&` that begins nothing known stays one.
            b'&' => match decode_entity(self.html, &mut self.at) {
                Some(code) => {
                    self.units += if code > 0xffff { 2 } else { 1 };
                    push_code(&mut self.text, code);
                }
                None => self.copy(),
            },
            b'<' if self.byte(self.at + 1) == b'/' => return self.end_tag(),
            b'<' => return self.start_tag(),
            _ => self.copy(),
        }
        Ok(())
    }

    fn copy(&mut self) {
        let byte = self.here();
        self.units += match byte {
            0x80..=0xbf => 0,
            0xf0.. => 2,
            _ => 1,
        };
        self.text.push(byte);
        self.at += 1;
    }

    fn start_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        self.at += 1;
        let name = lowercase(self.skip_while(|byte| !is_space(byte) && byte != b'>'));
        if self.here() == 0 {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        if !TAGS.contains(&name.as_str()) {
            return Err(format!("Unsupported start tag \"{name}\" at byte offset {begin}"));
        }
        let argument = self.attributes(&name, begin)?;
        if name == "span" && argument != "spoiler" {
            return Err(format!("Tag \"span\" must have class \"tg-spoiler\" at byte offset {begin}"));
        }
        self.at += 1;
        self.open.push(OpenTag { name, argument, offset: self.units, text_from: self.text.len() });
        Ok(())
    }

    /// Reads up to the `>`; what matters of the attributes is the argument.
    fn attributes(&mut self, tag: &str, begin: usize) -> Result<String, String> {
        let mut argument = String::new();
        loop {
            self.skip_while(is_space);
            if self.here() == b'>' {
                return Ok(argument);
            }
            let name = lossy(self.skip_while(|byte| !is_space(byte) && byte != b'=' && byte != b'>'));
            if name.is_empty() {
                return Err(format!("Empty attribute name in the tag \"{tag}\" at byte offset {begin}"));
            }
            self.skip_while(is_space);
            if self.here() != b'=' && tag == "blockquote" && name == "expandable" {
                argument = name;
                continue;
            }
            if self.here() != b'=' {
                return Err(format!(
                    "Expected equal sign in declaration of an attribute of the tag \"{tag}\" at byte offset {begin}"
                ));
            }
            self.at += 1;
            self.skip_while(is_space);
            if self.here() == 0 {
                return Err(format!("Unclosed start tag \"{tag}\" at byte offset {begin}"));
            }
            let value = self.value()?;
            if self.here() == 0 {
                return Err(format!("Unclosed start tag at byte offset {begin}"));
            }
            match (tag, name.as_str()) {
                ("a", "href") | ("tg-emoji", "emoji-id") => argument = value,
                ("code", "class") => take_after(&mut argument, &value, "language-"),
                ("span", "class") => take_after(&mut argument, &value, "tg-"),
                _ => (),
            }
        }
    }

    fn value(&mut self) -> Result<String, String> {
        let quote = self.here();
        if quote != b'"' && quote != b'\'' {
            let begin = self.at;
            let token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
            let value = lowercase(self.skip_while(token));
            return match self.here() {
                0 | b'>' => Ok(value),
                byte if is_space(byte) => Ok(value),
                _ => Err(format!("Unexpected end of name token at byte offset {begin}")),
            };
        }
        self.at += 1;
        let mut value = Vec::new();
        while self.here() != quote && self.here() != 0 {
            let code = if self.here() == b'&' { decode_entity(self.html, &mut self.at) } else { None };
            match code {
                Some(code) => push_code(&mut value, code),
                None => {
                    value.push(self.here());
                    self.at += 1;
                }
            }
        }
        if self.here() == quote {
            self.at += 1;
        }
        Ok(lossy(&value))
    }

    fn end_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        let Some(tag) = self.open.pop() else {
            return Err(format!("Unexpected end tag at byte offset {begin}"));
        };
        self.at += 2;
        let name = lowercase(self.skip_while(|byte| !is_space(byte) && byte != b'>'));
        self.skip_while(is_space);
        if self.here() != b'>' {
            return Err(format!("Unclosed end tag at byte offset {begin}"));
        }
        self.at += 1;
        // `</>` closes whatever is open.
        if !name.is_empty() && name != tag.name {
            return Err(format!(
                "Unmatched end tag at byte offset {begin}, expected \"</{}>\", found \"</{name}>\"",
                tag.name
            ));
        }
        if self.units > tag.offset {
            self.close(tag);
        }
        Ok(())
    }

    fn close(&mut self, tag: OpenTag) {
        let mut entity = TextEntity::new("", tag.offset, self.units - tag.offset);
        let same = |last: &&mut TextEntity| last.offset == entity.offset && last.length == entity.length;
        let kind = match tag.name.as_str() {
            "b" | "strong" => "bold",
            "i" | "em" => "italic",
            "u" | "ins" => "underline",
            "s" | "strike" | "del" => "strikethrough",
            "tg-spoiler" | "span" => "spoiler",
            "tg-emoji" => "custom_emoji",
            "blockquote" if tag.argument == "expandable" => "expandable_blockquote",
            "blockquote" => "blockquote",
            // The language stands at the `<code>` within a `<pre>`.
            "pre" => match self.entities.last_mut().filter(same).filter(|last| last.language.is_some()) {
                Some(code) => return code.kind = "pre".to_owned(),
                None => "pre",
            },
            "code" => {
                entity.language = Some(tag.argument.clone()).filter(|language| !language.is_empty());
                "code"
            }
            _ => {
                let url =
                    if tag.argument.is_empty() { lossy(&self.text[tag.text_from..]) } else { tag.argument };
                // `get_checked_link`: what is no address leaves plain text behind.
                let Some(url) = checked_url(&url) else { return };
                entity.url = Some(url);
                "text_link"
            }
        };
        entity.kind = kind.to_owned();
        self.entities.push(entity);
    }
}

/// `decode_html_entity`: four names and numbers; the `;` may be missing.
fn decode_entity(html: &[u8], at: &mut usize) -> Option<u32> {
    let run = |from: usize, fits: fn(&u8) -> bool| html[from..].iter().take_while(|byte| fits(byte)).count();
    let byte = |at: usize| html.get(at).copied().unwrap_or_default();
    let (code, end) = if byte(*at + 1) == b'#' {
        let is_hex = byte(*at + 2) == b'x';
        let from = if is_hex { *at + 3 } else { *at + 2 };
        let end = from + run(from, if is_hex { u8::is_ascii_hexdigit } else { u8::is_ascii_digit });
        let digits = std::str::from_utf8(&html[from..end]).ok()?;
        let code = u32::from_str_radix(digits, if is_hex { 16 } else { 10 }).ok()?;
        if code == 0 || code >= 0x10_ffff || end - *at >= 10 {
            return None;
        }
        (code, end)
    } else {
        let end = *at + 1 + run(*at + 1, u8::is_ascii_alphabetic);
        let code = match &html[*at + 1..end] {
            b"lt" => '<',
            b"gt" => '>',
            b"amp" => '&',
            b"quot" => '"',
            _ => return None,
        };
        (u32::from(code), end)
    };
    *at = if byte(end) == b';' { end + 1 } else { end };
    Some(code)
}

/// Appends a code point. Half of a surrogate pair makes the text invalid, which is found at the end.
fn push_code(text: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(letter) => text.extend(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        None => text.push(0xff),
    }
}

/// A simple reading of `LinkManager::get_checked_link`: a scheme that chats open, or a host with a dot. Unverified in its
/// details.
fn checked_url(url: &str) -> Option<String> {
    let scheme = ["http://", "https://", "tg://", "ton://", "tonsite://"];
    let has_scheme = scheme.iter().any(|scheme| url.to_ascii_lowercase().starts_with(scheme));
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    let is_host = !host.is_empty() && !host.contains(char::is_whitespace);
    match has_scheme {
        true if is_host => Some(url.to_owned()),
        false if is_host && host.contains('.') && !url.contains("://") => Some(format!("http://{url}")),
        _ => None,
    }
}

fn take_after(argument: &mut String, value: &str, prefix: &str) {
    if let Some(rest) = value.strip_prefix(prefix) {
        rest.clone_into(argument);
    }
}

/// td counts the end of the text as space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0 | 0x0b)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lowercase(bytes: &[u8]) -> String {
    lossy(bytes).to_ascii_lowercase()
}
