//! The methods of the API by name, in any case, as the real server takes them (Query.cpp: `to_lower_inplace(method_)`). All
//! but `getUpdates` answer at once; that one is in `polling`.

use serde_json::{Value, json};

use super::BotSelf;
use super::access::ChatAccess;
use super::limits::TAP_ANSWER_MAX;
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;
use super::state::BotState;
use super::tap::TapAnswer;

impl BotSelf {
    pub(super) fn json(&self) -> Value {
        json!({ "id": self.id, "is_bot": true, "first_name": self.username, "username": self.username })
    }
}

impl BotState {
    /// Does what is asked; `method` is in lower case.
    pub(super) fn perform(&mut self, method: &str, parameters: &BotParameters) -> Result<Value, ApiRefusal> {
        match method {
            "getme" => {
                let mut me = self.bot.json();
                me["can_join_groups"] = json!(true);
                me["can_read_all_group_messages"] = json!(self.bot.reads_groups);
                me["supports_inline_queries"] = json!(false);
                Ok(me)
            }
            "sendmessage" => self.send_message(parameters),
            "editmessagetext" => self.edit_text(parameters),
            "editmessagereplymarkup" => self.edit_markup(parameters),
            "deletemessage" => self.delete_message(parameters),
            "answercallbackquery" => self.answer_tap(parameters),
            "sendchataction" => self.reach(parameters, ChatAccess::Write).map(|_| json!(true)),
            "setmycommands" => self.set_commands(parameters),
            "getmycommands" => Ok(self.commands.clone()),
            "setwebhook" => Ok(self.set_webhook(&parameters.text("url"), parameters)),
            "deletewebhook" => Ok(self.set_webhook("", parameters)),
            "getwebhookinfo" => Ok(json!({
                "url": self.webhook,
                "has_custom_certificate": false,
                "pending_update_count": self.updates.len(),
            })),
            _ => Err(ApiRefusal::not_found()),
        }
    }

    fn answer_tap(&mut self, parameters: &BotParameters) -> Result<Value, ApiRefusal> {
        let text = parameters.text("text");
        if text.encode_utf16().count() > TAP_ANSWER_MAX {
            // Unverified.
            return Err(ApiRefusal::bad("MESSAGE_TOO_LONG"));
        }
        let answer = TapAnswer { text, is_alert: parameters.truth("show_alert"), at_ms: self.now_ms() };
        self.taps.answer(&parameters.text("callback_query_id"), answer)?;
        Ok(json!(true))
    }

    /// "1-32 characters. Can contain only lowercase English letters, digits and underscores"; "Description of the command; 1-256
    /// characters" (#botcommand). The texts of the refusals are unverified.
    fn set_commands(&mut self, parameters: &BotParameters) -> Result<Value, ApiRefusal> {
        let given = parameters.json("commands").ok().flatten().filter(Value::is_array);
        let given = given.ok_or_else(|| ApiRefusal::bad("can't parse commands JSON object"))?;
        for command in given.as_array().into_iter().flatten() {
            let words = |name: &str| command[name].as_str().unwrap_or_default().to_owned();
            let (name, about) = (words("command"), words("description"));
            let name = name.strip_prefix('/').unwrap_or(&name);
            let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
            if !(1..=32).contains(&name.len()) || !name.chars().all(fits) {
                return Err(ApiRefusal::bad("BOT_COMMAND_INVALID"));
            }
            if !(1..=256).contains(&about.chars().count()) {
                return Err(ApiRefusal::bad("BOT_COMMAND_DESCRIPTION_INVALID"));
            }
        }
        self.commands = given;
        Ok(json!(true))
    }

    fn set_webhook(&mut self, url: &str, parameters: &BotParameters) -> Value {
        url.clone_into(&mut self.webhook);
        if parameters.truth("drop_pending_updates") {
            self.updates.clear();
        }
        if !url.is_empty() {
            self.polls.end_for_webhook();
        }
        json!(true)
    }
}
