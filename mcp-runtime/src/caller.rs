//! Who sends requests, and where their answers go: what all requests of one connection have in common, or over HTTP one.

use std::sync::Arc;

#[cfg(feature = "http")]
use crate::http::HttpOrigin;
use crate::outlet::Outlet;
use crate::peer::Peer;

/// Who sends requests. Their calls share it.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) outlet: Arc<dyn Outlet>,
    /// The client of a legacy session.
    pub(crate) peer: Option<Arc<Peer>>,
    /// Whose requests they are, if the server can tell.
    #[cfg(feature = "ask")]
    pub(crate) principal: Option<Arc<str>>,
    /// What the request came with, if it came over HTTP.
    #[cfg(feature = "http")]
    pub(crate) http: Option<HttpOrigin>,
}

impl Caller {
    /// The client of a connection of its own, as far as it is known before the handshake.
    pub(crate) fn new(outlet: Arc<dyn Outlet>, peer: Option<Arc<Peer>>) -> Self {
        Self {
            outlet,
            peer,
            #[cfg(feature = "ask")]
            principal: None,
            #[cfg(feature = "http")]
            http: None,
        }
    }
}
