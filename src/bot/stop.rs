//! Requests to stop: the first lets games end, the second does not wait for them.

use tokio::sync::watch;

/// Asks bots to stop. Clones ask the same bots.
#[derive(Clone, Debug)]
pub struct StopSender(watch::Sender<u32>);

/// Hears of requests to stop.
#[derive(Clone, Debug)]
pub struct StopReceiver {
    requests: watch::Receiver<u32>,
    seen: u32,
}

/// A sender and its first receiver.
pub fn stop_channel() -> (StopSender, StopReceiver) {
    let (sender, requests) = watch::channel(0);
    (StopSender(sender), StopReceiver { requests, seen: 0 })
}

impl StopSender {
    /// One more request.
    pub fn request(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    /// Passes on Ctrl-C and SIGTERM from now on.
    ///
    /// # Errors
    /// The system does not let the process listen to its signals.
    pub fn listen_to_signals(&self) -> std::io::Result<()> {
        let sender = self.clone();
        #[cfg(unix)]
        let mut terminate = {
            use tokio::signal::unix::{SignalKind, signal};
            signal(SignalKind::terminate())?
        };
        tokio::spawn(async move {
            loop {
                #[cfg(unix)]
                tokio::select! {
                    result = tokio::signal::ctrl_c() => if result.is_err() { return },
                    _ = terminate.recv() => {}
                }
                #[cfg(not(unix))]
                if tokio::signal::ctrl_c().await.is_err() {
                    return;
                }
                sender.request();
            }
        });
        Ok(())
    }
}

impl StopReceiver {
    /// Waits for the next request; each one is heard once. Never ends when nobody can ask any more.
    pub async fn next(&mut self) {
        let seen = self.seen;
        if self.requests.wait_for(|count| *count > seen).await.is_err() {
            std::future::pending::<()>().await;
        }
        self.seen += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_request_is_heard_once_by_every_receiver() {
        let (sender, mut one) = stop_channel();
        let mut two = one.clone();
        sender.request();
        sender.request();
        one.next().await;
        one.next().await;
        two.next().await;
        two.next().await;
        let third = tokio::time::timeout(std::time::Duration::from_millis(20), one.next());
        assert!(third.await.is_err());
    }
}
