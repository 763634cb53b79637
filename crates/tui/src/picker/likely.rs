//! Which Markdown files are likely to hold requirements: by their name, and the nearer to the root the likelier.

/// Names that requirements have, the likeliest first.
const NAMES: [&[&str]; 3] = [
    &["requirements", "requirement", "prd", "spec", "specification", "scroll"],
    &["plan", "design", "proposal", "rfc", "todo", "roadmap", "task", "tasks", "brief", "product"],
    &["readme"],
];
/// From here on all depths weigh the same.
const DEPTH_MAX: usize = 15;

/// The weight of a name: the least is shown first.
pub fn likelihood(name: &str) -> u8 {
    let (folders, file) = name.rsplit_once('/').unwrap_or(("", name));
    let depth = if folders.is_empty() { 0 } else { 1 + folders.bytes().filter(|sign| *sign == b'/').count() };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let class = if is_among(stem, &["changelog", "license"]) {
        NAMES.len() + 1
    } else if let Some(class) = NAMES.iter().position(|names| is_among(stem, names)) {
        class
    } else if is_among(folders, NAMES[0]) {
        1
    } else {
        NAMES.len()
    };
    // A plan in a deep folder is less likely than a README at the root.
    let steps = depth.min(DEPTH_MAX) * 3 + class * 2;
    u8::try_from(steps).unwrap_or(u8::MAX)
}

/// Whether one of the words of a name is one of these.
fn is_among(name: &str, known: &[&str]) -> bool {
    let mut words = name.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_come_before_readmes_and_both_before_the_rest() {
        let order = [
            "REQUIREMENTS.md",
            "project-plan.md",
            "README.md",
            "docs/plan.md",
            "notes.md",
            "docs/README.md",
            "CHANGELOG.md",
            "docs/notes.md",
            "a/b/c/d/spec.md",
        ];
        let mut sorted = order;
        sorted.reverse();
        sorted.sort_by_key(|name| likelihood(name));
        assert_eq!(sorted, order, "{:?}", order.map(likelihood));
        assert!(likelihood("spec/terminal.md") < likelihood("docs/terminal.md"));
    }
}
