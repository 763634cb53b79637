//! The little languages of `sed` and `awk`: whether a program in them writes or runs anything.

use super::Risk;
use super::bench::Bench;
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;

/// What a `sed` script does besides printing.
#[derive(Debug, PartialEq, Eq)]
enum Deed {
    Write(String),
    Read(String),
    Run,
}

impl Bench<'_> {
    /// `sed`: the files it changes in place, and what its script does.
    pub fn sed(&mut self, args: &[Flat], at: &CommandFolders) {
        // What is attached to -i is a suffix, not an option.
        let in_place = |arg: &Flat| {
            let text = arg.text.as_str();
            let short = text.starts_with('-') && !text.starts_with("--") && {
                let flags = &text[1..text.find(['e', 'f', 'l']).unwrap_or(text.len())];
                flags.contains('i') || text[1..].starts_with('i')
            };
            short || (text.len() > 3 && "--in-place".starts_with(text.split('=').next().unwrap_or("")))
        };
        let changes = args.iter().any(in_place);
        let plain: Vec<Flat> = args
            .iter()
            .map(|arg| match arg.text.find('i') {
                Some(cut) if in_place(arg) && !arg.text.starts_with("--") => {
                    let rest = &arg.text[cut + 1..];
                    let kept = if rest.ends_with(['e', 'f']) && rest.len() < 3 { rest } else { "" };
                    Flat::of(format!("{}{kept}", &arg.text[..cut]))
                }
                Some(_) | None => arg.clone(),
            })
            .filter(|arg| arg.text != "-" || !changes)
            .collect();
        let options = CommandOptions::read(&plain, "efl", &["--expression", "--file", "--line-length"]);
        let mut scripts = options.values(&["-e", "--expression"]);
        let mut files = options.rest.clone();
        let from_file = options.has(&["-f", "--file"]);
        if scripts.is_empty() && !from_file && !files.is_empty() {
            scripts.push(files.remove(0));
        }
        // On other systems the suffix of -i is a word of its own, and empty.
        files.retain(|file| !file.text.is_empty());
        if from_file {
            self.found.doubt(Risk::Unknown, "sed reads its script from a file");
        }
        if changes {
            files.iter().for_each(|file| self.write(file, How::Write, at));
        }
        for script in scripts {
            // A part that is filled in is a number or a text; all of it may be anything.
            if script.has_hole() && !script.text.chars().any(|c| c.is_ascii_alphabetic()) {
                self.found.doubt(Risk::Unknown, "sed's script is not known until it runs");
                continue;
            }
            match sed_deeds(&script.text.replace('\0', "1")) {
                None => self.found.doubt(Risk::Unknown, "we could not take sed's script apart"),
                Some(deeds) if script.has_hole() && !deeds.is_empty() => {
                    self.found.doubt(Risk::Unknown, "sed's script is not known until it runs");
                }
                Some(deeds) => deeds.into_iter().for_each(|deed| match deed {
                    Deed::Write(file) => self.write(&Flat::of(file), How::Write, at),
                    Deed::Read(file) => self.look(&Flat::of(file), at),
                    Deed::Run => self.found.doubt(Risk::Grave, "sed's script runs a command"),
                }),
            }
        }
    }

    /// `awk`: its program must plainly only read and print.
    pub fn awk(&mut self, args: &[Flat]) {
        let mut words = args.iter();
        let mut program = None;
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            match text {
                "-F" | "-v" => {
                    words.next();
                }
                "--" => {
                    program = words.next();
                    break;
                }
                _ if text.starts_with("-F") || text.starts_with("-v") => {}
                "--version" => return,
                _ if word.is_option() => {
                    return self.found.doubt(Risk::Unknown, "awk is given options that we do not follow");
                }
                _ => {
                    program = Some(word);
                    break;
                }
            }
        }
        let Some(program) = program else { return };
        if program.has_hole() {
            self.found.doubt(Risk::Unknown, "awk's program is not known until it runs");
        } else if !awk_only_prints(&program.text) {
            self.found.doubt(Risk::Unknown, "awk's program may write files or run commands");
        }
    }
}

/// What a script of `sed` does; nothing if it could not be taken apart.
fn sed_deeds(script: &str) -> Option<Vec<Deed>> {
    let text: Vec<char> = script.chars().collect();
    let mut deeds = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let c = text[at];
        at += 1;
        match c {
            ' ' | '\t' | '\n' | ';' | '{' | '}' | '!' | ',' | '$' | '~' | '+' | '0'..='9' | 'I' | 'M' => {}
            '/' => at = section(&text, at, '/')?,
            '\\' => {
                let mark = *text.get(at)?;
                at = section(&text, at + 1, mark)?;
            }
            's' | 'y' => {
                let mark = *text.get(at)?;
                at = section(&text, at + 1, mark)?;
                at = section(&text, at, mark)?;
                while let Some(flag) = text.get(at).filter(|flag| c == 's' && flag.is_ascii_alphanumeric()) {
                    at += 1;
                    match flag {
                        'e' => deeds.push(Deed::Run),
                        'w' => deeds.push(Deed::Write(rest_of_line(&text, &mut at))),
                        'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
                        _ => return None,
                    }
                }
            }
            'w' | 'W' => deeds.push(Deed::Write(rest_of_line(&text, &mut at))),
            'r' | 'R' => deeds.push(Deed::Read(rest_of_line(&text, &mut at))),
            'e' => {
                deeds.push(Deed::Run);
                rest_of_line(&text, &mut at);
            }
            '#' => {
                rest_of_line(&text, &mut at);
            }
            'a' | 'i' | 'c' => loop {
                let line = rest_of_line(&text, &mut at);
                if !line.ends_with('\\') || at >= text.len() {
                    break;
                }
                at += 1;
            },
            ':' | 'b' | 't' | 'T' => {
                while text.get(at).is_some_and(|c| !matches!(c, ';' | '\n' | '}')) {
                    at += 1;
                }
            }
            'l' | 'q' | 'Q' | 'n' | 'N' | 'd' | 'D' | 'p' | 'P' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'z'
            | 'F' => {}
            _ => return None,
        }
    }
    Some(deeds)
}

/// Where a section that ends with `mark` is over.
fn section(text: &[char], from: usize, mark: char) -> Option<usize> {
    let mut at = from;
    let mut class = false;
    while at < text.len() {
        match text[at] {
            '\\' => at += 1,
            '[' if mark != '[' && !class => {
                class = text[at + 1..].contains(&']');
                // A bracket right at the start of a class stands for itself.
                at += usize::from(text.get(at + 1) == Some(&'^'));
                at += usize::from(text.get(at + 1) == Some(&']'));
            }
            ']' => class = false,
            c if c == mark && !class => return Some(at + 1),
            // Programs differ on whether a class hides the mark.
            c if c == mark => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

fn rest_of_line(text: &[char], at: &mut usize) -> String {
    let rest: String = text[*at..].iter().take_while(|c| **c != '\n').collect();
    *at += rest.chars().count();
    rest.trim().to_owned()
}

/// Whether a program of `awk` neither writes files nor runs commands, as far as can be seen plainly.
fn awk_only_prints(program: &str) -> bool {
    let mut bare = String::new();
    let mut chars = program.chars().peekable();
    while let Some(c) = chars.next() {
        let value_before = bare.trim_end().ends_with(|c: char| c.is_alphanumeric() || ")]\"$_".contains(c));
        let quote = match c {
            '"' => '"',
            '/' if !value_before => '/',
            '#' => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            c => {
                bare.push(c);
                continue;
            }
        };
        loop {
            match chars.next() {
                Some('\\') => {
                    chars.next();
                }
                Some(c) if c == quote => break,
                Some('\n') | None => return false,
                Some(_) => {}
            }
        }
        bare.push('"');
    }
    let bare = bare.replace("||", " ");
    let names = bare.split(|c: char| !c.is_alphanumeric() && c != '_');
    let runs = names.into_iter().any(|name| ["system", "getline", "close", "fflush"].contains(&name));
    let prints_to = bare.split(['{', '}', ';', '\n']).any(|statement| {
        let mut open = 0i32;
        let outside: String = statement
            .chars()
            .filter(|c| {
                open += i32::from(*c == '(') - i32::from(*c == ')');
                open <= 0
            })
            .collect();
        outside.contains("print") && outside.contains('>')
    });
    !runs && !prints_to && !bare.contains(['|', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_sed_is_taken_apart() {
        for calm in
            ["s/a/b/g", "1,80p", "/x/,/y/d", "s|a/b|c|;s/e/w/", "$!N;P;D", "/a[bc]/p", "y/ew/we/", "2q"]
        {
            assert_eq!(sed_deeds(calm), Some(Vec::new()), "{calm}");
        }
        assert_eq!(sed_deeds("1w out"), Some(vec![Deed::Write("out".to_owned())]));
        assert_eq!(sed_deeds("s/a/b/gw out"), Some(vec![Deed::Write("out".to_owned())]));
        assert_eq!(sed_deeds("s/a/b/e"), Some(vec![Deed::Run]));
        assert_eq!(sed_deeds("1e id"), Some(vec![Deed::Run]));
        assert_eq!(sed_deeds("s/a"), None);
    }

    #[test]
    fn a_program_of_awk_is_plain_or_not() {
        for calm in [
            "{print $1}",
            "$3 > 5 {print $1}",
            "/a|b/ {n++} END {print n}",
            "NR==1 || NR>3",
            "{print ($1 > 2)}",
        ] {
            assert!(awk_only_prints(calm), "{calm}");
        }
        for wild in [
            "{print > \"x\"}",
            "BEGIN{system(\"id\")}",
            "{\"id\" | getline}",
            "{print | \"sh\"}",
            "{printf \"a\" >> f}",
        ] {
            assert!(!awk_only_prints(wild), "{wild}");
        }
    }
}
