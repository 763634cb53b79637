//! One decision: options with their letters, terms, and the answer.

use view::decision::{asked_of, decision, first_of};

use crate::petitions::{self, after, begun, told};

#[test]
fn each_kind_of_decision_is_told_with_its_letters_and_terms() {
    let petition = begun();
    let mut text = String::new();
    for asked in &petition.decisions {
        text.push_str(&told(&decision(&petition, asked, after(10))));
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}

/// An approval is given to exactly what is shown; everything else is made harmless.
#[test]
fn nothing_hides_in_what_is_approved() {
    let petition = begun();
    let view = decision(&petition, petitions::decision(&petition, "allow"), after(10));
    assert_eq!(view.context, "Five things\nare \\u{1b}[31mopen.\nrm -r build\\u{202e}");
    assert_eq!(view.options[0].label.as_deref(), Some("Yes,\\nthis once"));
}

/// A decision that waits names those that come first, as long as they are open.
#[test]
fn what_has_to_be_decided_first_is_told_with_its_place() {
    let mut petition = begun();
    let first = |petition: &mind::petition::Petition| {
        let allow = petitions::decision(petition, "allow");
        first_of(petition, allow).map(|(at, first)| (at, first.id.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(first(&petition), [(1, "regions".to_owned())]);
    let ada = mind::actor::Actor::human(mind::actor::Door::Cli, "ada");
    petitions::answer(&mut petition, "regions", "eu", &ada, after(5));
    assert_eq!(first(&petition), []);
}

#[test]
fn a_decision_is_asked_of_its_own_assignee_else_of_the_petitions() {
    let mut petition = begun();
    let asked = |petition: &mind::petition::Petition, id: &str| {
        asked_of(petition, petitions::decision(petition, id)).map(str::to_owned)
    };
    assert_eq!(asked(&petition, "log").as_deref(), Some("bob"));
    assert_eq!(asked(&petition, "auth").as_deref(), Some("ada"));
    petition.assignee = Some(" ".into());
    assert_eq!(asked(&petition, "auth"), None);
}

/// What a person wrote is never taken for an option, even where it says the same.
#[test]
fn a_text_of_ones_own_stands_in_quotes_on_one_line() {
    let petition = begun();
    let view = decision(&petition, petitions::decision(&petition, "name"), after(10));
    let answer = view.answer.expect("an answer");
    assert_eq!(answer.said, "\"jwt or so\"");
    assert_eq!(answer.own_words.as_deref(), Some("jwt\nor so"));
}
