//! A call of the modern era in rounds: what is open when one ends, and what the next one begins with.
//!
//! Spec: 2026-07-28, `basic/patterns/mrtr`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::AskError;
use super::asking::Binding;
use super::seal::digest;
use super::settings::Asks;
use crate::json::{self, View};
use crate::jsonrpc::ErrorObject;
use crate::protocol::meta::RequestParams;

/// Values by the keys that the handler has chosen.
type ByKey = BTreeMap<String, Box<RawValue>>;

/// One round of a call.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// What earlier rounds have brought, and what this one has made use of.
    known: Known,
    /// How many of the answers to each key the handler has got in this round.
    used: BTreeMap<String, usize>,
    /// How many steps of each key the handler has begun in this round.
    begun: BTreeMap<String, usize>,
    /// What the client has sent with this round and nobody has asked for yet.
    responses: ByKey,
    /// What the handler has asked and the client has not answered, in that order.
    open: Vec<OpenQuestion>,
    /// What is wrong with the result of a step that cannot be kept.
    lost_step: Option<String>,
}

#[derive(Debug)]
struct OpenQuestion {
    key: String,
    question: Value,
    digest: String,
    /// How many futures wait for the answer. More than one if a key is used for several questions at a time: they are
    /// answered one after the other.
    waiting: usize,
}

/// What the next round begins with. Everything is kept as it was written: a tree of values would round numbers, and cannot
/// hold all of them.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Known {
    /// Several by one key if the handler has asked again with it.
    answers: BTreeMap<String, Vec<Answered>>,
    /// The digests of the questions that the last round has asked.
    asked: BTreeMap<String, String>,
    /// What steps that run once have come to, by the key and by how many steps the handler has begun with it before.
    steps: BTreeMap<String, BTreeMap<usize, Box<RawValue>>>,
}

/// An answer and what it answers: a yes is a yes to its own question, and to no other that comes to have its key.
#[derive(Debug, Serialize, Deserialize)]
struct Answered {
    digest: String,
    answer: Box<RawValue>,
}

/// What travels through the client, sealed.
#[derive(Serialize, Deserialize)]
struct State<K> {
    /// When it expires, in milliseconds since 1970.
    expires: u64,
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
            let known = json::parse::<String>(state.get()).ok().and_then(|state| open(&state, asks, binding));
            round.known = known.ok_or_else(|| {
                ErrorObject::invalid_params(
                    "`requestState` is none that this server has given out for this request, or is too old; \
                     send the request again without it",
                )
            })?;
        }
        Ok(round)
    }

    /// The answer to a question, if there is one; otherwise the question is open from here on, until it is
    /// [withdrawn](Self::withdraw).
    ///
    /// # Errors
    /// If there is too much to be remembered, or too much is open already.
    pub(super) fn answer(
        &mut self,
        key: &str,
        asks: &Asks,
        question: impl FnOnce() -> Value,
    ) -> Result<Option<Box<RawValue>>, AskError> {
        let question = question();
        let digest = URL_SAFE_NO_PAD.encode(digest(&[question.to_string().as_bytes()]));
        let used = self.used.entry(key.to_owned()).or_default();
        let answers = self.known.answers.entry(key.to_owned()).or_default();
        if let Some(known) = answers.get(*used).filter(|known| known.digest == digest) {
            *used += 1;
            return Ok(Some(known.answer.clone()));
        }
        // What comes after a question that has changed answers something else, too.
        answers.truncate(*used);
        // Whoever answers with the first request knows the question from elsewhere.
        let is_asked = |asked: &BTreeMap<String, String>| asked.get(key).is_none_or(|asked| *asked == digest);
        if let Some(answer) = self.responses.remove(key).filter(|_| is_asked(&self.known.asked)) {
            *used += 1;
            answers.push(Answered { digest, answer: answer.clone() });
            return Ok(Some(answer));
        }
        self.check_size(asks.max_state_bytes)?;
        if let Some(problem) = &self.lost_step {
            return Err(AskError::Unaskable(problem.clone()));
        }
        if let Some(open) = self.open.iter_mut().find(|open| open.key == key) {
            open.waiting += 1;
            return Ok(None);
        }
        if self.open.len() >= asks.max_open_questions {
            return Err(AskError::TooMany { max_questions: asks.max_open_questions });
        }
        self.open.push(OpenQuestion { key: key.to_owned(), question, digest, waiting: 1 });
        Ok(None)
    }

    /// One of those who wait for an answer does so no more. A question that nobody waits for is not asked.
    pub(super) fn withdraw(&mut self, key: &str) {
        let Some(at) = self.open.iter().position(|open| open.key == key) else { return };
        if let Some(open) = self.open.get_mut(at).filter(|open| open.waiting > 1) {
            open.waiting -= 1;
        } else {
            self.open.remove(at);
        }
    }

    /// Begins a step: which one of its key it is, and what it has come to in an earlier round.
    pub(super) fn begin_step(&mut self, key: &str) -> (usize, Option<Box<RawValue>>) {
        let begun = self.begun.entry(key.to_owned()).or_default();
        let step = *begun;
        *begun += 1;
        (step, self.known.steps.get(key).and_then(|results| results.get(&step)).cloned())
    }

    /// Keeps what a step has come to. If that cannot be, or is too much, it is the next question that fails: the step has run,
    /// and its result is there.
    pub(super) fn keep_step(&mut self, key: &str, step: usize, value: serde_json::Result<Box<RawValue>>) {
        match value {
            Ok(value) => drop(self.known.steps.entry(key.to_owned()).or_default().insert(step, value)),
            Err(error) => self.lost_step = Some(format!("the result of the step `{key}` cannot be kept: {error}")),
        }
    }

    /// Whether the handler has got an answer of the client.
    pub(super) fn has_answers(&self) -> bool {
        self.used.values().any(|used| *used > 0)
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let responses: usize = self.responses.iter().map(|(key, answer)| key.len() + answer.get().len()).sum();
        responses + self.known_bytes()
    }

    fn known_bytes(&self) -> usize {
        let Known { answers, steps, .. } = &self.known;
        let answers = answers.iter().flat_map(|(key, answers)| answers.iter().map(move |known| (key, &known.answer)));
        let steps = steps.iter().flat_map(|(key, results)| results.values().map(move |result| (key, result)));
        answers.chain(steps).map(|(key, value)| key.len() + value.get().len()).sum()
    }

    fn check_size(&self, max_bytes: usize) -> Result<(), AskError> {
        if self.known_bytes() > max_bytes { Err(AskError::TooLarge { max_bytes }) } else { Ok(()) }
    }

    /// The members of the result that asks, if anything is open.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub(super) fn required(&mut self, asks: &Asks, binding: &Binding<'_>) -> Option<Result<String, ErrorObject>> {
        if self.open.is_empty() {
            return None;
        }
        // An answer may have come after a question was opened beside it.
        if let Err(error) = self.check_size(asks.max_state_bytes) {
            return Some(Err(ErrorObject::internal(error.to_string())));
        }
        let asked = self.open.iter().map(|open| (open.key.clone(), open.digest.clone()));
        self.known.asked = asked.collect();
        let expires = u64::try_from(now().saturating_add(asks.state_ttl).as_millis()).unwrap_or(u64::MAX);
        let state = serde_json::to_vec(&State { expires, known: &self.known }).map_err(|error| error.to_string());
        let sealed = state
            .and_then(|state| asks.sealer.seal(&state, &binding.digest()).map_err(|error| error.to_string()))
            .map_err(ErrorObject::internal);
        let open = std::mem::take(&mut self.open).into_iter();
        let requests: Map<String, Value> = open.map(|OpenQuestion { key, question, .. }| (key, question)).collect();
        let members = |state| format!(r#""inputRequests":{},"requestState":{}"#, json!(requests), json!(state));
        Some(sealed.map(members))
    }
}

/// Opens a state that has not expired.
fn open(state: &str, asks: &Asks, binding: &Binding<'_>) -> Option<Known> {
    let plain = asks.sealer.open(state, &binding.digest())?;
    let State { expires, known } = serde_json::from_slice(&plain).ok()?;
    (now().as_millis() < u128::from(expires)).then_some(known)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
