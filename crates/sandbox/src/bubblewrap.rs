//! The access map as arguments for bubblewrap: mounts, in which the nearest place decides what is seen.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use mind::access::{Access, AccessMap};
use rustix::fd::OwnedFd;
use rustix::process::geteuid;

use super::access::look;
use super::pipes;
use super::spawn_orders::SpawnOrders;
use crate::limits::SOCKETS_MAX;

const TMP: &str = "/tmp";

/// What holds at every lay: its own processes, no privileges, the machine read-only, devices that do no harm.
const WORLD: &str = "
    --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL
    --ro-bind / / --dev /dev --tmpfs /dev/shm --proc /proc
";

/// What root could change in `/proc` without any privilege, and with it the machine: a core pattern names a program that
/// the kernel runs outside.
const KERNEL: &str = "sys sysrq-trigger scsi acpi fs driver mtrr pressure tty";

/// The world, before the lay.
pub(super) fn world() -> Vec<OsString> {
    let mut words: Vec<OsString> = WORLD.split_whitespace().map(OsString::from).collect();
    if !geteuid().is_root() {
        return words;
    }
    for name in KERNEL.split_whitespace() {
        let place = OsString::from(format!("/proc/{name}"));
        words.extend(["--ro-bind-try".into(), place.clone(), place]);
    }
    words
}

/// The arguments up to our own binary. `status` is where bubblewrap reports how it went; `open` takes the descriptors
/// that must stay open until bubblewrap runs.
pub(super) fn words(
    spec: &SpawnOrders,
    status: &OwnedFd,
    open: &mut Vec<OwnedFd>,
) -> Result<Vec<OsString>, String> {
    let program = spec.bubblewrap.as_ref().ok_or("the sandbox's orders name no bubblewrap")?;
    let mut words: Vec<OsString> =
        vec![program.into(), "--json-status-fd".into(), pipes::number(status).into()];
    words.extend(world());
    let mut say = |parts: &[&str]| words.extend(parts.iter().map(OsString::from));

    let mut places: Vec<(&str, Access)> =
        spec.lay.views.iter().map(|(place, view)| (place.as_str(), *view)).collect();
    // A place is mounted before what is below it.
    places.sort_by_key(|(place, _)| Path::new(place).components().count());
    let is_below = |place: &str, above: &str| place != above && Path::new(place).starts_with(above);
    // Nothing may be mounted in a folder that was written from inside: a link there would lead the mount astray.
    let is_busy = places.iter().any(|(place, view)| *view != Access::Hidden && is_below(place, TMP));
    match is_busy {
        true => say(&["--perms", "1777", "--tmpfs", TMP]),
        false => say(&["--bind", &spec.tmp, TMP]),
    }
    let lay = with_own_tmp(&spec.lay);
    let mut masked = Vec::new();
    for (place, view) in places {
        if place == "/" || place == TMP {
            continue;
        }
        let Some(is_folder) = look(place, view)? else { continue };
        match view {
            Access::Write => say(&["--bind", place, place]),
            // It is there already.
            Access::Read if view_above(&lay, place) == Access::Read => {}
            Access::Read => say(&["--ro-bind", place, place]),
            Access::Hidden if is_below(place, "/dev") => {}
            // Already gone with what is above it, except where that is the empty folder that may be written.
            Access::Hidden
                if view_above(&lay, place) == Access::Hidden && !(is_busy && is_in_own_tmp(&lay, place)) => {}
            Access::Hidden if is_folder => {
                say(&["--tmpfs", place]);
                masked.push(place);
            }
            Access::Hidden => {
                let nothing = pipes::nothing().map_err(|error| format!("/dev/null: {error}"))?;
                say(&["--perms", "0444", "--ro-bind-data", &pipes::number(&nothing), place]);
                open.push(nothing);
            }
        }
    }
    if let Some(own) = own_binary(spec) {
        say(&["--ro-bind", &own, &own]);
    }
    // A program inside that finds the socket of another program can ask that one for what is hidden here.
    for door in doors(&lay) {
        say(&["--ro-bind", "/dev/null", &door]);
    }
    // Only now: what is mounted within had to be made first.
    for place in masked {
        say(&["--remount-ro", place]);
    }
    words.extend(["--chdir", "/", "--"].map(OsString::from));
    Ok(words)
}

/// Sockets that other programs have opened in places that can be read. Not in those that can be written: they belong to
/// what runs inside, and nothing may be mounted there.
fn doors(lay: &AccessMap) -> Vec<String> {
    let listed = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let paths = listed.lines().filter_map(|line| line.find(" /").map(|at| &line[at + 1..]));
    let real = paths.filter_map(|path| fs::canonicalize(path).ok()?.into_os_string().into_string().ok());
    let is_seen = |path: &String| {
        lay.view(path) == Access::Read
            && fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
            && !["/dev", "/proc"].iter().any(|own| Path::new(path).starts_with(own))
    };
    // In a set: many are listed once for each of their connections.
    real.filter(is_seen).collect::<BTreeSet<String>>().into_iter().take(SOCKETS_MAX).collect()
}

/// The machine's own temporary folder is not there, whatever the lay says of it.
fn with_own_tmp(lay: &AccessMap) -> AccessMap {
    let mut lay = lay.clone();
    lay.views.insert(TMP.into(), Access::Hidden);
    lay
}

/// Whether nothing else of the lay is between the temporary folder and the place.
fn is_in_own_tmp(lay: &AccessMap, place: &str) -> bool {
    let mut above = Path::new(place).ancestors().skip(1).filter_map(Path::to_str);
    above.find(|above| lay.views.contains_key(*above)) == Some(TMP)
}

fn view_above(lay: &AccessMap, place: &str) -> Access {
    lay.view(Path::new(place).parent().and_then(Path::to_str).unwrap_or("/"))
}

/// Our own binary, where the lay hides it: it is the first thing that runs inside.
fn own_binary(spec: &SpawnOrders) -> Option<String> {
    let own = fs::canonicalize(spec.own.first()?).ok()?.into_os_string().into_string().ok()?;
    (with_own_tmp(&spec.lay).view(&own) == Access::Hidden).then_some(own)
}
