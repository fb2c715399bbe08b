//! What has to come back over a connection, told from what was sent.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use super::oracle::{self, Kind, Members, Reading};
use crate::jsonrpc::RequestId;

/// The revision that has batches.
const WITH_BATCHES: &str = "2025-03-26";

/// What has to come back.
#[derive(Default)]
pub(super) struct Due {
    ids: HashMap<RequestId, Requests>,
    /// Errors without an id, outside of arrays and inside.
    without_id: usize,
    without_id_batched: usize,
    batches: Vec<Batch>,
    arrays: usize,
    /// Whether there is a session, whose client is ready.
    has_session: bool,
    is_ready: bool,
    /// The subscriptions that are acknowledged, with whether they are told of changes.
    open: HashMap<RequestId, bool>,
    /// Those that the server has ended and has to cancel still.
    ending: HashSet<RequestId>,
    /// The request that was sent last, and whether it is answered: what was cancelled is silent from then on.
    last: Option<RequestId>,
    is_over: bool,
}

/// The requests of one id.
#[derive(Default)]
struct Requests {
    sent: usize,
    /// How many of them stand in batches.
    batched: usize,
    /// How many of them a cancellation can reach, and has perhaps.
    slow: usize,
    cancelled: usize,
    /// How many of them listen, and of those in batches.
    listens: usize,
    listens_batched: usize,
    /// Whether the last of them was cancelled, and in its own batch, where no call has begun yet.
    is_cancelled: bool,
    is_cancelled_in_batch: bool,
    answered: usize,
    answered_batched: usize,
    acknowledged: usize,
    /// The batch of the last one.
    batch: Option<usize>,
}

#[derive(Default)]
struct Batch {
    /// Whether something in it has to be answered, whatever is cancelled.
    is_answered: bool,
    /// Calls, which are answered unless they are cancelled.
    calls: Vec<RequestId>,
    /// Whether something in it may be answered.
    has_requests: bool,
}

impl Due {
    /// What is due for the lines that were sent. `None` if it cannot be told which of them come after the handshake.
    pub(super) fn new(lines: &[Option<&[u8]>], max_messages: usize, received: &str) -> Option<Self> {
        let readings: Vec<_> = lines.iter().map(|line| line.map_or(Reading::AnswerWithoutId, oracle::read)).collect();
        let opening = opening(&readings, received).ok()?;
        let mut due = Self { has_session: opening.is_some(), ..Self::default() };
        for (at, (line, reading)) in lines.iter().zip(readings).enumerate() {
            let has_batches = opening.as_ref().is_some_and(|(line, revision)| at > *line && revision == WITH_BATCHES);
            match line.filter(|_| has_batches).and_then(|line| oracle::messages(line, max_messages)) {
                Some(messages) => due.add_batch(&messages),
                None => due.add(reading, None),
            }
        }
        Some(due)
    }

    fn add_batch(&mut self, messages: &[&RawValue]) {
        let at = self.batches.len();
        self.batches.push(Batch::default());
        for message in messages {
            self.add(oracle::read(message.get().as_bytes()), Some(at));
        }
    }

    fn add(&mut self, reading: Reading, batch: Option<usize>) {
        match reading {
            Reading::Answer(id, kind) => {
                self.last = Some(id.clone());
                if let Some(batch) = batch.and_then(|at| self.batches.get_mut(at)) {
                    batch.has_requests = true;
                    match kind {
                        Kind::Call => batch.calls.push(id.clone()),
                        Kind::Listen => {}
                        Kind::Initialize | Kind::Other => batch.is_answered = true,
                    }
                }
                let (is_batched, listens) = (batch.is_some(), kind == Kind::Listen);
                let requests = self.ids.entry(id).or_default();
                requests.sent += 1;
                requests.batched += usize::from(is_batched);
                requests.slow += usize::from(listens || kind == Kind::Call);
                requests.listens += usize::from(listens);
                requests.listens_batched += usize::from(listens && is_batched);
                (requests.is_cancelled, requests.is_cancelled_in_batch) = (false, false);
                requests.batch = batch;
            }
            Reading::AnswerWithoutId => match batch.and_then(|at| self.batches.get_mut(at)) {
                Some(batch) => {
                    self.without_id_batched += 1;
                    (batch.is_answered, batch.has_requests) = (true, true);
                }
                None => self.without_id += 1,
            },
            Reading::Cancel(id) => {
                if let Some(requests) = self.ids.get_mut(&id) {
                    requests.cancelled = requests.slow.min(requests.cancelled + 1);
                    requests.is_cancelled = true;
                    requests.is_cancelled_in_batch |= batch.is_some() && requests.batch == batch && requests.slow > 0;
                }
            }
            Reading::Ready => self.is_ready = true,
            Reading::Nothing => {}
        }
    }

    pub(super) fn check(mut self, received: &str) {
        assert!(received.ends_with('\n'), "every message is a line");
        for line in received.lines() {
            if let Some(responses) = oracle::messages(line.as_bytes(), usize::MAX) {
                self.take_array(&responses);
            } else {
                self.take(line);
            }
        }
        assert_eq!((self.without_id, self.without_id_batched), (0, 0), "so many errors without an id are missing");
        assert!(self.ending.is_empty(), "not cancelled by the server: {:?}", self.ending);
        for (id, requests) in &self.ids {
            let Requests { sent, batched, cancelled, listens, answered, .. } = *requests;
            assert!((sent - cancelled..=sent).contains(&answered), "{id}: {sent}, {cancelled}, {answered}\n{received}");
            assert!(requests.answered_batched <= batched, "{id} is in an array\n{received}");
            let alone = sent - batched + requests.listens_batched;
            assert!(answered - requests.answered_batched <= alone, "{id} is in no array\n{received}");
            assert!(requests.acknowledged <= listens, "{id} is acknowledged\n{received}");
        }
        let never_cancelled = |id: &RequestId| self.ids[id].cancelled == 0;
        let is_sure = |batch: &&Batch| batch.is_answered || batch.calls.iter().any(never_cancelled);
        let sure = self.batches.iter().filter(is_sure).count();
        let possible = self.batches.iter().filter(|batch| batch.has_requests).count();
        assert!(
            (sure..=possible).contains(&self.arrays),
            "{sure} to {possible} arrays, not {}\n{received}",
            self.arrays
        );
    }

    /// Takes the answer to a batch.
    fn take_array(&mut self, responses: &[&RawValue]) {
        assert!(!responses.is_empty(), "an empty array");
        self.arrays += 1;
        let mut batches = HashSet::new();
        for response in responses {
            let message = Members::of(response.get()).unwrap_or_else(|| panic!("no message: {response}"));
            match message.names().collect::<Vec<_>>().as_slice() {
                ["jsonrpc", "error"] => {
                    self.without_id_batched =
                        self.without_id_batched.checked_sub(1).unwrap_or_else(|| panic!("not due: {response}"));
                }
                ["jsonrpc", "id", "result" | "error"] => {
                    let requests = self.requests(&id(message.get("id")));
                    requests.answered += 1;
                    requests.answered_batched += 1;
                    if requests.sent == 1 {
                        batches.insert(requests.batch);
                        // An error may be the answer to a call of no tool, which is not there to be cancelled.
                        let is_served = message.get("result").is_some();
                        assert!(!(is_served && requests.is_cancelled_in_batch), "cancelled before: {response}");
                    }
                }
                _ => panic!("no response: {response}"),
            }
        }
        assert!(batches.len() <= 1, "an answer to several batches: {responses:?}");
    }

    fn take(&mut self, line: &str) {
        let message = Members::of(line).unwrap_or_else(|| panic!("no message: {line}"));
        let names: Vec<&str> = message.names().collect();
        assert_eq!(message.get("jsonrpc"), Some("\"2.0\""), "{line}");
        match names.as_slice() {
            ["jsonrpc", "method"] => {
                assert_eq!(message.get("method"), Some("\"notifications/tools/list_changed\""), "{line}");
                assert!(self.has_session && self.is_ready, "the client is not ready: {line}");
            }
            ["jsonrpc", "method", "params"] => {
                let params = message.get("params").and_then(Members::of).expect("params are an object");
                self.take_notification(message.get("method").unwrap_or_default(), &params, line);
            }
            ["jsonrpc", "error"] => {
                self.without_id = self.without_id.checked_sub(1).unwrap_or_else(|| panic!("not due: {line}"));
            }
            ["jsonrpc", "id", "result" | "error"] => {
                let id = id(message.get("id"));
                if let Some(subscription) = message.get("result").and_then(Members::of).and_then(|it| subscription(&it))
                {
                    assert_eq!(subscription, id, "{line}");
                    assert!(self.open.remove(&id).is_some(), "not acknowledged: {line}");
                    self.assert_wanted(&id, line);
                    self.ending.insert(id.clone());
                }
                let requests = self.requests(&id);
                requests.answered += 1;
                let is_only = requests.sent == 1;
                self.is_over |= is_only && self.last.as_ref() == Some(&id);
            }
            _ => panic!("neither a response nor a notification: {line}"),
        }
    }

    fn take_notification(&mut self, method: &str, params: &Members<'_>, line: &str) {
        // What a call sends of its own, for as long as it runs.
        if matches!(method, "\"notifications/progress\"" | "\"notifications/message\"") {
            return;
        }
        let id = subscription(params).unwrap_or_else(|| panic!("of no subscription: {line}"));
        match method {
            "\"notifications/subscriptions/acknowledged\"" => {
                self.assert_wanted(&id, line);
                let requests = self.requests(&id);
                requests.acknowledged += 1;
                let is_cancelled = requests.cancelled > 0;
                let filter = params.get("notifications").and_then(Members::of).expect("it says what will be told");
                let is_told = filter.get("toolsListChanged") == Some("true");
                assert!(self.open.insert(id, is_told).is_none() || is_cancelled, "acknowledged twice: {line}");
            }
            "\"notifications/tools/list_changed\"" => {
                self.assert_wanted(&id, line);
                assert_eq!(self.open.get(&id), Some(&true), "not acknowledged: {line}");
            }
            "\"notifications/cancelled\"" => {
                assert_eq!(params.get("requestId").and_then(RequestId::from_json).as_ref(), Some(&id), "{line}");
                assert!(self.ending.remove(&id), "not ended: {line}");
            }
            _ => panic!("no such notification: {line}"),
        }
    }

    /// Fails if a subscription speaks once its cancellation has been served for certain.
    fn assert_wanted(&mut self, id: &RequestId, line: &str) {
        let is_over = self.is_over;
        assert!(!(is_over && self.requests(id).is_cancelled), "cancelled before: {line}");
    }

    fn requests(&mut self, id: &RequestId) -> &mut Requests {
        self.ids.get_mut(id).unwrap_or_else(|| panic!("not due: {id}"))
    }
}

fn id(json: Option<&str>) -> RequestId {
    json.and_then(RequestId::from_json).expect("an id was sent")
}

/// The subscription that a result or params belong to.
fn subscription(members: &Members<'_>) -> Option<RequestId> {
    let meta = members.get("_meta").and_then(Members::of)?;
    RequestId::from_json(meta.get("io.modelcontextprotocol/subscriptionId")?)
}

/// The line that has opened a session, and its revision. The server decides whether a handshake is one: its answers tell.
///
/// # Errors
/// If they do not, since an earlier request of the same id may be answered later.
fn opening(readings: &[Reading], received: &str) -> Result<Option<(usize, String)>, ()> {
    let mut earlier: HashMap<&RequestId, (usize, bool)> = HashMap::new();
    for (at, reading) in readings.iter().enumerate() {
        let Reading::Answer(id, kind) = reading else { continue };
        let (count, is_slow) = earlier.entry(id).or_default();
        if *kind == Kind::Initialize {
            if *is_slow {
                return Err(());
            }
            let answers = received.lines().filter_map(Members::of);
            let mut answers =
                answers.filter(|answer| answer.get("id").and_then(RequestId::from_json).as_ref() == Some(id));
            let answer = answers.nth(*count).unwrap_or_else(|| panic!("{id} has no answer"));
            let result = answer.get("result").and_then(Members::of);
            if let Some(revision) = result.and_then(|result| result.get("protocolVersion").and_then(oracle::string)) {
                return Ok(Some((at, revision)));
            }
        }
        *count += 1;
        *is_slow |= matches!(kind, Kind::Call | Kind::Listen);
    }
    Ok(None)
}
