//! `serve`: keeps the doors open that reach a person who is not at this machine, until it is told to stop. `serve unit`
//! prints what lets systemd start it.

mod settings;

use std::path::Path;
use std::sync::Arc;

use docket::{Docket, DocketFeed, QueueFollower, QueueNews};
use doors::telegram::settings::{MissionDirectory, TelegramSettings};
use doors::telegram::{TelegramDoor, TelegramError};
use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{interval, timeout};

pub(super) use self::settings::api_url;
use self::settings::telegram_settings;
use super::context::refuse_agents;
use super::own_config::OwnConfig;
use super::run;
use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::project::bot_token::TokenError;
use crate::project::config::Config;
use crate::project::home::UserFolders;
use crate::serving::limits::STOP_TIME_MAX;
use crate::serving::lock::{ServeLock, ServeLockError};
use crate::serving::log::ServeLog;
use crate::serving::missions::RegisteredMissions;
use crate::serving::news::NewsDesk;
use crate::serving::notifying::Notifier;
use crate::serving::service_manager::ServiceManager;
use crate::serving::standing::{ServeStanding, TelegramStanding};
use crate::serving::{healthz, unit};
use crate::terminal::console;

/// The program's own name in its log.
const WHO: &str = "serve";
const TELEGRAM: &str = "telegram";

/// Prints the unit.
pub fn unit() -> Result<ExitCode, CliError> {
    let program = std::env::current_exe().map_err(|error| {
        CliError::new(ExitCode::Failed, format!("this program does not know its own path: {error}"))
    })?;
    console::line(unit::text(&program, |name| std::env::var_os(name)));
    Ok(ExitCode::Done)
}

/// Serves until a signal comes, or no door is left.
pub fn serve() -> Result<ExitCode, CliError> {
    refuse_agents()?;
    // A core dump would hold the token.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let OwnConfig { places, config } = OwnConfig::read()?;
    let telegram = telegram_settings(&config, &places.home)?;
    let channels = if config.announces.value { config.also.value.len() } else { 0 };
    let telegram = match telegram {
        Err(missing) if channels == 0 => return Err(no_door(&missing)),
        telegram => telegram,
    };
    let _lock = ServeLock::take(&places.home)?;
    let runtime = run::runtime()?;
    let ended = runtime.block_on(Served { places, config, telegram }.run());
    // A thread may still be reading what changed.
    runtime.shutdown_background();
    ended
}

fn no_door(missing: &TokenError) -> CliError {
    CliError::new(ExitCode::Usage, format!("there is nothing to serve: {missing}"))
        .hint(format!("{}; `notifications.also` names programs and webhooks to tell", missing.hint()))
}

/// What is served.
struct Served {
    places: UserFolders,
    config: Config,
    telegram: Result<TelegramSettings, TokenError>,
}

impl Served {
    async fn run(self) -> Result<ExitCode, CliError> {
        let token = self.telegram.as_ref().ok().map(|settings| &settings.token);
        let log = ServeLog::below(&self.places.home, token);
        let ended = self.stay_open(&log).await;
        log.note(WHO, "ends");
        log.close();
        ended
    }

    async fn stay_open(self, log: &ServeLog) -> Result<ExitCode, CliError> {
        let Served { places, config, telegram } = self;
        let manager = ServiceManager::find(|name| std::env::var_os(name));
        let docket = Docket::at(config.docket_dir.value.clone());
        let missions: Arc<dyn MissionDirectory> = Arc::new(RegisteredMissions::new(places.clone()));
        let (stop, stopped) = watch::channel(false);
        stop_on_signals(&stop)?;
        log.note(
            WHO,
            format!("begins: process {}, docket {}", std::process::id(), docket.folder().display()),
        );
        let (standing, mut door) = match telegram {
            Ok(settings) => {
                let (docket, missions) = (docket.clone(), Arc::clone(&missions));
                let people = settings.people.len();
                let door =
                    TelegramDoor::open(settings, docket, missions, log.of_door(TELEGRAM)).map_err(closed)?;
                log.note(TELEGRAM, format!("opens for {people} user(s)"));
                (TelegramStanding::Open, Some(tokio::spawn(door.run(stopped.clone()))))
            }
            Err(missing) => {
                let (channels, hint) = (config.also.value.len(), missing.hint());
                log.trouble(
                    TELEGRAM,
                    format!("stays closed: {missing} ({hint}); {channels} channel(s) of `notifications.also` are told"),
                );
                (TelegramStanding::Off { why: missing.to_string() }, None)
            }
        };
        let standing = Arc::new(ServeStanding::new(&places.home, clock::now(), standing));
        let _follower = follow(&docket, &standing, log)?;
        let health = open_health(&config, &standing, log).await;
        let news = tell_news(&places.home, &config, docket, missions, log, &stopped);
        manager.say("READY=1");
        let ended = stay(&manager, &standing, log, &mut door, news.is_some(), stopped).await;
        manager.say("STOPPING=1");
        stop.send_replace(true);
        if let Some(health) = health {
            health.abort();
        }
        if timeout(STOP_TIME_MAX, finish(door, news)).await.is_err() {
            log.trouble(
                WHO,
                format!("ends with work in hand: {} s were not enough", STOP_TIME_MAX.as_secs()),
            );
        }
        ended
    }
}

/// A running door.
type OpenDoor = JoinHandle<Result<(), TelegramError>>;

/// Waits until a signal comes, or the last door has closed by itself.
async fn stay(
    manager: &ServiceManager,
    standing: &ServeStanding,
    log: &ServeLog,
    door: &mut Option<OpenDoor>,
    has_news: bool,
    mut stopped: watch::Receiver<bool>,
) -> Result<ExitCode, CliError> {
    let mut beat = manager.every().map(interval);
    let asked = stopped.clone();
    loop {
        let door_ends = async {
            match door.as_mut() {
                Some(door) => door.await,
                None => std::future::pending().await,
            }
        };
        let beaten = async {
            match beat.as_mut() {
                Some(beat) => beat.tick().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = stopped.wait_for(|stop| *stop) => return Ok(ExitCode::Done),
            _ = beaten => {
                if standing.is_alive(clock::now()) {
                    manager.say("WATCHDOG=1");
                }
            }
            ended = door_ends => {
                *door = None;
                if *asked.borrow() {
                    return Ok(ExitCode::Done);
                }
                let error = match ended {
                    Ok(Err(error)) => closed(error),
                    Ok(Ok(())) => CliError::new(ExitCode::Failed, "the Telegram door closed by itself"),
                    Err(_) => CliError::new(ExitCode::Failed, "the Telegram door fell over a defect of the program"),
                };
                log.trouble(TELEGRAM, format!("closed: {}", error.cause));
                standing.set_telegram(TelegramStanding::Closed { why: error.cause.clone() });
                if !has_news {
                    return Err(error);
                }
            }
        }
    }
}

/// Lets everybody finish what is in hand.
async fn finish(door: Option<OpenDoor>, news: Option<JoinHandle<Notifier>>) {
    if let Some(door) = door {
        let _ = door.await;
    }
    if let Some(Ok(notifier)) = match news {
        Some(news) => Some(news.await),
        None => None,
    } {
        notifier.close().await;
    }
}

/// Follows the docket, so that other programs' files are taken in also while no door looks.
fn follow(
    docket: &Docket,
    standing: &Arc<ServeStanding>,
    log: &ServeLog,
) -> Result<(DocketFeed, QueueFollower), CliError> {
    let feed = docket.feed(clock::now)?;
    let (standing, log) = (Arc::clone(standing), log.clone());
    let follower = feed.queue(0, move |news| match news {
        QueueNews::Waiting { .. } => standing.set_docket(None),
        QueueNews::Trouble(error) => {
            log.trouble("docket", &error);
            standing.set_docket(Some(error.to_string()));
        }
    });
    Ok((feed, follower))
}

/// Opens `/healthz`. A port that is taken closes no door.
async fn open_health(
    config: &Config,
    standing: &Arc<ServeStanding>,
    log: &ServeLog,
) -> Option<JoinHandle<()>> {
    let address = config.health.value?;
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            log.trouble(
                WHO,
                format!("the health is not told at {address}: {error}; `serve.health` names another address, or off"),
            );
            return None;
        }
    };
    let address = listener.local_addr().unwrap_or(address);
    log.note(WHO, format!("health: http://{address}/healthz"));
    Some(tokio::spawn(healthz::serve(listener, Arc::clone(standing))))
}

/// Tells the channels of `notifications.also` what is new, if there are any.
fn tell_news(
    home: &Path,
    config: &Config,
    docket: Docket,
    missions: Arc<dyn MissionDirectory>,
    log: &ServeLog,
    stopped: &watch::Receiver<bool>,
) -> Option<JoinHandle<Notifier>> {
    if !config.announces.value || config.also.value.is_empty() {
        return None;
    }
    let notifier = Notifier::open(&config.also.value, log);
    let desk = NewsDesk::new(home, docket, missions, notifier, config.quiet.value, log.clone());
    let stopped = stopped.clone();
    Some(tokio::task::spawn_blocking(move || desk.run(&stopped)))
}

/// The first signal stops in order, the second one at once.
fn stop_on_signals(stop: &watch::Sender<bool>) -> Result<(), CliError> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let mut signals = signal(kind)
            .map_err(|error| CliError::new(ExitCode::Failed, format!("cannot hear signals: {error}")))?;
        let stop = stop.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if stop.send_replace(true) {
                    std::process::exit(ExitCode::Cancelled as i32);
                }
            }
        });
    }
    Ok(())
}

fn closed(error: TelegramError) -> CliError {
    let (code, hint) = match &error {
        TelegramError::TokenRefused { .. } => {
            (ExitCode::Provider, "@BotFather gives a new one; `arbiter setup telegram` asks for it")
        }
        TelegramError::Held => (ExitCode::Failed, "one `arbiter serve` is enough; stop the other one"),
        TelegramError::Disk { .. } => {
            (ExitCode::Failed, "is the folder yours and writable, and is there room?")
        }
        TelegramError::Damaged { .. } => {
            (ExitCode::Failed, "move the file away: what it holds is announced and drawn anew")
        }
        TelegramError::NoClient { .. } => (ExitCode::Failed, "`arbiter doctor` checks this machine"),
    };
    CliError::of(code, &error).hint(hint)
}

impl From<ServeLockError> for CliError {
    fn from(error: ServeLockError) -> CliError {
        let hint = match &error {
            ServeLockError::Held { .. } => {
                "one is enough for each ARBITER_HOME; `systemctl --user status arbiter` shows one that systemd keeps"
            }
            ServeLockError::Disk { .. } => "is ARBITER_HOME yours and writable?",
        };
        CliError::of(ExitCode::Failed, &error).hint(hint)
    }
}
