//! What people are told without asking: urgent petitions at once, others together.

use super::{ADA, Phone, urgent};

#[test]
fn urgent_ones_ring_at_once_and_the_others_come_together() {
    let mut phone = Phone::with(&format!("[{ADA}]"), "notifications: {gather: 2s}\n");
    phone.serve();
    phone.ada().says("/start");
    phone.sees("Decision Queue");
    for nth in 1..=3 {
        phone.done(&["ask", &format!("Question {nth}"), "--id", &format!("p{nth}"), "-o", "yes", "-o", "no"]);
    }
    phone.ask(&urgent("Fire"));
    phone.sees("Fire");
    let told = phone.sees("3 new petitions");
    assert!(!told.is_silent);
    let rings =
        phone.api.chat(ADA).all().iter().filter(|message| message.is_from_bot && !message.is_silent).count();
    assert_eq!(rings, 2, "one for the urgent one, one for the others");
}

#[test]
fn what_was_told_is_not_told_again_after_a_restart() {
    let mut phone = Phone::of_ada();
    phone.ask(&urgent("Fire"));
    phone.sees("Fire");
    phone.stop();
    phone.serve();
    phone.ada().says("/status");
    phone.sees("Status");
    let rings =
        phone.api.chat(ADA).all().iter().filter(|message| message.is_from_bot && !message.is_silent).count();
    assert_eq!(rings, 1);
}

#[test]
fn nothing_is_told_where_notifications_are_off() {
    let mut phone = Phone::with(&format!("[{ADA}]"), "notifications: {enabled: false}\n");
    phone.serve();
    phone.ada().says("/start");
    phone.sees("Decision Queue");
    phone.ask(&urgent("Fire"));
    phone.sees("1 urgent");
    assert!(phone.api.chat(ADA).all().iter().all(|message| !message.is_from_bot || message.is_silent));
}
