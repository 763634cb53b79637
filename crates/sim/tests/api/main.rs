//! Tests of the scripted Messages API: over plain HTTP, and with the real `claude`.

mod client;
mod faults;
mod real;
mod script;
mod shape;
