//! The server inside this process, with a house bot on it.

use std::sync::PoisonError;

use anyhow::Context;
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::watch::OpponentReports;
use crate::api::{Clock, ColorChoice, NewChallenge, PlayerId, VariantWord};
use crate::bot::{
    AccountConfig, Bot, ChallengeConfig, Event, Exit, HttpTransport, PlayConfig, ServerConfig,
    SessionSettings, StopSender, player_factory, stop_channel,
};
use crate::config::Config;
use crate::player::PlayerKind;
use crate::search::SearchParams;
use crate::server::{ServeConfig, Server};

/// More than two bots at any speed need.
const REQUESTS_PER_MINUTE: u32 = 100_000;
/// Memory of the house bot's tree, which few simulations fill.
const HOUSE_MEMORY_MB: u32 = 64;

/// A server, and a house bot that waits for a challenge.
pub(super) struct Embedded {
    server: Server,
    /// The token of the account that is not the house's.
    pub bot_token: SecretString,
    house: PlayerId,
    house_stop: StopSender,
    house_run: JoinHandle<Exit>,
    store: TempDir,
}

impl Embedded {
    /// Starts both; what the house's searches find goes into `reports`.
    ///
    /// # Errors
    /// No temporary folder, no free port on the loopback interface, or no usable TLS.
    pub(super) async fn start(config: &Config, reports: OpponentReports) -> anyhow::Result<Self> {
        let store = tempfile::tempdir().context("cannot make a folder for the server's store")?;
        let serve = ServeConfig {
            address: "127.0.0.1:0".to_owned(),
            store: store.path().join("store.sqlite").display().to_string(),
            requests_per_minute: REQUESTS_PER_MINUTE,
            ..ServeConfig::default()
        };
        let server = Server::start(&serve).await?;
        let bot = server.create_bot("yinsh-bot").await?;
        let house = server.create_bot("house").await?;
        let token = SecretString::from(house.token.token);
        let url = server_config(&server, config);
        let transport = HttpTransport::new(&url, &AccountConfig::default(), &token)?;
        let (house_stop, house_stopped) = stop_channel();
        let house_bot = house_bot(config, &url, transport);
        let mut watcher = move |event: &Event| {
            if let Event::Searched { ply, report, .. } = event {
                let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
                reports.insert(*ply, report.clone());
            }
        };
        let house_run = async move { house_bot.run(&mut watcher, house_stopped).await };
        Ok(Self {
            server,
            bot_token: SecretString::from(bot.token.token),
            house: house.id,
            house_stop,
            house_run: tokio::spawn(house_run),
            store,
        })
    }

    /// How to reach the server.
    pub(super) fn server_config(&self, config: &Config) -> ServerConfig {
        server_config(&self.server, config)
    }

    /// The challenge that the house bot accepts.
    pub(super) fn challenge(&self, config: &Config) -> NewChallenge {
        NewChallenge {
            to: self.house.clone(),
            variant: VariantWord::Standard,
            color: ColorChoice::Random,
            rated: false,
            clock: Clock {
                initial_ms: config.play.house_initial_s * 1000,
                increment_ms: config.play.house_increment_ms,
            },
        }
    }

    /// Ends the house bot, wherever its game stands, and the server.
    ///
    /// # Errors
    /// One of them had failed before.
    pub(super) async fn shutdown(self) -> anyhow::Result<()> {
        self.house_stop.request();
        self.house_stop.request();
        self.house_run.await.context("the house bot failed")?;
        self.server.shutdown().await?;
        self.store
            .close()
            .context("cannot remove the server's store")
    }
}

fn server_config(server: &Server, config: &Config) -> ServerConfig {
    ServerConfig {
        url: server.url(),
        ..config.server.clone()
    }
}

fn house_bot(config: &Config, server: &ServerConfig, transport: HttpTransport) -> Bot {
    let play = PlayConfig {
        games_max: 1,
        // Whoever plays against it wants to see the end.
        resign_below: 0.0,
        ponder: false,
        ..config.play.clone()
    };
    let params = SearchParams {
        memory_mb: config.search.memory_mb.min(HOUSE_MEMORY_MB),
        // Not the very choices of its opponent.
        seed: config.search.seed.wrapping_add(1),
        ..config.search.clone()
    };
    let kind = config.play.house_player;
    // The house plays at any speed.
    let challenges = ChallengeConfig {
        initial_min_s: 0,
        initial_max_s: u64::MAX,
        increment_max_s: u64::MAX,
        ..ChallengeConfig::default()
    };
    let settings = SessionSettings {
        play,
        server: server.clone(),
        challenges,
        time: config.time.clone(),
        threads: params.resolved_threads(),
        simulations: (kind == PlayerKind::Mcts).then_some(config.play.house_simulations),
        seed: rand::random(),
        ..SessionSettings::default()
    };
    Bot::new(transport, settings, player_factory(kind, &params, 1))
}
