//! `yinsh-bot perft`: counts sequences of actions, the usual check of a move generator.

use std::fmt::Write;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::progress::Progress;
use super::{ExitCode, position_of, print};
use crate::game::{Action, Position, Variant, divide};

/// Count the sequences of actions of a length, to check the rules
#[derive(Debug, Args)]
#[command(allow_missing_positional = true, after_help = EXAMPLES)]
pub(super) struct PerftArgs {
    /// Where to start: a position text of five fields in quotes [default: the empty board]
    position: Option<String>,
    /// How many actions a sequence has
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Rules to play by
    #[arg(long, default_value_t, value_name = "standard|blitz")]
    variant: Variant,
    /// List the count behind each first action
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yinsh-bot perft 3
  yinsh-bot perft --divide '2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10' 2

An action is one decision: placing a ring, moving one, taking a row, taking off a ring, passing.
The empty board has 85, 7140, 592620, 48594840 sequences of 1, 2, 3, 4 actions.";

struct Counted {
    by_action: Vec<(Action, u64)>,
    total: u64,
    elapsed: Duration,
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let position = position_of(args.position.as_deref(), args.variant)?;
    let counted = count(&position, args.depth);
    print(&match args.json {
        true => as_json(args, &position, &counted),
        false => as_text(args, &counted),
    })?;
    Ok(ExitCode::Ok)
}

fn count(position: &Position, depth: u32) -> Counted {
    let progress = Progress::new(position.actions().len() as u64, "first actions");
    let count_one = |counted| {
        progress.step();
        counted
    };
    let by_action: Vec<_> = divide(position, depth).map(count_one).collect();
    let total = match depth {
        0 => 1,
        _ => by_action.iter().map(|(_, count)| count).sum(),
    };
    Counted {
        by_action,
        total,
        elapsed: progress.elapsed(),
    }
}

fn as_text(args: &PerftArgs, counted: &Counted) -> String {
    let mut text = String::new();
    if args.divide {
        for (action, count) in &counted.by_action {
            writeln!(text, "{:<12} {count:>14}", action.to_string())
                .expect("writing to a string succeeds");
        }
    }
    let seconds = counted.elapsed.as_secs_f64();
    let noun = if args.depth == 1 { "action" } else { "actions" };
    text + &format!(
        "{} sequences of {} {noun} in {seconds:.3} s\n",
        counted.total, args.depth
    )
}

fn as_json(args: &PerftArgs, position: &Position, counted: &Counted) -> String {
    let mut object = json!({
        "position": position.to_string(),
        "variant": args.variant.as_str(),
        "depth": args.depth,
        "count": counted.total,
        "elapsed_ms": counted.elapsed.as_millis() as u64,
    });
    if args.divide {
        let by_action = counted.by_action.iter();
        object["divide"] = by_action
            .map(|(action, count)| (action.to_string(), json!(count)))
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    format!("{object}\n")
}
