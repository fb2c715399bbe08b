//! What the parameters of a handler are. A trait decides, never the spelling of a type, so that aliases, re-exports and
//! renamed imports work.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};

use super::arguments::Call;
use crate::context::Context;
#[cfg(feature = "http")]
use crate::http::Extension;
use crate::result::Sealed;
use crate::schema::SchemaFn;
use crate::state::State;

/// What a tool, a prompt or a resource can take by value: every type that is `Deserialize` and `JsonSchema` is an
/// argument, and [`State`] comes from the server.
///
/// A type that can be made from a missing value, such as `Option`, is an optional argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a parameter",
    label = "not a parameter type",
    note = "for what the server provides, write `&Context`, or `State<T>` of a `T` that is `Send` and `Sync`",
    note = "any other type, and every type inside it, must derive `Deserialize` and `JsonSchema`, and be `Send`"
)]
pub trait ToolParam: Sized + Send + 'static {
    #[doc(hidden)]
    fn describe() -> ParamKind;

    #[doc(hidden)]
    fn take(call: &mut Call<'_>, index: usize) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolParam for T {
    fn describe() -> ParamKind {
        argument::<T>()
    }

    fn take(call: &mut Call<'_>, index: usize) -> Option<T> {
        call.argument(index)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ToolParam for State<T> {
    fn describe() -> ParamKind {
        state::<T>()
    }

    fn take(call: &mut Call<'_>, _: usize) -> Option<Self> {
        call.state().map(State::new)
    }
}

#[cfg(feature = "http")]
#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> ToolParam for Extension<T> {
    fn describe() -> ParamKind {
        ParamKind(Kind::Context)
    }

    fn take(call: &mut Call<'_>, _: usize) -> Option<Self> {
        call.extension().map(Extension)
    }
}

/// What a tool, a prompt or a resource can borrow: `&str`, `&[T]`, `&Path`, `&MyType`, from an owned form that is an
/// argument; [`State`]; and [`Context`].
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be the type of a parameter",
    label = "not a parameter type",
    note = "the type behind the `&`, and every type inside it, must derive `Deserialize` and `JsonSchema`, and be `Sync`",
    note = "what the server provides is taken as `&Context`, and as `&State<T>` of a `T` that is `Send` and `Sync`"
)]
pub trait ToolParamRef {
    #[doc(hidden)]
    type Held: Send + Sync + 'static;

    #[doc(hidden)]
    fn describe() -> ParamKind;

    #[doc(hidden)]
    fn hold(call: &mut Call<'_>, index: usize) -> Option<Self::Held>;

    #[doc(hidden)]
    fn lend(held: &Self::Held) -> &Self;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> ToolParamRef for T {
    type Held = Self;

    fn describe() -> ParamKind {
        argument::<Self>()
    }

    fn hold(call: &mut Call<'_>, index: usize) -> Option<Self> {
        call.argument(index)
    }

    fn lend(held: &Self) -> &Self {
        held
    }
}

/// A type without a size is lent from the type that owns it. `ToOwned` would name it, but takes in all that is `Clone`,
/// and then a type that is not could not be lent. A row is the parameter of the `impl`, if any, and the two types.
macro_rules! lend_unsized {
    ($([$($element:ident)?] $borrowed:ty => $owned:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl$(<$element: Send + Sync + 'static>)? ToolParamRef for $borrowed
        where
            $owned: DeserializeOwned + JsonSchema,
        {
            type Held = $owned;

            fn describe() -> ParamKind {
                argument::<$owned>()
            }

            fn hold(call: &mut Call<'_>, index: usize) -> Option<$owned> {
                call.argument(index)
            }

            fn lend(held: &$owned) -> &Self {
                held
            }
        }
    )* };
}

lend_unsized! {
    [] str => String;
    [] Path => PathBuf;
    [T] [T] => Vec<T>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ToolParamRef for State<T> {
    type Held = Self;

    fn describe() -> ParamKind {
        state::<T>()
    }

    fn hold(call: &mut Call<'_>, _: usize) -> Option<Self> {
        call.state().map(State::new)
    }

    fn lend(held: &Self) -> &Self {
        held
    }
}

#[cfg(feature = "http")]
#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> ToolParamRef for Extension<T> {
    type Held = Self;

    fn describe() -> ParamKind {
        ParamKind(Kind::Context)
    }

    fn hold(call: &mut Call<'_>, _: usize) -> Option<Self> {
        call.extension().map(Extension)
    }

    fn lend(held: &Self) -> &Self {
        held
    }
}

#[diagnostic::do_not_recommend]
impl ToolParamRef for Context {
    type Held = Self;

    fn describe() -> ParamKind {
        ParamKind(Kind::Context)
    }

    fn hold(call: &mut Call<'_>, _: usize) -> Option<Self> {
        Some(call.context())
    }

    fn lend(held: &Self) -> &Self {
        held
    }
}

/// What the server provides, rather than the client: [`Context`], [`State`], and `Extension` with the feature `http`. A
/// parameter of a resource is one of these, or a variable of the URI template.
#[diagnostic::on_unimplemented(
    message = "the URI has no variable for this parameter of the type `{Self}`",
    label = "not in the URI",
    note = "add its name in braces to the URI, as in `orders://{{id}}` for a parameter `id`, or remove the parameter",
    note = "only `&Context`, `State<T>` and `Extension<T>` come from elsewhere"
)]
pub trait Provided {
    /// The type itself. What else is asked of it is asked of this, so that a type that is not provided is one error.
    #[doc(hidden)]
    type Itself;

    #[doc(hidden)]
    fn sealed(&self, _: Sealed);
}

#[diagnostic::do_not_recommend]
impl Provided for Context {
    type Itself = Self;

    fn sealed(&self, _: Sealed) {}
}

#[diagnostic::do_not_recommend]
impl<T> Provided for State<T> {
    type Itself = Self;

    fn sealed(&self, _: Sealed) {}
}

#[cfg(feature = "http")]
#[diagnostic::do_not_recommend]
impl<T> Provided for Extension<T> {
    type Itself = Self;

    fn sealed(&self, _: Sealed) {}
}

/// Where the value of a parameter comes from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ParamKind(pub(super) Kind);

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// From a member of the arguments object.
    Argument { schema: SchemaFn, optional: fn() -> bool },
    /// From the arguments object as a whole.
    All { schema: SchemaFn },
    /// From the call.
    Context,
    /// From the server.
    State { id: TypeId, type_name: &'static str },
}

fn argument<T: DeserializeOwned + JsonSchema>() -> ParamKind {
    ParamKind(Kind::Argument { schema: |generator| generator.subschema_for::<T>(), optional: is_optional::<T> })
}

pub(super) fn state<T: 'static>() -> ParamKind {
    ParamKind(Kind::State { id: TypeId::of::<T>(), type_name: std::any::type_name::<T>() })
}

/// A type is optional if it deserializes from nothing, whatever it is called; the call does the same with a missing
/// argument, so the schema and the call cannot differ.
fn is_optional<T: DeserializeOwned>() -> bool {
    from_missing::<T>().is_some()
}

/// The value of a missing argument.
pub(crate) fn from_missing<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Missing).ok()
}

/// Nothing to deserialize from. Only an `Option` can be made of it.
struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(value::Error::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
