//! Git killed while it holds a lock, and what a power cut leaves of its files: every mission goes on, and no lock of the
//! user's own is touched.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use sim::{DeathWalk, Theatre};

use crate::git_ways::path_with;
use crate::mission::{assert_refused, repository, run, write_script};

/// Dies with Arbiter when git is first called with words like `pattern`, and leaves the lock of the ref that they name.
fn dies_at(theatre: &Theatre, pattern: &str) -> String {
    let world = theatre.path().display();
    let script = format!(
        r#"case "$*" in {pattern}) if [ ! -e {world}/died ]; then
  for word in "$@"; do case "$word" in refs/arbiter*|*:refs/arbiter*) ref=${{word##*:}};; esac; done
  echo "$ref" > {world}/died; mkdir -p "$(dirname "{world}/project/.git/$ref")"
  : > "{world}/project/.git/$ref.lock"; kill -9 $PPID; kill -9 $$
fi;; esac
exec $GIT "$@""#
    );
    path_with(theatre, &script)
}

fn free(theatre: Theatre) -> Theatre {
    theatre.with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock")
}

#[test]
fn a_mission_killed_while_git_holds_a_ref_of_ours_goes_on() {
    for pattern in ["*update-ref*refs/arbiter/*", "*fetch*:refs/arbiter/*"] {
        let theatre = free(repository());
        write_script(&theatre);
        let path = dies_at(&theatre, pattern);
        let mut command = theatre.rehearsal(&["--headless", "--yes"]);
        let ran = sim::Ran::from(command.env("PATH", path).output().expect("it starts"));
        assert_eq!(ran.code, None, "{pattern}: {}", ran.err);
        let reference = fs::read_to_string(theatre.path().join("died")).expect("it died there");
        let lock = theatre.project().join(".git").join(format!("{}.lock", reference.trim()));
        assert!(lock.exists(), "{pattern}");
        DeathWalk::go_on(&theatre, pattern);
        assert!(!lock.exists(), "{pattern}");
        // The lock of a base that an opening left, and those of a salvage, block no discard.
        let id = theatre.mission_id();
        for reference in [format!("refs/arbiter-base/{id}"), format!("refs/arbiter/salvage/{id}")] {
            let lock = theatre.project().join(".git").join(format!("{reference}.lock"));
            fs::create_dir_all(lock.parent().expect("a folder")).expect("a folder");
            fs::write(lock, "").expect("a file");
        }
        let ran = theatre.run(&["discard", &id, "--yes"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let left = theatre.git(&["for-each-ref", "--format=%(refname)", "refs/arbiter", "refs/arbiter-base"]);
        assert_eq!(left, format!("refs/arbiter/salvage/{id}\n"));
    }
}

#[test]
fn a_lock_of_the_users_own_stays_and_is_told_with_the_command_that_removes_it() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let lock = theatre.project().join(".git/packed-refs.lock");
    fs::write(&lock, "").expect("a file");
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 1, &["packed-refs.lock", "rm -f '"]);
    assert!(lock.exists() && theatre.clone_of(&id).exists());
    fs::remove_file(lock).expect("removed");
    assert_eq!(theatre.run(&["discard", &id, "--yes"]).code, Some(0));
}

/// Puts a mark of a writer of refs into the repository, as old as `ago`.
fn put_mark(theatre: &Theatre, text: &[u8], ago: Duration) -> PathBuf {
    let mark = theatre.project().join(".git/arbiter-writes-refs.0123456789abcdef");
    fs::write(&mark, text).expect("a file");
    let file = fs::File::options().write(true).open(&mark).expect("the mark");
    file.set_modified(host::now() - ago).expect("its time");
    mark
}

#[test]
fn a_lock_that_a_killed_writer_of_refs_left_is_removed_and_no_other_is() {
    let theatre = free(repository());
    let lock = theatre.project().join(".git/packed-refs.lock");
    // Half a second is in the window, a day is not: that lock came long after the writer had died.
    for (ago, is_ours) in [(Duration::from_millis(500), true), (Duration::from_hours(24), false)] {
        let id = run(&theatre, &[]);
        fs::write(&lock, "").expect("a file");
        let mark = put_mark(&theatre, b"packed-refs.lock", ago);
        let ran = theatre.run(&["discard", &id, "--yes"]);
        assert_eq!(lock.exists(), !is_ours, "{ago:?}: {}", ran.err);
        assert!(!mark.exists(), "{ago:?}");
        assert_eq!(ran.code, Some(if is_ours { 0 } else { 1 }), "{ago:?}: {}", ran.err);
    }
}

#[test]
fn a_torn_mark_of_a_writer_of_refs_is_in_nobodys_way() {
    let theatre = free(repository());
    for torn in [&b"\0\0\0"[..], b"\xff", b"", b"config\n../../x.lock\n"] {
        let mark = put_mark(&theatre, torn, Duration::from_secs(1));
        run(&theatre, &[]);
        assert!(!mark.exists(), "{torn:?}");
    }
    assert!(theatre.project().join(".git/config").exists());
}

#[test]
fn a_lock_of_a_mission_that_died_before_it_began_is_removed_and_others_stay() {
    let theatre = free(repository());
    let git = theatre.project().join(".git");
    fs::create_dir_all(git.join("refs/arbiter-base")).expect("a folder");
    let (dead, mine) = (git.join("refs/arbiter-base/dead.lock"), git.join("refs/heads/mine.lock"));
    for lock in [&dead, &mine] {
        fs::write(lock, "").expect("a file");
    }
    run(&theatre, &[]);
    assert!(!dead.exists() && mine.exists());
}

#[test]
fn a_lock_that_a_killed_git_left_in_another_work_tree_is_removed_from_everywhere() {
    let theatre = free(repository());
    theatre.git(&["worktree", "add", "-q", "../beside"]);
    let git = theatre.project().join(".git");
    let lock = git.join("worktrees/beside/HEAD.lock");
    fs::write(&lock, "").expect("a file");
    let mark =
        put_mark(&theatre, b"worktrees/beside/HEAD.lock\nrefs/heads/beside.lock", Duration::from_millis(500));
    run(&theatre, &[]);
    assert!(!lock.exists() && !mark.exists());
}

/// What a death can leave of git's files in the clone, and the mission that meets it.
#[cfg(feature = "die-at")]
#[test]
fn a_clone_that_a_death_damaged_is_mended() {
    type Damage = fn(&std::path::Path, &str);
    let damages: [(&str, Damage); 6] = [
        ("locks", |door, id| {
            for name in ["index", "HEAD", "packed-refs", "config", &format!("refs/heads/arbiter/{id}")] {
                fs::write(door.join(format!("{name}.lock")), "").expect("a file");
            }
        }),
        ("an empty index", |door, _| fs::write(door.join("index"), "").expect("a file")),
        ("a torn index", |door, _| {
            let bytes = fs::read(door.join("index")).expect("a file");
            fs::write(door.join("index"), &bytes[..bytes.len() / 2]).expect("a file");
        }),
        ("no index", |door, _| fs::remove_file(door.join("index")).expect("removed")),
        ("an empty HEAD", |door, _| fs::write(door.join("HEAD"), "").expect("a file")),
        ("an empty branch", |door, id| {
            fs::write(door.join(format!("refs/heads/arbiter/{id}")), "").expect("a file");
        }),
    ];
    for (name, damage) in damages {
        let theatre = free(repository());
        write_script(&theatre);
        // Late enough that the clone stands, and the worker has work to do.
        let ran = DeathWalk::die_at(theatre.rehearsal(&["--headless", "--yes"]), "8:after-sync");
        assert_eq!(ran.code, None, "{}", ran.err);
        let id = theatre.mission_id();
        damage(&theatre.clone_of(&id).join(".git"), &id);
        let resumed = theatre.run(&DeathWalk::RESUME);
        assert_eq!(resumed.code, Some(0), "{name}: {}\n{}", resumed.out, resumed.err);
        assert!(resumed.err.contains("note: in the clone: "), "{name}: {}", resumed.err);
        let status = theatre.git_in(&theatre.clone_of(&id), &["status", "--porcelain"]);
        assert_eq!(status, "", "{name}");
        theatre.git_in(&theatre.clone_of(&id), &["log", "-1", "--format=%s"]);
    }
}

#[cfg(feature = "die-at")]
#[test]
fn a_clone_that_an_earlier_version_made_keeps_out_of_commits_what_agents_leave() {
    let theatre = free(repository());
    write_script(&theatre);
    let ran = DeathWalk::die_at(theatre.rehearsal(&["--headless", "--yes"]), "8:after-sync");
    assert_eq!(ran.code, None, "{}", ran.err);
    let exclude = theatre.clone_of(&theatre.mission_id()).join(".git/info/exclude");
    let text = fs::read_to_string(&exclude).expect("a file");
    let ours = |text: &str| text.lines().filter(|line| line.starts_with("/.claude/")).count();
    assert_eq!(ours(&text), 2, "{text}");
    let before: Vec<&str> = text.lines().filter(|line| !line.starts_with("/.claude/")).collect();
    fs::write(&exclude, before.join("\n")).expect("a file");
    let resumed = theatre.run(&DeathWalk::RESUME);
    assert_eq!(resumed.code, Some(0), "{}\n{}", resumed.out, resumed.err);
    assert_eq!(fs::read_to_string(&exclude).expect("a file"), text);
}

/// Of a branch that it cannot read for a moment, git says that it has no commit yet. The commit is asked for then.
#[test]
fn a_branch_that_git_takes_for_an_empty_one_costs_no_claim() {
    let theatre = free(repository());
    let asked = theatre.path().join("asked").display().to_string();
    let script = format!(
        r#"case "$*" in
*rev-parse*HEAD^*) touch {asked};;
*status*--porcelain=v2*) if ! rm {asked} 2> /dev/null; then
  $GIT "$@" | sed 's/branch.oid [0-9a-f]*/branch.oid (initial)/'; exit 0
fi;; esac
exec $GIT "$@""#
    );
    let path = path_with(&theatre, &script);
    write_script(&theatre);
    let mut house = theatre.rehearsal(&["--headless", "--yes"]);
    let ran = sim::Ran::from(house.env("PATH", path).output().expect("it starts"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("names no commit"), "{}", ran.out);
}
