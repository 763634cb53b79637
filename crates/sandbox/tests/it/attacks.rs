//! One table of attacks. Each is a line for a shell inside; it has done harm if it prints a secret or the word HARM, or
//! if anything outside the clone and the temporary folder is not what it was.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use mind::access::SandboxLevel::{self, Bubblewrap, Landlock};

use super::world::{SECRET, World, levels};

const BOTH: &[SandboxLevel] = &[Bubblewrap, Landlock];

const ATTACKS: &[(&str, &[SandboxLevel], &str)] = &[
    (
        "write outside the clone",
        BOTH,
        "echo x > $ROOT/new; echo x > $ROOT/elsewhere/plain; echo x > /etc/arbiter-trial && echo HARM",
    ),
    (
        "make, move and remove outside",
        BOTH,
        "mkdir $ROOT/d; mv $ROOT/elsewhere $ROOT/e; rm -rf $ROOT/elsewhere; ln -s x $ROOT/l; ln $ROOT/elsewhere/plain $ROOT/h",
    ),
    ("truncate outside", BOTH, "truncate -s 0 $ROOT/elsewhere/plain; : > $HOME/.bashrc"),
    ("read a key", BOTH, "cat $HOME/.ssh/id; cat $HOME/.ssh/*; tar cf - $HOME/.ssh"),
    (
        "read a key by a link",
        BOTH,
        "cat $HOME/keys/id; ln -s $HOME/.ssh/id l; cat l; ln -s $HOME/.ssh $CLONE/f; cat f/id",
    ),
    ("read a key by a hard link", BOTH, "ln $HOME/.ssh/id here; cat here; mv $HOME/.ssh/id moved; cat moved"),
    (
        "read a key by another root",
        BOTH,
        "cat /proc/self/root$HOME/.ssh/id; cat /proc/1/root$HOME/.ssh/id; cat /proc/$HOUSE/root$HOME/.ssh/id",
    ),
    (
        "read other secrets of the home",
        BOTH,
        "cat $HOME/.netrc $HOME/.bash_history $HOME/.config/gh/hosts.yml",
    ),
    (
        "list what is hidden",
        BOTH,
        "ls $HOME/.ssh | grep id && echo HARM; ls -A $PROJECT | grep env && echo HARM; ls $STATE | grep journal && echo HARM",
    ),
    (
        "read what the project does not track",
        BOTH,
        "cat $PROJECT/.env; git -C $PROJECT show HEAD; cat $PROJECT/README.md && echo HARM",
    ),
    (
        "write the project",
        BOTH,
        "echo x > $PROJECT/x; echo x > $PROJECT/.git/config; echo x > $PROJECT/.git/objects/x; mkdir $PROJECT/.git/objects/zz",
    ),
    (
        "move the project's branch",
        BOTH,
        "git push -q origin HEAD:refs/heads/evil; git push -q -f origin HEAD~0:main",
    ),
    ("read our state", BOTH, "cat $STATE/journal $STATE/canary; cat $STATE/clones/m1/../../journal"),
    (
        "write our state",
        BOTH,
        "echo x > $STATE/journal; mkdir $STATE/clones/m2; rm -rf $STATE/canary; mv $CLONE $STATE/clones/m3",
    ),
    (
        "plant a start file",
        BOTH,
        "echo evil >> $HOME/.bashrc; echo evil > $HOME/.profile; mkdir -p $HOME/.config/autostart; echo evil > $HOME/bin/ls",
    ),
    ("make a secret place anew", BOTH, "mkdir $HOME/.aws && echo HARM; echo x > $HOME/.npmrc && echo HARM"),
    (
        "write by another root",
        BOTH,
        "echo x > /proc/self/root$ROOT/elsewhere/plain; echo x > /proc/self/cwd/../../journal",
    ),
    ("write by an open folder", BOTH, "cd $ROOT/elsewhere && echo x > plain; cd $HOME && echo x > .bashrc"),
    ("signal the house", BOTH, "kill -0 $HOUSE && echo HARM; kill -URG $HOUSE && echo HARM"),
    ("kill the keeper", &[Landlock], "kill -9 $PPID && echo HARM"),
    (
        "kill the first process",
        &[Bubblewrap],
        "kill -9 1; kill -9 $PPID; sleep 0.1; [ -d /proc/1 ] || echo HARM",
    ),
    ("see other processes", &[Bubblewrap], "[ $(ls -d /proc/[0-9]* | wc -l) -lt 8 ] || echo HARM"),
    ("read another's environment", BOTH, "[ $HOUSE -gt 9 ] && cat /proc/$HOUSE/environ && echo HARM"),
    (
        "read another's memory",
        BOTH,
        "[ $HOUSE -gt 9 ] && head -c 1 /proc/$HOUSE/mem && echo HARM; [ $HOUSE -gt 9 ] && for f in /proc/$HOUSE/fd/[0-9]*; do readlink $f; head -c 1 $f; (: > $f); done | grep . && echo HARM",
    ),
    ("make a device", BOTH, "mknod disk b 8 0 && echo HARM; mknod memory c 1 1 && echo HARM"),
    (
        "write a device",
        BOTH,
        "[ -c /dev/kmsg ] && echo x > /dev/kmsg && echo HARM; [ -c /dev/mem ] && echo x > /dev/mem && echo HARM",
    ),
    ("mount", BOTH, "mount -t tmpfs none $CLONE && echo HARM; mount --bind $HOME $CLONE && echo HARM"),
    (
        "unmount in another namespace",
        BOTH,
        "unshare -rm sh -c 'umount -l $HOME/.ssh; umount -l $STATE; umount $PROJECT; cat $HOME/.ssh/id $STATE/journal $PROJECT/.env'",
    ),
    (
        "write in another namespace",
        BOTH,
        "unshare -rm sh -c 'mount -o remount,rw,bind / ; echo x > $ROOT/elsewhere/plain'",
    ),
    (
        "change the machine",
        BOTH,
        "echo arbiter > /proc/sys/kernel/hostname && echo HARM; (: >> /proc/sys/kernel/core_pattern) && echo HARM; (: >> /proc/mtrr) && echo HARM; date -s @0 && echo HARM; echo x > /proc/sysrq-trigger && echo HARM",
    ),
    (
        "keep privileges",
        BOTH,
        "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo HARM; grep -q 'NoNewPrivs:.*1' /proc/self/status || echo HARM",
    ),
    (
        "reach sockets",
        &[Bubblewrap],
        "[ -S $STATE/socket ] && echo HARM; find /run /var/run/ -type s 2>/dev/null | grep . && echo HARM",
    ),
    (
        "reach a socket without a file",
        BOTH,
        r#"perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("\0$ENV{ROOT}")) and print "HARM"'"#,
    ),
    (
        "reach a socket with a file",
        &[Bubblewrap],
        r#"perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un("$ENV{STATE}/socket")) and print "HARM"'"#,
    ),
    ("see what others left", BOTH, "find /var/tmp/ -mindepth 1 | grep . && echo HARM"),
    (
        "see the environment",
        BOTH,
        "env | grep CARGO_ && echo HARM; cat /proc/self/environ | tr '\\0' '\\n' | grep CARGO_ && echo HARM",
    ),
];

#[test]
fn nothing_gets_out() {
    for level in levels() {
        let world = World::new(level);
        let _sockets = Sockets::open(&world);
        let before = world.outside();
        let mut harm = Vec::new();
        for (name, at, script) in ATTACKS {
            if !at.contains(&level) {
                continue;
            }
            let output = world.run(script);
            let said = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            let is_outside_changed = world.outside() != before;
            if said.contains(SECRET) || errors.contains(SECRET) || said.contains("HARM") || is_outside_changed
            {
                harm.push(format!("{name}: changed {is_outside_changed}\n{said}{errors}"));
            }
            // An attack that never ran proves nothing.
            assert_ne!(output.status.code(), Some(125), "{level}, {name}: {errors}");
            if is_outside_changed {
                break;
            }
        }
        assert!(harm.is_empty(), "{level}:\n{}", harm.join("\n"));
        assert!(!std::path::Path::new("/etc/arbiter-trial").exists());
    }
}

#[test]
fn work_goes_on() {
    for level in levels() {
        let world = World::new(level);
        let work = "set -e
            echo word > file; mkdir -p a/b; mv file a/b/; ln -s a/b/file l; cat l; ln a/b/file h; rm l
            git log --oneline | grep one; git add -A
            git -c user.name=u -c user.email=u@localhost commit -q -m two; git status --short
            echo x > $TMPDIR/x; f=$(mktemp); echo $f | grep -q $STATE/tmp/m1; : > /dev/null; cat $HOME/.bashrc
            ls $HOME/bin; ls /usr >/dev/null; cat $ROOT/elsewhere/plain 2>/dev/null || :; head -c 4 /dev/urandom >/dev/null
            cat /etc/resolv.conf >/dev/null; cat /proc/self/status >/dev/null; bash -c 'cat <(echo part) >/dev/null'; echo done";
        let output = world.run(work);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.ends_with("done\n"), "{level}: {said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(world.clone().join("a/b/file").exists());
    }
}

/// Attacks that do no harm to the machine when nothing holds them, in a world that is thrown away.
const HARMLESS: [&str; 11] = [
    "read a key",
    "read a key by a link",
    "read a key by another root",
    "read other secrets of the home",
    "read what the project does not track",
    "write the project",
    "read our state",
    "plant a start file",
    "signal the house",
    "reach a socket without a file",
    "reach a socket with a file",
];

#[test]
fn the_attacks_are_real_ones() {
    for name in HARMLESS {
        let world = World::new(SandboxLevel::Off);
        let sockets = Sockets::open(&world);
        let before = world.outside();
        let (_, _, script) = ATTACKS.iter().find(|(found, ..)| *found == name).unwrap();
        let said = String::from_utf8_lossy(&world.run(script).stdout).into_owned();
        let is_harm = said.contains(SECRET) || said.contains("HARM") || world.outside() != before;
        assert!(is_harm, "{name} does nothing even where nothing holds it: {said}");
        drop(sockets);
    }
}

/// Doors of other programs: one with a file, one with a name only.
struct Sockets(#[expect(dead_code, reason = "they are open as long as they are kept")] [UnixListener; 2]);

impl Sockets {
    fn open(world: &World) -> Sockets {
        let name = world.root.to_str().expect("it is text");
        let name = SocketAddr::from_abstract_name(name).expect("it is a name");
        let named = UnixListener::bind_addr(&name).expect("it can be opened");
        let filed = UnixListener::bind(world.root.join("state/socket")).expect("it can be opened");
        Sockets([named, filed])
    }
}
