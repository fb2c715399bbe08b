//! What the parameters of a tool are. A trait decides, never the spelling of a type, so that aliases, re-exports and
//! renamed imports work.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};

use super::arguments::Call;
use crate::context::Context;
use crate::schema::{Property, SchemaFn};

/// What a tool can take by value: every type that is `Deserialize` and `JsonSchema` is an argument.
///
/// A type that can be made from a missing value, such as `Option`, is an optional argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "not a tool parameter",
    note = "a parameter type, and every type inside it, must derive `Deserialize` and `JsonSchema`, and be `Send`",
    note = "what the server provides is taken as `&Context`"
)]
pub trait ToolParam: Sized + Send {
    #[doc(hidden)]
    fn describe() -> ParamKind;

    #[doc(hidden)]
    fn take(call: &mut Call<'_>, index: usize) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send> ToolParam for T {
    fn describe() -> ParamKind {
        argument::<T>()
    }

    fn take(call: &mut Call<'_>, index: usize) -> Option<T> {
        call.argument(index)
    }
}

/// What a tool can borrow: `&str`, `&[T]`, `&Path`, `&MyType`, from an owned form that is an argument; and [`Context`].
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool parameter",
    label = "not a tool parameter",
    note = "the type behind the `&`, and every type inside it, must derive `Deserialize` and `JsonSchema`, and be `Sync`"
)]
pub trait ToolParamRef {
    #[doc(hidden)]
    type Held: Send + Sync;

    #[doc(hidden)]
    fn describe() -> ParamKind;

    #[doc(hidden)]
    fn hold(call: &mut Call<'_>, index: usize) -> Option<Self::Held>;

    #[doc(hidden)]
    fn lend(held: &Self::Held) -> &Self;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync> ToolParamRef for T {
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
        impl$(<$element: Send + Sync>)? ToolParamRef for $borrowed
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
impl ToolParamRef for Context {
    type Held = Self;

    fn describe() -> ParamKind {
        ParamKind(Kind::Injected)
    }

    fn hold(call: &mut Call<'_>, _: usize) -> Option<Self> {
        Some(call.context())
    }

    fn lend(held: &Self) -> &Self {
        held
    }
}

/// Where the value of a parameter comes from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ParamKind(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// From the arguments object.
    Argument { schema: SchemaFn, optional: fn() -> bool },
    /// From the server.
    Injected,
}

fn argument<T: DeserializeOwned + JsonSchema>() -> ParamKind {
    ParamKind(Kind::Argument { schema: |generator| generator.subschema_for::<T>(), optional: is_optional::<T> })
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

/// One parameter of a tool.
#[derive(Debug)]
pub struct Param {
    name: &'static str,
    description: Option<&'static str>,
    kind: Kind,
}

impl Param {
    /// What the model reads about the argument.
    pub fn description(&mut self, description: &'static str) {
        self.description = Some(description);
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the parameter is an argument, and not something that the server provides.
    pub(crate) fn is_argument(&self) -> bool {
        matches!(self.kind, Kind::Argument { .. })
    }
}

/// The parameters of a tool, in order.
#[derive(Debug, Default)]
pub struct Params(Vec<Param>);

impl Params {
    /// The next parameter is taken by value.
    pub fn taken<T: ToolParam>(&mut self, name: &'static str) -> &mut Param {
        self.push(name, T::describe())
    }

    /// The next parameter is lent.
    pub fn lent<T: ?Sized + ToolParamRef>(&mut self, name: &'static str) -> &mut Param {
        self.push(name, T::describe())
    }

    #[expect(clippy::indexing_slicing, reason = "what was pushed last is there")]
    fn push(&mut self, name: &'static str, ParamKind(kind): ParamKind) -> &mut Param {
        let index = self.0.len();
        self.0.push(Param { name, description: None, kind });
        &mut self.0[index]
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Param> {
        self.0.get(index)
    }

    /// Which argument a key of the arguments object names.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|param| param.name == name && param.is_argument())
    }

    pub(crate) fn argument_names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|param| param.is_argument()).map(Param::name)
    }

    /// What the input schema is made of.
    pub(crate) fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.0.iter().filter_map(|param| match param.kind {
            Kind::Argument { schema, optional } => {
                let (name, description) = (param.name, param.description);
                Some(Property { name, description, schema, optional: optional() })
            }
            Kind::Injected => None,
        })
    }
}
