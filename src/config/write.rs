//! Writes a configuration as a commented TOML file.

use std::fmt::Write;

use super::{Config, Entry, Loaded};
use crate::setting::{Kind, Value};

const WIDTH: usize = 100;

const HEADER: &str = "\
Settings of yinsh-bot. Every key is here with its built-in default; a key that you leave out keeps it. \
An environment variable YINSH_BOT_SECTION__KEY wins over this file, `--set section.key=value` over both. \
`yinsh-bot config check` tells what is wrong with a file, `yinsh-bot config show` what is in effect.";

impl Config {
    /// The shipped `config.toml`: every key at its default, with its meaning.
    pub fn defaults_as_toml() -> String {
        Loaded::default().to_toml()
    }
}

impl Loaded {
    /// The whole configuration as a commented file that reads back to the same values, except for secrets, which
    /// are shown as `***` in a comment. A value that is not built in says where it comes from.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        comment(&mut out, HEADER);
        for (section, doc, content) in self.config.sections() {
            out.push('\n');
            comment(&mut out, doc);
            out += &format!("[{section}]\n");
            for entry in content.entries() {
                self.write_entry(&mut out, section, &entry);
            }
        }
        out
    }

    fn write_entry(&self, out: &mut String, section: &str, entry: &Entry) {
        out.push('\n');
        comment(out, entry.doc);
        if !matches!(entry.kind, Kind::Text | Kind::Secret | Kind::Bool) {
            comment(out, &format!("Allowed: {}.", entry.kind));
        }
        let secret = entry.kind == Kind::Secret && entry.value != Value::Text(String::new());
        let line = match secret {
            true => format!("# {} = \"***\"", entry.name),
            false => format!("{} = {}", entry.name, toml_text(&entry.value)),
        };
        let origin = self.origin(section, entry.name);
        let origin = origin.map(|origin| format!(" # from {origin}"));
        writeln!(out, "{line}{}", origin.unwrap_or_default())
            .expect("writing to a string succeeds");
    }
}

fn toml_text(value: &Value) -> String {
    let text = |text: &String| toml::Value::String(text.clone());
    match value {
        Value::Bool(on) => toml::Value::Boolean(*on),
        Value::Int(number) => toml::Value::Integer(*number),
        Value::Float(number) => toml::Value::Float(*number),
        Value::Text(content) => text(content),
        Value::List(items) => toml::Value::Array(items.iter().map(text).collect()),
    }
    .to_string()
}

/// Adds `text` as comment lines of at most [`WIDTH`] columns.
fn comment(out: &mut String, text: &str) {
    let mut line = String::from("#");
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            *out += &line;
            *out += "\n";
            line = String::from("#");
        }
        line += " ";
        line += word;
    }
    *out += &line;
    *out += "\n";
}
