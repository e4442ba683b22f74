//! The lines that a user interface sends.

use crate::game::ByColor;

/// One line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Ugi,
    IsReady,
    NewGame,
    SetOption { name: String, value: String },
    Position { start: Start, turns: Vec<String> },
    Go(GoLimits),
    Stop,
    Query(Query),
    Quit,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// On the empty board.
    Standard,
    /// At a position text.
    Text(String),
}

/// Limits of a search as they were sent; milliseconds and simulations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GoLimits {
    pub movetime: Option<u64>,
    pub nodes: Option<u64>,
    pub clocks: ByColor<Option<u64>>,
    pub increments: ByColor<u64>,
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Query {
    /// Is the game over?
    GameOver,
    /// Is it White's turn?
    FirstPlayersTurn,
    /// Who has won?
    Result,
}

/// A line that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error(
        "unknown command `{0}`, the commands are ugi isready uginewgame setoption position go stop query quit"
    )]
    Unknown(String),
    #[error("write {0}")]
    Form(&'static str),
    #[error(
        "`{0}` is no limit of a search, the limits are movetime nodes p1time p2time p1inc p2inc infinite"
    )]
    UnknownLimit(String),
    #[error(
        "a depth limit has no meaning for this search, use nodes (simulations) or movetime (ms)"
    )]
    Depth,
    #[error("`{limit}` needs a whole number, not `{found}`")]
    Number { limit: String, found: String },
}

const POSITION_FORM: &str =
    "position startpos|fen P [moves T...], P being a position text of five fields";
const OPTION_FORM: &str = "setoption name X value Y";
const QUERY_FORM: &str = "query gameover|p1turn|result";

/// Reads one line; an empty one is no command.
pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let rest: Vec<&str> = words.collect();
    Ok(Some(match first {
        "ugi" => Command::Ugi,
        "isready" => Command::IsReady,
        "uginewgame" => Command::NewGame,
        "setoption" => set_option(&rest)?,
        "position" => position(&rest)?,
        "go" => Command::Go(limits(&rest)?),
        "stop" => Command::Stop,
        "query" => Command::Query(query(&rest)?),
        "quit" => Command::Quit,
        other => return Err(CommandError::Unknown(other.to_owned())),
    }))
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let form = CommandError::Form(OPTION_FORM);
    let (Some(&"name"), Some(at)) = (words.first(), words.iter().position(|w| *w == "value"))
    else {
        return Err(form);
    };
    let name = words[1..at].join(" ");
    if name.is_empty() {
        return Err(form);
    }
    Ok(Command::SetOption {
        name,
        value: words[at + 1..].join(" "),
    })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let (start, rest) = match words {
        ["startpos", rest @ ..] => (Start::Standard, rest),
        ["fen", rest @ ..] => {
            let end = rest
                .iter()
                .position(|w| *w == "moves")
                .unwrap_or(rest.len());
            (Start::Text(rest[..end].join(" ")), &rest[end..])
        }
        _ => return Err(CommandError::Form(POSITION_FORM)),
    };
    let turns = match rest {
        [] => &[],
        ["moves", turns @ ..] => turns,
        _ => return Err(CommandError::Form(POSITION_FORM)),
    };
    Ok(Command::Position {
        start,
        turns: turns.iter().map(|turn| (*turn).to_owned()).collect(),
    })
}

fn limits(words: &[&str]) -> Result<GoLimits, CommandError> {
    let mut limits = GoLimits::default();
    let mut words = words.iter().copied();
    while let Some(limit) = words.next() {
        if limit == "infinite" {
            continue;
        }
        if limit == "depth" {
            return Err(CommandError::Depth);
        }
        let found = words.next().unwrap_or_default();
        let number = found.parse().map_err(|_| CommandError::Number {
            limit: limit.to_owned(),
            found: found.to_owned(),
        });
        match limit {
            "movetime" => limits.movetime = Some(number?),
            "nodes" => limits.nodes = Some(number?),
            "p1time" => limits.clocks.white = Some(number?),
            "p2time" => limits.clocks.black = Some(number?),
            "p1inc" => limits.increments.white = number?,
            "p2inc" => limits.increments.black = number?,
            other => return Err(CommandError::UnknownLimit(other.to_owned())),
        }
    }
    Ok(limits)
}

fn query(words: &[&str]) -> Result<Query, CommandError> {
    match words {
        ["gameover"] => Ok(Query::GameOver),
        ["p1turn"] => Ok(Query::FirstPlayersTurn),
        ["result"] => Ok(Query::Result),
        _ => Err(CommandError::Form(QUERY_FORM)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn reads_positions() {
        assert_eq!(
            parse("position startpos moves e5  f6"),
            Ok(Some(Command::Position {
                start: Start::Standard,
                turns: vec!["e5".to_owned(), "f6".to_owned()],
            }))
        );
        assert_eq!(
            parse(" position fen 4/7/8 w p 0-0 0 "),
            Ok(Some(Command::Position {
                start: Start::Text("4/7/8 w p 0-0 0".to_owned()),
                turns: Vec::new(),
            }))
        );
        assert!(complaint("position").starts_with("write position startpos|fen P"));
        assert!(complaint("position startpos e5").starts_with("write position startpos|fen P"));
    }

    #[test]
    fn reads_limits() {
        let limits = |line| match parse(line) {
            Ok(Some(Command::Go(limits))) => limits,
            other => panic!("{other:?}"),
        };
        assert_eq!(limits("go infinite"), GoLimits::default());
        assert_eq!(limits("go"), GoLimits::default());
        assert_eq!(
            limits("go p1time 1000 p2time 2000 p1inc 10 p2inc 20"),
            GoLimits {
                clocks: ByColor {
                    white: Some(1000),
                    black: Some(2000)
                },
                increments: ByColor {
                    white: 10,
                    black: 20
                },
                ..GoLimits::default()
            }
        );
        assert_eq!(limits("go nodes 5 movetime 7").nodes, Some(5));
        assert_eq!(
            complaint("go nodes"),
            "`nodes` needs a whole number, not ``"
        );
        assert_eq!(
            complaint("go movetime -1"),
            "`movetime` needs a whole number, not `-1`"
        );
        assert!(complaint("go depth 4").starts_with("a depth limit has no meaning"));
        assert!(complaint("go wtime 4").starts_with("`wtime` is no limit of a search"));
    }

    #[test]
    fn reads_options_and_queries() {
        assert_eq!(
            parse("setoption name threads value 2"),
            Ok(Some(Command::SetOption {
                name: "threads".to_owned(),
                value: "2".to_owned()
            }))
        );
        assert_eq!(
            complaint("setoption threads 2"),
            "write setoption name X value Y"
        );
        assert_eq!(
            complaint("setoption name value 2"),
            "write setoption name X value Y"
        );
        assert_eq!(
            complaint("query winner"),
            "write query gameover|p1turn|result"
        );
        assert_eq!(parse("  "), Ok(None));
        assert!(complaint("uci").starts_with("unknown command `uci`"));
    }
}
