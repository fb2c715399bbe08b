//! What a handler asks with: the methods of [`Context`] that are about asking.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::AskError;
use super::asking::Way;
use super::form::{Form, FormSchema};
use crate::context::Context;
use crate::json;
use crate::protocol::elicitation::{self, ElicitRequestFormParams, ElicitRequestUrlParams, ElicitResult};
use crate::protocol::roots::{self, ListRootsResult};
use crate::protocol::{
    ClientCapabilities, ClientCapability, CreateMessageRequest, CreateMessageResult, Root, sampling,
};

/// Asking the client in the middle of a call; only with the feature `ask`. Tools, prompts and resources ask alike.
///
/// The same code serves both eras of the protocol. In a session the question is a request to the client, and the handler
/// waits for the answer. Since 2026-07-28 a server sends no requests: the call ends with all questions that are open then,
/// several if they are awaited [together](https://docs.rs/tokio/latest/tokio/macro.join.html), and the client calls again with
/// the answers. **The handler then runs again from the top**, on this server or on another one with the same
/// [key](crate::Server::state_key), and each question that has an answer is ready at once. So
///
/// - whatever a handler does before a question may be done once for each round; what must not goes into
///   [`once`](Self::once), or behind the last question;
/// - the key of a question tells it from the others of the call, and must be the same in each round, like the question itself:
///   an answer is one to what was asked, and what says something else in the next round is asked again;
/// - it is for `async` handlers: a plain one cannot wait, and one that waits on its thread is never woken.
impl Context {
    /// What the client has declared that it can be asked: in a session once for all, since 2026-07-28 with each request.
    #[must_use]
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.state().client_capabilities()
    }

    /// Asks the user to fill in a form; since 2025-06-18. It must not ask for passwords, keys and other secrets.
    ///
    /// # Errors
    /// If the user declines or closes the form, if the client has not declared `elicitation`, or if the answer does not fit.
    /// A handler that fails with the error tells the client what was missing, whatever type the error is turned into.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{AskError, Context, Form, tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema, Form)]
    /// struct Sure {
    ///     /// Whether to delete it.
    ///     delete: bool,
    /// }
    ///
    /// /// Delete a file, if the user agrees.
    /// #[tool(destructive)]
    /// async fn delete(file: &str, ctx: &Context) -> Result<String, AskError> {
    ///     let Sure { delete } = ctx.elicit("sure", format!("Delete {file}?")).await?;
    ///     Ok(if delete { format!("{file} is deleted") } else { format!("{file} is kept") })
    /// }
    /// ```
    ///
    /// # Spec
    /// 2026-07-28, `client/elicitation`.
    // Not an `async fn`, whose future would be a type with the same bound: the compiler reports a type that is no form at
    // the call, at the future, and at its `await`.
    pub fn elicit<'a, T: Form + 'a>(
        &'a self,
        key: &'a str,
        message: impl AsRef<str> + Send + 'a,
    ) -> Pin<Box<dyn Future<Output = Result<T, AskError>> + Send + 'a>> {
        Box::pin(async move {
            let form = FormSchema::of::<T>().map_err(AskError::Unaskable)?;
            let content = self.fill_in(key, message.as_ref(), &form).await?;
            json::parse(&content).map_err(|error| AskError::Invalid(vec![error.to_string()]))
        })
    }

    /// Like [`elicit`](Self::elicit), with a schema of the form that is made at run time: a flat object of strings, numbers,
    /// booleans, choices and lists of choices.
    ///
    /// # Errors
    /// Like [`elicit`](Self::elicit), and if no form can have the schema.
    pub async fn elicit_with(
        &self,
        key: &str,
        message: impl AsRef<str> + Send,
        schema: Value,
    ) -> Result<Map<String, Value>, AskError> {
        let form = FormSchema::raw(&schema).map_err(AskError::Unaskable)?;
        let content = self.fill_in(key, message.as_ref(), &form).await?;
        json::parse(&content).map_err(|error| AskError::Invalid(vec![error.to_string()]))
    }

    /// The content of a form, as its schema takes it.
    async fn fill_in(&self, key: &str, message: &str, form: &FormSchema) -> Result<String, AskError> {
        let revision = self.revision();
        self.require(ClientCapability::ElicitationForm.into())?;
        let schema = form.project(revision).map_err(AskError::Unaskable)?;
        let params = || json!(ElicitRequestFormParams::new(message, &schema, revision));
        let answer = self.ask(key, elicitation::METHOD, params).await?;
        let content = self.accepted(key, &answer)?;
        let content = content.map_or("{}", RawValue::get);
        if !content.starts_with('{') {
            return Err(self.malformed(key, "`content` must be an object with the fields of the form".to_owned()));
        }
        Ok(form.check(content).map_err(AskError::Invalid)?.into_owned())
    }

    /// What the user has filled in.
    fn accepted<'a>(&self, key: &str, answer: &'a RawValue) -> Result<Option<&'a RawValue>, AskError> {
        match ElicitResult::decode(answer) {
            Ok(ElicitResult::Accept(content)) => Ok(content),
            Ok(ElicitResult::Decline) => Err(AskError::Declined),
            Ok(ElicitResult::Cancel) => Err(AskError::Cancelled),
            Err(problem) => Err(self.malformed(key, problem)),
        }
    }

    /// Asks the user to open a page, such as one to log in or to pay; since 2025-11-25. That the user agrees does not say that
    /// anything was done there. The URL must not carry what would let somebody else act for the user.
    ///
    /// # Errors
    /// If the user declines or closes the question, or if the client has not declared `elicitation.url`.
    ///
    /// # Spec
    /// 2026-07-28, `client/elicitation`, "URL Mode".
    pub async fn elicit_url(&self, key: &str, message: impl AsRef<str> + Send, url: &str) -> Result<(), AskError> {
        let (message, revision) = (message.as_ref(), self.revision());
        elicitation::check_url(url).map_err(AskError::Unaskable)?;
        self.require(ClientCapability::ElicitationUrl.into())?;
        let id = elicitation_id();
        let params = || json!(ElicitRequestUrlParams::new(message, url, &id, revision));
        let answer = self.ask(key, elicitation::METHOD, params).await?;
        self.accepted(key, &answer).map(|_| ())
    }

    /// Lets the client's model write a message.
    ///
    /// # Errors
    /// If the user refuses, if the client has not declared `sampling`, or `sampling.tools` for a request with tools.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{AskError, Context, CreateMessageRequest, SamplingMessage, tool};
    ///
    /// /// Sum up a text in one sentence.
    /// #[tool]
    /// async fn sum_up(text: &str, ctx: &Context) -> Result<String, AskError> {
    ///     let prompt = SamplingMessage::user(format!("Sum this up in one sentence:\n\n{text}"));
    ///     Ok(ctx.sample("summary", CreateMessageRequest::new(200, [prompt])).await?.text())
    /// }
    /// ```
    ///
    /// # Spec
    /// 2026-07-28, `client/sampling`; deprecated there.
    pub async fn sample(&self, key: &str, request: CreateMessageRequest) -> Result<CreateMessageResult, AskError> {
        request.check().map_err(AskError::Unaskable)?;
        self.require(request.required())?;
        let capabilities = self.client_capabilities();
        let params = || request.project(self.revision(), capabilities);
        let answer = self.ask(key, sampling::METHOD, params).await?;
        CreateMessageResult::decode(&answer).map_err(|problem| self.malformed(key, problem))
    }

    /// Asks the client which folders it works in. They say where the user is at work, and are no leave to read there.
    ///
    /// # Errors
    /// If the client has not declared `roots`.
    ///
    /// # Spec
    /// 2026-07-28, `client/roots`; deprecated there.
    pub async fn roots(&self, key: &str) -> Result<Vec<Root>, AskError> {
        self.require(ClientCapability::Roots.into())?;
        let answer = self.ask(key, roots::METHOD, || Value::Null).await?;
        let result = ListRootsResult::decode(&answer).map_err(|problem| self.malformed(key, problem))?;
        Ok(result.roots)
    }

    /// Runs a step once in a call that runs in several rounds: where it has run in an earlier one, its result is what it was
    /// then. In a session, where there are no rounds, it just runs. Steps that share a key, as in a loop, are told apart by
    /// their order.
    ///
    /// A question that is awaited beside a step, as in a `join!`, is asked when the step has ended; a step that asks itself is
    /// begun again in the next round. The result travels through the client, sealed: it cannot be read or changed there. A call
    /// that is never answered is never gone on with, and two answers to one question go on with it twice.
    ///
    /// # Errors
    /// If the result of an earlier round cannot be read again. One that cannot be written as JSON, or with which the call has
    /// more to remember than [`max_state_bytes`](crate::Server::max_state_bytes), is an error of the next question.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{AskError, Context, Form, tool};
    ///
    /// # async fn reserve(seat: &str) -> u64 { 7 }
    /// #[derive(serde::Deserialize, schemars::JsonSchema, Form)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// /// Book a seat.
    /// #[tool]
    /// async fn book(seat: &str, ctx: &Context) -> Result<String, AskError> {
    ///     let reservation = ctx.once("reserve", reserve(seat)).await?;
    ///     let Name { name } = ctx.elicit("name", "In which name?").await?;
    ///     Ok(format!("{seat} is booked for {name}, reservation {reservation}"))
    /// }
    /// ```
    pub async fn once<T: Serialize + DeserializeOwned + Send>(
        &self,
        key: &str,
        step: impl Future<Output = T> + Send,
    ) -> Result<T, AskError> {
        if !self.revision().is_modern() {
            return Ok(step.await);
        }
        let asking = self.state().asking();
        let (which, done) = asking.begin_step(key);
        if let Some(done) = done {
            let unreadable =
                |error| AskError::Unaskable(format!("the result of `{key}` cannot be read again: {error}"));
            return json::parse(done.get()).map_err(unreadable);
        }
        let result = asking.run_step(step).await;
        asking.keep_step(key, which, serde_json::value::to_raw_value(&result));
        Ok(result)
    }

    fn require(&self, required: ClientCapabilities) -> Result<(), AskError> {
        self.state().asking().check(self.client_capabilities(), required, self.revision())
    }

    fn malformed(&self, key: &str, problem: String) -> AskError {
        self.state().asking().malformed(key, problem, self.revision())
    }

    async fn ask(&self, key: &str, method: &str, params: impl Fn() -> Value) -> Result<Box<RawValue>, AskError> {
        let caller = &self.state().origin.caller;
        let way = match &caller.peer {
            _ if self.revision().is_modern() => Way::Rounds,
            Some(peer) => Way::Session { peer, outlet: &caller.outlet },
            // A client of whom nothing is remembered has declared nothing, so this is not reached.
            None => return Err(AskError::ConnectionLost),
        };
        // Whoever thinks about the question should see how far the call is.
        self.state().flush_progress();
        self.state().asking().ask(way, key, method, params).await
    }
}

/// An id that no other elicitation of this server has had.
fn elicitation_id() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", now.as_nanos(), LAST.fetch_add(1, Ordering::Relaxed))
}
