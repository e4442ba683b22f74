//! `yinsh-bot play`: the bot account.

use std::io::{IsTerminal, stdout};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use secrecy::SecretString;

use super::embedded::Embedded;
use super::style::Style;
use super::watch::{Layout, OpponentReports, TextWatcher};
use super::watch_json::JsonWatcher;
use super::watch_log::Logged;
use super::{ExitCode, runtime};
use crate::bot::{
    AccountConfig, Bot, Exit, HttpTransport, PlayConfig, Records, ServerConfig, SessionSettings,
    StopReceiver, TOKEN_VARIABLE, Watcher, load_token, player_factory, stop_channel,
};
use crate::config::Config;
use crate::player::PlayerKind;

/// Play as a bot account on a game server until stopped, or one game against a house bot
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct PlayArgs {
    /// Print one JSON object for each event instead
    #[arg(long)]
    json: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

const DETAILS: &str = "\
The server is `url` in [server]. With \"embedded\", the default, a server is started inside this
process, and the bot plays one game there against a house bot; otherwise it plays as the account
whose token is in `token_file` of [account], in the environment variable YINSH_BOT_TOKEN or in
`token` of [account], until it is stopped.

The first Ctrl-C or SIGTERM accepts no new games and finishes the running ones, up to `drain_s` in
[play]; the second leaves at once.

Examples:
  yinsh-bot play
  yinsh-bot play --set play.house_player=greedy --set play.house_initial_s=10
  yinsh-bot play --set server.url=https://yinsh.example.org --set account.token_file=bot.token";

pub(super) fn run(args: &PlayArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let exit = runtime()?.block_on(play(args, config))?;
    match &exit {
        Exit::BadToken { detail } => {
            tracing::error!("the server does not accept the token: {detail}");
        }
        Exit::RulesUnsupported { detail } => {
            tracing::error!("the server plays other rules: {detail}");
        }
        Exit::DrainTimeout => tracing::warn!("left with games still running"),
        Exit::Done | Exit::Drained | Exit::Aborted => {}
    }
    Ok(ExitCode::from(&exit))
}

async fn play(args: &PlayArgs, config: &Config) -> anyhow::Result<Exit> {
    let (stop, stopped) = stop_channel();
    stop.listen_to_signals()
        .context("cannot listen to signals")?;
    if config.server.url == ServerConfig::EMBEDDED {
        return play_embedded(args, config, stopped).await;
    }
    let environment = std::env::var(TOKEN_VARIABLE).ok().map(SecretString::from);
    let token = load_token(&config.account, environment)?;
    let transport = HttpTransport::new(&config.server, &config.account, &token)?;
    let settings = settings(config, &config.server);
    let bot = bot(config, transport, settings, &config.server.url);
    let is_one_game = config.play.games_max == 1;
    let mut watcher = watcher(args, is_one_game, OpponentReports::default());
    Ok(bot.run(watcher.as_mut(), stopped).await)
}

async fn play_embedded(
    args: &PlayArgs,
    config: &Config,
    stopped: StopReceiver,
) -> anyhow::Result<Exit> {
    let reports = OpponentReports::default();
    let embedded = Embedded::start(config, Arc::clone(&reports)).await?;
    let server = embedded.server_config(config);
    let transport = HttpTransport::new(&server, &AccountConfig::default(), &embedded.bot_token)?;
    let settings = SessionSettings {
        play: PlayConfig {
            games_max: 1,
            ..config.play.clone()
        },
        opening: Some(embedded.challenge(config)),
        leave_after: Some(1),
        ..settings(config, &server)
    };
    let bot = bot(config, transport, settings, &server.url);
    let mut watcher = watcher(args, true, reports);
    let exit = bot.run(watcher.as_mut(), stopped).await;
    embedded.shutdown().await?;
    Ok(exit)
}

fn settings(config: &Config, server: &ServerConfig) -> SessionSettings {
    SessionSettings {
        play: config.play.clone(),
        server: server.clone(),
        challenges: config.challenges.clone(),
        time: config.time.clone(),
        threads: config.search.resolved_threads(),
        seed: rand::random(),
        ..SessionSettings::default()
    }
}

fn bot(config: &Config, transport: HttpTransport, settings: SessionSettings, url: &str) -> Bot {
    let games_max = settings.play.games_max;
    let players = player_factory(PlayerKind::Mcts, &config.search, games_max);
    let bot = Bot::new(transport, settings, players);
    match &config.play.records_dir {
        Some(dir) => bot.with_records(Records::new(dir.clone(), url)),
        None => bot,
    }
}

/// Whoever writes the events to stdout; the log is told too.
fn watcher(args: &PlayArgs, is_one_game: bool, reports: OpponentReports) -> Box<dyn Watcher> {
    if args.json {
        return Box::new(Logged(JsonWatcher(stdout())));
    }
    let layout = match (is_one_game, stdout().is_terminal()) {
        (true, true) => Layout::Boards,
        (true, false) => Layout::Lines,
        (false, _) => Layout::NamedLines,
    };
    let style = Style::of_stdout(args.ascii);
    let text = TextWatcher::new(stdout(), style, layout, reports);
    Box::new(Logged(text))
}
