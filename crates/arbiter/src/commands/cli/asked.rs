//! The flags of `arbiter ask` that say what is asked: one for each field of the mind's table that has one.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use mind::petition::fields::{AskField, AskForm, DECISION, PETITION};
use serde_json::{Map, Value, json};

/// What the flags say, under the names of the fields.
#[derive(Debug, Default)]
pub struct AskFlags {
    /// Of the whole petition.
    pub petition: Map<String, Value>,
    /// Of its one decision.
    pub decision: Map<String, Value>,
}

impl AskFlags {
    /// What they say of the petition in this field.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.petition.get(name)?.as_str()
    }

    /// Whether they are a question of their own: there is a way to answer it.
    pub fn ask_a_decision(&self) -> bool {
        ["options", "allow_custom"].iter().any(|name| self.decision.contains_key(*name))
    }
}

impl Args for AskFlags {
    fn augment_args(command: Command) -> Command {
        command.args(DECISION.iter().filter_map(arg)).args(PETITION.iter().filter_map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AskFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(AskFlags { petition: said(PETITION, matches), decision: said(DECISION, matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn arg<T>(field: &AskField<T>) -> Option<Arg> {
    let flag = field.flag?;
    let arg = Arg::new(flag.name).long(flag.name).help(flag.about);
    let arg = match field.form() {
        AskForm::YesNo => return Some(arg.action(ArgAction::SetTrue)),
        AskForm::OneOf(words) => arg.value_parser(PossibleValuesParser::new(words.iter().copied())),
        AskForm::Options => arg.short('o').action(ArgAction::Append),
        AskForm::Text | AskForm::Names | AskForm::Decisions => arg,
    };
    let arg = arg.value_name(flag.value);
    // What is answered at the deadline needs one.
    Some(if field.name == "default" { arg.requires("deadline") } else { arg })
}

fn said<T>(fields: &[AskField<T>], matches: &ArgMatches) -> Map<String, Value> {
    let said = |field: &AskField<T>| {
        let flag = field.flag?.name;
        let value = match field.form() {
            AskForm::YesNo => matches.get_flag(flag).then_some(Value::Bool(true)),
            AskForm::Options => {
                matches.get_many::<String>(flag).map(|all| all.map(|written| option(written)).collect())
            }
            AskForm::Text | AskForm::OneOf(_) | AskForm::Names | AskForm::Decisions => {
                matches.get_one::<String>(flag).map(|text| json!(text))
            }
        };
        Some((field.name.to_owned(), value?))
    };
    fields.iter().filter_map(said).collect()
}

/// A way to answer: `KEY=LABEL`, or only its key.
fn option(written: &str) -> Value {
    match written.split_once('=') {
        Some((key, label)) => json!({"key": key.trim(), "label": label.trim()}),
        None => json!({"key": written.trim()}),
    }
}
