//! Characters that make a text look like another: invisible ones, ones that turn the direction of writing, and letters
//! of other alphabets that look like ours.

/// What is wrong with a character that no honest command line holds, wherever it stands.
pub fn hidden(text: &str) -> Option<String> {
    let mut before = ' ';
    for c in text.chars() {
        // Emoji are made of several characters, and the joints between them are invisible.
        let joint = matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}') && before > '\u{2000}';
        let kind = match c {
            '\n' | '\t' => None,
            '\r' => Some("a carriage return"),
            c if c.is_control() => Some("a control character"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
                Some("a character that turns the direction of writing")
            }
            _ if joint => None,
            '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180e}' => Some("an invisible character"),
            '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}' => {
                Some("an invisible character")
            }
            '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' => {
                Some("an invisible character")
            }
            '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => Some("an invisible character"),
            _ => None,
        };
        if let Some(kind) = kind {
            return Some(format!("it holds {kind} (U+{:04X})", u32::from(c)));
        }
        before = c;
    }
    None
}

/// What is wrong with a path or a name that looks like another one.
pub fn lookalike(text: &str) -> Option<String> {
    let mut ours = false;
    let mut theirs = None;
    for c in text.chars() {
        if is_false_mark(c) {
            return Some(tell(c, text));
        }
        if c.is_ascii_alphabetic() {
            ours = true;
        } else if is_false_letter(c) {
            theirs = Some(c);
        } else if !c.is_alphabetic() {
            (ours, theirs) = (false, None);
        }
        if ours && let Some(c) = theirs {
            return Some(tell(c, text));
        }
    }
    None
}

fn tell(c: char, text: &str) -> String {
    format!("{text:?} holds a look-alike of another character (U+{:04X})", u32::from(c))
}

/// Looks like a mark of punctuation that means something in a path, or is a letter in a wide or ornate form.
fn is_false_mark(c: char) -> bool {
    matches!(c, '\u{2024}'..='\u{2026}' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{29f5}' | '\u{2216}' | '\u{2010}'..='\u{2015}'
        | '\u{2212}' | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}' | '\u{2000}'..='\u{200a}' | '\u{a0}' | '\u{3000}'
        | '\u{2160}'..='\u{217f}' | '\u{2100}'..='\u{214f}')
}

/// A letter of an alphabet with letters that look like ours.
fn is_false_letter(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{530}'..='\u{58f}' | '\u{250}'..='\u{2af}'
        | '\u{13a0}'..='\u{13ff}' | '\u{a4d0}'..='\u{a4ff}' | '\u{131}' | '\u{17f}' | '\u{1c00}'..='\u{1dff}')
}
