//! Dice for the laws: an event that could come next in this mission, likely or unlikely, well-formed or not.

use std::sync::Arc;

use mind::event::{AgentEvent, TurnEnd};
use mind::play::Stage;
use mind::session::{CloneTree, Gauge};
use mind::{Address, Event, SessionId, TurnId};

/// Which kind of event, and which of its kind.
pub type Dice = (u8, u16);

/// Draws what happens next. About half of the dice move the mission forward; the others disturb it.
pub fn draw(stage: &mut Stage, (kind, pick): Dice) -> Event {
    match kind % 44 {
        0..16 => forward(stage, pick),
        16..19 => words(stage, pick),
        19 | 20 => {
            stage.event(one(pick, &["human pause", "human resume", "human resume", "human interrupt"]))
        }
        21 => stage.event(one(pick, &["human interrupt", "human release"])),
        22 => rare(stage, pick),
        23 | 24 => nonsense(stage, pick),
        25 => stale(stage, pick),
        26 => stage.event("restart"),
        27 => again(stage),
        28 => wrong_gate(stage, pick),
        29 | 30 => fault(stage, pick),
        31..39 => permission(stage, pick),
        39..43 => docket(stage, pick),
        _ => report(stage, pick),
    }
}

/// What a good cast would do: whoever has a turn in flight ends it sensibly; the workshop answers what was asked.
fn forward(stage: &mut Stage, pick: u16) -> Event {
    let state = &stage.state;
    if state.charter.is_none() || state.ended.is_some() || state.halted.is_some() {
        return stage.event("restart");
    }
    if state.clone_place.is_none() {
        return stage.event("settled");
    }
    let worker =
        state.worker().filter(|worker| worker.turns.current.is_some()).map(|worker| worker.profile.role);
    let manager = state.arbiter().is_some_and(|arbiter| arbiter.turns.current.is_some());
    let surveyed = state.gate.as_ref().map(|gate| gate.tree.is_some());
    let brought = state.gate.as_ref().is_some_and(|gate| gate.brought);
    match (manager, worker, surveyed) {
        (_, Some(role), _) if !manager || pick.is_multiple_of(2) => {
            let verifier = role == mind::session::Role::Verifier;
            worker_line(stage, pick / 2, verifier)
        }
        (true, _, _) => {
            let line = manager_line(stage, pick / 2);
            stage.event(line)
        }
        (false, _, Some(false)) => {
            stage.event(one(pick, &["surveyed c2", "surveyed c2", "surveyed c2 dirty", "surveyed c3"]))
        }
        (false, _, Some(true)) if !brought => {
            stage.event(one(pick, &["brought", "brought", "brought", "brought c9", "unfit: no branch"]))
        }
        (false, _, Some(true)) => stage.event(one(
            pick,
            &["check pass", "check pass", "check pass", "check fail 1: red", "check timeout"],
        )),
        (false, _, None) => stage.event(if state.paused { "human resume" } else { "human: yes" }),
    }
}

fn manager_line(stage: &Stage, pick: u16) -> &'static str {
    const ASK: &str = "arbiter address_human asks alignment: Shall it begin?";
    const SUMMON: &str = "arbiter summon_orchestrator: I call one.";
    const AUDIT: &str = "arbiter summon_orchestrator agent verifier: Judge.";
    const CLAIM: &str = "arbiter release_orchestrators claim complete: It is done.";
    const SPEAK: &str = "arbiter address_orchestrator: Go on.";
    const MUSE: &str = "arbiter musings: Hm.";
    const TELL: &str = "arbiter address_human: Know this.";
    const RELEASE: &str = "arbiter release_orchestrators: It is called off.";
    let state = &stage.state;
    let passed =
        state.judgement.as_ref().is_some_and(|judgement| judgement.verdict == mind::talk::Verdict::Pass);
    let likely = match state.worker() {
        _ if state.consent.is_none() => one(pick / 8, &[ASK, ASK, ASK, SUMMON]),
        _ if state.gate.is_some() => one(pick / 8, &[SUMMON, MUSE, TELL, CLAIM]),
        _ if passed => CLAIM,
        Some(worker) if worker.work.awaits_reply => one(pick / 8, &[SPEAK, SPEAK, AUDIT, AUDIT]),
        Some(_) => SPEAK,
        None => one(pick / 8, &[SUMMON, AUDIT, AUDIT]),
    };
    one(pick, &[likely, likely, likely, likely, one(pick / 8, &[MUSE, TELL, RELEASE, CLAIM, SUMMON])])
}

fn worker_line(stage: &mut Stage, pick: u16, verifier: bool) -> Event {
    const LINES: [&str; 5] = ["introduction", "question", "progress", "progress?", "handoff"];
    const AUDITS: [&str; 4] = ["pass", "pass", "fail", "question"];
    stage.perform(one(pick / 8, &["tree c2", "tree c2", "tree c2", "tree c1 dirty", "tree unknown"]));
    let word = if verifier { one(pick, &AUDITS) } else { one(pick, &LINES) };
    stage.event(&format!("orchestrator {word}: So it is."))
}

fn words(stage: &mut Stage, pick: u16) -> Event {
    stage.event(one(pick, &["human: wait", "human: yes", "human @orchestrator: left", "policy night: yes"]))
}

/// What ends or halts a mission: rare, or nothing else would be seen.
fn rare(stage: &mut Stage, pick: u16) -> Event {
    let line = one(
        pick,
        &["human cancel", "broken: no disk", "lost arbiter: gone", "human: hm", "human: so", "settled"],
    );
    let line = if stage.state.arbiter().is_none() && line.starts_with("lost") { "restart" } else { line };
    stage.event(line)
}

/// Petitions: what sessions want of the docket, and what becomes of it.
fn docket(stage: &mut Stage, pick: u16) -> Event {
    const LINES: [&str; 12] = [
        "docket N decided: allow=yes",
        "docket N decided: allow=no",
        "docket N decided: way=left",
        "docket N decided: align=yes",
        "docket N decided: reply=so be it",
        "docket N decided forged: allow=yes",
        "docket N decided by policy: allow=yes",
        "docket N late: way=right",
        "docket N closed: it expired",
        "docket N unasked: no disk",
        "unattended",
        "attended",
    ];
    const PLEAS: [&str; 6] = [
        "push Which way? [left, right]",
        "push Which way? [left, right]",
        "push What now?",
        "await 1",
        "get 1",
        "status 1",
    ];
    let worker = stage.state.worker().is_some_and(|worker| worker.turns.current.is_some());
    let all = stage.state.petitions.len();
    if worker && (all == 0 || pick.is_multiple_of(3)) {
        let count = if all == 0 { 3 } else { PLEAS.len() };
        return stage.event(&format!("orchestrator pleads {}", PLEAS[usize::from(pick / 3) % count]));
    }
    if all == 0 {
        return stage.event("unattended");
    }
    let line = one(pick, &LINES).replace('N', &format!("{}", 1 + usize::from(pick / 16) % all));
    stage.event(&line)
}

/// Tools that wait for a yes, and answers of every kind.
fn permission(stage: &mut Stage, pick: u16) -> Event {
    const ASKS: [&str; 5] = [
        "WHO asks rm a [rm]",
        "WHO asks curl b [curl, net]",
        "WHO asks dd c",
        "WHO asks del d [rm]",
        "WHO asks wget e [net, curl]",
    ];
    const ANSWERS: [&str; 16] = [
        "human yes ASK",
        "human yes ASK",
        "human yes ASK mission",
        "human yes ASK mission",
        "human yes ASK hour",
        "human yes ASK to dd c",
        "human no ASK: not that",
        "policy night yes ASK mission",
        "policy night no ASK",
        "WHO unasks rm",
        "unattended",
        "attended",
        "attended",
        "restart",
        "lost WHO: exit 1",
        "alarm",
    ];
    let busy = |session: &&mind::session::Session| session.turns.current.is_some();
    let who = match (stage.state.arbiter().filter(busy), stage.state.worker().filter(busy)) {
        (_, Some(_)) => "orchestrator",
        (Some(_), _) => "arbiter",
        (None, None) => return forward(stage, pick),
    };
    let asked: Vec<_> = stage.state.permissions().map(|(_, ask)| ask.clone()).collect();
    let line = match asked.get(usize::from(pick / 16) % asked.len().max(1)) {
        Some(ask) if ask.call.is_some() => one(pick, &ANSWERS).replace("ASK", &ask.id.to_string()),
        // Its process ended: it is answered all the same, or asked again.
        Some(ask) if ask.answer.is_none() && pick.is_multiple_of(2) => format!("human yes {}", ask.id),
        Some(ask) if !pick.is_multiple_of(3) => {
            format!("WHO asks {} [{}]", ask.request.what, ask.request.shapes.join(", "))
        }
        Some(_) | None => one(pick, &ASKS).to_owned(),
    };
    let line = line.replace("WHO", who);
    if line == "alarm" {
        stage.perform("later 20m");
    }
    stage.event(&line)
}

/// Errors, limits, deaths, silence, and time that passes.
fn fault(stage: &mut Stage, pick: u16) -> Event {
    let who = match (stage.state.arbiter(), stage.state.worker()) {
        (_, Some(_)) if !pick.is_multiple_of(4) => "orchestrator",
        (Some(_), _) => "arbiter",
        (None, _) => return stage.event("restart"),
    };
    let what = one(
        pick / 4,
        &[
            "alarm",
            "alarm",
            "alarm",
            "WHO fails: 500",
            "WHO limited +5m: usage",
            "WHO limited: slow down",
            "WHO unauthorised: 401",
            "WHO refused: no",
            "WHO stirs",
            "WHO awaits human",
            "WHO awaits nobody",
            "lost WHO: exit 1",
            "WHO gauge 150000/200000",
            "WHO gauge 190000/200000",
        ],
    );
    let line = what.replace("WHO", who);
    if line == "alarm" {
        stage.perform("later 20m");
    }
    stage.event(&line)
}

/// Turns that end in something that is no valid output.
fn nonsense(stage: &mut Stage, pick: u16) -> Event {
    let who = match (stage.state.arbiter(), stage.state.worker()) {
        (_, Some(_)) if pick.is_multiple_of(2) => "orchestrator",
        (Some(_), _) => "arbiter",
        (None, _) => return stage.event("restart"),
    };
    let what = one(
        pick / 2,
        &[
            "silent",
            "plain: I forgot the form",
            "raw 5",
            "raw {\"intent\": \"fly\", \"message\": \"up\"}",
            "raw {\"kind\": \"progress\", \"expects_response\": \"maybe\", \"message\": \"?\"}",
            "raw {\"intent\": \"musings\", \"message\": \"  \"}",
            "interrupted",
            "rested t1",
        ],
    );
    stage.event(&format!("{who} {what}"))
}

/// A life that is over, or never was, reports a turn that may even be in flight.
fn stale(stage: &mut Stage, pick: u16) -> Event {
    let sessions = stage.state.sessions.len() as u32;
    let session = SessionId(u32::from(pick) % (sessions + 2));
    let life = stage.state.sessions.get(&session).map_or(0, |session| session.incarnation);
    let incarnation = if pick.is_multiple_of(2) { life.saturating_sub(1) } else { life + 1 };
    let address = Address { session, incarnation };
    let turn = stage.state.sessions.get(&session).and_then(|session| session.turns.current.as_ref());
    let turn = turn.map_or(TurnId(u32::from(pick) % 50), |turn| turn.id);
    let event = match pick % 4 {
        0 => AgentEvent::Heard(turn),
        1 => AgentEvent::Lost { why: Arc::from("gone") },
        2 => AgentEvent::Gauged(Gauge::named(95, 100, "usage")),
        _ => AgentEvent::Rested { turn, end: TurnEnd::Interrupted, tree: None::<CloneTree> },
    };
    Event::Agent(address, event)
}

fn again(stage: &mut Stage) -> Event {
    if stage.entries.is_empty() { stage.event("restart") } else { stage.event("again") }
}

fn wrong_gate(stage: &mut Stage, pick: u16) -> Event {
    stage.event(one(
        pick,
        &[
            "surveyed c2 for g9",
            "check pass for g9",
            "check pass #7",
            "check pass",
            "surveyed c1",
            "brought c9",
            "brought",
        ],
    ))
}

/// Reports of a session at work: what it heard, its gauge, its tools, its checklist.
fn report(stage: &mut Stage, pick: u16) -> Event {
    let who = match (stage.state.arbiter(), stage.state.worker()) {
        (_, Some(_)) if !pick.is_multiple_of(4) => "orchestrator",
        (Some(_), _) => "arbiter",
        (None, _) => return stage.event("restart"),
    };
    let turns = stage.state.turns.max(1);
    let what = match pick / 4 % 10 {
        0 | 1 => "heard".to_owned(),
        2 | 3 => format!("heard t{}", turns - u32::from(pick / 64) % turns.min(4)),
        4 | 5 => format!("gauge {}/200000", u32::from(pick) * 4),
        6 => one(pick / 64, &["warned 70", "warned 85"]).to_owned(),
        7 => one(pick / 64, &["tasks [x] a", "tasks [x] a | [x] b", "tasks [ ] a"]).to_owned(),
        8 => "tool Bash ls".to_owned(),
        _ => one(pick / 64, &["tool ok", "tool failed"]).to_owned(),
    };
    stage.event(&format!("{who} {what}"))
}

fn one<'a>(pick: u16, of: &[&'a str]) -> &'a str {
    of[usize::from(pick) % of.len()]
}
