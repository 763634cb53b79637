//! What reaches out: programs that speak with other machines, and the hosts they speak with.

use super::Risk;
use super::bench::Bench;
use super::commands::is_plain_word;
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;

/// Programs that speak with other machines.
const FAR: &[&str] = &[
    "ssh",
    "scp",
    "sftp",
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "ftp",
    "lftp",
    "dig",
    "nslookup",
    "host",
    "ping",
    "ping6",
    "traceroute",
    "whois",
    "nmap",
    "apt",
    "apt-get",
    "aptitude",
    "dpkg",
    "yum",
    "dnf",
    "apk",
    "pacman",
    "zypper",
    "brew",
    "snap",
    "flatpak",
    "port",
    "gem",
    "composer",
    "cpan",
    "luarocks",
    "conda",
    "mamba",
    "pipx",
    "nvm",
    "corepack",
    "http",
    "https",
    "xh",
    "aria2c",
    "youtube-dl",
    "svn",
    "hg",
    "sqlcmd",
    "psql",
    "mysql",
    "redis-cli",
    "mongosh",
    "websocat",
    "grpcurl",
    "ab",
    "wrk",
    "rclone",
    "restic",
    "mosh",
    "rdesktop",
    "open",
    "xdg-open",
    "bunx",
    "uvx",
    "tox",
    "nox",
];
/// Programs that act in the user's name elsewhere, or leave the sandbox.
const GRAVE: &[&str] = &[
    "gh",
    "glab",
    "hub",
    "aws",
    "gcloud",
    "gsutil",
    "az",
    "kubectl",
    "docker",
    "docker-compose",
    "podman",
    "nerdctl",
    "buildah",
    "terraform",
    "tofu",
    "pulumi",
    "helm",
    "ansible",
    "ansible-playbook",
    "heroku",
    "vercel",
    "netlify",
    "fly",
    "flyctl",
    "wrangler",
    "doctl",
    "mail",
    "sendmail",
    "mutt",
    "gpg",
    "gpg2",
    "ssh-add",
    "ssh-keygen",
    "ssh-agent",
    "security",
    "secret-tool",
    "pass",
    "op",
    "vault",
    "claude",
    "codex",
    "arbiter",
    "lxc",
    "lxd",
    "vagrant",
    "virsh",
];

impl Bench<'_> {
    /// Judges a program that reaches out; false if `name` is none.
    pub fn network(&mut self, name: &str, args: &[Flat], at: &CommandFolders) -> bool {
        if name == "curl" || name == "wget" {
            self.fetch(name, args, at);
        } else if GRAVE.contains(&name) {
            self.found.doubt(Risk::Grave, format!("{name} acts in the user's name, or outside the sandbox"));
        } else if FAR.contains(&name) {
            let sub = args.first().and_then(Flat::fixed).filter(|sub| is_plain_word(sub));
            let known = args.iter().all(|arg| arg.fixed().is_some());
            let talks =
                ["ssh", "scp", "sftp", "nc", "ncat", "netcat", "telnet", "ftp", "lftp", "rclone", "mosh"];
            if talks.contains(&name) {
                self.found
                    .doubt(Risk::Grave, format!("{name} speaks with another machine in the user's name"));
            } else {
                let shape = sub.map(|sub| format!("{name} {sub}")).filter(|_| known);
                self.found.ask(Risk::Network, format!("{name} reaches the network"), shape);
            }
        } else {
            return false;
        }
        true
    }

    fn fetch(&mut self, name: &str, args: &[Flat], at: &CommandFolders) {
        let curl = name == "curl";
        let valued = if curl { "AbBcCdDeEFhHKmoPQrtTuUwxXyYz" } else { "aAeiDBoOPQtTUwl" };
        let long = [
            "--output",
            "--output-document",
            "--output-file",
            "--directory-prefix",
            "--data",
            "--data-raw",
            "--json",
            "--data-binary",
            "--data-urlencode",
            "--header",
            "--request",
            "--form",
            "--upload-file",
            "--user",
            "--user-agent",
            "--max-time",
            "--connect-timeout",
            "--retry",
            "--retry-delay",
            "--config",
            "--proxy",
            "--unix-socket",
            "--connect-to",
            "--resolve",
            "--cookie",
            "--cookie-jar",
            "--dump-header",
            "--write-out",
            "--url",
            "--output-dir",
            "--timeout",
            "--tries",
            "--post-data",
            "--post-file",
            "--body-data",
            "--body-file",
            "--method",
            "--cacert",
            "--cert",
            "--key",
            "--range",
            "--referer",
            "--form-string",
            "--trace",
            "--trace-ascii",
            "--stderr",
            "--interface",
            "--limit-rate",
            "--max-redirs",
            "--execute",
            "--input-file",
            "--retry-max-time",
            "--speed-limit",
            "--speed-time",
            "--oauth2-bearer",
            "--variable",
        ];
        let options = CommandOptions::read(args, valued, &long);
        let files = match curl {
            true => options.values(&[
                "-o",
                "-D",
                "-c",
                "--output",
                "--dump-header",
                "--cookie-jar",
                "--trace",
                "--trace-ascii",
                "--stderr",
                "--output-dir",
                "--etag-save",
                "--hsts",
                "--alt-svc",
                "--libcurl",
            ]),
            false => options.values(&[
                "-O",
                "-o",
                "-a",
                "-P",
                "--output-document",
                "--output-file",
                "--append-output",
                "--directory-prefix",
                "--save-cookies",
            ]),
        };
        files.iter().for_each(|file| self.write(file, How::Write, at));
        let by_name = if curl {
            options.has(&["-O", "-J", "--remote-name", "--remote-name-all"])
        } else {
            files.is_empty() && !options.has(&["--spider"])
        };
        if by_name {
            self.write_here(at);
        }
        let sends = if curl {
            options.has(&[
                "-d",
                "-F",
                "-T",
                "-X",
                "-u",
                "--data",
                "--json",
                "--form",
                "--form-string",
                "--upload-file",
                "--request",
                "--user",
                "--oauth2-bearer",
                "-Q",
                "--quote",
                "-b",
                "-E",
                "--netrc",
                "-n",
            ])
        } else {
            options.has(&[
                "--post-data",
                "--post-file",
                "--body-data",
                "--body-file",
                "--method",
                "--user",
                "--password",
            ])
        };
        let odd = if curl {
            options.has(&[
                "-K",
                "-x",
                "--config",
                "--proxy",
                "--preproxy",
                "--socks5",
                "--unix-socket",
                "--abstract-unix-socket",
                "--connect-to",
                "--resolve",
                "--variable",
                "--engine",
                "--proto-redir",
                "--doh-url",
            ])
        } else {
            options.has(&["-e", "-i", "--execute", "--input-file", "--use-askpass", "--config"])
        };
        let mut urls = options.rest.clone();
        urls.extend(options.values(&["--url"]));
        let hosts: Option<Vec<String>> = urls.iter().map(|url| host_of(&url.text)).collect();
        let hosts = hosts
            .filter(|hosts| !hosts.is_empty() && !urls.iter().any(|url| url.glob && url.text.contains('[')));
        let known = args.iter().all(|arg| !arg.open);
        if urls.is_empty() && options.has(&["--version", "--help", "-V", "-h"]) {
            return;
        }
        match hosts {
            Some(hosts) if known && !odd && hosts.iter().all(|host| is_loopback(host)) => {}
            Some(hosts) if known && !odd && !sends => {
                let scheme = |url: &Flat| if url.text.starts_with("http://") { "http" } else { "https" };
                for (host, url) in hosts.iter().zip(&urls) {
                    let shape = format!("{name} {}://{host}", scheme(url));
                    self.found.ask(Risk::Network, format!("it fetches from {host}"), Some(shape));
                }
            }
            Some(hosts) if known && !odd => {
                self.found.doubt(Risk::Grave, format!("it sends something to {}", hosts.join(", ")));
            }
            Some(_) | None => {
                self.found.doubt(Risk::Grave, format!("where {name} connects to is not plain to see"));
            }
        }
    }
}

/// The host of an address on the web, if it is plain to see.
pub fn host_of(url: &str) -> Option<String> {
    let rest = match url.find("://") {
        Some(cut) if ["http", "https", "ssh", "git"].contains(&url[..cut].to_lowercase().as_str()) => {
            &url[cut + 3..]
        }
        Some(_) => return None,
        None => url,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(inner) => inner.split(']').next()?,
        None => host.split(':').next()?,
    };
    let plain =
        !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'));
    plain.then(|| host.to_lowercase().trim_end_matches('.').to_owned())
}

/// This machine itself.
pub fn is_loopback(host: &str) -> bool {
    let four = host.strip_prefix("127.").is_some_and(|rest| {
        let parts: Vec<&str> = rest.split('.').collect();
        parts.len() == 3 && parts.iter().all(|part| part.parse::<u8>().is_ok())
    });
    host == "localhost" || host == "::1" || four
}

/// A host that is not on the public web: this machine, its network, or a cloud's own service.
pub fn is_private(host: &str) -> bool {
    let ends = [".localhost", ".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".home.arpa"];
    if is_loopback(host) || ends.iter().any(|end| host.ends_with(end)) {
        return true;
    }
    if host.contains(':') {
        let open = host.starts_with('2') || host.starts_with('3');
        return !open || host.contains('.') || host.starts_with("2002:");
    }
    match address(host) {
        Some(number) => {
            let [a, b, ..] = number.to_be_bytes();
            matches!(
                (a, b),
                (0 | 10 | 127, _)
                    | (169, 254)
                    | (192, 168)
                    | (172, 16..=31)
                    | (100, 64..=127)
                    | (198, 18..=19)
            ) || a >= 224
        }
        None => !host.contains('.'),
    }
}

/// The number behind an address in any of the forms that systems accept.
fn address(host: &str) -> Option<u32> {
    let parts: Vec<&str> = host.split('.').collect();
    if parts.len() > 4 {
        return None;
    }
    let mut numbers = Vec::new();
    for part in &parts {
        let lower = part.to_lowercase();
        let number = match lower.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(if hex.is_empty() { "0" } else { hex }, 16).ok()?,
            None if lower.len() > 1 && lower.starts_with('0') => u64::from_str_radix(&lower, 8).ok()?,
            None => lower.parse::<u64>().ok()?,
        };
        numbers.push(number);
    }
    let (last, first) = numbers.split_last()?;
    let mut value: u64 = 0;
    for number in first {
        value = (value << 8) | (number & 0xff);
    }
    let shift = 8 * (4 - u32::try_from(first.len()).ok()?);
    u32::try_from(((value << shift) | last) & 0xffff_ffff).ok()
}
