//! Finds out whether there are examples in documentation comments at all: asking rustdoc takes
//! seconds for each crate.

/// Does this source have a code block in a doc comment that rustdoc would compile?
pub fn are_in(source: &str) -> bool {
    let mut inside = false;
    for line in source.lines().map(str::trim_start) {
        let Some(doc) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            inside = false;
            continue;
        };
        let Some(info) = doc.trim().strip_prefix("```") else {
            continue;
        };
        if !inside && is_rust(info) {
            return true;
        }
        inside = !inside;
    }
    false
}

/// Rustdoc compiles a block whose marks are all its own; any other word names another language.
fn is_rust(info: &str) -> bool {
    let mut marks = info.split([',', ' ']).map(str::trim).filter(|mark| !mark.is_empty());
    marks.all(|mark| {
        matches!(mark, "rust" | "no_run" | "should_panic" | "compile_fail") || mark.starts_with("edition")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_rust_is_an_example() {
        assert!(are_in("/// Adds.\n///\n/// ```\n/// add(1, 2);\n/// ```\nfn add() {}\n"));
        assert!(are_in("    //! ```rust,no_run\n    //! run();\n    //! ```\n"));
    }

    #[test]
    fn a_block_of_another_language_is_none_nor_is_its_end() {
        assert!(!are_in("/// ```text\n/// a -> b\n/// ```\nfn f() {}\n"));
        assert!(!are_in("let s = \"\n```\n\";\n"));
        assert!(are_in("/// ```text\n/// a\n/// ```\n/// ```\n/// f();\n/// ```\n"));
    }
}
