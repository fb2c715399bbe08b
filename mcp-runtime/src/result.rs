//! From what a handler returns to the outcome of the call.

use std::any::Any;
use std::error::Error;
use std::fmt::{Display, Write as _};

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::error::{ToolError, ToolErrorKind};
use crate::json;
use crate::jsonrpc::ErrorObject;
use crate::protocol::resources::ReadResourceResult;
use crate::protocol::{CallToolResult, Completion, ContentBlock, GetPromptResult};
use crate::returns::{Failure, Success};
use crate::schema::{OutputSchema, SchemaFn};
use crate::text::on_one_line;

/// How a call ended, before it is written for a revision. Each call moves it from hand to hand, so what is large is in a box.
#[doc(hidden)]
#[derive(Debug)]
pub enum Outcome {
    /// The JSON of a value; the output schema tells how it is sent.
    Value(String),
    /// A result that says everything itself.
    Full(Box<CallToolResult>),
    /// The tool failed, in words for the model.
    Failure(String),
    /// The tool failed with an error, whose text the server may keep to itself.
    Failed(String),
    /// The messages of a prompt.
    Prompt(Box<GetPromptResult>),
    /// The contents of a resource.
    Resource(Box<ReadResourceResult>),
    /// There is no such resource.
    NotFound,
    /// The values that an argument may have.
    Completion(Box<Completion>),
    /// The client is asked, by these members of the result.
    #[cfg(feature = "ask")]
    InputRequired(String),
    /// The call is answered with an error.
    Error(Box<ErrorObject>),
}

const _: () = assert!(size_of::<Outcome>() <= 4 * size_of::<usize>(), "an outcome is small");

impl Outcome {
    /// Whether the handler has failed.
    #[cfg(feature = "ask")]
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Failure(_) | Self::Failed(_) | Self::Error(_) => true,
            Self::Full(result) => result.is_error,
            _ => false,
        }
    }

    /// What keeps an outcome of the tool itself from being sent: a result that breaks its own schema is dropped by clients
    /// without a word.
    pub(crate) fn misfit(&self, schema: &OutputSchema) -> Option<String> {
        match self {
            _ if schema.is_supplied() => self.misfit_as_foreign(schema),
            Self::Value(json) => schema.misfit_of_own(json),
            _ => None,
        }
    }

    /// The same for an outcome that may be anything.
    pub(crate) fn misfit_as_foreign(&self, schema: &OutputSchema) -> Option<String> {
        match self {
            Self::Value(json) => schema.misfit_of_foreign(json),
            Self::Full(result) if schema.is_published() && !result.is_error => match &result.structured_content {
                Some(value) => schema.misfit_of_foreign(&json::text(value)),
                None => Some("the tool has an output schema, and its result has no structured content".to_owned()),
            },
            _ => None,
        }
    }
}

/// What a tool can return.
///
/// It is implemented for every type that is `Serialize` and `JsonSchema`, which [`ContentBlock`] and lists of it are too,
/// and for [`CallToolResult`]; and each of them can be the value of a `Result` whose error can be displayed.
///
/// - The unit type gives no content.
/// - A string gives a text block.
/// - Any other value gives structured content, its output schema, and its JSON as a text block.
/// - Content blocks are sent as they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool result",
    label = "not a tool result",
    note = "a result type, and every type inside it, must derive `Serialize` and `JsonSchema`",
    note = "or be a `ContentBlock`, a list of them, or a `CallToolResult`"
)]
pub trait ToolOutput: Sized {
    #[doc(hidden)]
    fn describe() -> OutputKind;

    #[doc(hidden)]
    fn into_outcome(self) -> Outcome;
}

/// Where the output schema of a type comes from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct OutputKind(Option<SchemaFn>);

impl OutputKind {
    pub(crate) fn schema(self) -> OutputSchema {
        self.0.map_or_else(OutputSchema::none, OutputSchema::of)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> ToolOutput for T {
    fn describe() -> OutputKind {
        OutputKind(Some(SchemaGenerator::subschema_for::<T>))
    }

    fn into_outcome(self) -> Outcome {
        written(serde_json::to_string(&self))
    }
}

/// The outcome of a value that was written as JSON. It is not generic, so that it is compiled here and not for each type.
fn written(json: serde_json::Result<String>) -> Outcome {
    match json {
        // A message is one line, and raw JSON of the user's can hold line breaks.
        Ok(json) => Outcome::Value(on_one_line(json)),
        Err(error) => Outcome::Failure(format!("the tool's result cannot be written as JSON: {error}")),
    }
}

#[diagnostic::do_not_recommend]
impl ToolOutput for CallToolResult {
    fn describe() -> OutputKind {
        OutputKind(None)
    }

    fn into_outcome(self) -> Outcome {
        Outcome::Full(Box::new(self))
    }
}

/// What the error of a tool, a prompt or a resource can be: anything that can be displayed.
///
/// The client gets the text of the error and of its sources. [`ToolError`] can say more.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a call",
    label = "cannot be displayed",
    note = "an error type must implement `Display`, since its text is what the client gets"
)]
pub trait ToolFailure {
    #[doc(hidden)]
    fn sealed(&self, _: Sealed);
}

/// Keeps traits from being implemented by hand: an error that cannot be displayed would have no text.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sealed(());

#[diagnostic::do_not_recommend]
impl<E: Display + ?Sized> ToolFailure for E {
    fn sealed(&self, _: Sealed) {}
}

/// Learns what a tool returns.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct OutputEntry {
    pub(crate) kind: Option<OutputKind>,
}

#[doc(hidden)]
impl OutputEntry {
    /// The type of the value.
    pub fn success<T: ToolOutput>(&mut self, _: Success<T>) {
        self.kind = Some(T::describe());
    }

    /// The type of the error.
    pub fn error<E: ToolFailure>(&mut self, _: Failure<E>) {}
}

impl From<ErrorObject> for Outcome {
    fn from(error: ErrorObject) -> Self {
        Self::Error(Box::new(error))
    }
}

impl From<ToolError> for Outcome {
    fn from(error: ToolError) -> Self {
        match error.0 {
            ToolErrorKind::Failure { text, data: None } => Self::Failure(text),
            ToolErrorKind::Failure { text, data: Some(data) } => {
                Self::Full(Box::new(CallToolResult::new([ContentBlock::text(text)]).structured(data).failed()))
            }
            ToolErrorKind::Protocol(error) => error.into(),
        }
    }
}

/// The failure of an error of any type, which is looked at for what says more than its text.
pub(crate) fn failed<E: Display + 'static>(error: &E) -> Outcome {
    let any: &dyn Any = error;
    if let Some(error) = any.downcast_ref::<ToolError>() {
        return error.clone().into();
    }
    if let Some(error) = any.downcast_ref::<Box<dyn Error + Send + Sync>>() {
        return chained_static(error.as_ref());
    }
    // With `#`, errors that carry others, such as those of anyhow, tell them too.
    Outcome::Failed(format!("{error:#}"))
}

/// The failure of an error that can only be displayed.
pub(crate) fn displayed(error: &dyn Display) -> Outcome {
    Outcome::Failed(error.to_string())
}

/// The failure of an error that may be a [`ToolError`] underneath, which then has its say.
pub(crate) fn chained_static(error: &(dyn Error + 'static)) -> Outcome {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<ToolError>() {
            return error.clone().into();
        }
        cause = error.source();
    }
    chained(error)
}

/// The failure of an error with its sources: `cannot read the list: no such file`. A source whose text the error's own
/// already ends with is not said twice.
pub(crate) fn chained(error: &dyn Error) -> Outcome {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            // Writing to a `String` cannot fail.
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    Outcome::Failed(text)
}
