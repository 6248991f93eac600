//! The `jungletb` program: arguments in, exit code out.

mod cli;

#[global_allocator]
static ALLOCATOR: cli::Allocator = cli::Allocator;

fn main() -> std::process::ExitCode {
    cli::run()
}
