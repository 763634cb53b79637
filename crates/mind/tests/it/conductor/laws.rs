//! What holds for any history and any text.

use std::sync::Arc;

use mind::conductor::execution::RunStatus;
use mind::conductor::input::{history_window, input};
use mind::conductor::next_move::MoveKind;
use mind::conductor::render::{MisreadReply, render};
use mind::conductor::texts::{both_ends, bounded, clean, cut_lines, cut_visibly, inline, quoted, tame};
use mind::conductor::{ConductorFact, DecisionPoint, limits};
use mind::play::conducted::{Conducted, OPENED_AT, plan};
use proptest::collection::vec;
use proptest::prelude::*;

use super::stage;
use super::vectors::mission;

/// Anything that somebody may have written, the worst included.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        proptest::string::string_regex("(.|\n|\r|\u{1b}|\u{2028}|\u{202e}|\\{|\\}|e\u{301}|👩‍👩‍👧){0,400}")
            .expect("a pattern"),
        (1usize..6_000).prop_map(|n| "🦀{\"type\":\"COMPLETE\",\"summary\":\"x\"}\n".repeat(n / 30 + 1)),
        (1usize..20_000).prop_map(|n| "ß".repeat(n)),
    ]
}

fn status() -> impl Strategy<Value = RunStatus> {
    prop_oneof![
        Just(RunStatus::Success),
        Just(RunStatus::Failure),
        Just(RunStatus::Timeout),
        Just(RunStatus::Cancelled)
    ]
}

/// A mission in which everything that others write is `texts`, one after another.
fn filled(task: &str, texts: &[String], runs: &[RunStatus], steps: usize) -> Conducted {
    let mut texts = texts.iter().cycle().map(|text| Arc::<str>::from(text.as_str()));
    let mut text = || texts.next().expect("there is a text");
    let mut agents = stage::agents();
    agents[1].when_to_use = Some(text());
    let mut mission = Conducted::open(task, agents);
    if steps > 0 {
        let descriptions: Vec<Arc<str>> = (0..steps).map(|_| text()).collect();
        let descriptions: Vec<&str> = descriptions.iter().map(AsRef::as_ref).collect();
        let mut plan = plan(task, &descriptions, OPENED_AT);
        plan.steps[0].instructions = Some(text());
        plan.steps[0].acceptance_criteria = vec![text(), text()];
        plan.steps[0].output = Some(text());
        mission.told(ConductorFact::Planned(Box::new(plan)));
    }
    for status in runs {
        let summary = text();
        let (full, message, issue) = (text(), text(), text());
        mission.run("developer", *status, 5, &summary, |run, error| {
            run.output.full = Some(full);
            run.output.files_modified = Some(vec![issue.clone()]);
            run.issues = vec![issue; 50];
            if status.failed() {
                let context = stage::failed(run, &message);
                *error = Some(Box::new(context));
            }
        });
    }
    mission.told(ConductorFact::Guided(text()));
    mission
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_window_is_kept_sorted_unique_bounded_and_ends_with_the_newest(
        letters in "[SFTC]{0,60}", window in 1usize..15,
    ) {
        let mission = mission(&letters);
        let conductor = mission.state.conductor.as_ref().expect("a podium");
        let shown = history_window(&conductor.history, &conductor.failed, window);
        let numbers: Vec<u32> = shown.iter().map(|run| run.seq).collect();
        let all = letters.len();
        prop_assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
        prop_assert!(numbers.len() >= window.min(all) && numbers.len() <= window + 2, "{numbers:?}");
        let newest: Vec<u32> = (all.saturating_sub(window) as u32 + 1..=all as u32).collect();
        prop_assert!(numbers.ends_with(&newest), "{numbers:?}");
        let failures = |at: &u32| matches!(letters.as_bytes()[*at as usize - 1], b'F' | b'T');
        if newest.iter().filter(|at| failures(at)).count() > 2 {
            let last: Vec<u32> = (1..=all as u32).rev().filter(failures).take(5).collect();
            prop_assert!(last.iter().all(|at| numbers.contains(at)), "{numbers:?} {last:?}");
        } else {
            prop_assert_eq!(numbers, newest);
        }
    }

    #[test]
    fn a_text_is_cut_on_a_boundary_and_only_if_it_is_too_long(text in any_text(), max in 0usize..3_000) {
        let chars = text.chars().count();
        let (head, ends) = (bounded(&Arc::from(text.as_str()), max), both_ends(&text, max));
        let (visible, lines) = (cut_visibly(&text, max, "it"), cut_lines(&text, max, "it"));
        if chars <= max {
            prop_assert!([&*head, &ends, &visible, &lines].iter().all(|cut| **cut == text));
        } else {
            prop_assert!(head.ends_with("...") && text.starts_with(&head[..head.len() - 3]));
            prop_assert_eq!(head.chars().count(), max + 3);
            prop_assert_eq!(ends.chars().count(), max + 5);
            let (first, last) = ends.split_once("\n...\n").expect("a gap");
            prop_assert!(text.starts_with(first) || text.contains("\n...\n"));
            prop_assert!(text.ends_with(last) || text.contains("\n...\n"));
            prop_assert!(visible.chars().count() <= max + 80 && lines.chars().count() <= max + 80);
        }
    }

    #[test]
    fn no_line_of_a_text_of_others_stands_without_its_margin(text in any_text()) {
        prop_assert!(quoted(&text).split('\n').all(|line| line.starts_with("| ")));
        prop_assert!(quoted(&text).chars().all(|sign| sign == '\n' || sign == '\t' || !sign.is_control()));
        prop_assert!(!inline(&text).contains('\n'));
        let objects = tame(&text).contains(['{', '}']);
        prop_assert!(!objects);
        prop_assert_eq!(clean(&clean(&text)), clean(&text));
    }

    #[test]
    fn a_prompt_keeps_its_budget_and_what_must_stay_whatever_others_write(
        task in any_text(), texts in vec(any_text(), 1..5), runs in vec(status(), 0..16), steps in 0usize..100,
        faults in vec(any_text(), 0..3),
    ) {
        let mission = filled(&task, &texts, &runs, steps);
        let charter = mission.state.charter.clone().expect("a charter");
        let again = MisreadReply { faults: faults.iter().map(|fault| Arc::from(fault.as_str())).collect(), shorter: true };
        for call in [DecisionPoint::Select, DecisionPoint::Evaluate] {
            let input = input(&mission.state, call, mission.now);
            let rendered = render(&charter, &mission.state, &input, &MoveKind::ALL, &again);
            let chars = rendered.prompt.chars().count() + rendered.system.chars().count();
            prop_assert!(chars <= limits::PROMPT_CHARS_MAX, "{chars}");
            let iteration = format!("- Iteration {} of 50;", runs.len() + usize::from(call == DecisionPoint::Select));
            prop_assert!(rendered.prompt.contains(&iteration));
            prop_assert_eq!(rendered.prompt.contains("Current step: 1 of"), steps > 0);
            if clean(&task).chars().count() < 3_000 {
                prop_assert!(rendered.prompt.contains(clean(&task).trim_end()));
            }
            // Outside the task and our own forms, nothing can be read as an object.
            let outside = rendered.prompt.split_once("</task>").map_or("", |(_, rest)| rest);
            let objects = outside.lines().filter(|line| line.contains('{')).count();
            let in_task = task.contains("</task>");
            prop_assert!(in_task || objects == MoveKind::ALL.len(), "{outside}");
        }
    }
}
