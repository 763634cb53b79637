//! Permissions: may a tool run? The policy asks where only a person can say so. A yes is bound to exactly what was shown,
//! holds once and outlives a restart; a lasting yes covers what has the same shape. No answer is never a yes.

use std::sync::Arc;

use crate::actor::Actor;
use crate::charter::WhenAway;
use crate::effect::{Effect, SessionCommand};
use crate::fact::{MissionFact, PermissionFact, SessionFact};
use crate::id::PermissionId;
use crate::limits;
use crate::policy::{GrantScope, PermissionRequest};
use crate::session::{PendingPermission, Session};

use super::StepBuilder;

/// What a person answers.
pub(crate) struct PermissionAnswer {
    pub(crate) digest: Arc<str>,
    pub(crate) allowed: bool,
    pub(crate) scope: GrantScope,
    pub(crate) why: Arc<str>,
}

/// The policy that refuses where no person is there.
const HEADLESS: &str = "headless";

impl StepBuilder {
    pub(crate) fn attend(&mut self, attended: bool) {
        let is_running = self.state.charter.is_some() && self.state.ended.is_none();
        let is_known = self.state.unattended != attended && self.state.at_terminal == attended;
        if !is_running || is_known {
            return self.note(format!("attended: {attended}; that changes nothing"));
        }
        self.mission(MissionFact::Attended(attended));
        self.halt_for_login();
        if self.refuses() {
            // A tool that waits for an absent person would wait for ever.
            for (session, ask) in self.unanswered() {
                self.refuse_unattended(&session, ask);
            }
        }
    }

    /// No person is there, and the charter asks none by petition.
    pub(crate) fn refuses(&self) -> bool {
        let away = self.state.charter.as_ref().map(|charter| charter.away);
        self.state.unattended && away != Some(WhenAway::Petition)
    }

    fn unanswered(&self) -> Vec<(Arc<Session>, PermissionId)> {
        let open = self.state.permissions().filter(|(_, ask)| ask.answer.is_none());
        let open = open.map(|(session, ask)| (session.profile.session, ask.id));
        open.filter_map(|(id, ask)| Some((self.state.sessions.get(&id)?.clone(), ask))).collect()
    }

    /// A tool waits for a yes.
    pub(crate) fn asks(&mut self, session: &Session, call: Arc<str>, request: Arc<PermissionRequest>) {
        let id = session.profile.session;
        if session.turns.current.is_none() {
            // It asks for a turn that is over: its result would be seen by no one.
            return self.permit(session, call, false, "the turn it belongs to is over");
        }
        if session.permissions.iter().any(|ask| ask.call.as_ref() == Some(&call)) {
            return self.note(format!("{} asks twice: {call}", session.address()));
        }
        let same = |ask: &&PendingPermission| ask.call.is_none() && ask.request.digest == request.digest;
        if let Some(ask) = session.permissions.iter().find(same).cloned() {
            self.session(
                id,
                SessionFact::Permission(PermissionFact::AskedAgain {
                    permission: ask.id,
                    call: call.clone(),
                }),
            );
            return match ask.answer {
                Some((allowed, why)) => {
                    self.session(
                        id,
                        SessionFact::Permission(PermissionFact::AnswerGiven { permission: ask.id }),
                    );
                    self.permit(session, call, allowed, &why);
                }
                None if self.refuses() => self.refuse_unattended(session, ask.id),
                None => {}
            };
        }
        if let Some(permission) = self.covered(&request) {
            self.session(id, SessionFact::Permission(PermissionFact::Covered { permission, request }));
            return self.permit(session, call, true, "");
        }
        if session.permissions.len() >= limits::ASKS_MAX {
            self.note(format!("{} asks too much at once: {}", session.address(), request.what));
            return self.permit(session, call, false, "too many of your tools wait for a person already");
        }
        let permission = PermissionId(self.state.permissions_asked + 1);
        self.session(id, SessionFact::Permission(PermissionFact::Asked { permission, call, request }));
        if self.refuses() {
            self.refuse_unattended(session, permission);
        }
    }

    /// The lasting yes that covers it: every shape of it must be covered.
    fn covered(&self, request: &PermissionRequest) -> Option<PermissionId> {
        let grants = request.shapes.iter().map(|shape| self.state.grant(shape, self.now()));
        let grants: Option<Vec<_>> = grants.collect();
        grants?.first().map(|grant| grant.permission)
    }

    pub(crate) fn unasks(&mut self, session: &Session, call: &str) {
        let Some(ask) = session.permissions.iter().find(|ask| ask.call.as_deref() == Some(call)) else {
            return self.note(format!("{} asks no more: {call}, which is not open", session.address()));
        };
        self.session(
            session.profile.session,
            SessionFact::Permission(PermissionFact::Unasked { permission: ask.id }),
        );
    }

    /// Records a person's or a policy's answer whether a tool may run.
    pub(crate) fn answer(&mut self, actor: Actor, id: PermissionId, answer: &PermissionAnswer) {
        let Some((session, ask)) =
            self.state.permission(id).map(|(session, ask)| (session.clone(), ask.clone()))
        else {
            return self.remark(&format!(
                "Permission {id} is not open: it was answered, or its tool waits no more."
            ));
        };
        if ask.answer.is_some() {
            return self.remark(&format!("Permission {id} is answered already."));
        }
        if ask.request.digest != answer.digest {
            let text =
                format!("Permission {id} is about something else than was answered. Nothing was allowed.");
            return self.remark(&text);
        }
        if answer.allowed && !matches!(actor, Actor::Human { .. }) {
            return self.remark(&format!("Permission {id} can be allowed by a person only."));
        }
        let scope = if answer.allowed { answer.scope } else { GrantScope::Once };
        if scope != GrantScope::Once && ask.request.shapes.is_empty() {
            let text = format!("What permission {id} asks can only be allowed once, and was not allowed so.");
            return self.remark(&text);
        }
        self.decide_ask(&session, id, answer.allowed, actor.clone(), scope, &answer.why);
        if scope != GrantScope::Once {
            // What waits already and is covered now need not be asked on its own.
            for (session, ask) in self.unanswered() {
                let request = self.state.permission(ask).map(|(_, ask)| Arc::clone(&ask.request));
                if request.is_some_and(|request| self.covered(&request).is_some()) {
                    self.decide_ask(&session, ask, true, actor.clone(), GrantScope::Once, "");
                }
            }
        }
    }

    pub(crate) fn refuse_unattended(&mut self, session: &Session, permission: PermissionId) {
        let by = Actor::Policy(Arc::from(HEADLESS));
        let why =
            "no person is there to allow it. Find a way that needs no permission, or report what you need";
        self.decide_ask(session, permission, false, by, GrantScope::Once, why);
    }

    fn decide_ask(
        &mut self,
        session: &Session,
        permission: PermissionId,
        allowed: bool,
        by: Actor,
        scope: GrantScope,
        why: &str,
    ) {
        let Some((_, asked)) = self.state.permission(permission) else { return };
        let (call, digest) = (asked.call.clone(), asked.request.digest.clone());
        let why: Arc<str> = Arc::from(limits::cut(why, limits::ANSWER_CHARS_MAX));
        let answered = SessionFact::Permission(PermissionFact::Answered {
            permission,
            digest,
            allowed,
            by,
            scope,
            why: Arc::clone(&why),
        });
        self.session(session.profile.session, answered);
        if let Some(call) = call {
            self.permit(session, call, allowed, &why);
        }
    }

    fn permit(&mut self, session: &Session, call: Arc<str>, allowed: bool, why: &str) {
        let (address, why) = (session.address(), Arc::from(why));
        self.effect(Effect::Session(address, SessionCommand::Permit { call, allowed, why }));
    }
}
