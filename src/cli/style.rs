//! What the terminal can show.

use std::io::IsTerminal;

use crate::game::Color;

/// How the terminal can be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether more than ASCII can be shown.
    pub unicode: bool,
    /// Whether colour may be added. Nothing is told by colour alone.
    pub color: bool,
}

/// How a text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Not at all.
    Plain,
    /// It steps back.
    Faint,
    /// It comes forward.
    Strong,
    /// It belongs to a side of the game.
    Of(Color),
}

impl Style {
    /// What stdout can show, by the environment; `ascii` asks for less.
    pub(super) fn of_stdout(ascii: bool) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        // The first of these that is set decides, as everywhere.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(variable);
        let is_utf8 = locale.is_some_and(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let is_plain =
            variable("NO_COLOR").is_some() || variable("TERM").is_none_or(|t| t == "dumb");
        Self {
            unicode: is_utf8 && !ascii,
            color: std::io::stdout().is_terminal() && !is_plain,
        }
    }

    /// `text` with its look, if that can be shown.
    pub(super) fn paint(self, look: Look, text: &str) -> String {
        if self.color && look != Look::Plain {
            format!("{}{text}{}", escape(look), escape(Look::Plain))
        } else {
            text.to_owned()
        }
    }

    /// The sign of a side's markers: light is hollow, dark is filled; in ASCII the letters of position texts.
    pub(super) const fn sign(self, color: Color) -> char {
        match (self.unicode, color) {
            (true, Color::White) => '○',
            (true, Color::Black) => '●',
            (false, Color::White) => 'M',
            (false, Color::Black) => 'm',
        }
    }
}

/// Colours that stand out on dark and on light ground.
pub(super) const fn escape(look: Look) -> &'static str {
    match look {
        Look::Plain => "\x1b[0m",
        Look::Faint => "\x1b[0;2m",
        Look::Strong => "\x1b[0;1m",
        Look::Of(Color::White) => "\x1b[0;1;33m",
        Look::Of(Color::Black) => "\x1b[0;1;34m",
    }
}
