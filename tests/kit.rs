//! What the tests are made of. Everything here cleans up after itself, and its end is part of each test: a daemon
//! that died, a panic in its log or a process that was left behind fails the test that caused it.

mod command;
mod cutter;
mod daemon;
mod editor;
mod home;
mod http;
mod processes;
mod random;
mod skip;
mod stream;
mod terminal;
mod until;

pub(crate) use command::{Done, Running};
pub(crate) use cutter::{Cut, Cutter};
pub(crate) use daemon::Daemon;
pub(crate) use editor::{Answer, Editor};
pub(crate) use home::{Home, PROGRAM};
pub(crate) use http::{Http, agent};
pub(crate) use processes::Process;
pub(crate) use random::random;
pub(crate) use skip::skip;
pub(crate) use stream::Frame;
pub(crate) use terminal::Terminal;
pub(crate) use until::{PATIENCE, until};
