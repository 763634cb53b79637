//! A cage that does not hold says so, and starts nothing.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use mind::access::{Access, SandboxLevel};
use sandbox::{Purpose, Sandbox, SandboxSurvey, WITHOUT};

use super::world::{CAGED, World, levels};

/// A bubblewrap that only runs what it is given.
fn liar(world: &World) -> PathBuf {
    let program = world.root.join("elsewhere/bwrap");
    fs::write(&program, "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n")
        .expect("a script can be written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a script can be written");
    program
}

#[test]
fn a_lying_bubblewrap_is_found_out_and_nothing_is_started() {
    let world = World::new(SandboxLevel::Bubblewrap);
    let mut plan = world.plan();
    plan.bubblewrap = Some(liar(&world));
    let sandbox = Sandbox::set(plan).unwrap();
    for purpose in [Purpose::Agent { secrets: false }, Purpose::Command] {
        let script = ["-c", "echo ran; touch ran"];
        let output = sandbox.command("/bin/sh".as_ref(), script, world.clone(), purpose).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(125), &b""[..]), "{said}");
        assert!(said.contains("level bubblewrap does not hold") && said.contains("can be read"), "{said}");
        assert!(!world.clone().join("ran").exists());
    }
    let folder = world.root.join("elsewhere");
    let why = SandboxSurvey::of(folder.as_os_str(), "").bubblewrap.unwrap_err();
    assert!(why.ends_with("elsewhere/bwrap hides nothing"), "{why}");
}

#[test]
fn a_lay_that_lets_too_much_be_written_is_found_out() {
    for level in levels() {
        let mut world = World::new(level);
        let elsewhere = world.root.join("elsewhere").to_str().unwrap().to_owned();
        world.lay.views.insert(elsewhere, Access::Write);
        let output = world.run("echo ran");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(125), &b""[..]), "{level}");
        assert!(said.contains("elsewhere can be written; nothing was started"), "{said}");
    }
}

#[test]
fn a_writable_place_that_became_a_link_is_refused() {
    for level in levels() {
        let mut world = World::new(level);
        let inner = world.clone().join("inner");
        world.lay.views.insert(inner.to_str().unwrap().to_owned(), Access::Write);
        std::os::unix::fs::symlink(world.root.join("home"), &inner).unwrap();
        let output = world.run("echo ran");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{level}: {said}");
        assert!(said.contains("inner is reached by a link"), "{said}");
    }
}

#[test]
fn orders_from_somebody_else_are_not_followed() {
    for level in levels() {
        let world = World::new(level);
        // A shell in between: it is not the house that the orders name.
        let command = world.shell("echo ran", Purpose::Command);
        let mut between = std::process::Command::new("/bin/sh");
        between.args(["-c", "\"$@\"; exit $?", "sh"]).arg(command.get_program()).args(command.get_args());
        between.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = between.current_dir(world.clone()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{level}: {said}");
        assert!(said.contains("arbiter is gone"), "{said}");
    }
}

#[test]
fn orders_that_make_no_sense_start_nothing() {
    for words in [
        &["__cage"][..],
        &["__cage", "keep", "--", "true"],
        &["__cage", "keep"],
        &["__cage", "x", "--", "true"],
    ] {
        let output = std::process::Command::new(CAGED).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("sandbox: "));
    }
}

#[test]
fn what_is_missing_is_told_in_words() {
    let survey = SandboxSurvey::of(OsStr::new("/no/such/folder:relative"), "landlock");
    assert_eq!(survey.best(), None);
    assert_eq!(survey.bubblewrap, Err("bwrap is not on PATH".into()));
    assert_eq!(survey.landlock, Err(format!("{WITHOUT} says that it is not to be used")));
    assert!(survey.hint().unwrap().contains("apt install bubblewrap"));
    assert!(survey.to_string().contains("bubblewrap does not: bwrap is not on PATH"));
}

#[test]
fn the_survey_says_what_holds() {
    let path = std::env::var_os("PATH").unwrap();
    let without = std::env::var(WITHOUT).unwrap_or_default();
    let landlock = levels().into_iter().find(|level| *level == SandboxLevel::Landlock);
    assert_eq!(SandboxSurvey::of(&path, &without).best(), levels().first().copied());
    assert_eq!(SandboxSurvey::of(&path, &format!("{without},bubblewrap")).best(), landlock);
    assert_eq!(SandboxSurvey::of(&path, "bubblewrap, landlock").best(), None);
}
