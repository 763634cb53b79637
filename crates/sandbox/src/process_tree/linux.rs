//! The process tree as Linux shows it under `/proc`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::str::FromStr;

use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, geteuid, getpid, getrlimit, pidfd_open, pidfd_send_signal,
    prlimit,
};

/// What the members of the family have in common, beside the group.
#[derive(Debug, Clone)]
pub(super) struct Traces {
    mark: Vec<u8>,
    brand: Option<u64>,
    /// No descendant is older than the root, so older processes need no second look.
    born: u64,
}

impl Traces {
    pub(super) fn of(root: Pid, mark: &str) -> Self {
        Self {
            mark: format!("{mark}=").into_bytes(),
            brand: brand(root),
            born: Life::read(pid_number(root)).map_or(0, |life| life.born),
        }
    }

    pub(super) fn strike(&self, root: Pid) -> usize {
        self.members(root).into_iter().filter(|life| life.kill()).count()
    }

    /// Every living process with a trace, and all their descendants.
    fn members(&self, root: Pid) -> Vec<Life> {
        let (mut members, others): (Vec<Life>, Vec<Life>) = living()
            .filter(|life| life.born >= self.born)
            .partition(|life| life.group == pid_number(root) || self.is_traced(life.pid));
        let mut parents: BTreeSet<i32> = members.iter().map(|life| life.pid).collect();
        parents.insert(pid_number(root));
        members.extend(descendants(parents, others));
        members
    }

    fn is_traced(&self, pid: i32) -> bool {
        self.is_branded(pid) || self.is_marked(pid)
    }

    fn is_marked(&self, pid: i32) -> bool {
        has_variable(pid, |pair| pair.starts_with(&self.mark))
    }

    fn is_branded(&self, pid: i32) -> bool {
        let Some(brand) = self.brand else {
            return false;
        };
        let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        let Some(locks) = limits.lines().find_map(|line| line.strip_prefix("Max file locks")) else {
            return false;
        };
        locks.split_whitespace().take(2).any(|limit| limit.parse() == Ok(brand))
    }
}

/// Our own tree is left alone: the processes that started us, this process, and what it started.
pub(super) fn strike_carriers(pair: &[u8]) -> BTreeSet<i32> {
    let all: Vec<Life> = living().collect();
    let own = own_family(&all);
    let (mut members, others): (Vec<Life>, Vec<Life>) = all
        .into_iter()
        .filter(|life| !own.contains(&life.pid))
        .partition(|life| is_our_users(life.pid) && has_variable(life.pid, |found| found == pair));
    members.extend(descendants(members.iter().map(|life| life.pid).collect(), others));
    members.iter().filter(|life| life.kill()).map(|life| life.pid).collect()
}

/// A kill between two searches can make a new orphan: the caller searches again.
pub(super) fn strike_below_us() -> usize {
    let below = descendants(BTreeSet::from([pid_number(getpid())]), living().collect());
    below.iter().filter(|life| life.kill()).count()
}

/// Number 1 in there belongs to the wrapper; the program is its first child, number 2.
pub(super) fn first_in_namespace_of(wrapper: Pid) -> Option<Pid> {
    let below = descendants(BTreeSet::from([pid_number(wrapper)]), living().collect());
    let first = below.iter().find(|life| inner_number(life.pid) == Some(2))?;
    Pid::from_raw(first.pid)
}

/// A process's number in its own namespace, if that is not ours.
fn inner_number(pid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    numbers.get(1..)?.last()?.parse().ok()
}

fn own_family(all: &[Life]) -> BTreeSet<i32> {
    let own = pid_number(getpid());
    let mut family = BTreeSet::from([own]);
    let mut parent = Some(own);
    while let Some(life) = all.iter().find(|life| Some(life.pid) == parent) {
        parent = family.insert(life.parent).then_some(life.parent);
    }
    let started = descendants(BTreeSet::from([own]), all.to_vec());
    family.extend(started.iter().map(|life| life.pid));
    family
}

/// Those of `others` that descend from one of `parents`.
fn descendants(mut parents: BTreeSet<i32>, mut others: Vec<Life>) -> Vec<Life> {
    let mut members = Vec::new();
    loop {
        let (found, rest): (Vec<Life>, Vec<Life>) =
            others.into_iter().partition(|life| parents.contains(&life.parent));
        if found.is_empty() {
            return members;
        }
        parents.extend(found.iter().map(|life| life.pid));
        members.extend(found);
        others = rest;
    }
}

fn has_variable(pid: i32, is_it: impl Fn(&[u8]) -> bool) -> bool {
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(is_it))
}

fn is_our_users(pid: i32) -> bool {
    fs::metadata(format!("/proc/{pid}")).is_ok_and(|found| found.uid() == geteuid().as_raw())
}

/// Writes a number into a resource limit that Linux has ignored since 2.4, but still hands to every child.
///
/// Unlike the environment it stays through `env -i`, and an ordinary process cannot raise it again. Inside another
/// workshop we leave that one's brand in the hard limit and put ours below it.
fn brand(root: Pid) -> Option<u64> {
    let ceiling = getrlimit(Resource::Locks).maximum;
    // Below a low ceiling a random number is not unique, and a brand that strangers share would kill them.
    let room = ceiling.unwrap_or(1 << 62);
    if room < 1 << 40 {
        return None;
    }
    let brand = host::dice() % room;
    let limit = Rlimit { current: Some(brand), maximum: Some(ceiling.unwrap_or(brand)) };
    prlimit(Some(root), Resource::Locks, limit).ok()?;
    Some(brand)
}

fn living() -> impl Iterator<Item = Life> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Life::read)
}

/// One living process, as `/proc/<pid>/stat` tells it.
#[derive(Clone, Copy)]
struct Life {
    pid: i32,
    parent: i32,
    group: i32,
    born: u64,
}

impl Life {
    fn read(pid: i32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may hold anything, also parentheses: the fields begin after the last one.
        let end_of_name = stat.iter().rposition(|byte| *byte == b')')?;
        let fields = String::from_utf8_lossy(stat.get(end_of_name + 1..)?).into_owned();
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // Zombies and the dead hold nothing open and do nothing any more.
        if matches!(*fields.first()?, "Z" | "X" | "x") {
            return None;
        }
        Some(Self { pid, parent: field(&fields, 1)?, group: field(&fields, 2)?, born: field(&fields, 19)? })
    }

    /// Kills this process, and never another that got its number in between.
    fn kill(&self) -> bool {
        let Some(pid) = Pid::from_raw(self.pid) else {
            return false;
        };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            return false;
        };
        let is_same = Self::read(self.pid).is_some_and(|now| now.born == self.born);
        if is_same {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
        }
        is_same
    }
}

fn field<T: FromStr>(fields: &[&str], index: usize) -> Option<T> {
    fields.get(index)?.parse().ok()
}

fn pid_number(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}
