//! Ctrl-C and SIGTERM during a match.

use std::thread;
use std::time::{Duration, Instant};

use super::ExitCode;
use crate::search::StopFlag;

/// Requests that follow so soon are the same one: some programs signal a process and then its whole group.
const ECHO: Duration = Duration::from_millis(500);

/// Sets `stop` at the first request to stop, and ends the program at the second.
///
/// # Errors
/// The system does not let the process listen to its signals.
pub(in crate::cli) fn listen(stop: &StopFlag) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let stop = stop.clone();
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        let _inside = runtime.enter();
        signal(SignalKind::terminate())?
    };
    thread::spawn(move || {
        runtime.block_on(async move {
            let mut first: Option<Instant> = None;
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
                match first {
                    None => first = Some(Instant::now()),
                    Some(first) if first.elapsed() < ECHO => {}
                    Some(_) => std::process::exit(ExitCode::Aborted as i32),
                }
                stop.stop();
            }
        });
    });
    Ok(())
}
