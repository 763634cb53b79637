//! Merges that cannot be finished: a full disk, a git that is killed, locks, a process that dies half-way. The tree is wholly
//! merged or as it was, and the next merge goes through.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use sim::Theatre;
use sim::faults::{self, CallOrder, CallWatcher, TracedCall, TracedProcess};

use crate::BINARY;
use crate::git_ways::path_with;
use crate::mission::{CHECK, assert_refused, newest, picture, put, repository, run, run_in};

/// Rewrites every file, makes one, removes one, and turns one into a folder and back.
const WORK: &str = r#"{run: [sh, -c, 'for i in 1 2 3 4 5 6 7 8 9; do head -c 200000 /dev/zero | tr "\\0" a > f$i; done; rm f1 f2; mkdir f2; echo in > f2/in; rm -r d; echo flat > d; mkdir -p new/deep; echo n > new/deep/n; ln -s f3 link']},
    {write: work.txt, text: "done\n"}, {commit: "Do the work"}"#;

/// The project with the files that `WORK` changes, and a mission that changed them.
fn worked(theatre: &Theatre) -> String {
    for number in 1..10 {
        put(theatre, &format!("f{number}"), &format!("{number}\n").repeat(2000));
    }
    put(theatre, "d/e/f", "deep\n");
    theatre.git(&["add", "--all"]);
    theatre.git(&["commit", "--quiet", "-m", "files"]);
    let ran = run_in(theatre, &theatre.project(), WORK, CHECK, &[]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    newest(theatre)
}

fn free(theatre: Theatre) -> Theatre {
    theatre.with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock")
}

/// All of the mission is there, and nothing else.
fn assert_merged(theatre: &Theatre, id: &str, told: &str) {
    assert_eq!(
        theatre.git(&["rev-parse", "HEAD"]),
        theatre.git(&["rev-parse", &format!("refs/arbiter/{id}")]),
        "{told}"
    );
    assert_eq!(theatre.git(&["status", "--porcelain"]), "", "{told}");
    let project = theatre.project();
    assert_eq!(fs::read_to_string(project.join("f2/in")).expect("a file"), "in\n", "{told}");
    assert!(!project.join("f1").exists() && project.join("d").is_file(), "{told}");
    assert!(
        !project.join(".git/arbiter-merge").exists() && !project.join(".git/index.lock").exists(),
        "{told}"
    );
}

fn go_back(theatre: &Theatre, to: &str) {
    theatre.git(&["reset", "--quiet", "--hard", to]);
    theatre.git(&["clean", "--quiet", "-fd"]);
}

/// A disk of its own for the project.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(place: &Path, megabytes: u32) -> Option<SmallDisk> {
        let size = format!("size={megabytes}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(place).status();
        mounted.is_ok_and(|mounted| mounted.success()).then(|| SmallDisk(place.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_merge_onto_a_full_disk_changes_nothing() {
    let theatre = Theatre::new(BINARY);
    let Some(_disk) = SmallDisk::mount(&theatre.project(), 12) else {
        return sim::real::missing("a file system of its own", "mount refuses");
    };
    theatre.git(&["init", "--quiet", "-b", "main"]);
    theatre.git(&["config", "user.name", "Tester"]);
    theatre.git(&["config", "user.email", "tester@localhost"]);
    let id = worked(&theatre);
    let before = theatre.git(&["rev-parse", "HEAD"]);
    let filler = theatre.project().join(".git/filler");
    let (mut refused, mut merged) = (0, 0);
    for left in (0..14).map(|step| step * 256 * 1024) {
        // Fills the disk but for so much.
        fs::write(&filler, vec![0; left]).expect("room");
        let rest = fs::File::create(filler.with_extension("rest")).expect("a file");
        let _ = std::io::copy(&mut std::io::repeat(1), &mut &rest);
        fs::remove_file(&filler).expect("removed");
        let picture_before = picture(&theatre.project());
        let ran = theatre.run(&["merge", &id]);
        if ran.code == Some(0) {
            merged += 1;
            fs::remove_file(filler.with_extension("rest")).expect("removed");
            assert_merged(&theatre, &id, &format!("{left} bytes left"));
            go_back(&theatre, before.trim());
        } else {
            refused += 1;
            assert_refused(&ran, 1, &["no room", "nothing was changed", "--patch"]);
            assert_eq!(picture(&theatre.project()), picture_before, "{left} bytes left");
            fs::remove_file(filler.with_extension("rest")).expect("removed");
        }
    }
    assert!(refused > 3 && merged > 3, "{refused} refused, {merged} merged");
}

#[test]
fn a_merge_whose_git_is_killed_at_any_call_is_whole_or_as_it_was() {
    let theatre = free(repository());
    let id = worked(&theatre);
    let before = theatre.git(&["rev-parse", "HEAD"]);
    let world = theatre.path().display();
    for (moment, death) in [("before", "kill -9 $$"), ("after", "$GIT \"$@\"; kill -9 $$")] {
        let script = format!(
            r#"n=$(cat {world}/count); n=$((n + 1)); echo $n > {world}/count
if [ $n = "$(cat {world}/at)" ]; then {death}; fi
exec $GIT "$@""#
        );
        let path = path_with(&theatre, &script);
        let mut at = 0;
        loop {
            at += 1;
            assert!(at < 200, "it never ends");
            fs::write(theatre.path().join("count"), "0").expect("a file");
            fs::write(theatre.path().join("at"), at.to_string()).expect("a file");
            let picture_before = picture(&theatre.project());
            let ran = theatre.run_with(&["merge", &id], &[("PATH", &path)]);
            let told = format!("{moment} call {at}: {}", ran.err);
            let calls: u32 = fs::read_to_string(theatre.path().join("count"))
                .expect("a file")
                .trim()
                .parse()
                .expect("a number");
            if ran.code == Some(0) {
                assert_merged(&theatre, &id, &told);
            } else {
                assert!(ran.err.contains("error: "), "{told}");
                let left = picture(&theatre.project());
                let same = |name: &std::path::PathBuf| {
                    // The commit before is written down before the branch moves.
                    name.ends_with(".git/ORIG_HEAD") || left.get(name) == picture_before.get(name)
                };
                assert!(left.keys().chain(picture_before.keys()).all(same), "{told}");
                let again = theatre.run(&["merge", &id]);
                assert_eq!(again.code, Some(0), "again, {told}: {}", again.err);
                assert_merged(&theatre, &id, &told);
            }
            go_back(&theatre, before.trim());
            if calls < at {
                break;
            }
        }
        assert!(at > 10, "{at} calls");
    }
}

#[test]
fn locks_of_the_users_own_stop_a_merge_and_stay() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    for name in ["index.lock", "HEAD.lock", "refs/heads/main.lock", "ORIG_HEAD.lock"] {
        let before = picture(&theatre.project());
        let lock = theatre.project().join(".git").join(name);
        fs::write(&lock, "").expect("a file");
        assert_refused(&theatre.run(&["merge", &id]), 1, &[name, "rm -f '"]);
        fs::remove_file(&lock).expect("it is still there");
        let mut after = picture(&theatre.project());
        after.remove(&theatre.project().join(".git/ORIG_HEAD"));
        assert_eq!(
            after,
            before.into_iter().filter(|(name, _)| !name.ends_with("ORIG_HEAD")).collect(),
            "{name}"
        );
    }
    assert_eq!(theatre.run(&["merge", &id]).code, Some(0));
}

/// How long one merge may take.
const MERGE_MAX: Duration = Duration::from_secs(60);

/// Kills a merge at one of the calls with which it moves files.
struct DeathAtMove {
    moves_left: u32,
}

impl CallWatcher for DeathAtMove {
    fn follows(&self, process: &TracedProcess) -> bool {
        process.is_root
    }

    fn entering(&mut self, call: &TracedCall) -> CallOrder {
        if !matches!(call.call, "rename" | "renameat" | "renameat2" | "link" | "linkat" | "rmdir") {
            return CallOrder::Go;
        }
        self.moves_left = self.moves_left.saturating_sub(1);
        if self.moves_left == 0 { CallOrder::KillTree } else { CallOrder::Go }
    }

    fn left(&mut self, _call: &TracedCall, _result: i64) -> CallOrder {
        CallOrder::Go
    }
}

/// A process that dies half-way, at each change of place: the next merge puts back or finishes.
#[test]
fn a_merge_that_dies_half_way_is_put_back_or_finished_by_the_next() {
    let theatre = free(repository());
    let id = worked(&theatre);
    let before = theatre.git(&["rev-parse", "HEAD"]);
    let git_folder = theatre.project().join(".git");
    let (mut finished, mut put_back) = (0, 0);
    let out = tempfile::NamedTempFile::new().expect("a file");
    for at in 1.. {
        let mut command = Command::new(theatre.binary());
        theatre.place(&mut command);
        command.args(["merge", &id]);
        let mut death = DeathAtMove { moves_left: at };
        let ran = faults::trace(&command, out.path(), MERGE_MAX, &mut death).expect("it can be traced");
        if ran.code == Some(0) {
            assert_merged(&theatre, &id, "undisturbed");
            break;
        }
        assert!(at < 200 && ran.killed, "{at}: {:?} {}", ran.code, ran.err);
        let again = theatre.run(&["merge", &id]);
        assert!(matches!(again.code, Some(0 | 2)), "{at}: {}", again.err);
        finished += u32::from(again.err.contains("was finished first"));
        put_back += u32::from(again.err.contains("was put back first"));
        assert_merged(&theatre, &id, &format!("{at}: {}", again.err));
        go_back(&theatre, before.trim());
        assert!(!git_folder.join("arbiter-merge").exists());
    }
    assert!(finished >= 1 && put_back >= 5, "{finished} finished, {put_back} put back");
}

/// Lets the disk refuse to keep what was written, the n-th time it is asked.
struct NothingKept {
    asked_left: u32,
}

impl CallWatcher for NothingKept {
    fn follows(&self, process: &TracedProcess) -> bool {
        process.is_root
    }

    fn entering(&mut self, call: &TracedCall) -> CallOrder {
        if call.call != "syncfs" {
            return CallOrder::Go;
        }
        self.asked_left = self.asked_left.saturating_sub(1);
        if self.asked_left == 0 { CallOrder::Fail(5) } else { CallOrder::Go }
    }

    fn left(&mut self, _call: &TracedCall, _result: i64) -> CallOrder {
        CallOrder::Go
    }
}

#[test]
fn a_merge_that_the_disk_does_not_promise_to_keep_is_told_as_done_and_finished_by_the_next() {
    let theatre = free(repository());
    let id = worked(&theatre);
    let out = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new(theatre.binary());
    theatre.place(&mut command);
    command.args(["merge", &id]);
    // The first is for the new files, before anything is moved.
    let mut refusal = NothingKept { asked_left: 2 };
    let ran = faults::trace(&command, out.path(), MERGE_MAX, &mut refusal).expect("it can be traced");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for word in ["the work is merged into", "Input/output error", "hint: the same `arbiter merge`"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    assert_eq!(
        theatre.git(&["rev-parse", "HEAD"]),
        theatre.git(&["rev-parse", &format!("refs/arbiter/{id}")])
    );
    let again = theatre.run(&["merge", &id]);
    assert!(again.err.contains("was finished first"), "{}", again.err);
    assert_merged(&theatre, &id, &again.err);
}

#[test]
fn files_that_git_is_told_to_overlook_are_not_lost_and_a_part_of_the_tree_stays_a_part() {
    let theatre = repository();
    let id = worked(&theatre);
    theatre.git(&["update-index", "--assume-unchanged", "f3"]);
    put(&theatre, "f3", "mine\n");
    let before = picture(&theatre.project());
    assert_refused(&theatre.run(&["merge", &id]), 2, &["uncommitted changes", "f3"]);
    assert_eq!(picture(&theatre.project()), before);
    theatre.git(&["update-index", "--no-assume-unchanged", "f3"]);
    theatre.git(&["checkout", "--quiet", "f3"]);
    // A tree that shows only a part of the commit goes on to show that part.
    theatre.git(&["sparse-checkout", "set", "--no-cone", "/README.md", "/f4", "/f1"]);
    let ran = theatre.run(&["merge", &id]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let names = |name: &str| theatre.project().join(name).exists();
    assert!(names("f4") && !names("f1") && !names("f3") && !names("work.txt"));
    assert_eq!(theatre.git(&["status", "--porcelain"]), "");
}
