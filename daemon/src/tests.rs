//! Whole daemons in this process: a real store, real HTTP on loopback, real agents in real processes.

mod kit;
mod talking;
