//! A place with players of its own.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use arbiter::terminal::sound::{Sound, SoundLimits, SoundSetting};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

pub struct Hall {
    world: tempfile::TempDir,
}

impl Hall {
    pub fn new() -> Hall {
        let world = tempfile::tempdir().expect("a folder");
        fs::create_dir(world.path().join("bin")).expect("a folder");
        Hall { world }
    }

    /// Where players are looked for.
    pub fn path(&self) -> PathBuf {
        self.world.path().join("bin")
    }

    /// The PATH of a machine that has these players and no others: whoever runs the tests has perhaps a real one, which would
    /// be heard as soon as ours fails.
    #[cfg(target_os = "linux")]
    pub fn machine(&self) -> String {
        let own = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&own).filter(|folder| folder.is_absolute()).enumerate();
        let quiet = folders.map(|(number, folder)| self.without_players(number, folder));
        let path = std::env::join_paths([self.path()].into_iter().chain(quiet)).expect("a PATH");
        path.into_string().expect("text")
    }

    /// This folder, or where a player is in it, one with all the rest of it.
    #[cfg(target_os = "linux")]
    fn without_players(&self, number: usize, folder: PathBuf) -> PathBuf {
        let players: Vec<PathBuf> = arbiter::terminal::sound::players::find(folder.as_os_str())
            .iter()
            .map(|player| player.program().to_path_buf())
            .collect();
        if players.is_empty() {
            return folder;
        }
        let quiet = self.world.path().join(format!("quiet-{number}"));
        fs::create_dir(&quiet).expect("a folder");
        let programs = fs::read_dir(&folder).expect("programs").flatten().map(|entry| entry.path());
        for program in programs.filter(|program| !players.contains(program)) {
            std::os::unix::fs::symlink(&program, quiet.join(program.file_name().expect("a name")))
                .expect("a link");
        }
        quiet
    }

    /// Where waves are to lie.
    pub fn waves(&self) -> PathBuf {
        self.home().join("sounds")
    }

    /// The user's home, which is not there before something is put into it.
    pub fn home(&self) -> PathBuf {
        self.world.path().join("home")
    }

    /// A player that writes down who it is and what it is told, and then does what it does.
    pub fn player(&self, name: &str, does: &str) {
        let log = self.world.path().join("log");
        self.put(
            name,
            &format!("#!/bin/sh\nLOG='{}'\necho \"$$ {name} $*\" >> $LOG\n{does}\n", log.display()),
        );
    }

    /// Another process writes it: while a program is open for writing in ours, and in whatever other tests start just
    /// then, nobody can run it.
    pub fn put(&self, name: &str, text: &str) {
        let mut command = Command::new("sh");
        command.args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"]).arg(self.path().join(name));
        let mut writer = command.stdin(Stdio::piped()).spawn().expect("a writer");
        writer.stdin.take().expect("its ear").write_all(text.as_bytes()).expect("written");
        assert!(writer.wait().expect("it ends").success());
    }

    pub fn sound(&self, limits: SoundLimits) -> Sound {
        Sound::with(SoundSetting { on: true, path: self.path().into(), folder: self.waves(), limits })
    }

    /// Players that wait for this go on.
    pub fn go(&self) {
        fs::write(self.world.path().join("log.go"), "").expect("written");
    }

    /// Who was started so far and for what: `aplay -q theme`.
    pub fn starts(&self) -> Vec<String> {
        self.log().into_iter().map(|(_, told)| told).collect()
    }

    /// The processes that live: players, and what they started.
    pub fn alive(&self) -> Vec<(Pid, String)> {
        let deep = fs::read_to_string(self.world.path().join("log.deep")).unwrap_or_default();
        let deep = deep.lines().filter_map(|line| Some((number(line)?, "deep".to_owned())));
        self.log().into_iter().chain(deep).filter(|(pid, _)| is_alive(*pid)).collect()
    }

    /// Never more than one effect and one piece of music at a time.
    pub fn assert_one_of_each(&self) {
        let alive = self.alive();
        let of = |music: bool| {
            alive.iter().filter(|(_, told)| told != "deep" && told.ends_with("theme") == music).count()
        };
        assert!(of(true) <= 1 && of(false) <= 1, "{alive:?}");
    }

    fn log(&self) -> Vec<(Pid, String)> {
        let text = fs::read_to_string(self.world.path().join("log")).unwrap_or_default();
        text.lines()
            .filter_map(|line| {
                let (pid, told) = line.split_once(' ')?;
                let (before, file) = told.rsplit_once(' ')?;
                let name = file.rsplit_once('/')?.1.split_once('-')?.0;
                Some((number(pid)?, format!("{before} {name}")))
            })
            .collect()
    }
}

/// A test that fails leaves nobody behind either.
impl Drop for Hall {
    fn drop(&mut self) {
        for (pid, _) in self.alive() {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn number(text: &str) -> Option<Pid> {
    Pid::from_raw(text.trim().parse().ok()?)
}

/// It is there and not just waiting to be buried: whoever is orphaned may be buried late.
fn is_alive(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    let is_dead = stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'));
    test_kill_process(pid).is_ok() && !is_dead
}
