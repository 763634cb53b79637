//! Where a mission begins: uncommitted changes, submodules, and repositories of every kind. Whatever it is, the user's
//! files, index, branches, stash and logs stay as they are.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::mission::{
    CHECK, WORK, assert_refused, newest, picture, put, repository, run, run_in, write_script,
};
use crate::{theatre, wait_until};

#[test]
fn a_mission_over_a_dirty_tree_leaves_everything_as_it_is() {
    let theatre = repository();
    put(&theatre, "stashed.txt", "stashed\n");
    theatre.git(&["stash", "push", "--quiet", "--include-untracked"]);
    put(&theatre, "README.md", "edited\n");
    put(&theatre, "staged.txt", "staged\n");
    theatre.git(&["add", "staged.txt"]);
    put(&theatre, "scroll.md", "Do the work.\n");
    let before = picture(&theatre.project());
    let ran = run_in(&theatre, &theatre.project(), WORK, CHECK, &["scroll.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("2 uncommitted change(s)") && ran.err.contains("--dirty take"), "{}", ran.err);
    assert_eq!(picture(&theatre.project()), before);
    let id = newest(&theatre);
    let files = theatre.git(&["diff", "--name-only", "HEAD", &format!("refs/arbiter/{id}")]);
    assert_eq!(files, "work.txt\n", "the scroll is nobody's change");
    let scroll = fs::read_to_string(theatre.clone_of(&id).join(".arbiter/scroll.md")).expect("the scroll");
    assert_eq!(scroll, "Do the work.\n");
}

#[test]
fn uncommitted_changes_go_along_as_a_commit_of_their_own() {
    let theatre = repository();
    for name in ["gone.txt", "moved.txt", "plain.sh"] {
        put(&theatre, name, &format!("{name}\n"));
    }
    theatre.git(&["add", "-A"]);
    theatre.git(&["commit", "--quiet", "-m", "more"]);
    put(&theatre, "README.md", "edited\n");
    fs::remove_file(theatre.project().join("gone.txt")).expect("removed");
    theatre.git(&["mv", "moved.txt", "elsewhere.txt"]);
    fs::set_permissions(theatre.project().join("plain.sh"), fs::Permissions::from_mode(0o755)).expect("set");
    symlink("README.md", theatre.project().join("link")).expect("a link");
    put(&theatre, "intended.txt", "intended\n");
    theatre.git(&["add", "--intent-to-add", "intended.txt"]);
    put(&theatre, "a folder/new file.txt", "new\n");
    put(&theatre, ".gitignore", "ignored.txt\n");
    put(&theatre, "ignored.txt", "ignored\n");
    let before = picture(&theatre.project());
    let id = run(&theatre, &["--dirty", "take"]);
    assert_eq!(picture(&theatre.project()), before);
    let base = theatre.git(&["rev-parse", &format!("refs/arbiter-base/{id}")]);
    assert_eq!(
        theatre.git(&["rev-parse", &format!("{}^", base.trim())]),
        theatre.git(&["rev-parse", "HEAD"])
    );
    let taken = theatre.git(&["diff", "--raw", "--no-renames", "--abbrev=4", "HEAD", base.trim()]);
    let taken: Vec<String> = taken.lines().map(|line| format!("{} {}", &line[8..14], &line[25..])).collect();
    assert_eq!(
        taken,
        [
            "100644 A\t.gitignore",
            "100644 M\tREADME.md",
            "100644 A\ta folder/new file.txt",
            "100644 A\telsewhere.txt",
            "000000 D\tgone.txt",
            "100644 A\tintended.txt",
            "120000 A\tlink",
            "000000 D\tmoved.txt",
            "100755 M\tplain.sh",
        ]
    );
    let own = theatre.git(&["diff", "--name-only", base.trim(), &format!("refs/arbiter/{id}")]);
    assert_eq!(own, "work.txt\n");
    // The tree is dirty with what the mission began from: that is said.
    assert_refused(&theatre.run(&["merge", &id]), 2, &["README.md", "began from these changes", "--patch"]);
    let patch = theatre.run(&["merge", &id, "--patch"]);
    assert!(patch.out.contains("work.txt") && !patch.out.contains("README"), "{}", patch.out);
}

#[test]
fn a_change_in_the_moment_of_the_last_add_is_taken_along() {
    let theatre = repository();
    // Same size, same moment: only the time of the index tells git to look again.
    for text in ["1111\n", "2222\n", "3333\n"] {
        put(&theatre, "racy.txt", text);
        theatre.git(&["add", "racy.txt"]);
    }
    put(&theatre, "racy.txt", "4444\n");
    let id = run(&theatre, &["--dirty", "take"]);
    assert_eq!(theatre.git(&["show", &format!("refs/arbiter-base/{id}:racy.txt")]), "4444\n");
}

#[test]
fn what_cannot_be_taken_along_is_refused() {
    let theatre = repository();
    let take =
        |theatre: &sim::Theatre| run_in(theatre, &theatre.project(), WORK, CHECK, &["--dirty", "take"]);
    let file = fs::File::create(theatre.project().join("huge.bin")).expect("a file");
    file.set_len(101 * 1024 * 1024).expect("a hole");
    assert_refused(&take(&theatre), 2, &["101 MiB", "huge.bin", "100 MiB"]);
    fs::remove_file(theatre.project().join("huge.bin")).expect("removed");
    theatre.git(&["switch", "--quiet", "-c", "other"]);
    put(&theatre, "README.md", "theirs\n");
    theatre.git(&["commit", "--quiet", "-am", "theirs"]);
    theatre.git(&["switch", "--quiet", "main"]);
    put(&theatre, "README.md", "ours\n");
    theatre.git(&["commit", "--quiet", "-am", "ours"]);
    let mut merge = Command::new("git");
    theatre.place(&mut merge);
    assert!(!merge.args(["merge", "other"]).status().expect("git starts").success());
    let before = picture(&theatre.project());
    assert_refused(&take(&theatre), 2, &["conflict", "README.md", "--dirty leave"]);
    assert_eq!(picture(&theatre.project()), before);
    assert!(theatre.missions().is_empty());
    assert_eq!(theatre.git(&["for-each-ref", "refs/arbiter*"]), "", "no ref is left");
}

#[test]
fn the_base_outlives_the_users_branch() {
    let theatre = repository();
    put(&theatre, "new.txt", "new\n");
    let id = run(&theatre, &["--dirty", "take"]);
    put(&theatre, "other.txt", "other\n");
    theatre.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    theatre.git(&["commit", "--quiet", "-m", "anew"]);
    theatre.git(&["branch", "-D", "--quiet", "main"]);
    theatre.git(&["update-ref", "-d", &format!("refs/arbiter/{id}")]);
    theatre.git(&["reflog", "expire", "--expire=now", "--all"]);
    theatre.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(theatre.git(&["show", &format!("refs/arbiter-base/{id}:new.txt")]), "new\n");
    theatre.git_in(&theatre.clone_of(&id), &["fsck", "--connectivity-only"]);
}

#[test]
fn a_mission_that_fell_at_once_goes_on_from_its_base() {
    let theatre = repository();
    put(&theatre, "new.txt", "new\n");
    write_script(&theatre);
    let before = picture(&theatre.project());
    let mut child = theatre.start_rehearsal(&["--headless", "--yes", "--pace", "human", "--dirty", "take"]);
    wait_until("there is a mission", || !theatre.missions().is_empty());
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(picture(&theatre.project()), before);
    fs::remove_file(theatre.project().join("new.txt")).expect("removed");
    theatre.git(&["gc", "--quiet", "--prune=now"]);
    let id = newest(&theatre);
    let ground = theatre.project().join(".arbiter/missions").join(&id).join("ground.json");
    let hurry = fs::read_to_string(&ground).expect("a ground").replace("\"human\"", "\"fast\"");
    fs::write(&ground, hurry).expect("written");
    let ran = theatre.run(&["resume", &id, "--headless"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert_eq!(theatre.git(&["show", &format!("refs/arbiter/{id}:new.txt")]), "new\n");
    theatre.assert_nobody_left();
}

/// A submodule with one of its own inside, one that is not checked out, and one that leads elsewhere.
#[test]
fn submodules_come_from_the_users_own_copies() {
    let theatre = repository();
    let world = theatre.path().to_path_buf();
    for (name, inner) in [("inner", None), ("module", Some("inner")), ("far", None)] {
        let place = world.join(name);
        fs::create_dir(&place).expect("a folder");
        theatre.git_in(&place, &["init", "--quiet", "-b", "main"]);
        fs::write(place.join("code.txt"), format!("{name}\n")).expect("a file");
        if let Some(inner) = inner {
            let from = world.join(inner).display().to_string();
            theatre
                .git_in(&place, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from]);
        }
        theatre.git_in(&place, &["add", "-A"]);
        let author = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
        theatre.git_in(&place, &[author.as_slice(), &["commit", "--quiet", "-m", name]].concat());
    }
    for name in ["module", "far"] {
        let from = world.join(name).display().to_string();
        let path = format!("libs/{name}");
        theatre.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, &path]);
    }
    theatre.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "update",
        "--init",
        "--recursive",
    ]);
    theatre.git(&["config", "-f", ".gitmodules", "submodule.evil.path", "../evil"]);
    theatre.git(&["add", "-A"]);
    theatre.git(&["commit", "--quiet", "-m", "submodules"]);
    theatre.git(&["submodule", "--quiet", "deinit", "libs/far"]);
    for name in ["inner", "module", "far"] {
        fs::rename(world.join(name), world.join(format!("{name}-away"))).expect("the network is down");
    }
    let check = r#"[cat, libs/module/inner/code.txt, libs/module/mine.txt, work.txt]"#;
    let steps = r#"{write: work.txt, text: "done\n"}, {write: libs/module/mine.txt, text: "mine\n"},
        {run: [git, -C, libs/module, add, -A]},
        {run: [git, -C, libs/module, -c, user.name=A, -c, user.email=a@localhost, commit, -m, mine]},
        {commit: "Do the work"}"#;
    let ran = run_in(&theatre, &theatre.project(), steps, check, &[]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("note: submodule libs/far is not checked out in your tree"), "{}", ran.err);
    assert!(ran.err.contains("submodule ../evil has a name or a path that leads elsewhere"), "{}", ran.err);
    let clone = theatre.clone_of(&newest(&theatre));
    assert_eq!(fs::read_to_string(clone.join("libs/module/inner/code.txt")).expect("filled"), "inner\n");
    assert_eq!(theatre.git_in(&clone, &["status", "--porcelain"]), "");
    // What the agent committed in there came back too, and can be checked out without the network.
    let id = newest(&theatre);
    let ran = theatre.run(&["merge", &id]);
    assert!(ran.code == Some(0) && ran.err.contains("libs/module"), "{}{}", ran.out, ran.err);
    theatre.git(&["submodule", "--quiet", "update", "libs/module"]);
    let module = theatre.project().join("libs/module");
    assert_eq!(fs::read_to_string(module.join("mine.txt")).expect("brought"), "mine\n");
    let half = clone.join("libs/module/inner/half.txt");
    fs::write(&half, "half\n").expect("a file");
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 1, &["libs/module", "nothing was removed"]);
    fs::remove_file(half).expect("removed");
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(theatre.git_in(&module, &["for-each-ref", "refs/arbiter-base"]), "");
    // Git itself refuses a command in .gitmodules, and says so.
    theatre.git(&["config", "-f", ".gitmodules", "submodule.libs/module.update", "!touch ran"]);
    let ran = run_in(&theatre, &theatre.project(), WORK, CHECK, &[]);
    assert!(ran.code == Some(1) && ran.err.contains("submodule.libs/module.update"), "{}", ran.err);
    assert!(!theatre.project().join("ran").exists());
}

#[test]
fn repositories_of_every_kind_take_a_mission() {
    let theatre = theatre();
    let world = theatre.path().to_path_buf();
    let plain = repository();
    let origin = plain.project().display().to_string();
    plain.git(&["commit", "--quiet", "--allow-empty", "-m", "second"]);
    let git = |words: &[&str]| theatre.git_in(&world, words);
    git(&["clone", "--quiet", "--depth=1", &format!("file://{origin}"), "shallow one"]);
    git(&["clone", "--quiet", &origin, "detached"]);
    theatre.git_in(&world.join("detached"), &["checkout", "--quiet", "--detach"]);
    git(&["clone", "--quiet", &origin, "main-tree"]);
    theatre.git_in(&world.join("main-tree"), &["worktree", "add", "--quiet", "../linked", "-b", "side"]);
    git(&["clone", "--quiet", "--bare", &origin, "bare.git"]);
    git(&["init", "--quiet", "--object-format=sha256", "long-names"]);
    fs::write(world.join("long-names/a.txt"), "a\n").expect("a file");
    theatre.git_in(&world.join("long-names"), &["add", "-A"]);
    let author = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
    let commit = [author.as_slice(), &["commit", "--quiet", "-m", "start"]].concat();
    theatre.git_in(&world.join("long-names"), &commit);
    fs::create_dir(world.join("detached/below")).expect("a folder");
    let places = ["shallow one", "detached/below", "linked", "bare.git", "long-names"];
    for place in places {
        let folder = world.join(place);
        let dirty = if place == "shallow one" {
            fs::write(folder.join("mine.txt"), "mine\n").expect("a file");
            ["--dirty", "take"].as_slice()
        } else {
            &[]
        };
        let before = picture(&folder);
        let ran = run_in(&theatre, &folder, WORK, CHECK, dirty);
        assert_eq!(ran.code, Some(0), "{place}: {}\n{}", ran.out, ran.err);
        assert_eq!(picture(&folder), before, "{place}");
        let work = format!("refs/arbiter/{}:work.txt", newest(&theatre));
        assert_eq!(theatre.git_in(&folder, &["show", &work]), "done\n", "{place}");
    }
    assert!(world.join("bare.git/.arbiter/missions").is_dir());
}

#[test]
fn what_no_mission_can_begin_from_is_refused() {
    use std::os::unix::ffi::OsStringExt;
    let theatre = theatre();
    let world = theatre.path().to_path_buf();
    theatre.git_in(&world, &["init", "--quiet", "unborn"]);
    let ran = run_in(&theatre, &world.join("unborn"), WORK, CHECK, &[]);
    assert_refused(&ran, 2, &["no commit yet", "--init"]);
    let ran = run_in(&theatre, &world.join("unborn"), WORK, CHECK, &["--in-place"]);
    assert_refused(&ran, 2, &["is a git repository already"]);
    let ran = run_in(&theatre, &world.join("unborn/.git/refs"), WORK, CHECK, &["--init"]);
    assert_refused(&ran, 2, &["git's own folder"]);
    let strange = world.join(std::ffi::OsString::from_vec(b"str\xffnge".to_vec()));
    if fs::create_dir(&strange).is_ok() {
        theatre.git_in(&strange, &["init", "--quiet"]);
        let author = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
        let commit = [author.as_slice(), &["commit", "--quiet", "--allow-empty", "-m", "start"]].concat();
        theatre.git_in(&strange, &commit);
        assert_refused(&run_in(&theatre, &strange, WORK, CHECK, &[]), 2, &["not UTF-8", "rename"]);
    } else {
        sim::real::missing("a folder whose name is not UTF-8", "this file system takes none");
    }
    let foreign = world.join("foreign");
    theatre.git_in(&world, &["init", "--quiet", "foreign"]);
    if std::os::unix::fs::chown(&foreign, Some(65534), Some(65534)).is_ok() {
        let ran = run_in(&theatre, &foreign, WORK, CHECK, &[]);
        assert_refused(&ran, 1, &["dubious ownership", "safe.directory"]);
    } else {
        sim::real::missing("root", "only root can give a folder away");
    }
    assert!(theatre.run(&["missions", "--all"]).out.contains("no missions"));
}

#[test]
fn a_folder_without_a_repository_gets_one_when_asked() {
    let theatre = theatre();
    put(&theatre, ".gitignore", "secret\n");
    put(&theatre, "secret", "secret\n");
    put(&theatre, "a.txt", "a\n");
    let ran = run_in(&theatre, &theatre.project(), WORK, CHECK, &[]);
    assert_refused(&ran, 2, &["not in a git repository", "--init", "--in-place"]);
    assert!(!theatre.project().join(".git").exists());
    let home = theatre.path().join("home");
    for flag in ["--init", "--in-place"] {
        assert_refused(
            &run_in(&theatre, &home, WORK, CHECK, &[flag]),
            2,
            &["is not the folder of one project"],
        );
    }
    let id = run(&theatre, &["--init"]);
    assert_eq!(theatre.git(&["ls-tree", "-r", "--name-only", "HEAD"]), ".gitignore\na.txt\n");
    assert_eq!(theatre.run(&["merge", &id]).code, Some(0));
    assert_eq!(fs::read_to_string(theatre.project().join("work.txt")).expect("merged"), "done\n");
}

#[test]
fn a_folder_too_large_gets_no_repository() {
    let theatre = theatre();
    let file = fs::File::create(theatre.project().join("huge.bin")).expect("a file");
    file.set_len(101 * 1024 * 1024).expect("a hole");
    for flag in ["--init", "--in-place"] {
        let ran = run_in(&theatre, &theatre.project(), WORK, CHECK, &[flag]);
        assert_refused(&ran, 2, &["huge.bin", ".gitignore"]);
    }
    assert!(!theatre.project().join(".git").exists());
}
