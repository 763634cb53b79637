//! Follows a journal: the mission's present state, the story so far, and the state at any earlier fact. Checkpoints keep an
//! earlier state cheap: a few hundred facts are read again.

use std::path::Path;
use std::sync::Arc;

use journal::JournalError;
use mind::{State, Timestamp};
use view::stage_event::StageEvents;
use view::story::Story;

use super::limits::{CHECKPOINT_SPACING, CHECKPOINTS_MAX};
use super::walk::{Checkpoint, Walk};
use crate::mission::fact_log::{FactLogError, MissionJournal};
use crate::mission::port::MissionFiles;

/// A journal being followed.
#[derive(Debug)]
pub struct JournalView {
    walk: Walk,
    story: Story,
    stage_events: StageEvents,
    /// When the first fact became one.
    began: Timestamp,
    /// Checkpoint number `n` lies after `n * spacing` facts.
    checkpoints: Vec<Checkpoint>,
    spacing: u64,
    /// How many checkpoints are kept.
    most: usize,
    /// Where the past was read last: the next time it is often one fact further.
    look: Option<Walk>,
    /// What was answered last.
    answer: Option<(u64, Arc<State>)>,
}

impl JournalView {
    pub fn of(port: &dyn MissionFiles) -> Result<JournalView, FactLogError> {
        JournalView::open(port.journal())
    }

    /// Starts before the first fact; only the header is read yet.
    pub fn open(journal: &MissionJournal) -> Result<JournalView, FactLogError> {
        JournalView::with_checkpoints(journal, CHECKPOINT_SPACING, CHECKPOINTS_MAX)
    }

    /// The same with the first spacing and the number of checkpoints as given.
    pub fn with_checkpoints(
        journal: &MissionJournal,
        spacing: u64,
        most: usize,
    ) -> Result<JournalView, FactLogError> {
        let walk = Walk::open(journal)?;
        Ok(JournalView {
            checkpoints: vec![walk.checkpoint()],
            walk,
            story: Story::default(),
            stage_events: StageEvents::default(),
            began: Timestamp::default(),
            spacing: spacing.max(1),
            most: most.max(1),
            look: None,
            answer: None,
        })
    }

    /// Reads at most `max` facts and returns how many: a long journal can be read in slices between frames. Facts before an
    /// error count; the error is returned again by the next call.
    pub fn read(&mut self, max: usize) -> Result<usize, FactLogError> {
        for count in 0..max {
            let before = self.walk.state.clone();
            let Some(entry) = self.walk.next()? else { return Ok(count) };
            let seq = self.walk.seq;
            if seq == 1 {
                self.began = entry.at;
            }
            self.story.tell(seq, &entry, &before, &self.walk.state);
            self.stage_events.tell(seq, &entry, &before, &self.walk.state);
            if seq.is_multiple_of(self.spacing) {
                self.keep_checkpoint();
            }
        }
        Ok(max)
    }

    fn keep_checkpoint(&mut self) {
        self.checkpoints.push(self.walk.checkpoint());
        if self.checkpoints.len() > self.most {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.checkpoints.retain(|checkpoint| checkpoint.seq.is_multiple_of(spacing));
        }
    }

    /// The mission as it is now.
    pub fn state(&self) -> &State {
        &self.walk.state
    }

    /// What happened so far.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// What could be seen and heard so far.
    pub fn stage_events(&self) -> &StageEvents {
        &self.stage_events
    }

    /// How many facts there are.
    pub fn head(&self) -> u64 {
        self.walk.seq
    }

    /// When the newest fact became one.
    pub fn newest(&self) -> Timestamp {
        self.walk.state.now
    }

    /// The mission as it was after `seq` facts, with the time of that fact; before the first, with the time of the
    /// first. More facts than there are is the present.
    pub fn at(&mut self, seq: u64) -> Result<(Arc<State>, Timestamp), FactLogError> {
        let seq = seq.min(self.head());
        let state = match &self.answer {
            Some((known, state)) if *known == seq => state.clone(),
            Some(_) | None => Arc::new(self.add_up(seq)?),
        };
        self.answer = Some((seq, state.clone()));
        let time = if seq == 0 { self.began } else { state.now };
        Ok((state, time))
    }

    fn add_up(&mut self, seq: u64) -> Result<State, FactLogError> {
        if seq == self.head() {
            return Ok(self.walk.state.clone());
        }
        let number = usize::try_from(seq / self.spacing).unwrap_or(usize::MAX);
        let checkpoint = &self.checkpoints[number.min(self.checkpoints.len() - 1)];
        // After an error the walk is gone: the next one begins at a checkpoint.
        let mut look = match self.look.take() {
            Some(look) if (checkpoint.seq..=seq).contains(&look.seq) => look,
            Some(_) | None => Walk::from(self.walk.journal(), checkpoint)?,
        };
        while look.seq < seq {
            if look.next()?.is_none() {
                return Err(vanished(look.path(), look.seq + 1));
            }
        }
        let state = look.state.clone();
        self.look = Some(look);
        Ok(state)
    }
}

fn vanished(path: &Path, seq: u64) -> FactLogError {
    let what = "the line has vanished".to_owned();
    // The header is the first line.
    FactLogError::Journal(JournalError::Damaged { path: path.to_owned(), line: seq + 1, what })
}
