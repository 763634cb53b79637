//! One decision: options with their letters, terms, and the answer.

use view::decision::decision;

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

/// What a person wrote is never taken for an option, even where it says the same.
#[test]
fn a_text_of_ones_own_stands_in_quotes_on_one_line() {
    let petition = begun();
    let view = decision(&petition, petitions::decision(&petition, "name"), after(10));
    let answer = view.answer.expect("an answer");
    assert_eq!(answer.said, "\"jwt or so\"");
    assert_eq!(answer.own_words.as_deref(), Some("jwt\nor so"));
}
