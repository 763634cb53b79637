//! What a mission, its journal and its inbox refuse, in words.

use mind::MissionId;

use super::{DiskTrouble, InboxTrouble, JournalRefusal, JournalTrouble, MissionTrouble, RefusalText};
use crate::port::SayError;

pub(super) fn mission(id: &MissionId, trouble: &MissionTrouble) -> RefusalText {
    match trouble {
        MissionTrouble::Over => RefusalText::new(format!("mission {id} is over"), how_it_ended(id)),
        MissionTrouble::Discarded => RefusalText::new(
            format!("mission {id} was discarded"),
            format!("its work is in refs/arbiter/salvage/{id}: `git branch NAME refs/arbiter/salvage/{id}`"),
        ),
        MissionTrouble::NotConducted => RefusalText::new(
            "the mission is a council, and not conducted",
            "force, skip and retry are for `arbiter run --way conductor`; `arbiter mission say` speaks to it",
        ),
    }
}

fn how_it_ended(id: &MissionId) -> String {
    format!("`arbiter show {id}` tells how it ended")
}

pub(super) fn say(error: &SayError) -> RefusalText {
    match error {
        SayError::Busy => {
            RefusalText::new("the mission is busy, and did not hear that", "try again in a moment")
        }
        SayError::Stopped { mission } => RefusalText::new(
            "the mission has stopped, and did not hear that",
            format!("`arbiter resume {mission}` goes on"),
        ),
        SayError::Discarded => {
            RefusalText { cause: "that was not sent: the mission was discarded".to_owned(), hint: None }
        }
        SayError::Over { mission } => {
            RefusalText::new(format!("mission {mission} ended before it was heard"), how_it_ended(mission))
        }
        SayError::Inbox { said, trouble } => {
            RefusalText::new(format!("that was not sent: {said}"), inbox_hint(trouble))
        }
        SayError::Journal(refused) => journal(refused),
    }
}

fn inbox_hint(trouble: &InboxTrouble) -> String {
    match trouble {
        InboxTrouble::BadId => "an id has letters, digits and '-'".to_owned(),
        InboxTrouble::IdTaken => "send it again: the next id is another one".to_owned(),
        InboxTrouble::TooLarge => "put the text into a file of the project and name that file".to_owned(),
        InboxTrouble::Disk { path } => format!("is {path} yours, and is there room on its disk?"),
    }
}

pub(super) fn journal(refused: &JournalRefusal) -> RefusalText {
    let JournalRefusal { mission, said, trouble } = refused;
    let hint = match trouble {
        JournalTrouble::Running { pid } => {
            return RefusalText::new(
                format!("mission {mission} is running in process {pid}"),
                format!(
                    "`arbiter attach {mission}` watches it and speaks to it; `arbiter show {mission}` tells how it stands"
                ),
            );
        }
        JournalTrouble::Newer => "a newer arbiter wrote it: use that one; nothing was changed",
        JournalTrouble::Older => {
            "a development version of arbiter wrote it: use that one, or start the mission anew; nothing was changed"
        }
        JournalTrouble::Foreign { line: 1 } => {
            "nothing of it is believed, and nothing was changed; if it is yours and came from another machine or \
             account, bring journal.key from the ARBITER_HOME there"
        }
        JournalTrouble::Foreign { .. } => {
            "another program wrote to it from there on; nothing was changed; restore the file from a backup"
        }
        JournalTrouble::Damaged => {
            "nothing was changed; restore the file from a backup, or keep a copy and cut it before that line"
        }
        JournalTrouble::Missing => {
            "without its journal a mission cannot go on; restore it from a backup, or begin another"
        }
        JournalTrouble::Disk(disk) => {
            let first = match disk {
                DiskTrouble::Full => "the disk is full: make room",
                DiskTrouble::Forbidden { .. } | DiskTrouble::FileInTheWay | DiskTrouble::Other => {
                    "see to the disk"
                }
            };
            return RefusalText::new(
                said,
                format!("{first}, then `arbiter resume {mission}`; nothing is lost"),
            );
        }
        JournalTrouble::Defect => return RefusalText { cause: said.clone(), hint: None },
    };
    RefusalText::new(said, hint)
}
