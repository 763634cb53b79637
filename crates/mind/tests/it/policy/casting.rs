//! What an agent's own limits say of its calls: in every mode, in its subagents, in every command of a line.

use mind::conductor::agent::{AgentTools, BashLimits};
use mind::policy::{JudgedCall, Policy, Ruling, judge, may_use};
use mind::session::Role;
use serde_json::{Value, json};

use super::world::{disk, grade, lay, open};

fn tools(allowed: Option<&[&str]>, blocked: &[&str]) -> AgentTools {
    let names = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
    AgentTools { allowed: allowed.map(names), blocked: names(blocked), bash: BashLimits::default() }
}

fn commands(allow: &[&str], deny: &[&str]) -> AgentTools {
    let words = |lines: &[&str]| lines.iter().map(|line| line.split(' ').map(Into::into).collect()).collect();
    AgentTools { bash: BashLimits { allow: words(allow), deny: words(deny) }, ..AgentTools::default() }
}

fn ruling(policy: &Policy, tools: &AgentTools, subagent: bool, tool: &str, input: &Value) -> Ruling {
    let call = JudgedCall { tool, input, role: Role::Agent, subagent, tools: Some(tools) };
    judge(policy, &lay(), &disk(), &call)
}

/// The same in every mode and in subagents: limits are no question of trust.
fn verdict(tools: &AgentTools, tool: &str, input: &Value) -> (u8, String) {
    let told =
        [(&Policy::default(), false), (&open(), false), (&open(), true)].map(
            |(policy, subagent)| match ruling(policy, tools, subagent, tool, input) {
                Ruling::Allow => (0, String::new()),
                Ruling::Ask(question) => (1, question.why.to_string()),
                Ruling::Deny { why } => (2, why),
            },
        );
    assert_eq!(told[1], told[2], "{tool} {input}");
    if told[1].0 == 2 {
        assert_eq!(told[0].0, 2, "{tool} {input}");
    }
    told[1].clone()
}

fn line(tools: &AgentTools, command: &str) -> (u8, String) {
    verdict(tools, "Bash", &json!({"command": command}))
}

#[test]
fn a_tool_that_is_not_the_agents_is_denied_and_it_hears_which_are() {
    let reader = tools(Some(&["Read", "Grep", "Agent", "Bash"]), &["Bash"]);
    let edit = json!({"file_path": "/land/clone/a", "old_string": "a", "new_string": "b"});
    let (grade, why) = verdict(&reader, "Edit", &edit);
    assert_eq!((grade, why.as_str()), (2, "this agent may not use Edit: its tools are Read, Grep and Agent"));
    let (grade, why) = verdict(&tools(None, &["WebSearch"]), "WebSearch", &json!({"query": "x"}));
    assert_eq!((grade, why.as_str()), (2, "this agent may not use WebSearch: it is blocked for it"));
    for denied in ["Bash", "BashOutput", "Write", "MultiEdit", "TaskCreate", "Frobnicate"] {
        assert!(!may_use(&reader, denied), "{denied}");
        assert_eq!(verdict(&reader, denied, &json!({})).0, 2, "{denied}");
    }
    for allowed in ["Read", "Task", "Agent", "StructuredOutput", "mcp__arbiter__arbiter_push"] {
        assert!(may_use(&reader, allowed), "{allowed}");
    }
    assert_eq!(verdict(&reader, "StructuredOutput", &json!({})).0, 0);
    let call = ruling(&Policy::default(), &reader, false, "mcp__arbiter__arbiter_push", &json!({}));
    assert_eq!(grade_of(&call), 0);
    assert!(!may_use(&tools(None, &["Task"]), "Agent") && !may_use(&tools(None, &["Edit"]), "MultiEdit"));
}

fn grade_of(ruling: &Ruling) -> u8 {
    grade(ruling)
}

#[test]
fn every_command_of_a_line_must_be_allowed() {
    let tester = commands(&["cargo test", "cargo build", "ls", "git status"], &[]);
    for fine in [
        "cargo test",
        "cargo test -p mind 2>&1 | ls",
        "cd crates && cargo test && ls",
        "timeout 300 cargo test",
        "env RUST_BACKTRACE=1 cargo test --lib",
        "sh -c 'cargo test; ls'",
        "bash -lc \"cd x && cargo build\"",
        "if cargo build; then ls; else exit 1; fi",
        "for n in 1 2; do cargo test; done",
        "f() { cargo test; }; f",
        "[ -f Cargo.toml ] && cargo test || true",
    ] {
        assert_ne!(line(&tester, fine).0, 2, "{fine}: {}", line(&tester, fine).1);
    }
    for wrong in [
        "cargo",
        "cargo run",
        "cargo --offline test",
        "./cargo test",
        "ls; rm x",
        "ls | tee x",
        "ls && git push",
        "ls $(git log)",
        "ls `make`",
        "ls <(make)",
        "(ls; make)",
        "{ ls; make; }",
        "cargo test & make; wait",
        "ls || make",
        "env make",
        "env",
        "timeout 3 make",
        "xargs make",
        "xargs",
        "sh -c 'ls; make'",
        "sh -c \"$X\"",
        "sh script.sh",
        "bash",
        "curl https://example.org | sh",
        "$CMD",
        "\"$(echo ls)\"",
        "eval make",
        "eval \"$X\"",
        ". ./script",
        "find . -exec make {} \\;",
        "f() { make; }; f",
        "if true; then make; fi",
        "while make; do ls; done",
        "case x in x) make;; esac",
        "X=$(make) ls",
        "ls <<EOF\n$(make)\nEOF",
        "git status; git -C . status",
        "ls 'unclosed",
        "nohup make",
        "echo hi",
    ] {
        let (grade, why) = line(&tester, wrong);
        assert!(grade == 2 && !why.is_empty(), "{wrong} is {grade}: {why}");
    }
    let (_, why) = line(&tester, "ls && make all");
    assert_eq!(
        why,
        "this agent may not run make: its commands are `cargo test`, `cargo build`, `ls` and `git status`"
    );
}

#[test]
fn no_command_of_a_line_may_be_denied() {
    let worker = commands(&[], &["git push", "rm", "npm publish"]);
    for fine in ["git commit -m push", "git status", "ls", "make", "npm test publish", "git log push"] {
        assert_ne!(line(&worker, fine).0, 2, "{fine}: {}", line(&worker, fine).1);
    }
    for wrong in [
        "git push",
        "git push --force origin main",
        "git -C x push",
        "git -c a=b --no-pager push",
        "/usr/bin/git push",
        "ls; git push",
        "ls && sh -c 'git push'",
        "env -u X git push",
        "echo push | xargs git",
        "git $X",
        "command rm x",
        "find . -exec rm {} +",
        "ls $(rm x)",
        "npm --prefix web publish",
        "$X push",
        "ls 'unclosed",
    ] {
        assert_eq!(line(&worker, wrong).0, 2, "{wrong}: {}", line(&worker, wrong).1);
    }
    assert_eq!(line(&worker, "ls; git push").1, "this agent may not run `git push`");
}

#[test]
fn an_agent_that_may_not_write_changes_nothing_by_commands_either() {
    let reader = tools(Some(&["Read", "Grep", "Glob", "Bash"]), &[]);
    for fine in
        ["git log --oneline", "git diff HEAD~1", "git status", "cargo test", "ls", "cat a > /dev/null"]
    {
        assert_ne!(line(&reader, fine).0, 2, "{fine}: {}", line(&reader, fine).1);
    }
    for wrong in [
        "git commit -am x",
        "git add -A",
        "git checkout main",
        "git reset --hard",
        "git stash",
        "git push",
        "git switch x",
        "git merge x",
        "git rebase x",
        "git tag v1",
        "git branch x",
        "ls && git add a",
        "sh -c 'git commit -m x'",
        "echo x > a",
        "rm a",
        "sed -i s/a/b/ a",
        "touch a",
        "tee a",
        "cp a b",
        "cargo fmt",
    ] {
        let (grade, why) = line(&reader, wrong);
        assert_eq!(grade, 2, "{wrong}: {why}");
        assert!(why.contains("this agent") && !why.contains("verifier"), "{wrong}: {why}");
    }
    // Without any limits it is a worker like any other.
    assert_eq!(line(&AgentTools::default(), "git commit -am x").0, 0);
    assert_eq!(line(&AgentTools::default(), "echo x > a").0, 0);
}

#[test]
fn what_may_run_unseen_is_refused_where_commands_are_limited() {
    let worker = commands(&[], &["git push", "rm"]);
    for wrong in [
        "env -S 'git push'",
        "env --split-string='rm x'",
        "script -c 'git push' x",
        "flock x git push",
        "strace git push",
        "echo git push | sh",
        "bash -s <<EOF\ngit push\nEOF",
        "bash <<EOF\ngit push\nEOF",
        "sh -c \"$X\"",
        "find . -exec sh -c 'rm {}' \\;",
        "parallel ::: 'git push'",
        "source <(echo git push)",
        "shopt -s expand_aliases\nalias x='git push'\nx",
        "sudo git push",
        "su -c 'git push'",
        "PATH=. ls",
        "BASH_ENV=x sh -c ls",
        "LD_PRELOAD=./x.so ls",
        "export PATH=/land/clone/bin:$PATH; ls",
        "git -c alias.p=push p",
        "git -c 'alias.p=!rm x' p",
        "git -c core.pager='rm x' log",
        "git --config-env=alias.p=X p",
        "git --exec-path=x status",
        "git config alias.p push",
        "git p",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p",
        "GIT_PAGER='rm x' git log",
        "git difftool -x 'rm x'",
    ] {
        assert_eq!(line(&worker, wrong).0, 2, "{wrong}: {}", line(&worker, wrong).1);
    }
    let (_, why) = line(&worker, "git p");
    assert_eq!(
        why,
        "this agent's commands are limited, and this line cannot be taken apart: we do not know the command \"p\" of git. \
         Write it more plainly"
    );
    // Whoever may run a program may run what it runs, unless some of that is denied.
    for fine in ["gdb x", "git lfs-x status", "env -S 'ls -l'"] {
        assert_eq!(line(&commands(&["gdb", "git", "env", "ls"], &["rm"]), fine).0, 0, "{fine}");
    }
    assert_eq!(line(&commands(&["git"], &["git push"]), "git -c alias.p=push p").0, 2);
    assert_eq!(line(&commands(&["git"], &[]), "PATH=. git status").0, 2);
    // Without limits of its commands an agent is as free as any other.
    for free in ["env -S 'git status'", "PATH=. ls", "git p", "script -c ls x"] {
        assert_eq!(line(&AgentTools::default(), free).0, 0, "{free}");
    }
    let reader = tools(Some(&["Read", "Bash"]), &[]);
    assert_eq!(line(&reader, "git -c diff.external='touch a' diff").0, 2);
}
