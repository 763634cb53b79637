//! Whether a text is well-formed XML, as far as pictures use it: elements in each other, attributes in quotes, no naked
//! `&` or `<`.

/// The first thing that is wrong; none if it is sound.
pub fn fault(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    let mut roots = 0;
    while !rest.is_empty() {
        let Some((words, after)) = rest.split_once('<') else {
            return Some("there are words outside of everything".to_owned());
        };
        if let Some(fault) = fault_in_words(words) {
            return Some(fault);
        }
        let Some((tag, after)) = after.split_once('>') else {
            return Some("a `<` has no `>`".to_owned());
        };
        if open.is_empty() && !words.trim().is_empty() {
            return Some("there are words outside of everything".to_owned());
        }
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => {}
                Some(last) => return Some(format!("`{last}` is closed by `{name}`")),
                None => return Some(format!("`{name}` was never opened")),
            }
        } else {
            roots += usize::from(open.is_empty());
            let (inner, is_empty) = tag.strip_suffix('/').map_or((tag, false), |inner| (inner, true));
            let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
            if name.is_empty() || !name.chars().all(char::is_alphanumeric) {
                return Some(format!("`<{tag}>` has no name"));
            }
            if let Some(fault) = fault_in_attributes(attributes) {
                return Some(fault);
            }
            if !is_empty {
                open.push(name);
            }
        }
        rest = after;
    }
    match (open.last(), roots) {
        (Some(name), _) => Some(format!("`{name}` is never closed")),
        (None, 1) => None,
        (None, _) => Some(format!("it has {roots} roots")),
    }
}

fn fault_in_attributes(text: &str) -> Option<String> {
    let mut rest = text.trim();
    let mut names: Vec<&str> = Vec::new();
    while !rest.is_empty() {
        let parts = rest.split_once("=\"").and_then(|(name, after)| Some((name, after.split_once('"')?)));
        let Some((name, (value, after))) = parts else {
            return Some(format!("`{rest}` is no attribute"));
        };
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '"') || names.contains(&name)
        {
            return Some(format!("`{name}` is no name for an attribute, or stands there twice"));
        }
        if let Some(fault) = fault_in_words(value) {
            return Some(fault);
        }
        names.push(name);
        rest = after.trim_start();
    }
    None
}

fn fault_in_words(text: &str) -> Option<String> {
    if let Some(control) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Some(format!("{control:?} may not stand in it"));
    }
    let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    let naked = text.split('&').skip(1).find(|after| !known.iter().any(|name| after.starts_with(name)));
    naked.map(|_| "a `&` stands for nothing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sound_has_no_fault() {
        for text in ["<a/>", "<a b=\"1\" c=\"x &lt; y\">\n<b/>words &amp; more<c></c></a>\n"] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn each_fault_is_told() {
        for (text, told) in [
            ("", "it has 0 roots"),
            ("<a/><b/>", "it has 2 roots"),
            ("<a><b></a>", "`b` is closed by `a`"),
            ("</a>", "`a` was never opened"),
            ("<a>", "`a` is never closed"),
            ("<a/>words", "there are words outside of everything"),
            ("<a>x & y</a>", "a `&` stands for nothing"),
            ("<a b=c/>", "`b=c` is no attribute"),
            ("<a b=\"&x\"/>", "a `&` stands for nothing"),
            ("<a b=\"\" b=\"\"/>", "`b` is no name for an attribute, or stands there twice"),
            ("<a", "a `<` has no `>`"),
            ("<a>\u{1b}</a>", "'\\u{1b}' may not stand in it"),
        ] {
            assert_eq!(fault(text).as_deref(), Some(told), "{text}");
        }
    }
}
