//! What the program tells about itself: its log, and bundles for reports of bugs. No secret gets into either.

mod bundle;
mod config;
mod log;
mod redact;
mod rotating;

pub use bundle::{Bundle, BundleError, Entry};
pub use config::{LogConfig, LogFormat, LogLevel};
pub use log::{LogFileError, start};
pub use redact::{Redacting, Redactor};
pub use rotating::older as older_log;
