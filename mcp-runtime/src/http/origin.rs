//! Where a request comes from.

use std::net::SocketAddr;
use std::ops::Deref;

use http::request::Parts;

/// The head of a request, and who has sent it.
pub(crate) struct HttpOrigin {
    head: Parts,
    peer: Option<SocketAddr>,
}

impl HttpOrigin {
    pub(super) fn new(head: Parts, peer: Option<SocketAddr>) -> Self {
        Self { head, peer }
    }

    pub(crate) fn head(&self) -> &Parts {
        &self.head
    }

    /// The other end of the connection, if it is one of ours.
    pub(crate) fn peer(&self) -> Option<SocketAddr> {
        self.peer
    }
}

impl Deref for HttpOrigin {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.head
    }
}

/// Without the headers, which hold secrets.
impl std::fmt::Debug for HttpOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (method, path) = (&self.head.method, self.head.uri.path());
        f.debug_struct("HttpOrigin").field("method", method).field("path", &path).field("peer", &self.peer).finish()
    }
}
