//! `yinsh-bot serve`: the game server alone.

use std::path::Path;

use clap::Args;

use super::{ExitCode, print, runtime};
use crate::bot::stop_channel;
use crate::server::{self, ServeConfig, Server};

/// Run a game server for bots, or create an account on it
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct ServeArgs {
    /// Create a bot account instead, and print its token, which is shown only this once
    #[arg(long, value_name = "NAME")]
    create_bot: Option<String>,
}

const DETAILS: &str = "\
Address, store and limits are the keys of [serve] in the config file. Ctrl-C or SIGTERM ends the
server in order; games go on when it is started again.

Examples:
  yinsh-bot serve
  yinsh-bot serve --set serve.address=127.0.0.1:9000 --set serve.store=/var/lib/yinsh/store.sqlite
  (umask 077; yinsh-bot serve --create-bot ringmaster > ringmaster.token)";

pub(super) fn run(args: &ServeArgs, config: &ServeConfig) -> anyhow::Result<ExitCode> {
    match &args.create_bot {
        Some(name) => create_bot(config, name)?,
        None => runtime()?.block_on(serve(config))?,
    }
    Ok(ExitCode::Ok)
}

/// Prints nothing but the token to stdout, so that it can go straight into a file.
fn create_bot(config: &ServeConfig, name: &str) -> anyhow::Result<()> {
    let bot = server::create_bot(Path::new(&config.store), name)?;
    print(&format!("{}\n", bot.token.token))?;
    tracing::info!(id = %bot.id, name = bot.name, "account created; its token is not shown again");
    Ok(())
}

async fn serve(config: &ServeConfig) -> anyhow::Result<()> {
    let (stop, mut stopped) = stop_channel();
    stop.listen_to_signals()?;
    let server = Server::start(config).await?;
    print(&format!("listening on {}\n", server.url()))?;
    stopped.next().await;
    tracing::info!("shutting down");
    server.shutdown().await?;
    Ok(())
}
