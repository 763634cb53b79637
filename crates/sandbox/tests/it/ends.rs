//! Nothing lives on: neither after the program's end, nor after the house's.

use std::io::Read;

use rustix::process::{Pid, Signal, kill_process};
use sandbox::Purpose;

use super::world::{World, all_levels, living, unique_nap, wait_until};

/// Ways to leave one's parent, group, session and environment behind.
const DAEMONS: &[&str] = &[
    "setsid -f sleep NAP",
    "setsid -f sh -c 'sleep NAP & sleep NAP'",
    "(setsid sh -c '(sleep NAP &) & sleep NAP &' & :)",
    "env -i setsid -f /bin/sh -c 'exec /bin/sleep NAP' >/dev/null 2>&1",
    "echo 'setsid -f sh ./hop NAP' >hop; sh ./hop NAP",
    "nohup sh -c 'trap \"\" HUP TERM INT; while :; do sleep NAP; done' >/dev/null 2>&1 & :",
];

#[test]
fn nothing_lives_after_the_programs_end() {
    for level in all_levels() {
        let world = World::new(level);
        for daemon in DAEMONS {
            let nap = unique_nap();
            let script = format!("{}; sleep 0.1; echo started", daemon.replace("NAP", &nap));
            let output = world.run(&script);
            assert_eq!(output.stdout, b"started\n", "{level}: {output:?}");
            assert_eq!(living(&nap), [] as [i32; 0], "{level}: {daemon}");
        }
    }
}

#[test]
fn nothing_lives_after_the_house_is_killed() {
    for level in all_levels() {
        let world = World::new(level);
        for daemon in DAEMONS {
            let nap = unique_nap();
            let script = format!("{}; echo started; sleep {nap}", daemon.replace("NAP", &nap));
            let mut house = world.house(&["/bin/sh", "-c", &script]).spawn().unwrap();
            let mut byte = [0];
            let mut stdout = house.stdout.take().unwrap();
            stdout.read_exact(&mut byte).unwrap_or_else(|_| {
                let mut why = String::new();
                let _ = house.stderr.take().unwrap().read_to_string(&mut why);
                panic!("{level}: {why}");
            });
            wait_until("a daemon", 5, || !living(&nap).is_empty());
            house.kill().unwrap();
            house.wait().unwrap();
            wait_until(&format!("the end of {daemon} at {level}"), 2, || living(&nap).is_empty());
        }
    }
}

#[test]
fn a_keeper_that_is_killed_takes_its_program_with_it() {
    for level in all_levels() {
        let world = World::new(level);
        let nap = unique_nap();
        let mut child = world.shell(&format!("exec sleep {nap}"), Purpose::Command).spawn().unwrap();
        wait_until("the program", 5, || runs_alone(&nap));
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until(&format!("the end at {level}"), 2, || living(&nap).is_empty());
    }
}

/// Whether the program itself runs, not only those on whose command line it stands.
fn runs_alone(nap: &str) -> bool {
    living(nap).iter().any(|number| {
        std::fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|words| words.starts_with(b"sleep"))
    })
}

fn is_bubblewrap(number: i32) -> bool {
    std::fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|words| {
        words.split(|byte| *byte == 0).next().is_some_and(|program| program.ends_with(b"/bwrap"))
    })
}

#[test]
fn a_keeper_that_is_killed_at_any_moment_leaves_nothing() {
    for level in all_levels() {
        let world = World::new(level);
        for micros in (0..24).map(|step| step * 1000) {
            let nap = unique_nap();
            let mut child = world.shell(&format!("exec sleep {nap}"), Purpose::Command).spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_micros(micros));
            child.kill().unwrap();
            child.wait().unwrap();
            wait_until(&format!("the end at {level} after {micros}"), 2, || {
                // Bubblewrap's second process can wait for its first one for ever then. It runs nothing, and the
                // house finds it by its mark.
                let left = living(&nap);
                left.iter().filter(|number| is_bubblewrap(**number)).for_each(|number| {
                    let _ = kill_process(Pid::from_raw(*number).unwrap(), Signal::KILL);
                });
                left.iter().all(|number| is_bubblewrap(*number))
            });
        }
    }
}

#[test]
fn the_exit_status_is_the_programs() {
    for level in all_levels() {
        let world = World::new(level);
        for (script, status) in [
            ("exit 0", 0),
            ("exit 42", 42),
            ("kill -9 $$", 137),
            ("kill -TERM $$", 143),
            ("exec /no/such", 127),
        ] {
            assert_eq!(world.run(script).status.code(), Some(status), "{level}: {script}");
        }
        for (program, status) in [("/no/such", 127), ("/etc/passwd", 126)] {
            let no_words: [&str; 0] = [];
            let mut command =
                world.sandbox().command(program.as_ref(), no_words, world.clone(), Purpose::Command);
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(status), "{level}: {output:?}");
        }
    }
}

#[test]
fn signals_reach_the_program_once() {
    for level in all_levels() {
        let world = World::new(level);
        let script = "n=0; trap 'n=$((n+1)); echo term' TERM; trap 'echo usr $n; exit 7' USR1; echo ready; while :; do sleep 0.02; done";
        let mut child = world.shell(script, Purpose::Command).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut ready = [0; 6];
        stdout.read_exact(&mut ready).unwrap();
        let keeper = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(keeper, Signal::TERM).unwrap();
        let mut term = [0; 5];
        stdout.read_exact(&mut term).unwrap();
        kill_process(keeper, Signal::USR1).unwrap();
        let mut said = String::new();
        stdout.read_to_string(&mut said).unwrap();
        assert_eq!((said.as_str(), child.wait().unwrap().code()), ("usr 1\n", Some(7)), "{level}");
    }
}
