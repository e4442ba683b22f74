//! Runs a search for better values, tests them, and tells what came of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{RunArgs, options};
use super::live::Live;
use super::outcome::Outcome;
use super::write::{warn_of_overrides, write};
use super::{html, json, table};
use crate::arena::stats::{Pentanomial, Verdict};
use crate::arena::tune::{Estimate, Parameter, TuneIdentity, TunePlan, TuneStore, Tuning, resolve};
use crate::arena::{
    Ledger, MatchConfig, MatchOptions, Plan, Report, Shard, Side, SideId, SideLine, SideSpec,
    TimeControl, sprt,
};
use crate::cli::r#match::table::limits;
use crate::cli::r#match::{interrupt, live as match_live, plain, play};
use crate::cli::words::grouped;
use crate::cli::{ExitCode, GlobalArgs, print};
use crate::config::{Config, Loaded};
use crate::game::Variant;
use crate::search::StopFlag;
use crate::setting::Value;

/// The match of tuned against present values.
pub(super) struct Verification {
    /// What it says.
    pub report: Report,
    /// Its sides, the tuned one first.
    pub sides: Vec<SideLine>,
    /// How the log-likelihood ratio went, by pairs of games.
    pub course: Vec<f64>,
}

pub(super) fn run(
    args: &RunArgs,
    global: &GlobalArgs,
    loaded: &Loaded,
) -> anyhow::Result<ExitCode> {
    let task = Task::new(args, &loaded.config)?;
    let identity = &task.plan.header.identity;
    warn_of_overrides(&identity.parameters, loaded);
    interrupt::listen(&task.stop)?;
    let default_file = || task.plan.default_file(&task.settings.records);
    let path = args.out.clone().unwrap_or_else(default_file);
    let tuning = task.search(&path)?;
    let estimates = tuning.estimates();
    let can_verify = tuning.is_over() && tuning.shard() == Shard::WHOLE && !args.after.no_verify;
    let verification = match can_verify && !is_same(&identity.parameters, &estimates) {
        true => Some(task.verify(&values(&estimates), &with_suffix(&path, "-verify.jsonl"))?),
        false => None,
    };
    let outcome = outcome(args, global, &tuning, verification.as_ref())?;
    let summary = Summary {
        identity,
        tuning: &tuning,
        verification: verification.as_ref(),
        outcome: &outcome,
    };
    let page = args.output.html.clone();
    summary.show(
        &page.unwrap_or_else(|| with_suffix(&path, ".html")),
        args.output.json,
    )?;
    Ok(outcome.exit_code())
}

/// What is to be done, all of it checked.
struct Task {
    plan: TunePlan,
    settings: MatchConfig,
    /// Of the test of the values.
    options: MatchOptions,
    /// Games at the same time.
    concurrency: usize,
    stop: StopFlag,
}

impl Task {
    fn new(args: &RunArgs, config: &Config) -> anyhow::Result<Self> {
        let (tune, settings) = args.settings(&config.tune, &config.r#match)?;
        let options = options(&args.setup);
        let side = present_side(config, &settings, options.variant)?;
        let has_clock = has_clock(&side);
        let parameters = resolve(&args.params, (&config.search, &config.time), has_clock)?;
        let present: Vec<Value> = parameters.iter().map(Parameter::current).collect();
        let plan = TunePlan::new((side, parameters), &tune, &settings, &options)?;
        let options = MatchOptions {
            sprt: Some(sprt(&settings)?),
            ..options
        };
        if !args.after.no_verify {
            // Whatever is wrong with the test is told before the search for its values.
            plan.verification(&present, &settings, &options)?;
        }
        Ok(Self {
            concurrency: play::concurrency(&settings, plan.threads_per_game()).games,
            plan,
            settings,
            options,
            stop: StopFlag::new(),
        })
    }

    /// Games at the same time in the search, whose chains have only so many games to play before their values move.
    fn search_concurrency(&self, tuning: &Tuning) -> usize {
        let wanted = self.concurrency;
        let course = &tuning.design().course;
        let most = 2 * course.batch as usize * tuning.chains().len();
        if wanted > most {
            tracing::warn!(
                "only {most} games can be played at the same time, not {wanted}: set more chains or a larger batch"
            );
        }
        wanted.min(most)
    }

    /// Plays the games that look for better values, or goes on with them.
    fn search(&self, path: &Path) -> anyhow::Result<Tuning> {
        let (mut store, mut tuning) = TuneStore::open(path, &self.plan.header)?;
        tell_start(path, &tuning);
        let mut live = Live::new(&tuning);
        let mut show = |tuning: &Tuning, running| live.show(tuning, running);
        let concurrency = self.search_concurrency(&tuning);
        let run = (&mut tuning, &mut store);
        self.plan.run(run, concurrency, &self.stop, &mut show)?;
        Ok(tuning)
    }

    /// Plays the match of tuned against present values, or goes on with it.
    fn verify(&self, tuned: &[Value], path: &Path) -> anyhow::Result<Verification> {
        let plan: Plan = self
            .plan
            .verification(tuned, &self.settings, &self.options)?;
        let (mut store, mut ledger) = play::open(path, &plan, &self.options)?;
        let mut live = match_live::Live::new(&ledger);
        let runner = plan.runner(self.concurrency, &self.stop);
        runner.run(&mut ledger, &mut store, &mut |ledger| live.show(ledger))?;
        Ok(Verification {
            report: Report::new(&ledger),
            sides: plan.header.identity.sides.clone(),
            course: course(&ledger),
        })
    }
}

/// What came of it; writes the config file if that is the consequence.
fn outcome(
    args: &RunArgs,
    global: &GlobalArgs,
    tuning: &Tuning,
    verification: Option<&Verification>,
) -> anyhow::Result<Outcome> {
    let (parameters, estimates) = (&tuning.design().parameters, tuning.estimates());
    let verdict = verification.and_then(|v| v.report.test.as_ref()?.verdict);
    let write = || write(parameters, &estimates, global);
    let (force, may_write) = (args.after.force, !args.after.no_write);
    Ok(match verdict {
        _ if !tuning.is_over() => Outcome::Stopped,
        _ if tuning.shard() != Shard::WHOLE => Outcome::Part,
        _ if is_same(parameters, &estimates) => Outcome::Same,
        None if verification.is_some() => Outcome::Stopped,
        None if force => Outcome::Forced(write()?),
        None => Outcome::Untested,
        Some(Verdict::H1) => Outcome::Gained(may_write.then(write).transpose()?),
        Some(verdict) => Outcome::NotGained(verdict, force.then(write).transpose()?),
    })
}

fn values(estimates: &[Estimate]) -> Vec<Value> {
    estimates
        .iter()
        .map(|estimate| estimate.value.clone())
        .collect()
}

fn is_same(parameters: &[Parameter], estimates: &[Estimate]) -> bool {
    let mut both = parameters.iter().zip(estimates);
    both.all(|(parameter, estimate)| parameter.current() == estimate.value)
}

fn tell_start(path: &Path, tuning: &Tuning) {
    let (games, path) = (tuning.games(), path.display());
    let part = match tuning.shard() {
        Shard::WHOLE => String::new(),
        shard => format!(", part {shard}"),
    };
    match tuning.done() {
        0 => tracing::info!("{games} games, results into {path}{part}"),
        done => {
            tracing::info!("{games} games, results into {path}{part}; {done} are there already")
        }
    }
}

/// Everything that is told at the end.
pub(super) struct Summary<'a> {
    /// What was tuned.
    pub identity: &'a TuneIdentity,
    /// The run.
    pub tuning: &'a Tuning,
    /// The test of its values.
    pub verification: Option<&'a Verification>,
    /// What came of it.
    pub outcome: &'a Outcome,
}

impl Summary<'_> {
    /// How many games were played, of how many, and under which limits.
    pub fn games(&self) -> String {
        format!(
            "{} of {} in {} chains{}",
            grouped(self.tuning.done()),
            grouped(self.tuning.games()),
            self.tuning.chains().len(),
            limits(&self.identity.side)
        )
    }

    /// Prints the result, and writes it as a page.
    pub fn show(&self, page: &Path, as_json: bool) -> anyhow::Result<()> {
        let written = fs::write(page, html::page(self));
        written.with_context(|| format!("cannot write {}", page.display()))?;
        tracing::info!("the report is {}", page.display());
        let text = match as_json {
            true => json::text(self),
            false => plain(&table::report(self)),
        };
        Ok(print(&text)?)
    }
}

/// The side with the settings in effect.
pub(super) fn present_side(
    config: &Config,
    settings: &MatchConfig,
    variant: Variant,
) -> anyhow::Result<Side> {
    let spec: SideSpec = "default".parse()?;
    let side = spec.resolve((&config.search, &config.time), settings, variant)?;
    Ok(Side {
        name: "present".to_owned(),
        ..side
    })
}

/// Whether a side plays with a clock, so that `[time]` matters.
pub(super) const fn has_clock(side: &Side) -> bool {
    matches!(side.pace.time, Some(TimeControl::Clock { .. }))
}

/// The log-likelihood ratio after each pair of games.
fn course(ledger: &Ledger) -> Vec<f64> {
    let Some(sprt) = ledger.sprt() else {
        return Vec::new();
    };
    let mut results = Pentanomial::default();
    let games: Vec<_> = ledger.counted().collect();
    let after = games.chunks_exact(2).filter_map(|pair| {
        let points = pair.iter().map(|game| game.half_points(SideId::A));
        results.add(points.sum());
        results.llr(sprt.hypotheses()).ok()
    });
    after.collect()
}

/// The name of a file that belongs to a file of results.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}
