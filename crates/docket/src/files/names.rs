//! Names of petition files: made of sanitised parts, so that no path can be smuggled in; and which names are petitions.

use std::path::Path;

use mind::petition::{Petition, PetitionId};

use crate::ledger::sha256;
use crate::limits;

/// The name of a new petition's file; with a number from the second try on.
pub(crate) fn file_name(petition: &Petition, attempt: usize) -> String {
    let agent = slug(&petition.agent, "agent");
    let title = slug(&petition.title, "petition");
    let id = of_id(&petition.id);
    let again = if attempt == 0 { String::new() } else { format!("-{}", attempt + 1) };
    format!("{agent}-{title}-{id}{again}.md")
}

/// An id as part of a path.
pub(crate) fn of_id(id: &PetitionId) -> String {
    let plain = |sign: &char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
    let name: String = id.0.chars().filter(plain).take(limits::NAME_ID_MAX).collect();
    if name.is_empty() { "id".to_owned() } else { name }
}

fn slug(text: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for sign in text.chars().flat_map(char::to_lowercase) {
        if sign.is_ascii_lowercase() || sign.is_ascii_digit() {
            slug.push(sign);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= limits::NAME_PART_MAX {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { otherwise.to_owned() } else { slug.to_owned() }
}

/// Whether a file of this name in `pending/` is meant to be a petition.
pub(crate) fn is_petition(name: &str) -> bool {
    name.ends_with(".md") && !name.starts_with('.') && !name.contains(".tmp-")
}

/// The file beside `name` in which its next content is written. There is one writer at a time, so the name is always
/// the same, and a process that died left at most this one file.
pub(crate) fn beside(name: &str) -> String {
    let shown = &name[..name.floor_char_boundary(limits::NAME_BESIDE_MAX)];
    format!(".{shown}.tmp-{}", &sha256(name.as_bytes())[..16])
}

/// Other names for a file whose name another petition's file has; there are so many of them that one is free.
pub(crate) fn aside(name: &str) -> impl Iterator<Item = String> {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let stem = stem[..stem.floor_char_boundary(limits::NAME_BESIDE_MAX)].to_owned();
    (2..=limits::NAME_TRIES).map(move |number| format!("{stem}-{number}.md"))
}

/// A name without a path separator, so that it stays in its folder.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(std::path::Component::Normal(_)), None))
        && !name.contains('/')
}

#[cfg(test)]
mod tests {
    use mind::Timestamp;
    use mind::petition::PetitionDraft;

    use super::*;

    fn named(agent: &str, title: &str, id: &str) -> String {
        let draft = PetitionDraft { agent: agent.into(), title: title.into(), ..PetitionDraft::default() };
        file_name(&draft.petition(PetitionId::from(id), Timestamp(0)), 0)
    }

    #[test]
    fn a_name_is_made_of_plain_parts() {
        assert_eq!(named("ceo", "API Design Decisions", "abc123"), "ceo-api-design-decisions-abc123.md");
        assert_eq!(named("", "", "x"), "agent-petition-x.md");
        let long = "A title that goes on and on, and then on";
        assert_eq!(named("Ada L.", long, "x"), "ada-l-a-title-that-goes-on-and-on-an-x.md");
    }

    #[test]
    fn no_path_is_smuggled_into_a_name() {
        for id in ["/../../x", "..", "", "a/b\0c", "\n"] {
            let name = named("../../etc", "/etc/passwd", id);
            assert!(is_plain(&name) && is_petition(&name), "{name:?}");
        }
        assert_eq!(named("../a", "../b", "/../../x"), "a-b-x.md");
        assert!(!is_plain("../x") && !is_plain("") && !is_plain("a/b") && !is_plain("..") && !is_plain("a/"));
    }

    #[test]
    fn scratch_files_are_no_petitions() {
        assert!(is_petition("a.md"));
        for name in [".a.md", "a.md.tmp-0123456789abcdef", "a.tmp-0123456789abcdef.md", "a.txt"] {
            assert!(!is_petition(name), "{name}");
        }
        assert!(!is_petition(&beside("a.md")));
    }
}
