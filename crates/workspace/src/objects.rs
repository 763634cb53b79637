//! Finds where git keeps the objects that a mission's clone borrows from the user's repository. The project is asked,
//! never the clone: the agent can write what the clone says.

use std::fs;
use std::path::{Path, PathBuf};

use super::limits::{ALTERNATES_DEPTH_MAX, SUBMODULE_FOLDERS_DEPTH_MAX, SUBMODULE_FOLDERS_MAX};

/// Every folder of objects that a clone of `project` may read: the repository's own, those it borrows from in its turn,
/// and those of its submodules.
#[must_use]
pub fn object_folders(project: &Path) -> Vec<PathBuf> {
    let Some(repository) = repository(project) else { return Vec::new() };
    let mut found = with_alternates(&repository.join("objects"));
    found.extend(submodule_objects(&repository));
    found
}

/// Where the repository of `project` keeps its submodules: this folder changes when one comes or goes.
#[must_use]
pub fn submodules_folder(project: &Path) -> Option<PathBuf> {
    repository(project).map(|repository| repository.join("modules"))
}

/// A repository's own objects, and those it borrows, without links.
fn with_alternates(own: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::canonicalize(own).into_iter().collect();
    let mut last = found.clone();
    for _ in 0..ALTERNATES_DEPTH_MAX {
        let next: Vec<PathBuf> = last.iter().flat_map(|objects| alternates(objects)).collect();
        last = next.into_iter().filter(|folder| !found.contains(folder)).collect();
        found.extend(last.iter().cloned());
    }
    found.retain(|folder| folder.is_dir());
    found
}

fn alternates(objects: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(objects.join("info/alternates")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '"']));
    lines.filter_map(|line| fs::canonicalize(objects.join(line)).ok()).collect()
}

/// The repository that a folder belongs to: its own, the one its `.git` file points to, or itself.
fn repository(project: &Path) -> Option<PathBuf> {
    let door = project.join(".git");
    let folder = if door.is_dir() {
        door
    } else if let Ok(text) = fs::read_to_string(&door) {
        project.join(text.strip_prefix("gitdir:")?.trim())
    } else {
        project.to_path_buf()
    };
    // A work tree's own folder holds no objects; it names the one that does.
    let folder = match fs::read_to_string(folder.join("commondir")) {
        Ok(common) => folder.join(common.trim()),
        Err(_) => folder,
    };
    folder.join("objects").is_dir().then_some(folder)
}

fn submodule_objects(repository: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(repository.join("modules"), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        seen += 1;
        if depth > SUBMODULE_FOLDERS_DEPTH_MAX || seen > SUBMODULE_FOLDERS_MAX {
            break;
        }
        if folder.join("HEAD").is_file() && folder.join("objects").is_dir() {
            found.push(folder.join("objects"));
            folders.push((folder.join("modules"), depth + 1));
            continue;
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(inner.map(|entry| (entry.path(), depth + 1)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("project/.git/objects/info")).unwrap();
        (folder, root)
    }

    #[test]
    fn alternates_are_followed_from_the_project() {
        let (_folder, root) = project();
        for place in ["a/objects/info", "b/objects"] {
            fs::create_dir_all(root.join(place)).unwrap();
        }
        let a = root.join("a/objects");
        let lines = format!("{}\n{}\n", a.display(), root.join("gone").display());
        fs::write(root.join("project/.git/objects/info/alternates"), lines).unwrap();
        fs::write(a.join("info/alternates"), "# a remark\n../../b/objects\n../objects\n").unwrap();
        assert_eq!(
            object_folders(&root.join("project")),
            [root.join("project/.git/objects"), a, root.join("b/objects")]
        );
    }

    #[test]
    fn a_work_tree_finds_its_objects_and_those_of_submodules() {
        let (_folder, root) = project();
        for place in ["tree", "project/.git/worktrees/tree", "project/.git/modules/libs/one/objects"] {
            fs::create_dir_all(root.join(place)).unwrap();
        }
        fs::write(root.join("project/.git/modules/libs/one/HEAD"), "").unwrap();
        fs::write(root.join("project/.git/worktrees/tree/commondir"), "../..\n").unwrap();
        let text = format!("gitdir: {}\n", root.join("project/.git/worktrees/tree").display());
        fs::write(root.join("tree/.git"), text).unwrap();
        let found: Vec<PathBuf> =
            object_folders(&root.join("tree")).iter().map(|folder| folder.canonicalize().unwrap()).collect();
        let one = root.join("project/.git/modules/libs/one/objects");
        assert_eq!(found, [root.join("project/.git/objects"), one]);
    }
}
