//! Every bound of the conductor.

/// Entries of the history that a selection is told.
pub const SELECT_WINDOW: usize = 10;
/// Entries of the history that an evaluation is told.
pub const EVALUATE_WINDOW: usize = 5;
/// Failures of the whole history that are told besides, once more than [`FAILURES_MIN`] stand in the window.
pub const FAILURES_SHOWN: usize = 5;
/// Failures in the window from which on earlier ones are told too: more than this.
pub const FAILURES_MIN: usize = 2;
/// Signs of a summary in the history.
pub const HISTORY_CHARS_MAX: usize = 300;
/// Signs of the last run's summary.
pub const SUMMARY_CHARS_MAX: usize = 500;
/// Signs of the last run's output.
pub const FULL_CHARS_MAX: usize = 2_000;
/// Signs of an output that the journal keeps, for the next agent.
pub const KEPT_CHARS_MAX: usize = 8_000;
/// Tries again that one agent has in one step.
pub const RETRIES_MAX: u32 = 2;
/// How often a model is asked again after a reply that cannot be read.
pub const ASKED_AGAIN_MAX: u32 = 2;
/// How often a model that cannot be reached is tried again.
pub const CALLS_AGAIN_MAX: u32 = 3;
/// The longest wait for a model; a longer one makes the fallback choose.
pub const CALL_WAIT_MS_MAX: u64 = 60_000;
/// Signs of a raw reply that a record keeps.
pub const RAW_CHARS_MAX: usize = 16_000;
/// Iterations of a mission, if the configuration says nothing.
pub const ITERATIONS_DEFAULT: u32 = 50;
/// Failures in a row that end a mission, if the configuration says nothing.
pub const FAILURES_DEFAULT: u32 = 3;
/// Tokens of a model call, if the configuration says nothing.
pub const DECISION_TOKENS_DEFAULT: u32 = 1_024;
/// How long a run may take, if its agent says nothing.
pub const RUN_MS_DEFAULT: u64 = 60 * 60 * 1000;
/// Steps of a plan.
pub const STEPS_MAX: usize = 100;
/// Issues of a verdict.
pub const ISSUES_MAX: usize = 50;
/// Signs of one issue, one reason, one piece of guidance.
pub const WORDS_CHARS_MAX: usize = 4_000;
/// Files that an execution names.
pub const FILES_MAX: usize = 100;
/// Notes of one mission.
pub const NOTES_MAX: usize = 500;
/// Signs of a note.
pub const NOTE_CHARS_MAX: usize = 4_000;
/// Decisions that are remembered for the cache.
pub const CACHE_MAX: usize = 64;
/// The confidence below which a dry run is no success, in percent.
pub const CONFIDENT_PERCENT: u8 = 60;
/// Notes of one answer.
pub const NOTES_AT_ONCE_MAX: usize = 10;
/// Moves without an event in between: more of them lead nowhere.
pub const MOVES_MAX: usize = 256;
/// The first wait for a model that cannot be reached; each further one is twice as long.
pub const CALL_BACKOFF_MS: u64 = 1_000;
/// Signs of all notes that a session is told.
pub const NOTES_CHARS_MAX: usize = 4_000;
/// Bytes of a reply that are looked at: a longer one is no decision.
pub const REPLY_BYTES_MAX: usize = 256 * 1024;
/// Places of a reply where a decision may begin that are looked at.
pub const CANDIDATES_MAX: usize = 32;
/// What is told of one bad reply.
pub const FAULTS_MAX: usize = 8;
/// Signs of a model's own words that a fault repeats.
pub const QUOTED_CHARS_MAX: usize = 80;
/// Options of a question to the human.
pub const OPTIONS_MAX: usize = 10;
/// Signs of one of them.
pub const OPTION_CHARS_MAX: usize = 300;
/// Runs that are looked through for the last one that could write.
pub const LOOK_BACK_MAX: usize = 256;
/// Signs of a task that a decision is told; a longer one is cut, and says so.
pub const TASK_CHARS_MAX: usize = 12_000;
/// Signs of the description of a step that a decision is told.
pub const STEP_CHARS_MAX: usize = 1_000;
/// Signs of notes that a selection is told.
pub const NOTES_INPUT_CHARS_MAX: usize = 2_000;
/// Signs of the prompt of a decision.
pub const PROMPT_CHARS_MAX: usize = 24_000;
/// Signs of what an agent is told.
pub const BRIEF_CHARS_MAX: usize = 60_000;
/// Signs of one report of an earlier agent in what an agent is told.
pub const REPORT_CHARS_MAX: usize = 3_000;
/// Reports of earlier agents in what an agent is told.
pub const REPORTS_MAX: usize = 12;
/// How far back in the history reports are looked for.
pub const REPORTS_BACK_MAX: usize = 200;
/// Messages of the human that an agent is told, the newest.
pub const WORDS_SHOWN_MAX: usize = 20;
/// How far back in the conversation they are looked for.
pub const WORDS_BACK_MAX: usize = 1_000;
/// Signs of notes that an agent is told.
pub const NOTES_BRIEF_CHARS_MAX: usize = 6_000;
/// Words of a note shorter than this do not say what it is about, in characters.
pub const NOTE_WORD_CHARS_MIN: usize = 3;
/// What a note costs in a prompt besides its own signs: a heading, line ends.
pub const NOTE_CHARS_AROUND: usize = 16;
/// Words that a note needs before sharing most of them means saying the same.
pub const NOTE_WORDS_MIN: usize = 5;
/// Decisions that are looked back for what the human was told already.
pub const TOLD_WINDOW: usize = 16;
/// Signs of an agent's name that a planner wrote.
pub const NAME_CHARS_MAX: usize = 60;
