//! The outermost step: it stays outside while the program runs, adopts every orphan below it, hands signals down, and
//! ends everything when its child ends or Arbiter dies. A process inside can leave its group, its session and its
//! parent, but not this step.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use mind::access::SandboxLevel;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group, set_child_subreaper, wait,
};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, oneshot};

use super::spawn_orders::{ORDERS, SandboxStep, SpawnOrders};
use super::{NOT_MADE, bubblewrap, enter, pipes, secrets};
use crate::limits::{HUNT_PAUSE_MIN, HUNT_TIME_MAX, SIGNALS_MAX};
use crate::process_tree;

/// What is handed down to the program. The others end us, or mean nothing to it.
const HANDED_DOWN: [Signal; 7] =
    [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT, Signal::USR1, Signal::USR2, Signal::WINCH];

/// Starts the next step and stays with it to its end.
pub(super) fn keep(spec: &SpawnOrders, program: &[OsString]) -> Result<u8, String> {
    // Before anything of our own is open.
    pipes::close_inherited().map_err(|error| format!("inherited descriptors cannot be closed: {error}"))?;
    let house = enter::parent(spec.house)?;
    let given = if spec.secrets { secrets::take(&mut Stdin)? } else { Vec::new() };
    let failed = |error: io::Error| format!("the keeper cannot be set up: {error}");
    set_child_subreaper(Some(getpid())).map_err(|error| failed(error.into()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(failed)?;
    let status = runtime.block_on(async {
        // Listening starts before the child, so that its end is not missed.
        let mut signals = listen().map_err(failed)?;
        let child = Child::start(spec, program, &given)?;
        drop(given);
        pipes::release_standard().map_err(failed)?;
        let mut gone = watch(house).map_err(failed)?;
        loop {
            let signal = tokio::select! {
                signal = signals.recv() => signal.unwrap_or(Signal::CHILD),
                _ = &mut gone => return Ok(None),
            };
            match signal {
                Signal::CHILD => {
                    if let Some(status) = reap(child.pid) {
                        return Ok(Some(child.status(status)));
                    }
                }
                other => child.hand_down(other),
            }
        }
    });
    hunt();
    // If Arbiter is gone, there is no reader for an error.
    status.map(|status| status.unwrap_or(NOT_MADE))
}

/// The next step, running.
struct Child {
    pid: Pid,
    /// What bubblewrap says of itself, at its level.
    wrapped: Option<File>,
}

impl Child {
    fn start(spec: &SpawnOrders, program: &[OsString], given: &[(String, String)]) -> Result<Child, String> {
        let keeper = getpid().as_raw_nonzero().get();
        let orders = SpawnOrders { keeper, secrets: false, ..spec.clone() };
        let own = |step: SandboxStep| {
            let words = spec.own.iter().map(OsString::from);
            words.chain([step.word().into(), "--".into()]).collect::<Vec<OsString>>()
        };
        let mut words = own(SandboxStep::Inside);
        words.extend_from_slice(program);

        // What is handed down stays open until the child has it.
        let mut open: Vec<OwnedFd> = Vec::new();
        let mut wrapped = None;
        let failed = |error: io::Error| format!("a pipe cannot be made: {error}");
        match spec.level {
            SandboxLevel::Off | SandboxLevel::Landlock => {}
            SandboxLevel::Bubblewrap => {
                let (reader, writer) = pipes::upward().map_err(failed)?;
                // Bubblewrap ties itself to us too, but does not look whether we are still there.
                words = [own(SandboxStep::Tie), bubblewrap::words(spec, &writer, &mut open)?, words].concat();
                wrapped = Some(reader);
                open.push(writer);
            }
        }
        let (first, rest) = words.split_first().ok_or("there is no own binary")?;
        let mut command = Command::new(first);
        command.args(rest).env(ORDERS, orders.word());
        for (variable, value) in given {
            let pipe = pipes::holding(value.as_bytes()).map_err(failed)?;
            command.env(variable, pipes::number(&pipe));
            open.push(pipe);
        }
        match spec.level {
            // Bubblewrap makes a session of its own, and a process that leads a group cannot.
            SandboxLevel::Off | SandboxLevel::Landlock => {}
            SandboxLevel::Bubblewrap => {
                _ = std::os::unix::process::CommandExt::process_group(&mut command, 0)
            }
        }
        let child = command
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", first.to_string_lossy()))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("a child without a number")?;
        Ok(Child { pid, wrapped })
    }

    /// The program leads its own group at every level; bubblewrap, which is between us and it, hands nothing down.
    fn hand_down(&self, signal: Signal) {
        let leader = match &self.wrapped {
            None => Some(self.pid),
            Some(_) => process_tree::first_in_namespace_of(self.pid),
        };
        // Before the program leads a group, it is alone; before the program is there, the step on the way to it
        // gets the signal.
        let leader = leader.unwrap_or(self.pid);
        if kill_process_group(leader, signal).is_err() {
            let _ = kill_process(leader, signal);
        }
    }

    /// The program's exit status, from how our child ended.
    fn status(mut self, status: WaitStatus) -> u8 {
        if let Some(signal) = status.terminating_signal() {
            return u8::try_from(128 + signal).unwrap_or(NOT_MADE);
        }
        let code = status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(NOT_MADE);
        let Some(wrapped) = &mut self.wrapped else { return code };
        let mut said = String::new();
        let _ = wrapped.read_to_string(&mut said);
        // A bubblewrap that failed has an exit status of its own, which is none of the program's.
        if said.contains("\"exit-code\"") { code } else { NOT_MADE }
    }
}

/// Signals to us, one after another, and the ends of children as one of them.
fn listen() -> io::Result<mpsc::Receiver<Signal>> {
    let (heard, signals) = mpsc::channel(SIGNALS_MAX);
    for number in HANDED_DOWN.into_iter().chain([Signal::CHILD]) {
        let mut stream = signal(SignalKind::from_raw(number.as_raw()))?;
        let heard = heard.clone();
        tokio::spawn(
            async move { while stream.recv().await.is_some() && heard.send(number).await.is_ok() {} },
        );
    }
    Ok(signals)
}

/// Reports when Arbiter is gone. A thread of our own waits for it: the system's own signal for a parent's death comes
/// already when the thread that started us ends.
fn watch(house: OwnedFd) -> io::Result<oneshot::Receiver<()>> {
    let (tell, gone) = oneshot::channel();
    std::thread::Builder::new().name("house".into()).spawn(move || {
        let mut fds = [PollFd::new(&house, PollFlags::IN)];
        while poll(&mut fds, None) == Err(Errno::INTR) {}
        let _ = tell.send(());
    })?;
    Ok(gone)
}

/// Reaps every child that has ended, and returns how `child` ended if it is among them.
fn reap(child: Pid) -> Option<WaitStatus> {
    let mut ended = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == child {
            ended = Some(status);
        }
    }
    ended
}

/// Ends every process below us. A process that loses its parent becomes our child, so it is enough to end our children
/// until there is none; that is quick enough for one that starts itself anew all the time.
fn hunt() {
    let began = Instant::now();
    while began.elapsed() < HUNT_TIME_MAX {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => {
                if strike_children().is_none() {
                    process_tree::strike_below_us();
                }
                std::thread::sleep(HUNT_PAUSE_MIN);
            }
            Err(_) => return,
        }
    }
}

/// Kills our own children: no other process can have got their numbers, because only we can reap them. None if the
/// kernel does not list them.
fn strike_children() -> Option<()> {
    for task in fs::read_dir("/proc/self/task").ok()?.flatten() {
        // A thread that has just ended has no children.
        let listed = match fs::read_to_string(task.path().join("children")) {
            Ok(listed) => listed,
            Err(_) if !Path::new("/proc/self/task").join(task.file_name()).exists() => continue,
            Err(_) => return None,
        };
        for child in listed.split_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)) {
            let _ = kill_process(child, Signal::KILL);
        }
    }
    Some(())
}

/// Our stdin, without a buffer: what is not ours is the program's.
struct Stdin;

impl Read for Stdin {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(io::stdin().as_fd(), bytes)?)
    }
}
