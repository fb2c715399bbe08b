//! The parameters of a handler, as they are kept.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::completer::AnyCompleter;
use super::entry::{Lent, ParamEntry, Taken};
use super::param::{Kind, ParamKind, Provided, ToolParam, ToolParamRef, state};
use crate::schema::{InputSchema, Property};
use crate::state::ToolState;
use crate::tool::headers::HEADER;

/// One parameter of a handler.
#[derive(Debug)]
pub(crate) struct Param {
    name: &'static str,
    kind: Kind,
    /// What stands in the schema besides what the type says.
    pub(super) keywords: Map<String, Value>,
    /// Whether one of the keywords restricts the value.
    pub(super) is_restricted: bool,
    /// A `fn() -> T` that makes the value of a missing argument.
    pub(super) default: Option<Box<dyn Any + Send + Sync>>,
    /// What completes the argument for those who type it.
    pub(super) completer: Option<Arc<AnyCompleter>>,
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

/// The parameters of a handler, in order.
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

    /// The states that the handler needs: their types.
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
