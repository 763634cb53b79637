//! The conductor's own view: its frames, its page, what can be typed, and that a replay shows what was shown live.

use std::sync::Arc;

use mind::conductor::execution::RunStatus;
use mind::conductor::plan::StepStatus;
use mind::conductor::state::RunKind;
use mind::conductor::{ConductorFact, DecisionPoint, MoveSource, NextMove};
use mind::event::HumanAction;
use mind::fact::MissionFact;
use mind::{Fact, State};
use tui::lines;
use tui::screen::Time;
use tui::theme::Theme;
use tui::ui_command::UiCommand;
use tui::view_model::Attachment;
use view::typed::{self, Typed};

use crate::booth::Booth;
use crate::frames::{SIZES, frames};
use crate::{canvas, concert};

#[test]
fn an_agent_works_at_a_step() {
    frames("conducted", concert::at_work());
}

#[test]
fn the_model_cannot_be_reached() {
    frames("conducted_recovering", concert::in_trouble());
}

#[test]
fn nothing_is_planned_yet() {
    let mut booth = Booth::new(Attachment::House);
    booth.told([Fact::Mission(MissionFact::Opened(Box::new(concert::charter())))]);
    frames("conducted_opened", booth);
}

#[test]
fn it_failed_for_good() {
    let mut booth = concert::in_trouble();
    let why = Arc::from("three failures in a row: cannot find crate `jsonwebtoken`");
    booth.told([Fact::Mission(MissionFact::Failed { why })]);
    frames("conducted_failed", booth);
}

#[test]
fn the_plan_has_a_page() {
    let mut booth = concert::in_trouble();
    booth.press("Esc t");
    frames("conducted_plan", booth);
}

#[test]
fn every_decision_stands_on_a_page() {
    let mut booth = concert::in_trouble();
    booth.press("Esc t Tab");
    frames("conducted_decisions", booth);
}

#[test]
fn agents_have_a_session_for_each_run() {
    let mut booth = concert::at_work();
    booth.press("Esc s");
    booth.sized(80, 24);
    insta::assert_snapshot!(canvas::plain(&booth.frame(&Theme::PLAIN).0));
}

#[test]
fn ascii_is_enough_for_a_conducted_mission() {
    let mut booth = concert::in_trouble();
    for keys in ["Esc", "t", "Tab", "q s", "q ?"] {
        booth.press(keys);
        for (columns, rows) in SIZES {
            booth.sized(columns, rows);
            let frame = canvas::plain(&booth.frame(&Theme::ASCII).0);
            assert!(frame.is_ascii(), "{keys}:\n{frame}");
        }
    }
}

#[test]
fn a_replay_of_a_conducted_mission_shows_at_every_fact_what_was_shown_live() {
    let whole = concert::in_trouble();
    for (columns, rows) in SIZES {
        let mut live = Booth::new(Attachment::House);
        live.sized(columns, rows);
        let mut shown = Vec::new();
        for entry in whole.entries() {
            live.told_at(entry.at, entry.fact.clone());
            shown.push(live.frame(&Theme::COLOURED).0);
        }
        let mut replay = whole.seated(Attachment::Replay);
        replay.sized(columns, rows);
        // The input and the line below it say whether it is now or then.
        let above = usize::from(columns) * (usize::from(rows) - 2);
        for (index, frame) in shown.iter().enumerate().rev() {
            let seq = index as u64 + 1;
            replay.screen.time = Some(Time { seq, playing: false });
            let (again, _) = replay.frame(&Theme::COLOURED);
            let same = again.content[..above] == frame.content[..above];
            assert!(
                same,
                "fact {seq} at {columns} columns:\n{}\n{}",
                canvas::plain(frame),
                canvas::plain(&again)
            );
        }
    }
}

#[test]
fn the_step_at_work_is_seen_however_long_the_plan_is() {
    let mut booth = concert::at_work();
    let mut plan = concert::plan();
    let step = plan.steps[0].clone();
    plan.steps = (0..100)
        .map(|index| {
            let status = if index < 57 { StepStatus::Complete } else { StepStatus::Pending };
            mind::conductor::plan::PlanStep { index, status, ..step.clone() }
        })
        .collect();
    booth.told([concert::fact(ConductorFact::Planned(Box::new(plan)))]);
    booth.told(concert::begins(5, "developer", Some(57), RunKind::Work));
    for (columns, rows) in [(160, 50), (200, 60), (130, 24), (130, 16)] {
        booth.sized(columns, rows);
        let frame = canvas::plain(&booth.frame(&Theme::PLAIN).0);
        assert!(frame.contains("[▸] 58 Create middleware"), "{columns}x{rows}:\n{frame}");
    }
    booth.sized(160, 50);
    let frame = canvas::plain(&booth.frame(&Theme::PLAIN).0);
    assert!(frame.contains("iterations  5 of 50") && frame.contains("time "), "{frame}");
}

#[test]
fn no_text_of_an_agent_reaches_the_terminal_as_more_than_text() {
    let hostile = "a\u{1b}]0;title\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}evil\u{202c} \u{2066}x\n---\n# y\u{0}";
    let mut booth = concert::at_work();
    let mut plan = concert::plan();
    for step in &mut plan.steps {
        step.description = Arc::from(hostile);
        step.instructions = Some(Arc::from(hostile));
        step.acceptance_criteria = vec![Arc::from(hostile)];
        step.affected_files = vec![Arc::from(hostile)];
    }
    plan.created_by = Arc::from(hostile);
    plan.metadata.assumptions = vec![Arc::from(hostile)];
    let mut run = concert::execution(4, hostile, Some(1), RunStatus::Failure, hostile);
    run.verdict = Some(Arc::from(hostile));
    run.issues = vec![Arc::from(hostile)];
    run.output.files_modified = Some(vec![Arc::from(hostile)]);
    booth.told([Fact::Conductor(ConductorFact::Planned(Box::new(plan)))]);
    booth.told(concert::ends(run, None));
    booth.told([
        concert::at_step(0, StepStatus::Failed, Some(hostile)),
        concert::record(
            5,
            DecisionPoint::Evaluate,
            4,
            MoveSource::Model,
            NextMove::Fail { reason: Arc::from(hostile) },
        ),
        concert::fact(ConductorFact::TurnedBack { why: Arc::from(hostile) }),
    ]);
    booth.told(concert::begins(5, hostile, Some(0), RunKind::Work));
    for keys in ["Esc", "t", "Tab", "q s"] {
        booth.press(keys);
        for (columns, rows) in SIZES {
            booth.sized(columns, rows);
            let (buffer, _) = booth.frame(&Theme::COLOURED);
            let bad = |sign: char| {
                sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            let found = buffer.content.iter().find(|cell| cell.symbol().chars().any(bad));
            assert!(found.is_none(), "{keys}: {found:?}");
        }
    }
}

/// The lines that are printed of a whole mission.
#[test]
fn a_conducted_mission_is_told_in_plain_lines() {
    let mut state = State::default();
    let mut told = String::new();
    for entry in concert::in_trouble().entries() {
        let before = state.clone();
        state.apply(entry);
        for (ink, text) in lines::of_entry(entry, &before, &state) {
            told.push_str(&format!("{ink:<6} {text}\n", ink = format!("{ink:?}")));
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn agents_are_forced_by_name_steps_skipped_and_runs_tried_again() {
    let mut booth = concert::at_work();
    for (line, action) in [
        ("/force tester", HumanAction::Force(Arc::from("tester"))),
        ("/force TESTER", HumanAction::Force(Arc::from("tester"))),
        ("/force review agent", HumanAction::Force(Arc::from("reviewer"))),
        ("/skip", HumanAction::Skip),
        ("/retry", HumanAction::Retry),
        ("go on with the login", HumanAction::Say(Arc::from("go on with the login"))),
    ] {
        booth.types(line);
        let mut wishes = booth.press("Enter");
        // The offer takes the first Enter where a command could be completed.
        if wishes.is_empty() {
            wishes = booth.press("Enter");
        }
        assert_eq!(wishes, [UiCommand::Do(action)], "{line}");
    }
}

#[test]
fn what_cannot_be_meant_is_told() {
    let booth = concert::at_work();
    for (line, why) in [
        ("/force", "there are planner, developer, tester, reviewer"),
        ("/force testr", "did you mean tester?"),
        ("/force memory-keeper", "there is no agent"),
        ("/skip it", "stands alone"),
        ("/skp", "did you mean /skip?"),
        ("/release", "there is no /release"),
        ("@orchestrator go", "there is no Orchestrator here"),
    ] {
        let read = typed::read(line, booth.state());
        assert!(matches!(&read, Typed::Unclear(said) if said.contains(why)), "{line}: {read:?}");
    }
}
