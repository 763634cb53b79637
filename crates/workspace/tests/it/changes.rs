//! What differs from an earlier commit, whatever a file is called and however it is hidden.

use workspace::{changed_since, inspect, scratch};

use super::{commit, git};

#[tokio::test]
async fn committed_staged_changed_and_new_files_differ_and_ignored_ones_do_not() {
    let house = tempfile::tempdir().unwrap();
    let folder = house.path().join("clone");
    let files = [("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), (".gitignore", "built/\n")];
    let base = scratch(&folder, &files).await.unwrap().commit;
    assert!(changed_since(&folder, &base, None).await.unwrap().is_empty());
    commit(&folder, "a.txt", "committed\n");
    std::fs::write(folder.join("b.txt"), "changed\n").unwrap();
    std::fs::write(folder.join("staged and gone"), "x").unwrap();
    git(&folder, &["add", "staged and gone"]);
    std::fs::remove_file(folder.join("staged and gone")).unwrap();
    std::fs::remove_file(folder.join("c.txt")).unwrap();
    std::fs::create_dir(folder.join("built")).unwrap();
    std::fs::write(folder.join("built/out"), "x").unwrap();
    for name in ["new \"quoted\"\ttab", "größe\nline", "-rf"] {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    let before = inspect(&folder).await.unwrap();
    let expected = [
        "-rf",
        "a.txt",
        "b.txt",
        "c.txt",
        "größe\u{fffd}line",
        "new \"quoted\"\u{fffd}tab",
        "staged and gone",
    ];
    assert_eq!(changed_since(&folder, &base, None).await.unwrap(), expected);
    assert_eq!(inspect(&folder).await.unwrap(), before, "to look changes nothing");
}

#[tokio::test]
async fn a_file_that_the_index_overlooks_counts_as_changed() {
    let house = tempfile::tempdir().unwrap();
    let folder = house.path().join("clone");
    let base = scratch(&folder, &[("a.txt", "a\n"), ("b.txt", "b\n")]).await.unwrap().commit;
    git(&folder, &["update-index", "--assume-unchanged", "a.txt"]);
    std::fs::write(folder.join("a.txt"), "hidden\n").unwrap();
    assert_eq!(changed_since(&folder, &base, None).await.unwrap(), ["a.txt"]);
}

#[tokio::test]
async fn what_runs_to_compare_files_does_not_run_here_and_the_list_is_bounded() {
    let house = tempfile::tempdir().unwrap();
    let folder = house.path().join("clone");
    let base = scratch(&folder, &[("a.txt", "a\n")]).await.unwrap().commit;
    let trap = house.path().join("sprung");
    let spring = format!("touch {}", trap.display());
    std::fs::write(folder.join(".gitattributes"), "* filter=trap diff=trap\n").unwrap();
    for key in ["filter.trap.clean", "diff.trap.command", "diff.trap.textconv", "core.fsmonitor"] {
        git(&folder, &["config", key, &spring]);
    }
    std::fs::write(folder.join("a.txt"), "b\n").unwrap();
    for number in 0..150 {
        std::fs::write(folder.join(format!("{number:03}")), "x").unwrap();
    }
    assert_eq!(changed_since(&folder, &base, None).await.unwrap().len(), 100);
    assert!(!trap.exists());
    for odd in ["", "HEAD", "--output=x", &"z".repeat(40)] {
        assert!(changed_since(&folder, odd, None).await.is_err(), "{odd}");
    }
    assert!(changed_since(&folder, &"1".repeat(40), None).await.is_err(), "there is no such commit");
}
