//! Every prompt covers its topics. `topics.md` has a heading `## <prompt>.md` for each prompt and
//! under it a table of topics with the phrases that prove them, parted by `;`; each phrase stands
//! on one line of the prompt, in any case.

use super::{Problem, Tree, markdown};

pub const TOPICS: &str = "crates/mind/prompts/topics.md";
const FOLDER: &str = "crates/mind/prompts/";
/// The prompts of the council; each has a checklist.
const PROMPTS: [&str; 5] = ["arbiter.md", "orchestrator.md", "verifier.md", "scout.md", "successor.md"];
const TOPICS_MIN: usize = 3;
pub const HINT: &str = "under `## <prompt>.md` in topics.md, a row is `| topic | phrase; another phrase |`";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(TOPICS) else {
        return vec![Problem::missing(TOPICS)];
    };
    let mut problems = Vec::new();
    let sections = markdown::sections(text, 2);
    let sections = sections.iter().map(|section| (section.title.trim_matches('`'), section));
    let sections: Vec<_> = sections.filter(|(prompt, _)| prompt.ends_with(".md")).collect();
    for required in PROMPTS {
        if !sections.iter().any(|(prompt, _)| *prompt == required) {
            problems.push(Problem::at(TOPICS, 1, format!("there is no checklist `## {required}`")));
        }
    }
    for (prompt, section) in sections {
        let path = format!("{FOLDER}{prompt}");
        let Some(text) = tree.text(&path) else {
            problems.push(Problem::at(TOPICS, section.line, format!("the prompt {path} is missing")));
            continue;
        };
        let text = text.to_lowercase();
        let rows = markdown::rows(&section.body);
        if PROMPTS.contains(&prompt) && rows.len() < TOPICS_MIN {
            let what = format!("{prompt} has {} topics, fewer than {TOPICS_MIN}", rows.len());
            problems.push(Problem::at(TOPICS, section.line, what));
        }
        for row in &rows {
            let topic = row.cells.first().map(String::as_str).unwrap_or_default();
            let phrases = phrases(row.cells.get(1).map(String::as_str).unwrap_or_default());
            if phrases.is_empty() {
                problems.push(Problem::at(TOPICS, row.line, format!("no phrase proves the topic: {topic}")));
            }
            for phrase in phrases.iter().filter(|phrase| !says(&text, phrase)) {
                let what = format!("{path} does not cover \"{topic}\": no line says \"{phrase}\"");
                problems.push(Problem::at(TOPICS, row.line, what));
            }
        }
    }
    problems
}

fn phrases(cell: &str) -> Vec<&str> {
    let phrases = cell.split(';').map(|phrase| phrase.trim().trim_matches('`').trim());
    phrases.filter(|phrase| !phrase.is_empty()).collect()
}

/// Does one line of this lower-case text have the phrase?
fn says(text: &str, phrase: &str) -> bool {
    let phrase = phrase.to_lowercase();
    text.lines().any(|line| line.contains(&phrase))
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    /// Every prompt says hello, and its checklist asks for that three times; the scout's has one more row, this one.
    fn problems(row: &str) -> Vec<String> {
        let three = "| greets | hello |\n".repeat(TOPICS_MIN);
        let table = |prompt: &&str| {
            let more = if *prompt == "scout.md" { row } else { "" };
            format!("## {prompt}\n| topic | must contain |\n|-|-|\n{more}{three}\n")
        };
        let topics: String = PROMPTS.iter().map(table).collect();
        lines(&check(&tree(&topics)))
    }

    fn tree(topics: &str) -> Tree {
        let paths: Vec<String> = PROMPTS.iter().map(|prompt| format!("{FOLDER}{prompt}")).collect();
        let mut files: Vec<(&str, &str)> =
            paths.iter().map(|path| (path.as_str(), "Hello,\nread only; spare\nthe context\n")).collect();
        files.push((TOPICS, topics));
        Tree::of(&files)
    }

    #[test]
    fn phrases_are_found_in_any_case() {
        assert_eq!(problems("| limits | READ ONLY; `the context` |\n"), [""; 0]);
    }

    #[test]
    fn a_phrase_that_is_missing_or_broken_over_lines_is_told() {
        let told = problems("| limits | read only; never writes; spare the context |\n");
        let at = "crates/mind/prompts/topics.md:25: crates/mind/prompts/scout.md does not cover \"limits\": no line says";
        assert_eq!(told, [format!("{at} \"never writes\""), format!("{at} \"spare the context\"")]);
    }

    #[test]
    fn a_topic_needs_a_phrase() {
        assert_eq!(
            problems("| limits | ; |\n"),
            ["crates/mind/prompts/topics.md:25: no phrase proves the topic: limits"]
        );
    }

    #[test]
    fn each_prompt_needs_its_checklist_and_each_checklist_its_prompt() {
        let told = lines(&check(&tree("## arbiter.md\n| t | m |\n|-|-|\n| greets | hello |\n## ghost.md\n")));
        let expected = [
            "crates/mind/prompts/topics.md:1: there is no checklist `## orchestrator.md`",
            "crates/mind/prompts/topics.md:1: there is no checklist `## verifier.md`",
            "crates/mind/prompts/topics.md:1: there is no checklist `## scout.md`",
            "crates/mind/prompts/topics.md:1: there is no checklist `## successor.md`",
            "crates/mind/prompts/topics.md:1: arbiter.md has 1 topics, fewer than 3",
            "crates/mind/prompts/topics.md:5: the prompt crates/mind/prompts/ghost.md is missing",
        ];
        assert_eq!(told, expected);
    }
}
