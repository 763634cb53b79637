//! The queue: rows in words for people, and the same values under the names that programs know.

use mind::petition::{Petition, PetitionId, Priority};
use view::queue::{QueueCounts, WaitingPetition, queue};

use crate::petitions::{after, answer, asked, begun, told};

fn waiting() -> [Petition; 2] {
    let mut ready = begun();
    ready.id = PetitionId::from("m7");
    (ready.mission, ready.priority, ready.deadline) = (Some("m-12".into()), Priority::Urgent, None);
    let ada = mind::actor::Actor::human(mind::actor::Door::Cli, "ada");
    answer(&mut ready, "regions", "eu, ap", &ada, after(5));
    answer(&mut ready, "allow", "yes", &ada, after(6));
    [ready, asked()]
}

#[test]
fn it_tells_what_waits_and_what_cannot_be_read() {
    let petitions = waiting();
    let waiting: Vec<WaitingPetition<'_>> = petitions.iter().map(WaitingPetition::from).collect();
    let unreadable = [("queue/pending/a\u{7}.md", "malformed: line 3:\nno title")];
    insta::assert_snapshot!(told(&queue(&waiting, unreadable, after(10))));
    assert_eq!(queue(&[], [], after(10)).text, "nothing waits for you");
    assert_eq!(queue(&waiting[1..], [], after(10)).text, "1 petition waits: 1 high");
}

#[test]
fn programs_get_the_same_values_whole() {
    let petition = asked();
    let mut waiting = WaitingPetition::from(&petition);
    waiting.file = Some("queue/pending/ceo.md");
    let told = told(&serde_json::to_value(waiting).expect("it is data"));
    assert!(told.contains('\u{202e}'), "nothing is left out for a program");
    insta::assert_snapshot!(told.replace('\u{202e}', "\\u202e"));
}

/// A door that shows one page counts without rows, and says the same.
#[test]
fn priorities_are_counted_the_most_urgent_first() {
    let waiting = [Priority::Low, Priority::Urgent, Priority::Low, Priority::Normal];
    let counts = QueueCounts::of(waiting);
    assert_eq!(counts.total(), 4);
    assert_eq!(counts.text(), "4 petitions wait: 1 urgent, 1 normal, 2 low");
    let each: Vec<(&str, usize)> = counts.each().map(|(priority, count)| (priority.word(), count)).collect();
    assert_eq!(each, [("urgent", 1), ("normal", 1), ("low", 2)]);
}
