//! `yinsh-bot tune sensitivity`: which parameters matter at all?

use serde_json::json;

use super::args::{SensitivityArgs, options};
use super::json::of_value;
use super::run::{has_clock, present_side};
use super::words::value;
use crate::arena::stats::Interval;
use crate::arena::tune::{Parameter, ParameterSpec, Probe, probes, resolve};
use crate::arena::{MatchOptions, Report, Shard};
use crate::cli::r#match::table::{columns, join, limits, line, with_error};
use crate::cli::r#match::{interrupt, live::Live, plain, play};
use crate::cli::words::grouped;
use crate::cli::{ExitCode, print};
use crate::config::Config;
use crate::search::StopFlag;

pub(super) fn run(args: &SensitivityArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let settings = args.settings(&config.tune, &config.r#match)?;
    let options = options(&args.setup);
    let side = present_side(config, &settings, options.variant)?;
    let has_clock = has_clock(&side);
    let all = || {
        Parameter::all_names(has_clock)
            .into_iter()
            .map(str::parse::<ParameterSpec>)
            .collect()
    };
    let specs = args.params.clone().map_or_else(all, Ok)?;
    let parameters = resolve(&specs, (&config.search, &config.time), has_clock)?;
    let probes = probes(&side, &parameters, &specs, &settings, &options)?;
    let stop = StopFlag::new();
    interrupt::listen(&stop)?;

    let mut rows = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let Probe {
            parameter,
            value: probed,
            plan,
        } = probe;
        tracing::info!(
            "match {} of {}: {} = {}",
            index + 1,
            probes.len(),
            parameter.name,
            value(probed)
        );
        let path = plan.default_file(&settings.records);
        let (mut store, mut ledger) = play::open(&path, plan, &options)?;
        let games = play::concurrency(&settings, plan.threads_per_game()).games;
        let mut live = Live::new(&ledger);
        let runner = plan.runner(games, &stop);
        let played = runner.run(&mut ledger, &mut store, &mut |ledger| live.show(ledger));
        drop(live);
        played?;
        let elo = Report::new(&ledger).estimate.map(|estimate| estimate.elo);
        rows.push(Row { probe, elo });
        if stop.is_stopped() {
            break;
        }
    }
    show(args, &rows, &options)?;
    Ok(match stop.is_stopped() {
        true => {
            tracing::warn!("stopped; the same command goes on");
            ExitCode::MatchStopped
        }
        false => ExitCode::Ok,
    })
}

/// A match and what it says.
struct Row<'a> {
    probe: &'a Probe,
    /// How much stronger the probed value is than the present one; `None` without games.
    elo: Option<Interval>,
}

impl Row<'_> {
    /// The most that the value may change strength, either way.
    fn weight(&self) -> f64 {
        self.elo.as_ref().map_or(0.0, |elo| elo.value.abs())
    }

    fn meaning(&self) -> &'static str {
        match self.elo {
            None => "not played",
            Some(elo) if elo.high < 0.0 => "weaker: it matters",
            Some(elo) if elo.low > 0.0 => "stronger: worth tuning",
            Some(_) => "no difference seen",
        }
    }
}

fn show(args: &SensitivityArgs, rows: &[Row<'_>], options: &MatchOptions) -> anyhow::Result<()> {
    let mut order: Vec<&Row<'_>> = rows.iter().collect();
    order.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    let text = match args.json {
        true => format!(
            "{}\n",
            json!({ "probes": order.iter().map(|row| of_row(row)).collect::<Vec<_>>() })
        ),
        false => plain(&table(&order, options.shard)),
    };
    Ok(print(&text)?)
}

fn of_row(row: &Row<'_>) -> serde_json::Value {
    let elo = row
        .elo
        .map(|elo| json!({"value": elo.value, "low": elo.low, "high": elo.high}));
    json!({
        "name": row.probe.parameter.name,
        "present": of_value(&row.probe.parameter.current()),
        "probed": of_value(&row.probe.value),
        "elo": elo,
    })
}

fn table(rows: &[&Row<'_>], shard: Shard) -> String {
    let Some(first) = rows.first() else {
        return "There is nothing to probe.\n".to_owned();
    };
    let header = &first.probe.plan.header;
    let side = &header.identity.sides[0];
    let part = match shard {
        Shard::WHOLE => String::new(),
        shard => format!(", part {shard}"),
    };
    let games = format!(
        "{} of each match{part}{}",
        grouped(2 * header.rounds),
        limits(side)
    );
    let heads = ["parameter", "present", "probed", "Elo", "what that means"].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        [
            row.probe.parameter.name.clone(),
            value(&row.probe.parameter.current()),
            value(&row.probe.value),
            row.elo.as_ref().map_or("-".to_owned(), with_error),
            row.meaning().to_owned(),
        ]
    });
    join(&[
        line("games", &games),
        columns(std::iter::once(heads).chain(cells).collect()),
    ])
}
