//! It cannot be lied to: a check sees the commit's own content, whatever the agent's clone pretends.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use workspace::{Exit, inspect, preflight, prepare, proof_folder, scratch, stand_at};

use super::{House, commit, git};

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_commit_is_judged_by_its_true_content() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    let good = commit(folder, "readme.md", "good\n");
    git(folder, &["reset", "--quiet", "--hard", "HEAD~1"]);
    let bad = commit(folder, "readme.md", "bad\n");
    git(folder, &["replace", &bad, &good]);
    git(folder, &["checkout", "--quiet", "--force", "HEAD", "--", "."]);
    assert_eq!(git(folder, &["show", "HEAD:readme.md"]), "good", "the forgery works");
    assert!(inspect(folder).await.unwrap().dirty, "the look is not taken in either");
    // Nor is anybody else, even where the source knows the replacement.
    let refs = "+refs/replace/*:refs/replace/*";
    git(house.source(), &["fetch", "--quiet", &folder.display().to_string(), refs]);
    let receipt = house.check(&["cat", "readme.md"]).await;
    assert_eq!((receipt.commit, receipt.output_tail), (bad, "bad\n".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_hidden_by_exclude_is_not_there() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    fs::write(folder.join(".git/info/exclude"), "hidden\n").unwrap();
    fs::write(folder.join("hidden"), "makes it pass\n").unwrap();
    assert!(!inspect(folder).await.unwrap().dirty, "the clone hides it");
    assert_eq!(house.check(&["test", "-e", "hidden"]).await.status, Exit::Code(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_index_overlooks_is_not_there() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let house = House::new().await;
        let folder = &house.clone.folder;
        git(folder, &["update-index", flag, "readme.md"]);
        fs::write(folder.join("readme.md"), "other\n").unwrap();
        assert_eq!(git(folder, &["status", "--porcelain"]), "");
        assert_eq!(house.check(&["cat", "readme.md"]).await.output_tail, "hello\n", "{flag}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_stat_cache_changes_nothing_in_the_proof_folder_either() {
    let house = House::new().await;
    // The same length and the same time, and an index that was told to overlook the file, written by a check.
    let script = "touch -r readme.md time; printf 'HELLO\\n' > readme.md; touch -r time readme.md
        git update-index --assume-unchanged readme.md
        git config core.trustctime false; git config core.checkStat minimal
        echo '*' > .git/info/exclude; echo planted > planted
        git config filter.x.smudge 'tr a-z A-Z'; echo '* filter=x' > .git/info/attributes
        mkdir inner; git init --quiet inner; ln -s / src/root";
    commit(&house.clone.folder, "forge.sh", script);
    assert_eq!(house.check(&["sh", "forge.sh"]).await.status, Exit::Code(0));
    assert_eq!(house.check(&["cat", "readme.md"]).await.output_tail, "hello\n");
    let receipt = house.check(&["ls", ".", "src"]).await;
    assert_eq!(receipt.output_tail, ".:\nforge.sh\nreadme.md\nsrc\n\nsrc:\nlib.rs\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn caches_that_git_ignores_stay_and_all_else_goes() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    fs::write(folder.join(".gitignore"), "/target/\n").unwrap();
    commit(
        folder,
        "build.sh",
        "mkdir -p target; echo built >> target/cache; echo junk > junk; echo x >> readme.md",
    );
    house.check(&["sh", "build.sh"]).await;
    let proof = proof_folder(folder);
    let time = |name: &str| fs::metadata(proof.join(name)).unwrap().modified().unwrap();
    let before = time("src/lib.rs");
    let work = commit(folder, "more.txt", "more\n");
    let receipt = house.check(&["cat", "target/cache", "more.txt", "readme.md"]).await;
    assert_eq!((receipt.commit, receipt.output_tail), (work, "built\nmore\nhello\n".to_owned()));
    assert!(!proof.join("junk").exists(), "each check begins with the commit");
    assert_eq!(time("src/lib.rs"), before, "an unchanged file keeps its time");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_a_commit_removes_is_gone_even_if_it_is_ignored() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    fs::write(folder.join(".gitignore"), "*.bin\n").unwrap();
    fs::write(folder.join("a.bin"), "tracked all the same").unwrap();
    git(folder, &["add", "--force", "a.bin"]);
    commit(folder, "b.txt", "b\n");
    assert_eq!(house.check(&["test", "-e", "a.bin"]).await.status, Exit::Code(0));
    git(folder, &["rm", "--quiet", "a.bin"]);
    commit(folder, "b.txt", "c\n");
    assert_eq!(house.check(&["test", "-e", "a.bin"]).await.status, Exit::Code(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_work_is_at_head_on_whichever_branch() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    git(folder, &["checkout", "--quiet", "-b", "elsewhere"]);
    let work = commit(folder, "work.txt", "one\n");
    assert_eq!(house.fetch_back().await.unwrap(), work);
    git(folder, &["checkout", "--quiet", "--detach"]);
    let work = commit(folder, "work.txt", "two\n");
    assert_eq!(house.fetch_back().await.unwrap(), work);
    assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m1"]), work);
    assert_eq!(house.check(&["cat", "work.txt"]).await.output_tail, "two\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_without_a_commit_is_an_error_that_says_so() {
    let house = House::new().await;
    git(&house.clone.folder, &["checkout", "--quiet", "--orphan", "fresh"]);
    let error = inspect(&house.clone.folder).await.unwrap_err();
    assert!(error.to_string().contains("names no commit"), "{error}");
    house.fetch_back().await.unwrap_err();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_cut_short_is_refused() {
    let cuts =
        [("shallow", "shallow roots are not allowed"), ("info/grafts", "did not receive expected object")];
    for (file, why) in cuts {
        let house = House::new().await;
        let folder = &house.clone.folder;
        commit(folder, "one.txt", "1\n");
        let tip = commit(folder, "two.txt", "2\n");
        fs::write(folder.join(".git").join(file), format!("{tip}\n")).unwrap();
        let error = house.fetch_back().await.unwrap_err();
        assert!(error.to_string().contains(why), "{file}: {error}");
        assert!(!house.source().join(".git/shallow").exists());
        assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m1"]), house.base.commit, "{file}");
        git(house.source(), &["fsck", "--connectivity-only"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_under_a_false_name_is_refused() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    let (good, bad) = (blob(folder, "good\n"), blob(folder, "bad\n"));
    commit(folder, "readme.md", "bad\n");
    let file = |name: &str| folder.join(".git/objects").join(&name[..2]).join(&name[2..]);
    fs::remove_file(file(&bad)).unwrap();
    fs::copy(file(&good), file(&bad)).unwrap();
    house.fetch_back().await.unwrap_err();
    assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m1"]), house.base.commit);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_history_with_harmless_faults_is_taken() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    let tree = git(folder, &["rev-parse", "HEAD^{tree}"]);
    let text = format!(
        "tree {tree}\nparent {}\nauthor A <a> 1 +051800\ncommitter <c@c> 1 +0000\n\nold\n",
        house.base.commit
    );
    let old = object(folder, &["-t", "commit", "--literally"], &text);
    git(folder, &["reset", "--quiet", "--hard", &old]);
    assert_eq!(house.fetch_back().await.unwrap(), old);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_proof_folder_is_made_anew() {
    let house = House::new().await;
    let stand = house.stand(&house.base.commit);
    let wounds: [fn(&Path); 7] = [
        |_| {},
        |proof| fs::remove_dir_all(proof.join(".git")).unwrap(),
        |proof| fs::write(proof.join(".git/arbiter-proof"), "").unwrap(),
        |proof| fs::write(proof.join(".git/arbiter-proof"), "0".repeat(40)).unwrap(),
        |proof| fs::write(proof.join(".git/index.lock"), "").unwrap(),
        |proof| {
            fs::remove_dir_all(proof).unwrap();
            fs::write(proof, "a file").unwrap();
        },
        |proof| {
            fs::remove_file(proof).ok();
            fs::remove_dir_all(proof).unwrap();
            symlink(proof.with_file_name("elsewhere"), proof).unwrap();
        },
    ];
    let elsewhere = stand.folder.with_file_name("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("mine"), "").unwrap();
    for wound in wounds {
        stand_at(&stand).await.unwrap();
        wound(&stand.folder);
        fs::create_dir_all(stand.folder.with_file_name(".m1.proof.making/.git")).unwrap();
        stand_at(&stand).await.unwrap();
        assert_eq!(git(&stand.folder, &["rev-parse", "HEAD"]), house.base.commit);
        assert_eq!(git(&stand.folder, &["status", "--porcelain"]), "");
        assert_eq!(git(&stand.folder, &["remote"]), "");
        assert!(!stand.folder.with_file_name(".m1.proof.making").exists());
    }
    assert!(elsewhere.join("mine").exists(), "what a link leads to is not ours");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_is_not_there_leaves_the_folder_as_it_is() {
    let house = House::new().await;
    stand_at(&house.stand(&house.base.commit)).await.unwrap();
    let error = stand_at(&house.stand(&"1".repeat(40))).await.unwrap_err();
    assert!(error.to_string().starts_with("cannot find the commit to be checked"), "{error}");
    assert_eq!(git(&house.stand("").folder, &["rev-parse", "HEAD"]), house.base.commit);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shallow_source_works_too() {
    let far = House::new().await;
    commit(far.source(), "second.txt", "2\n");
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    let url = format!("file://{}", far.source().display());
    git(folder.path(), &["clone", "--quiet", "--depth=1", &url, "source"]);
    let base = preflight(&source).await.unwrap();
    let clone = prepare(&source, &base.commit, &folder.path().join("m1"), "m1").await.unwrap();
    let house = House { folder, base, clone };
    let work = commit(&house.clone.folder, "work.txt", "done\n");
    let receipt = house.check(&["cat", "work.txt"]).await;
    assert_eq!((receipt.commit, receipt.output_tail), (work, "done\n".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_detached_source_works_too() {
    let house = House::new().await;
    git(house.source(), &["checkout", "--quiet", "--detach"]);
    for text in ["one\n", "two\n"] {
        commit(&house.clone.folder, "work.txt", text);
        assert_eq!(house.check(&["cat", "work.txt"]).await.output_tail, text);
    }
    scratch(house.source(), &[]).await.unwrap();
}

fn blob(folder: &Path, text: &str) -> String {
    object(folder, &[], text)
}

/// Writes an object as it stands.
fn object(folder: &Path, options: &[&str], text: &str) -> String {
    let mut child = Command::new("git")
        .args(["hash-object", "-w", "--stdin"])
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
}
