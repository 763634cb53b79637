//! What is there for tests is not in the released binary: the play language, a scripted provider, dying on demand. Only
//! `sim`, xtask and dev-dependencies may turn their features on; cargo builds `arbiter` without those.

use anyhow::Context;
use serde_json::Value;

use super::{Problem, Tree};

/// Features that only tests have: whose, and which.
const FOR_TESTS: [(&str, &str); 3] = [("mind", "play"), ("providers", "scripted"), ("arbiter", "die-at")];
/// Crates that are no part of the product.
const OUTSIDE: [&str; 2] = ["sim", "xtask"];
pub const HINT: &str = "turn the feature on under [dev-dependencies]";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let problem = |package: &String| {
        let what = "turns on, for the released binary, a feature that only tests may have";
        Problem::at(format!("crates/{package}/Cargo.toml"), 1, what)
    };
    tree.for_tests.iter().map(problem).collect()
}

/// Reads from `cargo metadata --no-deps` which crates of the product turn on a feature of tests.
pub fn turned_on(metadata: &str) -> anyhow::Result<Vec<String>> {
    let metadata: Value = serde_json::from_str(metadata).context("cannot read cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has no name")?;
        if !OUTSIDE.contains(&name) && (depends(package) || forwards(name, package)) {
            found.push(name.to_owned());
        }
    }
    Ok(found)
}

/// By a dependency that is not for tests alone.
fn depends(package: &Value) -> bool {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies.filter(|dependency| dependency["kind"] != "dev").any(|dependency| {
        let features = dependency["features"].as_array().into_iter().flatten();
        let for_tests = |feature: &Value| {
            FOR_TESTS.iter().any(|(owner, name)| dependency["name"] == *owner && feature == name)
        };
        features.into_iter().any(for_tests)
    })
}

/// By a feature of its own: one that passes it on, or the default.
fn forwards(name: &str, package: &Value) -> bool {
    let features = package["features"].as_object().into_iter().flatten();
    features.into_iter().any(|(feature, parts)| {
        let parts = parts.as_array().into_iter().flatten().filter_map(Value::as_str);
        let for_tests = |part: &str| {
            FOR_TESTS.iter().any(|(owner, wanted)| match part.split_once('/') {
                Some((of, part)) => of.trim_end_matches('?') == *owner && part == *wanted,
                None => feature == "default" && name == *owner && part == *wanted,
            })
        };
        parts.into_iter().any(for_tests)
    })
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    /// The crates that are told, of a workspace with one package like this.
    fn told(name: &str, features: &str, dependencies: &str) -> Vec<String> {
        let metadata = format!(
            r#"{{ "packages": [{{ "name": "{name}", "features": {features}, "dependencies": {dependencies} }}] }}"#
        );
        turned_on(&metadata).unwrap()
    }

    #[test]
    fn tests_may_turn_it_on() {
        let both = r#"[{ "name": "mind", "kind": null, "features": [] }, { "name": "mind", "kind": "dev", "features": ["play"] }]"#;
        assert_eq!(told("tui", "{}", both), [""; 0]);
        let sim = r#"[{ "name": "mind", "kind": null, "features": ["play"] }]"#;
        assert_eq!(told("sim", "{}", sim), [""; 0]);
        assert_eq!(told("mind", r#"{ "play": [], "default": [] }"#, "[]"), [""; 0]);
    }

    #[test]
    fn the_product_may_not() {
        let on = r#"[{ "name": "mind", "kind": null, "features": ["play"] }]"#;
        assert_eq!(told("tui", "{}", on), ["tui"]);
        assert_eq!(told("arbiter", r#"{ "show": ["mind/play"] }"#, "[]"), ["arbiter"]);
        assert_eq!(told("mind", r#"{ "play": [], "default": ["play"] }"#, "[]"), ["mind"]);
        let mut tree = Tree::of(&[]);
        tree.for_tests = vec!["tui".to_owned()];
        assert_eq!(lines(&check(&tree)).len(), 1);
    }
}
