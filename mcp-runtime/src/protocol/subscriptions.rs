//! `subscriptions/listen`, what it is acknowledged with, and what changes are told by.
//!
//! Spec: 2026-07-28, `basic/patterns/subscriptions`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::jsonrpc::{ErrorObject, RequestId, present};

/// What a client wants to be told, or will be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscriptionFilter {
    /// That the list of tools has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) tools_list_changed: bool,
    /// That the list of prompts has changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) prompts_list_changed: bool,
    /// That the lists of resources have changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) resources_list_changed: bool,
    /// That the contents of the resources with these URIs have changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) resource_subscriptions: Vec<Box<str>>,
}

#[derive(Deserialize)]
struct RawListen<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    notifications: Option<&'a RawValue>,
}

impl SubscriptionFilter {
    /// Reads the params of `subscriptions/listen`. Kinds of changes that are not known here are passed over.
    ///
    /// # Errors
    /// `-32602` if they do not say what the client wants to be told.
    pub(crate) fn decode(params: Option<&RawValue>) -> Result<Self, ErrorObject> {
        let missing = || ErrorObject::invalid_params("`notifications` is missing: an object of what to be told");
        let raw: RawListen<'_> = super::meta::object(params.ok_or_else(missing)?, "params")?;
        super::meta::object(raw.notifications.ok_or_else(missing)?, "notifications")
    }
}

/// `_meta` of every notification of a subscription.
#[derive(Debug, Serialize)]
struct SubscriptionMeta<'a> {
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    subscription_id: &'a RawValue,
}

/// The params of a notification of a subscription.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscriptionParams<'a> {
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta<'a>,
    /// What will be told, in the acknowledgement.
    #[serde(skip_serializing_if = "Option::is_none")]
    notifications: Option<&'a SubscriptionFilter>,
    /// Which resource has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    /// Which request is ended, in a cancellation.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a RawValue>,
}

impl<'a> SubscriptionParams<'a> {
    /// Those of a change.
    pub(crate) fn new(id: &'a RequestId) -> Self {
        let meta = SubscriptionMeta { subscription_id: id.as_raw() };
        Self { meta, notifications: None, uri: None, request_id: None }
    }

    /// Those of the acknowledgement.
    pub(crate) fn acknowledging(id: &'a RequestId, filter: &'a SubscriptionFilter) -> Self {
        Self { notifications: Some(filter), ..Self::new(id) }
    }

    /// Those of a change to the contents of a resource.
    pub(crate) fn updating(id: &'a RequestId, uri: &'a str) -> Self {
        Self { uri: Some(uri), ..Self::new(id) }
    }

    /// Those of the end.
    pub(crate) fn cancelling(id: &'a RequestId) -> Self {
        Self { request_id: Some(id.as_raw()), ..Self::new(id) }
    }
}
