//! The questions that are open in a session of the legacy era: requests of the server, each with whoever waits for its answer.
//!
//! Spec: 2025-11-25, `client/elicitation`, `client/sampling`, `client/roots`, and `basic/lifecycle`, "Timeouts".

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{Notify, oneshot};

use super::AskError;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::outlet::{self, Outlet};

/// What a client has answered.
pub(crate) type Answer = Result<Box<RawValue>, ErrorObject>;

/// The open questions of a session.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    table: Mutex<Table>,
    /// Told when the client is ready, and when it is gone.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Table {
    last: u64,
    open: HashMap<u64, oneshot::Sender<Answer>>,
    /// Whether the client has said that it is ready. Before, a server should not ask.
    is_ready: bool,
    /// Whether no answer will come any more.
    is_closed: bool,
}

impl Questions {
    /// Takes an answer to whoever waits for it. One that nobody waits for is dropped.
    pub(crate) fn answer(&self, id: &RequestId, answer: impl FnOnce() -> Answer) {
        let waiting = id.as_json().parse().ok().and_then(|id| self.table().open.remove(&id));
        let Some(waiting) = waiting else {
            tracing::debug!(%id, "dropped a response to no request");
            return;
        };
        // Whoever has waited may be gone by now.
        drop(waiting.send(answer()));
    }

    /// Whether an answer is waited for.
    pub(crate) fn are_open(&self) -> bool {
        !self.table().open.is_empty()
    }

    /// The client may be asked from here on.
    pub(crate) fn ready(&self) {
        self.table().is_ready = true;
        self.changed.notify_waiters();
    }

    /// No answer will come any more: whoever waits for one is told.
    pub(crate) fn close(&self) {
        let mut table = self.table();
        table.is_closed = true;
        let open = std::mem::take(&mut table.open);
        drop(table);
        drop(open);
        self.changed.notify_waiters();
    }

    /// Waits until the client may be asked, or cannot be asked any more.
    ///
    /// Spec: 2025-11-25, `basic/lifecycle`, "Initialization".
    pub(super) async fn wait_until_ready(&self) {
        // The future exists before the table is looked at, so a change between the two is not missed.
        let changed = self.changed.notified();
        let is_settled = {
            let table = self.table();
            table.is_ready || table.is_closed
        };
        if !is_settled {
            changed.await;
        }
    }

    /// Sends a question, to which the answer is then received.
    ///
    /// # Errors
    /// If no answer will come any more.
    pub(super) fn open(
        self: &Arc<Self>,
        outlet: &Arc<dyn Outlet>,
        method: &str,
        params: &Value,
    ) -> Result<(Question, oneshot::Receiver<Answer>), AskError> {
        let (sender, receiver) = oneshot::channel();
        let id = {
            let mut table = self.table();
            if table.is_closed {
                return Err(AskError::ConnectionLost);
            }
            table.last += 1;
            let id = table.last;
            table.open.insert(id, sender);
            id
        };
        let mut frame = outlet::frame();
        write_request(&mut frame, id, method, params);
        outlet.send(&frame);
        Ok((Question { questions: Arc::clone(self), outlet: Arc::clone(outlet), id }, receiver))
    }

    /// Nothing panics under the lock.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that somebody waits for the answer to. When it is dropped without one, the client is told.
#[derive(Debug)]
pub(super) struct Question {
    questions: Arc<Questions>,
    outlet: Arc<dyn Outlet>,
    id: u64,
}

impl Question {
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        if self.questions.table().open.remove(&self.id).is_some() {
            #[derive(Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Cancelled {
                request_id: u64,
            }
            let mut frame = Vec::new();
            jsonrpc::write_notification(&mut frame, "notifications/cancelled", &Cancelled { request_id: self.id });
            self.outlet.send(&frame);
        }
    }
}

/// Appends a request of the server.
fn write_request(out: &mut Vec<u8>, id: u64, method: &str, params: &Value) {
    #[derive(Serialize)]
    struct Request<'a> {
        jsonrpc: &'static str,
        id: u64,
        method: &'a str,
        #[serde(skip_serializing_if = "Value::is_null")]
        params: &'a Value,
    }
    jsonrpc::write_json(out, &Request { jsonrpc: "2.0", id, method, params });
    out.push(b'\n');
}
