//! The figures in the text format of Prometheus.

use std::fmt::{Display, Write};
use std::time::Instant;

use super::figures::Figures;
use super::histogram::Histogram;
use super::process;
use super::watchdog::Health;

/// Writes all figures down.
pub(super) fn write(figures: &Figures, now: Instant) -> String {
    let mut page = Page::default();
    page.head("build_info", "gauge", "The program's version.");
    page.sample(&[("version", &env!("CARGO_PKG_VERSION"))], 1);
    page.figure(
        "uptime_seconds",
        "gauge",
        "Time since the start.",
        figures.uptime(now).as_secs_f64(),
    );
    connection(&mut page, figures, now);
    games(&mut page, figures);
    searches(&mut page, figures);
    page.head(
        "config_reloads_total",
        "counter",
        "Attempts to read the configuration anew.",
    );
    for (result, count) in ["taken", "refused"].iter().zip(figures.reloads) {
        page.sample(&[("result", result)], count);
    }
    if let Some(memory) = process::resident_bytes() {
        page.figure(
            "resident_memory_bytes",
            "gauge",
            "Memory of the process.",
            memory,
        );
    }
    if let Some(files) = process::open_files() {
        page.figure(
            "open_files",
            "gauge",
            "Open files and sockets of the process.",
            files,
        );
    }
    page.text
}

fn connection(page: &mut Page, figures: &Figures, now: Instant) {
    let is_healthy = matches!(figures.health(now), Health::Ok { .. });
    page.figure(
        "healthy",
        "gauge",
        "1 while polls succeed, 0 when none has for too long.",
        u8::from(is_healthy),
    );
    if let Some(age) = figures.poll_age(now) {
        page.figure(
            "last_good_poll_age_seconds",
            "gauge",
            "Time since the last successful poll.",
            age.as_secs_f64(),
        );
    }
    page.head(
        "requests_total",
        "counter",
        "Requests by what was asked and how it went.",
    );
    for ((request, class), count) in &figures.requests {
        page.sample(
            &[("request", &request.word()), ("result", &class.word())],
            count,
        );
    }
    page.head(
        "request_duration_seconds",
        "histogram",
        "Time to a good answer, of requests that are answered at once.",
    );
    for (request, latencies) in &figures.latencies {
        page.histogram(&[("request", &request.word())], latencies);
    }
    page.figure(
        "troubles_total",
        "counter",
        "Warnings: whatever went wrong and was made good.",
        figures.troubles,
    );
}

fn games(page: &mut Page, figures: &Figures) {
    page.head("games", "gauge", "Games that go on, by whose turn it is.");
    for (turn, count) in ["own", "opponent"].iter().zip(figures.games_by_side()) {
        page.sample(&[("turn", turn)], count);
    }
    page.head(
        "games_finished_total",
        "counter",
        "Games that have ended, by result for the account and reason.",
    );
    for ((result, reason), count) in &figures.finished {
        page.sample(&[("result", result), ("reason", reason)], count);
    }
    page.head(
        "challenges_answered_total",
        "counter",
        "Challenges that were accepted, or declined with a reason.",
    );
    for (answer, count) in &figures.challenges {
        page.sample(&[("answer", answer)], count);
    }
}

fn searches(page: &mut Page, figures: &Figures) {
    page.figure(
        "searches_total",
        "counter",
        "Searches that have ended.",
        figures.searches,
    );
    page.figure(
        "simulations_total",
        "counter",
        "Simulations of all searches.",
        figures.simulations,
    );
    page.figure(
        "search_seconds_total",
        "counter",
        "Time of all searches.",
        figures.search_time.as_secs_f64(),
    );
    page.head(
        "search_budget_used",
        "histogram",
        "Time of each search as a part of what it should take.",
    );
    page.histogram(&[], &figures.budget_used);
    page.figure(
        "search_overruns_total",
        "counter",
        "Searches that took longer than they may.",
        figures.overruns,
    );
    page.head(
        "searches_lost_total",
        "counter",
        "Searches that failed, or hung and were replaced.",
    );
    page.sample(&[("how", &"failed")], figures.failed_searches);
    page.sample(&[("how", &"hung")], figures.hung_searches);
}

/// A page of metrics under way.
#[derive(Default)]
struct Page {
    text: String,
    name: &'static str,
}

impl Page {
    /// Begins a metric.
    fn head(&mut self, name: &'static str, sort: &str, help: &str) {
        self.name = name;
        self.line(format_args!("# HELP yinsh_bot_{name} {help}"));
        self.line(format_args!("# TYPE yinsh_bot_{name} {sort}"));
    }

    /// A metric that has just one value.
    fn figure(&mut self, name: &'static str, sort: &str, help: &str, value: impl Display) {
        self.head(name, sort, help);
        self.sample(&[], value);
    }

    fn sample(&mut self, labels: &[(&str, &dyn Display)], value: impl Display) {
        self.part("", labels, value);
    }

    fn histogram(&mut self, labels: &[(&str, &dyn Display)], histogram: &Histogram) {
        let mut bucket = |bound: &dyn Display, count| {
            let labels: Vec<_> = labels.iter().copied().chain([("le", bound)]).collect();
            self.part("_bucket", &labels, count);
        };
        for (bound, count) in histogram.cumulative() {
            bucket(&bound, count);
        }
        bucket(&"+Inf", histogram.count());
        self.part("_sum", labels, histogram.sum());
        self.part("_count", labels, histogram.count());
    }

    /// The words of labels are this program's own, so none needs an escape.
    fn part(&mut self, suffix: &str, labels: &[(&str, &dyn Display)], value: impl Display) {
        let labels: Vec<_> = labels
            .iter()
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .collect();
        let labels = match labels.as_slice() {
            [] => String::new(),
            labels => format!("{{{}}}", labels.join(",")),
        };
        let name = self.name;
        self.line(format_args!("yinsh_bot_{name}{suffix}{labels} {value}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("writing to a string succeeds");
    }
}
