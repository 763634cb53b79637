//! What a receipt tells of a check.

use workspace::Exit;

use super::{House, commit, git};

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_passes_is_told_with_its_commit_and_output() {
    let house = House::new().await;
    let work = commit(&house.clone.folder, "work.txt", "done\n");
    let receipt = house.check(&["cat", "readme.md", "work.txt"]).await;
    assert_eq!((&receipt.status, &receipt.moved_to), (&Exit::Code(0), &None), "{receipt:?}");
    assert_eq!(receipt.commit, work);
    assert_eq!(receipt.argv, ["cat", "readme.md", "work.txt"]);
    assert_eq!(receipt.output_tail, "hello\ndone\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_a_receipt() {
    let house = House::new().await;
    assert_eq!(house.check(&["false"]).await.status, Exit::Code(1));
    assert_eq!(house.check(&["no-such-program"]).await.status, Exit::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_moves_head_is_found_out_and_the_next_stands_right() {
    let house = House::new().await;
    let script = "git -c user.name=x -c user.email=x@x commit --quiet --allow-empty -m moved";
    let work = commit(&house.clone.folder, "move.sh", script);
    let receipt = house.check(&["sh", "move.sh"]).await;
    assert_eq!(receipt.status, Exit::Code(0));
    assert_eq!(receipt.moved_to, Some(git(&house.stand(&work).folder, &["rev-parse", "HEAD"])));
    let receipt = house.check(&["git", "rev-parse", "HEAD"]).await;
    assert_eq!((receipt.moved_to, receipt.output_tail), (None, format!("{work}\n")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_knows_its_mission_that_nobody_watches_and_nothing_of_our_git() {
    let house = House::new().await;
    commit(&house.clone.folder, "env.sh", "echo $CI $ARBITER_MISSION; env | grep ^GIT_ || true");
    assert_eq!(house.check(&["sh", "env.sh"]).await.output_tail, "true m1\n");
}
