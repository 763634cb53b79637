//! Laws of reading: any text is read or refused with a word, and a decision reads back as itself.

use mind::conductor::{MoveKind, NextMove};
use proptest::prelude::*;

use super::replies::{All, First, judged};

fn words() -> impl Strategy<Value = String> {
    any::<String>().prop_filter("a word", |text| !text.trim().is_empty())
}

fn decisions() -> impl Strategy<Value = NextMove> {
    let mode = prop::sample::select(vec!["planner", "developer", "tester", "reviewer"]);
    let options = prop::collection::btree_set(words(), 0..4);
    (0..8_usize, words(), prop::option::of(words()), mode, options).prop_map(
        |(kind, text, more, mode, options)| {
            let (kind, text) = (MoveKind::ALL[kind], text.as_str().into());
            match kind {
                MoveKind::SelectMode => {
                    NextMove::SelectMode { mode: mode.into(), reason: text, guidance: more.map(Into::into) }
                }
                MoveKind::Continue => NextMove::Continue { reason: text },
                MoveKind::Retry => NextMove::Retry { reason: text },
                MoveKind::Complete => NextMove::Complete { summary: text },
                MoveKind::SkipStep => NextMove::SkipStep { reason: text },
                MoveKind::Replan => NextMove::Replan { reason: text },
                MoveKind::AskHuman => {
                    let options = options.into_iter().map(Into::into).collect();
                    NextMove::AskHuman { question: text, options }
                }
                MoveKind::Fail => NextMove::Fail { reason: text },
            }
        },
    )
}

/// Pieces that matter to the reader, in any order.
fn rubble() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "```",
        "~~~",
        "\n",
        "'",
        ",",
        ":",
        "type",
        "\"type\":",
        "\"RETRY\"",
        "{\"type\":\"RETRY\",\"reason\":\"x\"}",
        "ä",
        "\u{0}",
        "\u{feff}",
        "🚫",
        " ",
        "json",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused_with_a_word(text in any::<String>()) {
        if let Err(faults) = judged(All, None, &text) {
            prop_assert!(!faults.is_empty());
        }
    }

    #[test]
    fn any_rubble_is_read_or_refused_with_a_word(text in rubble()) {
        match judged(First, None, &text) {
            Err(faults) => prop_assert!(!faults.is_empty()),
            // RETRY is not legal here, and it is all that stands in the rubble.
            Ok(decision) => prop_assert!(false, "{decision:?}"),
        }
    }

    #[test]
    fn a_decision_reads_back_as_itself(decision in decisions()) {
        let text = serde_json::to_string(&decision).expect("JSON");
        prop_assert_eq!(judged(All, None, &text), Ok(decision.clone()));
        let fenced = format!("Well:\n```json\n{text}\n```\n");
        prop_assert_eq!(judged(All, None, &fenced), Ok(decision.clone()));
        let output = serde_json::to_value(&decision).expect("JSON");
        prop_assert_eq!(judged(All, Some(&output), ""), Ok(decision));
    }
}
