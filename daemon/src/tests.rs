//! Whole daemons in this process: a real store, real HTTP on loopback, real agents in real processes.

mod agents;
mod answers;
mod ceilings;
mod deaths;
mod door;
mod events;
mod interrupts;
mod keys;
mod kit;
mod policies;
mod prompts;
mod races;
mod restarts;
mod routes;
mod streams;
mod talking;
mod trail;
mod verdicts;
