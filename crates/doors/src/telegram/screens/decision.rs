//! One decision: its context, its options with letters, the answer that stands, and the buttons to answer it. Who may not
//! answer, or not yet, or not here, sees why and no such button.

use mind::petition::{Decision, Petition};
use view::decision::{DecisionView, OptionView, SEVERAL, first_of};

use super::Viewer;
use super::decision_pages::{DecisionPage, decision_pages};
use super::gone::decision_not_found;
use super::layout::{button, named_button, page_row, put_terms, rows_of, screen, to_plan};
use crate::limits::{KEY_SIGNS_MAX, LABEL_SIGNS_MAX, NAME_SIGNS_MAX, OWN_WORDS_SIGNS_MAX, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, cut, cut_loudly, inline, signs};
use crate::telegram::screen::{ChatButton, ChatScreen};
use crate::telegram::tap::{PetitionRef, Revision, Tap};

/// A decision, as somebody comes to it.
#[derive(Debug, Clone, Copy)]
pub struct DecisionMoment<'a> {
    pub petition: &'a Petition,
    /// Its place, from 0.
    pub decision: usize,
    pub page: usize,
    /// The person answers what another one is asked.
    pub instead: bool,
}

/// `1/3 · Title`
#[must_use]
pub fn decision(viewer: &Viewer<'_>, moment: &DecisionMoment<'_>) -> ChatScreen {
    let DecisionMoment { petition, decision: at, .. } = *moment;
    let own = PetitionRef::of(&petition.id);
    let Some(asked) = petition.decisions.get(at) else { return decision_not_found(&petition.id) };
    let view = view::decision::decision(petition, asked, viewer.now);
    let options: Vec<OptionRow> =
        (0..).zip(&view.options).map(|(at, option)| row(at, option, petition, &view)).collect();
    let lengths: Vec<usize> = options.iter().map(|row| row.signs).collect();
    let pages = decision_pages(&context(&view), &lengths, view.exact);
    let page = moment.page.min(pages.len() - 1);
    let Some(shown) = pages.get(page) else { return decision_not_found(&petition.id) };
    let rows = options.get(shown.options.clone()).unwrap_or_default();
    let html = text(viewer, moment, asked, &view, shown, rows);
    let may = Answering::of(viewer, moment, asked);
    let turn = |page| match may {
        Answering::Instead => Tap::Instead { petition: own.clone(), decision: at, page },
        Answering::Own | Answering::Other(_) | Answering::Waits(..) | Answering::No => {
            Tap::Decision { petition: own.clone(), decision: at, page }
        }
    };
    let mut buttons = vec![page_row(page, pages.len(), turn), around(&own, at, petition.decisions.len())];
    buttons.extend(answering(&may, moment, asked, &view, shown, rows));
    if petition.closed.is_none() && viewer.may_answer() && viewer.others().next().is_some() {
        let hand_over = Tap::HandOver { petition: own.clone(), decision: Some(at) };
        buttons.push(vec![button("👤 Hand over", hand_over)]);
    }
    buttons.push(to_plan(&own));
    screen(html, buttons)
}

/// Whether the person can answer, and as whom.
enum Answering<'p> {
    Own,
    /// In the place of the one who is asked.
    Instead,
    /// Somebody else is asked.
    Other(&'p str),
    /// Another decision comes first.
    Waits(usize, &'p Decision),
    /// They only watch, or it is over.
    No,
}

impl<'p> Answering<'p> {
    fn of(viewer: &Viewer<'_>, moment: &DecisionMoment<'p>, asked: &'p Decision) -> Answering<'p> {
        if moment.petition.closed.is_some() || !viewer.may_answer() {
            return Answering::No;
        }
        if let Some((at, first)) = first_of(moment.petition, asked).next() {
            return Answering::Waits(at, first);
        }
        match viewer.other_asked(moment.petition, asked) {
            Some(_) if moment.instead => Answering::Instead,
            Some(other) => Answering::Other(other),
            None => Answering::Own,
        }
    }
}

/// An option as it is shown.
struct OptionRow {
    at: usize,
    letters: String,
    html: Html,
    /// Its length, whether it is chosen or not.
    signs: usize,
    chosen: bool,
    /// Nothing of it was cut.
    whole: bool,
}

/// `A. jwt — JWT tokens ✓`
fn row(at: usize, option: &OptionView, petition: &Petition, view: &DecisionView) -> OptionRow {
    let letters = letters(at);
    let label = option.label.as_deref().unwrap_or_default();
    let over = |text: &str, max: usize| signs(text).saturating_sub(max);
    let more = over(&option.key, KEY_SIGNS_MAX) + over(label, LABEL_SIGNS_MAX);
    let mut html = Html::new();
    // What is approved exactly shows its hidden signs already, and keeps its spaces.
    let short = |text: &str, max| if view.exact { cut(text, max).into_owned() } else { inline(text, max) };
    html.bold(&format!("{letters}.")).text(" ").code(&short(&option.key, KEY_SIGNS_MAX));
    if !label.is_empty() {
        html.text(" — ").text(&short(label, LABEL_SIGNS_MAX));
    }
    if more > 0 && view.exact {
        let id = inline(&petition.id.0, 40);
        html.text(&format!(" (cut: {more} signs more; look at it with `arbiter inbox {id}`)"));
    }
    let signs = html.signs() + " ✓\n".encode_utf16().count();
    if option.chosen {
        html.text(" ✓");
    }
    html.end_line();
    OptionRow { at, letters, html, signs, chosen: option.chosen, whole: more == 0 }
}

/// A, B, ... Z, AA, AB: on this door letters only name buttons.
fn letters(at: usize) -> String {
    let mut letters = Vec::new();
    let mut left = at + 1;
    while left > 0 {
        left -= 1;
        letters.push(char::from(b'A' + (left % 26) as u8));
        left /= 26;
    }
    letters.into_iter().rev().collect()
}

/// What is read before it is answered. A title that is cut above stands here whole where it is approved.
fn context(view: &DecisionView) -> String {
    if view.exact && signs(&view.title) > TITLE_SIGNS_MAX {
        return format!("{}\n\n{}", view.title, view.context);
    }
    view.context.clone()
}

fn text(
    viewer: &Viewer<'_>,
    moment: &DecisionMoment<'_>,
    asked: &Decision,
    view: &DecisionView,
    shown: &DecisionPage,
    rows: &[OptionRow],
) -> Html {
    let mut html = Html::new();
    html.bold(&format!("{}/{} · {}", view.number, view.of, inline(&view.title, TITLE_SIGNS_MAX))).end_line();
    if let Some(closed) = &moment.petition.closed {
        let ended = view::completion::completion(closed, None, viewer.now).text;
        html.text("🔒 ").italic(&inline(&ended, NAME_SIGNS_MAX)).end_line();
    }
    put_terms(&mut html, &view.terms);
    if !shown.context.is_empty() {
        html.gap();
        if view.exact {
            html.pre(&shown.context)
        } else {
            html.quote(&shown.context)
        };
        html.end_line();
    }
    if !rows.is_empty() {
        html.gap();
        rows.iter().for_each(|row| _ = html.append(&row.html));
        if view.multi {
            html.italic(SEVERAL).end_line();
        }
    }
    if view.exact && !shown.answers {
        html.gap().text("▶️ ").italic("It goes on. It can be answered on the last page.").end_line();
    }
    if asked.allow_custom == Some(true) {
        html.gap().text("✏️ Custom answers allowed").end_line();
    }
    put_answer(&mut html, viewer, asked, view);
    html
}

/// The answer at the bottom: a text of one's own, and whose it is.
fn put_answer(html: &mut Html, viewer: &Viewer<'_>, asked: &Decision, view: &DecisionView) {
    let (Some(given), Some(answer)) = (&asked.answer, &view.answer) else { return };
    html.gap();
    if let Some(words) = &answer.own_words {
        html.text("✓ Custom:").end_line().quote(&cut_loudly(words, OWN_WORDS_SIGNS_MAX)).end_line();
    }
    let (standing, source) = (view.standing.word(), viewer.source(given));
    let source = inline(&source, NAME_SIGNS_MAX);
    // Where an answer decides nothing, no option is marked with it.
    let line = match answer.late {
        true => format!("{standing}: {}, {source}", inline(&answer.said, NAME_SIGNS_MAX)),
        false => format!("{standing} {source}"),
    };
    html.italic(line.trim_end_matches([',', ' '])).end_line();
}

/// `⬅️ Prev` `1/3` `Next ➡️`
fn around(own: &PetitionRef, at: usize, of: usize) -> Vec<ChatButton> {
    if of < 2 {
        return Vec::new();
    }
    let to = |decision| Tap::Decision { petition: own.clone(), decision, page: 0 };
    let prev = at.checked_sub(1).map(|prev| button("⬅️ Prev", to(prev)));
    let next = Some(at + 1).filter(|next| *next < of).map(|next| button("Next ➡️", to(next)));
    prev.into_iter().chain([button(&format!("{}/{of}", at + 1), Tap::Nothing)]).chain(next).collect()
}

fn answering(
    may: &Answering<'_>,
    moment: &DecisionMoment<'_>,
    asked: &Decision,
    view: &DecisionView,
    shown: &DecisionPage,
    rows: &[OptionRow],
) -> Vec<Vec<ChatButton>> {
    let DecisionMoment { petition, decision: at, .. } = *moment;
    let own = PetitionRef::of(&petition.id);
    let instead = match may {
        Answering::Own => false,
        Answering::Instead => true,
        Answering::Other(name) => {
            let tap = Tap::Instead { petition: own.clone(), decision: at, page: 0 };
            return vec![vec![named_button("Answer instead of ", name, tap)]];
        }
        Answering::Waits(first, decision) => {
            let tap = Tap::Decision { petition: own.clone(), decision: *first, page: 0 };
            return vec![vec![named_button("🔒 First: ", &decision.title, tap)]];
        }
        Answering::No => return Vec::new(),
    };
    let revision = Revision::of_decision(petition, asked);
    // What was not shown whole is not approved.
    let offered = rows.iter().filter(|row| row.whole || !view.exact);
    let letters = offered.map(|row| {
        let (petition, revision) = (own.clone(), revision.clone());
        let text = if row.chosen { format!("✓ {}", row.letters) } else { row.letters.clone() };
        button(&text, Tap::Choose { petition, decision: at, option: row.at, revision, instead })
    });
    let mut buttons = rows_of(3, letters);
    let mut others = Vec::new();
    if shown.answers && view.takes_own_words {
        let (petition, revision) = (own.clone(), revision.clone());
        others.push(button("✏️ Custom", Tap::OwnWords { petition, decision: at, revision, instead }));
    }
    others.push(button("⏭️ Skip", Tap::Skip { petition: own.clone(), decision: at, revision, instead }));
    buttons.push(others);
    if view.multi && asked.is_decided() {
        buttons.push(vec![button("▶️ Continue", Tap::Continue { petition: own.clone() })]);
    }
    buttons
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn letters_go_on_with_two() {
        assert_eq!(
            [0, 25, 26, 27, 51, 52, 701, 702].map(letters),
            ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
        );
    }
}
