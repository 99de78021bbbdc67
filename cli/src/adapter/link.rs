//! The way to the instance: made at the first method that needs it, and anew when it turned out not to work.

use std::sync::atomic::{AtomicBool, Ordering};

use fountain_core::rpc::{Error, code};
use futures_util::future::BoxFuture;
use tokio::sync::Mutex;

use super::refusal;
use crate::client::{self, Client};

/// What is known about the instance without asking it, and without the keyring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    /// Its address.
    pub base_url: String,
    /// The profile.
    pub profile: String,
    /// Where the key comes from (`FOUNTAIN_API_KEY`, the file, the keyring); none when there is none.
    pub key_source: Option<String>,
}

/// Why there is no way to the instance, in a sentence that says what to do.
#[derive(Clone, Debug)]
pub(crate) struct NoWay {
    /// Whether a login would help.
    pub needs_login: bool,
    /// The sentence.
    pub sentence: String,
}

/// What the adapter is given to find its instance.
pub(crate) trait Connect: Send + Sync + 'static {
    /// What is known now. Called for `initialize`, so it must not wait for anything.
    fn instance(&self) -> Instance;

    /// A client with its key. It may read the keyring, and start a local instance where that is allowed.
    fn connect(&self) -> BoxFuture<'_, Result<Client, NoWay>>;
}

/// The client, once there is one.
pub(super) struct Link {
    connect: Box<dyn Connect>,
    client: Mutex<Option<Client>>,
    connecting: AtomicBool,
}

impl Link {
    pub(super) fn new(connect: Box<dyn Connect>) -> Self {
        Self {
            connect,
            client: Mutex::default(),
            connecting: AtomicBool::new(false),
        }
    }

    pub(super) fn instance(&self) -> Instance {
        self.connect.instance()
    }

    /// Whether it is being made right now.
    pub(super) fn is_connecting(&self) -> bool {
        self.connecting.load(Ordering::Relaxed)
    }

    /// The client.
    pub(super) async fn client(&self) -> Result<Client, Error> {
        let mut client = self.client.lock().await;
        if let Some(client) = &*client {
            return Ok(client.clone());
        }
        self.connecting.store(true, Ordering::Relaxed);
        let made = self.connect.connect().await;
        self.connecting.store(false, Ordering::Relaxed);
        let made = made.map_err(|no_way| {
            let code = if no_way.needs_login {
                code::AUTH_REQUIRED
            } else {
                code::INTERNAL
            };
            Error::new(code, no_way.sentence)
        })?;
        *client = Some(made.clone());
        Ok(made)
    }

    /// The next call looks for credentials and an instance again.
    pub(super) async fn forget(&self) {
        *self.client.lock().await = None;
    }

    /// What a failed call is told as; one that the credentials or the instance are to blame for is also the
    /// last one over this client.
    pub(super) async fn failed(&self, what: &str, error: &client::Error) -> Error {
        if matches!(
            error,
            client::Error::Rejected { .. } | client::Error::Unreachable { .. }
        ) {
            self.forget().await;
        }
        refusal::call(what, error)
    }
}
