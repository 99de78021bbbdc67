//! Everything behind HTTP.
//!
//! A prompt comes in through `http`, goes to the one task that owns its conversation ([`conversations`]), which
//! lets the core decide, commits to the [`store`], and only then speaks to the agent ([`runtime`]) in its
//! [`sandbox`]. The store rings the [`bell`] after each commit; whoever streams reads the log again.
//!
//! What is deliberately absent: no state that is not in the store survives a conversation's task, no live channel
//! carries an event, nothing here decides what a policy means.

pub mod app;
pub mod bell;
pub mod boot;
pub mod clock;
pub mod conversations;
mod files;
pub mod fixture;
mod http;
pub mod log;
pub mod runtime;
pub mod sandbox;
pub mod secret;
pub mod serve;
pub mod store;
mod sweep;
#[cfg(test)]
mod tests;
