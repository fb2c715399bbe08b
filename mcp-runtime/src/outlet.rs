//! Where finished frames go.

/// The way out of a connection, for whoever has a whole frame: the session, a call that ends later, a tool that reports
/// progress.
///
/// A frame is one message with its newline, or several. Sending never waits for the peer: what cannot be written at
/// once is kept, within the bound that the reader of the connection minds.
pub(crate) trait Outlet: Send + Sync + std::fmt::Debug {
    fn send(&self, frames: &[u8]);

    /// Sends what may be lost, unless too much waits for the peer already. Returns whether it did.
    fn offer(&self, frames: &[u8]) -> bool;
}

/// How many bytes of a frame fit into its buffer at first.
const FRAME_BYTES: usize = 1024;

/// A buffer for one frame.
///
/// Most frames fit, so nearly all buffers are of one size: an allocator that keeps what is freed for each thread and each
/// size would otherwise come to keep some of every size in every thread.
pub(crate) fn frame() -> Vec<u8> {
    Vec::with_capacity(FRAME_BYTES)
}
