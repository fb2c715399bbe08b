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
