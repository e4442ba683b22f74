//! A headless browser, and what the tests do with it.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// Whatever is waited for comes sooner, or the test fails.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_AGAIN: Duration = Duration::from_millis(25);
const STARTED: &str = "started successfully on port ";

/// A browser of its own, with cookies of its own; it ends with the test.
pub struct Browser {
    pub client: Client,
    /// The server whose pages it shows.
    base: String,
    log: String,
    driver: Child,
}

impl Drop for Browser {
    /// Ends the whole group: a driver that is killed leaves its browser behind.
    fn drop(&mut self) {
        let group = format!("-{}", self.driver.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// A browser for the pages of the server at `base`, with a window of this size.
    pub async fn open(base: &str, width: u32, height: u32) -> Self {
        let (driver, port) = start_driver();
        let url = format!("http://127.0.0.1:{port}");
        let mut client = ClientBuilder::new(HttpConnector::new());
        let client = client.capabilities(capabilities(width, height));
        let client = client.connect(&url).await.expect("a browser");
        let session = client.session_id().await.expect("a session");
        let session = session.expect("a session");
        Self {
            client,
            base: base.to_owned(),
            log: format!("{url}/session/{session}/se/log"),
            driver,
        }
    }

    /// Shows the page at `path`.
    pub async fn goto(&self, path: &str) {
        let url = format!("{}{path}", self.base);
        self.client.goto(&url).await.expect("the page");
    }

    /// The result of a script.
    pub async fn script(&self, script: &str) -> Value {
        let result = self.client.execute(script, Vec::new()).await;
        result.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script's expression is true.
    pub async fn until(&self, condition: &str) {
        let script = format!("return Boolean({condition})");
        let started = Instant::now();
        while self.script(&script).await != json!(true) {
            if started.elapsed() > PATIENCE {
                let text = self.script("return document.body.innerText").await;
                panic!("{condition} never came true on the page:\n{text}");
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// The element, once it is there.
    pub async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE).every(LOOK_AGAIN);
        let found = wait.for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub async fn click(&self, css: &str) {
        let clicked = self.find(css).await.click().await;
        clicked.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    pub async fn keys(&self, css: &str, text: &str) {
        let typed = self.find(css).await.send_keys(text).await;
        typed.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// What an element says.
    pub async fn text(&self, css: &str) -> String {
        let text = self.find(css).await.text().await;
        text.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// Waits until an element says this.
    pub async fn until_text(&self, css: &str, part: &str) {
        let condition = format!(
            "document.querySelector({})?.textContent.includes({})",
            json!(css),
            json!(part)
        );
        self.until(&condition).await;
    }

    /// Ends the browser's work: nothing went wrong in the console, and nothing was asked of another server.
    pub async fn close(self) {
        let errors = self.console_errors().await;
        assert!(errors.is_empty(), "{errors:?}");
        self.close_after_errors().await;
    }

    /// The same after a test in which requests had to fail.
    pub async fn close_after_errors(self) {
        for url in self.requested().await {
            assert!(url.starts_with(&self.base), "a request to {url}");
        }
        let closed = self.client.clone().close().await;
        closed.expect("the browser ends");
    }

    /// What the console says of errors since the last call.
    pub async fn console_errors(&self) -> Vec<String> {
        let entries = self.read_log("browser").await;
        let errors = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        errors.map(|entry| entry["message"].to_string()).collect()
    }

    /// Every address that the page asked for.
    async fn requested(&self) -> Vec<String> {
        let entries = self.read_log("performance").await;
        let messages = entries.iter().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            (message["method"] == "Network.requestWillBeSent").then(|| {
                message["params"]["request"]["url"]
                    .as_str()
                    .map(str::to_owned)
            })?
        });
        messages
            .filter(|url| !url.starts_with("data:") && !url.starts_with("chrome"))
            .collect()
    }

    /// Chromium's logs are no part of the standard, so no client of it knows them.
    async fn read_log(&self, kind: &str) -> Vec<Value> {
        let body = json!({ "type": kind }).to_string();
        let request = crate::common::http_client().post(&self.log).body(body);
        let answer = request.send().await.expect("an answer");
        let log: Value =
            serde_json::from_slice(&answer.bytes().await.expect("a log")).expect("JSON");
        log["value"].as_array().expect("entries").clone()
    }
}

fn capabilities(width: u32, height: u32) -> fantoccini::wd::Capabilities {
    let mut options = json!({
        "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            format!("--window-size={width},{height}")],
    });
    // A window is never as narrow as a telephone, so its screen is emulated.
    if width < 500 {
        options["mobileEmulation"] = json!({
            "deviceMetrics": { "width": width, "height": height, "pixelRatio": 2.0, "touch": true },
        });
    }
    let capabilities = json!({
        "goog:chromeOptions": options,
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    });
    capabilities.as_object().expect("an object").clone()
}

/// Starts chromedriver on a free port, and reads which. It takes the port of one address family and needs it in both,
/// so that among many it can fail; then another try helps.
fn start_driver() -> (Child, u16) {
    const TRIES: usize = 10;
    (0..TRIES)
        .find_map(|_| try_start_driver())
        .expect("chromedriver tells its port")
}

fn try_start_driver() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver starts; install Debian's chromium and chromium-driver");
    let stdout = driver.stdout.take().expect("its output");
    let mut lines = BufReader::new(stdout).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        line.split(STARTED)
            .nth(1)?
            .trim_end_matches('.')
            .parse()
            .ok()
    });
    let Some(port) = port else {
        // It has closed its output, so it is ending.
        driver.wait().expect("the end of chromedriver");
        return None;
    };
    // Its pipe must not fill up.
    std::thread::spawn(move || lines.for_each(drop));
    Some((driver, port))
}
