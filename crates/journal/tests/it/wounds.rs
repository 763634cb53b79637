//! A journal cut at every byte, with every bit flipped, and with lines edited: what can be told
//! from a torn tail is refused by line number and left as it is; a torn tail is cut, kept and said.

use std::fs;
use std::ops::ControlFlow;

use journal::{Journal, JournalError, Reader, faulty::Faulty};

use crate::{SECRET, batch_ends, forged, fresh, key, read, replay, sample, write_all};

/// A whole sample journal as bytes.
fn whole() -> Vec<u8> {
    let disk = Faulty::new();
    let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
    write_all(&mut journal, &sample());
    disk.bytes()
}

fn open(disk: &Faulty) -> Result<journal::OpenedJournal, JournalError> {
    Journal::open_on(Box::new(disk.clone()), &key())
}

/// Opening has to fail at `line` and leave every byte.
#[track_caller]
fn refuses(bytes: &[u8], line: u64) {
    let disk = Faulty::holding(bytes);
    match open(&disk) {
        Err(JournalError::Damaged { line: found, .. }) => assert_eq!(found, line),
        other => panic!("expected damage at line {line}, got {other:?}"),
    }
    assert_eq!(disk.bytes(), bytes);
    assert!(disk.saved_tails().is_empty());
}

/// Opening has to cut everything behind byte `end`, and keep it.
#[track_caller]
fn cuts(bytes: &[u8], end: usize) {
    let disk = Faulty::holding(bytes);
    let cut = open(&disk).unwrap().cut.expect("a cut");
    assert_eq!(cut.bytes as usize, bytes.len() - end);
    assert_eq!(disk.bytes(), &bytes[..end]);
    assert_eq!(disk.saved_tails(), [&bytes[end..]]);
}

#[test]
fn cut_at_every_byte_it_keeps_the_complete_batches_and_goes_on() {
    let file = whole();
    let ends = batch_ends(&file, &sample());
    for at in 0..file.len() {
        let (folder, path) = fresh();
        fs::write(&path, &file[..at]).unwrap();
        let Some(complete) = ends.iter().rposition(|end| *end <= at) else {
            let error = Journal::open(&path, &key()).unwrap_err();
            assert!(matches!(error, JournalError::Damaged { line: 1, .. }), "{at}: {error}");
            assert_eq!(fs::read(&path).unwrap(), &file[..at]);
            continue;
        };
        let end = ends[complete];

        let mut seen = Vec::new();
        let mut see = |entry: journal::ScannedEntry<'_>| {
            seen.push(entry.body.to_owned());
            ControlFlow::Continue(())
        };
        let mut opened = Journal::open_replaying(&path, &key(), &mut see).unwrap();
        let mut expected = sample()[..complete].concat();
        assert_eq!((&seen, replay(&opened.journal)), (&expected, expected.clone()), "{at}");
        let kept = folder.path().join("journal.cut");
        match opened.cut {
            None => assert!(at == end && !kept.exists(), "{at}"),
            Some(cut) => {
                let whole_lines = file[end..at].iter().filter(|byte| **byte == b'\n').count();
                assert_eq!((cut.bytes, cut.entries), ((at - end) as u64, whole_lines as u64));
                assert_eq!(cut.kept_in, kept);
                assert_eq!(fs::read(&kept).unwrap(), &file[end..at]);
            }
        }

        let head = opened.journal.head();
        opened.journal.append(head, &[r#"{"and":"on"}"#]).unwrap();
        opened.journal.sync().unwrap();
        drop(opened.journal);
        expected.push(r#"{"and":"on"}"#.to_owned());
        let again = Journal::open(&path, &key()).unwrap();
        assert_eq!(again.cut, None);
        assert_eq!(replay(&again.journal), expected, "{at}");
    }
}

#[test]
fn every_flipped_bit_is_refused_at_its_line() {
    let file = whole();
    for bit in 0..file.len() * 8 {
        let mut wounded = file.clone();
        wounded[bit / 8] ^= 1 << (bit % 8);
        let line = 1 + file[..bit / 8].iter().filter(|byte| **byte == b'\n').count();
        refuses(&wounded, line as u64);
    }
}

#[test]
fn a_flipped_bit_in_a_torn_journal_never_changes_what_is_read() {
    let file = whole();
    let ends = batch_ends(&file, &sample());
    for at in ends[1]..ends[3] {
        for byte in 0..at {
            let mut wounded = file[..at].to_vec();
            wounded[byte] ^= 1 << (byte % 8);
            let disk = Faulty::holding(&wounded);
            match open(&disk) {
                Err(JournalError::Damaged { .. }) => assert_eq!(disk.bytes(), wounded),
                Err(other) => panic!("{other}"),
                Ok(opened) => {
                    // Only bytes that were to be cut anyway can have been hit.
                    let end = *ends.iter().rfind(|end| **end <= at).unwrap();
                    assert!(byte >= end);
                    assert_eq!(opened.cut.unwrap().bytes as usize, at - end);
                    assert_eq!([disk.bytes(), disk.saved_tails().concat()].concat(), wounded);
                }
            }
        }
    }
}

#[test]
fn a_lost_page_at_the_end_is_a_torn_tail() {
    let file = whole();
    let ends = batch_ends(&file, &sample());
    let nuls = [0; 4096];
    cuts(&[&file[..], &nuls].concat(), file.len());
    cuts(&[&file[..file.len() - 1], &nuls].concat(), ends[3]);
    cuts(&[&file[..file.len() - 9], &nuls].concat(), ends[3]);
    cuts(&[&file[..ends[1] + 100], &nuls].concat(), ends[1]);
}

#[test]
fn a_hole_before_written_lines_is_refused() {
    let file = whole();
    let ends = batch_ends(&file, &sample());
    let mut holed = file.clone();
    holed[ends[1] + 10..ends[1] + 90].fill(0);
    refuses(&holed, 3);
}

#[test]
fn a_changed_newline_is_found_even_before_a_torn_line() {
    let mut file = whole();
    let last = file.len() - 1;
    file[last] = b' ';
    refuses(&file, 8);
    file.extend_from_slice(br#"{"seq":8,"left":0,"entry":{"#);
    refuses(&file, 8);
}

#[test]
fn edited_deleted_swapped_and_doubled_lines_are_refused() {
    let text = String::from_utf8(whole()).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 8);

    let edited = text.replace("one", "eno");
    refuses(edited.as_bytes(), 2);
    let edited_at_the_end = text.replace("last", "lost");
    refuses(edited_at_the_end.as_bytes(), 8);
    for at in 1..7 {
        let mut deleted = lines.clone();
        deleted.remove(at);
        refuses(deleted.concat().as_bytes(), at as u64 + 1);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        refuses(swapped.concat().as_bytes(), at as u64 + 1);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        refuses(doubled.concat().as_bytes(), at as u64 + 2);
    }
    refuses(lines[1..].concat().as_bytes(), 1);
}

#[test]
fn a_line_of_another_journal_is_refused() {
    let disk = Faulty::new();
    let mut other = Journal::create_on(Box::new(disk.clone()), "other", &key()).unwrap();
    write_all(&mut other, &sample());
    let (ours, theirs) = (whole(), disk.bytes());
    let foreign =
        [&ours[..batch_ends(&ours, &sample())[0]], &theirs[batch_ends(&theirs, &sample())[0]..]].concat();
    refuses(&foreign, 2);
}

#[test]
fn an_empty_file_is_refused() {
    refuses(b"", 1);
    refuses(&[0; 512], 1);
}

/// A header of another format, whose checksum holds.
fn header_of(format: u32) -> Faulty {
    let covered = format!(r#"{{"journal":{format},"mission":"m","more":true"#);
    let crc = crc32fast::hash(format!("00000000{covered}").as_bytes());
    Faulty::holding(format!("{covered},\"crc\":\"{crc:08x}\"}}\nwho knows").as_bytes())
}

#[test]
fn another_format_is_refused_as_newer_or_older_and_left_alone() {
    for format in [3, 4, 1000] {
        let error = open(&header_of(format)).unwrap_err();
        assert!(matches!(error, JournalError::Newer { found, known: 2, .. } if found == format), "{error}");
    }
    for format in [0, 1] {
        let disk = header_of(format);
        let before = disk.bytes();
        let error = open(&disk).unwrap_err();
        assert!(matches!(error, JournalError::Older { found, known: 2, .. } if found == format), "{error}");
        assert_eq!(disk.bytes(), before);
        assert!(disk.saved_tails().is_empty());
    }
}

#[test]
fn a_second_cut_does_not_overwrite_the_first() {
    let (folder, path) = fresh();
    drop(Journal::create(&path, "m", &key()).unwrap());
    for (torn, name) in [("{\"seq\":1", "journal.cut"), ("{", "journal.cut.1"), ("{\"s", "journal.cut.2")] {
        let mut file = fs::read(&path).unwrap();
        file.extend_from_slice(torn.as_bytes());
        fs::write(&path, file).unwrap();
        assert_eq!(Journal::open(&path, &key()).unwrap().cut.unwrap().kept_in, folder.path().join(name));
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), torn);
    }
    assert_eq!(fs::read_to_string(folder.path().join("journal.cut")).unwrap(), "{\"seq\":1");
}

#[test]
fn a_reader_names_damage_too() {
    let (_folder, path) = fresh();
    let text = String::from_utf8(whole()).unwrap();
    fs::write(&path, text.replace("last", "lost")).unwrap();
    let mut reader = Reader::open(&path, &key()).unwrap();
    for _ in 0..3 {
        reader.next_batch().unwrap().unwrap();
    }
    assert!(matches!(reader.next_batch(), Err(JournalError::Damaged { line: 8, .. })));
    fs::write(&path, &text).unwrap();
    assert_eq!(read(&mut reader), sample()[3..], "once mended, it goes on");
}

#[test]
fn right_seals_do_not_excuse_wrong_numbers() {
    let header = r#"{"journal":2,"mission":"m""#;
    let one = r#"{"seq":1,"left":2,"entry":{}"#;
    let forged = |lines: &[&str]| forged(SECRET, lines);
    refuses(&forged(&[header, r#"{"seq":2,"left":0,"entry":{}"#]), 2);
    refuses(&forged(&[header, one, r#"{"seq":3,"left":0,"entry":{}"#]), 3);
    refuses(&forged(&[header, one, r#"{"seq":2,"left":0,"entry":{}"#]), 3);
    refuses(&forged(&[header, one, r#"{"seq":2,"left":2,"entry":{}"#]), 3);
    refuses(&forged(&[header, r#"{"seq":18446744073709551617,"left":0,"entry":{}"#]), 2);
    refuses(&forged(&[r#"{"journal":2,"mission":7"#]), 1);
    let fine = forged(&[header, one, r#"{"seq":2,"left":1,"entry":{}"#]);
    cuts(&fine, batch_ends(&fine, &[])[0]);
}
