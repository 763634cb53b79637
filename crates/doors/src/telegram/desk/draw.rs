//! Draws the screen of a key as things stand now. What is gone is said, and what is closed is shown as how it ended.

use docket::{FaultKind, Summary};
use mind::petition::{PetitionChange, PetitionId};
use view::mission::{MissionMoment, MissionView};
use view::queue::{QueueCounts, UnreadableFile, WaitingPetition, unreadable};

use super::Desk;
use crate::limits;
use crate::telegram::health::read_health;
use crate::telegram::html::Html;
use crate::telegram::screen::{ChatScreen, ScreenKey};
use crate::telegram::screens::{self, DecisionMoment, QueueMoment, StatusMoment, Viewer};
use crate::telegram::settings::AllowedPerson;

impl Desk {
    /// The screen, with a line above it; and the key of what is really shown.
    pub(super) fn draw(
        &self,
        person: &AllowedPerson,
        is_group: bool,
        key: ScreenKey,
        banner: Option<&str>,
    ) -> (ScreenKey, ChatScreen) {
        let zone = &self.settings.zone;
        let viewer = Viewer { person, people: self.people.all(), zone, now: self.now(), is_group };
        let (key, screen) = self.drawn(&viewer, key);
        (key, under(banner, screen))
    }

    fn drawn(&self, viewer: &Viewer<'_>, key: ScreenKey) -> (ScreenKey, ChatScreen) {
        let screen = match &key {
            ScreenKey::Help | ScreenKey::Word => screens::help(viewer),
            ScreenKey::Status => self.status(viewer),
            ScreenKey::Queue { page } => self.queue(viewer, *page),
            ScreenKey::Missions { page } => screens::missions(viewer, &self.directory.list(), *page),
            ScreenKey::Mission { mission } | ScreenKey::MissionCancel { mission } => {
                let Some(port) = self.directory.port(mission, &viewer.person.actor()) else {
                    let key = ScreenKey::Missions { page: 0 };
                    return (key, screens::missions(viewer, &self.directory.list(), 0));
                };
                let state = match port.state() {
                    Ok(state) => state,
                    Err(refused) => return (ScreenKey::Word, screens::word(&refused.to_string())),
                };
                let process = port.is_running().then_some(0);
                let moment =
                    MissionMoment { id: mission, state: &state, process, discarded: false, now: viewer.now };
                let view = MissionView::of(moment);
                let asks = matches!(key, ScreenKey::MissionCancel { .. }) && !view.over;
                if asks { screens::mission_cancel(viewer, &view) } else { screens::mission(viewer, &view) }
            }
            ScreenKey::Petition { petition, .. }
            | ScreenKey::Decision { petition, .. }
            | ScreenKey::OwnWords { petition, .. }
            | ScreenKey::Review { petition, .. }
            | ScreenKey::Completion { petition }
            | ScreenKey::HandOver { petition, .. } => {
                let petition = petition.clone();
                return self.of_petition(viewer, key, &petition);
            }
        };
        (key, screen)
    }

    fn of_petition(&self, viewer: &Viewer<'_>, key: ScreenKey, id: &PetitionId) -> (ScreenKey, ChatScreen) {
        let stored = match self.docket.read(id, viewer.now) {
            Ok(stored) => stored,
            Err(docket::DocketError::Recorded { kept, .. }) => *kept,
            Err(docket::DocketError::Unknown { .. } | docket::DocketError::Gone { .. }) => {
                return (ScreenKey::Word, screens::plan_not_found());
            }
            Err(error) => return (key, screens::unreadable(id, &self.in_words(&error))),
        };
        let petition = &stored.petition;
        if petition.closed.is_some() && !is_about_the_past(&key) {
            let ended = stored.records.iter().rev().find(|line| closes(&line.change));
            let screen = screens::completion(viewer, petition, ended.map(|line| &line.by));
            return (ScreenKey::Completion { petition: id.clone() }, screen);
        }
        let place = |decision: &str| petition.decisions.iter().position(|known| *known.id == *decision);
        let screen = match &key {
            ScreenKey::Decision { decision, page, instead, .. } => match place(decision) {
                Some(at) => {
                    let (page, instead) = (*page, *instead);
                    screens::decision(viewer, &DecisionMoment { petition, decision: at, page, instead })
                }
                None => screens::decision_not_found(id),
            },
            ScreenKey::OwnWords { decision, instead, .. } => match place(decision) {
                Some(at) => screens::own_words(viewer, petition, at, *instead),
                None => screens::decision_not_found(id),
            },
            ScreenKey::Review { page, .. } => screens::review(viewer, petition, *page),
            ScreenKey::HandOver { decision, .. } => match decision.as_deref().map(place) {
                Some(None) => screens::decision_not_found(id),
                at => screens::hand_over(viewer, petition, at.flatten()),
            },
            ScreenKey::Petition { page, .. } => screens::petition(viewer, petition, *page),
            ScreenKey::Completion { .. }
            | ScreenKey::Help
            | ScreenKey::Status
            | ScreenKey::Queue { .. }
            | ScreenKey::Missions { .. }
            | ScreenKey::Mission { .. }
            | ScreenKey::MissionCancel { .. }
            | ScreenKey::Word => screens::petition(viewer, petition, 0),
        };
        (key, screen)
    }

    fn queue(&self, viewer: &Viewer<'_>, page: usize) -> ChatScreen {
        let rows = screens::queue_rows(page, self.counts.total());
        if self.is_told && rows.end <= self.waiting.len() {
            let shown = self.waiting.get(rows).unwrap_or_default();
            let shown: Vec<WaitingPetition<'_>> = shown.iter().map(|petition| (&**petition).into()).collect();
            let (counts, unreadable) = (self.counts, &self.unreadable);
            return screens::queue(viewer, &QueueMoment { counts, page, shown: &shown, unreadable });
        }
        // The feed has not told yet, or tells only the beginning.
        let (queue, unreadable) = match self.docket.queue(viewer.now) {
            Ok(queue) => {
                let unreadable = unreadable_files(&queue.faults);
                (queue.petitions, unreadable)
            }
            Err(error) => {
                let why = vec![unreadable("the docket", &self.in_words(&error))];
                (Vec::new(), why)
            }
        };
        let counts = QueueCounts::of(queue.iter().map(|summary| summary.priority));
        let rows = screens::queue_rows(page, counts.total());
        let shown: Vec<_> = queue.get(rows).unwrap_or_default().iter().map(waiting_of).collect();
        screens::queue(viewer, &QueueMoment { counts, page, shown: &shown, unreadable: &unreadable })
    }

    fn status(&self, viewer: &Viewer<'_>) -> ChatScreen {
        let health = read_health(&self.settings.folder).unwrap_or_default();
        let running = self.directory.list().iter().filter(|row| row.running).count();
        let (counts, unreadable) = (self.counts, self.unreadable.len());
        screens::status(viewer, &StatusMoment { health: &health, counts, unreadable, running })
    }
}

/// Files that are no petitions, as the queue tells them.
pub(super) fn unreadable_files(faults: &[docket::Fault]) -> Vec<UnreadableFile> {
    let told = faults.iter().filter(|fault| fault.kind != FaultKind::Behind);
    let name =
        |fault: &docket::Fault| fault.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    told.map(|fault| unreadable(&name(fault), &fault.why)).collect()
}

/// What is still shown of a petition that is closed: a late answer can be given to one that was not submitted.
fn is_about_the_past(key: &ScreenKey) -> bool {
    matches!(key, ScreenKey::Decision { .. } | ScreenKey::OwnWords { .. })
}

fn closes(change: &PetitionChange) -> bool {
    matches!(
        change,
        PetitionChange::Submitted | PetitionChange::Withdrawn { .. } | PetitionChange::Expired { .. }
    )
}

fn waiting_of(summary: &Summary) -> WaitingPetition<'_> {
    WaitingPetition {
        id: &summary.id,
        agent: &summary.agent,
        tag: &summary.tag,
        title: &summary.title,
        priority: summary.priority,
        status: summary.status,
        created_at: summary.created_at,
        total: summary.total,
        decided: summary.decided,
        mission: summary.mission.as_deref(),
        blocks: summary.blocks.as_deref(),
        due_at: summary.due_at,
        assignee: summary.assignee.as_deref(),
        file: None,
    }
}

/// The screen below a line of its own. All screens leave room for it.
fn under(banner: Option<&str>, screen: ChatScreen) -> ChatScreen {
    let Some(banner) = banner.filter(|banner| !banner.trim().is_empty()) else { return screen };
    let mut html = Html::new();
    for line in banner.lines().take(limits::BANNER_LINES_MAX) {
        html.text(&crate::telegram::html::cut(line, limits::BANNER_SIGNS_MAX / 2)).end_line();
    }
    html.end_line();
    ChatScreen { html: html.into_markup() + &screen.html, ..screen }
}
