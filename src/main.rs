//! The `yinsh-bot` program.

fn main() {}
