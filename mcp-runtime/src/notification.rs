//! What a client of the legacy era tells without waiting for an answer.

use serde_json::value::RawValue;

use crate::jsonrpc::RequestId;
use crate::protocol::progress::cancelled_request;

/// A notification that means something here.
#[derive(Debug)]
pub(crate) enum Notification {
    /// The client is ready.
    Initialized,
    /// The client does not want the answer to this request any more.
    Cancelled(RequestId),
}

impl Notification {
    /// Reads a notification. Whatever is wrong with one, it is never answered.
    pub(crate) fn read(method: &str, params: Option<&RawValue>) -> Option<Self> {
        match method {
            "notifications/initialized" => Some(Self::Initialized),
            "notifications/cancelled" => {
                let request = cancelled_request(params);
                if request.is_none() {
                    tracing::debug!("ignored a malformed cancellation");
                }
                request.map(Self::Cancelled)
            }
            method => {
                tracing::debug!(method, "ignored an unknown notification");
                None
            }
        }
    }
}
