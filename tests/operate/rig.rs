//! The real program in a folder of its own, playing on a server of the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use yinsh_bot::api::GameStatus;

use crate::common::{Client, TestServer, first_turn};

/// Nothing that a test waits for takes longer, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(60);
const TICK: Duration = Duration::from_millis(20);

/// A server with the bot's account and an opponent, and a folder to play in.
pub struct Stage {
    pub server: TestServer,
    pub folder: TempDir,
    /// The account that the program plays.
    pub bot: Client,
    pub opponent: Client,
}

impl Stage {
    pub async fn new() -> Self {
        let server = TestServer::start().await;
        let folder = TempDir::new().expect("a temporary folder");
        let bot = server.bot("ringmaster").await;
        let stage = Self {
            opponent: server.bot("sparring").await,
            bot,
            server,
            folder,
        };
        stage.write("bot.token", stage.token());
        restrict(&stage.path("bot.token"));
        stage
    }

    pub fn token(&self) -> &str {
        self.bot.token.as_deref().expect("a bot has one")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the file is written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Writes `config.toml`: what every test needs, and `more`.
    pub fn configure(&self, more: &str) {
        let (url, folder) = (self.server.server.url(), self.folder.path().display());
        // A key of TOML may stand only once, so `more` may have sections, and these keys come without one.
        let text = format!(
            "account.token_file = \"bot.token\"\naccount.lock_dir = \"{folder}\"\nserver.url = \"{url}\"\n\
             server.poll_wait_s = 1\nlog.file = \"bot.log\"\nsearch.threads = 1\nsearch.memory_mb = 16\n{more}\n"
        );
        self.write("config.toml", &text);
    }

    /// The program with `arguments`, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("YINSH_BOT_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts to play; what it says goes into files.
    pub fn play(&self) -> Running {
        let output = |name| fs::File::create(self.path(name)).expect("a file");
        let child = self
            .command(&["play"])
            .stdout(output("stdout"))
            .stderr(output("stderr"))
            .spawn()
            .expect("the program starts");
        Running { child }
    }

    /// Waits until the file `name` holds `text`.
    pub async fn wait_for(&self, name: &str, text: &str) {
        let seen = until(|| self.read(name).contains(text)).await;
        assert!(seen, "{text:?} is not in {name}:\n{}", self.read(name));
    }

    /// Begins a game in which the opponent has white, with so many seconds for each.
    pub async fn challenge(&self, seconds: u64) {
        let clock = serde_json::json!({"initial_ms": seconds * 1000, "increment_ms": 0});
        let challenge = serde_json::json!({
            "to": self.bot.id, "variant": "blitz", "color": "white", "rated": false, "clock": clock,
        });
        let answer = self.opponent.post("/challenges", challenge).await;
        assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    }

    /// The opponent's only running game.
    pub async fn game(&self) -> String {
        let mut found = None;
        let start = Instant::now();
        while found.is_none() && start.elapsed() < PATIENCE {
            let pending: yinsh_bot::api::Pending = self.opponent.get("/me/pending").await.json();
            found = pending.games.first().map(|game| game.id.to_string());
            tokio::time::sleep(TICK).await;
        }
        found.expect("a game begins")
    }

    /// Lets the opponent play the first legal turn each time, until the game has `plies` turns or is over.
    pub async fn play_on(&self, game: &str, plies: u16) {
        let mut moved = (0, Instant::now());
        loop {
            let state = self.opponent.game(game).await;
            if state.status == GameStatus::Finished || state.ply >= plies {
                return;
            }
            if state.ply > moved.0 {
                moved = (state.ply, Instant::now());
            }
            assert!(
                moved.1.elapsed() < PATIENCE,
                "the game stands still: {state:?}"
            );
            if state.ply.is_multiple_of(2) {
                let turn = first_turn(&state).to_string();
                self.opponent.play(game, state.ply, &turn).await;
            } else {
                tokio::time::sleep(TICK).await;
            }
        }
    }
}

/// The program at play, killed when it is dropped.
pub struct Running {
    child: Child,
}

impl Running {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL: nothing can be tidied up.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([&format!("-{name}"), &self.id().to_string()])
            .status();
        assert!(status.expect("kill runs").success());
    }

    /// Waits for its end.
    pub async fn end(&mut self) -> ExitStatus {
        let mut status = None;
        until(|| {
            status = self.child.try_wait().expect("its state");
            status.is_some()
        })
        .await;
        status.expect("the program ends")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `is_so`; tells whether it came to that.
pub async fn until(mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if is_so() {
            return true;
        }
        tokio::time::sleep(TICK).await;
    }
    false
}

/// Closes a file to everybody else, as a token's has to be.
fn restrict(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(path, mode).expect("the mode is set");
}
