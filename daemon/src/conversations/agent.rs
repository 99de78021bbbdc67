//! Whether the runtime of a conversation sleeps, is being started, or is there.

use tokio::sync::{mpsc, oneshot};

use super::opening::{NotOpened, Opened};
use crate::app::App;
use crate::runtime::link::{FromAgent, Link};

/// The runtime, as its conversation sees it.
pub(super) enum Agent {
    /// No process.
    Asleep,
    /// A task starts it.
    Opening {
        /// The task; aborting it ends whatever it started.
        task: tokio::task::JoinHandle<()>,
        /// What comes of it.
        result: oneshot::Receiver<Result<Opened, NotOpened>>,
    },
    /// It runs and takes prompts.
    Awake {
        /// The connection.
        link: Link,
        /// What it says.
        batches: mpsc::Receiver<Vec<FromAgent>>,
        /// Whether prompts may carry images.
        images: bool,
    },
}

/// What happened to a runtime.
pub(super) enum Said {
    /// It was started, or could not be.
    Opened(Result<Opened, NotOpened>),
    /// It wrote these.
    Batch(Vec<FromAgent>),
}

impl Agent {
    pub(super) fn is_asleep(&self) -> bool {
        matches!(self, Self::Asleep)
    }

    pub(super) fn link(&self) -> Option<&Link> {
        match self {
            Self::Awake { link, .. } => Some(link),
            _ => None,
        }
    }

    /// Resolves with what happens to it next; never while it sleeps, nor, once it is there, while it is not `heard`.
    pub(super) async fn next(&mut self, heard: bool) -> Said {
        match self {
            Self::Opening { result, .. } => {
                let given_up = || NotOpened {
                    reason: "the start was given up".into(),
                    code: None,
                };
                let opened = result.await.unwrap_or_else(|_| Err(given_up()));
                *self = Self::Asleep;
                Said::Opened(opened)
            }
            Self::Awake { batches, .. } if heard => match batches.recv().await {
                Some(batch) => Said::Batch(batch),
                None => {
                    *self = Self::Asleep;
                    Said::Batch(Vec::new())
                }
            },
            Self::Asleep | Self::Awake { .. } => std::future::pending().await,
        }
    }

    /// Lets go of it. What is left of its output is read to its end and dropped, so that it can end politely.
    pub(super) fn leave(&mut self, app: &App) {
        match std::mem::replace(self, Self::Asleep) {
            Self::Asleep => {}
            Self::Opening { task, .. } => task.abort(),
            Self::Awake {
                link, mut batches, ..
            } => {
                app.tasks.spawn(async move {
                    while batches.recv().await.is_some() {}
                    drop(link);
                });
            }
        }
    }
}
