//! Programs that write files: every path that they would write is checked.

use super::Risk;
use super::bench::Bench;
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;

impl Bench<'_> {
    /// Judges a program that writes; false if `name` is none.
    pub fn writer(&mut self, name: &str, args: &[Flat], at: &CommandFolders) -> bool {
        match name {
            "mkdir" | "touch" | "mkfifo" => {
                let options =
                    CommandOptions::read(args, "mrtd", &["--mode", "--reference", "--date", "--time"]);
                self.write_all(&options.rest, How::Write, at);
            }
            "rmdir" | "unlink" => self.write_all(&CommandOptions::read(args, "", &[]).rest, How::Name, at),
            "rm" => self.remove(args, at),
            "shred" => {
                let options =
                    CommandOptions::read(args, "ns", &["--iterations", "--size", "--random-source"]);
                self.write_all(&options.rest, How::Write, at);
            }
            "tee" | "sponge" | "dos2unix" | "unix2dos" => {
                self.write_all(&CommandOptions::read(args, "", &[]).rest, How::Write, at);
            }
            "truncate" => {
                let options = CommandOptions::read(args, "srR", &["--size", "--reference"]);
                self.write_all(&options.rest, How::Write, at);
            }
            "cp" | "mv" | "install" | "gcp" | "gmv" => self.copy(name, args, at),
            "ln" => self.link(args, at),
            "link" => self.deny_hard_link(args.first(), at),
            "chmod" => self.change_mode(args, at),
            "dd" => {
                for file in args.iter().filter(|arg| arg.text.starts_with("of=")) {
                    self.write(&file.after(3), How::Write, at);
                }
            }
            "tar" | "gtar" | "bsdtar" => self.tar(args, at),
            "zip" => {
                let options = CommandOptions::read(args, "bntixP", &["--exclude", "--include"]);
                if options.has(&["-T", "--test", "--unzip-command"]) {
                    self.found.doubt(Risk::Grave, "zip would run another program");
                }
                self.write_all(options.rest.get(..1).unwrap_or_default(), How::Write, at);
            }
            "unzip" => {
                let options = CommandOptions::read(args, "dxP", &[]);
                let into = options.values(&["-d"]);
                if !options.has(&["-l", "-t", "-p", "-v", "-Z", "-z"]) {
                    self.into(&into, at);
                }
            }
            "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" | "compress" => {
                let options = CommandOptions::read(args, "So", &["--suffix"]);
                self.write_all(&options.values(&["-o"]), How::Write, at);
                if !options.has(&["-c", "-t", "-l", "--stdout", "--test", "--list"]) {
                    self.write_all(&options.rest, How::Name, at);
                }
            }
            "patch" => {
                let options =
                    CommandOptions::read(args, "dioprBDFVYzg", &["--directory", "--input", "--output"]);
                if options.has(&["-e", "--ed"]) {
                    self.found.doubt(Risk::Grave, "patch would run an editor");
                }
                self.write_all(&options.values(&["-o", "-r", "--output", "--reject-file"]), How::Write, at);
                self.write_all(options.rest.get(..1).unwrap_or_default(), How::Write, at);
                if !options.has(&["--dry-run"]) {
                    self.into(&options.values(&["-d", "--directory"]), at);
                }
            }
            "split" | "csplit" => {
                let options =
                    CommandOptions::read(args, "abClnf", &["--bytes", "--lines", "--number", "--prefix"]);
                for filter in options.values(&["--filter"]) {
                    self.inner_text(&filter, at, "what split runs");
                }
                let prefix = options.rest.get(1).cloned().unwrap_or_else(|| Flat::of("x"));
                self.write(&prefix, How::Write, at);
                self.write_all(&options.values(&["-f", "--prefix"]), How::Write, at);
            }
            "mktemp" => {
                let options = CommandOptions::read(args, "p", &["--suffix"]);
                self.write_all(&options.values(&["-p", "--tmpdir"]), How::Write, at);
                if !options.has(&["-t", "-p", "--tmpdir"]) {
                    self.write_all(&options.rest, How::Write, at);
                }
            }
            "rsync" => self.rsync(args, at),
            "xclip" | "pbcopy" => self.found.doubt(Risk::Unknown, "it writes to the user's clipboard"),
            _ => return false,
        }
        true
    }

    fn write_all(&mut self, words: &[Flat], how: How, at: &CommandFolders) {
        words.iter().for_each(|word| self.write(word, how, at));
    }

    /// Files come out in this folder, or in the one where the command runs.
    fn into(&mut self, folder: &[Flat], at: &CommandFolders) {
        match folder.last() {
            Some(folder) => self.write(folder, How::Write, at),
            None => self.write_here(at),
        }
    }

    fn remove(&mut self, args: &[Flat], at: &CommandFolders) {
        let options = CommandOptions::read(args, "", &[]);
        for word in &options.rest {
            self.write(word, How::Name, at);
            let folder = word.text.strip_suffix('*').filter(|_| word.glob);
            let top = |spot: Option<String>| spot.is_none_or(|path| self.real(&path) == self.lay.clone);
            if let Some(folder) = folder
                && options.has(&["-r", "-R", "--recursive"])
                && (folder.is_empty() || folder.ends_with('/'))
                && self.spots(folder, at).into_iter().any(top)
            {
                self.found.doubt(Risk::Grave, "it removes everything in the clone");
            }
        }
    }

    fn copy(&mut self, name: &str, args: &[Flat], at: &CommandFolders) {
        let options = CommandOptions::read(
            args,
            "tSmog",
            &["--target-directory", "--suffix", "--mode", "--owner", "--group"],
        );
        if options.has(&["--strip-program"]) {
            self.found.doubt(Risk::Grave, "install would run another program");
        }
        let mut sources = options.rest.clone();
        if name == "install" && options.has(&["-d", "--directory"]) {
            return self.write_all(&sources, How::Write, at);
        }
        let target = options.values(&["-t", "--target-directory"]).pop().or_else(|| sources.pop());
        let Some(target) = target else { return };
        self.write(&target, How::Write, at);
        for source in &sources {
            if name.ends_with("mv") {
                self.write(source, How::Name, at);
            }
            if name.ends_with("cp") && options.has(&["-l", "--link"]) {
                self.deny_hard_link(Some(source), at);
            }
            self.write_below(&target, source, at);
        }
    }

    /// If the target is a folder, what is written is the source's name below it.
    fn write_below(&mut self, target: &Flat, source: &Flat, at: &CommandFolders) {
        let name = source.text.trim_end_matches('/').rsplit('/').next().unwrap_or("");
        if name.is_empty()
            || name == "."
            || name == ".."
            || source.has_hole()
            || target.has_hole()
            || target.glob
        {
            return;
        }
        let below = format!("{}/{name}", target.text);
        self.write(&Flat { text: below, glob: source.glob, open: false }, How::Name, at);
    }

    fn link(&mut self, args: &[Flat], at: &CommandFolders) {
        let options = CommandOptions::read(args, "tS", &["--target-directory", "--suffix"]);
        let mut sources = options.rest.clone();
        let target = options.values(&["-t", "--target-directory"]).pop();
        let here = Flat::of(".");
        let target = target.or_else(|| if sources.len() > 1 { sources.pop() } else { Some(here) });
        let Some(target) = target else { return };
        let symbolic = options.has(&["-s", "--symbolic"]);
        if target.text != "." && target.text != "./" {
            self.write(&target, How::Name, at);
        }
        for source in &sources {
            self.write_below(&target, source, at);
            if !symbolic {
                self.deny_hard_link(Some(source), at);
            } else if !self.stays_inside(source, &target, at) {
                self.found.doubt(
                    Risk::Unknown,
                    format!("the link would lead out of the clone, to {}", source.shown()),
                );
            }
        }
    }

    /// A link's target counts from where the link stands.
    fn stays_inside(&self, source: &Flat, target: &Flat, at: &CommandFolders) -> bool {
        if source.text.starts_with('/') || source.has_hole() {
            return self.is_inside(source, at);
        }
        let folder = target.text.rfind('/').map_or("", |cut| &target.text[..=cut]);
        let direct = Flat::of(format!("{folder}{}", source.text));
        let below = Flat::of(format!("{}/{}", target.text, source.text));
        self.is_inside(&direct, at)
            && (target.text == "." || self.is_inside(&below, at) || !source.text.starts_with(".."))
    }

    fn deny_hard_link(&mut self, source: Option<&Flat>, at: &CommandFolders) {
        if source.is_some_and(|source| !self.is_inside(source, at)) {
            self.found.deny(
                "a hard link to a file outside the clone would let it be changed from here: copy it instead",
            );
        }
    }

    fn change_mode(&mut self, args: &[Flat], at: &CommandFolders) {
        let mut words = args.iter().filter(|arg| !arg.text.starts_with("--")).collect::<Vec<_>>();
        words.retain(|word| !["-R", "-v", "-c", "-f", "-Rv", "-vR", "-h"].contains(&word.text.as_str()));
        let Some((mode, files)) = words.split_first() else { return };
        let octal = mode.text.trim_start_matches('0');
        let special = octal.len() > 3 && octal.chars().all(|c| c.is_digit(8))
            || mode.text.contains('s') && mode.text.contains(['+', '='])
            || mode.has_hole();
        if special {
            self.found.doubt(Risk::Grave, "the file would run with its owner's rights (setuid)");
        }
        files.iter().for_each(|file| self.write(file, How::Write, at));
    }

    fn tar(&mut self, args: &[Flat], at: &CommandFolders) {
        let mut args = args.to_vec();
        if let Some(first) = args.first().filter(|first| !first.text.starts_with('-')).cloned() {
            args = old_style(&first.text, &args[1..]);
        }
        let long = [
            "--file",
            "--directory",
            "--files-from",
            "--exclude-from",
            "--use-compress-program",
            "--exclude",
        ];
        let options = CommandOptions::read(&args, "fCTXIbgKNVLFH", &long);
        let runs = [
            "--to-command",
            "--checkpoint-action",
            "-I",
            "--use-compress-program",
            "--rsh-command",
            "-F",
            "--info-script",
            "--new-volume-script",
            "--rmt-command",
        ];
        if options.has(&runs) {
            self.found.doubt(Risk::Grave, "tar would run another program");
        }
        if args.iter().any(|arg| arg.open) {
            self.dynamic("tar");
        }
        for folder in options.values(&["-C", "--directory", "--cd"]) {
            let places = self.folder_of(&folder, at);
            options.rest.iter().for_each(|word| self.look(word, &places));
        }
        let extracts = options.has(&["-x", "--extract", "--get"]);
        let lists = options.has(&["-t", "--list"]) && !extracts;
        let archives = options.values(&["-f", "--file"]);
        if archives.iter().any(|file| file.text.contains(':') && !file.text.starts_with('/')) {
            self.found.doubt(Risk::Network, "tar would reach another machine");
        }
        if extracts && options.has(&["-P", "--absolute-names", "--transform", "--xform", "--one-top-level"]) {
            self.found.doubt(Risk::Grave, "files of the archive may come out anywhere");
        }
        if extracts && !options.has(&["-O", "--to-stdout"]) {
            self.into(&options.values(&["-C", "--directory", "--cd"]), at);
        } else if !lists && !extracts {
            self.write_all(&archives, How::Write, at);
            if options.has(&["--remove-files"]) {
                self.write_all(&options.rest, How::Name, at);
            }
        }
    }

    fn rsync(&mut self, args: &[Flat], at: &CommandFolders) {
        let long =
            ["--rsh", "--exclude", "--include", "--filter", "--rsync-path", "--log-file", "--files-from"];
        let options = CommandOptions::read(args, "ef", &long);
        if options.has(&["-e", "--rsh", "--rsync-path", "--daemon"]) {
            self.found.doubt(Risk::Grave, "rsync would run another program");
        }
        self.write_all(&options.values(&["--log-file", "--backup-dir", "--temp-dir"]), How::Write, at);
        let far = |word: &Flat| word.text.split('/').next().is_some_and(|host| host.contains(':'));
        if options.rest.iter().any(far) {
            self.found.doubt(Risk::Grave, "rsync would reach another machine");
        } else if let Some((target, sources)) = options.rest.split_last() {
            if options.has(&["-n", "--dry-run", "--list-only"]) {
                return;
            }
            self.write(target, How::Write, at);
            for source in sources.iter().filter(|source| !source.text.ends_with('/')) {
                self.write_below(target, source, at);
            }
        }
    }
}

/// `tar xfC a b`: letters in one word, and what they are given in the words after it.
fn old_style(letters: &str, words: &[Flat]) -> Vec<Flat> {
    let mut words = words.iter();
    let mut args = Vec::new();
    for letter in letters.chars() {
        args.push(Flat::of(format!("-{letter}")));
        if "fCTXIbgKNVLFH".contains(letter) {
            args.extend(words.next().cloned());
        }
    }
    args.extend(words.cloned());
    args
}
