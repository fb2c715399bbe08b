//! What the output of the macros names, besides `Toolset` and `tool`, and what its types are made of; nothing of it is for
//! direct use, and any of it may change in any release.
//!
//! Two techniques repeat here. An inherent method is found before a trait method of the same name, so a type with both
//! behaves one way for types that meet the bounds of the inherent `impl` and the other way for all others: this sees
//! through type aliases, which spelling cannot. And the bound that a user can miss stands where a type is described
//! (`taken`, `provided`, `success`, `error`, and the like), and there only; everything else falls back in silence, so that one
//! bad type is one error.
//!
//! A method that is called on a value has a name that no trait in the user's scope has: one that takes `self` of every
//! type would come before ours, and one of the same form beside a fallback would be ambiguous.

#![expect(clippy::must_use_candidate, reason = "nothing here is called by hand")]

use std::convert::Infallible;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;

pub use mcp_macros::{prompts, resources, tools};

#[cfg(feature = "ask")]
use crate::ask::{FormData, FormField};
#[cfg(feature = "ask")]
pub use crate::ask::{IsChoice, IsForm};
pub use crate::result::{Outcome, OutputEntry, ToolOutput};
use crate::result::{chained, chained_static, displayed};
use crate::state::ToolState;
pub use std::vec::Vec;

pub use crate::handler::Started;
pub use crate::handler::about::{IconEntry, Icons};
pub use crate::handler::arguments::Call;
pub use crate::handler::completer::Completer;
pub use crate::handler::entry::{ParamEntry, ParamUnshown, ParamUnsupported};
pub use crate::handler::param::{Provided, ToolParam, ToolParamRef};
pub use crate::handler::params::Params;
pub use crate::listed::{ListedName, assert_new_name, assert_new_prompt, assert_new_uri};
pub use crate::prompt::def::{PromptDef, PromptEntry};
pub use crate::prompt::output::PromptOutput;
pub use crate::resource::def::{ResourceDef, ResourceEntry};
pub use crate::resource::output::ResourceOutput;
pub use crate::tool::def::ToolDef;

/// A parameter that is taken by value.
#[derive(Debug)]
pub struct Take<T>(PhantomData<T>);

impl<T: ToolParam> Take<T> {
    /// The value of the parameter at `index`; `None` if there is a problem, which the call now knows.
    pub fn take(call: &mut Call<'_>, index: usize) -> Option<T> {
        T::take(call, index)
    }
}

/// The fallback of [`Take`], for a type that was refused where it was described.
pub trait TakeUnsupported<T> {
    /// Never a value.
    fn take(_: &mut Call<'_>, _: usize) -> Option<T> {
        None
    }
}

impl<T> TakeUnsupported<T> for Take<T> {}

/// A parameter that is lent.
#[derive(Debug)]
pub struct Lend<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized + ToolParamRef> Lend<T> {
    /// What the parameter at `index` can be borrowed from.
    pub fn hold(call: &mut Call<'_>, index: usize) -> Option<Held<T>> {
        T::hold(call, index).map(Held)
    }
}

/// The owner of a lent parameter, for the length of the call.
#[derive(Debug)]
pub struct Held<T: ?Sized + ToolParamRef>(T::Held);

impl<T: ?Sized + ToolParamRef> Held<T> {
    /// The parameter.
    pub fn __mcp_lend(&self) -> &T {
        T::lend(&self.0)
    }
}

/// The fallback of [`Lend`], for a type that was refused where it was described.
pub trait LendUnsupported<T: ?Sized> {
    /// Never a value.
    fn hold(_: &mut Call<'_>, _: usize) -> Option<NeverHeld<T>> {
        None
    }
}

impl<T: ?Sized> LendUnsupported<T> for Lend<T> {}

/// An owner that does not exist.
#[derive(Debug)]
pub struct NeverHeld<T: ?Sized>(Infallible, PhantomData<fn() -> T>);

impl<T: ?Sized> NeverHeld<T> {
    /// Is never called.
    pub fn __mcp_lend(&self) -> &T {
        match self.0 {}
    }
}

/// The return type of a function, to ask for its parts.
#[derive(Debug)]
pub struct Returns<R>(PhantomData<fn() -> R>);

impl<R> Returns<R> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<T, E> Returns<Result<T, E>> {
    /// The type of the value.
    pub fn __mcp_success(&self) -> PhantomData<fn() -> T> {
        PhantomData
    }

    /// The type of the error.
    pub fn __mcp_error(&self) -> PhantomData<fn() -> E> {
        PhantomData
    }
}

/// [`Returns`] of a type that is no `Result`.
pub trait ReturnsPlain<T> {
    /// The type itself.
    fn __mcp_success(&self) -> PhantomData<fn() -> T> {
        PhantomData
    }

    /// An error that cannot be.
    fn __mcp_error(&self) -> PhantomData<fn() -> Infallible> {
        PhantomData
    }
}

impl<T> ReturnsPlain<T> for Returns<T> {}

/// The receiver of a method: a state of the server.
pub fn receiver<T: ToolState>(call: &mut Call<'_>) -> Option<Arc<T>> {
    call.state()
}

/// A string literal as a default or an example.
pub fn text<T: FromText>(text: &'static str) -> T {
    T::from_text(text)
}

/// What a string literal can stand for. It is a trait of ours, because the compiler lists all that is `From`.
#[diagnostic::on_unimplemented(
    message = "a string cannot stand for `{Self}`",
    label = "not a `{Self}`",
    note = "a string stands for what is `From<&str>`, such as a `String`; write a value of the parameter's type"
)]
pub trait FromText: Sized {
    /// The value.
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T> FromText for T
where
    &'static str: Into<T>,
{
    fn from_text(text: &'static str) -> T {
        text.into()
    }
}

/// What a function returned.
#[derive(Debug)]
pub struct Returned<R>(pub R);

impl<T, E> Returned<Result<T, E>> {
    /// It is a `Result` already.
    pub fn __mcp_split(self) -> Result<T, E> {
        self.0
    }
}

/// [`Returned`] of a type that is no `Result`.
pub trait ReturnedPlain<T> {
    /// A value without an error.
    fn __mcp_split(self) -> Result<T, Infallible>;
}

impl<T> ReturnedPlain<T> for Returned<T> {
    fn __mcp_split(self) -> Result<T, Infallible> {
        Ok(self.0)
    }
}

/// The value of a call that succeeded.
#[derive(Debug)]
pub struct Succeeded<T>(pub T);

impl<T: ToolOutput> Succeeded<T> {
    /// The outcome of the call.
    pub fn __mcp_outcome(self) -> Outcome {
        self.0.into_outcome()
    }
}

/// Checks that a form or a choice can be read, and has a schema.
#[cfg(feature = "ask")]
pub fn form_data<T: FormData>() {}

/// Checks that a form can have a field of the type.
#[cfg(feature = "ask")]
pub fn form_field<T: FormField + ?Sized>() {}

/// What a prompt has returned.
#[derive(Debug)]
pub struct Prompted<T>(pub T);

impl<T: PromptOutput> Prompted<T> {
    /// The outcome of the call.
    pub fn __mcp_outcome(self) -> Outcome {
        self.0.into_outcome()
    }
}

/// What a resource has returned.
#[derive(Debug)]
pub struct Read<T>(pub T);

impl<T: ResourceOutput> Read<T> {
    /// The outcome of the call.
    pub fn __mcp_outcome(self) -> Outcome {
        self.0.into_outcome()
    }
}

/// The error of a call that failed. The trait that finds its text is the first that applies, from the most references
/// to the fewest: [`ToolError`](crate::ToolError) itself, a standard error, a type that lends one (`anyhow::Error`), a
/// type that can be displayed.
#[derive(Debug)]
pub struct Failed<'a, E>(pub &'a E);

impl<E> Clone for Failed<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Failed<'_, E> {}

/// [`Failed`] with a [`ToolError`](crate::ToolError).
pub trait FailedTool {
    /// The outcome of the call.
    fn __mcp_outcome(&self) -> Outcome;
}

impl FailedTool for &&&&Failed<'_, crate::ToolError> {
    fn __mcp_outcome(&self) -> Outcome {
        self.0.clone().into()
    }
}

/// [`Failed`] with a standard error.
pub trait FailedError {
    /// The outcome of the call.
    fn __mcp_outcome(&self) -> Outcome;
}

impl<E: Error> FailedError for &&&Failed<'_, E> {
    fn __mcp_outcome(&self) -> Outcome {
        chained(self.0)
    }
}

/// [`Failed`] with a type that lends a standard error.
pub trait FailedAsError {
    /// The outcome of the call.
    fn __mcp_outcome(&self) -> Outcome;
}

impl<E: AsRef<dyn Error + Send + Sync + 'static>> FailedAsError for &&Failed<'_, E> {
    fn __mcp_outcome(&self) -> Outcome {
        chained_static(self.0.as_ref())
    }
}

/// [`Failed`] with a type that lends a standard error which stays on its thread.
pub trait FailedAsLocalError {
    /// The outcome of the call.
    fn __mcp_outcome(&self) -> Outcome;
}

impl<E: AsRef<dyn Error + 'static>> FailedAsLocalError for &Failed<'_, E> {
    fn __mcp_outcome(&self) -> Outcome {
        chained_static(self.0.as_ref())
    }
}

/// [`Failed`] with a type that can be displayed.
pub trait FailedDisplay {
    /// The outcome of the call.
    fn __mcp_outcome(&self) -> Outcome;
}

impl<E: Display> FailedDisplay for Failed<'_, E> {
    fn __mcp_outcome(&self) -> Outcome {
        displayed(self.0)
    }
}

/// The last trait that gives an outcome: a row is its name, what it is the fallback of, and the type in full.
macro_rules! refused {
    ($($fallback:ident of $wrapper:ident: $ty:ty;)*) => { $(
        #[doc = concat!("The fallback of [`", stringify!($wrapper), "`], for a type that was refused where it was described.")]
        pub trait $fallback: Sized {
            /// Never reached.
            fn __mcp_outcome(self) -> Outcome {
                Outcome::Failure(String::new())
            }
        }

        impl<T> $fallback for $ty {}
    )* };
}

refused! {
    SucceededUnsupported of Succeeded: Succeeded<T>;
    PromptedUnsupported of Prompted: Prompted<T>;
    ReadUnsupported of Read: Read<T>;
    FailedAny of Failed: Failed<'_, T>;
}
