//! What the parameters of a tool are. A trait decides, never the spelling of a type, so that aliases, re-exports and
//! renamed imports work.

#![expect(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "what describes a parameter is not called by hand"
)]

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};
use serde_json::{Map, Value};

use super::arguments::Call;
use super::bounds::{Bound as _, Measured, Patterned, Ranged};
use super::completer::{AnyCompleter, Completer};
use crate::context::Context;
#[cfg(feature = "http")]
use crate::http::Extension;
use crate::result::Sealed;
use crate::schema::{InputSchema, Property, SchemaFn};
use crate::state::{State, ToolState};
use crate::tool::headers::HEADER;

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
pub struct ParamKind(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
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

fn state<T: 'static>() -> ParamKind {
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

/// Methods that are found after all that take `self`.
macro_rules! fallbacks {
    ($($name:ident)*) => { $(
        /// Does nothing.
        fn $name<V>(&self, _: V) -> &Self {
            self
        }
    )* };
}

/// One parameter of a tool.
#[derive(Debug)]
pub(crate) struct Param {
    name: &'static str,
    kind: Kind,
    /// What stands in the schema besides what the type says.
    keywords: Map<String, Value>,
    /// Whether one of the keywords restricts the value.
    is_restricted: bool,
    /// A `fn() -> T` that makes the value of a missing argument.
    default: Option<Box<dyn Any + Send + Sync>>,
    /// What completes the argument for those who type it.
    completer: Option<Arc<AnyCompleter>>,
}

impl Param {
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    fn is_argument(&self) -> bool {
        matches!(self.kind, Kind::Argument { .. })
    }

    /// The default of a missing argument.
    pub(crate) fn default<T: 'static>(&self) -> Option<T> {
        let default = self.default.as_ref()?.downcast_ref::<fn() -> T>()?;
        Some(default())
    }

    /// Which keywords have to be checked at start.
    fn needs_check(&self) -> bool {
        self.default.is_some() || self.is_restricted || self.keywords.contains_key(HEADER)
    }
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
    param: &'p mut Param,
    passed: PhantomData<P>,
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

/// The parameters of a tool, in order.
#[derive(Debug, Default)]
pub struct Params(Vec<Param>);

#[doc(hidden)]
impl Params {
    /// The next parameter is taken by value.
    pub fn taken<T: ToolParam>(&mut self, name: &'static str) -> ParamEntry<'_, Taken<T>> {
        self.push(name, T::describe())
    }

    /// The next parameter is lent.
    pub fn lent<T: ?Sized + ToolParamRef>(&mut self, name: &'static str) -> ParamEntry<'_, Lent<T>> {
        self.push(name, T::describe())
    }

    /// The next parameter is the whole arguments object, unless it is something that the server provides.
    pub fn all<T: ToolParam>(&mut self, name: &'static str) {
        let kind = match T::describe() {
            ParamKind(Kind::Argument { schema, .. }) => ParamKind(Kind::All { schema }),
            kind => kind,
        };
        self.push::<Taken<T>>(name, kind);
    }

    /// The next parameter is taken by value, and comes from the server.
    pub fn provided<T: Provided>(&mut self, name: &'static str)
    where
        T::Itself: ToolParam,
    {
        self.push::<Taken<T>>(name, T::Itself::describe());
    }

    /// The next parameter is lent, and comes from the server.
    pub fn provided_lent<T: ?Sized + Provided>(&mut self, name: &'static str)
    where
        T::Itself: ToolParamRef,
    {
        self.push::<Lent<T>>(name, T::Itself::describe());
    }

    /// The function is a method; its receiver is a state of the server.
    pub fn receiver<T: ToolState>(&mut self) {
        self.push::<Taken<T>>("self", state::<T>());
    }
}

impl Params {
    #[expect(clippy::indexing_slicing, reason = "what was pushed last is there")]
    fn push<P>(&mut self, name: &'static str, ParamKind(kind): ParamKind) -> ParamEntry<'_, P> {
        let index = self.0.len();
        self.0.push(Param { name, kind, keywords: Map::new(), is_restricted: false, default: None, completer: None });
        ParamEntry { param: &mut self.0[index], passed: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Param> {
        self.0.get(index)
    }

    /// Whether the parameter is the whole arguments object.
    pub(crate) fn is_whole(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|param| matches!(param.kind, Kind::All { .. }))
    }

    pub(crate) fn has_whole(&self) -> bool {
        self.0.iter().any(|param| matches!(param.kind, Kind::All { .. }))
    }

    /// Which parameter a key of the arguments object names.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|param| param.name == name && param.is_argument())
    }

    /// Where among the arguments a parameter stands.
    pub(crate) fn argument_index(&self, index: usize) -> usize {
        self.0.iter().take(index).filter(|param| param.is_argument()).count()
    }

    pub(crate) fn argument_names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|param| param.is_argument()).map(Param::name)
    }

    /// The states that the tool needs: their types.
    pub(crate) fn states(&self) -> impl Iterator<Item = (TypeId, &'static str)> {
        self.0.iter().filter_map(|param| match param.kind {
            Kind::State { id, type_name } => Some((id, type_name)),
            _ => None,
        })
    }

    /// The schema of the arguments object, or what is wrong with it.
    pub(crate) fn schema(&self, open: bool) -> Result<InputSchema, String> {
        let whole = self.0.iter().find_map(|param| match param.kind {
            Kind::All { schema } => Some((param.name, schema)),
            _ => None,
        });
        let Some((name, schema)) = whole else {
            return Ok(InputSchema::of_properties(self.properties(), open));
        };
        if self.argument_names().next().is_some() {
            return Err(format!("`{name}` is the whole arguments object (`#[args]`), so it can be the only argument"));
        }
        InputSchema::of_object(schema, open)
            .ok_or_else(|| format!("`{name}` is the whole arguments object (`#[args]`), so its type must be an object"))
    }

    fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.0.iter().filter_map(|param| match param.kind {
            Kind::Argument { schema, optional } => Some(Property {
                name: param.name,
                optional: param.default.is_some() || optional(),
                schema,
                keywords: &param.keywords,
                is_restricted: param.is_restricted,
            }),
            _ => None,
        })
    }

    /// Whether something about the arguments can be wrong that only a look at their schema shows.
    pub(crate) fn need_check(&self) -> bool {
        self.has_whole() || self.0.iter().any(Param::needs_check)
    }

    /// The arguments, each with its place among them.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.0.iter().filter(|param| param.is_argument()).enumerate()
    }
}

impl Param {
    /// The default as it is shown.
    pub(crate) fn shown_default(&self) -> Option<&Value> {
        self.keywords.get("default")
    }

    /// What completes the argument.
    pub(crate) fn completer(&self) -> Option<&Arc<AnyCompleter>> {
        self.completer.as_ref()
    }

    /// Whether the argument may be missing.
    pub(crate) fn is_optional(&self) -> bool {
        self.default.is_some() || matches!(self.kind, Kind::Argument { optional, .. } if optional())
    }
}
