//! HTML as strictly as Telegram reads it: known tags, closed in order; known entities; nothing else after `<` or `&`.

use crate::limits::{
    BUTTON_SIGNS_MAX, TAP_BYTES_MAX, TELEGRAM_BUTTONS_MAX, TELEGRAM_MARKUP_BYTES_MAX, TELEGRAM_SIGNS_MAX,
};
use crate::telegram::html::signs;
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::TapData;
use crate::telegram::wire::types::{InlineButton, InlineKeyboard};

const TAGS: [&str; 5] = ["b", "i", "code", "pre", "blockquote"];

/// The text that is seen; an error if Telegram would refuse it.
pub(super) fn seen(html: &str) -> Result<String, String> {
    let (mut text, mut open, mut rest) = (String::new(), Vec::new(), html);
    while let Some(sign) = rest.chars().next() {
        let near = || rest.chars().take(20).collect::<String>();
        match sign {
            '<' => {
                let end = rest.find('>').ok_or_else(near)?;
                let name = rest.get(1..end).unwrap_or_default();
                match name.strip_prefix('/') {
                    Some(name) if open.pop() != Some(name) => return Err(near()),
                    Some(_) => {}
                    None if TAGS.contains(&name) => open.push(name),
                    None => return Err(near()),
                }
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            '&' => {
                let entities = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"')];
                let (entity, sign) =
                    entities.into_iter().find(|(name, _)| rest.starts_with(name)).ok_or_else(near)?;
                text.push(sign);
                rest = rest.get(entity.len()..).unwrap_or_default();
            }
            '>' => return Err(near()),
            _ => {
                text.push(sign);
                rest = rest.get(sign.len_utf8()..).unwrap_or_default();
            }
        }
    }
    if open.is_empty() { Ok(text) } else { Err(format!("{open:?} is not closed")) }
}

/// Telegram takes this message.
pub(super) fn takes(screen: &ChatScreen) {
    let text = seen(&screen.html).expect("HTML");
    assert!(!text.trim().is_empty(), "it has no text");
    assert!(signs(&text) <= TELEGRAM_SIGNS_MAX, "{} signs: {text}", signs(&text));
    let all = || screen.buttons.iter().flatten();
    assert!(all().count() <= TELEGRAM_BUTTONS_MAX);
    assert!(!(screen.asks_for_reply && all().count() > 0), "it has either a field or buttons");
    for button in all() {
        assert!(!button.text.trim().is_empty() && signs(&button.text) <= BUTTON_SIGNS_MAX, "{}", button.text);
        let data = button.tap.data();
        assert!(data.len() <= TAP_BYTES_MAX, "{data}");
        assert_eq!(TapData::read(&data), TapData::Ours(button.tap.clone()));
    }
    assert!(screen.buttons.iter().all(|row| !row.is_empty() && row.len() <= 8));
    let row = |row: &Vec<crate::telegram::screen::ChatButton>| {
        let sent = row
            .iter()
            .map(|button| InlineButton { text: button.text.clone(), callback_data: button.tap.data() });
        sent.collect()
    };
    let keyboard = InlineKeyboard { inline_keyboard: screen.buttons.iter().map(row).collect() };
    let markup = serde_json::to_string(&keyboard).expect("JSON");
    assert!(markup.len() <= TELEGRAM_MARKUP_BYTES_MAX, "{} bytes", markup.len());
}
