//! The adapter between a scripted editor and a scripted instance.

mod daemon;
mod editor;
mod handshake;
mod leaving;
mod load;
mod new;
mod permission;
mod prompt;
mod stream;

use daemon::Daemon;
use editor::Editor;
