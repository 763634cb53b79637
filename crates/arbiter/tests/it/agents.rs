//! Agents as people write them, rightly and wrongly, and whose count.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use arbiter::project::agents::{AgentOrigin, AgentSources, Agents, AgentsWatch, read_folder};
use arbiter::project::project_files::ProjectFiles;
use arbiter::project::trust::TrustBook;
use insta::assert_snapshot;
use mind::Timestamp;
use mind::conductor::Agent;
use mind::conductor::agent::{AgentDuty, TransitionTarget};
use sim::{Ran, Theatre};
use tempfile::TempDir;

use crate::{BINARY, theatre};

const PROVIDERS: &[&str] = &["claude", "rehearsal"];

/// A user's folder and a project's.
struct Room {
    folder: TempDir,
}

impl Room {
    fn new() -> Room {
        let room = Room { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir_all(room.user()).expect("a folder");
        fs::create_dir_all(room.project().join(".arbiter/agents")).expect("a folder");
        room
    }

    fn user(&self) -> PathBuf {
        self.folder.path().join("user")
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn own(self, name: &str, text: &str) -> Room {
        fs::write(self.user().join(name), text).expect("a file");
        self
    }

    fn brought(self, name: &str, text: &str) -> Room {
        fs::write(self.project().join(".arbiter/agents").join(name), text).expect("a file");
        self
    }

    fn load(&self, counts: bool) -> Result<Agents, String> {
        let (user, papers) = (read_folder(&self.user(), None), ProjectFiles::read(&self.project()));
        let (project, default) = (&papers.agents, ("planner", None));
        Agents::load(&AgentSources {
            user: &user,
            project,
            counts,
            providers: PROVIDERS,
            default,
            waiting: None,
        })
        .map_err(|errors| {
            errors
                .to_string()
                .replace(&self.user().display().to_string(), "U")
                .replace(&self.project().join(".arbiter/agents").display().to_string(), "P")
        })
    }

    fn faults(&self) -> String {
        self.load(true).expect_err("something is wrong")
    }

    fn book(&self) -> TrustBook {
        TrustBook::new(self.folder.path().join("trust"))
    }

    fn trust(&self) {
        self.book().trust(&ProjectFiles::read(&self.project()), Timestamp(1)).expect("trusted");
    }

    fn shelf(&self, known: Vec<Agent>) -> AgentsWatch {
        let default = ("planner".to_owned(), None);
        AgentsWatch::open(self.project(), Some(self.user()), self.book(), PROVIDERS, default, known)
    }
}

fn named<'a>(agents: &'a Agents, name: &str) -> (&'a Agent, &'a AgentOrigin) {
    agents.each().find(|(agent, _)| agent.name.as_ref() == name).expect("it is there")
}

#[test]
fn our_own_agents_are_sound() {
    let agents = Room::new().load(true).expect("sound");
    let names: Vec<&str> = agents.agents.iter().map(|agent| agent.name.as_ref()).collect();
    assert_eq!(names, ["planner", "developer", "tester", "reviewer", "memory-keeper", "verifier"]);
    let parts: Vec<Option<AgentDuty>> = agents.agents.iter().map(|agent| agent.part).collect();
    assert_eq!(
        parts,
        [Some(AgentDuty::Planner), None, None, None, Some(AgentDuty::Keeper), Some(AgentDuty::Verifier)]
    );
    let read_only: Vec<&str> = agents
        .agents
        .iter()
        .filter(|agent| agent.tools.read_only())
        .map(|agent| agent.name.as_ref())
        .collect();
    assert_eq!(read_only, ["planner", "reviewer", "memory-keeper", "verifier"]);
    let internal = agents.agents.iter().filter(|agent| agent.internal).count();
    assert_eq!(internal, 2);
    let way = |name: &str, when: &str| {
        let custom = &named(&agents, name).0.transitions.custom;
        custom.iter().find(|custom| custom.when.as_ref() == when).expect("a way").target.to_string()
    };
    assert_eq!(
        named(&agents, "planner").0.transitions.on_success,
        TransitionTarget::Agent("developer".into())
    );
    assert_eq!(named(&agents, "developer").0.transitions.on_success, TransitionTarget::Arbiter);
    assert_eq!([way("tester", "allPassed"), way("tester", "noTests")], ["arbiter", "arbiter"]);
    assert_eq!([way("tester", "someFailures"), way("tester", "allFailed")], ["developer", "developer"]);
    assert_eq!(way("reviewer", "approved"), "complete");
    assert_eq!([way("reviewer", "needsChanges"), way("reviewer", "blocked")], ["developer", "arbiter"]);
    for agent in &agents.agents {
        assert_eq!(agent.transitions.on_failure, TransitionTarget::Arbiter, "{}", agent.name);
        assert!(agent.when_to_use.is_some() && agent.prompt.len() > 500, "{}", agent.name);
        assert!(agent.prompt.chars().count() < 4_000, "{} is short", agent.name);
    }
}

#[test]
fn every_field_is_read_from_markdown_and_from_yaml() {
    let subject = "name: guard_2\n\
                  displayName: Guard\n\
                  whenToUse: at night\n\
                  tools: { allowed: [Read, Bash, mcp__docs__find], blocked: [WebFetch], bash: { allow: [ls, [git, log]], deny: [[sh, -c]] } }\n\
                  transitions:\n  onSuccess: developer\n  onFailure: arbiter\n  onMaxIterations: complete\n  custom: [{ when: good, target: complete, reason: it is }]\n\
                  limits: { maxIterations: 3, timeout: 20m, maxTokens: 5000, maxToolCalls: 7 }\n\
                  provider: { name: claude, model: sonnet, routes: [claude] }\n\
                  response: { type: object, properties: { verdict: { type: string, enum: [good, bad] }, depth: { type: number, minimum: -1.5 } } }\n\
                  memory: false\ninput: lean\ninternal: false\n";
    let markdown =
        format!("\u{feff}---\r\n{}---\r\n\r\n# Watch\r\n---\r\nEnd.\r\n", subject.replace('\n', "\r\n"));
    let yaml = format!("{subject}prompt: |\n  # Watch\n  ---\n  End.\n");
    let one = Room::new().brought("guard.md", &markdown).load(true).expect("sound");
    let other = Room::new().own("guard.yml", &yaml).load(true).expect("sound");
    let (agent, origin) = named(&one, "guard_2");
    assert!(matches!(origin, AgentOrigin::Project(_)));
    let (same, origin) = named(&other, "guard_2");
    assert!(matches!(origin, AgentOrigin::User(_)));
    assert_eq!(Agent { prompt: agent.prompt.replace("\r\n", "\n").into(), ..agent.clone() }, *same);
    assert_snapshot!(serde_json::to_string_pretty(same).expect("JSON"));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let room = Room::new()
        .own("a.md", "---\nname: twin\n---\nOne.\n")
        .own("b.yaml", "name: twin\nprompt: Two.\n")
        .own("c.md", "---\nname: lost\ntransitions: { onSuccess: developr, onFailure: memory-keeper }\n---\nx\n")
        .own("d.md", "---\nname: complete\n---\nx\n")
        .own("e.md", "---\nname: 1st agent\nlimts: {}\nmemory: yes\n---\nx\n")
        .own("f.md", "---\nname: silent\n---\n\n")
        .own("g.yaml", "name: mute\n")
        .own("h.md", "just text\n")
        .own("i.md", "---\nname: endless\n")
        .own("j.md", "---\nname: [\n---\nx\n")
        .own("k.md", "---\ndisplayName: Nobody\n---\nx\n")
        .brought("round.md", "---\nname: ping\ntransitions: { onSuccess: pong }\n---\nx\n")
        .brought("round2.md", "---\nname: pong\ntransitions:\n  onSuccess: ping\n---\nx\n")
        .brought("into.md", "---\nname: into\ntransitions: { onSuccess: ping }\n---\nx\n")
        .brought("tools.md", "---\nname: tools\ntools: { allowed: [Reed, Frobnicate], blocked: Bash, bash: {} }\n---\nx\n")
        .brought("second.md", "---\nname: architect\npart: planner\n---\nx\n")
        .brought("case.md", "---\nname: Developer\n---\nx\n")
        .brought("schema.md", "---\nname: schema\nresponse: { type: array }\n---\nx\n")
        .brought(
            "verdict.md",
            "---\nname: verdict\nresponse:\n  type: object\n  properties:\n    verdict: { type: string, enum: [yes!, no!] }\n    summary: { type: string }\n  required: [verdit]\n---\nx\n",
        )
        .brought(
            "when.md",
            "---\nname: when\nresponse: { type: object, properties: { verdict: { type: string, enum: [good, bad] } } }\ntransitions:\n  custom:\n    - { when: goood, target: complete }\n    - { when: bad }\n---\nx\n",
        )
        .brought("none.md", "---\nname: none\ntransitions: { custom: [{ when: good, target: complete }] }\n---\nx\n")
        .brought("limits.md", "---\nname: limits\nlimits: { timeout: 20, maxIterations: 0, maxTokens: many }\nprovider: { name: acp:codex, model: '' }\n---\nx\n");
    assert_snapshot!(room.faults());
}

#[test]
fn a_circle_with_a_way_out_is_none() {
    let pong = "---\nname: pong\ntransitions: { onSuccess: ping }\n---\nx\n";
    for ping in [
        "limits: { maxIterations: 5 }\ntransitions: { onSuccess: pong }",
        "response: { type: object, properties: { verdict: { type: string, enum: [a, b] } } }\n\
         transitions: { custom: [{ when: a, target: pong }, { when: b, target: complete }] }",
        "response: { type: object, properties: { verdict: { type: string, enum: [a, b] } } }\n\
         transitions: { custom: [{ when: a, target: pong }] }",
        "transitions: { onFailure: pong }",
    ] {
        let room =
            Room::new().own("ping.md", &format!("---\nname: ping\n{ping}\n---\nx\n")).own("pong.md", pong);
        assert!(room.load(true).is_ok(), "{ping}: {}", room.faults());
    }
    let covered = "response: { type: object, properties: { verdict: { type: string, enum: [a] } } }\n\
                   transitions: { onSuccess: complete, custom: [{ when: a, target: pong }] }";
    let room =
        Room::new().own("ping.md", &format!("---\nname: ping\n{covered}\n---\nx\n")).own("pong.md", pong);
    assert!(room.faults().contains("there is no way out of ping -> pong -> ping"), "{}", room.faults());
}

#[test]
fn a_file_of_the_same_name_replaces_the_whole_agent() {
    let room = Room::new()
        .own("mine.md", "---\nname: reviewer\n---\nMine.\n")
        .brought("theirs.md", "---\nname: reviewer\ndisplayName: Theirs\n---\nTheirs.\n")
        .brought("more.md", "---\nname: scribe\n---\nWrite.\n");
    let trusted = room.load(true).expect("sound");
    let (agent, origin) = named(&trusted, "reviewer");
    assert_eq!((&*agent.prompt, &*agent.display_name), ("Theirs.", "Theirs"));
    assert!(agent.response.is_none() && agent.transitions.custom.is_empty(), "nothing of ours is left");
    assert!(matches!(origin, AgentOrigin::Project(_)));
    assert_eq!(trusted.agents.iter().position(|agent| &*agent.name == "reviewer"), Some(3), "in its place");
    assert!(trusted.waiting.is_empty());
    let untrusted = room.load(false).expect("sound");
    assert_eq!(&*named(&untrusted, "reviewer").0.prompt, "Mine.");
    assert!(untrusted.agents.iter().all(|agent| &*agent.name != "scribe"));
    let waiting: Vec<&str> = untrusted.waiting.iter().map(|(agent, _)| agent.name.as_ref()).collect();
    assert_eq!(waiting, ["scribe", "reviewer"]);
}

#[test]
fn what_leads_out_of_the_project_or_is_no_text_is_refused() {
    let room = Room::new();
    let secret = room.folder.path().join("secret.md");
    fs::write(&secret, "---\nname: secret\n---\nsecret words\n").expect("a file");
    let agents = room.project().join(".arbiter/agents");
    symlink(&secret, agents.join("link.md")).expect("a link");
    fs::write(agents.join("bytes.md"), b"---\nname: \xff\n").expect("a file");
    fs::write(agents.join("large.md"), vec![b'a'; 300 * 1024]).expect("a file");
    fs::create_dir(agents.join("folder.md")).expect("a folder");
    fs::write(agents.join("notes.txt"), "not an agent").expect("a file");
    fs::write(agents.join(".hidden.md"), "not an agent").expect("a file");
    let told = room.faults().replace(&room.folder.path().canonicalize().unwrap().display().to_string(), "F");
    assert_snapshot!(told, @r"
    P/bytes.md:2:7: this byte is not UTF-8
      hint: save the file as UTF-8 text
    P/folder.md: it is not a file
      hint: move P/folder.md away; without the file the defaults count
    P/large.md: it has 307200 bytes, more than the 262144 that are read
      hint: is it another file under this name? a configuration has a few lines
    P/link.md: it leads out of the project, to F/secret.md
      hint: put a file itself at P/link.md, or move the link away
    ");
    assert!(ProjectFiles::read(&room.project()).digest().is_none(), "what cannot be read cannot be trusted");
}

#[test]
fn trust_covers_agents_and_only_where_there_are_some() {
    let room = Room::new();
    fs::write(room.project().join(".arbiter/config.yaml"), "checks: [[make]]\n").expect("a file");
    let without = ProjectFiles::read(&room.project()).digest().expect("a digest");
    // What the digest of such a project was before there were agents.
    assert_eq!(without, "99fb4ea454ea9fe133f81da7add30b2b9f5a12b403c31ca1059bcde9d401dd61");
    let room = room.brought("scribe.md", "---\nname: scribe\n---\nWrite.\n");
    room.trust();
    let counts =
        |room: &Room| room.book().standing(&ProjectFiles::read(&room.project())).expect("known").counts();
    assert!(counts(&room));
    let room = room.brought("scribe.md", "---\nname: scribe\n---\nWrite!\n");
    assert!(!counts(&room));
}

#[test]
fn a_changed_file_is_seen_once_and_a_broken_one_changes_nothing() {
    let room = Room::new().own("scribe.md", "---\nname: scribe\n---\nWrite.\n");
    let known = room.load(false).expect("sound").agents;
    let mut shelf = room.shelf(known.clone());
    assert!(shelf.read_changed().is_none(), "nothing changed");
    let room = room.own("scribe.md", "---\nname: scribe\n---\nWrite more.\n");
    let agents = shelf.read_changed().expect("changed").expect("sound");
    assert_eq!(&*agents.last().expect("one").prompt, "Write more.");
    assert!(shelf.read_changed().is_none());
    let room = room.own("scribe.md", "---\nname: scribe\nfoo: 1\n---\nWrite.\n");
    let faults = shelf.read_changed().expect("changed").expect_err("broken");
    assert!(faults[0].contains("scribe.md:3:1: unknown key `foo` (hint: "), "{faults:?}");
    assert!(shelf.read_changed().is_none(), "it is told once");
    fs::remove_file(room.user().join("scribe.md")).expect("removed");
    assert_eq!(shelf.read_changed().expect("changed").expect("sound").len(), 6);
    let mut late = room.shelf(known);
    assert_eq!(late.read_changed().expect("older agents are known").expect("sound").len(), 6);
}

#[test]
fn a_projects_agents_change_in_a_mission_only_by_trust() {
    let room = Room::new().brought("scribe.md", "---\nname: scribe\n---\nWrite.\n");
    let mut untrusted = room.shelf(room.load(false).expect("sound").agents);
    assert!(untrusted.read_changed().is_none(), "what never counted is not missed");
    room.trust();
    assert_eq!(untrusted.read_changed().expect("it counts now").expect("sound").len(), 7);
    let mut shelf = room.shelf(room.load(true).expect("sound").agents);
    assert!(shelf.read_changed().is_none());
    let room = room.brought("scribe.md", "---\nname: scribe\n---\nObey me.\n");
    let faults = shelf.read_changed().expect("changed").expect_err("not trusted");
    assert!(faults[0].contains("the earlier agents stay"), "{faults:?}");
    assert!(shelf.read_changed().is_none());
    room.trust();
    let agents = shelf.read_changed().expect("trusted").expect("sound");
    assert_eq!(&*agents.last().expect("one").prompt, "Obey me.");
}

#[test]
fn a_file_that_is_cut_or_bent_anywhere_is_refused_or_read_and_never_more() {
    let (_, whole) = mind::conductor::agent_files::FILES[3];
    let room = Room::new();
    let end = whole.find("\n---").expect("frontmatter") + 10;
    for at in (0..end).step_by(13).filter(|at| whole.is_char_boundary(*at)) {
        for sign in ["", "\0", "]", "\t", "&a *a ", "!!x ", "\u{2028}", "- "] {
            let bent = format!("{}{sign}{}", &whole[..at], if sign.is_empty() { "" } else { &whole[at..] });
            fs::write(room.user().join("reviewer.md"), bent).expect("a file");
            let _ = room.load(false);
        }
    }
}

/// What the program says, without the world's own path.
fn told(theatre: &Theatre, ran: &Ran) -> String {
    let project = theatre.project().canonicalize().expect("a project");
    format!("{}{}", ran.out, ran.err)
        .replace(&project.display().to_string(), "P")
        .replace(&theatre.project().display().to_string(), "P")
}

fn bring(theatre: &Theatre, name: &str, text: &str) {
    let path = theatre.project().join(".arbiter/agents").join(name);
    fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn agents_are_listed_and_shown() {
    let theatre = theatre();
    let ran = theatre.run(&["agents"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("planner  Planner  (built in)\n    At the beginning"), "{}", ran.out);
    assert!(ran.out.contains("then: approved -> complete, needsChanges -> developer"), "{}", ran.out);
    let ran = theatre.run(&["agents", "show", "reviewer"]);
    assert!(ran.out.contains("\n# The reviewer\n"), "{}", ran.out);
    let ran = theatre.run(&["agents", "show", "reviwer"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: there is no agent \"reviwer\"\nhint: did you mean reviewer?\n");
    let ran = theatre.run(&["agents", "--json"]);
    let first: serde_json::Value =
        serde_json::from_str(ran.out.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["name"], &first["origin"]), (&"planner".into(), &"builtIn".into()));
    assert!(first.get("prompt").is_none());
    let ran = theatre.run(&["agents", "show", "planner", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(shown["prompt"].as_str().is_some_and(|prompt| prompt.starts_with("# The planner")));
}

#[test]
fn a_projects_agents_are_shown_before_they_are_trusted() {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    bring(&theatre, "scribe.md", "---\nname: scribe\n---\nWrite \u{1b}[31mred.\n");
    let ran = theatre.run(&["agents"]);
    let last = told(&theatre, &ran);
    assert!(
        last.contains(
            "scribe  scribe  (project file P/.arbiter/agents/scribe.md; not counted: not trusted, "
        ),
        "{last}"
    );
    let shown = theatre.run(&["agents", "show", "scribe"]);
    assert!(!shown.out.contains('\u{1b}'), "{:?}", shown.out);
    let ran = theatre.run(&["trust", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(told(&theatre, &ran).contains("agents/scribe.md  (P/.arbiter/agents/scribe.md)"), "{}", ran.out);
    let ran = theatre.run(&["agents"]);
    assert!(told(&theatre, &ran).contains("scribe  scribe  (project file P/.arbiter/agents/scribe.md)"));
    bring(&theatre, "scribe.md", "---\nname: scribe\n---\nWrite blue.\n");
    let ran = theatre.run(&["agents"]);
    assert!(ran.out.contains("not counted: changed since you trusted it"), "{}", ran.out);
}

#[test]
fn a_check_of_the_configuration_tells_the_faults_of_agents_too() {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    theatre.configure("agents: { default: plannner }\nlimts: {}\narbiter: { temperature: 0.3 }\n");
    bring(&theatre, "a.md", "---\nname: twin\ntransitions: { onSuccess: nobody }\n---\nx\n");
    bring(&theatre, "b.md", "---\nname: twin\n---\nx\n");
    bring(&theatre, "c.md", "---\nname: mute\n---\n");
    bring(&theatre, "d.md", "---\nname: ping\ntransitions: { onSuccess: ping }\n---\nx\n");
    let ran = theatre.run(&["config", "check"]);
    assert_eq!(ran.code, Some(2));
    assert_snapshot!(told(&theatre, &ran));
    let ran = theatre.run(&["agents"]);
    assert_eq!(ran.code, Some(2), "agents that are broken are not listed as if they were not");
}

#[test]
fn limits_of_an_agent_are_shown_with_what_they_count_in_either_way() {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    bring(&theatre, "a.md", "---\nname: swift\nlimits: { timeout: 5m, maxToolCalls: 9 }\n---\nx\n");
    theatre.run(&["trust", "--yes"]);
    let ran = theatre.run(&["config", "check"]);
    assert_eq!((ran.code, ran.err.contains("note: ")), (Some(0), false), "{}", ran.err);
    let shown = theatre.run(&["agents", "show", "swift"]);
    assert!(shown.out.contains("a run, or a turn in a council, takes at most: 5m"), "{}", shown.out);
    assert!(shown.out.contains("of a turn in a council, at most: 9"), "{}", shown.out);
}
