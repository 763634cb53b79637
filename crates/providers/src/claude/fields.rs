//! Reads the texts of a tool's input while it streams: JSON that may be cut anywhere goes in, the words of a few fields
//! come out as they grow. Invalid JSON gives what can be made of it, because the words are only shown.

/// The longest name of a field that is looked for.
const NAME_BYTES_MAX: usize = 16;
/// What stands for half of a sign whose other half is missing.
const BROKEN: char = char::REPLACEMENT_CHARACTER;

/// The fields of one object.
#[derive(Debug)]
pub(crate) struct Fields {
    wanted: &'static [&'static str],
    /// How many brackets are open.
    depth: u32,
    /// Whether the outermost bracket is an object's.
    is_object: bool,
    at: At,
    name: String,
    /// Whether the text that is being read is wanted.
    is_wanted: bool,
    escape: Escape,
    /// The first half of a sign that is written as two.
    half: Option<u32>,
    /// Whether words were returned already.
    has_said: bool,
    /// Whether those words were another field's.
    is_another: bool,
}

/// The place in the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// A name comes next, if a text does.
    BeforeName,
    Name,
    /// A value comes next.
    BeforeValue,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    Hex { digits: u32, code: u32 },
}

impl Fields {
    /// Reads these fields of a new object.
    pub(crate) fn new(wanted: &'static [&'static str]) -> Fields {
        Fields {
            wanted,
            depth: 0,
            is_object: false,
            at: At::BeforeValue,
            name: String::new(),
            is_wanted: false,
            escape: Escape::None,
            half: None,
            has_said: false,
            is_another: false,
        }
    }

    /// The words that a piece adds. A blank line stands between two fields.
    pub(crate) fn hear(&mut self, piece: &str) -> String {
        let mut words = String::new();
        for sign in piece.chars() {
            match self.at {
                At::BeforeName | At::BeforeValue => self.between(sign),
                At::Name | At::Text => self.within(sign, &mut words),
            }
        }
        words
    }

    fn between(&mut self, sign: char) {
        let is_outermost = self.depth == 1 && self.is_object;
        match sign {
            '{' | '[' => {
                if self.depth == 0 {
                    self.is_object = sign == '{';
                    self.at = At::BeforeName;
                }
                self.depth = self.depth.saturating_add(1);
            }
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            ',' if is_outermost => self.at = At::BeforeName,
            ':' if is_outermost => self.at = At::BeforeValue,
            '"' if is_outermost && self.at == At::BeforeName => {
                self.name.clear();
                self.at = At::Name;
            }
            '"' => {
                self.is_wanted = is_outermost && self.wanted.contains(&self.name.as_str());
                self.is_another = self.has_said;
                self.at = At::Text;
            }
            _ => {}
        }
    }

    fn within(&mut self, sign: char, words: &mut String) {
        match self.escape {
            Escape::None => match sign {
                '\\' => self.escape = Escape::Begun,
                '"' => {
                    self.flush(words);
                    self.at = At::BeforeValue;
                }
                _ => self.take(sign, words),
            },
            Escape::Begun => {
                self.escape = Escape::None;
                match sign {
                    'u' => self.escape = Escape::Hex { digits: 0, code: 0 },
                    'n' => self.take('\n', words),
                    't' => self.take('\t', words),
                    'r' => self.take('\r', words),
                    'b' => self.take('\u{8}', words),
                    'f' => self.take('\u{c}', words),
                    _ => self.take(sign, words),
                }
            }
            Escape::Hex { digits, code } => {
                let code = code * 16 + sign.to_digit(16).unwrap_or(0);
                if digits < 3 {
                    self.escape = Escape::Hex { digits: digits + 1, code };
                    return;
                }
                self.escape = Escape::None;
                self.take_code(code, words);
            }
        }
    }

    /// A code of four digits: a sign, or half of one.
    fn take_code(&mut self, code: u32, words: &mut String) {
        match (self.half, code) {
            (_, 0xD800..=0xDBFF) => {
                self.flush(words);
                self.half = Some(code);
            }
            (Some(half), 0xDC00..=0xDFFF) => {
                self.half = None;
                let whole = 0x10000 + ((half - 0xD800) << 10) + (code - 0xDC00);
                self.take(char::from_u32(whole).unwrap_or(BROKEN), words);
            }
            (Some(_) | None, code) => self.take(char::from_u32(code).unwrap_or(BROKEN), words),
        }
    }

    fn take(&mut self, sign: char, words: &mut String) {
        self.flush(words);
        if self.at == At::Name {
            if self.name.len() < NAME_BYTES_MAX {
                self.name.push(sign);
            }
        } else if self.is_wanted {
            if std::mem::take(&mut self.is_another) {
                words.push_str("\n\n");
            }
            words.push(sign);
            self.has_said = true;
        }
    }

    /// A first half that no second one followed.
    fn flush(&mut self, words: &mut String) {
        if self.half.take().is_some() {
            self.take(BROKEN, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: &[&str] = &["message", "brief"];

    fn whole(text: &str) -> String {
        Fields::new(WANTED).hear(text)
    }

    /// Cut at every two places, and into single signs.
    fn agrees_however_it_is_cut(text: &str) -> String {
        let words = whole(text);
        let cuts: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        for (index, first) in cuts.iter().enumerate() {
            for second in &cuts[index..] {
                let mut fields = Fields::new(WANTED);
                let pieces = [&text[..*first], &text[*first..*second], &text[*second..]];
                let heard: String = pieces.iter().map(|piece| fields.hear(piece)).collect();
                assert_eq!(heard, words, "cut at {first} and {second}: {text}");
            }
        }
        let mut fields = Fields::new(WANTED);
        let heard: String = text.chars().map(|sign| fields.hear(sign.encode_utf8(&mut [0; 4]))).collect();
        assert_eq!(heard, words);
        words
    }

    #[test]
    fn a_field_is_read_however_its_text_is_written() {
        let table = [
            (r#"{"message":"Hello."}"#, "Hello."),
            (
                " {\n \"kind\" : \"handoff\" , \"message\" : \"Hel\\nlo\" , \"expects_response\":true}",
                "Hel\nlo",
            ),
            (r#"{"message":"\"a\" \\ \/ \t\r\b\f «ü» 𝕏"}"#, "\"a\" \\ / \t\r\u{8}\u{c} «ü» 𝕏"),
            (r#"{"message":"\u00fc\u2014\ud835\udd4f!"}"#, "ü—𝕏!"),
            (r#"{"m\u0065ssage":"the name too"}"#, "the name too"),
            (r#"{"message":"one","brief":"two"}"#, "one\n\ntwo"),
            (r#"{"brief":"","message":"two"}"#, "two"),
            (r#"{"message":null,"brief":[1,{"x":"y"}],"message2":"no"}"#, ""),
            (r#"{"kind":"message","verdict":"\"message\":\"no\""}"#, ""),
            (
                r#"{"decisions":[{"message":"inner"},"message"],"a":{"message":"inner"},"message":"outer"}"#,
                "outer",
            ),
            (r#"["message","no"]"#, ""),
            (r#""message""#, ""),
        ];
        for (text, words) in table {
            assert_eq!(agrees_however_it_is_cut(text), words, "{text}");
        }
    }

    #[test]
    fn half_signs_and_nonsense_are_borne() {
        let table = [
            (r#"{"message":"\ud835"}"#, "\u{fffd}"),
            (r#"{"message":"\ud835x\udd4fy"}"#, "\u{fffd}x\u{fffd}y"),
            (r#"{"message":"\ud835\ud835\udd4f\ud835\n"}"#, "\u{fffd}𝕏\u{fffd}\n"),
            (r#"{"message":"\uzz41\q"}"#, "Aq"),
            (r#"}}]{"message":"x"}}}"#, "x"),
            (r#"{"message":"open"#, "open"),
            ("", ""),
        ];
        for (text, words) in table {
            assert_eq!(agrees_however_it_is_cut(text), words, "{text}");
        }
    }

    #[test]
    fn whatever_serde_reads_is_read_the_same() {
        let signs =
            ["a", "\"", "\\", "\n", "\u{0}", "\u{1f}", "ü", "—", "𝕏", "{", "}", ":", ",", "[", "message"];
        let mut seed: u64 = 7;
        for _ in 0..300 {
            let mut text = || {
                let mut text = String::new();
                for _ in 0..6 {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    text.push_str(signs[(seed >> 33) as usize % signs.len()]);
                }
                text
            };
            let (other, message) = (text(), text());
            let json =
                serde_json::json!({"kind": other, "list": [other, {"message": other}], "message": message});
            assert_eq!(whole(&json.to_string()), message, "{json}");
            assert_eq!(whole(&serde_json::to_string_pretty(&json).unwrap()), message, "{json}");
        }
    }
}
