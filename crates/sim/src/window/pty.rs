//! A pair of ends of a pty: the window's, and the program's. No other process may inherit either, or a closed window
//! would not be closed.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

/// Opens both ends of a terminal of this size.
pub(crate) fn open(size: (u16, u16)) -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a pty");
    grantpt(&ours).expect("granted");
    unlockpt(&ours).expect("unlocked");
    let name = ptsname(&ours, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let theirs = rustix::fs::open(name, flags, Mode::empty()).expect("a terminal");
    let ours = File::from(ours);
    resize(&ours, size);
    (ours, File::from(theirs))
}

/// Sets another size; the process group in front gets the signal.
pub(super) fn resize(ours: &File, (columns, rows): (u16, u16)) {
    let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(ours, size).expect("a size can be set");
}

/// Reads all that is written until it is told to stop and nothing is left.
pub(super) fn read(mut eyes: File, stop: &AtomicBool, mut hear: impl FnMut(&[u8])) {
    let mut piece = [0; 65536];
    let glance = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
    loop {
        // It is asked before one looks, so that what was written before the stop is seen.
        let stopping = stop.load(Ordering::SeqCst);
        let ready = {
            let mut ends = [PollFd::from_borrowed_fd(eyes.as_fd(), PollFlags::IN)];
            let found = poll(&mut ends, Some(&glance)).unwrap_or(0);
            found > 0 && ends[0].revents().contains(PollFlags::IN)
        };
        if ready {
            match eyes.read(&mut piece) {
                Ok(count @ 1..) => hear(&piece[..count]),
                Ok(0) | Err(_) => return,
            }
        } else if stopping {
            return;
        }
    }
}

/// How a terminal treats what is typed and written.
#[derive(Debug)]
pub(super) struct Manners(Termios);

impl Manners {
    /// Those of this one.
    pub(super) fn of(terminal: &File) -> Manners {
        Manners(tcgetattr(terminal).expect("a terminal has manners"))
    }

    /// Where they differ.
    pub(super) fn differences(&self, now: &Manners) -> Vec<String> {
        let (before, now) = (&self.0, &now.0);
        let mut found = Vec::new();
        if before.input_modes != now.input_modes {
            found.push(format!("input {:?} is {:?}", before.input_modes, now.input_modes));
        }
        if before.output_modes != now.output_modes {
            found.push(format!("output {:?} is {:?}", before.output_modes, now.output_modes));
        }
        if before.local_modes != now.local_modes {
            found.push(format!("local {:?} is {:?}", before.local_modes, now.local_modes));
        }
        if before.control_modes != now.control_modes {
            found.push(format!("control {:?} is {:?}", before.control_modes, now.control_modes));
        }
        found
    }
}
