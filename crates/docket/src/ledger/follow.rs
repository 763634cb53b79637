//! The ledger as it is read on: everything from a line on, and then what is added. It has the shape of the journal's logs
//! (append expecting a sequence, read from, follow), and not their trait: its lines are other programs' too, each act opens
//! it for itself, and a petition's lines point to one another by where they begin.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::LedgerLine;
use super::append::End;
use crate::docket::Docket;
use crate::error::DocketError;
use crate::limits;
use crate::storage::Watching;

/// A reader that moves on through the ledger. It needs no lock: whole lines never change.
#[derive(Debug)]
pub struct LedgerReader {
    docket: Docket,
    /// Lines before this number are skipped.
    from: u64,
    end: End,
    /// From the first wait on.
    ears: Option<(Watching, Receiver<()>)>,
}

impl LedgerReader {
    pub(crate) fn new(docket: Docket, from: u64) -> LedgerReader {
        LedgerReader { docket, from, end: End::start(), ears: None }
    }

    /// What was added since the last look, in order. A line that does not follow the one before is an error.
    pub fn read(&mut self) -> Result<Vec<LedgerLine>, DocketError> {
        let (mut records, mut damage) = (Vec::new(), None);
        let path = self.docket.ledger_file();
        if self.docket.ledger_length()? < self.end.offset {
            let why = "lines are missing at its end".to_owned();
            return Err(DocketError::Damaged { path, line: self.end.chain.seq, why });
        }
        let (from, end) = (self.from, &mut self.end);
        self.docket.reader()?.lines(end.offset, |line| {
            // A line without an end was never confirmed, or is being written.
            if !line.whole {
                return false;
            }
            match end.chain.next(&line.bytes) {
                Ok(record) => {
                    end.last = line.offset;
                    end.offset = line.offset + line.bytes.len() as u64 + 1;
                    records.extend((record.seq >= from).then_some(record));
                }
                Err(why) => damage = Some((end.chain.seq + 1, why)),
            }
            damage.is_none()
        })?;
        match damage {
            Some((line, why)) => Err(DocketError::Damaged { path, line, why: why.to_owned() }),
            None => Ok(records),
        }
    }

    /// The same, but waits up to `patience` for a line to be added.
    pub fn follow(&mut self, patience: Duration) -> Result<Vec<LedgerLine>, DocketError> {
        let began = Instant::now();
        if self.ears.is_none() {
            self.ears = self.listen();
        }
        loop {
            let records = self.read()?;
            let left = patience.saturating_sub(began.elapsed());
            if !records.is_empty() || left == Duration::ZERO {
                return Ok(records);
            }
            match &self.ears {
                Some((watching, added)) => {
                    let every = if watching.is_sure { limits::SWEEP_EVERY_SURE } else { limits::SWEEP_EVERY };
                    let heard = added.recv_timeout(left.min(every));
                    if heard == Err(RecvTimeoutError::Disconnected) {
                        self.ears = None;
                    }
                }
                None => {
                    std::thread::sleep(left.min(limits::SWEEP_EVERY));
                    self.ears = self.listen();
                }
            }
        }
    }

    /// Watches the ledger's folder; before that folder exists there is no watch.
    fn listen(&self) -> Option<(Watching, Receiver<()>)> {
        let folder = self.docket.ledger_file().parent()?.to_owned();
        let (tell, added) = channel();
        let hear = Box::new(move |_| {
            let _ = tell.send(());
        });
        let watching = self.docket.disk().storage().watch(&[folder], hear)?;
        Some((watching, added))
    }
}
