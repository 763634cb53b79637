//! No file says where it was written: no path of a developer's machine, and no host of a package registry, which would
//! make the build depend on a private mirror. Needles are in pieces, so that this file does not find itself.

use super::{Problem, Tree};

/// Folders that only one machine has.
const FOLDERS: [&str; 2] = [concat!("/", "work/"), concat!("/", "root/")];
/// Folders of people; the name that follows decides.
const HOMES: [&str; 2] = [concat!("/", "home/"), concat!("/", "Users/")];
/// Names that examples and tests use for no real person.
const EXAMPLE_NAMES: [&str; 7] = ["user", "someone", "somebody", "me", "you", "alice", "bob"];
const HOSTS: [&str; 7] = [
    concat!("crates", ".io"),
    concat!("npmjs", ".org"),
    concat!("npmjs", ".com"),
    concat!("yarnpkg", ".com"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("proxy.golang", ".org"),
];
/// How cargo itself writes the one public registry, in every lock file.
const LOCKED: &str = concat!("registry", "+https://github.com/rust-lang/crates", ".io-index");
/// How a lock file or a configuration names any registry.
const REGISTRIES: [&str; 2] = [concat!("registry", "+http"), concat!("sparse", "+http")];
pub const HINT: &str = "write paths from the repository's root, or /home/user in examples; a mirror belongs in the \
                        machine's own cargo configuration";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.files() {
        for (number, line) in (1..).zip(text.lines()) {
            let foreign = line.replace(LOCKED, "");
            if let Some(found) = machine_path(line) {
                problems.push(Problem::at(path, number, format!("names a folder of one machine: {found}")));
            }
            if let Some(found) = HOSTS.into_iter().chain(REGISTRIES).find(|host| foreign.contains(host)) {
                problems.push(Problem::at(path, number, format!("names a package registry: {found}")));
            }
        }
    }
    problems
}

/// The first absolute path on this line that only one machine has.
fn machine_path(line: &str) -> Option<String> {
    let folder =
        FOLDERS.into_iter().find(|folder| absolute(line, folder).next().is_some()).map(str::to_owned);
    let is_real = |name: &&str| !name.is_empty() && !EXAMPLE_NAMES.contains(name);
    let home = |home: &str| {
        let name = absolute(line, home).map(first_name).find(is_real)?;
        Some(format!("{home}{name}"))
    };
    folder.or_else(|| HOMES.into_iter().find_map(home))
}

/// The name that the rest of a path begins with.
fn first_name(rest: &str) -> &str {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)));
    &rest[..end.unwrap_or(rest.len())]
}

/// What follows each place where `folder` begins a path, rather than goes on in one.
fn absolute<'a>(line: &'a str, folder: &str) -> impl Iterator<Item = &'a str> {
    line.match_indices(folder).filter_map(|(at, folder)| {
        let goes_on = |c: char| c.is_alphanumeric() || "_-.~*)}>".contains(c);
        (!line[..at].ends_with(goes_on)).then(|| &line[at + folder.len()..])
    })
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(line: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[("a.txt", &format!("first\n{line}\n"))])))
    }

    #[test]
    fn folders_of_one_machine_are_told() {
        let [work, root] = FOLDERS;
        for (folder, line) in [
            (work, format!("see {work}main/x.rs")),
            (work, format!("path+file://{work}main#0.1.0")),
            (root, format!("\"{root}.cargo\"")),
        ] {
            assert_eq!(problems(&line), [format!("a.txt:2: names a folder of one machine: {folder}")]);
        }
    }

    #[test]
    fn homes_of_somebody_are_told_and_of_nobody_are_not() {
        for home in HOMES {
            let told = format!("a.txt:2: names a folder of one machine: {home}carol");
            assert_eq!(problems(&format!("{home}user/x, then {home}carol/y")), [told]);
            assert_eq!(problems(&format!("{home}user/x {home}<name>/y {home}")), [""; 0]);
        }
    }

    #[test]
    fn a_folder_inside_a_path_is_fine() {
        let [work, _] = FOLDERS;
        for line in
            [format!("crates{work}x"), format!("~{work}x"), format!("${{dir}}{work}x"), format!("..{work}")]
        {
            assert_eq!(problems(&line), [""; 0], "{line}");
        }
    }

    #[test]
    fn hosts_of_registries_are_told() {
        for host in HOSTS {
            assert_eq!(
                problems(&format!("https://x.{host}/y")),
                [format!("a.txt:2: names a package registry: {host}")]
            );
        }
        for registry in REGISTRIES {
            let told = format!("a.txt:2: names a package registry: {registry}");
            assert_eq!(problems(&format!("source = \"{registry}s://mirror.example/\"")), [told]);
        }
    }

    #[test]
    fn the_lock_file_may_name_the_public_index() {
        assert_eq!(problems(&format!("source = \"{LOCKED}\"")), [""; 0]);
    }
}
