//! The options: every key of the search and time settings, under the name it has in the config file.

use super::UgiConfig;
use crate::game::Variant;
use crate::search::{SearchParams, TimeParams};
use crate::setting::{Kind, Setting, SettingError, Settings, Value, nearest};

/// The option that no config section has.
pub(super) const VARIANT: &str = "Variant";

/// The `option` lines, with the present values as defaults.
pub(super) fn lines(config: &UgiConfig, variant: Variant) -> Vec<String> {
    let (standard, blitz) = (Variant::Standard, Variant::Blitz);
    let mut lines = vec![format!(
        "option name {VARIANT} type combo default {variant} var {standard} var {blitz}"
    )];
    lines.extend(section_lines(&config.search));
    lines.extend(section_lines(&config.time));
    lines
}

fn section_lines<S: Settings>(section: &S) -> impl Iterator<Item = String> {
    let line = |setting: &Setting<S>| {
        let kind = type_of(setting.kind);
        let default = untyped((setting.get)(section));
        let range = match setting.kind {
            Kind::Int { min, max } => format!(" min {min} max {max}"),
            Kind::Choice(words) => words.iter().map(|word| format!(" var {word}")).collect(),
            _ => String::new(),
        };
        format!(
            "option name {} type {kind} default {default}{range}",
            setting.name
        )
    };
    S::TABLE.iter().map(line)
}

/// The interface has no type for real numbers and lists; they travel as strings.
fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "check",
        Kind::Int { .. } => "spin",
        Kind::Choice(_) => "combo",
        Kind::Float { .. } | Kind::Text | Kind::Secret | Kind::List(_) => "string",
    }
}

fn untyped(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::List(texts) => texts.join(","),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => value.to_string(),
    }
}

/// Sets the option `name`, whose case does not matter.
pub(super) fn set(config: &mut UgiConfig, name: &str, text: &str) -> Result<(), SettingError> {
    if set_in(&mut config.search, name, text)? || set_in(&mut config.time, name, text)? {
        return Ok(());
    }
    let search = SearchParams::TABLE.iter().map(|setting| setting.name);
    let time = TimeParams::TABLE.iter().map(|setting| setting.name);
    Err(SettingError::Unknown {
        name: name.to_owned(),
        nearest: nearest(name, search.chain(time).chain([VARIANT])),
    })
}

/// Whether the section has such an option; if so, it is set.
fn set_in<S: Settings>(section: &mut S, name: &str, text: &str) -> Result<bool, SettingError> {
    let mut table = S::TABLE.iter();
    let Some(setting) = table.find(|setting| setting.name.eq_ignore_ascii_case(name)) else {
        return Ok(false);
    };
    let refused = |found| SettingError::Refused {
        name: setting.name.to_owned(),
        allowed: setting.kind,
        found,
    };
    (setting.set)(section, setting.kind.parse(text).map_err(refused)?);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let lines = lines(&UgiConfig::default(), Variant::Standard);
        let mut names: Vec<_> = lines.iter().map(|line| line.split(' ').nth(2)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), lines.len());
    }

    #[test]
    fn sets_by_name_in_any_case() {
        let mut config = UgiConfig::default();
        set(&mut config, "Threads", "3").unwrap();
        set(&mut config, "exploration", "0.75").unwrap();
        set(&mut config, "overhead_ms", "7").unwrap();
        assert_eq!(config.search.threads, 3);
        assert_eq!(config.search.exploration, 0.75);
        assert_eq!(config.time.overhead_ms, 7);
        let shown = lines(&config, Variant::Blitz);
        assert!(shown.contains(&"option name exploration type string default 0.75".to_owned()));
        assert!(shown[0].contains("default blitz"));
    }

    #[test]
    fn refuses_what_the_config_file_would() {
        let mut config = UgiConfig::default();
        let mut complaint = |name, text| set(&mut config, name, text).unwrap_err().to_string();
        assert_eq!(
            complaint("thraeds", "1"),
            "unknown key `thraeds`, did you mean `threads`?"
        );
        assert_eq!(
            complaint("threads", "257"),
            "`threads` must be a whole number from 0 to 256, not 257"
        );
        assert_eq!(
            complaint("threads", "many"),
            "`threads` must be a whole number from 0 to 256, not \"many\""
        );
        assert_eq!(config, UgiConfig::default());
    }
}
