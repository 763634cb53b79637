//! The access map as rules for Landlock. Landlock can only allow, and allows whole trees: so what surrounds a hidden
//! place is allowed entry by entry, and the folders on the way to it cannot be listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ::landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use mind::access::{Access, AccessMap};
use rustix::fs::{Mode, OFlags, open};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::access::look;
use crate::limits::ENTRIES_MAX;

/// The newest rules we know; an older kernel takes what it knows of them.
const NEWEST: ABI = ABI::V9;

/// From here on signals and abstract sockets are held too.
const SCOPES_SINCE: u32 = 6;

/// Devices that may be written: they keep nothing. No terminal is among them: it is the user's, who types into it.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Terminals that bubblewrap made, which no other process has.
const OWN_TERMINALS: [&str; 2] = ["/dev/tty", "/dev/pts"];

/// Memory with a name, which bubblewrap made.
const OWN_MEMORY: &str = "/dev/shm";

/// Whose the devices are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Devices {
    /// The devices of the machine.
    Machine,
    /// The sandbox's own devices: bubblewrap made them.
    Own,
}

/// What is enforced after [`confine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    /// The kernel's version of Landlock.
    pub(super) abi: u32,
    /// Whether signals cannot reach a process outside.
    pub(super) signals: bool,
}

/// What the entries of a folder are, where it cannot be listed any more: it was listed before.
pub(super) type Listing = BTreeMap<String, Vec<String>>;

/// Whether the kernel has it, and has it switched on.
pub(super) fn is_there() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules.handle_access(AccessFs::Execute).and_then(Ruleset::create).is_ok()
}

/// Confines this thread, and whatever it becomes and starts, to the lay. There is no way back.
pub(super) fn confine(lay: &AccessMap, devices: Devices, known: &Listing) -> Result<Held, String> {
    for (place, view) in &lay.views {
        look(place, *view)?;
    }
    let lay = without_devices(lay);
    let mut walk = Walk { lay: &lay, known, grants: Vec::new(), listed: Listing::new() };
    walk.at(Path::new("/"));
    let grants = walk.grants.into_iter().map(|(place, view)| match view {
        Access::Write => (place, writing()),
        Access::Read | Access::Hidden => (place, AccessFs::from_read(NEWEST)),
    });
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let terminal = device | AccessFs::ReadDir | AccessFs::IoctlDev;
    let own = match devices {
        Devices::Machine => Vec::new(),
        Devices::Own => {
            let terminals = OWN_TERMINALS.map(|place| (PathBuf::from(place), terminal));
            terminals.into_iter().chain([(PathBuf::from(OWN_MEMORY), writing())]).collect()
        }
    };
    let devices = DEVICES.map(|place| (PathBuf::from(place), device));
    let held = restrict(grants.chain(devices).chain(own))?;
    // Root without privileges: nothing of ours needs them, and no rule of Landlock is about clocks or kernel modules.
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
        .map_err(|error| format!("privileges cannot be dropped: {error}"))?;
    Ok(held)
}

/// The entries of every folder that [`confine`] has to list for this access map. A process that is confined already may
/// not list them.
pub(super) fn listing(lay: &AccessMap) -> Listing {
    let known = Listing::new();
    let lay = without_devices(lay);
    let mut walk = Walk { lay: &lay, known: &known, grants: Vec::new(), listed: Listing::new() };
    walk.at(Path::new("/"));
    walk.listed
}

/// No device is there but those that are named above and in the lay: even to read a terminal is too much.
fn without_devices(lay: &AccessMap) -> AccessMap {
    let mut lay = lay.clone();
    lay.views.entry("/dev".to_owned()).or_insert(Access::Hidden);
    lay
}

/// Confines this thread to these places.
pub(super) fn restrict(
    grants: impl IntoIterator<Item = (PathBuf, BitFlags<AccessFs>)>,
) -> Result<Held, String> {
    let status = enforce(grants).map_err(|error| format!("landlock: {error}"))?;
    let RestrictionStatus { ruleset, landlock, .. } = status;
    let abi = match landlock {
        LandlockStatus::NotEnabled => {
            return Err("this kernel has Landlock, but it is not switched on".into());
        }
        LandlockStatus::NotImplemented => return Err("this kernel has no Landlock".into()),
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u32,
    };
    match ruleset {
        RulesetStatus::NotEnforced => Err("Landlock took no rule".into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => {
            Ok(Held { abi, signals: abi >= SCOPES_SINCE })
        }
    }
}

fn enforce(
    grants: impl IntoIterator<Item = (PathBuf, BitFlags<AccessFs>)>,
) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for (place, rights) in grants {
        // Never by a link: its target would be allowed, whatever the lay says of that.
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(handle) = open(&place, flags, Mode::empty()) else { continue };
        let Ok(found) = rustix::fs::fstat(&handle) else { continue };
        let rights = match rustix::fs::FileType::from_raw_mode(found.st_mode) {
            rustix::fs::FileType::Symlink => continue,
            rustix::fs::FileType::Directory => rights,
            rustix::fs::FileType::RegularFile
            | rustix::fs::FileType::Fifo
            | rustix::fs::FileType::Socket
            | rustix::fs::FileType::CharacterDevice
            | rustix::fs::FileType::BlockDevice
            | rustix::fs::FileType::Unknown => rights & AccessFs::from_file(NEWEST),
        };
        rules = rules.add_rule(PathBeneath::new(handle, rights))?;
    }
    rules.restrict_self()
}

/// Everything but devices: one that root makes in the clone would be the disk itself.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(NEWEST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

/// The way through the lay.
struct Walk<'a> {
    lay: &'a AccessMap,
    known: &'a Listing,
    grants: Vec<(PathBuf, Access)>,
    listed: Listing,
}

impl Walk<'_> {
    /// Collects what to allow at `place` and below.
    fn at(&mut self, place: &Path) {
        let lay = self.lay;
        let held = place.to_str().map_or(Access::Hidden, |place| lay.view(place));
        let below: Vec<(&Path, Access)> = lay
            .views
            .iter()
            .map(|(special, view)| (Path::new(special), *view))
            .filter(|(special, _)| *special != place && special.starts_with(place))
            .collect();
        if below.iter().all(|(_, view)| rank(*view) >= rank(held)) {
            if held != Access::Hidden {
                self.grants.push((place.to_path_buf(), held));
            }
            for (special, view) in below {
                if rank(view) > rank(held) {
                    self.at(special);
                }
            }
            return;
        }
        // Something below is less than this place: no rule for it, but one for each entry.
        let ways: BTreeSet<PathBuf> = below.iter().filter_map(|(special, _)| step(place, special)).collect();
        for way in &ways {
            // A place that is not there needs no rule, and one that cannot be made needs none either.
            if fs::symlink_metadata(way).is_ok_and(|found| !found.is_symlink()) {
                self.at(way);
            }
        }
        let entries = self.entries(place);
        self.grants.extend(entries.into_iter().filter(|path| !ways.contains(path)).map(|path| (path, held)));
    }

    /// The entries of a folder, without links. In an enormous folder the rest stays unseen: less than the access map
    /// allows, and never more than it does.
    fn entries(&mut self, place: &Path) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(place) else {
            let known = place.to_str().and_then(|place| self.known.get(place));
            return known.into_iter().flatten().take(ENTRIES_MAX).map(|name| place.join(name)).collect();
        };
        let is_link = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let entries = entries.flatten().take(ENTRIES_MAX).filter(|entry| !is_link(entry));
        let (names, paths): (Vec<Option<String>>, Vec<PathBuf>) =
            entries.map(|entry| (entry.file_name().into_string().ok(), entry.path())).unzip();
        if let Some(place) = place.to_str() {
            self.listed.insert(place.to_owned(), names.into_iter().flatten().collect());
        }
        paths
    }
}

/// The entry of `place` through which `special` is reached.
fn step(place: &Path, special: &Path) -> Option<PathBuf> {
    Some(place.join(special.strip_prefix(place).ok()?.components().next()?))
}

fn rank(view: Access) -> u8 {
    match view {
        Access::Hidden => 0,
        Access::Read => 1,
        Access::Write => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walked(lay: &AccessMap, root: &Path) -> Vec<(PathBuf, Access)> {
        let known = Listing::new();
        let mut walk = Walk { lay, known: &known, grants: Vec::new(), listed: Listing::new() };
        walk.at(root);
        walk.grants
    }

    #[test]
    fn what_surrounds_a_hidden_place_is_allowed_entry_by_entry() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for folder in ["home/.ssh", "home/src", "home/.config/gh", "home/.config/nvim", "work/clone/sub"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("home/.ssh"), root.join("home/keys")).unwrap();
        let views = [
            ("home/.ssh", Access::Hidden),
            ("home/.config/gh", Access::Hidden),
            ("home/absent", Access::Hidden),
            ("work", Access::Hidden),
            ("work/clone", Access::Write),
        ];
        let views = views.map(|(place, view)| (root.join(place).to_str().unwrap().to_owned(), view)).into();
        let grants = walked(&AccessMap { views, ..AccessMap::default() }, &root);
        let mut seen: Vec<String> = grants
            .iter()
            .map(|(place, view)| format!("{} {view:?}", place.strip_prefix(&root).unwrap().display()))
            .collect();
        seen.sort();
        assert_eq!(seen, ["home/.config/nvim Read", "home/src Read", "work/clone Write"]);
    }

    #[test]
    fn an_enormous_folder_is_cut_but_its_special_places_are_not() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for number in 0..ENTRIES_MAX + 10 {
            fs::write(root.join(format!("f{number}")), "").unwrap();
        }
        fs::create_dir(root.join("zz-clone")).unwrap();
        let views = [("f0", Access::Hidden), ("zz-clone", Access::Write)];
        let views = views.map(|(place, view)| (root.join(place).to_str().unwrap().to_owned(), view)).into();
        let grants = walked(&AccessMap { views, ..AccessMap::default() }, &root);
        assert!(grants.len() <= ENTRIES_MAX + 1);
        assert!(grants.contains(&(root.join("zz-clone"), Access::Write)));
        assert!(!grants.contains(&(root.join("f0"), Access::Read)));
    }
}
