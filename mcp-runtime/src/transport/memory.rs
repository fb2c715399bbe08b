//! A connection inside of the process, for tests and for clients that live beside their server.

use tokio::io::DuplexStream;

use super::{BoxedReader, BoxedWriter, Transport};

/// How many bytes one end may write before the other has to read.
pub const DEFAULT_MEMORY_BYTES: usize = 64 * 1024;

/// One end of a connection in memory.
#[derive(Debug)]
pub struct MemoryTransport(DuplexStream);

/// Two connected ends: what is written to one is read from the other.
#[must_use]
pub fn pair() -> (MemoryTransport, MemoryTransport) {
    let (one, other) = tokio::io::duplex(DEFAULT_MEMORY_BYTES);
    (MemoryTransport(one), MemoryTransport(other))
}

impl Transport for MemoryTransport {
    fn split(self) -> (BoxedReader, BoxedWriter) {
        let (reader, writer) = tokio::io::split(self.0);
        (Box::new(reader), Box::new(writer))
    }
}
