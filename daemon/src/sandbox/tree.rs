//! All processes below one, wherever they moved. A process is known by its number and its start time,
//! and signalled through a descriptor, so that a number that was given away again never hits a stranger.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(super) use linux::{Identity, Member, Tree, all, below, end, ended, prepare, read};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{Tree, prepare};
