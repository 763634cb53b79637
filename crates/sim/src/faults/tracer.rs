//! Runs a command under ptrace and stops it at every file-system call, to look, to fail the call or to kill. It knows
//! processes and calls, and nothing of the program that it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{self, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::limits;
use super::memory;
use super::syscalls::{CallAct, Named, shape_of};

/// What the command itself is called, whatever its file is.
const ROOT_NAME: &str = "own";
/// What may come before the command.
const PREPARES: [&str; 6] = ["sh", "dash", "bash", "busybox", "unshare", "mount"];

/// A process of the tree that is traced.
#[derive(Debug, Clone)]
pub struct TracedProcess {
    /// Its program, and for git the command: `sh`, `git update-ref`.
    pub name: String,
    /// That of the process that started it.
    pub parent: String,
    /// Whether it is the command itself, with all its threads.
    pub is_root: bool,
}

/// A call that a process is about to make, or has made.
#[derive(Debug, Clone)]
pub struct TracedCall {
    pub process: TracedProcess,
    pub call: &'static str,
    pub act: CallAct,
    /// The file it names, as an absolute path.
    pub path: PathBuf,
    /// Where a rename or a link leads.
    pub to: Option<PathBuf>,
    pub arguments: [u64; 6],
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOrder {
    Go,
    /// It is not made, and fails with this error.
    Fail(i32),
    /// It is not made, and seems to have succeeded.
    Swallow,
    /// It moves fewer bytes than it was asked to.
    Shorten,
    /// The process that makes it is killed.
    KillProcess,
    /// Every process is killed.
    KillTree,
}

/// Whoever looks at calls and decides about them.
pub trait CallWatcher {
    /// Whether the calls of this process are looked at.
    fn follows(&self, process: &TracedProcess) -> bool;
    fn entering(&mut self, call: &TracedCall) -> CallOrder;
    fn left(&mut self, call: &TracedCall, result: i64) -> CallOrder;

    /// Whether all that it looked for has come: from then on nobody is stopped.
    fn is_content(&self) -> bool {
        false
    }
}

/// How a traced command ended.
#[derive(Debug)]
pub struct TracedEnd {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// It did not end within its time.
    pub hung: bool,
    /// We killed it.
    pub killed: bool,
    pub out: String,
    pub err: String,
}

/// Runs a command to its end. What it prints goes to the file `out` and to one beside it.
pub fn trace(
    command: &Command,
    out: &Path,
    bound: Duration,
    watcher: &mut dyn CallWatcher,
) -> io::Result<TracedEnd> {
    let (root, err) = start(command, out)?;
    let tree = Arc::new(Mutex::new(BTreeSet::from([root])));
    let (alive, silence) = mpsc::channel();
    let rest = Arc::clone(&tree);
    let dog = thread::spawn(move || guard(&silence, bound, &rest));
    let mut tracing = Tracing::new(root, tree, watcher, alive);
    let status = tracing.run();
    let killed = tracing.killed;
    drop(tracing);
    let hung = dog.join().unwrap_or(false);
    let (code, signal) = status?;
    Ok(TracedEnd {
        code,
        signal,
        hung,
        killed,
        out: String::from_utf8_lossy(&fs::read(out)?).into_owned(),
        err: String::from_utf8_lossy(&fs::read(err)?).into_owned(),
    })
}

/// Kills what does not end in time, and tells whether that was the command itself. The tracer says one word when the
/// command has ended, and hangs up when all its processes have.
fn guard(silence: &mpsc::Receiver<()>, bound: Duration, tree: &Mutex<BTreeSet<Pid>>) -> bool {
    let hung = silence.recv_timeout(bound) == Err(RecvTimeoutError::Timeout);
    if hung || silence.recv_timeout(limits::LEFTOVER_MAX) == Err(RecvTimeoutError::Timeout) {
        kill_all(tree);
    }
    hung
}

fn kill_all(tree: &Mutex<BTreeSet<Pid>>) {
    for process in tree.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // One that has just ended is what we want.
        let _ = signal::kill(*process, Signal::SIGKILL);
    }
}

/// Starts a shell that stops itself, takes hold of it, and lets it become the command.
fn start(command: &Command, out: &Path) -> io::Result<(Pid, PathBuf)> {
    let err = out.with_extension("err");
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", r#"kill -STOP $$; exec "$@""#, "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.stdin(Stdio::null()).stdout(File::create(out)?).stderr(File::create(&err)?);
    let child = shell.spawn()?;
    let root = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    waitpid(root, Some(WaitPidFlag::WUNTRACED))?;
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    ptrace::seize(root, options)?;
    signal::kill(root, Signal::SIGCONT)?;
    Ok((root, err))
}

/// A thread and the call in which it is.
struct Tracee {
    process: Pid,
    pending: Option<(TracedCall, CallOrder)>,
}

struct Tracing<'a> {
    /// The first process: a shell that prepares the command and becomes it, or waits for it.
    root: Pid,
    /// The command itself, once it has begun.
    command: Option<Pid>,
    tree: Arc<Mutex<BTreeSet<Pid>>>,
    threads: BTreeMap<Pid, Tracee>,
    /// Each process, and whether its calls are looked at.
    processes: BTreeMap<Pid, (TracedProcess, bool)>,
    watcher: &'a mut dyn CallWatcher,
    /// Everything is to end.
    killing: bool,
    /// The command was killed by us.
    killed: bool,
    alive: mpsc::Sender<()>,
}

impl<'a> Tracing<'a> {
    fn new(
        root: Pid,
        tree: Arc<Mutex<BTreeSet<Pid>>>,
        watcher: &'a mut dyn CallWatcher,
        alive: mpsc::Sender<()>,
    ) -> Tracing<'a> {
        let (threads, processes) = (BTreeMap::new(), BTreeMap::new());
        Tracing {
            root,
            command: None,
            tree,
            threads,
            processes,
            watcher,
            killing: false,
            killed: false,
            alive,
        }
    }

    /// Follows every process until none is left, and gives the exit code or the signal of the first.
    fn run(&mut self) -> io::Result<(Option<i32>, Option<i32>)> {
        let mut ended = (None, None);
        loop {
            // Only what this thread traces: other threads trace other commands.
            let status = match waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)) {
                Ok(status) => status,
                Err(nix::errno::Errno::ECHILD) => return Ok(ended),
                Err(nix::errno::Errno::EINTR) => continue,
                Err(errno) => return Err(errno.into()),
            };
            match status {
                WaitStatus::Exited(thread, code) => {
                    ended = self.forget(thread, (Some(code), None), ended);
                }
                WaitStatus::Signaled(thread, signal, _) => {
                    ended = self.forget(thread, (None, Some(signal as i32)), ended);
                }
                WaitStatus::PtraceSyscall(thread) => self.at_call(thread),
                WaitStatus::PtraceEvent(thread, _, event) => {
                    if event == libc::PTRACE_EVENT_EXEC {
                        self.at_exec(thread);
                    }
                    self.go_on(thread, None);
                }
                WaitStatus::Stopped(thread, signal) => self.go_on(thread, Some(signal)),
                WaitStatus::Continued(_) | WaitStatus::StillAlive => {}
            }
        }
    }

    fn forget(
        &mut self,
        thread: Pid,
        how: (Option<i32>, Option<i32>),
        ended: (Option<i32>, Option<i32>),
    ) -> (Option<i32>, Option<i32>) {
        self.threads.remove(&thread);
        self.processes.remove(&thread);
        self.tree.lock().unwrap_or_else(PoisonError::into_inner).remove(&thread);
        if thread != self.command.unwrap_or(self.root) {
            return ended;
        }
        // The guard may have gone already.
        let _ = self.alive.send(());
        how
    }

    /// Lets a thread go on, to its next call if its calls are looked at.
    fn go_on(&mut self, thread: Pid, signal: Option<Signal>) {
        let process = self.meet(thread);
        if self.killing {
            let _ = signal::kill(process, Signal::SIGKILL);
        }
        let looked_at = self.processes.get(&process).is_some_and(|(_, looked_at)| *looked_at);
        let looked_at = looked_at && !self.watcher.is_content();
        // A thread that was killed meanwhile cannot go on, and its end will be told.
        let _ = if looked_at { ptrace::syscall(thread, signal) } else { ptrace::cont(thread, signal) };
    }

    /// The process of a thread, which may be new.
    fn meet(&mut self, thread: Pid) -> Pid {
        if let Some(known) = self.threads.get(&thread) {
            return known.process;
        }
        let process = memory::process_of(thread).unwrap_or(thread);
        self.threads.insert(thread, Tracee { process, pending: None });
        if !self.processes.contains_key(&process) {
            self.tree.lock().unwrap_or_else(PoisonError::into_inner).insert(process);
            self.judge(process);
        }
        process
    }

    fn at_exec(&mut self, thread: Pid) {
        self.meet(thread);
        if self.command.is_none() && !PREPARES.contains(&memory::name_of(thread).as_str()) {
            self.command = Some(thread);
        }
        self.judge(thread);
    }

    /// Decides anew whether the calls of a process are looked at.
    fn judge(&mut self, process: Pid) {
        let is_root = Some(process) == self.command;
        let name = if is_root { ROOT_NAME.to_owned() } else { memory::name_of(process) };
        let parent = memory::parent_of(process).map(memory::name_of).unwrap_or_default();
        let known = TracedProcess { name, parent, is_root };
        let looked_at = self.command.is_some() && self.watcher.follows(&known);
        self.processes.insert(process, (known, looked_at));
    }

    fn at_call(&mut self, thread: Pid) {
        self.meet(thread);
        let order = match ptrace::syscall_info(thread) {
            Ok(info) if info.op == libc::PTRACE_SYSCALL_INFO_ENTRY => self.entering(thread),
            Ok(_) => self.leaving(thread),
            Err(_) => CallOrder::Go,
        };
        match order {
            CallOrder::KillTree => {
                (self.killing, self.killed) = (true, true);
                kill_all(&self.tree);
            }
            CallOrder::KillProcess => {
                let process = self.meet(thread);
                self.killed |= Some(process) == self.command;
                let _ = signal::kill(process, Signal::SIGKILL);
            }
            CallOrder::Go | CallOrder::Fail(_) | CallOrder::Swallow | CallOrder::Shorten => {}
        }
        self.go_on(thread, None);
    }

    fn entering(&mut self, thread: Pid) -> CallOrder {
        let Ok(mut registers) = ptrace::getregs(thread) else { return CallOrder::Go };
        let Some(call) = self.read_call(thread, &registers) else { return CallOrder::Go };
        let order = self.watcher.entering(&call);
        match order {
            // No call has this number: the kernel makes none, and we give the answer.
            CallOrder::Fail(_) | CallOrder::Swallow => registers.orig_rax = u64::MAX,
            // A read does not know how much there is, so that only one byte is surely fewer.
            CallOrder::Shorten if call.act == CallAct::Read => registers.rdx = registers.rdx.min(1),
            CallOrder::Shorten => registers.rdx = registers.rdx.div_ceil(2),
            CallOrder::Go | CallOrder::KillProcess | CallOrder::KillTree => {}
        }
        if matches!(order, CallOrder::Fail(_) | CallOrder::Swallow | CallOrder::Shorten) {
            // A thread that was killed meanwhile has no registers to set.
            let _ = ptrace::setregs(thread, registers);
        }
        if let Some(tracee) = self.threads.get_mut(&thread) {
            tracee.pending = Some((call, order));
        }
        order
    }

    fn leaving(&mut self, thread: Pid) -> CallOrder {
        let pending = self.threads.get_mut(&thread).and_then(|tracee| tracee.pending.take());
        let Some((call, order)) = pending else { return CallOrder::Go };
        let Ok(mut registers) = ptrace::getregs(thread) else { return CallOrder::Go };
        let answer = match order {
            CallOrder::Fail(errno) => Some(-i64::from(errno)),
            CallOrder::Swallow => Some(0),
            CallOrder::Go | CallOrder::Shorten | CallOrder::KillProcess | CallOrder::KillTree => None,
        };
        if let Some(answer) = answer {
            registers.rax = answer.cast_unsigned();
            let _ = ptrace::setregs(thread, registers);
        }
        self.watcher.left(&call, registers.rax.cast_signed())
    }

    /// Reads a call of the file system out of the registers.
    fn read_call(&self, thread: Pid, registers: &libc::user_regs_struct) -> Option<TracedCall> {
        let shape = shape_of(registers.orig_rax.cast_signed())?;
        let arguments =
            [registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9];
        let at = |folder: Option<usize>, path: usize| {
            memory::path_at(thread, folder.map(|folder| arguments[folder]), arguments[path])
        };
        let (path, to) = match shape.named {
            Named::Descriptor(number) => (memory::descriptor_at(thread, arguments[number])?, None),
            Named::Path(path) => (at(None, path)?, None),
            Named::At(folder, path) | Named::LinkAt(folder, path) => (at(Some(folder), path)?, None),
            Named::Paths(from, to) => (at(None, from)?, Some(at(None, to)?)),
            Named::Places(folder, from, second, to) => (at(Some(folder), from)?, Some(at(Some(second), to)?)),
        };
        let process = self.threads.get(&thread)?.process;
        let process = self.processes.get(&process)?.0.clone();
        Some(TracedCall { process, call: shape.name, act: shape.act, path, to, arguments })
    }
}
