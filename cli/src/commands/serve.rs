//! The flags of `fountain serve`. The daemon's side makes settings of them.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::ValueEnum;
use fountain_core::settings;

/// Run an instance: the daemon
///
/// The first start makes everything it needs, and saves the owner's key as a profile. There is one daemon for
/// one data directory. It is ready when `GET /health` answers; SIGTERM and SIGINT stop it in order, SIGHUP reads
/// its configuration again.
///
/// Example: fountain serve --data-dir ~/fountain --log-level debug
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Serve {
    /// The address to listen on (FOUNTAIN_LISTEN) [default: 127.0.0.1:4780]
    #[arg(long, value_name = "ADDR", value_parser = settings::address)]
    pub listen: Option<SocketAddr>,
    /// Where the database, the sandboxes and the log are (FOUNTAIN_DATA_DIR)
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// The configuration file (FOUNTAIN_CONFIG)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// error, warn, info, debug or trace, or levels by module
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    /// How the log is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub log_format: LogFormat,
    /// Print the effective configuration, secrets masked, and end
    #[arg(long)]
    pub print_config: bool,
    /// Whether it was started in the background and has a session of its own already.
    #[arg(skip)]
    pub background: bool,
}

/// How the daemon's log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}
