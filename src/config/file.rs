//! Reads a TOML text into assignments, keeping the line of each.

use std::collections::BTreeSet;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::assignment::{Assignment, Given, home_of, unknown_section};
use super::{Cause, Config, Origin, Problem};
use crate::setting::Value;

/// What a file says and what is wrong with it, both in the order of its lines.
pub(super) struct FileContent {
    pub assignments: Vec<Assignment>,
    pub problems: Vec<Problem>,
}

/// Reads the text of the file `path`. A broken line is a problem and hides nothing that stands on other lines.
pub(super) fn read(path: &Path, text: &str) -> FileContent {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        path,
        text,
        broken: BTreeSet::new(),
        content: FileContent {
            assignments: Vec::new(),
            problems: Vec::new(),
        },
    };
    for error in errors {
        let at = error.span().map_or(text.len(), |span| span.start);
        reader.syntax_error(at, error.message());
    }
    for (name, value) in document.get_ref() {
        reader.section(name, value);
    }
    let mut content = reader.content;
    content.assignments.sort_by_key(|a| line_of(&a.origin));
    content.problems.sort_by_key(|p| line_of(&p.origin));
    content
}

struct Reader<'t> {
    path: &'t Path,
    text: &'t str,
    /// Lines with a syntax error: what was recovered from them is not to be trusted.
    broken: BTreeSet<usize>,
    content: FileContent,
}

impl Reader<'_> {
    fn syntax_error(&mut self, at: usize, message: &str) {
        let line = self.line(at);
        if self.broken.insert(line) {
            self.problem(line, Cause::Syntax(message.to_owned()));
        }
    }

    fn section(&mut self, name: &Spanned<toml::de::DeString<'_>>, value: &Spanned<DeValue<'_>>) {
        let line = self.line(name.span().start);
        let section = name.get_ref().as_ref();
        if self.broken.contains(&line) || self.is_below_broken_header(line) {
            return;
        }
        let known = Config::SECTIONS.contains(&section);
        match (value.get_ref(), known) {
            (DeValue::Table(keys), true) => {
                for (key, value) in keys {
                    self.key(section, key, value);
                }
            }
            (DeValue::Table(_), false) => self.problem(line, unknown_section(section)),
            (_, true) => self.problem(line, Cause::NotASection(section.to_owned())),
            (_, false) => {
                let cause = Cause::OutsideSection {
                    key: section.to_owned(),
                    home: home_of(&Config::default(), section),
                };
                self.problem(line, cause);
            }
        }
    }

    /// Whether the last header up to `line` is broken: the parser then takes one of the keys below for its name.
    fn is_below_broken_header(&self, line: usize) -> bool {
        let lines = (1..=line).zip(self.text.lines());
        let header = lines
            .filter(|(_, text)| text.trim_start().starts_with('['))
            .last();
        header.is_some_and(|(at, _)| self.broken.contains(&at))
    }

    fn key(
        &mut self,
        section: &str,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let line = self.line(key.span().start);
        if self.broken.contains(&line) {
            return;
        }
        self.content.assignments.push(Assignment {
            origin: self.origin(line),
            section: section.to_owned(),
            key: key.get_ref().to_string(),
            value: given(value.get_ref()),
        });
    }

    fn problem(&mut self, line: usize, cause: Cause) {
        self.content.problems.push(Problem {
            origin: self.origin(line),
            section: None,
            cause: Box::new(cause),
        });
    }

    fn origin(&self, line: usize) -> Origin {
        Origin::File {
            path: self.path.to_owned(),
            line,
        }
    }

    fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }
}

fn line_of(origin: &Origin) -> Option<usize> {
    match origin {
        Origin::File { line, .. } => Some(*line),
        _ => None,
    }
}

fn given(value: &DeValue<'_>) -> Given {
    let typed = match value {
        DeValue::String(text) => Some(Value::Text(text.to_string())),
        DeValue::Boolean(on) => Some(Value::Bool(*on)),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(Value::Int),
        DeValue::Float(number) => number.as_str().parse().ok().map(Value::Float),
        DeValue::Array(items) => {
            let texts = items.iter().map(|item| item.get_ref().as_str());
            let texts: Option<Vec<_>> = texts.map(|text| text.map(str::to_owned)).collect();
            texts.map(Value::List)
        }
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    };
    typed.map_or_else(|| Given::Odd(describe(value)), Given::Typed)
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(number) => number.to_string(),
        DeValue::Array(_) => "a list with something else than texts".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::String(_) | DeValue::Float(_) | DeValue::Boolean(_) => {
            format!("a {}", value.type_str())
        }
    }
}
