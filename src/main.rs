//! The `yinsh-bot` program.

fn main() -> yinsh_bot::cli::ExitCode {
    yinsh_bot::cli::main()
}
