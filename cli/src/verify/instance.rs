//! An instance of our own for one verification: in a folder of its own, on a free port, gone afterwards.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use fountain_core::credentials::Credentials;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::Target;
use crate::client::{self, Client};

/// How long a daemon has to start, and to stop.
const LIMIT: Duration = Duration::from_secs(15);

/// A private instance.
pub(crate) struct Private {
    folder: PathBuf,
    daemon: Child,
    /// Where it is, and its key.
    pub(crate) target: Target,
}

impl Private {
    /// Starts one that offers the fixture runtime to its owner.
    ///
    /// # Errors
    /// In words.
    pub(crate) async fn start() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("fountain-verify-{}", uuid::Uuid::new_v4()));
        DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let started = Self::start_in(&folder).await;
        if started.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        started
    }

    async fn start_in(folder: &Path) -> Result<Self, String> {
        // The owner is known once there is a database; the fixture is for this owner alone.
        let (daemon, target) = serve(folder).await?;
        let me = target.client.me().await.map_err(|error| error.to_string());
        stop(daemon).await?;
        let owner = me?.id;
        let config = format!("[fixture]\nenabled = true\nuser_id = \"{owner}\"\n");
        fs::write(folder.join("config.toml"), config).map_err(|error| error.to_string())?;
        let (daemon, target) = serve(folder).await?;
        Ok(Self {
            folder: folder.to_owned(),
            daemon,
            target,
        })
    }

    /// Stops it, and says what it left.
    ///
    /// # Errors
    /// When it did not stop in order, or something of it still runs.
    pub(crate) async fn stop(self) -> Result<(), String> {
        let stopped = stop(self.daemon).await;
        let left = processes(&self.folder);
        let removed = fs::remove_dir_all(&self.folder);
        stopped?;
        if !left.is_empty() {
            return Err(format!("processes are left: {left:?}"));
        }
        removed.map_err(|error| format!("{}: {error}", self.folder.display()))
    }
}

async fn serve(folder: &Path) -> Result<(Child, Target), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let config = folder.join("config.toml");
    if !config.exists() {
        fs::write(&config, "").map_err(|error| error.to_string())?;
    }
    let log = fs::File::create(folder.join("log")).map_err(|error| error.to_string())?;
    let credentials = folder.join("credentials");
    let mut daemon = Command::new(program)
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(folder.join("data"))
        .arg("--config")
        .arg(&config)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("HOME", folder)
        .env("FOUNTAIN_CREDENTIALS_FILE", &credentials)
        .env("FOUNTAIN_NO_KEYRING", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .kill_on_drop(true)
        // A terminal sends Ctrl-C to the whole group: the daemon has to outlive the removal of what is on it.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("the daemon could not be started: {error}"))?;
    let mut line = String::new();
    if let Some(stdout) = daemon.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let read = tokio::time::timeout(LIMIT, lines.read_line(&mut line)).await;
        read.map_err(|_| "the daemon did not start in time".to_owned())?
            .map_err(|error| error.to_string())?;
    }
    let Some(base_url) = line.trim().strip_prefix("listening on ") else {
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        return Err(format!("the daemon did not start:\n{log}"));
    };
    let text = fs::read_to_string(&credentials).map_err(|error| error.to_string())?;
    let parsed = Credentials::parse(&text).map_err(|error| error.to_string())?;
    let key = parsed
        .get(parsed.selected())
        .and_then(|profile| profile.api_key)
        .ok_or("the daemon saved no key")?;
    let client = Client::new(client::Settings {
        base_url: base_url.to_owned(),
        key: Some(key.expose().to_owned()),
        ..client::Settings::default()
    })
    .map_err(|error| error.to_string())?;
    Ok((daemon, Target { client, key }))
}

async fn stop(mut daemon: Child) -> Result<(), String> {
    let pid = daemon.id().and_then(|pid| i32::try_from(pid).ok());
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
    match tokio::time::timeout(LIMIT, daemon.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("the daemon ended with {status}")),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the daemon did not stop in time".to_owned()),
    }
}

/// The processes that have this folder in their environment, where the system tells.
fn processes(folder: &Path) -> Vec<String> {
    let wanted = folder.as_os_str().as_encoded_bytes();
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    all.flatten()
        .filter(|entry| {
            fs::read(entry.path().join("environ"))
                .is_ok_and(|environment| memchr::memmem::find(&environment, wanted).is_some())
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
