//! Journals that we did not write. Those who forge them know the form and make every checksum hold; they have not the
//! key.

use std::fs;

use journal::{Journal, JournalError, JournalKey, Reader, faulty::Faulty};

use crate::{SECRET, batch_ends, forged, fresh, key, read, replay, sample, write_all};

/// A whole sample journal of ours.
fn ours() -> Vec<u8> {
    let disk = Faulty::new();
    write_all(&mut Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap(), &sample());
    disk.bytes()
}

/// The parts of a journal before `,"seal"` or `,"crc"`.
fn covered(file: &[u8]) -> Vec<String> {
    let text = String::from_utf8(file.to_vec()).unwrap();
    let part = |line: &str| {
        let line = line.rsplit_once(r#","crc""#).unwrap().0;
        line.rsplit_once(r#","seal""#).map_or(line, |(before, _)| before).to_owned()
    };
    text.lines().map(part).collect()
}

/// The same lines with the same seals, all checksums made anew: all that a stranger can do.
fn checked_anew(lines: &[String]) -> Vec<u8> {
    let (mut crc, mut file) = ("0".repeat(8), String::new());
    for line in lines {
        let covered = line.rsplit_once(r#","crc""#).map_or(line.as_str(), |(before, _)| before);
        crc = format!("{:08x}", crc32fast::hash(format!("{crc}{covered}").as_bytes()));
        file += &format!("{covered},\"crc\":\"{crc}\"}}\n");
    }
    file.into_bytes()
}

/// Opening and reading have to call it foreign at `line`, and leave every byte. What stands before is still read.
#[track_caller]
fn is_foreign(file: &[u8], line: u64) {
    let disk = Faulty::holding(file);
    let error = Journal::open_on(Box::new(disk.clone()), &key()).unwrap_err();
    assert!(matches!(error, JournalError::Foreign { line: found, .. } if found == line), "{line}: {error}");
    assert_eq!(disk.bytes(), file);
    assert!(disk.saved_tails().is_empty());

    let error = match Reader::on(Box::new(disk.clone()), 1, &key()) {
        Err(error) => error,
        Ok(mut reader) => loop {
            match reader.next_batch() {
                Ok(Some(batch)) => assert!(batch.first + 1 < line),
                Ok(None) => panic!("it reads on to the end"),
                Err(error) => break error,
            }
        },
    };
    assert!(matches!(error, JournalError::Foreign { line: found, .. } if found == line), "{line}: {error}");
}

fn lines(file: &[u8]) -> Vec<String> {
    String::from_utf8(file.to_vec()).unwrap().lines().map(str::to_owned).collect()
}

fn seal_of(line: &str) -> String {
    line.rsplit_once(r#","seal":""#).unwrap().1[..64].to_owned()
}

#[test]
fn made_again_by_hand_with_the_key_it_is_the_same() {
    let covered = covered(&ours());
    let lines: Vec<&str> = covered.iter().map(String::as_str).collect();
    assert_eq!(forged(SECRET, &lines), ours());
    assert_eq!(checked_anew(&self::lines(&ours())), ours());
}

#[test]
fn a_journal_of_another_key_is_foreign_from_its_first_line() {
    let covered = covered(&ours());
    let lines: Vec<&str> = covered.iter().map(String::as_str).collect();
    let foreign = forged(b"the key of those tests: 32 bytes", &lines);
    is_foreign(&foreign, 1);
    is_foreign(&foreign[..batch_ends(&foreign, &sample())[0]], 1);
}

#[test]
fn what_a_stranger_appends_to_ours_is_foreign() {
    let mut file = lines(&ours());
    for seal in ["0".repeat(64), seal_of(&file[7])] {
        file.push(format!(
            r#"{{"seq":8,"left":0,"entry":{{"ended":true}},"seal":"{seal}","crc":"00000000"}}"#
        ));
        is_foreign(&checked_anew(&file), 9);
        file.pop();
    }
}

#[test]
fn an_edited_line_is_foreign_where_its_batch_closes() {
    // Lines 2; 3 to 5; 6 and 7; 8 are the batches.
    for (found, put, line) in
        [(r#""m""#, r#""n""#, 1), ("one", "eno", 2), ("two", "owt", 5), ("last", "lost", 8)]
    {
        let edited = String::from_utf8(ours()).unwrap().replace(found, put);
        is_foreign(&checked_anew(&lines(edited.as_bytes())), line);
    }
}

#[test]
fn batches_left_out_or_swapped_are_foreign() {
    // Two batches of one entry, of the same numbers wherever they stand.
    let with_seq = |line: &str, from: u64, to: u64| {
        line.replacen(&format!(r#"{{"seq":{from},"#), &format!(r#"{{"seq":{to},"#), 1)
    };
    let disk = Faulty::new();
    let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
    for head in 0..4 {
        journal.append(head, &[format!(r#"{{"n":{head}}}"#)]).unwrap();
    }
    let whole = lines(&disk.bytes());
    let mut swapped = whole.clone();
    swapped[2] = with_seq(&whole[3], 3, 2);
    swapped[3] = with_seq(&whole[2], 2, 3);
    is_foreign(&checked_anew(&swapped), 3);
    let left_out = [whole[0].clone(), whole[1].clone(), with_seq(&whole[3], 3, 2)];
    is_foreign(&checked_anew(&left_out), 3);
    let doubled = [whole[0].clone(), whole[1].clone(), with_seq(&whole[1], 1, 2)];
    is_foreign(&checked_anew(&doubled), 3);
}

#[test]
fn a_batch_of_another_journal_of_ours_is_foreign() {
    let disk = Faulty::new();
    write_all(&mut Journal::create_on(Box::new(disk.clone()), "other", &key()).unwrap(), &sample());
    let mut mixed = lines(&ours());
    mixed[1] = lines(&disk.bytes())[1].clone();
    is_foreign(&checked_anew(&mixed), 2);
}

#[test]
fn one_batch_cannot_be_made_two() {
    let covered = covered(&ours());
    // Entry 2 closes a batch of its own, with the seal that its batch bore.
    let mut split = lines(&ours());
    let (entry, seal) = (covered[2].replace(r#""left":2"#, r#""left":0"#), seal_of(&split[4]));
    split[2] = format!(r#"{entry},"seal":"{seal}","crc":"00000000"}}"#);
    is_foreign(&checked_anew(&split), 3);
}

#[test]
fn a_torn_tail_of_a_stranger_is_cut_like_any_other() {
    // Nothing of it is believed, so nothing has to be known about it; it is kept beside.
    let (folder, path) = fresh();
    let mut file = ours();
    let end = file.len();
    file.extend_from_slice(br#"{"seq":8,"left":0,"entry":{"ended":true},"seal":"0000"#);
    fs::write(&path, &file).unwrap();
    let opened = Journal::open(&path, &key()).unwrap();
    assert_eq!(opened.cut.unwrap().bytes as usize, file.len() - end);
    assert_eq!(replay(&opened.journal), sample().concat());
    assert_eq!(fs::read(folder.path().join("journal.cut")).unwrap(), &file[end..]);
}

#[test]
fn a_bookmark_is_bound_to_the_seal_before_it() {
    let (_folder, path) = fresh();
    let other = JournalKey::new(b"the key of those tests: 32 bytes");
    write_all(&mut Journal::create(&path, "m", &key()).unwrap(), &sample());
    let mut reader = Reader::open(&path, &key()).unwrap();
    read(&mut reader);
    let mark = reader.bookmark();
    fs::remove_file(&path).unwrap();
    write_all(&mut Journal::create(&path, "m", &other).unwrap(), &sample());
    let error = Reader::open_at(&path, &mark, &key()).unwrap_err();
    assert!(matches!(error, JournalError::Damaged { line: 8, .. }), "{error}");
}

#[test]
fn the_message_names_the_file_and_the_line() {
    let (_folder, path) = fresh();
    drop(Journal::create(&path, "m", &JournalKey::new(&[1; 32])).unwrap());
    assert_eq!(
        Journal::open(&path, &key()).unwrap_err().to_string(),
        format!(
            "journal {} was not written by this user's arbiter: the seal in line 1 does not hold",
            path.display()
        )
    );
}
