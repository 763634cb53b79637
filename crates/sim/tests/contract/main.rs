//! What every provider owes the house, as one set of tests for all of them: the rehearsal, an impostor of Claude Code,
//! and the real one against a scripted API, in two versions. Then the faults that only the impostor can show.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod cast;
mod docket;
mod failures;
mod faults;
mod house;
mod judging;
mod live;
mod lives;
mod points;
mod processes;

/// Makes a test of each point for each provider that keeps it.
macro_rules! contract {
    ($($cast:ident: $maker:expr => { $($module:ident::$point:ident,)* })*) => {
        $(mod $cast {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $point() {
                crate::$module::$point(&$maker).await;
            })*
        })*
    };
}

contract! {
    rehearsal: crate::cast::Rehearsal => {
        points::a_text_is_heard_and_answered_with_a_typed_output,
        points::tools_are_told_with_how_they_ended,
        points::a_steered_text_is_heard_within_the_turn,
        points::a_steered_text_that_comes_too_late_is_a_turn_of_its_own,
        points::a_warning_is_told_once_after_the_next_tool,
        points::an_interrupt_ends_the_turn_and_the_next_one_works,
        points::the_checklist_is_told,
        points::a_text_that_is_given_twice_is_one_turn,
        docket::a_push_is_answered_by_the_house,
        docket::an_interrupt_ends_what_waits_for_the_docket,
        lives::the_end_leaves_nothing,
        lives::a_killed_process_is_lost_once,
        lives::a_new_life_goes_on,
        lives::a_steered_text_outlives_the_process,
        lives::a_text_that_nobody_heard_is_heard_in_the_next_life,
    }
    impostor: crate::cast::Impostor => {
        points::a_text_is_heard_and_answered_with_a_typed_output,
        points::tools_are_told_with_how_they_ended,
        points::a_steered_text_is_heard_within_the_turn,
        points::a_steered_text_that_comes_too_late_is_a_turn_of_its_own,
        points::a_steered_text_that_misses_its_turn_is_the_next_one,
        points::a_steered_text_outlives_an_interrupt,
        points::steered_texts_that_miss_their_turn_are_all_heard,
        points::a_warning_is_told_once_after_the_next_tool,
        points::an_interrupt_ends_the_turn_and_the_next_one_works,
        points::an_interrupt_before_the_first_tool_ends_the_turn,
        points::the_checklist_is_told,
        points::a_text_that_is_given_twice_is_one_turn,
        docket::a_push_is_answered_by_the_house,
        docket::an_interrupt_ends_what_waits_for_the_docket,
        lives::the_end_leaves_nothing,
        lives::the_end_tells_what_its_turn_took,
        lives::a_killed_process_is_lost_once,
        lives::a_new_life_goes_on,
        lives::a_thought_that_was_cut_off_is_thought_again,
        lives::a_steered_text_outlives_the_process,
        lives::a_text_that_nobody_heard_is_heard_in_the_next_life,
        lives::a_start_of_a_session_that_exists_takes_it_up,
    }
    real: crate::cast::Real => {
        points::a_text_is_heard_and_answered_with_a_typed_output,
        points::tools_are_told_with_how_they_ended,
        points::a_steered_text_is_heard_within_the_turn,
        points::a_steered_text_that_comes_too_late_is_a_turn_of_its_own,
        points::a_steered_text_that_misses_its_turn_is_the_next_one,
        points::a_steered_text_outlives_an_interrupt,
        points::steered_texts_that_miss_their_turn_are_all_heard,
        points::a_warning_is_told_once_after_the_next_tool,
        points::an_interrupt_ends_the_turn_and_the_next_one_works,
        points::an_interrupt_before_the_first_tool_ends_the_turn,
        points::the_checklist_is_told,
        points::a_text_that_is_given_twice_is_one_turn,
        docket::a_push_is_answered_by_the_house,
        docket::an_interrupt_ends_what_waits_for_the_docket,
        judging::a_call_that_asks_is_judged_once,
        lives::the_end_leaves_nothing,
        lives::a_killed_process_is_lost_once,
        lives::a_new_life_goes_on,
        lives::a_thought_that_was_cut_off_is_thought_again,
        lives::a_text_that_the_conversation_holds_is_not_given_twice,
        lives::a_steered_text_outlives_the_process,
        lives::a_text_that_nobody_heard_is_heard_in_the_next_life,
        lives::a_start_of_a_session_that_exists_takes_it_up,
        lives::the_checklist_outlives_the_process,
    }
    newest: crate::cast::Newest => {
        points::a_text_is_heard_and_answered_with_a_typed_output,
        points::tools_are_told_with_how_they_ended,
        points::a_steered_text_is_heard_within_the_turn,
        points::a_steered_text_that_comes_too_late_is_a_turn_of_its_own,
        points::a_steered_text_that_misses_its_turn_is_the_next_one,
        points::a_steered_text_outlives_an_interrupt,
        points::steered_texts_that_miss_their_turn_are_all_heard,
        points::a_warning_is_told_once_after_the_next_tool,
        points::an_interrupt_ends_the_turn_and_the_next_one_works,
        points::an_interrupt_before_the_first_tool_ends_the_turn,
        points::the_checklist_is_told,
        points::a_text_that_is_given_twice_is_one_turn,
        docket::a_push_is_answered_by_the_house,
        docket::an_interrupt_ends_what_waits_for_the_docket,
        judging::a_call_that_asks_is_judged_once,
        lives::the_end_leaves_nothing,
        lives::a_killed_process_is_lost_once,
        lives::a_new_life_goes_on,
        lives::a_thought_that_was_cut_off_is_thought_again,
        lives::a_text_that_the_conversation_holds_is_not_given_twice,
        lives::a_steered_text_outlives_the_process,
        lives::a_text_that_nobody_heard_is_heard_in_the_next_life,
        lives::a_start_of_a_session_that_exists_takes_it_up,
        lives::the_checklist_outlives_the_process,
    }
}
