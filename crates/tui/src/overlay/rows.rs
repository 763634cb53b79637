//! Text broken wherever the width ends, with nothing left out: for ids, commands and raw lines, where blanks matter.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::wrap::width;

/// Every line of a text, in pieces that fit; an empty text is one empty piece.
pub(super) fn broken(text: &str, columns: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| pieces(line, columns.max(1))).collect()
}

fn pieces(line: &str, columns: usize) -> Vec<String> {
    // Plain ASCII takes one column a byte: no need to look at every sign.
    if line.is_ascii() && !line.contains(|sign: char| sign.is_ascii_control()) {
        if line.is_empty() {
            return vec![String::new()];
        }
        let pieces = line.as_bytes().chunks(columns);
        return pieces.map(|piece| String::from_utf8_lossy(piece).into_owned()).collect();
    }
    let mut pieces = vec![String::new()];
    let mut taken = 0;
    for sign in line.graphemes(true) {
        let wide = width(sign);
        if taken + wide > columns && taken > 0 {
            pieces.push(String::new());
            taken = 0;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(sign);
        }
        taken += wide;
    }
    pieces
}
