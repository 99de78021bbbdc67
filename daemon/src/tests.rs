//! Whole daemons in this process: a real store, real HTTP on loopback, real agents in real processes.

mod agents;
mod door;
mod events;
mod keys;
mod kit;
mod policies;
mod prompts;
mod routes;
mod streams;
mod talking;
