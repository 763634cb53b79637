//! Amounts and spans of time as people say them.

use mind::conductor::agent::verdict_in_words as verdict;
use view::amount::{counted, money, tokens};
use view::when::{clock, span};

#[test]
fn counts_agree_in_number() {
    assert_eq!(
        [counted(0, "note"), counted(1, "note"), counted(2, "note")],
        ["0 notes", "1 note", "2 notes"]
    );
}

#[test]
fn tokens_and_money_are_short() {
    assert_eq!([tokens(950), tokens(12_340), tokens(1_250_000)], ["950", "12.3k", "1.2M"]);
    assert_eq!([money(0), money(1_239_999), money(12_000_000)], ["$0.00", "$1.23", "$12.00"]);
}

#[test]
fn a_span_is_read_at_a_glance_and_a_clock_to_the_second() {
    assert_eq!(
        [span(4_000), span(720_000), span(11_100_000), span(172_800_000)],
        ["4s", "12m", "3h 5m", "2d"]
    );
    assert_eq!([clock(4_000), clock(751_000), clock(11_112_000)], ["0:04", "12:31", "3:05:12"]);
}

#[test]
fn a_verdict_is_said_in_words() {
    for (written, said) in [
        ("someFailures", "some failures"),
        ("needs_changes", "needs changes"),
        ("all-passed", "all passed"),
        ("approved", "approved"),
        ("API", "API"),
        ("notOK", "not OK"),
        ("needsAPIChange", "needs API change"),
        ("step2Failed", "step2 failed"),
        ("", ""),
    ] {
        assert_eq!(verdict(written), said);
    }
}
