//! What a person wants of the terminal: their own word, and nobody else's.

use arbiter::project::config::{CeremonyWanted, MotionWanted, SettingOrigin, SoundWanted};

use super::Desk;

#[test]
fn the_users_own_file_says_what_is_seen_and_heard() {
    let desk = Desk::new().user("ceremony: never\nscene: off\nmotion: reduced\nsound: on\n");
    let config = desk.load().unwrap();
    assert_eq!((config.ceremony.value, config.scene.value), (CeremonyWanted::Never, false));
    assert_eq!((config.motion.value, config.sound.value), (MotionWanted::Reduced, SoundWanted::On));
    assert!(matches!(&config.sound.origin, SettingOrigin::User(place) if place.line == 4));
    let told = desk.told();
    for line in ["ceremony = never", "scene = off", "motion = reduced", "sound = on"] {
        assert!(told.contains(&format!("\n{line}  (user file U:")), "{line}: {told}");
    }
}

#[test]
fn whoever_says_nothing_is_shown_everything() {
    let config = Desk::new().load().unwrap();
    assert_eq!((config.ceremony.value, config.scene.value), (CeremonyWanted::Once, true));
    assert_eq!((config.motion.value, config.sound.value), (MotionWanted::Full, SoundWanted::Auto));
}

#[test]
fn a_word_that_is_not_known_is_refused_with_those_that_are() {
    let file = "ceremony: sometimes\nscene: yes\nmotion: [slow]\nsound: 3\n";
    assert_eq!(
        Desk::new().user(file).told(),
        "U:1:11: `ceremony`: unknown value `sometimes`\n  hint: known values: always, once, never\n\
         U:2:8: `scene`: unknown value `yes`\n  hint: known values: on, off\n\
         U:3:9: `motion`: unknown value ``\n  hint: known values: full, reduced\n\
         U:4:8: `sound`: unknown value `3`\n  hint: known values: auto, on, off"
    );
}

#[test]
fn a_project_has_no_say_in_it() {
    for (key, value) in [("ceremony", "never"), ("scene", "off"), ("motion", "full"), ("sound", "on")] {
        let column = key.len() + 3;
        assert_eq!(
            Desk::new().project(format!("{key}: {value}\n")).told(),
            format!(
                "P:1:{column}: `{key}`: this counts only in your own file\n  \
                 hint: write it into U: a repository must not choose what you see and hear"
            )
        );
    }
}
