//! How an actor says the last words of a turn: at human pace a few words at a time, shown as they come. They are not
//! recorded: an actor that is killed while speaking speaks again.

use std::io::Write;
use std::time::{Duration, Instant};

use super::ActorError;
use super::conversation::Rest;
use super::stage::{Cue, Stage, message};
use crate::rehearsal::Pace;
use crate::rehearsal::wire::Report;

/// The time to say a sentence, and the most for all of them.
const SENTENCE: Duration = Duration::from_millis(300);
const SENTENCES_MAX: u32 = 7;
/// The time between two pieces, unless a word is longer.
const PIECE: Duration = Duration::from_millis(40);

impl<W: Write> Stage<'_, W> {
    /// Says the last word of a turn.
    pub(super) fn speak(&mut self, turn: u32, rest: Rest) -> Result<Result<Rest, Cue>, ActorError> {
        match self.part.pace {
            Pace::Fast => return Ok(Ok(rest)),
            Pace::Human => {}
        }
        let text = message(&rest);
        let time = time_for(text);
        let pieces = pieces(text, usize::try_from(time.as_millis() / PIECE.as_millis()).unwrap_or(1));
        let began = Instant::now();
        for (at, piece) in (1..).zip(&pieces) {
            self.report(&Report::Live { text: (*piece).to_owned() })?;
            // Late for one piece, it is not late for all that follow.
            let due = began + time.mul_f64(f64::from(at) / pieces.len() as f64);
            let cue = self.linger(turn, due.saturating_duration_since(Instant::now()))?;
            if cue != Cue::Play {
                return Ok(Err(cue));
            }
        }
        Ok(Ok(rest))
    }
}

fn time_for(text: &str) -> Duration {
    let sentences = text.split_inclusive(['.', '?', '!', '\n']).count();
    SENTENCE * u32::try_from(sentences).unwrap_or(SENTENCES_MAX).min(SENTENCES_MAX)
}

/// A text in at most `count` pieces of whole words.
fn pieces(text: &str, count: usize) -> Vec<&str> {
    let ends: Vec<usize> = text
        .split_inclusive(char::is_whitespace)
        .scan(0, |end, word| {
            *end += word.len();
            Some(*end)
        })
        .collect();
    let size = ends.len().div_ceil(count.max(1)).max(1);
    let mut begin = 0;
    ends.chunks(size)
        .filter_map(|words| {
            let end = *words.last()?;
            Some(&text[std::mem::replace(&mut begin, end)..end])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_words_and_lose_nothing() {
        let text = "One two  three.\nFour «five» six\n\nseven";
        for count in 0..20 {
            let pieces = pieces(text, count);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.len() <= count.max(1), "{pieces:?}");
            let (_, before) = pieces.split_last().unwrap();
            assert!(before.iter().all(|piece| piece.ends_with(char::is_whitespace)), "{pieces:?}");
        }
        assert_eq!(pieces("one two three", 2), ["one two ", "three"]);
        assert!(pieces("", 7).is_empty());
    }

    #[test]
    fn the_longest_speech_is_over_in_about_two_seconds() {
        assert_eq!(time_for("One."), SENTENCE);
        let time = time_for(&"On and on. ".repeat(1_000));
        assert!(time > Duration::from_secs(2) && time < Duration::from_millis(2_200), "{time:?}");
    }
}
