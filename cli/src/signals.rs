//! Ctrl-C and its relatives as events of a command that waits.

use std::process;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::failure::{Failure, Kind};

/// What the process was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// `kill`.
    Terminate,
}

impl Signal {
    /// How a command ends that ends with it.
    pub(crate) fn failure(self) -> Failure {
        Failure::silent(match self {
            Self::Interrupt => Kind::Interrupted,
            Self::Terminate => Kind::Terminated,
        })
    }
}

/// A second Ctrl-C that nobody takes within this time ends the process: what it writes to is stuck.
const STUCK: Duration = Duration::from_millis(500);

/// The signals of this process, from now on.
pub(crate) struct Signals {
    come: mpsc::UnboundedReceiver<Signal>,
    /// Tells the listener that a signal was taken.
    taken: mpsc::UnboundedSender<()>,
    /// One that came too early for what takes it.
    kept: Option<Signal>,
}

impl Signals {
    /// Takes the signals over from the system, which would end the process.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let failed = |error| Failure::failed(format!("cannot listen for signals: {error}"));
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let (send, come) = mpsc::unbounded_channel();
        let (taken, mut took) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut waiting = 0_u32;
            loop {
                let stuck = async {
                    match waiting {
                        0 => std::future::pending().await,
                        _ => tokio::time::sleep(STUCK).await,
                    }
                };
                let told = tokio::select! {
                    biased;
                    took = took.recv() => match took {
                        Some(()) => { waiting = waiting.saturating_sub(1); continue }
                        None => return,
                    },
                    Some(()) = interrupt.recv() => Signal::Interrupt,
                    Some(()) = terminate.recv() => Signal::Terminate,
                    () = stuck, if waiting > 1 => process::exit(Kind::Interrupted.code().into()),
                };
                waiting += 1;
                if send.send(told).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            come,
            taken,
            kept: None,
        })
    }

    /// Those a test sends.
    #[cfg(test)]
    pub(crate) fn scripted() -> (mpsc::UnboundedSender<Signal>, Self) {
        let (send, come) = mpsc::unbounded_channel();
        (
            send,
            Self {
                come,
                taken: mpsc::unbounded_channel().0,
                kept: None,
            },
        )
    }

    /// None at all.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self::scripted().1
    }

    /// Keeps a signal for whoever comes next.
    pub(crate) fn put_back(&mut self, signal: Signal) {
        self.kept = Some(signal);
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> Signal {
        if let Some(signal) = self.kept.take() {
            return signal;
        }
        match self.come.recv().await {
            Some(signal) => {
                let _ = self.taken.send(());
                signal
            }
            // The listener is gone with its runtime, and so is this.
            None => std::future::pending().await,
        }
    }
}
