//! A call of the modern era in rounds: what is open when one ends, and what the next one begins with.
//!
//! Spec: 2026-07-28, `basic/patterns/mrtr`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::AskError;
use super::asking::Binding;
use super::settings::Asks;
use crate::json::View;
use crate::jsonrpc::ErrorObject;
use crate::protocol::meta::RequestParams;

/// Values by the keys that the handler has chosen.
type ByKey = BTreeMap<String, Box<RawValue>>;

/// One round of a call.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// What earlier rounds have brought, and what this one has made use of.
    known: Known,
    /// What the client has sent with this round and nobody has asked for yet.
    responses: ByKey,
    /// What the handler has asked and the client has not answered.
    open: Map<String, Value>,
}

/// What the next round begins with.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Known {
    answers: ByKey,
    /// What steps that run once have come to.
    steps: ByKey,
}

/// What travels through the client, sealed.
#[derive(Serialize, Deserialize)]
struct State<K> {
    /// When it expires, in seconds since 1970.
    expires: u64,
    #[serde(flatten)]
    known: K,
}

impl Round {
    /// Reads what a request has of earlier rounds.
    ///
    /// # Errors
    /// `-32602` for what is malformed, and for a state that is not one of this server for this request, or is too old.
    pub(super) fn read(params: &RequestParams<'_>, asks: &Asks, binding: &Binding<'_>) -> Result<Self, ErrorObject> {
        let mut round = Self::default();
        if let Some(responses) = params.input_responses {
            let Some(View::Object(members)) = View::of(responses.get()) else {
                return Err(ErrorObject::invalid_params("`inputResponses` must be an object: an answer by each key"));
            };
            round.responses = members.into_iter().map(|(key, raw)| (key.into_owned(), raw.to_owned())).collect();
        }
        if let Some(state) = params.request_state {
            let known = serde_json::from_str::<String>(state.get()).ok().and_then(|state| open(&state, asks, binding));
            round.known = known.ok_or_else(|| {
                ErrorObject::invalid_params(
                    "`requestState` is none that this server has given out for this request, or is too old; \
                     send the request again without it",
                )
            })?;
        }
        Ok(round)
    }

    /// The answer to a question, if there is one; otherwise the question is open from here on.
    pub(super) fn answer(
        &mut self,
        key: &str,
        max_bytes: usize,
        question: impl FnOnce() -> Value,
    ) -> Result<Option<Box<RawValue>>, AskError> {
        if let Some(answer) = self.known.answers.get(key) {
            return Ok(Some(answer.clone()));
        }
        if let Some(answer) = self.responses.remove(key) {
            self.known.answers.insert(key.to_owned(), answer.clone());
            return Ok(Some(answer));
        }
        self.check_size(max_bytes)?;
        self.open.insert(key.to_owned(), question());
        Ok(None)
    }

    /// What a step has come to in an earlier round.
    pub(super) fn step(&self, key: &str) -> Option<&RawValue> {
        self.known.steps.get(key).map(AsRef::as_ref)
    }

    /// Keeps what a step has come to.
    pub(super) fn keep_step(&mut self, key: &str, value: Box<RawValue>, max_bytes: usize) -> Result<(), AskError> {
        self.known.steps.insert(key.to_owned(), value);
        self.check_size(max_bytes).inspect_err(|_| drop(self.known.steps.remove(key)))
    }

    fn check_size(&self, max_bytes: usize) -> Result<(), AskError> {
        let kept = self.known.answers.iter().chain(&self.known.steps);
        let bytes: usize = kept.map(|(key, value)| key.len() + value.get().len()).sum();
        if bytes > max_bytes { Err(AskError::TooLarge { max_bytes }) } else { Ok(()) }
    }

    /// The members of the result that asks, if anything is open.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub(super) fn required(&mut self, asks: &Asks, binding: &Binding<'_>) -> Option<Result<String, ErrorObject>> {
        if self.open.is_empty() {
            return None;
        }
        let expires = now().saturating_add(asks.state_ttl).as_secs();
        let state = json!(State { expires, known: &self.known }).to_string();
        let sealed = asks.sealer.seal(state.as_bytes(), &binding.digest());
        Some(match sealed {
            Ok(state) => {
                let requests = Value::Object(std::mem::take(&mut self.open));
                Ok(format!(r#""inputRequests":{requests},"requestState":{}"#, json!(state)))
            }
            Err(error) => Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, error.to_string())),
        })
    }
}

/// Opens a state that has not expired.
fn open(state: &str, asks: &Asks, binding: &Binding<'_>) -> Option<Known> {
    let plain = asks.sealer.open(state, &binding.digest())?;
    let State { expires, known } = serde_json::from_slice::<State<Value>>(&plain).ok()?;
    // Raw values are read from text only.
    let known = serde_json::from_str(&known.to_string()).ok()?;
    (now().as_secs() <= expires).then_some(known)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
