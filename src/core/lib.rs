//! The rules and the words of Fountain.

pub mod acp;
pub mod api;
pub mod conversation;
pub mod credentials;
pub mod duration;
pub mod event;
pub mod id;
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
