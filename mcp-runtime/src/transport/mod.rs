//! Where frames come from and go to.

pub mod memory;
pub(crate) mod sink;
pub(crate) mod stdio;
pub(crate) mod writer;

use tokio::io::{AsyncRead, AsyncWrite};

/// A connection to one client, as two streams of bytes with one message a line.
///
/// Implemented for every pair of a reader and a writer, and for the ends of a [`memory`](memory::pair) connection.
///
/// # Spec
/// 2026-07-28, `basic/transports/stdio`, whose framing "should be reused" for sockets.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a connection to a client",
    label = "not a reader and a writer",
    note = "give a pair of a reader and a writer of tokio, such as `(tokio::io::stdin(), tokio::io::stdout())`; \
            `tokio::io::split` makes one of a stream that is both",
    note = "they must be `AsyncRead` and `AsyncWrite`, `Send`, `Unpin` and `'static`"
)]
pub trait Transport {
    /// Takes the connection apart.
    fn split(self) -> (BoxedReader, BoxedWriter);
}

/// The reading half of a [`Transport`].
pub type BoxedReader = Box<dyn AsyncRead + Send + Unpin>;

/// The writing half of a [`Transport`].
pub type BoxedWriter = Box<dyn AsyncWrite + Send + Unpin>;

impl<R, W> Transport for (R, W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    fn split(self) -> (BoxedReader, BoxedWriter) {
        (Box::new(self.0), Box::new(self.1))
    }
}
