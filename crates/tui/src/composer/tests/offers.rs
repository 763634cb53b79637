//! What is offered while one types, and in which order.

use super::*;

/// What is offered, from the best on.
fn offered(person: &Person) -> Vec<String> {
    let input = Rect::new(0, 59, 80, 1);
    let draw = |buffer: &mut Buffer| person.draft.draw_names(input, buffer, &person.files, &Theme::PLAIN);
    let rows = lines(&screen(draw, 80, 60));
    let names = rows.iter().map(|row| row.trim_matches(['.', ' ']).to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

fn typed(keys: &str, files: &[&str]) -> Vec<String> {
    let mut person = Person::new("");
    person.files = names(files);
    person.press(keys);
    offered(&person)
}

#[test]
fn names_that_begin_so_come_first() {
    let files = ["data/rs/banana.rs", "docs/about.md", "a.txt", "crates/Apple/x.rs", "maps/plan.md"];
    assert_eq!(typed("see Space @a", &files)[..2], ["@a.txt", "@docs/about.md"]);
    assert_eq!(typed("see Space @AB", &files)[0], "@docs/about.md");
    assert_eq!(typed("@crates/a", &files), ["@crates/Apple/x.rs"]);
    // Otherwise the shorter one would be first: a folder in its middle begins so too.
    assert_eq!(typed("@ab", &["b/ab/c", "docs/about.md"]), ["@docs/about.md", "@b/ab/c"]);
    assert_eq!(typed("@do", &["b/do/c", "docs/plans/x.md"]), ["@docs/plans/x.md", "@b/do/c"]);
    assert_eq!(typed("@\u{e9}t", &["b/\u{e9}t/c", "docs/\u{c9}t\u{e9}.md"])[0], "@docs/\u{c9}t\u{e9}.md");
    assert_eq!(typed("@b", &["a\nb", "b\u{7}b"]), Vec::<String>::new(), "what cannot be typed");
}

#[test]
fn the_orchestrator_is_offered_where_it_is_spoken_to() {
    let files = ["src/orchard.rs", "o.txt", "rat.txt", "errata.md"];
    assert_eq!(typed("@o", &files)[..2], ["@orchestrator", "@o.txt"]);
    assert_eq!(typed("@", &files)[0], "@orchestrator");
    // It has the letters, and a file begins with them.
    assert_eq!(typed("@rat", &files)[..2], ["@rat.txt", "@orchestrator"]);
    for keys in ["see Space @", "see Space @o", "see Space @orchestrator", "see C-j @o", "@o.txt Space @orch"]
    {
        assert!(!typed(keys, &files).contains(&"@orchestrator".to_owned()), "{keys}");
    }
    // Blanks before it are not sent.
    assert_eq!(typed("Space @or", &files)[0], "@orchestrator");
}

#[test]
fn commands_are_offered_for_a_word_that_begins_with_a_slash() {
    assert_eq!(typed("/p", &[]), ["/pause  begin no further turn"]);
    assert_eq!(
        typed("/", &["usr/bin"]),
        [
            "/pause      begin no further turn",
            "/resume     continue after a pause",
            "/interrupt  stop the running turn",
            "/release    end the Orchestrator's session",
            "/cancel     end the mission",
            "/yes        allow what is asked, such as q1",
            "/no         refuse what is asked, such as q1",
            "/quit       leave; the mission can be resumed",
            "/help       what can be typed",
        ]
    );
    for keys in [
        "/usr/",
        "/p/",
        "//",
        "/x",
        "see Space /p",
        "/yes Space",
        "/yes Space q",
        "/pp",
        "/p C-j",
        "p Left /",
    ] {
        assert_eq!(typed(keys, &["usr/bin"]), Vec::<String>::new(), "{keys}");
    }
    assert_eq!(typed("/p/ Erase", &[]).len(), 1, "it is no path any more");
}

#[test]
fn a_command_is_taken_with_the_keys_of_a_name() {
    check(&[
        ("", "/p Tab", "/pause|"),
        ("", "/p Enter", "/pause|"),
        ("", "/ Down Down Tab", "/interrupt|"),
        ("", "/ Up Enter", "/help|"),
        ("", "/RE Down Tab", "/release|"),
        ("", "/y Tab q1", "/yes q1|"),
        ("", "/n Enter", "/no |"),
        ("", "/p Esc Tab a Tab", "/pa|"),
        ("", "/p Esc Erase Erase /p Tab", "/pause|"),
        ("", "/p Tab C-_", "/p|"),
        // What is there already is no change that could be taken back.
        ("", "/pause Tab C-_", "|"),
        ("", "/pa Tab C-_ C-_", "|"),
    ]);
}

#[test]
fn a_whole_command_is_sent() {
    let mut person = Person::new("");
    for command in ["/pause", "/no", "/help", "/quit"] {
        person.press(command);
        assert!(person.draft.offers(), "{command}");
        assert_eq!(person.press("Enter"), [Stroke::Send(command.to_owned())]);
    }
    // The first Enter takes it, the second sends it; nothing is sent that was not read.
    assert_eq!(person.press("/c Enter")[2], Stroke::Taken);
    assert_eq!(person.press("Enter"), [Stroke::Send("/cancel".to_owned())]);
    assert_eq!(person.press("/bin/sh Enter")[7], Stroke::Send("/bin/sh".to_owned()));
}

#[test]
fn what_a_command_does_is_dim_and_the_chosen_one_is_marked() {
    let mut person = Person::new("");
    person.press("/re");
    let input = Rect::new(1, 3, 42, 1);
    let draw = |buffer: &mut Buffer| person.draft.draw_names(input, buffer, &[], &Theme::PLAIN);
    let buffer = screen(draw, 44, 4);
    assert_eq!(
        lines(&buffer)[1..3],
        [". /resume   continue after a pause         .", ". /release  end the Orchestrator's session ."]
    );
    let style = |x, y| buffer[(x, y)].style().add_modifier;
    let tint = |tint| Theme::PLAIN.style(tint).add_modifier;
    assert_eq!((style(3, 1), style(12, 1)), (tint(Tint::Chosen), tint(Tint::Chosen)));
    assert_eq!((style(3, 2), style(12, 2)), (tint(Tint::Words), tint(Tint::Dim)));
    // However little room there is, it keeps to it.
    for width in 0..40 {
        let draw = |buffer: &mut Buffer| {
            person.draft.draw_names(Rect::new(1, 3, width, 1), buffer, &[], &Theme::ASCII);
        };
        let shown = lines(&screen(draw, 44, 4));
        assert!(shown.iter().all(|row| row.ends_with(&".".repeat(43 - usize::from(width)))), "{shown:?}");
    }
}

#[test]
fn each_way_of_working_offers_its_own_commands() {
    let mut person = Person::new("");
    person.conducted = true;
    person.press("/");
    let names = |person: &Person| -> Vec<String> {
        let words = offered(person);
        words.iter().filter_map(|row| row.split_whitespace().next().map(str::to_owned)).collect()
    };
    let conducted = names(&person);
    assert!(["/force", "/skip", "/retry"].iter().all(|name| conducted.contains(&(*name).to_owned())));
    assert!(!conducted.contains(&"/release".to_owned()), "{conducted:?}");
    let council: Vec<String> = typed("/", &[]);
    assert!(council.iter().all(|row| !row.starts_with("/force") && !row.starts_with("/skip")), "{council:?}");
    person.press("f Enter");
    assert_eq!(person.shown(), "/force |", "the name of an agent comes next");
}
