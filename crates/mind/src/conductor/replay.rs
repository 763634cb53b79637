//! Decisions made again, offline.
