//! The lock of the hand-over: that of the standard library, or of `loom` for the models.

#[cfg(not(all(test, loom)))]
pub(super) use std::sync::{Mutex, MutexGuard};

#[cfg(all(test, loom))]
pub(super) use loom::sync::{Mutex, MutexGuard};
