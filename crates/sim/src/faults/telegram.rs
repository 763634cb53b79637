//! A review by taps, from the link in a message to the submission, while `arbiter serve` is hurt. The Bot API and the person
//! with the phone outlive the command, as the real ones do: what was tapped before a fall is in the chat, and in the updates
//! that were not confirmed.

mod phone;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use self::phone::{ReviewHabit, ReviewPhone};
use super::injection::FaultTarget;
use super::law::{FaultLaw, Judgement, in_short};
use super::limits;
use super::mode::FaultMode;
use super::person::Person;
use super::story::{FaultStory, HurtRun, StoryWords};
use super::world::FaultWorld;

/// `arbiter serve`, with a person who reviews a petition.
#[derive(Debug)]
pub struct TelegramStory {
    name: &'static str,
    habit: ReviewHabit,
}

pub static TELEGRAM_STORIES: [TelegramStory; 2] = [
    TelegramStory { name: "taps", habit: ReviewHabit::Taps },
    TelegramStory { name: "words", habit: ReviewHabit::Words },
];

const ASK: [&str; 10] =
    ["ask", "Which one?", "-o", "pg=Postgres", "-o", "sqlite", "--id", "db", "--title", "Database"];
const SERVE: [&str; 1] = ["serve"];

impl FaultStory for TelegramStory {
    fn name(&self) -> &'static str {
        self.name
    }

    fn target(&self) -> FaultTarget {
        FaultTarget::Own
    }

    fn bound(&self) -> Duration {
        limits::COMMAND_MAX
    }

    fn walks(&self, mode: FaultMode) -> bool {
        // One process: to kill it is to kill all.
        mode != FaultMode::KillOne
    }

    fn prepare(&self, world: &FaultWorld) -> io::Result<StoryWords> {
        let mut words = StoryWords::default();
        words.set("id", world.run(&ASK, limits::COMMAND_MAX)?.out.trim());
        let phone = ReviewPhone::new(words.get("id"), self.habit)?;
        let token = world.home().join("token");
        host::files::create(&token, phone.api.token().as_bytes())?;
        let folder = world.home().join(".config/arbiter");
        fs::create_dir_all(&folder)?;
        let config = format!(
            "telegram: {{token_file: {token:?}, api_url: {:?}, allowedUsers: [{{id: {}, name: ada, role: steer}}]}}\n\
             serve: {{health: off}}\n",
            phone.api.url(),
            phone::ADA,
        );
        host::files::create(&folder.join("config.yaml"), config.as_bytes())?;
        phones().insert(world.root(), Arc::new(phone));
        Ok(words)
    }

    fn words(&self, _: &StoryWords) -> Vec<String> {
        SERVE.map(str::to_owned).to_vec()
    }

    /// A phone that knows nothing yet, at the address that the configuration names.
    fn attend(&self, world: &FaultWorld) -> Option<Person> {
        let phone = phones().get(&world.root()).cloned()?;
        phone.begin_anew();
        Some(holding(phone, world))
    }

    fn judge(&self, world: &FaultWorld, words: &StoryWords, run: &HurtRun<'_>) -> io::Result<Judgement> {
        let phone =
            phones().get(&world.root()).cloned().ok_or_else(|| io::Error::other("there is no phone"))?;
        let deeds = |judgement: &mut Judgement, when: &str| -> io::Result<(usize, usize)> {
            let verified = world.run(&["audit", "verify"], limits::COMMAND_MAX)?;
            judgement.want(verified.code == Some(0), FaultLaw::Unclean, || {
                format!("audit verify {when}: {}", in_short(&(verified.out.clone() + &verified.err)))
            });
            let audit = world.run(&["audit", "--json"], limits::COMMAND_MAX)?;
            let lines = audit.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let lines: Vec<Value> = lines.filter(|line| line["petition"] == words.get("id")).collect();
            let count = |deed: &str| lines.iter().filter(|line| line["did"] == deed).count();
            Ok((count("answered"), count("submitted")))
        };
        let mut judgement = Judgement { acknowledged: phone.has_seen("1 answered"), ..Judgement::default() };
        let (answered, submitted) = deeds(&mut judgement, "after the fault")?;
        judgement.want(!judgement.acknowledged || answered > 0, FaultLaw::Lost, || {
            "the phone shows the answer, and the ledger has none".to_owned()
        });
        judgement.want(!phone.has_seen(phone::DONE) || submitted > 0, FaultLaw::Lost, || {
            "the phone shows the submission, and the ledger has none".to_owned()
        });
        let mut says = in_short(&run.end.err);
        for _ in 0..limits::REPAIRS_MAX {
            if phone.is_done() && phone.api.waiting_updates() == 0 {
                break;
            }
            let person = holding(Arc::clone(&phone), world);
            let again = world.run(&SERVE, limits::COMMAND_MAX)?;
            drop(person);
            says = in_short(&again.err);
        }
        judgement.want(phone.is_done(), FaultLaw::Stuck, || {
            format!("served again, and the phone shows: {}; {says}", in_short(&phone.shown()))
        });
        let (answered, submitted) = deeds(&mut judgement, "in the end")?;
        judgement.want(answered <= 1 && submitted <= 1, FaultLaw::Twice, || {
            format!("answered {answered} times, submitted {submitted} times")
        });
        judgement.want(!phone.is_done() || (answered, submitted) == (1, 1), FaultLaw::Lost, || {
            format!("the phone shows the end, and the ledger: answered {answered}, submitted {submitted}")
        });
        Ok(judgement)
    }
}

/// The phones, by the worlds that they are in.
fn phones() -> MutexGuard<'static, BTreeMap<PathBuf, Arc<ReviewPhone>>> {
    static PHONES: Mutex<BTreeMap<PathBuf, Arc<ReviewPhone>>> = Mutex::new(BTreeMap::new());
    PHONES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A person who reviews, and asks the door to stop when that is done.
fn holding(phone: Arc<ReviewPhone>, world: &FaultWorld) -> Person {
    let lock = world.home().join(".arbiter/serve.lock");
    let mut asked = None;
    Person::every(limits::TAP_EVERY, move || {
        if phone.is_done() && phone.api.waiting_updates() == 0 {
            phone::stop(&lock, &mut asked);
        } else {
            phone.look();
        }
    })
}
