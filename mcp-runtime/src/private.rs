//! What the output of the macros names, besides `Toolset` and `tool`, and what its types are made of; nothing of it is for
//! direct use, and any of it may change in any release.
//!
//! Two techniques repeat here. Method lookup passes over an inherent method whose bounds the type does not meet, and goes on
//! behind `Deref`, so a type can behave one way where it meets them and another way where it does not: this sees through
//! type aliases, which spelling cannot. And the bound that a user can miss stands where a type is described (`taken`,
//! `provided`, `success`, `error`, and the like), and there only; everything else falls back in silence, so that one bad
//! type is one error.
//!
//! A method that is called on a value has a name that no trait in the user's scope has: one that takes `self` of every
//! type would come before one that is found behind `Deref`, and one of the same form beside a fallback that is a trait, as
//! those of `ParamEntry` are, would be ambiguous.

#![expect(clippy::must_use_candidate, reason = "nothing here is called by hand")]

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

pub use mcp_macros::{prompts, resources, tools};

#[cfg(feature = "ask")]
use crate::ask::{FormData, FormField};
#[cfg(feature = "ask")]
pub use crate::ask::{IsChoice, IsForm};
pub use crate::result::{Outcome, OutputEntry, ToolOutput};
pub use crate::returns::{Failure, Returned, Returns, Success};
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
pub struct Take<T>(TakeRefused<T>);

impl<T> Take<T> {
    /// The only value.
    pub const NEW: Self = Self(TakeRefused(PhantomData));
}

impl<T: ToolParam> Take<T> {
    /// The value of the parameter at `index`; `None` if there is a problem, which the call now knows.
    pub fn __mcp_take(&self, call: &mut Call<'_>, index: usize) -> Option<T> {
        T::take(call, index)
    }
}

impl<T> Deref for Take<T> {
    type Target = TakeRefused<T>;

    fn deref(&self) -> &TakeRefused<T> {
        &self.0
    }
}

/// [`Take`] of a type that was refused where it was described.
#[derive(Debug)]
pub struct TakeRefused<T>(PhantomData<fn() -> T>);

impl<T> TakeRefused<T> {
    /// Never a value.
    pub fn __mcp_take(&self, _: &mut Call<'_>, _: usize) -> Option<T> {
        None
    }
}

/// A parameter that is lent.
#[derive(Debug)]
pub struct Lend<T: ?Sized>(LendRefused<T>);

impl<T: ?Sized> Lend<T> {
    /// The only value.
    pub const NEW: Self = Self(LendRefused(PhantomData));
}

impl<T: ?Sized + ToolParamRef> Lend<T> {
    /// What the parameter at `index` can be borrowed from.
    pub fn __mcp_hold(&self, call: &mut Call<'_>, index: usize) -> Option<Held<T>> {
        T::hold(call, index).map(Held)
    }
}

impl<T: ?Sized> Deref for Lend<T> {
    type Target = LendRefused<T>;

    fn deref(&self) -> &LendRefused<T> {
        &self.0
    }
}

/// [`Lend`] of a type that was refused where it was described.
#[derive(Debug)]
pub struct LendRefused<T: ?Sized>(PhantomData<fn() -> T>);

impl<T: ?Sized> LendRefused<T> {
    /// Never a value.
    pub fn __mcp_hold(&self, _: &mut Call<'_>, _: usize) -> Option<NeverHeld<T>> {
        None
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

/// An owner that does not exist.
#[derive(Debug)]
pub struct NeverHeld<T: ?Sized>(Infallible, PhantomData<fn() -> T>);

impl<T: ?Sized> NeverHeld<T> {
    /// Is never called.
    pub fn __mcp_lend(&self) -> &T {
        match self.0 {}
    }
}

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
    label = "a string, and no `{Self}`",
    note = "a string stands for what is `From<&str>`, such as a `String`; write a value of the parameter's type, in an `Option` \
            for example `Some(\"…\".into())`"
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

/// Checks that a form or a choice can be read, and has a schema.
#[cfg(feature = "ask")]
pub fn form_data<T: FormData>() {}

/// Checks that a form can have a field of the type.
#[cfg(feature = "ask")]
pub fn form_field<T: FormField + ?Sized>() {}
