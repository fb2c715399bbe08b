//! `notifications/progress` and `notifications/cancelled`.
//!
//! Spec: 2026-07-28, `basic/utilities/progress` and `basic/patterns/cancellation`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::jsonrpc::RequestId;

/// The params of `notifications/progress`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProgressNotification<'a> {
    pub(crate) progress_token: &'a RawValue,
    pub(crate) progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelledNotification<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

/// Which request `notifications/cancelled` names; none if it is malformed, which is no reason to answer.
pub(crate) fn cancelled_request(params: Option<&RawValue>) -> Option<RequestId> {
    let cancelled: CancelledNotification<'_> = super::meta::object(params?, "params").ok()?;
    RequestId::from_json(cancelled.request_id.get())
}
