//! An actor that dies at every line it reports, before and after it, and is taken up again.

use super::actor::{Actor, Theatre};

const PART: &str = "- does:
  - {tool: Read, on: scroll.md}
  - {write: a, text: one}
  - {tasks: [{title: A, status: in_progress}]}
  - {gauge: 100}
  - {commit: First}
  - {write: a, text: two}
  - {run: [test, -f, a]}
  - {gauge: 200}
  says: {kind: progress, expects_response: false, message: Half.}
- does: [{write: b, text: three}, {commit: Second}, {tasks: []}]
  says: {kind: handoff, expects_response: true, message: Whole.}";

/// Plays both turns with whatever is left of the actor; says whether it came to the end.
fn play(actor: &mut Actor) -> Option<Vec<String>> {
    let mut ends = Vec::new();
    for (turn, key) in [(1, "t-1"), (2, "t-2")] {
        actor.deliver(turn, key);
        ends.push(actor.until("rested").pop().filter(|line| line.starts_with("rested"))?);
    }
    Some(ends)
}

fn assert_whole(theatre: &Theatre, ends: &[String], way: &str) {
    assert_eq!(ends, ["rested 1 Half.", "rested 2 Whole."], "{way}");
    // The newest commit's name is made of all that came before it: the same work is the same commit.
    let log = "a840daf4d51edee6038c294f22a4c7fa26a5adda Second\n\
               4330114e6681466a7c31bff1f11bc3d741f492ad First\n";
    assert_eq!(theatre.git(&["log", "--format=%H %s"]), log, "{way}");
    assert_eq!(theatre.git(&["status", "--porcelain"]), "", "{way}");
}

#[test]
fn an_actor_killed_at_any_line_goes_on_exactly() {
    for way in ["REHEARSAL_DIE_BEFORE_LINE", "REHEARSAL_DIE_AFTER_LINE"] {
        let mut line = 0;
        let mut deaths = 0;
        loop {
            line += 1;
            let theatre = Theatre::new(PART);
            let mut command = theatre.command(&[]);
            command.env(way, line.to_string());
            let mut first = Actor::start(command);
            let came_to_the_end = play(&mut first);
            let (status, _) = first.end();
            let is_dead = status.code().is_none();
            let mut second = theatre.start(&["--resume"]);
            let ends = play(&mut second).unwrap();
            assert_whole(&theatre, &ends, &format!("{way}={line}"));
            if !is_dead {
                assert!(came_to_the_end.is_some());
                break;
            }
            deaths += 1;
        }
        assert!(deaths >= 18, "{way} killed only {deaths} times");
    }
}

#[test]
fn an_actor_killed_in_every_life_comes_to_its_end() {
    let theatre = Theatre::new(PART);
    for life in 1.. {
        assert!(life < 40, "it does not get on");
        let mut command = theatre.command(if life == 1 { &[] } else { &["--resume"] });
        command.env("REHEARSAL_DIE_AFTER_LINE", "10");
        let mut actor = Actor::start(command);
        if let Some(ends) = play(&mut actor) {
            assert!(life > 3);
            return assert_whole(&theatre, &ends, "every life");
        }
    }
}

#[test]
fn a_line_cut_short_is_forgotten() {
    let theatre = Theatre::new(PART);
    let mut actor = theatre.start(&[]);
    play(&mut actor).unwrap();
    actor.end();
    let store = theatre.path().join("store/k-1.jsonl");
    let whole = std::fs::read(&store).unwrap();
    for cut in (0..whole.len()).step_by(67).chain(whole.len() - 3..whole.len()) {
        std::fs::write(&store, &whole[..cut]).unwrap();
        let mut actor = theatre.start(&["--resume"]);
        let ends = play(&mut actor).unwrap();
        assert_eq!(ends, ["rested 1 Half.", "rested 2 Whole."], "cut at {cut}");
    }
}

#[test]
fn a_lock_left_by_a_killed_git_is_cleared() {
    let theatre = Theatre::new(PART);
    std::fs::write(theatre.clone().join(".git/index.lock"), "").unwrap();
    let mut actor = theatre.start(&[]);
    let ends = play(&mut actor).unwrap();
    assert_whole(&theatre, &ends, "index.lock");
    assert_eq!(theatre.commits(), 2);
}
