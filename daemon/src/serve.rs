//! Serving until told to stop, and stopping in order: streams end, turns are stored as interrupted, agents end.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

use crate::app::App;
use crate::boot::{self, Booted, NotStarted};
use crate::http;
use crate::log;
use crate::sandbox;
use crate::sweep;

/// The longest a stop may take before the process ends all the same.
const STOP: Duration = Duration::from_secs(9);

/// What `fountain serve` was told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--listen`.
    pub listen: Option<SocketAddr>,
    /// `--data-dir`.
    pub data_dir: Option<PathBuf>,
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--log-level`: a level, or levels by module.
    pub log_level: Option<String>,
    /// `--log-format`.
    pub log_format: log::Format,
    /// `--print-config`: prints the effective configuration and serves nothing.
    pub print_config: bool,
}

/// Runs the daemon: `fountain serve`.
pub fn main(options: Options) -> ExitCode {
    let options = &options;
    // What this process creates is its owner's alone, from creation on.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |cores| cores.get().min(4)))
        .thread_keep_alive(Duration::from_secs(5))
        .max_blocking_threads(64)
        .enable_all()
        .build();
    let result = match runtime {
        Ok(runtime) => runtime.block_on(run(options)),
        Err(error) => Err(NotStarted {
            sentence: format!("the daemon cannot start its threads: {error}"),
            hint: None,
        }),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            for line in failed.sentence.lines() {
                let _ = writeln!(std::io::stderr(), "error: {line}");
            }
            if let Some(hint) = failed.hint {
                let _ = writeln!(std::io::stderr(), "hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), NotStarted> {
    let settings = boot::load(options)?;
    if options.print_config {
        // A reader that has gone wants no more of it.
        let _ = write!(std::io::stdout(), "{}", settings.print());
        return Ok(());
    }
    let level = options.log_level.as_deref().unwrap_or("info");
    log::start(level, options.log_format).map_err(|error| NotStarted {
        sentence: format!("--log-level: `{level}` is no level: {error}"),
        hint: Some("use error, warn, info, debug or trace, or levels by module: info,fountain_daemon::http=debug".into()),
    })?;
    if settings.allow_remote && !settings.listen.ip().is_loopback() {
        tracing::warn!(listen = %settings.listen, "other machines can reach this daemon: whoever has a key can run commands here, and the traffic is not encrypted");
    }
    let mut signals = Signals::new().map_err(|error| NotStarted {
        sentence: format!("signals: {error}"),
        hint: None,
    })?;
    let Booted {
        app,
        listener,
        address,
        lock,
    } = boot::boot(settings).await?;
    let server = start(&app, listener);
    announce(address);
    tracing::info!(%address, "listening");
    signals.wait(&app, options).await;
    tracing::info!("stopping");
    tokio::select! {
        () = stop(&app, server) => tracing::info!("stopped"),
        () = tokio::time::sleep(STOP) => tracing::warn!("the stop took too long; what is left is given up"),
        () = signals.again() => tracing::warn!("told to stop twice; what is left is given up"),
    }
    drop(lock);
    Ok(())
}

/// Begins to serve, and to sweep.
pub(crate) fn start(app: &App, listener: TcpListener) -> JoinHandle<io::Result<()>> {
    app.tasks.spawn(sweep::run(app.clone()));
    let listener = listener.tap_io(|stream| {
        // Without it a small frame waits for the acknowledgement of the one before.
        let _ = stream.set_nodelay(true);
    });
    let server = axum::serve(listener, http::router(app))
        .with_graceful_shutdown(app.stopping.clone().cancelled_owned());
    tokio::spawn(server.into_future())
}

/// Stops in order: streams end, turns are stored as they ended, agents end. What is slow is given up.
pub(crate) async fn stop(app: &App, server: JoinHandle<io::Result<()>>) {
    app.stopping.cancel();
    app.conversations.stop().await;
    // An agent that ended its own first process leaves others for this.
    let marker = format!("{}/", app.sandboxes_dir.display());
    let _ = tokio::task::spawn_blocking(move || sandbox::sweep(&marker)).await;
    let _ = tokio::time::timeout(Duration::from_secs(2), server).await;
    app.tasks.close();
    let _ = tokio::time::timeout(Duration::from_secs(2), app.tasks.wait()).await;
    app.store.close().await;
}

fn announce(address: SocketAddr) {
    let mut stdout = std::io::stdout();
    // Whoever started it may have closed stdout: it serves all the same.
    let _ = writeln!(stdout, "listening on http://{address}").and_then(|()| stdout.flush());
    #[cfg(target_os = "linux")]
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
}

struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }

    /// Until the first signal to stop; a hang-up reads the configuration again.
    async fn wait(&mut self, app: &App, options: &Options) {
        loop {
            tokio::select! {
                _ = self.term.recv() => return,
                _ = self.int.recv() => return,
                _ = self.hup.recv() => reload(app, options),
            }
        }
    }

    async fn again(&mut self) {
        tokio::select! {
            _ = self.term.recv() => {}
            _ = self.int.recv() => {}
        }
    }
}

/// Puts a changed configuration in force; what cannot change while it runs stays as it was.
fn reload(app: &App, options: &Options) {
    let mut fresh = match boot::load(options) {
        Ok(fresh) => fresh,
        Err(invalid) => {
            tracing::error!(%invalid, "the configuration was not read again; the one before stays");
            return;
        }
    };
    let now = app.settings();
    if fresh.listen != now.listen
        || fresh.data_dir != now.data_dir
        || fresh.sandbox.kind != now.sandbox.kind
    {
        tracing::warn!("`listen`, `data_dir` and `sandbox.kind` change with a restart only");
    }
    fresh.listen = now.listen;
    fresh.allow_remote = now.allow_remote;
    fresh.data_dir.clone_from(&now.data_dir);
    fresh.sandbox.kind = now.sandbox.kind;
    app.configure(fresh);
    tracing::info!("the configuration was read again");
}
