//! The answers of a person to permissions: `/yes q1`, `/no q1 WHY`. An answer names its permission, and is bound to
//! what that permission shows.

use std::sync::Arc;

use mind::event::HumanAction;
use mind::policy::GrantScope;
use mind::{PermissionId, State};

/// Reads `/yes q1 q2 mission` or `/no q1 WHY`. What cannot be meant is told in words.
pub fn read(line: &str, state: &State) -> Result<Vec<HumanAction>, String> {
    let spaced = line.replace(',', ", ");
    let mut words = spaced.split_whitespace().peekable();
    let allowed = words.next() == Some("/yes");
    let mut permissions = Vec::new();
    while let Some(ask) = words.peek().and_then(|word| permission_of(word)) {
        permissions.push(ask);
        words.next();
    }
    if permissions.is_empty() {
        return Err(which(state));
    }
    let rest: Vec<&str> = words.collect();
    let (scope, why) = match (allowed, rest.as_slice()) {
        (false, _) => (GrantScope::Once, reason(line, permissions.len())),
        (true, [] | ["once"]) => (GrantScope::Once, String::new()),
        (true, ["mission"]) => (GrantScope::Mission, String::new()),
        (true, ["hour"]) => (GrantScope::Hour, String::new()),
        (true, _) => {
            return Err(format!(
                "{:?} is not understood, and nothing was allowed: a yes is `/yes q1`, `/yes q1 mission` or `/yes q1 hour`",
                rest.join(" ")
            ));
        }
    };
    bind(&permissions, state, allowed, scope, &why)
}

/// What follows the numbers, as it was typed.
fn reason(line: &str, permissions: usize) -> String {
    let mut rest = line.trim_start().trim_start_matches("/no").trim_start();
    for _ in 0..permissions {
        rest =
            rest.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric()).trim_start_matches([',', ' ']);
    }
    rest.trim().to_owned()
}

/// Binds one answer to each of these permissions, as they stand.
pub fn bind(
    permissions: &[PermissionId],
    state: &State,
    allowed: bool,
    scope: GrantScope,
    why: &str,
) -> Result<Vec<HumanAction>, String> {
    let bound = permissions.iter().map(|id| {
        let (_, ask) = state
            .permission(*id)
            .ok_or_else(|| format!("{id} is not open, and nothing was answered. {}", which(state)))?;
        let digest = Arc::clone(&ask.request.digest);
        Ok(HumanAction::Answer { permission: *id, digest, allowed, scope, why: Arc::from(why) })
    });
    bound.collect()
}

/// The permission that a word names: `q3`, or `3`.
pub fn permission_of(word: &str) -> Option<PermissionId> {
    word.trim_end_matches(',').trim_start_matches('q').parse().ok().map(PermissionId)
}

fn which(state: &State) -> String {
    let open: Vec<String> = state.open_permissions().map(|(_, ask)| ask.id.to_string()).collect();
    match open.as_slice() {
        [] => "no permission waits for a yes or a no".to_owned(),
        open => format!("which permission? These wait: {}", open.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use mind::play::Stage;

    use super::*;

    fn asking() -> State {
        let mut stage = Stage::new();
        for line in ["at work", "orchestrator asks rm -rf build", "orchestrator asks curl a [curl]"] {
            stage.set_up(line);
        }
        stage.state
    }

    fn answer(ask: u32, command: &str, allowed: bool, scope: GrantScope, why: &str) -> HumanAction {
        let digest = Arc::from(format!("sha256:{command}"));
        HumanAction::Answer { permission: PermissionId(ask), digest, allowed, scope, why: Arc::from(why) }
    }

    #[test]
    fn an_answer_is_bound_to_what_its_question_shows() {
        let state = asking();
        let yes = |ask, command, scope| answer(ask, command, true, scope, "");
        let cases = [
            ("/yes q1", vec![yes(1, "rm -rf build", GrantScope::Once)]),
            ("/yes 1", vec![yes(1, "rm -rf build", GrantScope::Once)]),
            ("/yes q2 mission", vec![yes(2, "curl a", GrantScope::Mission)]),
            ("/yes q2 hour", vec![yes(2, "curl a", GrantScope::Hour)]),
            (
                "/yes q1,q2",
                vec![yes(1, "rm -rf build", GrantScope::Once), yes(2, "curl a", GrantScope::Once)],
            ),
            (
                "/yes q1, q2",
                vec![yes(1, "rm -rf build", GrantScope::Once), yes(2, "curl a", GrantScope::Once)],
            ),
            ("/no q1", vec![answer(1, "rm -rf build", false, GrantScope::Once, "")]),
            (
                "/no q1 keep it, please",
                vec![answer(1, "rm -rf build", false, GrantScope::Once, "keep it, please")],
            ),
        ];
        for (line, actions) in cases {
            assert_eq!(read(line, &state), Ok(actions), "{line}");
        }
    }

    #[test]
    fn what_is_not_clear_answers_nothing() {
        let state = asking();
        for (line, why) in [
            ("/yes", "which permission? These wait: q1, q2"),
            ("/yes please", "which permission?"),
            ("/no", "which permission?"),
            ("/yes q1 but only once", "nothing was allowed"),
            ("/yes q1 q9", "q9 is not open, and nothing was answered"),
        ] {
            assert!(read(line, &state).is_err_and(|said| said.contains(why)), "{line}");
        }
        let none = read("/yes", &State::default());
        assert_eq!(none, Err("no permission waits for a yes or a no".to_owned()));
    }
}
