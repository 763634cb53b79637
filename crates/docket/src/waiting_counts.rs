//! How many petitions wait, counted as they come and go.

use mind::petition::Priority;

/// How many petitions wait, in all and by priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WaitingCounts {
    pub total: usize,
    pub urgent: usize,
    pub high: usize,
    pub normal: usize,
    pub low: usize,
}

impl WaitingCounts {
    /// How many wait with this priority.
    pub fn of(mut self, priority: Priority) -> usize {
        *self.of_mut(priority)
    }

    pub(crate) fn of_mut(&mut self, priority: Priority) -> &mut usize {
        match priority {
            Priority::Low => &mut self.low,
            Priority::Normal => &mut self.normal,
            Priority::High => &mut self.high,
            Priority::Urgent => &mut self.urgent,
        }
    }
}
