//! When the clone is looked at, and when the last look serves.

use mind::effect::SessionSpawn;
use mind::session::CloneTree;

use super::*;

/// An agent that rests at once, then writes and rests, as its script of lines has it.
const RESTS: &str = r#"while [ "$1" != --folder ]; do shift; done; cd "$2"
rest() { echo '{"type":"heard","turn":1}'; $1; echo '{"type":"rested","turn":1}'; }
work() { echo '{"type":"tool_started","name":"Write","detail":"a"}'; echo "$line" > work.txt;
  echo '{"type":"tool_ended","ok":true}'; }
while read -r line; do case "$line" in *idle*) rest true;; *work*) rest work;; *) exit 0;; esac; done"#;

async fn deliver(
    runner: &mut EffectRunner,
    inbox: &mut mpsc::Receiver<Event>,
    session: u32,
    text: &str,
) -> Option<CloneTree> {
    let (address, turn) = (address(session), mind::TurnId(1));
    let (key, text) = ("k".to_owned(), Arc::from(text));
    let deliver = SessionCommand::Deliver { turn, key, text, again: None };
    runner.perform(Effect::Session(address, deliver), &State::default());
    loop {
        match timeout(Duration::from_secs(20), inbox.recv()).await {
            Ok(Some(Event::Agent(_, AgentEvent::Rested { tree, .. }))) => return tree,
            Ok(Some(Event::Agent(_, AgentEvent::Lost { why }))) => panic!("{why}"),
            Ok(Some(_)) => {}
            other => panic!("no rest: {other:?}"),
        }
    }
}

fn spawn_as(role: Role, session: u32) -> Effect {
    let Effect::Spawn(spawn) = spawn(session) else { panic!("a spawn") };
    let profile = Arc::new(Profile { role, ..(*spawn.profile).clone() });
    Effect::Spawn(SessionSpawn { profile, ..spawn })
}

/// Git cannot read the clone meanwhile: it borrows its objects, and does not know from where.
async fn without_git<T>(runner: &EffectRunner, look: impl Future<Output = T>) -> T {
    let (door, aside) = (runner.location.clone.join(".git/objects/info"), runner.folder.join("info-aside"));
    std::fs::rename(&door, &aside).expect("moved");
    let looked = look.await;
    std::fs::rename(&aside, &door).expect("moved back");
    looked
}

#[tokio::test]
async fn a_worker_rests_with_its_clone_and_an_arbiter_without() {
    let acts = |seed: &mut RunnerSeed| seed.rehearsal.argv = ["sh", "-c", RESTS].map(Into::into).to_vec();
    let (_folder, mut runner, mut inbox) = hands_with("hands-tree", acts).await;
    runner.perform(spawn_as(Role::Arbiter, 1), &State::default());
    assert_eq!(deliver(&mut runner, &mut inbox, 1, "idle").await, None);
    runner.perform(spawn_as(Role::Orchestrator, 2), &State::default());
    let first = deliver(&mut runner, &mut inbox, 2, "idle").await.unwrap();
    assert_eq!((&*first.commit, first.dirty), (runner.location.base.as_str(), false));
    let worked = deliver(&mut runner, &mut inbox, 2, "work one").await.unwrap();
    assert!(worked.dirty && worked.fingerprint != first.fingerprint);
    // The same name, another text: nothing in the folder's own stamp tells of it.
    let again = deliver(&mut runner, &mut inbox, 2, "work two").await.unwrap();
    assert_ne!(again.fingerprint, worked.fingerprint);
    runner.farewell().await;
}

#[tokio::test]
async fn one_look_serves_until_something_can_have_changed() {
    let (_folder, runner, _inbox) = runner("hands-looks").await;
    let view = Arc::clone(&runner.clone_view);
    let first = view.observe().await.unwrap();
    assert_eq!(without_git(&runner, view.tree()).await.unwrap(), first, "the last look serves");
    without_git(&runner, view.observe()).await.unwrap_err();
    view.may_have_changed();
    without_git(&runner, view.tree()).await.unwrap_err();
    view.observe().await.unwrap();
    git(&runner.location.clone, &["commit", "--quiet", "--allow-empty", "--message", "by another hand"]);
    assert_ne!(view.tree().await.unwrap().commit, first.commit, "a trace of another hand is seen");
    assert!(view.is_ahead().await.unwrap());
    view.is_brought(&view.tree().await.unwrap().commit);
    assert!(!view.is_ahead().await.unwrap());
}
