//! The smaller cage in the cage: a command of the program inside gets nowhere near the program.

use std::fs;

use mind::access::{Access, SandboxLevel};
use sandbox::{Purpose, command_orders};

use super::world::{CAGED, SECRET, World, all_levels, levels};

/// Each is a line for a shell; `$AGENT` is the process that started it. It has done harm if it prints HARM or a secret.
const ATTACKS: &[(&str, &str)] = &[
    ("its environment", "cat /proc/$AGENT/environ && echo HARM"),
    ("its memory", "head -c 1 /proc/$AGENT/mem && echo HARM; cat /proc/$AGENT/maps && echo HARM"),
    (
        "its descriptors",
        "readlink /proc/$AGENT/fd/1 && echo HARM; (: > /proc/$AGENT/fd/1) && echo HARM; head -c 1 /proc/$AGENT/fd/0 && echo HARM",
    ),
    ("its root and folder", "ls /proc/$AGENT/cwd/ && echo HARM; ls /proc/$AGENT/root/ && echo HARM"),
    ("its life", "kill -0 $AGENT && echo HARM; kill -9 $AGENT && echo HARM"),
    ("its files", "cat $HOME/own/login; ls $HOME/own && echo HARM; cat /proc/self/root$HOME/own/login"),
    ("its orders", "echo x >> $HOME/orders && echo HARM; rm -f $HOME/orders && echo HARM"),
];

/// A world in which the program sees a file that its commands must not see.
fn world(level: SandboxLevel) -> World {
    let world = World::new(level);
    let own = world.root.join("home/own");
    fs::create_dir(&own).expect("the world can be made");
    fs::write(own.join("login"), format!("{SECRET} of the program\n")).expect("the world can be made");
    let mut lay = world.lay.clone();
    lay.views.insert(own.to_str().expect("the world can be made").to_owned(), Access::Hidden);
    fs::write(world.root.join("home/orders"), command_orders(&lay)).expect("the world can be made");
    world
}

/// Runs a script as the program, with `nested` before its commands.
fn run(world: &World, script: &str) -> String {
    let script = format!("nested='{CAGED} __cage command {}/home/orders --'\n{script}", world.root.display());
    let output = world.shell(&script, Purpose::Command).output().expect("the world can be made");
    [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
}

#[test]
fn a_command_gets_nowhere_near_the_program() {
    for level in levels() {
        let world = world(level);
        for (name, attack) in ATTACKS {
            let quoted = attack.replace('\'', r"'\''");
            // What the program itself can do, its command cannot.
            let said =
                run(&world, &format!("export AGENT=$$; $nested sh -c '{quoted}; echo tried'; echo lives"));
            assert!(said.ends_with("lives\n") || said.contains("\nlives\n"), "{level}, {name}: {said}");
            assert!(said.contains("tried\n"), "{level}, {name}: {said}");
            assert!(!said.contains("HARM") && !said.contains(SECRET), "{level}, {name}: {said}");
        }
        let free = run(
            &world,
            "export AGENT=$$; sh -c 'cat $HOME/own/login; cat /proc/$AGENT/environ >/dev/null && echo HARM'",
        );
        assert!(free.contains(SECRET) && free.contains("HARM"), "the attacks are real ones: {free}");
    }
}

#[test]
fn a_command_works() {
    for level in levels() {
        let world = world(level);
        let said = run(
            &world,
            "echo in | WORD=kept $nested sh -ec 'cat; echo $WORD; pwd | grep -q clones/m1; echo x > f; cat f; ls /usr >/dev/null
             cat $HOME/.bashrc; git status --short; echo y > $TMPDIR/y; : > /dev/null; sleep 9 & kill $!; exit 7'; echo $?
             $nested sleep 9 & sleep 0.2; kill $!; { wait $!; echo $?; } 2>/dev/null; $nested bash -c 'cat <(echo part)'",
        );
        assert_eq!(said, "in\nkept\nx\n# plain\n?? f\n7\n143\npart\n", "{level}");
    }
}

#[test]
fn orders_that_cannot_be_read_start_nothing() {
    for level in all_levels() {
        let world = world(level);
        let own = format!("{CAGED} __cage command");
        for words in [
            "/no/such -- echo ran",
            "/etc/passwd -- echo ran",
            "-- echo ran",
            "$HOME/orders echo ran",
            "$HOME/orders --",
        ] {
            let said = run(&world, &format!("{own} {words}; echo $?"));
            assert!(said.starts_with("125\n") && said.contains("sandbox: "), "{level}, {words}: {said}");
        }
    }
}
