//! What holds for any batches, any cut and any crash.

use journal::{Journal, Reader, faulty::Faulty};
use proptest::{collection::vec, prelude::*};

use crate::{key, read, replay, write_all};

fn body() -> impl Strategy<Value = String> {
    (any::<String>(), any::<i64>())
        .prop_map(|(text, number)| serde_json::json!({ "text": text, "number": number }).to_string())
}

fn batches() -> impl Strategy<Value = Vec<Vec<String>>> {
    vec(vec(body(), 1..5), 0..6)
}

/// How many of `batches` the bodies are, exactly.
fn count_batches(bodies: &[String], batches: &[Vec<String>]) -> Option<usize> {
    (0..=batches.len()).find(|count| batches[..*count].concat() == bodies)
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(mission in any::<String>(), batches in batches()) {
        let disk = Faulty::new();
        write_all(&mut Journal::create_on(Box::new(disk.clone()), &mission, &key()).unwrap(), &batches);
        let opened = Journal::open_on(Box::new(disk.clone()), &key()).unwrap();
        prop_assert_eq!(&opened.cut, &None);
        prop_assert_eq!(opened.journal.mission(), mission);
        prop_assert_eq!(replay(&opened.journal), batches.concat());
        prop_assert_eq!(read(&mut Reader::on(Box::new(disk), 1, &key()).unwrap()), batches);
    }

    #[test]
    fn any_truncation_leaves_a_prefix_of_the_batches(
        batches in batches(),
        at in any::<prop::sample::Index>(),
    ) {
        let disk = Faulty::new();
        let header = {
            let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
            let header = disk.bytes().len();
            write_all(&mut journal, &batches);
            header
        };
        let file = disk.bytes();
        let torn = Faulty::holding(&file[..header + at.index(file.len() - header + 1)]);
        let seen = read(&mut Reader::on(Box::new(torn.clone()), 1, &key()).unwrap());
        let journal = Journal::open_on(Box::new(torn.clone()), &key()).unwrap().journal;
        prop_assert!(batches.starts_with(&seen));
        prop_assert_eq!(replay(&journal), seen.concat());
        prop_assert!(file.starts_with(&[torn.bytes(), torn.saved_tails().concat()].concat()));
    }

    #[test]
    fn any_crash_keeps_what_was_synced(
        steps in vec((vec(body(), 1..4), any::<bool>()), 1..8),
        spared in 0..300usize,
    ) {
        let disk = Faulty::new();
        let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
        let mut synced = 0;
        for (at, (batch, sync)) in steps.iter().enumerate() {
            journal.append(journal.head(), batch).unwrap();
            if *sync {
                journal.sync().unwrap();
                synced = at + 1;
            }
        }
        disk.crash(spared);
        let batches: Vec<_> = steps.into_iter().map(|(batch, _)| batch).collect();
        let bodies = replay(&Journal::open_on(Box::new(disk), &key()).unwrap().journal);
        prop_assert!(count_batches(&bodies, &batches).is_some_and(|count| count >= synced));
    }
}
