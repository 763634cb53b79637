//! Every bound of the mind, in one place: retries, queues, and texts sent to a model.

/// Events that are taken as one batch, with one sync.
pub const BATCH_EVENTS_MAX: usize = 256;
/// How often a malformed output is asked again before it is taken as a plain message.
pub const MALFORMED_ASKS_MAX: u32 = 2;
/// Turns of an Orchestrator in a row that expect no reply and change nothing, before the Arbiter is told.
pub const QUIET_TURNS_MAX: u32 = 5;
/// Acts of the Arbiter in a row that may be turned back before the human is asked instead.
pub const TURNED_BACK_MAX: u32 = 3;
/// Turns of a council in a row without a change of tree, tasks, checks, verdict or human words, before the human is asked.
pub const TURNS_WITHOUT_CHANGE_MAX: u32 = 40;
/// How many trees, task lists, verdicts and results of checks are remembered since the human's last word: one that comes
/// back is no change.
pub const CHANGES_SEEN_MAX: usize = 1_000;
/// Exchanges of a council without such a change that a limit of iterations always leaves: a briefing needs some.
pub const EXCHANGES_MIN: u32 = 10;
/// What of a budget is kept for the handoff, in percent.
pub const HANDOFF_PERCENT: u64 = 10;
/// At most so many tokens of it: a handoff reads one context, and writes little.
pub const HANDOFF_TOKENS_MAX: u64 = 200_000;
/// At most so much money of it, in millionths of a dollar.
pub const HANDOFF_MICROUSD_MAX: u64 = 2_000_000;
/// What of the tokens is kept at most, in percent, where the contexts at work are larger than that.
pub const HANDOFF_CONTEXT_PERCENT: u64 = 50;
/// Reports of usage in the turn of a handoff at a limit before it is stopped, once nothing is left: the first is of the
/// answer that was asked for.
pub const HANDOFF_REPORTS_STOP: u32 = 2;
/// How long a handoff at a limit may take.
pub const HANDOFF_MS_MAX: u64 = 2 * 60_000;
/// How long a turn that a limit stops may take to stop.
pub const STOP_MS_MAX: u64 = 30_000;
/// Transient errors in a row before the provider is only looked at now and then.
pub const BACKOFFS_MAX: u32 = 8;
/// The first wait after a transient error; each further one is twice as long.
pub const BACKOFF_MS: u64 = 1_000;
/// The longest wait after a transient error.
pub const BACKOFF_MS_MAX: u64 = 5 * 60 * 1000;
/// When a provider that named no time is looked at again, one after the other; the last repeats.
pub const PROBES_MS: [u64; 4] = [60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000];
/// Waits before a dead session is taken up again; after the last of them it is lost.
pub const REVIVALS_MS: [u64; 3] = [1_000, 5_000, 15_000];
/// Nudges in one turn; a session that gives signs of life and yet does not end its turn is interrupted after them.
pub const NUDGES_MAX: u32 = 3;
/// A worker that passes this percent of its window is interrupted and asked for its handoff.
pub const OVERFLOW_PERCENT: u64 = 92;
/// The longest testament that is passed on, in characters.
pub const TESTAMENT_CHARS_MAX: usize = 64 * 1024;
/// How many reports and receipts an heir is told of.
pub const RECORD_REPORTS_MAX: usize = 12;
/// The longest requirements scroll that is read, in bytes.
pub const SCROLL_BYTES_MAX: usize = 512 * 1024;
/// The longest message an agent may give in one output, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// The longest message a human may send in one piece, in bytes.
pub const WORDS_BYTES_MAX: usize = 256 * 1024;
/// How much mail one prompt holds, in bytes; what does not fit waits for the next turn.
pub const PROMPT_BYTES_MAX: usize = 512 * 1024;
/// The longest finding of a verifier that is read, in characters.
pub const FINDING_CHARS_MAX: usize = 2_000;
/// The longest version of a program that is kept, in characters.
pub const VERSION_CHARS_MAX: usize = 40;
/// The longest title of a task that is kept, in characters.
pub const TASK_CHARS_MAX: usize = 500;
/// The longest text of a decision's field, in characters.
pub const DECISION_CHARS_MAX: usize = 8_000;
/// How much of one fault is told to the model, in characters.
pub const FAULT_CHARS_MAX: usize = 300;
/// How many faults of one output are told at once.
pub const FAULTS_MAX: usize = 20;
/// How many lines of a work log an envelope shows; older ones are counted.
pub const LOG_LINES_MAX: usize = 100;
/// The longest line of a work log in an envelope, in characters.
pub const LOG_LINE_CHARS_MAX: usize = 2_000;
/// How many findings of a verifier are read.
pub const FINDINGS_MAX: usize = 100;
/// How many decisions one question to the human may hold.
pub const DECISIONS_MAX: usize = 50;
/// How many tasks of a checklist are kept.
pub const TASKS_MAX: usize = 500;
/// How much of a failed check's output is told to the Arbiter, in characters.
pub const CHECK_TAIL_CHARS_MAX: usize = 2_000;
/// How many questions of one session may wait at once; further tools are refused.
pub const ASKS_MAX: usize = 50;
/// How many lasting yeses are kept; the oldest go first.
pub const GRANTS_MAX: usize = 200;
/// How long a yes for an hour lasts.
pub const GRANT_MS: u64 = 60 * 60 * 1000;
/// The longest reason for a no that is passed on, in characters.
pub const ANSWER_CHARS_MAX: usize = 2_000;
/// The longest remark of a session's program that a person is told, in characters.
pub const REMARK_CHARS_MAX: usize = 1_000;
/// How many reports of usage a session is remembered with; the oldest go first. A provider tells again what belongs to
/// the turn in flight, and no turn has so many.
pub const USAGE_REPORTS_MAX: usize = 64;
/// The longest name of a report of usage, in characters.
pub const USAGE_REPORT_CHARS_MAX: usize = 128;
/// How many tools at work a session is remembered with.
pub const TOOLS_MAX: usize = 50;
/// The longest detail of a tool line, in characters.
pub const TOOL_DETAIL_CHARS_MAX: usize = 200;
/// The longest title of a petition or of one of its decisions, in characters.
pub const TITLE_CHARS_MAX: usize = 200;
/// The longest name of an agent, a session, a tag, a decision or an option, in characters.
pub const NAME_CHARS_MAX: usize = 64;
/// The longest name of a person or a channel, in characters: other programs give long ones.
pub const ASSIGNEE_CHARS_MAX: usize = 4 * NAME_CHARS_MAX;
/// How many people and channels one petition may turn to, one after the other.
pub const ESCALATE_MAX: usize = 20;
/// The longest label of an option, in characters.
pub const LABEL_CHARS_MAX: usize = 1_000;
/// The longest context of a petition or of one of its decisions, in bytes.
pub const CONTEXT_BYTES_MAX: usize = 128 * 1024;
/// How many decisions one petition may hold.
pub const PETITION_DECISIONS_MAX: usize = 200;
/// How many options one decision may have.
pub const OPTIONS_MAX: usize = 50;
/// The longest answer in words of one's own, in bytes.
pub const CUSTOM_BYTES_MAX: usize = 64 * 1024;
/// How many bytes all texts of one petition may have together when it is asked.
pub const PETITION_BYTES_MAX: usize = 512 * 1024;
/// How many petitions of one session may wait at once.
pub const PETITIONS_OPEN_MAX: usize = 20;
/// How often a question is put into the docket again because its answer was void.
pub const PETITIONS_VOID_MAX: usize = 3;
/// Text of project rules (CLAUDE.md, AGENTS.md) given to sessions, in bytes.
pub const RULES_BYTES_MAX: usize = 64 * 1024;
/// The longest command line that is taken apart, in bytes; a longer one is asked about.
pub const COMMAND_BYTES_MAX: usize = 32 * 1024;
/// How deep a command line may be nested before it is asked about.
pub const COMMAND_DEPTH_MAX: usize = 16;
/// How many commands of one line are judged before the line is asked about.
pub const COMMAND_STEPS_MAX: usize = 2_000;
/// The longest text of what a person is asked to allow, in characters.
pub const QUESTION_CHARS_MAX: usize = 40 * 1024;
/// How many lines of a change a question shows of each side.
pub const QUESTION_LINES_MAX: usize = 120;
/// How many reasons one question or refusal gives.
pub const REASONS_MAX: usize = 8;

/// Cuts `text` to at most `max` characters on a boundary; "..." shows where, and only if, it was cut.
pub fn cut(text: &str, max: usize) -> String {
    match nth_char(text, max) {
        None => text.to_owned(),
        Some(end) => format!("{}...", &text[..end]),
    }
}

/// Where the character after `count` others begins, if there is one. Bytes are never fewer than characters, and a plain
/// text needs no counting.
pub(crate) fn nth_char(text: &str, count: usize) -> Option<usize> {
    match text.as_bytes().get(..count) {
        Some(head) if head.is_ascii() => (text.len() > count).then_some(count),
        Some(_) => text.char_indices().nth(count).map(|(at, _)| at),
        None => None,
    }
}
