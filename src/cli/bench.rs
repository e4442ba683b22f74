//! `yinsh-bot bench`: the speed of the search, and whether it still plays as before.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::progress::Progress;
use super::{ExitCode, print};
use crate::search::{Evaluation, Playouts, Simd, bench};
use crate::setting::{Field, Value};

/// Measure the speed of the search, and print the signature of its choices
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct BenchArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Most advanced instructions to use, if the processor has them
    #[arg(long, value_name = "portable|avx2|avx512", default_value = Simd::WORDS[2], hide_default_value = true,
          value_parser = PossibleValuesParser::new(Simd::WORDS))]
    simd: String,
}

const DETAILS: &str = "\
Searches fixed positions on one thread with the built-in parameters, a fixed seed and a fixed number
of simulations. The signature is a hash of everything that these searches find: it is the same on
every machine, and a change of the program that alters it alters how the bot plays.";

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::new(bench::SEARCHES as u64, "searches");
    let simd = Simd::from_value(Value::Text(args.simd.clone()));
    let result = bench::run(simd, &mut |_| progress.step());
    drop(progress);

    let simd_in_use = Playouts::up_to(simd, Evaluation::built_in()).simd().word();
    let signature = format!("{:016x}", result.signature);
    let seconds = result.elapsed.as_secs_f64();
    let rate = result.simulations as f64 / seconds;
    let text = if args.json {
        let object = json!({
            "simulations": result.simulations,
            "elapsed_ms": result.elapsed.as_millis() as u64,
            "simulations_per_second": rate.round() as u64,
            "simd": simd_in_use,
            "signature": signature,
        });
        format!("{object}\n")
    } else {
        format!(
            "simulations {}\ntime        {seconds:.3} s\nrate        {rate:.0} a second, {simd_in_use}\nsignature   {signature}\n",
            result.simulations
        )
    };
    print(&text)?;
    Ok(ExitCode::Ok)
}
