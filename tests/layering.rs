//! Keeps the layers: a module imports itself and what stands below it, and the lower layers stay free of
//! runtimes, formats and printing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each top module may import besides itself.
const ALLOWED: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("setting", &[]),
    ("diagnostics", &["setting"]),
    ("search", &["game", "setting"]),
    ("player", &["search", "game", "setting"]),
    ("api", &["search", "game", "setting"]),
    ("bot", &["api", "player", "search", "game", "setting"]),
    ("server", &["api", "player", "search", "game", "setting"]),
    ("arena", &["api", "player", "search", "game", "setting"]),
    ("ugi", &["api", "player", "search", "game", "setting"]),
    (
        "config",
        &[
            "diagnostics",
            "bot",
            "server",
            "arena",
            "ugi",
            "api",
            "player",
            "search",
            "game",
            "setting",
        ],
    ),
    (
        "cli",
        &[
            "config",
            "diagnostics",
            "bot",
            "server",
            "arena",
            "ugi",
            "api",
            "player",
            "search",
            "game",
            "setting",
        ],
    ),
    ("main", &["cli"]),
];

/// Words that must not occur in the code of these modules.
const FORBIDDEN: &[(&[&str], &[&str])] = &[
    (
        &["game", "search"],
        &[
            "serde",
            "serde_json",
            "tracing",
            "println",
            "print",
            "eprintln",
            "eprint",
            "dbg",
        ],
    ),
    (
        &[
            "game",
            "setting",
            "search",
            "player",
            "api",
            "arena",
            "ugi",
            "config",
            "diagnostics",
        ],
        &["tokio", "async", "await", "axum", "reqwest"],
    ),
];

#[test]
fn every_module_keeps_to_its_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut complaints = Vec::new();
    for file in rust_files(&root) {
        let name = file.strip_prefix(&root).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        complaints.extend(check(name, &text));
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Everything wrong with one file, `name` being its path below `src`.
fn check(name: &Path, text: &str) -> Vec<String> {
    let first = name.components().next().unwrap().as_os_str();
    let module = first.to_str().unwrap().trim_end_matches(".rs");
    if module == "lib" {
        return Vec::new();
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == module) else {
        return vec![format!(
            "src/{}: the layer table does not know `{module}`",
            name.display()
        )];
    };
    let tokens = tokens(text);
    let is_root_of_folder = name.ends_with("mod.rs");
    let depth = name.components().count() - usize::from(is_root_of_folder);
    let mut complaints = Vec::new();
    let mut complain =
        |line, what| complaints.push(format!("src/{}:{line}: {what}", name.display()));
    for (line, import) in imports(&tokens, depth) {
        let known = ALLOWED.iter().any(|(name, _)| *name == import);
        if known && import != module && !allowed.contains(&import.as_str()) {
            complain(line, format!("`{module}` must not import `{import}`"));
        }
    }
    let forbidden = FORBIDDEN
        .iter()
        .filter(|(modules, _)| modules.contains(&module));
    let forbidden: BTreeSet<_> = forbidden
        .flat_map(|(_, words)| words.iter().copied())
        .collect();
    for (line, word) in &tokens {
        if forbidden.contains(word.as_str()) {
            complain(*line, format!("`{module}` must not use `{word}`"));
        }
    }
    complaints
}

/// The top modules that paths name, each with its line: those after `crate::` and `yinsh_bot::`, and after as many
/// `super::` as lead out of a module at `depth`.
fn imports(tokens: &[(usize, String)], depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut supers = 0;
    for (at, (_, word)) in tokens.iter().enumerate() {
        if word == "::" {
            continue;
        }
        supers = if word == "super" { supers + 1 } else { 0 };
        let is_root = word == "crate" || word == "yinsh_bot" || supers >= depth;
        if is_root && tokens.get(at + 1).is_some_and(|(_, next)| next == "::") {
            found.extend(heads(&tokens[at + 2..]));
        }
    }
    found
}

/// The first names of a path, or of each path in a group: `a::b` gives a; `{a, b::{c, d}}` gives a and b.
fn heads(tokens: &[(usize, String)]) -> Vec<(usize, String)> {
    let is_group = tokens.first().is_some_and(|(_, word)| word == "{");
    if !is_group {
        return tokens.iter().take(1).cloned().collect();
    }
    let mut depth = 0;
    let mut at_head = false;
    let mut found = Vec::new();
    for (line, word) in tokens {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if at_head => found.push((*line, word.clone())),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        at_head = depth == 1 && (word == "{" || word == ",");
    }
    found
}

/// Words and the punctuation of paths, each with its line; comments and literals are left out.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first);
        let (token, after) = rest.split_at(length);
        if first.is_alphabetic() || first == '_' || matches!(token, "::" | "{" | "}" | ",") {
            found.push((line, token.to_owned()));
        }
        line += token.matches('\n').count();
        rest = after;
    }
    found
}

fn token_length(rest: &str, first: char) -> usize {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/");
    }
    if let Some(hashes) = raw_string_hashes(rest) {
        let opening = 2 + hashes;
        let closing = format!("\"{}", "#".repeat(hashes));
        let end = rest[opening..].find(&closing);
        return end.map_or(rest.len(), |end| opening + end + closing.len());
    }
    if first == '"' {
        return quoted_length(rest, '"');
    }
    if first == '\'' {
        let is_char = rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'');
        return if is_char {
            quoted_length(rest, '\'')
        } else {
            1
        };
    }
    if rest.starts_with("::") {
        return 2;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    word.max(first.len_utf8())
}

/// The number of hashes of a raw string that begins here.
fn raw_string_hashes(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    after[hashes..].starts_with('"').then_some(hashes)
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

#[test]
fn a_wrong_import_is_found_with_its_line() {
    let complaints = |file: &str, text: &str| check(Path::new(file), text);

    assert_eq!(
        complaints("game/point.rs", "\nuse crate::search::Searcher;\n"),
        ["src/game/point.rs:2: `game` must not import `search`"]
    );
    assert_eq!(
        complaints(
            "bot.rs",
            "use crate::{\n    api,\n    game::{Point, server},\n    server::Store,\n};"
        ),
        ["src/bot.rs:4: `bot` must not import `server`"]
    );
    assert_eq!(
        complaints(
            "server/store.rs",
            "fn f() { let a = 'x'; yinsh_bot::bot::run(\"//\"); }"
        ),
        ["src/server/store.rs:1: `server` must not import `bot`"]
    );
    assert_eq!(
        complaints(
            "bot/http.rs",
            "use super::server;\nuse super::super::server::Store;"
        ),
        ["src/bot/http.rs:2: `bot` must not import `server`"]
    );
    assert_eq!(
        complaints("bot/mod.rs", "use super::{api, server};"),
        ["src/bot/mod.rs:1: `bot` must not import `server`"]
    );
    assert_eq!(
        complaints("search/tree.rs", "fn f() {\n    println!(\"{}\", 1);\n}"),
        ["src/search/tree.rs:2: `search` must not use `println`"]
    );
    assert_eq!(
        complaints("player.rs", "async fn f() {}"),
        ["src/player.rs:1: `player` must not use `async`"]
    );
    assert_eq!(
        complaints("gaem.rs", ""),
        ["src/gaem.rs: the layer table does not know `gaem`"]
    );
}

#[test]
fn comments_texts_and_own_paths_do_not_count() {
    let innocent = "//! See crate::search.\n/* crate::bot */\n/// `crate::server`\n\
        use crate::game::Point;\nfn f<'a>(x: &'a str) { g(\"crate::cli \\\" tokio\", r#\"crate::\" bot\"#, '\"') }";
    assert_eq!(check(Path::new("game.rs"), innocent), Vec::<String>::new());
}
