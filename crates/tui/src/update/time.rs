//! Moves through the past: an earlier state is made of the first facts of the journal.

use crate::screen::{KeyMode, ReadingPlace, Screen, Time};
use crate::view_model::{Attachment, ViewModel};

/// Plays one fact further.
pub fn tick(screen: &mut Screen, model: &ViewModel<'_>) {
    let Some(time) = &mut screen.time else { return };
    if !time.playing {
        return;
    }
    if time.seq < model.last {
        time.seq += 1;
    } else {
        time.playing = false;
    }
}

/// Goes in time. Past the last fact is the present.
pub(super) fn step(screen: &mut Screen, model: &ViewModel<'_>, target: impl FnOnce(u64) -> u64) {
    let head = screen.time.map_or(model.last, |time| time.seq);
    let seq = target(head).clamp(1.min(model.last), model.last);
    let beyond = head == model.last && seq == model.last;
    screen.time = match model.seat {
        Attachment::House | Attachment::Beside if beyond => None,
        Attachment::House | Attachment::Beside | Attachment::Replay => Some(Time { seq, playing: false }),
    };
    screen.mode = KeyMode::Normal;
    screen.place = ReadingPlace::End;
}

/// The fact of the next piece of the story, or of the one before.
pub(super) fn scene(model: &ViewModel<'_>, by: i64) -> u64 {
    let all = model.story.until(model.last);
    let here = all.partition_point(|item| item.seq <= model.head);
    let target = if by > 0 {
        all.get(here)
    } else {
        let before = all[..here].iter().rposition(|item| item.seq < model.head);
        before.and_then(|index| all.get(index))
    };
    target.map_or(if by > 0 { model.last } else { 1 }, |item| item.seq)
}

pub(super) fn play(screen: &mut Screen, model: &ViewModel<'_>) {
    match &mut screen.time {
        Some(time) => {
            // At the end it begins again.
            if !time.playing && time.seq >= model.last {
                time.seq = 1;
            }
            time.playing = !time.playing;
        }
        None => screen.note = Some("< goes back in time, and space plays it again".to_owned()),
    }
}
