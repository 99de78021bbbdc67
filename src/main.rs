//! The program `fountain`: chooses a side and hands over. The only file that knows both sides.

use std::process::ExitCode;

use fountain_cli::{LogFormat, Serve, Side};
use fountain_daemon::{fixture, log, sandbox, serve};

fn main() -> ExitCode {
    match fountain_cli::parse() {
        Side::Client(cli) => fountain_cli::run(cli),
        Side::Serve(flags) => serve::main(options(flags)),
        Side::Fixture => fixture::main(),
        Side::SandboxInit(arguments) => sandbox::init::main(arguments),
        Side::Done(code) => code,
    }
}

fn options(flags: Serve) -> serve::Options {
    serve::Options {
        listen: flags.listen,
        data_dir: flags.data_dir,
        config: flags.config,
        log_level: flags.log_level,
        log_format: match flags.log_format {
            LogFormat::Text => log::Format::Text,
            LogFormat::Json => log::Format::Json,
        },
        print_config: flags.print_config,
    }
}
