//! Where finished frames go.

use std::time::Duration;

/// The way out of a connection, for whoever has a whole frame: the session, a call that ends later, a tool that reports
/// progress.
///
/// A frame is one message with its newline, or several. Sending never waits for the peer: what cannot be written at
/// once is kept, within the bound that the reader of the connection minds.
pub(crate) trait Outlet: Send + Sync {
    fn send(&self, frames: &[u8]);

    /// Sends what may be lost, unless too much waits for the peer already. Returns whether it did.
    fn offer(&self, frames: &[u8]) -> bool;

    /// Sends the response of a call.
    fn respond(&self, frame: Vec<u8>) {
        self.send(&frame);
    }

    /// Sends the error that says what the request lacks, which has a status of its own where there are any.
    fn refuse(&self, frame: Vec<u8>) {
        self.respond(frame);
    }

    /// Whether a request of the server reaches the client this way.
    #[cfg(feature = "ask")]
    fn takes_requests(&self) -> bool {
        true
    }

    /// Says that a request will not be answered, since its client does not want the answer any more.
    fn give_up(&self) {}

    /// Ends the stream that the answer is awaited on, so that the client asks for the rest after `retry`. Returns whether
    /// it does: only streams that can be gone on with are ended.
    fn close_stream(&self, retry: Duration) -> bool {
        let _ = retry;
        false
    }
}

/// Not of each outlet: what nobody prints would be part of every program for being in the table of its methods.
impl std::fmt::Debug for dyn Outlet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outlet")
    }
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
