//! What a stopped process has in its memory and in `/proc`: paths, folders, descriptors, its name.

use std::ffi::OsString;
use std::fs;
use std::io::IoSliceMut;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use nix::libc;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;

use super::limits;

/// The kernel gives memory by pages: a read that crosses into a missing one would fail as a whole.
const PAGE_BYTES: usize = 4096;

/// The process to which a thread belongs.
pub fn process_of(thread: Pid) -> Option<Pid> {
    number_of(thread, "Tgid:")
}

/// The process that started this one.
pub fn parent_of(process: Pid) -> Option<Pid> {
    number_of(process, "PPid:")
}

fn number_of(process: Pid, name: &str) -> Option<Pid> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(Pid::from_raw(line.trim().parse().ok()?))
}

/// The program of a process; for git with the command that it carries out, for others with one that is no person's: it
/// begins with two strokes.
pub fn name_of(process: Pid) -> String {
    let program = fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&words).into_owned();
    let mut words = words.split('\0').skip(1);
    if program != "git" {
        let hidden = words.next().filter(|word| word.starts_with("__"));
        return hidden.map_or(program.clone(), |word| format!("{program} {word}"));
    }
    while let Some(word) = words.next() {
        match word {
            // What follows these is their value.
            "-c" | "-C" | "--git-dir" | "--work-tree" | "--exec-path" | "--namespace" => _ = words.next(),
            word if word.starts_with('-') => {}
            word => return format!("git {word}"),
        }
    }
    program
}

/// The file of a descriptor, if it is one with a path.
pub fn descriptor_at(thread: Pid, argument: u64) -> Option<PathBuf> {
    let path = fs::read_link(format!("/proc/{thread}/fd/{}", low(argument))).ok()?;
    path.is_absolute().then_some(path)
}

/// The path at an address, seen from a folder's descriptor or from the current folder.
pub fn path_at(thread: Pid, folder: Option<u64>, address: u64) -> Option<PathBuf> {
    let text = if address == 0 { Vec::new() } else { text_at(thread, address)? };
    let path = PathBuf::from(OsString::from_vec(text));
    if path.is_absolute() {
        return Some(clean(&path));
    }
    let base = match folder.map(low) {
        None | Some(libc::AT_FDCWD) => fs::read_link(format!("/proc/{thread}/cwd")).ok()?,
        Some(number) => fs::read_link(format!("/proc/{thread}/fd/{number}")).ok()?,
    };
    Some(if path.as_os_str().is_empty() { base } else { clean(&base.join(path)) })
}

/// Descriptors are the low half of a register.
fn low(argument: u64) -> i32 {
    (argument & 0xffff_ffff) as u32 as i32
}

/// A text that ends with a zero.
fn text_at(thread: Pid, address: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut at = usize::try_from(address).ok()?;
    while text.len() < limits::PATH_BYTES_MAX {
        let mut piece = vec![0; PAGE_BYTES - at % PAGE_BYTES];
        let remote = [RemoteIoVec { base: at, len: piece.len() }];
        let read = process_vm_readv(thread, &mut [IoSliceMut::new(&mut piece)], &remote).ok()?;
        piece.truncate(read);
        if let Some(end) = piece.iter().position(|byte| *byte == 0) {
            text.extend_from_slice(&piece[..end]);
            return Some(text);
        }
        text.extend_from_slice(&piece);
        at += read;
    }
    None
}

/// A path without `.` and `..`. Links stay: nobody in these worlds goes up through one.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = cleaned.pop(),
            Component::RootDir | Component::Normal(_) | Component::Prefix(_) => cleaned.push(part),
        }
    }
    cleaned
}
