//! The socket of a mission that runs: the process that runs it tells followers that the journal moved and what is being
//! said. What comes over it is shown and never obeyed; the journal stays the truth.
//!
//! A process that connects must be the same user and say the key that lies beside the socket, which no agent can read: to hold
//! a process from a socket by its path is more than older kernels can do. Each follower has a task of its own that sends
//! the newest picture when the last was taken: one that is slow or broken is dropped and holds up nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream as Stream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mind::digest;
use providers::live::LiveTails;
use rustix::fs::OFlags;
use rustix::process::geteuid;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use view::LiveText;

use super::wire::{FromFollower, LiveDelta, ToFollower, VERSION};
use super::{id_of, runtime};
use crate::limits;
use crate::mission::mission_loop::MissionSnapshot;

/// What followers are told of.
#[derive(Debug, Clone)]
pub struct SocketSources {
    /// The mission, synced.
    pub view: watch::Receiver<MissionSnapshot>,
    /// What is being said.
    pub live: LiveTails,
    /// Rung when a follower says that something lies in the inbox.
    pub inbox: Arc<Notify>,
}

/// A socket that is served until this is dropped or the mission's loop has ended.
#[derive(Debug)]
pub struct SocketServer(JoinHandle<()>);

impl Drop for SocketServer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Serves the mission in `folder` to followers. A socket that a dead process left is replaced.
pub fn serve(folder: &Path, sources: SocketSources) -> io::Result<SocketServer> {
    let mut refused = io::Error::new(io::ErrorKind::NotFound, "there is no folder for sockets");
    for place in runtime::folders() {
        match serve_in(&place, folder, sources.clone()) {
            Ok(served) => return Ok(served),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// The same in this folder for sockets.
pub fn serve_in(place: &Path, folder: &Path, sources: SocketSources) -> io::Result<SocketServer> {
    runtime::make_private(place)?;
    let (socket, key_file) = runtime::names(place, folder)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidFilename, "the socket's path is too long"))?;
    sweep(place);
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let key = digest::hex(&bytes);
    host::files::replace(&key_file, key.as_bytes())?;
    // It listens before it has its name: a process that finds the name is heard.
    let new = socket.with_extension("new");
    let _ = fs::remove_file(&new);
    let listener = UnixListener::bind(&new)?;
    fs::rename(&new, &socket)?;
    let files = SocketFiles { socket, key_file, key: key.into() };
    let mission = id_of(folder).to_string();
    Ok(SocketServer(tokio::spawn(welcome(listener, files, mission, sources))))
}

/// The files of a socket: taken away with it, unless they are another process's by now.
#[derive(Debug)]
struct SocketFiles {
    socket: PathBuf,
    key_file: PathBuf,
    key: Arc<str>,
}

impl Drop for SocketFiles {
    fn drop(&mut self) {
        if host::files::read_text(&self.key_file, self.key.len()).is_ok_and(|key| *key == *self.key) {
            let _ = fs::remove_file(&self.socket);
            let _ = fs::remove_file(&self.key_file);
        }
    }
}

/// Takes away sockets at which no process listens any more.
fn sweep(place: &Path) {
    let entries = fs::read_dir(place).into_iter().flatten().flatten().take(limits::SOCKETS_SWEPT_MAX);
    for path in entries.map(|entry| entry.path()) {
        let dead = path.extension().is_some_and(|kind| kind == "sock")
            && Stream::connect(&path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        if dead {
            let _ = fs::remove_file(&path);
            let _ = fs::remove_file(path.with_extension("key"));
        }
    }
}

async fn welcome(listener: UnixListener, files: SocketFiles, mission: String, sources: SocketSources) {
    let room = Arc::new(Semaphore::new(limits::FOLLOWERS_MAX));
    let mut view = sources.view.clone();
    let ended = async { while view.changed().await.is_ok() {} };
    tokio::pin!(ended);
    loop {
        let stream = tokio::select! {
            () = &mut ended => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Such as too many open files: it may pass.
                Err(_) => {
                    tokio::time::sleep(limits::SWEEP_EVERY).await;
                    continue;
                }
            },
        };
        let ours = stream.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw());
        let Some(place) = Arc::clone(&room).try_acquire_owned().ok().filter(|_| ours) else { continue };
        let (key, mission, sources) = (Arc::clone(&files.key), mission.clone(), sources.clone());
        tokio::spawn(async move {
            // Whatever went wrong, it is only this follower that is gone.
            let _ = attend(stream, &key, mission, sources).await;
            drop(place);
        });
    }
}

/// Serves one follower until it or the mission is gone.
async fn attend(stream: UnixStream, key: &str, mission: String, sources: SocketSources) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = SocketLines(tokio::io::BufReader::new(read));
    let hello = timeout(limits::FOLLOWER_PATIENCE, lines.next()).await.map_err(io::Error::other)??;
    match hello {
        Some(FromFollower::Hello { version: VERSION, key: said }) if is_same(&said, key) => {}
        Some(_) | None => return Err(io::ErrorKind::PermissionDenied.into()),
    }
    let inbox = sources.inbox;
    let gone = async move {
        while let Ok(Some(line)) = lines.next().await {
            match line {
                FromFollower::Ring => inbox.notify_one(),
                FromFollower::Hello { .. } | FromFollower::Unknown => {}
            }
        }
    };
    tokio::select! {
        () = gone => Ok(()),
        told = tell(&mut write, mission, sources.view, &sources.live) => told,
    }
}

async fn tell(
    write: &mut OwnedWriteHalf,
    mission: String,
    mut view: watch::Receiver<MissionSnapshot>,
    live: &LiveTails,
) -> io::Result<()> {
    send(write, &ToFollower::Hello { version: VERSION, mission }).await?;
    let mut said = live.watch();
    // What is being said already is told first.
    said.mark_changed();
    view.mark_changed();
    let mut sent = LiveText::new();
    let mut next = Instant::now();
    loop {
        tokio::select! {
            biased;
            changed = view.changed() => {
                if changed.is_err() {
                    return Ok(());
                }
                let head = view.borrow_and_update().head;
                send(write, &ToFollower::Head { head }).await?;
            }
            Ok(()) = async { tokio::time::sleep_until(next).await; said.changed().await } => {
                let now = live.snapshot();
                for delta in LiveDelta::between(&sent, &now) {
                    send(write, &ToFollower::Live(delta)).await?;
                }
                sent = now;
                next = Instant::now() + limits::LIVE_EVERY;
            }
        }
    }
}

/// Sends one line, or gives the follower up.
async fn send(write: &mut OwnedWriteHalf, line: &ToFollower) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    timeout(limits::FOLLOWER_PATIENCE, write.write_all(&bytes)).await.map_err(io::Error::other)?
}

/// The lines of a follower, each within a bound.
struct SocketLines(tokio::io::BufReader<OwnedReadHalf>);

impl SocketLines {
    async fn next(&mut self) -> io::Result<Option<FromFollower>> {
        let mut line = Vec::new();
        let read = (&mut self.0).take(limits::FOLLOWER_LINE_BYTES_MAX).read_until(b'\n', &mut line).await?;
        if read == 0 {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&line)?))
    }
}

/// Takes as long whatever is wrong.
fn is_same(said: &str, key: &str) -> bool {
    let differs = said.bytes().zip(key.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    said.len() == key.len() && differs == 0
}

/// A follower's end of the socket.
#[derive(Debug)]
pub struct Connection {
    lines: BufReader<Stream>,
    /// A line of which the rest is still to come.
    line: Vec<u8>,
}

/// Connects to the process that runs the mission in `folder`, if one can be heard.
pub fn connect(folder: &Path) -> Option<Connection> {
    runtime::folders().iter().find_map(|place| connect_in(place, folder).ok())
}

/// The same through this folder for sockets.
pub fn connect_in(place: &Path, folder: &Path) -> io::Result<Connection> {
    let (socket, key_file) = runtime::names(place, folder).ok_or(io::ErrorKind::NotFound)?;
    if !runtime::is_private(place) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut key = String::new();
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(key_file)?;
    file.take(limits::FOLLOWER_LINE_BYTES_MAX / 2).read_to_string(&mut key)?;
    let stream = Stream::connect(socket)?;
    stream.set_write_timeout(Some(limits::FOLLOWER_PATIENCE))?;
    let mut connection = Connection { lines: BufReader::new(stream), line: Vec::new() };
    connection.send(&FromFollower::Hello { version: VERSION, key })?;
    let mission = id_of(folder).to_string();
    match connection.next(limits::FOLLOWER_PATIENCE)? {
        Some(ToFollower::Hello { version: VERSION, mission: told }) if told == mission => Ok(connection),
        Some(_) | None => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Tells the process that runs the mission that something lies in its inbox. It looks there by itself too, only later.
pub fn ring(folder: &Path) {
    if let Some(mut connection) = connect(folder) {
        let _ = connection.ring();
    }
}

impl Connection {
    /// The next line, or nothing after `patience`.
    pub fn next(&mut self, patience: Duration) -> io::Result<Option<ToFollower>> {
        self.lines.get_ref().set_read_timeout(Some(patience))?;
        let room = limits::SOCKET_LINE_BYTES_MAX.saturating_sub(self.line.len() as u64);
        match (&mut self.lines).take(room).read_until(b'\n', &mut self.line) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Ok(None)
            }
            Err(error) => Err(error),
            Ok(_) if !self.line.ends_with(b"\n") => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => Ok(Some(serde_json::from_slice(&std::mem::take(&mut self.line))?)),
        }
    }

    /// Says that something lies in the inbox.
    pub fn ring(&mut self) -> io::Result<()> {
        self.send(&FromFollower::Ring)
    }

    fn send(&mut self, line: &FromFollower) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.lines.get_mut().write_all(&bytes)
    }
}
