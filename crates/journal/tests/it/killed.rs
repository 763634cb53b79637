//! A writing process killed with -9 again and again: all it acknowledged is there.

use std::{
    io::{BufRead, BufReader, Write},
    thread,
    time::Duration,
};

use journal::{Journal, Reader};

use crate::{CHILD, child, fresh, key, replay};

fn body(seq: u64) -> String {
    format!(r#"{{"n":{seq},"text":"{}"}}"#, "x".repeat(seq as usize * 37 % 400))
}

#[test]
fn killed_twenty_times_it_loses_nothing_it_acknowledged() {
    let (_folder, path) = fresh();
    drop(Journal::create(&path, "m", &key()).unwrap());
    let mut acknowledged = 0;
    for round in 0..20 {
        let mut writer = child("killed::write", &path).spawn().unwrap();
        let says = BufReader::new(writer.stdout.take().unwrap());
        let listener = thread::spawn(move || {
            let lines = says.lines().map_while(Result::ok);
            lines.filter_map(|line| line.strip_prefix("synced ")?.parse::<u64>().ok()).max()
        });
        thread::sleep(Duration::from_millis(15 + round * 7919 % 60));
        writer.kill().unwrap();
        writer.wait().unwrap();
        acknowledged = listener.join().unwrap().unwrap_or(acknowledged);

        let journal = Journal::open(&path, &key()).unwrap().journal;
        assert!(journal.head() >= acknowledged, "{} < {acknowledged}", journal.head());
        let bodies = replay(&journal);
        assert!(bodies.iter().zip(1..).all(|(found, seq)| *found == body(seq)));
    }
    assert!(acknowledged > 100, "the writers hardly wrote: {acknowledged}");
    let mut reader = Reader::open(&path, &key()).unwrap();
    while let Some(batch) = reader.next_batch().unwrap() {
        assert_eq!(batch.bodies.len() as u64, size_of_batch(batch.first));
    }
}

/// Follows from the first number, so that the parent can tell a half batch.
fn size_of_batch(first: u64) -> u64 {
    first % 5 + 1
}

#[test]
// The child of the test above; alone it has nothing to do.
fn write() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    let mut journal = Journal::open(path.as_ref(), &key()).unwrap().journal;
    let mut out = std::io::stdout();
    loop {
        let first = journal.head() + 1;
        let bodies: Vec<_> = (first..first + size_of_batch(first)).map(body).collect();
        let head = journal.append(journal.head(), &bodies).unwrap();
        journal.sync().unwrap();
        write!(out, "\nsynced {head}\n").unwrap();
        out.flush().unwrap();
    }
}
