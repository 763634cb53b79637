//! Sound with real processes: small scripts stand on a path of their own and write down each time they are started. A
//! player that fails, hangs or lies is tried once; nobody is left behind; what is silent costs nothing.

mod alone;
pub mod hall;
mod window;

use std::time::Duration;

use arbiter::terminal::sound::SoundLimits;
use tui::decoration::SoundEffect;

use self::hall::Hall;
use super::wait_until;

/// Plays for a moment.
const GOOD: &str = "sleep 0.2";
/// Waits in a process of its own, as a wrapper does that is not the player itself.
const HANGS: &str = "sleep 1000 & echo $! >> $LOG.deep; wait";

/// Plays effects for a moment, and the theme for as long as anybody listens.
#[cfg(target_os = "linux")]
const PLAYS: &str = "case $* in *theme*) exec sleep 1000;; esac; sleep 0.05";

/// Nobody hangs who only waits for a slow machine.
fn patient() -> SoundLimits {
    let minutes = Duration::from_secs(600);
    SoundLimits { slack: minutes, theme_most: minutes, ..SoundLimits::default() }
}

/// Everything is over soon.
fn hasty() -> SoundLimits {
    SoundLimits {
        slack: Duration::from_millis(300),
        theme_least: Duration::from_millis(50),
        theme_most: Duration::from_millis(800),
        ..SoundLimits::default()
    }
}

/// A piece that is played again and again is heard as one.
fn loops() -> SoundLimits {
    SoundLimits { theme_least: Duration::from_millis(50), ..SoundLimits::default() }
}

#[test]
fn without_a_player_a_person_is_told_what_to_install() {
    let hall = Hall::new();
    let mut sound = hall.sound(SoundLimits::default());
    sound.music(true);
    SoundEffect::ALL.into_iter().for_each(|effect| sound.play(effect));
    assert_eq!(sound.trouble(), None, "silence is no trouble");
    for _ in 0..2 {
        let told = sound.toggle();
        assert_eq!(told, "no player found: install pw-play, paplay, aplay, sox or ffplay");
        assert!(!sound.is_on());
    }
    assert!(!hall.waves().exists(), "nothing is made for nobody");
    hall.player("aplay", GOOD);
    assert_eq!(sound.toggle(), "sound on", "a person who asks may have installed one");
    wait_until("the music plays", || hall.starts() == ["aplay -q theme"]);
}

#[test]
fn a_player_that_fails_is_tried_once() {
    let hall = Hall::new();
    hall.player("paplay", "exit 3");
    let mut sound = hall.sound(SoundLimits::default());
    sound.play(SoundEffect::Ask);
    let mut told = None;
    wait_until("it is told", || {
        told = told.take().or_else(|| sound.trouble());
        told.is_some()
    });
    assert_eq!(told.as_deref(), Some("no sound: paplay fails (exit code 3)"));
    for _ in 0..50 {
        sound.play(SoundEffect::Pass);
        sound.music(true);
        sound.music(false);
    }
    assert_eq!(sound.trouble(), None, "it is told once");
    assert_eq!(sound.toggle(), "no sound: paplay fails (exit code 3)");
    drop(sound);
    // Another who plays in the same program knows of it.
    let mut sound = hall.sound(hasty());
    sound.music(true);
    sound.play(SoundEffect::Done);
    assert_eq!(sound.trouble(), None);
    drop(sound);
    assert_eq!(hall.starts(), ["paplay ask"]);
}

#[test]
fn when_one_player_fails_the_next_one_plays() {
    let hall = Hall::new();
    hall.player("pw-play", "exit 1");
    hall.player("aplay", GOOD);
    let mut sound = hall.sound(loops());
    sound.music(true);
    wait_until("the other one loops", || hall.starts().len() >= 3);
    assert_eq!(hall.starts()[..3], ["pw-play theme", "aplay -q theme", "aplay -q theme"]);
    assert_eq!(sound.trouble(), None, "what is heard needs no words");
}

#[test]
fn what_cannot_be_started_is_tried_once_too() {
    let hall = Hall::new();
    hall.put("paplay", "#!/nowhere/at/all\n");
    let mut sound = hall.sound(hasty());
    sound.play(SoundEffect::Step);
    let mut told = None;
    wait_until("it is told", || {
        told = told.take().or_else(|| sound.trouble());
        told.is_some()
    });
    assert!(told.as_deref().is_some_and(|told| told.starts_with("no sound: paplay cannot be started: ")));
}

#[test]
fn a_player_that_hangs_is_ended_with_all_it_started() {
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut sound = hall.sound(hasty());
    sound.music(true);
    let mut told = None;
    wait_until("it is told", || {
        sound.play(SoundEffect::Step);
        hall.assert_one_of_each();
        told = told.take().or_else(|| sound.trouble());
        told.is_some()
    });
    assert_eq!(told.as_deref(), Some("no sound: paplay hangs"));
    wait_until("all are gone", || hall.alive().is_empty());
    let before = hall.starts();
    for _ in 0..20 {
        sound.play(SoundEffect::Found);
        sound.music(true);
    }
    drop(sound);
    assert_eq!(hall.starts(), before);
    assert!(before.len() <= 2, "{before:?}");
}

#[test]
fn music_begins_again_when_it_ends_and_stops_at_once() {
    let hall = Hall::new();
    hall.player("paplay", GOOD);
    let mut sound = hall.sound(loops());
    sound.music(true);
    sound.music(true);
    wait_until("it begins a third time", || {
        hall.assert_one_of_each();
        hall.starts().len() >= 3
    });
    assert!(hall.starts().iter().all(|start| start == "paplay theme"));
    sound.music(false);
    wait_until("it is silent", || hall.alive().is_empty());
    let before = hall.starts().len();
    sound.play(SoundEffect::Take);
    wait_until("only the effect is heard", || hall.starts()[before..] == ["paplay take"]);
    assert_eq!(sound.trouble(), None);
}

#[test]
fn music_that_is_stopped_in_the_middle_leaves_nobody_and_can_begin_anew() {
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut sound = hall.sound(patient());
    for round in 1..=3 {
        sound.music(true);
        wait_until("it plays", || hall.starts().len() == round && hall.alive().len() == 2);
        sound.music(false);
        wait_until("it is silent", || hall.alive().is_empty());
    }
    assert_eq!(sound.trouble(), None);
}

#[test]
fn what_a_player_leaves_behind_ends_with_it() {
    let hall = Hall::new();
    hall.player("paplay", "sleep 1000 & echo $! >> $LOG.deep");
    let mut sound = hall.sound(SoundLimits::default());
    sound.play(SoundEffect::Ask);
    wait_until("it was heard", || hall.starts() == ["paplay ask"]);
    wait_until("nobody is left", || hall.alive().is_empty());
    sound.play(SoundEffect::Pass);
    wait_until("the next is heard", || hall.starts().len() == 2 && hall.alive().is_empty());
    assert_eq!(sound.trouble(), None);
}

#[test]
fn whoever_is_hushed_is_silent_at_once_and_plays_on_when_asked() {
    let hall = Hall::new();
    hall.player("paplay", "exec sleep 1000");
    let mut sound = hall.sound(patient());
    for round in 1..=3 {
        sound.music(true);
        sound.play(SoundEffect::Ask);
        wait_until("both play", || hall.starts().len() == 2 * round && hall.alive().len() == 2);
        sound.hush();
        assert_eq!(hall.alive(), []);
    }
    assert_eq!(sound.trouble(), None);
}

#[test]
fn a_player_that_returns_at_once_does_not_make_us_spin() {
    let hall = Hall::new();
    hall.player("paplay", "exit 0");
    let mut sound = hall.sound(SoundLimits::default());
    sound.music(true);
    let mut told = None;
    wait_until("it is told", || {
        told = told.take().or_else(|| sound.trouble());
        told.is_some()
    });
    assert_eq!(told.as_deref(), Some("no sound: paplay ends before the music does"));
    drop(sound);
    assert_eq!(hall.starts(), ["paplay theme"]);
}

#[test]
fn of_many_effects_the_newest_waits_and_the_last_word_is_kept() {
    let hall = Hall::new();
    hall.player("paplay", "until [ -e $LOG.go ]; do sleep 0.02; done");
    let patient =
        SoundLimits { waiting_max: Duration::from_secs(60), slack: Duration::from_secs(60), ..loops() };
    let mut sound = hall.sound(patient);
    sound.play(SoundEffect::Choose);
    wait_until("the first is heard", || hall.starts().len() == 1);
    for effect in [SoundEffect::Step, SoundEffect::Pass, SoundEffect::Done, SoundEffect::Dismiss] {
        sound.play(effect);
    }
    hall.assert_one_of_each();
    hall.go();
    wait_until("the second is heard", || hall.starts().len() >= 2 && hall.alive().is_empty());
    drop(sound);
    assert_eq!(hall.starts(), ["paplay choose", "paplay done"]);
}

#[test]
fn an_effect_that_waited_too_long_is_passed_over() {
    let hall = Hall::new();
    hall.player("paplay", "until [ -e $LOG.go ]; do sleep 0.02; done");
    let limits = SoundLimits { waiting_max: Duration::ZERO, slack: Duration::from_secs(60), ..loops() };
    // With no patience at all even the first would be late.
    let first = SoundLimits { waiting_max: Duration::from_secs(60), ..limits };
    let mut sound = hall.sound(first);
    sound.play(SoundEffect::Choose);
    wait_until("it is heard", || hall.starts().len() == 1);
    drop(sound);
    let mut sound = hall.sound(limits);
    sound.play(SoundEffect::Step);
    sound.music(true);
    wait_until("the music is heard", || hall.starts().len() >= 2);
    drop(sound);
    assert_eq!(hall.starts()[..2], ["paplay choose", "paplay theme"]);
    wait_until("nobody is left", || hall.alive().is_empty());
}

#[test]
fn only_one_arbiter_of_a_user_makes_music() {
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut one = hall.sound(patient());
    let mut other = hall.sound(patient());
    one.music(true);
    wait_until("one plays", || hall.starts() == ["paplay theme"]);
    other.music(true);
    other.play(SoundEffect::Ask);
    wait_until("the other's effect is heard", || hall.starts().len() == 2);
    assert_eq!(hall.starts(), ["paplay theme", "paplay ask"]);
    assert_eq!(other.trouble(), None);
    drop(one);
    other.music(false);
    other.music(true);
    wait_until("it is the other's turn", || hall.starts().len() == 3);
    assert_eq!(hall.starts()[2], "paplay theme");
    drop(other);
    wait_until("nobody is left", || hall.alive().is_empty());
}

#[test]
fn a_home_that_is_made_for_sound_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    for is_music in [true, false] {
        let hall = Hall::new();
        hall.player("paplay", GOOD);
        let mut sound = hall.sound(loops());
        if is_music {
            sound.music(true);
        } else {
            sound.play(SoundEffect::Ask);
        }
        wait_until("it is heard", || hall.starts().len() == 1);
        for folder in [hall.home(), hall.waves()] {
            let mode = std::fs::metadata(&folder).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once() {
    let hall = Hall::new();
    hall.player("paplay", GOOD);
    std::fs::create_dir(hall.home()).expect("a folder");
    std::fs::write(hall.waves(), "a file where a folder should be").expect("written");
    let mut sound = hall.sound(hasty());
    sound.play(SoundEffect::Ask);
    let mut told = None;
    wait_until("it is told", || {
        told = told.take().or_else(|| sound.trouble());
        told.is_some()
    });
    assert!(told.as_deref().is_some_and(|told| told.starts_with("no sound: cannot write ")), "{told:?}");
    sound.music(true);
    sound.play(SoundEffect::Ask);
    assert_eq!(sound.trouble(), None);
    drop(sound);
    assert!(hall.starts().is_empty());
}

#[test]
fn the_doctor_names_the_player() {
    let hall = Hall::new();
    hall.player("ffplay", GOOD);
    let theatre = super::theatre();
    let line = |path: &str| {
        let out = theatre.run_with(&["doctor"], &[("PATH", path)]).out;
        out.lines().find(|line| line.starts_with("ok    sound")).unwrap_or_default().to_owned()
    };
    assert!(line("/nowhere").ends_with("no player found: install pw-play, paplay, aplay, sox or ffplay"));
    let found = line(&hall.path().to_string_lossy());
    assert!(found.ends_with(&format!("ffplay at {}/ffplay", hall.path().display())), "{found}");
    assert!(hall.starts().is_empty(), "looking is not playing");
}
