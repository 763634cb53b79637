//! One command, to its end and to the end of everything it started.

use std::process::Command;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use workspace::{Exit, Finished, Job, run};

fn job(argv: &[&str], time_limit_ms: u64) -> Job {
    Job {
        sandbox: None,
        argv: argv.iter().map(ToString::to_string).collect(),
        folder: std::env::temp_dir(),
        environment: Vec::new(),
        time_limit: Duration::from_millis(time_limit_ms),
    }
}

async fn sh(script: &str, time_limit_ms: u64) -> Finished {
    run(&job(&["sh", "-c", script], time_limit_ms)).await
}

/// A `sleep` of five minutes that no other test has.
fn long_sleep(name: u32) -> String {
    format!("sleep 300.{}{name:04}", std::process::id())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exit_status_is_told_as_it_was() {
    for code in [0, 1, 101, 255] {
        assert_eq!(sh(&format!("exit {code}"), 5_000).await.status, Exit::Code(code));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_is_no_exit_status() {
    assert_eq!(sh("kill -TERM $$", 5_000).await.status, Exit::Signal(15));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_program_is_named() {
    assert_eq!(run(&job(&["no-such-program"], 5_000)).await.status, Exit::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_start_says_why() {
    let missing_folder = Job { folder: "/no/such/folder".into(), ..job(&["true"], 5_000) };
    let Exit::NotStarted(why) = run(&missing_folder).await.status else { panic!("it started") };
    assert!(why.contains("/no/such/folder"), "{why}");
    assert!(matches!(run(&job(&["/etc/passwd"], 5_000)).await.status, Exit::NotStarted(_)));
    assert!(matches!(run(&job(&[], 5_000)).await.status, Exit::NotStarted(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_limit_ends_the_whole_tree() {
    let sleep = long_sleep(1);
    let finished = sh(&format!("echo begun; {sleep} & (setsid {sleep} &) ; env -i {sleep}"), 300).await;
    assert_eq!(finished.status, Exit::TimedOut);
    assert!((300..3_000).contains(&finished.duration_ms), "{}", finished.duration_ms);
    assert_eq!(finished.output_tail, "begun\n");
    assert_eq!(alive(&sleep), [0_u32; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_ignores_signals_ends_too() {
    let sleep = long_sleep(2);
    let finished = sh(&format!("trap '' TERM INT HUP; while true; do {sleep}; done"), 200).await;
    assert_eq!(finished.status, Exit::TimedOut);
    assert_eq!(alive(&sleep), [0_u32; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_does_not_outlive_its_check() {
    let sleep = long_sleep(3);
    let tokens: Vec<&str> = sleep.split(' ').collect();
    let ways = [
        vec!["setsid", tokens[0], tokens[1]],
        vec!["env", "-i", "setsid", tokens[0], tokens[1]],
        vec!["sh", "-c", "(setsid sh -c 'exec $0 $1 <&- >&- 2>&-' $0 $1 &); exit 0", tokens[0], tokens[1]],
        vec!["sh", "-c", "env -i setsid $0 $1 >/dev/null 2>&1 & exit 0", tokens[0], tokens[1]],
        vec!["sh", "-c", "env -i setsid $0 $1 >/dev/null 2>&1 & sleep 0.1", tokens[0], tokens[1]],
        vec![
            "sh",
            "-c",
            "(setsid env -i setsid nohup $0 $1 >/dev/null 2>&1 &) & wait; sleep 0.1",
            tokens[0],
            tokens[1],
        ],
    ];
    for way in ways.iter().cycle().take(4 * ways.len()) {
        let finished = run(&job(way, 10_000)).await;
        assert_eq!(finished.status, Exit::Code(0), "{way:?}");
        assert_eq!(alive(tokens[1]), [0_u32; 0], "{way:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_left_alone() {
    let sleep = long_sleep(4);
    let mut stranger = Command::new("sleep").arg(&sleep[6..]).spawn().unwrap();
    sh("setsid sleep 300 & exit 0", 5_000).await;
    assert_eq!(alive(&sleep), [stranger.id()]);
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_commands_at_once_do_not_end_one_another() {
    let (short, long) =
        (job(&["sh", "-c", "setsid sleep 300 & exit 3"], 5_000), job(&["sleep", "0.5"], 5_000));
    let (short, long) = tokio::join!(run(&short), run(&long));
    assert_eq!((short.status, long.status), (Exit::Code(3), Exit::Code(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workshop_inside_a_workshop_keeps_the_outer_mark() {
    let finished =
        sh("env | grep -c ^ARBITER_MARK_; ARBITER_MARK_inner=1 env | grep -c ^ARBITER_MARK_", 5_000).await;
    assert_eq!(finished.output_tail, "1\n2\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grandchild_with_our_pipe_does_not_hold_us() {
    let sleep = long_sleep(5);
    let began = Instant::now();
    let finished = sh(&format!("{sleep} & echo hi"), 60_000).await;
    assert_eq!((finished.status, finished.output_tail.as_str()), (Exit::Code(0), "hi\n"));
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(alive(&sleep), [0_u32; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_future_leaves_nothing_alive() {
    let sleep = long_sleep(6);
    let script = format!("{sleep} & (setsid {sleep} &); (env -i setsid {sleep} &); {sleep}");
    let running = tokio::spawn(async move { sh(&script, 60_000).await });
    // The four that sleep, and the shell whose script names them.
    let began = Instant::now();
    while alive(&sleep).len() != 5 {
        assert!(began.elapsed() < Duration::from_secs(20), "they do not all start: {:?}", alive(&sleep));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    assert_nobody_has(&sleep);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_bounded_and_digested_whole() {
    const BYTES: usize = 50 * 1024 * 1024;
    let finished = sh(&format!("head -c {BYTES} /dev/zero | tr '\\0' x"), 60_000).await;
    let digest = Sha256::digest(vec![b'x'; BYTES]);
    assert_eq!(finished.output_digest, digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    assert_eq!(finished.output_bytes, BYTES as u64);
    assert!(finished.output_tail.len() < 33 * 1024, "{}", finished.output_tail.len());
    let left_out = format!("[... {} bytes left out ...]", BYTES - 32 * 1024);
    assert!(finished.output_tail.contains(&left_out));
}

#[tokio::test(flavor = "multi_thread")]
async fn output_and_errors_keep_their_order() {
    let finished = sh("echo a; echo b >&2; echo c; echo d >&2", 5_000).await;
    assert_eq!(finished.output_tail, "a\nb\nc\nd\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_beginning_and_the_end_of_long_output_are_kept() {
    let finished = sh("echo first; seq 1 20000; echo last", 5_000).await;
    assert!(finished.output_tail.starts_with("first\n1\n2\n"));
    assert!(finished.output_tail.ends_with("\n20000\nlast\n"));
    assert_eq!(finished.output_tail.matches("left out").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn output_cannot_move_the_cursor() {
    let finished = sh(r"printf 'a\033[2Jb\r\tc\377d\007\n'", 5_000).await;
    assert_eq!(finished.output_tail, "a[2Jb\tc\u{fffd}d\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_nothing_to_read_from() {
    assert_eq!(sh("cat", 5_000).await.status, Exit::Code(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_shell_reads_the_words_of_a_command() {
    let words = "$HOME; `id` * \"q\" 'r' \\ && false\n-n";
    let finished = run(&job(&["printf", "%s", words, "", "$0"], 5_000)).await;
    assert_eq!(finished.output_tail, format!("{words}$0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_of_the_folder_is_found_there() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/bin/pwd", folder.path().join("here")).unwrap();
    let here = Job { folder: folder.path().to_path_buf(), ..job(&["./here"], 5_000) };
    let finished = run(&here).await;
    assert_eq!(finished.output_tail.trim(), folder.path().canonicalize().unwrap().to_str().unwrap());
    assert_eq!(run(&job(&["./here"], 5_000)).await.status, Exit::NotFound);
}

/// The ids of living processes with `words` in their command line.
fn alive(words: &str) -> Vec<u32> {
    let ids = std::fs::read_dir("/proc").unwrap();
    let ids = ids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id| command_line(*id).contains(words)).collect()
}

fn command_line(id: u32) -> String {
    let bytes = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// Waits for a while until no process has `words`; ends those that are left, by id, before it complains.
fn assert_nobody_has(words: &str) {
    let began = Instant::now();
    let mut left = alive(words);
    while !left.is_empty() && began.elapsed() < Duration::from_secs(3) {
        std::thread::sleep(Duration::from_millis(20));
        left = alive(words);
    }
    for id in &left {
        let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
    }
    assert!(left.is_empty(), "still alive: {left:?}");
}
