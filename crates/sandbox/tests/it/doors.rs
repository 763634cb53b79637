//! Doors that the house itself leaves open: its terminal, its descriptors, its folder, and what changes while it runs.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use mind::access::SandboxLevel::{Bubblewrap, Landlock, Off};
use sandbox::{Purpose, Sandbox, SandboxSpec};

use super::world::{CAGED, SECRET, World, all_levels, levels};

/// A shell's line that starts a house with `script` in its cage.
fn house_line(world: &World, script: &str) -> String {
    let house = world.house(&["/bin/sh", "-c", script]);
    let words = [house.get_program()].into_iter().chain(house.get_args());
    words.map(|word| format!("'{}' ", word.to_str().unwrap_or_default().replace('\'', r"'\''"))).collect()
}

#[test]
fn nobody_types_into_the_users_terminal() {
    // TIOCSTI: a letter as if the user had typed it.
    let push = r#"perl -e 'open(T, $ARGV[0], $ARGV[1]) and print "HARM opened $ARGV[1]\n"; ioctl(T, 0x5412, $l = "x") and print "HARM typed\n"'"#;
    let by_name = format!("{push} '+<' /dev/tty; {push} '<' /dev/tty");
    let by_number = format!(r#"for t in $(seq 0 30); do [ -e /dev/pts/$t ] && {push} '<' /dev/pts/$t; done"#);
    let by_input = r#"perl -e 'ioctl(STDIN, 0x5412, $l = "x") and print "HARM typed\n"'"#;
    for level in all_levels() {
        let world = World::new(level);
        let attacks = match level {
            Off => vec![by_name.as_str()],
            Landlock | Bubblewrap => vec![by_name.as_str(), by_number.as_str(), by_input],
        };
        for attack in attacks {
            let line = house_line(&world, &format!("test -t 1 && echo terminal; {attack}; echo tried"));
            let mut script = Command::new("script");
            script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
            let output = script.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("terminal") && said.contains("tried"), "{level}, {attack}: {said}");
            assert!(!said.contains("HARM"), "{level}, {attack}: {said}");
        }
    }
}

#[test]
fn a_session_of_its_own_is_led_by_the_program() {
    for level in all_levels() {
        let world = World::new(level);
        let said = world.run("set -- $(cat /proc/$$/stat); echo $1 $5 $7; [ $1 = $5 ] && echo group; { [ $6 = $1 ] || [ $6 = 1 ]; } && echo session");
        let said = String::from_utf8_lossy(&said.stdout);
        // Its number, its group, and no terminal.
        assert!(said.contains(" 0\ngroup\nsession\n"), "{level}: {said}");
    }
}

#[test]
fn a_descriptor_that_the_house_inherited_stays_outside() {
    for level in all_levels() {
        let world = World::new(level);
        let attack = "ls /proc/self/fd; cat /proc/self/fd/9/id; cat /proc/self/fd/8; cat <&8; echo tried";
        let line = format!("{} 9<\"$R/home/.ssh\" 8<\"$R/home/.ssh/id\"", house_line(&world, attack));
        let output = Command::new("/bin/sh").args(["-c", &line]).env("R", &world.root).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("0\n1\n2\n3\n") && !said.contains(SECRET), "{level}: {said}");
    }
}

#[test]
fn nothing_of_the_clone_is_loaded_before_the_program() {
    for level in all_levels() {
        let world = World::new(level);
        // The loader says on stderr what it looks at, in every process that it is in.
        let lists = [("LD_LIBRARY_PATH", ""), ("LD_DEBUG", "libs"), ("PATH", "/usr/bin:/bin")];
        let mut environment: Vec<_> = lists.map(|(name, value)| (name.into(), value.into())).into();
        environment[0].1 = world.clone().join("lib").into_os_string();
        let sandbox = Sandbox::set(SandboxSpec { environment, ..world.plan() }).unwrap();
        let mut command =
            sandbox.command("/bin/cat".as_ref(), ["/dev/null"], world.clone(), Purpose::Command);
        assert_eq!(command.get_current_dir(), Some("/".as_ref()));
        let said = String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned();
        // Only the program is told of the list, and it is.
        assert!(said.contains("m1/lib"), "{level}: {said}");
        assert!(
            said.contains("program: /bin/cat") && !said.contains("program: /usr/bin/bwrap"),
            "{level}: {said}"
        );
        assert!(!said.contains(CAGED), "{level}: {said}");
    }
}

#[test]
fn every_step_but_the_last_is_nowhere() {
    for level in all_levels() {
        let world = World::new(level);
        let mut child =
            world.shell("pwd; read word", Purpose::Command).stdin(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said.trim(), world.clone().to_str().unwrap(), "{level}");
        let keeper = fs::read_link(format!("/proc/{}/cwd", child.id())).unwrap();
        assert_eq!(keeper.to_str(), Some("/"), "{level}");
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}

#[test]
fn what_is_hidden_stays_hidden_while_it_runs() {
    for level in levels() {
        let world = World::new(level);
        let script = "echo ready; read word; cat $HOME/.netrc $HOME/.aws/credentials $HOME/.ssh/id $PROJECT/.env
            ls $HOME/.aws; cat $HOME/.bashrc; echo x > new && cat new; echo y > $TMPDIR/y && cat $TMPDIR/y; echo tried";
        let mut child = world.shell(script, Purpose::Command).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        stdout.read_line(&mut ready).unwrap();
        let home = world.root.join("home");
        fs::write(home.join("draft"), format!("{SECRET} new\n")).unwrap();
        fs::rename(home.join("draft"), home.join(".netrc")).unwrap();
        fs::create_dir(home.join(".aws")).unwrap();
        fs::write(home.join(".aws/credentials"), format!("{SECRET} new\n")).unwrap();
        fs::rename(home.join(".ssh"), home.join(".ssh.old")).unwrap();
        fs::create_dir(home.join(".ssh")).unwrap();
        fs::write(home.join(".ssh/id"), format!("{SECRET} new\n")).unwrap();
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
        let said = std::io::read_to_string(stdout).unwrap();
        child.wait().unwrap();
        assert_eq!(said, "# plain\nx\ny\ntried\n", "{level}");
    }
}

#[test]
fn a_terminal_and_memory_of_its_own_work_where_they_are_its_own() {
    for level in levels() {
        if level != Bubblewrap {
            continue;
        }
        let world = World::new(level);
        let said = world
            .run("script -qec 'test -t 0 && echo word' /dev/null; echo x > /dev/shm/x && cat /dev/shm/x");
        assert_eq!(String::from_utf8_lossy(&said.stdout).replace('\r', ""), "word\nx\n", "{said:?}");
    }
}

#[test]
fn a_socket_in_a_place_that_is_seen_is_no_door() {
    for level in levels() {
        if level != Bubblewrap {
            continue;
        }
        let world = World::new(level);
        let _socket = UnixListener::bind(world.root.join("home/agent.sock")).unwrap();
        let said = world.run(
            r#"perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("$ENV{HOME}/agent.sock")) and print "HARM"'; echo tried"#,
        );
        assert_eq!(String::from_utf8_lossy(&said.stdout), "tried\n", "{said:?}");
    }
}

#[test]
fn two_cages_with_their_own_temporary_folders_work_at_once() {
    for level in all_levels() {
        let world = World::new(level);
        let mut lay = world.lay.clone();
        let other = world.root.join("state/tmp/m2");
        fs::create_dir(&other).unwrap();
        lay.views.remove(world.root.join("state/tmp/m1").to_str().unwrap());
        lay.views.insert(other.to_str().unwrap().to_owned(), mind::access::Access::Write);
        let plan = SandboxSpec { lay, tmp: other, canary: world.root.join("state/canary2"), ..world.plan() };
        let sandbox = Sandbox::set(plan).unwrap();
        let script =
            "echo $0 > $TMPDIR/x; echo ready; read word; cat $TMPDIR/x; cat $STATE/tmp/*/x 2>/dev/null";
        let start = |sandbox: &Sandbox, name: &str| {
            let words = ["-c", script, name];
            let mut command = sandbox.command("/bin/sh".as_ref(), words, world.clone(), Purpose::Command);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
        };
        let both = [start(&world.sandbox(), "one"), start(&sandbox, "two")];
        let said = both.map(|mut child| {
            child.stdin.take().unwrap().write_all(b"go\n").unwrap();
            String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
        });
        for (said, name) in said.iter().zip(["one", "two"]) {
            assert!(said.starts_with(&format!("ready\n{name}\n")), "{level}: {said}");
        }
        let seen = said[0].contains("two") || said[1].contains("one");
        assert_eq!(seen, level == Off, "{level}: {said:?}");
    }
}

#[test]
fn relative_lists_do_not_reach_it() {
    let given = [("LD_LIBRARY_PATH", ":lib:/opt/lib"), ("CPATH", ".")];
    let kept = sandbox::environment(given.map(|(name, value)| (name.into(), value.into())), &[]);
    assert_eq!(kept, [("LD_LIBRARY_PATH".into(), "/opt/lib".into())]);
}
