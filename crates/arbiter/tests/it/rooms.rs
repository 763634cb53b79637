//! Places, names and the registry; letters and texts have files of their own.

mod inbox;
mod texts;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arbiter::project::home::{self, HomeError, Project, UserFolders};
use arbiter::project::registry::{Presence, Registry, RegistryEntry, RegistryError};
use jiff::tz::TimeZone;
use mind::id::{MissionId, Timestamp};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn mission(id: &str) -> MissionId {
    MissionId(Arc::from(id))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

// Places.

fn places(variables: &[(&str, &str)]) -> Result<UserFolders, HomeError> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    UserFolders::find(|name| variables.get(name).map(OsString::from))
}

#[test]
fn the_environment_says_where_things_lie() {
    let plain = places(&[("HOME", "/home/me")]).unwrap();
    assert_eq!(plain.home, Path::new("/home/me/.arbiter"));
    assert_eq!(plain.registry(), Path::new("/home/me/.arbiter/missions"));
    assert_eq!(plain.user_config.as_deref(), Some(Path::new("/home/me/.config/arbiter/config.yaml")));
    let id = mission("2026-11-15-k3f9");
    assert_eq!(plain.clone_of(&id), Path::new("/home/me/.local/state/arbiter/clones/2026-11-15-k3f9"));
    assert_eq!(plain.scratch_of(&id), Path::new("/home/me/.local/state/arbiter/scratch/2026-11-15-k3f9"));
    assert_eq!(plain.rehearsal(), Path::new("/home/me/.local/state/arbiter/rehearsal"));

    let all =
        [("HOME", "/home/me"), ("ARBITER_HOME", "/a"), ("XDG_STATE_HOME", "/s"), ("XDG_CONFIG_HOME", "/c")];
    let chosen = places(&all).unwrap();
    assert_eq!(
        (chosen.home, chosen.state, chosen.user_config),
        ("/a".into(), "/s/arbiter".into(), Some("/c/arbiter/config.yaml".into()))
    );

    // Relative XDG folders and empty variables count as not set.
    let odd =
        [("HOME", "/home/me"), ("ARBITER_HOME", ""), ("XDG_STATE_HOME", "s"), ("XDG_CONFIG_HOME", "./c")];
    assert_eq!(places(&odd).unwrap(), plain);

    let homeless = places(&[("ARBITER_HOME", "/a")]).unwrap();
    assert_eq!((homeless.state, homeless.user_config), ("/a/state".into(), None));
}

#[test]
fn without_a_home_we_say_so() {
    for nothing in [&[][..], &[("HOME", "")], &[("HOME", "me")]] {
        let error = places(nothing).unwrap_err();
        assert_eq!(error.to_string(), "neither HOME nor ARBITER_HOME is set");
        assert!(error.hint().unwrap().contains("set ARBITER_HOME"));
    }
    let error = places(&[("HOME", "/home/me"), ("ARBITER_HOME", "here")]).unwrap_err();
    assert_eq!(error.to_string(), "ARBITER_HOME is here, which is not an absolute path");
}

#[test]
fn folders_are_the_users_alone_and_a_mission_is_made_once() {
    let root = folder();
    let project = Project { root: root.path().to_path_buf() };
    assert_eq!(project.missions().unwrap(), []);
    let places = project.mission(&mission("2026-11-15-k3f9"));
    places.make().unwrap();
    for made in [project.folder(), places.folder.clone(), places.inbox(), places.sessions()] {
        assert_eq!(mode(&made), 0o700, "{}", made.display());
    }
    assert!(matches!(places.make(), Err(HomeError::Taken { .. })));
    project.mission(&mission("2026-11-16-aaaa")).make().unwrap();
    fs::create_dir(project.folder().join("missions/not an id")).unwrap();
    fs::write(project.folder().join("missions/file"), "").unwrap();
    assert_eq!(project.missions().unwrap(), [mission("2026-11-16-aaaa"), mission("2026-11-15-k3f9")]);

    let blocked = Project { root: root.path().join(".arbiter/missions/file") };
    let error = blocked.mission(&mission("a")).make().unwrap_err();
    assert!(error.hint().unwrap().contains("a file is where a folder should be"), "{error}");
}

// Names.

#[test]
fn a_new_id_has_the_day_and_four_signs() {
    let evening = Timestamp(1_794_783_600_000);
    let east = TimeZone::fixed(jiff::tz::offset(14));
    assert_eq!(home::new_mission_id(evening, &TimeZone::UTC, 0).to_string(), "2026-11-15-2222");
    assert_eq!(home::new_mission_id(evening, &east, 31 + 2 * 31 * 31).to_string(), "2026-11-16-2342");
    for dice in [1, 977, host::dice(), u64::MAX] {
        let id = home::new_mission_id(Timestamp(u64::MAX), &TimeZone::UTC, dice);
        assert_eq!(home::parse_mission_id(&id.0).unwrap(), id);
        let signs = id.0.rsplit('-').next().unwrap();
        assert!(signs.len() == 4 && !signs.contains(['0', '1', 'i', 'l', 'o']), "{id}");
    }
    assert_ne!(host::dice(), host::dice());
}

#[test]
fn an_id_smuggles_no_path() {
    let long = "a".repeat(65);
    for typed in
        ["", ".", "..", "a/b", "../a", "/a", "a\\b", "a b", "-a", "--all", "a\0", "ä", "a.json", &long]
    {
        let error = home::parse_mission_id(typed).unwrap_err();
        assert!(matches!(error, HomeError::BadMissionId { .. }), "{typed:?}");
        assert!(home::resolve(&[mission("a")], typed).is_err(), "{typed:?}");
    }
}

#[test]
fn a_mission_is_found_by_a_part_that_only_it_has() {
    let missions: Vec<MissionId> =
        ["2026-11-14-k3f9", "2026-11-15-k3f9", "2026-11-15-p2xz"].map(mission).into();
    let found = |typed| home::resolve(&missions, typed).unwrap().to_string();
    assert_eq!(found("2026-11-15-k3f9"), "2026-11-15-k3f9");
    assert_eq!(found(" p2xz\n"), "2026-11-15-p2xz");
    assert_eq!(found("2026-11-14"), "2026-11-14-k3f9");

    let error = home::resolve(&missions, "k3f9").unwrap_err();
    assert_eq!(error.to_string(), "2 missions here could be \"k3f9\"");
    assert_eq!(error.hint().unwrap(), "type more of 2026-11-15-k3f9, 2026-11-14-k3f9");
    let error = home::resolve(&missions, "zzzz").unwrap_err();
    assert_eq!(error.to_string(), "no mission here is called \"zzzz\"");
    assert_eq!(error.hint().unwrap(), "there are 2026-11-15-p2xz, 2026-11-15-k3f9, 2026-11-14-k3f9");
    assert!(home::resolve(&[], "k3f9").unwrap_err().hint().unwrap().contains("project has no mission"));
    // A whole id that is also the beginning of another.
    let nested = ["a", "ab"].map(mission);
    assert_eq!(home::resolve(&nested, "a").unwrap(), mission("a"));
}

// The registry.

fn entry(id: &str, project: &Path, opened_at_ms: u64) -> RegistryEntry {
    let title = "the \"great\" work\n".to_owned();
    RegistryEntry {
        id: mission(id),
        project: project.to_path_buf(),
        title,
        opened_at_ms: Timestamp(opened_at_ms),
        inode: Some(7),
    }
}

#[test]
fn the_registry_lists_the_newest_first_and_tells_damage() {
    let root = folder();
    let registry = Registry::new(root.path().join("home/missions"));
    assert!(registry.list().unwrap().entries.is_empty());
    let project = root.path().join("project");
    let here = entry("a1", &project, 5);
    Project { root: project.clone() }.mission(&here.id).make().unwrap();
    let gone = entry("b2", &project, 9);
    let vanished = entry("c3", &root.path().join("elsewhere"), 7);
    for entry in [&here, &gone, &vanished, &here] {
        registry.add(entry).unwrap();
    }
    let path = |name: &str| root.path().join("home/missions").join(name);
    fs::write(path("torn.json"), "{\"id\":").unwrap();
    fs::write(path("other.json"), fs::read(path("a1.json")).unwrap()).unwrap();
    fs::write(path("huge.json"), vec![b' '; 70_000]).unwrap();
    fs::create_dir(path("folder.json")).unwrap();
    fs::write(path(".a1.json.1-1-1.tmp"), "half").unwrap();

    let listing = registry.list().unwrap();
    assert_eq!(listing.entries, [gone.clone(), vanished.clone(), here.clone()]);
    assert_eq!(
        listing.entries.iter().map(RegistryEntry::presence).collect::<Vec<_>>(),
        [Presence::MissionGone, Presence::ProjectGone, Presence::Here]
    );
    let damaged: Vec<(PathBuf, &str)> =
        listing.damaged.iter().map(|damaged| (damaged.file.clone(), damaged.why.as_str())).collect();
    assert_eq!(
        damaged,
        [
            (path("folder.json"), "it is not a file"),
            (path("huge.json"), "it has more than 65536 bytes"),
            (path("other.json"), "it names mission \"a1\", and its file another"),
            (path("torn.json"), "EOF while parsing a value at line 1 column 6"),
        ]
    );
    assert_eq!(mode(&path("")), 0o700);
}

#[test]
fn the_registry_finds_one_and_keeps_two_projects_apart() {
    let root = folder();
    let registry = Registry::new(root.path().join("missions"));
    assert!(registry.find(&mission("a1")).unwrap().is_none());
    let first = entry("a1", Path::new("/one"), 5);
    registry.add(&first).unwrap();
    assert_eq!(registry.find(&first.id).unwrap().unwrap().unwrap(), first);
    let error = registry.add(&entry("a1", Path::new("/two"), 6)).unwrap_err();
    assert_eq!(error.to_string(), "mission a1 is already registered for /one");
    // A damaged entry is no obstacle for a sound one.
    fs::write(root.path().join("missions/a1.json"), "").unwrap();
    assert!(registry.find(&first.id).unwrap().unwrap().is_err());
    registry.add(&first).unwrap();
    assert_eq!(registry.list().unwrap().entries, [first]);

    fs::write(root.path().join("file"), "").unwrap();
    let error = Registry::new(root.path().join("file")).add(&entry("a1", Path::new("/one"), 5)).unwrap_err();
    assert!(matches!(error, RegistryError::Disk { .. }) && error.hint().is_some(), "{error}");
}
