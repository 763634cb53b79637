//! Measures the Telegram door of the real binary, against a Bot API on this machine: how soon a tap is safe, in its file and on
//! the phone, with few petitions and with very many; what a tap costs; how soon the door polls; what it holds.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sim::Theatre;
use sim::bot_api::BotApi;

use super::live::processes;
use super::{docket, figure, part};

const ADA: i64 = 93_533_553;
/// How many taps are timed.
const TAPS: usize = 200;
/// After so many answers the door is to hold no more than before.
const ANSWERS: usize = 4_000;
/// So many taps are under way at once.
const AT_ONCE: usize = 20;
/// So many files come at once.
const FLOOD: usize = 1_000;
const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_micros(100);

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let mut middles = Vec::new();
    for (count, taps) in [(10, 10), (1_000, TAPS), (100_000, TAPS)] {
        let Some(mut phone) = Phone::with(arbiter, count) else { return };
        phone.settle();
        let times: Vec<TapTimes> = (0..taps).filter_map(|nth| phone.answer(nth, count)).collect();
        if times.len() < taps {
            return figure("telegram", format!("{} of {taps} taps", times.len()), "");
        }
        let column = |of: fn(&TapTimes) -> f64| -> Vec<f64> { times.iter().map(of).collect() };
        let (ledger, file, edit) = (column(|it| it.ledger), column(|it| it.file), column(|it| it.edit));
        figure(&format!("telegram: tap to ledger line, {count} pending"), spread(&ledger), "p50 1 ms");
        figure(&format!("telegram: tap to file, {count} pending"), spread(&file), "p50 2 ms");
        figure(&format!("telegram: tap to edit sent, {count} pending"), spread(&edit), "p50 3 ms");
        middles.push(part(&edit, 0.5));
    }
    if let [few, .., many] = middles.as_slice() {
        figure("telegram: a tap with 100000 against 10", format!("{:.2} times", many / few), "under 1.5");
    }
    if let Some(mut phone) = Phone::with(arbiter, 0) {
        figure("telegram: start to first poll, nothing pending", millis(phone.first_poll()), "50 ms");
        phone.settle();
        figure("telegram: memory of an idle door", format!("{:.1} MB", phone.memory()), "20 MB");
    }
    if let Some(mut phone) = Phone::with(arbiter, 10_000) {
        figure("telegram: start to first poll, 10000 pending", millis(phone.first_poll()), "300 ms");
        phone.settle();
        phone.many();
    }
    if let Some(mut phone) = Phone::with(arbiter, 400) {
        phone.settle();
        phone.flood();
    }
}

/// When something of a tap was there, in milliseconds since it.
struct TapTimes {
    ledger: f64,
    file: f64,
    edit: f64,
}

/// A door that serves a person with a phone.
struct Phone {
    theatre: Theatre,
    api: BotApi,
    serving: Option<Child>,
    queue: i64,
}

impl Phone {
    /// A world with so many petitions, which a docket has taken in. Nothing serves yet.
    fn with(arbiter: &Path, count: usize) -> Option<Phone> {
        let lines = format!(
            "telegram: {{allowedUsers: [{{id: {ADA}, name: ada, role: steer}}]}}\nserve: {{health: off}}\n\
             notifications: {{enabled: false}}\n"
        );
        let theatre = Theatre::new(arbiter).with_config(&lines);
        let phone = Phone { api: BotApi::start(), theatre, serving: None, queue: 0 };
        docket::fill(&phone.theatre.home().join("queue"), count).ok()?;
        // As a door that had run before would leave it.
        let listed = phone.theatre.run(&["inbox", "--json"]);
        if listed.code != Some(0) {
            figure("telegram", listed.err, "");
            return None;
        }
        Some(phone)
    }

    /// Starts the door, if none serves, and waits until it has shown the queue.
    fn settle(&mut self) {
        if self.serving.is_none() {
            self.first_poll();
        }
        self.api.user(ADA).says("/queue");
        let shown = self.api.chat(ADA).wait_for("the queue", |message| message.text.contains("Queue"));
        self.queue = shown.id;
        thread::sleep(Duration::from_millis(500));
    }

    /// From the start of the process to its first poll.
    fn first_poll(&mut self) -> Duration {
        let mut command = self.theatre.command(&["serve"]);
        command.env("ARBITER_TELEGRAM_TOKEN", self.api.token());
        command.env("ARBITER_TELEGRAM_API_URL", self.api.url());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        self.serving = Some(command.spawn().expect("the binary starts"));
        let polled = self.api.wait_for_request(0, PATIENCE, |request| request.method == "getUpdates");
        polled.map_or(PATIENCE, |_| begun.elapsed())
    }

    /// Taps an answer, and looks when it is in the ledger, in its file and on its way to the phone.
    fn answer(&self, nth: usize, count: usize) -> Option<TapTimes> {
        // Far from one another, so that nothing is still at hand.
        let name = format!("many{}", nth.wrapping_mul(7_919) % count);
        let (ledger, file) = (self.home().join("ledger.jsonl"), self.file(&name));
        let (length, place) = (fs::metadata(&ledger).ok()?.len(), fs::metadata(&file).ok()?.ino());
        let (begun, at) = (Instant::now(), self.api.elapsed());
        let next = self.api.requests_so_far() + 1;
        self.tap(&name);
        let waits = |is_there: &dyn Fn() -> bool| -> Option<f64> {
            while !is_there() {
                if begun.elapsed() > PATIENCE {
                    return None;
                }
                thread::sleep(GLANCE);
            }
            Some(begun.elapsed().as_secs_f64() * 1_000.0)
        };
        let in_ledger = waits(&|| fs::metadata(&ledger).is_ok_and(|it| it.len() > length))?;
        let in_file = waits(&|| fs::metadata(&file).is_ok_and(|it| it.ino() != place))?;
        let edited =
            self.api.wait_for_request(next, PATIENCE, |request| request.method == "editMessageText")?;
        let edit = edited.at.saturating_sub(at).as_secs_f64() * 1_000.0;
        // The next tap meets a door at rest.
        thread::sleep(Duration::from_millis(5));
        Some(TapTimes { ledger: in_ledger, file: in_file, edit })
    }

    /// What thousands of answers cost, and leave behind.
    fn many(&self) {
        let (used, held) = (processes::used(self.process()), self.memory());
        for nth in 0..ANSWERS {
            let tap = self.tap(&format!("many{nth}"));
            // As fast as the door takes them, and no faster: a heap of them that waits is something else.
            if nth % AT_ONCE == AT_ONCE - 1 {
                self.api.wait_for_answer(&tap, PATIENCE);
            }
        }
        let took = processes::used(self.process()).since(&used).nanoseconds as f64 / 1e6 / ANSWERS as f64;
        figure("telegram: processor time of a tap", format!("{took:.2} ms"), "0.4 ms");
        let holds = format!("{:.1} MB, before {held:.1}", self.memory());
        figure("telegram: memory after 4000 answers", holds, "as before");
    }

    /// Files of other programs come all at once, while the person taps.
    fn flood(&self) {
        let (pending, staged) = (self.home().join("queue/pending"), self.home().join("queue/flood"));
        if docket::fill_as(&staged, "flood", FLOOD).is_err() {
            return;
        }
        let moving = thread::spawn(move || {
            for file in fs::read_dir(staged.join("pending")).into_iter().flatten().flatten() {
                let _ = fs::rename(file.path(), pending.join(file.file_name()));
            }
        });
        let mut waited = Vec::new();
        for nth in 0..100 {
            let begun = Instant::now();
            let tap = self.tap(&format!("many{nth}"));
            if self.api.wait_for_answer(&tap, PATIENCE).is_some() {
                waited.push(begun.elapsed().as_secs_f64() * 1_000.0);
            }
            thread::sleep(Duration::from_millis(10));
        }
        if moving.join().is_ok() {
            let longest = format!("{:.1} ms (p50 {:.1})", part(&waited, 1.0), part(&waited, 0.5));
            figure("telegram: longest wait of a tap while 1000 files come", longest, "50 ms");
        }
    }

    /// As the buttons of the older program name it: a petition on no page can be answered so.
    fn tap(&self, petition: &str) -> String {
        self.api.user(ADA).forges(ADA, self.queue, &format!("answer:{petition}:auth:yes"))
    }

    fn home(&self) -> PathBuf {
        self.theatre.home()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home().join(format!("queue/pending/ceo-many-of-them-{name}.md"))
    }

    fn process(&self) -> u32 {
        self.serving.as_ref().map_or(0, Child::id)
    }

    fn memory(&self) -> f64 {
        processes::megabytes(self.process())
    }
}

impl Drop for Phone {
    fn drop(&mut self) {
        if let Some(child) = &mut self.serving {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn millis(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1_000.0)
}

fn spread(values: &[f64]) -> String {
    format!("{:.1} ms (p95 {:.1})", part(values, 0.5), part(values, 0.95))
}
