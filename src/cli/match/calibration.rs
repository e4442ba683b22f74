//! `yinsh-bot match calibration`: do games end as often well as the search thought they would?

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::{ExitCode, plain, print};
use crate::arena::{BUCKETS, Bucket, Calibration, read};

/// Compare what the players of a match expected with how its games ended
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct CalibrationArgs {
    /// Match files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Draw the comparison into FILE
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
}

const DETAILS: &str = "\
Each turn of a side that tells what it expects is counted, by tens of percent.

Example:
  yinsh-bot match --a default --b default --games 500 --turn-ms 40 --out self.jsonl
  yinsh-bot match calibration self.jsonl --svg calibration.svg";

pub(super) fn run(args: &CalibrationArgs) -> anyhow::Result<ExitCode> {
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(read(path)?.games);
    }
    let calibration = Calibration::of(&games);
    if let Some(path) = &args.svg {
        let written = fs::write(path, draw(&calibration));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = match args.json {
        true => as_json(&calibration),
        false => plain(&as_text(&calibration)),
    };
    print(&text)?;
    Ok(ExitCode::Ok)
}

/// The lower and the upper end of a bucket in percent.
fn ends(index: usize) -> (usize, usize) {
    let width = 100 / BUCKETS;
    (index * width, (index + 1) * width)
}

/// The buckets that have turns, with what they expected and got in percent.
fn filled(calibration: &Calibration) -> impl Iterator<Item = (usize, &Bucket, f64, f64)> {
    let buckets = calibration.buckets.iter().enumerate();
    buckets.filter_map(|(index, bucket)| {
        Some((
            index,
            bucket,
            100.0 * bucket.expected()?,
            100.0 * bucket.real()?,
        ))
    })
}

fn as_text(calibration: &Calibration) -> String {
    let mut text = "  expected      turns   mean   real share   difference\n".to_owned();
    for (index, bucket, expected, real) in filled(calibration) {
        let (low, high) = ends(index);
        let difference = real - expected;
        writeln!(
            text,
            "{low:>3} - {high:>3} % {:>9} {expected:>5.1} % {real:>10.1} % {difference:>+10.1}",
            bucket.turns
        )
        .expect("writing to a string succeeds");
    }
    match calibration.worst() {
        Some(worst) => {
            text + &format!(
                "{} turns, no mean further than {:.1} points from the real share\n",
                calibration.turns(),
                100.0 * worst
            )
        }
        None => "no turn tells what its player expected\n".to_owned(),
    }
}

fn as_json(calibration: &Calibration) -> String {
    let buckets: Vec<_> = filled(calibration)
        .map(|(index, bucket, expected, real)| {
            let (low, high) = ends(index);
            json!({ "from": low, "to": high, "turns": bucket.turns, "expected": expected, "real": real })
        })
        .collect();
    let worst = calibration.worst().map(|worst| 100.0 * worst);
    format!(
        "{}\n",
        json!({ "turns": calibration.turns(), "buckets": buckets, "worst": worst })
    )
}

/// Size of the plot within the picture, and the room around it.
const PLOT: f64 = 400.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;

fn x(percent: f64) -> f64 {
    LEFT + PLOT * percent / 100.0
}

fn y(percent: f64) -> f64 {
    TOP + PLOT * (1.0 - percent / 100.0)
}

/// The picture: real against expected share; the nearer to the diagonal the better.
fn draw(calibration: &Calibration) -> String {
    let (width, height) = (LEFT + PLOT + 30.0, TOP + PLOT + 55.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" fill=\"#111111\">Expected and real results of {} turns</text>\n",
        calibration.turns()
    );
    for percent in (0..=100).step_by(20).map(f64::from) {
        let (at_x, at_y) = (x(percent), y(percent));
        let (right, bottom) = (x(100.0), y(0.0));
        svg += &format!(
            "<line x1=\"{at_x}\" y1=\"{TOP}\" x2=\"{at_x}\" y2=\"{bottom}\" stroke=\"#dddddd\"/>\n\
             <line x1=\"{LEFT}\" y1=\"{at_y}\" x2=\"{right}\" y2=\"{at_y}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{at_x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{percent}</text>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555555\">{percent}</text>\n",
            bottom + 18.0,
            LEFT - 8.0,
            at_y + 4.0
        );
    }
    svg += &format!(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#999999\" stroke-dasharray=\"4 4\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#111111\">expected, %</text>\n\
         <text x=\"16\" y=\"{}\" text-anchor=\"middle\" fill=\"#111111\" transform=\"rotate(-90 16 {})\">real share, %</text>\n",
        x(0.0),
        y(0.0),
        x(100.0),
        y(100.0),
        x(50.0),
        y(0.0) + 40.0,
        y(50.0),
        y(50.0)
    );
    for (_, _, expected, real) in filled(calibration) {
        svg += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"#1f5fa8\"/>\n",
            x(expected),
            y(real)
        );
    }
    svg + "</svg>\n"
}
