//! `yinsh-bot play`: the bot account.

use std::io::{IsTerminal, stdout};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use secrecy::SecretString;
use tokio::sync::mpsc::unbounded_channel;

use super::attendant::Attendant;
use super::embedded::Embedded;
use super::reload::Reload;
use super::style::Style;
use super::watch::{Layout, OpponentReports, TextWatcher};
use super::watch_json::JsonWatcher;
use super::watch_log::Logged;
use super::{ExitCode, GlobalArgs, print, runtime};
use crate::bot::{
    AccountConfig, Bot, Exit, HttpTransport, LockPlace, Monitor, MonitorPort, Records,
    ServerConfig, SessionSettings, Setup, StopReceiver, TOKEN_VARIABLE, Watcher, load_token,
    player_factory, stop_channel,
};
use crate::config::Config;
use crate::diagnostics::Redacting;
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
    /// After the game against the house bot, keep its server running until stopped
    #[arg(long)]
    stay: bool,
}

const DETAILS: &str = "\
The server is `url` in [server]. With \"embedded\", the default, a server is started inside this
process, and the bot plays one game there against a house bot, which can be watched in a browser at
the address that is printed. With --stay the server goes on after the game, so that you can look
through it and play against the house bot yourself. With another `url`, the bot plays as the
account whose token is in `token_file` of [account], in the environment variable YINSH_BOT_TOKEN or
in `token` of [account], until it is stopped.

The first Ctrl-C or SIGTERM takes back what is offered, accepts no new games and finishes the
running ones, up to `drain_s` in [play]; the second does not wait for them: `unfinished` in [play]
says whether they are left to their clocks or given up. SIGHUP reads the settings anew,
for games and challenges to come.

Examples:
  yinsh-bot play
  yinsh-bot play --stay
  yinsh-bot play --set play.house_player=greedy --set play.house_initial_s=10
  yinsh-bot play --set server.url=https://yinsh.example.org --set account.token_file=bot.token";

pub(super) fn run(args: &PlayArgs, global: &GlobalArgs) -> anyhow::Result<ExitCode> {
    let config = global.start_with_file()?.config;
    let exit = runtime()?.block_on(play(args, &config, global))?;
    match &exit {
        Exit::BadToken { detail } => {
            tracing::error!("the server does not accept the token: {detail}");
        }
        Exit::Locked { detail } => tracing::error!("{detail}"),
        Exit::RulesUnsupported { detail } => {
            tracing::error!("the server plays other rules: {detail}");
        }
        Exit::DrainTimeout => tracing::warn!("left with games still running"),
        Exit::Done | Exit::Drained | Exit::Aborted => {}
    }
    Ok(ExitCode::from(&exit))
}

async fn play(args: &PlayArgs, config: &Config, global: &GlobalArgs) -> anyhow::Result<Exit> {
    let (stop, stopped) = stop_channel();
    stop.listen_to_signals()
        .context("cannot listen to signals")?;
    let monitor = Monitor::new(&config.monitor, config.server.poll_wait_s);
    let _port = open_port(config, &monitor).await?;
    let stage = Stage {
        args,
        global,
        monitor: &monitor,
    };
    let _attendant = Attendant::start(monitor.clone(), &config.monitor, global.status_line.clone())
        .context("cannot look after the bot")?;
    if config.server.url == ServerConfig::EMBEDDED {
        return play_embedded(&stage, config, stopped).await;
    }
    let environment = std::env::var(TOKEN_VARIABLE).ok().map(SecretString::from);
    let token = load_token(&config.account, environment)?;
    global.redactor.add(&token);
    let transport = HttpTransport::new(&config.server, &config.account, &token)?;
    let (setups, new_setups) = unbounded_channel();
    let reload = Reload {
        global: global.clone(),
        config: config.clone(),
        setups,
        monitor: monitor.clone(),
        stop,
    };
    reload.listen().context("cannot listen to signals")?;
    let locks = LockPlace::new(config.account.lock_dir.as_deref(), &config.server.url);
    let bot = stage
        .bot(config, transport, setup(config, &config.server))
        .with_lock(locks)
        .with_setups(new_setups);
    let is_one_game = config.play.games_max == 1;
    let mut watcher = stage.watcher(is_one_game, OpponentReports::default());
    Ok(bot.run(watcher.as_mut(), stopped).await)
}

async fn play_embedded(
    stage: &Stage<'_>,
    config: &Config,
    mut stopped: StopReceiver,
) -> anyhow::Result<Exit> {
    let reports = OpponentReports::default();
    let embedded = Embedded::start(config, Arc::clone(&reports)).await?;
    let server = embedded.server_config(config);
    announce(stage.args, &format!("Watch at {}", server.url))?;
    stage.global.redactor.add(&embedded.bot_token);
    let transport = HttpTransport::new(&server, &AccountConfig::default(), &embedded.bot_token)?;
    let mut setup = setup(config, &server);
    setup.settings.play.games_max = 1;
    setup.settings.play.publish = true;
    setup.settings.opening = Some(embedded.challenge(config));
    setup.settings.leave_after = Some(1);
    let bot = stage.bot(config, transport, setup);
    let mut watcher = stage.watcher(true, reports);
    let exit = bot.run(watcher.as_mut(), stopped.clone()).await;
    if stage.args.stay && exit == Exit::Done {
        let farewell = "Look through the game and play against the house bot at";
        let text = format!("{farewell} {}; Ctrl-C ends it", server.url);
        announce(stage.args, &text)?;
        stopped.next().await;
    }
    embedded.shutdown().await?;
    Ok(exit)
}

/// Tells people something beside the events; with `--json`, where it is no event.
fn announce(args: &PlayArgs, text: &str) -> anyhow::Result<()> {
    if args.json {
        tracing::info!("{text}");
        return Ok(());
    }
    print(&format!("{text}\n"))?;
    Ok(())
}

/// What the settings make of an account on `server`.
pub(super) fn setup(config: &Config, server: &ServerConfig) -> Setup {
    let settings = SessionSettings {
        play: config.play.clone(),
        server: server.clone(),
        challenges: config.challenges.clone(),
        matchmaking: config.matchmaking.clone(),
        time: config.time.clone(),
        threads: config.search.resolved_threads(),
        seed: rand::random(),
        ..SessionSettings::default()
    };
    let players = player_factory(PlayerKind::Mcts, &config.search, settings.play.games_max);
    Setup { settings, players }
}

async fn open_port(config: &Config, monitor: &Monitor) -> anyhow::Result<Option<MonitorPort>> {
    if config.monitor.port == 0 {
        return Ok(None);
    }
    let port = MonitorPort::open(config.monitor.port, monitor.clone()).await?;
    tracing::info!(address = %port.address(), "figures are told at /healthz, /metrics and /games");
    Ok(Some(port))
}

/// Where a bot plays: who watches it, and how it is shown.
struct Stage<'a> {
    args: &'a PlayArgs,
    global: &'a GlobalArgs,
    monitor: &'a Monitor,
}

impl Stage<'_> {
    fn bot(&self, config: &Config, transport: HttpTransport, setup: Setup) -> Bot {
        let bot = Bot::new(transport, setup.settings, setup.players);
        match &config.play.records_dir {
            Some(dir) => {
                let server = self.global.redactor.redact(&config.server.url);
                bot.with_records(Records::new(dir.clone(), &server))
            }
            None => bot,
        }
    }

    /// Whoever writes the events to stdout; log and figures are told too.
    fn watcher(&self, is_one_game: bool, reports: OpponentReports) -> Box<dyn Watcher> {
        let out = self.global.status_line.above(stdout());
        let out = Redacting::new(out, self.global.redactor.clone());
        if self.args.json {
            return self.monitor.watching(Box::new(Logged(JsonWatcher(out))));
        }
        let layout = match (is_one_game, stdout().is_terminal()) {
            (true, true) => Layout::Boards,
            (true, false) => Layout::Lines,
            (false, _) => Layout::NamedLines,
        };
        let style = Style::of_stdout(self.args.ascii);
        let text = TextWatcher::new(out, style, layout, reports);
        self.monitor.watching(Box::new(Logged(text)))
    }
}
