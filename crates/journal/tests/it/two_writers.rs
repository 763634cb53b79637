//! One process writes; the others are told who.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process, thread,
    time::{Duration, Instant},
};

use journal::{Journal, JournalError, holder};

use crate::{CHILD, child, fresh, key};

/// A test beside us may be starting a child, which has our files open until it is exec'd.
#[track_caller]
fn becomes_free(path: &Path) {
    let end = Instant::now() + Duration::from_secs(2);
    while holder(path).is_some() {
        assert!(Instant::now() < end, "{:?} still holds it", holder(path));
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_second_writer_in_the_same_process_is_told_who_holds_it() {
    let (_folder, path) = fresh();
    let first = Journal::create(&path, "m", &key()).unwrap();
    let error = Journal::open(&path, &key()).unwrap_err();
    assert!(matches!(error, JournalError::Held { pid, .. } if pid == process::id()), "{error}");
    assert_eq!(holder(&path), Some(process::id()));
    drop(first);
    becomes_free(&path);
    Journal::open(&path, &key()).unwrap();
}

#[test]
fn a_second_process_is_told_who_holds_it_until_that_one_dies() {
    let (_folder, path) = fresh();
    assert_eq!(holder(&path), None);
    assert_eq!(Journal::create(&path, "m", &key()).unwrap().fence(), 1);
    let mut other = child("two_writers::hold", &path).spawn().unwrap();
    let says = BufReader::new(other.stdout.take().unwrap()).lines();
    assert!(says.map_while(Result::ok).any(|line| line == "held"), "the child holds it");

    let error = Journal::open(&path, &key()).unwrap_err();
    assert!(matches!(error, JournalError::Held { pid, .. } if pid == other.id()), "{error}");
    assert_eq!(holder(&path), Some(other.id()));
    other.kill().unwrap();
    other.wait().unwrap();
    becomes_free(&path);
    assert_eq!(Journal::open(&path, &key()).unwrap().journal.fence(), 3);
}

#[test]
// The child of the test above; alone it has nothing to do.
fn hold() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    let _journal = Journal::open(path.as_ref(), &key()).unwrap();
    println!("\nheld");
    // Ends when it is killed, or with its parent.
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
fn the_fence_grows_with_every_taking() {
    let (folder, path) = fresh();
    assert_eq!(Journal::create(&path, "m", &key()).unwrap().fence(), 1);
    for fence in 2..12 {
        assert_eq!(Journal::open(&path, &key()).unwrap().journal.fence(), fence);
    }
    let lock = fs::read_to_string(folder.path().join("journal.lock")).unwrap();
    assert_eq!(lock.trim(), format!(r#"{{"pid":{},"fence":11}}"#, process::id()));
}

#[test]
fn a_lock_that_lost_its_fence_is_refused() {
    let (folder, path) = fresh();
    drop(Journal::create(&path, "m", &key()).unwrap());
    let lock = folder.path().join("journal.lock");
    fs::write(&lock, "???").unwrap();
    let error = Journal::open(&path, &key()).unwrap_err();
    assert!(matches!(&error, JournalError::Damaged { path, .. } if *path == lock), "{error}");
}

#[test]
fn asking_who_holds_it_never_keeps_a_writer_out() {
    let (_folder, path) = fresh();
    drop(Journal::create(&path, "m", &key()).unwrap());
    let end = Instant::now() + Duration::from_millis(500);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while Instant::now() < end {
                    holder(&path);
                    thread::sleep(Duration::from_micros(50));
                }
            });
        }
        while Instant::now() < end {
            Journal::open(&path, &key()).unwrap();
        }
    });
}
