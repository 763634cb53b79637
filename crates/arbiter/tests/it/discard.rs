//! `arbiter discard`: the clone goes, its work stays, and a fall in between loses nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use sim::Theatre;

use crate::mission::{WORK, assert_refused, newest, picture, repository, run, run_in};

fn is_there(theatre: &Theatre, reference: &str) -> bool {
    !theatre.git(&["for-each-ref", reference]).is_empty()
}

fn salvage(id: &str) -> String {
    format!("refs/arbiter/salvage/{id}")
}

/// What is left beside the clones of other missions.
fn left(theatre: &Theatre) -> Vec<String> {
    let found = fs::read_dir(theatre.state().join("clones")).expect("the clones");
    found.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Work in every state that a clone can hold it in.
fn leave_work(theatre: &Theatre, id: &str) {
    let clone = theatre.clone_of(id);
    fs::write(clone.join("README.md"), "edited\n").expect("a file");
    fs::write(clone.join("new.txt"), "new\n").expect("a file");
    fs::write(clone.join("hidden.txt"), "first\n").expect("a file");
    theatre.git_in(&clone, &["add", "hidden.txt"]);
    theatre.git_in(&clone, &["update-index", "--assume-unchanged", "hidden.txt"]);
    fs::write(clone.join("hidden.txt"), "hidden\n").expect("a file");
    fs::write(clone.join(".git/info/attributes"), "* filter=evil\n").expect("a file");
    let ran = theatre.path().join("ran");
    for (key, value) in [
        ("filter.evil.clean", format!("touch {}; cat", ran.display())),
        ("core.fsmonitor", format!("touch {}", ran.display())),
    ] {
        theatre.git_in(&clone, &["config", "--local", key, &value]);
    }
    // The user's own filters obey the clone's configuration.
    let of_user = "[filter \"large\"]\n\tclean = sed s/new/mangled/\n";
    fs::write(theatre.path().join("home/.gitconfig"), of_user).expect("a file");
    fs::write(clone.join(".git/info/attributes"), "* filter=evil\nnew.txt filter=large\n").expect("a file");
    let hook = clone.join(".git/hooks/reference-transaction");
    fs::create_dir_all(clone.join(".git/hooks")).expect("a folder");
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", ran.display())).expect("a hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("set");
}

fn assert_salvaged(theatre: &Theatre, id: &str) {
    let show = |name: &str| theatre.git(&["show", &format!("{}:{name}", salvage(id))]);
    assert_eq!(show("work.txt"), "done\n");
    assert_eq!(show("README.md"), "edited\n");
    assert_eq!(show("new.txt"), "new\n");
    assert_eq!(show("hidden.txt"), "hidden\n");
    assert!(!theatre.path().join("ran").exists(), "nothing that the clone names is run");
}

#[test]
fn everything_is_salvaged_and_can_be_brought_back() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    leave_work(&theatre, &id);
    let before = picture(&theatre.project());
    assert_refused(&theatre.run(&["discard", &id]), 2, &["there is no terminal to ask at", "--yes"]);
    assert!(theatre.clone_of(&id).is_dir());
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("uncommitted work included"), "{}", ran.out);
    assert!(ran.err.contains(&format!("branch NAME {}", salvage(&id))), "{}", ran.err);
    assert_eq!(picture(&theatre.project()), before);
    assert_eq!(left(&theatre), [""; 0]);
    assert!(!is_there(&theatre, &format!("refs/arbiter/{id}")) && !is_there(&theatre, "refs/arbiter-base"));
    theatre.git(&["gc", "--quiet", "--prune=now"]);
    assert_salvaged(&theatre, &id);
    theatre.git(&["branch", "back", &salvage(&id)]);
    // The mission is told to be what it is, and does not go on.
    assert!(theatre.run(&["missions"]).out.contains("discarded"));
    let shown = theatre.run(&["show", &id]);
    assert!(shown.out.contains("discarded") && shown.out.contains(&salvage(&id)), "{}", shown.out);
    for command in ["resume", "merge"] {
        assert_refused(&theatre.run(&[command, &id]), 2, &["was discarded", &salvage(&id)]);
    }
    for words in [["discard", &id].as_slice(), &["discard", &id, "--yes"]] {
        let again = theatre.run(words);
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert!(again.out.contains("is discarded"), "{}", again.out);
        assert_salvaged(&theatre, &id);
    }
}

#[test]
fn what_an_agent_threw_away_is_salvaged_too() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let clone = theatre.clone_of(&id);
    theatre.git_in(&clone, &["checkout", "--quiet", "--orphan", "fresh"]);
    theatre.git_in(&clone, &["rm", "-rfq", "."]);
    theatre.git_in(&clone, &["commit", "--quiet", "--allow-empty", "-m", "anew"]);
    theatre.git_in(&clone, &["branch", "idea"]);
    fs::write(clone.join("stashed.txt"), "stashed\n").expect("a file");
    theatre.git_in(&clone, &["stash", "push", "--quiet", "--include-untracked"]);
    theatre.git_in(&clone, &["checkout", "--quiet", "-b", "other"]);
    theatre.git_in(&clone, &["commit", "--quiet", "--allow-empty", "--amend", "-m", "otherwise"]);
    let work = theatre.git(&["rev-parse", &format!("refs/arbiter/{id}")]);
    assert_eq!(theatre.run(&["discard", &id, "--yes"]).code, Some(0));
    let more = theatre.git(&["for-each-ref", "--format=%(refname)", "refs/arbiter/salvage-more"]);
    let prefix = format!("refs/arbiter/salvage-more/{id}");
    assert_eq!(more, format!("{prefix}/heads/fresh\n{prefix}/heads/idea\n{prefix}/stash\n"));
    assert_eq!(theatre.git(&["show", &format!("{prefix}/stash^3:stashed.txt")]), "stashed\n");
    theatre.git(&["merge-base", "--is-ancestor", work.trim(), &salvage(&id)]);
}

#[test]
fn a_broken_clone_is_removed_only_by_force() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let clone = theatre.clone_of(&id);
    fs::remove_dir_all(clone.join(".git/objects")).expect("broken");
    let place = clone.display().to_string();
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 1, &["nothing was removed", &place, "--force"]);
    assert!(clone.join("work.txt").exists() && is_there(&theatre, &format!("refs/arbiter/{id}")));
    let ran = theatre.run(&["discard", &id, "--yes", "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!clone.exists() && ran.err.contains("is not kept"), "{}", ran.err);
    assert_eq!(theatre.git(&["show", &format!("{}:work.txt", salvage(&id))]), "done\n");
}

#[test]
fn a_repository_inside_the_clone_is_not_lost_unseen() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let nested = theatre.clone_of(&id).join("nested");
    fs::create_dir(&nested).expect("a folder");
    theatre.git_in(&nested, &["init", "--quiet"]);
    fs::write(nested.join("a.txt"), "a\n").expect("a file");
    theatre.git_in(&nested, &["add", "-A"]);
    let author = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
    theatre.git_in(&nested, &[author.as_slice(), &["commit", "--quiet", "-m", "a"]].concat());
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 1, &["nested", "--force"]);
    assert!(nested.exists());
}

#[test]
fn a_clone_in_another_place_is_not_touched() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let ground = theatre.mission().join("ground.json");
    let precious = theatre.path().join("home").display().to_string();
    let clone = theatre.clone_of(&id).display().to_string();
    let text = fs::read_to_string(&ground).expect("a ground").replace(&clone, &precious);
    fs::write(&ground, text).expect("written");
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 1, &["another place", "nothing was removed"]);
    assert!(theatre.path().join("home").is_dir());
}

#[test]
fn a_fall_at_any_moment_loses_nothing() {
    let theatre = repository();
    let ran = run_in(&theatre, &theatre.project(), WORK, crate::mission::CHECK, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = newest(&theatre);
    leave_work(&theatre, &id);
    let mut fell = 0;
    for pause in (0..).map(|step| Duration::from_millis(step * 40)) {
        let mut child = theatre.start(&["discard", &id, "--yes"]);
        std::thread::sleep(pause);
        let early = child.try_wait().expect("it can be asked").is_none();
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let whole = theatre.clone_of(&id).join("hidden.txt").exists();
        if !whole {
            assert_salvaged(&theatre, &id);
        }
        if !early {
            break;
        }
        fell += 1;
    }
    assert!(fell > 0, "it was never killed in time");
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_salvaged(&theatre, &id);
    assert_eq!(left(&theatre), [""; 0]);
    theatre.assert_nobody_left();
}

#[test]
fn missions_of_one_repository_are_discarded_at_once() {
    let theatre = repository();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let ran = run_in(&theatre, &theatre.project(), WORK, crate::mission::CHECK, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ids.push(newest(&theatre));
    }
    let discards: Vec<_> = ids.iter().map(|id| theatre.start(&["discard", id, "--yes"])).collect();
    for mut child in discards {
        assert!(child.wait().expect("it ends").success());
    }
    for id in &ids {
        assert!(is_there(&theatre, &salvage(id)), "{id}");
    }
    let marks = std::fs::read_dir(theatre.project().join(".git")).expect("the repository").flatten();
    assert_eq!(
        marks.filter(|entry| entry.file_name().to_string_lossy().starts_with("arbiter-writes")).count(),
        0
    );
}

#[test]
fn a_clone_that_is_gone_leaves_what_was_fetched() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    fs::remove_dir_all(theatre.clone_of(&id)).expect("removed by hand");
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(theatre.git(&["show", &format!("{}:work.txt", salvage(&id))]), "done\n");
}
