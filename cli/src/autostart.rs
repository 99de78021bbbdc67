//! Starts `fountain serve` in the background for the first command a person types.
//!
//! Clients that come at the same time agree through a lock on the log: one starts, the others wait for it.
//! Whoever starts a daemon beside another one anyway is told by the daemon's own lock.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::client::{self, Client};
use crate::credentials::file;
use crate::environment::Environment;
use crate::failure::{Failure, Kind};
use crate::local::Local;

/// How long a daemon has until it answers.
const LIMIT: Duration = Duration::from_secs(15);
/// How long something that listens has to answer like a Fountain, when it is not known to be one that starts.
const PATIENCE: Duration = Duration::from_secs(2);
/// A daemon that ended may have ended because another one is starting: so long that one is waited for.
const OTHER: Duration = Duration::from_secs(1);
/// How much of the log is shown when the daemon did not start.
const LAST_LINES: usize = 12;
/// A log that is longer is put aside.
const LOG_LIMIT: u64 = 8 * 1024 * 1024;

/// Who is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// Nobody listens.
    Nobody,
    /// A Fountain, whosever it is.
    Fountain,
    /// Something that is none.
    Other,
}

/// Looks who is at an address. One of this environment that is just starting, or just ending, is waited for.
pub(crate) async fn look(address: SocketAddr, local: &Local) -> Result<There, Failure> {
    let client = Client::new(client::Settings {
        base_url: format!("http://{address}"),
        ..client::Settings::default()
    })?;
    let began = Instant::now();
    loop {
        if !listens(address) {
            return Ok(There::Nobody);
        }
        match tokio::time::timeout(PATIENCE, client.health()).await {
            Ok(Ok(())) => return Ok(There::Fountain),
            Ok(Err(client::Error::Unreachable { .. })) | Err(_) => {}
            Ok(Err(_)) => return Ok(There::Other),
        }
        let patience = if local.is_held() { LIMIT } else { PATIENCE };
        if began.elapsed() >= patience {
            return Ok(There::Other);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether anybody listens there.
pub(crate) fn listens(address: SocketAddr) -> bool {
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
}

/// What to do where something else is at the address that the daemon would have.
pub(crate) fn taken(address: SocketAddr) -> Failure {
    Failure::new(
        Kind::Unreachable,
        format!("something else listens at {address}: it is no Fountain"),
    )
    .hint(elsewhere(address))
}

/// The hint for an address that somebody else has.
pub(crate) fn elsewhere(address: SocketAddr) -> String {
    let mut free = address;
    free.set_port(address.port().checked_add(1).unwrap_or(4790));
    format!("set FOUNTAIN_LISTEN to a free address, such as {free}, and a daemon starts there")
}

/// What is started, and how.
pub(crate) struct Start {
    program: PathBuf,
    data_dir: PathBuf,
    /// Paths that are taken from where the person stands, not from where the daemon does.
    paths: Vec<(&'static str, PathBuf)>,
    /// Where it is told to listen; else it decides by itself.
    listen: Option<SocketAddr>,
    limit: Duration,
}

impl Start {
    /// This very program as a daemon.
    ///
    /// # Errors
    /// When it is not known where it is, or where its data would go.
    pub(crate) fn new(
        environment: &Environment,
        local: &Local,
        listen: Option<SocketAddr>,
    ) -> Result<Self, Failure> {
        let program = std::env::current_exe().map_err(|error| {
            Failure::failed(format!(
                "cannot start a daemon: this program is not found: {error}"
            ))
        })?;
        let data_dir = local.data_dir.clone().ok_or_else(|| {
            Failure::failed("cannot start a daemon: no place for its data is known")
                .hint("set HOME, or FOUNTAIN_DATA_DIR")
        })?;
        let paths = [
            "FOUNTAIN_DATA_DIR",
            "FOUNTAIN_CONFIG",
            "FOUNTAIN_CREDENTIALS_FILE",
        ];
        let paths = paths
            .into_iter()
            .filter_map(|name| Some((name, std::path::absolute(environment.get(name)?).ok()?)));
        Ok(Self {
            program,
            data_dir,
            paths: paths.collect(),
            listen,
            limit: LIMIT,
        })
    }

    fn log(&self) -> PathBuf {
        self.data_dir.join("serve.log")
    }

    /// Starts the daemon in a session of its own: it asks for that itself, as its first act.
    fn spawn(&self, log: &File) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(["serve", crate::BACKGROUND])
            .args(self.listen.map(|address| format!("--listen={address}")))
            .current_dir(&self.data_dir)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log.try_clone()?);
        // What belongs to this one command is no setting of the daemon.
        for name in [
            "FOUNTAIN_API_KEY",
            "FOUNTAIN_TOKEN",
            "FOUNTAIN_BASE_URL",
            "FOUNTAIN_CONVERSATION_ID",
        ] {
            command.env_remove(name);
        }
        command.envs(self.paths.iter().map(|(name, path)| (name, path)));
        command.spawn()
    }
}

/// Starts the daemon and waits until an instance answers at `instance()`, which gives nothing as long as the address
/// is not known. `say` is given the one line that tells it.
///
/// # Errors
/// When the daemon ends or does not answer in time; with its reason, or the last lines of its log.
pub(crate) async fn ensure(
    start: &Start,
    instance: &(dyn Fn() -> Option<String> + Sync),
    say: &(dyn Fn(&str) + Sync),
) -> Result<(), Failure> {
    let log = open_log(start)?;
    let from = log.metadata().map_or(0, |meta| meta.len());
    let lock = open(&start.log()).map_err(|error| cannot(&start.log(), &error))?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(5);
    let mut child: Option<Child> = None;
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut probe = (String::new(), None);
    loop {
        if let Some(base_url) = instance()
            && probe.0 != base_url
        {
            probe = (
                base_url.clone(),
                Some(Client::new(client::Settings {
                    base_url,
                    ..client::Settings::default()
                })?),
            );
        }
        if let Some(client) = &probe.1
            && let Ok(Ok(())) = tokio::time::timeout(PATIENCE, client.health()).await
        {
            return Ok(());
        }
        if child.is_none() && lock.try_lock().is_ok() {
            say(&format!(
                "starting the Fountain daemon in the background, its log is {}",
                start.log().display()
            ));
            child = Some(
                start
                    .spawn(&log)
                    .map_err(|error| cannot(&start.program, &error))?,
            );
        }
        if let Some(child) = &mut child
            && ended.is_none()
            && let Ok(Some(status)) = child.try_wait()
        {
            ended = Some((status, Instant::now()));
        }
        match ended {
            Some((status, at)) if at.elapsed() > OTHER => {
                return Err(not_started(start, from, &format!("it ended with {status}")));
            }
            _ if began.elapsed() > start.limit => {
                let limit = start.limit.as_secs();
                return Err(not_started(
                    start,
                    from,
                    &format!("it does not answer after {limit} s"),
                ));
            }
            _ => {}
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(100));
    }
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Kind::Unreachable, format!("cannot start a daemon: {}: {error}", path.display()))
        .hint("`fountain serve` in another terminal starts one; FOUNTAIN_DATA_DIR names another place for its data")
}

fn not_started(start: &Start, from: u64, why: &str) -> Failure {
    let lines = last_lines(&start.log(), from);
    let told = |label: &str| lines.iter().rev().find_map(|line| line.strip_prefix(label));
    let log = start.log();
    let log = log.display();
    let failure = |message: String| Failure::new(Kind::Unreachable, message);
    let Some(reason) = told("error: ") else {
        let mut message = format!("the daemon did not start: {why}");
        for line in &lines {
            message.push('\n');
            message.push_str(line);
        }
        return failure(message).hint(format!(
            "its log is {log}; `fountain serve` runs it in this terminal"
        ));
    };
    let failed = failure(format!("the daemon did not start: {reason}"));
    // What it advises is meant for whoever starts it by hand.
    let busy = reason
        .strip_prefix("cannot listen on ")
        .filter(|rest| rest.contains("in use"))
        .and_then(|rest| rest.split(": ").next()?.parse().ok());
    let failed = match (busy, told("hint: ")) {
        (Some(address), _) => failed.hint(elsewhere(address)),
        (None, Some(hint)) => failed.hint(hint),
        (None, None) => failed,
    };
    failed.hint(format!("its log is {log}"))
}

/// The end of what was written to the log since this start.
fn last_lines(log: &Path, from: u64) -> Vec<String> {
    let read = || -> io::Result<String> {
        let mut file = File::open(log)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(from.max(end.saturating_sub(8 * 1024))))?;
        let mut bytes = Vec::new();
        file.take(8 * 1024).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(LAST_LINES)..]
        .iter()
        .map(|line| (*line).to_owned())
        .collect()
}

fn open_log(start: &Start) -> Result<File, Failure> {
    file::make_dir(&start.data_dir).map_err(|error| cannot(&start.data_dir, &error))?;
    let path = start.log();
    if path.metadata().is_ok_and(|meta| meta.len() > LOG_LIMIT) {
        // Two clients may both try: then the second finds nothing to put aside.
        let _ = std::fs::rename(&path, path.with_extension("log.1"));
    }
    let log = open(&path).map_err(|error| cannot(&path, &error))?;
    log.set_permissions(Permissions::from_mode(0o600))
        .map_err(|error| cannot(&path, &error))?;
    Ok(log)
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .read(true)
        .mode(0o600)
        .open(path)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::Mutex;

    use super::*;
    use crate::client::fake::{Fake, Reply};

    struct Home {
        dir: tempfile::TempDir,
    }

    impl Home {
        fn new() -> Self {
            Self {
                dir: tempfile::tempdir().unwrap(),
            }
        }

        /// A start of a program that is this shell script, at an address where nobody listens.
        fn start(&self, script: &str) -> Start {
            let program = self.dir.path().join("program");
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&program, Permissions::from_mode(0o700)).unwrap();
            Start {
                program,
                data_dir: self.dir.path().join("data"),
                paths: vec![("FOUNTAIN_CONFIG", "/abs/config.toml".into())],
                listen: None,
                limit: Duration::from_secs(20),
            }
        }
    }

    fn free_address() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
    }

    fn nowhere() -> Option<String> {
        Some(format!("http://{}", free_address()))
    }

    /// Who is at the address of a server with this answer to everything.
    async fn there(status: u16, body: serde_json::Value) -> There {
        let fake = Fake::start(move |_| Reply::Json(status, body.clone())).await;
        let address = fake.base.strip_prefix("http://").unwrap().parse().unwrap();
        look(address, &Local::default()).await.unwrap()
    }

    #[tokio::test]
    async fn a_fountain_is_known_by_its_health() {
        let health = serde_json::json!({"status": "ok", "version": "0.1.0"});
        assert_eq!(there(200, health).await, There::Fountain);
        for (status, body) in [
            (404, serde_json::json!("<html>")),
            (200, serde_json::json!({"status": "UP"})),
            (200, serde_json::json!([])),
        ] {
            assert_eq!(there(status, body.clone()).await, There::Other, "{body}");
        }
        let look = async |address| look(address, &Local::default()).await.unwrap();
        assert_eq!(look(free_address()).await, There::Nobody);
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        assert_eq!(look(silent.local_addr().unwrap()).await, There::Other);
    }

    #[tokio::test]
    async fn a_daemon_that_ends_is_told_with_its_last_words() {
        let home = Home::new();
        let start =
            home.start("echo \"$@ $FOUNTAIN_CONFIG\"; echo 'the port is in use' >&2; exit 3");
        let failure = ensure(&start, &nowhere, &|_| {}).await.unwrap_err();
        assert_eq!(failure.kind.code(), 6);
        assert!(failure.message.contains("exit status: 3"), "{failure}");
        assert!(
            failure
                .message
                .ends_with("\nserve --background /abs/config.toml\nthe port is in use"),
            "{failure}"
        );
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&start.log()), mode(&start.data_dir)), (0o600, 0o700));
    }

    #[tokio::test]
    async fn a_daemon_that_says_why_is_heard() {
        for (log, says, hint) in [
            (
                "error: cannot listen on 127.0.0.1:5817: Address already in use (os error 98)\nhint: stop it",
                "cannot listen on 127.0.0.1:5817",
                "set FOUNTAIN_LISTEN to a free address, such as 127.0.0.1:5818, and a daemon starts there",
            ),
            (
                "error: the disk is full\nhint: empty it",
                "the disk is full",
                "empty it",
            ),
        ] {
            let home = Home::new();
            let start = Start {
                listen: Some("127.0.0.1:5817".parse().unwrap()),
                ..home.start(&format!("echo \"$@\" > args; printf '{log}\n' >&2; exit 1"))
            };
            let failure = ensure(&start, &nowhere, &|_| {}).await.unwrap_err();
            assert!(
                failure
                    .message
                    .starts_with(&format!("the daemon did not start: {says}")),
                "{failure}"
            );
            assert_eq!((failure.kind.code(), failure.hints[0].as_str()), (6, hint));
            let args = std::fs::read_to_string(start.data_dir.join("args")).unwrap();
            assert_eq!(args, "serve --background --listen=127.0.0.1:5817\n");
        }
    }

    #[tokio::test]
    async fn two_clients_start_one_daemon() {
        let home = Home::new();
        let health = serde_json::json!({"status": "ok", "version": "0.1.0"});
        let fake = Fake::start(move |_| Reply::Json(200, health.clone())).await;
        let base = fake.base.clone();
        let started = home.dir.path().join("started");
        let start = home.start(&format!("echo x >> {}; exec sleep 5", started.display()));
        // The instance answers once the program has run.
        let instance = || started.exists().then(|| base.clone());
        let said = Mutex::new(0);
        let say = |_: &str| *said.lock().unwrap() += 1;
        let (one, two) = tokio::join!(
            ensure(&start, &instance, &say),
            ensure(&start, &instance, &say)
        );
        one.unwrap();
        two.unwrap();
        assert_eq!(
            (
                *said.lock().unwrap(),
                std::fs::read_to_string(&started).unwrap().as_str()
            ),
            (1, "x\n")
        );
    }

    #[tokio::test]
    async fn a_daemon_that_never_answers_is_given_up() {
        let home = Home::new();
        let start = Start {
            limit: Duration::from_millis(300),
            ..home.start("echo still here; exec sleep 3")
        };
        let failure = ensure(&start, &nowhere, &|_| {}).await.unwrap_err();
        assert!(failure.message.contains("does not answer"), "{failure}");
    }

    #[tokio::test]
    async fn a_program_that_cannot_run_is_told() {
        let home = Home::new();
        let start = Start {
            program: "/nowhere/fountain".into(),
            ..home.start("")
        };
        let failure = ensure(&start, &nowhere, &|_| {}).await.unwrap_err();
        assert!(failure.message.contains("/nowhere/fountain"), "{failure}");
    }
}
