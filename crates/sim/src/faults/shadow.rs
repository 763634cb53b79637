//! What of a world would outlive a loss of power: what was synced, and nothing else. It follows the calls of a run and keeps,
//! beside what each folder holds, what of it was made durable; then it builds the world that is left.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use nix::libc;

use super::syscalls::CallAct;
use super::tracer::TracedCall;

/// How much the disk had done by itself when the power went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PowerLoss {
    /// Nothing that was not asked for: neither bytes nor names.
    Everything,
    /// All names were written, and none of the bytes behind them: how most journals of file systems lose.
    Bytes,
}

/// Folders in which others write: git, and the agents in their clones and their conversations. What a disk loses there is
/// not ours to judge, so it loses nothing, if only the folder itself has a durable name.
const OF_OTHERS: [&str; 3] = [".git", "clones", "rehearsal"];

#[derive(Debug)]
pub struct DurableShadow {
    root: PathBuf,
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    Folder { live: Names, durable: Names, mode: u32 },
    File { bytes: Durable, cut: Option<u64>, mode: u32 },
    Link(PathBuf),
}

type Names = BTreeMap<OsString, usize>;

/// The bytes of a file that are safe.
#[derive(Debug)]
enum Durable {
    Nothing,
    /// Those that it began with.
    Kept(PathBuf),
    Bytes(Vec<u8>),
}

impl DurableShadow {
    /// Everything that stands in the template is durable in the world.
    pub fn new(template: &Path, root: &Path) -> io::Result<DurableShadow> {
        let mut shadow = DurableShadow { root: root.to_owned(), nodes: Vec::new() };
        shadow.load(template)?;
        Ok(shadow)
    }

    fn load(&mut self, folder: &Path) -> io::Result<usize> {
        let number = self.add(Node::Link(PathBuf::new()));
        let mut names = Names::new();
        for entry in fs::read_dir(folder)? {
            let (path, name, kind) = entry.and_then(|it| Ok((it.path(), it.file_name(), it.file_type()?)))?;
            let node = if kind.is_dir() {
                self.load(&path)?
            } else if kind.is_symlink() {
                self.add(Node::Link(fs::read_link(&path)?))
            } else {
                let mode = mode_of(&path);
                self.add(Node::File { bytes: Durable::Kept(path), cut: None, mode })
            };
            names.insert(name, node);
        }
        self.nodes[number] = Node::Folder { live: names.clone(), durable: names, mode: mode_of(folder) };
        Ok(number)
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Follows a call that succeeded.
    pub fn follow(&mut self, call: &TracedCall) {
        match call.act {
            CallAct::Open => self.open(call),
            CallAct::Name => self.name(call),
            CallAct::Sync if call.call == "syncfs" => {
                let root = self.root.clone();
                self.sync_all(0, &root);
            }
            CallAct::Sync => self.sync(&call.path),
            CallAct::Resize if call.call != "fallocate" => self.cut(&call.path, call.arguments[1]),
            CallAct::Resize
            | CallAct::Read
            | CallAct::Write
            | CallAct::Look
            | CallAct::Lock
            | CallAct::Mark => {}
        }
    }

    fn open(&mut self, call: &TracedCall) {
        if self.find(&call.path).is_none() {
            let mode = mode_of(&call.path);
            self.put(&call.path, |shadow| {
                shadow.add(Node::File { bytes: Durable::Nothing, cut: None, mode })
            });
        }
        let flags = if call.call == "openat" { call.arguments[2] } else { call.arguments[1] };
        if call.call == "creat" || flags & libc::O_TRUNC as u64 != 0 {
            self.cut(&call.path, 0);
        }
    }

    fn name(&mut self, call: &TracedCall) {
        match (call.call, &call.to) {
            ("rename" | "renameat" | "renameat2", Some(to)) => {
                if let Some(node) = self.take(&call.path) {
                    self.put(to, |_| node);
                }
            }
            ("link" | "linkat", Some(to)) => {
                if let Some(node) = self.find(&call.path) {
                    self.put(to, |_| node);
                }
            }
            ("mkdir" | "mkdirat", _) => {
                let mode = mode_of(&call.path);
                let empty = Node::Folder { live: Names::new(), durable: Names::new(), mode };
                self.put(&call.path, |shadow| shadow.add(empty));
            }
            ("symlink" | "symlinkat", _) => {
                let target = fs::read_link(&call.path).unwrap_or_default();
                self.put(&call.path, |shadow| shadow.add(Node::Link(target)));
            }
            ("unlink" | "unlinkat" | "rmdir", _) => _ = self.take(&call.path),
            _ => {}
        }
    }

    fn sync(&mut self, path: &Path) {
        let Some(number) = self.find(path) else { return };
        match &mut self.nodes[number] {
            Node::Folder { live, durable, .. } => *durable = live.clone(),
            Node::File { bytes, cut, mode } => {
                // A file that cannot be read now is one that is not there.
                if let Ok(read) = fs::read(path) {
                    (*bytes, *cut, *mode) = (Durable::Bytes(read), None, mode_of(path));
                }
            }
            Node::Link(_) => {}
        }
    }

    fn sync_all(&mut self, number: usize, path: &Path) {
        self.sync(path);
        let Node::Folder { live, .. } = &self.nodes[number] else { return };
        for (name, node) in live.clone() {
            self.sync_all(node, &path.join(name));
        }
    }

    fn cut(&mut self, path: &Path, to: u64) {
        if let Some(number) = self.find(path)
            && let Node::File { cut, .. } = &mut self.nodes[number]
        {
            *cut = Some(cut.map_or(to, |before| before.min(to)));
        }
    }

    /// The node of a path inside the world.
    fn find(&self, path: &Path) -> Option<usize> {
        path.strip_prefix(&self.root).ok()?.iter().try_fold(0, |number, name| match &self.nodes[number] {
            Node::Folder { live, .. } => live.get(name).copied(),
            Node::File { .. } | Node::Link(_) => None,
        })
    }

    fn folder_of(&mut self, path: &Path) -> Option<(&mut Names, OsString)> {
        let (folder, name) = (self.find(path.parent()?)?, path.file_name()?.to_owned());
        match &mut self.nodes[folder] {
            Node::Folder { live, .. } => Some((live, name)),
            Node::File { .. } | Node::Link(_) => None,
        }
    }

    fn put(&mut self, path: &Path, node: impl FnOnce(&mut DurableShadow) -> usize) {
        if self.folder_of(path).is_none() {
            return;
        }
        let node = node(self);
        if let Some((live, name)) = self.folder_of(path) {
            live.insert(name, node);
        }
    }

    fn take(&mut self, path: &Path) -> Option<usize> {
        let (live, name) = self.folder_of(path)?;
        live.remove(&name)
    }

    /// Builds what is left, in place of the world.
    pub fn build(&self, loss: PowerLoss) -> io::Result<()> {
        let before = self.root.with_extension("before");
        fs::rename(&self.root, &before)?;
        self.build_node(0, &self.root, &before, loss)?;
        fs::remove_dir_all(before)
    }

    fn build_node(&self, number: usize, path: &Path, before: &Path, loss: PowerLoss) -> io::Result<()> {
        match &self.nodes[number] {
            Node::Folder { .. } if OF_OTHERS.iter().any(|name| path.ends_with(name)) && before.is_dir() => {
                fs::rename(before, path)
            }
            Node::Folder { live, durable, mode } => {
                fs::create_dir(path)?;
                let names = match loss {
                    PowerLoss::Everything => durable,
                    PowerLoss::Bytes => live,
                };
                for (name, node) in names {
                    self.build_node(*node, &path.join(name), &before.join(name), loss)?;
                }
                fs::set_permissions(path, Permissions::from_mode(*mode))
            }
            Node::File { bytes, cut, mode } => {
                let mut left = match bytes {
                    Durable::Nothing => Vec::new(),
                    Durable::Kept(kept) => fs::read(kept)?,
                    Durable::Bytes(bytes) => bytes.clone(),
                };
                if let (PowerLoss::Bytes, Some(cut)) = (loss, cut) {
                    left.truncate(usize::try_from(*cut).unwrap_or(usize::MAX));
                }
                fs::write(path, left)?;
                fs::set_permissions(path, Permissions::from_mode(*mode))
            }
            Node::Link(target) => symlink(target, path),
        }
    }
}

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).map_or(0o600, |found| found.permissions().mode())
}
