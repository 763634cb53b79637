//! Checks run in the clone, and what their receipts prove.

use std::time::Duration;

use providers::workshop::{Check, Exit, Receipt, Written, put_scroll, run_check};

use super::{House, commit, git};

async fn check(house: &House, words: &[&str]) -> Receipt {
    let check = Check::parse(Written::Argv(words.iter().map(ToString::to_string).collect())).unwrap();
    run_check(&house.clone.folder, &check, Duration::from_secs(10)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_passes_on_a_commit_is_a_proof() {
    let house = House::new().await;
    put_scroll(&house.clone.folder, "build it\n").await.unwrap();
    let receipt = check(&house, &["cat", "readme.md", ".arbiter/scroll.md"]).await;
    assert!(receipt.is_proof(), "{receipt:?}");
    assert_eq!(receipt.commit, house.base.commit);
    assert_eq!(receipt.argv, ["cat", "readme.md", ".arbiter/scroll.md"]);
    assert_eq!(receipt.output_tail, "hello\nbuild it\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_a_receipt_and_no_proof() {
    let house = House::new().await;
    assert_eq!(check(&house, &["false"]).await.status, Exit::Code(1));
    let receipt = check(&house, &["no-such-program"]).await;
    assert_eq!(receipt.status, Exit::NotFound);
    assert!(!receipt.is_proof());
}

#[tokio::test(flavor = "multi_thread")]
async fn uncommitted_work_proves_nothing() {
    let house = House::new().await;
    std::fs::write(house.clone.folder.join("new.txt"), "x").unwrap();
    let receipt = check(&house, &["true"]).await;
    assert!(!receipt.tree_clean && !receipt.is_proof());
    commit(&house.clone.folder, "new.txt", "x");
    assert!(check(&house, &["true"]).await.is_proof());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_change_proves_nothing() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let house = House::new().await;
        git(&house.clone.folder, &["update-index", flag, "readme.md"]);
        std::fs::write(house.clone.folder.join("readme.md"), "other\n").unwrap();
        assert_eq!(git(&house.clone.folder, &["status", "--porcelain"]), "");
        assert!(!check(&house, &["true"]).await.is_proof(), "{flag}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_moves_head_proves_nothing() {
    let house = House::new().await;
    let script = "git -c user.name=x -c user.email=x@x commit --quiet --allow-empty -m moved";
    commit(&house.clone.folder, "move.sh", script);
    let receipt = check(&house, &["sh", "move.sh"]).await;
    assert_eq!(receipt.status, Exit::Code(0));
    assert_eq!(receipt.moved_to, Some(git(&house.clone.folder, &["rev-parse", "HEAD"])));
    assert!(!receipt.is_proof());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_knows_that_nobody_watches_and_nothing_of_our_git() {
    let house = House::new().await;
    commit(&house.clone.folder, "env.sh", "echo $CI; env | grep ^GIT_ || true");
    assert_eq!(check(&house, &["sh", "env.sh"]).await.output_tail, "true\n");
}
