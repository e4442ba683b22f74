//! `yinsh-bot config`: checks and prints settings.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ExitCode, GlobalArgs, print};
use crate::config::Config;

/// Check a config file, or print the settings in effect
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Say everything that is wrong with FILE, the environment and --set flags
    Check {
        /// The file to check [default: the one that the other commands would read]
        file: Option<PathBuf>,
    },
    /// Print the settings in effect as a commented file, with the origin of each that is not built in
    Show {
        /// Print the built-in defaults: the config.toml that comes with the program
        #[arg(long)]
        defaults: bool,
    },
}

pub(super) fn run(args: &ConfigArgs, global: &GlobalArgs) -> anyhow::Result<ExitCode> {
    let mut sources = global.sources();
    match &args.command {
        ConfigCommand::Check { file } => {
            sources.file = file.clone().or(sources.file);
            sources.load()?;
            match &sources.file {
                Some(file) => print(&format!("{} is valid\n", file.display()))?,
                None => print("there is no config file; the built-in defaults are in effect\n")?,
            }
        }
        ConfigCommand::Show { defaults: true } => print(&Config::defaults_as_toml())?,
        ConfigCommand::Show { defaults: false } => {
            let text = global.start()?.to_toml();
            print(&global.redactor.redact(&text))?;
        }
    }
    Ok(ExitCode::Ok)
}
