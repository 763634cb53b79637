//! How a decision is shared out over pages, so that all of it can be read. What approves exactly what it shows is read to its
//! end before it can be answered: its context comes whole, and the options after it. Elsewhere the options come first,
//! below the beginning of the context, and what is left of the context follows.

use std::ops::Range;

use crate::limits::{BODY_SIGNS_MAX, CONTEXT_HEAD_SIGNS, PAGE_OPTIONS};
use crate::telegram::html::{pieces, signs, split_loudly};

/// What one page shows of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DecisionPage {
    pub context: String,
    pub options: Range<usize>,
    /// The decision can be answered here.
    pub answers: bool,
}

/// The pages of a decision: at least one. `options` are the lengths of its options as they are shown. Nothing that changes
/// while somebody turns the pages has a part in this.
pub(super) fn decision_pages(context: &str, options: &[usize], exact: bool) -> Vec<DecisionPage> {
    if exact { exactly(context, options) } else { plainly(context, options) }
}

fn exactly(context: &str, options: &[usize]) -> Vec<DecisionPage> {
    let page = |context: &str| DecisionPage { context: context.to_owned(), options: 0..0, answers: false };
    let mut pages: Vec<DecisionPage> = pieces(context, BODY_SIGNS_MAX).into_iter().map(page).collect();
    if pages.is_empty() {
        pages.push(page(""));
    }
    let mut groups = Vec::new();
    if let Some(last) = pages.last_mut() {
        groups = groups_of(options, BODY_SIGNS_MAX.saturating_sub(signs(&last.context)));
        last.options = groups.remove(0);
        last.answers = options.is_empty() || !last.options.is_empty();
    }
    pages.extend(groups.into_iter().map(|options| DecisionPage { options, answers: true, ..page("") }));
    pages
}

fn plainly(context: &str, options: &[usize]) -> Vec<DecisionPage> {
    let head_signs = signs(context).min(CONTEXT_HEAD_SIGNS);
    let groups = groups_of(options, BODY_SIGNS_MAX - head_signs);
    let first: usize =
        groups.first().and_then(|group| options.get(group.clone())).unwrap_or_default().iter().sum();
    let room = BODY_SIGNS_MAX.saturating_sub(first);
    let mut pages: Vec<DecisionPage> = groups
        .into_iter()
        .map(|options| DecisionPage { context: String::new(), options, answers: true })
        .collect();
    let mut rest = "";
    if let Some(first) = pages.first_mut() {
        let (kept, left) = split_loudly(context, room);
        (first.context, rest) = (kept.into_owned(), left);
    }
    pages.extend(pieces(rest, BODY_SIGNS_MAX).into_iter().map(|piece| DecisionPage {
        context: piece.to_owned(),
        options: 0..0,
        answers: false,
    }));
    pages
}

/// Options in order, as many on a page as fit. The first group has less room, and can be empty.
fn groups_of(options: &[usize], first_room: usize) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = vec![Range::default()];
    let mut left = first_room;
    for (at, signs) in options.iter().enumerate() {
        if let Some(group) = groups.last_mut().filter(|group| *signs <= left && group.len() < PAGE_OPTIONS) {
            left -= *signs;
            group.end = at + 1;
            continue;
        }
        left = BODY_SIGNS_MAX.saturating_sub(*signs);
        groups.push(at..at + 1);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_decision_is_one_page() {
        for exact in [true, false] {
            let pages = decision_pages("How?", &[20, 20, 20], exact);
            assert_eq!(pages, [DecisionPage { context: "How?".to_owned(), options: 0..3, answers: true }]);
            assert_eq!(decision_pages("", &[], exact).len(), 1);
        }
    }

    #[test]
    fn what_is_approved_exactly_is_read_to_its_end_first() {
        let context = "line of a command\n".repeat(400);
        let pages = decision_pages(&context, &[20, 20], true);
        let answers: Vec<bool> = pages.iter().map(|page| page.answers).collect();
        assert_eq!(answers, [false, false, false, true]);
        assert_eq!(pages.iter().map(|page| page.context.as_str()).collect::<String>(), context);
    }

    proptest! {
        #[test]
        fn nothing_is_left_out(
            context in "[a-z \n]{0,6000}",
            options in proptest::collection::vec(1usize..2_000, 0..60),
            exact: bool,
        ) {
            let pages = decision_pages(&context, &options, exact);
            let shown: Vec<usize> = pages.iter().flat_map(|page| page.options.clone()).collect();
            prop_assert_eq!(shown, (0..options.len()).collect::<Vec<_>>());
            for page in &pages {
                let body: usize = options[page.options.clone()].iter().sum();
                prop_assert!(signs(&page.context) + body <= BODY_SIGNS_MAX);
                prop_assert!(page.options.is_empty() || page.answers);
            }
            let read: String = pages.iter().map(|page| page.context.trim_end_matches("… (cut)")).collect();
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&read), bare(&context));
            if exact {
                prop_assert_eq!(read, context.clone());
                let first = pages.iter().position(|page| page.answers).unwrap_or(0);
                prop_assert!(pages[first + 1..].iter().all(|page| page.context.is_empty()));
            }
            prop_assert!(pages.iter().any(|page| page.answers));
        }
    }
}
