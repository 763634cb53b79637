//! What we know of programs: which only read, and who judges the others. A program that we do not know asks.

use super::bench::{Bench, CommandInput};
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;
use super::{Risk, signs};
use crate::access::Access;

/// Programs that only read and print, whatever they are given.
const READERS: &[&str] = &[
    "cat",
    "head",
    "tail",
    "wc",
    "cut",
    "tr",
    "jq",
    "diff",
    "comm",
    "stat",
    "du",
    "df",
    "echo",
    "pwd",
    "test",
    "[",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "which",
    "whereis",
    "uname",
    "id",
    "whoami",
    "printenv",
    "more",
    "column",
    "nl",
    "tac",
    "rev",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "md5sum",
    "b2sum",
    "cksum",
    "sum",
    "shasum",
    "md5",
    "cmp",
    "seq",
    "yes",
    "ps",
    "pgrep",
    "tput",
    "od",
    "hexdump",
    "strings",
    "nproc",
    "free",
    "uptime",
    "arch",
    "tty",
    "locale",
    "cal",
    "expr",
    "factor",
    "fold",
    "fmt",
    "join",
    "paste",
    "numfmt",
    "pr",
    "expand",
    "unexpand",
    "tsort",
    "getconf",
    "groups",
    "logname",
    "ls",
    "dir",
    "vdir",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "zcat",
    "xzcat",
    "bzcat",
    "zstdcat",
    "nm",
    "ldd",
    "objdump",
    "readelf",
    "size",
    "addr2line",
    "c++filt",
    "lsof",
    "ss",
    "netstat",
    "bc",
    "tokei",
    "diffstat",
    "colordiff",
    "base32",
    "pathchk",
    "lscpu",
    "lsblk",
    "vmstat",
    "pstree",
    "sw_vers",
    "date",
    "clear",
    "hostname",
    "exa",
    "eza",
    "lsb_release",
    "zipinfo",
    "pidof",
];

/// Options of `less` that give its keys another meaning.
const LESS_KEYS: &[&str] = &["-k", "--lesskey-file", "--lesskey-src", "--lesskey-content"];

/// A longer sleep is asked about.
const SLEEP_SECONDS_MAX: f64 = 600.0;

/// Programs that need rights that no process has here.
const PRIVILEGED: &[&str] = &[
    "sudo",
    "doas",
    "su",
    "pkexec",
    "runuser",
    "chroot",
    "unshare",
    "nsenter",
    "bwrap",
    "reboot",
    "shutdown",
    "halt",
    "poweroff",
    "init",
    "telinit",
    "mount",
    "umount",
    "mkfs",
    "fdisk",
    "parted",
    "losetup",
    "swapon",
    "swapoff",
    "insmod",
    "rmmod",
    "modprobe",
    "iptables",
    "ip6tables",
    "nft",
    "ufw",
    "useradd",
    "userdel",
    "usermod",
    "groupadd",
    "adduser",
    "deluser",
    "passwd",
    "chpasswd",
    "chown",
    "chgrp",
    "setcap",
    "visudo",
    "chsh",
    "chfn",
    "mknod",
    "systemctl",
    "service",
    "launchctl",
    "loginctl",
    "journalctl",
    "dmesg",
    "kexec",
    "setenforce",
    "firejail",
    "newgrp",
];

/// Programs that leave something running.
const LASTING: &[&str] =
    &["nohup", "setsid", "disown", "daemonize", "at", "batch", "crontab", "systemd-run", "daemon"];

impl Bench<'_> {
    /// Judges a program with its arguments.
    pub fn argv(&mut self, argv: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let (doubts, held, unseen) = (self.found.doubts.len(), self.held, self.found.unseen.len());
        self.program(argv, at, feed);
        self.hold(argv, held, unseen);
        if self.is_listed(argv) {
            self.found.doubts.truncate(doubts);
        }
    }

    /// Whether the project's own list has these words.
    fn is_listed(&self, argv: &[Flat]) -> bool {
        let known: Option<Vec<&str>> = argv.iter().map(Flat::fixed).collect();
        let Some(words) = known else { return false };
        self.policy.allow.iter().any(|prefix| {
            !prefix.is_empty()
                && prefix.len() <= words.len()
                && prefix.iter().zip(&words).all(|(a, b)| a == b)
        })
    }

    fn program(&mut self, argv: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let Some((first, args)) = argv.split_first() else { return };
        let Some(text) = first.fixed() else {
            let why = format!("the program's name ({}) is not known until it runs", first.shown());
            return self.found.doubt(Risk::Unknown, why);
        };
        if !text.is_ascii() {
            let why =
                signs::lookalike(text).unwrap_or_else(|| format!("{text:?} is no plain name of a program"));
            return self.found.doubt(Risk::Grave, why);
        }
        if text.contains('/') {
            for spot in self.spots(text, at) {
                let real = spot.map(|path| self.real(&path));
                match real {
                    // A script of the clone can do no more than `make` can: the sandbox holds both.
                    Some(real) if self.is_own(&real) => {
                        let name = text.rsplit('/').next().unwrap_or("");
                        if ["gradlew", "mvnw"].contains(&name) {
                            self.known(name, args, at, feed);
                        }
                    }
                    Some(real) if self.lay.view(&real) == Access::Read => {
                        let name = text.rsplit('/').next().unwrap_or("");
                        self.known(name, args, at, feed);
                    }
                    Some(_) | None => {
                        self.found.doubt(Risk::Unknown, format!("{text} is a program outside the clone"))
                    }
                }
            }
            return;
        }
        self.known(text, args, at, feed);
    }

    fn known(&mut self, name: &str, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        if PRIVILEGED.contains(&name) || name.starts_with("mkfs.") {
            let why = format!(
                "{name} needs rights that no process has here: do it without, or report what you need"
            );
            self.found.unseen.push(format!("{name} runs other programs in ways we do not follow"));
            return self.found.deny(why);
        }
        if LASTING.contains(&name) {
            return self.background(name);
        }
        if READERS.contains(&name) || self.builtin(name, args, at) {
            return;
        }
        let judged = self.wrapper(name, args, at, feed)
            || self.filter(name, args, at, feed)
            || self.writer(name, args, at)
            || self.build(name, args, at)
            || self.interpreter(name, args, at, feed)
            || self.network(name, args, at)
            || self.measure(name, args, at, feed);
        if judged {
            return;
        }
        match name {
            "git" => self.git(args, at),
            "npx" => self.npx(args, at, feed),
            "kill" => self.kill(args),
            "pkill" | "killall" | "skill" => {
                let ours = |arg: &Flat| {
                    ["arbiter", "claude"].iter().any(|name| arg.text.to_lowercase().contains(name))
                };
                let broad =
                    args.iter().any(|arg| arg.has_hole() || arg.text.contains('.') && arg.text.len() < 3);
                if args.iter().any(ours) || broad {
                    self.found.forbid(
                        "what carries this session must run on: end only what you started, by its number",
                    );
                } else {
                    self.found.doubt(Risk::Grave, format!("{name} ends every process of that name"));
                }
            }
            "tmux" | "screen" => {
                let detached = args.iter().any(|arg| arg.is_option() && arg.text.contains('d'));
                match detached || name == "tmux" {
                    true => self.background(name),
                    false => self.found.doubt(Risk::Unknown, format!("{name} opens another terminal")),
                }
            }
            "sysctl" => {
                if args.iter().any(|arg| arg.text.contains('=') || arg.text.starts_with("-w")) {
                    self.found.deny("sysctl needs rights that no process has here");
                }
            }
            _ => self.unknown(name, args),
        }
    }

    /// A program that we know nothing of.
    pub fn unknown(&mut self, name: &str, args: &[Flat]) {
        let fixed = args.iter().all(|arg| !arg.open);
        let sub = args.first().and_then(Flat::fixed).filter(|sub| is_plain_word(sub));
        let shape = match sub {
            Some(sub) => format!("{name} {sub}"),
            None => name.to_owned(),
        };
        self.found.ask(Risk::Unknown, format!("we do not know what {name} does"), fixed.then_some(shape));
    }

    fn kill(&mut self, args: &[Flat]) {
        for (at, arg) in args.iter().enumerate() {
            let text = arg.text.as_str();
            let signal =
                at == 0 && text.starts_with('-') && text != "-1" || ["-l", "-L", "-s", "-0"].contains(&text);
            if signal || text == "--" {
                continue;
            }
            if ["1", "0", "-1", "+1", "\0PPID"].contains(&text) || args.len() == 1 && text.starts_with('-') {
                return self.found.forbid("what carries this session must run on: end only what you started");
            }
            let own = text == "\0JOB" || (self.started && is_job(text));
            if !own && (arg.has_hole() || !text.is_empty()) {
                let why = "it ends a process by its number, which may be another's";
                self.found.doubt(Risk::Grave, why);
            }
        }
    }

    /// Programs that read, print, and with some options write or run something.
    fn filter(&mut self, name: &str, args: &[Flat], at: &CommandFolders, feed: &CommandInput) -> bool {
        let writes: &[&str] = match name {
            "sort" => &["-o", "--output"],
            "shuf" | "tree" | "iconv" | "sdiff" | "scc" | "base64" => &["-o", "--output"],
            "cloc" => &["--out", "--report-file"],
            "history" => &["-a", "-w", "-r", "-n"],
            "less" => &["-o", "-O", "--log-file", "--LOG-FILE"],
            "uniq" | "xxd" | "printf" | "file" | "man" | "rg" | "bat" | "batcat" | "yq" | "ack" | "ag"
            | "top" => &[],
            "sleep" => {
                let long = |arg: &Flat| match arg.text.parse::<f64>() {
                    Ok(seconds) => seconds > SLEEP_SECONDS_MAX,
                    Err(_) => arg.text.ends_with(['h', 'd']) || arg.text == "infinity",
                };
                if args.iter().any(long) {
                    self.found.doubt(Risk::Unknown, "it sleeps for longer than ten minutes");
                }
                return true;
            }
            "sed" | "gsed" => {
                self.sed(args, at);
                return true;
            }
            "awk" | "gawk" | "mawk" | "nawk" => {
                self.awk(args);
                return true;
            }
            "find" | "gfind" => {
                self.find(args, at, feed);
                return true;
            }
            "fd" | "fdfind" => {
                self.fd(args, at, feed);
                return true;
            }
            _ => return false,
        };
        let valued = match name {
            "sort" => "oktST",
            "shuf" => "on",
            "iconv" => "oft",
            "sdiff" | "scc" | "base64" => "ow",
            "history" => "awrn",
            "tree" => "oLPIHT",
            "less" => "oOk",
            "uniq" => "fsw",
            "xxd" => "clogsR",
            "man" => "PSMHpC",
            "rg" => "ABCEMTefgjmrt",
            _ => "",
        };
        let options = CommandOptions::read(args, valued, &["--output", "--log-file", "--pre", "--pager"]);
        for target in options.values(writes) {
            self.write(&target, How::Write, at);
        }
        let runs =
            options.has(&["--pre", "--hostname-bin", "--pager", "--compress-program", "--preprocessor"])
                || (name == "man" && options.has(&["-P", "-H", "-C", "--html", "--config-file"]))
                || (name == "less" && (args.iter().any(is_wild_start) || options.has(LESS_KEYS)))
                || (name == "file" && options.has(&["-C", "--compile"]));
        if runs {
            self.found.doubt(Risk::Grave, format!("{name} would run another program or write a file"));
        }
        match name {
            "uniq" | "xxd" => options.rest.iter().skip(1).for_each(|word| self.write(word, How::Write, at)),
            "yq" if options.has(&["-i", "--inplace", "--in-place"]) => {
                options.rest.iter().skip(1).for_each(|word| self.write(word, How::Write, at));
            }
            "printf" if args.first().is_some_and(|arg| arg.text.starts_with("-v")) => {
                self.forget();
                let name = options.rest.first().map_or("", |word| word.text.as_str()).to_owned();
                self.assign(&name, None);
                self.assign(args[0].text.trim_start_matches("-v"), None);
            }
            _ => {}
        }
        if ["sort", "shuf", "tree", "rg", "less", "man"].contains(&name) && args.iter().any(|arg| arg.open) {
            self.dynamic(name);
        }
        true
    }

    /// An argument that may turn out to be an option of a program with dangerous options.
    pub fn dynamic(&mut self, name: &str) {
        let why = format!(
            "an argument of {name} is not known until it runs, and might be an option that writes or runs"
        );
        self.found.doubt(Risk::Unknown, why);
    }
}

/// What `less` is to do first, unless it plainly only goes to a place: its commands run programs.
fn is_wild_start(arg: &Flat) -> bool {
    let Some(first) = arg.text.strip_prefix('+') else { return false };
    let first = first.trim_start_matches('+');
    let goes = first.chars().all(|c| c.is_ascii_digit() || "gGF%".contains(c));
    let searches = first.starts_with(['/', '?']) && !first.contains(char::is_control);
    arg.has_hole() || !(goes || searches)
}

/// Which words of a command are texts or patterns, and no paths unless they plainly are: `grep "../x" src`.
pub fn texts(argv: &[Flat]) -> Vec<usize> {
    let relative =
        |n: &usize| !argv[*n].text.contains("/home/") && !argv[*n].text.starts_with(['/', '~', '-']);
    let name = argv.first().map_or("", |word| word.text.as_str());
    let symbolic = || {
        argv.iter().any(|word| word.text.starts_with("-s") || word.text == "--symbolic" || word.text == "-fs")
    };
    let found: Vec<usize> = match name {
        "echo" | "printf" => (1..argv.len()).collect(),
        "ln" if symbolic() => (1..argv.len()).collect(),
        "grep" | "egrep" | "fgrep" | "rg" | "ag" => {
            let marked = |n: &usize| matches!(argv[*n].text.as_str(), "-e" | "--regexp" | "--replace" | "-r");
            let after: Vec<usize> =
                (1..argv.len()).filter(marked).map(|n| n + 1).filter(|n| *n < argv.len()).collect();
            let from_file =
                argv.iter().any(|word| word.text.starts_with("-f") || word.text.starts_with("--file"));
            let first = (1..argv.len()).find(|n| !argv[*n].is_option() && !after.contains(n));
            after.into_iter().chain(first.filter(|_| !from_file)).collect()
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(relative).collect()
}

/// A job of the shell itself: `%1`.
fn is_job(text: &str) -> bool {
    text.strip_prefix('%')
        .is_some_and(|job| job.chars().all(|c| c.is_ascii_digit() || matches!(c, '%' | '+' | '-')))
}

/// A word fit for a shape: a plain name, neither a path nor an option with a value.
pub fn is_plain_word(word: &str) -> bool {
    word.len() <= 32
        && word.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}
