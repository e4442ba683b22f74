//! The server's page in a real browser: headless Chromium, driven through chromedriver.
//!
//! These tests are ignored by a plain `cargo test`, for they need Debian's packages `chromium` and `chromium-driver`, and
//! the script of axe-core at the path in `AXE_CORE`; `.ci/run` installs all three.

#[path = "../common/server.rs"]
mod common;

mod access;
mod driver;
mod people;
mod person;
mod prepared;
mod watching;
