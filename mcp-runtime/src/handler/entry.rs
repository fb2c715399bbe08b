//! A parameter while it is described: what the macro says of it. The methods ask of the type what an attribute needs, so that
//! one that does not fit is an error where it is written.

#![expect(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "what describes a parameter is not called by hand"
)]

use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

use super::bounds::{Bound as _, Measured, Patterned, Ranged};
use super::completer::Completer;
use super::param::ToolParamRef;
use super::params::Param;
use crate::tool::headers::HEADER;

/// Methods that are found after all that take `self`.
macro_rules! fallbacks {
    ($($name:ident)*) => { $(
        /// Does nothing.
        fn $name<V>(&self, _: V) -> &Self {
            self
        }
    )* };
}

/// How a parameter is passed, and so what is kept for it. The type of [`ParamEntry`] names no associated type, so that a
/// type that cannot be a parameter is one error, where it is described.
#[doc(hidden)]
pub trait Passed {
    /// What is deserialized.
    type Value: 'static;
}

/// A parameter that is taken by value.
#[doc(hidden)]
#[derive(Debug)]
pub struct Taken<T>(PhantomData<fn() -> T>);

impl<T: 'static> Passed for Taken<T> {
    type Value = T;
}

/// A parameter that is lent.
#[doc(hidden)]
#[derive(Debug)]
pub struct Lent<T: ?Sized>(PhantomData<fn() -> T>);

impl<T: ?Sized + ToolParamRef> Passed for Lent<T> {
    type Value = T::Held;
}

/// A parameter while it is described.
#[derive(Debug)]
pub struct ParamEntry<'p, P> {
    pub(super) param: &'p mut Param,
    pub(super) passed: PhantomData<P>,
}

#[doc(hidden)]
impl<P> ParamEntry<'_, P> {
    fn keyword(self, keyword: &str, value: Value) -> Self {
        self.param.keywords.insert(keyword.to_owned(), value);
        self
    }

    fn restriction(self, keyword: &str, value: Value) -> Self {
        self.param.is_restricted = true;
        self.keyword(keyword, value)
    }

    /// What the model reads about the argument.
    pub fn description(self, text: &str) -> Self {
        self.keyword("description", text.into())
    }

    /// The name of the header that mirrors the argument, without its prefix.
    pub fn header(self, name: &str) -> Self {
        self.keyword(HEADER, name.into())
    }

    /// What completes the argument.
    pub fn complete<M>(self, completer: impl Completer<M>) -> Self {
        self.param.completer = Some(Arc::new(completer.erased()));
        self
    }
}

#[doc(hidden)]
impl<P: Passed> ParamEntry<'_, P> {
    /// The least value.
    pub fn at_least(self, bound: <P::Value as Ranged>::Bound) -> Self
    where
        P::Value: Ranged,
    {
        self.restriction("minimum", bound.into_json())
    }

    /// The greatest value.
    pub fn at_most(self, bound: <P::Value as Ranged>::Bound) -> Self
    where
        P::Value: Ranged,
    {
        self.restriction("maximum", bound.into_json())
    }

    /// What every value is less than.
    pub fn less_than(self, bound: <P::Value as Ranged>::Bound) -> Self
    where
        P::Value: Ranged,
        <P::Value as Ranged>::Bound: Copy,
    {
        match bound.below() {
            Some(greatest) => self.restriction("maximum", greatest),
            None => self.restriction("exclusiveMaximum", bound.into_json()),
        }
    }

    /// The least length.
    pub fn min_len(self, length: usize) -> Self
    where
        P::Value: Measured,
    {
        self.restriction(if P::Value::IS_TEXT { "minLength" } else { "minItems" }, length.into())
    }

    /// The greatest length.
    pub fn max_len(self, length: usize) -> Self
    where
        P::Value: Measured,
    {
        self.restriction(if P::Value::IS_TEXT { "maxLength" } else { "maxItems" }, length.into())
    }

    /// What every length is less than.
    pub fn shorter_than(self, length: usize) -> Self
    where
        P::Value: Measured,
    {
        self.max_len(length.saturating_sub(1))
    }

    /// A regular expression that the string matches somewhere.
    pub fn pattern(self, pattern: &str) -> Self
    where
        P::Value: Patterned,
    {
        self.restriction("pattern", pattern.into())
    }

    fn default_of(self, default: fn() -> P::Value) -> Self {
        self.param.default = Some(Box::new(default));
        self
    }
}

#[doc(hidden)]
impl<P: Passed> ParamEntry<'_, P>
where
    P::Value: serde::Serialize,
{
    /// The value of a missing argument.
    pub fn __mcp_default(self, default: fn() -> P::Value) -> Self {
        let shown = serde_json::to_value(default()).unwrap_or_default();
        let entry = self.default_of(default);
        if shown.is_null() { entry } else { entry.keyword("default", shown) }
    }

    /// A value that the model may imitate.
    pub fn __mcp_example(self, example: fn() -> P::Value) -> Self {
        if let Ok(shown) = serde_json::to_value(example()) {
            let examples = self.param.keywords.entry("examples").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(examples) = examples {
                examples.push(shown);
            }
        }
        self
    }
}

/// The second end of a `len`. The first one has asked whether the type has a length; this one falls back in silence.
#[doc(hidden)]
impl<P: Passed> ParamEntry<'_, P>
where
    P::Value: Measured,
{
    /// See [`max_len`](Self::max_len).
    pub fn __mcp_max_len(self, length: usize) -> Self {
        self.max_len(length)
    }

    /// See [`shorter_than`](Self::shorter_than).
    pub fn __mcp_shorter_than(self, length: usize) -> Self {
        self.shorter_than(length)
    }
}

/// [`ParamEntry`] of a type that cannot be written as JSON: its default is used and not shown.
#[doc(hidden)]
pub trait ParamUnshown<V>: Sized {
    /// The value of a missing argument.
    fn __mcp_default(self, default: fn() -> V) -> Self;

    /// An example that cannot be shown.
    fn __mcp_example(self, _: fn() -> V) -> Self {
        self
    }
}

impl<P: Passed> ParamUnshown<P::Value> for ParamEntry<'_, P> {
    fn __mcp_default(self, default: fn() -> P::Value) -> Self {
        self.default_of(default)
    }
}

/// The fallback of [`ParamEntry`], for a type that was refused where it was described, or by the first end of its `len`.
/// A type without an error meets none of these, so most have the plain names of what they stand in for.
#[doc(hidden)]
pub trait ParamUnsupported {
    fallbacks! {
        at_least at_most less_than min_len max_len shorter_than __mcp_max_len __mcp_shorter_than pattern
        __mcp_default __mcp_example
    }
}

impl<P> ParamUnsupported for ParamEntry<'_, P> {}
