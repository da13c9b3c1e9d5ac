//! Syncs: starting and ending them, what workers report of them, what becomes of those that stall.
