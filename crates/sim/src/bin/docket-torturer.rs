//! One of many processes that work on the same docket until they are killed: it asks, answers, changes, submits, and
//! edits files without the lock. Every confirmed act is a line of its log.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use docket::{Docket, DocketError};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, DraftDecision, PetitionDraft, PetitionId, SeenAnswer, SeenQuestion};

/// How many petitions all of them work on.
const SHARED: u64 = 200;
const DECISIONS: u64 = 3;

fn main() {
    let mut words = std::env::args_os().skip(1);
    let (Some(queue), Some(log), Some(seed)) = (words.next(), words.next(), words.next()) else {
        eprintln!("error: usage: docket-torturer QUEUE LOG SEED");
        std::process::exit(2);
    };
    let seed: u64 = seed.to_string_lossy().parse().unwrap_or(1);
    let mut torturer = Torturer {
        docket: Docket::at(PathBuf::from(queue)),
        log: PathBuf::from(log),
        seed,
        dice: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        count: 0,
    };
    loop {
        let told = torturer.act();
        torturer.note(&told);
    }
}

struct Torturer {
    docket: Docket,
    log: PathBuf,
    seed: u64,
    dice: u64,
    count: u64,
}

impl Torturer {
    fn below(&mut self, end: u64) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 11) % end
    }

    /// Does something and says what came of it.
    fn act(&mut self) -> String {
        self.count += 1;
        let id = PetitionId::from(&*format!("shared{}", self.below(SHARED)));
        let decision = format!("d{}", self.below(DECISIONS));
        let text = format!("t{}-{}", self.seed, self.count);
        match self.below(100) {
            0..=3 => self.push(),
            4 => self.submit(&id),
            5..=24 => self.edit(&id, &decision),
            25..=59 => self.answer(&id, &decision, &text, SeenAnswer::None),
            _ => self.answer(&id, &decision, &text, SeenAnswer::Any),
        }
    }

    fn push(&mut self) -> String {
        // Some are pushed by many at once, under the same key.
        let key = self.below(2) == 0;
        let number = if key { self.below(40) } else { self.count };
        let title = if key { format!("Keyed {number}") } else { format!("Own {} {number}", self.seed) };
        let draft = draft(&title, key.then(|| Arc::from(title.as_str())));
        let id = PetitionId::from(&*format!("own{}x{}", self.seed, self.count));
        match self.docket.push(&draft, id, &Actor::Agent(Arc::from("torturer")), now()) {
            Ok(pushed) => {
                let key = draft.key.as_deref().unwrap_or("-").replace(' ', "_");
                format!("pushed {} {key}", pushed.kept.petition.id)
            }
            Err(error) => error_kind(error),
        }
    }

    fn answer(&self, id: &PetitionId, decision: &str, text: &str, stood: SeenAnswer) -> String {
        let seen = SeenQuestion { question: None, answer: stood, ..SeenQuestion::default() };
        let by = Actor::human(Door::Cli, "torturer");
        let choice = AnswerChoice::Answer(Arc::from(text));
        match self.docket.answer(id, decision, choice, &seen, &by, now()) {
            Ok(_) => format!("answered {id} {decision} {text}"),
            Err(error) => error_kind(error),
        }
    }

    fn submit(&self, id: &PetitionId) -> String {
        match self.docket.submit(id, &Actor::human(Door::Cli, "torturer"), now()) {
            Ok(_) => format!("submitted {id}"),
            Err(error) => error_kind(error),
        }
    }

    /// As a program that knows nothing of us: reads, changes a line, writes beside, renames.
    fn edit(&mut self, id: &PetitionId, decision: &str) -> String {
        let file = self.docket.folder().join("pending").join(format!("torturer-shared-{id}.md"));
        let Ok(text) = fs::read_to_string(&file) else { return "refused: no file".to_owned() };
        let answer = match self.below(3) {
            0 => "null".to_owned(),
            _ => format!("hand{}-{}", self.seed, self.count),
        };
        let mut inside = false;
        let lines = text.split_inclusive('\n').map(|line| {
            if let Some(found) = line.strip_prefix("id: ") {
                inside = found.trim() == decision;
            }
            match inside && line.starts_with("answer:") {
                true => format!("answer: {answer}\n"),
                false => line.to_owned(),
            }
        });
        let text: String = lines.collect();
        match replace(&file, &text, self.seed) {
            Ok(()) => "edited".to_owned(),
            Err(error) => format!("refused: {error}"),
        }
    }

    fn note(&self, told: &str) {
        let written = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.log)
            .and_then(|mut log| log.write_all(format!("{told}\n").as_bytes()));
        if let Err(error) = written {
            eprintln!("error: cannot write the log: {error}");
            std::process::exit(1);
        }
    }
}

fn replace(file: &Path, text: &str, seed: u64) -> std::io::Result<()> {
    let beside = file.with_extension(format!("md.tmp-{seed:016x}"));
    fs::write(&beside, text)?;
    fs::rename(&beside, file)
}

/// Whatever is refused is fine, as long as it is refused for a reason of the docket's.
fn error_kind(error: DocketError) -> String {
    let word = match &error {
        DocketError::Refused { .. } | DocketError::NotYours { .. } => "refused",
        DocketError::Unknown { .. }
        | DocketError::Ambiguous { .. }
        | DocketError::Gone { .. }
        | DocketError::Malformed { .. }
        | DocketError::Taken { .. }
        | DocketError::Damaged { .. }
        | DocketError::Recorded { .. }
        | DocketError::Held(_)
        | DocketError::Disk { .. } => "failed",
    };
    format!("{word}: {error}").replace('\n', " ")
}

fn draft(title: &str, key: Option<Arc<str>>) -> PetitionDraft {
    let decision = |id: &str| DraftDecision {
        id: Arc::from(id),
        title: Arc::from("How?"),
        allow_custom: Some(true),
        ..DraftDecision::default()
    };
    PetitionDraft {
        agent: Arc::from("torturer"),
        tag: Arc::from("torture"),
        title: Arc::from(title),
        key,
        decisions: vec![decision("d0")],
        ..PetitionDraft::default()
    }
}

fn now() -> Timestamp {
    Timestamp(host::now_ms())
}
