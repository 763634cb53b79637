//! The texts a mission starts with: requirements, rules, prompts.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use arbiter::project::project_files::ProjectFiles;
use arbiter::project::requirements::{self, RequirementsError};
use mind::limits::{RULES_BYTES_MAX, SCROLL_BYTES_MAX};

use super::folder;

/// Writes a file and says what reading it gives.
fn told(bytes: &[u8]) -> String {
    let root = folder();
    let path = root.path().join("plan.md");
    fs::write(&path, bytes).expect("a file");
    match requirements::read_scroll(&path) {
        Ok(scroll) => format!("{:?}", scroll.text),
        Err(error) => format!("{error}\nhint: {}", error.hint().unwrap_or_default())
            .replace(&root.path().display().to_string(), "."),
    }
}

#[test]
fn requirements_are_read_as_they_are() {
    let root = folder();
    let path = root.path().join("plan.md");
    fs::write(&path, "\u{feff}# Größe\r\n\nall of it\n").unwrap();
    let scroll = requirements::read_scroll(&path).unwrap();
    assert_eq!((scroll.name.as_str(), scroll.path.as_str()), ("plan.md", ".arbiter/scroll.md"));
    assert_eq!(&*scroll.text, "# Größe\r\n\nall of it\n");
    assert_eq!(told(&vec![b'x'; SCROLL_BYTES_MAX]).len(), SCROLL_BYTES_MAX + 2);

    let task = requirements::from_task("mend the clock").unwrap();
    assert_eq!(
        (task.name.as_str(), task.path.as_str(), &*task.text),
        ("task", ".arbiter/scroll.md", "mend the clock")
    );
}

#[test]
fn requirements_that_cannot_be_meant_are_refused() {
    for (bytes, expected) in [
        (&b""[..], "./plan.md is empty\nhint: write down what is to be done"),
        (b"\xef\xbb\xbf \n\t\n", "./plan.md is empty\nhint: write down what is to be done"),
        (
            b"na\xc3\xafve caf\xe9",
            "./plan.md is not UTF-8: the first wrong byte is at offset 10\nhint: give plain text or Markdown, saved as UTF-8",
        ),
        (
            b"\xff\xfeh\0i\0",
            "./plan.md is not UTF-8: the first wrong byte is at offset 0\nhint: it looks like UTF-16: save it as UTF-8",
        ),
        (b"ab\0c", "./plan.md has a NUL byte at offset 2\nhint: give plain text or Markdown, saved as UTF-8"),
        (
            &vec![b'x'; 10_000_000],
            "./plan.md has 10000000 bytes, more than the 524288 that are read\nhint: keep what every agent must know, and name the files with the rest",
        ),
    ] {
        assert_eq!(told(bytes), expected);
    }
    for (task, expected) in [
        (" \n".to_owned(), "task is empty"),
        ("a\0".to_owned(), "task has a NUL byte at offset 1"),
        ("x".repeat(SCROLL_BYTES_MAX + 1), "task has 524289 bytes, more than the 524288 that are read"),
    ] {
        assert_eq!(requirements::from_task(&task).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_file_that_is_not_there_is_guessed() {
    let root = folder();
    fs::write(root.path().join("requirements.md"), "x").unwrap();
    fs::create_dir(root.path().join("requirement.md")).unwrap();
    let missing = |name: &str| requirements::read_scroll(&root.path().join(name)).unwrap_err();
    let error = missing("Requirments.md");
    assert!(error.to_string().ends_with("/Requirments.md does not exist"), "{error}");
    assert!(error.hint().unwrap().ends_with("/requirements.md?"), "{error:?}");
    assert_eq!(
        missing("plan.md").hint().unwrap(),
        "name a file with the requirements, or use `arbiter run --task TEXT`"
    );
    assert!(missing("no/plan.md").hint().unwrap().ends_with("/no does not exist either"));
    assert!(matches!(missing("requirements.md/plan.md"), RequirementsError::Missing { .. }));
    assert!(matches!(missing("requirement.md"), RequirementsError::Folder { .. }));
    let endless = requirements::read_scroll(Path::new("/dev/zero")).unwrap_err();
    assert_eq!(endless.to_string(), "/dev/zero has too many bytes, more than the 524288 that are read");
}

#[test]
fn what_may_not_be_read_is_told_apart() {
    // Root reads everything: the command line's tests try it as another user.
    let error =
        RequirementsError::from_io(Path::new("plan.md"), io::Error::from(io::ErrorKind::PermissionDenied));
    assert_eq!(error.to_string(), "plan.md may not be read by this user");
    assert_eq!(error.hint().unwrap(), "`ls -l plan.md` shows who may read it");
    let error = RequirementsError::from_io(Path::new("plan.md"), io::Error::other("bad sector"));
    assert_eq!(error.to_string(), "cannot read plan.md: bad sector");
}

#[test]
fn the_projects_rules_are_joined_and_cut_visibly() {
    let root = folder();
    let put = |name: &str, text: &str| fs::write(root.path().join(name), text).unwrap();
    assert_eq!(requirements::read_rules(root.path()).unwrap(), None);
    put("CLAUDE.md", " \n");
    assert_eq!(requirements::read_rules(root.path()).unwrap(), None);
    put("CLAUDE.md", "be kind\n");
    put("AGENTS.md", "be brief\n");
    let rules = requirements::read_rules(root.path()).unwrap().unwrap();
    assert_eq!(&*rules, "# CLAUDE.md\n\nbe kind\n\n# AGENTS.md\n\nbe brief");
    fs::remove_file(root.path().join("AGENTS.md")).unwrap();
    symlink("CLAUDE.md", root.path().join("AGENTS.md")).unwrap();
    assert_eq!(&*requirements::read_rules(root.path()).unwrap().unwrap(), "# CLAUDE.md\n\nbe kind");

    // A link out of the project would tell a model any file of the user's.
    let private = folder();
    fs::write(private.path().join("secret"), "my secret").unwrap();
    fs::remove_file(root.path().join("AGENTS.md")).unwrap();
    symlink(private.path().join("secret"), root.path().join("AGENTS.md")).unwrap();
    assert_eq!(&*requirements::read_rules(root.path()).unwrap().unwrap(), "# CLAUDE.md\n\nbe kind");

    put("CLAUDE.md", &"ä".repeat(RULES_BYTES_MAX));
    let rules = requirements::read_rules(root.path()).unwrap().unwrap();
    assert!(rules.len() <= RULES_BYTES_MAX && rules.len() > RULES_BYTES_MAX - 4, "{}", rules.len());
    assert!(rules.contains("\n\n[cut here: the project's rules have "), "{}", &rules[rules.len() - 200..]);
    fs::remove_file(root.path().join("CLAUDE.md")).unwrap();
    fs::create_dir(root.path().join("CLAUDE.md")).unwrap();
    assert_eq!(requirements::read_rules(root.path()).unwrap(), None);
}

#[test]
fn a_projects_prompt_replaces_one_of_ours() {
    let root = folder();
    let prompts = || ProjectFiles::read(root.path()).prompts;
    assert!(prompts().unwrap().is_empty());
    let place = root.path().join(".arbiter/prompts");
    fs::create_dir_all(&place).unwrap();
    let put = |name: &str, text: &str| fs::write(place.join(name), text).unwrap();
    put("arbiter.md", "\u{feff}You are terse.\n");
    put("notes.txt", "not a prompt");
    put(".arbiter.md.swp", "an editor's");
    let found: Vec<_> = prompts().unwrap().into_iter().map(|(name, prompt)| (name, prompt.text)).collect();
    assert_eq!(found, [("arbiter.md".to_owned(), "You are terse.\n".into())]);

    put("verifer.md", "x");
    let error = prompts().unwrap_err();
    assert!(error.to_string().ends_with("/verifer.md replaces no prompt"), "{error}");
    assert_eq!(error.hint().unwrap(), "did you mean `verifier.md`?");
    fs::rename(place.join("verifer.md"), place.join("README.md")).unwrap();
    assert!(prompts().unwrap_err().hint().unwrap().starts_with("known prompts: arbiter.md, "));
    fs::rename(place.join("README.md"), place.join("verifier.md")).unwrap();
    put("verifier.md", "\n");
    assert!(matches!(prompts(), Err(RequirementsError::Empty { .. })));
}

#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let root = folder();
    let outside = folder();
    let place = root.path().join(".arbiter/prompts");
    fs::create_dir_all(&place).unwrap();
    fs::write(root.path().join("ours.md"), "Be brief.\n").unwrap();
    fs::write(outside.path().join("secret.md"), "A secret.\n").unwrap();
    symlink("../../ours.md", place.join("arbiter.md")).unwrap();
    assert_eq!(&*ProjectFiles::read(root.path()).prompts.unwrap()["arbiter.md"].text, "Be brief.\n");
    symlink(outside.path().join("secret.md"), place.join("verifier.md")).unwrap();
    let error = ProjectFiles::read(root.path()).prompts.unwrap_err();
    assert!(error.to_string().contains("verifier.md leads out of the project"), "{error}");
    assert!(error.hint().unwrap().contains("move the link away"));
    // Nor is the whole folder anybody's but the project's.
    fs::remove_dir_all(root.path().join(".arbiter")).unwrap();
    fs::create_dir_all(outside.path().join("prompts")).unwrap();
    fs::write(outside.path().join("prompts/arbiter.md"), "x\n").unwrap();
    fs::write(outside.path().join("config.yaml"), "silence: 5m\n").unwrap();
    symlink(outside.path(), root.path().join(".arbiter")).unwrap();
    let papers = ProjectFiles::read(root.path());
    assert!(matches!(papers.prompts, Err(RequirementsError::Outside { .. })));
    assert!(papers.config.as_ref().is_err_and(|error| error.to_string().contains("out of the project")));
    assert_eq!(papers.digest(), None);
}

#[test]
fn every_name_and_byte_is_in_the_digest() {
    let root = folder();
    let place = root.path().join(".arbiter/prompts");
    fs::create_dir_all(&place).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut look = || assert!(seen.insert(ProjectFiles::read(root.path()).digest().unwrap()));
    look();
    for text in ["", "# a\n", "# a\r\n", "\u{feff}# a\n"] {
        fs::write(root.path().join(".arbiter/config.yaml"), text).unwrap();
        look();
    }
    fs::write(place.join("arbiter.md"), "Be brief.\n").unwrap();
    look();
    fs::write(place.join("arbiter.md"), "\u{feff}Be brief.\n").unwrap();
    look();
    fs::rename(place.join("arbiter.md"), place.join("verifier.md")).unwrap();
    look();
}
