//! What a mission asks comes back from the file as it was asked, whatever a command is made of: else every answer to it
//! would be void.

use std::sync::Arc;

use docket::text::PetitionText;
use mind::Timestamp;
use mind::petition::{PetitionDraft, PetitionId, subject};
use mind::policy::{PermissionRequest, Risk};
use proptest::prelude::*;

fn question(what: &str, why: &str, folder: &str, shapes: Vec<Arc<str>>) -> PermissionRequest {
    PermissionRequest {
        tool: Arc::from("Bash"),
        what: Arc::from(what),
        folder: Arc::from(folder),
        why: Arc::from(why),
        risk: Risk::Unknown,
        shapes,
        digest: Arc::from("0123456789abcdef"),
    }
}

/// What is asked, and what the file gives back, as answers are bound to it.
fn digests(draft: &PetitionDraft) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
    let asked = draft.petition(PetitionId::from("m1"), Timestamp(1_769_736_600_000));
    let text = PetitionText::write(&asked).text().to_owned();
    let back = PetitionText::read(text.as_bytes(), asked.created_at)
        .expect("what we write can be read")
        .petition()
        .clone();
    let of = |petition: &mind::petition::Petition| {
        petition.decisions.iter().map(|decision| petition.digest(decision)).collect()
    };
    (of(&asked), of(&back))
}

const PARTS: [&str; 34] = [
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{b}",
    "\u{c}",
    "\u{1b}[2J",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{202e}",
    "\u{feff}",
    "\\",
    "\\\\",
    "`",
    "\"",
    "'",
    "---",
    "\n---\n",
    "\n## Decision 2: x\n",
    "\nid: x\n",
    "\nstatus: answered\nanswer: yes\n",
    "\n**Options:**\n- `yes` — Yes\n",
    "\n**Context:**",
    "#",
    "<!--",
    "-->",
    "null",
    "a",
    "é",
    "🐂",
];

fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(&PARTS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,8}",
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_permission_means_the_same_in_its_file(
        what in hostile(), why in hostile(), folder in hostile(), scroll in hostile(), shape in hostile(),
    ) {
        for shapes in [Vec::new(), vec![Arc::from(shape.as_str())]] {
            let draft =
                subject::permission("2026-11-16-h57v", &scroll, "Orchestrator I", &question(&what, &why, &folder, shapes));
            prop_assert_eq!(draft.faults(), Vec::<String>::new());
            let (asked, back) = digests(&draft);
            prop_assert_eq!(asked, back);
        }
    }

    #[test]
    fn what_a_session_pushes_means_the_same_in_its_file(
        title in hostile(), context in hostile(), question in hostile(), inner in hostile(), label in hostile(),
    ) {
        let decisions = serde_json::json!([
            {"id": "way", "title": question, "context": inner, "options": [{"key": "left", "label": label}]}
        ]);
        let sent = serde_json::json!({"title": title, "context": context, "decisions": decisions});
        if let Ok(draft) = PetitionDraft::read(&sent, &|_| None) {
            let (asked, back) = digests(&draft);
            prop_assert_eq!(asked, back);
        }
    }
}
