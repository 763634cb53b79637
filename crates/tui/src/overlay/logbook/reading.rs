//! One raw line in full: laid out if it is JSON, broken to the width, and kept while it is looked at.

use std::sync::Arc;

use serde_json::Value;
use view::clean::clean;

use crate::overlay::rows::broken;
use crate::view_model::RawRecord;

/// What is being read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reading {
    of: Option<(Arc<str>, usize)>,
    lines: Vec<String>,
}

impl Reading {
    /// The lines of a record at a width.
    pub(super) fn lines(&mut self, record: &RawRecord, columns: usize) -> &[String] {
        let same =
            self.of.as_ref().is_some_and(|(line, at)| Arc::ptr_eq(line, &record.line) && *at == columns);
        if !same {
            let laid_out = serde_json::from_str::<Value>(&record.line).ok();
            let laid_out = laid_out.and_then(|value| serde_json::to_string_pretty(&value).ok());
            let text = laid_out.as_deref().unwrap_or(&record.line);
            self.lines = broken(&clean(text), columns);
            self.of = Some((Arc::clone(&record.line), columns));
        }
        &self.lines
    }
}
