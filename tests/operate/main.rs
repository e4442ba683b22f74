//! `yinsh-bot play` as its operator has it: one process, its log, its port, its settings, its reports.

#[path = "../common/server.rs"]
mod common;
mod lock;
mod logs;
mod port;
#[path = "../common/proxy/mod.rs"]
mod proxy;
mod records;
mod reload;
mod report;
mod rig;
mod secrets;
