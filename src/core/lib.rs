//! The rules and the words of Fountain.
//!
//! **Words.** An *agent* is a runtime with its settings and its policy. A *conversation* runs on one agent, in one
//! *sandbox*; it is also the ACP session an editor sees. A *turn* is one prompt and everything until its ending. A
//! *policy* says what happens before a tool runs: a *verdict* a key. A *request* is what waits for a person. An
//! *event* is one entry of a conversation's log, and the log is the stream.
//!
//! **Invariants.** Nothing here does IO, reads a clock, or waits: time is an argument and effects are data, so every
//! rule is a function with a table of tests. A refused input changes nothing. A request is settled exactly once. No
//! layer of policy can loosen another. An option is picked from what the agent offered, never made up. What the store
//! takes has been redacted: only [`redact`] makes such a value.
//!
//! **Reading order.** [`turn`], [`policy`], [`request`], [`outcome`], [`conversation`], [`recover`]; then the words:
//! [`event`], [`rpc`], [`acp`], [`api`], [`settings`].

pub mod acp;
pub mod api;
pub mod card;
pub mod conversation;
pub mod credentials;
pub mod credits;
pub mod duration;
pub mod event;
pub mod id;
pub mod object;
pub mod outcome;
pub mod policy;
pub mod recover;
pub mod redact;
pub mod request;
pub mod rpc;
pub mod settings;
pub mod time;
pub mod title;
pub mod turn;
pub mod twice;
