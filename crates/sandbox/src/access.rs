//! Builds the access map of a mission's sandbox: the machine may be read, the clone and its temporary folder written;
//! the user's private files, and Arbiter's own, are hidden.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mind::access::{Access, AccessMap};

use crate::limits::ENTRIES_MAX;

/// The private files of a home: keys, tokens, logins, histories, letters.
const SECRETS: &str = "
    .ssh .gnupg .pki .netrc .authinfo .authinfo.gpg .password-store .vault-token .aws .azure .kube
    .docker .boto .s3cfg .oci .config/gcloud .config/doctl .config/containers/auth.json .config/rclone
    .config/sops .config/age .terraform.d .terraformrc .fly .heroku .config/configstore .config/netlify
    .config/vercel .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli
    .config/op .config/1Password .config/Bitwarden .npmrc .pypirc .cargo/credentials
    .cargo/credentials.toml .gem/credentials .m2/settings-security.xml .composer/auth.json
    .config/composer/auth.json .local/share/keyrings .local/share/kwalletd .mozilla .thunderbird
    .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/Signal
    .config/Slack .config/discord .var .snap snap .electrum .bitcoin .ethereum .pgpass .my.cnf
    .mylogin.cnf .config/openai .codex .gemini .config/arbiter .bash_history .zsh_history .zhistory
    .local/share/fish/fish_history .local/share/atuin .histfile .python_history .node_repl_history
    .psql_history .mysql_history .sqlite_history .rediscli_history .irb_history .lesshst .viminfo
    .wget-hsts .ICEauthority .Xauthority .1password .git-credential-cache .cache/git/credential .colima
    .lima .orbstack .rd .multipass .minikube .ollama/id_ed25519 .local/share/containers .config/VSCodium
    .config/Cursor .config/Windsurf .vscode-server .cursor-server
";

/// The same, for all names that begin so.
const SECRETS_BEGIN: &str = ".config/Code .cache/keyring";

/// The private files of the machine: sockets and temporary files of other programs, and the passwords, where we
/// could read them.
const MACHINE: &str = "
    /tmp /var/tmp /dev/shm /run /var/run /root /var/snap /var/lib/docker /var/lib/containerd /var/lib/lxd
    /var/lib/incus /etc/shadow /etc/gshadow /etc/ssl/private
";

/// What an access map is made from. Paths need not be canonical, nor exist.
#[derive(Debug, Clone, Default)]
pub struct AccessInputs {
    pub home: PathBuf,
    /// May be written.
    pub clone: PathBuf,
    /// May be written.
    pub tmp: PathBuf,
    /// The user's project, hidden. None if the mission works in its place.
    pub project: Option<PathBuf>,
    /// May be read although they may lie in hidden folders: places that the clone borrows from.
    pub borrowed: Vec<PathBuf>,
    /// Arbiter's own folders of state and configuration, those of all missions too: hidden, whatever the
    /// user's lists say.
    pub ours: Vec<PathBuf>,
    /// Programs that must be visible wherever they are: Arbiter's own binary, the agent's folder.
    pub programs: Vec<PathBuf>,
    /// What the user allows to be written.
    pub write: Vec<PathBuf>,
    /// What the user hides.
    pub hide: Vec<PathBuf>,
    /// The agent's own files.
    pub agent: Vec<(PathBuf, Access)>,
}

/// Builds the access map of one mission. A later rule wins over an earlier one for the same place.
pub fn lay_of(ground: &AccessInputs) -> io::Result<AccessMap> {
    let clone = fs::canonicalize(&ground.clone)?;
    let tmp = fs::canonicalize(&ground.tmp)?;
    let home = settled(&ground.home);
    let mut views = Views(BTreeMap::from([("/".to_owned(), Access::Read)]));
    for place in MACHINE.split_whitespace().map(Path::new).filter(|place| is_worth_hiding(place)) {
        views.set(place, Access::Hidden);
    }
    // Name resolution reads this file, which is often a link to where all the sockets are.
    if let Ok(resolver) = fs::canonicalize("/etc/resolv.conf").and_then(|file| views.hides(&file)) {
        views.set(&resolver, Access::Read);
    }
    views.set(&home, Access::Read);
    for secret in SECRETS.split_whitespace() {
        views.set(&home.join(secret), Access::Hidden);
    }
    for place in SECRETS_BEGIN.split_whitespace().flat_map(|begin| named(&home.join(begin))) {
        views.set(&place, Access::Hidden);
    }
    if let Some(project) = &ground.project {
        views.set(project, Access::Hidden);
    }
    ground.borrowed.iter().for_each(|place| views.set(place, Access::Read));
    ground.write.iter().for_each(|place| views.set(place, Access::Write));
    ground.hide.iter().for_each(|place| views.set(place, Access::Hidden));
    ground.ours.iter().for_each(|place| views.set(place, Access::Hidden));
    ground.programs.iter().for_each(|place| views.show(place));
    ground.agent.iter().for_each(|(place, view)| views.set(place, *view));
    views.set(&tmp, Access::Write);
    views.set(&clone, Access::Write);
    Ok(AccessMap { clone: words(&clone)?, home: words(&home)?, views: views.0 })
}

struct Views(BTreeMap<String, Access>);

impl Views {
    /// A path that is no text cannot be said; nothing of ours has one.
    fn set(&mut self, place: &Path, view: Access) {
        if let Some(place) = settled(place).to_str() {
            self.0.insert(place.to_owned(), view);
        }
    }

    /// Sees to it that a place can be read at least.
    fn show(&mut self, place: &Path) {
        if self.hides(&settled(place)).is_ok() {
            self.set(place, Access::Read);
        }
    }

    fn hides(&self, place: &Path) -> io::Result<PathBuf> {
        let lay = AccessMap { views: self.0.clone(), ..AccessMap::default() };
        match lay.view(&words(place)?) {
            Access::Hidden => Ok(place.to_path_buf()),
            Access::Read | Access::Write => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// A rule for what we could not read anyway only makes its surroundings harder to use.
fn is_worth_hiding(place: &Path) -> bool {
    !(place.starts_with("/etc") || place.starts_with("/var/lib"))
        || rustix::fs::access(place, rustix::fs::Access::READ_OK).is_ok()
}

/// What is there with a name that begins like this.
fn named(begin: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(begin)) = (begin.parent(), begin.file_name()) else { return Vec::new() };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_meant =
        |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(begin.as_encoded_bytes());
    entries.filter(is_meant).take(ENTRIES_MAX).map(|entry| entry.path()).collect()
}

/// The path without links, as far as it exists.
fn settled(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(above), path.strip_prefix(above)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path
}

fn words(path: &Path) -> io::Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| io::Error::other(format!("{path:?} is not valid text")))
}

/// Whether a place of the access map is a folder; none if it is not there, or not for us. A program that was inside
/// before could have put a link in its place, which would take the rule for it elsewhere.
#[cfg(target_os = "linux")]
pub(super) fn look(place: &str, view: Access) -> Result<Option<bool>, String> {
    match fs::symlink_metadata(place) {
        Err(error)
            if error.kind() == io::ErrorKind::NotFound || error.kind() == io::ErrorKind::NotADirectory =>
        {
            Ok(None)
        }
        Err(error) if view == Access::Write => Err(format!("{place} cannot be found: {error}")),
        // What Arbiter itself may not see, no program inside can see.
        Err(_) => Ok(None),
        Ok(found) => match fs::canonicalize(place) {
            Ok(real) if real == Path::new(place) => Ok(Some(found.is_dir())),
            Ok(_) | Err(_) => Err(format!("{place} is reached by a link, and must not be")),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn world() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for place in
            ["home/.aws", "state/clones/m1", "state/tmp/m1", "project/.git/objects/info", "keys", "bin"]
        {
            fs::create_dir_all(root.join(place)).unwrap();
        }
        symlink(root.join("keys"), root.join("home/.ssh")).unwrap();
        (folder, root)
    }

    fn lay(root: &Path, change: impl FnOnce(&mut AccessInputs)) -> impl Fn(&str) -> Access {
        let mut lay = whole_lay(root, change);
        // The tests' own world is below it.
        lay.views.remove("/tmp");
        let root = root.to_path_buf();
        move |place| lay.view(root.join(place).to_str().unwrap())
    }

    fn whole_lay(root: &Path, change: impl FnOnce(&mut AccessInputs)) -> AccessMap {
        let (home, clone) = (root.join("home"), root.join("state/clones/m1"));
        let (tmp, project, ours) =
            (root.join("state/tmp/m1"), root.join("project"), vec![root.join("state")]);
        let borrowed = vec![root.join("project/.git/objects")];
        let project = Some(project);
        let mut ground =
            AccessInputs { home, clone, tmp, project, borrowed, ours, ..AccessInputs::default() };
        change(&mut ground);
        lay_of(&ground).unwrap()
    }

    #[test]
    fn secrets_are_hidden_where_they_really_are() {
        let (_folder, root) = world();
        fs::create_dir_all(root.join("home/.config/Code - Insiders")).unwrap();
        let view = lay(&root, |_| {});
        for place in
            ["home/.config/Code - Insiders/x.sock", "home/.lima/x/ssh.sock", "home/.1password/agent.sock"]
        {
            assert_eq!(view(place), Access::Hidden, "{place}");
        }
        for place in
            ["keys", "home/.aws/credentials", "home/.netrc", "state", "state/clones/m2", "project/.env"]
        {
            assert_eq!(view(place), Access::Hidden, "{place}");
        }
        for place in ["state/clones/m1/src", "state/tmp/m1/x"] {
            assert_eq!(view(place), Access::Write, "{place}");
        }
        assert_eq!(view("home/.bashrc"), Access::Read);
        assert_eq!(view("project/.git/objects/pack"), Access::Read);
        assert_eq!(view("project/.git/config"), Access::Hidden);
        assert_eq!(view("/usr/bin/env"), Access::Read);
        assert_eq!(view("/run/docker.sock"), Access::Hidden);
    }

    #[test]
    fn what_the_clone_borrows_from_can_be_read_in_a_hidden_place() {
        let (_folder, root) = world();
        fs::create_dir_all(root.join("a/objects")).unwrap();
        let (hidden, borrowed) = (vec![root.join("a")], vec![root.join("a/objects")]);
        let view = lay(&root, |ground| {
            ground.hide = hidden;
            ground.borrowed = borrowed;
        });
        assert_eq!(
            (view("a/objects"), view("a"), view("keys")),
            (Access::Read, Access::Hidden, Access::Hidden)
        );
    }

    #[test]
    fn what_is_ours_stays_hidden_whatever_the_user_lets_be_written() {
        let (_folder, root) = world();
        let (write, hide, programs) = (
            vec![root.join("state"), root.join("home")],
            vec![root.join("home/mail")],
            vec![root.join("state/bin")],
        );
        let view = lay(&root, |ground| {
            ground.write = write;
            ground.hide = hide;
            ground.programs = programs;
        });
        assert_eq!((view("state"), view("state/bin/arbiter")), (Access::Hidden, Access::Read));
        assert_eq!(
            (view("home/notes"), view("home/mail"), view("keys")),
            (Access::Write, Access::Hidden, Access::Hidden)
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_place_that_became_a_link_is_refused() {
        let (_folder, root) = world();
        let look = |place: &str| look(root.join(place).to_str().unwrap(), Access::Write);
        assert_eq!(look("keys"), Ok(Some(true)));
        assert_eq!(look("absent"), Ok(None));
        assert!(look("home/.ssh").is_err());
    }
}
