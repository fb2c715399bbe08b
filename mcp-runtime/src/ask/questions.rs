//! The questions that are open in a session of the legacy era: requests of the server, each with whoever waits for its answer.
//!
//! Spec: 2025-11-25, `client/elicitation`, `client/sampling`, `client/roots`, and `basic/lifecycle`, "Timeouts".

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::AskError;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::outlet::{self, Outlet};

/// What a client has answered.
pub(crate) type Answer = Result<Box<RawValue>, ErrorObject>;

/// The open questions of a session.
#[derive(Debug, Default)]
pub(crate) struct Questions(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    last: u64,
    open: HashMap<u64, oneshot::Sender<Answer>>,
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

    /// Sends a question and waits for its answer.
    ///
    /// # Errors
    /// If the client refuses it, or does not answer in time.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question.
    pub(super) async fn ask(
        self: &Arc<Self>,
        outlet: &Arc<dyn Outlet>,
        method: &str,
        params: impl FnOnce(u64) -> Value,
        timeout: Duration,
    ) -> Result<Box<RawValue>, AskError> {
        let (sender, receiver) = oneshot::channel();
        let id = {
            let mut table = self.table();
            table.last += 1;
            let id = table.last;
            table.open.insert(id, sender);
            id
        };
        let question = Open { questions: Arc::clone(self), outlet: Arc::clone(outlet), id };
        let mut frame = outlet::frame();
        write_request(&mut frame, id, method, &params(id));
        outlet.send(&frame);
        let answered = tokio::time::timeout(timeout, receiver).await;
        drop(question);
        match answered {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(error))) => Err(AskError::Refused(error)),
            Ok(Err(_)) => Err(AskError::ConnectionLost),
            Err(_) => Err(AskError::TimedOut),
        }
    }

    /// Nothing panics under the lock.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that is open. If nobody waits for the answer any more, the client is told.
struct Open {
    questions: Arc<Questions>,
    outlet: Arc<dyn Outlet>,
    id: u64,
}

impl Drop for Open {
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
